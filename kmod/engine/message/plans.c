// SPDX-License-Identifier: GPL-2.0
/*
 * Plans that the policy makes for messages. A shard keeps some of those for messages from outside,
 * whose destinations are often the same: the plans last used, each in the one place that its node
 * and its set of destinations have by their numbers.
 */
#include "base/random.h"
#include "engine/message/message.h"
#include "engine/state/lost.h"

static void plan_children(struct mcfab_block *block)
{
	struct mcfab_plan *plan = &block->plan;
	u32 i;

	for (i = 0; i < plan->nworms; i++)
		block->children[i] = MCFAB_NONE;
	for (i = plan->nworms; i-- > 0; )
		if (plan->worm[i].after != MCFAB_NONE)
			block->children[plan->worm[i].after] = i;
}

/*
 * Number of the set of destinations of a node's next message; 0: it has none, or no plan is kept
 * for it, because some of its nodes may not be reachable now.
 */
static u64 set_number(const struct mcfab_engine *e, u32 nr)
{
	struct mcfab_inbox *in;

	if (!e->outside.from || mcfab_fault_links(e))
		return 0;
	in = e->outside.from->inbox[nr];
	return mcfab_inbox_at(in, in->taken)->set;
}

/* where the plan of a node for a set is kept, or would be */
static u32 kept_place(const struct mcfab_engine *e, u32 nr, u64 set)
{
	return (mcfab_mix64(mcfab_mix64(set) + nr) >> 32) % e->run.kept;
}

/* the arrays of a kept plan */
static void point_to(const struct mcfab_engine *e, const struct mcfab_shard *s, u32 place,
		     struct mcfab_block *kept)
{
	kept->plan.worm = s->kept_memory + place * e->run.kept_bytes;
	kept->children = (u32 *)(kept->plan.worm + e->run.max_worms);
	kept->plan.dst = kept->children + e->run.max_worms;
}

static void copy_plan(struct mcfab_block *to, const struct mcfab_block *from)
{
	to->plan.nworms = from->plan.nworms;
	to->plan.ndst = from->plan.ndst;
	memcpy(to->plan.worm, from->plan.worm, from->plan.nworms * sizeof(*to->plan.worm));
	memcpy(to->plan.dst, from->plan.dst, from->plan.ndst * sizeof(*to->plan.dst));
	memcpy(to->children, from->children, from->plan.nworms * sizeof(*to->children));
}

/* use the plan that is kept for a set; false: there is none */
static bool recall(const struct mcfab_engine *e, const struct mcfab_shard *s,
		   struct mcfab_block *block, u32 nr, u64 set)
{
	u32 place = kept_place(e, nr, set);
	const struct mcfab_kept *entry = &s->kept[place];
	struct mcfab_block kept;

	if (entry->set != set || entry->node != nr || entry->routes != e->faults.routes)
		return false;
	point_to(e, s, place, &kept);
	kept.plan.nworms = entry->nworms;
	kept.plan.ndst = entry->ndst;
	copy_plan(block, &kept);
	return true;
}

/* keep the plan for a set, in the place of another */
static void keep(const struct mcfab_engine *e, const struct mcfab_shard *s,
		 const struct mcfab_block *block, u32 nr, u64 set)
{
	u32 place = kept_place(e, nr, set);
	struct mcfab_block kept;

	s->kept[place] = (struct mcfab_kept){
		.set = set, .node = nr, .routes = e->faults.routes,
		.nworms = block->plan.nworms, .ndst = block->plan.ndst,
	};
	point_to(e, s, place, &kept);
	copy_plan(&kept, block);
}

/**
 * mcfab_message_plan() - have the policy plan a node's next message
 * @e: engine
 * @s: shard of the node; its @dst has the destinations
 * @block: memory of the plan
 * @nr: the node
 * @ndst: number of destinations
 * @blame: filled in if the plan is wrong
 *
 * Where the outside says that messages have the same destinations, the policy plans the first, and
 * the others of the node get copies of its plan.
 *
 * Context: grant phase of the node's shard.
 * Return: false if the plan is wrong.
 */
bool mcfab_message_plan(const struct mcfab_engine *e, struct mcfab_shard *s,
			struct mcfab_block *block, u32 nr, u32 ndst, struct mcfab_blame *blame)
{
	u64 set = set_number(e, nr);
	int ret;

	if (set && recall(e, s, block, nr, set))
		return true;
	ret = mcfab_plan_prepare(e->pol, nr, s->dst, ndst, &block->plan, s->scratch, blame);
	/* a plan may take long, and so may the next node's plan */
	cond_resched();
	if (ret)
		return false;
	plan_children(block);
	if (set)
		keep(e, s, block, nr, set);
	return true;
}
