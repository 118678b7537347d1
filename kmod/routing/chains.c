// SPDX-License-Identifier: GPL-2.0
/*
 * Partial ordered chains: Fig. 13 of the irregular paper.
 *
 * Its DAG T has all links that go down from one level to the next; links within a level are left
 * out. T' is T reduced to participating switches: a switch is a child of another if a way down
 * leads to it on which no third switch participates. The weight of a switch is the number of
 * participants on it and below it in T', the source included, and is computed once. The heaviest
 * remaining switch heads the next chain. The chain goes on to the heaviest remaining child until
 * there is none. A switch that has lost its parents to a chain is not joined to others. Ties go to
 * the lowest number.
 *
 * A way in T has as many links as it goes down levels, and no other way down is as short. So the
 * table of distances says which switch is below which, and weights need no search.
 *
 * With k participating switches: k^2 looks at the table, and for each switch a search among the
 * switches without participants below it. Memory that has to be cleared is in proportion to all
 * switches. The weights are the part that takes more than k log k: each weight counts every switch
 * below once, whatever the way, and no exact algorithm is known that does so for all nodes of a DAG
 * in less than k^2, however sparse the DAG is. So there are scheduling points; there the work also
 * ends when its result is not needed any more.
 */
#include "routing/routing.h"
#include "routing/chains.h"

/* after so many looks at the table, or at ports, other processes get the processor */
#define BREATH		BIT(16)

/* working space beside the arrays of struct mcfab_chains */
struct work {
	u64 *key;	/* [nhosts] */
	u32 *mark;	/* [switches] place in part[], and one more; 0: no participant */
	u32 *seen;	/* [switches] the last search that came by, by the same numbers */
	u32 *stack;	/* [switches] */
	u32 looks;
	bool stopped;	/* the chains are not needed any more */
};

/* a scheduling point after so many looks; false: the chains are not needed any more */
static bool breathe(const struct mcfab_view *view, struct work *work, u32 looks)
{
	work->looks += looks;
	if (work->looks < BREATH)
		return !work->stopped;
	work->looks = 0;
	work->stopped |= mcfab_policy_resched(view);
	return !work->stopped;
}

/**
 * mcfab_chains_bytes() - working space of mcfab_chains_find()
 * @topo: the network
 * @nhosts: source and destinations
 *
 * Context: Any.
 * Return: bytes, a multiple of 8.
 */
size_t mcfab_chains_bytes(const struct mcfab_topo *topo, u32 nhosts)
{
	size_t parts = min(nhosts, topo->routers);

	return ALIGN(nhosts * (sizeof(u64) + sizeof(u32)) +
		     parts * (sizeof(struct mcfab_chain_switch) + sizeof(u32)) +
		     3 * (size_t)topo->routers * sizeof(u32), sizeof(u64));
}
EXPORT_SYMBOL_NS_GPL(mcfab_chains_bytes, MCFAB);

static void carve(const struct mcfab_topo *topo, u32 nhosts, struct mcfab_chains *chains,
		  struct work *work, void *scratch)
{
	u32 parts = min(nhosts, topo->routers);

	chains->nhosts = nhosts;
	work->key = scratch;
	chains->part = (struct mcfab_chain_switch *)(work->key + nhosts);
	chains->host = (u32 *)(chains->part + parts);
	chains->order = chains->host + nhosts;
	work->mark = chains->order + parts;
	work->seen = work->mark + topo->routers;
	work->stack = work->seen + topo->routers;
	work->looks = 0;
	work->stopped = false;
}

/* Steps 2 and 3: participants by switch. */
static void find_switches(const struct mcfab_topo *topo, u32 source, const u32 *dst,
			  struct mcfab_chains *chains, struct work *work)
{
	u32 i, n = chains->nhosts;

	for (i = 0; i < n; i++) {
		u32 host = i + 1 < n ? dst[i] : source;

		work->key[i] = (u64)topo->router[host] << 32 | host;
	}
	mcfab_sort_keys(work->key, n);
	memset(work->mark, 0, topo->routers * sizeof(*work->mark));
	memset(work->seen, 0, topo->routers * sizeof(*work->seen));
	chains->nswitches = 0;
	for (i = 0; i < n; i++) {
		struct mcfab_chain_switch *part = &chains->part[chains->nswitches];
		u32 sw = work->key[i] >> 32;

		chains->host[i] = work->key[i];
		if (i && sw == part[-1].sw) {
			part[-1].count++;
			continue;
		}
		part->sw = sw;
		part->first = i;
		part->count = 1;
		part->head = false;
		part->taken = false;
		work->mark[sw] = ++chains->nswitches;
	}
}

/* Is switch @b below switch @a in T? */
static bool below(const struct mcfab_updown *ud, u32 a, u32 b)
{
	return ud->level[b] > ud->level[a] &&
	       mcfab_updown_distance(ud, a, b, MCFAB_UPDOWN_DOWN) == ud->level[b] - ud->level[a];
}

/* Step 4. */
static bool weigh(const struct mcfab_view *view, struct mcfab_chains *chains, struct work *work)
{
	const struct mcfab_updown *ud = view->updown;
	struct mcfab_chain_switch *part = chains->part;
	u32 i, j;

	for (i = 0; i < chains->nswitches; i++)
		part[i].weight = part[i].count;
	/* by destination: neighbours in the table */
	for (j = 0; j < chains->nswitches; j++) {
		for (i = 0; i < chains->nswitches; i++)
			if (below(ud, part[i].sw, part[j].sw))
				part[i].weight += part[j].count;
		if (!breathe(view, work, chains->nswitches))
			return false;
	}
	return true;
}

/* Place of the heaviest child of a switch that is in no chain yet, or MCFAB_NONE. */
static u32 heaviest_child(const struct mcfab_view *view, const struct mcfab_chains *chains,
			  struct work *work, u32 at)
{
	const struct mcfab_updown *ud = view->updown;
	const struct mcfab_chain_switch *part = chains->part;
	u32 ports = ud->topo->ports, best = MCFAB_NONE, depth = 1, port;

	work->stack[0] = part[at].sw;
	while (depth && breathe(view, work, ports)) {
		u32 sw = work->stack[--depth];

		for (port = 0; port < ports; port++) {
			u32 next = ud->neighbour[mcfab_topo_channel(ud->topo, sw, port)];
			u32 child;

			if (next == MCFAB_NONE || ud->level[next] != ud->level[sw] + 1 ||
			    work->seen[next] == at + 1)
				continue;
			work->seen[next] = at + 1;
			if (!work->mark[next]) {
				work->stack[depth++] = next;
				continue;
			}
			child = work->mark[next] - 1;
			if (part[child].taken)
				continue;
			if (best == MCFAB_NONE || part[child].weight > part[best].weight ||
			    (part[child].weight == part[best].weight && child < best))
				best = child;
		}
	}
	return best;
}

/* Step 5. */
static bool strip(const struct mcfab_view *view, struct mcfab_chains *chains, struct work *work)
{
	u32 i, at, n = 0;

	for (i = 0; i < chains->nswitches; i++)
		work->key[i] = (u64)(U32_MAX - chains->part[i].weight) << 32 | i;
	mcfab_sort_keys(work->key, chains->nswitches);
	for (i = 0; i < chains->nswitches; i++) {
		at = (u32)work->key[i];
		if (chains->part[at].taken)
			continue;
		chains->part[at].head = true;
		for (; at != MCFAB_NONE; at = heaviest_child(view, chains, work, at)) {
			chains->part[at].taken = true;
			chains->order[n++] = at;
		}
		if (work->stopped)
			return false;
	}
	return true;
}

/**
 * mcfab_chains_find() - chains of the participants of a multicast
 * @view: the policy's view, which has up*-down* routing
 * @source: node that sends
 * @dst: distinct destinations without @source
 * @ndst: how many
 * @chains: filled in; its arrays are in @scratch
 * @scratch: mcfab_chains_bytes() bytes, aligned for any type
 *
 * Context: A policy's prepare(). O(n log n + k^2 + S) and the searches between participants, see
 *	    above.
 * Return: false if mcfab_policy_resched() says that the chains are not needed any more.
 */
bool mcfab_chains_find(const struct mcfab_view *view, u32 source, const u32 *dst, u32 ndst,
		       struct mcfab_chains *chains, void *scratch)
{
	const struct mcfab_topo *topo = view->topo;
	struct work work;

	carve(topo, ndst + 1, chains, &work, scratch);
	find_switches(topo, source, dst, chains, &work);
	return weigh(view, chains, &work) && strip(view, chains, &work);
}
EXPORT_SYMBOL_NS_GPL(mcfab_chains_find, MCFAB);

/**
 * mcfab_chains_hosts() - the participants in one row: the source, then chain after chain
 * @chains: the chains
 * @source: the source of the multicast
 * @order: room for all participants
 *
 * Trees of unicasts are made in this order, that of section 4.3.4.
 *
 * Context: Any.
 */
void mcfab_chains_hosts(const struct mcfab_chains *chains, u32 source, u32 *order)
{
	u32 i, j, n = 0;

	order[n++] = source;
	for (i = 0; i < chains->nswitches; i++) {
		const struct mcfab_chain_switch *part = &chains->part[chains->order[i]];

		for (j = part->first; j < part->first + part->count; j++)
			if (chains->host[j] != source)
				order[n++] = chains->host[j];
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_chains_hosts, MCFAB);
