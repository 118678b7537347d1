// SPDX-License-Identifier: GPL-2.0
/* Programs that the kernel does not take: -DCASE=N says which. */
#include "mcfab_bpf.h"

#ifndef CASE
#define CASE 1
#endif

__attribute__((unused)) static u64 (*const ktime_get_ns)(void) = (void *)5;
__attribute__((unused)) static u32 (*const prandom_u32)(void) = (void *)7;

MCFAB_PREPARE(refused_prepare, req)
{
#if CASE == 1
	volatile u32 i = 0;

	for (;;)
		i++;
#elif CASE == 2
	*(volatile u32 *)((char *)req + 8) = 1;
#elif CASE == 3
	mcfab_bpf_hdr_dst((struct mcfab_bpf_hdr *)req, 0);
#elif CASE == 4
	if (ktime_get_ns() & 1)
		mcfab_bpf_plan_dst(req, 1);
#elif CASE == 5
	mcfab_bpf_plan_dst(req, prandom_u32());
#elif CASE == 6
	struct bpf_iter_mcfab_dst it;

	bpf_iter_mcfab_dst_new(&it, req, 0, 1);
	mcfab_bpf_plan_dst(req, *bpf_iter_mcfab_dst_next(&it));
	bpf_iter_mcfab_dst_destroy(&it);
#endif
	(void)req;
}

MCFAB_ROUTE(refused_route, hdr)
{
#if CASE == 7
	mcfab_bpf_sort_labels((struct mcfab_bpf_req *)hdr);
#endif
	(void)hdr;
}

SEC(".struct_ops.link") struct mcfab_bpf_policy refused = {
	.prepare	= (void *)refused_prepare,
#if CASE != 8
	.route		= (void *)refused_route,
#endif
#if CASE != 9
	.flags		= MCFAB_POLICY_MESH,
#endif
#if CASE != 10
	.name		= "refused",
#endif
	.title		= "refused",
};

char _license[] SEC("license") = "GPL";
