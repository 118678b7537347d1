// SPDX-License-Identifier: GPL-2.0
/*
 * VC allocation: routers grant virtual channels, and consumption channels, to requests.
 * Everything here runs in the grant phase of the shard that owns the router. In this phase only
 * this shard uses the router's output VCs and its list of waiting requests.
 */
#include "engine/cruise/cruise.h"
#include "engine/message/message.h"
#include "engine/packet/crossing.h"
#include "engine/router/router.h"
#include "engine/state/flits.h"
#include "engine/state/hop.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "engine/state/row_booksim.h"
#include "trace/trace.h"

/* flits of the packet that goes on by a branch */
static __always_inline u32 request_len(const struct mcfab_engine *e,
				       const struct mcfab_request *req, const u32 flags)
{
	const struct mcfab_worm *w;

	if (flags & MCFAB_ENG_HEADERS && req->node == MCFAB_NONE) {
		w = &e->worm[e->rec[req->rec].worm];
		return e->run.flits + mcfab_header_more(e->pol, w->dst, req->first, req->last);
	}
	return mcfab_len(e, req->rec, flags);
}

/* has the buffer of a VC room for the whole packet? */
static noinline bool packet_fits(const struct mcfab_engine *e, const struct mcfab_request *req,
				 u32 vc)
{
	const struct mcfab_fifo *fifo = &e->fifo[vc];

	return e->hw.buffer - (fifo->entered - fifo->departed) >= request_len(e, req, e->flags);
}

/* the constant @may of mode hop, which knows what a grant needs: grants need no more than a VC */
#define HOP_RULES	(MCFAB_ENG_HOPS | MCFAB_ENG_FIFOS)

static __always_inline bool vc_can_take(const struct mcfab_engine *e,
					const struct mcfab_request *req, u32 vc, const u32 may)
{
	if (mcfab_slots_single(e, may) ? e->owner[vc] != MCFAB_NO_REC : e->fifo[vc].owned)
		return false;
	if (likely(!(e->hw.packet_room && e->flags & may & MCFAB_ENG_CREDITS)))
		return true;
	return packet_fits(e, req, vc);
}

/* rules with more to a record than struct mcfab_rec */
#define MORE_STATE	(MCFAB_ENG_LINKS | MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS | \
			 MCFAB_ENG_WORM | MCFAB_ENG_COPIES | MCFAB_ENG_TAILS | \
			 MCFAB_ENG_TREES | MCFAB_ENG_SEPARABLE | MCFAB_ENG_BRANCHES | \
			 MCFAB_ENG_UNEVEN | MCFAB_ENG_BOOKSIM)
/* of these, what mode tree-tail has with packets of one length and equal links, ... */
#define TREE_TAIL_STATE	(MCFAB_ENG_TAILS | MCFAB_ENG_TREES)
/* ... and what it may have beside */
#define TREE_TAIL_MAY	(MCFAB_ENG_COPIES | MCFAB_ENG_LOCKSTEP)

/* @flags: the rules that are on, a constant where that is worth a function of its own */
static __always_inline void begin_more(struct mcfab_engine *e, const struct mcfab_request *req,
				       u32 nr, const u32 flags)
{
	mcfab_rec_begin(e, nr, request_len(e, req, flags), flags);
	/* in other modes the move phase writes it when it reads the event */
	if (flags & (MCFAB_ENG_WORM | MCFAB_ENG_TAILS | MCFAB_ENG_SEPARABLE))
		e->head[nr].granted = e->cycle;
	if (flags & MCFAB_ENG_HEADERS)
		e->strip[nr] = e->len[req->rec] - e->len[nr];
	if (flags & MCFAB_ENG_LINKS)
		e->wire[nr] = (struct mcfab_wire) { 0 };
	if (flags & MCFAB_ENG_UNEVEN)
		e->links[nr] = mcfab_links_add(e->topo, e->links[req->rec],
					       mcfab_vc_chan(e, e->rec[nr].vc),
					       e->hw.route_delay, request_len(e, req, flags));
	if (flags & MCFAB_ENG_BRANCHES) {
		e->sibling[nr] = e->children[req->rec];
		e->children[req->rec] = nr;
	}
}

static noinline void begin_any(struct mcfab_engine *e, const struct mcfab_request *req, u32 nr)
{
	begin_more(e, req, nr, e->flags);
}

/* the packet in a FIFO is no longer the only one: from now on its flits count */
static noinline void count_flits(const struct mcfab_engine *e, struct mcfab_fifo *fifo,
				 struct mcfab_rec *r)
{
	r->entry |= MCFAB_ENTRY_KNOWN;
	if (e->flags & MCFAB_ENG_ROWS) {
		struct mcfab_row *row = mcfab_row(e, r->worm);

		/* all its flits have entered, so the buffer is the worm's last one */
		row->credits = true;
		fifo->entered += mcfab_row_flits(e, row, row->length - 1, e->flags);
		return;
	}
	fifo->entered += r->sent;
	fifo->departed += r->freed;
}

/* @entry of a record that is alone in its buffer */
static __always_inline u8 entry_alone(const struct mcfab_engine *e)
{
	return e->hw.lazy_credits ? 0 : e->hw.counted;
}

/* @vc: a VC of channel @chan; @v: which of its VCs this is */
static __always_inline void grant_vc(struct mcfab_engine *e, struct mcfab_shard *s,
				     const struct mcfab_request *req, u32 chan, u32 vc, u32 v,
				     const u32 may)
{
	const u32 flags = e->flags & may;
	struct mcfab_rec *parent = &e->rec[req->rec];
	u32 mover = mcfab_mover(e, parent->worm), nr = mcfab_rec_take(e, s, mover);
	struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_head *f = &e->head[nr];
	struct mcfab_use *use = &e->use[chan];

	r->vc = vc;
	if (mcfab_slots_single(e, may)) {
		e->owner[vc] = nr;
		r->entry = entry_alone(e);
	} else {
		struct mcfab_fifo *fifo = &e->fifo[vc];

		if (fifo->newest == MCFAB_NO_REC) {
			fifo->oldest = nr;
			r->entry = entry_alone(e);
		} else {
			struct mcfab_rec *before = &e->rec[fifo->newest];

			mcfab_cruise_land(e, s, before->worm);
			mcfab_cruise_land(e, s, parent->worm);
			if (!(before->entry & MCFAB_ENTRY_KNOWN) && e->hw.counted)
				count_flits(e, fifo, before);
			before->behind = nr;
			r->entry = e->hw.counted;
		}
		fifo->newest = nr;
		fifo->owned = true;
	}

	r->worm = parent->worm;
	r->parent = req->rec;
	r->waiting = 1;
	parent->waiting--;

	f->hops = e->head[req->rec].hops + 1;
	f->first = req->first;
	f->last = req->last;
	f->state = req->state;
	r->straight = parent->straight;
	if (flags & MCFAB_ENG_ROWS)
		mcfab_row_note(e, vc, r->worm, f->hops);
	if (e->flags & MCFAB_ENG_ROWS && e->flags & MCFAB_ENG_BOOKSIM)
		mcfab_row_give(e, vc, parent->vc);
	f->wanted = req->vcs[0] | req->port[0] << 16;
	if (flags & MCFAB_ENG_BOOKSIM)
		begin_more(e, req, nr, MCFAB_BOOKSIM_RULES);
	else if ((flags & MORE_STATE & ~TREE_TAIL_MAY) == TREE_TAIL_STATE)
		begin_more(e, req, nr, TREE_TAIL_STATE | (flags & TREE_TAIL_MAY));
	else if (flags & MORE_STATE)
		begin_any(e, req, nr);
	use->wait += e->cycle - req->since;
	use->flits += mcfab_len(e, nr, flags);
	if (flags & MCFAB_ENG_WORM) {
		mcfab_crossing_granted(e, s, nr);
	} else {
		if (flags & MCFAB_ENG_MULTI)
			mcfab_switch_own(e, s, chan, v);
		mcfab_grants_post(&s->grants[mover], MCFAB_EVENT_GRANT, nr);
	}
	trace_mcfab_grant(e, nr, e->cycle - req->since);
}

/* a request has lost all outputs, or its worm was aborted: its packet is read and dropped */
static void give_up(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_request *req)
{
	e->rec[req->rec].waiting--;
	mcfab_absorb_lose(e, s, req->rec, req->node == MCFAB_NONE ? req->last - req->first : 1);
}

/* mode hop: grant a VC, if one that is allowed is free */
static __always_inline bool try_hop(struct mcfab_engine *e, struct mcfab_shard *s, u32 router,
				    const struct mcfab_request *req, const bool turns)
{
	u32 p, v, chan, free, nr;

	for (p = 0; p < req->nports; p++) {
		chan = mcfab_topo_channel(e->topo, router, req->port[p]);
		free = mcfab_hop_free(e, chan, req->vcs[p], turns);
		if (!free)
			continue;
		v = __ffs(free);
		if (turns) {
			u32 behind = free >> e->chan[chan].turn << e->chan[chan].turn;

			v = behind ? __ffs(behind) : v;
			e->chan[chan].turn = mcfab_next_vc(v, e->hw.vcs);
		}
		nr = mcfab_hop_grant(e, s, req, chan, chan * e->hw.vcs + v, v, turns);
		trace_mcfab_grant(e, nr, e->cycle - req->since);
		return true;
	}
	return false;
}

static __always_inline bool try_grant(struct mcfab_engine *e, struct mcfab_shard *s, u32 router,
				      const struct mcfab_request *req, const bool turns,
				      const u32 may)
{
	u32 p, v, k;

	if (req->node != MCFAB_NONE) {
		struct mcfab_node *node = &e->node[req->node];

		if (!node->consume || node->full)
			return false;
		if (e->flags & MCFAB_ENG_MEMORY &&
		    !mcfab_ni_takes(e, e->rec[req->rec].worm, req->node))
			return false;
		node->consume--;
		e->rec[req->rec].waiting--;
		mcfab_absorb(e, s, req->rec, req->node, req->first);
		return true;
	}
	if (may == HOP_RULES)
		return try_hop(e, s, router, req, turns);
	for (p = 0; p < req->nports; p++) {
		u32 chan = mcfab_topo_channel(e->topo, router, req->port[p]);
		u32 base = chan * e->hw.vcs, allowed = req->vcs[p];

		v = turns ? e->chan[chan].turn : 0;
		for (k = 0; k < e->hw.vcs; k++, v = mcfab_next_vc(v, e->hw.vcs)) {
			if (!(allowed & BIT(v)) || !vc_can_take(e, req, base + v, may))
				continue;
			if (turns)
				e->chan[chan].turn = mcfab_next_vc(v, e->hw.vcs);
			grant_vc(e, s, req, chan, base + v, v, may);
			return true;
		}
	}
	return false;
}

/* prefetch the lines that scan() will need for a router */
static __always_inline void expect(const struct mcfab_engine *e, const struct mcfab_shard *s,
				   u32 router, const u32 may)
{
	u32 nr = e->router[router].oldest, chan;

	if (nr == MCFAB_NONE || s->request[nr].node != MCFAB_NONE)
		return;
	chan = mcfab_topo_channel(e->topo, router, s->request[nr].port[0]);
	if (mcfab_slots_single(e, may))
		prefetchw(&e->owner[chan * e->hw.vcs]);
	else
		prefetchw(&e->fifo[chan * e->hw.vcs]);
	prefetchw(&e->use[chan]);
	prefetchw(&e->rec[s->request[nr].rec]);
}

/*
 * A node's port had its turn: its other requests go behind all that wait at the router, in their
 * order. @here: where scan() is in the list. Return: where it is now.
 */
static noinline u32 *node_yields(struct mcfab_engine *e, struct mcfab_shard *s, u32 router,
				 u32 node, const u32 *here)
{
	u32 *at = &e->router[router].oldest, *resume = at;
	u32 first = MCFAB_NONE, *last = &first, nr = *at;
	const u32 *link = at;

	for (;;) {
		struct mcfab_request *req;
		u32 next;

		if (link == here)
			resume = at;
		if (nr == MCFAB_NONE)
			break;
		req = &s->request[nr];
		link = &req->next;
		next = req->next;
		if (mcfab_rec_is_inject(e, req->rec) && mcfab_rec_node(e, req->rec) == node) {
			*at = next;
			*last = nr;
			last = &req->next;
		} else {
			at = &req->next;
		}
		nr = next;
	}
	*last = MCFAB_NONE;
	*at = first;
	return resume;
}

/* serve the requests that wait at a router */
static __always_inline void scan(struct mcfab_engine *e, struct mcfab_shard *s, u32 router,
				 const bool turns, const u32 may)
{
	u32 *at = &e->router[router].oldest, nr;

	e->router[router].marked = false;
	while ((nr = *at) != MCFAB_NONE) {
		struct mcfab_request *req = &s->request[nr];
		bool done = false;

		if (unlikely(e->faults.lossy) && mcfab_fault_given_up(e, req, router)) {
			give_up(e, s, req);
			done = true;
		}
		if (done || try_grant(e, s, router, req, turns, may)) {
			u32 rec = req->rec;

			*at = req->next;
			mcfab_request_give(s, nr);
			if (turns && mcfab_rec_is_inject(e, rec))
				at = node_yields(e, s, router, mcfab_rec_node(e, rec), at);
		} else {
			if (trace_mcfab_block_enabled() && req->since == e->cycle)
				mcfab_trace_block(e, req, router);
			/* flits of a packet that is still at its source have not moved */
			if (!mcfab_rec_is_inject(e, req->rec))
				mcfab_cruise_land(e, s, e->rec[req->rec].worm);
			at = &req->next;
		}
	}
}

/*
 * Serve the waiting requests of all marked routers. @turns, mcfab_allocator.vc_turns, is a
 * constant like @may, so that the compiler makes one function for each case.
 */
static __always_inline void scan_marked(struct mcfab_engine *e, struct mcfab_shard *s,
					const bool turns, const u32 may)
{
	u32 i;

	for (i = 0; i < s->nmarked; i++) {
		mcfab_breathe(i + 1);
		if (i + 4 < s->nmarked)
			expect(e, s, s->marked[i + 4], may);
		scan(e, s, s->marked[i], turns, may);
	}
	s->nmarked = 0;
}

static noinline void scan_in_turns(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, true, MCFAB_ALL_RULES);
}

static noinline void scan_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, true, (u32)~(MORE_STATE & ~MCFAB_BOOKSIM_RULES) | MCFAB_ENG_FIFOS);
}

static noinline void scan_any(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, false, MCFAB_ALL_RULES);
}

static noinline void scan_hops(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, false, HOP_RULES);
}

static noinline void scan_hops_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, true, HOP_RULES);
}

static noinline void scan_fifos(struct mcfab_engine *e, struct mcfab_shard *s)
{
	scan_marked(e, s, false, (u32)~MORE_STATE);
}

/**
 * mcfab_routers_scan() - serve the waiting requests of all marked routers
 * @e: engine
 * @s: shard
 *
 * Each router serves its requests oldest first. Each request takes the lowest free (port, VC) that
 * it may use. So a younger request overtakes an older request only by a VC that the older one may
 * not use. With mcfab_allocator.vc_turns a request takes the first free VC of that port from there
 * on, and each node's port is one input: when a request of it is granted, its others go to the end.
 *
 * Context: grant phase.
 */
void mcfab_routers_scan(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (!s->nmarked)
		return;
	if (e->flags & MCFAB_ENG_HOPS && e->flags & MCFAB_ENG_BOOKSIM)
		scan_hops_booksim(e, s);
	else if (e->flags & MCFAB_ENG_HOPS)
		scan_hops(e, s);
	else if (e->flags & MCFAB_ENG_BOOKSIM && e->hw.slots > 1)
		scan_booksim(e, s);
	else if (e->hw.allocator->vc_turns)
		scan_in_turns(e, s);
	else if (!(e->flags & MORE_STATE) && e->hw.slots > 1)
		scan_fifos(e, s);
	else
		scan_any(e, s);
}
