// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast in phases: worms that cover destinations on a switch, or along a partial ordered chain,
 * are dealt out to the source and to destinations that have the message.
 *
 * Worms are made of the chains (chains.h) without the source and without switches that have no
 * destination: one worm for each chain, or one for each switch. They are sorted by their
 * destinations, most first; of equal worms the one whose switches were stripped earlier comes
 * first, which gives the worms of Figs. 15 and 16.
 *
 * Step by step every holder of the message sends the next worm that is left: the source first, then
 * destinations in the order in which they were covered. With the Greedy algorithm every destination
 * becomes a holder. With Less Greedy only the first covered destination of each switch becomes a
 * holder, and the source for its own switch.
 *
 * Worms are dealt out in their order, so destinations are covered in the order of the worms. A plan
 * has them in another order: by sender, all worms of a sender together, and only after the worm
 * that reached the sender.
 */
#include "routing/routing.h"
#include "routing/chains.h"
#include "routing/phases.h"

const char *const mcfab_schedule_choices[] = { "greedy", "less-greedy", NULL };
EXPORT_SYMBOL_NS_GPL(mcfab_schedule_choices, MCFAB);

enum {
	PARAM_SCHEDULE,
	PARAM_ADAPTIVE,
	PARAM_SMALL_BUFFERS,
};

/**
 * struct load - a worm before it has a sender
 * @order: its first switch in mcfab_chains.order
 * @switches: how many
 * @count: destinations
 * @first: its first destination in the row of all
 * @holders: holders beside the source when this worm and all before it are sent
 * @next: next worm of its sender, or MCFAB_NONE
 */
struct load {
	u32 order;
	u32 switches;
	u32 count;
	u32 first;
	u32 holders;
	u32 next;
};

/* working space */
struct work {
	struct mcfab_chains chains;
	u64 *key;	/* [nloads] */
	struct load *load;	/* [nloads] as stripped */
	u32 *sorted;	/* [nloads] places in load[], most destinations first */
	u32 *sender;	/* [nloads] holder, by place in sorted[] */
	u32 *sent;	/* [nloads] place in sorted[], by worm of the plan */
	u32 *row;	/* [ndst] destinations in the order in which they are covered */
	u32 *holder;	/* [ndst] holder that the destination is, or 0 */
	u32 *begin;	/* [ndst + 1] first worm of a holder, 0 being the source */
	u32 nloads;
};

/**
 * mcfab_phases_init() - init of a policy in phases
 * @view: the fabric
 * @values: of MCFAB_PARAM_SCHEDULE, MCFAB_PARAM_ADAPTIVE and MCFAB_PARAM_SMALL_BUFFERS
 * @priv: a struct mcfab_phases
 * @err: filled in when the request is refused
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_phases_init(const struct mcfab_view *view, const u32 *values, void *priv,
		      struct mcfab_err *err)
{
	struct mcfab_phases *phases = priv;

	phases->schedule = values[PARAM_SCHEDULE];
	phases->adaptive = values[PARAM_ADAPTIVE];
	return mcfab_updown_check_copies(view, values[PARAM_SMALL_BUFFERS], err);
}
EXPORT_SYMBOL_NS_GPL(mcfab_phases_init, MCFAB);

/**
 * mcfab_phases_scratch() - working space of mcfab_phases_plan()
 * @view: the fabric
 * @priv: not used
 * @ndst: destinations
 *
 * Context: Any.
 * Return: bytes.
 */
size_t mcfab_phases_scratch(const struct mcfab_view *view, const void *priv, u32 ndst)
{
	size_t loads = min(ndst, view->topo->routers);

	return mcfab_chains_bytes(view->topo, ndst + 1) +
	       loads * (sizeof(u64) + sizeof(struct load) + 3 * sizeof(u32)) +
	       (3 * (size_t)ndst + 1) * sizeof(u32);
}
EXPORT_SYMBOL_NS_GPL(mcfab_phases_scratch, MCFAB);

static void carve(const struct mcfab_topo *topo, u32 ndst, struct work *work, void *scratch)
{
	u32 loads = min(ndst, topo->routers);

	work->key = scratch + mcfab_chains_bytes(topo, ndst + 1);
	work->load = (struct load *)(work->key + loads);
	work->sorted = (u32 *)(work->load + loads);
	work->sender = work->sorted + loads;
	work->sent = work->sender + loads;
	work->row = work->sent + loads;
	work->holder = work->row + ndst;
	work->begin = work->holder + ndst;
	work->nloads = 0;
}

/* Cuts the chains into worms. @single: a worm for each switch. */
static void make_loads(const struct mcfab_topo *topo, u32 source, bool single, struct work *work)
{
	const struct mcfab_chains *chains = &work->chains;
	struct load *load = NULL;
	u32 i;

	for (i = 0; i < chains->nswitches; i++) {
		const struct mcfab_chain_switch *part = &chains->part[chains->order[i]];
		u32 count = part->count - (part->sw == topo->router[source]);

		if (part->head)
			load = NULL;
		if (!count)
			continue;
		if (!load || single) {
			load = &work->load[work->nloads++];
			load->order = i;
			load->count = 0;
		}
		load->switches = i + 1 - load->order;
		load->count += count;
	}
	for (i = 0; i < work->nloads; i++)
		work->key[i] = (u64)(U32_MAX - work->load[i].count) << 32 | i;
	mcfab_sort_keys(work->key, work->nloads);
	for (i = 0; i < work->nloads; i++)
		work->sorted[i] = (u32)work->key[i];
}

/* Destinations in the order in which they are covered, and which of them become holders. */
static void make_row(const struct mcfab_topo *topo, u32 source, enum mcfab_schedule schedule,
		     struct work *work)
{
	const struct mcfab_chains *chains = &work->chains;
	u32 i, j, h, n = 0, holders = 0;

	for (i = 0; i < work->nloads; i++) {
		struct load *load = &work->load[work->sorted[i]];

		load->first = n;
		for (j = load->order; j < load->order + load->switches; j++) {
			const struct mcfab_chain_switch *part = &chains->part[chains->order[j]];
			bool speaks = schedule == MCFAB_GREEDY ||
				      part->sw != topo->router[source];

			for (h = part->first; h < part->first + part->count; h++) {
				if (chains->host[h] == source)
					continue;
				work->row[n] = chains->host[h];
				work->holder[n++] = speaks ? ++holders : 0;
				speaks = schedule == MCFAB_GREEDY;
			}
		}
		load->holders = holders;
	}
	for (i = 0; i <= holders; i++)
		work->begin[i] = MCFAB_NONE;
}

/* Deal the worms out, step by step. */
static void deal(struct work *work)
{
	u32 i = 0, holders = 1, step, sender;

	while (i < work->nloads) {
		step = min(holders, work->nloads - i);
		for (sender = 0; sender < step; sender++)
			work->sender[i++] = sender;
		holders = 1 + work->load[work->sorted[i - 1]].holders;
	}
	/* backwards, so that each holder's first worm is found first */
	while (i-- > 0) {
		work->load[work->sorted[i]].next = work->begin[work->sender[i]];
		work->begin[work->sender[i]] = i;
	}
}

static void send(const struct work *work, u32 sender, u32 holder, u32 after,
		 struct mcfab_plan *plan)
{
	u32 i, j;

	for (i = work->begin[holder]; i != MCFAB_NONE; i = work->load[work->sorted[i]].next) {
		const struct load *load = &work->load[work->sorted[i]];

		work->sent[mcfab_plan_worm(plan, sender, after, MCFAB_PORT_ANY, 0)] = i;
		for (j = load->first; j < load->first + load->count; j++)
			mcfab_plan_dst(plan, work->row[j]);
	}
}

/**
 * mcfab_phases_plan() - the worms of a multicast in phases
 * @view: the fabric, which has up*-down* routing
 * @phases: the policy's options
 * @source: node that sends
 * @dst: distinct destinations without @source
 * @ndst: how many
 * @single: a worm for each switch, not for each chain
 * @plan: empty; the worms are added
 * @scratch: mcfab_phases_scratch() bytes, aligned for any type
 *
 * Context: Any. O(n log n) beside the chains.
 */
void mcfab_phases_plan(const struct mcfab_view *view, const struct mcfab_phases *phases,
		       u32 source, const u32 *dst, u32 ndst, bool single,
		       struct mcfab_plan *plan, void *scratch)
{
	struct work work;
	u32 i, j;

	carve(view->topo, ndst, &work, scratch);
	if (!mcfab_chains_find(view, source, dst, ndst, &work.chains, scratch))
		return;
	make_loads(view->topo, source, single, &work);
	make_row(view->topo, source, phases->schedule, &work);
	deal(&work);
	send(&work, source, 0, MCFAB_NONE, plan);
	/* by breadth: the plan grows while it is read */
	for (i = 0; i < plan->nworms; i++) {
		const struct load *load = &work.load[work.sorted[work.sent[i]]];

		for (j = load->first; j < load->first + load->count; j++)
			if (work.holder[j])
				send(&work, work.row[j], work.holder[j], i, plan);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_phases_plan, MCFAB);

/**
 * mcfab_phases_route() - decision of a worm of a policy in phases
 * @view: the fabric
 * @priv: a struct mcfab_phases
 * @hdr: the header
 * @out: filled in
 *
 * Context: Any.
 */
void mcfab_phases_route(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_phases *phases = priv;

	mcfab_updown_path(view, hdr, phases->adaptive, out);
}
EXPORT_SYMBOL_NS_GPL(mcfab_phases_route, MCFAB);

/**
 * mcfab_phases_header() - length of a header of Fig. 12
 * @view: the fabric
 * @priv: not used
 * @dst: destinations of the worm; NULL: any, each on a switch of its own
 * @first: first that remains
 * @last: one past the last
 *
 * A bit that tells multidestination worms from unicasts. Then, for each switch with destinations,
 * its number and a string with a bit for each of its output ports, hosts' included: the single pair
 * of Fig. 12(a) or the row of pairs of Fig. 12(c).
 *
 * Context: Any.
 * Return: flits of 8 bits.
 */
u32 mcfab_phases_header(const struct mcfab_view *view, const void *priv, const u32 *dst,
			u32 first, u32 last)
{
	const struct mcfab_topo *topo = view->topo;
	/* where nodes have no port of the switch, one more port is for the node */
	u32 pair = fls(topo->routers - 1) + topo->ports + !topo->host_port;
	u32 i, at = MCFAB_NONE, pairs = 0;

	if (!dst)
		pairs = min(last - first, topo->routers);
	for (i = first; dst && i < last; i++) {
		pairs += topo->router[dst[i]] != at;
		at = topo->router[dst[i]];
	}
	return DIV_ROUND_UP(1 + pairs * pair, 8);
}
EXPORT_SYMBOL_NS_GPL(mcfab_phases_header, MCFAB);
