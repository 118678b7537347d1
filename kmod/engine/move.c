// SPDX-License-Identifier: GPL-2.0
/*
 * The move phase: the flits of a worm move over all channels it holds, resolved
 * from the head to the tail (engine-model, rule 4), by one thread. This is where
 * the time goes: per flit and channel one pass through advance(), over records
 * of one line.
 *
 * A worm in which nothing can move leaves the list of active worms until a grant
 * wakes it.
 */
#include "engine/engine.h"
#include "engine/flight.h"
#include "engine/flits.h"
#include "engine/rec.h"
#include "engine/trace.h"

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

static void read_grants(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_box *box)
{
	u32 i;

	for (i = 0; i < box->count; i++) {
		u32 nr = mcfab_letter_payload(box->letter[i]);

		if (box->letter[i] >> MCFAB_LETTER_SHIFT == MCFAB_LETTER_GRANT)
			letter_grant(e, s, nr);
		else
			activate(e, s, nr);
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
	while (s->ndead_worms)
		mcfab_stock_give(&e->worm_pool, s->nr, s->dead_worm[--s->ndead_worms]);
	while (s->ndead_blocks)
		mcfab_stock_give(&e->block_pool, s->nr, s->dead_block[--s->ndead_blocks]);
	while (s->ndead_rounds)
		mcfab_pool_give(&e->round_pool, s->dead_round[--s->ndead_rounds]);
	while (s->ndead_jobs)
		mcfab_pool_give(&e->job_pool, s->dead_job[--s->ndead_jobs]);
}

/* a branch is through: its record may soon be another worm's, and its place in the list */
static void unlink_branch(struct mcfab_engine *e, u32 nr)
{
	u32 *at = &e->kids[e->rec[nr].parent];

	while (*at != nr)
		at = &e->sibling[*at];
	*at = e->sibling[nr];
}

/* the packet's last flit has crossed the channel */
static void tail_crossed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	/* in lock-step all of them are through at once, and so is what they read */
	if ((e->flags & MCFAB_ENG_BRANCHES) == MCFAB_ENG_SPEEDUP)
		unlink_branch(e, nr);
	if (e->release_sent) {
		mcfab_worm_hold(&e->worm[e->rec[nr].worm], e->cycle + 1);
		mcfab_mail_post(mcfab_mail_up(e, s, mcfab_rec_vc(e, nr)), MCFAB_LETTER_RELEASE,
				mcfab_release_of(e, nr));
		trace_mcfab_release(e, nr);
	}
}

/**
 * mcfab_rec_drained() - every branch has read the packet's last flit: the record is not in use
 *			 any more
 * @e: engine
 * @s: shard of the worm
 * @nr: the record
 * @r: the same
 *
 * Context: move phase.
 */
void mcfab_rec_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, struct mcfab_rec *r)
{
	u32 vc;

	if (r->flags & MCFAB_REC_INJECT) {
		mcfab_mail_post(&s->mail[s->nr], MCFAB_LETTER_INJECTED, nr);
		return;
	}
	vc = mcfab_rec_vc(e, nr);
	s->flit_hops += r->sent;
	if (!e->release_sent) {
		mcfab_worm_hold(&e->worm[r->worm], e->cycle + 1);
		mcfab_mail_post(mcfab_mail_up(e, s, vc),
				MCFAB_LETTER_RELEASE, mcfab_release_of(e, nr));
		trace_mcfab_release(e, nr);
	}
	if (e->release_sent)
		mcfab_mail_post(mcfab_mail_up(e, s, vc),
				MCFAB_LETTER_FREE, nr);
	if (e->slots > 1 || e->flags & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		mcfab_mail_post(mcfab_mail_down(e, s, vc),
				MCFAB_LETTER_FRONT, vc);
	mcfab_rec_clear(r, s->nr);
}

/**
 * mcfab_rec_deliver() - the last flit is copied off a record (not with MCFAB_ENG_COPIES)
 * @e: engine
 * @s: shard of the worm
 * @nr: the record
 *
 * Context: move phase.
 */
noinline void mcfab_rec_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_copy copy = { .header = e->front[nr].since, .rec = nr };

	if (r->flags & MCFAB_REC_DROP) {
		copy.node = r->dst;
		copy.entry = MCFAB_NONE;
		copy.drop = r->state;
	} else {
		copy.entry = r->dst;
		copy.node = e->worm[r->worm].dst[r->dst] & ~MCFAB_DST_RELAY;
	}
	mcfab_deliver(e, s, &copy);
}

/* copy flits to several nodes, each at its own pace */
static bool consume_copies(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			   struct mcfab_rec *r, u32 arrived, const u32 flags, bool *retry)
{
	u32 len = mcfab_len(e, nr, flags), strip = len - mcfab_copy_len(e, nr, flags);
	u32 least = len, k, next;
	bool moved = false;

	for (k = e->copies[nr]; k != MCFAB_NONE; k = next) {
		struct mcfab_copy *copy = &e->copy[k];

		next = copy->next;
		if (copy->cons < arrived && copy->cons >= strip && flags & MCFAB_ENG_SPEEDUP &&
		    !mcfab_input_open(e, nr)) {
			*retry = true;
		} else if (copy->cons < arrived) {
			moved = true;
			if (copy->cons++ == strip)
				copy->header = e->cycle + e->consume_delay - 1;
			if (copy->cons == len) {
				mcfab_deliver(e, s, copy);
				mcfab_copy_remove(e, k);
				continue;
			}
		}
		least = min(least, copy->cons);
	}
	r->cons = least;
	return moved;
}

/* copy a flit to the node; @arrived: flits in or through the buffer at the start */
static bool consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, struct mcfab_rec *r,
		    u32 arrived, const u32 flags, bool *retry)
{
	u32 len = mcfab_len(e, nr, flags), copy = mcfab_copy_len(e, nr, flags);

	if (flags & MCFAB_ENG_COPIES)
		return consume_copies(e, s, nr, r, arrived, flags, retry);
	if (r->cons >= arrived)
		return false;
	/* a copy has no flits but its own */
	if (r->cons + copy < len) {
		r->cons++;
		return true;
	}
	if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, nr)) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_SHARED && !mcfab_consumes(e, nr)) {
		*retry = true;
		return false;
	}
	if (r->cons++ + copy == len)
		e->front[nr].since = e->cycle + e->consume_delay - 1;
	if (r->cons == len)
		mcfab_rec_deliver(e, s, nr);
	return true;
}

/* who is at the front stays there: no need to look at the FIFO again */
static __always_inline bool is_front(const struct mcfab_engine *e, u32 nr, struct mcfab_rec *r)
{
	if (r->entry & MCFAB_ENTRY_FRONT)
		return true;
	if (!mcfab_rec_is_front(e, nr))
		return false;
	if (r->entry & MCFAB_ENTRY_COUNTED)
		r->entry |= MCFAB_ENTRY_FRONT;
	return true;
}

/* may a flit cross into @r in this cycle, as far as space and other VCs go? */
static __always_inline bool may_enter(struct mcfab_engine *e, u32 nr,
				      struct mcfab_rec *r, u32 freed,
				      const u32 flags, bool *retry)
{
	if (flags & MCFAB_ENG_MULTI && r->entry & MCFAB_ENTRY_HELD) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, r->parent)) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_CREDITS) {
		const struct mcfab_fifo *fifo = &e->fifo[mcfab_rec_vc(e, nr)];
		bool room;

		/* alone in its FIFO a worm may use space it vacates in this cycle */
		if (mcfab_rec_alone(e, r))
			room = r->sent - (e->credit_delay ? r->freed : freed) < e->buffer;
		else if (!e->credit_delay && is_front(e, nr, r))
			room = r->sent - freed < e->buffer;
		else
			room = mcfab_rec_credits(e, fifo, r);
		if (!room) {
			*retry = true;
			return false;
		}
		return true;
	}
	return r->sent - freed < e->buffer;
}

/* the first or last flit of a packet has entered a FIFO, which counts whole packets */
static void count_flits(struct mcfab_engine *e, u32 nr, struct mcfab_rec *r, u32 len)
{
	struct mcfab_fifo *fifo = &e->fifo[mcfab_rec_vc(e, nr)];

	if (r->sent == 1 && !(e->lazy_credits && mcfab_rec_is_front(e, nr)))
		r->entry |= MCFAB_ENTRY_COUNTED;
	if (r->sent < len)
		return;
	fifo->entered += r->entry & MCFAB_ENTRY_COUNTED ? len : len - r->freed;
	r->entry = 0;
}

/* the first or last flit of a packet has crossed */
static void end_crossed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			struct mcfab_rec *r, u32 len)
{
	if (e->flags & MCFAB_ENG_CREDITS && !e->store)
		count_flits(e, nr, r, len);
	if (r->sent == 1)
		e->front[nr].since = e->cycle;
	/* store-and-forward has packets of one length */
	if (r->sent == (e->store ? e->flits : 1))
		mcfab_mail_post(mcfab_mail_down(e, s, mcfab_rec_vc(e, nr)),
				MCFAB_LETTER_HEADER, nr);
	if (r->sent == len)
		tail_crossed(e, s, nr);
}

static __always_inline void cross(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				  struct mcfab_rec *r, const u32 flags)
{
	u32 len = mcfab_len(e, nr, flags);

	r->sent++;
	if (flags & MCFAB_ENG_LINKS) {
		u64 age = e->cycle - e->stamp[nr];

		e->history[nr] = (age > 63 ? 0 : e->history[nr] << age) | 1;
		e->stamp[nr] = e->cycle;
	}
	if (flags & MCFAB_ENG_CREDITS && unlikely(e->store))
		e->fifo[mcfab_rec_vc(e, nr)].entered++;
	if (flags & MCFAB_ENG_PACKET)
		e->chan[mcfab_vc_chan(e, mcfab_rec_vc(e, nr))].lock =
			r->sent == len ? U8_MAX : mcfab_vc_lane(e, mcfab_rec_vc(e, nr));
	if (r->sent == 1 || r->sent == len)
		end_crossed(e, s, nr, r, len);
}

/*
 * Lock-step replication: a flit leaves a buffer over all branches in one cycle or
 * not at all (rule 6). The branches have had their turns and said whether they
 * can take it; all of them are granted, as the record does not wait any more.
 */
static bool step_together(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			  struct mcfab_rec *r, u32 arrived, const u32 flags, bool *retry)
{
	u32 kid;

	for (kid = e->kids[nr]; kid != MCFAB_NONE; kid = e->sibling[kid]) {
		r->reads = e->rec[kid].sent;
		if (!e->ready[kid])
			return false;
	}
	if (r->flags & MCFAB_REC_ABSORB && !consume(e, s, nr, r, arrived, flags, retry))
		return false;
	for (kid = e->kids[nr]; kid != MCFAB_NONE; kid = e->sibling[kid]) {
		e->ready[kid] = 0;
		cross(e, s, kid, &e->rec[kid], flags);
		r->reads = e->rec[kid].sent;
	}
	return true;
}

/*
 * Move the flits of one worm by one cycle. Records come newest first, and a
 * branch is always newer than the record it reads from, so when a record's turn
 * comes all that its branches read in this cycle is known, and its own input is
 * still as it was at the start of the cycle.
 *
 * @flags is a constant: the compiler makes one function for each set of rules.
 *
 * Return: whether the worm has to be looked at again in the next cycle.
 */
static __always_inline bool advance(struct mcfab_engine *e, struct mcfab_shard *s,
				    struct mcfab_worm *w, const u32 flags)
{
	u32 *at = &w->head;
	bool moved = false, retry = false;

	while (*at != MCFAB_NONE) {
		u32 nr = *at;
		struct mcfab_rec *r = &e->rec[nr];
		u32 arrived = r->sent;
		u32 len = mcfab_len(e, nr, flags);
		bool together = flags & MCFAB_ENG_LOCKSTEP;
		u32 freed;

		if (flags & MCFAB_ENG_LINKS && !(r->flags & MCFAB_REC_INJECT)) {
			arrived -= mcfab_on_link(e, nr);
			retry |= arrived != r->sent;
		}
		if (together && !r->waiting)
			moved |= step_together(e, s, nr, r, arrived, flags, &retry);
		else if (!together && r->flags & MCFAB_REC_ABSORB)
			moved |= consume(e, s, nr, r, arrived, flags, &retry);
		freed = r->waiting ? r->freed : r->reads;
		if (r->flags & MCFAB_REC_ABSORB && !r->waiting)
			freed = min(freed, r->cons);
		r->reads = U32_MAX;

		if (!(r->flags & MCFAB_REC_INJECT)) {
			struct mcfab_rec *p = &e->rec[r->parent];

			if (r->sent < len) {
				u32 there = flags & MCFAB_ENG_LINKS ?
					mcfab_arrived(e, r->parent) : p->sent;

				if (there > mcfab_read(e, nr, flags) &&
				    mcfab_strip(e, nr, flags)) {
					e->strip[nr]--;
					moved = true;
				} else if (there > mcfab_read(e, nr, flags) &&
					   may_enter(e, nr, r, freed, flags, &retry)) {
					if (together) {
						e->ready[nr] = 1;
					} else {
						cross(e, s, nr, r, flags);
						moved = true;
					}
				} else if (together) {
					e->ready[nr] = 0;
				}
				/* a packet that has left for good: the buffer may be another's */
				if (!together)
					p->reads = min(p->reads, mcfab_read(e, nr, flags));
			}
		}
		if (freed != r->freed) {
			r->freed = freed;
			moved = true;
			if (flags & MCFAB_ENG_CREDITS && !(r->flags & MCFAB_REC_INJECT) &&
			    (r->entry & MCFAB_ENTRY_COUNTED || r->sent == len)) {
				u32 vc = mcfab_rec_vc(e, nr);

				mcfab_mail_post(mcfab_mail_up(e, s, vc),
						MCFAB_LETTER_CREDIT, vc);
			}
			if (freed == len) {
				*at = r->link;
				mcfab_rec_drained(e, s, nr, r);
				continue;
			}
		}
		at = &r->link;
	}
	return moved || retry;
}

static bool advance_simple(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	return advance(e, s, w, 0);
}

static bool advance_vcs(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	return advance(e, s, w, MCFAB_ENG_MULTI);
}

static bool advance_fifos(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	return advance(e, s, w, MCFAB_ENG_MULTI | MCFAB_ENG_CREDITS);
}

static bool advance_any(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w)
{
	return advance(e, s, w, e->flags);
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

/*
 * The records of worms that are far apart in the network are far apart in memory, and each
 * says where the next one is: have the next worms' first ones come in the meantime.
 */
static __always_inline void look_ahead(const struct mcfab_engine *e, const struct mcfab_shard *s,
				       u32 i)
{
	const struct mcfab_worm *w;
	u32 k;

	if (i + 6 >= s->nactive)
		return;
	prefetchw(&e->worm[s->active[i + 6]]);
	w = &e->worm[s->active[i + 3]];
	if (w->head == MCFAB_NONE)
		return;
	prefetchw(&e->rec[w->head]);
	for (k = 0; k < MCFAB_WORM_BEHIND && e->flits > 1; k++)
		prefetchw(&e->rec[w->behind[k]]);
}

/**
 * mcfab_engine_move() - the move phase of one shard
 * @e: engine
 * @s: the shard
 *
 * Context: one thread per shard; no other phase runs. Never sleeps.
 */
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i, worm;

	if (s->ndead_worms | s->ndead_blocks | s->ndead_rounds | s->ndead_jobs)
		mcfab_shard_give_back(e, s);
	if (e->flights) {
		const struct mcfab_day *day = mcfab_calendar_day(&s->events, e->cycle);

		if ((day->first[MCFAB_EVENT_COPY] & day->first[MCFAB_EVENT_END]) != MCFAB_NONE)
			mcfab_flights_move(e, s);
		s->next_event = mcfab_flights_mail(s) ? e->cycle + 1 :
			next_delivery(e, s, min(s->agenda.next,
						mcfab_calendar_next(&s->events, e->cycle)));
		return;
	}
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

	for (i = 0; i < s->nactive; ) {
		struct mcfab_worm *w;
		bool again;

		look_ahead(e, s, i);
		worm = s->active[i];
		w = &e->worm[worm];
		if (!e->flags)
			again = advance_simple(e, s, w);
		else if (e->flags == MCFAB_ENG_MULTI)
			again = advance_vcs(e, s, w);
		else if (e->flags == (MCFAB_ENG_MULTI | MCFAB_ENG_CREDITS))
			again = advance_fifos(e, s, w);
		else
			again = advance_any(e, s, w);
		if (w->head == MCFAB_NONE) {
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
	s->next_event = next_event(e, s);
}
