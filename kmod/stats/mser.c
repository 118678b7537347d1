// SPDX-License-Identifier: GPL-2.0
/*
 * MSER-5 (White, "An effective truncation heuristic for bias reduction in
 * simulation output", Simulation 69, 1997; White, Cobb, Spratt, "A comparison of
 * five steady-state truncation heuristics for simulation", WSC 2000).
 *
 * The series is averaged in blocks of 5 values. Leaving out the first d of m
 * blocks, the squared standard error of the mean of the others is about
 *
 *	sum of (Y_j - mean)^2 / (m - d)^2,	j = d .. m - 1
 *
 * and the d with the least of these is the truncation point. Early transient
 * blocks raise the numerator by more than they are worth; a d in the second half
 * says that the series was too short to tell.
 *
 * Memory is bounded: when 1024 blocks are full, neighbours are merged and blocks
 * are twice as long from then on.
 */
#include "base/u128.h"
#include "stats/mser.h"

/* Block sums are compared with this many bits, so that products fit in 128. */
#define VALUE_BITS	36

/**
 * mcfab_mser_bytes() - memory that mcfab_mser_open() takes
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_mser_bytes(void)
{
	return 2ULL * MCFAB_MSER_BLOCKS * sizeof(u64);
}

/**
 * mcfab_mser_open() - start a series
 * @mser: what to fill in
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; mcfab_mser_close() is due in either case.
 */
int mcfab_mser_open(struct mcfab_mser *mser)
{
	memset(mser, 0, sizeof(*mser));
	mser->size = MCFAB_MSER_GROUP;
	mser->sum = kvcalloc(MCFAB_MSER_BLOCKS, sizeof(*mser->sum), MCFAB_GFP);
	mser->gen = kvcalloc(MCFAB_MSER_BLOCKS, sizeof(*mser->gen), MCFAB_GFP);
	return mser->sum && mser->gen ? 0 : -ENOMEM;
}

/**
 * mcfab_mser_close() - free a series
 * @mser: series, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_mser_close(struct mcfab_mser *mser)
{
	kvfree(mser->sum);
	kvfree(mser->gen);
	mser->sum = NULL;
	mser->gen = NULL;
}

static void mser_merge(struct mcfab_mser *mser)
{
	u32 i;

	for (i = 0; i < mser->count / 2; i++) {
		mser->sum[i] = mser->sum[2 * i] + mser->sum[2 * i + 1];
		mser->gen[i] = mser->gen[2 * i];
	}
	mser->count /= 2;
	mser->size *= 2;
}

/**
 * mcfab_mser_add() - add the next value of the series
 * @mser: series
 * @gen: generation cycle of the message it belongs to
 * @value: value
 *
 * Context: any; the caller serialises.
 */
void mcfab_mser_add(struct mcfab_mser *mser, u64 gen, u32 value)
{
	if (mser->count == MCFAB_MSER_BLOCKS)
		mser_merge(mser);
	if (!mser->fill) {
		mser->gen[mser->count] = gen;
		mser->sum[mser->count] = 0;
	}
	mser->sum[mser->count] += value;
	mser->longest = max(mser->longest, value);
	if (++mser->fill == mser->size) {
		mser->count++;
		mser->fill = 0;
	}
}

/**
 * mcfab_mser_cut() - truncation point
 * @mser: series
 *
 * At least MCFAB_MSER_TAIL blocks are left in; the block under way is not used. Of equals the
 * earlier point is taken.
 *
 * Context: any.
 * Return: whole blocks to leave out.
 */
u32 mcfab_mser_cut(const struct mcfab_mser *mser)
{
	struct mcfab_u128 square = mcfab_u128(0), best = mcfab_u128(0), error;
	u64 sum = 0, top = 0, cube, best_cube = 0, value;
	unsigned int shift;
	u32 d, n, cut = 0;

	for (d = 0; d < mser->count; d++)
		top = max(top, mser->sum[d]);
	shift = fls64(top) > VALUE_BITS ? fls64(top) - VALUE_BITS : 0;

	for (d = mser->count; d-- > 0;) {
		n = mser->count - d;
		value = mser->sum[d] >> shift;
		sum += value;
		square = mcfab_u128_add(square, mcfab_mul64(value, value));
		if (n < MCFAB_MSER_TAIL)
			continue;
		/* n sum of Y^2 - (sum of Y)^2 is n times the squared deviations */
		error = mcfab_u128_sub(mcfab_u128_mul64(square, n), mcfab_mul64(sum, sum));
		cube = (u64)n * n * n;
		if (best_cube && mcfab_u128_cmp(mcfab_u128_mul64(error, best_cube),
						mcfab_u128_mul64(best, cube)) > 0)
			continue;
		best = error;
		best_cube = cube;
		cut = d;
	}
	return cut;
}

/**
 * mcfab_mser_settled() - is the transient over
 * @mser: series
 * @gen: where to put the generation cycle of the first message after the
 *	 truncation point
 *
 * Context: any.
 * Return: true if there are enough blocks and the truncation point is in their
 * first half.
 */
bool mcfab_mser_settled(const struct mcfab_mser *mser, u64 *gen)
{
	u32 cut = mcfab_mser_cut(mser);

	*gen = mser->count ? mser->gen[cut] : 0;
	return mser->count >= MCFAB_MSER_LEAST && cut <= mser->count / 2;
}
