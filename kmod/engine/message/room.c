// SPDX-License-Identifier: GPL-2.0
/*
 * Network interfaces with room for so many packets that they send on (MCFAB_ENG_MEMORY, fabric
 * option ni-memory). A packet that a node is to send on gets a consumption channel only if there is
 * room for it, and waits in the network until then. The node's own packets, and those that only its
 * host gets, need no room. node/ni_memory.c gives the room back.
 *
 * After a failure the network is emptied, and nothing is injected meanwhile, so no room is made:
 * then interfaces take what comes, and the count is negative until there is room again.
 */
#include "engine/message/message.h"

/**
 * mcfab_ni_relays() - is a node to send a worm's packet on?
 * @e: engine with MCFAB_ENG_HOST whose network interfaces send on
 * @worm: the worm
 * @node: the node
 *
 * Context: any phase.
 * Return: true if it is.
 */
bool mcfab_ni_relays(const struct mcfab_engine *e, u32 worm, u32 node)
{
	const struct mcfab_worm *w = &e->worm[worm];

	return mcfab_next_step(e, w->mcast, w->index, node) != MCFAB_NONE;
}

/**
 * mcfab_ni_takes() - may a worm's packet come to a node, as far as memory goes?
 * @e: engine with MCFAB_ENG_MEMORY
 * @worm: the worm
 * @node: the node, which has a consumption channel for it
 *
 * Takes the room that the packet needs.
 *
 * Context: grant phase of the node's shard.
 * Return: false if there is none.
 */
bool mcfab_ni_takes(struct mcfab_engine *e, u32 worm, u32 node)
{
	struct mcfab_host *h = &e->hosts.host[node];

	if (!mcfab_ni_relays(e, worm, node))
		return true;
	if (atomic_read(&h->room) <= 0 && !e->faults.paused)
		return false;
	atomic_dec(&h->room);
	return true;
}

/**
 * mcfab_ni_forgo() - a packet that has got a consumption channel is dropped
 * @e: engine with MCFAB_ENG_MEMORY
 * @worm: the worm
 * @node: the node
 *
 * The event that frees the consumption channel has the router look at its requests again.
 *
 * Context: move phase of any shard.
 */
void mcfab_ni_forgo(struct mcfab_engine *e, u32 worm, u32 node)
{
	if (mcfab_ni_relays(e, worm, node))
		atomic_inc(&e->hosts.host[node].room);
}
