/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core interface: create a fabric, run traffic on it, read the results. It has no
 * netlink types: the control plane (kmod/control) is a thin shell over it, and the user-space
 * build uses it, too.
 */
#ifndef MCFAB_FABRIC_H
#define MCFAB_FABRIC_H

#include <linux/spinlock.h>
#include "base/config.h"
#include "plan/policy.h"
#include "stats/results.h"

struct mcfab_engine;
struct mcfab_ports;
struct mcfab_runner;

/**
 * struct mcfab_fabric - a network and its last run
 * @cfg: its configuration, with defaults filled in
 * @topo: the network
 * @view: what policies see of it
 * @engine: state of the network during a run; belongs to the engine
 * @active: a run has been started and not yet been cleaned up after
 * @runner: the router threads; belongs to the runner
 * @policy: the policy of a run
 * @part_lock: lock of the pointers @engine and @updown, held for a few instructions
 * @wired: number of channels that lead to a router
 * @results: results of the current or last run
 * @subnet: LIDs, forwarding tables, multicast groups, or NULL. The fabric's owner changes it, and
 *	    sees to it that no other thread does so and that no run reads what changes
 * @subnet_bytes: memory of the subnet
 * @updown: up*-down* routing, or NULL; @view has it, too. The fabric's owner changes it under
 *	    @part_lock; a run holds the routing that it uses itself
 * @table_bytes: memory charged for tables
 * @stats_bytes: memory charged for statistics
 * @ports: its network devices, or NULL; belongs to netdev/. Set under @part_lock
 * @portless: it goes, and gets no more of them. Under @part_lock
 * @begun: called when a run is ready, before its threads are set to work; may sleep. Set as
 *	   @finished
 * @finished: called by mcfab_run_reap() when a run has ended; may sleep. The owner of the fabric
 *	      sets it before the first run
 * @owner: for the owner's use
 * @id: number that the owner has given it, for tracepoints
 * @netns: number of its network namespace, for tracepoints
 */
struct mcfab_fabric {
	struct mcfab_fabric_cfg cfg;
	struct mcfab_topo topo;
	struct mcfab_view view;
	struct mcfab_engine *engine;
	bool active;
	struct mcfab_runner *runner;
	struct mcfab_policy policy;
	spinlock_t part_lock;		/* guards two pointers, see above */
	u32 wired;
	struct mcfab_results results;
	struct mcfab_subnet *subnet;
	u64 subnet_bytes;
	struct mcfab_updown *updown;
	u64 table_bytes;
	u64 stats_bytes;
	struct mcfab_ports *ports;
	bool portless;
	void (*begun)(struct mcfab_fabric *fabric);
	void (*finished)(struct mcfab_fabric *fabric);
	void *owner;
	u32 id;
	u32 netns;
};

/* fabric/config.c */
void mcfab_fabric_defaults(struct mcfab_fabric_cfg *cfg);
void mcfab_fabric_defaults_lid(struct mcfab_fabric_cfg *cfg);
void mcfab_fabric_router(struct mcfab_fabric_cfg *cfg, enum mcfab_router_preset router);
void mcfab_fabric_defaults_irregular(struct mcfab_fabric_cfg *cfg);
int mcfab_fabric_overheads(struct mcfab_fabric_cfg *cfg, struct mcfab_err *err);
int mcfab_fabric_check(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err);
int mcfab_fabric_check_buffer(const struct mcfab_fabric_cfg *cfg, u32 packet,
			      enum mcfab_option blame, struct mcfab_err *err);
int mcfab_fabric_check_bandwidth(const struct mcfab_fabric_cfg *cfg, const struct mcfab_topo *topo,
				 struct mcfab_err *err);

/* fabric/fabric.c */
struct mcfab_fabric *mcfab_fabric_create(const struct mcfab_fabric_cfg *cfg, struct mcfab_err *err);
void mcfab_fabric_destroy(struct mcfab_fabric *fabric);
int mcfab_fabric_packets(const struct mcfab_fabric *fabric, const char *policy, u32 flits,
			 u32 mtu, u32 named, struct mcfab_view *view, struct mcfab_err *err);
int mcfab_fabric_imply(const struct mcfab_fabric *fabric, const char *policy,
		       struct mcfab_view *view, struct mcfab_subnet **fresh,
		       struct mcfab_err *err);
void mcfab_fabric_adopt(struct mcfab_fabric *fabric, struct mcfab_subnet *fresh);
void mcfab_fabric_account(struct mcfab_fabric *fabric);
u64 mcfab_fabric_bytes(struct mcfab_fabric *fabric);

/* fabric/faults.c */
int mcfab_fabric_fault(struct mcfab_fabric *fabric, const struct mcfab_fault *fault,
		       struct mcfab_err *err);

/* fabric/assign.c */
int mcfab_fabric_assign(struct mcfab_fabric *fabric, struct mcfab_err *err);

/* fabric/run.c */
void mcfab_run_defaults(struct mcfab_run_cfg *cfg);
int mcfab_run_check(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *cfg,
		    struct mcfab_err *err);
int mcfab_run_start(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		    struct mcfab_err *err);
int mcfab_run_here(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		   struct mcfab_err *err);
void mcfab_run_stop(struct mcfab_fabric *fabric);
void mcfab_run_ask_stop(struct mcfab_fabric *fabric);
bool mcfab_run_active(struct mcfab_fabric *fabric);

#endif
