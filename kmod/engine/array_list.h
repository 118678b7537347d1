/* SPDX-License-Identifier: GPL-2.0 */
/* The list of a run's arrays, without the arrays of shards and pools. */
#ifndef MCFAB_ENGINE_ARRAY_LIST_H
#define MCFAB_ENGINE_ARRAY_LIST_H

#include "engine/state/engine.h"

/** enum mcfab_per - an array has an entry for each ... */
enum mcfab_per {
	MCFAB_PER_RECORD,
	MCFAB_PER_STRETCH,	/* of a record */
	MCFAB_PER_INTERVAL,	/* records and copies */
	MCFAB_PER_CHANNEL,
	MCFAB_PER_VC,
	MCFAB_PER_OWNED_VC,	/* VCs with one packet at a time */
	MCFAB_PER_ROW_VC,	/* VCs whose FIFOs do not say which worms got them last */
	MCFAB_PER_ROUTER,
	MCFAB_PER_NODE,
	MCFAB_PER_QUEUE,	/* source queues: nodes, but not in lone runs */
	MCFAB_PER_CLASS,	/* classes of traffic at each node */
	MCFAB_PER_SOURCE,	/* injection channels */
	MCFAB_PER_ASKED_SOURCE,	/* injection channels, where their routers look for their records */
	MCFAB_PER_CONSUMPTION,	/* consumption channels */
	MCFAB_PER_INPORT,	/* input ports: of network channels, then of nodes */
};

/**
 * struct mcfab_array - an array of struct mcfab_engine
 * @at: offset of the pointer to it
 * @size: bytes of an entry
 * @per: it has an entry for each of these
 * @any: the array is needed if one of these MCFAB_ENG_* is on; 0: always
 * @all: ... and if all of these MCFAB_ENG_* are on
 * @untouched: MCFAB_ENG_* with which the cycles of a run do not touch it; U32_MAX: they never do
 */
struct mcfab_array {
	size_t at;
	size_t size;
	enum mcfab_per per;
	u32 any;
	u32 all;
	u32 untouched;
};

extern const struct mcfab_array mcfab_array_list[];
extern const u32 mcfab_array_list_len;

u64 mcfab_array_count(const struct mcfab_engine *e, const struct mcfab_array *a, u32 rules,
		      u32 records, u32 copies);

#endif
