// SPDX-License-Identifier: GPL-2.0
/*
 * Dimension order on a torus: complete one coordinate after the other, x first, the
 * shorter way round each ring.
 *
 * Where both ways are equally long ("ties"), worms go towards greater coordinates, or
 * (mcfab_torus_hop()) by a bit for each dimension of a hash of sender and destination, so
 * that as many go either way. The hash may also have the packet's number at its sender: then
 * packets between the same two nodes go both ways.
 *
 * A ring of channels is a cycle, so a ring has a dateline, its wrap link. There are two
 * rules for the virtual channels, which are divided into halves, p and q:
 *
 * - at the crossing: worms take p up to the dateline, q from it on. No shortest way passes a
 *   dateline twice, so neither half closes the cycle;
 * - by the crossing (mcfab_torus_hop()): worms that will cross take q all the way round the ring,
 *   all other worms take p. No worm on p takes the wrap link. A worm on q takes it, and no more
 *   than half of the ring's links: where the ring is farthest from the wrap link, no worm on q goes
 *   from one link to the next. So neither half closes the cycle, and most links have worms on both
 *   halves.
 *
 * Each dimension begins anew: dimension order keeps the rings apart. The two rules must not meet on
 * the same channels, and the second rule must not meet worms that go farther than half round. The
 * multicasts of t2w, ttpm, tasnem and their like, and their background unicasts, keep to the first
 * rule.
 */
#include "routing/routing.h"

/*
 * The way of a worm where both ways are equally long: bits of a hash, one for each dimension. Of
 * 2^dimensions packets of a sender in a row, that go to the same destination and have ties in all
 * dimensions, each goes another way (MCFAB_TIES_DRAWN).
 */
static __always_inline u32 tie_bits(const struct mcfab_topo *topo, const struct mcfab_header *hdr,
				    u32 dst, enum mcfab_ties ties)
{
	u32 number = ties == MCFAB_TIES_DRAWN ? hdr->serial : 0;
	u64 x = ((u64)hdr->sender << 32 | dst) * 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 32 ^ number >> topo->ndims) * 0xd6e8feb86659fd93ull;
	return x >> 32 ^ number;
}

/*
 * the port that leads from @from to @to in dimension @dim, the shorter way round; if both ways are
 * equally long, as @ties says for a worm with the header @hdr to @dst
 */
static __always_inline u32 ring_way(const struct mcfab_topo *topo, u32 dim, u32 from, u32 to,
				    const struct mcfab_header *hdr, u32 dst, enum mcfab_ties ties)
{
	bool down = from > to;
	u32 inner = down ? from - to : to - from;

	if (2 * inner == topo->radix[dim])
		return 2 * dim + (ties == MCFAB_TIES_POSITIVE ? 0 :
				  tie_bits(topo, hdr, dst, ties) >> dim & 1);
	/* round the wrap link, if that is shorter */
	if (2 * inner > topo->radix[dim])
		down = !down;
	return 2 * dim + down;
}

static u32 ring_port(const struct mcfab_topo *topo, u32 dim, u32 from, u32 to)
{
	return ring_way(topo, dim, from, to, NULL, 0, MCFAB_TIES_POSITIVE);
}

/*
 * At how many routers after this one is the same hop made, by a port that dimension order has
 * chosen? Up to the turn, or up to the wrap link, where the virtual channels change.
 */
static u32 ring_run(const struct mcfab_topo *topo, u32 here, u32 dst, u32 port, bool wrapped)
{
	u32 dim = port / 2, radix = topo->radix[dim];
	u32 from = topo->coord[here * topo->ndims + dim];
	u32 to = topo->coord[dst * topo->ndims + dim];
	u32 hops, wrap;

	if (port & 1) {
		hops = from > to ? from - to : from + radix - to;
		wrap = from;
	} else {
		hops = to > from ? to - from : to + radix - from;
		wrap = radix - 1 - from;
	}
	/* at the wrap link's router the state changes */
	return wrapped || wrap >= hops ? hops - 1 : wrap - 1;
}

/* the dimension in which dimension order goes on */
static __always_inline u32 next_dim(const struct mcfab_topo *topo, const u16 *from, const u16 *to)
{
	u32 dim;

	for (dim = 0; dim + 1 < topo->ndims; dim++)
		if (from[dim] != to[dim])
			break;
	return dim;
}

/**
 * mcfab_step_torus() - next hop of dimension order, the shorter way round
 * @topo: torus
 * @here: the header's node
 * @dst: destination, not @here
 *
 * Context: Any.
 * Return: the output port.
 */
u32 mcfab_step_torus(const struct mcfab_topo *topo, u32 here, u32 dst)
{
	const u16 *from = topo->coord + here * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim = next_dim(topo, from, to);

	return ring_port(topo, dim, from[dim], to[dim]);
}
EXPORT_SYMBOL_NS_GPL(mcfab_step_torus, MCFAB);

/**
 * mcfab_hop_torus() - next hop of dimension order with the virtual channels to take
 * @view: fabric of a torus, at least two virtual channels
 * @hdr: the header; its state is the word of the hop before
 * @dst: destination, not the header's router
 * @hop: filled in; a forced port is kept
 *
 * The state is 2 * dimension + 1 from the wrap link of that dimension on, else 2 *
 * dimension.
 *
 * Context: Any.
 */
void mcfab_hop_torus(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		     struct mcfab_hop *hop)
{
	bool chosen = hop->port == MCFAB_PORT_ANY;
	u32 before;

	if (chosen)
		hop->port = mcfab_step_torus(view->topo, hdr->router, dst);
	before = hop->port & ~1u;
	hop->state = before;
	if (hdr->state == before + 1 || mcfab_topo_wraps(view->topo, hdr->router, hop->port))
		hop->state++;
	hop->vcs = hop->state & 1 ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
	if (chosen)
		hop->straight = ring_run(view->topo, hdr->router, dst, hop->port, hop->state & 1);
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_torus, MCFAB);

/* mcfab_hop_torus() by the other rules; no port is forced */
static __always_inline void hop_ring(const struct mcfab_view *view, const struct mcfab_header *hdr,
				     u32 dst, struct mcfab_hop *hop, enum mcfab_ties ties,
				     bool by_crossing)
{
	const struct mcfab_topo *topo = view->topo;
	const u16 *from = topo->coord + hdr->router * topo->ndims;
	const u16 *to = topo->coord + dst * topo->ndims;
	u32 dim = next_dim(topo, from, to);
	bool crosses, q = hdr->state == 2 * dim + 1;

	hop->port = ring_way(topo, dim, from[dim], to[dim], hdr, dst, ties);
	if (by_crossing)
		crosses = hop->port & 1 ? to[dim] > from[dim] : to[dim] < from[dim];
	else
		crosses = mcfab_topo_wraps(topo, hdr->router, hop->port);
	q |= crosses;
	hop->state = 2 * dim + q;
	hop->vcs = q ? mcfab_vcs_q(view) : mcfab_vcs_p(view);
	hop->straight = ring_run(topo, hdr->router, dst, hop->port, by_crossing || q);
}

/* a function for each rule, in which it is a constant */
#define HOP(name, ties, by_crossing)							\
static void name(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,	\
		 struct mcfab_hop *hop)							\
{											\
	hop_ring(view, hdr, dst, hop, ties, by_crossing);				\
}

HOP(hop_balanced, MCFAB_TIES_BALANCED, false)
HOP(hop_drawn, MCFAB_TIES_DRAWN, false)
HOP(hop_by_crossing, MCFAB_TIES_POSITIVE, true)
HOP(hop_balanced_by_crossing, MCFAB_TIES_BALANCED, true)
HOP(hop_drawn_by_crossing, MCFAB_TIES_DRAWN, true)

/**
 * mcfab_torus_hop() - dimension order on a torus for worms to one destination, by the chosen rules
 * @ties: which way round a ring where both ways are equally long
 * @by_crossing: take q all the way round a ring if its wrap link is on the way; false: from
 *		 the wrap link on
 *
 * With MCFAB_TIES_POSITIVE and false it is mcfab_hop_torus(). The functions force no port, and
 * read the header's sender, serial, router and state.
 *
 * Context: Any.
 * Return: the routing function.
 */
mcfab_hop_fn mcfab_torus_hop(enum mcfab_ties ties, bool by_crossing)
{
	switch (ties) {
	case MCFAB_TIES_BALANCED:
		return by_crossing ? hop_balanced_by_crossing : hop_balanced;
	case MCFAB_TIES_DRAWN:
		return by_crossing ? hop_drawn_by_crossing : hop_drawn;
	default:
		return by_crossing ? hop_by_crossing : mcfab_hop_torus;
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_torus_hop, MCFAB);

/**
 * mcfab_hop_meshes() - next hop along one ring of a torus, then along a line across it
 * @view: fabric of a torus of two dimensions, at least two virtual channels
 * @hdr: the header; its arg is the ring's dimension, which comes first, and its state is the word
 *	 of the hop before
 * @dst: destination, not the header's router
 * @hop: filled in; a forced port is kept
 *
 * The shorter way round the ring; across it the wrap links are not used, so that a
 * half of the torus is a mesh.
 *
 * Context: Any.
 */
void mcfab_hop_meshes(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		      struct mcfab_hop *hop)
{
	const u16 *from = view->topo->coord + hdr->router * view->topo->ndims;
	const u16 *to = view->topo->coord + dst * view->topo->ndims;
	u32 ring = hdr->arg, line = !ring;

	if (hop->port == MCFAB_PORT_ANY && from[ring] != to[ring])
		hop->port = ring_port(view->topo, ring, from[ring], to[ring]);
	else if (hop->port == MCFAB_PORT_ANY)
		hop->port = 2 * line + (from[line] > to[line]);
	mcfab_hop_torus(view, hdr, dst, hop);
}
EXPORT_SYMBOL_NS_GPL(mcfab_hop_meshes, MCFAB);

/**
 * mcfab_plane_init() - is the fabric a torus of two dimensions with p and q?
 * @view: fabric of a torus
 * @values: not used
 * @priv: not used
 * @err: filled in if it is not
 *
 * The init() of policies that know rows and columns and take p before and q from the wrap links on.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_plane_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err)
{
	if (view->topo->ndims != 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "needs a torus of 2 dimensions, the fabric has %u",
				    view->topo->ndims);
	if (view->vcs < 2)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "wrap links need vcs 2, the fabric has %u", view->vcs);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_plane_init, MCFAB);
