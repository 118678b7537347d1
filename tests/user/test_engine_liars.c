// SPDX-License-Identifier: GPL-2.0
/*
 * Policies that lie: plans for other nodes than were asked for, and header decisions that
 * deliver to a wrong node, at a wrong router, twice, or not at all, or lead out of the network.
 * However flits are moved, the run ends as failed and names policy, message, worm and node;
 * whoever makes the plan alone, as "plan" does, is told the same.
 */
#include <stdio.h>
#include <string.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/runner.h"

#include "lib/tap.h"

/* the lie */
enum lie {
	NONE,
	/* in the plan */
	OTHERS,		/* all worms go to the node after the one that is asked for */
	MISSED,		/* one is left out */
	TWICE,		/* one is there twice, in place of another */
	TOO_MANY,	/* and one in addition */
	UNSENT,		/* a worm's sender never gets the message */
	/* in a header decision */
	NEIGHBOUR,	/* the copy goes to the node after the one that it is for */
	EARLY,		/* a copy is made where the packet begins */
	KEPT,		/* a destination is delivered, and stays in the header */
	LOST,		/* a destination is dropped from the header */
	TOO_FAR,	/* it goes straight on until there is no channel any more */
	TOO_SOON,	/* after the routers where it goes straight on it is at its end */
	NO_VC,		/* it may use none of the virtual channels */
	LIES,
};

static enum lie lie;
static u32 nodes;
/* from the first packet on, not when some have been sent as they should */
static bool always;
/* what lies do to a policy that is honest otherwise */
static struct mcfab_policy_ops honest, liar = { .name = "test-liar" };

static void max_plan(const struct mcfab_view *view, const void *priv, u32 ndst, u32 *worms,
		     u32 *dsts)
{
	if (honest.max_plan)
		honest.max_plan(view, priv, ndst, worms, dsts);
	*worms += 1;
	*dsts += 1;
}

static void prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	if (lie == OTHERS)
		for (i = 0; i < ndst; i++) {
			dst[i] = (dst[i] + 1) % nodes;
			if (dst[i] == source)
				dst[i] = (dst[i] + 1) % nodes;
		}
	honest.prepare(view, priv, source, dst, lie == MISSED ? ndst - 1 : ndst, plan, scratch);
	if (lie == TWICE)
		plan->dst[plan->ndst - 1] = plan->dst[0];
	if (lie == TOO_MANY || lie == UNSENT) {
		u32 last = plan->dst[plan->ndst - 1];

		if (lie == UNSENT && !--plan->worm[plan->nworms - 1].count)
			plan->nworms--;
		plan->ndst -= lie == UNSENT;
		/* at the end of the last step: the order is kept */
		mcfab_plan_worm(plan, lie == UNSENT ? last : source, lie == UNSENT ? 0 : MCFAB_NONE,
				MCFAB_PORT_ANY, 0);
		if (lie == TOO_MANY)
			plan->worm[plan->nworms - 1].step = 1;
		mcfab_plan_dst(plan, last);
	}
}

static void change(const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	struct mcfab_branch *b = out->branch, *last = &b[out->nbranches - 1];

	switch (lie) {
	case NEIGHBOUR:
		if (b->node != MCFAB_NONE)
			b->node = (b->node + 1) % nodes;
		break;
	case EARLY:
		if (out->nbranches != 1 || b->node != MCFAB_NONE ||
		    hdr->in_port != MCFAB_PORT_ANY)
			break;
		b[1] = b[0];
		b->first = b->last - 1;
		b->node = hdr->dst[b->first] & ~MCFAB_DST_RELAY;
		b->nports = 0;
		out->nbranches = 1 + (b[1].first < --b[1].last);
		out->straight = 0;
		out->ends = false;
		break;
	case KEPT:
		/* a path's next branch begins earlier, a tree makes the copy again */
		if (b->node == MCFAB_NONE)
			break;
		if (last->node == MCFAB_NONE && last->first == b->first + 1)
			last->first--;
		else
			out->branch[out->nbranches++] = *b;
		out->ends = false;
		break;
	case LOST:
		if (last->node == MCFAB_NONE && last->last - last->first > 1)
			last->last--;
		break;
	case TOO_FAR:
		out->straight = 200;
		out->ends = false;
		break;
	case TOO_SOON:
		out->ends = last->node == MCFAB_NONE;
		break;
	case NO_VC:
		if (last->node == MCFAB_NONE)
			last->vcs[0] = 0;
		break;
	default:
		break;
	}
}

static void route(const struct mcfab_view *view, const void *priv, const struct mcfab_header *hdr,
		  struct mcfab_decision *out)
{
	honest.route(view, priv, hdr, out);
	if (lie >= NEIGHBOUR && (always || hdr->serial >= 3))
		change(hdr, out);
}

static void lie_about(const char *policy)
{
	const struct mcfab_policy_ops *ops = mcfab_policy_get(policy);

	assert_non_null(ops);
	honest = *ops;
	liar = *ops;
	mcfab_policy_put(ops);
	liar.name = "test-liar";
	liar.prepare = prepare;
	liar.route = route;
	liar.max_plan = max_plan;
}

/* how flits are moved, and by what policy */
struct way {
	const char *name;
	const char *policy;
	const char *set;
	enum mcfab_advance_mode advance;
	u32 buffer;
	u32 vcs;
	u32 shards;
	u32 mtu;
	u32 consume;
	bool updown;
	bool host;
	bool cut_through;
	/* what the engine is to choose then */
	u32 rules;
	bool paths;
	bool flights;
};

static const struct way ways[] = {
	{ .name = "flights", .policy = "cp", .set = "", .buffer = 1, .flights = true,
	  .rules = MCFAB_ENG_TAILS },
	{ .name = "flights to few consumption channels", .policy = "cp", .set = "", .buffer = 1,
	  .consume = 1 },
	{ .name = "paths by heads and tails", .policy = "cp", .set = "", .buffer = 1, .shards = 3,
	  .rules = MCFAB_ENG_TAILS },
	{ .name = "paths flit by flit", .policy = "cp", .set = "", .buffer = 2, .shards = 3,
	  .advance = MCFAB_ADVANCE_MODE_FLIT, .paths = true },
	{ .name = "all rules flit by flit", .policy = "cp", .set = "", .buffer = 2, .vcs = 2,
	  .advance = MCFAB_ADVANCE_MODE_FLIT, .shards = 2 },
	{ .name = "later senders", .policy = "qg", .set = "", .buffer = 1 },
	{ .name = "unicasts", .policy = "unicast", .set = "", .buffer = 1 },
	{ .name = "packets of a message", .policy = "cp", .set = "", .buffer = 4, .mtu = 4 },
	{ .name = "whole packets", .policy = "cp", .set = "", .buffer = 24, .vcs = 2,
	  .advance = MCFAB_ADVANCE_MODE_WORM, .cut_through = true, .rules = MCFAB_ENG_WORM },
	{ .name = "trees", .policy = "bitstring", .set = "small-buffers=allow", .buffer = 8,
	  .updown = true, .rules = MCFAB_ENG_TREES },
	{ .name = "trees flit by flit", .policy = "bitstring", .set = "small-buffers=allow",
	  .buffer = 8, .updown = true, .shards = 4, .advance = MCFAB_ADVANCE_MODE_FLIT },
	{ .name = "trees of several packets", .policy = "bitstring", .set = "small-buffers=allow",
	  .buffer = 8, .updown = true, .mtu = 4, .shards = 2 },
	{ .name = "hosts", .policy = "kbinomial", .set = "", .buffer = 4, .mtu = 4,
	  .updown = true, .host = true },
};

static void set_up(const struct way *w, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc,
		   u32 shards)
{
	mcfab_fabric_defaults(fc);
	strcpy(fc->name, "f");
	strcpy(fc->topology, "mesh");
	fc->ndims = 2;
	fc->radix[0] = 6;
	fc->radix[1] = 5;
	fc->buffer = w->buffer;
	fc->vcs = w->vcs ?: 1;
	fc->consume = w->consume;
	fc->shards = shards;
	if (w->updown)
		fc->routing = MCFAB_ROUTING_MODE_UPDOWN;
	if (w->host)
		fc->node_model = MCFAB_NODE_MODEL_MODE_HOST;
	if (w->cut_through) {
		fc->switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
		fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_PACKET;
	}
	nodes = 30;
	mcfab_run_defaults(rc);
	strcpy(rc->policy, "test-liar");
	set_params(rc, w->set);
	rc->flits = 12;
	rc->mtu = w->mtu;
	if (w->advance)
		rc->advance = w->advance;
	rc->workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc->workload.rate = 1000000;
	rc->workload.dests = 6;
	rc->warmup = 0;
	rc->batch_cycles = 1000;
	rc->max_cycles = 100000;
}

/* does a decision of this policy ever offer the occasion? */
static bool applies(const struct way *w, enum lie which)
{
	if (!(liar.flags & MCFAB_POLICY_SINGLE))
		return true;
	return which != LOST && which != KEPT;
}

static void check_words(const struct way *w, const char *why)
{
	u32 seq, node, worm, at, n = 0;
	unsigned long long gen;

	if (sscanf(why, "policy test-liar, message %u of node %u from cycle %llu: %n", &seq, &node,
		   &gen, &n) != 3 || !n)
		fail_msg("%s, lie %u: %s", w->name, lie, why);
	assert_true(node < nodes);
	why += n;
	n = 0;
	/* what is in no worm has none */
	if (lie == MISSED && sscanf(why, "node %u: it is not delivered%n", &at, &n) == 1 && n)
		return;
	if (sscanf(why, "worm %u, node %u: %n", &worm, &at, &n) != 2 || !n || at >= nodes)
		fail_msg("%s, lie %u: %s", w->name, lie, why);
}

static void test_runs(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out, again;
	const struct way *w;
	u32 told = 0;

	for (w = ways; w < ways + ARRAY_SIZE(ways); w++) {
		lie_about(w->policy);
		mcfab_policy_register(&liar);
		for (lie = NONE; lie < LIES; lie++) {
			if (!applies(w, lie))
				continue;
			set_up(w, &fc, &rc, 1);
			if (w->shards)
				fc.shards = w->shards;
			runner_threads = fc.shards;
			run_engine(&fc, &rc, false, &out);
			runner_threads = 1;
			if ((out.rules & w->rules) != w->rules)
				fail_msg("%s, lie %u: rules %x, %s", w->name, lie, out.rules, out.progress.why);
			assert_true(out.paths >= w->paths && out.flights >= w->flights);
			if (lie == NONE) {
				if (out.state == MCFAB_RUN_STATUS_FAILED)
					fail_msg("%s: %s", w->name, out.progress.why);
				continue;
			}
			if (out.state != MCFAB_RUN_STATUS_FAILED)
				fail_msg("%s, lie %u: state %u, %llu deliveries", w->name, lie,
					 out.state, (unsigned long long)out.progress.deliveries);
			check_words(w, out.progress.why);
			told++;
			if (!w->shards)
				continue;
			/* the same one is told of, however many look */
			fc.shards = 1;
			run_engine(&fc, &rc, false, &again);
			if (!again.flights) {
				assert_string_equal(again.progress.why, out.progress.why);
				assert_int_equal(again.cycle, out.cycle);
			}
		}
		mcfab_policy_unregister(&liar);
	}
	printf("# %u lies told of\n", told);
}

/* a lone multicast, whose plan is walked before it is sent */
static void test_lone(void **state)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	lie_about("cp");
	mcfab_policy_register(&liar);
	always = true;
	for (lie = OTHERS; lie < LIES; lie++) {
		set_up(&ways[0], &fc, &rc, 1);
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
		rc.workload.count = 50;
		run_engine(&fc, &rc, false, &out);
		assert_int_equal(out.state, MCFAB_RUN_STATUS_FAILED);
		check_words(&ways[0], out.progress.why);
	}
	always = false;
	mcfab_policy_unregister(&liar);
}

/* what "plan" does: make the plan, walk it */
static int plan(struct multicast *mc, struct mcfab_blame *blame)
{
	static const u32 dst[] = { 1, 8, 9, 17, 20, 29 };
	struct mcfab_timing timing = { .flits = 8, .rounds = MCFAB_ROUNDS_MODE_DELIVERED };
	u64 arrival[ARRAY_SIZE(dst) * 2];
	u32 node[ARRAY_SIZE(dst) * 2];
	struct mcfab_prediction cost = { .arrival = arrival, .node = node };
	u32 copy[ARRAY_SIZE(dst)];
	int ret;

	memcpy(copy, dst, sizeof(dst));
	ret = mcfab_plan_prepare(&mc->pol, 14, copy, ARRAY_SIZE(dst), &mc->plan, mc->scratch,
				 blame);
	if (ret)
		return ret;
	mc->walk_mem = kvmalloc(mcfab_walk_bytes(&mc->pol, &mc->plan), GFP_KERNEL);
	mcfab_walk_init(&mc->walk, &mc->pol, &mc->plan, mc->walk_mem);
	ret = mcfab_walk_predict(&mc->walk, &timing, &cost);
	*blame = mc->walk.blame;
	kvfree(mc->walk_mem);
	mc->walk_mem = NULL;
	return ret;
}

static void test_plan(void **state)
{
	static const char *const policies[] = { "cp", "dp", "mp", "qg", "unicast" };
	static const u32 radix[] = { 6, 5 };
	struct multicast mc;
	struct net net;
	u32 k, which;

	nodes = 30;
	always = true;
	net_init(&net, 2, radix);
	for (k = 0; k < ARRAY_SIZE(policies); k++) {
		lie_about(policies[k]);
		mcfab_policy_register(&liar);
		multicast_init(&mc, &net, "test-liar", "", 8);
		for (which = OTHERS; which < LIES; which++) {
			struct mcfab_blame blame;

			if (which >= KEPT && liar.flags & MCFAB_POLICY_SINGLE)
				continue;
			lie = which;
			if (!plan(&mc, &blame))
				fail_msg("%s, lie %u: nobody is to blame", policies[k], lie);
			assert_non_null(blame.what);
			assert_true(blame.node < nodes);
			assert_true((blame.worm == MCFAB_NONE) == (lie == MISSED));
			/* it leaves nothing behind: an honest plan is none the worse */
			lie = NONE;
			assert_int_equal(plan(&mc, &blame), 0);
		}
		multicast_exit(&mc);
		mcfab_policy_unregister(&liar);
	}
	net_exit(&net);
	always = false;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_lone),
		cmocka_unit_test(test_plan),
	};

	return run_tap(tests);
}
