// SPDX-License-Identifier: GPL-2.0
/* Memory of a run: the arrays of shards and pools, and the arrays of array_list.c. */
#include <linux/sched.h>
#include "engine/array_list.h"
#include "engine/internal.h"
#include "engine/message/message.h"
#include "engine/sizes.h"
#include "engine/state/port.h"
#include "engine/state/rec.h"

/*
 * One list of all arrays: the first pass adds up, the second allocates, the third makes the
 * arrays of a pool larger, the fourth frees, so that the four can never disagree.
 */
enum pass { PASS_COUNT, PASS_ALLOC, PASS_GROW, PASS_FREE };

/**
 * struct sizing - a pass over the list
 * @pass: kind of the pass
 * @bytes: PASS_COUNT: sum so far
 * @more: PASS_GROW: number of new entries of an array
 * @failed: there was not enough memory
 */
struct sizing {
	enum pass pass;
	u64 bytes;
	u32 more;
	bool failed;
};

/* bytes that are copied between two scheduling points */
#define COPY_PIECE	0x100000U

static void copy(void *to, const void *from, u64 bytes)
{
	u64 at;

	for (at = 0; at < bytes; at += COPY_PIECE) {
		memcpy(to + at, from + at, min_t(u64, bytes - at, COPY_PIECE));
		cond_resched();
	}
}

static void *grown(const void *old, u64 count, u32 more, u64 size)
{
	void *new = kvzalloc(count * size, MCFAB_GFP);

	if (!new)
		return NULL;
	copy(new, old, (count - more) * size);
	kvfree(old);
	return new;
}

static void array(struct sizing *z, void *field, u64 count, u64 size)
{
	void **at = field;

	switch (z->pass) {
	case PASS_COUNT:
		z->bytes += max(count, 1ULL) * size;
		break;
	case PASS_ALLOC:
		if (z->failed)
			break;
		*at = kvzalloc(max(count, 1ULL) * size, MCFAB_GFP);
		z->failed = !*at;
		cond_resched();
		break;
	case PASS_GROW:
		if (!z->failed) {
			void *new = grown(*at, count, z->more, size);

			*at = new ?: *at;
			z->failed = !new;
		}
		break;
	case PASS_FREE:
		kvfree(*at);
		*at = NULL;
		break;
	}
}

/* events of all outboxes of a shard stand in one array */
static u64 shard_events(const struct mcfab_engine *e, const struct mcfab_share *share)
{
	u64 outbox = 0;
	u32 kind;

	for (kind = 0; kind < MCFAB_EVENT_KINDS; kind++)
		outbox += mcfab_outbox_size(e, share, kind);
	return e->nshards * (outbox + mcfab_grants_size(e, share));
}

static void wheel(const struct mcfab_engine *e, struct sizing *z, struct mcfab_wheel *wheel)
{
	array(z, &wheel->first, mcfab_wheel_size(e->run.flits), sizeof(u32));
	array(z, &wheel->any, BITS_TO_LONGS(mcfab_wheel_size(e->run.flits)), sizeof(long));
}

/* credits that may be on their way to a shard, over links of all delays */
static u64 all_credits(const struct mcfab_engine *e, const struct mcfab_share *share)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < e->hw.link_delays; i++)
		sum += mcfab_credits_size(e, share, i);
	return sum;
}

static void shard_arrays(struct mcfab_engine *e, struct sizing *z, struct mcfab_shard *s,
			 const struct mcfab_share *share)
{
	u32 days = e->layout & MCFAB_ENG_FLIGHTS ? mcfab_wheel_size(e->run.flits) : 0;

	array(z, &s->outbox, e->nshards, sizeof(*s->outbox));
	array(z, &s->grants, e->nshards, sizeof(*s->grants));
	array(z, &s->events_memory, shard_events(e, share), sizeof(u32));
	array(z, &s->marked, share->routers, sizeof(u32));
	array(z, &s->contended, share->routers * e->hw.ports, sizeof(u32));
	if (e->layout & (MCFAB_ENG_TAILS | MCFAB_ENG_CRUISE))
		wheel(e, z, &s->tails);
	if (e->layout & MCFAB_ENG_TAILS)
		wheel(e, z, &s->copies);
	array(z, &s->events.due, days, sizeof(*s->events.due));
	array(z, &s->events.any, BITS_TO_LONGS(days), sizeof(long));
	if (e->layout & MCFAB_ENG_SPEEDUP)
		array(z, &s->inports, share->routers * e->hw.ports + share->nodes, sizeof(u32));
	if (e->layout & MCFAB_ENG_SHARED)
		array(z, &s->consuming, share->routers, sizeof(u32));
	array(z, &s->flying, e->hw.link_delays, sizeof(*s->flying));
	array(z, &s->credits, e->hw.link_delays, sizeof(*s->credits));
	array(z, &s->credit_due, all_credits(e, share), sizeof(u64));
	array(z, &s->credit_vc, all_credits(e, share), sizeof(u32));
	if (!e->run.lean)
		array(z, &s->request, mcfab_requests_size(e, share), sizeof(*s->request));
	array(z, &s->timers.first, MCFAB_TIMERS_LISTS, sizeof(*s->timers.first));
	array(z, &s->scratch, e->run.scratch_bytes, 1);
	array(z, &s->decision, 1, sizeof(*s->decision));
	array(z, &s->dst, e->run.max_dests, sizeof(u32));
	array(z, &s->kept, e->run.kept, sizeof(*s->kept));
	array(z, &s->kept_memory, e->run.kept, e->run.kept_bytes);
}

/* arrays of a shard with an entry for every number of a pool */
static void pool_shard_arrays(const struct mcfab_engine *e, struct sizing *z,
			      struct mcfab_shard *s, const struct mcfab_pool *pool)
{
	if (pool == &e->worm_pool) {
		array(z, &s->active, pool->size, sizeof(u32));
		array(z, &s->dead_worm, pool->size, sizeof(u32));
		if (e->run.lean)
			array(z, &s->request, pool->size,
			      mcfab_header_requests(e) * sizeof(*s->request));
	} else if (pool == &e->block_pool) {
		array(z, &s->dead_block, pool->size, sizeof(u32));
	} else if (pool == &e->round_pool) {
		array(z, &s->dead_round, pool->size, sizeof(u32));
	} else if (pool == &e->job_pool) {
		array(z, &s->dead_job, pool->size, sizeof(u32));
	}
}

/* arrays with an entry for every number of a pool */
static void pool_arrays(struct mcfab_engine *e, struct sizing *z, struct mcfab_pool *pool)
{
	struct mcfab_shard none = { 0 };
	u32 n = pool->size, i;

	array(z, &pool->free, n, sizeof(u32));
	if (pool == &e->worm_pool) {
		array(z, &e->worm, n + 1, sizeof(*e->worm));
		if (e->layout & MCFAB_ENG_ROWS)
			array(z, &e->rows.row, n + 1, sizeof(*e->rows.row));
		if (e->layout & MCFAB_ENG_WIDE)
			array(z, &e->rows.more, n + 1,
			      (e->rows.words - 1) * sizeof(*e->rows.more));
		if (e->layout & MCFAB_ENG_PASSING)
			array(z, &e->rows.copies, n + 1, e->rows.words * sizeof(*e->rows.copies));
		if (e->layout & MCFAB_ENG_ROWS && e->layout & MCFAB_ENG_BOOKSIM)
			array(z, &e->rows.flits, n + 1, sizeof(*e->rows.flits));
		if ((e->layout & (MCFAB_ENG_FAR | MCFAB_ENG_ROWS)) == MCFAB_ENG_FAR)
			array(z, &e->trail, n + 1, MCFAB_TRAIL * sizeof(*e->trail));
		if (e->layout & MCFAB_ENG_FLIGHTS)
			array(z, &e->flights.flight, n + 1, sizeof(*e->flights.flight));
	} else if (pool == &e->block_pool) {
		array(z, &e->blocks, n, e->run.block_bytes);
	} else if (pool == &e->mcast_pool) {
		array(z, &e->mcast, n, sizeof(*e->mcast));
		array(z, &e->boundary.order, n, sizeof(u32));
		array(z, &e->boundary.sorted, n, sizeof(u32));
		array(z, &e->boundary.part, n, sizeof(u32));
		if (e->outside.from)
			array(z, &e->outside.message, n, sizeof(*e->outside.message));
	} else if (pool == &e->relay_pool) {
		array(z, &e->relay, n, sizeof(*e->relay));
	} else if (pool == &e->round_pool) {
		array(z, &e->round, n, sizeof(*e->round));
	} else if (pool == &e->log_pool) {
		array(z, &e->log, n, sizeof(*e->log));
		if (e->outside.from) {
			array(z, &e->outside.handout, n, sizeof(*e->outside.handout));
			array(z, &e->outside.due, n, sizeof(*e->outside.due));
		}
	} else if (pool == &e->job_pool) {
		array(z, &e->hosts.job, n, sizeof(*e->hosts.job));
	} else if (e->layout & MCFAB_ENG_COPIES) {
		array(z, &e->copy, n, sizeof(*e->copy));
	}
	for (i = 0; i < e->nshards && (e->shard || z->pass == PASS_COUNT); i++)
		pool_shard_arrays(e, z, z->pass == PASS_COUNT ? &none : &e->shard[i], pool);
}

static void pools(struct mcfab_engine *e, struct sizing *z)
{
	struct mcfab_pool *pool[MCFAB_POOLS];
	u32 i;

	mcfab_pools(e, pool);
	for (i = 0; i < MCFAB_POOLS; i++) {
		pool_arrays(e, z, pool[i]);
		array(z, &pool[i]->stock, pool[i]->stocks, sizeof(*pool[i]->stock));
	}
}

static void all_arrays(struct mcfab_engine *e, struct sizing *z)
{
	u32 i;
	/* shards differ by at most one router; each is given the room of the largest */
	struct mcfab_share share = mcfab_largest_share(e);
	struct mcfab_shard none = { 0 };

	if (z->pass == PASS_ALLOC)
		array(z, &e->shard, e->nshards, sizeof(*e->shard));
	for (i = 0; i < e->nshards && (e->shard || z->pass == PASS_COUNT); i++)
		shard_arrays(e, z, z->pass == PASS_COUNT ? &none : &e->shard[i], &share);
	pools(e, z);
	if (z->pass != PASS_ALLOC)
		array(z, &e->shard, e->nshards, sizeof(*e->shard));

	for (i = 0; i < mcfab_array_list_len; i++) {
		const struct mcfab_array *a = &mcfab_array_list[i];
		u64 count = mcfab_array_count(e, a, e->layout, e->hw.nrecs,
					      e->copy_pool.size);

		if (count)
			array(z, (void *)e + a->at, count, a->size);
	}
	array(z, &e->boundary.dlv, e->run.max_dst, sizeof(struct mcfab_delivery));
	array(z, &e->boundary.dlv_key, e->run.max_dst, sizeof(u64));
	if (e->outside.from)
		array(z, &e->outside.turn, e->topo->nodes, sizeof(u32));
	if (e->run.lone)
		array(z, &e->boundary.predict_space, mcfab_predict_bytes(e), 1);
	array(z, &e->boundary.lone, e->boundary.nlone, sizeof(*e->boundary.lone));
}

/**
 * mcfab_arrays_bytes() - memory that an engine's arrays take
 * @e: engine; mcfab_sizes() was called
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_arrays_bytes(struct mcfab_engine *e)
{
	struct sizing z = { .pass = PASS_COUNT };

	all_arrays(e, &z);
	return z.bytes;
}

/**
 * mcfab_arrays_alloc() - get the memory, zeroed
 * @e: engine; mcfab_sizes() was called
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: 0 or -ENOMEM; the caller calls mcfab_arrays_free() in either case.
 */
int mcfab_arrays_alloc(struct mcfab_engine *e)
{
	struct sizing z = { .pass = PASS_ALLOC };

	all_arrays(e, &z);
	return z.failed ? -ENOMEM : 0;
}

/**
 * mcfab_arrays_free() - give the memory back
 * @e: engine
 *
 * Context: may sleep.
 */
void mcfab_arrays_free(struct mcfab_engine *e)
{
	struct sizing z = { .pass = PASS_FREE };

	all_arrays(e, &z);
}

static void init_blocks(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->block_pool.size; i++) {
		struct mcfab_block *block = mcfab_block(e, i);

		mcfab_breathe(i + 1);
		block->seen = (unsigned long *)(block + 1);
		block->plan.worm = (struct mcfab_plan_worm *)(block->seen + mcfab_seen_longs(e));
		block->plan.max_worms = e->run.max_worms;
		block->children = (u32 *)(block->plan.worm + e->run.max_worms);
		block->plan.dst = block->children + e->run.max_worms;
		block->plan.max_dst = e->run.max_dst;
		block->came = (struct mcfab_came *)(block->plan.dst + e->run.max_dst);
	}
}

/* addresses of blocks and worms before their arrays have grown */
struct places {
	unsigned long blocks;
	unsigned long worms;
};

/* correct @dst of worms: it points to the plan's destination list, or to the worm's own entry */
static void point_again(struct mcfab_engine *e, const struct places *old, u32 worms)
{
	u64 bytes = (u64)worms * sizeof(*e->worm);
	u32 i;

	for (i = 0; i < worms; i++) {
		unsigned long dst = (unsigned long)e->worm[i].dst;

		if (dst - old->worms < bytes)
			e->worm[i].dst = (u32 *)((unsigned long)e->worm + (dst - old->worms));
		else if (dst)
			e->worm[i].dst = (u32 *)((unsigned long)e->blocks + (dst - old->blocks));
		if (!(i % COPY_PIECE))
			cond_resched();
	}
}

/**
 * mcfab_arrays_grow() - get memory for more numbers of a pool
 * @e: engine
 * @pool: one of its pools; @pool->size counts the new numbers already
 * @more: count of new numbers
 *
 * Context: boundary; may sleep. Memory is charged to the active memory cgroup.
 * Return: 0, or -ENOMEM: some arrays may be larger then, nothing else has changed.
 */
int mcfab_arrays_grow(struct mcfab_engine *e, struct mcfab_pool *pool, u32 more)
{
	struct places old = { (unsigned long)e->blocks, (unsigned long)e->worm };
	struct sizing z = { .pass = PASS_GROW, .more = more };
	u32 worms = e->worm_pool.size + 1 - (pool == &e->worm_pool ? more : 0);

	pool_arrays(e, &z, pool);
	if (pool == &e->block_pool && (unsigned long)e->blocks != old.blocks)
		init_blocks(e);
	if (pool == &e->block_pool || pool == &e->worm_pool)
		point_again(e, &old, worms);
	return z.failed ? -ENOMEM : 0;
}

/**
 * mcfab_arrays_grow_records() - get memory for more records
 * @e: engine with no more than what mcfab_lean_records() allows; @e->hw.nrecs counts the new
 *     records already
 * @more: count of new records
 *
 * Context: as mcfab_arrays_grow().
 * Return: as mcfab_arrays_grow().
 */
int mcfab_arrays_grow_records(struct mcfab_engine *e, u32 more)
{
	struct sizing z = { .pass = PASS_GROW, .more = more };
	u32 i;

	for (i = 0; i < mcfab_array_list_len; i++) {
		const struct mcfab_array *a = &mcfab_array_list[i];

		if (a->per == MCFAB_PER_RECORD &&
		    mcfab_array_count(e, a, e->layout, e->hw.nrecs, 0))
			array(&z, (void *)e + a->at, e->hw.nrecs, a->size);
	}
	return z.failed ? -ENOMEM : 0;
}

static void init_links(const struct mcfab_engine *e, struct mcfab_shard *s,
		       const struct mcfab_share *share)
{
	u64 at = 0;
	u32 i;

	for (i = 0; i < e->hw.link_delays; i++) {
		s->flying[i].head = MCFAB_NONE;
		s->credits[i].due = s->credit_due + at;
		s->credits[i].vc = s->credit_vc + at;
		s->credits[i].size = mcfab_credits_size(e, share, i);
		at += s->credits[i].size;
	}
}

static void init_wheel(const struct mcfab_engine *e, struct mcfab_wheel *wheel)
{
	wheel->size = mcfab_wheel_size(e->run.flits);
	memset(wheel->first, 0xff, wheel->size * sizeof(u32));
}

static void init_shards(struct mcfab_engine *e)
{
	u32 routers = e->topo->routers, i, j, k, r;
	struct mcfab_share share = mcfab_largest_share(e);

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];
		u32 *event = s->events_memory;

		s->nr = i;
		s->router = (u64)routers * i / e->nshards;
		for (r = s->router; r < (u64)routers * (i + 1) / e->nshards; r++)
			e->shard_of_router[r] = i;
		cond_resched();
		for (j = 0; j < e->nshards; j++) {
			for (k = 0; k < MCFAB_EVENT_KINDS; k++) {
				s->outbox[j].event[k] = event;
				event += mcfab_outbox_size(e, &share, k);
			}
			s->grants[j].event = event;
			event += mcfab_grants_size(e, &share);
		}
		s->free_request = MCFAB_NONE;
		init_links(e, s, &share);
		if (e->layout & (MCFAB_ENG_TAILS | MCFAB_ENG_CRUISE))
			init_wheel(e, &s->tails);
		if (e->layout & MCFAB_ENG_TAILS)
			init_wheel(e, &s->copies);
		if (e->layout & MCFAB_ENG_FLIGHTS) {
			s->events.size = mcfab_wheel_size(e->run.flits);
			memset(s->events.due, 0xff, s->events.size * sizeof(*s->events.due));
		}
		s->crossing.head = MCFAB_NONE;
		s->fresh = MCFAB_NONE;
		s->routing.head = MCFAB_NONE;
		s->injecting.head = MCFAB_NONE;
		s->slow_ports = MCFAB_NONE;
		s->ended.head = MCFAB_NONE;
		s->over.head = MCFAB_NONE;
		s->relays.head = MCFAB_NONE;
		s->done = MCFAB_NONE;
		s->handouts = MCFAB_NONE;
		s->overs = MCFAB_NONE;
		s->timers.timer = e->timer;
		s->exhausted = U64_MAX;
		mcfab_timers_init(&s->timers);
	}
}

/**
 * mcfab_arrays_init() - give shards and plans their parts of the arrays
 * @e: engine; mcfab_arrays_alloc() succeeded
 *
 * Context: any.
 */
void mcfab_arrays_init(struct mcfab_engine *e)
{
	init_shards(e);
	mcfab_rec_share(e);
	init_blocks(e);
}
