/* SPDX-License-Identifier: GPL-2.0 */
/* Means with 95 % intervals by Student's t, of values that are independent of each other. */
#ifndef MCASTCTL_STUDENT_H
#define MCASTCTL_STUDENT_H

#include "base/util.h"

/* The 97.5 % quantile with @df degrees of freedom, at least 1. */
double student_t975(u32 df);

/** struct student_mean - of some values */
struct student_mean {
	u32 n;
	double mean;		/* 0 if there are none */
	double half;		/* half of the 95 % interval; negative: fewer than two values */
};

struct student_mean student_mean(const double *value, u32 n);

#endif
