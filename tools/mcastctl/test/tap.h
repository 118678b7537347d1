/* SPDX-License-Identifier: GPL-2.0 */
/* What the unit tests share: checks, and a line of TAP for each group of them. */
#ifndef MCASTCTL_TAP_H
#define MCASTCTL_TAP_H

#include <stdio.h>

static int failures, checks, tests, bad_tests;

#define CHECK(cond) do {						\
	checks++;							\
	if (!(cond)) {							\
		failures++;						\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);	\
	}								\
} while (0)

static inline void report(const char *name)
{
	printf("%s %d %s\n", failures ? "not ok" : "ok", ++tests, name);
	bad_tests += failures > 0;
	failures = 0;
}

#endif
