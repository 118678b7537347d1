// SPDX-License-Identifier: GPL-2.0
/*
 * POISSON: every node (or the given source) generates messages after exponential gaps. Points in
 * time have 32 fractional bits, and a message's generation cycle is the whole part: several
 * messages of a node may fall into one cycle. The first gap starts at cycle 0.
 */
#include "workload/exponential.h"
#include "workload/kinds.h"

static int poisson_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	int ret = mcfab_workload_check_rate(w, err);

	if (ret)
		return ret;
	mcfab_gaps_init(&w->gaps, w->cfg.rate);
	return mcfab_workload_check_mix(w, err);
}

static void poisson_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			 u32 attempt)
{
	u64 word = mcfab_workload_word(w, node, MCFAB_STREAM_GAP, src->index, attempt);
	struct mcfab_gap gap;
	u64 frac;

	if (w->cfg.count && src->index >= w->cfg.count) {
		src->gen = U64_MAX;
		return;
	}
	gap = mcfab_gaps_draw(&w->gaps, word);
	frac = (u64)src->frac + gap.frac;
	gap.cycles += frac >> 32;
	src->frac = frac;
	src->gen = gap.cycles < U64_MAX - src->gen ? src->gen + gap.cycles : U64_MAX;
}

static void poisson_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	if (w->cfg.source != MCFAB_NONE && w->cfg.source != node)
		src->gen = U64_MAX;
	else
		poisson_step(w, node, src, 0);
}

const struct mcfab_workload_ops mcfab_workload_poisson_ops = {
	.open = poisson_open,
	.start = poisson_start,
	.step = poisson_step,
};
