// SPDX-License-Identifier: GPL-2.0
/*
 * Channel utilisation and its balance.
 */
#include <linux/sched.h>

#include "stats/channels.h"
#include "stats/derive.h"

#define UTIL_ONE	1000000000
/* after so many channels other processes get the processor */
#define BREATH		4096

static u32 jain_ppm(u64 count, u64 sum, struct mcfab_u128 square)
{
	struct mcfab_u128 top = mcfab_mul64(sum, sum);
	struct mcfab_u128 bottom = mcfab_u128_mul64(square, count);
	unsigned int bits = mcfab_u128_fls(bottom);

	/* The index is at most 1, so the top fits wherever the bottom does. */
	bits = bits > 64 ? bits - 64 : 0;
	top = mcfab_u128_mul64(mcfab_u128_shr(top, bits), MCFAB_MICRO);
	return mcfab_u128_div64_round(top, mcfab_u128_shr(bottom, bits).lo).lo;
}

/**
 * mcfab_channels_balance() - how evenly channels were used
 * @flits: [@count] flits that crossed each channel
 * @peer: [@count] other end of each channel, MCFAB_NONE: the channel does not exist; NULL: all
 *	  exist
 * @count: channels
 * @cycles: length of the window; a channel carries one flit per cycle
 * @out: the result; if no flit crossed a channel all is zero but @out->channels and @out->busiest
 *
 * Utilisations are rounded down, the other figures to the nearest (the coefficient of variation
 * within one unit).
 *
 * Context: may sleep.
 */
void mcfab_channels_balance(const u64 *flits, const u32 *peer, u32 count, u64 cycles,
			    struct mcfab_balance *out)
{
	struct mcfab_u128 square = mcfab_u128(0), peak;
	u32 i, channels = 0, used = 0, busiest = MCFAB_NONE;
	u64 sum = 0, most = 0;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < count; i++) {
		if (!(i % BREATH))
			cond_resched();
		if (peer && peer[i] == MCFAB_NONE)
			continue;
		if (!channels++)
			busiest = i;
		if (!flits[i])
			continue;
		used++;
		sum += flits[i];
		square = mcfab_u128_add(square, mcfab_mul64(flits[i], flits[i]));
		if (unlikely(flits[i] > most)) {
			most = flits[i];
			busiest = i;
		}
	}
	out->channels = channels;
	out->used = used;
	out->flits = sum;
	out->max = most;
	out->busiest = busiest;
	if (!out->flits)
		return;

	out->mean_util = mcfab_ratio(out->flits, out->channels, cycles, UTIL_ONE);
	out->max_util = mcfab_ratio(out->max, cycles, 1, UTIL_ONE);
	peak = mcfab_u128_mul64(mcfab_mul64(out->max, out->channels), MCFAB_MICRO);
	out->max_to_mean = mcfab_u128_div64_round(peak, out->flits).lo;
	out->cv = mcfab_spread_ppm(out->channels, out->flits, square);
	out->jain = jain_ppm(out->channels, out->flits, square);
}
