/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Partial ordered chains (POCs) of the participants of a multicast: lists of switches in which each
 * switch is below the switch before it, by links that go down one level.
 *
 * Irregular paper, Definition 5 and Fig. 13.
 */
#ifndef MCFAB_ROUTING_CHAINS_H
#define MCFAB_ROUTING_CHAINS_H

#include "plan/policy.h"
#include "updown/updown.h"

/**
 * struct mcfab_chain_switch - a participating switch
 * @sw: its number
 * @first: its first participant in mcfab_chains.host
 * @count: participants on it, the source included
 * @weight: participants on it and on all participating switches below it
 * @head: a chain begins here
 * @taken: it is part of a chain already
 */
struct mcfab_chain_switch {
	u32 sw;
	u32 first;
	u32 count;
	u32 weight;
	bool head;
	bool taken;
};

/**
 * struct mcfab_chains - the participants of a multicast by chains
 * @nhosts: source and destinations
 * @nswitches: switches with participants
 * @host: [@nhosts] by switch, then by number
 * @part: [@nswitches] by number of the switch
 * @order: [@nswitches] places in @part, chain after chain as they are stripped
 */
struct mcfab_chains {
	u32 nhosts;
	u32 nswitches;
	u32 *host;
	struct mcfab_chain_switch *part;
	u32 *order;
};

size_t mcfab_chains_bytes(const struct mcfab_topo *topo, u32 nhosts);
bool mcfab_chains_find(const struct mcfab_view *view, u32 source, const u32 *dst, u32 ndst,
		       struct mcfab_chains *chains, void *scratch);
void mcfab_chains_hosts(const struct mcfab_chains *chains, u32 source, u32 *order);

#endif
