// SPDX-License-Identifier: GPL-2.0
/* The cycle loop of a thread that works alone. */
#include "engine/engine.h"

/**
 * mcfab_engine_alone() - compute cycles with one thread
 * @e: engine
 * @cycles: at most so many
 *
 * Context: may sleep.
 * Return: false when the run has ended.
 */
bool mcfab_engine_alone(struct mcfab_engine *e, u32 cycles)
{
	u32 i;

	while (mcfab_alone(e) && cycles--) {
		if (!(cycles % 16))
			cond_resched();
		mcfab_engine_grant(e, e->shard);
		mcfab_engine_move(e, e->shard);
		if (!mcfab_engine_boundary(e))
			return false;
	}
	while (!mcfab_alone(e) && cycles--) {
		cond_resched();
		for (i = 0; i < e->nshards; i++)
			mcfab_engine_grant(e, &e->shard[i]);
		for (i = 0; i < e->nshards; i++)
			mcfab_engine_move(e, &e->shard[i]);
		if (!mcfab_engine_boundary(e))
			return false;
	}
	return true;
}
