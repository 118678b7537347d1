// SPDX-License-Identifier: GPL-2.0
/*
 * What is predicted of nodes with hosts (plan/predict_host.c) against the engine: a multicast
 * alone comes exactly then where no two of its worms use the same channel, and never
 * earlier where they do.
 *
 * MCFAB_CASE=N runs one case, MCFAB_ROUNDS=N that many, MCFAB_FIRST=N from there on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "plan/predict_host.h"
#include "lib/capture.h"
#include "lib/later.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"
#include "lib/runner.h"
#include "lib/shortest.h"
#include "lib/tree.h"

#include "lib/tap.h"

static u64 apart, shared, late, exact[3], several;

/* a policy's plan of one multicast and what is predicted for it */
struct foresight {
	struct mcfab_fabric *fabric;
	struct mcfab_policy pol;
	struct mcfab_plan plan;
	struct mcfab_walk walk;
	struct mcfab_prediction out;
	struct mcfab_host_timing host;
	u32 *dst;
	void *scratch, *mem, *starts;
};

static void foresee(struct foresight *f, const struct mcfab_fabric_cfg *fc,
		    const struct mcfab_run_cfg *rc)
{
	const struct mcfab_msg_list *list = rc->workload.list;
	struct mcfab_timing timing = { .headers = rc->headers, .prep_relay = rc->prep_relay };
	u32 count = list->first[1];
	struct mcfab_err err = { 0 };
	struct mcfab_view view;
	struct mcfab_blame blame;
	size_t scratch;

	memset(f, 0, sizeof(*f));
	f->fabric = mcfab_fabric_create(fc, &err);
	assert_false(IS_ERR(f->fabric));
	fc = &f->fabric->cfg;
	view = f->fabric->view;
	assert_int_equal(mcfab_fabric_packets(f->fabric, rc->policy, rc->flits, rc->mtu,
					      rc->headers ? count : 0, &view, &err), 0);
	view.load = true;
	assert_int_equal(mcfab_policy_open(&f->pol, rc->policy, &view, rc->set, rc->nset, &err), 0);
	mcfab_plan_bounds(&f->pol, view.topo->nodes - 1, &f->plan.max_worms, &f->plan.max_dst,
			  &scratch);
	f->plan.group = MCFAB_NONE;
	f->plan.worm = calloc(f->plan.max_worms, sizeof(*f->plan.worm));
	f->plan.dst = calloc(f->plan.max_dst, sizeof(u32));
	f->scratch = calloc(1, scratch + 1);
	f->dst = calloc(count, sizeof(u32));
	memcpy(f->dst, list->dst, count * sizeof(u32));
	assert_int_equal(mcfab_plan_prepare(&f->pol, list->source[0], f->dst, count, &f->plan,
					    f->scratch, &blame), 0);

	timing.prep = rc->prep == MCFAB_NONE ? f->pol.ops->prep : rc->prep;
	timing.startup = fc->startup;
	timing.inject_delay = fc->inject_delay;
	timing.route_delay = fc->route_delay;
	timing.link_delay = fc->link_delay;
	timing.consume_delay = fc->consume_delay;
	timing.ports = mcfab_has_ports(&f->fabric->topo, fc);
	mcfab_host_timing_init(&f->host, fc, &f->pol, rc->flits, rc->mtu);
	f->out.arrival = calloc(f->plan.ndst, sizeof(u64));
	f->out.node = calloc(f->plan.ndst, sizeof(u32));
	f->out.hops = calloc(f->plan.ndst, sizeof(u32));
	f->out.links = calloc(f->plan.ndst, sizeof(*f->out.links));
	f->mem = malloc(mcfab_walk_bytes(&f->pol, &f->plan));
	f->starts = malloc(mcfab_host_predict_bytes(f->plan.nworms, f->host.packets));
	mcfab_walk_init(&f->walk, &f->pol, &f->plan, f->mem);
	assert_int_equal(mcfab_host_predict(&f->walk, &timing, &f->host, &f->out, f->starts), 0);
}

static void forget(struct foresight *f)
{
	mcfab_policy_close(&f->pol);
	mcfab_fabric_destroy(f->fabric);
	free(f->plan.worm);
	free(f->plan.dst);
	free(f->dst);
	free(f->scratch);
	free(f->mem);
	free(f->starts);
	free(f->out.arrival);
	free(f->out.node);
	free(f->out.hops);
	free(f->out.links);
}

/* does each channel and each node see one worm at most? */
static bool worms_apart(struct foresight *f)
{
	const struct mcfab_topo *topo = &f->fabric->topo;
	u8 *channel = calloc(topo->routers, topo->ports + 1), *node = calloc(topo->nodes, 1);
	struct mcfab_walk_event event;
	bool ok = true;
	u32 i;

	node[f->plan.worm[0].sender] = 1;
	for (i = 0; i < f->plan.nworms; i++) {
		mcfab_walk_start(&f->walk, i);
		while (mcfab_walk_next(&f->walk, &event) == 1) {
			if (event.kind == MCFAB_WALK_HOP)
				ok &= !channel[event.from * topo->ports + event.port]++;
			else
				ok &= !node[event.to & ~MCFAB_DST_RELAY]++;
		}
	}
	free(channel);
	free(node);
	return ok;
}

/*
 * Packets of one worm go over the same channels. They are not in each other's way if one
 * leaves when the one before has left, and channels and buffers take the one while they
 * have the other; a packet of a worm streams if buffers hold what is under way.
 */
static bool packets_apart(const struct foresight *f, const struct mcfab_fabric_cfg *fc)
{
	const struct mcfab_fabric_cfg *full = &f->fabric->cfg;
	u32 link = max(full->link_delay, full->graph ? mcfab_graph_longest(full->graph) : 0);
	u32 credit = full->credit_delay ? full->credit_delay + link - full->link_delay : 0;
	u32 under_way = link + credit + full->route_delay;

	if (f->pol.view.buffer < under_way)
		return false;
	if (f->host.packets == 1)
		return true;
	return full->inject == 1 && full->vc_release == MCFAB_VC_RELEASE_MODE_SENT &&
	       f->pol.view.buffer >= 2 * f->pol.view.flits + under_way;
}

/* over another injection channel, lane or consumption channel a short last packet may come first */
static bool overtakes(const struct foresight *f)
{
	const struct mcfab_fabric_cfg *full = &f->fabric->cfg;

	return full->inject > 1 && f->host.last < f->host.packet;
}

/* over other links than the packet before, which may be faster */
static bool takes_other_way(const struct foresight *f, const struct mcfab_run_cfg *rc)
{
	u32 i;

	for (i = 0; i < rc->nset; i++)
		if (!strcmp(rc->set[i].name, "adaptive") && !strcmp(rc->set[i].value, "on"))
			return f->host.packets > 1;
	return false;
}

static u64 predicted(const struct foresight *f, u32 dst)
{
	u32 i;

	for (i = 0; i < f->plan.ndst; i++)
		if (f->out.node[i] == dst)
			return f->out.arrival[i];
	return 0;
}

/* the delays as they are told, and channels of their own: what is foreseen here */
static void plain_ports(struct mcfab_fabric_cfg *fc)
{
	fc->pipeline = MCFAB_PIPELINE_MODE_HEADER;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
}

static void random_lone(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 nodes = random_case(state, fc, rc);

	random_hosts(state, fc, rc);
	plain_ports(fc);
	if (one_in(state, 3))
		random_updown(state, fc, rc, nodes);
	else if (!one_in(state, 6))
		random_later(state, fc, rc);
	more_packets(state, fc, rc);
	if (fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE && one_in(state, 2))
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	if (!one_in(state, 3))
		fc->inject = 1;
	if (!one_in(state, 3)) {
		fc->buffer = 2 * mcfab_packet_flits(rc->flits, rc->mtu) + 12 +
			     (rc->headers ? 6 * nodes : 0);
		fc->buffer_packets = 0;
	}
	random_delays(*state, fc);
	rc->workload.list = list_random(state, nodes, 1, pick(state, 1, 6), 50);
}

static const char *one(u64 number, bool verbose)
{
	u64 state = (number + 1) * 0xc6a4a7935bd1e995ull;
	struct capture seen = { 0 };
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct foresight f;
	struct outcome end;
	const char *wrong = NULL;
	bool free_way;
	u32 i;

	state = rng(&state);
	random_lone(&state, &fc, &rc);
	if (verbose)
		print_config(&fc, &rc);
	capture = &seen;
	run_engine(&fc, &rc, false, &end);
	capture = NULL;
	foresee(&f, &fc, &rc);
	free_way = worms_apart(&f) && packets_apart(&f, &fc);
	for (i = 0; i < seen.ndlv && !wrong; i++) {
		u64 want = predicted(&f, seen.dlv[i].dst);

		if (seen.dlv[i].tail < want && !overtakes(&f) && !takes_other_way(&f, &rc))
			wrong = "a delivery is earlier than predicted";
		else if (free_way && seen.dlv[i].tail > want)
			wrong = "a delivery is later than predicted";
		late += seen.dlv[i].tail > want;
		if (wrong)
			printf("# to %u: predicted %llu, in fact %u\n", seen.dlv[i].dst,
			       (unsigned long long)want, seen.dlv[i].tail);
	}
	if (end.state == MCFAB_RUN_STATUS_DONE && seen.ndlv != rc.workload.list->first[1])
		wrong = "deliveries are missing";
	if (wrong) {
		printf("# case %llu: %s\n", (unsigned long long)number, wrong);
		print_config(&fc, &rc);
	}
	apart += free_way;
	shared += !free_way;
	if (free_way)
		exact[f.host.forward]++;
	several += free_way && f.host.packets > 1 && f.plan.nworms > 1;
	forget(&f);
	capture_free(&seen);
	list_free((struct mcfab_msg_list *)rc.workload.list);
	free((void *)fc.graph);
	return wrong;
}

static void test_lone(void **state)
{
	const char *only = getenv("MCFAB_CASE");
	u32 rounds = env_number("MCFAB_ROUNDS", env_number("MCFAB_GROUPS", 400000) / 20);
	u64 first = env_number("MCFAB_FIRST", 0);
	u32 wrong = 0, i;

	if (only) {
		assert_null(one(strtoull(only, NULL, 10), true));
		return;
	}
	for (i = 0; i < rounds && wrong < 10; i++)
		wrong += !!one(first + i, false);
	printf("# %llu multicasts with channels of their own came when predicted (%llu sent on by hosts, %llu first packet, %llu first child first; %llu of several worms and packets); of %llu others %llu deliveries were later\n",
	       (unsigned long long)apart, (unsigned long long)exact[MCFAB_FORWARD_HOST],
	       (unsigned long long)exact[MCFAB_FORWARD_FPFS],
	       (unsigned long long)exact[MCFAB_FORWARD_FCFS], (unsigned long long)several,
	       (unsigned long long)shared, (unsigned long long)late);
	assert_int_equal(wrong, 0);
	assert_true(apart > rounds / 8 && several > rounds / 40);
}

/* lone runs report it: exactly what comes if there is one destination and one packet */
static void test_reported(void **state)
{
	u32 rounds = env_number("MCFAB_GROUPS", 100000) / 200, exact = 0, i;
	u64 rnd = 11;

	for (i = 0; i < rounds; i++) {
		bool single = one_in(&rnd, 2), overtaking;
		struct capture seen = { 0 };
		struct mcfab_fabric_cfg fc;
		struct mcfab_run_cfg rc;
		struct outcome end;
		u32 nodes = random_case(&rnd, &fc, &rc);

		random_hosts(&rnd, &fc, &rc);
		plain_ports(&fc);
		random_later(&rnd, &fc, &rc);
		if (!single)
			more_packets(&rnd, &fc, &rc);
		else
			rc.mtu = 0;
		fc.buffer = max(fc.buffer, rc.flits + 12);
		random_delays(rnd, &fc);
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
		rc.workload.count = 3;
		rc.workload.dests = single ? 1 : pick(&rnd, 1, nodes - 1);
		overtaking = fc.inject != 1 && rc.mtu && rc.flits % rc.mtu;
		capture = &seen;
		run_engine(&fc, &rc, false, &end);
		capture = NULL;
		if (seen.foretold != seen.nmsg || (single && seen.exact != 3) ||
		    (seen.earlier && !overtaking)) {
			print_config(&fc, &rc);
			fail_msg("case %u: %u of %u foretold, %u earlier, %u then", i,
				 seen.foretold, seen.nmsg, seen.earlier, seen.exact);
		}
		exact += seen.exact;
		capture_free(&seen);
		free((void *)fc.graph);
	}
	printf("# %u lone multicasts came when predicted\n", exact);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lone),
		cmocka_unit_test(test_reported),
	};

	mcfab_policy_register(&test_tree);
	mcfab_policy_register(&test_shortest);
	mcfab_policy_register(&test_shortest_tree);
	mcfab_policy_register(&test_later);
	mcfab_policy_register(&test_later_tree);
	return run_tap(tests);
}
