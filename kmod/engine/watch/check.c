// SPDX-License-Identifier: GPL-2.0
/*
 * Conservation of flits, records and channels: what must hold at every boundary. The check
 * is a pass over the whole network. Debug builds make it in every cycle, all builds at the
 * end of every run.
 */
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "engine/watch/watch.h"

static const char *check_rec(const struct mcfab_engine *e, u32 nr, u64 *held)
{
	const struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_rec *p;

	if (r->freed > r->sent || r->sent > mcfab_len(e, nr, e->flags))
		return "a buffer gave more flits than it got";
	if (r->flags & MCFAB_REC_ABSORB && !r->waiting && r->freed > e->head[nr].cons)
		return "a buffer gave up a flit that was not consumed";
	if (r->flags & MCFAB_REC_INJECT)
		return NULL;
	if (r->sent - r->freed > e->hw.buffer + mcfab_link_delay(e, r->vc) - 1)
		return "a buffer holds more flits than it has room for";
	p = &e->rec[r->parent];
	if (p->worm == r->worm && r->sent < mcfab_len(e, nr, e->flags) &&
	    (p->sent < mcfab_read(e, nr, e->flags) || p->freed > mcfab_read(e, nr, e->flags)))
		return "a flit crossed a channel before it came to it, or was freed too early";
	*held += r->sent - r->freed;
	return NULL;
}

static const char *check_vc(const struct mcfab_engine *e, u32 vc)
{
	u32 packets = 0, nr;

	if (mcfab_owner(e, vc) != MCFAB_NO_REC && mcfab_rec_vc(e, mcfab_owner(e, vc)) != vc)
		return "a virtual channel belongs to another's record";
	for (nr = mcfab_vc_front(e, vc); nr != MCFAB_NO_REC; nr = mcfab_vc_behind(e, vc, nr))
		packets++;
	if (packets > e->hw.slots)
		return "a virtual channel has more packets than there is room for";
	/* without a credit-delay a flit that left the buffer in this cycle is still counted */
	if (e->flags & MCFAB_ENG_CREDITS &&
	    mcfab_vc_taken(e, vc) > e->hw.buffer + !e->hw.credit_delay)
		return "a virtual channel has more flits than credits";
	return NULL;
}

/* nothing is under way: no record, VC, injection channel or pool number may be in use */
static const char *check_idle(const struct mcfab_engine *e)
{
	u32 i;

	if (mcfab_first_rec(e) != MCFAB_NO_REC)
		return "a record is in use with nothing under way";
	for (i = 0; i < e->hw.nvcs; i++) {
		mcfab_breathe(i + 1);
		if (mcfab_owner(e, i) != MCFAB_NO_REC)
			return "a virtual channel is held with nothing under way";
	}
	for (i = 0; i < e->topo->nodes; i++)
		if (e->node[i].channels != GENMASK_ULL(e->hw.inject - 1, 0))
			return "an injection channel is held with nothing under way";
	if (!mcfab_pool_whole(&e->worm_pool))
		return "a worm is left with nothing under way";
	if (!mcfab_pool_whole(&e->relay_pool) || !mcfab_pool_whole(&e->round_pool))
		return "a relay is left with nothing under way";
	if (!mcfab_pool_whole(&e->job_pool))
		return "a job of a node is left with nothing under way";
	if (!mcfab_pool_whole(&e->copy_pool))
		return "a copy is left with nothing under way";
	if (!mcfab_pool_whole(&e->block_pool))
		return "a plan is left with nothing under way";
	return NULL;
}

/**
 * mcfab_check() - does everything add up?
 * @e: engine
 * @idle: nothing is under way, so everything must be free
 *
 * Context: boundary.
 * Return: NULL, or a sentence that says what is wrong.
 */
const char *mcfab_check(const struct mcfab_engine *e, bool idle)
{
	const char *wrong = NULL;
	u64 held = 0;
	u32 i;

	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC && !wrong;
	     i = mcfab_next_rec(e, i)) {
		wrong = check_rec(e, i, &held);
		mcfab_breathe(i + 1);
	}
	for (i = 0; i < e->hw.nvcs && !wrong; i++) {
		wrong = check_vc(e, i);
		mcfab_breathe(i + 1);
	}
	if (!wrong && idle)
		wrong = held ? "flits are left with nothing under way" : check_idle(e);
	return wrong;
}
