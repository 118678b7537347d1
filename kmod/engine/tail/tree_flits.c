// SPDX-License-Identifier: GPL-2.0
/*
 * Mode tree-tail: how many flits of a worm are in which buffer between the events of trees.c.
 */
#include "engine/state/rec.h"
#include "engine/tail/trees.h"

/* is a packet in a record? A source's record outlives it, until the node hears of the end */
static bool in_use(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	return r->freed != e->worm[r->worm].flits;
}

/* flits since cycle @from, one per cycle */
static u64 since(u64 from, u64 cycle)
{
	return cycle >= from ? cycle - from + 1 : 0;
}

/*
 * Flits that the channels and copies behind @root let through by the end of a cycle, @most at
 * most.
 */
static u32 let_through(const struct mcfab_engine *e, u32 root, u64 cycle, u32 most)
{
	struct mcfab_sight v = mcfab_look(e, root);
	bool deeper;

	do {
		const struct mcfab_rec *r = &e->rec[v.at];

		if (mcfab_counts(e, &v))
			most = min_t(u64, most, since(e->head[v.at].granted, cycle) +
						v.room - e->hw.buffer);
		deeper = v.room < most && !r->waiting;
		if (v.room < most && r->waiting)
			most = v.room;
		if (deeper && r->flags & MCFAB_REC_ABSORB)
			most = min_t(u64, most, since(mcfab_copy_began(e, v.at), cycle) + v.room);
	} while (mcfab_look_on(e, &v, deeper));
	return most;
}

/* has the tail crossed all channels before that of a record (lock-step: that one, too)? */
static bool is_root(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];

	return mcfab_together(e) ? mcfab_has_crossed(e, nr) : mcfab_has_crossed(e, r->parent);
}

/*
 * Flits that have come to the buffer before @root's channel (lock-step: to @root's buffer) by the
 * end of the cycle before, @most at most.
 */
static u32 came_by(const struct mcfab_engine *e, u32 root, u64 cycle, u32 most)
{
	const struct mcfab_tree *t = &e->trees.tree[root];
	const struct mcfab_stretch *stretch = mcfab_tree_stretch(e, root);
	u32 flits = e->worm[e->rec[root].worm].flits, i;

	for (i = 0; i < t->stretches; i++) {
		u64 last = t->came - stretch[i].back;
		u64 to_come = last > cycle ? last - cycle : 0;
		u32 n = flits - min_t(u64, to_come, flits);

		most = min(most, max(n, stretch[i].first));
	}
	return most;
}

/*
 * Flits that have crossed a record's channel (lock-step: that have left its buffer) by the end
 * of a cycle. For records whose tail has not crossed yet.
 */
static u32 crossed_by(const struct mcfab_engine *e, u32 nr, u64 cycle)
{
	u32 most = e->worm[e->rec[nr].worm].flits;

	for (;;) {
		most = let_through(e, nr, cycle, most);
		if (is_root(e, nr))
			break;
		nr = e->rec[nr].parent;
		if (cycle < e->hw.link_delay)
			return 0;
		cycle -= e->hw.link_delay;
	}
	return came_by(e, nr, cycle, most);
}

/* flits that have come to a record's buffer, and can be read there, by the end of this cycle */
static u32 come(const struct mcfab_engine *e, u32 nr)
{
	u32 flits = e->worm[e->rec[nr].worm].flits;
	u64 came = e->head[nr].due + e->hw.link_delay;

	if (mcfab_is_source(&e->rec[nr]))
		return flits;
	if (mcfab_has_crossed(e, nr))
		return came > e->cycle ? flits - min_t(u64, came - e->cycle, flits) : flits;
	return e->cycle < e->hw.link_delay ? 0 : crossed_by(e, nr, e->cycle - e->hw.link_delay);
}

static void show_copies(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 flits = e->worm[r->worm].flits;

	if (!(r->flags & MCFAB_REC_ABSORB) || e->head[nr].cons == flits)
		return;
	e->head[nr].cons = min_t(u64, since(mcfab_copy_began(e, nr), e->cycle), come(e, nr));
	/* the last flit is not copied yet: the end of a copy is an event, which sets @cons */
	e->head[nr].cons = min(e->head[nr].cons, flits - 1);
}

static void show_freed(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 child;

	r->freed = 0;
	if (r->waiting)
		return;
	r->freed = e->worm[r->worm].flits;
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child])
		r->freed = min(r->freed, e->rec[child].sent);
	if (r->flags & MCFAB_REC_ABSORB)
		r->freed = min(r->freed, e->head[nr].cons);
}

static void show_together(struct mcfab_engine *e, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];
	u32 out = crossed_by(e, nr, e->cycle), child;

	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child])
		e->trees.tree[child].shown = out;
	r->freed = out;
	e->head[nr].cons = r->flags & MCFAB_REC_ABSORB ? out : 0;
}

/**
 * mcfab_trees_show() - write into the records how many flits are in which buffer
 * @e: engine
 *
 * Context: boundary.
 */
void mcfab_trees_show(struct mcfab_engine *e)
{
	u32 i;

	/* write @sent when all counts are there: the counts read @sent of other records */
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i)) {
		if (!in_use(e, i))
			continue;
		if (mcfab_together(e)) {
			show_together(e, i);
			continue;
		}
		show_copies(e, i);
		if (!mcfab_has_crossed(e, i))
			e->trees.tree[i].shown = crossed_by(e, i, e->cycle);
	}
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (in_use(e, i) && !mcfab_has_crossed(e, i))
			e->rec[i].sent = e->trees.tree[i].shown;
	if (mcfab_together(e))
		return;
	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (in_use(e, i))
			show_freed(e, i);
}

/* cycle in which a flit crosses a record's channel (lock-step: leaves its buffer), if it does */
static u64 crosses_in(const struct mcfab_engine *e, u32 nr, u32 flit)
{
	u32 flits = e->worm[e->rec[nr].worm].flits;
	const struct mcfab_stretch *stretch;
	u64 last = 0, link = 0;
	u32 i;

	for (;;) {
		struct mcfab_sight v = mcfab_look(e, nr);

		do {
			if (mcfab_counts(e, &v) && v.room - e->hw.buffer <= flit)
				last = max(last, link + e->head[v.at].granted + flit +
						 e->hw.buffer - v.room);
			if (e->rec[v.at].flags & MCFAB_REC_ABSORB && v.room <= flit)
				last = max(last, link + mcfab_copy_began(e, v.at) + flit - v.room);
		} while (mcfab_look_on(e, &v, v.room <= flit));
		if (is_root(e, nr))
			break;
		nr = e->rec[nr].parent;
		link += e->hw.link_delay;
	}
	stretch = mcfab_tree_stretch(e, nr);
	for (i = 0; i < e->trees.tree[nr].stretches; i++)
		if (stretch[i].first <= flit)
			last = max(last, link + e->trees.tree[nr].came - stretch[i].back +
					 flit + 1 - flits);
	return last;
}

/* last cycle in which a flit moves to a record or is copied from it, if nothing more is granted */
static u64 comes_to_rest(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 n = e->worm[r->worm].flits;
	u64 last;

	if (mcfab_is_source(r)) {
		if (!(r->flags & MCFAB_REC_ABSORB))
			return 0;
		return mcfab_copy_began(e, nr) + n - 1;
	}
	if (mcfab_has_crossed(e, nr)) {
		last = e->head[nr].due;
	} else {
		/* flits that ever cross; the others never will */
		n = crossed_by(e, nr, S64_MAX);
		last = crosses_in(e, nr, n - 1);
	}
	if (!(r->flags & MCFAB_REC_ABSORB))
		return last + e->hw.link_delay - 1;
	return max(last + e->hw.link_delay, mcfab_copy_began(e, nr) + n - 1);
}

/* lock-step: last cycle in which a flit moves into or out of a record's buffer */
static u64 stops_together(const struct mcfab_engine *e, u32 nr)
{
	u32 n = crossed_by(e, nr, S64_MAX);
	u64 in = 0, out;

	if (mcfab_has_crossed(e, nr) && !mcfab_is_source(&e->rec[nr]))
		in = e->trees.tree[nr].came - 1;
	if (!n)
		return in;
	out = crosses_in(e, nr, n - 1);
	if (e->children[nr] != MCFAB_NONE)
		out += e->hw.link_delay - 1;
	return max(in, out);
}

/**
 * mcfab_trees_rest() - when all flits have come to rest, if nothing more is granted
 * @e: engine; no event is left
 *
 * The modes that move single flits compute that cycle, too, before they find that nothing moves.
 *
 * Context: boundary.
 * Return: the first cycle without a movement if it is still to come, U64_MAX if not.
 */
u64 mcfab_trees_rest(const struct mcfab_engine *e)
{
	u64 last = 0;
	u32 i;

	for (i = mcfab_first_rec(e); i != MCFAB_NO_REC; i = mcfab_next_rec(e, i))
		if (in_use(e, i))
			last = max(last, mcfab_together(e) ? stops_together(e, i) :
							     comes_to_rest(e, i));
	return last >= e->cycle ? last + 1 : U64_MAX;
}
