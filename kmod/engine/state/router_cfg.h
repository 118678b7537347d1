/* SPDX-License-Identifier: GPL-2.0 */
/* Properties of routers, links and nodes: set when a run begins, constant from then on. */
#ifndef MCFAB_ENGINE_STATE_ROUTER_CFG_H
#define MCFAB_ENGINE_STATE_ROUTER_CFG_H

#include "base/types.h"

struct mcfab_allocator;

/**
 * struct mcfab_router_cfg - a router with its links, and the nodes at it
 * @allocator: ops of VC allocation and switch allocation, see router/router.h
 * @ports: network ports of a router
 * @vcs: virtual channels of a network channel
 * @slots: most packets in a VC's FIFO, including the packet that is entering it
 * @source_slots: most packets of an injection channel: 1 but for hosts' ports (MCFAB_ENG_PORTS)
 * @buffer: flits of a VC's buffer
 * @inject: injection channels of a node
 * @link_delay: cycles of a flit on a link without a delay of its own, see mcfab_link_delay()
 * @least_link: the same on the shortest link
 * @link_delays: number of delays from @least_link to that of the longest link
 * @channels: [@link_delays] number of channels with each of these delays
 * @route_delay: cycles from a header's arrival to its request
 * @inject_delay: cycles of a flit from its node to the router
 * @consume_delay: cycles of a flit from the router to its node
 * @credit_delay: cycles of a credit on its way back, over the longest link, see
 *		  mcfab_link_credit(); 0: room is seen in the cycle in which it is made
 * @store: store-and-forward
 * @packet_room: VC allocation needs room for the whole packet
 * @release_sent: a VC is free when the tail has crossed its channel, not when it left its buffer
 * @lazy_credits: a packet alone in its FIFO needs no credits
 * @counted: MCFAB_ENTRY_COUNTED if packets count their flits that enter a FIFO, else 0
 * @may_cut: worms may lose destinations: there is up*-down* routing, so links may fail; or worms
 *	     may be aborted to end deadlocks
 * @nchans: network channels, by router and output port
 * @nvcs: virtual channels of all of them
 * @places: places where a packet may stay: slots of all VCs and of all injection channels
 * @nrecs: numbers of records: one for each place, and a few more
 * @by_ports: for divisions by @ports, see base/divide.h
 * @by_vcs: likewise
 * @by_inject: likewise
 */
struct mcfab_router_cfg {
	const struct mcfab_allocator *allocator;
	u32 ports;
	u32 vcs;
	u32 slots;
	u32 source_slots;
	u32 buffer;
	u32 inject;
	u32 link_delay;
	u32 least_link;
	u32 link_delays;
	u32 channels[MCFAB_MAX_DELAY];
	u32 route_delay;
	u32 inject_delay;
	u32 consume_delay;
	u32 credit_delay;
	bool store;
	bool packet_room;
	bool release_sent;
	bool lazy_credits;
	u8 counted;
	bool may_cut;
	u32 nchans;
	u32 nvcs;
	u32 places;
	u32 nrecs;
	u64 by_ports;
	u64 by_vcs;
	u64 by_inject;
};

#endif
