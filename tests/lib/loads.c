// SPDX-License-Identifier: GPL-2.0
/* Runs on meshes, and their loads. */
#include "fabric/runner.h"
#include "lib/loads.h"
#include "lib/tap.h"

struct mcfab_fabric_cfg fc;
struct mcfab_run_cfg rc;

void mesh(u32 x, u32 y, const char *policy, u64 rate, u32 dests)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = x;
	fc.radix[1] = y;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, policy);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.rate = rate;
	rc.workload.dests = dests;
	rc.workload.count = 0;
	rc.warmup = 0;
	rc.precision_ppm = 0;
}

void run(struct run *r, u32 shards)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;

	memset(r, 0, sizeof(*r));
	capture = &r->got;
	fc.shards = shards;
	f = mcfab_fabric_create(&fc, &err);
	if (IS_ERR(f))
		fail_msg("fabric: %s", err.msg);
	if (mcfab_run_start(f, &rc, &err))
		fail_msg("run: %s", err.msg);
	mcfab_runner_wait(f);
	r->state = f->results.progress.state;
	r->cycle = f->results.progress.cycle;
	assert_true(mcfab_stats_loads(&f->results.stats, &r->loads));
	mcfab_stats_saturation(&f->results.stats, &r->sat);
	r->window = f->results.stats.window;
	r->balance = f->results.balance;
	r->balance_cycles = f->results.channel_window;
	r->queue_max = f->results.queue_max;
	r->bytes = f->results.progress.bytes;
	mcfab_fabric_destroy(f);
	capture = NULL;
}
