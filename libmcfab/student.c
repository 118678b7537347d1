// SPDX-License-Identifier: GPL-2.0
/* The module's quantile of Student's t, for programs that combine runs. */
#include "mcfab_user.h"
#include "stats/student.h"

/**
 * mcfab_user_student() - 97.5 % quantile of Student's t distribution
 * @df: degrees of freedom, at least 1
 *
 * Return: the quantile in units of 1e-9, within one unit.
 */
unsigned long long mcfab_user_student(unsigned long long df)
{
	return mcfab_student(df);
}
