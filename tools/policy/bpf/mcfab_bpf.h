/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For policies in BPF: what the module mcfab_bpf offers. Documentation/policy-bpf.md explains it.
 *
 *	clang -O2 -g -target bpf -mcpu=v3 -c NAME.bpf.c
 *
 * Nothing else is needed. Fields are found by name in the kernel that the program is loaded into.
 */
#ifndef MCFAB_BPF_H
#define MCFAB_BPF_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name)	__attribute__((section(name), used))
#define __kfunc		__attribute__((section(".ksyms")))
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define MCFAB_NONE		(~0u)
#define MCFAB_PORT_ANY		0xffffu
#define MCFAB_DST_RELAY		(1u << 31)

/* of mcfab_bpf_policy.flags, and the first three of mcfab_bpf_view.serves */
#define MCFAB_POLICY_MESH	(1u << 0)
#define MCFAB_POLICY_TORUS	(1u << 1)
#define MCFAB_POLICY_STAR	(1u << 2)
#define MCFAB_POLICY_OBLIVIOUS	(1u << 27)
#define MCFAB_POLICY_SINGLE	(1u << 30)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* the fabric */
struct mcfab_bpf_view {
	u32 nodes;
	u32 routers;
	u32 ports;
	u32 dims;
	u32 vcs;
	u32 serves;
	u32 inject;
};

/* a message that needs a plan */
struct mcfab_bpf_req {
	struct mcfab_bpf_view view;
	u32 source;
	u32 ndst;
};

/* a header that needs a decision */
struct mcfab_bpf_hdr {
	struct mcfab_bpf_view view;
	u32 router;
	u32 in_port;
	u32 in_vc;
	u32 sender;
	u32 first_port;
	u32 arg;
	u32 serial;
	u32 state;
	u32 first;
	u32 last;
};

#pragma clang attribute pop

/* a policy: SEC(".struct_ops.link"); programs are given as (void *)name */
struct mcfab_bpf_policy {
	void (*prepare)(struct mcfab_bpf_req *req);
	void (*route)(struct mcfab_bpf_hdr *hdr);
	u32 flags;
	u32 vcs;
	u32 prep;
	u32 unicast_arg;
	char name[32];
	char title[96];
};

/*
 * Programs get an array of arguments, of which they need the first. MCFAB_PREPARE(name, req) and
 * MCFAB_ROUTE(name, hdr) begin a program: its body follows in braces.
 */
#define MCFAB_PROGRAM(section, name, type, arg)					\
static inline __attribute__((always_inline)) void name##_of(struct type *arg);	\
SEC(section) int name(u64 *ctx)							\
{										\
	name##_of((struct type *)ctx[0]);					\
	return 0;								\
}										\
static inline __attribute__((always_inline)) void name##_of(struct type *arg)
#define MCFAB_PREPARE(name, req) \
	MCFAB_PROGRAM("struct_ops.s/prepare", name, mcfab_bpf_req, req)
#define MCFAB_ROUTE(name, hdr) MCFAB_PROGRAM("struct_ops/route", name, mcfab_bpf_hdr, hdr)

/* Tables of the fabric; MCFAB_NONE, and the plan or decision fails, for what does not exist. */
u32 mcfab_bpf_label(struct mcfab_bpf_view *view, u32 node) __kfunc;
u32 mcfab_bpf_by_label(struct mcfab_bpf_view *view, u32 label) __kfunc;
u32 mcfab_bpf_coord(struct mcfab_bpf_view *view, u32 node, u32 dim) __kfunc;
u32 mcfab_bpf_router(struct mcfab_bpf_view *view, u32 node) __kfunc;
/* MCFAB_NONE: no channel leaves by that port */
u32 mcfab_bpf_peer(struct mcfab_bpf_view *view, u32 router, u32 port) __kfunc;

/* The plan of a message. */
u32 mcfab_bpf_dst(struct mcfab_bpf_req *req, u32 i) __kfunc;
/* by label, ascending; returns how many have smaller labels than the source */
u32 mcfab_bpf_sort_labels(struct mcfab_bpf_req *req) __kfunc;
/* returns the worm's number, for "after" of worms that wait for it */
u32 mcfab_bpf_worm(struct mcfab_bpf_req *req, u32 sender, u32 after, u32 port, u32 arg) __kfunc;
int mcfab_bpf_plan_dst(struct mcfab_bpf_req *req, u32 dst) __kfunc;

/* The decision on a header: at most one delivery, then at most one way on. */
u32 mcfab_bpf_hdr_dst(struct mcfab_bpf_hdr *hdr, u32 i) __kfunc;
int mcfab_bpf_branch_node(struct mcfab_bpf_hdr *hdr, u32 i) __kfunc;
int mcfab_bpf_branch_port(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs, u32 first,
			  u32 state) __kfunc;
int mcfab_bpf_branch_also(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs) __kfunc;

/* Goes over destinations: up from @from to @to - 1, or down from @from - 1 to @to. */
struct bpf_iter_mcfab_dst {
	u64 opaque[3];
} __attribute__((aligned(8)));

int bpf_iter_mcfab_dst_new(struct bpf_iter_mcfab_dst *it, struct mcfab_bpf_req *req, u32 from,
			   u32 to) __kfunc;
u32 *bpf_iter_mcfab_dst_next(struct bpf_iter_mcfab_dst *it) __kfunc;
void bpf_iter_mcfab_dst_destroy(struct bpf_iter_mcfab_dst *it) __kfunc;

#define mcfab_for_each_dst(dst, req, from, to)						\
	for (struct bpf_iter_mcfab_dst it_						\
	     __attribute__((aligned(8), cleanup(bpf_iter_mcfab_dst_destroy))),		\
	     *new_ __attribute__((unused)) =						\
		(bpf_iter_mcfab_dst_new(&it_, req, from, to),				\
		 (void)bpf_iter_mcfab_dst_destroy, (void *)0);				\
	     ((dst) = bpf_iter_mcfab_dst_next(&it_)); )

static inline u32 mcfab_vcs_all(const struct mcfab_bpf_view *view)
{
	return (1u << view->vcs) - 1;
}

#endif
