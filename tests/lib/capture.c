// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include "fabric/runner.h"
#include "plan/walk.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "lib/random_case.h"
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/stretch.h"

#include "lib/tap.h"

struct capture *capture;

void __real_mcfab_stats_message(struct mcfab_stats *st, const struct mcfab_message *msg,
				const struct mcfab_delivery *dlv, u32 ndlv);
void __wrap_mcfab_stats_message(struct mcfab_stats *st, const struct mcfab_message *msg,
				const struct mcfab_delivery *dlv, u32 ndlv);

static void foretell(struct capture *c, const struct mcfab_prediction *predicted,
		     const struct mcfab_delivery *dlv, u32 ndlv)
{
	u64 completion = 0;
	u32 i;

	for (i = 0; i < ndlv; i++)
		completion = max_t(u64, completion, dlv[i].tail);
	c->foretold++;
	c->earlier += completion < predicted->completion;
	c->exact += completion == predicted->completion;
}

static void keep(struct capture *c, const struct mcfab_message *msg,
		 const struct mcfab_delivery *dlv, u32 ndlv)
{
	if (c->nmsg == c->msg_room) {
		c->msg_room = 2 * c->msg_room + 64;
		c->msg = realloc(c->msg, c->msg_room * sizeof(*c->msg));
	}
	c->msg[c->nmsg++] = *msg;
	while (c->ndlv + ndlv > c->dlv_room) {
		c->dlv_room = 2 * c->dlv_room + 256;
		c->dlv = realloc(c->dlv, c->dlv_room * sizeof(*c->dlv));
	}
	if (ndlv)
		memcpy(c->dlv + c->ndlv, dlv, ndlv * sizeof(*dlv));
	c->ndlv += ndlv;
	if (msg->predicted)
		foretell(c, msg->predicted, dlv, ndlv);
}

void __wrap_mcfab_stats_message(struct mcfab_stats *st, const struct mcfab_message *msg,
				const struct mcfab_delivery *dlv, u32 ndlv)
{
	if (capture) {
		if (stretch_leave)
			stretch_leave();
		keep(capture, msg, dlv, ndlv);
		if (stretch_return)
			stretch_return();
	}
	__real_mcfab_stats_message(st, msg, dlv, ndlv);
}

void capture_free(struct capture *c)
{
	free(c->dlv);
	free(c->msg);
	memset(c, 0, sizeof(*c));
}

void run_engine(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc, bool paranoid,
		struct outcome *out)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = mcfab_fabric_create(fc, &err);
	struct mcfab_run_cfg run = *rc;
	u32 i;

	if (IS_ERR(f)) {
		print_config(fc, rc);
		fail_msg("fabric: %s", err.msg);
	}
	run.workload.topo = &f->topo;
	if (mcfab_run_start(f, &run, &err)) {
		print_config(fc, rc);
		fail_msg("run: %s", err.msg);
	}
	/* threads have started already */
	if (paranoid && runner_threads == 1)
		f->engine->boundary.paranoid = true;
	/* the flags at the start: a run may leave its mode */
	out->rules = f->engine->layout;
	out->flights = f->engine->layout & MCFAB_ENG_FLIGHTS;
	out->paths = f->engine->layout & MCFAB_ENG_PATHS;
	out->policy = f->policy.ops->flags;
	mcfab_runner_wait(f);
	out->state = f->results.progress.state;
	out->hash = f->results.progress.has_hash ? f->results.progress.hash : 0;
	out->cycle = f->results.progress.cycle;
	out->progress = f->results.progress;
	out->deadlock = f->results.deadlock;
	out->channels = 0;
	for (i = 0; i < f->topo.routers * f->topo.ports; i++)
		out->channels = (out->channels ^ f->results.channel_flits[i] ^
				 f->results.channel_wait[i] << 32) * 0x100000001b3ull;
	out->bad = f->results.stats.bad_parts + f->results.stats.bad_messages;
	mcfab_fabric_destroy(f);
}

static u32 most_dests(const struct mcfab_msg_list *list)
{
	u32 most = 0, i;

	for (i = 0; i < list->nmsgs; i++)
		most = max(most, list->first[i + 1] - list->first[i]);
	return most;
}

void run_slow(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc,
	      struct slow_result *out)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric_cfg one = *fc;
	struct mcfab_run_cfg run = *rc;
	struct mcfab_fabric *f;
	struct mcfab_policy pol;
	struct mcfab_view view;

	f = mcfab_fabric_create(&one, &err);
	assert_false(IS_ERR(f));
	view = f->view;
	assert_int_equal(mcfab_fabric_packets(f, rc->policy, mcfab_run_longest(rc), rc->mtu, rc->headers ?
					      most_dests(rc->workload.list) : 0, &view, &err), 0);
	f->cfg.buffer = view.buffer;
	view.load = true;
	assert_int_equal(mcfab_policy_open(&pol, rc->policy, &view, rc->set, rc->nset, &err), 0);
	if (run.rounds == MCFAB_ROUNDS_DEFAULT)
		run.rounds = MCFAB_ROUNDS_MODE_INJECTED;
	slow_run(&f->cfg, &f->topo, &pol, &run, out);
	mcfab_policy_close(&pol);
	mcfab_fabric_destroy(f);
}

void print_config(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc)
{
	u32 i, j;

	printf("# simulate topology %s dims ", fc->topology);
	for (i = 0; i < fc->ndims; i++)
		printf("%s%u", i ? "x" : "", fc->radix[i]);
	printf(" vcs %u buffer %u buffer-packets %u switching %u vc-release %u link-arbitration %u", fc->vcs,
	       fc->buffer, fc->buffer_packets, fc->switching, fc->vc_release, fc->link_arbitration);
	printf(" replication %u input-speedup %u", fc->replication, fc->input_speedup);
	printf(" allocator %u pipeline %u node-bandwidth %u", fc->allocator, fc->pipeline,
	       fc->node_bandwidth);
	printf(" inject %u consume %u inject-delay %u route-delay %u link-delay %u",
	       fc->inject, fc->consume, fc->inject_delay, fc->route_delay, fc->link_delay);
	printf(" consume-delay %u credit-delay %u startup %u stall-limit %u shards %u seed %llu",
	       fc->consume_delay, fc->credit_delay, fc->startup, fc->stall_limit, fc->shards,
	       (unsigned long long)fc->seed);
	printf(" policy %s", rc->policy);
	for (i = 0; i < rc->nset; i++)
		printf(" %s %s", rc->set[i].name, rc->set[i].value);
	printf(" flits %u mtu %u headers %u prep %u prep-relay %u node-busy %u rounds %u workload %u\n",
	       rc->flits, rc->mtu, rc->headers, rc->prep, rc->prep_relay, rc->node_busy, rc->rounds,
	       rc->workload.kind);
	for (i = 0; i < rc->workload.nlengths; i++)
		printf("%s%u weight %u", i ? ", " : "#   lengths ", rc->workload.length[i],
		       rc->workload.weight[i]);
	if (i)
		printf("\n");
	if (fc->node_model == MCFAB_NODE_MODEL_MODE_HOST)
		printf("#   host: startup %u receive %u ni-send %u ni-receive %u ratio %u io-bus %u ni-memory %u cycle-ps %u overhead %u\n",
		       fc->startup, fc->host_receive, fc->ni_send, fc->ni_receive, fc->ni_ratio,
		       fc->io_bus, fc->ni_memory, fc->cycle_ps, fc->host_overhead);
	if (rc->workload.kind != MCFAB_WORKLOAD_TYPE_FILE || rc->workload.list->nmsgs > 12)
		return;
	for (i = 0; i < rc->workload.list->nmsgs; i++) {
		const struct mcfab_msg_list *l = rc->workload.list;

		printf("#   cycle %llu from %u to", (unsigned long long)l->cycle[i], l->source[i]);
		for (j = l->first[i]; j < l->first[i + 1]; j++)
			printf(" %u", l->dst[j]);
		printf("\n");
	}
}

void set_params(struct mcfab_run_cfg *rc, const char *set)
{
	char copy[256], *word, *rest = copy;

	rc->nset = 0;
	strscpy(copy, set ? set : "", sizeof(copy));
	while ((word = strtok_r(rest, " ", &rest))) {
		char *value = strchr(word, '=');

		assert_non_null(value);
		*value++ = '\0';
		strscpy(rc->set[rc->nset].name, word, MCFAB_NAME_LEN);
		strscpy(rc->set[rc->nset++].value, value, MCFAB_NAME_LEN);
	}
}

bool is_tree_policy(const char *policy)
{
	return !strcmp(policy, "tasnem") || !strcmp(policy, "torus-tree");
}

struct mcfab_msg_list *list_new(u32 nmsgs, u32 ndst)
{
	struct mcfab_msg_list *l = calloc(1, sizeof(*l));

	l->nmsgs = nmsgs;
	l->ndst = ndst;
	l->cycle = calloc(nmsgs, sizeof(*l->cycle));
	l->source = calloc(nmsgs, sizeof(u32));
	l->first = calloc(nmsgs + 1, sizeof(u32));
	l->dst = calloc(ndst + 1, sizeof(u32));
	return l;
}

void list_free(struct mcfab_msg_list *l)
{
	free(l->cycle);
	free(l->source);
	free(l->first);
	free(l->dst);
	free(l->flits);
	free(l);
}

static int compare_cycles(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

struct mcfab_msg_list *list_random(u64 *state, u32 nodes, u32 nmsgs, u32 most, u32 spread)
{
	struct mcfab_msg_list *l = list_new(nmsgs, nmsgs * most);
	u32 *mark = calloc(nodes, sizeof(u32)), i, n;

	most = min(most, nodes - 1);
	for (i = 0; i < nmsgs; i++)
		l->cycle[i] = rng_below(state, spread + 1);
	qsort(l->cycle, nmsgs, sizeof(u64), compare_cycles);
	for (i = 0; i < nmsgs; i++) {
		l->source[i] = rng_below(state, nodes);
		n = 1 + rng_below(state, most);
		memset(mark, 0, nodes * sizeof(u32));
		random_set(state, nodes, l->source[i], l->dst + l->first[i], n, mark);
		l->first[i + 1] = l->first[i] + n;
	}
	l->ndst = l->first[nmsgs];
	free(mark);
	return l;
}

void list_take_lengths(u64 state, struct mcfab_msg_list *l, struct mcfab_run_cfg *rc)
{
	struct mcfab_workload_cfg *w = &rc->workload;
	/* sometimes packets of one length, though messages have several */
	u32 unit = rc->mtu && one_in(&state, 3) ? rc->mtu : 1, i;

	if (!w->nlengths || !one_in(&state, 2))
		return;
	l->flits = calloc(l->nmsgs, sizeof(u32));
	for (i = 0; i < l->nmsgs; i++) {
		if (!one_in(&state, 4))
			l->flits[i] = w->length[rng_below(&state, w->nlengths)] * unit;
		else if (unit > 1)
			l->flits[i] = unit;
		mcfab_list_note_flits(l, l->flits[i]);
	}
	w->nlengths = 0;
}
