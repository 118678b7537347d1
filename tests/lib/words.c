// SPDX-License-Identifier: GPL-2.0
/* See lib/words.h. */
#include <stdlib.h>
#include "lib/runner.h"
#include "lib/words.h"
#include "topology/generate.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static struct mcfab_generate gen;

#define WORD(where, field, word) { word, &(where).field, sizeof((where).field) }

static const struct {
	const char *word;
	void *at;
	size_t size;
} words[] = {
	WORD(fc, vcs, "vcs"), WORD(fc, buffer, "buffer"), WORD(fc, inject, "inject"),
	WORD(fc, buffer_packets, "buffer-packets"), WORD(rc, mtu, "mtu"),
	WORD(fc, consume, "consume"), WORD(fc, inject_delay, "inject-delay"),
	WORD(fc, route_delay, "route-delay"), WORD(fc, link_delay, "link-delay"),
	WORD(fc, consume_delay, "consume-delay"), WORD(fc, credit_delay, "credit-delay"),
	WORD(fc, node_model, "node-model"), WORD(fc, host_receive, "host-receive"),
	WORD(fc, ni_send, "ni-send"), WORD(fc, ni_receive, "ni-receive"),
	WORD(fc, io_bus, "io-bus"), WORD(fc, ni_memory, "ni-memory"),
	WORD(fc, host_overhead, "host-overhead"),
	WORD(rc, mtu, "mtu"), WORD(fc, cycle_ps, "cycle-ps"),
	WORD(fc, startup, "startup"), WORD(fc, stall_limit, "stall-limit"),
	WORD(fc, seed, "seed"), WORD(fc, shards, "shards"), WORD(fc, switching, "switching"),
	WORD(fc, vc_release, "vc-release"), WORD(fc, link_arbitration, "link-arbitration"),
	WORD(fc, replication, "replication"), WORD(fc, input_speedup, "input-speedup"),
	WORD(fc, allocator, "allocator"), WORD(fc, pipeline, "pipeline"),
	WORD(fc, node_bandwidth, "node-bandwidth"), WORD(rc, advance, "advance"),
	WORD(rc, flits, "flits"), WORD(rc, headers, "headers"), WORD(rc, prep, "prep"),
	WORD(rc, prep_relay, "prep-relay"),
	WORD(rc, node_busy, "node-busy"), WORD(rc, rounds, "rounds"),
	WORD(rc, warmup, "warmup"), WORD(rc, batches, "batches"),
	WORD(rc, batch_cycles, "batch-cycles"), WORD(rc, precision_ppm, "precision-ppm"),
	WORD(rc, max_cycles, "max-cycles"), WORD(rc, workload.count, "count"),
	WORD(rc, workload.dests, "dests"), WORD(rc, workload.source, "source"),
	WORD(rc, workload.rate, "rate-ppb"), WORD(rc, workload.multicast_ppm, "multicast-fraction-ppm"),
	WORD(rc, workload.interval, "interval"), WORD(rc, workload.network, "network"),
	WORD(rc, workload.fraction_ppm, "fraction-ppm"), { "threads", &runner_threads, 4 },
	WORD(fc, routing, "routing"), WORD(fc, root, "root"), WORD(gen, switches, "switches"),
	WORD(gen, ports, "ports"), WORD(gen, hosts, "hosts"),
	WORD(gen, connectivity, "connectivity"), WORD(gen, seed, "topology-seed"),
};

/* words whose values are fractions, stored as multiples of 1/scale */
static const struct {
	const char *word;
	void *at;
	size_t size;
	double scale;
} fractions[] = {
	{ "rate", &rc.workload.rate, 8, 1e9 }, { "ni-ratio", &fc.ni_ratio, 4, 1e6 },
	{ "precision", &rc.precision_ppm, 4, 1e6 },
};

/* values that are names; what is no name and no number ends the program */
static u64 number_of(const char *word, const char *value)
{
	static const struct {
		const char *word;
		const char *name;
		u64 number;
	} names[] = {
		{ "switching", "wormhole", MCFAB_SWITCHING_MODE_WORMHOLE },
		{ "switching", "vct", MCFAB_SWITCHING_MODE_CUT_THROUGH },
		{ "switching", "saf", MCFAB_SWITCHING_MODE_STORE_AND_FORWARD },
		{ "vc-release", "drained", MCFAB_VC_RELEASE_MODE_DRAINED },
		{ "vc-release", "sent", MCFAB_VC_RELEASE_MODE_SENT },
		{ "link-arbitration", "flit", MCFAB_LINK_ARBITRATION_MODE_FLIT },
		{ "link-arbitration", "packet", MCFAB_LINK_ARBITRATION_MODE_PACKET },
		{ "replication", "async", MCFAB_REPLICATION_MODE_ASYNC },
		{ "replication", "lockstep", MCFAB_REPLICATION_MODE_LOCKSTEP },
		{ "allocator", "oldest", MCFAB_ALLOCATOR_MODE_OLDEST },
		{ "allocator", "separable", MCFAB_ALLOCATOR_MODE_SEPARABLE },
		{ "allocator", "islip", MCFAB_ALLOCATOR_MODE_ISLIP },
		{ "pipeline", "header", MCFAB_PIPELINE_MODE_HEADER },
		{ "pipeline", "flit", MCFAB_PIPELINE_MODE_FLIT },
		{ "node-bandwidth", "channel", MCFAB_NODE_BANDWIDTH_MODE_CHANNEL },
		{ "node-bandwidth", "shared", MCFAB_NODE_BANDWIDTH_MODE_SHARED },
		{ "node-model", "queue", MCFAB_NODE_MODEL_MODE_QUEUE },
		{ "node-model", "host", MCFAB_NODE_MODEL_MODE_HOST },
		{ "host-overhead", "message", MCFAB_HOST_OVERHEAD_MODE_MESSAGE },
		{ "host-overhead", "packet", MCFAB_HOST_OVERHEAD_MODE_PACKET },
		{ "routing", "updown", MCFAB_ROUTING_MODE_UPDOWN },
		{ "headers", "off", 0 },
		{ "headers", "on", 1 },
		{ "advance", "auto", MCFAB_ADVANCE_MODE_AUTO },
		{ "advance", "flit", MCFAB_ADVANCE_MODE_FLIT },
		{ "advance", "worm", MCFAB_ADVANCE_MODE_WORM },
	};
	char *end;
	u64 number;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].word, word) && !strcmp(names[i].name, value))
			return names[i].number;
	number = strtoull(value, &end, 0);
	if (end == value || *end) {
		fprintf(stderr, "%s %s: neither a name nor a number\n", word, value);
		exit(2);
	}
	return number;
}

static void store(void *at, size_t size, u64 number)
{
	if (size == 8)
		*(u64 *)at = number;
	else if (size == 4)
		*(u32 *)at = number;
	else
		*(u8 *)at = number;
}

/* lengths that messages draw equally often, with commas */
static void take_lengths(const char *value)
{
	char list[128], *rest = list, *one;
	struct mcfab_workload_cfg *w = &rc.workload;

	strscpy(list, value, sizeof(list));
	while ((one = strsep(&rest, ",")) && w->nlengths < MCFAB_MAX_LENGTHS) {
		w->weight[w->nlengths] = 1;
		w->length[w->nlengths++] = number_of("lengths", one);
	}
}

static void take(const char *word, const char *value)
{
	static const char *const kinds[] = { "", "lone", "poisson", "fixed", "burst", "file" };
	u32 i;

	if (!strcmp(word, "topology")) {
		if (!strcmp(value, "irregular"))
			mcfab_fabric_defaults_irregular(&fc);
		strcpy(fc.name, "f");
		strcpy(fc.topology, value);
		return;
	}
	if (!strcmp(word, "lengths")) {
		take_lengths(value);
		return;
	}
	if (!strcmp(word, "policy")) {
		strcpy(rc.policy, value);
		return;
	}
	if (!strcmp(word, "dims")) {
		for (fc.ndims = 0; *value; value += *value == 'x')
			fc.radix[fc.ndims++] = strtoul(value, (char **)&value, 10);
		return;
	}
	if (!strcmp(word, "workload")) {
		for (i = 1; i < ARRAY_SIZE(kinds); i++)
			if (!strcmp(value, kinds[i]))
				rc.workload.kind = i;
		return;
	}
	if (!strcmp(word, "addressing"))	/* see words_take() */
		return;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].word, word))
			continue;
		store(words[i].at, words[i].size, number_of(word, value));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(fractions); i++) {
		if (strcmp(fractions[i].word, word))
			continue;
		store(fractions[i].at, fractions[i].size,
		      strtod(value, NULL) * fractions[i].scale + 0.5);
		return;
	}
	strcpy(rc.set[rc.nset].name, word);
	strcpy(rc.set[rc.nset++].value, value);
}

void words_take(u32 n, char *const *word)
{
	u32 i;

	memset(&gen, 0, sizeof(gen));
	gen.connectivity = MCFAB_CONNECTIVITY;
	gen.seed = 1;
	mcfab_fabric_defaults(&fc);
	/* what is said besides counts, wherever it stands */
	for (i = 0; i + 1 < n; i += 2)
		if (!strcmp(word[i], "addressing") && !strcmp(word[i + 1], "lid"))
			mcfab_fabric_defaults_lid(&fc);
	mcfab_run_defaults(&rc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	for (i = 0; i + 1 < n; i += 2)
		take(word[i], word[i + 1]);
}

/* the random network that was asked for, NULL: why is said */
static struct mcfab_graph *generate(struct mcfab_err *err)
{
	struct mcfab_graph *graph;
	u32 links;

	if (mcfab_generate_links(&gen, &links, err))
		return NULL;
	graph = mcfab_graph_place(calloc(1, mcfab_graph_bytes(gen.switches, gen.hosts, links)),
				  gen.switches, gen.hosts, links);
	if (mcfab_generate_fill(&gen, graph, err)) {
		free(graph);
		return NULL;
	}
	return graph;
}

struct mcfab_fabric *words_open(struct mcfab_err *err)
{
	struct mcfab_graph *graph = NULL;
	struct mcfab_fabric *f;

	if (gen.switches) {
		graph = generate(err);
		if (!graph)
			return NULL;
		fc.graph = graph;
	}
	f = mcfab_fabric_create(&fc, err);
	free(graph);
	if (IS_ERR(f))
		return NULL;
	if (mcfab_run_start(f, &rc, err)) {
		mcfab_fabric_destroy(f);
		return NULL;
	}
	return f;
}
