/* SPDX-License-Identifier: GPL-2.0 */
/* cmocka with its includes, printing TAP. */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/** run_tap() - main() of a test program: run @tests, or only MCFAB_TEST of them, print TAP */
#define run_tap(tests)						\
({								\
	cmocka_set_message_output(CM_OUTPUT_TAP);		\
	cmocka_set_test_filter(getenv("MCFAB_TEST"));		\
	cmocka_run_group_tests((tests), NULL, NULL);		\
})

#endif
