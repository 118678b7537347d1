// SPDX-License-Identifier: GPL-2.0
/*
 * Switch allocation: the router's allocator chooses which of several virtual channels crosses a
 * physical channel. Runs in the grant phase, from the state at the end of the last cycle. A
 * channel with one owned VC needs no choice.
 */
#include "engine/cruise/cruise.h"
#include "engine/router/bids.h"
#include "engine/state/consumer.h"

/**
 * mcfab_switch_land() - worms that compete for a channel do not cruise
 * @e: engine with MCFAB_ENG_CRUISE
 * @s: the shard, the only one
 * @chan: the channel
 *
 * Context: grant phase.
 */
void mcfab_switch_land(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	u32 left = e->chan[chan].used;

	for (; left; left &= left - 1)
		mcfab_cruise_land(e, s, e->rec[mcfab_owner(e, chan * e->hw.vcs +
							      __ffs(left))].worm);
}

/* packets that compete for an input port do not cruise; @left: their VCs or injection channels */
static void land_all(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan, u32 left)
{
	for (; left; left &= left - 1)
		mcfab_cruise_land(e, s, e->rec[mcfab_input_rec(e, chan, __ffs(left))].worm);
}

/**
 * mcfab_switch_arrive() - a header has come to the front of an input port's buffer
 * @e: engine with MCFAB_ENG_SPEEDUP or MCFAB_ENG_SHARED
 * @s: shard that owns the router
 * @rec: its record
 *
 * Context: grant phase.
 */
void mcfab_switch_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec), chan, v;
	struct mcfab_chan *port;

	if (!mcfab_rec_is_inject(e, rec))
		e->came[vc] = rec;
	if (e->flags & MCFAB_ENG_ROWS)
		mcfab_row_came(e, vc, rec);
	if (!(e->flags & MCFAB_ENG_SPEEDUP))
		return;
	chan = mcfab_vc_input(e, vc, &v);
	port = &e->inport[chan];
	if (e->flags & MCFAB_ENG_BOOKSIM && !port->used) {
		mcfab_input_settle(e, chan, e->flags);
		mcfab_input_tell(e, chan, v, e->flags);
		port->port = port->last;
		port->used = BIT(v);
		return;
	}
	if (e->flags & MCFAB_ENG_CRUISE)
		land_all(e, s, chan, port->used | BIT(v));
	port->used |= BIT(v);
	/* with one VC there is no choice: mcfab_chan.chosen of the port is always that VC, 0 */
	if (port->listed || mcfab_input_width(e, chan) == 1)
		return;
	port->listed = 1;
	s->inports[s->ninports++] = chan;
}

/**
 * mcfab_switch_leave() - the packet at the front of an input port's buffer has left it
 * @e: engine with MCFAB_ENG_SPEEDUP or MCFAB_ENG_SHARED
 * @vc: the VC, or after all VCs the injection channel
 *
 * The packet's record may be another packet's by now, so @vc says which packet it was.
 *
 * Context: grant phase of the shard that owns the router.
 */
void mcfab_switch_leave(struct mcfab_engine *e, u32 vc)
{
	u32 chan, v;

	if (e->flags & MCFAB_ENG_SPEEDUP) {
		chan = mcfab_vc_input(e, vc, &v);
		e->inport[chan].used &= ~BIT(v);
	}
	if (e->flags & MCFAB_ENG_ROWS)
		mcfab_row_came(e, vc, MCFAB_NO_REC);
	if (vc >= e->hw.nvcs)
		return;
	e->came[vc] = MCFAB_NO_REC;
	if (e->flags & MCFAB_ENG_SHARED)
		mcfab_consumer_remove(e, vc);
}

/*
 * How long a VC has to wait for its turn at its router's node: its place behind the last VC. With
 * MCFAB_ENG_SEPARABLE only one VC of an input port bids, and input ports take turns.
 */
static u32 turns_to(const struct mcfab_engine *e, const struct mcfab_consumer *c, u32 vc,
		    const u32 flags)
{
	u32 rank = mcfab_vc_rank(e, vc), last = mcfab_vc_rank(e, c->last);
	u32 inputs = e->hw.ports * e->hw.vcs;

	if (flags & MCFAB_ENG_SEPARABLE) {
		rank /= e->hw.vcs;
		last /= e->hw.vcs;
		inputs = e->hw.ports;
	}
	return rank > last ? rank - last : rank + inputs - last;
}

/* could the node take a flit of a packet at the front of a VC's buffer in this cycle? */
static __always_inline bool may_consume(const struct mcfab_engine *e, u32 vc, u32 nr,
					const u32 flags)
{
	if (flags & MCFAB_ENG_ROWS)
		return mcfab_row_consumes(e, &e->rows.came[vc]);
	return mcfab_copy_ready(e, nr, flags) &&
	       (!(flags & MCFAB_ENG_SPEEDUP) || mcfab_input_open(e, nr, flags));
}

/*
 * Choose the packet of which a router's node takes a flit: round robin by input, so the order of
 * the list does not matter. False: the node consumes no packet.
 */
static __always_inline bool choose_consumed(struct mcfab_engine *e, u32 router, const u32 flags)
{
	struct mcfab_consumer *c = &e->consumer[router];
	u32 first = MCFAB_NONE, *at = &c->head;

	c->chosen = MCFAB_NONE;
	while (*at != MCFAB_NONE) {
		u32 vc = *at, nr = e->came[vc];

		if (!(flags & MCFAB_ENG_ROWS) &&
		    (!(e->rec[nr].flags & MCFAB_REC_ABSORB) ||
		     e->head[nr].cons >= mcfab_len(e, nr, flags))) {
			*at = e->consumed[vc];
			continue;
		}
		if (may_consume(e, vc, nr, flags) &&
		    (first == MCFAB_NONE || turns_to(e, c, vc, flags) <
					     turns_to(e, c, first, flags))) {
			first = vc;
			c->chosen = nr;
		}
		at = &e->consumed[vc];
	}
	if (first != MCFAB_NONE) {
		c->last = first;
		if (flags & MCFAB_ENG_ROWS)
			e->rows.row[e->rows.came[first].worm].node = true;
		else if (flags & MCFAB_ENG_BOOKSIM)
			e->wire[c->chosen].turn |= MCFAB_TURN_NODE;
	}
	return c->head != MCFAB_NONE;
}

static __always_inline void each_consumer(struct mcfab_engine *e, struct mcfab_shard *s,
					  const u32 flags)
{
	u32 i = 0;

	while (i < s->nconsuming) {
		u32 router = s->consuming[i];
		bool more;

		mcfab_breathe(s->nconsuming - i);
		more = choose_consumed(e, router, flags);
		if (flags & MCFAB_ENG_HOPS && e->consumer[router].chosen != MCFAB_NONE)
			s->active[s->nactive++] = e->consumer[router].chosen;
		if (more) {
			i++;
			continue;
		}
		e->consumer[router].listed = false;
		s->consuming[i] = s->consuming[--s->nconsuming];
	}
}

/* mode hop: input ports alone know what they have chosen, and a flit that is asked for has come */
#define HOP_RULES	(MCFAB_ENG_HOPS | \
			 (MCFAB_BOOKSIM_RULES & ~(MCFAB_ENG_BOOKSIM | MCFAB_ENG_LINKS)))

/**
 * mcfab_switch_consumers() - choose for each node with a shared link the packet whose flit it takes
 * @e: engine
 * @s: the shard
 *
 * Context: end of the grant phase, when input ports have chosen.
 */
void mcfab_switch_consumers(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->flags & MCFAB_ENG_BOOKSIM && e->flags & MCFAB_ENG_ROWS)
		each_consumer(e, s, MCFAB_BOOKSIM_RULES | MCFAB_ENG_ROWS);
	else if (e->flags & MCFAB_ENG_HOPS)
		each_consumer(e, s, HOP_RULES);
	else if (e->flags & MCFAB_ENG_BOOKSIM)
		each_consumer(e, s, MCFAB_BOOKSIM_RULES);
	else
		each_consumer(e, s, e->flags);
}

/**
 * mcfab_allocator_of() - the allocator of a fabric's routers
 * @mode: as configured
 *
 * Context: any.
 * Return: the allocator.
 */
const struct mcfab_allocator *mcfab_allocator_of(enum mcfab_allocator_mode mode)
{
	static const struct mcfab_allocator *const allocators[] = {
		[MCFAB_ALLOCATOR_MODE_OLDEST] = &mcfab_allocator_oldest,
		[MCFAB_ALLOCATOR_MODE_SEPARABLE] = &mcfab_allocator_separable,
		[MCFAB_ALLOCATOR_MODE_ISLIP] = &mcfab_allocator_islip,
	};

	return allocators[mode];
}

/**
 * mcfab_switch_choose() - switch allocation of a shard
 * @e: engine
 * @s: the shard
 *
 * With limited input speed-up the input ports choose first. Then the channels, and the nodes
 * whose bandwidth is shared, choose among the VCs that the input ports have chosen.
 *
 * Context: end of the grant phase, when all grants of the cycle are made: a
 * channel granted in this cycle takes part.
 */
void mcfab_switch_choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (s->ninports | s->ncontended | s->nconsuming)
		e->hw.allocator->choose(e, s);
}
