// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for whom (engine-model, rule 11). A header waits for ALL its branches
 * and a branch for ANY of its channels; a worm can go on if every one of its
 * branches has a channel that is free or held by a worm that can go on. What
 * remains when this is carried to its end can never move: a deadlock.
 *
 * Runs at the boundary, one thread alone, and only when a header has waited for
 * long.
 */
#include "engine/engine.h"
#include "engine/flits.h"
#include "engine/trace.h"

/* the worm that keeps a request from a virtual channel, or MCFAB_NONE */
static u32 vc_holder(const struct mcfab_engine *e, u32 vc)
{
	u32 owner = e->owner[vc];

	if (owner != MCFAB_NONE &&
	    !(e->release_sent && e->rec[owner].sent == mcfab_len(e, owner, e->flags)))
		return e->rec[owner].worm;
	/* its release is under way */
	if (owner != MCFAB_NONE && !e->packet_room)
		return MCFAB_NONE;
	/* free, but no room: the packet at the front of its FIFO is in the way */
	if (e->slots > 1)
		return e->rec[mcfab_vc_front(e, vc)].worm;
	return MCFAB_NONE;
}

static bool ask_can_go(const struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router,
		       u32 *holder)
{
	u32 p, v;

	*holder = MCFAB_NONE;
	if (ask->node != MCFAB_NONE) {
		/* held by the worms that are being consumed here: one that is not stuck? */
		u32 base = router * e->ports, held = 0, i;

		if (e->node[ask->node].consume)
			return true;
		for (i = 0; i < e->ports * e->vcs * e->slots; i++) {
			u32 in = e->topo->peer[base + i / e->slots / e->vcs];
			const struct mcfab_rec *r;
			u32 nr;

			if (in == MCFAB_NONE)
				continue;
			nr = (in * e->vcs + i / e->slots % e->vcs) * e->slots + i % e->slots;
			r = &e->rec[nr];
			if (r->worm == MCFAB_NONE || !(r->flags & MCFAB_REC_ABSORB) ||
			    r->cons == mcfab_len(e, nr, e->flags))
				continue;
			if (!e->worm[r->worm].stuck)
				return true;
			*holder = *holder == MCFAB_NONE ? r->worm : *holder;
			held++;
		}
		/* one that nobody holds any more is known to be free from the next cycle on */
		return held < e->fabric->cfg.consume;
	}
	for (p = 0; p < ask->nports; p++) {
		u32 base = mcfab_topo_channel(e->topo, router, ask->port[p]) * e->vcs;

		for (v = 0; v < e->vcs; v++) {
			u32 worm;

			if (!(ask->vcs[p] & BIT(v)))
				continue;
			worm = vc_holder(e, base + v);
			if (worm == MCFAB_NONE || !e->worm[worm].stuck)
				return true;
			*holder = *holder == MCFAB_NONE ? worm : *holder;
		}
	}
	return false;
}

/*
 * Is a worm behind another in a FIFO? Its header cannot even ask there, or has no
 * room to cross. Return: the worm at the front, or MCFAB_NONE.
 */
static u32 in_front(const struct mcfab_engine *e, u32 nr)
{
	u32 vc = mcfab_rec_vc(e, nr);
	u32 front = mcfab_vc_front(e, vc);

	if (e->rec[nr].worm == MCFAB_NONE || front == nr)
		return MCFAB_NONE;
	return e->rec[front].worm;
}

typedef void (*ask_fn)(struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router, void *arg);

static void visit_asks(struct mcfab_engine *e, ask_fn fn, void *arg)
{
	u32 i, r, nr;

	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];

		for (r = s->router; r < mcfab_shard_end(e, s); r++)
			for (nr = e->router[r].ask; nr != MCFAB_NONE; nr = s->ask[nr].next)
				fn(e, &s->ask[nr], r, arg);
	}
}

static void mark_stuck(struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router, void *arg)
{
	e->worm[e->rec[ask->rec].worm].stuck = true;
}

static void mark_waits(struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router, void *arg)
{
	u32 holder, worm = e->rec[ask->rec].worm;

	/* one branch that cannot go keeps its worm stuck in this round */
	if (e->worm[worm].stuck && !ask_can_go(e, ask, router, &holder))
		e->worm[worm].waits = true;
}

struct report {
	struct mcfab_deadlock *d;
	u32 worm;
	u32 holder;
};

static void find_wait(struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router, void *arg)
{
	struct report *rep = arg;
	struct mcfab_wait *wait = &rep->d->wait[rep->d->nwaits];
	struct mcfab_worm *w = &e->worm[rep->worm];
	u32 holder;

	if (rep->holder != MCFAB_NONE || e->rec[ask->rec].worm != rep->worm ||
	    ask_can_go(e, ask, router, &holder))
		return;
	rep->holder = holder;
	wait->gen = e->mcast[w->mcast].gen;
	wait->source = e->mcast[w->mcast].source;
	wait->seq = e->mcast[w->mcast].seq;
	wait->worm = w->index;
	wait->router = router;
	wait->port = ask->node == MCFAB_NONE ? ask->port[0] : MCFAB_PORT_ANY;
	wait->vc = ask->node == MCFAB_NONE ? __ffs(ask->vcs[0]) : 0;
	wait->since = ask->since;
}

/* the same of a worm that has not asked, but is in a FIFO behind another */
static void find_behind(struct mcfab_engine *e, struct report *rep)
{
	struct mcfab_wait *wait = &rep->d->wait[rep->d->nwaits];
	struct mcfab_worm *w = &e->worm[rep->worm];
	u32 i, worm;

	for (i = 0; e->slots > 1 && i < e->inj_base; i++) {
		u32 vc = mcfab_rec_vc(e, i);

		worm = in_front(e, i);
		if (e->rec[i].worm != rep->worm || worm == MCFAB_NONE || !e->worm[worm].stuck)
			continue;
		rep->holder = worm;
		wait->gen = e->mcast[w->mcast].gen;
		wait->source = e->mcast[w->mcast].source;
		wait->seq = e->mcast[w->mcast].seq;
		wait->worm = w->index;
		wait->router = mcfab_vc_from(e, vc);
		wait->port = mcfab_vc_chan(e, vc) % e->ports;
		wait->vc = e->vcs == 1 ? 0 : vc % e->vcs;
		wait->since = e->front[i].granted;
		return;
	}
}

/* follow holders from a stuck worm until one comes again: that is the cycle */
static void report_cycle(struct mcfab_engine *e, u32 worm)
{
	struct report rep = { .d = &e->fabric->deadlock };
	u32 chain[MCFAB_DEADLOCK_WORMS], i;

	for (rep.d->nwaits = 0; rep.d->nwaits < MCFAB_DEADLOCK_WORMS; rep.d->nwaits++) {
		for (i = 0; i < rep.d->nwaits && chain[i] != worm; i++)
			;
		if (i < rep.d->nwaits) {
			/* drop the way into the cycle */
			rep.d->nwaits -= i;
			memmove(rep.d->wait, rep.d->wait + i, rep.d->nwaits * sizeof(*rep.d->wait));
			break;
		}
		chain[rep.d->nwaits] = worm;
		rep.worm = worm;
		rep.holder = MCFAB_NONE;
		visit_asks(e, find_wait, &rep);
		if (rep.holder == MCFAB_NONE)
			find_behind(e, &rep);
		if (rep.holder == MCFAB_NONE)
			break;
		worm = rep.holder;
	}
	for (i = 0; i < rep.d->nwaits; i++)
		rep.d->wait[i].holder = i + 1 < rep.d->nwaits ? i + 1 : 0;
}

struct ages {
	u64 oldest;
	u64 newest;
	u64 count;
	bool any;
};

static void count_stalled(struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router,
			  void *arg)
{
	struct ages *ages = arg;

	if (ask->since >= ages->newest)
		return;
	ages->any = true;
	ages->count += ask->since >= ages->oldest;
}

/**
 * mcfab_stall_walk() - look for a deadlock if headers have waited for long
 * @e: engine
 * @oldest: requests since this cycle ...
 * @newest: ... and before this one are newly stalled
 *
 * Context: boundary; the fabric's stats_lock is held.
 * Return: true: there is a deadlock, and it is in the fabric's @deadlock; false:
 *	   there is none, and the newly stalled headers are counted as stalls.
 */
bool mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest)
{
	struct ages ages = { .oldest = oldest, .newest = newest };
	u32 i, stuck, first, worm;
	bool changed;

	visit_asks(e, count_stalled, &ages);
	/* what was a mere stall when it was counted may have become a deadlock */
	if (!ages.any)
		return false;

	for (i = 0; i < e->worm_pool.size; i++) {
		e->worm[i].stuck = false;
		e->worm[i].waits = false;
	}
	visit_asks(e, mark_stuck, NULL);
	for (i = 0; e->slots > 1 && i < e->inj_base; i++)
		if (in_front(e, i) != MCFAB_NONE)
			e->worm[e->rec[i].worm].stuck = true;
	do {
		changed = false;
		visit_asks(e, mark_waits, NULL);
		for (i = 0; e->slots > 1 && i < e->inj_base; i++) {
			worm = in_front(e, i);
			if (worm != MCFAB_NONE && e->worm[worm].stuck)
				e->worm[e->rec[i].worm].waits = true;
		}
		for (i = 0; i < e->worm_pool.size; i++) {
			struct mcfab_worm *w = &e->worm[i];

			if (w->stuck && !w->waits) {
				w->stuck = false;
				changed = true;
			}
			w->waits = false;
		}
	} while (changed);

	stuck = 0;
	first = MCFAB_NONE;
	for (i = 0; i < e->worm_pool.size; i++) {
		if (!e->worm[i].stuck)
			continue;
		stuck++;
		/* not by number, which is a matter of timing: by key */
		if (first == MCFAB_NONE || mcfab_worm_before(e, &e->worm[i], &e->worm[first]))
			first = i;
	}
	if (!stuck) {
		e->fabric->progress.stalls += ages.count;
		return false;
	}
	e->fabric->deadlock.cycle = e->cycle;
	e->fabric->deadlock.worms = stuck;
	report_cycle(e, first);
	mcfab_trace_deadlock(e, &e->fabric->deadlock);
	return true;
}
