/* SPDX-License-Identifier: GPL-2.0 */
/* Checks with a name, and remarks, for tests of numbers. Include lib/tap.h after it. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdio.h>

/** check() - the test fails unless @cond; @what says what should hold */
#define check(cond, what)					\
do {								\
	if (!(cond))						\
		fail_msg("not so: %s", (what));			\
} while (0)

/** note() - a line for people between the TAP lines */
#define note(...)						\
do {								\
	printf("# " __VA_ARGS__);				\
	putchar('\n');						\
} while (0)

#endif
