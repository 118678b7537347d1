// SPDX-License-Identifier: GPL-2.0
/*
 * A host's link ends in an input port of its switch, with a FIFO like every other input
 * (MCFAB_ENG_PORTS: irregular networks with vc-release sent). A packet of L flits that has
 * got the link in cycle c keeps it up to cycle c + L - 1, or until there has been room for
 * its last flit. The next packet may have the link in the cycle after that, and waits in the
 * FIFO until its header is at the front.
 *
 * The engine moves no flits over the link. A packet's record is the source's record, and has
 * from the beginning as many flits as the buffer holds. The results are the same as flit by
 * flit: flits come one per cycle, and are read one per cycle at most, so no flit is missing
 * when its turn comes. A flit enters the buffer in the cycle in which room is made, so a record
 * always has the flits that were freed and a full buffer. (A record that a single branch reads
 * may have all flits.) The unread flits are the @flits of all packets, less the flits of the
 * first packet that were read. The buffer, and the registers of a long link, hold as many of
 * them as they have room for; only the others are still at the host. So the newest packet's
 * last flit has left the host as soon as there is room for all unread flits, and not before.
 *
 * A link that does not take a flit in every cycle is another matter, see slow_port.c.
 *
 * The node asks for room when it wants to send. If there is none, it marks the packet at the
 * front; when a flit of this packet is read, the node asks again.
 *
 * Everything but mcfab_port_read() runs in the grant phase of the shard that owns the node.
 */
#include "engine/node/node.h"
#include "engine/state/flits.h"
#include "engine/state/port.h"
#include "engine/state/rec.h"

static struct mcfab_port *port_of(const struct mcfab_engine *e, u32 node, u32 channel)
{
	return &e->port[node * e->hw.inject + channel];
}

/* does the link of a node take a flit to the switch every few cycles only? */
static bool is_slow(const struct mcfab_engine *e, u32 node)
{
	return e->flags & MCFAB_ENG_RATES && mcfab_topo_pace_in(e->topo, node) > 1;
}

/* unread flits of all packets: in the buffer, or to be there when it has room */
static u32 unread(const struct mcfab_engine *e, const struct mcfab_port *port)
{
	if (port->oldest == MCFAB_NO_REC)
		return 0;
	/* buffers of whole packets: a packet counts until it has left as a whole */
	if (e->flags & MCFAB_ENG_WORM)
		return port->flits;
	return port->flits - e->rec[port->oldest].freed;
}

/* have the node woken when a flit of the packet at the front is read */
static void want(struct mcfab_engine *e, struct mcfab_port *port)
{
	if (port->oldest == MCFAB_NO_REC)
		return;
	port->wanted = true;
	e->rec[port->oldest].flags |= MCFAB_REC_WANTED;
}

/**
 * mcfab_ports_step() - notice which tails have left a host
 * @e: engine with MCFAB_ENG_PORTS
 * @s: shard of the node
 * @node: the node
 *
 * Context: grant phase.
 */
void mcfab_ports_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	u32 i;

	for (i = 0; i < e->hw.inject; i++) {
		struct mcfab_port *port = port_of(e, node, i);

		if (!port->sending || e->cycle < port->free)
			continue;
		if (unread(e, port) > mcfab_port_room(e)) {
			want(e, port);
			continue;
		}
		port->sending = false;
		mcfab_node_left(e, s, port->worm, i);
	}
}

/**
 * mcfab_ports_expect() - set the node's timer to when the next tail may have left the host
 * @e: engine with MCFAB_ENG_PORTS
 * @s: shard of the node
 * @node: the node; its other events are set
 *
 * Context: grant phase.
 */
void mcfab_ports_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 node)
{
	u32 i;

	for (i = 0; i < e->hw.inject; i++) {
		const struct mcfab_port *port = port_of(e, node, i);

		if (port->sending && e->cycle < port->free && port->free != U64_MAX)
			mcfab_timers_hasten(&s->timers, node, port->free);
	}
}

/**
 * mcfab_port_find() - an injection channel whose port has room for a whole packet
 * @e: engine with MCFAB_ENG_PORTS; grants need such room
 * @node: the node
 * @flits: flits of the packet
 *
 * Context: grant phase.
 * Return: the lowest free one, or MCFAB_NONE; if only room is missing, the node is woken when
 *	   there is more room.
 */
u32 mcfab_port_find(struct mcfab_engine *e, u32 node, u32 flits)
{
	u64 channels = e->node[node].channels;
	u32 i;

	for (i = 0; i < e->hw.inject; i++) {
		struct mcfab_port *port = port_of(e, node, i);

		if (!(channels & BIT_ULL(i)))
			continue;
		if (unread(e, port) + flits <= e->hw.buffer)
			return i;
		want(e, port);
	}
	return MCFAB_NONE;
}

/* put a header into the queue of headers that make their requests in known cycles */
static void request_later(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 *at = &s->injecting.head;

	while (*at != MCFAB_NONE && e->head[*at].ready <= e->head[rec].ready)
		at = &e->head[*at].next_header;
	if (*at == MCFAB_NONE)
		s->injecting.tail = rec;
	e->head[rec].next_header = *at;
	*at = rec;
}

/**
 * mcfab_port_enter() - a packet takes a host's link
 * @e: engine with MCFAB_ENG_PORTS
 * @s: shard of the node
 * @node: the node
 * @channel: its injection channel
 * @rec: record of the packet; @ready is the cycle of the request if the packet is alone
 *
 * Context: grant phase.
 */
void mcfab_port_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, u32 channel,
		      u32 rec)
{
	struct mcfab_port *port = port_of(e, node, channel);
	u32 flits = mcfab_len(e, rec, e->flags);
	bool slow = is_slow(e, node);

	/* if several branches read it, none may be farther ahead than the buffer allows */
	if (!(e->flags & MCFAB_ENG_PATHS))
		e->rec[rec].sent = min(flits, e->hw.buffer);
	if (slow)
		mcfab_slow_port_enter(e, s, port - e->port, rec);
	if (port->oldest == MCFAB_NO_REC) {
		port->oldest = rec;
		e->source[node * e->hw.inject + channel] = rec;
		request_later(e, s, rec);
	} else {
		e->rec[port->newest].behind = rec;
		e->rec[rec].flags |= MCFAB_REC_PENDING;
	}
	port->newest = rec;
	port->flits += flits;
	port->worm = e->rec[rec].worm;
	/* the tail has left a slow link when leave() of slow_port.c says so */
	port->free = slow ? U64_MAX : e->cycle + flits;
	port->sending = true;
}

/**
 * mcfab_port_drained() - the packet at the front of a port's buffer has left it
 * @e: engine with MCFAB_ENG_PORTS
 * @s: shard of the node
 * @rec: its record; not in use any more
 *
 * The next one is at the front now.
 *
 * Context: grant phase.
 */
void mcfab_port_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 node = mcfab_rec_node(e, rec), channel = mcfab_rec_channel(e, rec);
	struct mcfab_port *port = port_of(e, node, channel);
	u32 next = rec == port->newest ? MCFAB_NO_REC : e->rec[rec].behind;

	port->flits -= mcfab_len(e, rec, e->flags);
	if (is_slow(e, node))
		e->slow_port[port - e->port].left -= mcfab_len(e, rec, e->flags);
	port->oldest = next;
	e->source[node * e->hw.inject + channel] = next;
	if (port->wanted)
		mcfab_timers_hasten(&s->timers, node, e->cycle);
	port->wanted = false;
	mcfab_rec_clear(&e->rec[rec], s->nr);
	mcfab_rec_give(e, s, rec);
	if (next == MCFAB_NO_REC)
		return;
	e->rec[next].flags &= ~MCFAB_REC_PENDING;
	/* not before the header has come */
	e->head[next].ready = max(e->head[next].ready, e->cycle + e->hw.route_delay);
	request_later(e, s, next);
}

/**
 * mcfab_port_read() - a flit has left a port's buffer, and the node waits for room there
 * @e: engine
 * @s: shard of the node
 * @rec: record with MCFAB_REC_WANTED, at the front
 *
 * Context: move phase of the worm's shard, which is the node's.
 */
noinline void mcfab_port_read(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 node = e->worm[e->rec[rec].worm].node;

	e->rec[rec].flags &= ~MCFAB_REC_WANTED;
	mcfab_timers_hasten(&s->timers, node, e->cycle + 1);
}
