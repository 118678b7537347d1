// SPDX-License-Identifier: GPL-2.0
/*
 * Result hash.
 */
#include "stats/hash.h"

#define FNV_PRIME	0x100000001b3ULL

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
	int i;

	for (i = 0; i < 8; i++) {
		hash = (hash ^ (u8)word) * FNV_PRIME;
		word >>= 8;
	}
	return hash;
}
