/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Worms on paths: what the grant of a channel says of the tail's crossings, see tails.c.
 */
#ifndef MCFAB_ENGINE_TAIL_TAILS_H
#define MCFAB_ENGINE_TAIL_TAILS_H

#include "engine/state/engine.h"
#include "engine/state/flits.h"

bool mcfab_tails_exact(const struct mcfab_engine *e, const char **why);
bool mcfab_path_tails_exact(const struct mcfab_engine *e, const char **why);
void mcfab_tails_move(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_tails_show(struct mcfab_engine *e);
u64 mcfab_tails_rest(const struct mcfab_engine *e);

/*
 * A channel is granted behind record @nr, or the node begins to copy the packet in @nr. This
 * holds back the tail: raise @due, the least cycle of its crossing, of the channels up to @nr,
 * nearest first. A source's record has no such crossing.
 */
static inline void mcfab_tails_hold_back(struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr)
{
	struct mcfab_head *const front = e->head;
	u64 due = e->cycle + w->flits - 1;
	u32 i;

	for (i = 0; i < w->span; i++) {
		due -= e->hw.buffer;
		/* an older grant holds back the tail as long here, so also at the records before */
		if (front[nr].due >= due)
			break;
		front[nr].due = due;
		nr = e->rec[nr].parent;
	}
}

/* cycle in which a copy ends: a cycle per flit, and not before the tail has come */
static inline u64 mcfab_tails_copy_end(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_head *f = &e->head[nr];
	u64 end = f->delivered - e->hw.consume_delay + mcfab_len(e, nr, e->flags);

	/* a packet that its first router drops is read from the source */
	return e->rec[nr].flags & MCFAB_REC_INJECT ? end : max(end, f->due + e->hw.link_delay);
}

/* put the end of record @nr's copy into the wheel */
static inline void mcfab_tails_await_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	mcfab_wheel_put(&s->copies, &e->head[nr].next_copy, nr, mcfab_tails_copy_end(e, nr));
}

/*
 * The cycle in which the tail crosses the worm's first unsettled channel is final: put the tail,
 * which then leaves the record before that channel, into the wheel.
 */
static inline void mcfab_tails_settle(struct mcfab_engine *e, struct mcfab_shard *s,
				      struct mcfab_worm *w)
{
	struct mcfab_rec *const rec = e->rec;
	u32 nr = w->unsettled, flags = rec[nr].flags, from = rec[nr].parent;
	u64 due = e->head[nr].due;

	w->unsettled = rec[nr].newer;
	if (w->crossed++)
		mcfab_worm_hold(w, due + 1 - e->head[from].granted);
	mcfab_wheel_put(&s->tails, &rec[from].next_leaving, from, due);
	if (flags & MCFAB_REC_COPYING)
		mcfab_tails_await_copy(e, s, nr);
}

/**
 * mcfab_tails_granted() - a worm on a path has got a channel, which its header crosses now
 * @e: engine
 * @s: shard of the worm
 * @w: the worm
 * @nr: record of the packet at the far end
 * @from: record at the near end
 *
 * Context: move phase.
 */
static inline void mcfab_tails_granted(struct mcfab_engine *e, struct mcfab_shard *s,
				       struct mcfab_worm *w, u32 nr, u32 from)
{
	u32 count = atomic_read(&w->traffic);

	e->rec[nr].newer = MCFAB_NONE;
	e->rec[from].newer = nr;
	e->head[nr].due = e->cycle + w->flits - 1;
	if (w->crossed == count)
		w->unsettled = nr;
	atomic_set(&w->traffic, count + 1);
	mcfab_tails_hold_back(e, w, from);
	if (count >= w->span)
		mcfab_tails_settle(e, s, w);
}

#endif
