// SPDX-License-Identifier: GPL-2.0
/*
 * What the worms of a deadlock hold, and where they were to go: for the report (deadlock.c).
 * Numbers of records depend on the threads, so the lists are sorted by what users know: hops and
 * channels.
 */
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "engine/watch/stall.h"

static int compare(const struct mcfab_holding *a, const struct mcfab_holding *b)
{
	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	return a->vc < b->vc ? -1 : a->vc > b->vc;
}

/* add a channel to a worm's sorted list; a list that is full loses its first, or @held itself */
static void add(struct mcfab_deadlock *d, struct mcfab_wait *wait, u32 room,
		const struct mcfab_holding *held)
{
	struct mcfab_holding *list = &d->list[wait->first_held];
	u32 i, n = wait->nheld;

	wait->held++;
	for (i = n; i && compare(held, &list[i - 1]) < 0; i--)
		;
	if (n < room) {
		memmove(list + i + 1, list + i, (n - i) * sizeof(*list));
		wait->nheld++;
	} else if (i) {
		memmove(list, list + 1, --i * sizeof(*list));
	} else {
		return;
	}
	list[i] = *held;
}

/* consumption channels with which nodes copy the packet in a record */
static void add_consumption(const struct mcfab_engine *e, struct mcfab_deadlock *d,
			    struct mcfab_wait *wait, u32 room, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_holding held = { .kind = MCFAB_HOLDING_CONSUMPTION, .hops = e->head[nr].hops };
	u32 k;

	if (!(r->flags & MCFAB_REC_ABSORB))
		return;
	if (e->flags & MCFAB_ENG_COPIES) {
		for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next) {
			held.at = e->copy[k].node;
			if (held.at != MCFAB_NONE)
				add(d, wait, room, &held);
		}
		return;
	}
	held.at = r->flags & MCFAB_REC_DROP ? e->head[nr].dropper :
		  e->worm[r->worm].dst[e->head[nr].entry] & ~MCFAB_DST_RELAY;
	if (held.at != MCFAB_NONE && e->head[nr].cons < mcfab_len(e, nr, e->flags))
		add(d, wait, room, &held);
}

static void add_record(const struct mcfab_engine *e, struct mcfab_deadlock *d,
		       struct mcfab_wait *wait, u32 room, u32 nr)
{
	u32 vc = mcfab_rec_vc(e, nr);
	struct mcfab_holding held = { .kind = MCFAB_HOLDING_CHANNEL, .hops = e->head[nr].hops };

	if (mcfab_rec_is_inject(e, nr)) {
		held.kind = MCFAB_HOLDING_INJECTION;
		held.at = mcfab_rec_node(e, nr);
	} else {
		held.at = mcfab_vc_from(e, vc);
		held.port = mcfab_chan_port(e, mcfab_vc_chan(e, vc));
		held.vc = mcfab_vc_index(e, vc);
	}
	add(d, wait, room, &held);
	add_consumption(e, d, wait, room, nr);
}

static void add_dests(const struct mcfab_engine *e, struct mcfab_deadlock *d,
		      struct mcfab_wait *wait, u32 room, const struct mcfab_worm *w)
{
	u32 plan = e->mcast[w->mcast].plan, i;
	const u32 *dst = w->dst;

	wait->dests = 1;
	if (dst != &w->only) {
		const struct mcfab_plan_worm *worm =
			&mcfab_block(e, plan)->plan.worm[w->index];

		wait->dests = worm->count;
		dst += worm->first;
	}
	wait->ndests = min(wait->dests, room);
	for (i = 0; i < wait->ndests; i++)
		d->dest[wait->first_dest + i] = dst[i] & ~MCFAB_DST_RELAY;
}

/**
 * mcfab_deadlock_holdings() - report what the worms of a deadlock hold, and their destinations
 * @e: engine
 * @worms: [nwaits] numbers of the worms of the report
 *
 * Context: as mcfab_deadlock_report(), which has written the waits.
 */
void mcfab_deadlock_holdings(struct mcfab_engine *e, const u32 *worms)
{
	struct mcfab_deadlock *d = &e->results->deadlock;
	u32 n = max(d->nwaits, 1U), nr, i, done = 0;
	u32 held = min(MCFAB_DEADLOCK_HELD / n, MCFAB_WAIT_HELD);
	u32 dests = min(MCFAB_DEADLOCK_DESTS / n, MCFAB_WAIT_DESTS);

	for (i = 0; i < d->nwaits; i++) {
		d->wait[i].first_held = i * held;
		d->wait[i].first_dest = i * dests;
		add_dests(e, d, &d->wait[i], dests, &e->worm[worms[i]]);
	}
	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		mcfab_breathe(++done);
		for (i = 0; i < d->nwaits; i++)
			if (worms[i] == e->rec[nr].worm)
				add_record(e, d, &d->wait[i], held, nr);
	}
}
