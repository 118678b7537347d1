// SPDX-License-Identifier: GPL-2.0
/*
 * Where the flits of a worm that cruises are, see cruise.h. It is written into its records when the
 * worm lands, and when the boundary looks at all records.
 */
#include "engine/cruise/cruise.h"
#include "engine/state/consumer.h"
#include "engine/state/rec.h"

/* flits that have passed by the end of cycle @now; the last of them passes in @due */
static u32 passed(const struct mcfab_engine *e, u64 due, u64 now)
{
	u64 left = due > now ? due - now : 0;

	return left < e->run.flits ? e->run.flits - left : 0;
}

/**
 * mcfab_cruise_credits() - flits have left a buffer, one per cycle: send their credits
 * @e: engine
 * @nr: record of the buffer
 * @freed: flits that have left it
 * @last: cycle in which the last of them has left
 *
 * Flits that mcfab_rec.freed has counted before have sent theirs.
 *
 * Context: any phase; boundary.
 */
void mcfab_cruise_credits(struct mcfab_engine *e, u32 nr, u32 freed, u64 last)
{
	struct mcfab_rec *r = &e->rec[nr];
	u64 *credits;

	if (e->flags & MCFAB_ENG_STAMPS && !(r->flags & MCFAB_REC_INJECT)) {
		credits = &e->fifo[r->vc].credits;
		*credits = mcfab_credit_give_all(*credits, freed - r->freed, last);
	}
	r->freed = freed;
}

/* write down which flits are on the link to a record at the end of cycle @now, and how many came */
static void write_wire(struct mcfab_engine *e, u32 nr, u64 now)
{
	struct mcfab_wire *wire = &e->wire[nr];
	u32 delay = e->hw.link_delay, k;
	u64 due = e->head[nr].due;

	wire->arrived = passed(e, due + delay - 1, now);
	wire->crossing = 0;
	for (k = 0; k + 1 < delay; k++)
		if (passed(e, due + k, now) > passed(e, due + k + 1, now))
			wire->crossing |= BIT_ULL(k);
}

/* write into a record where its flits are at the end of cycle @now */
static void write_down(struct mcfab_engine *e, u32 nr, u64 now)
{
	struct mcfab_rec *r = &e->rec[nr];
	u64 due = U64_MAX;

	if (r->onward != MCFAB_NONE)
		due = e->head[r->onward].due;
	else if (r->flags & MCFAB_REC_COPYING)
		due = mcfab_cruise_arrival(e, nr);
	mcfab_cruise_credits(e, nr, passed(e, due, now), min(due, now));
	if (r->flags & MCFAB_REC_COPYING)
		e->head[nr].cons = passed(e, mcfab_cruise_arrival(e, nr), now);
	if (r->flags & MCFAB_REC_INJECT)
		return;
	r->sent = passed(e, e->head[nr].due, now);
	if (e->flags & MCFAB_ENG_LINKS)
		write_wire(e, nr, now);
}

/**
 * mcfab_cruise_leave() - a worm lands
 * @e: engine
 * @s: the shard, the only one
 * @worm: the worm, which cruises
 *
 * It stays in the wheel of tails until its entry there is due, see turn() of flit/cruise.c.
 *
 * Context: grant phase.
 */
void mcfab_cruise_leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_consumer *c;
	u32 nr;

	w->cruises = false;
	w->steady = 0;
	for (nr = w->newest; nr != MCFAB_NONE; nr = e->rec[nr].older) {
		write_down(e, nr, e->cycle - 1);
		if (e->rec[nr].flags & MCFAB_REC_ABSORB && e->flags & MCFAB_ENG_SHARED &&
		    e->head[nr].cons < e->run.flits) {
			c = mcfab_consumer_of(e, nr);
			c->cruiser = MCFAB_NONE;
			if (e->head[nr].cons)
				c->last = e->rec[nr].vc;
			mcfab_consumer_add(e, s, nr);
		}
		e->rec[nr].flags &= ~MCFAB_REC_COPYING;
	}
	mcfab_worm_activate(e, s, worm);
}

/**
 * mcfab_cruise_consume() - a node is about to consume a packet: land whoever competes for its link
 * @e: engine with MCFAB_ENG_CRUISE and MCFAB_ENG_SHARED
 * @s: the shard, the only one
 * @nr: record of the packet
 *
 * Context: grant phase, before the packet is marked with MCFAB_REC_ABSORB.
 */
void mcfab_cruise_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_consumer *c = mcfab_consumer_of(e, nr);
	u32 worm = e->rec[nr].worm;

	if (c->cruiser != MCFAB_NONE)
		mcfab_cruise_land(e, s, e->rec[c->cruiser].worm);
	if (c->head != MCFAB_NONE)
		mcfab_cruise_land(e, s, worm);
	else if (e->worm[worm].cruises)
		c->cruiser = nr;
}

/**
 * mcfab_cruise_rest() - when the last credit comes
 * @e: engine; no event is left
 *
 * The modes that move single flits compute that cycle, too, before a run ends.
 *
 * Context: boundary.
 * Return: the cycle if it is still to come, U64_MAX if not.
 */
u64 mcfab_cruise_rest(const struct mcfab_engine *e)
{
	return e->shard->credits_until > e->cycle ? e->shard->credits_until : U64_MAX;
}

/**
 * mcfab_cruise_show() - write into the records of worms that cruise where their flits are
 * @e: engine
 *
 * Context: boundary.
 */
void mcfab_cruise_show(struct mcfab_engine *e)
{
	u32 i;

	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (e->worm[e->rec[i].worm].cruises)
			write_down(e, i, e->cycle);
}
