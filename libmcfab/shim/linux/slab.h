/* SPDX-License-Identifier: GPL-2.0 */
/* Memory. */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <linux/overflow.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GFP_KERNEL		0x1u
#define GFP_ATOMIC		0x2u
#define GFP_NOWAIT		0x4u
#define __GFP_ZERO		0x8u
#define __GFP_ACCOUNT		0x10u
#define __GFP_NOWARN		0x20u
#define __GFP_RETRY_MAYFAIL	0x40u
#define GFP_KERNEL_ACCOUNT	(GFP_KERNEL | __GFP_ACCOUNT)

/*
 * Fault injection: when positive, it counts down with every allocation and the
 * one that takes it to zero fails. shim_allocated counts what is not freed yet.
 */
__attribute__((weak)) long shim_fail_alloc;
__attribute__((weak)) long shim_allocated;

/* nothing, unless a program has them: around what a kernel does with scheduling points */
void mcfab_user_allocate(void) __attribute__((weak));
void mcfab_user_allocated(void *p, size_t size) __attribute__((weak));

/* what is large is not touched before it is used: of most arrays that is a small part */
static inline void shim_zero(char *p, size_t size)
{
	const size_t page = 4096;
	char *from = (char *)(((uintptr_t)p + page - 1) & ~(page - 1));
	char *to = (char *)(((uintptr_t)p + size) & ~(page - 1));

	if (size < 256 * page || madvise(from, to - from, MADV_DONTNEED)) {
		memset(p, 0, size);
		return;
	}
	memset(p, 0, from - p);
	memset(to, 0, p + size - to);
}

/* Cache-line aligned, as the kernel's power-of-two caches and vmalloc() are. */
static inline void *shim_alloc(size_t size, gfp_t gfp)
{
	void *p;

	if (mcfab_user_allocate)
		mcfab_user_allocate();
	if (__atomic_load_n(&shim_fail_alloc, __ATOMIC_RELAXED) > 0 &&
	    __atomic_sub_fetch(&shim_fail_alloc, 1, __ATOMIC_RELAXED) == 0)
		return NULL;
	if (size > (size_t)1 << 40 || posix_memalign(&p, 64, size ? size : 1))
		return NULL;
	if (gfp & __GFP_ZERO)
		shim_zero(p, size);
	__atomic_add_fetch(&shim_allocated, 1, __ATOMIC_RELAXED);
	if (mcfab_user_allocated)
		mcfab_user_allocated(p, size);
	return p;
}

static inline void shim_free(const void *p)
{
	if (!p)
		return;
	__atomic_sub_fetch(&shim_allocated, 1, __ATOMIC_RELAXED);
	free((void *)p);
}

#define kmalloc(size, gfp)		shim_alloc((size), (gfp))
#define kzalloc(size, gfp)		shim_alloc((size), (gfp) | __GFP_ZERO)
#define kmalloc_array(n, size, gfp)	shim_alloc(size_mul((n), (size)), (gfp))
#define kcalloc(n, size, gfp)		kmalloc_array((n), (size), (gfp) | __GFP_ZERO)
#define kfree(p)			shim_free(p)
#define kvmalloc(size, gfp)		kmalloc((size), (gfp))
#define kvzalloc(size, gfp)		kzalloc((size), (gfp))
#define kvmalloc_array(n, size, gfp)	kmalloc_array((n), (size), (gfp))
#define kvcalloc(n, size, gfp)		kcalloc((n), (size), (gfp))
#define kvfree(p)			shim_free(p)
#define vmalloc(size)			kmalloc((size), GFP_KERNEL)
#define vzalloc(size)			kzalloc((size), GFP_KERNEL)
#define vfree(p)			shim_free(p)
#define kvzalloc_node(size, gfp, node)	((void)(node), kzalloc((size), (gfp)))
#define kvmalloc_node(size, gfp, node)	((void)(node), kmalloc((size), (gfp)))
#define kmemdup(src, len, gfp)						\
({									\
	void *_copy = shim_alloc((len), (gfp));				\
									\
	if (_copy)							\
		memcpy(_copy, (src), (len));				\
	_copy;								\
})

#endif
