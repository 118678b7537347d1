/* SPDX-License-Identifier: GPL-2.0 */
/* What programs may call: each is explained where it is defined. */
#ifndef MCFAB_BPF_KFUNCS_H
#define MCFAB_BPF_KFUNCS_H

#include "bpf/bpf.h"

/* what a program has on its stack; struct dst_iter says what it is */
struct bpf_iter_mcfab_dst {
	u64 opaque[3];
} __aligned(8);

u32 mcfab_bpf_label(struct mcfab_bpf_view *view, u32 node);
u32 mcfab_bpf_by_label(struct mcfab_bpf_view *view, u32 label);
u32 mcfab_bpf_coord(struct mcfab_bpf_view *view, u32 node, u32 dim);
u32 mcfab_bpf_router(struct mcfab_bpf_view *view, u32 node);
u32 mcfab_bpf_peer(struct mcfab_bpf_view *view, u32 router, u32 port);
u32 mcfab_bpf_dst(struct mcfab_bpf_req *req, u32 i);
u32 mcfab_bpf_sort_labels(struct mcfab_bpf_req *req);
u32 mcfab_bpf_worm(struct mcfab_bpf_req *req, u32 sender, u32 after, u32 port, u32 arg);
int mcfab_bpf_plan_dst(struct mcfab_bpf_req *req, u32 dst);
u32 mcfab_bpf_hdr_dst(struct mcfab_bpf_hdr *hdr, u32 i);
int mcfab_bpf_branch_node(struct mcfab_bpf_hdr *hdr, u32 i);
int mcfab_bpf_branch_port(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs, u32 first, u32 state);
int mcfab_bpf_branch_also(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs);
int bpf_iter_mcfab_dst_new(struct bpf_iter_mcfab_dst *it, struct mcfab_bpf_req *req, u32 from,
			   u32 to);
u32 *bpf_iter_mcfab_dst_next(struct bpf_iter_mcfab_dst *it);
void bpf_iter_mcfab_dst_destroy(struct bpf_iter_mcfab_dst *it);

#endif
