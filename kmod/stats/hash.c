// SPDX-License-Identifier: GPL-2.0
/*
 * Result hash.
 */
#include "stats/hash.h"

#define FNV_PRIME	0x100000001b3ULL
#define FNV_PRIME2	(FNV_PRIME * FNV_PRIME)
#define FNV_PRIME4	(FNV_PRIME2 * FNV_PRIME2)

/* a byte of zero is a multiplication; so are several */
static const u64 zeros[] = {
	1, FNV_PRIME, FNV_PRIME2, FNV_PRIME2 * FNV_PRIME, FNV_PRIME4, FNV_PRIME4 * FNV_PRIME,
	FNV_PRIME4 * FNV_PRIME2, FNV_PRIME4 * FNV_PRIME2 * FNV_PRIME, FNV_PRIME4 * FNV_PRIME4,
};

/**
 * mcfab_hash_u64() - go on with a hash
 * @hash: hash so far, MCFAB_HASH_INIT at first
 * @word: next word; its least significant byte goes first on every machine
 *
 * Context: any.
 * Return: the hash with @word.
 */
u64 mcfab_hash_u64(u64 hash, u64 word)
{
	u32 left;

	for (left = sizeof(word); word; left--) {
		hash = (hash ^ (u8)word) * FNV_PRIME;
		word >>= 8;
	}
	return hash * zeros[left];
}
