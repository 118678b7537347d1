/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Geometric variates and chances in fixed point: the times between the messages of streams that
 * decide in each cycle, without a draw for each cycle.
 */
#ifndef MCFAB_WORKLOAD_GEOMETRIC_H
#define MCFAB_WORKLOAD_GEOMETRIC_H

#include "base/types.h"

/** MCFAB_GEOMETRIC_SURE - of mcfab_geometric_log(): what happens in every cycle */
#define MCFAB_GEOMETRIC_SURE	U64_MAX

/** mcfab_chance() - does what has the chance @chance, of mcfab_chance_of(), happen? */
static inline bool mcfab_chance(u64 word, u64 chance)
{
	return word >> 1 < chance;
}

u64 mcfab_chance_of(u64 part, u64 whole);
u64 mcfab_geometric_log(u32 ppb);
u64 mcfab_geometric(u64 word, u64 log);

#endif
