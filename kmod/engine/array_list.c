// SPDX-License-Identifier: GPL-2.0
/* The list of a run's arrays: their sizes, and the rules that need them. */
#include "engine/array_list.h"
#include "engine/state/port.h"

/* for .untouched */
#define ALWAYS	U32_MAX

/* @need: an array's rules, as designated initialisers; without rules it is always there */
#define ARRAY(field, _per, need...) {					\
	.at = offsetof(struct mcfab_engine, field),			\
	.size = sizeof(*((struct mcfab_engine *)NULL)->field),		\
	.per = MCFAB_PER_##_per,					\
	need								\
}

const struct mcfab_array mcfab_array_list[] = {
	ARRAY(rec, RECORD),
	ARRAY(head, RECORD),
	ARRAY(wire, RECORD, .any = MCFAB_ENG_LINKS),
	ARRAY(children, RECORD, .any = MCFAB_ENG_BRANCHES),
	ARRAY(sibling, RECORD, .any = MCFAB_ENG_BRANCHES),
	ARRAY(ready, RECORD, .any = MCFAB_ENG_BRANCHES),
	ARRAY(len, RECORD, .any = MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS),
	ARRAY(strip, RECORD, .any = MCFAB_ENG_HEADERS),
	ARRAY(links, RECORD, .any = MCFAB_ENG_UNEVEN),
	ARRAY(copies, RECORD, .any = MCFAB_ENG_COPIES),
	ARRAY(owner, OWNED_VC, .untouched = MCFAB_ENG_FLIGHTS),
	ARRAY(fifo, VC, .any = MCFAB_ENG_CREDITS),
	ARRAY(source, ASKED_SOURCE),
	ARRAY(port, SOURCE, .any = MCFAB_ENG_PORTS),

	ARRAY(router, ROUTER, .untouched = MCFAB_ENG_FLIGHTS),
	ARRAY(chan, CHANNEL, .any = MCFAB_ENG_MULTI | MCFAB_ENG_SEPARABLE),
	ARRAY(inport, INPORT, .any = MCFAB_ENG_SPEEDUP),
	ARRAY(consumer, ROUTER, .any = MCFAB_ENG_SHARED),
	ARRAY(consumed, VC, .any = MCFAB_ENG_SHARED),
	ARRAY(came, VC, .any = MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED),
	ARRAY(link_free, NODE, .any = MCFAB_ENG_SHARED),
	ARRAY(next_flit, CHANNEL, .any = MCFAB_ENG_RATES),
	ARRAY(slow_port, SOURCE, .all = MCFAB_ENG_PORTS | MCFAB_ENG_RATES),
	ARRAY(tap, CONSUMPTION, .any = MCFAB_ENG_RATES),

	ARRAY(intervals.begun, INTERVAL, .any = MCFAB_ENG_WORM),
	ARRAY(intervals.after, INTERVAL, .any = MCFAB_ENG_WORM),
	ARRAY(intervals.pending, RECORD, .any = MCFAB_ENG_WORM),
	ARRAY(intervals.ready_vcs, CHANNEL, .all = MCFAB_ENG_WORM | MCFAB_ENG_MULTI),
	ARRAY(flights.track, CHANNEL, .any = MCFAB_ENG_FLIGHTS),
	ARRAY(flights.beyond, CHANNEL, .any = MCFAB_ENG_FLIGHTS),
	ARRAY(flights.door, NODE, .all = MCFAB_ENG_FLIGHTS | MCFAB_ENG_SCARCE),
	ARRAY(trees.tree, RECORD, .any = MCFAB_ENG_TREES),
	ARRAY(trees.stretch, STRETCH, .any = MCFAB_ENG_TREES),
	ARRAY(rows.vc, ROW_VC, .any = MCFAB_ENG_ROWS),
	ARRAY(rows.came, VC, .all = MCFAB_ENG_ROWS | MCFAB_ENG_BOOKSIM),
	ARRAY(rows.source, SOURCE, .all = MCFAB_ENG_ROWS | MCFAB_ENG_BOOKSIM),
	ARRAY(hosts.host, NODE, .any = MCFAB_ENG_HOST),
	ARRAY(outside.full, NODE, .any = MCFAB_ENG_HOLDS),

	ARRAY(node, NODE),
	ARRAY(part, CLASS),
	ARRAY(due, QUEUE),
	ARRAY(due_part, CLASS),
	ARRAY(use, CHANNEL),
	ARRAY(timer, NODE),
	/* used at a window's start and end, or with several threads only */
	ARRAY(window_base, CHANNEL, .untouched = ALWAYS),
	ARRAY(sent_before, QUEUE, .untouched = ALWAYS),
	ARRAY(shard_of_router, ROUTER, .untouched = ALWAYS),
	ARRAY(shard_of_node, NODE, .untouched = ALWAYS),
};

const u32 mcfab_array_list_len = ARRAY_SIZE(mcfab_array_list);

/**
 * mcfab_array_count() - how many entries an array has
 * @e: engine; mcfab_sizes() was called
 * @a: the array, of mcfab_array_list
 * @rules: MCFAB_ENG_* that are on
 * @records: number of records to count
 * @copies: number of copies to count
 *
 * Context: any.
 * Return: the number of entries; 0: the array is not needed.
 */
u64 mcfab_array_count(const struct mcfab_engine *e, const struct mcfab_array *a, u32 rules,
		      u32 records, u32 copies)
{
	u32 nodes = e->topo->nodes;

	if ((a->any && !(rules & a->any)) || (rules & a->all) != a->all)
		return 0;
	switch (a->per) {
	case MCFAB_PER_RECORD:
		return records;
	case MCFAB_PER_STRETCH:
		return (u64)records * mcfab_tree_stretches(e);
	case MCFAB_PER_INTERVAL:
		return (u64)records + copies;
	case MCFAB_PER_CHANNEL:
		return e->hw.nchans;
	case MCFAB_PER_VC:
		return e->hw.nvcs;
	case MCFAB_PER_OWNED_VC:
		return e->hw.slots == 1 ? e->hw.nvcs : 0;
	case MCFAB_PER_ROW_VC:
		return e->hw.slots == 1 || rules & MCFAB_ENG_STAMPS ? e->hw.nvcs : 0;
	case MCFAB_PER_ROUTER:
		return e->topo->routers;
	case MCFAB_PER_NODE:
		return nodes;
	case MCFAB_PER_QUEUE:
		return e->run.lone ? 0 : nodes;
	case MCFAB_PER_CLASS:
		return (u64)nodes * e->work.nclasses;
	case MCFAB_PER_SOURCE:
		return nodes * e->hw.inject;
	case MCFAB_PER_ASKED_SOURCE:
		if (!(rules & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_MEMORY)) && !e->topo->graph)
			return 0;
		return nodes * e->hw.inject;
	case MCFAB_PER_CONSUMPTION:
		return (u64)e->topo->nodes * e->cfg->consume;
	case MCFAB_PER_INPORT:
		return e->hw.nchans + nodes;
	}
	return 0;
}
