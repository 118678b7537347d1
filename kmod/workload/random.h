/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counter-based random numbers (engine-model, rule 9): the value is a function
 * of (seed, node, stream, index) alone, so that it does not matter which thread
 * draws it, or when, or how often.
 */
#ifndef MCFAB_WORKLOAD_RANDOM_H
#define MCFAB_WORKLOAD_RANDOM_H

#include "core/types.h"

/** enum mcfab_stream - what a random number is for; never renumber: results depend on it */
enum mcfab_stream {
	MCFAB_STREAM_GAP = 1,	/* time between messages */
	MCFAB_STREAM_KIND,	/* multicast or unicast */
	MCFAB_STREAM_SOURCE,	/* source of a lone multicast */
	MCFAB_STREAM_DEST,	/* destinations */
	MCFAB_STREAM_BURST,	/* which nodes send in a burst */
	MCFAB_STREAM_GRAPH,	/* irregular networks */
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

u64 mcfab_random(u64 seed, u32 node, enum mcfab_stream stream, u64 index);
u32 mcfab_below(u64 word, u32 bound);
u32 mcfab_random_below(u64 seed, u32 node, enum mcfab_stream stream, u64 index, u32 bound);

#endif
