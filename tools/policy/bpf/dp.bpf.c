// SPDX-License-Identifier: GPL-2.0
/*
 * Dual-path (kmod/policies/dp.c explains it) in BPF: the same plans and the same paths, on meshes.
 * One worm visits the destinations with greater labels than the source in ascending order, one the
 * others in descending order.
 */
#include "mcfab_bpf.h"

/* enum mcfab_base: the word of worms that follow label routing, for statistics to agree */
#define LABEL	1

/* The port to the neighbour nearer to @dst with the best label that is not past it. */
static inline u32 step(struct mcfab_bpf_view *view, u32 here, u32 dst)
{
	u32 goal = mcfab_bpf_label(view, dst), best = mcfab_bpf_label(view, here), found = 0;
	u32 dim, dims = view->dims;
	_Bool up = best < goal;

	for (dim = 0; dim < 32 && dim < dims; dim++) {
		u32 from = mcfab_bpf_coord(view, here, dim), to = mcfab_bpf_coord(view, dst, dim);
		u32 port, label;

		if (from == to)
			continue;
		port = 2 * dim + (from > to);
		label = mcfab_bpf_label(view, mcfab_bpf_peer(view, here, port));
		if (up ? label > best && label <= goal : label < best && label >= goal) {
			best = label;
			found = port;
		}
	}
	return found;
}

MCFAB_PREPARE(dp_prepare, req)
{
	u32 below = mcfab_bpf_sort_labels(req), *dst;

	if (below < req->ndst) {
		mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, LABEL);
		mcfab_for_each_dst(dst, req, below, req->ndst)
			mcfab_bpf_plan_dst(req, *dst);
	}
	if (below) {
		mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, LABEL);
		mcfab_for_each_dst(dst, req, below, 0)
			mcfab_bpf_plan_dst(req, *dst);
	}
}

MCFAB_ROUTE(dp_route, hdr)
{
	struct mcfab_bpf_view *view = &hdr->view;
	u32 first = hdr->first, node = mcfab_bpf_hdr_dst(hdr, first);

	if (mcfab_bpf_router(view, node) == hdr->router) {
		mcfab_bpf_branch_node(hdr, first);
		if (++first == hdr->last)
			return;
		node = mcfab_bpf_hdr_dst(hdr, first);
	}
	mcfab_bpf_branch_port(hdr, step(view, hdr->router, node), mcfab_vcs_all(view), first,
			      hdr->state);
}

SEC(".struct_ops.link") struct mcfab_bpf_policy dp = {
	.prepare	= (void *)dp_prepare,
	.route		= (void *)dp_route,
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_OBLIVIOUS,
	.prep		= 2,
	.unicast_arg	= LABEL,
	.name		= "dp-bpf",
	.title		= "dual-path, in BPF",
};

char _license[] SEC("license") = "GPL";
