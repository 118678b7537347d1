/* SPDX-License-Identifier: GPL-2.0 */
/* Minimum, maximum, exchange. */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

#define min(x, y)						\
({								\
	__auto_type _min_x = (x);				\
	__auto_type _min_y = (y);				\
	_min_x < _min_y ? _min_x : _min_y;			\
})
#define max(x, y)						\
({								\
	__auto_type _max_x = (x);				\
	__auto_type _max_y = (y);				\
	_max_x > _max_y ? _max_x : _max_y;			\
})
#define min3(x, y, z)		min(min(x, y), z)
#define max3(x, y, z)		max(max(x, y), z)
#define min_t(type, x, y)	min((type)(x), (type)(y))
#define max_t(type, x, y)	max((type)(x), (type)(y))
#define clamp(val, lo, hi)	min(max(val, lo), hi)
#define clamp_t(type, v, l, h)	clamp((type)(v), (type)(l), (type)(h))
#define swap(a, b)						\
do {								\
	__auto_type _swap = (a);				\
	(a) = (b);						\
	(b) = _swap;						\
} while (0)

#endif
