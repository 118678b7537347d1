// SPDX-License-Identifier: GPL-2.0
/*
 * ON_OFF: every node (or the one source asked for) is on or off. In each cycle a node that is
 * off turns on with probability alpha, and one that is on turns off with probability beta; then
 * one that is on generates a message with probability r1. A run begins in the steady state: on
 * with probability alpha / (alpha + beta).
 *
 * A node that is on stays there without a message for a geometric time, and what ends it is the
 * turn to off with probability beta / (1 - (1 - beta)(1 - r1)), else a message. Off it stays for
 * a geometric time. So there are two draws for each time that it is on, and none for a cycle.
 */
#include "workload/geometric.h"
#include "workload/kinds.h"

/* most times that a node is on for a message, about */
#define MOST_TURNS	1000

static int check_onoff(struct mcfab_workload *w, struct mcfab_err *err)
{
	struct mcfab_workload_cfg *cfg = &w->cfg;
	u32 blamed = cfg->r1 ? MCFAB_OPTION_RUN_R1_PPB : MCFAB_OPTION_RUN_RATE_PPB;
	u64 both = (u64)cfg->alpha + cfg->beta, r1;

	if (!cfg->alpha || cfg->alpha > MCFAB_PPB)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_ALPHA_PPB,
				    "on-off needs alpha, 0.000000001 to 1");
	if (!cfg->beta || cfg->beta > MCFAB_PPB)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_BETA_PPB,
				    "on-off needs beta, 0.000000001 to 1");
	if (cfg->r1 && cfg->rate)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_R1_PPB,
				    "r1 follows from the rate: leave one of them out");
	if (!cfg->r1 && !cfg->rate)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_RATE_PPB,
				    "on-off needs a rate, or r1");
	if (!cfg->r1) {
		int ret = mcfab_workload_check_rate(w, err);

		if (ret)
			return ret;
		r1 = div_u64(cfg->rate * both + cfg->alpha / 2, cfg->alpha);
		if (r1 > MCFAB_PPB)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_RATE_PPB,
					    "rate is above alpha / (alpha + beta): nodes are on no more");
		cfg->r1 = r1;
	} else {
		if (cfg->r1 > MCFAB_PPB)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_R1_PPB, "r1 is above 1");
		cfg->rate = max(div64_u64((u64)cfg->r1 * cfg->alpha, both), 1ULL);
	}
	if ((u64)cfg->r1 * MOST_TURNS < cfg->beta)
		return mcfab_refuse(err, -EINVAL, blamed,
				    "r1 is below beta / %u: bernoulli gives the same traffic",
				    MOST_TURNS);
	return 0;
}

static int onoff_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	struct mcfab_onoff *o = &w->onoff;
	u64 end, stay;
	int ret;

	ret = check_onoff(w, err);
	if (ret)
		return ret;
	end = mcfab_geometric_log(cfg->beta);
	stay = mcfab_geometric_log(cfg->r1);
	o->end = max(end, stay) == MCFAB_GEOMETRIC_SURE ? MCFAB_GEOMETRIC_SURE : end + stay;
	o->turn = mcfab_chance_of((u64)cfg->beta * MCFAB_PPB,
				  ((u64)cfg->beta + cfg->r1) * MCFAB_PPB -
				  (u64)cfg->beta * cfg->r1);
	o->wake = mcfab_geometric_log(cfg->alpha);
	o->send = mcfab_chance_of(cfg->r1, MCFAB_PPB);
	o->on = mcfab_chance_of(cfg->alpha, (u64)cfg->alpha + cfg->beta);
	return mcfab_workload_check_mix(w, err);
}

/* further draws of a message */
static u64 more(u64 word, u32 node, u32 *drawn)
{
	return mcfab_random_at(word, node, MCFAB_STREAM_ON_OFF, (*drawn)++);
}

/* from a cycle in which a node is on, and has generated what it does, to its next message */
static u64 next_message(const struct mcfab_onoff *o, u32 node, u64 cycle, u64 word, u32 *drawn)
{
	/* no run comes near */
	while (cycle < U64_MAX / 2) {
		cycle += mcfab_geometric(more(word, node, drawn), o->end);
		if (!mcfab_chance(more(word, node, drawn), o->turn))
			return cycle;
		cycle += mcfab_geometric(more(word, node, drawn), o->wake);
		if (mcfab_chance(more(word, node, drawn), o->send))
			return cycle;
	}
	return U64_MAX;
}

static void onoff_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		       u32 attempt)
{
	u64 word = mcfab_workload_word(w, node, MCFAB_STREAM_GAP, src->index, attempt);
	u32 drawn = 0;

	if (w->cfg.count && src->index >= w->cfg.count)
		src->gen = U64_MAX;
	else
		src->gen = next_message(&w->onoff, node, src->gen, word, &drawn);
}

static void onoff_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	u64 word = mcfab_workload_word(w, node, MCFAB_STREAM_GAP, 0, 0);
	const struct mcfab_onoff *o = &w->onoff;
	u32 drawn = 0;

	src->gen = U64_MAX;
	if (w->cfg.source != MCFAB_NONE && w->cfg.source != node)
		return;
	src->gen = 0;
	/* off in cycle 0: from there to the first one in which it is on */
	if (!mcfab_chance(more(word, node, &drawn), o->on))
		src->gen = mcfab_geometric(more(word, node, &drawn), o->wake);
	if (!mcfab_chance(more(word, node, &drawn), o->send))
		src->gen = next_message(o, node, src->gen, word, &drawn);
}

const struct mcfab_workload_ops mcfab_workload_onoff_ops = {
	.open = onoff_open,
	.start = onoff_start,
	.step = onoff_step,
};
