// SPDX-License-Identifier: GPL-2.0
/* Sizes of a run's pools and arrays; arrays.c gets the memory. */
#include "engine/internal.h"
#include "engine/sizes.h"
#include "topology/graph.h"

/* plan memory above this many bytes is cut down to the needs of an ordinary load */
#define BLOCKS_SOFT_LIMIT	(64U << 20)
/* ... and even the smallest network has room for so many messages under way */
#define LEAST_BLOCKS		1024U

/* deliveries that the log of a large network has room for, besides those of one cycle */
#define LOG_MOST		1048576U

/* most messages of a workload, U32_MAX: there is no bound */
static u32 most_messages(u32 nodes, const struct mcfab_workload_cfg *w)
{
	u64 messages = U32_MAX;

	switch (w->kind) {
	case MCFAB_WORKLOAD_TYPE_LONE:
		return 1;	/* at a time */
	case MCFAB_WORKLOAD_TYPE_BURST:
		return nodes;
	case MCFAB_WORKLOAD_TYPE_FILE:
		return w->list->nmsgs;
	default:
		if (w->count)
			messages = (u64)w->count * nodes;
		return min_t(u64, messages, U32_MAX);
	}
}

/* the same of all classes of traffic */
static u32 run_messages(u32 nodes, const struct mcfab_run_cfg *run)
{
	u64 messages = 0;
	u32 i;

	for (i = 0; i < mcfab_run_loads(run); i++)
		messages += most_messages(nodes, mcfab_run_load(run, i));
	return min_t(u64, messages, U32_MAX);
}

/**
 * mcfab_seen_longs() - longs of a plan block's @seen
 * @e: engine
 *
 * Context: any.
 * Return: their number; 0 where no packet can come twice.
 */
u32 mcfab_seen_longs(const struct mcfab_engine *e)
{
	return e->run.tables ? BITS_TO_LONGS(e->run.max_dst * e->run.packets) : 0;
}

/* a block's arrays stand behind it, arrays of the strictest alignment first */
static size_t block_bytes(const struct mcfab_engine *e)
{
	size_t bytes = sizeof(struct mcfab_block) + mcfab_seen_longs(e) * sizeof(long);

	bytes += e->run.max_worms * (sizeof(struct mcfab_plan_worm) + sizeof(u32));
	bytes += e->run.max_dst * sizeof(u32);
	if (e->run.packets > 1 || e->flags & MCFAB_ENG_HOST)
		bytes += e->run.max_dst * sizeof(struct mcfab_came);
	return ALIGN(bytes, 8);
}

/* plans of messages from outside that each shard keeps, in about so many bytes */
#define KEPT_BYTES	0x100000
#define KEPT_LEAST	4
#define KEPT_MOST	256

static void set_kept(struct mcfab_engine *e)
{
	size_t bytes = e->run.max_worms * (sizeof(struct mcfab_plan_worm) + sizeof(u32));

	bytes = ALIGN(bytes + e->run.max_dst * sizeof(u32), 8);
	e->run.kept_bytes = bytes;
	e->run.kept = e->outside.from ? clamp(KEPT_BYTES / bytes, KEPT_LEAST, KEPT_MOST) : 0;
}

/*
 * The bounds below are for a crowded network. A lone multicast has at most as many headers under
 * way as its plan has entries of destination lists: every header has one entry at least.
 */
static u64 lone_bound(const struct mcfab_engine *e, u32 per_entry, u64 bound)
{
	u64 lone = (u64)per_entry * e->run.max_dst * e->run.packets + 16;

	/* bad tables may multiply packets */
	return e->run.lone && !e->run.tables ? min(lone, bound) : bound;
}

static u32 shard_of(const struct mcfab_engine *e, u32 router)
{
	return (((u64)router + 1) * e->nshards - 1) / e->topo->routers;
}

/**
 * mcfab_largest_share() - the most routers and the most nodes that one shard has
 * @e: engine; @e->nshards is set, the topology may still lack its tables
 *
 * Context: any.
 * Return: both numbers; they may be of different shards.
 */
struct mcfab_share mcfab_largest_share(const struct mcfab_engine *e)
{
	const struct mcfab_graph *graph = e->topo->graph;
	struct mcfab_share share = { .routers = DIV_ROUND_UP(e->topo->routers, e->nshards) };
	u32 nodes[MCFAB_MAX_SHARDS] = { 0 }, i;

	/* without a graph every router has one node */
	share.nodes = graph ? 0 : share.routers;
	/* the tables may not be there yet */
	for (i = 0; graph && i < graph->hosts; i++) {
		u32 nr = shard_of(e, graph->host[i].at);

		share.nodes = max(share.nodes, ++nodes[nr]);
	}
	return share;
}

/* records that may be in use at the routers of one shard: of VCs and of sources */
static u64 shard_records(const struct mcfab_engine *e, const struct mcfab_share *share)
{
	return (u64)share->routers * e->hw.ports * e->hw.vcs +
	       (u64)share->nodes * e->hw.inject * e->hw.source_slots;
}

/**
 * mcfab_header_requests() - requests that a header may have at once
 * @e: engine
 *
 * Context: any.
 * Return: their number.
 */
u32 mcfab_header_requests(const struct mcfab_engine *e)
{
	if (e->pol && e->pol->ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES))
		return e->hw.ports + 1;
	/* a path worm's header waits for one channel, and for consumption if that is scarce */
	return e->flags & MCFAB_ENG_SCARCE ? 2 : 1;
}

/**
 * mcfab_requests_size() - requests of headers that one shard may hold at once
 * @e: engine
 * @share: the largest shard
 *
 * Context: any.
 * Return: their number.
 */
u64 mcfab_requests_size(const struct mcfab_engine *e, const struct mcfab_share *share)
{
	return lone_bound(e, 1, shard_records(e, share) * mcfab_header_requests(e));
}

/* the most nodes on one router */
static u32 most_hosts(const struct mcfab_engine *e)
{
	return e->topo->graph ? min(e->hw.ports, e->topo->nodes) : 1;
}

/*
 * Copies to nodes of one shard that may end in one cycle: several of one packet, if it is for
 * several nodes of a router.
 */
static u64 shard_copies(const struct mcfab_engine *e, const struct mcfab_share *share, u64 records)
{
	u64 node = (u64)e->hw.ports * e->hw.vcs +
		   (u64)most_hosts(e) * e->hw.inject * e->hw.source_slots;

	if (!(e->flags & MCFAB_ENG_COPIES) || !e->topo->graph)
		return records;
	if (e->flags & MCFAB_ENG_SCARCE)
		node = min_t(u64, node, e->cfg->consume);
	return max(records, node * share->nodes);
}

/**
 * mcfab_outbox_size() - events of a kind that one shard may post in one cycle
 * @e: engine
 * @share: the largest shard
 * @kind: the kind
 *
 * Events of one kind and cycle name different virtual channels or injection channels, or tell of
 * different copies.
 *
 * Context: any.
 * Return: their number.
 */
u32 mcfab_outbox_size(const struct mcfab_engine *e, const struct mcfab_share *share,
		      enum mcfab_event kind)
{
	u64 all = shard_records(e, share);
	u64 sources = (u64)share->nodes * e->hw.inject * e->hw.source_slots, bound = all;

	switch (kind) {
	case MCFAB_EVENT_HEADER:
	case MCFAB_EVENT_RELEASE:
		bound = all - sources;
		break;
	case MCFAB_EVENT_INJECTED:
		bound = sources;
		break;
	case MCFAB_EVENT_CONSUMED:
		bound = e->flags & MCFAB_ENG_SCARCE ? shard_copies(e, share, all) : 0;
		break;
	case MCFAB_EVENT_RELAY:
		bound = shard_copies(e, share, all);
		break;
	case MCFAB_EVENT_ENDED:
		bound = e->flags & (MCFAB_ENG_WORM | MCFAB_ENG_HOPS) ? all : 0;
		break;
	case MCFAB_EVENT_FREE:
		bound = e->flags & MCFAB_ENG_CREDITS ? all : 0;
		break;
	case MCFAB_EVENT_CREDIT:
		/* with credits by time stamps, mode row alone */
		if (!(e->flags & MCFAB_ENG_CREDITS) ||
		    (e->flags & (MCFAB_ENG_STAMPS | MCFAB_ENG_ROWS)) == MCFAB_ENG_STAMPS)
			bound = 0;
		break;
	case MCFAB_EVENT_FRONT:
		if (!(e->flags & (MCFAB_ENG_CREDITS | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED)))
			bound = 0;
		break;
	default:
		break;
	}
	/* credit, free and front come from all records of a worm, so lone_bound() does not hold */
	return e->flags & MCFAB_ENG_CREDITS ? bound : min(bound, lone_bound(e, 4, bound));
}

/**
 * mcfab_grants_size() - events that the grant phase of one shard may post in one cycle
 * @e: engine
 * @share: the largest shard
 *
 * Context: any.
 * Return: their number.
 */
u32 mcfab_grants_size(const struct mcfab_engine *e, const struct mcfab_share *share)
{
	/* for each record: a branch that is granted, or given up, and a wake-up */
	return lone_bound(e, 3, shard_records(e, share) * (e->hw.may_cut ? 3 : 2));
}

/* pools have room for so many deliveries of one cycle, or for all that there can be */
#define DELIVERIES	65536U

/*
 * Most deliveries of one cycle. Where many nodes hang on a router this could be a very large
 * number, as each packet that comes there may be for all of them: then room for fewer is kept, and
 * a run with more is cut.
 */
static u32 most_deliveries(const struct mcfab_engine *e)
{
	const struct mcfab_share all = { .routers = e->topo->routers, .nodes = e->topo->nodes };
	u64 records = e->hw.nvcs + (u64)e->topo->nodes * e->hw.inject;

	return min_t(u64, shard_copies(e, &all, records), max_t(u64, records, DELIVERIES));
}

/**
 * mcfab_log_reserve() - deliveries of the next cycle
 * @e: engine; the pool of worms has its size
 *
 * Context: any.
 * Return: the most.
 */
u32 mcfab_log_reserve(const struct mcfab_engine *e)
{
	return e->run.lean ? min(most_deliveries(e), e->worm_pool.size) : most_deliveries(e);
}

/* copies under way at once: every record's packet to each node of its router */
static u32 most_copies(const struct mcfab_engine *e)
{
	u64 input = (u64)e->hw.ports * e->hw.vcs * e->hw.slots;
	u64 most = most_hosts(e), readers = e->topo->routers;

	if (e->topo->graph)
		readers += e->topo->nodes;
	/* a dropped copy reads for each branch that is given up */
	if (e->hw.may_cut)
		return lone_bound(e, 1, (u64)e->hw.places * (e->hw.ports + 1));
	return lone_bound(e, 1, input * readers + e->topo->nodes * most * e->hw.inject);
}

/*
 * Below saturation few messages are under way at once, but how few depends on the policy. So the
 * pools begin with a size that is enough for most runs, and may grow to POOL_GROWTH times that size
 * (grow.c), as long as the array with an entry for each number stays below POOL_BYTES.
 */
#define POOL_GROWTH	8
#define LEAN_GROWTH	64
#define POOL_BYTES	0x40000000ULL

/* @bound: more can never be in use; @entry: bytes for each number */
static void set_limit(const struct mcfab_engine *e, struct mcfab_pool *pool, u64 bound,
		      size_t entry)
{
	u64 most = (u64)pool->size * (e->run.lean ? LEAN_GROWTH : POOL_GROWTH);
	u64 limit = min3(most, bound, POOL_BYTES / entry);

	pool->limit = max_t(u64, limit, pool->size);
}

/*
 * Where messages come from outside, as many are under way as these pools have room for
 * (outside/accept.c), and a file may hold the messages of such a run: here only memory is a limit.
 */
static void set_wide_limit(struct mcfab_pool *pool, size_t entry)
{
	pool->limit = max_t(u64, pool->size, POOL_BYTES / entry);
}

/*
 * Worms that full buffers hold; with a consume-delay, more short packets may be sent before the
 * first has ended.
 */
static u32 most_worms(const struct mcfab_engine *e)
{
	return e->hw.places + min(e->hw.consume_delay, 16U) * e->topo->nodes * e->hw.inject;
}

static void set_limits(struct mcfab_engine *e, u64 messages, enum mcfab_workload_type kind)
{
	u64 worms = messages * e->run.max_worms * e->run.packets;

	/* a lone multicast has no more under way than its plan has entries */
	if (e->run.lone)
		messages = 0;
	set_limit(e, &e->mcast_pool, messages + 1, sizeof(*e->mcast));
	set_limit(e, &e->block_pool, messages + 2, e->run.block_bytes);
	set_limit(e, &e->worm_pool, e->run.lone ? 0 : worms, sizeof(*e->worm));
	set_limit(e, &e->log_pool, messages * e->run.max_dst + 1, sizeof(*e->log));
	/* what they begin with where they are full from the beginning */
	if (e->run.lean) {
		e->worm_pool.limit = max(e->worm_pool.limit, most_worms(e));
		e->log_pool.limit = max(e->log_pool.limit, LOG_MOST + most_deliveries(e));
	}
	e->run.log_short = e->log_pool.limit <= messages * e->run.max_dst;
	set_limit(e, &e->relay_pool, e->run.lone ? 0 : U64_MAX, sizeof(*e->relay));
	set_limit(e, &e->round_pool, e->run.lone ? 0 : worms, sizeof(*e->round));
	set_limit(e, &e->job_pool, e->run.lone || !e->job_pool.size ? 0 : U64_MAX,
		  sizeof(*e->hosts.job));
	if (kind == MCFAB_WORKLOAD_TYPE_PORTS || kind == MCFAB_WORKLOAD_TYPE_FILE) {
		set_wide_limit(&e->round_pool, sizeof(*e->round));
		if (e->flags & MCFAB_ENG_HOST)
			set_wide_limit(&e->job_pool, sizeof(*e->hosts.job));
		else
			set_wide_limit(&e->relay_pool, sizeof(*e->relay));
	}
	/* more copies can never be under way */
	set_limit(e, &e->copy_pool, 0, sizeof(*e->copy));
}

/*
 * With several shards, the pools that every message needs have stocks. @burst is the most that a
 * phase takes: an injection channel is free for one worm in a cycle, and a node comes to its next
 * message when the message before has got an injection channel. Nodes with hosts may take more, so
 * they have no stocks.
 */
static void set_stocks(struct mcfab_engine *e)
{
	u32 stocks = mcfab_alone(e) || e->flags & MCFAB_ENG_HOST ? 0 : e->nshards;
	u32 nodes = e->topo->nodes;

	e->worm_pool.burst = nodes * e->hw.inject;
	e->block_pool.burst = nodes * (e->hw.inject + 1);
	e->mcast_pool.burst = nodes * (e->hw.inject + 1);
	e->log_pool.burst = most_deliveries(e);
	e->worm_pool.stocks = stocks;
	e->block_pool.stocks = stocks;
	e->mcast_pool.stocks = stocks;
	e->log_pool.stocks = stocks;
}

/* worms and messages that pools have room for at the beginning, see lean.c */
static u32 lean_numbers(const struct mcfab_engine *e)
{
	return e->topo->nodes / 2 + LEAST_BLOCKS;
}

/**
 * mcfab_full_bytes() - memory for a packet in each place
 * @e: engine
 * @entry: bytes for each
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_full_bytes(const struct mcfab_engine *e, size_t entry)
{
	return (u64)e->hw.places * entry;
}

/**
 * mcfab_sizes() - set the sizes of everything that depends on the run
 * @e: engine; counts, delays and flags are set
 * @run: the run
 *
 * Context: any.
 */
void mcfab_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	u32 nodes = e->topo->nodes;
	u32 messages = run_messages(nodes, run);
	u64 blocks, log, unread;

	if (e->flags & MCFAB_ENG_COPIES)
		e->copy_pool.size = most_copies(e);
	e->run.block_bytes = block_bytes(e);
	set_kept(e);
	e->run.lean = mcfab_lean(e, run);
	e->worm_pool.size = e->run.lean ? lean_numbers(e) : most_worms(e);
	if (run->workload.kind == MCFAB_WORKLOAD_TYPE_LONE)
		e->worm_pool.size = min_t(u64, e->worm_pool.size,
					  (u64)e->run.max_worms * e->run.packets);
	e->worm_pool.first = MCFAB_NO_WORM + 1;
	/* between two rounds a message has no record, so there may be more messages than records */
	blocks = min_t(u64, messages, max(e->hw.places, LEAST_BLOCKS)) + 2;
	/* messages that only hosts and network interfaces have */
	if (e->flags & MCFAB_ENG_HOST)
		blocks = min_t(u64, (u64)messages + 2, blocks + 16ULL * nodes);
	if (blocks * e->run.block_bytes > BLOCKS_SOFT_LIMIT)
		blocks = min_t(u64, blocks, max_t(u64, BLOCKS_SOFT_LIMIT / e->run.block_bytes,
						  4ULL * nodes + 64));
	if (e->run.lean)
		blocks = min_t(u64, blocks, lean_numbers(e));
	e->block_pool.size = blocks;
	log = clamp_t(u64, 256ULL * nodes, 1 << 14, LOG_MOST);
	/*
	 * Threads would decide which delivery finds the log full. So the run ends while the log
	 * still has room for all deliveries of one cycle.
	 */
	e->run.log_reserve = log < (u64)messages * e->run.max_dst ? mcfab_log_reserve(e) : 0;
	unread = e->run.lean ? log : log + e->run.log_reserve;
	log = min_t(u64, log + e->run.log_reserve, (u64)messages * e->run.max_dst);
	e->log_pool.size = log + 1;	/* never quite empty */
	/* every complete message has a delivery at least, most have several */
	unread = min(unread, log);
	e->mcast_pool.size = min_t(u64, (u64)messages + 1,
				   blocks + (e->run.max_dests > 1 ? unread / 2 : unread));
	e->relay_pool.size = min_t(u64, blocks * e->run.max_worms, 8ULL * nodes + 4096) + 1;
	/* every tail that comes is told to its node's stages, once its last flit is there */
	if (e->flags & MCFAB_ENG_HOST)
		e->relay_pool.size = min_t(u64, blocks * e->run.max_dst * e->run.packets,
					   most_deliveries(e) *
					   (e->hw.consume_delay + 1ULL)) + 1;
	/* each packet a node gets is with the NI and with the host; what it sends is a copy */
	if (e->flags & MCFAB_ENG_HOST)
		e->job_pool.size = min_t(u64, blocks * e->run.packets *
					 (2ULL * e->run.max_dst + 3ULL * e->run.max_worms),
					 128ULL * nodes + (1 << 14)) + 2 * nodes;
	/* a round that is over waits in its node's queue, without a worm */
	e->round_pool.size = min_t(u64, blocks * e->run.max_worms, 8ULL * nodes + 64);
	set_limits(e, messages, run->workload.kind);
	set_stocks(e);
	e->hw.nrecs = mcfab_lean_records(e);
}

/**
 * mcfab_credits_size() - credits that may be on their way to one shard
 * @e: engine
 * @share: the largest shard
 * @link: over the links with this delay, counted from the shortest one
 *
 * Context: any.
 * Return: their number; 0 where credits are seen in the next cycle, or are time stamps.
 */
u64 mcfab_credits_size(const struct mcfab_engine *e, const struct mcfab_share *share, u32 link)
{
	u32 credit = mcfab_link_credit(e, e->hw.least_link + link);
	u32 channels = min(e->hw.channels[link], share->routers * e->hw.ports);

	if (credit <= 1 || e->flags & MCFAB_ENG_STAMPS)
		return 0;
	return (u64)channels * e->hw.vcs * credit;
}
