// SPDX-License-Identifier: GPL-2.0
/*
 * Switch allocation: the router's allocator chooses which of several virtual channels crosses a
 * physical channel. Runs in the grant phase, from the state at the end of the last cycle. A
 * channel with one owned VC needs no choice.
 */
#include "engine/router/bids.h"

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
	u32 vc = mcfab_rec_vc(e, rec), chan;

	if (mcfab_rec_is_inject(e, rec)) {
		chan = e->hw.nchans + mcfab_rec_node(e, rec);
	} else {
		chan = mcfab_vc_chan(e, vc);
		e->came[vc] = rec;
	}
	if (!(e->flags & MCFAB_ENG_SPEEDUP) || e->inport[chan].listed)
		return;
	/* with one VC there is no choice: mcfab_chan.chosen of the port is always that VC, 0 */
	if (mcfab_input_width(e, chan) == 1)
		return;
	e->inport[chan].listed = 1;
	s->inports[s->ninports++] = chan;
}

/**
 * mcfab_switch_leave() - the packet at the front of an input port's buffer has left it
 * @e: engine with MCFAB_ENG_SPEEDUP or MCFAB_ENG_SHARED
 * @vc: the VC
 *
 * The packet's record may be another packet's by now, so @vc says which packet it was.
 *
 * Context: grant phase of the shard that owns the router.
 */
void mcfab_switch_leave(struct mcfab_engine *e, u32 vc)
{
	u32 *at;

	e->came[vc] = MCFAB_NO_REC;
	if (!(e->flags & MCFAB_ENG_SHARED))
		return;
	for (at = &e->consumer[mcfab_vc_to(e, vc)].head; *at != MCFAB_NONE; at = &e->consumed[*at])
		if (*at == vc) {
			*at = e->consumed[vc];
			return;
		}
}

/**
 * mcfab_switch_consume() - a node begins to consume a packet
 * @e: engine with MCFAB_ENG_SHARED
 * @s: shard that owns the router
 * @rec: record that holds it
 *
 * The packet leaves the list at the choice after its last flit, or with its record.
 *
 * Context: grant phase.
 */
void mcfab_switch_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec), router = mcfab_vc_to(e, vc);
	struct mcfab_consumer *c = &e->consumer[router];

	e->consumed[vc] = c->head;
	c->head = vc;
	if (c->listed)
		return;
	c->listed = true;
	s->consuming[s->nconsuming++] = router;
}

/**
 * mcfab_switch_tell() - tell the records of a channel's VCs which of them may cross
 * @e: engine
 * @chan: the channel
 *
 * The move phase asks for every flit. It finds the answer in the record, so that threads do not
 * share lines with many channels.
 *
 * Context: end of the grant phase.
 */
void mcfab_switch_tell(struct mcfab_engine *e, u32 chan)
{
	const struct mcfab_chan *c = &e->chan[chan];
	u32 v;

	for (v = 0; v < e->hw.vcs; v++) {
		u32 nr = mcfab_owner(e, chan * e->hw.vcs + v);
		bool held = c->owned >= 2 && c->chosen != v;

		if (nr == MCFAB_NO_REC)
			continue;
		if (held)
			e->rec[nr].entry |= MCFAB_ENTRY_HELD;
		else
			e->rec[nr].entry &= ~MCFAB_ENTRY_HELD;
	}
}

/*
 * Choose the packet of which a router's node takes a flit: round robin by input, so the order of
 * the list does not matter. False: the node consumes no packet.
 */
static bool choose_consumed(struct mcfab_engine *e, u32 router)
{
	struct mcfab_consumer *c = &e->consumer[router];
	u32 ranks = e->hw.ports * e->hw.vcs, first = ranks, turn;
	u32 *at = &c->head;

	c->chosen = MCFAB_NONE;
	while (*at != MCFAB_NONE) {
		u32 vc = *at, nr = e->came[vc];

		if (!(e->rec[nr].flags & MCFAB_REC_ABSORB) ||
		    e->head[nr].cons >= mcfab_len(e, nr, e->flags)) {
			*at = e->consumed[vc];
			continue;
		}
		turn = mcfab_header_rank(e, nr);
		turn = turn < c->next ? turn + ranks - c->next : turn - c->next;
		if (turn < first && mcfab_copy_ready(e, nr, e->flags) &&
		    (!(e->flags & MCFAB_ENG_SPEEDUP) || mcfab_input_open(e, nr, e->flags))) {
			first = turn;
			c->chosen = nr;
		}
		at = &e->consumed[vc];
	}
	if (c->chosen != MCFAB_NONE)
		c->next = mcfab_header_rank(e, c->chosen) + 1;
	return c->head != MCFAB_NONE;
}

/**
 * mcfab_switch_consumers() - choose for each node with a shared link the packet whose flit it takes
 * @e: engine
 * @s: the shard
 *
 * Context: end of the grant phase, when input ports have chosen.
 */
void mcfab_switch_consumers(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i = 0;

	while (i < s->nconsuming) {
		mcfab_breathe(s->nconsuming - i);
		if (choose_consumed(e, s->consuming[i])) {
			i++;
			continue;
		}
		e->consumer[s->consuming[i]].listed = false;
		s->consuming[i] = s->consuming[--s->nconsuming];
	}
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
	e->hw.allocator->choose(e, s);
}
