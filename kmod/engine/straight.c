// SPDX-License-Identifier: GPL-2.0
/*
 * Headers that nobody stands in the way of. A request waits for all others of its cycle, so
 * that the order in which headers are looked at does not matter (request.c). In the simplest
 * of networks, worms on paths moved by heads and tails (tails.c), most headers are the only
 * ones at their router, where nobody waits: those take their channel at once, and need no
 * request.
 */
#include "engine/engine.h"
#include "engine/rec.h"
#include "engine/straight.h"
#include "engine/tails.h"
#include "engine/trace.h"

/**
 * mcfab_straight_exact() - may headers go without requests?
 * @e: engine; flags are set
 *
 * Context: any.
 * Return: true if there are no rules that this file does not know.
 */
bool mcfab_straight_exact(const struct mcfab_engine *e)
{
	return (e->flags & ~MCFAB_ENG_SCARCE) == MCFAB_ENG_TAILS && !e->tables &&
	       !e->fabric->updown;
}

/* take a free channel */
static __always_inline void take(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 chan,
				 u32 first, u32 last, u32 state, u32 run, u32 port,
				 u64 wait, const bool direct)
{
	struct mcfab_rec *parent = &e->rec[nr];
	u32 worm = parent->worm;
	u32 mover = direct || e->nshards == 1 ? 0 : e->shard_of_node[e->worm[worm].node];
	u32 new = mcfab_rec_take(e, s, mover);
	struct mcfab_rec *r = &e->rec[new];

	r->reads = U32_MAX;
	r->worm = worm;
	r->parent = nr;
	r->vc = chan;
	r->first = first;
	r->last = last;
	r->state = state;
	r->waiting = 1;
	r->run = run;
	r->port = port;
	r->hops = parent->hops + 1;
	parent->waiting = 0;
	e->owner[chan] = new;
	e->use[chan].wait += wait;
	e->use[chan].flits += e->flits;
	e->front[new].granted = e->cycle;
	if (direct) {
		mcfab_tails_granted(e, s, &e->worm[worm], new, nr);
		mcfab_straight_cross(e, s, new, mcfab_vc_to(e, chan));
	} else {
		mcfab_box_post(&s->grants[mover], MCFAB_LETTER_GRANT, new);
	}
	trace_mcfab_grant(e, new, wait);
}

/*
 * Wait for the only channel that a header may go on by. Those that are taken are not given back
 * in this phase: then it is of no use to scan the requests.
 */
static noinline void request(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 router,
			     const struct mcfab_branch *b, u32 run)
{
	u32 chan = mcfab_topo_channel(e->topo, router, b->port[0]);

	e->rec[nr].waiting = 0;
	mcfab_header_request(e, s, nr, router, b, run);
	/* but the scan tells of those that it finds waiting */
	if (e->owner[chan] == MCFAB_NO_REC || trace_mcfab_block_enabled())
		mcfab_router_touch(e, s, router);
}

/*
 * Go on as the decision before this one said; @alone: nobody comes before this header. Return:
 * false if it leads off the network.
 */
static __always_inline bool run_on(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				   u32 router, bool alone, const bool direct)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 chan = mcfab_topo_channel(e->topo, router, r->port);

	if (unlikely(e->topo->peer[chan] == MCFAB_NONE))
		return false;
	trace_mcfab_header(e, nr);
	if (likely(alone && e->owner[chan] == MCFAB_NO_REC)) {
		take(e, s, nr, chan, r->first, r->last, r->state, r->run - 1, r->port, 0, direct);
	} else {
		struct mcfab_branch b = {
			.node = MCFAB_NONE,
			.nports = 1,
			.port = { r->port },
			.vcs = { 1 },
			.first = r->first,
			.last = r->last,
			.state = r->state,
		};

		request(e, s, nr, router, &b, r->run - 1);
	}
	return true;
}

/* go on as the policy says; false: it is to be asked again, for more than is looked at here */
static __always_inline bool decide(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				   u32 router, bool alone, const bool direct)
{
	struct mcfab_decision *out = s->decision;
	const struct mcfab_branch *b = out->branch, *end;
	struct mcfab_header hdr;
	u32 chan = 0, run;

	mcfab_header_read(e, nr, &hdr);
	out->nbranches = 0;
	out->run = 0;
	e->pol->ops->route(&e->pol->view, e->pol->priv, &hdr, out);
	if (!out->nbranches || out->nbranches > 2)
		return false;
	/* consumption channels are requested, too */
	if (e->flags & MCFAB_ENG_SCARCE && b->node != MCFAB_NONE)
		return false;
	end = &b[out->nbranches - 1];
	if (end->node == MCFAB_NONE) {
		chan = mcfab_topo_channel(e->topo, router, end->port[0]);
		if (end->nports != 1 || end->port[0] >= e->ports ||
		    e->topo->peer[chan] == MCFAB_NONE)
			return false;
	}
	if (b != end && (b->node == MCFAB_NONE || end->node != MCFAB_NONE))
		return false;
	trace_mcfab_header(e, nr);
	e->rec[nr].waiting = 0;
	if (b->node != MCFAB_NONE)
		mcfab_header_absorb(e, s, nr, b->node, b->first);
	if (end->node != MCFAB_NONE)
		return true;
	run = min_t(u32, out->run, U8_MAX);
	if (likely(alone && e->owner[chan] == MCFAB_NO_REC))
		take(e, s, nr, chan, end->first, end->last, end->state, run, end->port[0], 0,
		     direct);
	else
		request(e, s, nr, router, end, run);
	return true;
}

static __always_inline void go(struct mcfab_engine *e, struct mcfab_shard *s, const bool direct)
{
	u32 nr, next;

	for (nr = s->headers; nr != MCFAB_NONE; nr = next) {
		u32 router = e->front[nr].router;
		struct mcfab_router *at = &e->router[router];
		bool alone = !--at->headers[e->cycle % 2] && at->ask == MCFAB_NONE;

		next = e->front[nr].link;
		if (e->rec[nr].run ? !run_on(e, s, nr, router, alone, direct) :
				     !decide(e, s, nr, router, alone, direct))
			mcfab_header_ask(e, s, nr);
	}
	s->headers = MCFAB_NONE;
}

/**
 * mcfab_straight_go() - have all headers ask that are to do so now
 * @e: engine with mcfab_engine.straight
 * @s: the shard
 *
 * Nobody who asks at a router in this cycle comes before the last header that is left there,
 * and those that waited are in the router's list. Headers that are injected come after the
 * others of a router, and may be looked at after them.
 *
 * Context: grant phase.
 */
void mcfab_straight_go(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->direct)
		go(e, s, true);
	else
		go(e, s, false);
}

/**
 * mcfab_straight_scan() - serve the requests that wait at a router
 * @e: engine with mcfab_engine.direct
 * @s: the shard
 * @router: the router
 *
 * As mcfab_router_scan().
 *
 * Context: grant phase.
 */
void mcfab_straight_scan(struct mcfab_engine *e, struct mcfab_shard *s, u32 router)
{
	u32 *at = &e->router[router].ask, nr;

	e->router[router].touched = false;
	while ((nr = *at) != MCFAB_NONE) {
		const struct mcfab_ask *ask = &s->ask[nr];
		u32 chan = mcfab_topo_channel(e->topo, router, ask->port[0]);

		if (unlikely(ask->nports != 1)) {
			mcfab_router_scan(e, s, router);
			return;
		}
		if (e->owner[chan] != MCFAB_NO_REC) {
			if (trace_mcfab_block_enabled() && ask->since == e->cycle)
				mcfab_trace_block(e, ask, router);
			at = &s->ask[nr].next;
			continue;
		}
		take(e, s, ask->rec, chan, ask->first, ask->last, ask->state, ask->run,
		     ask->port[0], e->cycle - ask->since, true);
		*at = ask->next;
		mcfab_ask_give(s, nr);
	}
}
