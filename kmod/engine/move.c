// SPDX-License-Identifier: GPL-2.0
/*
 * The move phase of a shard: hear of grants, have its worms move, each by the way that fits the
 * run (flights, whole packets, heads and tails, flits), and know when there is more to do.
 */
#include "engine/flit/advance.h"
#include "engine/flight/flight.h"

static void activate(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_worm *w = &e->worm[worm];

	if (w->active)
		return;
	w->active = true;
	s->active[s->nactive++] = worm;
}

static void letter_grant(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_worm *w = &e->worm[r->worm];
	u32 i;

	r->link = w->head;
	for (i = MCFAB_WORM_BEHIND - 1; i; i--)
		w->behind[i] = w->behind[i - 1];
	w->behind[0] = w->head;
	w->head = rec;
	atomic_set(&w->traffic, atomic_read(&w->traffic) + 1);
	/* its other times are written here, too */
	e->front[rec].granted = e->cycle;
	mcfab_worm_hold(w, -e->cycle);
	activate(e, s, r->worm);
}

static noinline void read_grants(struct mcfab_engine *e, struct mcfab_shard *s,
				 struct mcfab_box *box)
{
	u32 i, end;

	for (i = 0; i < box->count; ) {
		for (end = mcfab_breath_end(i, box->count); i < end; i++) {
			u32 nr = mcfab_letter_payload(box->letter[i]);

			if (box->letter[i] >> MCFAB_LETTER_SHIFT == MCFAB_LETTER_GRANT)
				letter_grant(e, s, nr);
			else
				activate(e, s, nr);
		}
	}
	box->count = 0;
}

/**
 * mcfab_shard_give_back() - give back the numbers that nobody has any more
 * @e: engine
 * @s: the shard
 *
 * Context: any phase, none is taken by others meanwhile.
 */
void mcfab_shard_give_back(struct mcfab_engine *e, struct mcfab_shard *s)
{
	while (s->ndead_worms) {
		mcfab_breathe(s->ndead_worms);
		mcfab_stock_give(&e->worm_pool, s->nr, s->dead_worm[--s->ndead_worms]);
	}
	while (s->ndead_blocks)
		mcfab_stock_give(&e->block_pool, s->nr, s->dead_block[--s->ndead_blocks]);
	while (s->ndead_rounds)
		mcfab_pool_give(&e->round_pool, s->dead_round[--s->ndead_rounds]);
	while (s->ndead_jobs)
		mcfab_pool_give(&e->job_pool, s->dead_job[--s->ndead_jobs]);
}

/* the same of deliveries on the way to their nodes */
static u64 next_delivery(const struct mcfab_engine *e, const struct mcfab_shard *s, u64 next)
{
	if (s->ended.head != MCFAB_NONE)
		next = min(next, e->worm[s->ended.head].end + 1);
	if (s->relays.head != MCFAB_NONE)
		next = min(next, e->relay[s->relays.head].entry + 1);
	return max(next, e->cycle + 1);
}

static u64 next_event(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	u64 next = s->agenda.next;
	u32 i;

	if (s->nactive || s->ndead_worms || s->ntouched)
		return e->cycle + 1;
	for (i = 0; i < e->nshards; i++)
		if (mcfab_mail_any(&s->mail[i]))
			return e->cycle + 1;
	if (s->flying.head != MCFAB_NONE)
		next = min(next, mcfab_flying_due(e, s->flying.head));
	if (s->routing.head != MCFAB_NONE)
		next = min(next, e->front[s->routing.head].since);
	if (s->injecting.head != MCFAB_NONE)
		next = min(next, e->front[s->injecting.head].since);
	if (s->credits.count)
		next = min(next, s->credits.due[s->credits.head]);
	if (e->flags & MCFAB_ENG_WORM)
		next = min(next, mcfab_crossing_next(e, s));
	if (e->flags & MCFAB_ENG_TAILS)
		next = min3(next, mcfab_wheel_next(&s->tails, e->cycle),
			    mcfab_wheel_next(&s->copies, e->cycle));
	return next_delivery(e, s, next);
}

static inline void give_back(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (s->ndead_worms | s->ndead_blocks | s->ndead_rounds | s->ndead_jobs)
		mcfab_shard_give_back(e, s);
}

static noinline void move_records(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	give_back(e, s);
	if (e->flags & (MCFAB_ENG_WORM | MCFAB_ENG_TAILS)) {
		if (e->flags & MCFAB_ENG_WORM)
			mcfab_crossing_move(e, s);
		else if (e->flags & MCFAB_ENG_TREES)
			mcfab_trees_move(e, s);
		else
			mcfab_tails_move(e, s);
		s->next_event = next_event(e, s);
		return;
	}
	for (i = 0; i < e->nshards; i++)
		if (e->shard[i].grants[s->nr].count)
			read_grants(e, s, &e->shard[i].grants[s->nr]);

	if (e->paths)
		mcfab_paths_move(e, s);
	else
		mcfab_worms_move(e, s);
	s->next_event = next_event(e, s);
}

/**
 * mcfab_engine_move() - the move phase of one shard
 * @e: engine
 * @s: the shard
 *
 * Context: one thread per shard; no other phase runs. Waits for nothing; has scheduling
 *	    points.
 */
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	const struct mcfab_day *day;

	if (!e->flights) {
		move_records(e, s);
		return;
	}
	give_back(e, s);
	day = mcfab_calendar_day(&s->events, e->cycle);
	if ((day->first[MCFAB_EVENT_COPY] & day->first[MCFAB_EVENT_END]) != MCFAB_NONE)
		mcfab_flights_move(e, s);
	if (mcfab_calendar_soon(&s->events, e->cycle) || mcfab_flights_mail(s))
		s->next_event = e->cycle + 1;
	else
		s->next_event = next_delivery(e, s, min(s->agenda.next,
							mcfab_calendar_next(&s->events,
									    e->cycle)));
}
