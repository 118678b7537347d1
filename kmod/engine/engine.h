/* SPDX-License-Identifier: GPL-2.0 */
/* The engine as the fabric sees it: a run's memory, and the phases of a cycle. */
#ifndef MCFAB_ENGINE_H
#define MCFAB_ENGINE_H

#include "engine/state/engine.h"

/**
 * struct mcfab_network - the network of a run
 * @cfg: configuration of the fabric
 * @topo: topology; for mcfab_engine_bytes() it may still lack its tables
 * @policy: the run's policy, open; NULL for mcfab_engine_bytes()
 * @updown: up*-down* routing, or NULL
 * @results: results, filled in by the run; NULL for mcfab_engine_bytes()
 * @id: number of the fabric, for tracepoints
 * @netns: number of its network namespace, for tracepoints
 */
struct mcfab_network {
	const struct mcfab_fabric_cfg *cfg;
	const struct mcfab_topo *topo;
	struct mcfab_policy *policy;
	struct mcfab_updown *updown;
	struct mcfab_results *results;
	u32 id;
	u32 netns;
};

u64 mcfab_engine_bytes(const struct mcfab_network *net);
struct mcfab_engine *mcfab_engine_open(const struct mcfab_network *net,
				       const struct mcfab_run_cfg *run, struct mcfab_err *err);
void mcfab_engine_close(struct mcfab_engine *e);
void mcfab_engine_grant(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s);
bool mcfab_engine_boundary(struct mcfab_engine *e);
bool mcfab_engine_alone(struct mcfab_engine *e, u32 cycles);
void mcfab_engine_stop(struct mcfab_engine *e);
void mcfab_engine_kick(struct mcfab_engine *e);

#endif
