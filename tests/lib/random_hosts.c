// SPDX-License-Identifier: GPL-2.0
/* See lib/random_hosts.h. */
#include <stdio.h>
#include "lib/capture.h"
#include "lib/net.h"
#include "lib/random_case.h"
#include "lib/random_hosts.h"

static u32 overhead(u64 *state)
{
	return one_in(state, 3) ? 0 : pick(state, 1, one_in(state, 3) ? 60 : 9);
}

void random_hosts(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	fc->node_model = MCFAB_NODE_MODEL_MODE_HOST;
	fc->startup = overhead(state);
	fc->host_receive = one_in(state, 4) ? MCFAB_NONE : overhead(state);
	fc->ni_send = one_in(state, 4) ? MCFAB_NONE : overhead(state);
	fc->ni_receive = one_in(state, 4) ? MCFAB_NONE : overhead(state);
	fc->ni_ratio = pick(state, 250000, 4000000);
	fc->io_bus = one_in(state, 3) ? 0 : pick(state, 50, 2000);
	fc->cycle_ps = pick(state, 500, 9000);
	fc->host_overhead = pick(state, MCFAB_HOST_OVERHEAD_MODE_MESSAGE,
				 MCFAB_HOST_OVERHEAD_MODE_PACKET);
	if (!one_in(state, 3))
		fc->inject = pick(state, 1, 2);
	rc->node_busy = MCFAB_NODE_BUSY_MODE_STARTUP;
	rc->rounds = MCFAB_ROUNDS_DEFAULT;
}

void more_packets(u64 *state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	u32 packets = pick(state, 1, 8), last;

	if (rc->headers || rc->mtu)
		return;
	rc->mtu = rc->flits;
	last = fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD ? rc->mtu :
	       pick(state, 1, rc->mtu);
	rc->flits = rc->mtu * (packets - 1) + last;
}

void random_memory(u64 state, struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc)
{
	u32 i;

	if (fc->node_model != MCFAB_NODE_MODEL_MODE_HOST || one_in(&state, 2))
		return;
	fc->ni_memory = pick(&state, 1, 4);
	/* the rest of a message waits for its last packet */
	for (i = 0; i < rc->nset; i++)
		if (!strcmp(rc->set[i].value, "fcfs") && rc->mtu)
			fc->ni_memory += DIV_ROUND_UP(rc->flits, rc->mtu);
}

bool random_later(u64 *state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	static const char *const forwarding[] = { "host", "fpfs", "fcfs" };
	char set[64];

	if (strcmp(fc->topology, "mesh") && strcmp(fc->topology, "irregular"))
		return false;
	strcpy(rc->policy, one_in(state, 2) ? "test-later" : "test-later-tree");
	snprintf(set, sizeof(set), "forwarding=%s shape=%u", forwarding[rng_below(state, 3)],
		 rng_below(state, 1000));
	set_params(rc, set);
	return true;
}

bool random_updown(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, u32 nodes)
{
	static const char *const names[] = {
		"binomial", "kbinomial", "kbinomial", "ssr", "multidrop", "bitstring",
	};
	u32 nr = rng_below(state, ARRAY_SIZE(names));
	char set[96];

	if (strcmp(fc->topology, "irregular") && !one_in(state, 2))
		return false;
	fc->routing = MCFAB_ROUTING_MODE_UPDOWN;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
	strcpy(rc->policy, names[nr]);
	switch (nr) {
	case 0:
		strcpy(set, one_in(state, 2) ? "adaptive=on" : "adaptive=off");
		break;
	case 1:
	case 2:
		snprintf(set, sizeof(set), "k=%u forwarding=%s", pick(state, 0, fls(nodes - 1)),
			 nr == 1 ? "fpfs" : "fcfs");
		break;
	case 5:
		strcpy(set, "small-buffers=allow");
		break;
	default:
		snprintf(set, sizeof(set), "schedule=%s small-buffers=allow",
			 one_in(state, 2) ? "greedy" : "less-greedy");
	}
	set_params(rc, set);
	/* of lengths of their own */
	if (nr > 2 && rc->headers)
		fc->buffer += 40 * nodes;
	return true;
}
