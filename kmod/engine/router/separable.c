// SPDX-License-Identifier: GPL-2.0
/*
 * Allocator separable: VCs of a channel are granted in turns; input ports choose among their VCs,
 * then channels choose among the chosen VCs. Documentation/decisions.md has its rules.
 */
#include "engine/router/bids.h"
#include "engine/state/turns.h"

/*
 * Choose the VC, among @width, that wins a port. Headers that got their channel in this very cycle
 * yield to firm VCs. The turn does not pass here, but in pass_turn().
 */
static void take_bids(struct mcfab_chan *c, u32 width, const struct mcfab_bids *bids)
{
	if (bids->roomy)
		c->chosen = mcfab_in_turn(c, width, bids->firm ?: bids->roomy);
	else
		c->chosen = is_power_of_2(bids->ready) ? __ffs(bids->ready) : U8_MAX;
}

static void pass_turn(struct mcfab_chan *c, u32 width)
{
	c->next = mcfab_next_vc(c->chosen, width);
}

static __always_inline bool input(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_bids bids;

	mcfab_input_bids(e, chan, flags, &bids);
	take_bids(&e->inport[chan], mcfab_input_width(e, chan), &bids);
	return e->inport[chan].used;
}

static __always_inline void output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_bids bids;

	mcfab_output_bids(e, chan, flags, &bids);
	take_bids(&e->chan[chan], e->hw.vcs, &bids);
	if (bids.roomy)
		pass_turn(&e->chan[chan], e->hw.vcs);
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
		pass_turn(c, mcfab_input_width(e, chan));
		return;
	}
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		if (mcfab_branch_ready(e, child, e->flags, &room) && room &&
		    mcfab_output_open(e, child)) {
			pass_turn(c, mcfab_input_width(e, chan));
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

	mcfab_input_settle(e, chan);
	if (mcfab_chan_contended(port))
		input(e, chan, flags);
	else
		port->chosen = port->used ? __ffs(port->used) : U8_MAX;
	if (port->chosen != U8_MAX)
		mcfab_input_tell(e, chan, port->chosen);
	return mcfab_chan_contended(port);
}

static noinline void choose_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_inputs(e, s, input_booksim, MCFAB_BOOKSIM_RULES);
	mcfab_switch_outputs(e, s, output, MCFAB_BOOKSIM_RULES);
	mcfab_switch_consumers(e, s);
}

static noinline void choose_single(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_inputs(e, s, input_booksim, MCFAB_SINGLE_RULES);
	mcfab_switch_outputs(e, s, output, MCFAB_SINGLE_RULES);
	mcfab_switch_consumers(e, s);
}

static void choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	if (e->flags & MCFAB_ENG_BOOKSIM) {
		if (mcfab_single_flits(e))
			choose_single(e, s);
		else
			choose_booksim(e, s);
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
