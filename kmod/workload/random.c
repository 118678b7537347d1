// SPDX-License-Identifier: GPL-2.0
/*
 * Counter-based random numbers.
 */
#include "workload/random.h"

/* 2^64 divided by the golden ratio, made odd: splitmix64's step. */
#define GOLDEN	0x9e3779b97f4a7c15ULL

/**
 * mcfab_random() - the random word with these coordinates
 * @seed: of the fabric
 * @node: node it is drawn for
 * @stream: what it is for
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
	u64 x;

	x = mcfab_mix64(seed + GOLDEN);
	x = mcfab_mix64(x + ((u64)node << 32 | stream) * GOLDEN);
	return mcfab_mix64(x + (index + 1) * GOLDEN);
}

/**
 * mcfab_below() - a random integer from a random word
 * @word: 64 random bits
 * @bound: at least 1
 *
 * Multiply and shift (Lemire, "Fast random integer generation in an interval",
 * ACM TOMACS 29, 2019). The few words that would favour some results are
 * rejected and the word is scrambled again with a counter of its own, so that
 * the result is without bias and still a function of the arguments alone.
 *
 * Context: any.
 * Return: 0 .. @bound - 1, each equally likely.
 */
u32 mcfab_below(u64 word, u32 bound)
{
	u64 product = (word >> 32) * bound;
	u64 again = 0;

	if ((u32)product < bound) {
		/* 2^32 modulo the bound */
		u32 threshold = -bound % bound;

		while ((u32)product < threshold) {
			again += GOLDEN;
			product = (mcfab_mix64(word + again) >> 32) * bound;
		}
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
