/* SPDX-License-Identifier: GPL-2.0 */
/* Run-time assertions, all of them fatal. */
#ifndef SHIM_LINUX_BUG_H
#define SHIM_LINUX_BUG_H

#include <linux/compiler.h>
#include <stdio.h>
#include <stdlib.h>

/* A warning fails a kernel test; here it fails at once. */
#define BUG()								\
	do {								\
		fprintf(stderr, "BUG at %s:%d\n", __FILE__, __LINE__);	\
		abort();						\
	} while (0)
#define BUG_ON(cond)							\
	do {								\
		if (unlikely(cond))					\
			BUG();						\
	} while (0)
#define WARN_ON(cond)							\
({									\
	bool _warned = !!(cond);					\
									\
	if (unlikely(_warned)) {					\
		fprintf(stderr, "WARNING at %s:%d: %s\n", __FILE__,	\
			__LINE__, #cond);				\
		abort();						\
	}								\
	_warned;							\
})
#define WARN_ON_ONCE(cond)		WARN_ON(cond)
#define WARN_ONCE(cond, ...)		WARN_ON(cond)
#define WARN(cond, ...)			WARN_ON(cond)

#endif
