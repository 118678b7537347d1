// SPDX-License-Identifier: GPL-2.0
/*
 * Routing along a Hamiltonian cycle, and the halves into which it divides destinations; see cycle.h
 * for the papers.
 *
 * The routing function R(u, a, v) is the paper's, all six cases. The high network has the common
 * channels to greater labels and the boundary channels to smaller ones, the low network has the
 * others; a worm stays in its network. In the high network, the next node is the neighbour with the
 * greatest label
 *
 *	1. not past v's, if u's label is below v's;
 *	2. not past v's, if u's label is above v's and a neighbour in the network has
 *	   such a label: over a boundary link, as only these lead down;
 *	3. of all, if u's label is above v's and no neighbour has one: on up.
 *
 * Cases 1 and 2 are one case: below v a neighbour with the next label always exists, and its label
 * is greater than those behind a boundary link. Cases 4 to 6, of the low network, are cases 1 to 3
 * with the labels read backwards.
 *
 * Every hop brings a worm on along the cycle, by the difference of the labels or round their end,
 * and no hop passes v: case 3 only climbs, and the last label has a boundary link to label 0, which
 * is case 2. So a worm that visits its destinations in the order of the cycle goes round less than
 * once and takes one boundary link at most.
 *
 * Virtual channels: a worm takes p, the lower half, before the boundary link, and q, the upper
 * half, on it and from it on. So waits in a network are from p to p, p to q, or q to q. Waits from
 * p to p and q to q are only towards greater (smaller) labels, as the boundary link itself is q and
 * the channels before it are p. There is no cycle, so there is no deadlock, on every topology whose
 * labels close to a cycle. The two networks share no channel.
 *
 * Reading: on star graphs the paper wants "only the p-channel" on boundary links. That contradicts
 * its own R, by which a worm on a boundary link goes on with q; here it is q on all topologies. The
 * paper gives common links two virtual channels and boundary links one. A fabric here has the same
 * number everywhere, so on boundary links the lower half is not used.
 */
#include "routing/cycle.h"
#include "routing/routing.h"

/**
 * mcfab_cycle_init() - does the fabric allow routing along the cycle?
 * @view: the fabric
 * @values: not used
 * @priv: not used
 * @err: filled in if it does not
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_cycle_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err)
{
	const struct mcfab_topo *topo = view->topo;

	if (!topo->closed)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "no cycle of labels: the last dimension has to be even, not %u",
				    topo->radix[topo->ndims - 1]);
	if (view->vcs < 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "worms round a cycle of labels need vcs 2, the fabric has %u",
				    view->vcs);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_cycle_init, MCFAB);

/**
 * mcfab_cycle_unicast_arg() - arg of a background unicast
 * @priv: not used
 *
 * Context: Any.
 * Return: the way with fewer labels.
 */
u16 mcfab_cycle_unicast_arg(const void *priv)
{
	return MCFAB_CYCLE_NEARER;
}
EXPORT_SYMBOL_NS_GPL(mcfab_cycle_unicast_arg, MCFAB);

/* Does a worm to one destination go high if it takes the way with fewer labels? */
static bool nearer_high(const struct mcfab_topo *topo, u32 from, u32 to)
{
	u32 a = topo->label[from], b = topo->label[to];
	u32 up = b > a ? b - a : topo->nodes - (a - b);

	return up <= topo->nodes - up;
}

/* The port by R; @rows: see MCFAB_CYCLE_ROWS. */
static u32 cycle_port(const struct mcfab_topo *topo, u32 here, u32 dst, bool high, bool rows)
{
	/* labels read backwards turn the high network into the low one */
	u32 flip = high ? 0 : U32_MAX, goal = topo->label[dst] ^ flip;
	u32 port, best = 0, best_key = 0, farthest = 0, farthest_key = 0;
	bool found = false;

	for (port = 0; port < topo->ports; port++) {
		u32 next = mcfab_topo_neighbour(topo, here, port), key;
		bool better, farther;

		if (next == MCFAB_NONE)
			continue;
		key = topo->label[next] ^ flip;
		better = key <= goal && (!found || key > best_key);
		farther = !found && key > farthest_key;
		/* the network of the link is looked up last, as that takes longest */
		if (!(better || farther) || mcfab_link_high(topo, here, port) != high)
			continue;
		if (rows && port / 2 + 1 < topo->ndims && mcfab_topo_wraps(topo, here, port))
			continue;
		if (better) {
			found = true;
			best_key = key;
			best = port;
		} else {
			farthest_key = key;
			farthest = port;
		}
	}
	return found ? best : farthest;
}

/* Next hop; the state is whether the worm has taken a boundary link. */
static void hop_cycle(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		      struct mcfab_hop *hop)
{
	u32 way = hdr->arg & ~(u32)MCFAB_CYCLE_ROWS;
	const struct mcfab_topo *topo = view->topo;
	bool high = way == MCFAB_CYCLE_HIGH;

	if (way == MCFAB_CYCLE_NEARER)
		high = nearer_high(topo, hdr->sender, dst);
	if (hop->port == MCFAB_PORT_ANY)
		hop->port = cycle_port(topo, hdr->router, dst, high,
				       hdr->arg & MCFAB_CYCLE_ROWS);
	hop->state = hdr->state || mcfab_link_boundary(topo, hdr->router, hop->port);
	hop->vcs = hop->state ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
}

/**
 * mcfab_route_cycle() - decision of a path worm that goes round the cycle
 * @view: the fabric, which mcfab_cycle_init() has accepted
 * @priv: not used
 * @hdr: the header; its arg is an enum mcfab_cycle, MCFAB_CYCLE_ROWS or not
 * @out: filled in
 *
 * Context: Any.
 */
void mcfab_route_cycle(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	mcfab_route_hops(view, hdr, hop_cycle, out);
}
EXPORT_SYMBOL_NS_GPL(mcfab_route_cycle, MCFAB);

/**
 * mcfab_halve_uniform() - two halves with as many destinations
 * @topo: topology
 * @source: the source
 * @dst: distinct destinations without @source; sorted by label
 * @ndst: how many
 * @halves: filled in; uses @dst
 *
 * The paper's section 3.2.1: in the order of the cycle from the source on, the first
 * ceil(ndst / 2) go high.
 *
 * Context: Any. O(k log k).
 */
void mcfab_halve_uniform(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst,
			 struct mcfab_halves *halves)
{
	halves->start = mcfab_split_labels(topo, source, dst, ndst);
	halves->dst = dst;
	halves->ndst = ndst;
	halves->high = DIV_ROUND_UP(ndst, 2);
}
EXPORT_SYMBOL_NS_GPL(mcfab_halve_uniform, MCFAB);

/**
 * mcfab_halve_fixed() - two halves of the cycle
 * @topo: topology
 * @source: the source
 * @dst: distinct destinations without @source; sorted by label
 * @ndst: how many
 * @halves: filled in; uses @dst
 *
 * The paper's section 3.2.2. The pivot lies c = ceil(N / 2) labels above the source or, from label
 * c on, below it. A source below label c sends high to the destinations strictly between it and the
 * pivot, and low to all others. A source from label c on sends low to the destinations strictly
 * between the pivot and it, and high to all others.
 *
 * Context: Any. O(k log k).
 */
void mcfab_halve_fixed(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst,
		       struct mcfab_halves *halves)
{
	u32 at = topo->label[source], half = DIV_ROUND_UP(topo->nodes, 2), i;
	u32 start = mcfab_split_labels(topo, source, dst, ndst);

	halves->start = start;
	halves->dst = dst;
	halves->ndst = ndst;
	if (at < half) {
		for (i = start; i < ndst && topo->label[dst[i]] < at + half; i++)
			;
		halves->high = i - start;
	} else {
		for (i = start; i && topo->label[dst[i - 1]] > at - half; i--)
			;
		halves->high = ndst - (start - i);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_halve_fixed, MCFAB);

/**
 * mcfab_cover_halves() - one worm for each half
 * @source: the source
 * @halves: the halves, either of which may be empty
 * @plan: where the worms go
 *
 * Context: Any.
 */
void mcfab_cover_halves(u32 source, const struct mcfab_halves *halves, struct mcfab_plan *plan)
{
	enum mcfab_cycle half;
	u32 i;

	for (half = MCFAB_CYCLE_HIGH; half <= MCFAB_CYCLE_LOW; half++) {
		u32 count = mcfab_half_count(halves, half);

		if (count)
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, half);
		for (i = 0; i < count; i++)
			mcfab_plan_dst(plan, mcfab_half_at(halves, half, i));
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_cover_halves, MCFAB);
