// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts' links that take a flit to the switch every few cycles only (MCFAB_ENG_PORTS and
 * MCFAB_ENG_RATES, struct mcfab_graph_host.pace). What port.c says of room holds here, too. But the
 * flits of a packet may be missing when their turn comes, so they are counted one by one: a record
 * has those that have come to the switch.
 *
 * In a cycle a flit leaves the host before the worms move if there is room then, else after they
 * have made room.
 */
#include "engine/node/node.h"
#include "engine/state/flits.h"
#include "engine/state/port.h"

/* are there flits at the host, and is there room for one? */
static bool may_leave(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_slow_port *slow = &e->slow_port[nr];
	const struct mcfab_port *port = &e->port[nr];

	return port->oldest != MCFAB_NO_REC && slow->left < port->flits &&
	       slow->left - e->rec[port->oldest].freed < mcfab_port_room(e);
}

/* a flit leaves the host, if the link takes one */
static void leave(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_slow_port *slow = &e->slow_port[nr];
	struct mcfab_port *port = &e->port[nr];
	u32 node = nr / e->hw.inject;
	u64 age;

	if (slow->next > e->cycle || !may_leave(e, nr))
		return;
	age = e->cycle - slow->stamp;
	slow->history = (age > 63 ? 0 : slow->history << age) | 1;
	slow->stamp = e->cycle;
	slow->next = e->cycle + mcfab_topo_pace_in(e->topo, node);
	if (++slow->left < port->flits)
		return;
	port->free = e->cycle + 1;
	mcfab_timers_hasten(&s->timers, node, port->free);
}

/* flits that have come to the switch are in the record of the packet at the front */
static void come(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	const struct mcfab_slow_port *slow = &e->slow_port[nr];
	u32 rec = e->port[nr].oldest, came = slow->left, delay = e->hw.inject_delay;
	struct mcfab_rec *r = &e->rec[rec];
	u64 age = e->cycle - slow->stamp;

	if (delay && age < delay)
		came -= hweight64(slow->history << age & GENMASK_ULL(delay - 1, 0));
	/* the others wait in the registers of the link */
	came = min3(came, r->freed + e->hw.buffer, mcfab_len(e, rec, e->flags));
	if (came == r->sent)
		return;
	r->sent = came;
	mcfab_worm_activate(e, s, r->worm);
}

/**
 * mcfab_slow_port_enter() - a packet takes a slow link
 * @e: engine
 * @s: shard of the node
 * @nr: number of the port
 * @rec: record of the packet; its header has still to make its request
 *
 * Context: grant phase, before mcfab_slow_ports_step().
 */
void mcfab_slow_port_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 rec)
{
	struct mcfab_slow_port *slow = &e->slow_port[nr];

	e->rec[rec].sent = 0;
	if (slow->next > e->cycle)
		e->head[rec].ready += slow->next - e->cycle;
	if (slow->listed)
		return;
	slow->listed = true;
	slow->behind = s->slow_ports;
	s->slow_ports = nr;
}

/**
 * mcfab_slow_ports_step() - flits leave hosts, and come to switches
 * @e: engine with MCFAB_ENG_RATES
 * @s: the shard
 *
 * Context: grant phase, after packets have taken links.
 */
void mcfab_slow_ports_step(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 *at = &s->slow_ports, nr, done = 0;

	while ((nr = *at) != MCFAB_NONE) {
		struct mcfab_slow_port *slow = &e->slow_port[nr];

		mcfab_breathe(++done);
		if (e->port[nr].oldest == MCFAB_NO_REC) {
			slow->listed = false;
			*at = slow->behind;
			continue;
		}
		leave(e, s, nr);
		come(e, s, nr);
		at = &slow->behind;
	}
}

/**
 * mcfab_slow_ports_fill() - flits leave hosts for room that was made in this cycle
 * @e: engine with MCFAB_ENG_RATES
 * @s: the shard
 *
 * Context: end of the move phase.
 */
void mcfab_slow_ports_fill(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 nr, done = 0;

	for (nr = s->slow_ports; nr != MCFAB_NONE; nr = e->slow_port[nr].behind) {
		mcfab_breathe(++done);
		leave(e, s, nr);
	}
}

/**
 * mcfab_slow_ports_next() - earliest cycle in which a flit may leave a host or come to a switch
 * @e: engine with MCFAB_ENG_RATES
 * @s: the shard
 *
 * A flit without room leaves only after a worm has moved.
 *
 * Context: end of the move phase.
 * Return: the cycle, U64_MAX: none.
 */
u64 mcfab_slow_ports_next(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	u64 next = U64_MAX;
	u32 nr;

	for (nr = s->slow_ports; nr != MCFAB_NONE; nr = e->slow_port[nr].behind) {
		const struct mcfab_slow_port *slow = &e->slow_port[nr];

		/* the last flit that left is still on its way, or is read from the next cycle on */
		if (e->cycle - slow->stamp < max(e->hw.inject_delay, 1U))
			return e->cycle + 1;
		if (may_leave(e, nr))
			next = min(next, max(slow->next, e->cycle + 1));
	}
	return next;
}
