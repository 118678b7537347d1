/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of the boundary, the part of a cycle that one thread computes.
 */
#ifndef MCFAB_ENGINE_STATE_BOUNDARY_H
#define MCFAB_ENGINE_STATE_BOUNDARY_H

#include "base/config.h"
#include "plan/walk.h"
#include "stats/stats.h"

/* lists of complete messages that wait for older ones: each list for so many generation cycles */
#define MCFAB_WAITING_CYCLES	1024U
#define MCFAB_WAITING_LISTS	64U

/** struct mcfab_lone - a lone multicast to run: its source and number */
struct mcfab_lone {
	u32 source;
	u32 index;
};

/**
 * struct mcfab_boundary - state of the boundary
 * @state: how the run ended, or running
 * @stop: set by any thread: end the run
 * @idle: nothing was left when it ended
 * @alarm: a pool ran dry
 * @rows_end: mode row: a worm has as many buffers as a row has bits, or worms hardly meet
 * @paranoid: check conservation in every cycle
 * @log_low: complete messages are counted at once when fewer numbers of the log are free
 * @mcast_low: likewise, when fewer numbers of messages are free
 * @rec_high: records grow when a higher one was in use, see lean.c; U32_MAX: they do not
 * @max_cycles: bound on the simulated time
 * @stalled_to: requests before this cycle were looked at by the deadlock walk
 * @check_interval: cycles between two of the slower duties
 * @next_check: cycle at or after which the slower duties are done
 * @next_duty: cycle in which anything is due that is not done in every cycle
 * @next_flush: cycle from which on low pools may be filled up before that
 * @next_queues: cycle at or after which source queues are looked at
 * @queue_interval: least distance of two such looks
 * @looked: the last of these looks has counted messages that were generated before this cycle
 * @oldest: at that look: first generation cycle of messages that no node had taken up
 * @next_gen: first generation cycle after the last of these looks
 * @queues_seen: there was such a look
 * @queue_max: longest source queue seen, in messages
 * @flooded: of all messages generated up to the last of these looks half were in source queues
 * @next_stall: cycle at or after which waiting headers are looked at
 * @base: LONE: cycle in which the current multicast was generated
 * @lone: LONE: multicasts in the order of (source, number), in which they are run
 * @nlone: number of lone multicasts
 * @at: index of the next one
 * @waiting: complete messages that wait for older messages, by generation cycle, see flush.c
 * @nwaiting: number of them
 * @counted_to: all messages generated before this cycle were handed to the statistics
 * @order: complete messages that are handed to the statistics, while they are sorted
 * @sorted: the same, sorted
 * @part: while they are sorted, where the messages of a time go
 * @dlv: deliveries of one message, sorted
 * @dlv_key: their destinations and places in the log
 * @predict_space: LONE: working space of the prediction
 * @predicted: LONE: the current multicast without contention
 * @predicts: LONE: there is a prediction
 * @windowed: channel counts of the window's start are taken
 * @counted: channel counts of the window's end are taken
 * @window_start: cycle in which the counts of the start were taken
 * @longest: end cycle of LONE runs: the longest multicast
 */
struct mcfab_boundary {
	enum mcfab_run_status state;
	bool stop;
	bool idle;
	bool paranoid;
	bool alarm;
	bool rows_end;
	u32 log_low;
	u32 mcast_low;
	u32 rec_high;
	u64 max_cycles;
	u64 stalled_to;
	u64 check_interval;
	u64 next_check;
	u64 next_duty;
	u64 next_flush;
	u64 next_stall;
	u64 next_queues;
	u64 queue_interval;
	u64 looked;
	u64 oldest;
	u64 next_gen;
	u32 queue_max;
	bool queues_seen;
	bool flooded;
	u64 base;
	struct mcfab_lone *lone;
	u32 nlone;
	u32 at;
	u32 waiting[MCFAB_WAITING_LISTS];
	u32 nwaiting;
	u64 counted_to;
	u32 *order;
	u32 *sorted;
	u32 *part;
	struct mcfab_delivery *dlv;
	u64 *dlv_key;
	void *predict_space;
	struct mcfab_prediction predicted;
	bool predicts;
	bool windowed;
	bool counted;
	u64 window_start;
	u64 longest;
};

#endif
