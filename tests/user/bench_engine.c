// SPDX-License-Identifier: GPL-2.0
/*
 * What a flit-hop costs: the cases of tests/bench/cases.tsv on a 16x16 mesh, one
 * thread, CPU time of the whole run from its first cycle to its last.
 *
 *	bench_engine [-n RUNS] [CASES]
 *
 * Prints one JSON object for each run of a case. tests/bench/report.py makes the
 * table of them; scripts/bench.sh calls both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/fabric.h"
#include "core/runner.h"
#include "engine/engine.h"

#define DEFAULT_CASES	"../bench/cases.tsv"

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "bench_engine: %s: %s\n", what, why);
	exit(1);
}

#define WORD(where, field, word) { word, &(where).field, sizeof((where).field) }

static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

static const struct {
	const char *word;
	void *at;
	size_t size;
} words[] = {
	WORD(fc, buffer, "buffer"), WORD(fc, inject, "inject"), WORD(fc, consume, "consume"),
	WORD(fc, inject_delay, "inject-delay"), WORD(fc, route_delay, "route-delay"),
	WORD(fc, startup, "startup"), WORD(fc, vcs, "vcs"),
	WORD(rc, workload.dests, "dests"), WORD(rc, workload.count, "count"),
	WORD(rc, warmup, "warmup"), WORD(rc, batch_cycles, "batch-cycles"),
	WORD(rc, precision_ppm, "precision"),	/* 0: the given batches exactly */
};

static void take(const char *word, const char *value)
{
	u32 i;

	if (!strcmp(word, "policy")) {
		snprintf(rc.policy, sizeof(rc.policy), "%s", value);
		return;
	}
	if (!strcmp(word, "workload")) {
		rc.workload.kind = strcmp(value, "lone") ? MCFAB_POISSON : MCFAB_LONE;
		return;
	}
	if (!strcmp(word, "rate")) {
		rc.workload.rate = strtod(value, NULL) * 1e9 + 0.5;
		return;
	}
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i].word, word))
			continue;
		*(u32 *)words[i].at = strtoul(value, NULL, 10);
		return;
	}
	fail(word, "not a word that is known here");
}

static void take_all(char *text)
{
	char *word, *value;

	for (word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		value = strtok(NULL, " ");
		if (!value)
			fail(word, "no value");
		take(word, value);
	}
}

/* what a cycle may touch, without what only waits: pools of messages and the log */
static u64 state_bytes(const struct mcfab_engine *e)
{
	/* a path worm's header has one request, and one more where consumption is scarce */
	u64 asks = (u64)e->topo->routers * (e->ports * e->vcs + e->inject) *
		   (e->flags & MCFAB_ENG_SCARCE ? 2 : 1);

	return e->nrecs * (sizeof(*e->rec) + sizeof(*e->front)) + e->nvcs * sizeof(*e->owner) +
	       (e->flags & MCFAB_ENG_CREDITS ? e->nvcs * sizeof(*e->fifo) : 0) +
	       e->nchans * (sizeof(*e->chan) + sizeof(*e->chan_wait)) +
	       e->nvcs * sizeof(*e->vc_flits) + e->topo->routers * sizeof(*e->router) +
	       e->topo->nodes * (sizeof(*e->node) + sizeof(struct mcfab_event) + sizeof(u32)) +
	       asks * sizeof(struct mcfab_ask);
}

static u64 cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static void measure(const char *name, u32 run)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = mcfab_fabric_create(&fc, &err);
	u64 start, took, state;

	if (IS_ERR(f))
		fail(name, err.msg);
	if (mcfab_run_start(f, &rc, &err))
		fail(name, err.msg);
	state = state_bytes(f->engine);
	start = cpu_ns();
	mcfab_runner_wait(f);
	took = cpu_ns() - start;
	if (f->progress.state != MCFAB_RUN_DONE)
		fail(name, f->progress.why);
	printf("{\"where\":\"user\",\"case\":\"%s\",\"run\":%u,\"ns\":%llu,\"flit-hops\":%llu,"
	       "\"deliveries\":%llu,\"flits\":%u,\"cycles\":%llu,\"routers\":%u,\"bytes\":%llu,"
	       "\"state-bytes\":%llu,\"hash\":\"%016llx\"}\n",
	       name, run, (unsigned long long)took, (unsigned long long)f->progress.flit_hops,
	       (unsigned long long)f->progress.deliveries, rc.flits,
	       (unsigned long long)f->progress.cycle, f->topo.routers,
	       (unsigned long long)f->progress.bytes, (unsigned long long)state,
	       (unsigned long long)f->progress.hash);
	mcfab_fabric_destroy(f);
}

/* words that every case shares; guest.sh says the same */
static void common(void)
{
	mcfab_fabric_defaults(&fc);
	mcfab_run_defaults(&rc);
	strscpy(fc.name, "bench", sizeof(fc.name));
	strscpy(fc.topology, "mesh", sizeof(fc.topology));
	fc.ndims = 2;
	fc.radix[0] = 16;
	fc.radix[1] = 16;
	rc.flits = 32;
}

static void run_case(char *line, u32 runs)
{
	char *name = strsep(&line, "\t"), *fabric = strsep(&line, "\t");
	char *run = strsep(&line, "\t");
	u32 i;

	if (!run)
		fail(name, "three fields are needed");
	common();
	take_all(fabric);
	take_all(run);
	for (i = 0; i < runs; i++)
		measure(name, i);
}

int main(int argc, char **argv)
{
	const char *path = DEFAULT_CASES;
	char line[512];
	FILE *cases;
	u32 runs = 5;
	int opt;

	while ((opt = getopt(argc, argv, "n:")) != -1) {
		if (opt != 'n')
			return 2;
		runs = strtoul(optarg, NULL, 10);
	}
	if (optind < argc)
		path = argv[optind];
	cases = fopen(path, "r");
	if (!cases)
		fail(path, strerror(errno));
	while (fgets(line, sizeof(line), cases)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] && line[0] != '#')
			run_case(line, runs);
	}
	fclose(cases);
	return 0;
}
