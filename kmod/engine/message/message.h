/* SPDX-License-Identifier: GPL-2.0 */
/* A message from its plan to the statistics. */
#ifndef MCFAB_ENGINE_MESSAGE_H
#define MCFAB_ENGINE_MESSAGE_H

#include "engine/state/engine.h"
#include "plan/predict_host.h"

/* message.c: the next message of a node, and its plan */
void mcfab_messages_begin(struct mcfab_engine *e);
void mcfab_node_skip(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
struct mcfab_mcast *mcfab_node_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
u32 mcfab_task_end(const struct mcfab_plan *plan, u32 first);

/*
 * A start-up of node @node for message @m was over at the end of cycle @at. If the node is the
 * source, note it; the last note counts. @at may be long past: a node notices late if it waits for
 * injection channels.
 */
static inline void mcfab_message_ready(struct mcfab_mcast *m, u32 node, u64 at)
{
	if (m->source == node)
		m->ready = at - m->gen;
}

/* flits of message number @seq of node @nr; context: any */
static inline u32 mcfab_message_flits(const struct mcfab_engine *e, u32 nr, u32 seq)
{
	return likely(!e->run.varied) ? e->run.message : mcfab_workload_length(&e->work, nr, seq);
}

/* flits of a message's last packet; context: any */
static inline u32 mcfab_last_flits(const struct mcfab_engine *e, const struct mcfab_mcast *m)
{
	return likely(!e->run.varied) ? e->run.last_flits :
					m->flits - (m->packets - 1) * e->run.flits;
}

/* time of a message's last packet on the I/O bus; context: any (MCFAB_ENG_HOST) */
static inline u32 mcfab_host_bus_last(const struct mcfab_engine *e, const struct mcfab_mcast *m)
{
	return e->run.varied ? mcfab_bus_cycles(e->cfg, mcfab_last_flits(e, m)) :
			       e->hosts.times.bus_last;
}

/* plans.c: plans of messages */
bool mcfab_message_plan(const struct mcfab_engine *e, struct mcfab_shard *s,
			struct mcfab_block *block, u32 nr, u32 ndst, struct mcfab_blame *blame);

/* deliver.c: packets that have come to nodes */
void mcfab_deliver(struct mcfab_engine *e, struct mcfab_shard *s,
		   const struct mcfab_arrival *arrival);
void mcfab_copy_deliver(struct mcfab_engine *e, struct mcfab_shard *s,
			const struct mcfab_copy *copy);
void mcfab_deliver_host(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_job *job,
			u32 node);
u32 mcfab_next_step(const struct mcfab_engine *e, u32 mcast, u32 worm, u32 node);
void mcfab_rec_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
		       struct mcfab_rec *r);
void mcfab_rec_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);

/* predict.c: latencies without contention */
size_t mcfab_predict_bytes(const struct mcfab_engine *e);
int mcfab_predict(struct mcfab_engine *e, const struct mcfab_mcast *m,
		  const struct mcfab_plan *plan, struct mcfab_blame *blame);

/* room.c: room in network interfaces for packets that they send on (MCFAB_ENG_MEMORY) */
bool mcfab_ni_relays(const struct mcfab_engine *e, u32 worm, u32 node);
bool mcfab_ni_takes(struct mcfab_engine *e, u32 worm, u32 node);
void mcfab_ni_forgo(struct mcfab_engine *e, u32 worm, u32 node);

#endif
