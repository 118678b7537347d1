/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing along a Hamiltonian cycle: R of N.-C. Wang, C.-P. Yen and C.-P. Chu,
 * "Multicasting on wormhole-routed symmetric networks with Hamiltonian cycle model"
 * (2005), and how their algorithms divide destinations into two halves. For policies
 * on topologies whose labels close to a cycle.
 */
#ifndef MCFAB_ROUTING_CYCLE_H
#define MCFAB_ROUTING_CYCLE_H

#include "plan/policy.h"

/** enum mcfab_cycle - how a worm goes round the cycle, its mcfab_plan_worm.arg */
enum mcfab_cycle {
	MCFAB_CYCLE_HIGH,	/* in the high network */
	MCFAB_CYCLE_LOW,	/* in the low network */
	MCFAB_CYCLE_NEARER,	/* one destination: the way with fewer labels, ties high */
};

/**
 * MCFAB_CYCLE_ROWS - flag beside an enum mcfab_cycle: on a torus, no wrap links of any
 * dimension but the last
 */
#define MCFAB_CYCLE_ROWS	BIT(2)

/**
 * struct mcfab_halves - destinations in the order of a journey round the cycle
 * @dst: the destinations, sorted by label
 * @ndst: how many
 * @start: the first with a greater label than the source, @ndst if there is none
 * @high: how many are visited in the high network, from @start on, upwards and round; the others
 *	  are visited in the low network, from the destination before @start on, downwards and round
 */
struct mcfab_halves {
	const u32 *dst;
	u32 ndst;
	u32 start;
	u32 high;
};

/** mcfab_half_count() - destinations in a half */
static inline u32 mcfab_half_count(const struct mcfab_halves *halves, enum mcfab_cycle half)
{
	return half == MCFAB_CYCLE_HIGH ? halves->high : halves->ndst - halves->high;
}

/** mcfab_half_at() - destination number @i of a half, in the order of visits */
static inline u32 mcfab_half_at(const struct mcfab_halves *halves, enum mcfab_cycle half, u32 i)
{
	u32 at = halves->start;

	at += half == MCFAB_CYCLE_HIGH ? i : halves->ndst - 1 - i;
	return halves->dst[at < halves->ndst ? at : at - halves->ndst];
}

void mcfab_halve_uniform(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst,
			 struct mcfab_halves *halves);
void mcfab_halve_fixed(const struct mcfab_topo *topo, u32 source, u32 *dst, u32 ndst,
		       struct mcfab_halves *halves);
void mcfab_cover_halves(u32 source, const struct mcfab_halves *halves, struct mcfab_plan *plan);

/* Operations of a policy that sends all its worms round the cycle. */
int mcfab_cycle_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err);
u16 mcfab_cycle_unicast_arg(const void *priv);
void mcfab_route_cycle(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out);

#endif
