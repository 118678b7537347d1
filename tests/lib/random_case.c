// SPDX-License-Identifier: GPL-2.0
/* Random fabrics and runs: every rule of the engine's model, on small networks. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/shortest.h"

#include "lib/tap.h"
#include "topology/graph.h"

static const char *const policies[] = { "unicast", "dp", "ld", "mp", "cp", "qg", "test-tree" };

u32 pick(u64 *state, u32 low, u32 high)
{
	return low + rng_below(state, high - low + 1);
}

bool one_in(u64 *state, u32 n)
{
	return !rng_below(state, n);
}

static void random_fabric(u64 *state, struct mcfab_fabric_cfg *fc)
{
	u32 i;

	mcfab_fabric_defaults(fc);
	strcpy(fc->name, "f");
	strcpy(fc->topology, "mesh");
	fc->ndims = one_in(state, 6) ? 1 : one_in(state, 5) ? 3 : 2;
	for (i = 0; i < fc->ndims; i++)
		fc->radix[i] = fc->ndims == 1 ? pick(state, 3, 10) : fc->ndims == 3 ?
			       pick(state, 2, 3) : pick(state, 2, 6);
	fc->startup = one_in(state, 3) ? 0 : pick(state, 0, 20);
	fc->shards = one_in(state, 2) ? 1 : pick(state, 1, 7);
	fc->stall_limit = 50000;
}

static void random_rules(u64 *state, struct mcfab_fabric_cfg *fc, u32 flits)
{
	fc->vcs = one_in(state, 2) ? 1 : pick(state, 2, 4);
	fc->buffer = one_in(state, 2) ? 1 : pick(state, 1, 8);
	if (one_in(state, 4)) {
		fc->switching = one_in(state, 2) ? MCFAB_SWITCHING_MODE_CUT_THROUGH :
				MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
		fc->buffer = flits + (one_in(state, 2) ? 0 : pick(state, 0, 2 * flits));
		if (one_in(state, 2))
			fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_PACKET;
	}
	if (one_in(state, 3))
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	if (one_in(state, 3))
		fc->link_delay = pick(state, 1, 4);
	if (one_in(state, 3))
		fc->route_delay = pick(state, 0, 4);
	if (one_in(state, 3))
		fc->inject_delay = pick(state, 0, 3);
	if (one_in(state, 3))
		fc->consume_delay = pick(state, 1, 4);
	if (one_in(state, 4))
		fc->credit_delay = pick(state, 0, 4);
	if (one_in(state, 4))
		fc->input_speedup = 1;
	if (one_in(state, 4))
		fc->replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	if (one_in(state, 3))
		fc->inject = pick(state, 1, 3);
	if (one_in(state, 4))
		fc->consume = pick(state, 1, 3);
	/* several short packets in a FIFO, and one consumption channel */
	if (one_in(state, 8) && fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE) {
		fc->vc_release = pick(state, MCFAB_VC_RELEASE_MODE_DRAINED,
				      MCFAB_VC_RELEASE_MODE_SENT);
		fc->buffer = flits + pick(state, 0, 2 * flits);
		fc->consume = 1;
	}
}

static void random_run(u64 *state, struct mcfab_run_cfg *rc)
{
	mcfab_run_defaults(rc);
	strcpy(rc->policy, policies[rng_below(state, ARRAY_SIZE(policies))]);
	rc->flits = one_in(state, 4) ? pick(state, 1, 3) : pick(state, 1, 40);
	if (one_in(state, 2))
		rc->prep = pick(state, 0, 5);
	if (one_in(state, 2))
		rc->prep_relay = pick(state, 0, 5);
	rc->node_busy = pick(state, MCFAB_NODE_BUSY_MODE_STARTUP, MCFAB_NODE_BUSY_MODE_DELIVERED);
	rc->rounds = pick(state, MCFAB_ROUNDS_DEFAULT, MCFAB_ROUNDS_MODE_INJECTED);
	rc->workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	if (!strcmp(rc->policy, "qg")) {
		static const char *const covers[] = { "column", "label", "multipath", "chain" };
		char set[128];

		snprintf(set, sizeof(set), "cover=%s allow-deadlock=on", covers[rng_below(state, 4)]);
		set_params(rc, set);
	}
}

/* one whose worms are trees; each branch goes on by itself, or deadlocks are allowed */
static u32 random_tree(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
		       const char *policy)
{
	strcpy(rc->policy, policy);
	if (one_in(state, 2)) {
		set_params(rc, "allow-deadlock=on");
		if (one_in(state, 2))
			fc->replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
		return 2;
	}
	fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
	/* headers, too */
	fc->buffer = max(fc->buffer, rc->flits + 36);
	return 2;
}

/* one that knows rows and columns, any numbers of them */
static u32 random_plane(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
			const char *policy)
{
	if (!strcmp(policy, "tasnem"))
		return random_tree(state, fc, rc, policy);
	strcpy(rc->policy, policy);
	return 2;
}

/*
 * A policy that serves this torus, ring or star graph, which may be changed for it.
 * Returns the virtual channels that it needs.
 */
static u32 random_symmetric(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	static const char *const served[] = {
		"unicast", "dp", "hcm-uniform", "hcm-fixed", "rg", "hcm-multipath",
		"t2w", "ttpm", "gttpm", "tasnem", "tasnem",
	};
	u32 nr = rng_below(state, ARRAY_SIZE(served));
	const char *policy = served[nr];
	bool torus = !strcmp(fc->topology, "torus");
	bool plane = torus && fc->ndims == 2;

	rc->nset = 0;
	if (strcmp(fc->topology, "star") && one_in(state, 6))
		return random_tree(state, fc, rc, "torus-tree");
	if (nr >= 6 && plane)
		return random_plane(state, fc, rc, policy);
	if (nr >= 5 && !plane)
		policy = "hcm-uniform";
	strcpy(rc->policy, policy);
	if (!strcmp(policy, "unicast"))
		return strcmp(fc->topology, "star") ? 2 : 3 * (fc->radix[0] - 1) / 2;
	if (!strcmp(policy, "dp")) {
		if (one_in(state, 3))
			set_params(rc, "wrap=off");
		return 1;
	}
	/* a cycle of labels */
	if (torus)
		fc->radix[fc->ndims - 1] += fc->radix[fc->ndims - 1] & 1;
	return 2;
}

/* a random network of switches and hosts. Returns its nodes. */
static u32 random_irregular(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	strcpy(fc->topology, "irregular");
	fc->ndims = 0;
	fc->graph = graph_random(state, 8);
	rc->nset = 0;
	strcpy(rc->policy, one_in(state, 2) ? "test-shortest" : "test-shortest-tree");
	return fc->graph->hosts;
}

/*
 * Sometimes another topology than the mesh, with a policy that serves it and the
 * virtual channels that this one needs. Returns its nodes.
 */
static u32 random_topology(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	static const char *const others[] = { "torus", "torus", "ring", "star", "hypercube" };
	const char *name = others[rng_below(state, ARRAY_SIZE(others))];
	struct mcfab_topo topo = { 0 };
	struct mcfab_err err;
	u32 i;

	if (one_in(state, 4))
		return random_irregular(state, fc, rc);
	if (one_in(state, 3)) {
		strcpy(fc->topology, name);
		if (strcmp(name, "torus"))
			fc->ndims = 1;
		if (!strcmp(name, "hypercube"))
			fc->radix[0] = pick(state, 1, 5);
		if (!strcmp(name, "star"))
			fc->radix[0] = pick(state, 3, 4);
		if (strcmp(name, "hypercube"))
			fc->vcs = max(fc->vcs, random_symmetric(state, fc, rc));
	}
	topo.ops = mcfab_topo_find(fc->topology);
	topo.ndims = fc->ndims;
	for (i = 0; i < fc->ndims; i++)
		topo.radix[i] = fc->radix[i];
	assert_int_equal(topo.ops->init(&topo, &err), 0);
	return topo.nodes;
}

/* only what can be had, and long enough buffers where packets must fit */
static void random_headers(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
			   u32 nodes)
{
	if (!one_in(state, 3))
		return;
	rc->headers = true;
	fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
	if (fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		fc->switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	/* no plan has more entries than twice its destinations */
	if (fc->switching == MCFAB_SWITCHING_MODE_CUT_THROUGH)
		fc->buffer += 2 * nodes;
}

/* messages of several packets, the last one shorter where that can be */
static void random_packets(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	if (one_in(state, 3)) {
		rc->mtu = pick(state, 1, rc->flits);
		if (rc->headers || fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
			rc->flits = rc->mtu * (rc->flits / rc->mtu);
	}
	/* a plan may have longer lists than messages have destinations */
	if (fc->switching != MCFAB_SWITCHING_MODE_WORMHOLE && !rc->headers && one_in(state, 3))
		fc->buffer_packets = pick(state, 1, 4);
}

/* drawn apart from the rest, so that the cases are what they were without them */
static void random_ports(u64 state, struct mcfab_fabric_cfg *fc)
{
	if (one_in(&state, 3))
		fc->pipeline = MCFAB_PIPELINE_MODE_FLIT;
	if (one_in(&state, 3) && !fc->graph && fc->replication != MCFAB_REPLICATION_MODE_LOCKSTEP)
		fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_SHARED;
	if (one_in(&state, 2) && fc->input_speedup &&
	    fc->link_arbitration == MCFAB_LINK_ARBITRATION_MODE_FLIT &&
	    fc->replication == MCFAB_REPLICATION_MODE_ASYNC)
		fc->allocator = one_in(&state, 2) ? MCFAB_ALLOCATOR_MODE_SEPARABLE :
				MCFAB_ALLOCATOR_MODE_ISLIP;
}

u32 random_case(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes;

	random_fabric(state, fc);
	random_run(state, rc);
	random_rules(state, fc, rc->flits);
	nodes = random_topology(state, fc, rc);
	if (!strcmp(rc->policy, "qg") && fc->ndims == 2 && one_in(state, 3)) {
		rc->nset = 0;
		set_params(rc, one_in(state, 2) ? "routing=west-first" : "routing=negative-first");
	}
	random_headers(state, fc, rc, nodes);
	random_packets(state, fc, rc);
	random_ports(*state, fc);
	return nodes;
}

static u32 random_link(u64 *state, u32 most)
{
	return one_in(state, 3) ? 0 : pick(state, 1, most);
}

void random_delays(u64 state, struct mcfab_fabric_cfg *fc)
{
	struct mcfab_graph *graph = (struct mcfab_graph *)fc->graph;
	u32 i, most = one_in(&state, 4) ? 40 : 6;

	if (!graph || one_in(&state, 2))
		return;
	for (i = 0; i < graph->links; i++) {
		graph->link[i].delay = random_link(&state, most);
		graph->link[i].delay_back = random_link(&state, most);
	}
}

static void random_host_links(u64 state, struct mcfab_fabric_cfg *fc)
{
	struct mcfab_graph *graph = (struct mcfab_graph *)fc->graph;
	u32 i, most = one_in(&state, 4) ? 20 : 4;

	if (!graph || fc->vc_release != MCFAB_VC_RELEASE_MODE_SENT || one_in(&state, 2) ||
	    fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		return;
	for (i = 0; i < graph->hosts; i++) {
		graph->host[i].pace = random_link(&state, most);
		graph->host[i].pace_back = random_link(&state, most);
	}
}

void random_links(u64 state, struct mcfab_fabric_cfg *fc)
{
	struct mcfab_graph *graph = (struct mcfab_graph *)fc->graph;
	u32 i, most;

	random_delays(state, fc);
	state = rng(&state);
	random_host_links(rng(&state), fc);
	most = one_in(&state, 4) ? 20 : 4;
	if (!graph || one_in(&state, 2))
		return;
	for (i = 0; i < graph->links; i++) {
		graph->link[i].pace = random_link(&state, most);
		graph->link[i].pace_back = random_link(&state, most);
	}
}

void vary_lengths(u64 state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	struct mcfab_workload_cfg *w = &rc->workload;
	u32 i;

	if (!one_in(&state, 2) || rc->headers ||
	    fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		return;
	w->nlengths = pick(&state, 2, 4);
	for (i = 0; i < w->nlengths; i++) {
		w->length[i] = pick(&state, 1, rc->flits);
		w->weight[i] = pick(&state, 1, 9);
	}
}

void suit_worms(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
	fc->input_speedup = 0;
	fc->allocator = MCFAB_ALLOCATOR_MODE_OLDEST;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
	fc->credit_delay = min(fc->credit_delay, 1U);
	rc->headers = false;
	if (rc->mtu)
		rc->flits = rc->mtu * max(rc->flits / rc->mtu, 1U);
	fc->buffer = mcfab_packet_flits(rc->flits, rc->mtu) * pick(state, 1, 4);
	fc->buffer_packets = one_in(state, 3) ? pick(state, 1, 4) : 0;
	fc->switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_PACKET;
	if (fc->vcs == 1 && one_in(state, 3)) {
		fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
		fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
		fc->buffer_packets = 0;
		fc->vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
	}
	/* any length will do if one packet at a time is in a buffer */
	if (fc->vc_release == MCFAB_VC_RELEASE_MODE_DRAINED)
		fc->buffer += pick(state, 0, 5);
}

/*
 * ... so that they can be moved by their heads and tails, whatever the buffers hold; returns
 * whether headers may fly ahead with one shard
 */
bool suit_tails(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	static const char *const paths[] = { "dp", "mp", "cp", "qg" };
	bool updown = fc->routing == MCFAB_ROUTING_MODE_UPDOWN, single = true;
	bool mesh = !strcmp(fc->topology, "mesh");
	u32 link, i;

	fc->vcs = 1;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
	fc->credit_delay = 0;
	fc->vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
	rc->headers = false;
	if (updown || fc->graph) {
		fc->link_delay = 1;
		fc->pipeline = MCFAB_PIPELINE_MODE_HEADER;
	}
	link = fc->link_delay;
	if (fc->pipeline == MCFAB_PIPELINE_MODE_FLIT)
		link += fc->route_delay;
	for (i = 0; i < ARRAY_SIZE(paths) && mesh && !updown; i++)
		single &= !!strcmp(rc->policy, paths[i]);
	if (single) {
		strcpy(rc->policy, fc->graph && !updown ? "test-shortest" : "unicast");
		rc->nset = 0;
	}
	/* the one that needs no more than one VC there */
	if (!mesh && strcmp(fc->topology, "hypercube") && !fc->graph && !updown) {
		strcpy(rc->policy, "dp");
		single = false;
	}
	if (!single) {
		fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
		fc->consume = 0;
	}
	if (fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	fc->buffer_packets = 0;
	/* a few of them with whole packets, too */
	if (fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE) {
		fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
		fc->buffer = one_in(state, 3) ? pick(state, 1, 3) : pick(state, 1, 12);
	}
	fc->buffer = max(fc->buffer, link);
	if (one_in(state, 4) || updown || fc->graph)
		return false;
	/* headers fly ahead */
	fc->pipeline = MCFAB_PIPELINE_MODE_HEADER;
	fc->link_delay = 1;
	fc->route_delay = min(fc->route_delay, fc->buffer - 1);
	return true;
}

/* ... and where they branch, in lock-step or not, or wait for consumption channels */
void suit_trees(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	static const char *const paths[] = { "dp", "mp", "cp" };
	static const char *const switches[] = { "ssr", "multidrop", "bitstring" };
	bool grid = !strcmp(fc->topology, "mesh") || !strcmp(fc->topology, "hypercube");
	bool updown = fc->routing == MCFAB_ROUTING_MODE_UPDOWN;
	struct mcfab_run_cfg was = *rc;
	u32 nr = rng_below(state, 10), i;

	suit_tails(state, fc, rc);
	fc->replication = one_in(state, 2) ? MCFAB_REPLICATION_MODE_LOCKSTEP :
			  MCFAB_REPLICATION_MODE_ASYNC;
	if (fc->replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		fc->allocator = MCFAB_ALLOCATOR_MODE_OLDEST;
	fc->consume = one_in(state, 2) ? 0 : pick(state, 1, 3);
	for (i = 0; i < ARRAY_SIZE(switches) && updown; i++)
		if (!strcmp(was.policy, switches[i]))
			*rc = was;
	rc->headers = false;
	if (updown) {
		/* is for those alone */
	} else if (fc->graph) {
		strcpy(rc->policy, "test-shortest-tree");
	} else if (grid) {
		rc->nset = 0;
		strcpy(rc->policy, nr < 7 ? "test-tree" : paths[nr - 7]);
	}
	if (fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE && one_in(state, 3))
		fc->buffer = max(fc->buffer, pick(state, 8, 16));
}
