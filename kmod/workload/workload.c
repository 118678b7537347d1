// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that all kinds of traffic share: checks, sequence numbers and the draw of destinations.
 *
 * The destinations of a message are the first elements of a permutation of all other nodes, whose
 * key is drawn for that message. So they are distinct, without a table of nodes drawn already,
 * whether they are two or all of 65,535.
 */
#include "base/memory.h"
#include "subnet/subnet.h"
#include "workload/kinds.h"

/* Draws of one message, of which the last is taken as it comes. */
#define MOST_ATTEMPTS	65536

static const struct mcfab_workload_ops *workload_ops(enum mcfab_workload_type kind)
{
	switch (kind) {
	case MCFAB_WORKLOAD_TYPE_LONE:
		return &mcfab_workload_lone_ops;
	case MCFAB_WORKLOAD_TYPE_POISSON:
		return &mcfab_workload_poisson_ops;
	case MCFAB_WORKLOAD_TYPE_FIXED:
		return &mcfab_workload_fixed_ops;
	case MCFAB_WORKLOAD_TYPE_BURST:
		return &mcfab_workload_burst_ops;
	case MCFAB_WORKLOAD_TYPE_FILE:
		return &mcfab_workload_file_ops;
	case MCFAB_WORKLOAD_TYPE_BERNOULLI:
		return &mcfab_workload_bernoulli_ops;
	case MCFAB_WORKLOAD_TYPE_ON_OFF:
		return &mcfab_workload_onoff_ops;
	case MCFAB_WORKLOAD_TYPE_PORTS:
		return &mcfab_workload_ports_ops;
	}
	return NULL;
}

/* true if the kind draws destinations, so that @dests counts */
static bool draws_dests(const struct mcfab_workload_cfg *cfg)
{
	if (mcfab_workload_is_load(cfg->kind))
		return cfg->multicast_ppm;
	return !mcfab_workload_is_given(cfg->kind);
}

/**
 * mcfab_workload_check_rate() - check the rate at which nodes generate messages
 * @w: workload
 * @err: why it is refused
 *
 * Context: any.
 * Return: 0 or a negative error code.
 */
int mcfab_workload_check_rate(const struct mcfab_workload *w, struct mcfab_err *err)
{
	if (!w->cfg.rate)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_RATE_PPB,
				    "rate must be at least 0.000000001");
	if (w->cfg.rate > MCFAB_RATE_ONE)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_RATE_PPB,
				    "rate must be at most 1 message per node and cycle");
	return 0;
}

/**
 * mcfab_workload_check_mix() - check the mixture of multicasts and unicasts
 * @w: workload
 * @err: why it is refused
 *
 * A multicast to one node could not be told from the unicasts it is mixed with.
 *
 * Context: any.
 * Return: 0 or a negative error code.
 */
int mcfab_workload_check_mix(const struct mcfab_workload *w, struct mcfab_err *err)
{
	u32 ppm = w->cfg.multicast_ppm;

	if (ppm > MCFAB_PPM)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_MULTICAST_FRACTION_PPM,
				    "multicast fraction is above 1");
	if (ppm && ppm < MCFAB_PPM && w->group && w->group->nmembers < 3)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_GROUP,
				    "group %s needs 3 members to mix in unicasts",
				    w->group->name);
	if (ppm && ppm < MCFAB_PPM && !w->group && w->cfg.dests == 1)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_DESTS,
				    "dests must be at least 2 when unicasts are mixed in");
	return 0;
}

/* find the group that multicasts are for; every source has somebody to send to */
static int open_group(struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_workload_cfg *cfg = &w->cfg;
	const struct mcfab_group *group;

	group = cfg->subnet ? mcfab_group_find(cfg->subnet, cfg->group) : NULL;
	if (!group)
		return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_RUN_GROUP, "there is no group %s",
				    cfg->group);
	if (cfg->dests)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_DESTS,
				    "dests are the members of group %s: leave it out", cfg->group);
	if (!group->nmembers)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_GROUP, "group %s has no members",
				    cfg->group);
	if (group->nmembers == 1 &&
	    (cfg->source == MCFAB_NONE || cfg->source == group->member[0]))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_GROUP,
				    "group %s has the one member %u: give another source",
				    cfg->group, group->member[0]);
	w->group = group;
	w->max_dests = group->nmembers;
	return 0;
}

/**
 * mcfab_workload_open() - check a workload and prepare it
 * @w: what to fill in
 * @cfg: what was asked for; its list, if any, must outlive @w
 * @seed: of all draws, if @cfg has none of its own
 * @nodes: nodes that take part in the traffic, see mcfab_workload_nodes()
 * @err: why it is refused; its message names the argument to change and its
 *	 index the message of a list
 *
 * Context: may sleep.
 * Return: 0, then mcfab_workload_close() is due; or a negative error code, with
 * nothing to close.
 */
int mcfab_workload_open(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg,
			u64 seed, u32 nodes, struct mcfab_err *err)
{
	int ret;

	memset(w, 0, sizeof(*w));
	w->cfg = *cfg;
	w->seed = cfg->seeded ? cfg->seed : seed;
	w->key = mcfab_random_key(w->seed);
	w->nodes = nodes;
	w->ops = workload_ops(cfg->kind);
	if (!w->ops)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD, "unknown workload %d",
				    (int)cfg->kind);
	if (nodes < 2 || nodes > MCFAB_MAX_NODES)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FABRIC,
				    "a workload needs 2 to %d nodes", MCFAB_MAX_NODES);
	if (!mcfab_workload_is_given(cfg->kind) && cfg->source != MCFAB_NONE &&
	    cfg->source >= nodes && cfg->topo && cfg->source < cfg->topo->nodes)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_SOURCE,
				    "source %u is an aggregation node, which sends in lists only",
				    cfg->source);
	if (!mcfab_workload_is_given(cfg->kind) && cfg->source != MCFAB_NONE &&
	    cfg->source >= nodes)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_SOURCE,
				    "source %u is not below %u", cfg->source, nodes);
	ret = mcfab_lengths_check(cfg, err);
	if (ret)
		return ret;
	mcfab_lengths_open(w);
	w->max_dests = 1;
	if (cfg->group[0]) {
		ret = open_group(w, err);
		if (ret)
			return ret;
	} else if (draws_dests(cfg)) {
		if (!cfg->dests)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_DESTS,
					    "dests must be at least 1");
		if (cfg->dests >= nodes)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_DESTS,
					    "dests must be at most %u, one less than the nodes",
					    nodes - 1);
		w->max_dests = cfg->dests;
	}
	mcfab_domain_init(&w->all, nodes);
	mcfab_domain_init(&w->others, nodes - 1);
	w->unicasts = mcfab_workload_is_load(cfg->kind) && cfg->multicast_ppm < MCFAB_PPM;
	ret = w->ops->open(w, err);
	if (ret || mcfab_workload_is_given(cfg->kind))
		return ret;
	ret = mcfab_region_open(w, err) ?: mcfab_pattern_open(w, err);
	w->plain = w->single && !w->unicasts && !w->ops->dests && !w->pattern.dest;
	return ret;
}

/**
 * mcfab_workload_close() - free what mcfab_workload_open() took
 * @w: workload, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_workload_close(struct mcfab_workload *w)
{
	u32 i;

	for (i = 0; i < w->nclasses; i++)
		mcfab_workload_close(&w->class[i]);
	mcfab_memory_free(w->class);
	w->class = NULL;
	w->nclasses = 0;
	mcfab_memory_free(w->msg_order);
	mcfab_memory_free(w->msg_first);
	w->msg_order = NULL;
	w->msg_first = NULL;
}

/**
 * mcfab_workload_max_dests() - most destinations of a message
 * @w: workload
 *
 * Context: any.
 * Return: room that mcfab_workload_dests() and mcfab_workload_lone() need.
 */
u32 mcfab_workload_max_dests(const struct mcfab_workload *w)
{
	return w->max_dests;
}

/**
 * mcfab_workload_again() - is a message left out, so that it is drawn again?
 * @w: workload of which messages to self are left out
 * @node: its source
 * @word: random word for its destination, if it has only one
 * @attempt: how often it was left out already
 *
 * Context: any.
 * Return: true if so.
 */
bool mcfab_workload_again(const struct mcfab_workload *w, u32 node, u64 word, u32 attempt)
{
	return attempt < MOST_ATTEMPTS && w->pattern.dest(w, node, word) == node;
}

/**
 * mcfab_pattern_dest() - draw the destination of a message by the workload's pattern
 * @w: workload with a pattern
 * @node: source of the message
 * @word: random word for its destination
 *
 * Context: any.
 * Return: the destination.
 */
u32 mcfab_pattern_dest(const struct mcfab_workload *w, u32 node, u64 word)
{
	u32 dest = w->pattern.dest(w, node, word);

	if (likely(dest != node) || w->cfg.self)
		return dest;
	/* the pattern names the source itself: any other node is drawn instead */
	return mcfab_pattern_other(w, node, word);
}

/* is a message a unicast of mixed traffic? */
static bool is_unicast(const struct mcfab_workload *w, u32 node, u32 index, u32 attempt)
{
	if (!w->unicasts || (attempt == MOST_ATTEMPTS && w->cfg.multicast_ppm))
		return false;
	return mcfab_below(mcfab_workload_word(w, node, MCFAB_STREAM_KIND, index, attempt),
			   MCFAB_PPM) >= w->cfg.multicast_ppm;
}

/* is a message left out when it is drawn for the time after @attempt times? */
static bool left_out(const struct mcfab_workload *w, u32 node, u32 index, u32 attempt)
{
	u64 word;

	if (!w->single && !is_unicast(w, node, index, attempt))
		return false;
	word = mcfab_workload_word(w, node, MCFAB_STREAM_DEST, index, attempt);
	return mcfab_workload_again(w, node, word, attempt);
}

/* how often a message was left out before it was taken */
static u32 taken(const struct mcfab_workload *w, u32 node, u32 index)
{
	u32 attempt = 0;

	while (unlikely(w->thinned) && left_out(w, node, index, attempt))
		attempt++;
	return attempt;
}

/* go on to where the message in @src is taken */
static void leave_out(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	u32 attempt = 0;

	while (w->thinned && src->gen != U64_MAX && left_out(w, node, src->index, attempt))
		w->ops->step(w, node, src, ++attempt);
}

/**
 * mcfab_workload_first() - go to the first message of a node
 * @w: workload
 * @node: node
 * @src: its stream, filled in
 *
 * Context: any, without locks.
 */
void mcfab_workload_first(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	memset(src, 0, sizeof(*src));
	if (!w->ops->start || node >= w->nodes || (w->silent && !mcfab_pattern_sends(w, node)))
		src->gen = U64_MAX;
	else
		w->ops->start(w, node, src);
	leave_out(w, node, src);
}

static noinline void next_taken(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	w->ops->step(w, node, src, 0);
	leave_out(w, node, src);
}

/**
 * mcfab_workload_next() - go to the next message of a node
 * @w: workload
 * @node: node
 * @src: its stream
 *
 * The stream ends where the sequence number would leave 32 bits.
 *
 * Context: any, without locks.
 */
void mcfab_workload_next(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	if (src->gen == U64_MAX)
		return;
	if (src->index >= U32_MAX - 1) {
		src->gen = U64_MAX;
		return;
	}
	src->index++;
	if (unlikely(w->thinned))
		next_taken(w, node, src);
	else
		w->ops->step(w, node, src, 0);
}

/**
 * mcfab_workload_draw() - draw distinct destinations
 * @w: workload
 * @node: source, never drawn
 * @key: of the permutation
 * @count: how many, below the number of nodes
 * @dst: [@count] where to put them, in random order
 *
 * One alone needs no permutation.
 *
 * Context: any.
 */
void mcfab_workload_draw(const struct mcfab_workload *w, u32 node, u64 key, u32 count, u32 *dst)
{
	struct mcfab_perm perm;
	u32 i;

	if (count == 1) {
		dst[0] = mcfab_pattern_other(w, node, key);
		return;
	}
	mcfab_perm_init(&perm, &w->others, key);
	mcfab_perm_first(&perm, count, dst);
	for (i = 0; i < count; i++)
		dst[i] += dst[i] >= node;
}

/**
 * mcfab_workload_ndests() - how many destinations a message of a stream has
 * @w: workload
 * @node: its source
 * @index: its sequence number
 *
 * Without drawing them.
 *
 * Context: any, without locks.
 * Return: what mcfab_workload_dests() or mcfab_workload_lone() would return.
 */
u32 mcfab_workload_ndests(const struct mcfab_workload *w, u32 node, u32 index)
{
	w = mcfab_workload_own(w, &index);
	if (w->ops->ndests)
		return w->ops->ndests(w, node, index);
	if (is_unicast(w, node, index, taken(w, node, index)))
		return 1;
	if (w->group)
		return w->group->nmembers - mcfab_group_has(w->group, node);
	return w->cfg.dests;
}

/* as mcfab_workload_dests(), of any workload */
static noinline u32 any_dests(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst,
			      bool *unicast)
{
	u32 count, attempt;
	u64 key;

	w = mcfab_workload_own(w, &index);
	count = w->cfg.dests;
	*unicast = false;
	if (w->ops->dests)
		return w->ops->dests(w, node, index, dst);

	attempt = taken(w, node, index);
	if (is_unicast(w, node, index, attempt)) {
		*unicast = true;
		count = 1;
	} else if (w->group) {
		return mcfab_group_dests(w->group, node, dst);
	}
	key = mcfab_workload_word(w, node, MCFAB_STREAM_DEST, index, attempt);
	if (w->around && !*unicast)
		mcfab_region_draw(w, node, key, dst);
	else if (count == 1)
		dst[0] = mcfab_workload_dest(w, node, key);
	else
		mcfab_workload_draw(w, node, key, count, dst);
	return count;
}

/**
 * mcfab_workload_dests() - destinations of a message of a stream
 * @w: workload, not LONE
 * @node: its source
 * @index: its sequence number
 * @dst: [mcfab_workload_max_dests()] where to put them: in random order, of a
 *	 list in the list's order
 * @unicast: set to true for a unicast of mixed traffic, else to false
 *
 * Context: any, without locks.
 * Return: how many they are.
 */
u32 mcfab_workload_dests(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst,
			 bool *unicast)
{
	if (!w->plain)
		return any_dests(w, node, index, dst, unicast);
	*unicast = false;
	dst[0] = mcfab_pattern_other(w, node,
				     mcfab_workload_word(w, node, MCFAB_STREAM_DEST, index, 0));
	return 1;
}

/**
 * mcfab_workload_group() - the multicast group that a multicast is for
 * @w: workload
 * @node: its source
 * @index: its sequence number
 *
 * Context: any, without locks.
 * Return: the group, NULL if it is for none.
 */
const struct mcfab_group *mcfab_workload_group(const struct mcfab_workload *w, u32 node,
					       u32 index)
{
	w = mcfab_workload_own(w, &index);
	return w->ops->group ? w->ops->group(w, node, index) : w->group;
}
