/* SPDX-License-Identifier: GPL-2.0 */
/* Result hash: FNV-1a with 64 bits over little-endian 64-bit words. */
#ifndef MCFAB_STATS_HASH_H
#define MCFAB_STATS_HASH_H

#include "base/types.h"

/** MCFAB_HASH_INIT - hash of nothing */
#define MCFAB_HASH_INIT		0xcbf29ce484222325ULL

#define MCFAB_HASH_PRIME	0x100000001b3ULL

/* powers of the prime */
extern const u64 mcfab_hash_power[sizeof(u64) + 1];

/**
 * mcfab_hash_u64() - go on with a hash
 * @hash: hash so far, MCFAB_HASH_INIT at first
 * @word: next word; its least significant byte goes first on every machine
 *
 * A byte of zero is only a multiplication: the zero bytes after the last other byte take one
 * multiplication together.
 *
 * Context: any.
 * Return: the hash with @word.
 */
static inline u64 mcfab_hash_u64(u64 hash, u64 word)
{
	const u64 *power = &mcfab_hash_power[sizeof(word)];

	while (word > U8_MAX) {
		hash = (hash ^ (u8)word) * MCFAB_HASH_PRIME;
		word >>= 8;
		power--;
	}
	return (hash ^ word) * *power;
}

#endif
