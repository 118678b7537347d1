// SPDX-License-Identifier: GPL-2.0
/*
 * Links and switches that fail, or are mended, while worms are under way.
 *
 * At the end of a cycle a link is dead. A packet of which a part was still to cross it is
 * cut: what is in front of the link goes on, with flits that mean nothing in place of those
 * that are missing, as far as its header has come, what is behind it goes after, and
 * nobody gets a copy. So all channels become free as they would have, and no buffer, credit
 * or arbiter has to be put right. (InfiniBand's switches do the same to a packet whose end
 * is bad.) Requests for a dead link are given up, and the destinations behind it with them;
 * other branches of the packet go on.
 *
 * Routes are found anew at once, but worms by old and by new routes could wait for each
 * other in a circle. So nothing is injected until no worm is under way (static
 * reconfiguration); then the new routes are in force.
 *
 * Nothing here costs anything while all links are alive.
 */
#include <linux/mcfab.h>
#include "engine/engine.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

/* has the packet's last flit not yet crossed the channel of a record that is in use? */
static bool crosses(const struct mcfab_engine *e, u32 nr)
{
	if (e->flags & MCFAB_ENG_WORM)
		return e->begun[nr] == U64_MAX || e->begun[nr] + e->flits - 1 > e->cycle;
	return e->rec[nr].sent < mcfab_len(e, nr, e->flags);
}

/* is a flit of it still to come, or on the link? */
static bool hit(const struct mcfab_engine *e, u32 nr)
{
	u64 tail;

	if (crosses(e, nr))
		return true;
	if (e->link_delay == 1)
		return false;
	tail = e->flags & MCFAB_ENG_WORM ? e->begun[nr] + e->flits - 1 : e->stamp[nr];
	return tail + e->link_delay - 1 > e->cycle;
}

/* does what comes into a record come out of one that is cut? */
static bool fed_by_cut(const struct mcfab_engine *e, u32 nr)
{
	/* a packet that is all there has no use for the one before, which may be another's */
	while (!(e->rec[nr].flags & (MCFAB_REC_CUT | MCFAB_REC_INJECT)) && crosses(e, nr))
		nr = e->rec[nr].parent;
	return e->rec[nr].flags & MCFAB_REC_CUT;
}

static bool has_inject(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	return r->flags & MCFAB_REC_INJECT && r->freed < mcfab_len(e, nr, e->flags);
}

static void note_aborted(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	if (!atomic_xchg(&e->worm[e->rec[rec].worm].cut, 1))
		s->drops[MCFAB_DROP_ABORTED]++;
}

/* who copies what is cut, or has no link any more, gets nothing */
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

			if (copy->drop || !(cut || test_bit(copy->node, e->goal->cut)))
				continue;
			copy->drop = MCFAB_DROP_LINK;
			note_aborted(e, &e->shard[0], nr);
		}
		return;
	}
	if (r->flags & MCFAB_REC_DROP || e->front[nr].cons == mcfab_len(e, nr, e->flags))
		return;
	node = e->worm[r->worm].dst[e->front[nr].dst] & ~MCFAB_DST_RELAY;
	if (!cut && !test_bit(node, e->goal->cut))
		return;
	r->flags |= MCFAB_REC_DROP;
	e->front[nr].dst = node;
	e->front[nr].state = MCFAB_DROP_LINK;
	note_aborted(e, &e->shard[0], nr);
}

/* the packets that a failure cuts */
static void cut(struct mcfab_engine *e)
{
	u32 done = 0, i;

	mcfab_show_flits(e);
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		bool dead;

		mcfab_breathe(++done);
		if (mcfab_rec_is_inject(e, i))
			dead = test_bit(mcfab_rec_node(e, i), e->goal->cut) && has_inject(e, i);
		else
			dead = test_bit(mcfab_vc_chan(e, mcfab_rec_vc(e, i)), e->goal->dead) &&
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

/* what has changed is known: cut, and let no more worms in */
static void begin_change(struct mcfab_engine *e, struct mcfab_updown *ud)
{
	mcfab_updown_put(e->goal);
	e->goal = ud;
	e->lossy |= ud->faulty;
	e->paused = true;
	e->rescan = e->cycle + 1;
	if (ud->faulty)
		cut(e);
}

/* no worm is under way: the new routes are in force */
static void end_change(struct mcfab_engine *e)
{
	u32 i;

	mcfab_updown_put(e->updown);
	e->updown = mcfab_updown_get(e->goal);
	e->fabric->policy.view.updown = e->updown;
	e->paused = false;
	e->routes++;
	for (i = 0; i < e->topo->nodes; i++) {
		mcfab_breathe(i + 1);
		mcfab_agenda_set(&e->shard[e->shard_of_node[i]].agenda, i, e->cycle + 1);
	}
}

/**
 * mcfab_fault_step() - do what is due at the end of a cycle
 * @e: engine; mcfab_fault_due()
 *
 * Context: boundary; may sleep.
 * Return: whether the next cycle has something to do.
 */
bool mcfab_fault_step(struct mcfab_engine *e)
{
	struct mcfab_updown *ud = xchg(&e->request, NULL);
	bool change = ud;

	if (ud)
		begin_change(e, ud);
	while (e->cycle >= e->fault_due) {
		begin_change(e, mcfab_updown_get(e->faults[e->fault++].updown));
		e->fault_due = e->fault < e->nfaults ? e->faults[e->fault].cycle : U64_MAX;
		change = true;
	}
	if (e->paused && mcfab_pool_whole(&e->worm_pool)) {
		end_change(e);
		change = true;
	}
	return change;
}

/**
 * mcfab_fault_touch() - look at all requests again
 * @e: engine
 * @s: the shard
 *
 * Context: grant phase of the cycle after a failure.
 */
void mcfab_fault_touch(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 r;

	for (r = s->router; r < mcfab_shard_end(e, s); r++) {
		mcfab_breathe(r);
		mcfab_router_touch(e, s, r);
	}
}

/**
 * mcfab_fault_given_up() - is a request without hope?
 * @e: engine with dead links
 * @ask: the request; loses ports that are dead
 * @router: where it waits
 *
 * Context: grant phase of the router's shard.
 * Return: whether it is.
 */
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_ask *ask, u32 router)
{
	u32 p, n = 0;

	if (e->rec[ask->rec].flags & MCFAB_REC_CUT)
		return true;
	if (ask->node != MCFAB_NONE)
		return test_bit(ask->node, e->goal->cut);
	for (p = 0; p < ask->nports; p++) {
		if (test_bit(mcfab_topo_channel(e->topo, router, ask->port[p]), e->goal->dead))
			continue;
		ask->port[n] = ask->port[p];
		ask->vcs[n++] = ask->vcs[p];
	}
	ask->nports = n;
	return !n;
}

/**
 * mcfab_fault_left_out() - destinations that a decision has no way to
 * @out: the decision
 * @count: destinations of the header
 *
 * A message that was planned by old routes may have none to some by the new ones.
 *
 * Context: grant phase.
 * Return: how many.
 */
u32 mcfab_fault_left_out(const struct mcfab_decision *out, u32 count)
{
	u32 i;

	for (i = 0; i < out->nbranches; i++)
		count -= out->branch[i].node == MCFAB_NONE ?
			 out->branch[i].last - out->branch[i].first : 1;
	return count;
}

/**
 * mcfab_fault_lost() - count destinations that get nothing
 * @e: engine
 * @s: shard that runs this
 * @rec: record of the packet
 * @count: how many destinations
 *
 * Context: grant phase.
 */
void mcfab_fault_lost(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count)
{
	note_aborted(e, s, rec);
	s->drops[MCFAB_DROP_LINK] += count;
}

/**
 * mcfab_fault_useless() - is a packet lost before it leaves its node?
 * @e: engine of a fabric with up*-down* routing
 * @node: the node
 * @m: the packet's message
 *
 * Because the node is cut off, or because its message was planned by other routes: a tree
 * of several packets splits in the same way for all of them.
 *
 * Context: grant phase.
 * Return: whether it is.
 */
bool mcfab_fault_useless(const struct mcfab_engine *e, u32 node, const struct mcfab_mcast *m)
{
	if (e->packets > 1 && e->pol->ops->flags & MCFAB_POLICY_TREE && !m->unicast &&
	    m->routes != e->routes)
		return true;
	return e->lossy && test_bit(node, e->goal->cut);
}

/**
 * mcfab_fault_reachable() - leave out destinations that nothing leads to
 * @e: engine with dead links
 * @source: the source
 * @dst: destinations; those that are reached come first afterwards
 * @ndst: how many
 *
 * Context: grant phase.
 * Return: how many are reached.
 */
u32 mcfab_fault_reachable(struct mcfab_engine *e, u32 source, u32 *dst, u32 ndst)
{
	u32 i, n = 0;

	for (i = 0; i < ndst; i++)
		if (mcfab_updown_reaches(e->updown, source, dst[i]))
			dst[n++] = dst[i];
	return n;
}

/**
 * mcfab_fault_open() - ready for the failures of a run
 * @e: engine; its policy is open
 * @run: the run
 * @err: filled in when it is refused
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: 0, -EINVAL, -EOPNOTSUPP, or as mcfab_updown_change(). mcfab_fault_close() is to be
 *	   called in any case.
 */
int mcfab_fault_open(struct mcfab_engine *e, const struct mcfab_run_cfg *run,
		     struct mcfab_err *err)
{
	struct mcfab_updown *ud = e->fabric->updown;
	u32 i;

	e->updown = mcfab_updown_get(ud);
	e->goal = mcfab_updown_get(ud);
	e->lossy = ud && ud->faulty;
	e->fault_due = U64_MAX;
	e->routes = 1;
	err->attr = MCFAB_A_RUN_FAULT;
	if (run->nfaults && !ud)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_A_RUN_FAULT,
				    "links fail on fabrics with routing updown only");
	if (run->nfaults && run->workload.kind == MCFAB_LONE)
		return mcfab_refuse(err, -EINVAL, MCFAB_A_RUN_FAULT,
				    "lone multicasts have a network that does not change");
	for (i = 0; i < run->nfaults; i++) {
		err->index = i;
		if (i && run->fault[i].cycle < run->fault[i - 1].cycle)
			return mcfab_refuse(err, -EINVAL, MCFAB_A_RUN_FAULT,
					    "a failure at cycle %llu comes after a later one",
					    (unsigned long long)run->fault[i].cycle);
		ud = mcfab_updown_change(ud, &run->fault[i], err);
		err->attr = MCFAB_A_RUN_FAULT;
		if (IS_ERR(ud))
			return PTR_ERR(ud);
		e->faults[i].cycle = run->fault[i].cycle;
		e->faults[i].updown = ud;
		e->nfaults++;
	}
	err->attr = 0;
	if (e->nfaults)
		e->fault_due = e->faults[0].cycle;
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

	for (i = 0; i < e->nfaults; i++)
		mcfab_updown_put(e->faults[i].updown);
	mcfab_updown_put(xchg(&e->request, NULL));
	mcfab_updown_put(e->updown);
	mcfab_updown_put(e->goal);
}
