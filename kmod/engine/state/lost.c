// SPDX-License-Identifier: GPL-2.0
/*
 * Requests, packets and messages that dead links keep from their destinations, and packets that
 * were aborted to end a deadlock.
 */
#include "engine/state/lost.h"

/**
 * mcfab_fault_abort() - note that a packet's worm has lost destinations to dead links, unless it
 *			 was aborted before
 * @e: engine
 * @s: shard that counts the worm
 * @rec: record of the packet
 *
 * Context: grant phase or boundary.
 */
void mcfab_fault_abort(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	if (!atomic_cmpxchg(&e->worm[e->rec[rec].worm].cut, MCFAB_CUT_NOT, MCFAB_CUT_LINK))
		s->drops[MCFAB_DROP_ABORTED]++;
}

/**
 * mcfab_fault_given_up() - has a request lost all its outputs to dead links?
 * @e: engine with dead links, or aborted worms
 * @req: the request; loses ports that are dead
 * @router: the router where it waits
 *
 * Context: grant phase of the router's shard.
 * Return: true if it has, or if its packet is cut.
 */
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_request *req, u32 router)
{
	const struct mcfab_updown *goal = e->faults.goal;
	u32 p, n = 0;

	if (e->rec[req->rec].flags & MCFAB_REC_CUT)
		return true;
	if (!goal)
		return false;
	if (req->node != MCFAB_NONE)
		return test_bit(req->node, goal->cut);
	for (p = 0; p < req->nports; p++) {
		if (test_bit(mcfab_topo_channel(e->topo, router, req->port[p]),
			     goal->dead))
			continue;
		req->port[n] = req->port[p];
		req->vcs[n++] = req->vcs[p];
	}
	req->nports = n;
	return !n;
}

/**
 * mcfab_fault_left_out() - count destinations to which a decision has no way
 * @out: the decision
 * @count: destinations of the header
 *
 * For a message that was planned with old routes, the new routes may not reach all destinations.
 *
 * Context: grant phase.
 * Return: their number.
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
 * @count: number of destinations
 *
 * Context: grant phase.
 */
void mcfab_fault_lost(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count)
{
	mcfab_fault_abort(e, s, rec);
	s->drops[mcfab_lost_reason(e, rec)] += count;
}

/**
 * mcfab_fault_useless() - is a packet lost before it leaves its node?
 * @e: engine of a fabric with up*-down* routing
 * @node: the node
 * @m: the packet's message
 *
 * The node is cut off; or the message was planned with other routes, and goes as trees of several
 * packets: all packets of a tree have to branch in the same way.
 *
 * Context: grant phase.
 * Return: true if it is.
 */
bool mcfab_fault_useless(const struct mcfab_engine *e, u32 node, const struct mcfab_mcast *m)
{
	if (m->packets > 1 && e->pol->ops->flags & MCFAB_POLICY_TREE && !m->unicast &&
	    m->routes != e->faults.routes)
		return true;
	return mcfab_fault_cut_off(e, node);
}

/**
 * mcfab_fault_reachable() - leave out destinations to which no link leads any more
 * @e: engine with dead links
 * @source: the source
 * @dst: destinations; the reachable ones come first afterwards
 * @ndst: number of destinations
 *
 * Context: grant phase.
 * Return: number of reachable destinations.
 */
u32 mcfab_fault_reachable(struct mcfab_engine *e, u32 source, u32 *dst, u32 ndst)
{
	u32 i, n = 0;

	for (i = 0; i < ndst; i++)
		if (mcfab_updown_reaches(e->faults.updown, source, dst[i]))
			dst[n++] = dst[i];
	return n;
}
