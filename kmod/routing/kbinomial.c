// SPDX-License-Identifier: GPL-2.0
/*
 * k-binomial trees: sections 4.3.3 and 4.3.4 of the irregular paper.
 *
 * N(s, k) nodes are reached in s steps if each sends to k others at most (Lemma 4): 2^s as
 * long as s <= k, else 1 + N(s - 1, k) + ... + N(s - k, k). Taking N(s - 1) from N(s) leaves
 * one recurrence for both: N(s) = 2 N(s - 1) - N(s - 1 - k), the last term from s > k on.
 *
 * The tree is made on a row of nodes with the source in front. In a segment of z nodes the first
 * node sends, which takes s = min { s : N(s, k) >= z } steps. Its child i takes the rightmost
 * min(N(s - i, k), rest - 1) nodes that are left; they are a segment again, with an s of its own.
 */
#include "routing/chains.h"
#include "routing/kbinomial.h"

/* After so many senders other processes get the processor. */
#define BREATH	4096

/* a node and the nodes of the row to which it sends on, itself included */
struct segment {
	u32 at;
	u32 count;
};

/**
 * mcfab_kbinomial_steps() - steps until a packet has reached all nodes: L1 of Theorem 3
 * @n: nodes, the source included
 * @k: most children of a node, at least 1
 * @nodes: room for @n numbers: set to N(0, k) .. N(L1, k), the last at least @n
 *
 * Context: Any. O(L1), which is @n - 1 for @k 1.
 * Return: L1.
 */
u32 mcfab_kbinomial_steps(u32 n, u32 k, u32 *nodes)
{
	u32 s = 0;

	nodes[0] = 1;
	while (nodes[s] < n) {
		s++;
		nodes[s] = 2 * nodes[s - 1] - (s > k ? nodes[s - 1 - k] : 0);
	}
	return s;
}
EXPORT_SYMBOL_NS_GPL(mcfab_kbinomial_steps, MCFAB);

/**
 * mcfab_kbinomial_best() - the best k by Theorem 3
 * @n: nodes, the source included, at least 2
 * @packets: packets of the message
 * @nodes: room for @n numbers, overwritten
 *
 * Context: Any. O(@n).
 * Return: the k of 1 .. ceil(log2 @n) for which L1 + (packets - 1) k is least, the
 * smallest of several.
 */
u32 mcfab_kbinomial_best(u32 n, u32 packets, u32 *nodes)
{
	u64 steps, least = U64_MAX;
	u32 k, best = 1;

	for (k = 1; k <= mcfab_kbinomial_most(n); k++) {
		steps = mcfab_kbinomial_steps(n, k, nodes) + (packets - 1ull) * k;
		if (steps < least) {
			least = steps;
			best = k;
		}
	}
	return best;
}
EXPORT_SYMBOL_NS_GPL(mcfab_kbinomial_best, MCFAB);

/**
 * mcfab_kbinomial_bytes() - working space of mcfab_kbinomial_plan()
 * @topo: the network
 * @ndst: destinations
 *
 * Context: Any.
 * Return: bytes.
 */
size_t mcfab_kbinomial_bytes(const struct mcfab_topo *topo, u32 ndst)
{
	return mcfab_chains_bytes(topo, ndst + 1) + ndst * sizeof(struct segment) +
	       2 * (ndst + 1) * sizeof(u32);
}
EXPORT_SYMBOL_NS_GPL(mcfab_kbinomial_bytes, MCFAB);

/* the s of a segment: the least for which nodes[s] is at least @count */
static u32 find_steps(const u32 *nodes, u32 steps, u32 count)
{
	u32 low = 0, high = steps;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (nodes[mid] < count)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* the worms of one sender; @segment has a place for each worm */
static void send_on(const u32 *row, const u32 *nodes, u32 steps, struct segment from, u32 after,
		    struct mcfab_plan *plan, struct segment *segment)
{
	u32 s = find_steps(nodes, steps, from.count), rest = from.count, worm;

	while (rest > 1) {
		u32 take = min(nodes[--s], rest - 1);

		rest -= take;
		worm = mcfab_plan_worm(plan, row[from.at], after, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, row[from.at + rest]);
		segment[worm].at = from.at + rest;
		segment[worm].count = take;
	}
}

/**
 * mcfab_kbinomial_plan() - the worms of a k-binomial tree
 * @view: the fabric, which has up*-down* routing
 * @source: node that sends
 * @dst: distinct destinations without @source
 * @ndst: how many
 * @k: most children of a node; 0: the best k for the packets of @view
 * @plan: empty; a worm for each destination is added
 * @scratch: mcfab_kbinomial_bytes() bytes, aligned for any type
 *
 * The row is that of mcfab_chains_hosts(). Worms stand in the order of a search by breadth, and
 * each is sent on before the next is looked at: no recursion, and the order that plans have.
 *
 * Context: Any. O(n log n) beside the chains.
 */
void mcfab_kbinomial_plan(const struct mcfab_view *view, u32 source, const u32 *dst, u32 ndst,
			  u32 k, struct mcfab_plan *plan, void *scratch)
{
	struct segment *segment = scratch + mcfab_chains_bytes(view->topo, ndst + 1);
	u32 *row = (u32 *)(segment + ndst), *nodes = row + ndst + 1;
	struct segment all = { .at = 0, .count = ndst + 1 };
	struct mcfab_chains chains;
	u32 i, steps;

	if (!mcfab_chains_find(view, source, dst, ndst, &chains, scratch))
		return;
	mcfab_chains_hosts(&chains, source, row);
	if (!k)
		k = mcfab_kbinomial_best(ndst + 1, max(view->packets, 1U), nodes);
	steps = mcfab_kbinomial_steps(ndst + 1, k, nodes);
	send_on(row, nodes, steps, all, MCFAB_NONE, plan, segment);
	for (i = 0; i < plan->nworms; i++) {
		send_on(row, nodes, steps, segment[i], i, plan, segment);
		if (!(i % BREATH) && mcfab_policy_resched(view))
			return;
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_kbinomial_plan, MCFAB);
