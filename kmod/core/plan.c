// SPDX-License-Identifier: GPL-2.0
/*
 * Making plans: the core's part around a policy's prepare().
 */
#include "core/plan.h"
#include "core/policy.h"

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
}

/*
 * A sender's worms leave as its injection channels allow: the first of them in
 * round 0, the next in round 1. Worms of one sender and step follow each other.
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

/**
 * mcfab_plan_prepare() - have a policy make the plan of a multicast
 * @pol: the policy
 * @source: node that sends
 * @dst: distinct destinations without @source; may be reordered
 * @ndst: how many, at least one
 * @plan: plan whose arrays have the room that mcfab_plan_bounds() asks for
 * @scratch: the working space it asks for, aligned for any type
 *
 * Context: Any.
 * Return: 0, or -EOVERFLOW if the policy overran its own bounds.
 */
int mcfab_plan_prepare(const struct mcfab_policy *pol, u32 source, u32 *dst, u32 ndst,
		       struct mcfab_plan *plan, void *scratch)
{
	plan->nworms = 0;
	plan->ndst = 0;
	pol->ops->prepare(&pol->view, pol->priv, source, dst, ndst, plan, scratch);
	if (plan->nworms > plan->max_worms || plan->ndst > plan->max_dst)
		return -EOVERFLOW;
	number_rounds(plan, pol->view.inject);
	return 0;
}

/* Where a sender stands in the plan: the entry that delivers to it. */
static u32 find_entry(const struct mcfab_plan *plan, const struct mcfab_plan_worm *worm, u32 node)
{
	u32 i;

	for (i = worm->first; i < worm->first + worm->count; i++)
		if ((plan->dst[i] & ~(u32)MCFAB_DST_RELAY) == node)
			return i;
	return MCFAB_NONE;
}

static int check_worm(const struct mcfab_plan *plan, u32 index, u32 source, u32 *entry,
		      struct mcfab_err *err)
{
	const struct mcfab_plan_worm *worm = &plan->worm[index];
	u32 step = 1, from = MCFAB_NONE;

	if (!worm->count)
		return mcfab_refuse(err, -EINVAL, 0, "worm %u has no destination", index);
	if (worm->after == MCFAB_NONE) {
		if (worm->sender != source)
			return mcfab_refuse(err, -EINVAL, 0,
					    "worm %u is sent by %u, which waits for nothing",
					    index, worm->sender);
	} else {
		if (worm->after >= index)
			return mcfab_refuse(err, -EINVAL, 0, "worm %u waits for the later worm %u",
					    index, worm->after);
		step = plan->worm[worm->after].step + 1;
		from = find_entry(plan, &plan->worm[worm->after], worm->sender);
		if (from == MCFAB_NONE)
			return mcfab_refuse(err, -EINVAL, 0,
					    "worm %u waits for %u, which does not reach %u",
					    index, worm->after, worm->sender);
	}
	if (worm->step != step || (index && worm[-1].step > step))
		return mcfab_refuse(err, -EINVAL, 0, "worm %u is out of the order of steps",
				    index);
	/* Entries stand in delivery order: senders of a step ascend in them. */
	if (index && worm[-1].step == step && step > 1 && from < *entry)
		return mcfab_refuse(err, -EINVAL, 0, "worm %u is out of the order of senders",
				    index);
	*entry = from;
	return 0;
}

/**
 * mcfab_plan_check() - check a plan against what plans promise
 * @topo: the network
 * @source: the multicast's source
 * @dst: its destinations
 * @ndst: how many
 * @plan: the plan
 * @seen: room for one bit per node; overwritten
 * @err: what is wrong
 *
 * Every destination is delivered exactly once and no other node is, except as a
 * relay; a sender has the message before it sends; worms are in order of step,
 * of sender by delivery, and of round. For tests and debug builds: quadratic in
 * the worst case.
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_plan_check(const struct mcfab_topo *topo, u32 source, const u32 *dst, u32 ndst,
		     const struct mcfab_plan *plan, unsigned long *seen, struct mcfab_err *err)
{
	u32 i, node, entry = 0, delivered = 0;
	int ret;

	err->index = 0;
	memset(seen, 0, BITS_TO_LONGS(topo->nodes) * sizeof(*seen));
	for (i = 0; i < ndst; i++)
		__set_bit(dst[i], seen);
	for (i = 0; i < plan->ndst; i++) {
		node = plan->dst[i] & ~(u32)MCFAB_DST_RELAY;
		if (node >= topo->nodes || node == source)
			return mcfab_refuse(err, -EINVAL, 0, "node %u cannot be delivered to",
					    node);
		if (plan->dst[i] & MCFAB_DST_RELAY)
			continue;
		if (!test_bit(node, seen))
			return mcfab_refuse(err, -EINVAL, 0,
					    "node %u is delivered twice or for nothing", node);
		__clear_bit(node, seen);
		delivered++;
	}
	if (delivered != ndst)
		return mcfab_refuse(err, -EINVAL, 0, "%u of %u destinations are delivered",
				    delivered, ndst);
	for (i = 0; i < plan->nworms; i++) {
		ret = check_worm(plan, i, source, &entry, err);
		if (ret)
			return ret;
	}
	return 0;
}
