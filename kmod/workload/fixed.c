// SPDX-License-Identifier: GPL-2.0
/*
 * FIXED: messages at equal intervals.
 *
 * Per node: every node generates one message per interval, at an offset of its own that is drawn
 * once, uniform over the interval. Without the offset all nodes would generate in the same cycle.
 *
 * Of the whole network: at every multiple of the interval, from cycle 0 on, exactly one node
 * generates a message. Time is divided into epochs of as many intervals as there are nodes, and
 * each epoch has a random permutation of the nodes: every node has one message per epoch, and finds
 * its next message from the epoch's number alone.
 *
 * If a source is given, only that node generates one message per interval, from cycle 0 on
 * (network) or from its offset on.
 */
#include "workload/kinds.h"

static int fixed_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	if (!w->cfg.interval)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_INTERVAL,
				    "interval must be at least 1 cycle");
	return mcfab_workload_check_mix(w, err);
}

/* cycle of time number @slot of a node; U64_MAX: beyond what 64 bits can count */
static u64 fixed_cycle(const struct mcfab_workload *w, u32 node, u64 slot)
{
	struct mcfab_perm perm;

	if (!w->cfg.network)
		return slot * w->cfg.interval +
		       mcfab_random_below(w->seed, node, MCFAB_STREAM_GAP, 0, w->cfg.interval);
	if (w->cfg.source == MCFAB_NONE) {
		mcfab_perm_init(&perm, &w->all,
				mcfab_random(w->seed, MCFAB_NONE, MCFAB_STREAM_GAP, slot));
		slot = slot * w->nodes + mcfab_perm_place(&perm, node);
	}
	if (slot > div_u64(U64_MAX - 1, w->cfg.interval))
		return U64_MAX;
	return slot * w->cfg.interval;
}

static void fixed_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	if (w->cfg.source != MCFAB_NONE && w->cfg.source != node)
		src->gen = U64_MAX;
	else
		src->gen = fixed_cycle(w, node, 0);
}

/* the number of a node's time that is at a cycle */
static u64 fixed_slot(const struct mcfab_workload *w, u64 cycle)
{
	u64 slot = div_u64(cycle, w->cfg.interval);

	return w->cfg.network && w->cfg.source == MCFAB_NONE ? div_u64(slot, w->nodes) : slot;
}

static void fixed_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		       u32 attempt)
{
	/* a node that leaves messages out has fewer messages than times */
	u64 slot = w->thinned ? fixed_slot(w, src->gen) + 1 : src->index;

	if (w->cfg.count && src->index >= w->cfg.count)
		src->gen = U64_MAX;
	else
		src->gen = fixed_cycle(w, node, slot);
}

const struct mcfab_workload_ops mcfab_workload_fixed_ops = {
	.open = fixed_open,
	.start = fixed_start,
	.step = fixed_step,
};
