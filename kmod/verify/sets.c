// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of destinations by number: all of one size, and random ones. So that a cycle's edges can
 * name the messages they come from, the number of a plan says which set it was made for.
 */
#include "base/random.h"
#include "updown/updown.h"
#include "verify/verify.h"

/**
 * mcfab_sets_count() - numbers of the sets of one size
 * @topo: the network
 * @ndst: destinations
 *
 * Context: Any.
 * Return: the numbers are 0 .. return - 1, not each of which is a set; U64_MAX: more than 2^63.
 */
u64 mcfab_sets_count(const struct mcfab_topo *topo, u32 ndst)
{
	u64 count = topo->nodes;

	for (; ndst; ndst--) {
		if (count > S64_MAX / topo->nodes)
			return U64_MAX;
		count *= topo->nodes;
	}
	return count;
}

/* Is there a way from a source to a destination? */
static bool reaches(const struct mcfab_view *view, u32 source, u32 dst)
{
	return source != dst && (!view->updown || mcfab_updown_reaches(view->updown, source, dst));
}

/**
 * mcfab_set_at() - a source and a set of destinations by number
 * @view: the fabric
 * @number: below mcfab_sets_count()
 * @ndst: destinations
 * @source: set to the source
 * @dst: [@ndst] set to the destinations, in ascending order
 *
 * Context: Any.
 * Return: false if no set has this number.
 */
bool mcfab_set_at(const struct mcfab_view *view, u64 number, u32 ndst, u32 *source, u32 *dst)
{
	u32 nodes = view->topo->nodes, i, above = nodes;

	for (i = ndst; i-- > 0; above = dst[i]) {
		number = div_u64_rem(number, nodes, &dst[i]);
		if (dst[i] >= above)
			return false;
	}
	*source = number;
	for (i = 0; i < ndst; i++)
		if (!reaches(view, *source, dst[i]))
			return false;
	return true;
}

/**
 * mcfab_set_random() - a random source and set of destinations
 * @view: the fabric
 * @seed: seed
 * @number: number of the set
 * @most: most destinations
 * @source: set to the source
 * @dst: [nodes] set to the destinations
 *
 * Half of the sets have up to 4 destinations, half any number.
 *
 * Context: Any.
 * Return: destinations; 0 if the source reaches none.
 */
u32 mcfab_set_random(const struct mcfab_view *view, u64 seed, u64 number, u32 most, u32 *source,
		     u32 *dst)
{
	u32 nodes = view->topo->nodes, size, i, k, n = 0;
	u64 key = mcfab_random(seed, 0, MCFAB_STREAM_VERIFY, number);

	*source = mcfab_random_below(key, 0, MCFAB_STREAM_SOURCE, 0, nodes);
	for (i = 0; i < nodes; i++)
		if (reaches(view, *source, i))
			dst[n++] = i;
	most = min(most, n);
	if (number & 1)
		most = min(most, 4U);
	if (!most)
		return 0;
	size = 1 + mcfab_random_below(key, 0, MCFAB_STREAM_KIND, 0, most);
	for (i = 0; i < size; i++) {
		k = i + mcfab_random_below(key, 0, MCFAB_STREAM_DEST, i, n - i);
		swap(dst[i], dst[k]);
	}
	return size;
}

/**
 * mcfab_verify_set() - the source and destinations of a plan
 * @v: verification
 * @plan: number of the plan, of an edge
 * @source: set to the source
 * @dst: [nodes] set to the destinations
 *
 * Context: Any.
 * Return: how many destinations; 0: the plan is a multicast LID's, or no plan at all.
 */
u32 mcfab_verify_set(const struct mcfab_verify *v, u64 plan, u32 *source, u32 *dst)
{
	const struct mcfab_view *view = &v->pol->view;
	u64 number = mcfab_plan_place(plan);
	u32 count = mcfab_plan_size(plan);

	switch (mcfab_plan_stage(plan)) {
	case MCFAB_VERIFY_UNICASTS:
	case MCFAB_VERIFY_SETS:
		return mcfab_set_at(view, number, count, source, dst) ? count : 0;
	case MCFAB_VERIFY_SAMPLES:
		return mcfab_set_random(view, v->cfg.seed, number, count, source, dst);
	default:
		return 0;
	}
}
