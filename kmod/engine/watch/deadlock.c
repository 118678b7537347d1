// SPDX-License-Identifier: GPL-2.0
/*
 * The report of a deadlock that the search (stall.c) has found: one cycle of waits. In the
 * cycle each worm waits for a channel that the next worm holds. A worm may wait in several
 * places at once. Worms that only wait for a worm of the cycle are not part of it.
 */
#include "engine/state/flits.h"
#include "engine/watch/stall.h"

static void mark_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	if (req->stuck)
		e->worm[e->rec[req->rec].worm].stuck = true;
}

static void mark_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	if (e->rec[nr].flags & MCFAB_REC_STUCK)
		e->worm[e->rec[nr].worm].stuck = true;
}

/* counts worms of which a part can never move; returns the first of them by key */
static u32 count_stuck(struct mcfab_engine *e, u32 *stuck)
{
	u32 i, first = MCFAB_NONE;

	for (i = MCFAB_NO_WORM + 1; i <= e->worm_pool.size; i++)
		e->worm[i].stuck = false;
	mcfab_visit_requests(e, mark_request, NULL);
	mcfab_visit_behind(e, mark_behind, NULL);
	for (i = MCFAB_NO_WORM + 1; i <= e->worm_pool.size; i++) {
		if (!e->worm[i].stuck)
			continue;
		++*stuck;
		/* compare keys, not numbers: numbers of worms depend on the threads */
		if (first == MCFAB_NONE || mcfab_worm_before(e, &e->worm[i], &e->worm[first]))
			first = i;
	}
	return first;
}

/**
 * struct blame - what keeps a record from being released
 * @d: where the wait is reported
 * @worm: worm whose waits are looked at
 * @top: the wait has to keep flits in this record's buffer, MCFAB_NONE: in any record's
 * @full: ... and more flits than that buffer holds
 * @what: the wait that was found: a request, or a record behind another record in a FIFO
 * @holder: the record for which this wait waits
 */
struct blame {
	struct mcfab_deadlock *d;
	u32 worm;
	u32 top;
	bool full;
	const void *what;
	u32 holder;
};

/* does a wait that stops the packet in record @nr keep flits in the buffer of @top, too? */
static bool reaches(const struct mcfab_engine *e, const struct blame *b, u32 nr)
{
	u32 keep = mcfab_len(e, nr, e->flags);

	if (e->rec[nr].worm != b->worm)
		return false;
	if (b->top == MCFAB_NONE)
		return true;
	for (; nr != b->top; nr = mcfab_feeder(e, nr, e->flags)) {
		keep = mcfab_spill(e, nr, keep, e->flags);
		if (!keep || mcfab_feeder(e, nr, e->flags) == MCFAB_NONE)
			return false;
	}
	return !b->full || mcfab_spill(e, nr, keep, e->flags);
}

static struct mcfab_wait *begin_wait(const struct mcfab_engine *e, const struct blame *b)
{
	struct mcfab_wait *wait = &b->d->wait[b->d->nwaits];
	const struct mcfab_worm *w = &e->worm[b->worm];

	wait->gen = e->mcast[w->mcast].gen;
	wait->source = e->mcast[w->mcast].source;
	wait->seq = e->mcast[w->mcast].seq;
	wait->worm = w->index;
	wait->packet = w->packet;
	wait->node = MCFAB_NONE;
	wait->memory = false;
	return wait;
}

static void find_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	struct blame *b = arg;
	struct mcfab_wait *wait;

	if (b->what || !req->stuck || !reaches(e, b, req->rec))
		return;
	b->what = req;
	mcfab_request_can_go(e, req, router, &b->holder);
	wait = begin_wait(e, b);
	wait->router = router;
	wait->node = req->node;
	wait->memory = mcfab_waits_for_memory(e, req) && e->node[req->node].consume;
	wait->port = req->node == MCFAB_NONE ? req->port[0] : MCFAB_PORT_ANY;
	wait->vc = req->node == MCFAB_NONE ? __ffs(req->vcs[0]) : 0;
	wait->since = req->since;
}

/* the same for a packet without a request, behind another packet in a FIFO */
static void find_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	struct blame *b = arg;
	struct mcfab_wait *wait;
	u32 vc = mcfab_rec_vc(e, nr);

	if (b->what || !(e->rec[nr].flags & MCFAB_REC_STUCK) || !reaches(e, b, nr))
		return;
	b->what = &e->rec[nr];
	b->holder = front;
	wait = begin_wait(e, b);
	wait->router = mcfab_vc_from(e, vc);
	wait->port = mcfab_chan_port(e, mcfab_vc_chan(e, vc));
	wait->vc = mcfab_vc_index(e, vc);
	wait->since = e->head[nr].granted;
}

/*
 * Go on from the holder, a record that is not released: its packet has flits that are kept in
 * its own buffer, or in a buffer on the way to it. @top is set to that record.
 */
static void follow(const struct mcfab_engine *e, struct blame *b)
{
	b->worm = e->rec[b->holder].worm;
	b->top = b->holder;
	b->full = false;
	if (mcfab_kept(e, b->top))
		return;
	b->full = !(e->flags & MCFAB_ENG_LOCKSTEP);
	do {
		b->top = mcfab_feeder(e, b->top, e->flags);
	} while (b->top != MCFAB_NONE && !mcfab_holds_back(e, b->top));
}

/* follow holders from a stuck worm until a wait comes again: that is the cycle */
static void report_cycle(struct mcfab_engine *e, u32 worm)
{
	struct blame b = { .d = &e->results->deadlock, .worm = worm, .top = MCFAB_NONE };
	const void *chain[MCFAB_DEADLOCK_WORMS];
	u32 worms[MCFAB_DEADLOCK_WORMS], i, n = 0;

	for (b.d->nwaits = 0; b.d->nwaits < MCFAB_DEADLOCK_WORMS; n = ++b.d->nwaits) {
		b.what = NULL;
		mcfab_visit_requests(e, find_request, &b);
		mcfab_visit_behind(e, find_behind, &b);
		if (!b.what)
			break;
		for (i = 0; i < n && chain[i] != b.what; i++)
			;
		if (i < n) {
			/* drop the way into the cycle */
			b.d->nwaits -= i;
			memmove(b.d->wait, b.d->wait + i, b.d->nwaits * sizeof(*b.d->wait));
			memmove(worms, worms + i, b.d->nwaits * sizeof(*worms));
			break;
		}
		chain[n] = b.what;
		worms[n] = b.worm;
		follow(e, &b);
	}
	for (i = 0; i < b.d->nwaits; i++)
		b.d->wait[i].holder = i + 1 < b.d->nwaits ? i + 1 : 0;
	mcfab_deadlock_holdings(e, worms);
}

/**
 * mcfab_deadlock_report() - report the requests and packets that are left stuck
 * @e: engine
 *
 * Context: end of a search for deadlocks that has found one; the lock of the results is
 * held. Fills in the fabric's @deadlock.
 */
void mcfab_deadlock_report(struct mcfab_engine *e)
{
	struct mcfab_deadlock *d = &e->results->deadlock;
	u32 first;

	memset(d, 0, sizeof(*d));
	d->cycle = e->cycle;
	first = count_stuck(e, &d->worms);
	report_cycle(e, first);
}
