/* SPDX-License-Identifier: GPL-2.0 */
/* How long threads compute without a scheduling point. */
#ifndef TESTS_STRETCH_H
#define TESTS_STRETCH_H

#include "base/types.h"

/* microseconds of the longest stretch so far */
u64 stretch_longest(void);
/* begin anew */
void stretch_forget(void);

/*
 * What a test computes from here on, called by the module, does not count, until it returns.
 * There is neither where nothing is measured.
 */
void stretch_leave(void) __attribute__((weak));
void stretch_return(void) __attribute__((weak));

#endif
