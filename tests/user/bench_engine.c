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

#include "fabric/runner.h"
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
	u64 setup = cpu_ns(), start, took, wall;
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = words_open(&err);

	if (!f)
		fail(name, err.msg);
	start = cpu_ns();
	wall = wall_ns();
	mcfab_runner_wait(f);
	took = cpu_ns() - start;
	wall = wall_ns() - wall;
	if (f->results.progress.state != MCFAB_RUN_STATUS_DONE)
		fail(name, f->results.progress.why);
	printf("{\"where\":\"user\",\"case\":\"%s\",\"run\":%u,\"ns\":%llu,\"wall-ns\":%llu,"
	       "\"setup-ns\":%llu,\"flit-hops\":%llu,\"deliveries\":%llu,\"flits\":%u,"
	       "\"cycles\":%llu,\"routers\":%u,\"bytes\":%llu,\"state-bytes\":%llu,"
	       "\"hash\":\"%016llx\"}\n",
	       name, run, took, wall, start - setup, f->results.progress.flit_hops,
	       f->results.progress.deliveries, f->results.stats.cfg.flits, f->results.progress.cycle, f->topo.routers,
	       f->results.progress.bytes, f->results.progress.state_bytes, f->results.progress.hash);
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
