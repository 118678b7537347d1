/* SPDX-License-Identifier: GPL-2.0 */
/* Student's t distribution, for 95 % confidence intervals of means. */
#ifndef MCASTCTL_STUDENT_H
#define MCASTCTL_STUDENT_H

#include "util.h"

/* The 97.5 % quantile for @df degrees of freedom, at least 1. */
double student_t975(u32 df);

#endif
