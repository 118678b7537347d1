/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Result hash (engine-model, rule 9): FNV-1a with 64 bits over little-endian
 * 64-bit words.
 */
#ifndef MCFAB_STATS_HASH_H
#define MCFAB_STATS_HASH_H

#include "core/types.h"

/** MCFAB_HASH_INIT - hash of nothing */
#define MCFAB_HASH_INIT		0xcbf29ce484222325ULL

u64 mcfab_hash_u64(u64 hash, u64 word);

#endif
