// SPDX-License-Identifier: GPL-2.0
/* Flits that crossed each channel: read from what the engine has anyway. */
#include "engine/engine.h"
#include "engine/flits.h"

/**
 * mcfab_channel_flits() - flits that have crossed each channel so far
 * @e: engine
 * @flits: [channels] filled in
 *
 * Whole packets are counted when their tail crosses; packets in the middle of a
 * crossing are found in their records.
 *
 * Context: boundary, or no thread running.
 */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits)
{
	u32 i;

	memset(flits, 0, e->nchans * sizeof(*flits));
	for (i = 0; i < e->nvcs; i++)
		flits[mcfab_vc_chan(e, i)] += e->vc_flits[i];
	for (i = 0; i < e->nrecs; i++)
		if (e->rec[i].worm != MCFAB_NO_WORM && !mcfab_rec_is_inject(e, i) &&
		    e->rec[i].sent < mcfab_len(e, i, e->flags))
			flits[mcfab_vc_chan(e, mcfab_rec_vc(e, i))] += e->rec[i].sent;
}
