// SPDX-License-Identifier: GPL-2.0
/* Random fabrics and runs whose flits are moved one by one, by rules with code of their own. */
#include "lib/random_case.h"

#include "lib/tap.h"
#include "plan/policy.h"

void suit_paths(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	bool torus = !strcmp(fc->topology, "torus");
	bool updown = fc->routing == MCFAB_ROUTING_MODE_UPDOWN;
	const struct mcfab_policy_ops *ops = mcfab_policy_get(rc->policy);
	u32 flits;

	if (ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES)) {
		strcpy(rc->policy, fc->graph && !updown ? "test-shortest" : "unicast");
		rc->nset = 0;
		fc->vcs = max(fc->vcs, torus ? 2U : 1U);
	}
	mcfab_policy_put(ops);
	fc->replication = MCFAB_REPLICATION_MODE_ASYNC;
	/* copies of packets that go on may wait for consumption channels */
	fc->consume = one_in(state, 2) ? 0 : pick(state, 1, 3);
	fc->input_speedup = 0;
	fc->allocator = MCFAB_ALLOCATOR_MODE_OLDEST;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_CHANNEL;
	fc->pipeline = MCFAB_PIPELINE_MODE_HEADER;
	fc->link_arbitration = MCFAB_LINK_ARBITRATION_MODE_FLIT;
	fc->link_delay = 1;
	fc->credit_delay = 0;
	if (!one_in(state, 4))
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	rc->headers = false;
	if (rc->mtu)
		rc->flits = rc->mtu * max(rc->flits / rc->mtu, 1U);
	flits = mcfab_packet_flits(rc->flits, rc->mtu);
	if (fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	if (fc->switching == MCFAB_SWITCHING_MODE_CUT_THROUGH)
		fc->buffer = flits * pick(state, 1, 3);
	else
		fc->buffer = pick(state, 1, one_in(state, 2) ? 8 : 3 * flits);
	fc->buffer_packets = 0;
	rc->advance = MCFAB_ADVANCE_MODE_FLIT;
}

void suit_booksim(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	const struct mcfab_run_cfg before = *rc;
	bool trees = one_in(state, 2) && !rc->mtu && !rc->headers;

	suit_paths(state, fc, rc);
	if (trees) {
		memcpy(rc->policy, before.policy, sizeof(rc->policy));
		memcpy(rc->set, before.set, sizeof(rc->set));
		rc->nset = before.nset;
		/* most trees need buffers of a packet */
		fc->buffer = max(fc->buffer, rc->flits);
	} else if (one_in(state, 4)) {
		rc->flits = 1;
		rc->mtu = 0;
	}
	fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	fc->vc_release = one_in(state, 4) ? MCFAB_VC_RELEASE_MODE_DRAINED :
					    MCFAB_VC_RELEASE_MODE_SENT;
	fc->input_speedup = 1;
	fc->allocator = MCFAB_ALLOCATOR_MODE_SEPARABLE;
	fc->pipeline = MCFAB_PIPELINE_MODE_FLIT;
	fc->node_bandwidth = MCFAB_NODE_BANDWIDTH_MODE_SHARED;
	fc->link_delay = pick(state, 1, 3);
	fc->route_delay = pick(state, fc->link_delay == 1, 3);
	fc->credit_delay = pick(state, 1, 3);
	if (one_in(state, 2))
		fc->vcs = max(fc->vcs, pick(state, 2, 5));
	fc->inject = pick(state, 1, 5);
	fc->consume = pick(state, 1, 5);
}

void suit_cruise(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	bool booksim = one_in(state, 2);
	u32 hop;

	(booksim ? suit_booksim : suit_paths)(state, fc, rc);
	strcpy(rc->policy, one_in(state, 2) ? "unicast" : "dp");
	rc->nset = 0;
	fc->vcs = one_in(state, 3) ? 1 : pick(state, 2, 5);
	if (!strcmp(fc->topology, "torus"))
		fc->vcs = max(fc->vcs, 2U);
	fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	/* rows are faster where copies never wait */
	fc->consume = booksim || !strcmp(rc->policy, "dp") ? pick(state, 1, 3) : 0;
	if (!booksim && fc->vcs == 1)
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	hop = fc->link_delay + fc->route_delay;
	rc->mtu = 0;
	rc->flits = max(rc->flits, hop + pick(state, 1, 20));
	fc->buffer = hop + fc->credit_delay + (one_in(state, 2) ? 0 : pick(state, 0, 10));
	rc->advance = MCFAB_ADVANCE_MODE_WORM;
}

void suit_rows(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	bool mesh = !strcmp(fc->topology, "mesh"), booksim = one_in(state, 2);
	/* packets that are copied on their way */
	bool copied = !booksim && (mesh || !strcmp(fc->topology, "torus")) && one_in(state, 2);

	(booksim ? suit_booksim : suit_paths)(state, fc, rc);
	if (copied) {
		fc->vcs = max(fc->vcs, 1 + one_in(state, 2));
	} else {
		fc->vcs = pick(state, 1, 5);
		strcpy(rc->policy, mesh && one_in(state, 2) ? "umesh" : "unicast");
		rc->nset = 0;
	}
	if (!strcmp(fc->topology, "torus"))
		fc->vcs = max(fc->vcs, 2U);
	if (fc->vcs == 1)
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	fc->consume = copied || one_in(state, 2) ? 0 : pick(state, 1, 3);
	rc->mtu = 0;
	rc->flits = max(rc->flits, pick(state, 2, 40));
	if (booksim) {
		fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
		fc->link_delay = pick(state, 1, 3);
		fc->route_delay = pick(state, 1, 2);
		fc->credit_delay = pick(state, 2, 4);
		rc->flits = max(rc->flits, 24 / fc->vcs + 1);
	}
	fc->buffer = pick(state, 1, one_in(state, 2) ? 3 : 15);
	rc->advance = MCFAB_ADVANCE_MODE_WORM;
}

void suit_hops(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc)
{
	bool mesh = !strcmp(fc->topology, "mesh"), torus = !strcmp(fc->topology, "torus");

	bool booksim = one_in(state, 2);

	(booksim ? suit_booksim : suit_paths)(state, fc, rc);
	strcpy(rc->policy, mesh && one_in(state, 2) ? "umesh" : "unicast");
	rc->nset = 0;
	fc->vcs = one_in(state, 3) ? 1 : pick(state, 2 - torus, 5);
	/* packets wait for each other in cycles */
	if (torus && fc->vcs == 1)
		strcpy(rc->policy, "test-shortest");
	fc->vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	fc->switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	fc->consume = one_in(state, 2) ? 0 : pick(state, 1, 3);
	fc->buffer = pick(state, 2 - booksim, one_in(state, 2) ? 4 : 12);
	if (torus && fc->vcs == 1) {
		fc->buffer = 2;
		fc->startup = 0;
	}
	/* several packets to a message, or one */
	rc->mtu = one_in(state, 3);
	rc->flits = rc->mtu ? pick(state, 1, 5) : 1;
	rc->advance = MCFAB_ADVANCE_MODE_WORM;
}
