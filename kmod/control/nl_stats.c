// SPDX-License-Identifier: GPL-2.0
/*
 * Show the statistics of a run: a message with everything that is one number.
 * What there is many of (channels, batches, buckets) is dumped by nl_series.c.
 */
#include "control/nl.h"
#include "stats/channels.h"
#include "stats/derive.h"

/* Two classes of messages at 3 kB. */
#define MCFAB_NL_STATS_SIZE	8192

static bool mcfab_nl_put_totals(struct sk_buff *skb, int attr, const struct mcfab_totals *t)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_MESSAGES, t->messages) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_INCOMPLETE, t->incomplete) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_DESTINATIONS, t->destinations) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_DELIVERIES, t->deliveries) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_FLITS, t->flits) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_WORMS, t->worms) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_STARTUPS, t->startups) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_TRAFFIC, t->traffic) ||
	    nla_put_sint(skb, MCFAB_A_TOTALS_ADDITIONAL, t->traffic - t->destinations) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_CHANNEL_CYCLES, t->channel_cycles) ||
	    nla_put_uint(skb, MCFAB_A_TOTALS_QUEUE_CYCLES, t->queue_cycles))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* A derived number, unless the sample is too small for it. */
static bool mcfab_nl_put_known(struct sk_buff *skb, int attr, u64 value)
{
	return value == MCFAB_UNKNOWN || !nla_put_uint(skb, attr, value);
}

static bool mcfab_nl_put_sample(struct sk_buff *skb, int attr, const struct mcfab_moments *m,
				u32 scale)
{
	/* The upper word only where it is more than the lower one's sign. */
	bool wide = (s64)m->sum.hi != ((s64)m->sum.lo < 0 ? -1 : 0);
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || nla_put_uint(skb, MCFAB_A_SAMPLE_COUNT, m->count))
		return false;
	if (m->count &&
	    (nla_put_sint(skb, MCFAB_A_SAMPLE_MINIMUM, m->min) ||
	     nla_put_sint(skb, MCFAB_A_SAMPLE_MAXIMUM, m->max) ||
	     nla_put_sint(skb, MCFAB_A_SAMPLE_SUM, m->sum.lo) ||
	     (wide && nla_put_sint(skb, MCFAB_A_SAMPLE_SUM_HIGH, m->sum.hi)) ||
	     nla_put_uint(skb, MCFAB_A_SAMPLE_SQUARES, m->square.lo) ||
	     (m->square.hi && nla_put_uint(skb, MCFAB_A_SAMPLE_SQUARES_HIGH, m->square.hi)) ||
	     nla_put_sint(skb, MCFAB_A_SAMPLE_MEAN_MICRO, mcfab_mean(m, scale)) ||
	     !mcfab_nl_put_known(skb, MCFAB_A_SAMPLE_DEVIATION_MICRO,
				 mcfab_deviation(m, scale)) ||
	     !mcfab_nl_put_known(skb, MCFAB_A_SAMPLE_HALF_WIDTH_MICRO,
				 mcfab_half_width(m, scale))))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_samples(struct sk_buff *skb, const struct mcfab_class_stats *cls)
{
	return mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_TAIL, &cls->tail, MCFAB_MICRO) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_HEADER, &cls->header, MCFAB_MICRO) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_COMPLETION, &cls->completion,
				   MCFAB_MICRO) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_WORM, &cls->worm, MCFAB_MICRO) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_MEAN_DESTINATION,
				   &cls->mean_destination, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_MEAN_WORM, &cls->mean_worm, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_CV_HEADER, &cls->cv_header, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_CV_TAIL, &cls->cv_tail, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_ADDITIONAL, &cls->additional,
				   MCFAB_MICRO);
}

/* only lone multicasts are predicted */
static bool mcfab_nl_put_predicted(struct sk_buff *skb, const struct mcfab_class_stats *cls)
{
	if (!cls->predicted_completion.count)
		return true;
	return mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_PREDICTED_COMPLETION,
				   &cls->predicted_completion, MCFAB_MICRO) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_PREDICTED_DESTINATION,
				   &cls->predicted_destination, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_PREDICTED_WORM,
				   &cls->predicted_worm, 1) &&
	       mcfab_nl_put_sample(skb, MCFAB_A_CLASS_STATS_NETWORK_LATENCY,
				   &cls->network_latency, MCFAB_MICRO);
}

static bool mcfab_nl_put_interval(struct sk_buff *skb, int attr, const struct mcfab_stats *st,
				  enum mcfab_class class, enum mcfab_metric metric)
{
	struct mcfab_interval in;
	struct nlattr *nest;

	mcfab_stats_interval(st, class, metric, &in);
	nest = nla_nest_start(skb, attr);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_INTERVAL_MEAN_UCYCLES, in.mean) ||
	    nla_put_uint(skb, MCFAB_A_INTERVAL_OBSERVATIONS, in.observations) ||
	    nla_put_sint(skb, MCFAB_A_INTERVAL_LAG1_PPM, in.lag1) ||
	    !mcfab_nl_put_known(skb, MCFAB_A_INTERVAL_HALF_WIDTH_UCYCLES, in.half))
		return false;
	if (in.half != MCFAB_UNKNOWN && in.mean &&
	    nla_put_uint(skb, MCFAB_A_INTERVAL_RELATIVE_PPM,
			 mcfab_ratio(in.half, in.mean, 1, MCFAB_PPM)))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_parts(struct sk_buff *skb, const struct mcfab_class_stats *cls)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_CLASS_STATS_PARTS);
	u32 i;

	static_assert((int)MCFAB_PART_QUEUE + 1 == MCFAB_A_PARTS_QUEUE);
	static_assert((int)MCFAB_PARTS == MCFAB_A_PARTS_MAX);
	if (!nest)
		return false;
	for (i = 0; i < MCFAB_PARTS; i++)
		if (nla_put_uint(skb, MCFAB_A_PARTS_QUEUE + i, cls->part[i]))
			return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_quantiles(struct sk_buff *skb, int attr,
				   const struct mcfab_histogram *h, s64 maximum)
{
	static const u32 ppm[] = { 500000, 900000, 950000, 990000 };
	struct nlattr *nest;
	u32 i;

	static_assert(ARRAY_SIZE(ppm) == MCFAB_A_QUANTILES_MAX);
	if (!h || !h->count)
		return true;
	nest = nla_nest_start(skb, attr);
	if (!nest)
		return false;
	for (i = 0; i < ARRAY_SIZE(ppm); i++)
		/* it is the end of a bucket, which may be behind the greatest value */
		if (nla_put_u32(skb, MCFAB_A_QUANTILES_P50 + i,
				min_t(s64, mcfab_histogram_quantile(h, ppm[i]), maximum)))
			return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_costs(struct sk_buff *skb, const struct mcfab_totals *t)
{
	u64 n = t->messages;

	if (!n)
		return true;
	return !(nla_put_uint(skb, MCFAB_A_CLASS_STATS_WORMS_MICRO,
			      mcfab_ratio(t->worms, n, 1, MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_CLASS_STATS_STARTUPS_MICRO,
			      mcfab_ratio(t->startups, n, 1, MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_CLASS_STATS_TRAFFIC_MICRO,
			      mcfab_ratio(t->traffic, n, 1, MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_CLASS_STATS_CHANNEL_CYCLES_MICRO,
			      mcfab_ratio(t->channel_cycles, n, 1, MCFAB_MICRO)));
}

static bool mcfab_nl_put_class(struct sk_buff *skb, int attr, const struct mcfab_stats *st,
			       enum mcfab_class class)
{
	const struct mcfab_class_stats *cls = &st->class[class];
	struct nlattr *nest;

	if (class >= st->classes)
		return true;
	nest = nla_nest_start(skb, attr);
	if (!nest ||
	    !mcfab_nl_put_totals(skb, MCFAB_A_CLASS_STATS_ALL, &cls->all) ||
	    !mcfab_nl_put_totals(skb, MCFAB_A_CLASS_STATS_MEASURED, &cls->measured) ||
	    !mcfab_nl_put_samples(skb, cls) ||
	    !mcfab_nl_put_predicted(skb, cls) ||
	    !mcfab_nl_put_interval(skb, MCFAB_A_CLASS_STATS_COMPLETION_INTERVAL, st, class,
				   MCFAB_METRIC_COMPLETION) ||
	    !mcfab_nl_put_interval(skb, MCFAB_A_CLASS_STATS_DESTINATION_INTERVAL, st, class,
				   MCFAB_METRIC_DESTINATION) ||
	    !mcfab_nl_put_interval(skb, MCFAB_A_CLASS_STATS_WORM_INTERVAL, st, class,
				   MCFAB_METRIC_WORM) ||
	    !mcfab_nl_put_parts(skb, cls) ||
	    !mcfab_nl_put_quantiles(skb, MCFAB_A_CLASS_STATS_TAIL_QUANTILES, cls->latency,
				    cls->tail.max) ||
	    !mcfab_nl_put_quantiles(skb, MCFAB_A_CLASS_STATS_COMPLETION_QUANTILES,
				    cls->completions, cls->completion.max) ||
	    !mcfab_nl_put_costs(skb, &cls->measured))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* Loads are of a window that is over. */
static bool mcfab_nl_put_loads(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	const struct mcfab_stats *st = &core->stats;
	u64 start = mcfab_stats_window_start(st), end = mcfab_stats_window_end(st);
	u64 flits = 0, copies = 0, dests = 0, queue = 0;
	u32 nodes = core->topo.nodes, i;

	if (st->cfg.lone || start == U64_MAX)
		return true;
	if (nla_put_uint(skb, MCFAB_A_STATS_WINDOW_START, start))
		return false;
	if (end == U64_MAX || end <= start)
		return true;
	for (i = 0; i < st->classes; i++) {
		flits += st->class[i].measured.flits;
		copies += st->class[i].measured.deliveries;
		dests += st->class[i].measured.destinations;
		queue += st->class[i].measured.queue_cycles;
	}
	return !(nla_put_uint(skb, MCFAB_A_STATS_WINDOW_END, end) ||
		 nla_put_uint(skb, MCFAB_A_STATS_OFFERED_PPB,
			      mcfab_ratio(flits, nodes, end - start, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_EFFECTIVE_PPB,
			      mcfab_ratio(dests * st->cfg.flits, nodes, end - start,
					  MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_THROUGHPUT_PPB,
			      mcfab_ratio(copies, nodes, end - start, MCFAB_PPB)) ||
		 /* Little's law: waits of those that come, per time in which they come */
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_MEAN_MICRO,
			      mcfab_ratio(queue, nodes, end - start, MCFAB_MICRO)));
}

static bool mcfab_nl_put_batches(struct sk_buff *skb, const struct mcfab_stats *st)
{
	if (!st->window.batches.batch[0])
		return true;
	return !((st->window.unsettled && nla_put_flag(skb, MCFAB_A_STATS_UNSETTLED)) ||
		 nla_put_u32(skb, MCFAB_A_STATS_BATCHES, st->window.batches.count) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BATCH_CYCLES, st->window.batches.length));
}

static bool mcfab_nl_put_balance(struct sk_buff *skb, const struct mcfab_fabric *core,
				 const unsigned long *exists)
{
	u32 count = core->topo.routers * core->topo.ports;
	struct mcfab_balance b;
	struct nlattr *nest;

	if (!core->channel_flits || !core->channel_window)
		return true;
	mcfab_channels_balance(core->channel_flits, exists, count, core->channel_window, &b);
	nest = nla_nest_start(skb, MCFAB_A_STATS_BALANCE);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_CYCLES, core->channel_window) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CHANNELS, b.channels) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_USED, b.used) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_FLITS, b.flits) ||
	    (b.busiest != MCFAB_NONE &&
	     nla_put_u32(skb, MCFAB_A_BALANCE_BUSIEST, b.busiest)) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_BUSIEST_FLITS, b.max) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MEAN_PPB, b.mean_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_PPB, b.max_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO, b.max_to_mean) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CV_PPM, b.cv) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_JAIN_PPM, b.jain))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/**
 * mcfab_nl_put_drops() - put the copies that came to no destination
 * @skb: where to
 * @attr: number of the nest
 * @drops: counts by enum mcfab_drop
 *
 * Context: Any.
 * Return: false if there is no room.
 */
bool mcfab_nl_put_drops(struct sk_buff *skb, int attr, const u64 *drops)
{
	static const struct {
		enum mcfab_drop drop;
		int attr;
	} reasons[] = {
		{ MCFAB_DROP_NO_ENTRY, MCFAB_A_DROPPED_NO_ENTRY },
		{ MCFAB_DROP_DEAD_PORT, MCFAB_A_DROPPED_DEAD_PORT },
		{ MCFAB_DROP_LOOP, MCFAB_A_DROPPED_LOOP },
		{ MCFAB_DROP_STRAY, MCFAB_A_DROPPED_STRAY },
		{ MCFAB_DROP_DUPLICATE, MCFAB_A_DROPPED_DUPLICATE },
		{ MCFAB_DROP_LINK, MCFAB_A_DROPPED_LINK },
		{ MCFAB_DROP_UNREACHABLE, MCFAB_A_DROPPED_UNREACHABLE },
		{ MCFAB_DROP_ABORTED, MCFAB_A_DROPPED_ABORTED },
	};
	struct nlattr *nest = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!drops[reasons[i].drop])
			continue;
		nest = nest ?: nla_nest_start(skb, attr);
		if (!nest || nla_put_uint(skb, reasons[i].attr, drops[reasons[i].drop]))
			return false;
	}
	if (nest)
		nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_progress(struct sk_buff *skb, const struct mcfab_fabric *core)
{
	const struct mcfab_progress *at = &core->progress;

	return !(nla_put_string(skb, MCFAB_A_STATS_POLICY, core->run_cfg.policy) ||
		 nla_put_uint(skb, MCFAB_A_STATS_CYCLE, at->cycle) ||
		 nla_put_uint(skb, MCFAB_A_STATS_MESSAGES, at->messages) ||
		 nla_put_uint(skb, MCFAB_A_STATS_DELIVERIES, at->deliveries) ||
		 nla_put_uint(skb, MCFAB_A_STATS_FLIT_HOPS, at->flit_hops) ||
		 nla_put_uint(skb, MCFAB_A_STATS_STALLS, at->stalls) ||
		 !mcfab_nl_put_drops(skb, MCFAB_A_STATS_DROPPED, at->drops) ||
		 (at->has_hash && nla_put_uint(skb, MCFAB_A_STATS_HASH, at->hash)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_WALL_NS, at->wall_ns) ||
		 nla_put_u32(skb, MCFAB_A_STATS_QUEUE_MAXIMUM, core->queue_max) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_PARTS, core->stats.bad_parts) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_MESSAGES, core->stats.bad_messages));
}

static bool mcfab_nl_put_ni(struct sk_buff *skb, const struct mcfab_ni_use *ni)
{
	struct nlattr *nest;

	if (!ni->packets)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_STATS_NI);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_NI_PACKETS, ni->packets) ||
	    nla_put_u32(skb, MCFAB_A_NI_PEAK, ni->peak) ||
	    nla_put_uint(skb, MCFAB_A_NI_RESIDENCE_MICRO,
			 mcfab_ratio(ni->residence, ni->packets, 1, MCFAB_MICRO)) ||
	    nla_put_uint(skb, MCFAB_A_NI_RESIDENCE_MAXIMUM, ni->residence_max))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static int mcfab_nl_stats_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			       const unsigned long *exists, const struct genl_info *info)
{
	const struct mcfab_fabric *core = fabric->core;
	const struct mcfab_stats *st = &core->stats;
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_STATS_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_STATS_FABRIC, core->cfg.name) ||
	    nla_put_u32(skb, MCFAB_A_STATS_RUN, core->progress.run) ||
	    nla_put_u32(skb, MCFAB_A_STATS_STATE, core->progress.state) ||
	    nla_put_u32(skb, MCFAB_A_STATS_CYCLE_PS, core->cfg.cycle_ps))
		goto too_long;
	/* Without classes there was no run, or its statistics were reset. */
	if (st->classes &&
	    (!mcfab_nl_put_progress(skb, core) ||
	     !mcfab_nl_put_loads(skb, core) ||
	     !mcfab_nl_put_batches(skb, st) ||
	     !mcfab_nl_put_balance(skb, core, exists) ||
	     !mcfab_nl_put_ni(skb, &core->progress.ni) ||
	     !mcfab_nl_put_class(skb, MCFAB_A_STATS_MULTICAST, st, MCFAB_CLASS_MULTICAST) ||
	     !mcfab_nl_put_class(skb, MCFAB_A_STATS_UNICAST, st, MCFAB_CLASS_UNICAST)))
		goto too_long;
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/* MCFAB_CMD_STATS_GET */
int mcfab_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, false);
	unsigned long *exists;
	struct sk_buff *msg;
	u32 count, i;
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	count = fabric->core->topo.routers * fabric->core->topo.ports;
	exists = kvcalloc(BITS_TO_LONGS(count), sizeof(*exists), MCFAB_GFP);
	msg = mcfab_nl_new(MCFAB_NL_STATS_SIZE);
	ret = -ENOMEM;
	if (exists && msg) {
		for (i = 0; i < count; i++)
			if (fabric->core->topo.peer[i] != MCFAB_NONE)
				__set_bit(i, exists);
		mutex_lock(&fabric->core->stats_lock);
		ret = mcfab_nl_stats_fill(msg, fabric, exists, info);
		mutex_unlock(&fabric->core->stats_lock);
	}
	kvfree(exists);
	mcfab_nl_fabric_unlock(fabric);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_STATS_RESET */
int mcfab_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, true);
	struct mcfab_fabric *core;
	size_t channels;
	u32 run;
	u64 bytes;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	core = fabric->core;
	channels = (size_t)core->topo.routers * core->topo.ports;
	mutex_lock(&core->stats_lock);
	mcfab_stats_close(&core->stats);
	memset(&core->stats, 0, sizeof(core->stats));
	memset(&core->deadlock, 0, sizeof(core->deadlock));
	if (core->channel_flits)
		memset(core->channel_flits, 0, channels * sizeof(*core->channel_flits));
	if (core->channel_wait)
		memset(core->channel_wait, 0, channels * sizeof(*core->channel_wait));
	core->channel_window = 0;
	core->queue_max = 0;
	/* The next run gets the next number all the same. */
	run = core->progress.run;
	bytes = core->progress.bytes;
	memset(&core->progress, 0, sizeof(core->progress));
	core->progress.run = run;
	core->progress.bytes = bytes;
	core->progress.state = MCFAB_RUN_IDLE;
	mutex_unlock(&core->stats_lock);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	mcfab_nl_fabric_unlock(fabric);
	return 0;
}
