// SPDX-License-Identifier: GPL-2.0
/*
 * BERNOULLI: in each cycle every node (or the one source asked for) generates a message with the
 * probability that the rate is, one at most. The times between messages are geometric.
 */
#include "workload/geometric.h"
#include "workload/kinds.h"

static int bernoulli_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	int ret = mcfab_workload_check_rate(w, err);

	if (ret)
		return ret;
	w->rare = mcfab_geometric_log(w->cfg.rate);
	return mcfab_workload_check_mix(w, err);
}

static void bernoulli_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			   u32 attempt)
{
	u64 word = mcfab_workload_word(w, node, MCFAB_STREAM_GAP, src->index, attempt);
	u64 cycles = mcfab_geometric(word, w->rare);

	if (w->cfg.count && src->index >= w->cfg.count)
		src->gen = U64_MAX;
	else
		src->gen = cycles < U64_MAX - src->gen ? src->gen + cycles : U64_MAX;
}

static void bernoulli_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	src->gen = U64_MAX;
	if (w->cfg.source != MCFAB_NONE && w->cfg.source != node)
		return;
	/* cycle 0 is one of them */
	src->gen = mcfab_geometric(mcfab_workload_word(w, node, MCFAB_STREAM_GAP, 0, 0),
				   w->rare) - 1;
}

const struct mcfab_workload_ops mcfab_workload_bernoulli_ops = {
	.open = bernoulli_open,
	.start = bernoulli_start,
	.step = bernoulli_step,
};
