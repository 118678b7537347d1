/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways in which one sender covers a set of destinations with path worms. A
 * policy of one step is one of these; policies of several steps combine them.
 */
#ifndef MCFAB_ROUTING_COVER_H
#define MCFAB_ROUTING_COVER_H

#include "plan/policy.h"

/** enum mcfab_base - routing function of a path worm, its mcfab_plan_worm.arg */
enum mcfab_base {
	MCFAB_BASE_DIMENSION,	/* mesh: dimension order */
	MCFAB_BASE_LABEL,	/* mesh, torus: label routing R, no wrap links */
	MCFAB_BASE_LINKS,	/* any: label routing R over all links */
	MCFAB_BASE_TORUS,	/* dimension order, the shorter way; p/q at the wrap links */
	MCFAB_BASE_STAR,	/* shortest paths; virtual channel by number of hop */
	MCFAB_BASE_NEGATIVE,	/* mesh of two dimensions: west, south, east, north */
};

enum mcfab_base mcfab_base_unicast(const struct mcfab_topo *topo);
int mcfab_base_check(const struct mcfab_view *view, enum mcfab_base base, struct mcfab_err *err);
int mcfab_tree_check(const struct mcfab_view *view, struct mcfab_err *err);

/** MCFAB_PARAM_ALLOW_DEADLOCK - the parameter "allow-deadlock" of tree policies */
#define MCFAB_PARAM_ALLOW_DEADLOCK {						\
	.name	= "allow-deadlock",						\
	.help	= "accept lock-step replication and short buffers, which can deadlock", \
	.type	= MCFAB_PARAM_KIND_BOOL,					\
	.def	= false,							\
}

/**
 * typedef mcfab_cover_fn - append the worms with which a sender covers a set
 * @topo: topology
 * @sender: node that sends
 * @after: the worm that delivers to the sender, or MCFAB_NONE
 * @dst: distinct destinations without @sender; reordered
 * @ndst: how many
 * @plan: the worms are added to it
 * @keys: room for @ndst numbers
 *
 * O(k log k). Never sleeps.
 */
typedef void (*mcfab_cover_fn)(const struct mcfab_topo *topo, u32 sender, u32 after,
			       u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys);

void mcfab_cover_unicast(const struct mcfab_topo *topo, u32 sender, u32 after,
			 u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys);
void mcfab_cover_dual(const struct mcfab_topo *topo, u32 sender, u32 after,
		      u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys);
/* mcfab_cover_dual(), by one of the two label routings. */
void mcfab_cover_dual_base(const struct mcfab_topo *topo, u32 sender, u32 after, u32 *dst,
			   u32 ndst, struct mcfab_plan *plan, enum mcfab_base base);
void mcfab_cover_multi(const struct mcfab_topo *topo, u32 sender, u32 after,
		       u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys);
void mcfab_cover_column(const struct mcfab_topo *topo, u32 sender, u32 after,
			u32 *dst, u32 ndst, struct mcfab_plan *plan, u64 *keys);

/** mcfab_route_base() - decision of a path worm whose arg is an enum mcfab_base */
void mcfab_route_base(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_header *hdr, struct mcfab_decision *out);

/* Two phases over the two meshes into which a torus is cut; worms have their own routing. */
void mcfab_cover_meshes(const struct mcfab_topo *topo, u32 cut, u32 source, const u32 *dst,
			u32 ndst, struct mcfab_plan *plan, u64 *keys);
void mcfab_max_meshes(const struct mcfab_view *view, const void *priv, u32 ndst, u32 *worms,
		      u32 *dsts);
void mcfab_route_meshes(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out);

#endif
