// SPDX-License-Identifier: GPL-2.0
/*
 * The grant phase of a shard: read the events of the last move phase, take headers and credits
 * that are due from their queues, let nodes send, grant channels.
 */
#include "engine/engine.h"
#include "engine/hop/hop.h"
#include "engine/internal.h"
#include "engine/node/node.h"
#include "engine/packet/crossing.h"
#include "engine/router/router.h"
#include "engine/state/port.h"
#include "engine/state/rec.h"
#include "engine/state/row_booksim.h"
#include "engine/watch/watch.h"

/*
 * Rules by which routers do more when headers and tails come, but for FIFOs. Functions get the
 * rules that may be on as a constant, see MCFAB_ALL_RULES.
 */
#define MORE_RULES	(MCFAB_ENG_LINKS | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED | MCFAB_ENG_WORM)

/* are packets stored and forwarded? not where MCFAB_ENG_FIFOS is in @may */
static __always_inline bool is_stored(const struct mcfab_engine *e, const u32 may)
{
	return !(may & MCFAB_ENG_FIFOS) && e->hw.store;
}

/* a header is at the front of its buffer */
static __always_inline void header_front(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
					 const u32 may)
{
	if (e->flags & may & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		mcfab_switch_arrive(e, s, rec);
	if (e->hw.route_delay || is_stored(e, may))
		mcfab_header_routed(e, s, rec);
	else
		mcfab_header_request(e, s, rec);
}

/* a header is in the buffer */
static __always_inline void header_arrived(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
					   const u32 may)
{
	if (!mcfab_slots_single(e, may)) {
		struct mcfab_fifo *fifo = &e->fifo[mcfab_rec_vc(e, rec)];

		/* the FIFO has a front packet already */
		if (fifo->front != MCFAB_NO_REC) {
			e->rec[rec].flags |= MCFAB_REC_PENDING;
			fifo->waiting++;
			return;
		}
		fifo->front = rec;
	}
	header_front(e, s, rec, may);
}

static __always_inline void on_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
				      const u32 may)
{
	struct mcfab_queue *flying;
	u32 delay = 1;

	if (e->flags & may & MCFAB_ENG_LINKS)
		delay = mcfab_link_delay(e, mcfab_rec_vc(e, rec));
	if (delay == 1) {
		header_arrived(e, s, rec, may);
		return;
	}
	flying = &s->flying[delay - e->hw.least_link];
	e->head[rec].next_header = MCFAB_NONE;
	mcfab_queue_put(flying, &e->head[flying->tail].next_header, rec);
}

/* @nr: see mcfab_release_of() */
static __always_inline void on_release(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				       const u32 may)
{
	u32 vc = nr;

	if (mcfab_slots_single(e, may)) {
		vc = mcfab_rec_vc(e, nr);
		e->owner[vc] = MCFAB_NO_REC;
		mcfab_rec_give(e, s, nr);
	} else {
		e->fifo[vc].owned = false;
	}
	if (e->flags & MCFAB_ENG_MULTI && !(e->flags & may & MCFAB_ENG_WORM))
		mcfab_switch_disown(e, vc);
	mcfab_router_mark(e, s, mcfab_vc_from(e, vc));
}

/* the first packet of a FIFO has left it */
static void on_free(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, const u32 may)
{
	struct mcfab_fifo *fifo = &e->fifo[mcfab_rec_vc(e, rec)];

	if (rec == fifo->newest) {
		fifo->newest = MCFAB_NO_REC;
		fifo->oldest = MCFAB_NO_REC;
	} else {
		fifo->oldest = e->rec[rec].behind;
		/* none of its flits has left: it counts as alone in the FIFO from the beginning */
		if (e->hw.lazy_credits)
			e->rec[fifo->oldest].entry &= ~MCFAB_ENTRY_COUNTED;
	}
	mcfab_rec_give(e, s, rec);
}

static __always_inline void on_front(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc,
				     const u32 may)
{
	struct mcfab_fifo *fifo;
	u32 rec;

	if (e->flags & may & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		mcfab_switch_leave(e, vc);
	if (mcfab_slots_single(e, may))
		return;
	fifo = &e->fifo[vc];
	rec = fifo->front;
	fifo->front = MCFAB_NO_REC;
	/* flits say whether a packet is behind: another shard may be granting the channel now */
	if (is_stored(e, may) && fifo->entered != ++fifo->passed * e->run.flits) {
		u32 next = e->rec[rec].behind, delay = mcfab_link_delay(e, vc);

		e->head[next].crossed = max(e->head[next].crossed, e->cycle - delay);
	}
	if (fifo->waiting) {
		rec = e->rec[rec].behind;
		fifo->front = rec;
		fifo->waiting--;
		e->rec[rec].flags &= ~MCFAB_REC_PENDING;
		header_front(e, s, rec, may);
	}
}

static void credit_seen(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc)
{
	e->fifo[vc].departed += e->flags & MCFAB_ENG_WORM ? e->run.flits : 1;
	if (e->hw.packet_room)
		mcfab_router_mark(e, s, mcfab_vc_from(e, vc));
}

static void on_credit(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc, const u32 may)
{
	u32 link = e->hw.least_link, delay = 1, at;
	struct mcfab_credits *credits;

	/* on the longest link; on others it may be less */
	if (e->hw.credit_delay > 1) {
		link = mcfab_link_delay(e, vc);
		delay = mcfab_link_credit(e, link);
	}
	if (delay == 1) {
		credit_seen(e, s, vc);
		return;
	}
	credits = &s->credits[link - e->hw.least_link];
	at = credits->head + credits->count++;
	at = at < credits->size ? at : at - credits->size;
	credits->due[at] = e->cycle - 1 + delay;
	credits->vc[at] = vc;
}

static void on_ended(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, const u32 may)
{
	e->worm[worm].next_ended = MCFAB_NONE;
	mcfab_queue_put(&s->ended, &e->worm[s->ended.tail].next_ended, worm);
}

/* the last flit of a source's record has been read */
static void on_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, const u32 may)
{
	if (e->flags & MCFAB_ENG_PORTS)
		mcfab_port_drained(e, s, rec);
	else
		mcfab_node_injected(e, s, rec);
}

static void on_consumed(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, const u32 may)
{
	e->node[node].consume++;
	mcfab_router_mark(e, s, e->topo->router[node]);
}

static void on_relay(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay, const u32 may)
{
	mcfab_node_await(e, s, relay);
}

typedef void (*read_fn)(struct mcfab_engine *e, struct mcfab_shard *s, u32 about, const u32 may);

static __always_inline void read_kind(struct mcfab_engine *e, struct mcfab_shard *s,
				      struct mcfab_outbox *outbox, enum mcfab_event kind,
				      read_fn read, const u32 may)
{
	const u32 *event = outbox->event[kind], count = outbox->count[kind];
	u32 i;

	if (!count)
		return;
	for (i = 0; i < count; i++) {
		mcfab_breathe(i + 1);
		/* records are in the cache more often than their FIFOs */
		if (kind == MCFAB_EVENT_HEADER && !mcfab_slots_single(e, may) && i + 6 < count)
			prefetchw(&e->fifo[e->rec[event[i + 6]].vc]);
		read(e, s, event[i], may);
	}
	outbox->count[kind] = 0;
}

/* mode row by the rules of router booksim */
static __always_inline void on_row_credit(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc,
					  const u32 may)
{
	u32 worm = mcfab_row_credit(e, vc);

	if (worm != MCFAB_NONE)
		mcfab_grants_post(mcfab_grants_to(e, s, worm), MCFAB_EVENT_WAKE, worm);
}

/* credits are the most numerous events, and mostly the simplest */
static void read_credits(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_outbox *outbox)
{
	const u32 *event = outbox->event[MCFAB_EVENT_CREDIT];
	const u32 count = outbox->count[MCFAB_EVENT_CREDIT];
	struct mcfab_fifo *fifo = e->fifo;
	u32 i = 0, end;

	if (!count)
		return;
	if (e->flags & MCFAB_ENG_STAMPS) {
		read_kind(e, s, outbox, MCFAB_EVENT_CREDIT, on_row_credit, MCFAB_ALL_RULES);
		return;
	}
	if (e->hw.credit_delay > 1 || e->hw.packet_room || e->flags & MCFAB_ENG_WORM) {
		read_kind(e, s, outbox, MCFAB_EVENT_CREDIT, on_credit, MCFAB_ALL_RULES);
		return;
	}
	/* a credit for every flit that has moved: so many need a scheduling point */
	while (unlikely(count - i > 64 * MCFAB_BREATH)) {
		for (end = i + 64 * MCFAB_BREATH; i < end; i++)
			fifo[event[i]].departed++;
		cond_resched();
	}
	for (; i < count; i++)
		fifo[event[i]].departed++;
	outbox->count[MCFAB_EVENT_CREDIT] = 0;
}

/* what nodes are told */
static __always_inline void read_ends(struct mcfab_engine *e, struct mcfab_shard *s,
				      struct mcfab_outbox *outbox, const u32 may)
{
	read_kind(e, s, outbox, MCFAB_EVENT_INJECTED, on_injected, may);
	read_kind(e, s, outbox, MCFAB_EVENT_CONSUMED, on_consumed, may);
	read_kind(e, s, outbox, MCFAB_EVENT_RELAY, on_relay, may);
	read_kind(e, s, outbox, MCFAB_EVENT_ENDED, on_ended, may);
}

static __always_inline void read_events(struct mcfab_engine *e, struct mcfab_shard *s,
					struct mcfab_outbox *outbox, const u32 may)
{
	read_credits(e, s, outbox);
	read_kind(e, s, outbox, MCFAB_EVENT_FREE, on_free, may);
	read_kind(e, s, outbox, MCFAB_EVENT_RELEASE, on_release, may);
	read_kind(e, s, outbox, MCFAB_EVENT_FRONT, on_front, may);
	read_kind(e, s, outbox, MCFAB_EVENT_HEADER, on_header, may);
	read_ends(e, s, outbox, may);
}

static noinline void read_hops(struct mcfab_engine *e, struct mcfab_shard *s,
			       struct mcfab_outbox *outbox)
{
	mcfab_hops_read(e, s, outbox);
	read_ends(e, s, outbox, (u32)~MORE_RULES);
}

static noinline void read_fifos(struct mcfab_engine *e, struct mcfab_shard *s,
				struct mcfab_outbox *outbox)
{
	read_events(e, s, outbox, (u32)~MORE_RULES);
}

static noinline void read_fifos_more(struct mcfab_engine *e, struct mcfab_shard *s,
				     struct mcfab_outbox *outbox)
{
	read_events(e, s, outbox, MCFAB_ALL_RULES | MCFAB_ENG_FIFOS);
}

/* headers and credits that are due; queues are in the order of due cycles */
static void wake_due(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 now = e->cycle;
	u32 nr, link, done = 0;

	if (e->flags & MCFAB_ENG_HOPS && e->flags & MCFAB_ENG_BOOKSIM)
		mcfab_hops_wake(e, s);
	for (link = 0; link < e->hw.link_delays; link++) {
		struct mcfab_queue *flying = &s->flying[link];

		while ((nr = flying->head) != MCFAB_NONE && mcfab_flying_due(e, nr) <= now) {
			flying->head = e->head[nr].next_header;
			mcfab_breathe(++done);
			header_arrived(e, s, nr, MCFAB_ALL_RULES);
		}
	}
	while ((nr = s->routing.head) != MCFAB_NONE && e->head[nr].ready <= now) {
		s->routing.head = e->head[nr].next_header;
		mcfab_breathe(++done);
		mcfab_header_request(e, s, nr);
	}
	for (link = 0; link < e->hw.link_delays; link++) {
		struct mcfab_credits *credits = &s->credits[link];

		while (credits->count && credits->due[credits->head] <= now) {
			nr = credits->vc[credits->head];
			credits->head = credits->head + 1 < credits->size ? credits->head + 1 : 0;
			credits->count--;
			mcfab_breathe(++done);
			credit_seen(e, s, nr);
		}
	}
}

static void step_nodes(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, done = 0;

	while ((nr = mcfab_timers_take(&s->timers, e->cycle)) != MCFAB_NONE) {
		mcfab_breathe(++done);
		mcfab_node_step(e, s, nr);
	}
}

/**
 * mcfab_records_grant() - the grant phase of a shard in all modes that have records
 * @e: engine
 * @s: the shard
 *
 * Context: grant phase.
 */
void mcfab_records_grant(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i, nr, done = 0;

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_outbox *outbox = &e->shard[i].outbox[s->nr];

		if (!mcfab_outbox_any(outbox))
			continue;
		if (e->flags & MCFAB_ENG_HOPS)
			read_hops(e, s, outbox);
		else if (e->hw.slots == 1 || e->hw.store)
			read_events(e, s, outbox, MCFAB_ALL_RULES);
		else if (e->flags & MORE_RULES)
			read_fifos_more(e, s, outbox);
		else
			read_fifos(e, s, outbox);
	}
	wake_due(e, s);
	if ((s->ended.head & s->relays.head) != MCFAB_NONE)
		mcfab_nodes_wake(e, s);
	if (unlikely(e->cycle == e->faults.rescan))
		mcfab_fault_mark(e, s);
	step_nodes(e, s);
	if (e->flags & MCFAB_ENG_RATES)
		mcfab_slow_ports_step(e, s);
	while ((nr = s->injecting.head) != MCFAB_NONE && e->head[nr].ready <= e->cycle) {
		s->injecting.head = e->head[nr].next_header;
		mcfab_breathe(++done);
		mcfab_header_request(e, s, nr);
	}
	mcfab_routers_scan(e, s);
	if (e->flags & MCFAB_ENG_WORM)
		mcfab_crossing_choose(e, s);
	else if (e->flags & MCFAB_ENG_HOPS)
		mcfab_hops_choose(e, s);
	else if (e->flags & (MCFAB_ENG_MULTI | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		mcfab_switch_choose(e, s);
}

/**
 * mcfab_engine_grant() - the grant phase of one shard
 * @e: engine
 * @s: the shard
 *
 * Context: one thread per shard; no other phase runs. Waits for nothing; has scheduling
 *	    points.
 */
void mcfab_engine_grant(struct mcfab_engine *e, struct mcfab_shard *s)
{
	e->mode->grant(e, s);
}
