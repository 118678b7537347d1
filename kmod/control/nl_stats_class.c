// SPDX-License-Identifier: GPL-2.0
/*
 * Show the statistics of a class of messages: latencies with their intervals, parts and quantiles,
 * and the cost of the messages.
 */
#include "control/nl.h"
#include "stats/report.h"
#include "stats/derive.h"

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

/* @half: from mcfab_half_width(); @correlated: it may be too small */
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
		/* the quantile is the end of a bucket, which may be above the greatest value */
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

/**
 * mcfab_nl_put_class() - statistics of one class of messages
 * @skb: message
 * @attr: number of the nest
 * @st: the statistics
 * @class: which class
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_class(struct sk_buff *skb, int attr, const struct mcfab_stats *st,
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

/* Flits of a class of traffic, and what they are per node and cycle. */
static bool mcfab_nl_put_class_load(struct sk_buff *skb, const struct mcfab_fabric *core,
				    const struct mcfab_loads *l, u32 class)
{
	const struct mcfab_load_flits *flits = &l->class[class];
	const struct {
		int load;
		int ppb;
		u64 flits;
	} part[] = {
		{ MCFAB_A_LOAD_GENERATED_FLITS, MCFAB_A_CLASS_TRAFFIC_OFFERED_PPB,
		  flits->generated },
		{ MCFAB_A_LOAD_ASKED_FLITS, MCFAB_A_CLASS_TRAFFIC_EFFECTIVE_PPB,
		  flits->destinations },
		{ MCFAB_A_LOAD_ACCEPTED_FLITS, MCFAB_A_CLASS_TRAFFIC_ACCEPTED_PPB,
		  flits->accepted },
		{ MCFAB_A_LOAD_DELIVERED_FLITS, MCFAB_A_CLASS_TRAFFIC_DELIVERED_PPB,
		  flits->delivered },
	};
	struct nlattr *nest;
	u32 i;

	if (!l->end)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_CLASS_TRAFFIC_LOAD);
	if (!nest)
		return false;
	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (nla_put_uint(skb, part[i].load, part[i].flits))
			return false;
	nla_nest_end(skb, nest);
	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (nla_put_uint(skb, part[i].ppb, mcfab_ratio(part[i].flits, core->topo.nodes,
							       l->end - l->start, MCFAB_PPB)))
			return false;
	return true;
}

/**
 * mcfab_nl_put_class_traffic() - statistics of a class of traffic
 * @skb: message
 * @core: the fabric
 * @name: name of the class
 * @st: the statistics
 * @class: number of the class
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_class_traffic(struct sk_buff *skb, const struct mcfab_fabric *core,
				const char *name, const struct mcfab_stats *st, u32 class)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_STATS_TRAFFIC_CLASS);

	if (!nest || nla_put_string(skb, MCFAB_A_CLASS_TRAFFIC_NAME, name) ||
	    !mcfab_nl_put_class_load(skb, core, &st->loads, class) ||
	    !mcfab_nl_put_class(skb, MCFAB_A_CLASS_TRAFFIC_STATS, st, class))
		return false;
	nla_nest_end(skb, nest);
	return true;
}
