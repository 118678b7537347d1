/* SPDX-License-Identifier: GPL-2.0 */
/*
 * k-binomial trees, in which each node sends to k others at most.
 *
 * Irregular paper, sections 4.3.3 and 4.3.4.
 */
#ifndef MCFAB_ROUTING_KBINOMIAL_H
#define MCFAB_ROUTING_KBINOMIAL_H

#include "plan/policy.h"
#include "updown/updown.h"

/** mcfab_kbinomial_most() - the greatest k that makes a difference: of @n nodes, ceil(log2 n) */
static inline u32 mcfab_kbinomial_most(u32 n)
{
	return fls(n - 1);
}

u32 mcfab_kbinomial_steps(u32 n, u32 k, u32 *nodes);
u32 mcfab_kbinomial_best(u32 n, u32 packets, u32 *nodes);
size_t mcfab_kbinomial_bytes(const struct mcfab_topo *topo, u32 ndst);
void mcfab_kbinomial_plan(const struct mcfab_view *view, u32 source, const u32 *dst, u32 ndst,
			  u32 k, struct mcfab_plan *plan, void *scratch);

#endif
