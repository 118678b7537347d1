// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "base/memory.h"

static unsigned int max_memory_mb = 2048;
module_param(max_memory_mb, uint, 0644);
MODULE_PARM_DESC(max_memory_mb, "most memory that all fabrics together may take, in MiB (default 2048)");

static atomic64_t charged = ATOMIC64_INIT(0);

/**
 * mcfab_memory_limit() - how much memory all fabrics together may take
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_memory_limit(void)
{
	return (u64)READ_ONCE(max_memory_mb) << 20;
}

/**
 * mcfab_memory_left() - how much memory may still be charged
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_memory_left(void)
{
	u64 limit = mcfab_memory_limit();
	u64 used = atomic64_read(&charged);

	return used < limit ? limit - used : 0;
}

/**
 * mcfab_memory_charge() - count memory before it is allocated
 * @bytes: how much
 *
 * Context: any.
 * Return: false when the bound max_memory_mb would be passed; nothing is counted then.
 */
bool mcfab_memory_charge(u64 bytes)
{
	u64 limit = mcfab_memory_limit();
	s64 used = atomic64_read(&charged);

	/* a request that does not fit is never counted, not even for a moment: others may fit */
	do {
		if (used > limit || bytes > limit - used)
			return false;
	} while (!atomic64_try_cmpxchg(&charged, &used, used + bytes));
	return true;
}

/**
 * mcfab_memory_uncharge() - give back what was charged
 * @bytes: how much
 *
 * Context: any.
 */
void mcfab_memory_uncharge(u64 bytes)
{
	atomic64_sub(bytes, &charged);
}

/* Stands before the memory of mcfab_memory_alloc(), and keeps its alignment. */
struct header {
	u64 bytes;
} __aligned(SMP_CACHE_BYTES);

static void *alloc(u64 count, size_t size, gfp_t gfp)
{
	struct header *header;
	u64 bytes;

	if (check_mul_overflow(count, (u64)size, &bytes) || bytes > INT_MAX - sizeof(*header))
		return NULL;
	bytes += sizeof(*header);
	if (!mcfab_memory_charge(bytes))
		return NULL;
	header = kvmalloc(bytes, MCFAB_GFP | gfp);
	if (!header) {
		mcfab_memory_uncharge(bytes);
		return NULL;
	}
	header->bytes = bytes;
	return header + 1;
}

/**
 * mcfab_memory_alloc() - charged memory that knows its size
 * @count: elements
 * @size: bytes of one
 *
 * For memory whose size follows from a request, and that is not part of a bigger piece that is
 * charged at once. It is not cleared.
 *
 * Context: may sleep; memory is charged to the caller's cgroup, too.
 * Return: the memory, to be freed with mcfab_memory_free(), or NULL.
 */
void *mcfab_memory_alloc(u64 count, size_t size)
{
	return alloc(count, size, 0);
}

/**
 * mcfab_memory_zalloc() - charged memory that knows its size, cleared
 * @count: elements
 * @size: bytes of one
 *
 * Context: may sleep; memory is charged to the caller's cgroup, too.
 * Return: the memory, to be freed with mcfab_memory_free(), or NULL.
 */
void *mcfab_memory_zalloc(u64 count, size_t size)
{
	return alloc(count, size, __GFP_ZERO);
}

/**
 * mcfab_memory_free() - free memory of mcfab_memory_alloc()
 * @p: the memory, or NULL
 *
 * Context: may sleep.
 */
void mcfab_memory_free(const void *p)
{
	if (!p)
		return;
	mcfab_memory_uncharge(mcfab_memory_size(p));
	kvfree((const struct header *)p - 1);
}

/**
 * mcfab_memory_size() - bytes charged for memory of mcfab_memory_alloc()
 * @p: the memory, or NULL
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_memory_size(const void *p)
{
	return p ? ((const struct header *)p - 1)->bytes : 0;
}
