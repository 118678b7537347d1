// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of destinations around a centre, which is where the pattern would send a message to one
 * node. Each is taken from a box of nodes of a mesh or torus: so many along each dimension, the
 * centre in its middle, or just below where there are two. On a torus a box wraps; at the border
 * of a mesh it is moved inward, so that it is always whole. Documentation/workloads.md has the
 * definitions.
 */
#include "topology/topology.h"
#include "workload/kinds.h"

/* the first coordinates of a box around a centre */
static void place(const struct mcfab_topo *topo, const struct mcfab_box *box, u32 centre,
		  u32 *first)
{
	bool wraps = topo->ops->serve & MCFAB_POLICY_TORUS;
	u32 dim;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 at = mcfab_topo_coord(topo, centre, dim), below = (box->width[dim] - 1) / 2;

		if (wraps)
			first[dim] = at >= below ? at - below : at + topo->radix[dim] - below;
		else
			first[dim] = min(at >= below ? at - below : 0,
					 topo->radix[dim] - box->width[dim]);
	}
}

/* node number @i of a box, x fastest */
static u32 node_at(const struct mcfab_topo *topo, const struct mcfab_box *box, const u32 *first,
		   u32 i)
{
	u32 dim, node = 0;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 at = first[dim] + i % box->width[dim];

		i /= box->width[dim];
		node += (at < topo->radix[dim] ? at : at - topo->radix[dim]) * topo->stride[dim];
	}
	return node;
}

/* the number of a node in a box, or MCFAB_NONE */
static u32 number_of(const struct mcfab_topo *topo, const struct mcfab_box *box, const u32 *first,
		     u32 node)
{
	u32 dim, number = 0, scale = 1;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 at = mcfab_topo_coord(topo, node, dim);

		at = at >= first[dim] ? at - first[dim] : at + topo->radix[dim] - first[dim];
		if (at >= box->width[dim])
			return MCFAB_NONE;
		number += at * scale;
		scale *= box->width[dim];
	}
	return number;
}

/* the first nodes of a box that has room for them without the source */
static void draw_submesh(const struct mcfab_workload *w, u32 node, u32 centre, u32 *dst)
{
	const struct mcfab_topo *topo = w->cfg.topo;
	const struct mcfab_box *box = &w->region.box[0];
	u32 first[MCFAB_MAX_COORDS], i, source, n = 0;

	place(topo, box, centre, first);
	source = number_of(topo, box, first, node);
	if (source != MCFAB_NONE && box->size == w->cfg.dests) {
		box = &w->region.box[1];
		place(topo, box, centre, first);
		source = number_of(topo, box, first, node);
	}
	for (i = 0; n < w->cfg.dests; i++)
		if (i != source)
			dst[n++] = node_at(topo, box, first, i);
}

/* the centre, and others of its box */
static void draw_around(const struct mcfab_workload *w, u32 node, u32 centre, u64 word, u32 *dst)
{
	const struct mcfab_topo *topo = w->cfg.topo;
	const struct mcfab_box *box = &w->region.box[0];
	u32 first[MCFAB_MAX_COORDS], out[2], nout = 1, n = 0, count = w->cfg.dests, source, i;
	struct mcfab_perm perm;

	if (centre != node)
		dst[n++] = centre;
	if (n == count)
		return;
	place(topo, box, centre, first);
	out[0] = number_of(topo, box, first, centre);
	source = number_of(topo, box, first, node);
	if (source != MCFAB_NONE && source != out[0])
		out[nout++] = source;
	if (nout == 2 && out[0] > out[1])
		swap(out[0], out[1]);
	mcfab_perm_init(&perm, &w->region.rest[nout - 1], mcfab_mix64(word + MCFAB_GOLDEN));
	mcfab_perm_first(&perm, count - n, dst + n);
	for (; n < count; n++) {
		for (i = 0; i < nout; i++)
			dst[n] += dst[n] >= out[i];
		dst[n] = node_at(topo, box, first, dst[n]);
	}
}

/**
 * mcfab_region_draw() - draw the destinations of a multicast around its centre
 * @w: workload with a set that has one
 * @node: source, never drawn
 * @word: random word of the message
 * @dst: [@w->cfg.dests] where to put them
 *
 * Context: any.
 */
void mcfab_region_draw(const struct mcfab_workload *w, u32 node, u64 word, u32 *dst)
{
	u32 centre = w->pattern.dest ? w->pattern.dest(w, node, word) :
				       mcfab_pattern_other(w, node, word);

	if (w->cfg.set == MCFAB_DESTINATION_SET_SUBMESH)
		draw_submesh(w, node, centre, dst);
	else
		draw_around(w, node, centre, word, dst);
}

static void set_size(struct mcfab_box *box, u32 ndims)
{
	u32 dim;

	box->size = 1;
	for (dim = 0; dim < ndims; dim++)
		box->size *= box->width[dim];
}

/* as near to a cube as can be: the shortest side grows, x first, until @count nodes fit */
static void grow(const struct mcfab_topo *topo, struct mcfab_box *box, u32 count)
{
	u32 dim, best;

	for (dim = 0; dim < topo->ndims; dim++)
		box->width[dim] = 1;
	for (set_size(box, topo->ndims); box->size < count; set_size(box, topo->ndims)) {
		best = MCFAB_NONE;
		for (dim = 0; dim < topo->ndims; dim++)
			if (box->width[dim] < topo->radix[dim] &&
			    (best == MCFAB_NONE || box->width[dim] < box->width[best]))
				best = dim;
		box->width[best]++;
	}
}

static int check_set(const struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;

	if (w->group)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SET,
				    "set has no effect: group %s is the set",
				    cfg->group);
	if (mcfab_workload_is_load(cfg->kind) && !cfg->multicast_ppm)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SET,
				    "set is about multicasts, and there are none");
	if (!cfg->topo || !(cfg->topo->ops->serve & (MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS)))
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_SET,
				    "set %s needs a mesh or a torus: it goes by dimensions", name);
	return 0;
}

/**
 * mcfab_region_open() - check the set of destinations of multicasts, and prepare it
 * @w: workload, not FILE, its pattern not open yet
 * @err: why it is refused
 *
 * Context: any.
 * Return: 0, -EINVAL, or -EOPNOTSUPP where the network has no dimensions.
 */
int mcfab_region_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	static const char *const names[] = {
		[MCFAB_DESTINATION_SET_CLUSTERED] = "clustered",
		[MCFAB_DESTINATION_SET_COLUMN] = "column",
		[MCFAB_DESTINATION_SET_SUBMESH] = "submesh",
	};
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	const struct mcfab_topo *topo = cfg->topo;
	struct mcfab_box *box = &w->region.box[0];
	u32 dim;
	int ret;

	if (cfg->set <= MCFAB_DESTINATION_SET_UNIFORM)
		return 0;
	if (cfg->set >= ARRAY_SIZE(names))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SET, "unknown set %u",
				    (u32)cfg->set);
	ret = check_set(w, names[cfg->set], err);
	if (ret)
		return ret;
	w->around = true;
	if (cfg->set == MCFAB_DESTINATION_SET_SUBMESH) {
		grow(topo, box, cfg->dests);
		grow(topo, box + 1, cfg->dests + 1);
		return 0;
	}
	if (cfg->set == MCFAB_DESTINATION_SET_CLUSTERED && !cfg->radius)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_RADIUS,
				    "set clustered needs a radius, at least 1");
	for (dim = 0; dim < topo->ndims; dim++) {
		if (cfg->set == MCFAB_DESTINATION_SET_CLUSTERED)
			box->width[dim] = min_t(u64, topo->radix[dim], 2ULL * cfg->radius + 1);
		else
			box->width[dim] = dim == topo->ndims - 1 ? topo->radix[dim] : 1;
	}
	set_size(box, topo->ndims);
	if (cfg->dests >= box->size)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_DESTS,
				    "dests must be at most %u: set %s has %u nodes", box->size - 1,
				    names[cfg->set], box->size);
	mcfab_domain_init(&w->region.rest[0], box->size - 1);
	mcfab_domain_init(&w->region.rest[1], max(box->size - 2, 1U));
	return 0;
}
