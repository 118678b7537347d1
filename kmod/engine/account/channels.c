// SPDX-License-Identifier: GPL-2.0
/* Flits that crossed each channel, computed from counts that the engine has anyway. */
#include "engine/account/account.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"

/**
 * mcfab_channel_flits() - flits that have crossed each channel so far
 * @e: engine
 * @flits: [channels] filled in
 *
 * mcfab_use.flits counts whole packets when they get the channel; flits that have not crossed
 * yet are taken off by the records.
 *
 * Context: boundary, or no thread running.
 */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits)
{
	u32 i, end;

	for (i = 0; i < e->hw.nchans; )
		for (end = mcfab_breath_end(i, e->hw.nchans); i < end; i++)
			flits[i] = e->use[i].flits;
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		mcfab_breathe(i);
		if (!mcfab_rec_is_inject(e, i))
			flits[mcfab_vc_chan(e, mcfab_rec_vc(e, i))] -=
				mcfab_len(e, i, e->flags) - e->rec[i].sent;
	}
}

/**
 * mcfab_channels_begin() - the measuring window begins: channels are counted from here on
 * @e: engine; its flits are shown
 *
 * Context: boundary.
 */
void mcfab_channels_begin(struct mcfab_engine *e)
{
	u32 i, end;

	e->boundary.window_start = e->cycle;
	mcfab_sources_begin(e);
	mcfab_channel_flits(e, e->window_base);
	for (i = 0; i < e->hw.nchans; )
		for (end = mcfab_breath_end(i, e->hw.nchans); i < end; i++)
			e->use[i].wait = 0;
}

/**
 * mcfab_channels_end() - the window, or the run, is over: write channel counts into the results
 * @e: engine; its flits are shown
 *
 * The balance over all channels is computed here, once, and not by every reader.
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_channels_end(struct mcfab_engine *e)
{
	struct mcfab_results *results = e->results;
	u32 i, end;

	mcfab_sources_end(e);
	mcfab_channel_flits(e, results->channel_flits);
	for (i = 0; i < e->hw.nchans; )
		for (end = mcfab_breath_end(i, e->hw.nchans); i < end; i++) {
			results->channel_flits[i] -= e->window_base[i];
			results->channel_wait[i] = e->use[i].wait;
		}
	results->channel_window = e->cycle - e->boundary.window_start;
	if (results->channel_window)
		mcfab_channels_balance(results->channel_flits, e->topo->peer, e->hw.nchans,
				       results->channel_window, &results->balance);
}
