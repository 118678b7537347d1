/* SPDX-License-Identifier: GPL-2.0 */
/* Nodes: what they send, and when. */
#ifndef MCFAB_ENGINE_NODE_H
#define MCFAB_ENGINE_NODE_H

#include "engine/state/engine.h"

/* node.c */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_node_relay(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay);
void mcfab_node_await(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay);
void mcfab_nodes_wake(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_node_worm_end(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_node_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel);
void mcfab_node_progress(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast);

/* inject.c: worms get injection channels */
u32 mcfab_node_port(struct mcfab_engine *e, u32 nr, u32 mcast, u32 index, u32 packet);
struct mcfab_worm *mcfab_node_inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				     u32 channel, u32 mcast, u32 index, u32 packet);

/* host.c: nodes with hosts and network interfaces */
void mcfab_host_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_host_init(struct mcfab_engine *e);
void mcfab_host_forget(struct mcfab_engine *e, u32 mcast);
void mcfab_host_use(const struct mcfab_engine *e, struct mcfab_ni_use *use);

/* ni_memory.c: memory of network interfaces for packets that they send on (MCFAB_ENG_MEMORY) */
void mcfab_ni_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);

/* port.c: hosts' links to their switches */
void mcfab_ports_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_ports_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
u32 mcfab_port_find(struct mcfab_engine *e, u32 node, u32 flits);
void mcfab_port_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, u32 channel,
		      u32 rec);
void mcfab_port_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_port_read(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);

/* slow_port.c: hosts' links that do not take a flit in every cycle */
void mcfab_slow_port_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 rec);
void mcfab_slow_ports_step(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_slow_ports_fill(struct mcfab_engine *e, struct mcfab_shard *s);
u64 mcfab_slow_ports_next(const struct mcfab_engine *e, const struct mcfab_shard *s);

/* flights.c: worms whose headers fly ahead */
void mcfab_flights_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_flight_forget(struct mcfab_engine *e, u32 worm);
void mcfab_flight_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_flight_begin(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel,
			const struct mcfab_plan_worm *pw);
void mcfab_node_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 gone);
bool mcfab_node_expects(const struct mcfab_engine *e, u32 nr);

/* a header will make its request in cycle @cycle: put it into the schedule */
static inline void mcfab_flight_land(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm,
				     u64 cycle)
{
	struct mcfab_flight *f = &e->flights.flight[worm];

	f->due = cycle;
	f->flags |= MCFAB_FLIGHT_DUE;
	mcfab_schedule_put(&s->events, MCFAB_DUE_REQUEST, &f->next, worm, cycle);
}

/* earliest cycle in which a delivery that is under way comes to its node, or @next */
static inline u64 mcfab_next_delivery(const struct mcfab_engine *e, const struct mcfab_shard *s,
				      u64 next)
{
	if (s->ended.head != MCFAB_NONE)
		next = min(next, e->worm[s->ended.head].end + 1);
	if (s->relays.head != MCFAB_NONE)
		next = min(next, e->relay[s->relays.head].entry + 1);
	return max(next, e->cycle + 1);
}

/* does a send queue wait for packets on their way? if it waits for time alone, its timer is set */
static inline bool mcfab_node_waits(const struct mcfab_engine *e, const struct mcfab_node *n)
{
	return e->flags & MCFAB_ENG_HOST || n->state == MCFAB_TASK_INJECT ||
	       n->state == MCFAB_TASK_WAIT;
}

/**
 * mcfab_node_channel() - a free injection channel for a packet
 * @e: engine
 * @nr: the node
 * @mcast: the message
 * @index: the worm's number in its plan
 * @packet: the packet's number in the message
 *
 * Context: grant phase.
 * Return: the lowest free one, or MCFAB_NONE: the node is woken when there is one.
 */
static inline u32 mcfab_node_channel(struct mcfab_engine *e, u32 nr, u32 mcast, u32 index,
				     u32 packet)
{
	u64 channels = e->node[nr].channels;

	if (!channels)
		return MCFAB_NONE;
	if (likely(!(e->flags & MCFAB_ENG_PORTS) || !e->hw.packet_room))
		return __ffs64(channels);
	return mcfab_node_port(e, nr, mcast, index, packet);
}

#endif
