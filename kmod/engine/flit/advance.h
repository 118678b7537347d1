/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two modes that move single flits share: advance.c has all rules, paths.c has the rules
 * of most runs.
 */
#ifndef MCFAB_ENGINE_FLIT_ADVANCE_H
#define MCFAB_ENGINE_FLIT_ADVANCE_H

#include "engine/node/node.h"
#include "engine/state/engine.h"
#include "engine/state/port.h"

/**
 * mcfab_count_packet() - the last flit of a packet has entered a FIFO
 * @e: engine with MCFAB_ENG_CREDITS, not store-and-forward
 * @r: record of the packet
 * @len: its flits
 *
 * The FIFO counts whole packets. A packet that is alone there is not counted, unless grants need
 * room for whole packets; mcfab_fifo.entered says when it is counted later.
 *
 * Context: move phase.
 */
static inline void mcfab_count_packet(struct mcfab_engine *e, struct mcfab_rec *r, u32 len)
{
	bool counted = r->entry & MCFAB_ENTRY_COUNTED;

	r->entry = 0;
	if (!counted && !e->hw.packet_room)
		return;
	e->fifo[r->vc].entered += counted ? len : len - r->freed;
	r->entry = MCFAB_ENTRY_KNOWN;
}

/*
 * A flit has left a packet's buffer, @freed in all: send a credit, or tell a host that waits for
 * room in its port.
 */
static __always_inline void mcfab_flits_freed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
					      struct mcfab_rec *r, u32 freed, const u32 flags)
{
	r->freed = freed;
	if (flags & MCFAB_ENG_STAMPS && r->entry & MCFAB_ENTRY_CREDITS) {
		u64 *credits = &e->fifo[r->vc].credits;

		WRITE_ONCE(*credits, mcfab_credit_give(*credits, e->cycle));
		s->credits_until = e->cycle + e->hw.credit_delay;
	} else if (flags & MCFAB_ENG_CREDITS && r->entry & MCFAB_ENTRY_CREDITS) {
		mcfab_outbox_post(mcfab_outbox_up(e, s, r->vc), MCFAB_EVENT_CREDIT, r->vc);
	} else if (flags & MCFAB_ENG_PORTS && unlikely(r->flags & MCFAB_REC_WANTED)) {
		mcfab_port_read(e, s, nr);
	}
}

/* MCFAB_ENG_BOOKSIM: the node takes a flit */
static __always_inline void mcfab_turn_consumed(struct mcfab_wire *wire)
{
	wire->turn |= MCFAB_TURN_USED;
	wire->turn &= ~MCFAB_TURN_NODE;
}

/* the trail of a worm: its channel number n, counted from 0, has the record n % MCFAB_TRAIL */
static __always_inline u32 *mcfab_trail(const struct mcfab_engine *e, u32 worm)
{
	return &e->trail[(size_t)worm * MCFAB_TRAIL];
}

/* records of a trail that are prefetched before those of a worm are moved */
#define MCFAB_TRAIL_AHEAD	8U

/* MCFAB_ENG_FAR: mcfab_look_ahead() for worms with many records */
static __always_inline void mcfab_look_far(const struct mcfab_engine *e,
					   const struct mcfab_shard *s, u32 i)
{
	const struct mcfab_worm *w;
	const u32 *trail;
	u32 k, n;

	if (i + 6 >= s->nactive)
		return;
	prefetchw(&e->worm[s->active[i + 6]]);
	trail = mcfab_trail(e, s->active[i + 4]);
	prefetch(trail);
	prefetch(trail + MCFAB_TRAIL / 2);
	w = &e->worm[s->active[i + 1]];
	trail = mcfab_trail(e, s->active[i + 1]);
	n = atomic_read(&w->traffic);
	for (k = 0; k < MCFAB_TRAIL_AHEAD && n; k++)
		prefetchw(&e->rec[trail[--n % MCFAB_TRAIL]]);
}

/*
 * The records of a worm are spread over the memory, and each record says where the next one is:
 * prefetch the first records of the worms that are next in the list.
 */
static __always_inline void mcfab_look_ahead(const struct mcfab_engine *e,
					     const struct mcfab_shard *s, u32 i, const u32 flags)
{
	const struct mcfab_worm *w;
	u32 k;

	if (flags & MCFAB_ENG_FAR) {
		mcfab_look_far(e, s, i);
		return;
	}
	if (i + 6 >= s->nactive)
		return;
	prefetchw(&e->worm[s->active[i + 6]]);
	w = &e->worm[s->active[i + 3]];
	if (w->newest == MCFAB_NONE)
		return;
	prefetchw(&e->rec[w->newest]);
	if (e->run.flits == 1)
		return;
	for (k = 0; k < MCFAB_WORM_BEHIND; k++)
		prefetchw(&e->rec[w->behind[k]]);
}

/*
 * Moves a worm's flits by one cycle; false: no flit will move before a grant. The rules, @flags,
 * are a constant, so that the compiler makes one function for each set of rules.
 */
typedef bool (*mcfab_advance_fn)(struct mcfab_engine *e, struct mcfab_shard *s,
				 struct mcfab_worm *w, const u32 flags);

/* move all active worms; @advance is inline, too, so there is no call per worm */
static __always_inline void mcfab_move_worms(struct mcfab_engine *e, struct mcfab_shard *s,
					     mcfab_advance_fn advance, const u32 flags)
{
	u32 i = 0, worm, left;

	/* @left is one less each time */
	while ((left = s->nactive - i)) {
		struct mcfab_worm *w;
		bool again;

		mcfab_breathe(left);
		mcfab_look_ahead(e, s, i, flags);
		worm = s->active[i];
		w = &e->worm[worm];
		again = advance(e, s, w, flags);
		if (w->newest == MCFAB_NONE) {
			mcfab_worm_over(e, s, worm);
			again = false;
		}
		if (again) {
			i++;
		} else {
			w->active = false;
			s->active[i] = s->active[--s->nactive];
		}
	}
}

/* hear.c */
void mcfab_flits_read(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_grants *box);

/* read the grants to a shard's worms, at the beginning of the move phase */
static __always_inline void mcfab_flits_hear(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	for (i = 0; i < e->nshards; i++)
		if (e->shard[i].grants[s->nr].count)
			mcfab_flits_read(e, s, &e->shard[i].grants[s->nr]);
}

/* advance.c */
void mcfab_worms_move(struct mcfab_engine *e, struct mcfab_shard *s);

/* paths.c */
bool mcfab_paths_exact(const struct mcfab_engine *e, const char **why);
void mcfab_paths_move(struct mcfab_engine *e, struct mcfab_shard *s);

#endif
