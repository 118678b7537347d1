/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What trees.c, which moves worms that branch, shares with tree_flits.c, which counts their
 * flits between two events.
 */
#ifndef MCFAB_ENGINE_TAIL_TREES_H
#define MCFAB_ENGINE_TAIL_TREES_H

#include "engine/state/engine.h"

void mcfab_trees_move(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_trees_show(struct mcfab_engine *e);
u64 mcfab_trees_rest(const struct mcfab_engine *e);

/* lock-step: all branches and copies out of a buffer move together */
static inline bool mcfab_together(const struct mcfab_engine *e)
{
	return e->flags & MCFAB_ENG_LOCKSTEP;
}

static inline bool mcfab_is_source(const struct mcfab_rec *r)
{
	return r->flags & MCFAB_REC_INJECT;
}

/* the whole packet has crossed a record's channel; a source has it from the beginning */
static inline bool mcfab_has_crossed(const struct mcfab_engine *e, u32 nr)
{
	return e->rec[nr].sent == e->worm[e->rec[nr].worm].flits;
}

/**
 * struct mcfab_sight - a walk over all channels and copies behind a point of a tree
 * @root: record of the channel at that point; lock-step: record whose branches are that point
 * @at: record at which the walk is
 * @room: flits that the buffers between that point and the readers of @at can hold
 */
struct mcfab_sight {
	u32 root;
	u32 at;
	u32 room;
};

/* go to a branch if @deeper, else to the next sibling, here or further up; false: no more */
static inline bool mcfab_look_on(const struct mcfab_engine *e, struct mcfab_sight *v, bool deeper)
{
	if (deeper && e->children[v->at] != MCFAB_NONE) {
		v->at = e->children[v->at];
		v->room += e->hw.buffer;
		return true;
	}
	while (v->at != v->root && e->sibling[v->at] == MCFAB_NONE) {
		v->at = e->rec[v->at].parent;
		v->room -= e->hw.buffer;
	}
	if (v->at == v->root)
		return false;
	v->at = e->sibling[v->at];
	return true;
}

static inline struct mcfab_sight mcfab_look(const struct mcfab_engine *e, u32 root)
{
	return (struct mcfab_sight) {
		.root = root,
		.at = root,
		.room = mcfab_together(e) ? 0 : e->hw.buffer,
	};
}

/* does the walk count the channel of the record at which it is? (lock-step: not the root's) */
static inline bool mcfab_counts(const struct mcfab_engine *e, const struct mcfab_sight *v)
{
	return v->at != v->root || !mcfab_together(e);
}

/* cycle in which the last copy of a record's packet began */
static inline u64 mcfab_copy_began(const struct mcfab_engine *e, u32 nr)
{
	return e->head[nr].delivered + 1 - e->hw.consume_delay;
}

static inline struct mcfab_stretch *mcfab_tree_stretch(const struct mcfab_engine *e, u32 nr)
{
	return &e->trees.stretch[nr * mcfab_tree_stretches(e)];
}

/**
 * struct mcfab_stretches - the cycles in which the flits of a packet cross a channel
 * @n: number of stretches; the first ones are left out if there are too many
 * @at: the stretches, from the header to the tail
 * @at.first: see struct mcfab_stretch
 * @at.last: cycle in which the packet's last flit would have crossed if this stretch had gone on
 *	     to it; grows from stretch to stretch
 */
struct mcfab_stretches {
	u32 n;
	struct {
		u32 first;
		u64 last;
	} at[MCFAB_MAX_STRETCHES];
};

/**
 * mcfab_stretches_read() - how a packet has come to a channel (lock-step: into its buffer)
 * @e: engine
 * @nr: record of the channel
 * @st: filled in
 *
 * Context: move phase.
 */
static inline void mcfab_stretches_read(const struct mcfab_engine *e, u32 nr,
					struct mcfab_stretches *st)
{
	const struct mcfab_stretch *stretch = mcfab_tree_stretch(e, nr);
	const struct mcfab_tree *t = &e->trees.tree[nr];

	for (st->n = 0; st->n < t->stretches; st->n++) {
		st->at[st->n].first = stretch[st->n].first;
		st->at[st->n].last = t->came - stretch[st->n].back;
	}
}

/**
 * mcfab_stretches_write() - note in the record of the next channel how the packet comes to it
 * @e: engine
 * @nr: record of the next channel
 * @st: how the packet comes
 *
 * Context: move phase.
 */
static inline void mcfab_stretches_write(const struct mcfab_engine *e, u32 nr,
					 const struct mcfab_stretches *st)
{
	struct mcfab_stretch *stretch = mcfab_tree_stretch(e, nr);
	struct mcfab_tree *t = &e->trees.tree[nr];

	for (t->stretches = 0; t->stretches < st->n; t->stretches++) {
		stretch[t->stretches].first = st->at[t->stretches].first;
		stretch[t->stretches].back = e->cycle - st->at[t->stretches].last;
	}
}

/* stretches.c */
void mcfab_stretches_note(const struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr,
			  struct mcfab_stretches *st);

#endif
