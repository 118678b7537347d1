// SPDX-License-Identifier: GPL-2.0
/*
 * One run of the engine in user space, for comparing with the module and for
 * benchmarks:
 *
 *	simulate [threads N] [print json] topology mesh dims 16x16 [FABRIC...] policy P
 *		 [PARAM VALUE...] workload KIND [WORKLOAD...] flits L [RUN...]
 *	simulate ... topology irregular switches S ports K hosts P [connectivity C]
 *		 [topology-seed N] [FABRIC...] policy P ...
 *
 * with mcastctl's words. Prints one line of name=value pairs, or some of what
 * `mcastctl -j stats show` prints, under the same names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "core/fabric.h"
#include "core/runner.h"
#include "lib/runner.h"
#include "stats/derive.h"
#include "topology/generate.h"

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;
static struct mcfab_generate gen = { .connectivity = MCFAB_CONNECTIVITY, .seed = 1 };
static bool json;

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
	WORD(fc, io_bus, "io-bus"), WORD(fc, host_overhead, "host-overhead"),
	WORD(rc, mtu, "mtu"), WORD(fc, cycle_ps, "cycle-ps"),
	WORD(fc, startup, "startup"), WORD(fc, stall_limit, "stall-limit"),
	WORD(fc, seed, "seed"), WORD(fc, shards, "shards"), WORD(fc, switching, "switching"),
	WORD(fc, vc_release, "vc-release"), WORD(fc, link_arbitration, "link-arbitration"),
	WORD(fc, replication, "replication"), WORD(fc, input_speedup, "input-speedup"),
	WORD(rc, flits, "flits"), WORD(rc, headers, "headers"), WORD(rc, prep, "prep"), WORD(rc, prep2, "prep2"),
	WORD(rc, node_busy, "node-busy"), WORD(rc, rounds, "rounds"),
	WORD(rc, warmup, "warmup"), WORD(rc, batches, "batches"),
	WORD(rc, batch_cycles, "batch-cycles"), WORD(rc, precision_ppm, "precision-ppm"),
	WORD(rc, max_cycles, "max-cycles"), WORD(rc, workload.count, "count"),
	WORD(rc, workload.dests, "dests"), WORD(rc, workload.source, "source"),
	WORD(rc, workload.rate, "rate-ppb"), WORD(rc, workload.multicast_ppm, "multicast-ppm"),
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

/* values that are names */
static u64 number_of(const char *value)
{
	static const struct {
		const char *name;
		u64 number;
	} names[] = {
		{ "off", 0 }, { "on", 1 }, { "message", MCFAB_OVERHEAD_MESSAGE },
		{ "packet", MCFAB_OVERHEAD_PACKET }, { "queue", MCFAB_NODE_QUEUE },
		{ "host", MCFAB_NODE_HOST }, { "updown", MCFAB_ROUTING_UPDOWN },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, value))
			return names[i].number;
	return strtoull(value, NULL, 0);
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
	if (!strcmp(word, "print")) {
		json = !strcmp(value, "json");
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
	if (!strcmp(word, "addressing"))	/* see main() */
		return;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].word, word))
			continue;
		store(words[i].at, words[i].size, number_of(value));
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

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec * 1e-9;
}

static void print_moments(const char *name, const struct mcfab_moments *m, double scale)
{
	printf(" %s=%.4f", name, mcfab_mean(m, 1000000) / 1e6 / scale);
}

static const char *const states[] = { "", "idle", "running", "done", "saturated",
	"deadlocked", "stopped", "failed" };

static unsigned long long micro(const struct mcfab_moments *m)
{
	return m->count ? mcfab_mean(m, MCFAB_MICRO) : 0;
}

/* what reports of experiments read, and no more */
static void print_json(struct mcfab_fabric *f)
{
	const struct mcfab_class_stats *c = &f->stats.class[0];
	const struct mcfab_totals *m = &c->measured;
	const struct mcfab_ni_use *ni = &f->progress.ni;
	u64 start = mcfab_stats_window_start(&f->stats), end = mcfab_stats_window_end(&f->stats);

	printf("{\"state\": \"%s\", \"cycle-ps\": %u, \"cycle\": %llu, \"hash\": %llu, ",
	       states[f->progress.state], f->cfg.cycle_ps,
	       (unsigned long long)f->progress.cycle, (unsigned long long)f->progress.hash);
	printf("\"bad-parts\": %llu, \"bad-messages\": %llu, \"multicast\": {",
	       (unsigned long long)f->stats.bad_parts, (unsigned long long)f->stats.bad_messages);
	printf("\"all\": {\"messages\": %llu, \"incomplete\": %llu}, ",
	       (unsigned long long)c->all.messages, (unsigned long long)c->all.incomplete);
	printf("\"measured\": {\"messages\": %llu, \"worms\": %llu, \"startups\": %llu, \"traffic\": %llu}, ",
	       (unsigned long long)m->messages, (unsigned long long)m->worms,
	       (unsigned long long)m->startups, (unsigned long long)m->traffic);
	printf("\"tail\": {\"count\": %llu, \"mean-micro\": %llu}, ",
	       (unsigned long long)c->tail.count, micro(&c->tail));
	printf("\"completion\": {\"count\": %llu, \"mean-micro\": %llu}}",
	       (unsigned long long)c->completion.count, micro(&c->completion));
	if (!f->stats.cfg.lone && end != U64_MAX && end > start)
		printf(", \"effective-ppb\": %llu",
		       (unsigned long long)mcfab_ratio(m->destinations * f->stats.cfg.flits,
						       f->topo.nodes, end - start, 1000000000));
	if (ni->packets)
		printf(", \"ni\": {\"packets\": %llu, \"peak\": %u, \"residence-micro\": %llu, \"residence-maximum\": %llu}",
		       (unsigned long long)ni->packets, ni->peak,
		       (unsigned long long)mcfab_ratio(ni->residence, ni->packets, 1, MCFAB_MICRO),
		       (unsigned long long)ni->residence_max);
	printf("}\n");
}

static void print(struct mcfab_fabric *f, double took)
{
	const struct mcfab_class_stats *c = &f->stats.class[0];

	printf("state=%s hash=%016llx cycle=%llu messages=%llu deliveries=%llu flit-hops=%llu",
	       states[f->progress.state], (unsigned long long)f->progress.hash,
	       (unsigned long long)f->progress.cycle, (unsigned long long)f->progress.messages,
	       (unsigned long long)f->progress.deliveries,
	       (unsigned long long)f->progress.flit_hops);
	print_moments("worm", &c->mean_worm, 1e6);
	print_moments("destination", &c->mean_destination, 1e6);
	print_moments("completion", &c->completion, 1);
	printf(" completion-max=%lld", (long long)c->completion.max);
	print_moments("predicted-worm", &c->predicted_worm, 1e6);
	print_moments("predicted-destination", &c->predicted_destination, 1e6);
	print_moments("predicted-completion", &c->predicted_completion, 1);
	printf(" startups=%.3f worms=%.3f traffic=%.3f", 1.0 * c->measured.startups / max(c->measured.messages, 1ULL),
	       1.0 * c->measured.worms / max(c->measured.messages, 1ULL), 1.0 * c->measured.traffic / max(c->measured.messages, 1ULL));
	print_moments("cv-tail", &c->cv_tail, 1e6);
	print_moments("cv-header", &c->cv_header, 1e6);
	printf(" stalls=%llu bad=%llu queue=%u seconds=%.3f ns-per-flit-hop=%.2f bytes-per-router=%llu why='%s'\n",
	       (unsigned long long)f->progress.stalls,
	       (unsigned long long)(f->stats.bad_parts + f->stats.bad_messages), f->queue_max,
	       took, took * 1e9 / max(f->progress.flit_hops, 1ULL),
	       (unsigned long long)f->progress.bytes / f->topo.routers, f->progress.why);
	for (u32 i = 0; i < f->deadlock.nwaits; i++)
		printf("  wait: message %u/%u worm %u at router %u for port %u since %llu, held by #%u\n",
		       f->deadlock.wait[i].source, f->deadlock.wait[i].seq,
		       f->deadlock.wait[i].worm, f->deadlock.wait[i].router,
		       f->deadlock.wait[i].port, (unsigned long long)f->deadlock.wait[i].since,
		       f->deadlock.wait[i].holder);
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

int main(int argc, char **argv)
{
	struct mcfab_graph *graph = NULL;
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;
	double start;
	int i;

	mcfab_fabric_defaults(&fc);
	/* what is said besides counts, wherever it stands */
	for (i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "addressing") && !strcmp(argv[i + 1], "lid"))
			mcfab_fabric_defaults_lid(&fc);
	mcfab_run_defaults(&rc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	for (i = 1; i + 1 < argc; i += 2)
		take(argv[i], argv[i + 1]);
	if (gen.switches) {
		graph = generate(&err);
		if (!graph) {
			fprintf(stderr, "simulate: %s\n", err.msg);
			return 1;
		}
		fc.graph = graph;
	}
	f = mcfab_fabric_create(&fc, &err);
	free(graph);
	if (IS_ERR(f)) {
		fprintf(stderr, "simulate: %s\n", err.msg);
		return 1;
	}
	if (mcfab_run_start(f, &rc, &err)) {
		fprintf(stderr, "simulate: %s\n", err.msg);
		mcfab_fabric_destroy(f);
		return 1;
	}
	start = seconds();
	mcfab_runner_wait(f);
	if (json)
		print_json(f);
	else
		print(f, seconds() - start);
	i = f->progress.state == MCFAB_RUN_DONE ? 0 : 3;
	mcfab_fabric_destroy(f);
	return i;
}
