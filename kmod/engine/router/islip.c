// SPDX-License-Identifier: GPL-2.0
/*
 * Allocator islip, after N. McKeown's iSLIP: channels grant, input ports accept, round by round
 * until a round adds no match. Turns pass for matches of the first round only, so that ports get
 * out of each other's step. Documentation/decisions.md has its rules.
 */
#include "engine/router/bids.h"
#include "engine/state/turns.h"

/* is the input port of a record's packet free, or matched with this packet? */
static bool may_cross(const struct mcfab_engine *e, u32 nr)
{
	u32 v;

	if (mcfab_input_open(e, nr, e->flags))
		return true;
	return e->inport[mcfab_vc_input(e, e->rec[nr].vc, &v)].chosen == U8_MAX;
}

/* a channel grants itself to one of its VCs that could cross it */
static void grant(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 able = 0, left = c->used;

	for (; left; left &= left - 1) {
		u32 v = __ffs(left), nr = mcfab_owner(e, chan * e->hw.vcs + v);
		bool room = false;

		if (mcfab_branch_ready(e, nr, e->flags, &room) && room &&
		    may_cross(e, e->rec[nr].parent))
			able |= BIT(v);
	}
	c->chosen = able ? mcfab_in_turn(c, able) : U8_MAX;
}

/* has a channel, or a node, granted itself to the packet in a record? */
static bool is_granted(const struct mcfab_engine *e, u32 nr)
{
	u32 child;

	if (mcfab_copy_ready(e, nr, e->flags))
		return true;
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		bool room = false;

		if (mcfab_branch_ready(e, child, e->flags, &room) && room &&
		    mcfab_output_open(e, child))
			return true;
	}
	return false;
}

/* a free input port accepts one of its VCs to which a channel or node granted itself */
static bool accept(struct mcfab_engine *e, u32 chan, bool first)
{
	struct mcfab_chan *c = &e->inport[chan];
	u32 width = mcfab_input_width(e, chan), granted = 0, left = c->used;

	for (; left; left &= left - 1)
		if (is_granted(e, mcfab_input_rec(e, chan, __ffs(left))))
			granted |= BIT(__ffs(left));
	if (!granted)
		return false;
	c->chosen = mcfab_in_turn(c, granted);
	if (first)
		c->next = mcfab_next_vc(c->chosen, width);
	return true;
}

/* a channel keeps its grant if the input port has accepted it; return: true if it keeps it */
static bool keep(struct mcfab_engine *e, u32 chan, bool first)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 nr;

	if (c->chosen == U8_MAX)
		return false;
	nr = mcfab_owner(e, chan * e->hw.vcs + c->chosen);
	if (!mcfab_input_open(e, e->rec[nr].parent, e->flags)) {
		c->chosen = U8_MAX;
		return false;
	}
	if (first)
		c->next = mcfab_next_vc(c->chosen, e->hw.vcs);
	return true;
}

/* one round; return: number of ports and channels that are matched now */
static u32 match(struct mcfab_engine *e, struct mcfab_shard *s, bool first)
{
	u32 i, matched = 0;

	for (i = 0; i < s->ncontended; i++)
		if (e->chan[s->contended[i]].chosen == U8_MAX)
			grant(e, s->contended[i]);
	for (i = 0; i < s->ninports; i++) {
		mcfab_breathe(i + 1);
		matched += e->inport[s->inports[i]].chosen != U8_MAX ||
			   accept(e, s->inports[i], first);
	}
	for (i = 0; i < s->ncontended; i++)
		matched += keep(e, s->contended[i], first);
	return matched;
}

/* a VC that is ready alone may use room that is made in this very cycle */
static u8 alone(u32 ready)
{
	return is_power_of_2(ready) ? __ffs(ready) : U8_MAX;
}

static bool clear_input(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	e->inport[chan].chosen = U8_MAX;
	return e->inport[chan].used;
}

static void clear_output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	e->chan[chan].chosen = U8_MAX;
}

static void finish_output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_bids bids;

	if (e->chan[chan].chosen != U8_MAX) {
		/* clear_output() had all VCs held */
		mcfab_output_hold(e, chan, e->chan[chan].chosen, false, e->flags);
		return;
	}
	mcfab_output_bids(e, chan, e->flags, &bids);
	e->chan[chan].chosen = alone(bids.ready);
}

static void choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	struct mcfab_bids bids;
	u32 i, before, matched;

	mcfab_switch_inputs(e, s, clear_input, 0);
	mcfab_switch_outputs(e, s, clear_output, 0);
	matched = match(e, s, true);
	do {
		before = matched;
		matched = match(e, s, false);
	} while (matched > before);
	for (i = 0; i < s->ninports; i++) {
		struct mcfab_chan *c = &e->inport[s->inports[i]];

		if (c->chosen != U8_MAX)
			continue;
		mcfab_input_bids(e, s->inports[i], e->flags, &bids);
		c->chosen = alone(bids.ready);
	}
	mcfab_switch_outputs(e, s, finish_output, e->flags);
	mcfab_switch_consumers(e, s);
}

const struct mcfab_allocator mcfab_allocator_islip = {
	.flags		= MCFAB_ENG_SEPARABLE,
	.vc_turns	= true,
	.choose		= choose,
};
