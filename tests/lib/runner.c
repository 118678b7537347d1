// SPDX-License-Identifier: GPL-2.0
/*
 * The threads of a run in user space: POSIX threads with their barrier, or none
 * at all when one is enough; mcfab_runner_wait() computes the run then.
 */
#include <pthread.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/runner.h"

struct mcfab_runner {
	u32 threads;
	bool started;
	bool over;
	pthread_barrier_t barrier;
	pthread_t thread[MCFAB_MAX_SHARDS];
};

struct start {
	struct mcfab_fabric *fabric;
	u32 nr;
};

u32 runner_threads = 1;

int mcfab_runner_open(struct mcfab_fabric *fabric)
{
	fabric->runner = calloc(1, sizeof(*fabric->runner));
	return fabric->runner ? 0 : -ENOMEM;
}

void mcfab_runner_close(struct mcfab_fabric *fabric)
{
	free(fabric->runner);
	fabric->runner = NULL;
}

u64 mcfab_runner_bytes(const struct mcfab_runner *r)
{
	return 0;
}

static void *work(void *arg)
{
	struct start *start = arg;
	struct mcfab_fabric *fabric = start->fabric;
	struct mcfab_runner *r = fabric->runner;
	struct mcfab_engine *e = fabric->engine;
	u32 i;

	while (!r->over) {
		for (i = start->nr; i < e->nshards; i += r->threads)
			mcfab_engine_grant(e, &e->shard[i]);
		pthread_barrier_wait(&r->barrier);
		for (i = start->nr; i < e->nshards; i += r->threads)
			mcfab_engine_move(e, &e->shard[i]);
		if (pthread_barrier_wait(&r->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			r->over = !mcfab_engine_boundary(e);
		pthread_barrier_wait(&r->barrier);
	}
	free(start);
	return NULL;
}

int mcfab_runner_ready(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;

	r->threads = min(runner_threads, fabric->engine->nshards);
	r->over = false;
	return 0;
}

void mcfab_runner_go(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	u32 i;

	r->started = true;
	if (r->threads == 1)
		return;
	pthread_barrier_init(&r->barrier, NULL, r->threads);
	for (i = 0; i < r->threads; i++) {
		struct start *start = calloc(1, sizeof(*start));

		start->fabric = fabric;
		start->nr = i;
		pthread_create(&r->thread[i], NULL, work, start);
	}
}

void mcfab_runner_wait(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	u32 i;

	if (!r->started)
		return;
	r->started = false;
	if (r->threads == 1) {
		while (mcfab_engine_alone(fabric->engine, 1U << 20))
			;
	} else {
		for (i = 0; i < r->threads; i++)
			pthread_join(r->thread[i], NULL);
		pthread_barrier_destroy(&r->barrier);
	}
	mcfab_run_reap(fabric);
}
