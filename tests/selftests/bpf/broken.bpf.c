// SPDX-License-Identifier: GPL-2.0
/* Policies that the verifier has nothing against, and that do not keep what policies promise. */
#include "mcfab_bpf.h"

static inline void one_each(struct mcfab_bpf_req *req)
{
	u32 *dst;

	mcfab_for_each_dst(dst, req, 0, req->ndst) {
		mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_bpf_plan_dst(req, *dst);
	}
}

/* from one node to the next of a line, and deliver at the end */
static inline void along(struct mcfab_bpf_hdr *hdr)
{
	u32 node = mcfab_bpf_hdr_dst(hdr, hdr->first);

	if (node == hdr->router)
		mcfab_bpf_branch_node(hdr, hdr->first);
	else
		mcfab_bpf_branch_port(hdr, node < hdr->router, 1, hdr->first, 0);
}

MCFAB_PREPARE(good_prepare, req) { one_each(req); }
MCFAB_ROUTE(good_route, hdr) { along(hdr); }

#define POLICY(word, prepare_fn, route_fn)			\
SEC(".struct_ops.link") struct mcfab_bpf_policy word = {	\
	.prepare	= (void *)prepare_fn,				\
	.route		= (void *)route_fn,				\
	.flags		= MCFAB_POLICY_MESH,			\
	.name		= #word,				\
	.title		= "broken: " #word,			\
}

#define BAD_PREPARE(word)					\
int word##_prepare(u64 *ctx);					\
POLICY(word, word##_prepare, good_route);			\
MCFAB_PREPARE(word##_prepare, req)

#define BAD_ROUTE(word)						\
int word##_route(u64 *ctx);					\
POLICY(word, good_prepare, word##_route);			\
MCFAB_ROUTE(word##_route, hdr)

POLICY(good, good_prepare, good_route);

BAD_PREPARE(nothing)
{
}

BAD_PREPARE(twice)
{
	one_each(req);
	mcfab_bpf_plan_dst(req, mcfab_bpf_dst(req, 0));
}

BAD_PREPARE(early)
{
	mcfab_bpf_plan_dst(req, 3);
}

BAD_PREPARE(stranger)
{
	mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
	mcfab_bpf_plan_dst(req, 12345);
}

BAD_PREPARE(beyond)
{
	mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
	mcfab_bpf_plan_dst(req, mcfab_bpf_dst(req, 4711));
}

BAD_PREPARE(empty)
{
	mcfab_bpf_worm(req, req->source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
}

BAD_PREPARE(waits)
{
	mcfab_bpf_worm(req, req->source, 7, MCFAB_PORT_ANY, 0);
	one_each(req);
}

BAD_PREPARE(forced)
{
	mcfab_bpf_worm(req, req->source, MCFAB_NONE, 77, 0);
	one_each(req);
}

BAD_PREPARE(range)
{
	u32 *dst;

	mcfab_for_each_dst(dst, req, 5, 1000)
		mcfab_bpf_plan_dst(req, *dst);
}

BAD_ROUTE(silent)
{
}

BAD_ROUTE(nowhere)
{
	mcfab_bpf_branch_port(hdr, 77, 1, hdr->first, 0);
}

BAD_ROUTE(lanes)
{
	mcfab_bpf_branch_port(hdr, 0, 0, hdr->first, 0);
}

BAD_ROUTE(away)
{
	mcfab_bpf_branch_node(hdr, hdr->first);
}

BAD_ROUTE(two)
{
	mcfab_bpf_branch_port(hdr, 0, 1, hdr->first, 0);
	mcfab_bpf_branch_port(hdr, 1, 1, hdr->first, 0);
}

BAD_ROUTE(late)
{
	mcfab_bpf_branch_port(hdr, 0, 1, hdr->first, 0);
	mcfab_bpf_branch_node(hdr, hdr->first);
}

BAD_ROUTE(asks)
{
	if (mcfab_bpf_label(&hdr->view, 99999))
		along(hdr);
}

char _license[] SEC("license") = "GPL";
