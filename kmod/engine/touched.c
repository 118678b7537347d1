// SPDX-License-Identifier: GPL-2.0
/* How much of a run's memory its cycles have touched: "state" of the benchmarks. */
#include "engine/array_list.h"
#include "engine/internal.h"

/**
 * mcfab_touched() - memory that the cycles of a run have touched
 * @e: the engine, at the run's end
 *
 * Counts the network's state: not the pools of messages, plans and deliveries, nor arrays that are
 * read only when a run ends. Records and requests are taken from stacks, so records and requests
 * that were never in use are at the ends of their arrays.
 *
 * Context: boundary.
 * Return: bytes.
 */
u64 mcfab_touched(const struct mcfab_engine *e)
{
	u32 records = 0, i;
	u64 bytes = 0;

	for (i = 0; i < e->nshards; i++) {
		const struct mcfab_shard *s = &e->shard[i];

		records += s->new_rec - s->first_rec;
		bytes += s->new_request * sizeof(*s->request);
	}
	for (i = 0; i < mcfab_array_list_len; i++) {
		const struct mcfab_array *a = &mcfab_array_list[i];

		if (a->untouched != U32_MAX && !(a->untouched & e->flags))
			bytes += mcfab_array_count(e, a, e->flags, records, 0) * a->size;
	}
	if (e->flags & MCFAB_ENG_FLIGHTS)
		bytes += e->shard->worm_high * sizeof(*e->flights.flight);
	return bytes;
}
