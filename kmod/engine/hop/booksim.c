// SPDX-License-Identifier: GPL-2.0
/*
 * Mode hop by the rules of router booksim: an input port chooses among the packets at the front of
 * its buffers, a channel among the chosen ones that have its VCs. The rules are those of
 * router/separable.c. Here a packet says itself which VC it has, and from which one it comes. A
 * port's turn passes when the packet crosses, so mcfab_chan.chosen of the port is all that has to
 * be known about its choice.
 */
#include "engine/hop/hop.h"
#include "engine/router/separable.h"
#include "engine/state/consumer.h"
#include "engine/state/credit.h"
#include "engine/state/hop.h"

/* the record that says where the packet in front of an input port's VC goes, or MCFAB_NO_REC */
static __always_inline u32 onward(const struct mcfab_engine *e, u32 front)
{
	const struct mcfab_rec *r = &e->rec[front];

	if (r->flags & MCFAB_REC_INJECT)
		return r->parent == MCFAB_NONE ? MCFAB_NO_REC : r->parent;
	return r->sent ? MCFAB_NO_REC : front;
}

/* is there room for a packet that has a VC, as far as its router knows? */
static __always_inline bool has_room(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_fifo *fifo = &e->fifo[e->rec[nr].vc];

	return mcfab_fifo_roomy(e, fifo, fifo->entered);
}

static __always_inline void bid(const struct mcfab_engine *e, u32 nr, u32 v,
				struct mcfab_bids *bids)
{
	bool room = has_room(e, nr);

	mcfab_bid(bids, v, room, room && e->head[nr].granted != e->cycle);
}

static __always_inline bool is_taken(const struct mcfab_engine *e, u32 front)
{
	return e->rec[front].flags & MCFAB_REC_ABSORB;
}

/* the output port to which a packet at an input port goes */
static __always_inline u32 output_of(const struct mcfab_engine *e, u32 chan, u32 v, u32 first,
				     const u32 flags)
{
	u32 nr = onward(e, mcfab_input_rec(e, chan, v));

	return nr == MCFAB_NO_REC ? MCFAB_NODE_PORT : mcfab_vc_chan(e, e->rec[nr].vc) - first;
}

/* the input port from which a packet comes that has a VC of a channel */
static __always_inline u32 input_of(const struct mcfab_engine *e, u32 chan, u32 v, u32 first,
				    const u32 flags)
{
	u32 from = e->rec[e->fifo[chan * e->hw.vcs + v].newest].from;

	if (from == MCFAB_NONE)
		return MCFAB_NODE_PORT;
	return e->topo->peer[mcfab_vc_chan(e, from)] - first;
}

/* an input port with several packets chooses one */
static __always_inline void choose_input(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *port = &e->inport[chan];
	const u32 *front = mcfab_input_recs(e, chan);
	struct mcfab_bids bids = { 0 };
	u32 left = port->used, router, to;

	for (; left; left &= left - 1) {
		u32 v = __ffs(left), nr = onward(e, front[v]);

		if (nr != MCFAB_NO_REC)
			bid(e, nr, v, &bids);
		else if (is_taken(e, front[v]))
			mcfab_bid(&bids, v, true, true);
	}
	/* a packet that is ready alone takes no turn among outputs */
	if (is_power_of_2(bids.ready)) {
		port->chosen = __ffs(bids.ready);
		port->port = port->last;
		return;
	}
	router = chan < e->hw.nchans ? mcfab_chan_from(e, e->topo->peer[chan]) :
				       e->topo->router[chan - e->hw.nchans];
	mcfab_take_bids(e, chan, port, mcfab_input_width(e, chan), &bids, &to, output_of,
			router * e->hw.ports, 0);
	port->port = to;
}

static __always_inline bool input(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *port = &e->inport[chan];

	if (mcfab_chan_contended(port)) {
		choose_input(e, chan);
		return true;
	}
	port->chosen = port->used ? __ffs(port->used) : U8_MAX;
	port->port = port->last;
	return false;
}

/* has its input port chosen a packet with a VC? */
static __always_inline bool is_open(const struct mcfab_engine *e, u32 nr)
{
	u32 from = e->rec[nr].from, v, chan;

	if (from == MCFAB_NONE)
		from = e->rec[e->rec[nr].parent].vc;
	chan = mcfab_vc_input(e, from, &v);
	return e->inport[chan].chosen == v;
}

/* the VC whose packet crosses a channel, or U8_MAX */
static __always_inline u32 choose_output(struct mcfab_engine *e, u32 chan)
{
	const struct mcfab_fifo *fifo = &e->fifo[chan * e->hw.vcs];
	struct mcfab_chan *c = &e->chan[chan];
	struct mcfab_bids bids = { 0 };
	u32 left = c->used, from, nr;

	if (is_power_of_2(left)) {
		nr = fifo[__ffs(left)].newest;
		return is_open(e, nr) && has_room(e, nr) ? __ffs(left) : U8_MAX;
	}
	for (; left; left &= left - 1) {
		nr = fifo[__ffs(left)].newest;
		if (is_open(e, nr))
			bid(e, nr, __ffs(left), &bids);
	}
	if (!bids.roomy)
		return U8_MAX;
	mcfab_take_bids(e, chan, c, e->hw.vcs, &bids, &from, input_of,
			mcfab_chan_from(e, chan) * e->hw.ports, 0);
	c->next = mcfab_next_vc(c->chosen, e->hw.vcs);
	c->last = from;
	return c->chosen;
}

static __always_inline void choose_outputs(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i = 0;

	while (i < s->ncontended) {
		u32 chan = s->contended[i], v = choose_output(e, chan), left = e->chan[chan].used;

		mcfab_breathe(s->ncontended - i);
		if (v != U8_MAX) {
			s->active[s->nactive++] = e->fifo[chan * e->hw.vcs + v].newest;
			left &= ~BIT(v);
		}
		if (left) {
			i++;
			continue;
		}
		e->chan[chan].listed = 0;
		s->contended[i] = s->contended[--s->ncontended];
	}
}

/**
 * mcfab_hop_arrive() - a packet has come to the front of a buffer, so its input port may choose it
 * @e: engine with MCFAB_ENG_HOPS and MCFAB_ENG_BOOKSIM
 * @s: shard that owns the router
 * @nr: its record
 *
 * Does what mcfab_switch_arrive() does.
 *
 * Context: grant phase.
 */
void mcfab_hop_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 vc = e->rec[nr].vc, chan = mcfab_vc_chan(e, vc), v = vc - chan * e->hw.vcs;
	struct mcfab_chan *port = &e->inport[chan];

	e->came[vc] = nr;
	if (!port->used) {
		port->chosen = v;
		port->port = port->last;
	} else if (!port->listed) {
		port->listed = 1;
		s->inports[s->ninports++] = chan;
	}
	port->used |= BIT(v);
}

/* a packet crosses, so the turn of its input port passes */
static __always_inline void pass(struct mcfab_engine *e, u32 chan)
{
	mcfab_input_pass(e, chan);
	e->inport[chan].chosen = U8_MAX;
}

/**
 * mcfab_hop_leave() - the packet at the front of a VC's buffer leaves it
 * @e: engine with MCFAB_ENG_HOPS and MCFAB_ENG_BOOKSIM
 * @s: shard that owns the router
 * @vc: the VC
 * @taken: its node takes it
 *
 * Context: move phase.
 */
void mcfab_hop_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 vc, bool taken)
{
	u64 *credits = &e->fifo[vc].credits;
	u32 chan = mcfab_vc_chan(e, vc);

	WRITE_ONCE(*credits, mcfab_credit_give(*credits, e->cycle));
	s->credits_until = e->cycle + e->hw.credit_delay;
	pass(e, chan);
	e->inport[chan].used &= ~BIT(vc - chan * e->hw.vcs);
	e->came[vc] = MCFAB_NO_REC;
	if (taken)
		mcfab_consumer_remove(e, vc);
}

/**
 * mcfab_hop_leave_source() - a packet leaves its source
 * @e: engine with MCFAB_ENG_HOPS and MCFAB_ENG_BOOKSIM
 * @nr: record of the source
 *
 * The packet leaves its port when the node hears of that, see mcfab_node_injected().
 *
 * Context: move phase.
 */
void mcfab_hop_leave_source(struct mcfab_engine *e, u32 nr)
{
	u32 v;

	pass(e, mcfab_vc_input(e, e->rec[nr].vc, &v));
}

/**
 * mcfab_hops_choose_booksim() - switch allocation by the rules of router booksim
 * @e: engine with MCFAB_ENG_HOPS and MCFAB_ENG_BOOKSIM
 * @s: the shard
 *
 * Packets that cross, and packets of which nodes take the flit, come into the list of the move
 * phase.
 *
 * Context: end of the grant phase.
 */
void mcfab_hops_choose_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_inputs(e, s, input, 0);
	choose_outputs(e, s);
	mcfab_switch_consumers(e, s);
}
