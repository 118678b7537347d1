// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: where a message to one node goes, as a function of its source and a random word.
 * Documentation/workloads.md has the definitions.
 *
 * A pattern may name the source itself. Such a message is left out, unless the run asks for
 * messages to self: the draw is made again, with the time between messages, as if nothing had
 * been generated. So a source of which a part p of the messages would be for itself generates
 * (1 - p) of its rate, under any process, and messages are numbered without holes.
 */
#include "base/job.h"
#include "topology/topology.h"
#include "workload/kinds.h"

/* nodes that are looked at between two scheduling points */
#define BREATH	4096

static u32 uniform_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return mcfab_below(word, w->nodes);
}

static u32 transpose_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	u32 half = w->pattern.bits / 2;

	return node >> half | (node & (BIT(half) - 1)) << half;
}

static u32 bitcomp_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return w->nodes - 1 - node;
}

static u32 bitrev_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	u32 dest = 0, bit;

	for (bit = 0; bit < w->pattern.bits; bit++, node >>= 1)
		dest = dest << 1 | (node & 1);
	return dest;
}

static u32 shuffle_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return (node << 1 & (w->nodes - 1)) | node >> (w->pattern.bits - 1);
}

static u32 bitrot_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return node >> 1 | (node & 1) << (w->pattern.bits - 1);
}

/* the node that is further along each dimension, by @step of its radix */
static u32 shifted(const struct mcfab_topo *topo, u32 node, u32 (*step)(u32 radix))
{
	u32 dest = 0, dim;

	for (dim = 0; dim < topo->ndims; dim++) {
		u32 radix = topo->radix[dim];
		u32 at = mcfab_topo_coord(topo, node, dim) + step(radix);

		dest += (at < radix ? at : at - radix) * topo->stride[dim];
	}
	return dest;
}

static u32 almost_half(u32 radix)
{
	return (radix + 1) / 2 - 1;
}

static u32 tornado_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return shifted(w->cfg.topo, node, almost_half);
}

static u32 one(u32 radix)
{
	return 1;
}

static u32 neighbor_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return shifted(w->cfg.topo, node, one);
}

static u32 diagonal_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	if (mcfab_below(word, 3))
		return node;
	return node + 1 < w->nodes ? node + 1 : 0;
}

static u32 randperm_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	return mcfab_perm_at(&w->pattern.perm, node);
}

static u32 hotspot_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	u32 i, at;

	if (cfg->hotspot_ppm < MCFAB_PPM &&
	    mcfab_below(mcfab_mix64(word + MCFAB_GOLDEN), MCFAB_PPM) >= cfg->hotspot_ppm)
		return cfg->self ? uniform_dest(w, node, word) :
				   mcfab_pattern_other(w, node, word);
	at = mcfab_below(word, w->pattern.weight);
	for (i = 0; at >= cfg->hotspot_weight[i]; i++)
		at -= cfg->hotspot_weight[i];
	return cfg->hotspot[i];
}

static int open_bits(struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	w->pattern.bits = fls(w->nodes) - 1;
	if (w->nodes == BIT(w->pattern.bits))
		return 0;
	return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PATTERN,
			    "pattern %s needs a power of two of nodes, not %u", name, w->nodes);
}

static int open_halves(struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	int ret = open_bits(w, name, err);

	if (ret || !(w->pattern.bits % 2))
		return ret;
	return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PATTERN,
			    "pattern %s needs an even number of bits: %u nodes have %u", name,
			    w->nodes, w->pattern.bits);
}

static int open_grid(struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	const struct mcfab_topo *topo = w->cfg.topo;

	if (topo && topo->ops->serve & (MCFAB_POLICY_MESH | MCFAB_POLICY_TORUS))
		return 0;
	return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_PATTERN,
			    "pattern %s needs a mesh or a torus: it goes by dimensions", name);
}

static int open_perm(struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	mcfab_perm_init(&w->pattern.perm, &w->all,
			mcfab_random(w->seed, MCFAB_NONE, MCFAB_STREAM_PATTERN, 0));
	return 0;
}

static int open_hotspot(struct mcfab_workload *w, const char *name, struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	u32 i, j;

	if (!cfg->nhotspots || cfg->nhotspots > MCFAB_MAX_HOTSPOTS)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HOTSPOTS,
				    "pattern %s needs hotspots, 1 to %u nodes", name,
				    MCFAB_MAX_HOTSPOTS);
	if (!cfg->hotspot_ppm || cfg->hotspot_ppm > MCFAB_PPM)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HOTSPOT_SHARE_PPM,
				    "hotspot-share is above 0, to 1");
	for (i = 0; i < cfg->nhotspots; i++) {
		err->index = i;
		if (cfg->hotspot[i] >= w->nodes)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HOTSPOTS,
					    "hot node %u is not below %u", cfg->hotspot[i],
					    w->nodes);
		for (j = 0; j < i; j++)
			if (cfg->hotspot[j] == cfg->hotspot[i])
				return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HOTSPOTS,
						    "hot node %u is named twice",
						    cfg->hotspot[i]);
		if (!cfg->hotspot_weight[i] || cfg->hotspot_weight[i] > MCFAB_MAX_HOTSPOT_WEIGHT)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_HOTSPOT_WEIGHTS,
					    "a hot node's weight is 1 to %u",
					    MCFAB_MAX_HOTSPOT_WEIGHT);
		w->pattern.weight += cfg->hotspot_weight[i];
	}
	err->index = 0;
	return 0;
}

static const struct {
	const char *name;
	u32 (*dest)(const struct mcfab_workload *w, u32 node, u64 word);
	int (*open)(struct mcfab_workload *w, const char *name, struct mcfab_err *err);
	bool drawn;	/* each message by itself */
} patterns[] = {
	[MCFAB_TRAFFIC_PATTERN_UNIFORM] = { "uniform", uniform_dest, NULL, true },
	[MCFAB_TRAFFIC_PATTERN_TRANSPOSE] = { "transpose", transpose_dest, open_halves },
	[MCFAB_TRAFFIC_PATTERN_BITCOMP] = { "bitcomp", bitcomp_dest, open_bits },
	[MCFAB_TRAFFIC_PATTERN_BITREV] = { "bitrev", bitrev_dest, open_bits },
	[MCFAB_TRAFFIC_PATTERN_SHUFFLE] = { "shuffle", shuffle_dest, open_bits },
	[MCFAB_TRAFFIC_PATTERN_BITROT] = { "bitrot", bitrot_dest, open_bits },
	[MCFAB_TRAFFIC_PATTERN_TORNADO] = { "tornado", tornado_dest, open_grid },
	[MCFAB_TRAFFIC_PATTERN_NEIGHBOR] = { "neighbor", neighbor_dest, open_grid },
	[MCFAB_TRAFFIC_PATTERN_DIAGONAL] = { "diagonal", diagonal_dest, NULL, true },
	[MCFAB_TRAFFIC_PATTERN_RANDPERM] = { "randperm", randperm_dest, open_perm },
	[MCFAB_TRAFFIC_PATTERN_HOTSPOT] = { "hotspot", hotspot_dest, open_hotspot, true },
};

static const char *pattern_name(const struct mcfab_workload *w)
{
	return patterns[w->cfg.pattern].name;
}

/**
 * mcfab_pattern_sends() - does a node have any message to another one?
 * @w: workload that has messages to one node only, none of them to self
 * @node: the node
 *
 * Context: any.
 * Return: false if all its messages are left out.
 */
bool mcfab_pattern_sends(const struct mcfab_workload *w, u32 node)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;

	if (w->pattern.fixed)
		return w->pattern.dest(w, node, 0) != node;
	return cfg->pattern != MCFAB_TRAFFIC_PATTERN_HOTSPOT || cfg->hotspot_ppm < MCFAB_PPM ||
	       cfg->nhotspots > 1 || cfg->hotspot[0] != node;
}

/* somebody sends */
static int check_senders(const struct mcfab_workload *w, struct mcfab_err *err)
{
	u32 node = w->cfg.source;

	if (node != MCFAB_NONE) {
		if (mcfab_pattern_sends(w, node))
			return 0;
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SOURCE,
				    "pattern %s has no other node for source %u", pattern_name(w),
				    node);
	}
	for (node = 0; node < w->nodes; node++) {
		if (mcfab_pattern_sends(w, node))
			return 0;
		if (!(node % BREATH) && mcfab_job_step(node, w->nodes))
			return mcfab_refuse(err, -EINTR, 0, "interrupted");
	}
	return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PATTERN,
			    "pattern %s sends every node's messages to itself here",
			    pattern_name(w));
}

/**
 * mcfab_pattern_open() - check where messages to one node go, and prepare it
 * @w: workload, not FILE, otherwise open
 * @err: why it is refused
 *
 * Context: may sleep.
 * Return: 0, -EINVAL, -EOPNOTSUPP where the network has no dimensions, or -EINTR.
 */
int mcfab_pattern_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	u32 kind = cfg->pattern;
	bool fixed, to_one;
	int ret = 0;

	w->single = !w->group && !w->around && cfg->dests == 1;
	if (!kind || (kind == MCFAB_TRAFFIC_PATTERN_UNIFORM && !cfg->self))
		return 0;
	if (kind >= ARRAY_SIZE(patterns))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PATTERN, "unknown pattern %u",
				    kind);
	to_one = w->single || w->unicasts;
	if (cfg->self && !to_one)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SELF,
				    "self is about messages to one node: dests 1, or unicasts");
	if (!to_one && !w->around)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PATTERN,
				    "pattern is about dests 1, unicasts, or the centre of a set");
	if (patterns[kind].open)
		ret = patterns[kind].open(w, patterns[kind].name, err);
	if (ret)
		return ret;
	fixed = !patterns[kind].drawn;
	w->pattern.dest = patterns[kind].dest;
	w->pattern.fixed = fixed;
	if (cfg->self || !to_one)
		return 0;
	w->silent = w->single || !cfg->multicast_ppm;
	w->thinned = !w->silent || !fixed;
	return w->silent ? check_senders(w, err) : 0;
}
