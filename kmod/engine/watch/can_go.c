// SPDX-License-Identifier: GPL-2.0
/*
 * The search for deadlocks (stall.c): will a request be granted, as far as other requests are known
 * not to be stuck? It may need a virtual channel, a consumption channel, or room in the memory of a
 * network interface beside that.
 *
 * Runs at the boundary.
 */
#include "engine/watch/stall.h"
#include "engine/watch/watch.h"

/* Is a virtual channel free, or will it be? @holder: the record in the way if not. */
static bool vc_can_go(const struct mcfab_engine *e, u32 vc, u32 *holder)
{
	u32 owner = mcfab_owner(e, vc);

	*holder = owner;
	/* the event of its release is under way */
	if (owner != MCFAB_NO_REC && e->rec[owner].worm == MCFAB_NO_WORM)
		return true;
	if (owner != MCFAB_NO_REC && !e->hw.release_sent)
		return mcfab_leaves(e, owner);
	if (owner != MCFAB_NO_REC &&
	    mcfab_entered(e, owner, e->flags) != mcfab_len(e, owner, e->flags))
		return mcfab_enters(e, owner);
	if (owner != MCFAB_NO_REC && !e->hw.packet_room)
		return true;
	/* the VC can be granted, but may lack room: the front packet of its FIFO has to leave */
	if (e->hw.slots == 1)
		return true;
	*holder = mcfab_vc_front(e, vc);
	return e->rec[*holder].worm == MCFAB_NO_WORM || mcfab_leaves(e, *holder);
}

/**
 * struct holders - records that hold consumption channels of a node and will not give them up
 * @node: the node
 * @relayed: only those with packets that the node sends on
 * @held: how many, so far
 * @first: the first record
 */
struct holders {
	u32 node;
	bool relayed;
	u32 held;
	u32 first;
};

/* does record @nr hold a consumption channel that it will give up? if it will not: count it */
static bool consumer_can_go(const struct mcfab_engine *e, u32 nr, struct holders *h)
{
	if (!mcfab_consuming(e, nr, h->node))
		return false;
	if (h->relayed && !mcfab_ni_relays(e, e->rec[nr].worm, h->node))
		return false;
	/* the copy has ended; where whole packets are moved, it is then off the list of copies */
	if (!(e->flags & MCFAB_ENG_WORM) && e->head[nr].cons == mcfab_len(e, nr, e->flags))
		return false;
	if (e->flags & MCFAB_ENG_LOCKSTEP ? mcfab_leaves(e, nr) : mcfab_enters(e, nr))
		return true;
	if (!h->held++)
		h->first = nr;
	return false;
}

/* the same for packets of other hosts at the same switch: they hold channels of a host, too */
static bool neighbours_can_go(const struct mcfab_engine *e, u32 router, struct holders *h)
{
	u32 i, k, host;

	for (i = 0; e->topo->host && i < e->hw.ports; i++) {
		host = e->topo->host[mcfab_topo_channel(e->topo, router, i)];
		for (k = 0; host != MCFAB_NONE && k < e->hw.inject; k++)
			if (consumer_can_go(e, e->source[host * e->hw.inject + k], h))
				return true;
	}
	return false;
}

/* will a record of a router give up a consumption channel of a node? if not: count them */
static bool consumers_can_go(const struct mcfab_engine *e, u32 router, struct holders *h)
{
	u32 i, v, nr;

	for (i = 0; i < e->hw.ports; i++) {
		u32 in = e->topo->peer[router * e->hw.ports + i];

		for (v = 0; in != MCFAB_NONE && v < e->hw.vcs; v++)
			for (nr = mcfab_vc_front(e, in * e->hw.vcs + v); nr != MCFAB_NO_REC;
			     nr = mcfab_vc_behind(e, in * e->hw.vcs + v, nr))
				if (consumer_can_go(e, nr, h))
					return true;
	}
	return neighbours_can_go(e, router, h);
}

/* is a consumption channel of a node free, or will it be? @holder: the record in the way if not */
static bool consume_can_go(const struct mcfab_engine *e, u32 node, u32 router, u32 *holder)
{
	struct holders h = { .node = node, .first = MCFAB_NONE };

	if (e->node[node].consume || consumers_can_go(e, router, &h))
		return true;
	*holder = h.first;
	/* a channel that no record holds: its release is known from the next cycle on */
	return h.held < e->cfg->consume;
}

/* will the packet at the front of an injection channel leave it? @holder: its record if not */
static bool source_can_go(const struct mcfab_engine *e, u32 node, u32 channel, u32 *holder)
{
	u32 nr = e->source[node * e->hw.inject + channel];

	if (nr == MCFAB_NO_REC || mcfab_leaves(e, nr))
		return true;
	*holder = nr;
	return false;
}

/* the worm that has a node's injection channel and is a copy of a packet in its memory: its job */
static u32 relayed_by(const struct mcfab_engine *e, u32 node, u32 channel)
{
	u32 at = node * e->hw.inject + channel, worm;

	if (e->node[node].channels & BIT_ULL(channel))
		return MCFAB_NONE;
	worm = e->flags & MCFAB_ENG_PORTS ? e->port[at].worm : e->rec[e->source[at]].worm;
	return e->worm[worm].relayed;
}

/* will all copies of a packet in a node's memory leave? @any: a channel for them will be free */
static bool packet_can_go(const struct mcfab_engine *e, u32 node, u32 job, bool any)
{
	u32 queued = e->hosts.job[job].unsent, holder, i;

	for (i = 0; i < e->hw.inject; i++) {
		if (relayed_by(e, node, i) != job)
			continue;
		queued--;
		if (!source_can_go(e, node, i, &holder))
			return false;
	}
	/* packets for the second child wait for the last packet: it needs memory, too */
	return !queued || (any && e->hosts.job[job].over);
}

/* is there room in a node's memory, or will there be? @holder: a record in the way if not */
static bool memory_can_go(const struct mcfab_engine *e, const struct mcfab_request *req,
			  u32 router, u32 *holder)
{
	u32 node = req->node;
	struct holders coming = { .node = node, .relayed = true, .first = MCFAB_NONE };
	const struct mcfab_host *h = &e->hosts.host[node];
	s32 room = atomic_read(&h->room);
	u32 i, nr, known;
	bool any = false;

	/* there is, or the interface works, or packets come */
	if (room > 0 || h->ni.queue.head != MCFAB_NONE ||
	    consumers_can_go(e, router, &coming))
		return true;
	known = coming.held;
	*holder = coming.first;
	for (i = 0; i < e->hw.inject; i++)
		any |= source_can_go(e, node, i, holder);
	for (nr = h->kept; nr != MCFAB_NONE; nr = e->hosts.job[nr].behind, known++)
		if (packet_can_go(e, node, nr, any))
			return true;
	/* messages of which packets are missing fill the memory: the packet waits for its like */
	if (*holder == MCFAB_NONE)
		*holder = req->rec;
	/* packets that have just come, or copies that have just left */
	return known < e->hosts.times.memory - room;
}

/**
 * mcfab_request_can_go() - will a request be granted?
 * @e: engine
 * @req: the request
 * @router: where it waits
 * @holder: set to the first record in the way if not
 *
 * Context: boundary, within the search for deadlocks.
 * Return: true if it will be, as far as other requests are known not to be stuck.
 */
bool mcfab_request_can_go(const struct mcfab_engine *e, const struct mcfab_request *req, u32 router,
			  u32 *holder)
{
	u32 p, v, nr;

	*holder = MCFAB_NONE;
	if (req->node != MCFAB_NONE)
		return consume_can_go(e, req->node, router, holder) &&
		       (!mcfab_waits_for_memory(e, req) ||
			memory_can_go(e, req, router, holder));
	for (p = 0; p < req->nports; p++) {
		u32 base = mcfab_topo_channel(e->topo, router, req->port[p]) * e->hw.vcs;

		for (v = 0; v < e->hw.vcs; v++) {
			if (!(req->vcs[p] & BIT(v)))
				continue;
			if (vc_can_go(e, base + v, &nr))
				return true;
			*holder = *holder == MCFAB_NONE ? nr : *holder;
		}
	}
	return false;
}
