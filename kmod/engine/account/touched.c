// SPDX-License-Identifier: GPL-2.0
/* What of a run's memory its cycles have touched: "state" of the benchmarks. */
#include "engine/account/account.h"
#include "engine/state/port.h"

/**
 * mcfab_touched() - memory that the cycles of a run have touched
 * @e: the engine, at the run's end
 *
 * What stands for the network: not the pools of messages, plans and deliveries, nor what is
 * read only when a run ends. Records and requests are taken from stacks, so those that never
 * were in use are at their ends.
 *
 * Context: boundary.
 * Return: bytes.
 */
u64 mcfab_touched(const struct mcfab_engine *e)
{
	size_t rec = sizeof(*e->rec) + sizeof(*e->head);
	u64 bytes = 0;
	u32 i;

	if (e->flags & MCFAB_ENG_WORM)
		rec += sizeof(*e->begun) + sizeof(*e->after) + sizeof(*e->pending);
	if (e->flags & MCFAB_ENG_LINKS)
		rec += sizeof(*e->history) + sizeof(*e->stamp);
	if (e->flags & MCFAB_ENG_BRANCHES)
		rec += sizeof(*e->children) + sizeof(*e->sibling) + sizeof(*e->ready);
	if (e->flags & MCFAB_ENG_TREES)
		rec += sizeof(*e->tree) + sizeof(*e->stretch) * mcfab_tree_stretches(e);
	if (e->flags & MCFAB_ENG_COPIES)
		rec += sizeof(*e->copies);
	if (e->flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS))
		rec += sizeof(*e->len);
	if (e->flags & MCFAB_ENG_HEADERS)
		rec += sizeof(*e->strip);
	for (i = 0; i < e->nshards; i++) {
		const struct mcfab_shard *s = &e->shard[i];

		bytes += (s->new_rec - s->first_rec) * rec + s->new_request * sizeof(*s->request);
	}
	if (e->flags & MCFAB_ENG_FLIGHTS)
		bytes += e->nchans * (sizeof(*e->track) + sizeof(*e->beyond)) +
			 e->shard->worm_high * sizeof(*e->flight);
	if (e->flags & MCFAB_ENG_FLIGHTS && e->flags & MCFAB_ENG_SCARCE)
		bytes += e->topo->nodes * sizeof(*e->door);
	if (e->slots == 1 && !(e->flags & MCFAB_ENG_FLIGHTS))
		bytes += e->nvcs * sizeof(*e->owner);
	if (e->flags & MCFAB_ENG_CREDITS)
		bytes += e->nvcs * sizeof(*e->fifo);
	if (e->flags & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		bytes += e->nvcs * sizeof(*e->came);
	if (e->flags & (MCFAB_ENG_MULTI | MCFAB_ENG_SEPARABLE))
		bytes += e->nchans * sizeof(*e->chan);
	if (e->flags & MCFAB_ENG_SPEEDUP)
		bytes += (e->nchans + e->topo->nodes) * sizeof(*e->inport);
	if (e->source)
		bytes += e->topo->nodes * e->inject * sizeof(*e->source);
	if (e->flags & MCFAB_ENG_SHARED)
		bytes += e->topo->nodes * sizeof(*e->link_free);
	if (e->flags & MCFAB_ENG_PORTS)
		bytes += e->topo->nodes * e->inject * sizeof(*e->port);
	if (!(e->flags & MCFAB_ENG_FLIGHTS))
		bytes += e->topo->routers * sizeof(*e->router);
	return bytes + e->nchans * sizeof(*e->use) +
	       e->topo->nodes * (sizeof(*e->node) + sizeof(*e->timer) +
				 (e->lone ? 0 : sizeof(*e->due)));
}
