// SPDX-License-Identifier: GPL-2.0
/*
 * Allocator separable: VCs of a channel are granted in turns; input ports choose among their VCs,
 * then channels choose among the chosen VCs. Documentation/decisions.md has its rules.
 */
#include "engine/router/separable.h"

/* the channel behind which a record is */
static inline u32 branch_chan(const struct mcfab_engine *e, u32 nr)
{
	return mcfab_vc_chan(e, mcfab_rec_vc(e, nr));
}

/* the output of a packet at an input port, of several the lowest; @first: channel of the router */
static __always_inline u32 output_of(const struct mcfab_engine *e, u32 chan, u32 v, u32 first,
				     const u32 flags)
{
	u32 nr, child, least = MCFAB_NODE_PORT;
	bool room = false;

	if (flags & MCFAB_ENG_ROWS)
		return mcfab_row_fronts(e, chan)[v].port;
	nr = mcfab_input_rec(e, chan, v);
	child = e->children[nr];
	if (child == MCFAB_NONE)
		return least;
	/* one that bids and has one way bids for that way */
	if (mcfab_sibling(e, child, flags) == MCFAB_NONE &&
	    !(e->rec[nr].flags & MCFAB_REC_ABSORB))
		return branch_chan(e, child) - first;
	for (; child != MCFAB_NONE; child = mcfab_sibling(e, child, flags)) {
		const struct mcfab_rec *r = &e->rec[child];

		/* the packet may have left the child already, with a copy still to be made here */
		if (r->worm != MCFAB_NO_WORM && r->parent == nr &&
		    mcfab_branch_ready(e, child, flags, &room) && room)
			least = min(least, branch_chan(e, child) - first);
	}
	return least;
}

/* the input port from which a packet comes that has a VC of a channel */
static __always_inline u32 input_of(const struct mcfab_engine *e, u32 chan, u32 v, u32 first,
				    const u32 flags)
{
	u32 from;

	if (flags & MCFAB_ENG_ROWS)
		return e->rows.vc[chan * e->hw.vcs + v].port;
	from = e->rec[mcfab_user_of(e, chan * e->hw.vcs + v, flags)].parent;
	if (mcfab_rec_is_inject(e, from))
		return MCFAB_NODE_PORT;
	return e->topo->peer[branch_chan(e, from)] - first;
}

static __always_inline bool input(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *c = &e->inport[chan];
	struct mcfab_bids bids;
	u32 router, port;

	mcfab_input_bids(e, chan, flags, &bids);
	/* a packet that is ready alone takes no turn among outputs */
	if (is_power_of_2(bids.ready)) {
		c->chosen = __ffs(bids.ready);
		c->port = c->last;
		return c->used;
	}
	router = chan < e->hw.nchans ? mcfab_chan_from(e, e->topo->peer[chan]) :
				       e->topo->router[chan - e->hw.nchans];
	mcfab_take_bids(e, chan, c, mcfab_input_width(e, chan), &bids, &port, output_of,
			router * e->hw.ports, flags);
	c->port = port;
	return c->used;
}

static __always_inline void output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *c = &e->chan[chan];
	struct mcfab_bids bids;
	u32 port;

	mcfab_output_bids(e, chan, flags, &bids);
	mcfab_take_bids(e, chan, c, e->hw.vcs, &bids, &port, input_of,
			mcfab_chan_from(e, chan) * e->hw.ports, flags);
	if (!bids.roomy)
		return;
	c->next = mcfab_next_vc(c->chosen, e->hw.vcs);
	c->last = port;
}

/*
 * Channels and nodes have chosen: an input port's turn passes if its chosen VC had room and
 * crosses.
 */
static void settle_input(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *c = &e->inport[chan];
	u32 nr, child;
	bool room;

	if (c->chosen == U8_MAX)
		return;
	nr = mcfab_input_rec(e, chan, c->chosen);
	if (mcfab_copy_ready(e, nr, e->flags) &&
	    (!(e->flags & MCFAB_ENG_SHARED) || mcfab_consumes(e, nr, e->flags))) {
		mcfab_input_pass(e, chan);
		return;
	}
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		if (mcfab_branch_ready(e, child, e->flags, &room) && room &&
		    mcfab_output_open(e, child)) {
			mcfab_input_pass(e, chan);
			return;
		}
	}
}

/*
 * The same with MCFAB_ENG_BOOKSIM. Credits come later than the flits that make room, so a chosen VC
 * with room at the start of the cycle is one whose flit crosses. So the move phase says whether one
 * has, and the turn passes before the next choice. A VC that is in use alone is chosen without a
 * look at its flits, for as long as it is alone: ports are listed only while they have a choice.
 */
static __always_inline bool input_booksim(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *port = &e->inport[chan];

	mcfab_input_settle(e, chan, flags);
	if (mcfab_chan_contended(port)) {
		input(e, chan, flags);
	} else {
		port->chosen = port->used ? __ffs(port->used) : U8_MAX;
		port->port = port->last;
	}
	if (port->chosen != U8_MAX)
		mcfab_input_tell(e, chan, port->chosen, flags);
	return mcfab_chan_contended(port);
}

static __always_inline void booksim(struct mcfab_engine *e, struct mcfab_shard *s, const u32 flags)
{
	mcfab_switch_inputs(e, s, input_booksim, flags);
	mcfab_switch_outputs(e, s, output, flags);
	mcfab_switch_consumers(e, s);
}

static noinline void choose_branches(struct mcfab_engine *e, struct mcfab_shard *s)
{
	booksim(e, s, MCFAB_BOOKSIM_RULES);
}

static noinline void choose_paths(struct mcfab_engine *e, struct mcfab_shard *s)
{
	booksim(e, s, MCFAB_BOOKSIM_RULES | MCFAB_ENG_PATHS | MCFAB_ENG_FIFOS);
}

static noinline void choose_rows(struct mcfab_engine *e, struct mcfab_shard *s)
{
	booksim(e, s, MCFAB_BOOKSIM_RULES | MCFAB_ENG_PATHS | MCFAB_ENG_FIFOS | MCFAB_ENG_ROWS);
}

static void choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	if (e->flags & MCFAB_ENG_BOOKSIM) {
		if (e->flags & MCFAB_ENG_ROWS)
			choose_rows(e, s);
		else if (e->flags & MCFAB_ENG_PATHS && e->hw.slots > 1)
			choose_paths(e, s);
		else
			choose_branches(e, s);
		return;
	}
	mcfab_switch_inputs(e, s, input, e->flags);
	mcfab_switch_outputs(e, s, output, e->flags);
	mcfab_switch_consumers(e, s);
	for (i = 0; i < s->ninports; i++)
		settle_input(e, s->inports[i]);
}

const struct mcfab_allocator mcfab_allocator_separable = {
	.flags		= MCFAB_ENG_SEPARABLE,
	.vc_turns	= true,
	.choose		= choose,
};
