// SPDX-License-Identifier: GPL-2.0
/* See lib/verify_policies.h. */
#include "lib/verify_policies.h"
#include "lib/shortest.h"
#include "routing/cover.h"
#include "routing/routing.h"
#include "routing/turns.h"

static void unicasts(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		     u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

static void merged_route(const struct mcfab_view *view, const void *priv,
			 const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_path(view, hdr, mcfab_step_torus, out);
}

static void star_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_path(view, hdr, mcfab_step_star, out);
}

struct mcfab_policy_ops test_merged = {
	.name		= "test-merged",
	.title		= "unicasts on a torus without a dateline",
	.flags		= MCFAB_POLICY_TORUS | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= merged_route,
};

struct mcfab_policy_ops test_star_merged = {
	.name		= "test-star-merged",
	.title		= "unicasts on a star graph over any virtual channel",
	.flags		= MCFAB_POLICY_STAR | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= star_route,
};

/* Adds the ports that bring the header nearer, on @vcs; on the one of dimension order also VC 0. */
static void add_ways(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		     bool escape, struct mcfab_branch *b)
{
	const struct mcfab_topo *topo = view->topo;
	u32 first = mcfab_step_dimension(topo, hdr->router, dst), dim;
	u16 others = mcfab_vcs_all(view) & ~1u;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 at = mcfab_topo_coord(topo, hdr->router, dim);
		u32 to = mcfab_topo_coord(topo, dst, dim), port = 2 * dim + (to < at);

		if (at == to)
			continue;
		b->port[b->nports] = port;
		b->vcs[b->nports++] = !escape ? mcfab_vcs_all(view) :
				      port == first ? others | 1 : others;
	}
}

static void any_route(const struct mcfab_view *view, const struct mcfab_header *hdr, bool escape,
		      struct mcfab_decision *out)
{
	u32 dst = mcfab_header_dst(hdr, hdr->first);
	struct mcfab_branch *b = out->branch;

	out->nbranches = 1;
	b->node = dst == hdr->router ? dst : MCFAB_NONE;
	b->nports = 0;
	b->first = hdr->first;
	b->last = hdr->first + 1;
	b->state = 0;
	if (dst != hdr->router)
		add_ways(view, hdr, dst, escape, b);
}

static void escape_route(const struct mcfab_view *view, const void *priv,
			 const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	any_route(view, hdr, true, out);
}

static void adaptive_route(const struct mcfab_view *view, const void *priv,
			   const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	any_route(view, hdr, false, out);
}

struct mcfab_policy_ops test_escape = {
	.name		= "test-escape",
	.title		= "adaptive unicasts with an escape",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= escape_route,
};

struct mcfab_policy_ops test_adaptive = {
	.name		= "test-adaptive",
	.title		= "adaptive unicasts",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= adaptive_route,
};

static void liar_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	mcfab_cover_dual(view->topo, source, MCFAB_NONE, dst, ndst, plan, NULL);
}

static bool liar_turn(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_turn *turn)
{
	return mcfab_turn_dimension(turn);
}

struct mcfab_policy_ops test_liar = {
	.name		= "test-liar",
	.title		= "dual-path that declares other turns",
	.flags		= MCFAB_POLICY_MESH,
	.prepare	= liar_prepare,
	.route		= mcfab_route_base,
	.turn		= liar_turn,
};

struct mcfab_policy_ops test_not_single = {
	.name		= "test-not-single",
	.title		= "dual-path that declares single destinations",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE,
	.prepare	= liar_prepare,
	.route		= mcfab_route_base,
};

/*
 * A dragonfly: GROUPS groups of ROUTERS switches, all joined within a group, and each group by a
 * link with each other group. Ports 0, 1 lead to the next switches of the group, 2 to another
 * group; a host is on port 3.
 */
#define GROUPS	4
#define ROUTERS	(GROUPS - 1)

/* the switch of @group with the link to group @to */
static u32 gateway(u32 group, u32 to)
{
	return group * ROUTERS + (to + GROUPS - group - 1) % GROUPS;
}

struct mcfab_graph *dragonfly(void)
{
	struct mcfab_graph *g = graph_new(GROUPS * ROUTERS, GROUPS * ROUTERS,
					  GROUPS * ROUTERS + GROUPS * ROUTERS / 2);
	u32 i, k, n = 0;

	for (i = 0; i < g->switches; i++) {
		u32 next = i / ROUTERS * ROUTERS + (i + 1) % ROUTERS;

		g->sw[i].ports = 4;
		g->host[i].at = i;
		g->host[i].port = 3;
		g->link[n++] = (struct mcfab_graph_link) { i, next, 0, 1 };
	}
	for (i = 0; i < GROUPS; i++)
		for (k = i + 1; k < GROUPS; k++)
			g->link[n++] = (struct mcfab_graph_link) { gateway(i, k), gateway(k, i), 2, 2 };
	return g;
}

/* the port of a shortest way from a switch to another */
static u32 toward(u32 at, u32 to)
{
	u32 group = at / ROUTERS;

	if (to / ROUTERS != group) {
		to = gateway(group, to / ROUTERS);
		if (to == at)
			return 2;
	}
	return to == group * ROUTERS + (at + 1) % ROUTERS ? 0 : 1;
}

/*
 * Valiant's way: to a switch that depends on sender and destination, then to the destination. The
 * header's word: whether it has been there, and from bit 1 on the virtual channel.
 */
static void valiant(const struct mcfab_view *view, const struct mcfab_header *hdr, bool by_hop,
		    struct mcfab_decision *out)
{
	u32 dst = mcfab_header_dst(hdr, hdr->first), state = hdr->state, vc = state >> 1;
	u32 between = (3 * hdr->sender + 5 * dst + 1) % (GROUPS * ROUTERS);
	struct mcfab_branch *b = out->branch;

	state |= hdr->router == between;
	out->nbranches = 1;
	b->node = state & 1 && hdr->router == view->topo->router[dst] ? dst : MCFAB_NONE;
	b->nports = 0;
	b->first = hdr->first;
	b->last = hdr->first + 1;
	if (b->node != MCFAB_NONE)
		return;
	b->nports = 1;
	b->port[0] = toward(hdr->router, state & 1 ? view->topo->router[dst] : between);
	b->vcs[0] = BIT(vc);
	b->state = (state & 1) | (vc + (by_hop || b->port[0] == 2)) << 1;
}

static void ugal_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	valiant(view, hdr, false, out);
}

static void ugal_hops_route(const struct mcfab_view *view, const void *priv,
			    const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	valiant(view, hdr, true, out);
}

struct mcfab_policy_ops test_ugal = {
	.name		= "test-ugal",
	.title		= "Valiant's ways on a dragonfly, virtual channels by global hops",
	.flags		= MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= ugal_route,
};

struct mcfab_policy_ops test_ugal_hops = {
	.name		= "test-ugal-hops",
	.title		= "the same, a virtual channel for each hop",
	.flags		= MCFAB_POLICY_IRREGULAR | MCFAB_POLICY_SINGLE,
	.prepare	= unicasts,
	.route		= ugal_hops_route,
};
