// SPDX-License-Identifier: GPL-2.0
/* What dead links keep from destinations: requests, packets, whole messages. */
#include "engine/state/lost.h"

/**
 * mcfab_fault_abort() - dead links take destinations from a packet's worm
 * @e: engine
 * @s: shard that counts it
 * @rec: record of the packet
 *
 * Context: grant phase or boundary.
 */
void mcfab_fault_abort(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	if (!atomic_xchg(&e->worm[e->rec[rec].worm].cut, 1))
		s->drops[MCFAB_DROP_ABORTED]++;
}

/**
 * mcfab_fault_given_up() - is a request without hope?
 * @e: engine with dead links
 * @req: the request; loses ports that are dead
 * @router: where it waits
 *
 * Context: grant phase of the router's shard.
 * Return: whether it is.
 */
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_request *req, u32 router)
{
	const unsigned long *dead = e->faults.goal->dead;
	u32 p, n = 0;

	if (e->rec[req->rec].flags & MCFAB_REC_CUT)
		return true;
	if (req->node != MCFAB_NONE)
		return test_bit(req->node, e->faults.goal->cut);
	for (p = 0; p < req->nports; p++) {
		if (test_bit(mcfab_topo_channel(e->topo, router, req->port[p]), dead))
			continue;
		req->port[n] = req->port[p];
		req->vcs[n++] = req->vcs[p];
	}
	req->nports = n;
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
	mcfab_fault_abort(e, s, rec);
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
	if (e->run.packets > 1 && e->pol->ops->flags & MCFAB_POLICY_TREE && !m->unicast &&
	    m->routes != e->faults.routes)
		return true;
	return e->faults.lossy && test_bit(node, e->faults.goal->cut);
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
		if (mcfab_updown_reaches(e->faults.updown, source, dst[i]))
			dst[n++] = dst[i];
	return n;
}
