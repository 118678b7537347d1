/* SPDX-License-Identifier: GPL-2.0 */
/* Messages go to stderr. */
#ifndef SHIM_LINUX_PRINTK_H
#define SHIM_LINUX_PRINTK_H

#include <stdio.h>

#ifndef pr_fmt
#define pr_fmt(fmt)		fmt
#endif
#define KERN_ERR		""
#define KERN_WARNING		""
#define KERN_INFO		""
#define KERN_DEBUG		""
#define printk(...)		fprintf(stderr, __VA_ARGS__)
#define pr_err(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_notice(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_info(fmt, ...)	fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_debug(fmt, ...)						\
	do {								\
		if (0)							\
			fprintf(stderr, pr_fmt(fmt), ##__VA_ARGS__);	\
	} while (0)

#endif
