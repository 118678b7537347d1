/* SPDX-License-Identifier: GPL-2.0 */
/* The bound on what all fabrics together may take. */
#ifndef MCFAB_CORE_MEMORY_H
#define MCFAB_CORE_MEMORY_H

#include "core/types.h"

bool mcfab_memory_charge(u64 bytes);
void mcfab_memory_uncharge(u64 bytes);
u64 mcfab_memory_left(void);

#endif
