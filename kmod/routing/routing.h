/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing functions: pure, one step from a node towards a destination, and the
 * header decision that all path worms share.
 */
#ifndef MCFAB_ROUTING_H
#define MCFAB_ROUTING_H

#include "core/policy.h"

/**
 * typedef mcfab_step_fn - output port of the next hop
 * @topo: the network
 * @here: node the header is at
 * @dst: where it goes, not @here
 *
 * Pure, never sleeps.
 */
typedef u32 (*mcfab_step_fn)(const struct mcfab_topo *topo, u32 here, u32 dst);

u32 mcfab_step_label(const struct mcfab_topo *topo, u32 here, u32 dst);
u32 mcfab_step_dimension(const struct mcfab_topo *topo, u32 here, u32 dst);

void mcfab_route_path(const struct mcfab_view *view, const struct mcfab_header *hdr,
		      mcfab_step_fn step, struct mcfab_decision *out);

/* sort.c: orders of destinations that several policies need; O(k log k), stable */
void mcfab_sort_labels(const struct mcfab_topo *topo, u32 *dst, u32 ndst, bool descending);
void mcfab_sort_distance(const struct mcfab_topo *topo, u32 from, u32 *dst, u32 ndst, u64 *keys);
void mcfab_sort_ids(u32 *dst, u32 ndst);
void mcfab_sort_keys(u64 *key, u32 nkeys);

#endif
