// SPDX-License-Identifier: GPL-2.0
/*
 * Complete messages go to the statistics in the order of (generation cycle, source,
 * sequence), in whatever order threads have completed them. A message may be handed over when
 * no older message is under way or still to be generated.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/account/account.h"
#include "engine/node/node.h"
#include "routing/routing.h"

/* a sort of messages with scheduling points: there may be millions of messages */
struct sorting {
	const struct mcfab_engine *e;
	u32 compared;
};

static int compare_messages(const struct mcfab_engine *e, u32 a, u32 b)
{
	return mcfab_message_order(&e->mcast[a], &e->mcast[b]);
}

static int compare_and_breathe(const void *a, const void *b, const void *priv)
{
	struct sorting *sorting = (struct sorting *)priv;

	mcfab_breathe(++sorting->compared);
	return compare_messages(sorting->e, *(const u32 *)a, *(const u32 *)b);
}

static const u32 *sort_messages(const struct mcfab_engine *e, u32 *msg, u32 n)
{
	struct sorting sorting = { .e = e };

	sort_r(msg, n, sizeof(*msg), compare_and_breathe, NULL, &sorting);
	return msg;
}

/* sort the deliveries of a message by destination, and give back their numbers of the log */
static noinline u32 sort_deliveries(struct mcfab_engine *e, u32 log, u64 base)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 ndlv = 0, i;

	for (; log != MCFAB_NONE; log = e->log[log].next) {
		b->dlv_key[ndlv++] = (u64)e->log[log].d.dst << 32 | log;
		mcfab_breathe(ndlv);
	}
	mcfab_sort_keys(b->dlv_key, ndlv);
	for (i = 0; i < ndlv; i++) {
		log = (u32)b->dlv_key[i];
		mcfab_breathe(i + 1);
		b->dlv[i] = e->log[log].d;
		b->longest = max_t(u64, b->longest, b->dlv[i].tail);
		b->dlv[i].gen -= base;
		mcfab_pool_give(&e->log_pool, log);
	}
	return ndlv;
}

/* a single delivery is read in the log: no thread takes its number before the next phase */
static __always_inline u32 take_deliveries(struct mcfab_engine *e, const struct mcfab_mcast *m,
					   u64 base, const struct mcfab_delivery **dlv)
{
	u32 log = atomic_read(&m->deliveries);

	if (log != MCFAB_NONE && e->log[log].next == MCFAB_NONE && !e->run.lone) {
		*dlv = &e->log[log].d;
		mcfab_pool_give(&e->log_pool, log);
		return 1;
	}
	*dlv = e->boundary.dlv;
	return sort_deliveries(e, log, base);
}

/**
 * mcfab_watermark() - every message generated before this cycle is complete
 * @e: engine
 *
 * Context: boundary.
 * Return: the cycle; U64_MAX when nothing is under way or to be generated.
 */
u64 mcfab_watermark(const struct mcfab_engine *e)
{
	/* mostly the boundary has just looked at source queues */
	bool known = e->boundary.looked == e->cycle;
	u64 least = known ? e->boundary.oldest : U64_MAX;
	u32 high = 0, i, end;

	for (i = 0; !known && i < e->topo->nodes; )
		for (end = mcfab_breath_end(i, e->topo->nodes); i < end; i++)
			least = min(least, e->node[i].stream.gen);
	for (i = 0; i < e->nshards; i++)
		high = max(high, e->shard[i].mcast_high);
	for (i = 0; i < high; )
		for (end = mcfab_breath_end(i, high); i < end; i++)
			if (e->mcast[i].used && atomic_read(&e->mcast[i].left))
				least = min(least, e->mcast[i].gen);
	return least;
}

/* number of destinations for which a message was generated, reachable or not */
static u32 asked(const struct mcfab_engine *e, const struct mcfab_mcast *m)
{
	if (likely(!e->faults.lossy))
		return m->ndst;
	if (e->outside.from)
		return e->outside.message[m - e->mcast].asked;
	return mcfab_workload_ndests(&e->work, m->source, m->seq);
}

/* count generation and deliveries of a message over simulated time, up to cycle @before */
static noinline void count_all(struct mcfab_engine *e, const struct mcfab_mcast *m, bool complete,
			       const struct mcfab_delivery *dlv, u32 ndlv, u64 before)
{
	struct mcfab_load_message msg = {
		.gen = m->gen,
		.asked = asked(e, m),
		.class = mcfab_workload_class(&e->work, m->source, m->seq),
		.flits = e->run.weighed ? m->flits : 0,
		.generated = m->generated,
		.taken = m->queue_cycles,
		.ready = m->ready,
		.accepted = m->accepted,
		.over = complete,
	};

	mcfab_load_message(&e->results->stats.load, &msg, dlv, ndlv, before);
}

static __always_inline void count_load(struct mcfab_engine *e, const struct mcfab_mcast *m,
				       const bool complete, const struct mcfab_delivery *dlv,
				       u32 ndlv, u64 before)
{
	struct mcfab_load *load = &e->results->stats.load;

	if (ndlv == 1 && complete && before == U64_MAX && !m->generated &&
	    m->accepted <= dlv->tail) {
		if (mcfab_load_misses(load, m->gen, dlv->tail))
			return;
		/* it has not waited at its source */
		if (!e->run.weighed && !m->queue_cycles && m->accepted == m->ready &&
		    mcfab_load_single(load, m->gen, asked(e, m), m->accepted, dlv->tail))
			return;
	}
	count_all(e, m, complete, dlv, ndlv, before);
}

/* hand one message to the statistics; its deliveries and its number become free */
static __always_inline void hand_over(struct mcfab_engine *e, u32 nr, const bool complete,
				      u64 before)
{
	struct mcfab_mcast *m = &e->mcast[nr];
	const struct mcfab_delivery *dlv;
	u64 base = e->run.lone ? m->gen : 0;
	struct mcfab_message msg = {
		.gen = m->gen - base,
		.source = m->source,
		.seq = m->seq,
		.ndst = m->ndst,
		.class = mcfab_workload_class(&e->work, m->source, m->seq),
		.flits = m->flits,
		.worms = m->worms,
		.startups = atomic_read(&m->startups),
		.traffic = atomic_read(&m->traffic),
		.channel_cycles = atomic64_read(&m->channel_cycles),
		.queue_cycles = m->queue_cycles,
		.predicted = e->run.lone && e->boundary.predicts ? &e->boundary.predicted : NULL,
	};
	u32 ndlv = take_deliveries(e, m, base, &dlv);

	count_load(e, m, complete, dlv, ndlv, before);

	/* with bad tables or dead links a message may end without all its deliveries */
	msg.complete = complete && (ndlv == m->ndst || !(e->run.tables || e->faults.lossy));
	if (unlikely(msg.complete && ndlv != m->ndst))
		e->shard[0].broken = "a complete message has not come to all its destinations";
	if (e->faults.lossy && e->flags & MCFAB_ENG_HOST)
		mcfab_host_forget(e, nr);
	mcfab_stats_message(&e->results->stats, &msg, dlv, ndlv);
	m->used = false;
	mcfab_pool_give(&e->mcast_pool, nr);
}

/* the first delivery of a message is prefetched so many messages ahead */
#define AHEAD	4

static void fetch_ahead(const struct mcfab_engine *e, u32 nr)
{
	u32 log = atomic_read(&e->mcast[nr].deliveries);

	if (log != MCFAB_NONE)
		prefetch(&e->log[log]);
}

/* the part of a message in put_in_order(); @least is the first generation cycle */
static u32 part_of(const struct mcfab_engine *e, const struct mcfab_mcast *m, u64 least, u32 bits)
{
	return ((m->gen - least) * e->topo->nodes + m->source) >> bits;
}

/* with more messages in a part than this, sort_r() is faster than changing places one by one */
#define CROWD	32

/*
 * Sort the @n messages of @b->order, generated in cycles @least to @most, into @b->sorted. Few
 * messages share generation cycle and source. So the messages are dealt out by both into as many
 * parts as there are messages; then messages of the same part change places.
 * Return: the sorted messages.
 */
static const u32 *put_in_order(struct mcfab_engine *e, u32 n, u64 least, u64 most)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 *to = b->sorted;
	u32 bits, i, k, end, count, at = 0, top = 0;

	if (n < 2 || most - least > U32_MAX)
		return sort_messages(e, b->order, n);
	/* a part is 2^bits pairs of (cycle, source): no more parts than messages */
	bits = max(fls64((most - least + 1) * e->topo->nodes) - (int)ilog2(n), 0);
	memset(b->part, 0, n * sizeof(*b->part));
	for (i = 0; i < n; )
		for (end = mcfab_breath_end(i, n); i < end; i++) {
			struct mcfab_mcast *m = &e->mcast[b->order[i]];

			m->link = part_of(e, m, least, bits);
			b->part[m->link]++;
		}
	for (i = 0; i < n; i++) {
		count = b->part[i];
		top = max(top, count);
		b->part[i] = at;
		at += count;
	}
	for (i = 0; i < n; )
		for (end = mcfab_breath_end(i, n); i < end; i++)
			to[b->part[e->mcast[b->order[i]].link]++] = b->order[i];
	if (unlikely(top > CROWD))
		return sort_messages(e, to, n);
	for (i = 0; i < n; )
		for (end = mcfab_breath_end(i, n); i < end; i++)
			for (k = i; k && compare_messages(e, to[k - 1], to[k]) > 0; k--)
				swap(to[k - 1], to[k]);
	return to;
}

/* messages to hand over now: their number, and their first and last generation cycle */
struct ripe {
	u32 count;
	u64 least;
	u64 most;
};

/*
 * Complete messages that wait for older ones are in lists by generation cycle. Only lists of cycles
 * whose turn has come are looked at. A list also has messages of cycles that are 64 lists later.
 */
static u32 *waiting_list(struct mcfab_engine *e, u64 gen)
{
	return &e->boundary.waiting[gen / MCFAB_WAITING_CYCLES % MCFAB_WAITING_LISTS];
}

/* put a complete message with those to hand over now, or with those that wait for older ones */
static __always_inline void sort_out(struct mcfab_engine *e, u32 nr, u64 watermark,
				     struct ripe *ripe)
{
	struct mcfab_boundary *b = &e->boundary;
	u64 gen = e->mcast[nr].gen;
	u32 *list;

	if (gen >= watermark) {
		list = waiting_list(e, gen);
		e->mcast[nr].link = *list;
		*list = nr;
		b->nwaiting++;
		return;
	}
	b->order[ripe->count++] = nr;
	ripe->least = min(ripe->least, gen);
	ripe->most = max(ripe->most, gen);
}

/* the same with all messages of a list; *@done: number of messages that were looked at */
static void sort_list(struct mcfab_engine *e, u32 *list, u64 watermark, struct ripe *ripe,
		      u32 *done)
{
	u32 nr = *list, next;

	for (*list = MCFAB_NONE; nr != MCFAB_NONE; nr = next) {
		mcfab_breathe(++*done);
		next = e->mcast[nr].link;
		sort_out(e, nr, watermark, ripe);
	}
}

/* the same with those that wait: only lists of cycles before @watermark */
static void sort_waiting(struct mcfab_engine *e, u64 watermark, struct ripe *ripe, u32 *done)
{
	u64 gen = round_down(e->boundary.counted_to, MCFAB_WAITING_CYCLES);
	u32 i, before = *done;

	for (i = 0; e->boundary.nwaiting && i < MCFAB_WAITING_LISTS && gen < watermark; i++) {
		sort_list(e, waiting_list(e, gen), watermark, ripe, done);
		gen += MCFAB_WAITING_CYCLES;
	}
	e->boundary.nwaiting -= *done - before;
	/* with U64_MAX all lists are looked at, and nothing waits now */
	if (watermark != U64_MAX)
		e->boundary.counted_to = max(e->boundary.counted_to, watermark);
}

/**
 * mcfab_flush() - hand over the complete messages generated before a cycle
 * @e: engine
 * @watermark: the cycle
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_flush(struct mcfab_engine *e, u64 watermark)
{
	struct ripe ripe = { .least = U64_MAX };
	const u32 *msg;
	u32 i, done = 0;

	/* messages that have waited, then messages that each shard has completed */
	sort_waiting(e, watermark, &ripe, &done);
	for (i = 0; i < e->nshards; i++) {
		sort_list(e, &e->shard[i].done, watermark, &ripe, &done);
		mcfab_stats_exhausted(&e->results->stats, e->shard[i].exhausted);
	}
	msg = put_in_order(e, ripe.count, ripe.least, ripe.most);
	for (i = 0; i < ripe.count; i++) {
		mcfab_breathe(i + 1);
		if (i + AHEAD < ripe.count)
			fetch_ahead(e, msg[i + AHEAD]);
		hand_over(e, msg[i], true, U64_MAX);
	}
	mcfab_stats_settle(&e->results->stats);
}

/**
 * mcfab_flush_incomplete() - hand over all messages, complete or not, at the end of a run
 * @e: engine
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_flush_incomplete(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u64 least = U64_MAX, most = 0;
	u32 high = 0, n = 0, i;
	const u32 *msg;

	for (i = 0; i < e->nshards; i++) {
		high = max(high, e->shard[i].mcast_high);
		e->shard[i].done = MCFAB_NONE;
	}
	memset(b->waiting, 0xff, sizeof(b->waiting));
	b->nwaiting = 0;
	for (i = 0; i < high; i++) {
		mcfab_breathe(i + 1);
		if (!e->mcast[i].used)
			continue;
		b->order[n++] = i;
		least = min(least, e->mcast[i].gen);
		most = max(most, e->mcast[i].gen);
	}
	msg = put_in_order(e, n, least, most);
	for (i = 0; i < n; i++) {
		mcfab_breathe(i + 1);
		hand_over(e, msg[i], !atomic_read(&e->mcast[msg[i]].left), e->cycle);
	}
}
