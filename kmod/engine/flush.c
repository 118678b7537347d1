// SPDX-License-Identifier: GPL-2.0
/*
 * Handing complete messages to the statistics in the order of (generation cycle,
 * source, sequence), whatever order threads completed them in. A message may be
 * handed over when no older one is under way or still to be generated.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/engine.h"

static int compare_pending(const void *a, const void *b, const void *priv)
{
	const struct mcfab_engine *e = priv;

	return mcfab_message_order(&e->mcast[*(const u32 *)a], &e->mcast[*(const u32 *)b]);
}

static int compare_deliveries(const void *a, const void *b)
{
	const struct mcfab_delivery *da = a, *db = b;

	if (da->dst != db->dst)
		return da->dst < db->dst ? -1 : 1;
	return 0;
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
	struct mcfab_delivery *dlv = e->boundary.dlv;
	u32 ndlv = 0, log, next;

	for (log = atomic_read(&m->deliveries); log != MCFAB_NONE; log = next) {
		next = e->log[log].next;
		dlv[ndlv] = e->log[log].d;
		e->boundary.longest = max_t(u64, e->boundary.longest, dlv[ndlv].tail);
		dlv[ndlv++].gen -= base;
		mcfab_pool_give(&e->log_pool, log);
	}
	/* what followed bad tables or met dead links may be over without having come to all */
	msg.complete = complete && (!(e->tables || e->lossy) || ndlv == m->ndst);
	if (e->lossy && e->flags & MCFAB_ENG_HOST)
		mcfab_host_forget(e, nr);
	sort(dlv, ndlv, sizeof(*dlv), compare_deliveries, NULL);
	mcfab_stats_message(&e->fabric->stats, &msg, dlv, ndlv);
	m->used = false;
	mcfab_pool_give(&e->mcast_pool, nr);
}

static void gather(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 i, nr;

	for (i = 0; i < e->nshards; i++) {
		for (nr = e->shard[i].done; nr != MCFAB_NONE; nr = e->mcast[nr].link)
			b->pending[b->npending++] = nr;
		e->shard[i].done = MCFAB_NONE;
	}
	sort_r(b->pending, b->npending, sizeof(u32), compare_pending, NULL, e);
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
	u32 i, kept = 0;

	gather(e);
	for (i = 0; i < b->npending && e->mcast[b->pending[i]].gen < watermark; i++)
		hand_over(e, b->pending[i], true);
	while (i < b->npending)
		b->pending[kept++] = b->pending[i++];
	b->npending = kept;
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
	u32 high = 0, i;

	for (i = 0; i < e->nshards; i++) {
		high = max(high, e->shard[i].mcast_high);
		e->shard[i].done = MCFAB_NONE;
	}
	b->npending = 0;
	for (i = 0; i < high; i++)
		if (e->mcast[i].used)
			b->pending[b->npending++] = i;
	sort_r(b->pending, b->npending, sizeof(u32), compare_pending, NULL, e);
	for (i = 0; i < b->npending; i++)
		hand_over(e, b->pending[i], !atomic_read(&e->mcast[b->pending[i]].left));
	b->npending = 0;
}
