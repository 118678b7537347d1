// SPDX-License-Identifier: GPL-2.0
/*
 * Show the statistics of a run: a message with everything that is one number.
 * What there is many of (channels, batches, buckets) is dumped by nl_series.c.
 */
#include <linux/timekeeping.h>
#include "control/nl.h"
#include "base/memory.h"
#include "stats/report.h"
#include "stats/derive.h"

/* Two classes of messages at 3 kB, and what is not by class. */
#define MCFAB_NL_STATS_SIZE	10240

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

/* @half: as mcfab_half_width() says; @correlated: it may be too small */
static bool mcfab_nl_put_moments(struct sk_buff *skb, int attr, const struct mcfab_moments *m,
				 u32 scale, u64 half, bool correlated)
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
	     !mcfab_nl_put_known(skb, MCFAB_A_SAMPLE_HALF_WIDTH_MICRO, half) ||
	     (correlated && nla_put_flag(skb, MCFAB_A_SAMPLE_CORRELATED))))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_samples(struct sk_buff *skb, const struct mcfab_stats *st,
				 enum mcfab_class class)
{
	static const struct {
		int attr;
		enum mcfab_metric metric;
	} samples[] = {
		{ MCFAB_A_CLASS_STATS_TAIL, MCFAB_METRIC_TAIL },
		{ MCFAB_A_CLASS_STATS_HEADER, MCFAB_METRIC_HEADER },
		{ MCFAB_A_CLASS_STATS_COMPLETION, MCFAB_METRIC_COMPLETION },
		{ MCFAB_A_CLASS_STATS_WORM, MCFAB_METRIC_EACH_WORM },
		{ MCFAB_A_CLASS_STATS_MEAN_DESTINATION, MCFAB_METRIC_DESTINATION },
		{ MCFAB_A_CLASS_STATS_MEAN_WORM, MCFAB_METRIC_WORM },
		{ MCFAB_A_CLASS_STATS_CV_HEADER, MCFAB_METRIC_CV_HEADER },
		{ MCFAB_A_CLASS_STATS_CV_TAIL, MCFAB_METRIC_CV_TAIL },
		{ MCFAB_A_CLASS_STATS_ADDITIONAL, MCFAB_METRIC_ADDITIONAL },
	};
	struct mcfab_interval in;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		mcfab_stats_interval(st, class, samples[i].metric, &in);
		if (!mcfab_nl_put_moments(skb, samples[i].attr,
					  mcfab_class_moments(&st->class[class],
							      samples[i].metric),
					  mcfab_metric_scale(samples[i].metric), in.half,
					  in.correlated))
			return false;
	}
	return true;
}

static bool mcfab_nl_put_lone(struct sk_buff *skb, int attr, const struct mcfab_moments *m,
			      u32 scale)
{
	return mcfab_nl_put_moments(skb, attr, m, scale, mcfab_half_width(m, scale), false);
}

/* only lone multicasts are predicted */
static bool mcfab_nl_put_predicted(struct sk_buff *skb, const struct mcfab_class_stats *cls)
{
	if (!cls->predicted_completion.count)
		return true;
	return mcfab_nl_put_lone(skb, MCFAB_A_CLASS_STATS_PREDICTED_COMPLETION,
				 &cls->predicted_completion, MCFAB_MICRO) &&
	       mcfab_nl_put_lone(skb, MCFAB_A_CLASS_STATS_PREDICTED_DESTINATION,
				 &cls->predicted_destination, 1) &&
	       mcfab_nl_put_lone(skb, MCFAB_A_CLASS_STATS_PREDICTED_WORM,
				 &cls->predicted_worm, 1) &&
	       mcfab_nl_put_lone(skb, MCFAB_A_CLASS_STATS_NETWORK_LATENCY,
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
	    (in.correlated && nla_put_flag(skb, MCFAB_A_INTERVAL_CORRELATED)) ||
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
	    !mcfab_nl_put_samples(skb, st, class) ||
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

static bool mcfab_nl_put_load(struct sk_buff *skb, const struct mcfab_loads *l, u64 flits)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_STATS_LOAD);

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_LOAD_START, l->start) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_END, l->end) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_GENERATED_MESSAGES, l->sum.generated) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_GENERATED_FLITS, l->sum.generated * flits) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ASKED_COPIES, l->sum.destinations) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ASKED_FLITS, l->sum.destinations * flits) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ACCEPTED_MESSAGES, l->sum.accepted) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ACCEPTED_FLITS, l->sum.accepted * flits) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_DELIVERED_COPIES, l->sum.delivered) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_DELIVERED_FLITS, l->sum.delivered * flits) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_COMPLETED_MESSAGES, l->sum.completed))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_window(struct sk_buff *skb, const struct mcfab_stats *st)
{
	u64 start = mcfab_stats_window_start(st), end = mcfab_stats_window_end(st);

	/* one that is not known, or that the run ended before, is none */
	if (st->cfg.lone || start == U64_MAX || (st->load.end && start >= st->load.end))
		return true;
	return !(nla_put_uint(skb, MCFAB_A_STATS_WINDOW_START, start) ||
		 (end != U64_MAX && end > start &&
		  nla_put_uint(skb, MCFAB_A_STATS_WINDOW_END, end)));
}

/* Loads are of a run that has ended. */
static bool mcfab_nl_put_loads(struct sk_buff *skb, const struct mcfab_fabric *core,
			       const struct mcfab_stats *st)
{
	u32 nodes = core->topo.nodes;
	struct mcfab_loads l = st->loads;
	u64 cycles, flits;

	if (!l.end)
		return true;
	cycles = l.end - l.start;
	flits = st->cfg.flits;
	return mcfab_nl_put_load(skb, &l, flits) &&
	       !(nla_put_uint(skb, MCFAB_A_STATS_OFFERED_PPB,
			      mcfab_ratio(l.sum.generated * flits, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_EFFECTIVE_PPB,
			      mcfab_ratio(l.sum.destinations * flits, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_ACCEPTED_PPB,
			      mcfab_ratio(l.sum.accepted * flits, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_DELIVERED_PPB,
			      mcfab_ratio(l.sum.delivered * flits, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_THROUGHPUT_PPB,
			      mcfab_ratio(l.sum.delivered, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_MEAN_MICRO,
			      mcfab_ratio(l.queue_cycles + l.inject_cycles, nodes, cycles,
					  MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_STARTUP_MICRO,
			      mcfab_ratio(l.queue_cycles, nodes, cycles, MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_INJECTION_MICRO,
			      mcfab_ratio(l.inject_cycles, nodes, cycles, MCFAB_MICRO)));
}

/* is the run a measure of the network, or of where it was cut off? */
static bool mcfab_nl_put_saturation(struct sk_buff *skb, enum mcfab_run_status state,
				    const struct mcfab_stats *st)
{
	const struct mcfab_saturation *sat = &st->saturation;
	struct nlattr *nest;
	u32 parts;

	if ((state == MCFAB_RUN_STATUS_CUT || state == MCFAB_RUN_STATUS_SATURATED) &&
	    nla_put_flag(skb, MCFAB_A_STATS_LOWER_BOUND))
		return false;
	if (st->window.exhausted &&
	    nla_put_uint(skb, MCFAB_A_STATS_EXHAUSTED, st->window.limit))
		return false;
	if (st->cfg.lone || !st->load.end)
		return true;
	parts = sat->growth.count;
	nest = nla_nest_start(skb, MCFAB_A_STATS_SATURATION);
	if (!nest || nla_put_u32(skb, MCFAB_A_SATURATION_VERDICT, sat->verdict) ||
	    (parts &&
	     (nla_put_u32(skb, MCFAB_A_SATURATION_PARTS, parts) ||
	      nla_put_uint(skb, MCFAB_A_SATURATION_GENERATED_MICRO,
			   mcfab_ratio(sat->generated, parts, 1, MCFAB_MICRO)) ||
	      nla_put_sint(skb, MCFAB_A_SATURATION_GROWTH_MICRO,
			   mcfab_mean(&sat->growth, MCFAB_MICRO)) ||
	      nla_put_uint(skb, MCFAB_A_SATURATION_THRESHOLD_MICRO, sat->threshold) ||
	      nla_put_sint(skb, MCFAB_A_SATURATION_LATE_GROWTH_MICRO,
			   sat->late * (MCFAB_MICRO * 2 / (s32)parts)))))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_batches(struct sk_buff *skb, const struct mcfab_stats *st)
{
	if (!st->window.batches.batch[0])
		return true;
	return !((st->window.unsettled && nla_put_flag(skb, MCFAB_A_STATS_UNSETTLED)) ||
		 nla_put_u32(skb, MCFAB_A_STATS_BATCHES,
			     mcfab_batches_groups(&st->window.batches)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BATCH_CYCLES,
			      mcfab_batches_length(&st->window.batches)));
}

static bool mcfab_nl_put_balance(struct sk_buff *skb, const struct mcfab_page *page)
{
	const struct mcfab_balance *b = &page->balance;
	struct nlattr *nest;

	if (!page->channel_window)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_STATS_BALANCE);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_CYCLES, page->channel_window) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CHANNELS, b->channels) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_USED, b->used) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_FLITS, b->flits) ||
	    (b->busiest != MCFAB_NONE &&
	     nla_put_u32(skb, MCFAB_A_BALANCE_BUSIEST, b->busiest)) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_BUSIEST_FLITS, b->max) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MEAN_PPB, b->mean_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_PPB, b->max_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO, b->max_to_mean) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CV_PPM, b->cv) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_JAIN_PPM, b->jain))
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

/**
 * mcfab_nl_wall_ns() - wall-clock time of a run so far
 * @at: how far it is
 *
 * Context: Any; whoever calls keeps @at as it is.
 * Return: nanoseconds since it began, up to its end if that has come.
 */
u64 mcfab_nl_wall_ns(const struct mcfab_progress *at)
{
	return at->state == MCFAB_RUN_STATUS_RUNNING ? ktime_get_ns() - at->started_ns :
	       at->wall_ns;
}

static bool mcfab_nl_put_progress(struct sk_buff *skb, const struct mcfab_run_cfg *run,
				  const struct mcfab_page *page)
{
	const struct mcfab_progress *at = &page->progress;

	return !(nla_put_string(skb, MCFAB_A_STATS_POLICY, run->policy) ||
		 nla_put_uint(skb, MCFAB_A_STATS_CYCLE, at->cycle) ||
		 nla_put_uint(skb, MCFAB_A_STATS_MESSAGES, at->messages) ||
		 nla_put_uint(skb, MCFAB_A_STATS_DELIVERIES, at->deliveries) ||
		 nla_put_uint(skb, MCFAB_A_STATS_FLIT_HOPS, at->flit_hops) ||
		 nla_put_uint(skb, MCFAB_A_STATS_STALLS, at->stalls) ||
		 !mcfab_nl_put_drops(skb, MCFAB_A_STATS_DROPPED, at->drops) ||
		 nla_put_string(skb, MCFAB_A_STATS_MODE, at->chosen.mode) ||
		 (at->chosen.why[0] &&
		  nla_put_string(skb, MCFAB_A_STATS_MODE_WHY, at->chosen.why)) ||
		 (at->has_hash && nla_put_uint(skb, MCFAB_A_STATS_HASH, at->hash)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_WALL_NS, mcfab_nl_wall_ns(at)) ||
		 (page->queue_max != MCFAB_NONE &&
		  nla_put_u32(skb, MCFAB_A_STATS_QUEUE_MAXIMUM, page->queue_max)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_PARTS, page->stats.bad_parts) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_MESSAGES, page->stats.bad_messages));
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
			       const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			       const struct genl_info *info)
{
	const struct mcfab_fabric *core = fabric->core;
	const struct mcfab_stats *st = &page->stats;
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_STATS_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_STATS_FABRIC, core->cfg.name) ||
	    nla_put_u32(skb, MCFAB_A_STATS_RUN, page->progress.run) ||
	    nla_put_u32(skb, MCFAB_A_STATS_STATE, page->progress.state) ||
	    nla_put_u32(skb, MCFAB_A_STATS_CYCLE_PS, core->cfg.cycle_ps))
		goto too_long;
	/* Without classes there was no run, or its statistics were reset. */
	if (st->classes &&
	    (!mcfab_nl_put_progress(skb, run, page) ||
	     !mcfab_nl_put_window(skb, st) ||
	     !mcfab_nl_put_loads(skb, core, st) ||
	     !mcfab_nl_put_saturation(skb, page->progress.state, st) ||
	     !mcfab_nl_put_batches(skb, st) ||
	     !mcfab_nl_put_balance(skb, page) ||
	     !mcfab_nl_put_ni(skb, &page->progress.ni) ||
	     !mcfab_nl_put_class(skb, MCFAB_A_STATS_MULTICAST, st, MCFAB_CLASS_MULTICAST) ||
	     !mcfab_nl_put_class(skb, MCFAB_A_STATS_UNICAST, st, MCFAB_CLASS_UNICAST)))
		goto too_long;
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/* Put the newest page of a fabric's run. */
static int mcfab_nl_stats_put(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			      const struct genl_info *info)
{
	struct mcfab_report *report = mcfab_report_get(&fabric->core->results);
	struct mcfab_page *page = mcfab_report_page(report, true);
	int ret = PTR_ERR_OR_ZERO(page);

	if (!ret) {
		ret = mcfab_nl_stats_fill(skb, fabric, &report->cfg, page, info);
		mcfab_page_free(page);
	}
	mcfab_report_put(report);
	return ret;
}

/* MCFAB_CMD_STATS_GET */
int mcfab_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_get(info);
	struct sk_buff *msg;
	int ret = -ENOMEM;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	msg = mcfab_nl_new(MCFAB_NL_STATS_SIZE);
	if (msg)
		ret = mcfab_nl_stats_put(msg, fabric, info);
	mcfab_nl_fabric_put(fabric);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_STATS_RESET */
int mcfab_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, true);
	struct mcfab_report *report;
	struct mcfab_fabric *core;
	u32 run;
	u64 bytes;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	core = fabric->core;
	report = mcfab_report_new(NULL);
	if (!report) {
		NL_SET_ERR_MSG(info->extack, "no memory for statistics, see max_memory_mb");
		mcfab_nl_fabric_unlock(fabric);
		return -ENOMEM;
	}
	mutex_lock(&core->results.lock);
	mcfab_stats_close(&core->results.stats);
	memset(&core->results.stats, 0, sizeof(core->results.stats));
	memset(&core->results.deadlock, 0, sizeof(core->results.deadlock));
	/* without a window nobody is shown the channels' counts, of which there may be millions */
	core->results.channel_window = 0;
	core->results.queue_max = 0;
	/* The next run gets the next number all the same. */
	run = core->results.progress.run;
	bytes = core->results.progress.bytes - core->stats_bytes;
	mcfab_memory_uncharge(core->stats_bytes);
	core->stats_bytes = 0;
	memset(&core->results.progress, 0, sizeof(core->results.progress));
	core->results.progress.run = run;
	core->results.progress.bytes = bytes;
	core->results.progress.state = MCFAB_RUN_STATUS_IDLE;
	mcfab_report_set(&core->results, report);
	mutex_unlock(&core->results.lock);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	mcfab_nl_fabric_unlock(fabric);
	return 0;
}
