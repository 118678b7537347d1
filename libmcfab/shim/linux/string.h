/* SPDX-License-Identifier: GPL-2.0 */
/* Strings. */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <errno.h>
#include <linux/types.h>
#include <string.h>

static inline ssize_t strscpy(char *dst, const char *src, size_t size)
{
	size_t len = strnlen(src, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(dst, src, len + 1);
	return (ssize_t)len;
}

static inline int match_string(const char *const *array, size_t n, const char *string)
{
	size_t i;

	for (i = 0; i < n && array[i]; i++)
		if (!strcmp(array[i], string))
			return (int)i;
	return -EINVAL;
}

#define memset32(p, v, n)					\
do {								\
	u32 *_set = (p);					\
	size_t _count = (n);					\
								\
	while (_count--)					\
		*_set++ = (v);					\
} while (0)

#endif
