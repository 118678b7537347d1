/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing functions: pure, one step from a node towards a destination, and the
 * header decision that all path worms share.
 */
#ifndef MCFAB_ROUTING_H
#define MCFAB_ROUTING_H

#include "plan/policy.h"

/**
 * typedef mcfab_step_fn - output port of the next hop
 * @topo: the network
 * @here: the header's node
 * @dst: its destination, not @here
 *
 * Pure, never sleeps.
 */
typedef u32 (*mcfab_step_fn)(const struct mcfab_topo *topo, u32 here, u32 dst);

u32 mcfab_step_label(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_links(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_dimension(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_negative(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_torus(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_star(const struct mcfab_topo *topo, u32 here, u32 dst);

/**
 * struct mcfab_hop - next hop; the caller fills in some fields before
 * @port: output port; before: the forced one, or MCFAB_PORT_ANY
 * @vcs: bit mask of the virtual channels it may take; before: all
 * @state: word for the next decision; before: the header's
 * @straight: as mcfab_decision.straight; before: 0
 */
struct mcfab_hop {
	u16 port;
	u16 vcs;
	u32 state;
	u32 straight;
};

/**
 * typedef mcfab_hop_fn - next hop where virtual channels matter
 * @view: the fabric
 * @hdr: the header; its state is the word of the hop before, 0 at the sender. Routers have the
 *	 numbers of their nodes.
 * @dst: its destination, not the header's router
 * @hop: the hop; a forced port must be kept
 *
 * Pure, never sleeps.
 */
typedef void (*mcfab_hop_fn)(const struct mcfab_view *view, const struct mcfab_header *hdr,
			     u32 dst, struct mcfab_hop *hop);

void mcfab_hop_torus(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		     struct mcfab_hop *hop);
/** enum mcfab_ties - which way round a ring where both ways are equally long */
enum mcfab_ties {
	MCFAB_TIES_BALANCED,	/* by a hash of sender and destination */
	MCFAB_TIES_POSITIVE,	/* towards greater coordinates */
	MCFAB_TIES_DRAWN,	/* by a hash of sender, destination and the packet's number */
};

mcfab_hop_fn mcfab_torus_hop(enum mcfab_ties ties, bool by_crossing);
void mcfab_hop_star(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		    struct mcfab_hop *hop);
void mcfab_hop_meshes(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 dst,
		      struct mcfab_hop *hop);
int mcfab_plane_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err);

/*
 * Virtual channels in two halves, p the lower and q the upper; of an odd number the upper half has
 * one more. With one virtual channel there is q only.
 */

/** mcfab_vcs_all() - bit mask of all virtual channels */
static inline u16 mcfab_vcs_all(const struct mcfab_view *view)
{
	return (1u << view->vcs) - 1;
}

/** mcfab_vcs_p() - bit mask of the lower half of the virtual channels */
static inline u16 mcfab_vcs_p(const struct mcfab_view *view)
{
	return (1u << view->vcs / 2) - 1;
}

/** mcfab_vcs_q() - bit mask of the upper half of the virtual channels */
static inline u16 mcfab_vcs_q(const struct mcfab_view *view)
{
	return mcfab_vcs_all(view) & ~mcfab_vcs_p(view);
}

void mcfab_route_path(const struct mcfab_view *view, const struct mcfab_header *hdr,
		      mcfab_step_fn step, struct mcfab_decision *out);
void mcfab_route_dimension(const struct mcfab_view *view, const struct mcfab_header *hdr,
			   struct mcfab_decision *out);
void mcfab_route_hops(const struct mcfab_view *view, const struct mcfab_header *hdr,
		      mcfab_hop_fn next, struct mcfab_decision *out);

/* sort.c: orders of destinations that several policies need; O(k log k), stable */
void mcfab_sort_labels(const struct mcfab_topo *topo, u32 *dst, u32 ndst, bool descending);
u32 mcfab_split_labels(const struct mcfab_topo *topo, u32 node, u32 *dst, u32 ndst);
void mcfab_sort_distance(const struct mcfab_topo *topo, u32 from, u32 *dst, u32 ndst,
			 u64 *keys);
void mcfab_sort_ids(u32 *dst, u32 ndst);
void mcfab_sort_keys(u64 *key, u32 nkeys);
u32 mcfab_coord_place(const struct mcfab_topo *topo, u32 node);
size_t mcfab_scratch_keys(const struct mcfab_view *view, const void *priv, u32 ndst);

#endif
