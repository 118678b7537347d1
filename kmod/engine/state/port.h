/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input ports of switches that lead to hosts (MCFAB_ENG_PORTS): irregular networks whose input
 * buffers hold several packets.
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

#endif
