// SPDX-License-Identifier: GPL-2.0
/*
 * Label-based dual-path (LD): dual-path whose worms choose their way as they go.
 *
 * X. Lin, P. K. McKinley and A.-H. Esfahanian, "Adaptive multicast wormhole routing in 2-D mesh
 * multicomputers" (1993); J. Zhou, X.-Y. Lin and Y.-C. Chung, the union paper (2010), section 2:
 * "similar to the dual-path routing algorithm [...] allows both minimal and non-minimal paths".
 *
 * The worms are those of dual-path: one to the destinations above the source's label, in ascending
 * order, one to those below, in descending order. On its way from u to the next destination d, a
 * worm that climbs may go to any neighbour w with label(u) < label(w) <= label(d), one that
 * descends to any with label(u) > label(w) >= label(d). It takes the first of them that is free.
 * There always is one, as consecutive labels are neighbours. The way ends at d, after at most as
 * many hops as the labels differ, and passes no later destination before its turn.
 *
 * Readings. The union paper has the sentence above, no more; the rule is the widest under which the
 * worms stay in the networks of dual-path. In which order free neighbours are taken is not said:
 * here first the one that dual-path goes to, then others that are nearer to d, then the rest, each
 * by their ports. So without contention LD is dual-path. At most four neighbours are tried, which
 * are all on up to four dimensions. "paths minimal" leaves out those that are not nearer; for
 * comparison.
 *
 * Free of deadlock as dual-path is: labels only grow, or only fall.
 */
#include "plan/policy.h"
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

enum {
	LD_PARAM_PATHS,
};

/* the default first */
static const char *const ld_paths[] = { "any", "minimal", NULL };

static const struct mcfab_param ld_params[] = {
	[LD_PARAM_PATHS] = {
		.name	= "paths",
		.help	= "any: by neighbours farther from the next destination, too",
		.type	= MCFAB_PARAM_KIND_CHOICE,
		.choices = ld_paths,
	},
};

struct ld_priv {
	bool minimal;
};

static int ld_init(const struct mcfab_view *view, const u32 *values, void *priv,
		   struct mcfab_err *err)
{
	struct ld_priv *ld = priv;

	ld->minimal = values[LD_PARAM_PATHS];
	return 0;
}

static void ld_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		       u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_dual(view->topo, source, MCFAB_NONE, dst, ndst, plan, NULL);
}

/* does a step by a port in the dimension of the two coordinates lead towards @to? */
static bool is_nearer(u32 port, u32 from, u32 to)
{
	return port & 1 ? to < from : to > from;
}

/* more ports of a branch: those that are nearer to @dst, or those that are not */
static void add_ports(const struct mcfab_view *view, u32 here, u32 dst, bool nearer,
		      struct mcfab_branch *branch)
{
	const struct mcfab_topo *topo = view->topo;
	u32 label = topo->label[here], goal = topo->label[dst], port;

	for (port = 0; port < topo->ports && branch->nports < MCFAB_MAX_ALTERNATIVES; port++) {
		u32 next = mcfab_topo_neighbour(topo, here, port), by;

		if (next == MCFAB_NONE || port == branch->port[0] ||
		    is_nearer(port, mcfab_topo_coord(topo, here, port / 2),
			      mcfab_topo_coord(topo, dst, port / 2)) != nearer)
			continue;
		by = topo->label[next];
		if (label < goal ? by <= label || by > goal : by >= label || by < goal)
			continue;
		branch->vcs[branch->nports] = mcfab_vcs_all(view);
		branch->port[branch->nports++] = port;
	}
}

static void ld_route(const struct mcfab_view *view, const void *priv,
		     const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct ld_priv *ld = priv;
	struct mcfab_branch *branch;
	u32 dst;

	mcfab_route_path(view, hdr, mcfab_step_label, out);
	branch = &out->branch[out->nbranches - 1];
	if (branch->node != MCFAB_NONE)
		return;
	dst = hdr->dst[branch->first];
	add_ports(view, hdr->router, dst, true, branch);
	if (!ld->minimal)
		add_ports(view, hdr->router, dst, false, branch);
}

static u16 ld_unicast_arg(const void *priv)
{
	return MCFAB_BASE_LABEL;
}

static bool ld_turn(const struct mcfab_view *view, const void *priv,
		    const struct mcfab_turn *turn)
{
	return mcfab_turn_base(view, turn, MCFAB_BASE_LABEL);
}

static struct mcfab_policy_ops mcfab_ld = {
	.owner		= THIS_MODULE,
	.name		= "ld",
	.title		= "label-based dual-path, adaptive (Lin, McKinley, Esfahanian)",
	.flags		= MCFAB_POLICY_MESH,
	.prep		= 2,
	.params		= ld_params,
	.nparams	= ARRAY_SIZE(ld_params),
	.priv_size	= sizeof(struct ld_priv),
	.init		= ld_init,
	.prepare	= ld_prepare,
	.route		= ld_route,
	.unicast_arg	= ld_unicast_arg,
	.turn		= ld_turn,
};
module_mcfab_policy(mcfab_ld);

MODULE_ALIAS_MCFAB_POLICY("ld");
MODULE_DESCRIPTION("mcfab policy: label-based dual-path multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
