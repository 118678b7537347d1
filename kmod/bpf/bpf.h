/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies in BPF: what a program sees of the fabric, of a request and of a header. Programs
 * read the fields; all tables and all output they reach by kfuncs, which check every argument
 * (bpf/kfuncs.c). tools/policy/bpf/mcfab_bpf.h declares the same for programs.
 */
#ifndef MCFAB_BPF_BPF_H
#define MCFAB_BPF_BPF_H

#include "plan/policy.h"

/**
 * struct mcfab_bpf_view - the fabric, at the beginning of a request and of a header
 * @nodes: nodes, numbered from 0
 * @routers: routers, numbered from 0
 * @ports: network ports of a router
 * @dims: coordinates of a node
 * @vcs: virtual channels of a channel
 * @serves: the kind of topology, one of MCFAB_POLICY_*
 * @inject: injection channels of a node
 * @flags: the policy's
 * @of: all of it, for kfuncs
 * @wrong: the first error that a kfunc saw, or NULL
 */
struct mcfab_bpf_view {
	u32 nodes;
	u32 routers;
	u32 ports;
	u32 dims;
	u32 vcs;
	u32 serves;
	u32 inject;
	u32 flags;
	const struct mcfab_view *of;
	const char *wrong;
};

/**
 * struct mcfab_bpf_req - a message that needs a plan
 * @view: the fabric
 * @source: the node that sends
 * @ndst: destinations
 * @dst: the destinations, for kfuncs
 * @plan: the plan, for kfuncs
 */
struct mcfab_bpf_req {
	struct mcfab_bpf_view view;
	u32 source;
	u32 ndst;
	u32 *dst;
	struct mcfab_plan *plan;
};

/**
 * struct mcfab_bpf_hdr - a header that needs a decision; its fields are those of struct
 *	mcfab_header
 * @view: the fabric
 * @router: the router
 * @in_port: network port by which it came in; MCFAB_PORT_ANY: injected here
 * @in_vc: virtual channel by which it came in
 * @sender: node that sent the worm
 * @first_port: forced first output port, or MCFAB_PORT_ANY
 * @arg: the worm's word
 * @serial: packets that its sender injected before this one
 * @state: word of the decision before
 * @first: first remaining destination
 * @last: one past the last
 * @of: the header, for kfuncs
 * @out: the decision, for kfuncs
 */
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
	const struct mcfab_header *of;
	struct mcfab_decision *out;
};

/** MCFAB_BPF_TITLE_LEN - room for a title */
#define MCFAB_BPF_TITLE_LEN	96

/**
 * struct mcfab_bpf_policy - a policy in BPF, the type of struct_ops that this module registers
 * @prepare: make the plan of @req. A sleepable program ("struct_ops.s") may sort, and go over
 *	     the destinations with an iterator. Called as mcfab_policy_ops.prepare is
 * @route: decide on a header. Called as mcfab_policy_ops.route is
 * @flags: MCFAB_POLICY_MESH, _TORUS, _STAR: the topologies it serves; _OBLIVIOUS, _SINGLE
 * @vcs: fewest virtual channels that it needs
 * @prep: default preparation time in cycles
 * @unicast_arg: the word of worms of background unicasts
 * @name: its name: letters, digits, "-" and "_"
 * @title: one line for people
 */
struct mcfab_bpf_policy {
	void (*prepare)(struct mcfab_bpf_req *req);
	void (*route)(struct mcfab_bpf_hdr *hdr);
	u32 flags;
	u32 vcs;
	u32 prep;
	u32 unicast_arg;
	char name[MCFAB_NAME_LEN];
	char title[MCFAB_BPF_TITLE_LEN];
};

/* what a policy in BPF may have among its flags */
#define MCFAB_BPF_SERVES	(MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS | MCFAB_POLICY_STAR)
#define MCFAB_BPF_FLAGS		(MCFAB_BPF_SERVES | MCFAB_POLICY_OBLIVIOUS | MCFAB_POLICY_SINGLE)

/* kfuncs.c */
int mcfab_bpf_kfuncs_register(void);

#endif
