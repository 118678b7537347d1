/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Links of hosts. Input ports of switches that lead to hosts (MCFAB_ENG_PORTS): irregular networks
 * whose input buffers hold several packets.
 */
#ifndef MCFAB_ENGINE_STATE_PORT_H
#define MCFAB_ENGINE_STATE_PORT_H

#include "base/types.h"

/**
 * struct mcfab_port - a host's link to its switch, one for each injection channel
 * @free: cycle from which the link is free, as far as its time goes
 * @oldest: record of the packet at the front of the port's buffer, or MCFAB_NO_REC
 * @newest: record of the last packet in it, or that is entering it
 * @flits: flits of all packets in it, and of the packet that is entering it
 * @worm: worm that has the link, or had it last
 * @sending: @worm has the link: its tail has not left the host
 * @wanted: the node waits for room in the buffer
 */
struct mcfab_port {
	u64 free;
	u32 oldest;
	u32 newest;
	u32 flits;
	u32 worm;
	bool sending;
	bool wanted;
};

/**
 * struct mcfab_slow_port - a host's link that takes a flit to the switch every few cycles only
 * @next: cycle from which it takes the next flit
 * @history: bit k: a flit left the host k cycles before @stamp
 * @stamp: cycle in which the last flit left the host
 * @left: flits of the packets of struct mcfab_port.flits that have left the host
 * @behind: next in the shard's list of slow ports in use, or MCFAB_NONE
 * @listed: it is in that list
 */
struct mcfab_slow_port {
	u64 next;
	u64 history;
	u64 stamp;
	u32 left;
	u32 behind;
	bool listed;
};

/**
 * struct mcfab_tap - a consumption channel, where links have rates of their own (MCFAB_ENG_RATES)
 * @next: cycle from which it takes the next flit
 * @held: a packet has it
 */
struct mcfab_tap {
	u64 next;
	bool held;
};

#endif
