/* SPDX-License-Identifier: GPL-2.0 */
/* Results of a run: the engine writes them, reports show them to readers. */
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
/** MCFAB_DEADLOCK_HELD - most channels in all that these worms are reported to hold */
#define MCFAB_DEADLOCK_HELD	384
/** MCFAB_DEADLOCK_DESTS - most destinations of these worms that are reported */
#define MCFAB_DEADLOCK_DESTS	512
/** MCFAB_WAIT_HELD - most channels that one worm is reported to hold: fits a part of a dump */
#define MCFAB_WAIT_HELD		64
/** MCFAB_WAIT_DESTS - most destinations of one worm that are reported */
#define MCFAB_WAIT_DESTS	128

/** enum mcfab_holding_kind - what a worm holds */
enum mcfab_holding_kind {
	MCFAB_HOLDING_INJECTION,	/* an injection channel */
	MCFAB_HOLDING_CHANNEL,	/* a virtual channel, or a part of its buffer */
	MCFAB_HOLDING_CONSUMPTION,	/* a consumption channel */
};

/**
 * struct mcfab_holding - a channel that a worm of a deadlock holds
 * @hops: network channels from the sender to here
 * @at: router that the channel leaves; of injection and consumption channels the node
 * @kind: enum mcfab_holding_kind
 * @port: port by which it leaves
 * @vc: its virtual channel
 */
struct mcfab_holding {
	u32 hops;
	u32 at;
	u16 kind;
	u16 port;
	u32 vc;
};

/**
 * struct mcfab_wait - a worm of a reported deadlock
 * @gen: generation cycle of its message
 * @source: source of its message
 * @seq: sequence number of its message
 * @worm: index in its message's plan
 * @packet: its number in the message
 * @router: where its header waits
 * @port: output port for which it waits (MCFAB_PORT_ANY: a consumption channel)
 * @vc: lowest virtual channel that it would take
 * @since: cycle of the request
 * @node: of a consumption channel the node, else MCFAB_NONE
 * @memory: the channel is free, but the node's network interface has no room for the packet
 * @holder: index, in this report, of a worm that holds the channel
 * @held: channels that it holds
 * @first_held: the first of them in the report's list, from its source on
 * @nheld: how many are listed there: if not all, those nearest to its headers
 * @dests: its destinations
 * @first_dest: the first of them in the report's list
 * @ndests: how many are listed there, in the order of its plan
 */
struct mcfab_wait {
	u64 gen;
	u32 source;
	u32 seq;
	u32 worm;
	u32 packet;
	u32 router;
	u16 port;
	u16 vc;
	u64 since;
	u32 node;
	bool memory;
	u32 holder;
	u32 held;
	u32 first_held;
	u32 nheld;
	u32 dests;
	u32 first_dest;
	u32 ndests;
};

/**
 * struct mcfab_deadlock - a deadlock that ended a run
 * @cycle: when it was found
 * @worms: worms that can never move again
 * @nwaits: entries of @wait, which are one cycle of waits among these worms
 * @wait: each worm with the channel that it waits for, and the holder of that channel
 * @list: channels that these worms hold
 * @dest: their destinations
 */
struct mcfab_deadlock {
	u64 cycle;
	u32 worms;
	u32 nwaits;
	struct mcfab_wait wait[MCFAB_DEADLOCK_WORMS];
	struct mcfab_holding list[MCFAB_DEADLOCK_HELD];
	u32 dest[MCFAB_DEADLOCK_DESTS];
};

/**
 * struct mcfab_ni_use - memory of the network interfaces that send packets on
 * @packets: packets that these interfaces received and sent on
 * @peak: most packets that one of them had at any time, including packets that it had not started
 *	  on
 * @residence: cycles from the reception of packets to their last copy, summed up
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
 * @mode: name of the first mode
 * @why: the reason against each faster mode
 */
struct mcfab_chosen {
	char mode[16];
	char why[256];
};

/**
 * struct mcfab_progress - progress of a run
 * @state: running, or how the last run ended
 * @cycle: simulated cycle (LONE: of the multicast under way)
 * @messages: messages generated whose deliveries are all known
 * @deliveries: copies delivered
 * @flit_hops: flits that crossed a channel, injection not counted
 * @expected: messages that the run will make, 0: not known
 * @stalls: headers that waited longer than stall_limit without a deadlock
 * @drops: copies that reached no destination, by enum mcfab_drop
 * @ni: network interfaces that send on; all zero: there are none
 * @hash: result hash; valid if @has_hash
 * @has_hash: false while running, after a stop, and if the run failed
 * @started_ns: when the run began, by ktime_get_ns()
 * @wall_ns: wall-clock time of the run, once it is over
 * @threads: router threads
 * @bytes: memory of the fabric
 * @state_bytes: the part of @bytes that the run's cycles touched for the network's state, once it
 *		 is over
 * @run: counts the runs of this fabric, from 1
 * @chosen: how the run is computed
 * @why: the reason, for people, why a run was cut, saturated or failed
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
 * struct mcfab_source_load - what a node sent
 * @oldest: generation cycle of its first waiting message; U64_MAX: there is none
 * @taken: messages that it took from its source queue in the measuring window
 * @waiting: messages in its source queue when the run ended
 */
struct mcfab_source_load {
	u64 oldest;
	u32 taken;
	u32 waiting;
};

/**
 * struct mcfab_results - results of the current or last run of a fabric
 * @run: its configuration
 * @lock: held by the thread that computes: protects all but @report. A router thread may hold it
 *	  for long, so readers do not take it: they use @report
 * @report_lock: of the pointer @report: held for a few instructions
 * @report: the report for readers, see report.h
 * @stats: statistics
 * @progress: progress of the run
 * @deadlock: the deadlock, if it ended deadlocked
 * @channel_flits: [channels] flits that crossed in the measuring window
 * @channel_wait: [channels] cycles that headers waited for each channel in that window
 * @sources: [nodes] what each node sent in that window
 * @channel_window: cycles of that window
 * @balance: how evenly channels were used in that window, if it has any cycles
 * @queue_max: longest source queue seen, in messages; MCFAB_NONE: none has been looked at
 */
struct mcfab_results {
	struct mcfab_run_cfg run;
	struct mutex lock;		/* of the thread that computes, see above */
	spinlock_t report_lock;		/* of a pointer, see above */
	struct mcfab_report *report;
	struct mcfab_stats stats;
	struct mcfab_progress progress;
	struct mcfab_deadlock deadlock;
	u64 *channel_flits;
	u64 *channel_wait;
	struct mcfab_source_load *sources;
	u64 channel_window;
	struct mcfab_balance balance;
	u32 queue_max;
};

#endif
