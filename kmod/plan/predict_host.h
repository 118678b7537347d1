/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of a plan without contention where nodes have hosts, I/O buses and network interfaces
 * (NI), see engine/node/host.c.
 */
#ifndef MCFAB_PLAN_PREDICT_HOST_H
#define MCFAB_PLAN_PREDICT_HOST_H

#include <linux/math64.h>

#include "plan/walk.h"

/**
 * struct mcfab_host_timing - delays of nodes for a prediction, beside a struct mcfab_timing
 * @packets: packets of a message
 * @packet: flits of each packet but the last
 * @last: flits of the last packet
 * @receive: see @host_receive of struct mcfab_fabric_cfg
 * @ni_send: see struct mcfab_fabric_cfg
 * @ni_receive: see struct mcfab_fabric_cfg
 * @bus: cycles in which a packet crosses the I/O bus
 * @bus_last: the same for the last packet
 * @inject: injection channels of a node
 * @per_packet: overheads of hosts are per packet
 * @forward: who sends on at later senders
 */
struct mcfab_host_timing {
	u32 packets;
	u32 packet;
	u32 last;
	u32 receive;
	u32 ni_send;
	u32 ni_receive;
	u32 bus;
	u32 bus_last;
	u32 inject;
	bool per_packet;
	enum mcfab_forward forward;
};

/** mcfab_bus_cycles() - cycles in which @flits cross the I/O bus of @cfg; a flit is a byte */
static inline u32 mcfab_bus_cycles(const struct mcfab_fabric_cfg *cfg, u32 flits)
{
	if (!cfg->io_bus)
		return 0;
	return DIV64_U64_ROUND_UP((u64)flits * 1000000, (u64)cfg->io_bus * cfg->cycle_ps);
}

u64 mcfab_host_predict_bytes(u32 nworms, u32 packets);
void mcfab_host_timing_init(struct mcfab_host_timing *host, const struct mcfab_fabric_cfg *cfg,
			    const struct mcfab_policy *pol, u32 flits, u32 mtu);
int mcfab_host_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing,
		       const struct mcfab_host_timing *host, struct mcfab_prediction *out,
		       u64 *mem);

#endif
