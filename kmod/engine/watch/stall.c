// SPDX-License-Identifier: GPL-2.0
/*
 * The search for deadlocks: which request waits for which packet. A request waits for ANY
 * of its channels. A channel is released when the packet has left the channel's buffer. This
 * does not follow from the grants of the worm's requests alone: branches of a tree move on
 * by themselves as far as buffers allow. So the search counts how many flits of a packet are
 * stopped in which buffer. A request for a branch out of record r that is never granted
 *
 *  - keeps the flits of the packet in r's buffer;
 *  - spills the flits that this buffer cannot hold: they stay in the buffer of the record
 *    that feeds r, and so on towards the source.
 *
 * A packet leaves a record's buffer if no wait keeps flits there. A packet comes completely
 * into a buffer if no wait spills flits there. For both, no buffer on the packet's way from the
 * source may spill flits (in lock-step: keep flits, as all branches of a buffer stop together).
 * The search takes all requests for stuck at first. A request for a channel that is
 * released all the same is not stuck: the search takes it off the counts of the records that
 * it stopped. The search repeats this until no request is taken off. The requests that are
 * left can never be granted: a deadlock. The order of the search has no influence on which
 * requests are left, only on the number of passes: the last request of a chain of waits
 * should come first.
 *
 * Runs at the boundary, in one thread, and only when a header has waited for long.
 */
#include "engine/state/flits.h"
#include "engine/watch/stall.h"
#include "engine/watch/watch.h"
#include "trace/trace.h"

/**
 * struct walk - a search for deadlocks
 * @oldest: requests since this cycle ...
 * @newest: ... and before this one are newly stalled
 * @stalled: number of newly stalled requests
 * @any: some header has waited since before @newest
 * @stuck: requests, and packets behind others in FIFOs, that are taken for stuck
 * @many: a record is stopped by more waits than its @stopped can count
 */
struct walk {
	u64 oldest;
	u64 newest;
	u64 stalled;
	bool any;
	u32 stuck;
	bool many;
};

/* a count, raised or lowered by one wait; a count that has overflowed stays as it is */
static u32 counted(struct walk *w, u32 n, int by)
{
	if (n == U16_MAX - 1 && by > 0)
		w->many = true;
	return n == U16_MAX ? n : n + by;
}

/* count a stuck wait (@by 1), or take it off (-1), at record @nr and the records that feed it */
static void stop(struct mcfab_engine *e, struct walk *w, u32 nr, int by)
{
	const u32 flags = e->flags;
	u32 keep = mcfab_len(e, nr, flags);

	while (nr != MCFAB_NONE && keep) {
		u32 kept = counted(w, mcfab_kept(e, nr), by);
		u32 spilt = mcfab_spilt(e, nr);
		u32 feeder = mcfab_feeder(e, nr, flags);

		keep = mcfab_spill(e, nr, keep, flags);
		if (keep)
			spilt = counted(w, spilt, by);
		e->head[nr].stopped = ~(spilt << 16 | kept);
		nr = feeder;
	}
}

/* clear the counts of a record and of the records that feed it */
static void forget(struct mcfab_engine *e, u32 nr)
{
	const u32 flags = e->flags;

	while (nr != MCFAB_NONE && e->head[nr].stopped != U32_MAX) {
		e->head[nr].stopped = U32_MAX;
		nr = mcfab_feeder(e, nr, flags);
	}
}

static void count_stalled(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	struct walk *w = arg;

	if (req->since >= w->newest)
		return;
	w->any = true;
	w->stalled += req->since >= w->oldest;
}

/* packets in FIFOs may wait for each other's room without any request that waits */
static void count_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	struct walk *w = arg;

	w->any |= e->head[nr].granted < w->newest;
}

static void suspect_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router,
			    void *arg)
{
	struct walk *w = arg;

	req->stuck = true;
	w->stuck++;
	stop(e, w, req->rec, 1);
}

static void suspect_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	struct walk *w = arg;

	e->rec[nr].flags |= MCFAB_REC_STUCK;
	w->stuck++;
	stop(e, w, nr, 1);
}

static void stop_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	if (req->stuck)
		stop(e, arg, req->rec, 1);
}

static void stop_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	if (e->rec[nr].flags & MCFAB_REC_STUCK)
		stop(e, arg, nr, 1);
}

static void forget_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	forget(e, req->rec);
}

static void forget_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	forget(e, nr);
}

static void forget_all(struct mcfab_engine *e)
{
	mcfab_visit_requests(e, forget_request, NULL);
	mcfab_visit_behind(e, forget_behind, NULL);
}

static void clear_request(struct mcfab_engine *e, struct mcfab_request *req, u32 router, void *arg)
{
	req->stuck = false;
}

static void clear_mark(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	e->rec[nr].flags &= ~MCFAB_REC_STUCK;
}

/**
 * mcfab_stall_forget() - forget what a search for deadlocks has found
 * @e: engine
 *
 * Context: boundary, after a search that has found a deadlock, if the run goes on.
 */
void mcfab_stall_forget(struct mcfab_engine *e)
{
	forget_all(e);
	mcfab_visit_requests(e, clear_request, NULL);
	mcfab_visit_behind(e, clear_mark, NULL);
}

/* if the front packet of a FIFO leaves, the packets behind it are not stuck */
static void clear_behind(struct mcfab_engine *e, struct walk *w, u32 vc)
{
	u32 front, nr = mcfab_behind_first(e, vc, &front);

	if (nr == MCFAB_NO_REC || !(e->rec[nr].flags & MCFAB_REC_STUCK) || !mcfab_leaves(e, front))
		return;
	for (; nr != MCFAB_NO_REC; nr = mcfab_behind_next(e, vc, nr)) {
		stop(e, w, nr, -1);
		e->rec[nr].flags &= ~MCFAB_REC_STUCK;
		w->stuck--;
	}
}

/* find requests of a router, and packets in the buffers of its channels, that are not stuck */
static void clear_router(struct mcfab_engine *e, struct walk *w, u32 router)
{
	struct mcfab_shard *s = &e->shard[e->shard_of_router[router]];
	u32 vcs = e->hw.slots > 1 ? e->hw.ports * e->hw.vcs : 0, i, nr, holder;

	for (i = 0; i < vcs; i++)
		clear_behind(e, w, router * vcs + i);
	for (nr = e->router[router].oldest; nr != MCFAB_NONE; nr = s->request[nr].next) {
		struct mcfab_request *req = &s->request[nr];

		if (!req->stuck || !mcfab_request_can_go(e, req, router, &holder))
			continue;
		stop(e, w, req->rec, -1);
		req->stuck = false;
		w->stuck--;
	}
}

/* chains of waits lead to higher and to lower routers: passes go up and down in turns */
static void clear(struct mcfab_engine *e, struct walk *w)
{
	u32 routers = e->topo->routers, i, before;
	bool down = false;

	do {
		before = w->stuck;
		for (i = 0; i < routers && w->stuck; i++)
			clear_router(e, w, down ? routers - 1 - i : i);
		down = !down;
	} while (w->stuck && w->stuck != before);
}

static bool look(struct mcfab_engine *e, u64 oldest, u64 newest)
{
	struct walk w = { .oldest = oldest, .newest = newest };
	u32 before;

	mcfab_visit_requests(e, count_stalled, &w);
	if (!w.any)
		mcfab_visit_behind(e, count_behind, &w);
	/* older requests count, too: a stall that was counted earlier may now be a deadlock */
	if (!w.any)
		return false;

	/* in the modes path-tail, cruise and row @sent of records is not up to date */
	if ((e->flags & (MCFAB_ENG_TAILS | MCFAB_ENG_TREES)) == MCFAB_ENG_TAILS ||
	    e->flags & (MCFAB_ENG_CRUISE | MCFAB_ENG_ROWS))
		e->mode->show(e);
	mcfab_visit_requests(e, suspect_request, &w);
	mcfab_visit_behind(e, suspect_behind, &w);
	do {
		before = w.stuck;
		clear(e, &w);
		if (!w.many)
			break;
		/* counts that have overflowed were not lowered: count again from zero */
		w.many = false;
		forget_all(e);
		mcfab_visit_requests(e, stop_request, &w);
		mcfab_visit_behind(e, stop_behind, &w);
	} while (w.stuck && w.stuck != before);
	if (!w.stuck) {
		e->results->progress.stalls += w.stalled;
		return false;
	}
	mcfab_deadlock_report(e);
	mcfab_trace_deadlock(e, &e->results->deadlock);
	return true;
}

/**
 * mcfab_stall_walk() - look for a deadlock if headers have waited for long
 * @e: engine
 * @oldest: requests since this cycle ...
 * @newest: ... and before this one are newly stalled
 *
 * Context: boundary; the lock of the results is held.
 * Return: true: there is a deadlock, and it is in the fabric's @deadlock; false:
 *	   there is none, and the newly stalled headers are counted as stalls.
 */
bool mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest)
{
	bool deadlock;

	if (!e->mode->records)
		return look(e, oldest, newest);
	if (e->mode->stalled && !e->mode->stalled(e, newest))
		return false;
	e->mode->records(e);
	deadlock = look(e, oldest, newest);
	e->mode->hide(e);
	/* go on with records and requests: later looks are to find the waits of the report */
	if (deadlock)
		mcfab_mode_leave(e);
	return deadlock;
}
