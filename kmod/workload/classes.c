// SPDX-License-Identifier: GPL-2.0
/*
 * Several classes of traffic in one run.
 *
 * Each class is a workload of its own. A node's stream is the superposition of its classes'
 * streams: the messages of all of them in the order of generation, and in the order of the classes
 * where they are generated in the same cycle. The sequence number of message @i of class @c is
 * i * classes + c, so a number tells the class and the place in it, without a table.
 *
 * Class 0 has the seed of the run, so its messages are those that it would generate alone. The
 * seeds of the other classes are drawn by it: equal classes do not generate the same messages.
 */
#include "base/memory.h"
#include "workload/kinds.h"

static u64 class_seed(u64 seed, u32 class)
{
	return class ? mcfab_random_at(mcfab_random_key(seed), class, MCFAB_STREAM_CLASS, 0) : seed;
}

static int open_class(struct mcfab_workload *w, const struct mcfab_run_cfg *run, u32 class,
		      struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &run->class[class].workload;

	if (!mcfab_workload_is_load(cfg->kind))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "only loads have classes: poisson, bernoulli, fixed, on-off");
	if (cfg->multicast_ppm && cfg->multicast_ppm < MCFAB_PPM)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_MULTICAST_FRACTION_PPM,
				    "multicast-fraction is 0 or 1: a mixture is two classes");
	return mcfab_workload_open(&w->class[class], cfg, class_seed(w->seed, class), w->nodes,
				   err);
}

/* messages of classes without lengths have the run's, if others differ */
static void take_lengths(struct mcfab_workload *w, const struct mcfab_run_cfg *run)
{
	u32 i;

	for (i = 0; i < w->nclasses; i++) {
		struct mcfab_workload_cfg *cfg = &w->class[i].cfg;

		if (cfg->nlengths)
			continue;
		cfg->nlengths = 1;
		cfg->length[0] = run->flits;
		cfg->weight[0] = 1;
		mcfab_lengths_open(&w->class[i]);
	}
}

/**
 * mcfab_workload_open_run() - check the traffic of a run and prepare it
 * @w: what to fill in
 * @run: the run
 * @seed: of all draws, if the traffic has none of its own
 * @nodes: nodes that take part in the traffic, see mcfab_workload_nodes()
 * @err: why it is refused; see mcfab_workload_open()
 *
 * Context: may sleep.
 * Return: 0, then mcfab_workload_close() is due; or a negative error code, with
 * nothing to close.
 */
int mcfab_workload_open_run(struct mcfab_workload *w, const struct mcfab_run_cfg *run, u64 seed,
			    u32 nodes, struct mcfab_err *err)
{
	u32 i;
	int ret;

	if (!run->nclasses)
		return mcfab_workload_open(w, &run->workload, seed, nodes, err);
	memset(w, 0, sizeof(*w));
	w->cfg = run->workload;
	w->seed = run->workload.seeded ? run->workload.seed : seed;
	w->nodes = nodes;
	w->class = mcfab_memory_zalloc(run->nclasses, sizeof(*w->class));
	if (!w->class)
		return mcfab_refuse(err, -ENOMEM, 0, "no memory for classes of traffic");
	for (i = 0; i < run->nclasses; i++) {
		ret = open_class(w, run, i, err);
		if (ret) {
			mcfab_blame_class(err, i);
			mcfab_workload_close(w);
			return ret;
		}
		w->nclasses++;
		w->max_dests = max(w->max_dests, w->class[i].max_dests);
	}
	take_lengths(w, run);
	return 0;
}

/* the first message of all classes' next messages */
static void put_head(const struct mcfab_workload *w, struct mcfab_source *src,
		     const struct mcfab_source *part)
{
	u32 first = 0, i;

	for (i = 1; i < w->nclasses; i++)
		if (part[i].gen < part[first].gen)
			first = i;
	src->gen = part[first].gen;
	src->frac = part[first].frac;
	src->index = part[first].index * w->nclasses + first;
}

/**
 * mcfab_stream_first() - go to the first message of a node
 * @w: the traffic of a run
 * @node: node
 * @src: its stream, filled in
 * @part: [@w->nclasses] streams of its classes, filled in; of no meaning without classes
 *
 * Context: any, without locks.
 */
void mcfab_stream_first(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			struct mcfab_source *part)
{
	u32 i;

	if (!w->nclasses) {
		mcfab_workload_first(w, node, src);
		return;
	}
	for (i = 0; i < w->nclasses; i++)
		mcfab_workload_first(&w->class[i], node, &part[i]);
	put_head(w, src, part);
}

/**
 * mcfab_stream_next_class() - mcfab_stream_next() with classes
 * @w: the traffic of a run, with classes
 * @node: node
 * @src: its stream
 * @part: [@w->nclasses] streams of its classes
 *
 * Context: any, without locks.
 * Return: see mcfab_stream_next().
 */
bool mcfab_stream_next_class(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
			     struct mcfab_source *part)
{
	u32 class = src->index % w->nclasses;
	struct mcfab_source *own = &part[class];

	mcfab_workload_next(&w->class[class], node, own);
	/* sequence numbers have 32 bits */
	if (own->index >= U32_MAX / w->nclasses - 1)
		own->gen = U64_MAX;
	put_head(w, src, part);
	return own->gen == U64_MAX;
}

/**
 * mcfab_stream_passed_classes() - mcfab_stream_passed() with classes
 * @w: the traffic of a run, with classes
 * @part: [@w->nclasses] streams of a node's classes
 *
 * Context: any.
 * Return: number of messages.
 */
u64 mcfab_stream_passed_classes(const struct mcfab_workload *w, const struct mcfab_source *part)
{
	u64 passed = 0;
	u32 i;

	for (i = 0; i < w->nclasses; i++)
		passed += part[i].index;
	return passed;
}
