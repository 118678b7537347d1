// SPDX-License-Identifier: GPL-2.0
/*
 * Mode tree-tail: worms that branch, moved by events at their heads and tails (MCFAB_ENG_TREES).
 * What tails.c does for paths, this file does for trees, for replication in lock-step, and for
 * copies that have to wait for a consumption channel. Flit n crosses the channel of record r in
 *
 *	cross(r, n) = max( cross(parent of r, n) + link-delay,
 *			   max over h with (depth of h below r) * B <= n of
 *				g(h) + n - (depth of h below r) * B )
 *
 * where h is r's channel, or a channel or a copy somewhere behind r. A flit finds room when every
 * branch has read the flit B places ahead of it. A branch that is held up keeps from the other
 * branches the flits that do not fit into the buffer where the way parts. So, other than on a
 * path, a flit may have to wait until it has come itself. A way that goes up the tree and down
 * again never gives a later cycle, if B is no less than the link-delay.
 *
 * In lock-step all branches and copies out of one buffer are one such h, named by the record that
 * they read. g(h) is the last of their grants; their headers cross in that cycle.
 *
 * The tail's crossing of a channel is settled, that is final, when the tail has crossed the
 * channel before, and all channels and copies within reach, (L - 1) / B channels farther on, are
 * granted. The record of the next channel for the tail to cross is a root. The engine looks at
 * the records within a root's reach level by level. Where a record waits for a grant, the record
 * notes the root; the look goes on from there after the grant. When the tail has crossed, the
 * next root only has to look at the level just beyond the reach, unless the way parts.
 *
 * Everything here happens in the move phase of the worm's shard.
 */
#include "engine/message/message.h"
#include "engine/tail/trees.h"

/* as mcfab_tails_hold_back(); in lock-step tails are held back in sources, too */
static void hold_back(struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr)
{
	u64 due = e->cycle + w->flits - 1;
	u32 i;

	for (i = 0; i < w->span; i++) {
		bool source = mcfab_is_source(&e->rec[nr]);

		if (source && !mcfab_together(e))
			return;
		due -= e->hw.buffer;
		/*
		 * An older grant holds back the tail as long here. It is no farther away than the
		 * new one, so it also holds back the tail at the records before.
		 */
		if (e->head[nr].due >= due)
			return;
		e->head[nr].due = due;
		if (source)
			return;
		nr = e->rec[nr].parent;
	}
}

static void header_crosses(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	e->head[nr].crossed = e->cycle;
	mcfab_outbox_post(mcfab_outbox_down(e, s, mcfab_rec_vc(e, nr)),
			  MCFAB_EVENT_HEADER, nr);
}

/* lock-step: if everything out of record @nr is granted now, the header goes all ways at once */
static void step_out(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_worm *w = &e->worm[r->worm];
	u32 k;

	if (r->waiting || e->ready[nr])
		return;
	e->ready[nr] = 1;
	e->head[nr].delivered = e->cycle + e->hw.consume_delay - 1;
	if (r->flags & MCFAB_REC_ABSORB && e->flags & MCFAB_ENG_COPIES)
		for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
			e->copy[k].header = e->head[nr].delivered;
	for (k = e->children[nr]; k != MCFAB_NONE; k = e->sibling[k])
		header_crosses(e, s, k);
	e->head[nr].due = max(e->head[nr].due, e->cycle + w->flits - 1);
	if (!mcfab_is_source(r))
		hold_back(e, w, r->parent);
}

/* the channel of record @nr was granted in the grant phase */
static void granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_worm *w = &e->worm[r->worm];

	/* nothing atomic is needed: the worm belongs to this thread */
	atomic_set(&w->live, atomic_read(&w->live) + 1);
	atomic_set(&w->traffic, atomic_read(&w->traffic) + 1);
	mcfab_worm_hold(w, -e->cycle);
	if (mcfab_together(e)) {
		e->head[nr].due = 0;
		step_out(e, s, r->parent);
		return;
	}
	e->head[nr].due = e->cycle + w->flits - 1;
	hold_back(e, w, r->parent);
	header_crosses(e, s, nr);
}

/* a node begins to copy the packet in a record */
static void copied(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	if (e->flags & MCFAB_ENG_COPIES)
		e->head[nr].cons = 0;
	if (mcfab_together(e))
		step_out(e, s, nr);
	else
		hold_back(e, &e->worm[e->rec[nr].worm], nr);
}

/* Go on with a root's look. Return: all channels and copies within its reach are granted. */
static bool all_granted(struct mcfab_engine *e, u32 root)
{
	struct mcfab_tree *t = &e->trees.tree[root];
	u32 nr, child;

	while (t->left) {
		while ((nr = t->todo) != MCFAB_NONE) {
			if (e->rec[nr].waiting) {
				e->trees.tree[nr].root = root;
				return false;
			}
			t->todo = e->trees.tree[nr].next;
			for (child = e->children[nr]; child != MCFAB_NONE;
			     child = e->sibling[child]) {
				e->trees.tree[child].next = t->beyond;
				t->beyond = child;
			}
		}
		t->left--;
		if (!t->left || t->beyond == MCFAB_NONE)
			break;
		t->todo = t->beyond;
		t->beyond = MCFAB_NONE;
	}
	t->left = 0;
	return true;
}

/* if a root's crossing is settled, put its tail into the wheel */
static void settle(struct mcfab_engine *e, struct mcfab_shard *s, u32 root)
{
	if (all_granted(e, root))
		mcfab_wheel_put(&s->tails, &e->rec[root].next_tail, root, e->head[root].due);
}

/* levels of records that a root looks at, from its own level on */
static u32 reach(const struct mcfab_engine *e, const struct mcfab_worm *w)
{
	return w->span + mcfab_together(e);
}

/* record @nr becomes a root: its channel (lock-step: its buffer) is the next for the tail */
static void begin(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_tree *t = &e->trees.tree[nr];

	t->left = reach(e, &e->worm[e->rec[nr].worm]);
	t->next = MCFAB_NONE;
	t->todo = nr;
	t->beyond = MCFAB_NONE;
	settle(e, s, nr);
}

/* do several readers (branches, or a branch and a copy) read a record, each at its own pace? */
static bool parts(const struct mcfab_engine *e, u32 nr)
{
	u32 child = e->children[nr];

	if (child == MCFAB_NONE)
		return false;
	return e->sibling[child] != MCFAB_NONE ||
	       (e->rec[nr].flags & MCFAB_REC_ABSORB && !mcfab_together(e));
}

/* the tail has just crossed the channel of @nr: all branches out of @nr become roots */
static void begin_branches(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 beyond = e->trees.tree[nr].beyond, child = e->children[nr];
	bool one = child != MCFAB_NONE && e->sibling[child] == MCFAB_NONE;
	struct mcfab_stretches st;

	mcfab_stretches_read(e, nr, &st);
	if (parts(e, nr))
		mcfab_stretches_note(e, &e->worm[e->rec[nr].worm], nr, &st);
	for (; child != MCFAB_NONE; child = e->sibling[child]) {
		struct mcfab_tree *t = &e->trees.tree[child];

		t->came = e->cycle + e->hw.link_delay;
		e->head[child].due = max(e->head[child].due, t->came);
		mcfab_stretches_write(e, child, &st);
		/* the way parts: nothing says which record of @beyond is behind which branch */
		if (!one && beyond != MCFAB_NONE) {
			begin(e, s, child);
			continue;
		}
		t->left = beyond != MCFAB_NONE;
		t->todo = beyond;
		t->beyond = MCFAB_NONE;
		settle(e, s, child);
	}
}

/* without lock-step: cycle in which the next copy of the packet in a record ends */
static u64 next_copy(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u64 there = mcfab_is_source(r) ? 0 : e->head[nr].due + e->hw.link_delay;
	u64 rest = (u64)e->worm[r->worm].flits - e->hw.consume_delay;
	u64 least = U64_MAX;
	u32 k;

	if (!(e->flags & MCFAB_ENG_COPIES))
		return max(e->head[nr].delivered + rest, there);
	for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
		least = min(least, e->copy[k].header + rest);
	return max(least, there);
}

/* put the next end of a copy of the packet in a record into the wheel */
static void await_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];

	if (r->flags & MCFAB_REC_COPYING || (e->flags & MCFAB_ENG_COPIES &&
					     e->copies[nr] == MCFAB_NONE))
		return;
	r->flags |= MCFAB_REC_COPYING;
	mcfab_wheel_put(&s->copies, &e->head[nr].next_copy, nr, next_copy(e, nr));
}

/* record @nr got a branch or a copy: if it waits for no other, go on with the root that it noted */
static void go_on(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	u32 root = e->trees.tree[nr].root;

	if (e->rec[nr].waiting)
		return;
	if (root != MCFAB_NONE) {
		e->trees.tree[nr].root = MCFAB_NONE;
		settle(e, s, root);
	} else if (mcfab_together(e) && mcfab_is_source(&e->rec[nr]) && e->ready[nr] == 1) {
		/* a source becomes a root only once */
		e->ready[nr] = 2;
		begin(e, s, nr);
	}
}

/* note a grant, or the beginning of a copy */
static void read_events(struct mcfab_engine *e, struct mcfab_shard *s, u32 event)
{
	u32 nr = mcfab_event_payload(event);

	if (event >> MCFAB_EVENT_SHIFT == MCFAB_EVENT_GRANT)
		granted(e, s, nr);
	else
		copied(e, s, nr);
}

/* settle the tails for which a grant, or the beginning of a copy, was missing */
static void act_on_event(struct mcfab_engine *e, struct mcfab_shard *s, u32 event)
{
	u32 nr = mcfab_event_payload(event);

	if (event >> MCFAB_EVENT_SHIFT == MCFAB_EVENT_GRANT) {
		u32 parent = e->rec[nr].parent;

		if (!mcfab_together(e) && mcfab_has_crossed(e, parent)) {
			/* the whole packet is in the source, or has come here without gaps */
			e->trees.tree[nr].stretches = 0;
			begin(e, s, nr);
		}
		go_on(e, s, parent);
		return;
	}
	if (!mcfab_together(e) && mcfab_has_crossed(e, nr))
		await_copy(e, s, nr);
	go_on(e, s, nr);
}

/* the tail has crossed the channel of @nr: take it off the list of its parent's branches */
static void unlink_branch(struct mcfab_engine *e, u32 nr)
{
	u32 *at = &e->children[e->rec[nr].parent];

	while (*at != nr)
		at = &e->sibling[*at];
	*at = e->sibling[nr];
}

/* have all branches and copies of a record read the packet's last flit? */
static bool is_read(const struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	if (r->waiting || e->children[nr] != MCFAB_NONE)
		return false;
	if (!(r->flags & MCFAB_REC_ABSORB))
		return true;
	if (e->flags & MCFAB_ENG_COPIES)
		return e->copies[nr] == MCFAB_NONE;
	return e->head[nr].cons == w->flits;
}

/* the tail has left the buffer of a record: release it */
static void drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 worm = r->worm;
	struct mcfab_worm *w = &e->worm[worm];

	if (mcfab_together(e)) {
		e->head[nr].due = 0;
		e->ready[nr] = 0;
	}
	/* a source's record belongs to its worm until the node has heard; @freed marks the end */
	r->freed = w->flits;
	mcfab_rec_drained(e, s, nr, r);
	atomic_set(&w->live, atomic_read(&w->live) - 1);
	if (!atomic_read(&w->live))
		mcfab_worm_over(e, s, worm);
}

static void tail_crosses(struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr)
{
	e->rec[nr].sent = w->flits;
}

/* the tail crosses the channel of a record */
static void cross(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_worm *w = &e->worm[r->worm];
	u32 parent = r->parent;

	tail_crosses(e, w, nr);
	unlink_branch(e, nr);
	if (is_read(e, w, parent))
		drained(e, s, parent);
	if (r->flags & MCFAB_REC_ABSORB)
		await_copy(e, s, nr);
	begin_branches(e, s, nr);
}

/* deliver the copies that end in this cycle, or (@all) all copies of a record */
static void end_copies(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, bool all)
{
	struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_worm *w = &e->worm[r->worm];
	u32 k, next;

	if (!(e->flags & MCFAB_ENG_COPIES)) {
		mcfab_rec_deliver(e, s, nr);
		e->head[nr].cons = w->flits;
		return;
	}
	for (k = e->copies[nr]; k != MCFAB_NONE; k = next) {
		const struct mcfab_copy *copy = &e->copy[k];

		next = copy->next;
		if (!all && copy->header + w->flits - e->hw.consume_delay > e->cycle)
			continue;
		mcfab_copy_deliver(e, s, copy);
		mcfab_copy_remove(e, k);
	}
	if (e->copies[nr] == MCFAB_NONE)
		e->head[nr].cons = w->flits;
}

/* lock-step: the tail leaves the buffer of a record by all branches and copies at once */
static void cross_together(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_worm *w = &e->worm[r->worm];
	u32 child;

	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child])
		tail_crosses(e, w, child);
	if (r->flags & MCFAB_REC_ABSORB)
		end_copies(e, s, nr, true);
	begin_branches(e, s, nr);
	drained(e, s, nr);
}

/* the last flit of a record's packet is copied to a node */
static void consumed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];

	r->flags &= ~MCFAB_REC_COPYING;
	end_copies(e, s, nr, false);
	if (is_read(e, &e->worm[r->worm], nr))
		drained(e, s, nr);
	else if (e->flags & MCFAB_ENG_COPIES)
		await_copy(e, s, nr);
}

static void turn(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, next, done = 0;

	for (nr = mcfab_wheel_take(&s->copies, e->cycle); nr != MCFAB_NONE; nr = next) {
		next = e->head[nr].next_copy;
		mcfab_breathe(++done);
		s->copies.count--;
		if (next_copy(e, nr) == e->cycle)
			consumed(e, s, nr);
		else
			mcfab_wheel_put(&s->copies, &e->head[nr].next_copy, nr, e->cycle);
	}
	for (nr = mcfab_wheel_take(&s->tails, e->cycle); nr != MCFAB_NONE; nr = next) {
		next = e->rec[nr].next_tail;
		mcfab_breathe(++done);
		s->tails.count--;
		if (e->head[nr].due != e->cycle)
			mcfab_wheel_put(&s->tails, &e->rec[nr].next_tail, nr, e->cycle);
		else if (mcfab_together(e))
			cross_together(e, s, nr);
		else
			cross(e, s, nr);
	}
}

/**
 * mcfab_trees_move() - the move phase of a shard, by heads and tails of worms that branch
 * @e: engine
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_trees_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	struct mcfab_grants *box;
	u32 i, k;

	/* read all events before acting: the look of a root may need several of them */
	for (i = 0; i < e->nshards; i++) {
		box = &e->shard[i].grants[s->nr];
		for (k = 0; k < box->count; k++) {
			mcfab_breathe(k + 1);
			read_events(e, s, box->event[k]);
		}
	}
	for (i = 0; i < e->nshards; i++) {
		box = &e->shard[i].grants[s->nr];
		for (k = 0; k < box->count; k++) {
			mcfab_breathe(k + 1);
			act_on_event(e, s, box->event[k]);
		}
		box->count = 0;
	}
	turn(e, s);
}
