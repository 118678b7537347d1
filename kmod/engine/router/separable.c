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
		c->chosen = hweight32(bids->ready) == 1 ? __ffs(bids->ready) : U8_MAX;
}

static void pass_turn(struct mcfab_chan *c, u32 width)
{
	c->next = mcfab_next_vc(c->chosen, width);
}

static bool input(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_bids bids;
	bool used = mcfab_input_bids(e, chan, &bids);

	take_bids(&e->inport[chan], mcfab_input_width(e, chan), &bids);
	return used;
}

static void output(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_bids bids;

	mcfab_output_bids(e, chan, e->flags, &bids);
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
	if (mcfab_copy_ready(e, nr) &&
	    (!(e->flags & MCFAB_ENG_SHARED) || mcfab_consumes(e, nr))) {
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

static void choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	mcfab_switch_inputs(e, s, input);
	mcfab_switch_outputs(e, s, output);
	mcfab_switch_consumers(e, s);
	for (i = 0; i < s->ninports; i++)
		settle_input(e, s->inports[i]);
}

const struct mcfab_allocator mcfab_allocator_separable = {
	.flags		= MCFAB_ENG_SEPARABLE,
	.vc_first	= mcfab_vc_turn,
	.vc_granted	= mcfab_vc_turn_over,
	.choose		= choose,
};
