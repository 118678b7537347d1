// SPDX-License-Identifier: GPL-2.0
/*
 * The threads of a run in user space: a team of POSIX threads, or none at
 * all when one is enough; mcfab_runner_wait() computes the run then.
 */
#include <linux/module.h>
#include <pthread.h>
#include "fabric/runner.h"
#include "fabric/team.h"
#include "engine/engine.h"
#include "lib/runner.h"

struct mcfab_runner {
	u32 threads;
	bool started;
	struct mcfab_team team;
	pthread_t thread[MCFAB_MAX_SHARDS];
};

struct start {
	struct mcfab_team *team;
	u32 nr;
};

u32 runner_threads = 1;
u64 runner_returns;
bool runner_preempts = true;

extern const struct shim_param __start_shim_params[], __stop_shim_params[];

void runner_spin(u32 us)
{
	const struct shim_param *param;

	for (param = __start_shim_params; param < __stop_shim_params; param++)
		if (!strcmp(param->name, "spin_us"))
			*param->value = us;
}

u64 mcfab_thread_preempted(void)
{
	static atomic_t times;

	return runner_preempts ? atomic_inc_return(&times) : 0;
}

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

	mcfab_team_work(start->team, start->nr);
	free(start);
	return NULL;
}

int mcfab_runner_ready(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	struct mcfab_runner *r = fabric->runner;

	r->threads = min(runner_threads, fabric->engine->nshards);
	return 0;
}

void mcfab_runner_go(struct mcfab_fabric *fabric)
{
	struct mcfab_runner *r = fabric->runner;
	u32 i;

	r->started = true;
	if (r->threads == 1)
		return;
	mcfab_team_init(&r->team, fabric->engine, r->threads);
	r->team.pause = 0;
	for (i = 0; i < r->threads; i++) {
		struct start *start = calloc(1, sizeof(*start));

		start->team = &r->team;
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
		runner_returns += r->team.let_in;
	}
	mcfab_run_reap(fabric);
}
