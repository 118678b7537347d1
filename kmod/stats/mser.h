/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MSER-5: how long a run takes to settle.
 */
#ifndef MCFAB_STATS_MSER_H
#define MCFAB_STATS_MSER_H

#include "base/types.h"

/** MCFAB_MSER_GROUP - messages per block at first */
#define MCFAB_MSER_GROUP	5
/** MCFAB_MSER_BLOCKS - most blocks kept; even */
#define MCFAB_MSER_BLOCKS	1024
/** MCFAB_MSER_LEAST - blocks that a verdict needs: with fewer, chance decides */
#define MCFAB_MSER_LEAST	64
/** MCFAB_MSER_TAIL - no truncation leaves fewer blocks than this */
#define MCFAB_MSER_TAIL		5

/**
 * struct mcfab_mser - block sums of a series
 * @size: values per block
 * @count: whole blocks
 * @fill: values in the block under way
 * @longest: largest value
 * @sum: [MCFAB_MSER_BLOCKS] sum of each block; the block under way comes after the whole blocks
 * @gen: [MCFAB_MSER_BLOCKS] generation cycle of each block's first message
 */
struct mcfab_mser {
	u32 size;
	u32 count;
	u32 fill;
	u32 longest;
	u64 *sum;
	u64 *gen;
};

u64 mcfab_mser_bytes(void);
int mcfab_mser_open(struct mcfab_mser *mser);
void mcfab_mser_close(struct mcfab_mser *mser);
void mcfab_mser_add(struct mcfab_mser *mser, u64 gen, u32 value);
u32 mcfab_mser_cut(const struct mcfab_mser *mser);
bool mcfab_mser_settled(const struct mcfab_mser *mser, u64 *gen);

#endif
