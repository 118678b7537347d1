// SPDX-License-Identifier: GPL-2.0
/* See lib/tree.h. */
#include "lib/tree.h"
#include "routing/routing.h"

static void tree_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			 u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
	for (i = 0; i < ndst; i++)
		mcfab_plan_dst(plan, dst[i]);
}

/* bring the entries that leave by @port to the front; one past the last of them */
static u32 gather(const struct mcfab_topo *topo, const struct mcfab_header *hdr, u32 first,
		  u32 port)
{
	u32 i, at = first;

	for (i = first; i < hdr->last; i++) {
		u32 to = mcfab_header_dst(hdr, i) & ~MCFAB_DST_RELAY;

		if ((to == hdr->router ? topo->ports :
					 mcfab_step_dimension(topo, hdr->router, to)) == port)
			mcfab_header_move(hdr, i, at++);
	}
	return at;
}

static void tree_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	u32 first = hdr->first, port;

	out->nbranches = 0;
	for (port = 0; port <= view->topo->ports; port++) {
		u32 last = gather(view->topo, hdr, first, port);
		struct mcfab_branch *b = &out->branch[out->nbranches];

		if (last == first)
			continue;
		b->node = port == view->topo->ports ? hdr->router : MCFAB_NONE;
		b->nports = port < view->topo->ports;
		b->port[0] = port;
		b->vcs[0] = (1u << view->vcs) - 1;
		b->first = first;
		b->last = last;
		b->state = 0;
		out->nbranches++;
		first = last;
	}
}

struct mcfab_policy_ops test_tree = {
	.name		= "test-tree",
	.title		= "one worm that splits where dimension order does",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_TREE,
	.prepare	= tree_prepare,
	.route		= tree_route,
};
