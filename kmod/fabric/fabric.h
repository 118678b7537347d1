/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core interface: create a fabric, run traffic on it, read what came out.
 * No netlink types: the control plane (kmod/control) is a thin shell over this,
 * and the user-space build is driven through it as well.
 */
#ifndef MCFAB_FABRIC_H
#define MCFAB_FABRIC_H

#include <linux/spinlock.h>
#include "base/config.h"
#include "plan/policy.h"
#include "stats/channels.h"
#include "stats/stats.h"

struct mcfab_engine;
struct mcfab_report;
struct mcfab_runner;

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
 * @why: for people: why a run was cut, saturated or failed
 */
struct mcfab_progress {
	enum mcfab_run_state state;
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
	char why[192];
};

/**
 * struct mcfab_fabric - a network and its last run
 * @cfg: as configured, defaults filled in
 * @topo: the network
 * @view: what policies see of it
 * @engine: state of the network while it runs; the engine's
 * @active: a run has been started and not yet been cleaned up after
 * @runner: the router threads; the runner's
 * @run_cfg: configuration of the current or last run
 * @policy: its policy while it runs
 * @stats_lock: held by whoever computes: protects @stats, @progress, @deadlock and the channel
 *		counts. A router thread may hold it for long, so readers do not take it: they go
 *		by @report
 * @part_lock: of the pointers @report, @engine and @updown: held for a few instructions
 * @report: what readers see of the current or last run, see report.h
 * @stats: statistics of the current or last run
 * @progress: where it is
 * @deadlock: if it ended deadlocked
 * @wired: channels that lead somewhere
 * @channel_flits: [channels] flits that crossed in the measuring window
 * @channel_wait: [channels] cycles headers waited for each in that window
 * @channel_window: cycles of that window
 * @balance: how evenly channels were used in it, if it has any cycles
 * @queue_max: longest source queue seen, in messages; MCFAB_NONE: none has been looked at
 * @subnet: LIDs, forwarding tables, multicast groups, or NULL; changed by its owner, who
 *	    sees to it that nobody else does so and that no run reads what changes
 * @subnet_bytes: memory of the subnet
 * @updown: up*-down* routing, or NULL; @view has it too. Changed by its owner under
 *	    @part_lock; a run goes by what it holds itself
 * @table_bytes: memory charged for tables
 * @stats_bytes: memory charged for statistics
 * @begun: called when a run is ready, before its threads are set to work; may sleep. Set as
 *	   @finished
 * @finished: called from a router thread's context, may sleep, when a run ended;
 *	      set by the owner of the fabric before the first run
 * @owner: for the owner's use
 * @id: the owner's number of it, for tracepoints
 * @netns: number of its network namespace, likewise
 */
struct mcfab_fabric {
	struct mcfab_fabric_cfg cfg;
	struct mcfab_topo topo;
	struct mcfab_view view;
	struct mcfab_engine *engine;
	bool active;
	struct mcfab_runner *runner;
	struct mcfab_run_cfg run_cfg;
	struct mcfab_policy policy;
	struct mutex stats_lock;	/* of whoever computes, see above */
	spinlock_t part_lock;		/* of a few pointers, see above */
	struct mcfab_report *report;
	struct mcfab_stats stats;
	struct mcfab_progress progress;
	struct mcfab_deadlock deadlock;
	u32 wired;
	u64 *channel_flits;
	u64 *channel_wait;
	u64 channel_window;
	struct mcfab_balance balance;
	u32 queue_max;
	struct mcfab_subnet *subnet;
	u64 subnet_bytes;
	struct mcfab_updown *updown;
	u64 table_bytes;
	u64 stats_bytes;
	void (*begun)(struct mcfab_fabric *fabric);
	void (*finished)(struct mcfab_fabric *fabric);
	void *owner;
	u32 id;
	u32 netns;
};

/* fabric/fabric.c */
void mcfab_fabric_defaults(struct mcfab_fabric_cfg *cfg);
void mcfab_fabric_defaults_lid(struct mcfab_fabric_cfg *cfg);
void mcfab_fabric_defaults_irregular(struct mcfab_fabric_cfg *cfg);
void mcfab_run_defaults(struct mcfab_run_cfg *cfg);
struct mcfab_fabric *mcfab_fabric_create(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err);
void mcfab_fabric_destroy(struct mcfab_fabric *fabric);
int mcfab_fabric_packets(const struct mcfab_fabric *fabric, const char *policy, u32 flits,
			 u32 mtu, u32 named, struct mcfab_view *view, struct mcfab_err *err);
int mcfab_fabric_imply(const struct mcfab_fabric *fabric, const char *policy,
		       struct mcfab_view *view, struct mcfab_subnet **fresh,
		       struct mcfab_err *err);
void mcfab_fabric_adopt(struct mcfab_fabric *fabric, struct mcfab_subnet *fresh);
void mcfab_fabric_account(struct mcfab_fabric *fabric);
u64 mcfab_fabric_bytes(const struct mcfab_fabric *fabric);

/* fabric/faults.c */
int mcfab_fabric_fault(struct mcfab_fabric *fabric, const struct mcfab_fault *fault,
		       struct mcfab_err *err);

/* fabric/run.c */
int mcfab_run_start(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		    struct mcfab_err *err);
void mcfab_run_stop(struct mcfab_fabric *fabric);
void mcfab_run_ask_stop(struct mcfab_fabric *fabric);
bool mcfab_run_active(struct mcfab_fabric *fabric);

/**
 * mcfab_has_ports() - do hosts' links end in input buffers that hold several packets?
 * @topo: the network
 * @cfg: its configuration
 *
 * On irregular networks, as every input of a switch has such a buffer. Store-and-forward
 * switches take a host's memory for the first store.
 *
 * Context: Any.
 * Return: whether they do.
 */
static inline bool mcfab_has_ports(const struct mcfab_topo *topo,
				   const struct mcfab_fabric_cfg *cfg)
{
	return topo->graph && cfg->vc_release == MCFAB_RELEASE_SENT &&
	       cfg->switching != MCFAB_STORE_AND_FORWARD;
}

#endif
