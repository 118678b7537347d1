// SPDX-License-Identifier: GPL-2.0
/* The module computes the quantile for its own intervals; so does the tool's copy of the module. */
#include "student.h"

#define NANO	1e9

u64 mcfab_student(u64 df);	/* kmod/stats/student.c, in 1e-9 */

double student_t975(u32 df)
{
	return mcfab_student(df) / NANO;
}
