/* SPDX-License-Identifier: GPL-2.0 */
/* Small arithmetic. */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d)	DIV_ROUND_UP((unsigned long long)(n), (d))
#define DIV_ROUND_CLOSEST(x, d)	(((x) + (d) / 2) / (d))
#define round_up(x, y)		((((x) - 1) | ((__typeof__(x))((y) - 1))) + 1)
#define round_down(x, y)	((x) & ~((__typeof__(x))((y) - 1)))
#define roundup(x, y)		((((x) + (y) - 1) / (y)) * (y))
#define rounddown(x, y)		((x) - (x) % (y))
#define abs_diff(a, b)						\
({								\
	__auto_type _diff_a = (a);				\
	__auto_type _diff_b = (b);				\
	_diff_a > _diff_b ? _diff_a - _diff_b : _diff_b - _diff_a; \
})

static inline unsigned long int_sqrt(unsigned long x)
{
	unsigned long root = 0, bit = 1UL << 62;

	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return root;
}

#endif
