// SPDX-License-Identifier: GPL-2.0
/*
 * Dual-path multicast (DP).
 *
 * X. Lin, P. McKinley and L. M. Ni, "Deadlock-free multicast wormhole routing in
 * 2D-mesh multicomputers" (1994); compared with in Al-Dubai, Ould-Khaoua and Mackenzie, "Trade-offs
 * between latency, complexity, and load balancing with multicast algorithms"
 * (2010), section 4.1.2, eq. (10).
 *
 * Nodes carry the labels of a Hamiltonian path (the snake). One worm visits the destinations above
 * the source's label in ascending order; a second worm visits those below in descending order.
 * Between destinations a worm follows label routing R: among the neighbours nearer to the
 * destination, it takes the neighbour with the greatest label not past the destination's (the
 * smallest, going down). Upward worms use only channels to greater labels and downward worms only
 * channels to smaller ones: two acyclic networks, no deadlock.
 *
 * Reading: the original R takes the best label among all neighbours, which is
 * minimal in two dimensions only; the restriction to nearer neighbours makes it
 * minimal on n-dimensional meshes and changes nothing in two. The 2010 paper
 * prints D_u as the destinations "below" and D_l as those "above" the source:
 * the letters are exchanged, the algorithm is the same.
 *
 * On tori and star graphs, where N.-C. Wang, C.-P. Yen and C.-P. Chu ("Multicasting on
 * wormhole-routed symmetric networks with Hamiltonian cycle model") compare with dual-path, R is
 * the original R, over all links: worms that climb use every channel to a greater label, wrap links
 * too. "wrap off" keeps to the mesh in a torus, for the same plan as on the mesh. One virtual
 * channel is enough for both. The links of the two directions stay apart as on the mesh.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/turns.h"

static const struct mcfab_param dp_params[] = {
	{
		.name	= "wrap",
		.help	= "on a torus: take wrap links, too",
		.type	= MCFAB_PARAM_KIND_BOOL,
		.def	= true,
	},
};

struct dp_priv {
	enum mcfab_base base;
};

static int dp_init(const struct mcfab_view *view, const u32 *values, void *priv,
		   struct mcfab_err *err)
{
	u32 serve = view->topo->ops->serve;
	struct dp_priv *dp = priv;

	dp->base = MCFAB_BASE_LABEL;
	if (serve & MCFAB_POLICY_STAR || (serve & MCFAB_POLICY_TORUS && values[0]))
		dp->base = MCFAB_BASE_LINKS;
	return 0;
}

static void dp_prepare(const struct mcfab_view *view, const void *priv, u32 source,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct dp_priv *dp = priv;

	mcfab_cover_dual_base(view->topo, source, MCFAB_NONE, dst, ndst, plan, dp->base);
}

static u16 dp_unicast_arg(const void *priv)
{
	const struct dp_priv *dp = priv;

	return dp->base;
}

static bool dp_turn(const struct mcfab_view *view, const void *priv,
		    const struct mcfab_turn *turn)
{
	const struct dp_priv *dp = priv;

	return mcfab_turn_base(view, turn, dp->base);
}

static struct mcfab_policy_ops mcfab_dp = {
	.owner		= THIS_MODULE,
	.name		= "dp",
	.title		= "dual-path (Lin, McKinley, Ni)",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR |
			  MCFAB_POLICY_OBLIVIOUS,
	.prep		= 2,
	.params		= dp_params,
	.nparams	= ARRAY_SIZE(dp_params),
	.priv_size	= sizeof(struct dp_priv),
	.init		= dp_init,
	.prepare	= dp_prepare,
	.route		= mcfab_route_base,
	.unicast_arg	= dp_unicast_arg,
	.turn		= dp_turn,
};
module_mcfab_policy(mcfab_dp);

MODULE_ALIAS_MCFAB_POLICY("dp");
MODULE_DESCRIPTION("mcfab policy: dual-path multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
