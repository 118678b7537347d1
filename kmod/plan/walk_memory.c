// SPDX-License-Identifier: GPL-2.0
/* Memory of a dry walk, and its setup. */
#include "plan/walk.h"

/* A worm that crosses more channels than this goes in circles. */
#define MOST_HOPS	BIT(24)

/* Lists of worms follow each other; route() must not hand out more fronts than entries. */
static u32 most_entries(const struct mcfab_plan *plan)
{
	u32 i, most = 0;

	for (i = 0; i < plan->nworms; i++)
		most = max(most, plan->worm[i].count);
	return most;
}

static bool is_table(const struct mcfab_policy *pol)
{
	return pol->ops->flags & MCFAB_POLICY_TABLE;
}

/*
 * Most headers on their way at once. Every branch of a tree has an entry of its own. Tables send
 * the whole list each way: there the bound is a header for each channel, unless packets go in
 * circles.
 */
static u32 most_fronts(const struct mcfab_policy *pol, const struct mcfab_plan *plan)
{
	const struct mcfab_topo *topo = pol->view.topo;

	return is_table(pol) ? topo->routers * topo->ports + 1 : most_entries(plan) + 1;
}

/**
 * mcfab_walk_bytes() - memory that a walk needs
 * @pol: the policy
 * @plan: the plan
 *
 * Context: Any.
 * Return: bytes that mcfab_walk_init() expects.
 */
size_t mcfab_walk_bytes(const struct mcfab_policy *pol, const struct mcfab_plan *plan)
{
	u32 most = most_entries(plan);

	return sizeof(struct mcfab_decision) + BITS_TO_LONGS(most) * sizeof(long) +
	       most_fronts(pol, plan) * sizeof(struct mcfab_walk_front) + most * sizeof(u32);
}

/**
 * mcfab_walk_init() - set up a walk at the plan's first worm
 * @walk: set up
 * @pol: the policy that made the plan
 * @plan: the plan, at least one worm; neither may change during the walk
 * @mem: mcfab_walk_bytes() bytes, aligned for any type
 *
 * Context: Any.
 */
void mcfab_walk_init(struct mcfab_walk *walk, const struct mcfab_policy *pol,
		     const struct mcfab_plan *plan, void *mem)
{
	u64 most;

	memset(walk, 0, sizeof(*walk));
	walk->pol = pol;
	walk->plan = plan;
	walk->table = is_table(pol);
	walk->room = most_fronts(pol, plan);
	walk->came = mem;
	/* not on the stack: it has room for every port of the largest switch */
	walk->out = (struct mcfab_decision *)(walk->came + BITS_TO_LONGS(most_entries(plan)));
	walk->front = (struct mcfab_walk_front *)(walk->out + 1);
	walk->dst = (u32 *)(walk->front + walk->room);
	/* Every leg of a sane worm visits each router once at most, every tree each channel. */
	most = walk->table ? 2ull * walk->room : (u64)walk->room * pol->view.topo->routers;
	walk->most = min_t(u64, most, MOST_HOPS);
	mcfab_walk_start(walk, 0);
}
