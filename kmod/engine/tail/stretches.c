// SPDX-License-Identifier: GPL-2.0
/*
 * Stretches where worms branch: flits of a packet that came to a channel without a gap between
 * them. Only counts of flits between two events need stretches (tree_flits.c).
 */
#include "engine/tail/trees.h"

/*
 * Flits from number @first on are held back: if they follow each other without a gap, the
 * packet's last flit crosses in cycle @last.
 */
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
	/* the new stretch takes the place of entries @at .. @i - 1 */
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
 * mcfab_stretches_note() - note what held back a packet's flits, where its way parts
 * @e: engine
 * @w: the worm
 * @nr: record behind which the way parts
 * @st: stretches; those that begin here are added
 *
 * Called when the tail has crossed the channel of @nr. Each branch goes on at its own pace from
 * then on, so it needs to know at what times the flits came.
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
