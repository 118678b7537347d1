/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the modes row, cruise and path-flit share: what follows when the last flit of a packet on a
 * path crosses a channel, and leaves a buffer.
 */
#ifndef MCFAB_ENGINE_FLIT_PATH_H
#define MCFAB_ENGINE_FLIT_PATH_H

#include "engine/flit/advance.h"
#include "engine/message/message.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

/* the last flit of a packet has crossed */
static __always_inline void mcfab_path_crossed(struct mcfab_engine *e, struct mcfab_shard *s,
					       struct mcfab_worm *w, u32 nr, struct mcfab_rec *r,
					       const u32 flags)
{
	if (flags & MCFAB_ENG_CREDITS)
		mcfab_count_packet(e, r, e->run.flits);
	if (!e->hw.release_sent)
		return;
	mcfab_worm_hold(w, e->cycle + 1);
	mcfab_outbox_post(mcfab_outbox_up(e, s, r->vc), MCFAB_EVENT_RELEASE,
			  mcfab_release_of(e, nr));
	trace_mcfab_release(e, nr);
}

/* the tail has left the buffer; VCs with FIFOs of several packets were released when it crossed */
static __always_inline void mcfab_path_drained(struct mcfab_engine *e, struct mcfab_shard *s,
					       u32 nr, struct mcfab_rec *r, const u32 flags)
{
	u32 vc = r->vc;

	if (!(flags & MCFAB_ENG_CREDITS) || r->flags & MCFAB_REC_INJECT || !e->hw.release_sent) {
		mcfab_rec_drained(e, s, nr, r);
		return;
	}
	s->flit_hops += r->sent;
	mcfab_outbox_post(mcfab_outbox_up(e, s, vc), MCFAB_EVENT_FREE, nr);
	mcfab_outbox_post(mcfab_outbox_down(e, s, vc), MCFAB_EVENT_FRONT, vc);
	mcfab_rec_clear(r, s->nr);
}

#endif
