/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of the network, and what its thread keeps for itself.
 */
#ifndef MCFAB_ENGINE_STATE_SHARD_H
#define MCFAB_ENGINE_STATE_SHARD_H

#include "plan/blame.h"
#include "engine/lib/timers.h"
#include "engine/lib/schedule.h"
#include "engine/state/channel.h"
#include "engine/state/outbox.h"
#include "engine/lib/wheel.h"

/** struct mcfab_queue - intrusive first-in first-out queue of numbers */
struct mcfab_queue {
	u32 head;
	u32 tail;
};

/**
 * struct mcfab_accused - what a policy did wrong, and with which message
 * @blame: what; its @what is NULL: nothing
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
 * struct mcfab_shard - a part of the network; one thread works on it at a time
 * @nr: its number
 * @router: first router of this shard; the next shard's first ends it
 * @outbox: [nshards] outboxes to the grant phase of each shard
 * @grants: [nshards] outboxes to the move phase of each shard
 * @events_memory: [nshards] memory of both
 * @nactive: worms that may move
 * @active: the worms
 * @marked: routers to scan in this cycle, or (set when moving) in the next one
 * @nmarked: how many
 * @contended: channels with several owned VCs
 * @ncontended: how many
 * @inports: input ports with headers in them, by the channel that leads there
 *	     (only with limited input speed-up)
 * @ninports: how many
 * @consuming: routers whose nodes consume packets (MCFAB_ENG_SHARED)
 * @nconsuming: how many
 * @flying: headers on a link longer than one cycle
 * @routing: headers in their route_delay
 * @injecting: headers in their inject_delay and route_delay
 * @credits: VCs whose credits are under way; ring of (cycle, VC)
 * @crossing: intervals under way, in the order of their ends (MCFAB_ENG_WORM)
 * @fresh: first of them that began in this cycle, or MCFAB_NONE
 * @moved: an interval ended in this cycle
 * @tails: tails that are due, by record: those that leave a record's buffer, or
 *	   (MCFAB_ENG_TREES) that cross its channel (MCFAB_ENG_TAILS)
 * @copies: likewise: ends of copies, by record
 * @events: what is due, by enum mcfab_due_kind (MCFAB_ENG_FLIGHTS)
 * @ended: worms whose last delivery is still under way
 * @over: worms that ended as flights, of whose end nobody waits to hear: no event
 * @relays: relays whose delivery is still under way
 * @timers: next event of each node
 * @request: this shard's requests
 * @free_request: first of those that were in use, or MCFAB_NONE
 * @new_request: those from here on never were
 * @free_rec: by the shard that moves flits: first record that was in use, or MCFAB_NO_REC,
 *	      see rec.h
 * @new_rec: those from here on never were
 * @first_rec: the shard's first record
 * @end_rec: one past its last record
 * @worm_high: highest number of a worm (MCFAB_ENG_FLIGHTS)
 * @nflights: worms under way, likewise
 * @nopen: those of them with MCFAB_FLIGHT_OPEN
 * @mcast_high: one past the highest number of a message taken here
 * @scratch: working space of the policy
 * @asked: calls of the policy's route()
 * @decision: where the policy writes a header's outputs
 * @dst: working space for the destinations of one message
 * @next_event: earliest cycle with anything to do, as of the end of the move phase
 * @flit_hops: flits moved over network channels by records released here
 * @deliveries: tails delivered
 * @dead_worm: worms whose numbers the next move phase gives back
 * @ndead_worms: how many
 * @dead_block: plan blocks, likewise
 * @ndead_blocks: how many
 * @dead_round: steps of further rounds, likewise
 * @ndead_rounds: how many
 * @dead_job: jobs of nodes' stages, likewise
 * @ndead_jobs: how many
 * @drops: copies that came to no destination, by enum mcfab_drop
 * @skipped: messages that could reach nobody, generated since source queues were looked at
 * @skipped_dests: their destinations
 * @unqueued: others, which that look had counted
 * @exhausted: first cycle behind a node's last message, U64_MAX: none has come to its last
 * @done: complete messages
 * @broken: an invariant broke, or the policy did wrong
 * @accused: in the second case, what it did
 *
 * All threads look for events to them: what is in the first line stays as it is.
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
	struct mcfab_queue flying;
	struct mcfab_queue routing;
	struct mcfab_queue injecting;
	struct {
		u64 *due;
		u32 *vc;
		u32 head;
		u32 count;
		u32 size;
	} credits;
	struct mcfab_queue crossing;
	u32 fresh;
	bool moved;
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
	u64 skipped;
	u64 skipped_dests;
	u64 unqueued;
	u64 exhausted;
	u32 done;
	const char *broken;
	struct mcfab_accused accused;
} ____cacheline_aligned_in_smp;

#endif
