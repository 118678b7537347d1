// SPDX-License-Identifier: GPL-2.0
/*
 * Injection: a packet of a worm gets an injection channel, and its header is on the way. Everything
 * here runs in the grant phase of the shard that owns the node.
 */
#include "engine/cruise/cruise.h"
#include "engine/message/message.h"
#include "engine/node/node.h"
#include "engine/router/router.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "engine/state/row_bits.h"
#include "trace/trace.h"

static u32 packet_flits(const struct mcfab_engine *e, const struct mcfab_mcast *m,
			const struct mcfab_plan *plan, const struct mcfab_plan_worm *pw, u32 packet)
{
	u32 flits = packet + 1 < m->packets ? e->run.flits : mcfab_last_flits(e, m);

	if (e->flags & MCFAB_ENG_HEADERS)
		flits += mcfab_header_more(e->pol, plan->dst, pw->first, pw->first + pw->count);
	return flits;
}

static u32 packet_span(const struct mcfab_engine *e, const struct mcfab_mcast *m, u32 packet)
{
	if (packet + 1 < m->packets)
		return e->run.span;
	return likely(!e->run.varied) ? e->run.last_span :
					(mcfab_last_flits(e, m) - 1) / e->hw.buffer;
}

/**
 * mcfab_node_port() - a free injection channel whose port has room for a packet
 * @e: engine with MCFAB_ENG_PORTS; grants need such room
 * @nr: the node
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 *
 * Context: grant phase.
 * Return: the lowest one, or MCFAB_NONE: the node is woken when there is one.
 */
u32 mcfab_node_port(struct mcfab_engine *e, u32 nr, u32 mcast, u32 index, u32 packet)
{
	const struct mcfab_mcast *m = &e->mcast[mcast];
	const struct mcfab_plan *plan = &mcfab_block(e, m->plan)->plan;

	return mcfab_port_find(e, nr, packet_flits(e, m, plan, &plan->worm[index], packet));
}

/* is worm @index of a plan, @pw, the last one that its message's source sends? */
static bool is_last(const struct mcfab_plan *plan, const struct mcfab_plan_worm *pw, u32 index)
{
	return pw->after == MCFAB_NONE &&
	       (index + 1 == plan->nworms || pw[1].after != MCFAB_NONE);
}

/* rules with more to a source's record than struct mcfab_rec */
#define MORE_STATE	(MCFAB_ENG_COPIES | MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS | \
			 MCFAB_ENG_BRANCHES | MCFAB_ENG_WORM | MCFAB_ENG_LINKS | \
			 MCFAB_ENG_SHARED | MCFAB_ENG_UNEVEN)

static noinline void begin_more(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 rec,
				u32 flits)
{
	mcfab_rec_begin(e, rec, flits, e->flags);
	if (e->flags & MCFAB_ENG_WORM)
		e->intervals.pending[rec] = 0;
	if (e->flags & MCFAB_ENG_LINKS)
		e->wire[rec] = (struct mcfab_wire) { .arrived = flits };
	if (e->flags & MCFAB_ENG_UNEVEN)
		e->links[rec] = mcfab_links_first(e->topo, nr, flits);
	if (e->flags & MCFAB_ENG_SHARED) {
		e->link_free[nr] = e->cycle + flits;
		if (e->flags & MCFAB_ENG_SPEEDUP)
			mcfab_switch_arrive(e, s, rec);
	}
}

/**
 * mcfab_node_inject() - a worm gets an injection channel
 * @e: engine
 * @s: shard of the node
 * @nr: the node
 * @channel: the channel, see mcfab_node_channel()
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 *
 * Context: grant phase.
 * Return: the worm; the caller fills in its @part, up to the end of the cycle before. NULL if the
 * pool is dry: the boundary ends the run.
 */
struct mcfab_worm *mcfab_node_inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				     u32 channel, u32 mcast, u32 index, u32 packet)
{
	struct mcfab_node *n = &e->node[nr];
	struct mcfab_mcast *m = &e->mcast[mcast];
	struct mcfab_plan *plan = &mcfab_block(e, m->plan)->plan;
	struct mcfab_plan_worm *pw = &plan->worm[index];
	u32 worm = mcfab_stock_take(&e->worm_pool, s->nr);
	struct mcfab_head *f;
	struct mcfab_rec *r;
	struct mcfab_worm *w;
	u32 rec;

	if (worm == MCFAB_NONE)
		return NULL;
	n->channels &= ~BIT_ULL(channel);

	w = &e->worm[worm];
	if (packet + 1 == m->packets && is_last(plan, pw, index))
		m->accepted = e->cycle - 1 - m->gen;
	w->packet = packet;
	w->serial = n->serial++;
	w->flits = packet_flits(e, m, plan, pw, packet);
	if (e->flags & MCFAB_ENG_TAILS) {
		w->span = packet_span(e, m, packet);
		w->crossed = 0;
	} else {
		memset(w->behind, MCFAB_NO_REC, sizeof(w->behind));
	}
	w->active = false;
	w->cruises = false;
	w->only = plan->dst[0];
	w->dst = plan->ndst == 1 ? &w->only : plan->dst;
	w->port = pw->port;
	w->arg = pw->arg;
	w->mcast = mcast;
	w->index = index;
	w->node = nr;
	w->task = n->task;
	w->next_round = n->next_round;
	atomic_set(&w->traffic, 0);
	atomic_set(&w->live, 1);
	atomic_set(&w->cut, MCFAB_CUT_NOT);
	w->end = 0;
	atomic64_set(&w->channel_cycles, 0);
	if (e->flags & MCFAB_ENG_FLIGHTS) {
		mcfab_flight_begin(e, s, worm, channel, pw);
		return w;
	}

	rec = mcfab_rec_take(e, s, s->nr);
	r = &e->rec[rec];
	f = &e->head[rec];
	w->newest = rec;
	e->rec[rec].vc = e->hw.nvcs + nr * e->hw.inject + channel;
	r->sent = w->flits;
	r->worm = worm;
	r->older = MCFAB_NONE;	/* the same word: @newer */
	r->parent = MCFAB_NONE;
	r->waiting = 1;
	r->flags = MCFAB_REC_INJECT;
	if (e->faults.goal && mcfab_fault_useless(e, nr, m))
		r->flags |= MCFAB_REC_CUT;

	if (e->flags & MCFAB_ENG_CRUISE)
		mcfab_cruise_begin(w, r);
	if (e->flags & MCFAB_ENG_ROWS)
		mcfab_row_begin(e, worm, rec);
	if (e->source && !(e->flags & MCFAB_ENG_PORTS))
		e->source[nr * e->hw.inject + channel] = rec;
	if (e->flags & MORE_STATE)
		begin_more(e, s, nr, rec, w->flits);
	f->granted = e->cycle;
	/* no tail crosses into a source: this ends the loop of mcfab_tails_hold_back() */
	if (!(e->flags & MCFAB_ENG_TREES))
		f->due = U64_MAX;
	f->hops = 0;
	r->straight = 0;
	f->first = pw->first;
	f->last = pw->first + pw->count;
	f->state = 0;
	f->ready = e->cycle + e->hw.inject_delay + e->hw.route_delay;
	f->next_header = MCFAB_NONE;
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_port_enter(e, s, nr, channel, rec);
	else
		mcfab_queue_put(&s->injecting, &e->head[s->injecting.tail].next_header, rec);
	trace_mcfab_inject(e, rec);
	return w;
}
