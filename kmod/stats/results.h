/* SPDX-License-Identifier: GPL-2.0 */
/* What a run has come to: the engine writes it, reports show it to readers. */
#ifndef MCFAB_STATS_RESULTS_H
#define MCFAB_STATS_RESULTS_H

#include <linux/spinlock.h>
#include "base/config.h"
#include "plan/policy.h"
#include "stats/channels.h"
#include "stats/stats.h"

struct mcfab_report;

/** MCFAB_DEADLOCK_WORMS - most worms of a cycle of waits that are reported */
#define MCFAB_DEADLOCK_WORMS	64

/**
 * struct mcfab_wait - a worm of a reported deadlock
 * @gen: generation cycle of its message
 * @source: source of its message
 * @seq: sequence number of its message
 * @worm: index in its message's plan
 * @router: where its header waits
 * @port: output port it waits for (MCFAB_PORT_ANY: a consumption channel)
 * @vc: lowest virtual channel it would take
 * @since: cycle of the request
 * @holder: index, in this report, of a worm that holds the channel
 */
struct mcfab_wait {
	u64 gen;
	u32 source;
	u32 seq;
	u32 worm;
	u32 router;
	u16 port;
	u16 vc;
	u64 since;
	u32 holder;
};

/**
 * struct mcfab_deadlock - a deadlock that ended a run
 * @cycle: when it was found
 * @worms: worms that can never move again
 * @nwaits: entries of @wait: one cycle of waits among them
 * @wait: who waits for what held by whom
 */
struct mcfab_deadlock {
	u64 cycle;
	u32 worms;
	u32 nwaits;
	struct mcfab_wait wait[MCFAB_DEADLOCK_WORMS];
};

/**
 * struct mcfab_ni_use - memory of the network interfaces that send packets on
 * @packets: packets that were received and sent on from there
 * @peak: most that one of them had at any time, those it had not come to included
 * @residence: cycles from when they were received to their last copy, summed up
 * @residence_max: the longest of these times
 */
struct mcfab_ni_use {
	u64 packets;
	u32 peak;
	u64 residence;
	u64 residence_max;
};

/**
 * struct mcfab_chosen - how a run is computed
 * @mode: name of the mode in which it began
 * @why: what stands against each faster one
 */
struct mcfab_chosen {
	char mode[16];
	char why[256];
};

/**
 * struct mcfab_progress - where a run is
 * @state: running, or how the last run ended
 * @cycle: simulated cycle (LONE: of the multicast under way)
 * @messages: messages generated whose deliveries are all known
 * @deliveries: copies delivered
 * @flit_hops: flits that crossed a channel, injection not counted
 * @expected: messages the run will make, 0: not known
 * @stalls: headers that waited longer than stall_limit without a deadlock
 * @drops: copies that came to no destination, by enum mcfab_drop
 * @ni: network interfaces that send on, all zero: there are none
 * @hash: result hash (rule 9); valid if @has_hash
 * @has_hash: false while running, after a stop, and if the run failed
 * @started_ns: when the run began, by ktime_get_ns()
 * @wall_ns: wall-clock time of the run, once it is over
 * @threads: router threads
 * @bytes: memory of the fabric
 * @state_bytes: what of it the run's cycles touched for the network's state, once it is over
 * @run: counts the runs of this fabric, from 1
 * @chosen: how it is computed
 * @why: for people: why a run was cut, saturated or failed
 */
struct mcfab_progress {
	enum mcfab_run_status state;
	u64 cycle;
	u64 messages;
	u64 deliveries;
	u64 flit_hops;
	u64 expected;
	u64 stalls;
	u64 drops[MCFAB_DROPS + 1];
	struct mcfab_ni_use ni;
	u64 hash;
	bool has_hash;
	u64 started_ns;
	u64 wall_ns;
	u32 threads;
	u64 bytes;
	u64 state_bytes;
	u32 run;
	struct mcfab_chosen chosen;
	char why[192];
};

/**
 * struct mcfab_results - what the current or last run of a fabric has come to
 * @run: its configuration
 * @lock: held by whoever computes: protects all but @report. A router thread may hold it for
 *	  long, so readers do not take it: they go by @report
 * @report_lock: of the pointer @report: held for a few instructions
 * @report: what readers see, see report.h
 * @stats: statistics
 * @progress: where the run is
 * @deadlock: if it ended deadlocked
 * @channel_flits: [channels] flits that crossed in the measuring window
 * @channel_wait: [channels] cycles headers waited for each in that window
 * @channel_window: cycles of that window
 * @balance: how evenly channels were used in it, if it has any cycles
 * @queue_max: longest source queue seen, in messages; MCFAB_NONE: none has been looked at
 */
struct mcfab_results {
	struct mcfab_run_cfg run;
	struct mutex lock;		/* of whoever computes, see above */
	spinlock_t report_lock;		/* of a pointer, see above */
	struct mcfab_report *report;
	struct mcfab_stats stats;
	struct mcfab_progress progress;
	struct mcfab_deadlock deadlock;
	u64 *channel_flits;
	u64 *channel_wait;
	u64 channel_window;
	struct mcfab_balance balance;
	u32 queue_max;
};

#endif
