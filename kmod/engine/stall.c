// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for whom (engine-model, rule 11). A request waits for ANY of its channels.
 * A channel is released when the packet has left its buffer, which is more than that
 * its worm's requests are granted in the end, and less: branches of a tree move on
 * their own as far as buffers allow. So what counts is how many flits of a packet are
 * stopped where:
 *
 *	left(r)		flits that do not leave record r's buffer: all, if a request for
 *			a branch out of it is never granted; else the most that find no
 *			room in the buffer behind one of its branches
 *	outside(r)	what of them is more than r's buffer holds; the record that
 *			feeds r keeps as many
 *
 * A packet comes in completely if nothing is outside along its way from the source (in
 * lock step: if nothing is left there, as all branches of a buffer stop together). All
 * requests are taken for stuck first; whoever has a channel that is released all
 * the same is not; what remains when this is carried to its end can never move: a
 * deadlock.
 *
 * Runs at the boundary, one thread alone, and only when a header has waited for
 * long. Meanwhile left() is kept in the records' @reads, of which U32_MAX is nothing.
 */
#include "engine/engine.h"
#include "engine/flits.h"
#include "engine/trace.h"

static u32 left(const struct mcfab_engine *e, u32 nr)
{
	return e->rec[nr].reads == U32_MAX ? 0 : e->rec[nr].reads;
}

/* the record whose buffer still feeds this one, or MCFAB_NONE */
static u32 feeder(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (r->flags & MCFAB_REC_INJECT || r->sent == mcfab_len(e, nr, e->flags))
		return MCFAB_NONE;
	return r->parent;
}

/* what of @keep flits finds no room in a record's buffer; a source has room for all */
static u32 spill(const struct mcfab_engine *e, u32 nr, u32 keep)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 room = e->buffer;

	if (r->flags & MCFAB_REC_INJECT)
		return 0;
	/* behind a packet that stays: what is free now, and what it has got already */
	if (r->flags & MCFAB_REC_STUCK) {
		const struct mcfab_fifo *fifo = &e->fifo[mcfab_rec_vc(e, nr)];

		room -= min(room, fifo->entered - fifo->departed);
		room += r->sent;
	}
	return keep > room ? keep - room : 0;
}

static u32 outside(const struct mcfab_engine *e, u32 nr)
{
	return spill(e, nr, left(e, nr));
}

/* does a record that feeds others hold back flits for ever? */
static bool holds_back(const struct mcfab_engine *e, u32 nr)
{
	return e->flags & MCFAB_ENG_LOCKSTEP ? left(e, nr) : outside(e, nr);
}

static bool fed(const struct mcfab_engine *e, u32 nr)
{
	while ((nr = feeder(e, nr)) != MCFAB_NONE)
		if (holds_back(e, nr))
			return false;
	return true;
}

/* does the packet come into a record's buffer completely, and does it leave it? */
static bool enters(const struct mcfab_engine *e, u32 nr)
{
	return !outside(e, nr) && fed(e, nr);
}

static bool leaves(const struct mcfab_engine *e, u32 nr)
{
	return !left(e, nr) && fed(e, nr);
}

/* nothing leaves a record: what that means for those that feed it */
static void stop(struct mcfab_engine *e, u32 nr)
{
	u32 keep = mcfab_len(e, nr, e->flags);

	while (nr != MCFAB_NONE && keep > left(e, nr)) {
		e->rec[nr].reads = keep;
		keep = spill(e, nr, keep);
		nr = feeder(e, nr);
	}
}

static void forget(struct mcfab_engine *e, u32 nr)
{
	while (nr != MCFAB_NONE && e->rec[nr].reads != U32_MAX) {
		e->rec[nr].reads = U32_MAX;
		nr = feeder(e, nr);
	}
}

/* Is a virtual channel free, or will it be? @holder: the record in the way if not. */
static bool vc_can_go(const struct mcfab_engine *e, u32 vc, u32 *holder)
{
	u32 owner = e->owner[vc];

	*holder = owner;
	/* its release is under way */
	if (owner != MCFAB_NONE && e->rec[owner].worm == MCFAB_NONE)
		return true;
	if (owner != MCFAB_NONE && !e->release_sent)
		return leaves(e, owner);
	if (owner != MCFAB_NONE && e->rec[owner].sent != mcfab_len(e, owner, e->flags))
		return enters(e, owner);
	if (owner != MCFAB_NONE && !e->packet_room)
		return true;
	/* free, but no room: the packet at the front of its FIFO is in the way */
	if (e->slots == 1)
		return true;
	*holder = mcfab_vc_front(e, vc);
	return e->rec[*holder].worm == MCFAB_NONE || leaves(e, *holder);
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
	if (!mcfab_consuming(e, nr, h->node) || e->rec[nr].cons == mcfab_len(e, nr, e->flags))
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

	for (i = 0; e->topo->host && i < e->ports; i++) {
		host = e->topo->host[mcfab_topo_channel(e->topo, router, i)];
		for (k = 0; host != MCFAB_NONE && k < e->inject; k++)
			if (consumer_can_go(e, e->inj_base + host * e->inject + k, h))
				return true;
	}
	return false;
}

/* consumption channels are held by the packets that are being consumed here */
static bool consume_can_go(const struct mcfab_engine *e, u32 node, u32 router, u32 *holder)
{
	u32 lanes = e->vcs * e->slots, i, k;
	struct holders h = { .node = node, .first = MCFAB_NONE };

	if (e->node[node].consume)
		return true;
	for (i = 0; i < e->ports; i++) {
		u32 in = e->topo->peer[router * e->ports + i];

		for (k = 0; in != MCFAB_NONE && k < lanes; k++)
			if (consumer_can_go(e, in * lanes + k, &h))
				return true;
	}
	if (neighbours_can_go(e, router, &h))
		return true;
	*holder = h.first;
	/* one that nobody holds any more is known to be free from the next cycle on */
	return h.held < e->fabric->cfg.consume;
}

static bool ask_can_go(const struct mcfab_engine *e, const struct mcfab_ask *ask, u32 router,
		       u32 *holder)
{
	u32 p, v, nr;

	*holder = MCFAB_NONE;
	if (ask->node != MCFAB_NONE)
		return consume_can_go(e, ask->node, router, holder);
	for (p = 0; p < ask->nports; p++) {
		u32 base = mcfab_topo_channel(e->topo, router, ask->port[p]) * e->vcs;

		for (v = 0; v < e->vcs; v++) {
			if (!(ask->vcs[p] & BIT(v)))
				continue;
			if (vc_can_go(e, base + v, &nr))
				return true;
			*holder = *holder == MCFAB_NONE ? nr : *holder;
		}
	}
	return false;
}

/*
 * Is a packet behind another in a FIFO? Its header cannot even ask there, or has no
 * room to cross. Return: the record at the front, or MCFAB_NONE.
 */
static u32 in_front(const struct mcfab_engine *e, u32 nr)
{
	u32 front = mcfab_vc_front(e, mcfab_rec_vc(e, nr));

	if (e->rec[nr].worm == MCFAB_NONE || front == nr)
		return MCFAB_NONE;
	return e->rec[front].worm == MCFAB_NONE ? MCFAB_NONE : front;
}

typedef void (*ask_fn)(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg);

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

typedef void (*behind_fn)(struct mcfab_engine *e, u32 nr, u32 front, void *arg);

/* records that are not at the front of their FIFO */
static void visit_behind(struct mcfab_engine *e, behind_fn fn, void *arg)
{
	u32 i, front;

	for (i = 0; e->slots > 1 && i < e->inj_base; i++) {
		front = in_front(e, i);
		if (front != MCFAB_NONE)
			fn(e, i, front, arg);
	}
}

static void suspect_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	ask->stuck = true;
}

static void suspect_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	e->rec[nr].flags |= MCFAB_REC_STUCK;
}

static void forget_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	forget(e, ask->rec);
}

static void forget_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	forget(e, nr);
}

static void stop_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	if (ask->stuck)
		stop(e, ask->rec);
}

static void stop_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	if (e->rec[nr].flags & MCFAB_REC_STUCK)
		stop(e, nr);
}

/* @arg: set if one more is found to go on */
static void clear_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	bool *changed = arg;
	u32 holder;

	if (!ask->stuck || !ask_can_go(e, ask, router, &holder))
		return;
	ask->stuck = false;
	*changed = true;
}

static void clear_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	bool *changed = arg;

	if (!(e->rec[nr].flags & MCFAB_REC_STUCK) || !leaves(e, front))
		return;
	e->rec[nr].flags &= ~MCFAB_REC_STUCK;
	*changed = true;
}

/**
 * struct blame - what keeps a record from being released
 * @d: where the wait is reported
 * @worm: whose requests are looked at
 * @top: record that a stopped flit has to be kept in, MCFAB_NONE: any will do
 * @full: even the buffer of @top is too small for what it keeps
 * @what: the request, or the record behind another, that is found
 * @holder: the record it waits for
 */
struct blame {
	struct mcfab_deadlock *d;
	u32 worm;
	u32 top;
	bool full;
	const void *what;
	u32 holder;
};

/* does what is stopped in @nr show at the top? */
static bool reaches(const struct mcfab_engine *e, const struct blame *b, u32 nr)
{
	u32 keep = mcfab_len(e, nr, e->flags);

	if (e->rec[nr].worm != b->worm)
		return false;
	if (b->top == MCFAB_NONE)
		return true;
	for (; nr != b->top; nr = feeder(e, nr)) {
		keep = spill(e, nr, keep);
		if (!keep || feeder(e, nr) == MCFAB_NONE)
			return false;
	}
	return !b->full || spill(e, nr, keep);
}

static struct mcfab_wait *begin_wait(const struct mcfab_engine *e, const struct blame *b)
{
	struct mcfab_wait *wait = &b->d->wait[b->d->nwaits];
	const struct mcfab_worm *w = &e->worm[b->worm];

	wait->gen = e->mcast[w->mcast].gen;
	wait->source = e->mcast[w->mcast].source;
	wait->seq = e->mcast[w->mcast].seq;
	wait->worm = w->index;
	return wait;
}

static void find_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	struct blame *b = arg;
	struct mcfab_wait *wait;

	if (b->what || !ask->stuck || !reaches(e, b, ask->rec))
		return;
	b->what = ask;
	ask_can_go(e, ask, router, &b->holder);
	wait = begin_wait(e, b);
	wait->router = router;
	wait->port = ask->node == MCFAB_NONE ? ask->port[0] : MCFAB_PORT_ANY;
	wait->vc = ask->node == MCFAB_NONE ? __ffs(ask->vcs[0]) : 0;
	wait->since = ask->since;
}

/* the same of a packet that has not asked, but is in a FIFO behind another */
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
	wait->port = mcfab_vc_chan(e, vc) % e->ports;
	wait->vc = e->vcs == 1 ? 0 : vc % e->vcs;
	wait->since = e->front[nr].granted;
}

/* go on from a record that is not released: where are the flits kept that it waits for? */
static void follow(const struct mcfab_engine *e, struct blame *b)
{
	b->worm = e->rec[b->holder].worm;
	b->top = b->holder;
	b->full = false;
	if (left(e, b->top))
		return;
	b->full = !(e->flags & MCFAB_ENG_LOCKSTEP);
	do {
		b->top = feeder(e, b->top);
	} while (b->top != MCFAB_NONE && !holds_back(e, b->top));
}

/* follow holders from a stuck worm until a wait comes again: that is the cycle */
static void report_cycle(struct mcfab_engine *e, u32 worm)
{
	struct blame b = { .d = &e->fabric->deadlock, .worm = worm, .top = MCFAB_NONE };
	const void *chain[MCFAB_DEADLOCK_WORMS];
	u32 i, n = 0;

	for (b.d->nwaits = 0; b.d->nwaits < MCFAB_DEADLOCK_WORMS; n = ++b.d->nwaits) {
		b.what = NULL;
		visit_asks(e, find_ask, &b);
		visit_behind(e, find_behind, &b);
		if (!b.what)
			break;
		for (i = 0; i < n && chain[i] != b.what; i++)
			;
		if (i < n) {
			/* drop the way into the cycle */
			b.d->nwaits -= i;
			memmove(b.d->wait, b.d->wait + i, b.d->nwaits * sizeof(*b.d->wait));
			break;
		}
		chain[n] = b.what;
		follow(e, &b);
	}
	for (i = 0; i < b.d->nwaits; i++)
		b.d->wait[i].holder = i + 1 < b.d->nwaits ? i + 1 : 0;
}

struct ages {
	u64 oldest;
	u64 newest;
	u64 count;
	bool any;
};

static void count_stalled(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	struct ages *ages = arg;

	if (ask->since >= ages->newest)
		return;
	ages->any = true;
	ages->count += ask->since >= ages->oldest;
}

/* packets may wait for each other's room in FIFOs with all grants they can use */
static void count_behind(struct mcfab_engine *e, u32 nr, u32 front, void *arg)
{
	struct ages *ages = arg;

	ages->any |= e->front[nr].granted < ages->newest;
}

static void forget_all(struct mcfab_engine *e)
{
	visit_asks(e, forget_ask, NULL);
	visit_behind(e, forget_behind, NULL);
}

static void mark_ask(struct mcfab_engine *e, struct mcfab_ask *ask, u32 router, void *arg)
{
	if (ask->stuck)
		e->worm[e->rec[ask->rec].worm].stuck = true;
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

	for (i = 0; i < e->worm_pool.size; i++)
		e->worm[i].stuck = false;
	visit_asks(e, mark_ask, NULL);
	visit_behind(e, mark_behind, NULL);
	for (i = 0; i < e->worm_pool.size; i++) {
		if (!e->worm[i].stuck)
			continue;
		++*stuck;
		/* not by number, which is a matter of timing: by key */
		if (first == MCFAB_NONE || mcfab_worm_before(e, &e->worm[i], &e->worm[first]))
			first = i;
	}
	return first;
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
	u32 stuck = 0, first, i;
	bool changed;

	visit_asks(e, count_stalled, &ages);
	visit_behind(e, count_behind, &ages);
	/* what was a mere stall when it was counted may have become a deadlock */
	if (!ages.any)
		return false;

	visit_asks(e, suspect_ask, NULL);
	visit_behind(e, suspect_behind, NULL);
	do {
		changed = false;
		forget_all(e);
		visit_asks(e, stop_ask, NULL);
		visit_behind(e, stop_behind, NULL);
		visit_asks(e, clear_ask, &changed);
		visit_behind(e, clear_behind, &changed);
	} while (changed);

	first = count_stuck(e, &stuck);
	if (stuck) {
		e->fabric->deadlock.cycle = e->cycle;
		e->fabric->deadlock.worms = stuck;
		report_cycle(e, first);
		mcfab_trace_deadlock(e, &e->fabric->deadlock);
	} else {
		e->fabric->progress.stalls += ages.count;
	}
	forget_all(e);
	for (i = 0; e->slots > 1 && i < e->inj_base; i++)
		e->rec[i].flags &= ~MCFAB_REC_STUCK;
	return stuck;
}
