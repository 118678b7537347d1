/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers as a user writes them, read strictly. */
#ifndef MCASTCTL_NUMBER_H
#define MCASTCTL_NUMBER_H

#include "base/util.h"

#define NUMBER_MAX_RADICES	64	/* and numbers of a list */

/*
 * All return 0 or a negative error: -EINVAL no number, -ERANGE outside of
 * min..max, -EDOM (decimals) finer than can be kept. @out is set on success only.
 */
int number_u64(const char *s, u64 min, u64 max, u64 *out);
int number_s32(const char *s, s32 min, s32 max, s32 *out);
int number_decimal(const char *s, u32 scale, u64 min, u64 max, u64 *out);
int number_dims(const char *s, u32 *radix, u32 *ndims);
int number_list(const char *s, u32 *number, u32 *count);
int number_bool(const char *s, bool *out);

/* Write @value / @scale without trailing zeros; @scale is a power of ten. */
void number_format(char *buf, size_t len, u64 value, u32 scale);

#endif
