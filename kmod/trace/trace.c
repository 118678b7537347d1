// SPDX-License-Identifier: GPL-2.0
/* The tracepoints themselves, and functions that make several events at once. */
#define CREATE_TRACE_POINTS
#include "trace/mcfab_trace.h"

/*
 * The worm that keeps a request from a virtual channel, or MCFAB_NO_WORM. Reads only state that
 * belongs to the granting router in this phase. So of several packets in a FIFO it names the last
 * one, not the packet at the front.
 */
static u32 vc_holder(const struct mcfab_engine *e, u32 vc)
{
	return e->rec[e->hw.slots == 1 ? e->owner[vc] : e->fifo[vc].newest].worm;
}

/* a worm that a node is consuming, or MCFAB_NO_WORM */
static u32 consumer(const struct mcfab_engine *e, u32 router, u32 node)
{
	u32 port, v;

	for (port = 0; port < e->hw.ports; port++) {
		u32 in = e->topo->peer[router * e->hw.ports + port];

		if (in == MCFAB_NONE)
			continue;
		for (v = 0; v < e->hw.vcs; v++) {
			u32 vc = in * e->hw.vcs + v;
			u32 rec = e->hw.slots == 1 ? e->owner[vc] : e->fifo[vc].front;

			if (mcfab_consuming(e, rec, node))
				return e->rec[rec].worm;
		}
	}
	return MCFAB_NO_WORM;
}

/**
 * mcfab_trace_block() - events of a request that was not granted
 * @e: engine
 * @req: the request
 * @router: the router where it waits
 *
 * Context: grant phase of the shard that owns @router.
 */
void mcfab_trace_block(const struct mcfab_engine *e, const struct mcfab_request *req, u32 router)
{
	struct mcfab_where where = { .router = router };
	u32 alt = 0, p;

	if (req->node != MCFAB_NONE) {
		where.port = -1;
		trace_mcfab_block(e, req->rec, &where, 0, consumer(e, router, req->node));
		return;
	}
	for (p = 0; p < req->nports; p++) {
		u32 base = mcfab_topo_channel(e->topo, router, req->port[p]) * e->hw.vcs;

		where.port = req->port[p];
		for (where.vc = 0; where.vc < e->hw.vcs; where.vc++)
			if (req->vcs[p] & BIT(where.vc))
				trace_mcfab_block(e, req->rec, &where, alt++,
						  vc_holder(e, base + where.vc));
	}
}

/**
 * mcfab_trace_deadlock() - events of a deadlock: the waits of its cycle, then the deadlock
 * @e: engine
 * @d: the deadlock
 *
 * Context: boundary.
 */
void mcfab_trace_deadlock(const struct mcfab_engine *e, const struct mcfab_deadlock *d)
{
	u32 i;

	for (i = 0; i < d->nwaits; i++)
		trace_mcfab_deadlock_wait(e, &d->wait[i], i, &d->wait[d->wait[i].holder]);
	trace_mcfab_deadlock(e, d);
}
