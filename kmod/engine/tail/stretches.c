// SPDX-License-Identifier: GPL-2.0
/*
 * Stretches of a packet's flits without a gap, where worms branch: with what gaps the flits have
 * come to a channel. Only counts of flits in between the events need them (tree_flits.c).
 */
#include "engine/tail/trees.h"

/* from flit @first on something lets them cross no earlier than that */
static void add_stretch(struct mcfab_stretches *st, u32 most, u32 first, u64 last)
{
	u32 i, at = 0;

	while (at < st->n && st->at[at].first <= first)
		if (st->at[at++].last >= last)
			return;
	if (at && st->at[at - 1].first == first)
		at--;
	for (i = at; i < st->n && st->at[i].last <= last; i++)
		;
	/* @at .. @i go */
	if (i == at && st->n == most) {
		if (!at)
			return;
		memmove(&st->at[0], &st->at[1], (at - 1) * sizeof(st->at[0]));
		at--;
	} else {
		memmove(&st->at[at + 1], &st->at[i], (st->n - i) * sizeof(st->at[0]));
		st->n -= i - at;
		st->n++;
	}
	st->at[at].first = first;
	st->at[at].last = last;
}

/**
 * mcfab_stretches_note() - the way parts, and the tail has crossed: note what held back its flits
 * @e: engine
 * @w: the worm
 * @nr: record behind which the way parts
 * @st: is added to
 *
 * Flits that are behind the others on one branch may have been let through long ago.
 *
 * Context: move phase.
 */
void mcfab_stretches_note(const struct mcfab_engine *e, const struct mcfab_worm *w, u32 nr,
			  struct mcfab_stretches *st)
{
	struct mcfab_sight v = mcfab_look(e, nr);
	u64 last = w->flits - 1 + e->hw.buffer;
	u32 most = mcfab_tree_stretches(e);

	do {
		if (mcfab_counts(e, &v))
			add_stretch(st, most, v.room - e->hw.buffer,
				    e->head[v.at].granted + last - v.room);
		if (v.room < w->flits && e->rec[v.at].flags & MCFAB_REC_ABSORB)
			add_stretch(st, most, v.room,
				    mcfab_copy_began(e, v.at) + w->flits - 1 - v.room);
	} while (mcfab_look_on(e, &v, v.room < w->flits));
}
