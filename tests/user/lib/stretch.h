/* SPDX-License-Identifier: GPL-2.0 */
/* How long threads compute without a scheduling point. */
#ifndef TESTS_STRETCH_H
#define TESTS_STRETCH_H

#include "core/types.h"

/* microseconds of the longest stretch so far */
u64 stretch_longest(void);
/* begin anew */
void stretch_forget(void);
/* around what a test computes in the middle of the module; NULL in programs without this */
void __weak stretch_pause(void);
void __weak stretch_resume(void);

#endif
