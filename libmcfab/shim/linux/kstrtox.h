/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers from strings. */
#ifndef SHIM_LINUX_KSTRTOX_H
#define SHIM_LINUX_KSTRTOX_H

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

/* As the kernel's: a whole number and at most one newline, no sign but '+', no spaces. */
static inline int kstrtoull(const char *s, unsigned int base, unsigned long long *res)
{
	char *end;

	if (*s == '+')
		s++;
	if (*s < '0' || *s > '9') {
		if (base != 16 || !strchr("abcdefABCDEF", *s) || !*s)
			return -EINVAL;
	}
	errno = 0;
	*res = strtoull(s, &end, (int)base);
	if (errno == ERANGE)
		return -ERANGE;
	if (*end == '\n')
		end++;
	return *end ? -EINVAL : 0;
}

static inline int kstrtou64(const char *s, unsigned int base, u64 *res)
{
	return kstrtoull(s, base, res);
}

static inline int kstrtou32(const char *s, unsigned int base, u32 *res)
{
	unsigned long long value;
	int err = kstrtoull(s, base, &value);

	if (err)
		return err;
	if (value > 0xffffffffULL)
		return -ERANGE;
	*res = (u32)value;
	return 0;
}

#define kstrtouint(s, base, res)	kstrtou32((s), (base), (res))

#endif
