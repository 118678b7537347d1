/* SPDX-License-Identifier: GPL-2.0 */
/* The bound on the memory of all fabrics together. */
#ifndef MCFAB_BASE_MEMORY_H
#define MCFAB_BASE_MEMORY_H

#include "base/types.h"

bool mcfab_memory_charge(u64 bytes);
void mcfab_memory_uncharge(u64 bytes);
u64 mcfab_memory_left(void);
u64 mcfab_memory_limit(void);
void *mcfab_memory_alloc(u64 count, size_t size);
void *mcfab_memory_zalloc(u64 count, size_t size);
void mcfab_memory_free(const void *p);
u64 mcfab_memory_size(const void *p);

#endif
