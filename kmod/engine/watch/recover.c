// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a deadlock by the abortion of a worm (run option recover).
 *
 * Of the worms in the cycle of waits that was found, the youngest one with a header that waits
 * gives up its requests: it loses the destinations that its headers have not reached. Its flits go
 * on as far as the headers have come, and are dropped there, so all its channels become free
 * without any repair of buffers and credits. Nodes that copy it already get all of it. If worms are
 * still deadlocked, the next search aborts the next worm: each takes away at least one request.
 */
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "engine/watch/stall.h"
#include "engine/watch/watch.h"

/**
 * struct choice - the worm to abort
 * @worm: the youngest so far of the worms in the cycle; MCFAB_NO_WORM: none yet
 * @other: the youngest of the others that can never move
 */
struct choice {
	u32 worm;
	u32 other;
};

static bool in_cycle(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	const struct mcfab_deadlock *d = &e->results->deadlock;
	const struct mcfab_mcast *m = &e->mcast[w->mcast];
	u32 i;

	for (i = 0; i < d->nwaits; i++)
		if (d->wait[i].gen == m->gen && d->wait[i].source == m->source &&
		    d->wait[i].seq == m->seq && d->wait[i].worm == w->index &&
		    d->wait[i].packet == w->packet)
			return true;
	return false;
}

static void choose(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	struct choice *c = arg;
	u32 worm = e->rec[req->rec].worm, *best;

	if (!req->stuck)
		return;
	best = in_cycle(e, &e->worm[worm]) ? &c->worm : &c->other;
	if (*best == MCFAB_NO_WORM || mcfab_worm_before(e, &e->worm[*best], &e->worm[worm]))
		*best = worm;
}

/* the worm's requests are given up in the next cycle, requests that it would still make then */
static void abort_worm(struct mcfab_engine *e, u32 worm)
{
	u32 done = 0, nr;

	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		mcfab_breathe(++done);
		if (e->rec[nr].worm == worm)
			e->rec[nr].flags |= MCFAB_REC_CUT;
	}
	atomic_set(&e->worm[worm].cut, MCFAB_CUT_DEADLOCK);
	e->shard[0].drops[MCFAB_DROP_RECOVERED]++;
	e->faults.lossy = true;
	e->faults.rescan = e->cycle + 1;
}

/**
 * mcfab_recover() - end a deadlock
 * @e: engine with the option recover; mcfab_stall_walk() has just found a deadlock
 *
 * Context: boundary; may sleep.
 * Return: true: a worm was aborted, the next cycle has something to do; false: no worm that can
 *	   never move has a request: packets wait behind each other in FIFOs only, and the run has
 *	   to end.
 */
bool mcfab_recover(struct mcfab_engine *e)
{
	struct choice c = { MCFAB_NO_WORM, MCFAB_NO_WORM };
	u32 worm;

	mcfab_visit_requests(e, choose, &c);
	worm = c.worm != MCFAB_NO_WORM ? c.worm : c.other;
	if (worm == MCFAB_NO_WORM)
		return false;
	abort_worm(e, worm);
	mcfab_stall_forget(e);
	return true;
}
