// SPDX-License-Identifier: GPL-2.0
/*
 * What a lone multicast would take if its worms were not in each other's way: the
 * figure that equations in papers give, beside what the network really did.
 */
#include "core/walk.h"
#include "engine/engine.h"

/**
 * mcfab_predict_bytes() - working space of mcfab_predict()
 * @e: engine; its policy may still be missing
 *
 * Context: any.
 * Return: bytes.
 */
size_t mcfab_predict_bytes(const struct mcfab_engine *e)
{
	u32 max_dst = e->max_dst;
	/* no plan needs more than one worm with all destinations does */
	struct mcfab_plan_worm worm = { .count = max_dst };
	struct mcfab_plan plan = { .nworms = 1, .ndst = max_dst, .worm = &worm };

	if (!e->pol)
		return 0;
	return mcfab_walk_bytes(e->pol, &plan) + max_dst * (sizeof(u64) + sizeof(u32)) +
	       sizeof(u64);
}

/**
 * mcfab_predict() - predict a lone multicast without contention
 * @e: engine
 * @plan: its plan
 *
 * Context: grant phase of a run with one thread; may sleep. The result is in the
 *	    boundary's @predicted.
 * Return: 0 or a negative error: the policy's fault.
 */
int mcfab_predict(struct mcfab_engine *e, const struct mcfab_plan *plan)
{
	struct mcfab_prediction *out = &e->boundary.predicted;
	struct mcfab_timing timing = {
		/* packets follow each other without a gap */
		.flits = (e->packets - 1) * e->flits + e->last_flits,
		.headers = e->flags & MCFAB_ENG_HEADERS,
		.prep = e->prep,
		.prep2 = e->prep2,
		.startup = e->startup,
		.inject_delay = e->inject_delay,
		.route_delay = e->route_delay,
		.link_delay = e->link_delay,
		.consume_delay = e->consume_delay,
		.rounds = e->rounds,
	};
	struct mcfab_walk walk;

	out->arrival = e->boundary.predict_space;
	out->node = (u32 *)(out->arrival + e->max_dst);
	out->hops = NULL;
	mcfab_walk_init(&walk, e->pol, plan, PTR_ALIGN(out->node + e->max_dst, sizeof(u64)));
	return mcfab_walk_predict(&walk, &timing, out);
}
