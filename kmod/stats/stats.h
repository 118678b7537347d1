/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of a run. The engine hands over whole messages in the order of
 * (generation cycle, source, sequence), always from one thread at a time, so
 * nothing here needs a lock and nothing depends on how many threads ran.
 */
#ifndef MCFAB_STATS_H
#define MCFAB_STATS_H

#include "core/types.h"
#include "stats/histogram.h"
#include "stats/moments.h"

/** enum mcfab_part - what a latency is made of; the parts add up to the tail latency */
enum mcfab_part {
	MCFAB_PART_QUEUE,	/* source queue */
	MCFAB_PART_PREP,	/* preparation */
	MCFAB_PART_STARTUP,	/* start-up */
	MCFAB_PART_ROUTING,	/* route_delay of all routers */
	MCFAB_PART_TRANSFER,	/* injection, links, consumption, L - 1 */
	MCFAB_PART_NI,		/* network interface */
	MCFAB_PART_BLOCKING,	/* what remains */
	MCFAB_PARTS,
};

/**
 * struct mcfab_delivery - one destination of one message got its tail
 * @gen: generation cycle of the message
 * @source: its source
 * @seq: its sequence number at the source
 * @dst: the destination
 * @header: cycles from generation to the header's arrival
 * @tail: cycles from generation to the tail's arrival
 * @worm: index of the worm in the message's plan
 * @hops: network channels the worm crossed up to here
 * @part: parts of @tail
 */
struct mcfab_delivery {
	u64 gen;
	u32 source;
	u32 seq;
	u32 dst;
	u32 header;
	u32 tail;
	u16 worm;
	u16 hops;
	u32 part[MCFAB_PARTS];
};

/**
 * struct mcfab_message - one message all of whose deliveries are known
 * @gen: generation cycle
 * @source: source node
 * @seq: sequence number at the source
 * @ndst: destinations it was meant for
 * @worms: worms it took
 * @startups: start-ups it took, at the source and at later senders
 * @traffic: sum of the worms' hops (network channels)
 * @channel_cycles: cycles for which it held network channels
 * @complete: every destination was reached
 */
struct mcfab_message {
	u64 gen;
	u32 source;
	u32 seq;
	u32 ndst;
	u32 worms;
	u32 startups;
	u32 traffic;
	u64 channel_cycles;
	bool complete;
};

#endif
