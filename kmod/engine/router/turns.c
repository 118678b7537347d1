// SPDX-License-Identifier: GPL-2.0
/*
 * Allocator oldest, the default: requests take the lowest free VC, and VCs that share a channel or
 * an input port take turns.
 */
#include "engine/router/bids.h"
#include "engine/state/turns.h"

/*
 * Lock-step: which of two records of a router goes first, on every channel that they share.
 * Branches of one worm may meet again in a router, so both records may have the same worm. Then
 * their inputs decide; numbers of VCs would not do, as they need not be the same on all channels.
 */
static bool goes_before(const struct mcfab_engine *e, u32 a, u32 b)
{
	u32 wa = e->rec[a].worm, wb = e->rec[b].worm;

	if (wa != wb)
		return mcfab_worm_before(e, &e->worm[wa], &e->worm[wb]);
	return mcfab_header_rank(e, a) < mcfab_header_rank(e, b);
}

/*
 * With lock-step replication turns would not do: two worms that share two channels could be out
 * of step on them for ever. So every channel goes to the oldest of its worms all of whose branches
 * have room. So one worm always moves.
 */
static void oldest(const struct mcfab_engine *e, u32 chan, u32 ready, u32 roomy)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 best = MCFAB_NONE, from, v;

	c->chosen = U8_MAX;
	if (is_power_of_2(ready))
		c->chosen = __ffs(ready);
	for (v = 0; v < e->hw.vcs && ready & (ready - 1); v++) {
		if (!(roomy & BIT(v)))
			continue;
		from = e->rec[mcfab_owner(e, chan * e->hw.vcs + v)].parent;
		if (best != MCFAB_NONE && !goes_before(e, from, best))
			continue;
		best = from;
		c->chosen = v;
	}
}

/* which VC crosses a channel with several owned VCs; @flags: see mcfab_output_bids() */
static __always_inline void choose_output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *c = &e->chan[chan];
	struct mcfab_bids bids;

	if (flags & MCFAB_ENG_PACKET && c->lock != U8_MAX) {
		c->chosen = c->lock;
		return;
	}
	mcfab_output_bids(e, chan, flags, &bids);
	if (flags & MCFAB_ENG_LOCKSTEP)
		oldest(e, chan, bids.ready, bids.roomy);
	else
		mcfab_take_turns(c, e->hw.vcs, bids.ready, bids.roomy);
}

static bool input(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_bids bids;

	mcfab_input_bids(e, chan, flags, &bids);
	mcfab_take_turns(&e->inport[chan], mcfab_input_width(e, chan), bids.ready, bids.roomy);
	return e->inport[chan].used;
}

static __always_inline void output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	if (flags & MCFAB_MORE_BIDS)
		choose_output(e, chan, flags);
	else
		choose_output(e, chan,
			      flags & (MCFAB_ENG_CREDITS | MCFAB_ENG_STAMPS | MCFAB_ENG_FIFOS |
				       MCFAB_ENG_ROWS | MCFAB_ENG_WIDE));
}

/* FIFOs of several packets, and no rule of MCFAB_MORE_BIDS */
static noinline void choose_fifos(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_outputs(e, s, output, MCFAB_ENG_CREDITS | MCFAB_ENG_FIFOS);
}

/* the same in mode row, ... */
#define ROWS	(MCFAB_ENG_CREDITS | MCFAB_ENG_ROWS)

static noinline void choose_rows(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_outputs(e, s, output, ROWS);
}

/* ... in networks larger than the caches, and with rows of several words */
static noinline void choose_rows_far(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_outputs(e, s, output, ROWS | MCFAB_ENG_FAR);
}

static noinline void choose_rows_wide(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_outputs(e, s, output, ROWS | MCFAB_ENG_WIDE | (e->flags & MCFAB_ENG_FAR));
}

static void by_rows(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->flags & MCFAB_ENG_WIDE)
		choose_rows_wide(e, s);
	else if (e->flags & MCFAB_ENG_FAR)
		choose_rows_far(e, s);
	else
		choose_rows(e, s);
}

static noinline void choose_any(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_switch_inputs(e, s, input, e->flags);
	mcfab_switch_outputs(e, s, output, e->flags);
}

static void choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if ((e->flags & ROWS) == ROWS)
		by_rows(e, s);
	else if (e->hw.slots > 1 && e->hw.lazy_credits &&
		 !(e->flags & (MCFAB_MORE_BIDS | MCFAB_ENG_FAR)))
		choose_fifos(e, s);
	else
		choose_any(e, s);
	mcfab_switch_consumers(e, s);
}

const struct mcfab_allocator mcfab_allocator_oldest = {
	.choose		= choose,
};
