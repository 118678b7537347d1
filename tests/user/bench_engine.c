// SPDX-License-Identifier: GPL-2.0
/*
 * What a flit-hop costs: the cases of tests/bench/cases.tsv, or the one that is named; CPU
 * time of the whole run from its first cycle to its last, and of making the fabric and
 * starting the run.
 *
 *	bench_engine [-n RUNS] [-c CASE] [CASES]
 *
 * Prints one JSON object for each run of a case. tests/bench/report.py makes the
 * table of them; scripts/bench.sh calls both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/runner.h"
#include "engine/engine.h"
#include "lib/words.h"

#define DEFAULT_CASES	"../bench/cases.tsv"
#define MOST_WORDS	64
#define NSEC_PER_SEC	1000000000ULL

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "bench_engine: %s: %s\n", what, why);
	exit(1);
}

/* what a cycle may touch, without what only waits: pools of messages and the log */
static u64 state_bytes(const struct mcfab_engine *e)
{
	/* a path worm's header has one request, and one more where consumption is scarce */
	u64 asks = (u64)e->topo->routers * (e->ports * e->vcs + e->inject) *
		   (e->flags & MCFAB_ENG_SCARCE ? 2 : 1);

	return e->nrecs * (sizeof(*e->rec) + sizeof(*e->front)) + e->nvcs * sizeof(*e->owner) +
	       (e->flags & MCFAB_ENG_TAILS ? e->nrecs * sizeof(*e->due) : 0) +
	       (e->flags & MCFAB_ENG_CREDITS ? e->nvcs * sizeof(*e->fifo) : 0) +
	       e->nchans * (sizeof(*e->chan) + sizeof(*e->chan_wait)) +
	       e->nvcs * sizeof(*e->vc_flits) + e->topo->routers * sizeof(*e->router) +
	       e->topo->nodes * (sizeof(*e->node) + sizeof(struct mcfab_event) + sizeof(u32)) +
	       asks * sizeof(struct mcfab_ask);
}

static u64 cpu_ns(void)
{
	struct timespec ts;

	/* of all threads of a run */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static u64 wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void measure(const char *name, u32 run)
{
	u64 setup = cpu_ns(), start, took, wall, state;
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = words_open(&err);

	if (!f)
		fail(name, err.msg);
	state = state_bytes(f->engine);
	start = cpu_ns();
	wall = wall_ns();
	mcfab_runner_wait(f);
	took = cpu_ns() - start;
	wall = wall_ns() - wall;
	if (f->progress.state != MCFAB_RUN_DONE)
		fail(name, f->progress.why);
	printf("{\"where\":\"user\",\"case\":\"%s\",\"run\":%u,\"ns\":%llu,\"wall-ns\":%llu,"
	       "\"setup-ns\":%llu,\"flit-hops\":%llu,\"deliveries\":%llu,\"flits\":%u,"
	       "\"cycles\":%llu,\"routers\":%u,\"bytes\":%llu,\"state-bytes\":%llu,"
	       "\"hash\":\"%016llx\"}\n",
	       name, run, took, wall, start - setup, f->progress.flit_hops,
	       f->progress.deliveries, f->stats.cfg.flits, f->progress.cycle, f->topo.routers,
	       f->progress.bytes, state, f->progress.hash);
	fflush(stdout);
	mcfab_fabric_destroy(f);
}

static void run_case(char *line, const char *only, u32 runs)
{
	char *name = strsep(&line, "\t"), *fabric = strsep(&line, "\t");
	char *run = strsep(&line, "\t"), *words[MOST_WORDS], *word;
	u32 i, n = 0;

	if (!run)
		fail(name, "three fields are needed");
	if (only && strcmp(only, name))
		return;
	/* one list: "fabric" ends where "run" starts */
	run[-1] = ' ';
	for (word = strtok(fabric, " "); word; word = strtok(NULL, " ")) {
		if (n == MOST_WORDS)
			fail(name, "too many words");
		words[n++] = word;
	}
	words_take(n, words);
	for (i = 0; i < runs; i++)
		measure(name, i);
}

int main(int argc, char **argv)
{
	const char *path = DEFAULT_CASES, *only = NULL;
	char line[512];
	FILE *cases;
	u32 runs = 5;
	int opt;

	while ((opt = getopt(argc, argv, "c:n:")) != -1) {
		if (opt == 'c')
			only = optarg;
		else if (opt == 'n')
			runs = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	if (optind < argc)
		path = argv[optind];
	cases = fopen(path, "r");
	if (!cases)
		fail(path, strerror(errno));
	while (fgets(line, sizeof(line), cases)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] && line[0] != '#')
			run_case(line, only, runs);
	}
	fclose(cases);
	return 0;
}
