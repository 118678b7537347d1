/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A slow simulator, written from the rules of the engine's model and not from the
 * engine: an object per flit in a list per virtual channel, a look at everything
 * in every cycle, one thread. The engine is compared with it.
 *
 * It shares with the engine only the tables of the topology and the policies'
 * prepare() and route(). It knows messages of a list and no window.
 */
#ifndef TESTS_SLOW_H
#define TESTS_SLOW_H

#include "fabric/fabric.h"
#include "stats/stats.h"

/** struct slow_delivery - who got which message when, in absolute cycles */
struct slow_delivery {
	u64 gen;
	u32 source;
	u32 seq;
	u32 dst;
	u64 header;
	u64 tail;
	u32 worm;
	u32 hops;
	u64 last;		/* tail of the last packet so far, */
	u32 packet;		/* and its number */
	u32 part[MCFAB_PARTS];	/* node model host only */
};

/** struct slow_message - what a message cost */
struct slow_message {
	u64 gen;
	u32 source;
	u32 seq;
	u32 startups;
	u32 traffic;
	u64 channel_cycles;
	u64 queue_cycles;
	bool complete;
};

/**
 * struct slow_result - all that came out
 * @dlv: deliveries, in the order of (gen, source, seq, dst)
 * @ndlv: how many
 * @msg: messages that were begun, in the order of (gen, source, seq)
 * @nmsg: how many
 * @stuck: worms were left that could not move
 * @cycle: last cycle in which anything happened
 */
struct slow_result {
	struct slow_delivery *dlv;
	u32 ndlv;
	struct slow_message *msg;
	u32 nmsg;
	bool stuck;
	u64 cycle;
};

void slow_run(const struct mcfab_fabric_cfg *fc, const struct mcfab_topo *topo,
	      const struct mcfab_policy *pol, const struct mcfab_run_cfg *rc,
	      struct slow_result *out);
void slow_free(struct slow_result *out);
void slow_sort(struct slow_delivery *dlv, u32 ndlv);

#endif
