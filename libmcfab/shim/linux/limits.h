/* SPDX-License-Identifier: GPL-2.0 */
/* Limits. The C library includes this header too: keep it macros only. */
#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#include_next <linux/limits.h>

#ifndef U8_MAX
#define U8_MAX		((__u8)~0U)
#define U16_MAX		((__u16)~0U)
#define U32_MAX		((__u32)~0U)
#define U64_MAX		((__u64)~0ULL)
#define S8_MAX		((__s8)(U8_MAX >> 1))
#define S16_MAX		((__s16)(U16_MAX >> 1))
#define S32_MAX		((__s32)(U32_MAX >> 1))
#define S64_MAX		((__s64)(U64_MAX >> 1))
#define S32_MIN		((__s32)(-S32_MAX - 1))
#define S64_MIN		((__s64)(-S64_MAX - 1))
#endif
#ifndef INT_MAX
#define INT_MAX		((int)(~0U >> 1))
#define UINT_MAX	(~0U)
#define LONG_MAX	((long)(~0UL >> 1))
#define ULONG_MAX	(~0UL)
#endif

#endif
