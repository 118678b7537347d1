// SPDX-License-Identifier: GPL-2.0
/*
 * BURST: one message each from all or a fraction of the nodes (or from the given source), all
 * generated in cycle 0. The senders are a random subset with exactly the rounded number of nodes.
 */
#include "workload/kinds.h"

static int burst_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	if (w->cfg.fraction_ppm > MCFAB_PPM)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FRACTION_PPM,
				    "fraction is above 1");
	if (w->cfg.source != MCFAB_NONE)
		return 0;
	/* halves are rounded up */
	w->senders = div_u64((u64)w->nodes * w->cfg.fraction_ppm + MCFAB_PPM / 2, MCFAB_PPM);
	if (!w->senders)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FRACTION_PPM,
				    "fraction is so small that no node sends");
	return 0;
}

static bool burst_sends(const struct mcfab_workload *w, u32 node)
{
	struct mcfab_perm perm;

	if (!w->senders)
		return node == w->cfg.source;
	mcfab_perm_init(&perm, &w->all, mcfab_random(w->seed, MCFAB_NONE, MCFAB_STREAM_BURST, 0));
	return mcfab_perm_place(&perm, node) < w->senders;
}

static void burst_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	src->gen = burst_sends(w, node) ? 0 : U64_MAX;
}

static void burst_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		       u32 attempt)
{
	src->gen = U64_MAX;
}

const struct mcfab_workload_ops mcfab_workload_burst_ops = {
	.open = burst_open,
	.start = burst_start,
	.step = burst_step,
};
