// SPDX-License-Identifier: GPL-2.0
/* Making plans: the part of the core around a policy's prepare(). */
#include "plan/plan.h"
#include "plan/policy.h"

/*
 * The working space begins with a bit for each node that is still to be delivered to when a plan is
 * checked. Between two plans no bit is set.
 */
static size_t seen_bytes(const struct mcfab_topo *topo)
{
	return ALIGN(BITS_TO_LONGS(topo->nodes) * sizeof(long), sizeof(u64));
}

/**
 * mcfab_plan_bounds() - room that a plan needs
 * @pol: the policy
 * @ndst: destinations
 * @worms: set to the most worms
 * @dsts: set to the most entries of their destination lists
 * @scratch: set to the bytes of working space
 *
 * Context: Any.
 */
void mcfab_plan_bounds(const struct mcfab_policy *pol, u32 ndst, u32 *worms, u32 *dsts,
		       size_t *scratch)
{
	*worms = ndst;
	*dsts = ndst;
	*scratch = 0;
	if (pol->ops->max_plan)
		pol->ops->max_plan(&pol->view, pol->priv, ndst, worms, dsts);
	if (pol->ops->scratch)
		*scratch = pol->ops->scratch(&pol->view, pol->priv, ndst);
	*scratch += seen_bytes(pol->view.topo);
}

/*
 * A sender's worms leave as its injection channels allow: the first group in round 0, the next
 * group in round 1. Worms of one sender and step follow each other.
 */
static void number_rounds(struct mcfab_plan *plan, u32 inject)
{
	u32 i, round = 0, in_round = 0;

	for (i = 0; i < plan->nworms; i++) {
		struct mcfab_plan_worm *worm = &plan->worm[i];

		if (!i || worm->sender != worm[-1].sender || worm->after != worm[-1].after) {
			round = 0;
			in_round = 0;
		} else if (in_round == inject) {
			round++;
			in_round = 0;
		}
		worm->round = round;
		in_round++;
	}
}

static u32 node_of(const struct mcfab_plan *plan, u32 entry)
{
	return plan->dst[entry] & ~(u32)MCFAB_DST_RELAY;
}

/*
 * What is wrong with an entry that delivers to a node: it is no destination, or it has had its
 * entry.
 */
static const char *why_not(const struct mcfab_plan *plan, u32 entry)
{
	u32 i;

	for (i = 0; i < entry; i++)
		if (plan->dst[i] == plan->dst[entry])
			return "it is delivered twice";
	return "it is no destination";
}

/* Compares the nodes of all worms with the nodes of the request, which are in @seen. */
static int check_nodes(const struct mcfab_topo *topo, u32 source, u32 ndst,
		       const struct mcfab_plan *plan, unsigned long *seen,
		       struct mcfab_blame *blame)
{
	const u32 *dst = plan->dst, nodes = topo->nodes;
	u32 i, k = 0, end, node, delivered = 0;

	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *worm = &plan->worm[i];

		if (worm->first != k || !worm->count || worm->count > plan->ndst - k)
			return mcfab_blame(blame, worm->count ? "its list is not its own" :
					   "it has no destination", i, MCFAB_NONE);
		for (end = k + worm->count; k < end; k++) {
			node = dst[k] & ~(u32)MCFAB_DST_RELAY;
			if (node >= nodes)
				return mcfab_blame(blame, "there is no such node", i, node);
			if (node == source)
				return mcfab_blame(blame, "it is the source", i, node);
			if (dst[k] & MCFAB_DST_RELAY)
				continue;
			if (!__test_and_clear_bit(node, seen))
				return mcfab_blame(blame, why_not(plan, k), i, node);
			delivered++;
		}
	}
	if (k != plan->ndst)
		return mcfab_blame(blame, "the plan has entries of no worm", MCFAB_NONE,
				   MCFAB_NONE);
	if (delivered == ndst)
		return 0;
	node = find_first_bit(seen, topo->nodes);
	return mcfab_blame(blame, "it is not delivered", MCFAB_NONE, node);
}

/*
 * Finds the entry that delivers to a sender. Senders of a step stand in the order of these entries,
 * as the worms of the step before do: the search goes on at @from.
 */
static u32 find_entry(const struct mcfab_plan *plan, const struct mcfab_plan_worm *worm, u32 node,
		      u32 from)
{
	u32 i;

	for (i = max(worm->first, from); i < worm->first + worm->count; i++)
		if (node_of(plan, i) == node)
			return i;
	return MCFAB_NONE;
}

/* Does every sender have the message before it sends? Linear: no entry is looked at twice. */
static int check_senders(const struct mcfab_plan *plan, u32 source, struct mcfab_blame *blame)
{
	u32 i, from = 0, step;

	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *worm = &plan->worm[i];

		step = 1;
		if (worm->after == MCFAB_NONE) {
			if (worm->sender != source)
				return mcfab_blame(blame, "it sends, but waits for nothing", i,
						   worm->sender);
		} else {
			if (worm->after >= i)
				return mcfab_blame(blame, "it waits for a later worm", i,
						   MCFAB_NONE);
			step = plan->worm[worm->after].step + 1;
			from = find_entry(plan, &plan->worm[worm->after], worm->sender, from);
			if (from == MCFAB_NONE)
				return mcfab_blame(blame, "it sends before others, or has nothing",
						   i, worm->sender);
		}
		if (worm->step != step || (i && worm[-1].step > step))
			return mcfab_blame(blame, "it is out of the order of steps", i,
					   MCFAB_NONE);
	}
	return 0;
}

/**
 * mcfab_plan_check() - check that a plan keeps its promises
 * @topo: the network
 * @source: the multicast's source
 * @dst: its destinations
 * @ndst: how many
 * @plan: the plan
 * @seen: room for one bit per node; overwritten
 * @blame: the error
 *
 * Every destination is in the plan exactly once, and other nodes only as relays. A sender has the
 * message before it sends. Worms are in order of step, and of sender by delivery.
 * mcfab_plan_prepare() has done this already.
 *
 * Context: Any. Takes time in proportion to the nodes, worms and entries.
 * Return: 0 or -EINVAL.
 */
int mcfab_plan_check(const struct mcfab_topo *topo, u32 source, const u32 *dst, u32 ndst,
		     const struct mcfab_plan *plan, unsigned long *seen,
		     struct mcfab_blame *blame)
{
	int ret;
	u32 i;

	memset(seen, 0, seen_bytes(topo));
	for (i = 0; i < ndst; i++)
		__set_bit(dst[i], seen);
	ret = check_nodes(topo, source, ndst, plan, seen, blame);
	return ret ?: check_senders(plan, source, blame);
}

/**
 * mcfab_plan_prepare() - have a policy make the plan of a multicast, and check it
 * @pol: the policy
 * @source: node that sends
 * @dst: distinct destinations without @source; may be reordered
 * @ndst: how many, at least one
 * @plan: plan whose arrays have the room that mcfab_plan_bounds() asks for
 * @scratch: the working space that mcfab_plan_bounds() asks for, aligned for any type; all zero
 *	     before the first plan, and left to this function
 * @blame: the error in the plan
 *
 * The request is noted before the policy sees it, and compared with the plan afterwards, in
 * time that is proportional to destinations, worms and entries: see mcfab_plan_check().
 *
 * Context: Any.
 * Return: 0, or -EINVAL: the plan does not serve the request and must not be sent.
 */
int mcfab_plan_prepare(const struct mcfab_policy *pol, u32 source, u32 *dst, u32 ndst,
		       struct mcfab_plan *plan, void *scratch, struct mcfab_blame *blame)
{
	const struct mcfab_topo *topo = pol->view.topo;
	unsigned long *seen = scratch;
	const char *why;
	int ret = 0;
	u32 i;

	for (i = 0; i < ndst; i++)
		__set_bit(dst[i], seen);
	plan->nworms = 0;
	plan->ndst = 0;
	pol->ops->prepare(&pol->view, pol->priv, source, dst, ndst, plan,
			  scratch + seen_bytes(topo));
	if (plan->nworms > plan->max_worms || plan->ndst > plan->max_dst)
		ret = mcfab_blame(blame, "the plan is longer than its own bound", MCFAB_NONE,
				  MCFAB_NONE);
	ret = ret ?: check_nodes(topo, source, ndst, plan, seen, blame);
	ret = ret ?: check_senders(plan, source, blame);
	if (ret) {
		memset(seen, 0, seen_bytes(topo));
		why = mcfab_policy_wrong(pol, NULL);
		return why ? mcfab_blame(blame, why, MCFAB_NONE, MCFAB_NONE) : ret;
	}
	number_rounds(plan, pol->view.inject);
	return 0;
}
