/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A shard: a part of the routers, with the state that only its thread uses.
 */
#ifndef MCFAB_ENGINE_STATE_SHARD_H
#define MCFAB_ENGINE_STATE_SHARD_H

#include "plan/blame.h"
#include "stats/load.h"
#include "engine/lib/timers.h"
#include "engine/lib/schedule.h"
#include "engine/state/channel.h"
#include "engine/state/outbox.h"
#include "engine/lib/wheel.h"

/** struct mcfab_queue - first-in first-out queue of numbers; links are in what the numbers name */
struct mcfab_queue {
	u32 head;
	u32 tail;
};

/**
 * struct mcfab_accused - what a policy did wrong, and with which message
 * @blame: the broken promise; its @what is NULL: there is none
 * @gen: generation cycle of the message (LONE: of the multicast under way, 0)
 * @source: its source
 * @seq: its sequence number there (LONE: number of the multicast)
 */
struct mcfab_accused {
	struct mcfab_blame blame;
	u64 gen;
	u32 source;
	u32 seq;
};

/**
 * struct mcfab_credits - credits under way, a ring
 * @due: cycles in which they are seen
 * @vc: their VCs
 * @head: the first of them
 * @count: how many
 * @size: entries of the ring
 */
struct mcfab_credits {
	u64 *due;
	u32 *vc;
	u32 head;
	u32 count;
	u32 size;
};

/**
 * struct mcfab_shard - a part of the network; one thread works on it at a time
 * @nr: its number
 * @router: first router of this shard; the next shard's first ends it
 * @outbox: [nshards] outboxes to the grant phase of each shard
 * @grants: [nshards] outboxes to the move phase of each shard
 * @events_memory: memory of the events in both
 * @nactive: worms that may move
 * @active: the worms; mode hop: records of packets that cross in this cycle, or come to nodes
 * @marked: routers to scan in this cycle, or (set when moving) in the next one
 * @nmarked: number of marked routers
 * @contended: channels with several owned VCs; mode hop: channels over which a packet may cross
 * @ncontended: number of these channels
 * @inports: input ports of several VCs with headers in them, by the channel that leads
 *	     there (only with limited input speed-up); MCFAB_ENG_BOOKSIM: with headers in
 *	     several VCs
 * @ninports: number of these ports
 * @consuming: routers whose nodes consume packets (MCFAB_ENG_SHARED)
 * @nconsuming: number of these routers
 * @flying: [link_delays] headers on links longer than one cycle, by their delay
 * @routing: headers in their route_delay
 * @injecting: headers in their inject_delay and route_delay
 * @slow_ports: first of the slow ports with packets (struct mcfab_slow_port), or MCFAB_NONE
 * @credits: [link_delays] VCs whose credits are under way, by the delay of their links
 * @credits_until: MCFAB_ENG_STAMPS, in place of @credits: cycle in which the last one is seen
 * @credit_due: memory of the rings in @credits
 * @credit_vc: likewise
 * @crossing: intervals under way, in the order of their ends (MCFAB_ENG_WORM)
 * @fresh: first interval of @crossing that began in this cycle, or MCFAB_NONE
 * @moved: an interval ended in this cycle
 * @nheld: mode hop: packets that have got a VC and not crossed, or wait for the node's turn
 * @tails: MCFAB_ENG_TAILS: wheel of records whose buffer the tail leaves, or (MCFAB_ENG_TREES)
 *	   whose channel it crosses; mode cruise: of worms, by their tails' next crossings
 * @copies: MCFAB_ENG_TAILS: wheel of records whose copies end
 * @events: MCFAB_ENG_FLIGHTS: schedule, by enum mcfab_due_kind
 * @ended: worms whose last delivery is still under way
 * @over: MCFAB_ENG_FLIGHTS: worms that ended and for whose end no node waits: no event
 * @relays: relays whose delivery is still under way
 * @timers: next event of each node
 * @request: this shard's requests
 * @free_request: first request that was in use and is free now, or MCFAB_NONE
 * @new_request: requests from this number on were never in use
 * @free_rec: by the shard that moves flits: first record that was in use and is free now, or
 *	      MCFAB_NO_REC, see rec.h
 * @new_rec: records from this number on were never in use
 * @first_rec: the shard's first record
 * @end_rec: one past its last record
 * @worm_high: highest number of a worm (MCFAB_ENG_FLIGHTS)
 * @nflights: number of worms under way (MCFAB_ENG_FLIGHTS)
 * @nopen: number of worms with MCFAB_FLIGHT_OPEN
 * @mcast_high: one past the highest number of a message taken here
 * @scratch: working space of the policy
 * @asked: number of calls of the policy's route()
 * @decision: where the policy writes a header's outputs
 * @dst: working space for the destinations of one message
 * @kept: [mcfab_engine_run.kept] plans that are kept
 * @kept_memory: their arrays
 * @next_event: earliest cycle with anything to do, as of the end of the move phase
 * @flit_hops: flits moved over network channels by records released here
 * @deliveries: tails delivered
 * @dead_worm: worms whose numbers the next move phase gives back
 * @ndead_worms: number of them
 * @dead_block: plan blocks, likewise
 * @ndead_blocks: number of them
 * @dead_round: steps of further rounds, likewise
 * @ndead_rounds: number of them
 * @dead_job: jobs of nodes' stages, likewise
 * @ndead_jobs: number of them
 * @drops: copies that came to no destination, by enum mcfab_drop
 * @skipped: messages without a reachable destination, generated since the last look at source
 *	     queues
 * @unqueued: messages without a reachable destination that the last look had counted
 * @exhausted: first cycle after a node's last message, U64_MAX: no node has come to its last
 * @done: complete messages
 * @handouts: deliveries of this cycle, by their numbers in the log, or MCFAB_NONE (outside.h)
 * @overs: messages from outside that are over since this cycle, or MCFAB_NONE (outside.h)
 * @broken: a broken invariant, or a broken promise of the policy
 * @accused: the broken promise of the policy, with its message
 *
 * All threads read the first line to find events to their shards, so it has only constants.
 */
struct mcfab_shard {
	u32 nr;
	u32 router;
	struct mcfab_outbox *outbox;
	struct mcfab_grants *grants;
	u32 *events_memory;

	u32 nactive ____cacheline_aligned_in_smp;
	u32 *active;
	u32 *marked;
	u32 nmarked;
	u32 *contended;
	u32 ncontended;
	u32 *inports;
	u32 ninports;
	u32 *consuming;
	u32 nconsuming;
	struct mcfab_queue *flying;
	struct mcfab_queue routing;
	struct mcfab_queue injecting;
	u32 slow_ports;
	struct mcfab_credits *credits;
	u64 credits_until;
	u64 *credit_due;
	u32 *credit_vc;
	struct mcfab_queue crossing;
	u32 fresh;
	bool moved;
	u32 nheld;
	struct mcfab_wheel tails;
	struct mcfab_wheel copies;
	struct mcfab_schedule events;
	struct mcfab_queue ended;
	struct mcfab_queue over;
	struct mcfab_queue relays;
	struct mcfab_timers timers;
	struct mcfab_request *request;
	u32 free_request;
	u32 new_request;
	u32 free_rec[MCFAB_MAX_SHARDS];
	u32 new_rec;
	u32 first_rec;
	u32 end_rec;
	u32 worm_high;
	u32 nflights;
	u32 nopen;
	u32 mcast_high;
	void *scratch;
	u32 asked;
	struct mcfab_decision *decision;
	u32 *dst;
	struct mcfab_kept *kept;
	void *kept_memory;
	u64 next_event;
	u64 flit_hops;
	u64 deliveries;
	u32 *dead_worm;
	u32 ndead_worms;
	u32 *dead_block;
	u32 ndead_blocks;
	u32 *dead_round;
	u32 ndead_rounds;
	u32 *dead_job;
	u32 ndead_jobs;
	u64 drops[MCFAB_DROPS + 1];
	struct mcfab_load_skipped skipped;
	u64 unqueued;
	u64 exhausted;
	u32 done;
	u32 handouts;
	u32 overs;
	const char *broken;
	struct mcfab_accused accused;
} ____cacheline_aligned_in_smp;

#endif
