/* SPDX-License-Identifier: GPL-2.0 */
/* Arithmetic that notices overflow. */
#ifndef SHIM_LINUX_OVERFLOW_H
#define SHIM_LINUX_OVERFLOW_H

#include <linux/types.h>
#include <stdint.h>

#define check_add_overflow(a, b, d)	__builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d)	__builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d)	__builtin_mul_overflow(a, b, d)

static inline size_t size_mul(size_t a, size_t b)
{
	size_t bytes;

	return __builtin_mul_overflow(a, b, &bytes) ? SIZE_MAX : bytes;
}

static inline size_t size_add(size_t a, size_t b)
{
	size_t bytes;

	return __builtin_add_overflow(a, b, &bytes) ? SIZE_MAX : bytes;
}

#define array_size(a, b)		size_mul(a, b)
#define array3_size(a, b, c)		size_mul(size_mul(a, b), c)
#define flex_array_size(p, m, n)	size_mul(n, sizeof(*(p)->m))
#define struct_size(p, m, n)		size_add(sizeof(*(p)), flex_array_size(p, m, n))

#endif
