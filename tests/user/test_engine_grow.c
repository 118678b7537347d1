// SPDX-License-Identifier: GPL-2.0
/*
 * Pools that grow during a run. A run that begins with a fraction of its pools ends like one
 * that has had all of them from the start, whatever the number of shards and threads; a load
 * far below saturation, of messages with many worms, ends without a pool that has run dry; a run
 * that has no memory to grow fails, and has no hash. Runs that begin with little memory (lean.c),
 * and whose worms keep trails, end alike, too, and never run dry.
 */
#include <stdio.h>
#include <stdlib.h>
#include "engine/engine.h"
#include "engine/internal.h"
#include "engine/state/rec.h"
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/runner.h"

#include "lib/tap.h"

/* the pools of the next run begin with so many times fewer numbers */
static u32 fraction = 1;
/* times that a pool grew */
static u32 grown;
/* do runs begin with little memory, and keep trails, however small the network is? */
static bool lean;
/* runs that did, and times that records grew */
static u32 lean_runs, trails, records_grown;

u64 __real_mcfab_full_bytes(const struct mcfab_engine *e, size_t entry);
u64 __wrap_mcfab_full_bytes(const struct mcfab_engine *e, size_t entry);

u64 __wrap_mcfab_full_bytes(const struct mcfab_engine *e, size_t entry)
{
	return lean ? U64_MAX : __real_mcfab_full_bytes(e, entry);
}

int __real_mcfab_arrays_grow_records(struct mcfab_engine *e, u32 more);
int __wrap_mcfab_arrays_grow_records(struct mcfab_engine *e, u32 more);

int __wrap_mcfab_arrays_grow_records(struct mcfab_engine *e, u32 more)
{
	assert_true(e->hw.nrecs <= mcfab_rec_count(e));
	records_grown++;
	return __real_mcfab_arrays_grow_records(e, more);
}

void __real_mcfab_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run);
void __real_mcfab_pool_extend(struct mcfab_pool *pool, u32 more);

void __wrap_mcfab_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	struct mcfab_pool *pool[MCFAB_POOLS];
	u32 i, least;

	__real_mcfab_sizes(e, run);
	mcfab_pools(e, pool);
	for (i = 0; i < MCFAB_POOLS; i++) {
		/* what is left in the log must do for a cycle */
		least = pool[i] == &e->log_pool ? 2 * e->run.log_reserve + 64 : 64;
		if (pool[i]->limit > pool[i]->size)
			pool[i]->size = min(pool[i]->size, max(pool[i]->size / fraction, least));
	}
	lean_runs += e->run.lean;
	trails += !!(e->flags & MCFAB_ENG_FAR);
	if (lean && mcfab_alone(e) && e->flags & MCFAB_ENG_PATHS)
		e->hw.nrecs = min(e->hw.nrecs, 2 * mcfab_lean_spare(e) + 1);
}

void __wrap_mcfab_pool_extend(struct mcfab_pool *pool, u32 more)
{
	u32 before = mcfab_pool_left(pool);

	__real_mcfab_pool_extend(pool, more);
	assert_true(mcfab_pool_left(pool) == before + more && pool->size <= pool->limit);
	grown++;
}

/* memory is refused once so many pools have grown */
static u32 enough = U32_MAX;

bool __real_mcfab_memory_charge(u64 bytes);
bool __wrap_mcfab_memory_charge(u64 bytes);

bool __wrap_mcfab_memory_charge(u64 bytes)
{
	return grown < enough && __real_mcfab_memory_charge(bytes);
}

static const char *const policies[] = { "unicast", "dp", "mp", "cp", "qg" };
static struct mcfab_fabric_cfg fc;
static struct mcfab_run_cfg rc;

static void mesh(u32 x, u32 y)
{
	mcfab_fabric_defaults(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = x;
	fc.radix[1] = y;
	mcfab_run_defaults(&rc);
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
	rc.workload.count = 0;
	rc.precision_ppm = 0;
}

static void once(u32 shards, u32 threads, struct outcome *out)
{
	fc.shards = shards;
	runner_threads = threads;
	run_engine(&fc, &rc, false, out);
	runner_threads = 1;
	if (out->state == MCFAB_RUN_STATUS_FAILED || out->bad) {
		print_config(&fc, &rc);
		fail_msg("%s, %llu contradictions", out->progress.why, (unsigned long long)out->bad);
	}
}

static bool ran_dry(const struct outcome *out)
{
	return strstr(out->progress.why, "ran out") || strstr(out->progress.why, "too many");
}

/* whose flits have begun to move in the cycle in which a pool is dry is for the threads to say */
static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->state == b->state && a->hash == b->hash && a->cycle == b->cycle &&
	       a->progress.deliveries == b->progress.deliveries &&
	       (a->channels == b->channels || ran_dry(a));
}

/* a load that fills pools now and then */
static void draw(u64 *rnd)
{
	mesh(3 + rng_below(rnd, 6), 3 + rng_below(rnd, 6));
	strcpy(rc.policy, policies[rng_below(rnd, ARRAY_SIZE(policies))]);
	rc.flits = 1 + rng_below(rnd, 40);
	rc.mtu = rng_below(rnd, 3) ? 0 : 1 + rng_below(rnd, rc.flits);
	rc.advance = rng_below(rnd, 3) ? MCFAB_ADVANCE_MODE_AUTO : MCFAB_ADVANCE_MODE_FLIT;
	rc.workload.dests = 1 + rng_below(rnd, fc.radix[0] * fc.radix[1] - 1);
	rc.workload.rate = 1 + 800000000ULL * (1 + rng_below(rnd, 8)) /
			   (8 * rc.workload.dests * (rc.flits + 33));
	rc.node_busy = 1 + rng_below(rnd, 3);
	rc.rounds = rng_below(rnd, 3);
	rc.warmup = 500;
	rc.batch_cycles = 300;
	fc.vcs = 1 + rng_below(rnd, 2);
	fc.buffer = 1 + rng_below(rnd, 8);
	fc.consume_delay = rng_below(rnd, 4) ? 1 : 1 + rng_below(rnd, 2000);
	fc.startup = rng_below(rnd, 2) ? 33 : rng_below(rnd, 4);
	fc.seed = 1 + rng_below(rnd, 1000000);
}

static void test_same(void **state)
{
	u32 rounds = getenv("MCFAB_ROUNDS") ? strtoul(getenv("MCFAB_ROUNDS"), NULL, 0) : 60;
	u32 i, equal = 0, dry = 0, less;
	u64 rnd = 77;

	for (i = 0; i < rounds; i++) {
		struct outcome want, got, again;
		u32 before;

		draw(&rnd);
		less = 2 + rng_below(&rnd, 60);
		fraction = 1;
		once(1, 1, &want);
		before = grown;
		fraction = less;
		once(1, 1, &got);
		once(1 + rng_below(&rnd, 5), 1 + rng_below(&rnd, 2), &again);
		if (!same(&got, &again)) {
			print_config(&fc, &rc);
			fail_msg("pools of a %uth: threads make a difference: %s, %s", less,
				 got.progress.why, again.progress.why);
		}
		if (ran_dry(&got)) {
			dry++;
			continue;
		}
		if (!same(&want, &got)) {
			print_config(&fc, &rc);
			fail_msg("pools of a %uth: state %u cycle %llu (%s), not state %u cycle %llu (%s)",
				 less, got.state, (unsigned long long)got.cycle, got.progress.why,
				 want.state, (unsigned long long)want.cycle, want.progress.why);
		}
		equal += grown > before;
	}
	print_message("# %u runs: %u whose pools grew ended alike, in %u one was dry before it could; grown %u times\n",
		      rounds, equal, dry, grown);
	assert_true(equal > rounds / 4);
	assert_true(dry < rounds / 4);
}

/* a load of unicasts, up to what saturates, flit by flit; or lone multicasts */
static void draw_lean(u64 *rnd)
{
	bool lone;

	draw(rnd);
	lone = !rng_below(rnd, 4);
	if (!lone)
		strcpy(rc.policy, "unicast");
	if (!lone && rng_below(rnd, 2))
		strcpy(fc.topology, "torus");
	fc.vcs = 2 + rng_below(rnd, 3);
	if (rng_below(rnd, 2))
		fc.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	rc.mtu = 0;
	rc.advance = MCFAB_ADVANCE_MODE_AUTO;
	if (lone) {
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
		rc.workload.count = 10;
		return;
	}
	rc.workload.dests = 1;
	rc.flits = 20 + rng_below(rnd, 180);
	rc.workload.rate = 4000000 / (1 + rng_below(rnd, 4));
	fc.consume_delay = 1;
	rc.warmup = 500 + rng_below(rnd, 2000);
}

static void test_lean(void **state)
{
	u32 rounds = getenv("MCFAB_ROUNDS") ? strtoul(getenv("MCFAB_ROUNDS"), NULL, 0) : 60;
	struct outcome want, got, again;
	u64 rnd = 78;
	u32 i;

	lean_runs = 0;
	records_grown = 0;
	grown = 0;
	for (i = 0; i < rounds; i++) {
		draw_lean(&rnd);
		fraction = 1;
		lean = false;
		once(1, 1, &want);
		fraction = 1000;
		lean = true;
		once(1, 1, &got);
		once(2 + rng_below(&rnd, 3), 1 + rng_below(&rnd, 2), &again);
		lean = false;
		if (ran_dry(&got) || !same(&got, &again) || !same(&want, &got)) {
			print_config(&fc, &rc);
			fail_msg("lean: state %u cycle %llu (%s), not state %u cycle %llu (%s)",
				 got.state, (unsigned long long)got.cycle, got.progress.why,
				 want.state, (unsigned long long)want.cycle, want.progress.why);
		}
	}
	print_message("# %u of %u runs were lean, %u kept trails; pools grew %u times, records %u times\n",
		      lean_runs, 2 * rounds, trails, grown, records_grown);
	assert_true(trails > rounds);
	assert_true(lean_runs > rounds && grown > rounds && records_grown > rounds / 4);
}

/* 255 unicasts for each message, seven hundredths of what the mesh carries */
static void test_many_worms(void **state)
{
	struct outcome out;

	mesh(16, 16);
	strcpy(rc.policy, "unicast");
	rc.workload.dests = 255;
	rc.workload.rate = 10000;
	rc.warmup = 100000;
	rc.batch_cycles = 10000;
	fraction = 1;
	grown = 0;
	once(1, 1, &out);
	assert_int_equal(out.state, MCFAB_RUN_STATUS_DONE);
	assert_true(grown > 0);
}

/* in which cycle memory runs out is for the machine to say: what was delivered up to then, too */
static void test_no_memory(void **state)
{
	struct outcome out;
	u32 i;

	mesh(16, 16);
	strcpy(rc.policy, "unicast");
	rc.workload.dests = 255;
	rc.workload.rate = 10000;
	rc.warmup = 100000;
	fraction = 1;
	for (i = 1; i <= 2; i++) {
		grown = 0;
		enough = i;
		runner_threads = 1;
		run_engine(&fc, &rc, false, &out);
		enough = U32_MAX;
		assert_int_equal(grown, i);
		assert_int_equal(out.state, MCFAB_RUN_STATUS_FAILED);
		assert_non_null(strstr(out.progress.why, "no memory"));
		assert_false(out.progress.has_hash);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_lean),
		cmocka_unit_test(test_many_worms),
		cmocka_unit_test(test_no_memory),
	};

	return run_tap(tests);
}
