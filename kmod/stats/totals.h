/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What messages cost, summed up.
 */
#ifndef MCFAB_STATS_TOTALS_H
#define MCFAB_STATS_TOTALS_H

#include "base/types.h"

/**
 * struct mcfab_totals - what messages cost
 * @messages: messages
 * @incomplete: messages that did not reach every destination
 * @destinations: destinations they were meant for
 * @deliveries: copies delivered
 * @flits: flits generated: a multicast's once (offered load)
 * @worms: worms
 * @startups: start-ups, at sources and later senders
 * @traffic: network channels crossed by worms; less @destinations it is the
 *	     additional traffic
 * @channel_cycles: cycles for which network channels were held
 * @queue_cycles: cycles in source queues
 */
struct mcfab_totals {
	u64 messages;
	u64 incomplete;
	u64 destinations;
	u64 deliveries;
	u64 flits;
	u64 worms;
	u64 startups;
	u64 traffic;
	u64 channel_cycles;
	u64 queue_cycles;
};

/** mcfab_totals_merge() - add the costs of some messages to the costs of others */
static inline void mcfab_totals_merge(struct mcfab_totals *into, const struct mcfab_totals *from)
{
	into->messages += from->messages;
	into->incomplete += from->incomplete;
	into->destinations += from->destinations;
	into->deliveries += from->deliveries;
	into->flits += from->flits;
	into->worms += from->worms;
	into->startups += from->startups;
	into->traffic += from->traffic;
	into->channel_cycles += from->channel_cycles;
	into->queue_cycles += from->queue_cycles;
}

#endif
