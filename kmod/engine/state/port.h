/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Input ports of switches that lead to hosts (MCFAB_ENG_PORTS): irregular networks whose input
 * buffers hold several packets.
 */
#ifndef MCFAB_ENGINE_STATE_PORT_H
#define MCFAB_ENGINE_STATE_PORT_H

#include "engine/engine.h"

/**
 * struct mcfab_port - a host's link to its switch, one for each injection channel
 * @free: cycle from which the link is free, as far as its time goes
 * @oldest: record of the packet at the front of the port's buffer, or MCFAB_NO_REC
 * @newest: record of the last packet in it, or that is entering it
 * @flits: of all packets in it, and of the one that is entering it
 * @worm: the one that has the link
 * @sending: it has it: its tail has not left the host
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

void mcfab_ports_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_ports_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
u32 mcfab_port_find(struct mcfab_engine *e, u32 node, u32 flits);
void mcfab_port_enter(struct mcfab_engine *e, struct mcfab_shard *s, u32 node, u32 channel,
		      u32 rec);
void mcfab_port_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_port_read(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);

#endif
