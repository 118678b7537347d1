// SPDX-License-Identifier: GPL-2.0
/*
 * What each node sent, and what is left in its source queue: where a network is beyond saturation
 * they say which nodes starve.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/account/account.h"

/* messages that a node has taken from its source queue so far */
static u32 taken(const struct mcfab_engine *e, u32 nr)
{
	return mcfab_stream_passed(&e->work, &e->node[nr].stream, mcfab_parts(e, nr));
}

/**
 * mcfab_sources_begin() - the measuring window begins: messages are counted from here on
 * @e: engine
 *
 * Context: boundary.
 */
void mcfab_sources_begin(struct mcfab_engine *e)
{
	u32 i, end, nodes = e->run.lone ? 0 : e->topo->nodes;

	for (i = 0; i < nodes; )
		for (end = mcfab_breath_end(i, nodes); i < end; i++)
			e->sent_before[i] = taken(e, i);
}

/**
 * mcfab_sources_end() - the window, or the run, is over: write what was sent into the results
 * @e: engine
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_sources_end(struct mcfab_engine *e)
{
	u32 i, end, nodes = e->run.lone ? 0 : e->topo->nodes;

	for (i = 0; i < nodes; )
		for (end = mcfab_breath_end(i, nodes); i < end; i++)
			e->results->sources[i].taken = taken(e, i) - e->sent_before[i];
}

/**
 * mcfab_sources_rest() - the run is over: write what waits at the sources into the results
 * @e: engine; mcfab_queues_look() was just called
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_sources_rest(struct mcfab_engine *e)
{
	u32 i, end, nodes = e->run.lone ? 0 : e->topo->nodes;
	struct mcfab_source_load *load = e->results->sources;

	for (i = 0; i < nodes; )
		for (end = mcfab_breath_end(i, nodes); i < end; i++) {
			bool waits = e->node[i].stream.gen < e->cycle;
			const struct mcfab_source *part = e->due_part + i * e->work.nclasses;

			load[i].oldest = waits ? e->node[i].stream.gen : U64_MAX;
			load[i].waiting = waits ? mcfab_stream_passed(&e->work, &e->due[i], part) -
						  taken(e, i) : 0;
		}
}
