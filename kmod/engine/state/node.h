/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The send queue of a node.
 */
#ifndef MCFAB_ENGINE_STATE_NODE_H
#define MCFAB_ENGINE_STATE_NODE_H

#include "stats/stats.h"
#include "workload/workload.h"

/** enum mcfab_task_state - what a node's send queue is doing */
enum mcfab_task_state {
	MCFAB_TASK_NONE,	/* waits for the next message */
	MCFAB_TASK_STARTUP,	/* prepares and starts up, until @ready */
	MCFAB_TASK_INJECT,	/* worms of the round take injection channels */
	MCFAB_TASK_WAIT,	/* waits until the round is injected or delivered */
};

/**
 * struct mcfab_node - a node's send queue
 * @stream: next message it generates
 * @free_at: cycle from which it may start up the next task
 * @ready: cycle in which the start-up of the current round ends
 * @begun: cycle in which the current task's first round entered the queue
 * @channels: free injection channels
 * @prep: preparation time of the current task, spent before its first round
 * @consume: free consumption channels (only where they are scarce)
 * @full: MCFAB_ENG_HOLDS: it grants no consumption channel. Written at the boundary
 * @state: what it is doing, enum mcfab_task_state
 * @out: MCFAB_ENG_FLIGHTS: newest of its worms with MCFAB_FLIGHT_OUT (the node has not heard that
 *	 the tail has left), or MCFAB_NO_WORM
 * @relays: oldest step in the queue that is not a message's first
 * @mcast: message of the current task
 * @task: counts rounds of tasks
 * @relayed: MCFAB_ENG_HOST, in place of @task: job of the packet of which the NI sends a copy, or
 *	     MCFAB_NONE
 * @first: first worm of the plan in the current round
 * @next: next worm of the plan to inject
 * @packet: packets of the message that all worms of the round have injected
 * @serial: worms injected so far
 * @round_end: end of the round's worms
 * @next_round: step that follows the round, or MCFAB_NONE
 * @task_end: end of the task's worms
 * @uninjected: packets of the round whose tail has not left, where the node is busy until then
 * @undelivered: packets of the round that have not ended, likewise
 * @part: parts of the latency before the task
 */
struct mcfab_node {
	struct mcfab_source stream;
	u64 free_at;
	u64 ready;
	u64 begun;
	u64 channels;
	u32 prep;
	u16 consume;
	bool full;
	u8 state;
	u32 out;
	u32 relays;
	u32 mcast;
	union {
		u32 task;
		u32 relayed;
	};
	u32 first;
	u32 next;
	u32 packet;
	u32 serial;
	u32 round_end;
	u32 next_round;
	u32 task_end;
	u32 uninjected;
	u32 undelivered;
	u32 part[MCFAB_PARTS];
};

#endif
