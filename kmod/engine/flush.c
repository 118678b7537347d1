// SPDX-License-Identifier: GPL-2.0
/*
 * Handing complete messages to the statistics in the order of (generation cycle,
 * source, sequence), whatever order threads completed them in. A message may be
 * handed over when no older one is under way or still to be generated.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/engine.h"
#include "routing/routing.h"

static int compare_messages(const void *a, const void *b, const void *priv)
{
	const struct mcfab_engine *e = priv;

	return mcfab_message_order(&e->mcast[*(const u32 *)a], &e->mcast[*(const u32 *)b]);
}

/*
 * The deliveries of a message, by destination: their places in the log are sorted. One alone
 * may be read where it is, as nobody takes that place before the next phase.
 */
static u32 take_deliveries(struct mcfab_engine *e, const struct mcfab_mcast *m, u64 base,
			   const struct mcfab_delivery **dlv)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 ndlv = 0, log = atomic_read(&m->deliveries), i;

	if (log != MCFAB_NONE && e->log[log].next == MCFAB_NONE && !e->lone) {
		*dlv = &e->log[log].d;
		mcfab_pool_give(&e->log_pool, log);
		return 1;
	}
	*dlv = b->dlv;
	for (; log != MCFAB_NONE; log = e->log[log].next)
		b->dlv_key[ndlv++] = (u64)e->log[log].d.dst << 32 | log;
	mcfab_sort_keys(b->dlv_key, ndlv);
	for (i = 0; i < ndlv; i++) {
		log = (u32)b->dlv_key[i];
		b->dlv[i] = e->log[log].d;
		b->longest = max_t(u64, b->longest, b->dlv[i].tail);
		b->dlv[i].gen -= base;
		mcfab_pool_give(&e->log_pool, log);
	}
	return ndlv;
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
	u64 least = U64_MAX;
	u32 high = 0, i;

	for (i = 0; i < e->topo->nodes; i++)
		least = min(least, e->node[i].stream.gen);
	for (i = 0; i < e->nshards; i++)
		high = max(high, e->shard[i].mcast_high);
	for (i = 0; i < high; i++)
		if (e->mcast[i].used && atomic_read(&e->mcast[i].left))
			least = min(least, e->mcast[i].gen);
	return least;
}

/* one message to the statistics; its deliveries and its number become free */
static void hand_over(struct mcfab_engine *e, u32 nr, bool complete)
{
	struct mcfab_mcast *m = &e->mcast[nr];
	const struct mcfab_delivery *dlv;
	u64 base = e->lone ? m->gen : 0;
	struct mcfab_message msg = {
		.gen = m->gen - base,
		.source = m->source,
		.seq = m->seq,
		.ndst = m->ndst,
		.worms = m->worms,
		.startups = atomic_read(&m->startups),
		.traffic = atomic_read(&m->traffic),
		.channel_cycles = atomic64_read(&m->channel_cycles),
		.queue_cycles = m->queue_cycles,
		.predicted = e->lone && e->boundary.predicts ? &e->boundary.predicted : NULL,
	};
	u32 ndlv = take_deliveries(e, m, base, &dlv);

	/* what followed bad tables or met dead links may be over without having come to all */
	msg.complete = complete && (!(e->tables || e->lossy) || ndlv == m->ndst);
	if (e->lossy && e->flags & MCFAB_ENG_HOST)
		mcfab_host_forget(e, nr);
	mcfab_stats_message(&e->fabric->stats, &msg, dlv, ndlv);
	m->used = false;
	mcfab_pool_give(&e->mcast_pool, nr);
}

/* messages of which the first delivery is fetched before their turn comes */
#define AHEAD	4

static void fetch_ahead(const struct mcfab_engine *e, u32 nr)
{
	u32 log = atomic_read(&e->mcast[nr].deliveries);

	if (log != MCFAB_NONE)
		prefetch(&e->log[log]);
}

/* where a message is dealt out to: @least is the first generation cycle */
static u32 part_of(const struct mcfab_engine *e, const struct mcfab_mcast *m, u64 least, u32 bits)
{
	return ((m->gen - least) * e->topo->nodes + m->source) >> bits;
}

/* messages that meet, so many that they are not put right one by one */
#define CROWD	32

/*
 * Puts the @n messages of @b->order, which were generated from @least to @most, into their
 * order, behind those of @b->pending. Few share generation cycle and source: they are dealt out
 * by both, as finely as there are messages, and those that meet change places.
 */
static const u32 *put_in_order(struct mcfab_engine *e, u32 n, u64 least, u64 most)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 *to = b->pending + b->npending;
	u32 bits, i, k, count, at = 0, top = 0;

	if (n < 2 || most - least > U32_MAX) {
		sort_r(b->order, n, sizeof(*to), compare_messages, NULL, e);
		return b->order;
	}
	/* parts of 2^bits places: no more than messages */
	bits = max(fls64((most - least + 1) * e->topo->nodes) - (int)ilog2(n), 0);
	memset(b->part, 0, n * sizeof(*b->part));
	for (i = 0; i < n; i++) {
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
	for (i = 0; i < n; i++)
		to[b->part[e->mcast[b->order[i]].link]++] = b->order[i];
	if (unlikely(top > CROWD)) {
		sort_r(to, n, sizeof(*to), compare_messages, NULL, e);
		return to;
	}
	for (i = 1; i < n; i++)
		for (k = i; k && compare_messages(&to[k - 1], &to[k], e) > 0; k--)
			swap(to[k - 1], to[k]);
	return to;
}

/**
 * mcfab_flush() - hand over the complete messages generated before a cycle
 * @e: engine
 * @watermark: the cycle
 *
 * Context: boundary; the fabric's stats_lock is held.
 */
void mcfab_flush(struct mcfab_engine *e, u64 watermark)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 i, nr, pending = 0, ripe = 0;
	const u32 *msg;
	u64 least = U64_MAX, most = 0, gen;

	/* those that waited before, and those of every shard behind them */
	for (i = 0; i < e->nshards; i++) {
		for (nr = e->shard[i].done; nr != MCFAB_NONE; nr = e->mcast[nr].link)
			b->pending[b->npending++] = nr;
		e->shard[i].done = MCFAB_NONE;
	}
	for (i = 0; i < b->npending; i++) {
		nr = b->pending[i];
		gen = e->mcast[nr].gen;
		if (gen >= watermark) {
			b->pending[pending++] = nr;
			continue;
		}
		b->order[ripe++] = nr;
		least = min(least, gen);
		most = max(most, gen);
	}
	b->npending = pending;
	msg = put_in_order(e, ripe, least, most);
	for (i = 0; i < ripe; i++) {
		if (i + AHEAD < ripe)
			fetch_ahead(e, msg[i + AHEAD]);
		hand_over(e, msg[i], true);
	}
	mcfab_stats_settle(&e->fabric->stats);
}

/**
 * mcfab_flush_incomplete() - hand over whatever was generated, at the end of a run
 * @e: engine
 *
 * Context: boundary; the fabric's stats_lock is held.
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
	b->npending = 0;
	for (i = 0; i < high; i++) {
		if (!e->mcast[i].used)
			continue;
		b->order[n++] = i;
		least = min(least, e->mcast[i].gen);
		most = max(most, e->mcast[i].gen);
	}
	msg = put_in_order(e, n, least, most);
	for (i = 0; i < n; i++)
		hand_over(e, msg[i], !atomic_read(&e->mcast[msg[i]].left));
}
