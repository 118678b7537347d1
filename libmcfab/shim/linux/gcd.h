/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_GCD_H
#define SHIM_LINUX_GCD_H

/* greatest common divisor; of a number and 0 the number */
static inline unsigned long gcd(unsigned long a, unsigned long b)
{
	while (b) {
		unsigned long rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

#endif
