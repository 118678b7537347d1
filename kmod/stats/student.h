/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Student's t distribution, for 95 % confidence intervals.
 */
#ifndef MCFAB_STATS_STUDENT_H
#define MCFAB_STATS_STUDENT_H

#include "base/types.h"

/** MCFAB_NANO - unit of mcfab_student() */
#define MCFAB_NANO	1000000000

u64 mcfab_student(u64 df);

#endif
