// SPDX-License-Identifier: GPL-2.0
/* Flits that crossed each channel: read from what the engine has anyway. */
#include "engine/engine.h"
#include "engine/flits.h"
#include "engine/rec.h"

/**
 * mcfab_channel_flits() - flits that have crossed each channel so far
 * @e: engine
 * @flits: [channels] filled in
 *
 * Whole packets are counted when they get the channel; what of them has not crossed is
 * found in their records.
 *
 * Context: boundary, or no thread running.
 */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits)
{
	u32 i;

	for (i = 0; i < e->nchans; i++)
		flits[i] = e->use[i].flits;
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (!mcfab_rec_is_inject(e, i))
			flits[mcfab_vc_chan(e, mcfab_rec_vc(e, i))] -=
				mcfab_len(e, i, e->flags) - e->rec[i].sent;
}
