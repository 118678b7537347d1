/* SPDX-License-Identifier: GPL-2.0 */
/* Division by a number that stays the same. */
#ifndef SHIM_LINUX_RECIPROCAL_DIV_H
#define SHIM_LINUX_RECIPROCAL_DIV_H

#include <linux/types.h>

/* the multiplier of Granlund and Montgomery for 32 bits, without its 33rd bit */
struct reciprocal_value {
	u32 m;
	u8 sh1, sh2;
};

static inline struct reciprocal_value reciprocal_value(u32 d)
{
	u32 l = d > 1 ? 32 - __builtin_clz(d - 1) : 0;

	return (struct reciprocal_value) {
		.m = (1ULL << 32) * ((1ULL << l) - d) / d + 1,
		.sh1 = l ? 1 : 0,
		.sh2 = l ? l - 1 : 0,
	};
}

static inline u32 reciprocal_divide(u32 a, struct reciprocal_value r)
{
	u32 t = (u64)a * r.m >> 32;

	return (t + ((a - t) >> r.sh1)) >> r.sh2;
}

#endif
