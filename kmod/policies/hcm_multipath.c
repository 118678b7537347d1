// SPDX-License-Identifier: GPL-2.0
/*
 * Multipath multicast in the Hamiltonian-cycle model (multipath-HCM).
 *
 * N.-C. Wang and Y.-P. Hung, "Multicast communication in wormhole-routed 2D torus networks with
 * hamiltonian cycle model" (2009); compared with in M. A. Abd El-Baky, "A tree-based algorithm for
 * multicasting in 2D torus networks" (2015). mcfab knows the algorithm from the second paper only.
 *
 * The halves of hcm-uniform, each divided by columns, for up to four worms. Labels
 * ascend to the right in even rows and to the left in odd ones: with e = +1 if the
 * source's row is even, else -1,
 *
 *	h1	of the high half: (x - x_s) * e > 0, ahead in the source's row,
 *	h2	the rest of it, the source's own column included,
 *	l1	of the low half: (x_s - x) * e > 0,
 *	l2	the rest of it.
 *
 * A worm visits each set in the order of its half, by R without the wrap links of the rows. Routing
 * and freedom from deadlock: routing/cycle.c. R has fewer links to choose from here, which changes
 * nothing there, as consecutive labels are neighbours over links that remain.
 *
 * Readings. The 2015 paper says that there are four sets, two in each network, and that the routing
 * function is one of coordinates, but gives neither; its case study (lengths 9, 34, 36 and 11) is
 * of a set that is not printed. The first hop is R's, as nothing else is known. h2 and l2 always
 * begin along the column. h1 and l1 begin along the row if their first destination is in this row
 * or the next one. Else they begin along the column, too, and go one after the other with h2 or l2.
 * All sets stay deliverable, as each worm stays in its network.
 */
#include "plan/policy.h"
#include "routing/cycle.h"
#include "routing/turns.h"

static int hcm_multipath_init(const struct mcfab_view *view, const u32 *values, void *priv,
			      struct mcfab_err *err)
{
	if (view->topo->ndims != 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "hcm-multipath needs a torus of 2 dimensions, not %u",
				    view->topo->ndims);
	return mcfab_cycle_init(view, values, priv, err);
}

/* Is a destination ahead of the source in the direction of the worms of @half? */
static bool ahead(const struct mcfab_topo *topo, u32 source, u32 node, enum mcfab_cycle half)
{
	u32 from = mcfab_topo_coord(topo, source, 0), to = mcfab_topo_coord(topo, node, 0);
	bool right = !(mcfab_topo_coord(topo, source, 1) & 1);

	if (half == MCFAB_CYCLE_LOW)
		right = !right;
	return right ? to > from : to < from;
}

static void cover_side(const struct mcfab_topo *topo, u32 source,
		       const struct mcfab_halves *halves, enum mcfab_cycle half, bool side,
		       struct mcfab_plan *plan)
{
	u32 count = mcfab_half_count(halves, half), i;
	bool open = false;

	for (i = 0; i < count; i++) {
		u32 node = mcfab_half_at(halves, half, i);

		if (ahead(topo, source, node, half) != side)
			continue;
		if (!open)
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY,
					half | MCFAB_CYCLE_ROWS);
		open = true;
		mcfab_plan_dst(plan, node);
	}
}

static void hcm_multipath_prepare(const struct mcfab_view *view, const void *priv, u32 source,
				  u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct mcfab_topo *topo = view->topo;
	struct mcfab_halves halves;

	mcfab_halve_uniform(topo, source, dst, ndst, &halves);
	cover_side(topo, source, &halves, MCFAB_CYCLE_HIGH, true, plan);
	cover_side(topo, source, &halves, MCFAB_CYCLE_HIGH, false, plan);
	cover_side(topo, source, &halves, MCFAB_CYCLE_LOW, true, plan);
	cover_side(topo, source, &halves, MCFAB_CYCLE_LOW, false, plan);
}

static u16 hcm_multipath_unicast_arg(const void *priv)
{
	return MCFAB_CYCLE_NEARER | MCFAB_CYCLE_ROWS;
}

static struct mcfab_policy_ops mcfab_hcm_multipath = {
	.owner		= THIS_MODULE,
	.name		= "hcm-multipath",
	.title		= "Hamiltonian cycle, two worms each way (Wang, Hung)",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_OBLIVIOUS,
	.init		= hcm_multipath_init,
	.prepare	= hcm_multipath_prepare,
	.route		= mcfab_route_cycle,
	.unicast_arg	= hcm_multipath_unicast_arg,
	.turn		= mcfab_turn_cycle,
};
module_mcfab_policy(mcfab_hcm_multipath);

MODULE_ALIAS_MCFAB_POLICY("hcm-multipath");
MODULE_DESCRIPTION("mcfab policy: multipath multicast in the Hamiltonian-cycle model");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
