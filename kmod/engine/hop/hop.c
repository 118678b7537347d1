// SPDX-License-Identifier: GPL-2.0
/* Mode hop, see state/hop.h: which packet crosses, and what follows from it. */
#include "engine/flit/advance.h"
#include "engine/hop/hop.h"
#include "engine/message/message.h"
#include "engine/node/node.h"
#include "engine/router/router.h"
#include "engine/state/hop.h"
#include "engine/state/turns.h"
#include "trace/trace.h"

/**
 * mcfab_hops_exact() - does mode hop know all rules of a run?
 * @e: engine; its flags, counts and delays are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if every delivery is the same as flit by flit, to the cycle.
 */
bool mcfab_hops_exact(const struct mcfab_engine *e, const char **why)
{
	if (!mcfab_paths_exact(e, why))
		return false;
	if (e->run.flits != 1)
		*why = "packets of several flits";
	else if (e->hw.slots == 1)
		*why = "buffers of one packet";
	else if (!e->hw.release_sent)
		*why = "vc-release drained";
	else if (e->run.max_dst > 1 && !(e->pol->ops->flags & MCFAB_POLICY_SINGLE))
		*why = "packets with several destinations";
	else if (e->outside.from)
		*why = "messages from outside";
	else if (e->hw.may_cut)
		*why = MCFAB_WHY_CUT;
	else if (e->flags & MCFAB_ENG_PORTS)
		*why = MCFAB_WHY_PORTS;
	else if (e->hw.packet_room)
		*why = MCFAB_WHY_ROOM;
	else if (e->flags & MCFAB_ENG_BOOKSIM && e->run.tables)
		*why = "forwarding tables";
	return !*why;
}

/* a packet is at the front of its FIFO */
static __always_inline void at_front(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				     const bool booksim)
{
	if (booksim)
		mcfab_hop_arrive(e, s, nr);
	if (e->hw.route_delay)
		mcfab_header_routed(e, s, nr);
	else
		mcfab_header_request(e, s, nr);
}

/* a packet has come to its FIFO */
static __always_inline void come(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				 const bool booksim)
{
	struct mcfab_fifo *fifo = &e->fifo[e->rec[nr].vc];

	if (fifo->front == MCFAB_NO_REC) {
		fifo->front = nr;
		fifo->last = nr;
		at_front(e, s, nr, booksim);
		return;
	}
	e->rec[fifo->last].behind = nr;
	fifo->last = nr;
	fifo->waiting++;
}

/* a header has crossed */
static __always_inline void on_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				      const bool booksim)
{
	if (booksim && e->hw.link_delay > 1) {
		e->head[nr].next_header = MCFAB_NONE;
		mcfab_queue_put(s->flying, &e->head[s->flying->tail].next_header, nr);
		return;
	}
	come(e, s, nr, booksim);
}

static __always_inline void on_credit(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc,
				      const bool booksim)
{
	struct mcfab_fifo *fifo = &e->fifo[vc];
	bool full = !mcfab_hop_room(e, fifo);

	fifo->departed++;
	if (full && fifo->owned)
		mcfab_hop_offer(e, s, mcfab_vc_chan(e, vc), fifo->newest, booksim);
}

static __always_inline void on_free(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				    const bool booksim)
{
	e->rec[nr].mover = s->nr;
	mcfab_rec_give(e, s, nr);
}

static __always_inline void read_kind(struct mcfab_engine *e, struct mcfab_shard *s,
				      struct mcfab_outbox *outbox, enum mcfab_event kind,
				      void (*read)(struct mcfab_engine *e, struct mcfab_shard *s,
						   u32 about, const bool booksim),
				      const bool booksim)
{
	const u32 *event = outbox->event[kind], count = outbox->count[kind];
	u32 i;

	for (i = 0; i < count; i++) {
		mcfab_breathe(i + 1);
		read(e, s, event[i], booksim);
	}
	outbox->count[kind] = 0;
}

static noinline void read_booksim(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_outbox *outbox)
{
	/* credits are time stamps */
	read_kind(e, s, outbox, MCFAB_EVENT_FREE, on_free, true);
	read_kind(e, s, outbox, MCFAB_EVENT_FRONT, at_front, true);
	read_kind(e, s, outbox, MCFAB_EVENT_HEADER, on_header, true);
}

/**
 * mcfab_hops_read() - read the events of packets of one shard's last move phase
 * @e: engine with MCFAB_ENG_HOPS
 * @s: the shard that reads
 * @outbox: the events
 *
 * Context: beginning of the grant phase.
 */
void mcfab_hops_read(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_outbox *outbox)
{
	if (e->flags & MCFAB_ENG_BOOKSIM) {
		read_booksim(e, s, outbox);
		return;
	}
	read_kind(e, s, outbox, MCFAB_EVENT_CREDIT, on_credit, false);
	read_kind(e, s, outbox, MCFAB_EVENT_FREE, on_free, false);
	read_kind(e, s, outbox, MCFAB_EVENT_FRONT, at_front, false);
	read_kind(e, s, outbox, MCFAB_EVENT_HEADER, on_header, false);
}

/**
 * mcfab_hops_wake() - packets have come over long links
 * @e: engine with MCFAB_ENG_HOPS and MCFAB_ENG_BOOKSIM
 * @s: the shard
 *
 * Context: grant phase, when the events are read.
 */
void mcfab_hops_wake(struct mcfab_engine *e, struct mcfab_shard *s)
{
	struct mcfab_queue *flying = s->flying;
	u32 nr, done = 0;

	while ((nr = flying->head) != MCFAB_NONE &&
	       e->head[nr].crossed + e->hw.link_delay <= e->cycle) {
		flying->head = e->head[nr].next_header;
		mcfab_breathe(++done);
		come(e, s, nr, true);
	}
}

/* of the VCs @left of a channel, with these FIFOs, those whose packets have room to cross */
static __always_inline u32 roomy(const struct mcfab_engine *e, const struct mcfab_fifo *fifo,
				 u32 left)
{
	u32 some = 0;

	for (; left; left &= left - 1)
		if (mcfab_hop_room(e, &fifo[__ffs(left)]))
			some |= left & -left;
	return some;
}

/*
 * Choose the packet that crosses a channel of the list. Return: may another packet cross in the
 * next cycle?
 */
static __always_inline bool choose(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	const struct mcfab_fifo *fifo = &e->fifo[chan * e->hw.vcs];
	struct mcfab_chan *c = &e->chan[chan];
	u32 used = c->used, may;

	/* it has room, or the channel would not be in the list */
	if (is_power_of_2(used)) {
		s->active[s->nactive++] = fifo[__ffs(used)].newest;
		return false;
	}
	may = roomy(e, fifo, used);
	if (!may)
		return false;
	mcfab_take_turns(c, e->hw.vcs, used, may);
	s->active[s->nactive++] = fifo[c->chosen].newest;
	return may & ~BIT(c->chosen);
}

/**
 * mcfab_hops_choose() - which packet crosses each channel
 * @e: engine with MCFAB_ENG_HOPS
 * @s: the shard
 *
 * By the simplest rules the packets that have VCs of a channel take turns, if there is room for
 * more than one. A packet whose channel has one VC is in the list of the move phase already.
 *
 * Context: end of the grant phase.
 */
void mcfab_hops_choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i = 0;

	if (e->flags & MCFAB_ENG_BOOKSIM) {
		mcfab_hops_choose_booksim(e, s);
		return;
	}
	while (i < s->ncontended) {
		u32 chan = s->contended[i];

		mcfab_breathe(s->ncontended - i);
		if (choose(e, s, chan)) {
			i++;
			continue;
		}
		/* nobody has to choose until there is a grant or a credit */
		e->chan[chan].listed = 0;
		s->contended[i] = s->contended[--s->ncontended];
	}
}

/* the packet at the front of a FIFO leaves it */
static __always_inline void leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 vc,
				  const bool booksim)
{
	struct mcfab_fifo *fifo = &e->fifo[vc];

	s->flit_hops++;
	if (booksim)
		mcfab_hop_leave(e, s, vc, e->rec[nr].flags & MCFAB_REC_ABSORB);
	if (fifo->waiting) {
		fifo->waiting--;
		fifo->front = e->rec[nr].behind;
		mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_FRONT, fifo->front);
	} else {
		fifo->front = MCFAB_NO_REC;
	}
	if (!booksim)
		mcfab_outbox_post(mcfab_outbox_up(e, s, vc), MCFAB_EVENT_CREDIT, vc);
}

/* a packet does not need a record any more; the shard that granted its VC took it */
static void give_back(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 vc = e->rec[nr].vc;

	mcfab_rec_clear(&e->rec[nr], 0);
	mcfab_outbox_post(mcfab_outbox_up(e, s, vc), MCFAB_EVENT_FREE, nr);
}

/* the packet leaves its source */
static __always_inline void leave_source(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
					 const bool booksim)
{
	e->rec[nr].freed = 1;
	if (booksim)
		mcfab_hop_leave_source(e, nr);
	mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_INJECTED, nr);
}

static __always_inline void cross(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				  const bool booksim)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 vc = r->vc, chan = mcfab_vc_chan(e, vc);
	struct mcfab_fifo *fifo = &e->fifo[vc];
	struct mcfab_head *f = &e->head[nr];

	s->nheld--;
	fifo->entered++;
	fifo->owned = false;
	if (booksim || e->flags & MCFAB_ENG_MULTI)
		e->chan[chan].used &= ~BIT(vc - chan * e->hw.vcs);
	mcfab_router_mark(e, s, mcfab_chan_from(e, chan));
	r->sent = 1;
	f->crossed = e->cycle;
	f->held += e->cycle + 1 - f->granted;
	trace_mcfab_release(e, nr);
	if (r->from == MCFAB_NONE)
		leave_source(e, s, r->parent, booksim);
	else
		leave(e, s, nr, r->from, booksim);
	if (unlikely(r->parent != MCFAB_NO_REC && r->from != MCFAB_NONE))
		give_back(e, s, r->parent);
	mcfab_outbox_post(mcfab_outbox_down(e, s, vc), MCFAB_EVENT_HEADER, nr);
}

/* the node, or the router that drops it, has the packet */
static __always_inline void deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				    const bool booksim)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 worm = r->worm, vc = r->vc;
	struct mcfab_worm *w = &e->worm[worm];

	if (booksim)
		s->nheld--;
	atomic_set(&w->traffic, e->head[nr].hops);
	mcfab_worm_hold(w, r->flags & MCFAB_REC_INJECT ? 0 : e->head[nr].held);
	e->head[nr].cons = 1;
	e->head[nr].delivered = e->cycle + e->hw.consume_delay - 1;
	mcfab_rec_deliver(e, s, nr);
	if (r->flags & MCFAB_REC_INJECT) {
		leave_source(e, s, nr, booksim);
	} else {
		leave(e, s, nr, vc, booksim);
		give_back(e, s, nr);
	}
	if (mcfab_alone(e))
		mcfab_worm_over(e, s, worm);
	else
		mcfab_outbox_post(&s->outbox[e->shard_of_node[w->node]], MCFAB_EVENT_ENDED, worm);
}

static __always_inline void move(struct mcfab_engine *e, struct mcfab_shard *s, const bool booksim)
{
	u32 i;

	for (i = 0; i < s->nactive; i++) {
		u32 nr = s->active[i];

		mcfab_breathe(i + 1);
		if (unlikely(e->rec[nr].flags & MCFAB_REC_ABSORB))
			deliver(e, s, nr, booksim);
		else
			cross(e, s, nr, booksim);
	}
	s->nactive = 0;
}

static noinline void move_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	move(e, s, true);
}

/**
 * mcfab_hops_move() - the move phase of a shard in mode hop
 * @e: engine with MCFAB_ENG_HOPS
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_hops_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->flags & MCFAB_ENG_BOOKSIM)
		move_booksim(e, s);
	else
		move(e, s, false);
}
