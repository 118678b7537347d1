/* SPDX-License-Identifier: GPL-2.0 */
/* Reference counts. */
#ifndef SHIM_LINUX_KREF_H
#define SHIM_LINUX_KREF_H

#include <linux/atomic.h>

struct kref {
	atomic_t refcount;
};

static inline void kref_init(struct kref *kref)
{
	atomic_set(&kref->refcount, 1);
}

static inline void kref_get(struct kref *kref)
{
	atomic_inc(&kref->refcount);
}

static inline int kref_put(struct kref *kref, void (*release)(struct kref *kref))
{
	if (!atomic_dec_and_test(&kref->refcount))
		return 0;
	release(kref);
	return 1;
}

#endif
