// SPDX-License-Identifier: GPL-2.0
/*
 * Counter-based random numbers.
 */
#include "base/random.h"

/**
 * mcfab_random() - the random word with these coordinates
 * @seed: of the fabric
 * @node: node for which it is drawn
 * @stream: purpose of the number
 * @index: counter within the stream
 *
 * Each coordinate is scrambled in with the golden step, so that neighbouring
 * seeds, nodes and indices are as unlike as any others.
 *
 * Context: any.
 * Return: 64 random bits, a function of the arguments alone.
 */
u64 mcfab_random(u64 seed, u32 node, enum mcfab_stream stream, u64 index)
{
	return mcfab_random_at(mcfab_random_key(seed), node, stream, index);
}

/**
 * mcfab_below_again() - mcfab_below() where the first product may favour some results
 * @word: 64 random bits
 * @bound: at least 1
 *
 * Context: any.
 * Return: 0 .. @bound - 1, each equally likely.
 */
u32 mcfab_below_again(u64 word, u32 bound)
{
	/* 2^32 modulo the bound */
	u32 threshold = -bound % bound;
	u64 product = (word >> 32) * bound;
	u64 again = 0;

	while ((u32)product < threshold) {
		again += MCFAB_GOLDEN;
		product = (mcfab_mix64(word + again) >> 32) * bound;
	}
	return product >> 32;
}

/**
 * mcfab_random_below() - a random integer with these coordinates
 * @seed: of the fabric
 * @node: node it is drawn for
 * @stream: what it is for
 * @index: counter within the stream
 * @bound: at least 1
 *
 * Context: any.
 * Return: mcfab_below() of mcfab_random().
 */
u32 mcfab_random_below(u64 seed, u32 node, enum mcfab_stream stream, u64 index, u32 bound)
{
	return mcfab_below(mcfab_random(seed, node, stream, index), bound);
}
