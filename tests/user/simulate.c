// SPDX-License-Identifier: GPL-2.0
/*
 * One run of the engine in user space, for comparing with the module and for
 * benchmarks:
 *
 *	simulate [print json] [threads N] topology mesh dims 16x16 [FABRIC...] policy P
 *		 [PARAM VALUE...] workload KIND [WORKLOAD...] flits L [RUN...]
 *	simulate ... topology irregular switches S ports K hosts P [connectivity C]
 *		 [topology-seed N] [FABRIC...] policy P ...
 *
 * with mcastctl's words. Prints one line of name=value pairs, or some of what
 * `mcastctl -j stats show` prints, under the same names.
 */
#include <stdio.h>
#include <time.h>
#include "fabric/fabric.h"
#include "fabric/runner.h"
#include "lib/words.h"
#include "stats/derive.h"

static bool json;

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
	"deadlocked", "stopped", "failed", "building", "cut" };

static unsigned long long micro(const struct mcfab_moments *m)
{
	return m->count ? mcfab_mean(m, MCFAB_MICRO) : 0;
}

/* what reports of experiments read, and no more */
static void print_json(struct mcfab_fabric *f)
{
	const struct mcfab_class_stats *c = &f->results.stats.class[0];
	const struct mcfab_totals *m = &c->measured;
	const struct mcfab_ni_use *ni = &f->results.progress.ni;
	u64 start = mcfab_stats_window_start(&f->results.stats), end = mcfab_stats_window_end(&f->results.stats);

	printf("{\"state\": \"%s\", \"cycle-ps\": %u, \"cycle\": %llu, \"hash\": %llu, ",
	       states[f->results.progress.state], f->cfg.cycle_ps,
	       (unsigned long long)f->results.progress.cycle, (unsigned long long)f->results.progress.hash);
	printf("\"bad-parts\": %llu, \"bad-messages\": %llu, \"multicast\": {",
	       (unsigned long long)f->results.stats.bad_parts, (unsigned long long)f->results.stats.bad_messages);
	printf("\"all\": {\"messages\": %llu, \"incomplete\": %llu}, ",
	       (unsigned long long)c->all.messages, (unsigned long long)c->all.incomplete);
	printf("\"measured\": {\"messages\": %llu, \"worms\": %llu, \"startups\": %llu, \"traffic\": %llu}, ",
	       (unsigned long long)m->messages, (unsigned long long)m->worms,
	       (unsigned long long)m->startups, (unsigned long long)m->traffic);
	printf("\"tail\": {\"count\": %llu, \"mean-micro\": %llu}, ",
	       (unsigned long long)c->tail.count, micro(&c->tail));
	printf("\"completion\": {\"count\": %llu, \"mean-micro\": %llu}}",
	       (unsigned long long)c->completion.count, micro(&c->completion));
	if (!f->results.stats.cfg.lone && end != U64_MAX && end > start)
		printf(", \"effective-ppb\": %llu",
		       (unsigned long long)mcfab_ratio(m->destinations * f->results.stats.cfg.flits,
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
	const struct mcfab_class_stats *c = &f->results.stats.class[0];

	printf("state=%s hash=%016llx cycle=%llu messages=%llu deliveries=%llu flit-hops=%llu",
	       states[f->results.progress.state], (unsigned long long)f->results.progress.hash,
	       (unsigned long long)f->results.progress.cycle, (unsigned long long)f->results.progress.messages,
	       (unsigned long long)f->results.progress.deliveries,
	       (unsigned long long)f->results.progress.flit_hops);
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
	printf(" stalls=%llu bad=%llu queue=%d seconds=%.3f ns-per-flit-hop=%.2f bytes-per-router=%llu why='%s'\n",
	       (unsigned long long)f->results.progress.stalls,
	       (unsigned long long)(f->results.stats.bad_parts + f->results.stats.bad_messages),
	       (int)f->results.queue_max,
	       took, took * 1e9 / max(f->results.progress.flit_hops, 1ULL),
	       (unsigned long long)f->results.progress.bytes / f->topo.routers, f->results.progress.why);
	for (u32 i = 0; i < f->results.deadlock.nwaits; i++)
		printf("  wait: message %u/%u worm %u at router %u for port %u since %llu, held by #%u\n",
		       f->results.deadlock.wait[i].source, f->results.deadlock.wait[i].seq,
		       f->results.deadlock.wait[i].worm, f->results.deadlock.wait[i].router,
		       f->results.deadlock.wait[i].port, (unsigned long long)f->results.deadlock.wait[i].since,
		       f->results.deadlock.wait[i].holder);
}

int main(int argc, char **argv)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;
	double start;
	int status;

	if (argc > 2 && !strcmp(argv[1], "print")) {
		json = !strcmp(argv[2], "json");
		argc -= 2;
		argv += 2;
	}
	words_take(argc - 1, argv + 1);
	f = words_open(&err);
	if (!f) {
		fprintf(stderr, "simulate: %s\n", err.msg);
		return 1;
	}
	start = seconds();
	mcfab_runner_wait(f);
	if (json)
		print_json(f);
	else
		print(f, seconds() - start);
	status = f->results.progress.state == MCFAB_RUN_STATUS_DONE ? 0 : 3;
	mcfab_fabric_destroy(f);
	return status;
}
