// SPDX-License-Identifier: GPL-2.0
/* Means with 95 % intervals by Student's t. The quantile is the module's. */
#include <math.h>
#include <mcfab_user.h>

#include "base/student.h"

/** student_t975() - the 97.5 % quantile with @df degrees of freedom, at least 1 */
double student_t975(u32 df)
{
	return mcfab_user_student(df) / 1e9;
}

/** student_mean() - the mean of independent values, and half of its 95 % interval */
struct student_mean student_mean(const double *value, u32 n)
{
	struct student_mean m = { .n = n, .half = -1 };
	double squares = 0;

	for (u32 i = 0; i < n; i++)
		m.mean += value[i] / n;
	if (n < 2)
		return m;
	for (u32 i = 0; i < n; i++)
		squares += (value[i] - m.mean) * (value[i] - m.mean);
	m.half = student_t975(n - 1) * sqrt(squares / (n - 1) / n);
	return m;
}
