// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include "core/memory.h"

static unsigned int max_memory_mb = 2048;
module_param(max_memory_mb, uint, 0644);
MODULE_PARM_DESC(max_memory_mb, "most memory that all fabrics together may take, in MiB (default 2048)");

static atomic64_t charged = ATOMIC64_INIT(0);

/**
 * mcfab_memory_left() - how much may still be charged
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_memory_left(void)
{
	u64 limit = (u64)READ_ONCE(max_memory_mb) << 20;
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
	u64 limit = (u64)READ_ONCE(max_memory_mb) << 20;

	if ((u64)atomic64_add_return(bytes, &charged) <= limit)
		return true;
	atomic64_sub(bytes, &charged);
	return false;
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
