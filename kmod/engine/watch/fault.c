// SPDX-License-Identifier: GPL-2.0
/*
 * Links and switches that fail, or are mended, while worms are under way.
 *
 * A link fails at the end of a cycle. A packet with flits that have not crossed the link yet is
 * cut. The flits that have crossed the link go on, as far as the header has come. The flits
 * before the link follow them without meaning, and no node behind the link gets a copy. So all
 * channels become free as without the failure, and no buffer, credit or VC has to be repaired.
 * (InfiniBand's switches do the same to a packet whose end is bad.) Requests for a dead link
 * are given up, together with the destinations behind the link; other branches of the packet
 * go on.
 *
 * New routes are computed at once. But worms on old routes and worms on new routes could wait
 * for each other in a cycle. So no worm is injected until no worm is under way (static
 * reconfiguration); then the new routes are in force.
 *
 * This file costs nothing while all links are alive.
 */
#include "engine/outside/outside.h"
#include "engine/state/flits.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "engine/watch/watch.h"

/* has the packet's last flit not yet crossed the channel of a record that is in use? */
static bool crosses(const struct mcfab_engine *e, u32 nr)
{
	if (e->flags & MCFAB_ENG_WORM)
		return e->intervals.begun[nr] == U64_MAX ||
		       e->intervals.begun[nr] + e->run.flits - 1 > e->cycle;
	return e->rec[nr].sent < mcfab_len(e, nr, e->flags);
}

/* has a flit of a record's packet not crossed the record's channel yet, or is one on the link? */
static bool hit(const struct mcfab_engine *e, u32 nr)
{
	if (crosses(e, nr))
		return true;
	if (!(e->flags & MCFAB_ENG_LINKS))
		return false;
	if (e->flags & MCFAB_ENG_WORM)
		return e->intervals.begun[nr] + e->run.flits + e->hw.link_delay - 2 > e->cycle;
	return e->wire[nr].crossing;
}

/* is a record that feeds this record, or the record itself, cut? */
static bool fed_by_cut(const struct mcfab_engine *e, u32 nr)
{
	/* once the whole packet has crossed, the parent is not needed, and may be another worm's */
	while (!(e->rec[nr].flags & (MCFAB_REC_CUT | MCFAB_REC_INJECT)) && crosses(e, nr))
		nr = e->rec[nr].parent;
	return e->rec[nr].flags & MCFAB_REC_CUT;
}

/* has the packet of a record at its source flits left there? */
static bool has_inject(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	return r->flags & MCFAB_REC_INJECT && r->freed < mcfab_len(e, nr, e->flags);
}

/* drop the copies of a cut packet, and the copies of nodes that have lost their link */
static void spoil_copies(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	bool cut = r->flags & MCFAB_REC_CUT;
	u32 k, node;

	if (!(r->flags & MCFAB_REC_ABSORB))
		return;
	if (e->flags & MCFAB_ENG_COPIES) {
		for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next) {
			struct mcfab_copy *copy = &e->copy[k];

			if (copy->drop || !(cut || test_bit(copy->node, e->faults.goal->cut)))
				continue;
			mcfab_fault_abort(e, &e->shard[0], nr);
			copy->drop = mcfab_lost_reason(e, nr);
		}
		return;
	}
	if (r->flags & MCFAB_REC_DROP || e->head[nr].cons == mcfab_len(e, nr, e->flags))
		return;
	node = e->worm[r->worm].dst[e->head[nr].entry] & ~MCFAB_DST_RELAY;
	if (!cut && !test_bit(node, e->faults.goal->cut))
		return;
	r->flags |= MCFAB_REC_DROP;
	e->head[nr].dropper = node;
	mcfab_fault_abort(e, &e->shard[0], nr);
	e->head[nr].drop = mcfab_lost_reason(e, nr);
}

/* mark the records of all packets that a failure cuts */
static void cut(struct mcfab_engine *e)
{
	const struct mcfab_updown *goal = e->faults.goal;
	u32 done = 0, i;

	mcfab_mode_show(e);
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		bool dead;

		mcfab_breathe(++done);
		if (mcfab_rec_is_inject(e, i))
			dead = test_bit(mcfab_rec_node(e, i), goal->cut) && has_inject(e, i);
		else
			dead = test_bit(mcfab_vc_chan(e, mcfab_rec_vc(e, i)), goal->dead) &&
			       hit(e, i);
		if (dead)
			e->rec[i].flags |= MCFAB_REC_CUT;
	}
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		mcfab_breathe(++done);
		if (!mcfab_rec_is_inject(e, i) && fed_by_cut(e, i))
			e->rec[i].flags |= MCFAB_REC_CUT;
		spoil_copies(e, i);
	}
}

/* links have failed or were mended: cut packets, and inject no more worms */
static void begin_change(struct mcfab_engine *e, struct mcfab_updown *ud)
{
	mcfab_updown_put(e->faults.goal);
	e->faults.goal = ud;
	e->faults.lossy |= ud->faulty;
	e->faults.paused = true;
	e->faults.rescan = e->cycle + 1;
	if (ud->faulty)
		cut(e);
	if (e->outside.from)
		mcfab_outside_links(e);
}

/* no worm is under way: the new routes are in force */
static void end_change(struct mcfab_engine *e)
{
	u32 i;

	mcfab_updown_put(e->faults.updown);
	e->faults.updown = mcfab_updown_get(e->faults.goal);
	e->pol->view.updown = e->faults.updown;
	e->faults.paused = false;
	e->faults.routes++;
	for (i = 0; i < e->topo->nodes; i++) {
		mcfab_breathe(i + 1);
		mcfab_timers_set(&e->shard[e->shard_of_node[i]].timers, i, e->cycle + 1);
	}
}

/**
 * mcfab_fault_step() - begin and end changes of links that are due at the end of a cycle
 * @e: engine; mcfab_fault_due()
 *
 * Context: boundary; may sleep.
 * Return: whether the next cycle has something to do.
 */
bool mcfab_fault_step(struct mcfab_engine *e)
{
	struct mcfab_updown *ud = xchg(&e->faults.change, NULL);
	bool change = ud;

	if (ud)
		begin_change(e, ud);
	while (e->cycle >= e->faults.due) {
		begin_change(e, mcfab_updown_get(e->faults.list[e->faults.next++].updown));
		e->faults.due = e->faults.next < e->faults.count ?
				e->faults.list[e->faults.next].cycle : U64_MAX;
		change = true;
	}
	if (e->faults.paused && mcfab_pool_whole(&e->worm_pool)) {
		end_change(e);
		change = true;
	}
	return change;
}

/**
 * mcfab_fault_mark() - mark all routers of a shard: all their requests are looked at again
 * @e: engine
 * @s: the shard
 *
 * Context: grant phase of the cycle after a failure.
 */
void mcfab_fault_mark(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 r;

	for (r = s->router; r < mcfab_shard_end(e, s); r++) {
		mcfab_breathe(r);
		mcfab_router_mark(e, s, r);
	}
}

/**
 * mcfab_fault_open() - prepare the failures that a run's configuration lists
 * @e: engine; its policy is open
 * @ud: up*-down* routing of the fabric, or NULL
 * @run: the run
 * @err: filled in when it is refused
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: 0, -EINVAL, -EOPNOTSUPP, or as mcfab_updown_change(). mcfab_fault_close() is to be
 *	   called in any case.
 */
int mcfab_fault_open(struct mcfab_engine *e, struct mcfab_updown *ud,
		     const struct mcfab_run_cfg *run, struct mcfab_err *err)
{
	u32 i;

	e->faults.updown = mcfab_updown_get(ud);
	e->faults.goal = mcfab_updown_get(ud);
	e->faults.lossy = ud && ud->faulty;
	e->faults.due = U64_MAX;
	e->faults.routes = 1;
	err->what = MCFAB_OPTION_RUN_FAULT;
	if (run->nfaults && !ud)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_FAULT,
				    "links fail on fabrics with routing updown only");
	if (run->nfaults && run->workload.kind == MCFAB_WORKLOAD_TYPE_LONE)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FAULT,
				    "lone multicasts have a network that does not change");
	for (i = 0; i < run->nfaults; i++) {
		err->index = i;
		if (i && run->fault[i].cycle < run->fault[i - 1].cycle)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FAULT,
					    "a failure at cycle %llu comes after a later one",
					    (unsigned long long)run->fault[i].cycle);
		ud = mcfab_updown_change(ud, &run->fault[i], err);
		err->what = MCFAB_OPTION_RUN_FAULT;
		if (IS_ERR(ud))
			return PTR_ERR(ud);
		e->faults.list[i].cycle = run->fault[i].cycle;
		e->faults.list[i].updown = ud;
		e->faults.count++;
	}
	err->what = MCFAB_OPTION_NONE;
	if (e->faults.count)
		e->faults.due = e->faults.list[0].cycle;
	return 0;
}

/**
 * mcfab_fault_close() - undo mcfab_fault_open()
 * @e: engine
 *
 * Context: may sleep.
 */
void mcfab_fault_close(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->faults.count; i++)
		mcfab_updown_put(e->faults.list[i].updown);
	mcfab_updown_put(xchg(&e->faults.change, NULL));
	mcfab_updown_put(e->faults.updown);
	mcfab_updown_put(e->faults.goal);
}
