// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of a run: how much of everything there is, and the one list of it.
 */
#include <linux/mcfab.h>
#include "engine/engine.h"
#include "engine/flight.h"
#include "engine/rec.h"
#include "topology/graph.h"

/* plan memory above this many bytes is cut down to what an ordinary load needs */
#define BLOCKS_SOFT_LIMIT	(64U << 20)
/* ... and even the smallest network has room for so many messages under way */
#define LEAST_BLOCKS		1024U

/* how many messages a run makes, U32_MAX: as many as it takes */
static u32 run_messages(const struct mcfab_fabric *fabric, const struct mcfab_workload_cfg *w)
{
	u64 messages = U32_MAX;

	switch (w->kind) {
	case MCFAB_LONE:
		return 1;	/* at a time */
	case MCFAB_BURST:
		return fabric->topo.nodes;
	case MCFAB_FILE:
		return w->list->nmsgs;
	default:
		if (w->count)
			messages = (u64)w->count * fabric->topo.nodes;
		return min_t(u64, messages, U32_MAX);
	}
}

/* longs of a block's @seen */
static u32 seen_longs(const struct mcfab_engine *e)
{
	return e->tables ? BITS_TO_LONGS(e->max_dst * e->packets) : 0;
}

/* a block's arrays stand behind it, those of the strictest alignment first */
static size_t block_bytes(const struct mcfab_engine *e)
{
	size_t bytes = sizeof(struct mcfab_block) + seen_longs(e) * sizeof(long);

	bytes += e->max_worms * (sizeof(struct mcfab_plan_worm) + sizeof(u32));
	bytes += e->max_dst * sizeof(u32);
	if (e->packets > 1 || e->flags & MCFAB_ENG_HOST)
		bytes += e->max_dst * sizeof(struct mcfab_came);
	return ALIGN(bytes, 8);
}

/*
 * The bounds below are for a crowded network. Of a lone multicast no more is under
 * way than its plan has entries: every header has one at least.
 */
static u64 lone_bound(const struct mcfab_engine *e, u32 per_entry, u64 bound)
{
	u64 lone = (u64)per_entry * e->max_dst * e->packets + 16;

	/* what follows bad tables may multiply */
	return e->lone && !e->tables ? min(lone, bound) : bound;
}

/**
 * struct share - the most that one shard has of the network
 * @routers: routers
 * @nodes: nodes on them
 */
struct share {
	u32 routers;
	u32 nodes;
};

static u32 shard_of(const struct mcfab_engine *e, u32 router)
{
	return (((u64)router + 1) * e->nshards - 1) / e->topo->routers;
}

static struct share largest_share(const struct mcfab_engine *e)
{
	const struct mcfab_graph *graph = e->topo->graph;
	struct share share = { .routers = DIV_ROUND_UP(e->topo->routers, e->nshards) };
	u32 nodes[MCFAB_MAX_SHARDS] = { 0 }, i;

	/* elsewhere every router has one */
	share.nodes = graph ? 0 : share.routers;
	/* the tables may not be there yet */
	for (i = 0; graph && i < graph->hosts; i++) {
		u32 nr = shard_of(e, graph->host[i].at);

		share.nodes = max(share.nodes, ++nodes[nr]);
	}
	return share;
}

/* records that may be at routers of one shard, virtual channels' and nodes' */
static u64 shard_records(const struct mcfab_engine *e, const struct share *share)
{
	return (u64)share->routers * e->ports * e->vcs + (u64)share->nodes * e->inject;
}

static u64 shard_asks(const struct mcfab_engine *e, const struct share *share)
{
	/* a path worm's header waits for one channel, and for consumption if that is scarce */
	u32 branches = e->flags & MCFAB_ENG_SCARCE ? 2 : 1;

	if (e->pol && e->pol->ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES))
		branches = e->ports + 1;
	return lone_bound(e, 1, shard_records(e, share) * branches);
}

/* letters of a kind in one cycle: each is about another virtual channel or injection channel */
static u32 mail_size(const struct mcfab_engine *e, const struct share *share,
		     enum mcfab_letter kind)
{
	u64 all = shard_records(e, share), sources = (u64)share->nodes * e->inject;
	u64 bound = all;

	switch (kind) {
	case MCFAB_LETTER_HEADER:
	case MCFAB_LETTER_RELEASE:
		bound = all - sources;
		break;
	case MCFAB_LETTER_INJECTED:
		bound = sources;
		break;
	case MCFAB_LETTER_CONSUMED:
		bound = e->flags & MCFAB_ENG_SCARCE ? all : 0;
		break;
	case MCFAB_LETTER_ENDED:
		bound = e->flags & MCFAB_ENG_WORM ? all : 0;
		break;
	case MCFAB_LETTER_FREE:
	case MCFAB_LETTER_CREDIT:
		bound = e->flags & MCFAB_ENG_CREDITS ? all : 0;
		break;
	case MCFAB_LETTER_FRONT:
		if (!(e->flags & (MCFAB_ENG_CREDITS | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED)))
			bound = 0;
		break;
	default:
		break;
	}
	/* credit, free, front come from all over a worm, whatever it is about */
	return e->flags & MCFAB_ENG_CREDITS ? bound : min(bound, lone_bound(e, 4, bound));
}

static u32 grants_size(const struct mcfab_engine *e, const struct share *share)
{
	/* a branch that is granted, or given up, and a waking */
	return lone_bound(e, 3, shard_records(e, share) * (e->fabric->updown ? 3 : 2));
}

/* deliveries of one cycle */
static u32 most_deliveries(const struct mcfab_engine *e)
{
	return e->nvcs + e->topo->nodes * e->inject;
}

/* copies under way at once: every record's packet to each node of its router */
static u32 most_copies(const struct mcfab_engine *e)
{
	u64 input = (u64)e->ports * e->vcs * e->slots;
	u64 most = 1, readers = e->topo->routers;

	/* elsewhere every router has one node */
	if (e->topo->graph) {
		most = min(e->ports, e->topo->nodes);
		readers += e->topo->nodes;
	}
	/* where links fail, something reads for each branch that is given up */
	if (e->fabric->updown)
		return lone_bound(e, 1, (u64)e->places * (e->ports + 1));
	return lone_bound(e, 1, input * readers + e->topo->nodes * most * e->inject);
}

/*
 * The pools of what every message takes have stocks where there are several shards. What a phase
 * takes at most: an injection channel is free for one worm in a cycle, and a node comes to its
 * next message when the one before has got one; hosts may do more at once.
 */
static void set_stocks(struct mcfab_engine *e)
{
	u32 nodes = e->topo->nodes;

	e->worm_pool.burst = nodes * e->inject;
	e->block_pool.burst = nodes * (e->inject + 1);
	e->mcast_pool.burst = nodes * (e->inject + 1);
	e->log_pool.burst = most_deliveries(e);
	if (mcfab_alone(e) || e->flags & MCFAB_ENG_HOST)
		return;
	e->worm_pool.stocks = e->nshards;
	e->block_pool.stocks = e->nshards;
	e->mcast_pool.stocks = e->nshards;
	e->log_pool.stocks = e->nshards;
}

/**
 * mcfab_arrays_size() - sizes of everything that depends on the run
 * @e: engine; counts, delays and flags are set
 * @run: the run
 *
 * Context: any.
 */
void mcfab_arrays_size(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	const struct mcfab_fabric *fabric = e->fabric;
	u32 nodes = fabric->topo.nodes;
	u32 messages = run_messages(fabric, &run->workload);
	u64 blocks, log;

	if (e->flags & MCFAB_ENG_COPIES)
		e->copy_pool.size = most_copies(e);
	e->block_bytes = block_bytes(e);
	/* short packets may all be gone before the first is consumed */
	e->worm_pool.size = e->places + min(e->consume_delay, 16U) * nodes * e->inject;
	if (run->workload.kind == MCFAB_LONE)
		e->worm_pool.size = min_t(u64, e->worm_pool.size,
					  (u64)e->max_worms * e->packets);
	e->worm_pool.first = MCFAB_NO_WORM + 1;
	/* between two rounds a message is in no record: of some there are more than those */
	blocks = min_t(u64, messages, max(e->places, LEAST_BLOCKS)) + 2;
	/* those that are with hosts and network interfaces alone */
	if (e->flags & MCFAB_ENG_HOST)
		blocks = min_t(u64, (u64)messages + 2, blocks + 16ULL * nodes);
	if (blocks * e->block_bytes > BLOCKS_SOFT_LIMIT)
		blocks = min_t(u64, blocks, max_t(u64, BLOCKS_SOFT_LIMIT / e->block_bytes,
						  4ULL * nodes + 64));
	e->block_pool.size = blocks;
	log = clamp_t(u64, 256ULL * nodes, 1 << 14, 1 << 20);
	/*
	 * Which of two deliveries found the log full would be a matter of timing: the
	 * run ends while there is room for all that one cycle can bring.
	 */
	e->log_reserve = log < (u64)messages * e->max_dst ? most_deliveries(e) : 0;
	log = min_t(u64, log + e->log_reserve, (u64)messages * e->max_dst);
	e->log_pool.size = log + 1;	/* never quite empty */
	/* every complete message has a delivery at least, most have several */
	e->mcast_pool.size = min_t(u64, (u64)messages + 1,
				   blocks + (e->max_dests > 1 ? log / 2 : log));
	e->relay_pool.size = min_t(u64, blocks * e->max_worms, 8ULL * nodes + 4096) + 1;
	/* every tail that comes is told to its node's stages, once its last flit is there */
	if (e->flags & MCFAB_ENG_HOST)
		e->relay_pool.size = min_t(u64, blocks * e->max_dst * e->packets,
					   ((u64)e->nvcs + nodes * e->inject) *
					   (e->consume_delay + 1ULL)) + 1;
	/* each packet a node gets is with the NI and with the host; what it sends is a copy */
	if (e->flags & MCFAB_ENG_HOST)
		e->job_pool.size = min_t(u64, blocks * (2ULL * e->max_dst + 3ULL * e->max_worms) *
					 e->packets, 128ULL * nodes + (1 << 14)) + 2 * nodes;
	/* every round that is not over has a worm under way */
	e->round_pool.size = min_t(u64, e->worm_pool.size, 8ULL * nodes + 64);
	set_stocks(e);
}

static u64 credits_size(const struct mcfab_engine *e, const struct share *share)
{
	return e->credit_delay > 1 ?
		(u64)share->routers * e->ports * e->vcs * e->credit_delay : 0;
}

/*
 * One list of all arrays: the first pass adds up, the second allocates, the
 * third frees, so that the three can never disagree.
 */
enum pass { PASS_COUNT, PASS_ALLOC, PASS_FREE };

struct sizing {
	enum pass pass;
	u64 bytes;
	bool failed;
};

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
		break;
	case PASS_FREE:
		kvfree(*at);
		*at = NULL;
		break;
	}
}

/* letters of all boxes of a shard stand in one array */
static u64 shard_letters(const struct mcfab_engine *e, const struct share *share)
{
	u64 mail = 0;
	u32 kind;

	for (kind = 0; kind < MCFAB_MAIL_KINDS; kind++)
		mail += mail_size(e, share, kind);
	return e->nshards * (mail + grants_size(e, share));
}

static void wheel(const struct mcfab_engine *e, struct sizing *z, struct mcfab_wheel *wheel)
{
	array(z, &wheel->first, mcfab_wheel_size(e->flits), sizeof(u32));
	array(z, &wheel->any, BITS_TO_LONGS(mcfab_wheel_size(e->flits)), sizeof(long));
}

static void shard_arrays(struct mcfab_engine *e, struct sizing *z, struct mcfab_shard *s,
			 const struct share *share)
{
	u32 days = e->flights ? mcfab_wheel_size(e->flits) : 0;

	array(z, &s->mail, e->nshards, sizeof(*s->mail));
	array(z, &s->grants, e->nshards, sizeof(*s->grants));
	array(z, &s->letters, shard_letters(e, share), sizeof(u32));
	array(z, &s->active, e->worm_pool.size, sizeof(u32));
	array(z, &s->dead_worm, e->worm_pool.size, sizeof(u32));
	array(z, &s->dead_block, e->block_pool.size, sizeof(u32));
	array(z, &s->dead_round, e->round_pool.size, sizeof(u32));
	array(z, &s->dead_job, e->job_pool.size, sizeof(u32));
	array(z, &s->touched, share->routers, sizeof(u32));
	array(z, &s->contended, share->routers * e->ports, sizeof(u32));
	if (e->flags & MCFAB_ENG_TAILS) {
		wheel(e, z, &s->tails);
		wheel(e, z, &s->copies);
	}
	/* a run may go on without flights */
	array(z, &s->events.day, days, sizeof(*s->events.day));
	array(z, &s->events.any, BITS_TO_LONGS(days), sizeof(long));
	if (e->flags & MCFAB_ENG_SPEEDUP)
		array(z, &s->inports, share->routers * e->ports + share->nodes, sizeof(u32));
	if (e->flags & MCFAB_ENG_SHARED)
		array(z, &s->consuming, share->routers, sizeof(u32));
	array(z, &s->credits.due, credits_size(e, share), sizeof(u64));
	array(z, &s->credits.vc, credits_size(e, share), sizeof(u32));
	array(z, &s->ask, shard_asks(e, share), sizeof(*s->ask));
	array(z, &s->agenda.first, MCFAB_AGENDA_LISTS, sizeof(*s->agenda.first));
	array(z, &s->scratch, e->scratch_bytes, 1);
	array(z, &s->decision, 1, sizeof(*s->decision));
	array(z, &s->dst, e->max_dests, sizeof(u32));
}

static void pools(struct mcfab_engine *e, struct sizing *z)
{
	struct mcfab_pool *pool[] = {
		&e->block_pool, &e->worm_pool, &e->mcast_pool, &e->relay_pool, &e->round_pool,
		&e->log_pool, &e->copy_pool, &e->job_pool,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(pool); i++) {
		array(z, &pool[i]->free, pool[i]->size, sizeof(u32));
		array(z, &pool[i]->stock, pool[i]->stocks, sizeof(*pool[i]->stock));
	}
}

static void all_arrays(struct mcfab_engine *e, struct sizing *z)
{
	u32 routers = e->topo->routers, i;
	/* shards differ by at most one router; each is given the room of the largest */
	struct share share = largest_share(e);
	struct mcfab_shard none = { 0 };

	if (z->pass == PASS_ALLOC)
		array(z, &e->shard, e->nshards, sizeof(*e->shard));
	for (i = 0; i < e->nshards && (e->shard || z->pass == PASS_COUNT); i++)
		shard_arrays(e, z, z->pass == PASS_COUNT ? &none : &e->shard[i], &share);
	if (z->pass != PASS_ALLOC)
		array(z, &e->shard, e->nshards, sizeof(*e->shard));

	array(z, &e->rec, e->nrecs, sizeof(*e->rec));
	array(z, &e->front, e->nrecs, sizeof(*e->front));
	if (e->flags & MCFAB_ENG_LINKS) {
		array(z, &e->history, e->nrecs, sizeof(u64));
		array(z, &e->stamp, e->nrecs, sizeof(u64));
	}
	if (e->flags & MCFAB_ENG_BRANCHES) {
		array(z, &e->kids, e->nrecs, sizeof(u32));
		array(z, &e->sibling, e->nrecs, sizeof(u32));
		array(z, &e->ready, e->nrecs, sizeof(u8));
	}
	if (e->flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS))
		array(z, &e->len, e->nrecs, sizeof(u32));
	if (e->flags & MCFAB_ENG_HEADERS)
		array(z, &e->strip, e->nrecs, sizeof(u32));
	if (e->flags & MCFAB_ENG_COPIES) {
		array(z, &e->copy, e->copy_pool.size, sizeof(*e->copy));
		array(z, &e->copies, e->nrecs, sizeof(*e->copies));
	}
	if (e->flags & MCFAB_ENG_TREES) {
		array(z, &e->tree, e->nrecs, sizeof(*e->tree));
		array(z, &e->run, e->nrecs, mcfab_tree_runs(e) * sizeof(*e->run));
	}
	if (e->flags & MCFAB_ENG_WORM) {
		array(z, &e->begun, e->nrecs + e->copy_pool.size, sizeof(*e->begun));
		array(z, &e->after, e->nrecs + e->copy_pool.size, sizeof(*e->after));
		array(z, &e->pending, e->nrecs, sizeof(*e->pending));
		if (e->flags & MCFAB_ENG_MULTI)
			array(z, &e->ready_vcs, e->nchans, sizeof(*e->ready_vcs));
	}
	if (e->flags & MCFAB_ENG_SPEEDUP)
		array(z, &e->inport, e->nchans + e->topo->nodes, sizeof(*e->inport));
	if (e->flags & MCFAB_ENG_SHARED) {
		array(z, &e->consumer, e->topo->routers, sizeof(*e->consumer));
		array(z, &e->consumed, e->nvcs, sizeof(*e->consumed));
	}
	if (e->flags & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		array(z, &e->came, e->nvcs, sizeof(*e->came));
	if (e->slots == 1)
		array(z, &e->owner, e->nvcs, sizeof(*e->owner));
	if (e->flags & MCFAB_ENG_SPEEDUP || e->topo->graph)
		array(z, &e->source, e->topo->nodes * e->inject, sizeof(*e->source));
	/* a run may go on without flights */
	if (e->flights || e->flight) {
		array(z, &e->track, e->nchans, sizeof(*e->track));
		array(z, &e->beyond, e->nchans, sizeof(*e->beyond));
		array(z, &e->flight, e->worm_pool.size + 1, sizeof(*e->flight));
		if (e->flags & MCFAB_ENG_SCARCE)
			array(z, &e->door, e->topo->nodes, sizeof(*e->door));
	}
	if (e->flags & MCFAB_ENG_CREDITS)
		array(z, &e->fifo, e->nvcs, sizeof(*e->fifo));
	if (e->flags & (MCFAB_ENG_MULTI | MCFAB_ENG_SEPARABLE))
		array(z, &e->chan, e->nchans, sizeof(*e->chan));
	array(z, &e->router, routers, sizeof(*e->router));
	array(z, &e->node, e->topo->nodes, sizeof(*e->node));
	if (e->flags & MCFAB_ENG_SHARED)
		array(z, &e->link_free, e->topo->nodes, sizeof(*e->link_free));
	if (e->flags & MCFAB_ENG_HOST) {
		array(z, &e->host, e->topo->nodes, sizeof(*e->host));
		array(z, &e->job, e->job_pool.size, sizeof(*e->job));
	}
	array(z, &e->use, e->nchans, sizeof(*e->use));
	array(z, &e->window_base, e->nchans, sizeof(u64));
	array(z, &e->blocks, e->block_pool.size, e->block_bytes);
	array(z, &e->worm, e->worm_pool.size + 1, sizeof(*e->worm));
	array(z, &e->mcast, e->mcast_pool.size, sizeof(*e->mcast));
	array(z, &e->relay, e->relay_pool.size + e->round_pool.size, sizeof(*e->relay));
	array(z, &e->log, e->log_pool.size, sizeof(*e->log));
	pools(e, z);
	array(z, &e->shard_of_router, routers, sizeof(u32));
	array(z, &e->shard_of_node, e->topo->nodes, sizeof(u32));
	array(z, &e->event, e->topo->nodes, sizeof(*e->event));
	array(z, &e->boundary.pending, e->mcast_pool.size, sizeof(u32));
	array(z, &e->boundary.order, e->mcast_pool.size, sizeof(u32));
	array(z, &e->boundary.part, e->mcast_pool.size, sizeof(u32));
	array(z, &e->boundary.dlv, e->max_dst, sizeof(struct mcfab_delivery));
	array(z, &e->boundary.dlv_key, e->max_dst, sizeof(u64));
	if (e->lone)
		array(z, &e->boundary.predict_space, mcfab_predict_bytes(e), 1);
	array(z, &e->boundary.lone, e->boundary.nlone, sizeof(*e->boundary.lone));
}

/**
 * mcfab_arrays_bytes() - memory that an engine's arrays take
 * @e: engine; mcfab_arrays_size() was called
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
 * @e: engine; mcfab_arrays_size() was called
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: 0 or -ENOMEM; mcfab_arrays_free() is due in either case.
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

static void init_wheel(const struct mcfab_engine *e, struct mcfab_wheel *wheel)
{
	wheel->size = mcfab_wheel_size(e->flits);
	memset(wheel->first, 0xff, wheel->size * sizeof(u32));
}

static void init_shards(struct mcfab_engine *e)
{
	u32 routers = e->topo->routers, i, j, k, r;
	struct share share = largest_share(e);

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];
		u32 *letter = s->letters;

		s->nr = i;
		s->router = (u64)routers * i / e->nshards;
		for (r = s->router; r < (u64)routers * (i + 1) / e->nshards; r++)
			e->shard_of_router[r] = i;
		for (j = 0; j < e->nshards; j++) {
			for (k = 0; k < MCFAB_MAIL_KINDS; k++) {
				s->mail[j].letter[k] = letter;
				letter += mail_size(e, &share, k);
			}
			s->grants[j].letter = letter;
			letter += grants_size(e, &share);
		}
		s->free_ask = MCFAB_NONE;
		s->credits.size = credits_size(e, &share);
		if (e->flags & MCFAB_ENG_TAILS) {
			init_wheel(e, &s->tails);
			init_wheel(e, &s->copies);
		}
		if (e->flights) {
			s->events.size = mcfab_wheel_size(e->flits);
			memset(s->events.day, 0xff, s->events.size * sizeof(*s->events.day));
		}
		s->flying.head = MCFAB_NONE;
		s->crossing.head = MCFAB_NONE;
		s->fresh = MCFAB_NONE;
		s->routing.head = MCFAB_NONE;
		s->injecting.head = MCFAB_NONE;
		s->ended.head = MCFAB_NONE;
		s->over.head = MCFAB_NONE;
		s->relays.head = MCFAB_NONE;
		s->done = MCFAB_NONE;
		s->agenda.event = e->event;
		mcfab_agenda_init(&s->agenda);
	}
}

static void init_blocks(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; i < e->block_pool.size; i++) {
		struct mcfab_block *block = mcfab_block(e, i);

		block->seen = (unsigned long *)(block + 1);
		block->plan.worm = (struct mcfab_plan_worm *)(block->seen + seen_longs(e));
		block->plan.max_worms = e->max_worms;
		block->kids = (u32 *)(block->plan.worm + e->max_worms);
		block->plan.dst = block->kids + e->max_worms;
		block->plan.max_dst = e->max_dst;
		block->came = (struct mcfab_came *)(block->plan.dst + e->max_dst);
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
