// SPDX-License-Identifier: GPL-2.0
/*
 * LONE: one multicast at a time, each in an empty network. Its source and its
 * destinations depend on the seed and its index alone, so that every policy and
 * every fabric of the same size is given the same multicasts.
 */
#include "subnet/subnet.h"
#include "workload/kinds.h"

static int lone_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	w->cfg.count = max(w->cfg.count, 1U);
	return 0;
}

static u32 lone_source(const struct mcfab_workload *w, u32 index, u32 attempt)
{
	if (w->cfg.source != MCFAB_NONE)
		return w->cfg.source;
	return mcfab_below(mcfab_workload_word(w, MCFAB_NONE, MCFAB_STREAM_SOURCE, index, attempt),
			   w->nodes);
}

/**
 * mcfab_workload_lone() - draw a lone multicast
 * @w: workload of kind LONE
 * @index: which multicast; also its sequence number
 * @source: its source: the one asked for, else uniform over the nodes
 * @dst: [mcfab_workload_max_dests()] its destinations, in random order; NULL: only
 *	 the source is asked for
 *
 * Context: any, without locks.
 * Return: how many destinations were written.
 */
u32 mcfab_workload_lone(const struct mcfab_workload *w, u32 index, u32 *source, u32 *dst)
{
	u32 attempt = 0;
	u64 word;

	*source = lone_source(w, index, 0);
	word = mcfab_workload_word(w, MCFAB_NONE, MCFAB_STREAM_DEST, index, 0);
	/* in place of a message to self there is one from another source, if none is given */
	while (w->silent && mcfab_workload_again(w, *source, word, attempt)) {
		*source = lone_source(w, index, ++attempt);
		word = mcfab_workload_word(w, MCFAB_NONE, MCFAB_STREAM_DEST, index, attempt);
	}
	if (!dst)
		return 0;
	if (w->group)
		return mcfab_group_dests(w->group, *source, dst);
	if (w->around)
		mcfab_region_draw(w, *source, word, dst);
	else if (w->single)
		dst[0] = mcfab_workload_dest(w, *source, word);
	else
		mcfab_workload_draw(w, *source, word, w->cfg.dests, dst);
	return w->cfg.dests;
}

const struct mcfab_workload_ops mcfab_workload_lone_ops = {
	.open = lone_open,
};
