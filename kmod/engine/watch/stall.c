// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for whom (engine-model, rule 11). A request waits for ANY of its channels.
 * A channel is released when the packet has left its buffer, which is more than that
 * its worm's requests are granted in the end, and less: branches of a tree move on
 * their own as far as buffers allow. So what counts is how many flits of a packet are
 * stopped where. A request for a branch out of record r that is never granted
 *
 *  - keeps the whole packet in r's buffer;
 *  - what of it is more than the buffer holds, in the one of the record that feeds r,
 *    and so on.
 *
 * A packet leaves a record if nothing of it is kept there, and comes into it completely
 * if nothing is spilt; both need that nothing is spilt along its way from the source (in
 * lock step: kept, as all branches of a buffer stop together). All requests are taken
 * for stuck first; whoever has a channel that is released all the same is not, and no
 * longer counts for the records it stopped. What remains when this is carried to its end
 * can never move: a deadlock. The order in which they are looked at does not matter for
 * what remains, only for how often: the last ones in a chain of waits should come first.
 *
 * Runs at the boundary, one thread alone, and only when a header has waited for
 * long.
 */
#include "engine/state/flits.h"
#include "engine/watch/stall.h"
#include "engine/watch/watch.h"
#include "trace/trace.h"

static bool fed(const struct mcfab_engine *e, u32 nr)
{
	const u32 flags = e->flags;

	while ((nr = mcfab_feeder(e, nr, flags)) != MCFAB_NONE)
		if (mcfab_holds_back(e, nr))
			return false;
	return true;
}

/* does the packet come into a record's buffer completely, and does it leave it? */
static bool enters(const struct mcfab_engine *e, u32 nr)
{
	return !mcfab_spilt(e, nr) && fed(e, nr);
}

static bool leaves(const struct mcfab_engine *e, u32 nr)
{
	return !mcfab_kept(e, nr) && fed(e, nr);
}

/* Is a virtual channel free, or will it be? @holder: the record in the way if not. */
static bool vc_can_go(const struct mcfab_engine *e, u32 vc, u32 *holder)
{
	u32 owner = mcfab_owner(e, vc);

	*holder = owner;
	/* its release is under way */
	if (owner != MCFAB_NO_REC && e->rec[owner].worm == MCFAB_NO_WORM)
		return true;
	if (owner != MCFAB_NO_REC && !e->hw.release_sent)
		return leaves(e, owner);
	if (owner != MCFAB_NO_REC &&
	    mcfab_entered(e, owner, e->flags) != mcfab_len(e, owner, e->flags))
		return enters(e, owner);
	if (owner != MCFAB_NO_REC && !e->hw.packet_room)
		return true;
	/* free, but no room: the packet at the front of its FIFO is in the way */
	if (e->hw.slots == 1)
		return true;
	*holder = mcfab_vc_front(e, vc);
	return e->rec[*holder].worm == MCFAB_NO_WORM || leaves(e, *holder);
}

/* Is a node's consumption channel held by a record, and who holds the first one? */
struct holders {
	u32 node;
	u32 held;
	u32 first;
};

/* one record that may hold it; true: it will give it up */
static bool consumer_can_go(const struct mcfab_engine *e, u32 nr, struct holders *h)
{
	if (!mcfab_consuming(e, nr, h->node))
		return false;
	/* whole packets are done with when the copy is */
	if (!(e->flags & MCFAB_ENG_WORM) && e->head[nr].cons == mcfab_len(e, nr, e->flags))
		return false;
	if (e->flags & MCFAB_ENG_LOCKSTEP ? leaves(e, nr) : enters(e, nr))
		return true;
	if (!h->held++)
		h->first = nr;
	return false;
}

/* other hosts of the same switch send to a host, too */
static bool neighbours_can_go(const struct mcfab_engine *e, u32 router, struct holders *h)
{
	u32 i, k, host;

	for (i = 0; e->topo->host && i < e->hw.ports; i++) {
		host = e->topo->host[mcfab_topo_channel(e->topo, router, i)];
		for (k = 0; host != MCFAB_NONE && k < e->hw.inject; k++)
			if (consumer_can_go(e, e->source[host * e->hw.inject + k], h))
				return true;
	}
	return false;
}

/* consumption channels are held by the packets that are being consumed here */
static bool consume_can_go(const struct mcfab_engine *e, u32 node, u32 router, u32 *holder)
{
	u32 i, v, nr;
	struct holders h = { .node = node, .first = MCFAB_NONE };

	if (e->node[node].consume)
		return true;
	for (i = 0; i < e->hw.ports; i++) {
		u32 in = e->topo->peer[router * e->hw.ports + i];

		for (v = 0; in != MCFAB_NONE && v < e->hw.vcs; v++)
			for (nr = mcfab_vc_front(e, in * e->hw.vcs + v); nr != MCFAB_NO_REC;
			     nr = mcfab_vc_behind(e, in * e->hw.vcs + v, nr))
				if (consumer_can_go(e, nr, &h))
					return true;
	}
	if (neighbours_can_go(e, router, &h))
		return true;
	*holder = h.first;
	/* one that nobody holds any more is known to be free from the next cycle on */
	return h.held < e->cfg->consume;
}

/**
 * mcfab_request_can_go() - will a request be granted?
 * @e: engine
 * @req: the request
 * @router: where it waits
 * @holder: set to the first record in the way if not
 *
 * Context: boundary, within the search for deadlocks.
 * Return: true if it will be, by what is known of the others.
 */
bool mcfab_request_can_go(const struct mcfab_engine *e, const struct mcfab_request *req, u32 router,
			  u32 *holder)
{
	u32 p, v, nr;

	*holder = MCFAB_NONE;
	if (req->node != MCFAB_NONE)
		return consume_can_go(e, req->node, router, holder);
	for (p = 0; p < req->nports; p++) {
		u32 base = mcfab_topo_channel(e->topo, router, req->port[p]) * e->hw.vcs;

		for (v = 0; v < e->hw.vcs; v++) {
			if (!(req->vcs[p] & BIT(v)))
				continue;
			if (vc_can_go(e, base + v, &nr))
				return true;
			*holder = *holder == MCFAB_NONE ? nr : *holder;
		}
	}
	return false;
}

/**
 * struct walk - a search for deadlocks
 * @oldest: requests since this cycle ...
 * @newest: ... and before this one are newly stalled
 * @stalled: how many
 * @any: something has waited since before @newest
 * @stuck: requests and FIFOs that are taken for stuck
 * @many: more waits than a record can count stop it
 */
struct walk {
	u64 oldest;
	u64 newest;
	u64 stalled;
	bool any;
	u32 stuck;
	bool many;
};

/* one more or less of them; what was too much to count stays so */
static u32 counted(struct walk *w, u32 n, int by)
{
	if (n == U16_MAX - 1 && by > 0)
		w->many = true;
	return n == U16_MAX ? n : n + by;
}

/* nothing leaves a record, or it does after all: what that means for those that feed it */
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

/* packets may wait for each other's room in FIFOs with all grants they can use */
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

/* all of a FIFO that are behind its front go on if that does */
static void clear_behind(struct mcfab_engine *e, struct walk *w, u32 vc)
{
	u32 front, nr = mcfab_behind_first(e, vc, &front);

	if (nr == MCFAB_NO_REC || !(e->rec[nr].flags & MCFAB_REC_STUCK) || !leaves(e, front))
		return;
	for (; nr != MCFAB_NO_REC; nr = mcfab_behind_next(e, vc, nr)) {
		stop(e, w, nr, -1);
		e->rec[nr].flags &= ~MCFAB_REC_STUCK;
		w->stuck--;
	}
}

/* who is found to go on at a router, and in the buffers behind it */
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

/* chains of waits lead to higher and to lower routers: once up, once down, and so on */
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
	/* what was a mere stall when it was counted may have become a deadlock */
	if (!w.any)
		return false;

	/* all others know what has come completely */
	if ((e->flags & (MCFAB_ENG_TAILS | MCFAB_ENG_TREES)) == MCFAB_ENG_TAILS)
		e->mode->show(e);
	mcfab_visit_requests(e, suspect_request, &w);
	mcfab_visit_behind(e, suspect_behind, &w);
	do {
		before = w.stuck;
		clear(e, &w);
		if (!w.many)
			break;
		/* nothing was taken back where there was too much to count */
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
	if (!e->mode->stalled(e, newest))
		return false;
	e->mode->records(e);
	deadlock = look(e, oldest, newest);
	e->mode->hide(e);
	/* who asks afterwards is to find what was reported */
	if (deadlock)
		mcfab_mode_leave(e);
	return deadlock;
}
