/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counter-based random numbers: the value is a function of (seed, node, stream, index) alone. So it
 * does not matter which thread draws it, or when, or how often.
 */
#ifndef MCFAB_BASE_RANDOM_H
#define MCFAB_BASE_RANDOM_H

#include "base/types.h"

/** enum mcfab_stream - purpose of a random number; never renumber: results depend on it */
enum mcfab_stream {
	MCFAB_STREAM_GAP = 1,	/* time between messages */
	MCFAB_STREAM_KIND,	/* multicast or unicast */
	MCFAB_STREAM_SOURCE,	/* source of a lone multicast */
	MCFAB_STREAM_DEST,	/* destinations */
	MCFAB_STREAM_BURST,	/* nodes that send in a burst */
	MCFAB_STREAM_GRAPH,	/* irregular networks */
	MCFAB_STREAM_PATTERN,	/* the permutation of a run */
	MCFAB_STREAM_AGAIN,	/* what is drawn in place of a message that is left out */
	MCFAB_STREAM_ON_OFF,	/* turns of a node */
	MCFAB_STREAM_LENGTH,	/* length of a message */
	MCFAB_STREAM_CLASS,	/* seeds of classes of traffic */
	MCFAB_STREAM_VERIFY,	/* sets of destinations to try */
};

/**
 * mcfab_mix64() - scramble a word
 * @x: word
 *
 * The finaliser of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014; Stafford's variant 13): a bijection of 64-bit
 * words in which every input bit flips every output bit with probability near
 * one half. It maps 0 to 0.
 *
 * Context: any.
 * Return: the scrambled word.
 */
static inline u64 mcfab_mix64(u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/* 2^64 divided by the golden ratio, made odd: splitmix64's step */
#define MCFAB_GOLDEN	0x9e3779b97f4a7c15ULL

/** mcfab_random_key() - the part that all random words of a seed share */
static inline u64 mcfab_random_key(u64 seed)
{
	return mcfab_mix64(seed + MCFAB_GOLDEN);
}

/** mcfab_random_at() - mcfab_random() with @key for the seed, which is mixed in once for many */
static inline u64 mcfab_random_at(u64 key, u32 node, enum mcfab_stream stream, u64 index)
{
	u64 x = mcfab_mix64(key + ((u64)node << 32 | stream) * MCFAB_GOLDEN);

	return mcfab_mix64(x + (index + 1) * MCFAB_GOLDEN);
}

u32 mcfab_below_again(u64 word, u32 bound);

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
static inline u32 mcfab_below(u64 word, u32 bound)
{
	u64 product = (word >> 32) * bound;

	return likely((u32)product >= bound) ? product >> 32 : mcfab_below_again(word, bound);
}

u64 mcfab_random(u64 seed, u32 node, enum mcfab_stream stream, u64 index);
u32 mcfab_random_below(u64 seed, u32 node, enum mcfab_stream stream, u64 index, u32 bound);

#endif
