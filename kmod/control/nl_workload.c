// SPDX-License-Identifier: GPL-2.0
/* The traffic of a run: what is asked for, and what is shown of it. */
#include "control/nl.h"
#include "workload/workload.h"

#define MCFAB_NL_LONE		BIT(MCFAB_WORKLOAD_TYPE_LONE)
#define MCFAB_NL_POISSON	BIT(MCFAB_WORKLOAD_TYPE_POISSON)
#define MCFAB_NL_FIXED		BIT(MCFAB_WORKLOAD_TYPE_FIXED)
#define MCFAB_NL_BURST		BIT(MCFAB_WORKLOAD_TYPE_BURST)
#define MCFAB_NL_FILE		BIT(MCFAB_WORKLOAD_TYPE_FILE)
#define MCFAB_NL_BERNOULLI	BIT(MCFAB_WORKLOAD_TYPE_BERNOULLI)
#define MCFAB_NL_ON_OFF		BIT(MCFAB_WORKLOAD_TYPE_ON_OFF)
#define MCFAB_NL_PORTS		BIT(MCFAB_WORKLOAD_TYPE_PORTS)
#define MCFAB_NL_RATE		(MCFAB_NL_POISSON | MCFAB_NL_BERNOULLI | MCFAB_NL_ON_OFF)
#define MCFAB_NL_WINDOW		(MCFAB_NL_RATE | MCFAB_NL_FIXED)
#define MCFAB_NL_MEASURED	(MCFAB_NL_WINDOW | MCFAB_NL_FILE)
#define MCFAB_NL_DRAWN		(MCFAB_NL_LONE | MCFAB_NL_WINDOW | MCFAB_NL_BURST)

/*
 * What belongs to which workloads. An attribute that would have no effect is
 * refused, so that nobody believes it had one.
 */
static const struct {
	int attr;
	const char *name;
	u32 workloads;
} mcfab_nl_run_attrs[] = {
	{ MCFAB_A_RUN_COUNT, "count", MCFAB_NL_LONE | MCFAB_NL_WINDOW },
	{ MCFAB_A_RUN_DESTS, "dests", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_GROUP, "group", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_SOURCE, "source", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_PATTERN, "pattern", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_SELF, "self", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_HOTSPOTS, "hotspots", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_HOTSPOT_WEIGHTS, "hotspot-weights", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_HOTSPOT_SHARE_PPM, "hotspot-share", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_RATE_PPB, "rate", MCFAB_NL_RATE },
	{ MCFAB_A_RUN_SEED, "seed", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_SET, "set", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_RADIUS, "radius", MCFAB_NL_DRAWN },
	{ MCFAB_A_RUN_ALPHA_PPB, "alpha", MCFAB_NL_ON_OFF },
	{ MCFAB_A_RUN_BETA_PPB, "beta", MCFAB_NL_ON_OFF },
	{ MCFAB_A_RUN_R1_PPB, "r1", MCFAB_NL_ON_OFF },
	{ MCFAB_A_RUN_MULTICAST_FRACTION_PPM, "multicast-fraction", MCFAB_NL_WINDOW },
	{ MCFAB_A_RUN_INTERVAL, "interval", MCFAB_NL_FIXED },
	{ MCFAB_A_RUN_NETWORK, "network", MCFAB_NL_FIXED },
	{ MCFAB_A_RUN_FRACTION_PPM, "fraction", MCFAB_NL_BURST },
	{ MCFAB_A_RUN_WARMUP, "warmup", MCFAB_NL_MEASURED },
	{ MCFAB_A_RUN_BATCHES, "batches", MCFAB_NL_MEASURED },
	{ MCFAB_A_RUN_BATCH_CYCLES, "batch-cycles", MCFAB_NL_MEASURED },
	{ MCFAB_A_RUN_PRECISION_PPM, "precision", MCFAB_NL_MEASURED },
	{ MCFAB_A_RUN_PACE_PPM, "pace", MCFAB_NL_PORTS },
	{ MCFAB_A_RUN_LOG, "log", MCFAB_NL_PORTS },
	{ MCFAB_A_RUN_RX_LIMIT, "rx-limit", MCFAB_NL_PORTS },
	{ MCFAB_A_RUN_SLIP_LIMIT_NS, "slip-limit", MCFAB_NL_PORTS },
	{ MCFAB_A_RUN_FRAMES_MB, "frames-mb", MCFAB_NL_PORTS },
};

/*
 * Numbers of an attribute that occurs several times; return: how many, negative: refused. In all
 * functions below @nest is the class of traffic that the attributes are of, NULL: the run.
 */
static int mcfab_nl_run_numbers(const struct genl_info *info, const struct nlattr *nest, int attr,
				const char *name, u32 *number, u32 room)
{
	const struct nlattr *head = nest ? nla_data(nest) :
					   nlmsg_attrdata(info->nlhdr, GENL_HDRLEN);
	int len = nest ? nla_len(nest) : nlmsg_attrlen(info->nlhdr, GENL_HDRLEN), rem;
	const struct nlattr *pos;
	u32 count = 0;

	nla_for_each_attr_type(pos, attr, head, len, rem) {
		if (count == room) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than %u %s", room, name);
			return -EINVAL;
		}
		number[count++] = nla_get_u32(pos);
	}
	return count;
}

static int mcfab_nl_run_hotspots(const struct genl_info *info, const struct nlattr *nest,
				 struct mcfab_workload_cfg *cfg)
{
	static const struct {
		int attr;
		const char *name;
	} attrs[] = {
		{ MCFAB_A_RUN_HOTSPOTS, "hotspots" },
		{ MCFAB_A_RUN_HOTSPOT_WEIGHTS, "hotspot-weights" },
		{ MCFAB_A_RUN_HOTSPOT_SHARE_PPM, "hotspot-share" },
	};
	int count, weights, i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++) {
		if (cfg->pattern == MCFAB_TRAFFIC_PATTERN_HOTSPOT || !info->attrs[attrs[i].attr])
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[attrs[i].attr],
					"%s means nothing without pattern hotspot", attrs[i].name);
		return -EINVAL;
	}
	count = mcfab_nl_run_numbers(info, nest, MCFAB_A_RUN_HOTSPOTS, "hotspots", cfg->hotspot,
				     MCFAB_MAX_HOTSPOTS);
	if (count < 0)
		return count;
	cfg->nhotspots = count;
	mcfab_nl_set_u32(info, MCFAB_A_RUN_HOTSPOT_SHARE_PPM, &cfg->hotspot_ppm);
	for (i = 0; i < count; i++)
		cfg->hotspot_weight[i] = 1;
	weights = mcfab_nl_run_numbers(info, nest, MCFAB_A_RUN_HOTSPOT_WEIGHTS, "hotspot-weights",
				       cfg->hotspot_weight, MCFAB_MAX_HOTSPOTS);
	if (weights <= 0 || weights == count)
		return min(weights, 0);
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_RUN_HOTSPOT_WEIGHTS],
				"%d weights for %d hotspots", weights, count);
	return -EINVAL;
}

/* Of which lengths messages are, and with which weights. */
static int mcfab_nl_run_lengths(const struct genl_info *info, const struct nlattr *nest,
				struct mcfab_workload_cfg *cfg)
{
	const struct nlattr *flits = info->attrs[MCFAB_A_RUN_FLITS];
	const struct nlattr *lengths = info->attrs[MCFAB_A_RUN_LENGTHS];
	int count, weights, i;

	if (!lengths && info->attrs[MCFAB_A_RUN_WEIGHTS]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_RUN_WEIGHTS],
				    "weights mean nothing without lengths");
		return -EINVAL;
	}
	if (lengths && flits) {
		NL_SET_ERR_MSG_ATTR(info->extack, lengths,
				    "lengths are in place of flits: leave one of them out");
		return -EINVAL;
	}
	count = mcfab_nl_run_numbers(info, nest, MCFAB_A_RUN_LENGTHS, "lengths", cfg->length,
				     MCFAB_MAX_LENGTHS);
	if (count < 0)
		return count;
	cfg->nlengths = count;
	for (i = 0; i < count; i++)
		cfg->weight[i] = 1;
	weights = mcfab_nl_run_numbers(info, nest, MCFAB_A_RUN_WEIGHTS, "weights", cfg->weight,
				       MCFAB_MAX_LENGTHS);
	if (weights <= 0 || weights == count)
		return min(weights, 0);
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_RUN_WEIGHTS],
				"%d weights for %d lengths", weights, count);
	return -EINVAL;
}

/* Where messages to one node go, and around which nodes multicasts. */
static int mcfab_nl_run_pattern(const struct genl_info *info, const struct nlattr *nest,
				struct mcfab_nl_fabric *fabric, struct mcfab_workload_cfg *cfg)
{
	if (info->attrs[MCFAB_A_RUN_PATTERN])
		cfg->pattern = nla_get_u32(info->attrs[MCFAB_A_RUN_PATTERN]);
	cfg->self = nla_get_flag(info->attrs[MCFAB_A_RUN_SELF]);
	if (info->attrs[MCFAB_A_RUN_SET])
		cfg->set = nla_get_u32(info->attrs[MCFAB_A_RUN_SET]);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_RADIUS, &cfg->radius);
	if (cfg->radius && cfg->set != MCFAB_DESTINATION_SET_CLUSTERED) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_RUN_RADIUS],
				    "radius means nothing without set clustered");
		return -EINVAL;
	}
	cfg->topo = &fabric->core->topo;
	return mcfab_nl_run_hotspots(info, nest, cfg);
}

/**
 * mcfab_nl_take_workload() - the traffic of a run, or of a class of it, as the user wrote it
 * @info: the request; for a class its attributes are those of the class
 * @nest: the class, or NULL
 * @fabric: the fabric
 * @cfg: its kind is set; filled in where something is said, the rest as it is
 *
 * Context: Any, under the fabric's lock.
 * Return: 0 or -EINVAL.
 */
int mcfab_nl_take_workload(const struct genl_info *info, const struct nlattr *nest,
			   struct mcfab_nl_fabric *fabric, struct mcfab_workload_cfg *cfg)
{
	u32 i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(mcfab_nl_run_attrs); i++) {
		int attr = mcfab_nl_run_attrs[i].attr;

		if (!info->attrs[attr] || mcfab_nl_run_attrs[i].workloads & BIT(cfg->kind))
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[attr],
					"%s means nothing to this workload",
					mcfab_nl_run_attrs[i].name);
		return -EINVAL;
	}

	mcfab_nl_set_u32(info, MCFAB_A_RUN_COUNT, &cfg->count);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_DESTS, &cfg->dests);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_SOURCE, &cfg->source);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_MULTICAST_FRACTION_PPM, &cfg->multicast_ppm);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_INTERVAL, &cfg->interval);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_FRACTION_PPM, &cfg->fraction_ppm);
	if (info->attrs[MCFAB_A_RUN_RATE_PPB])
		cfg->rate = nla_get_uint(info->attrs[MCFAB_A_RUN_RATE_PPB]);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_ALPHA_PPB, &cfg->alpha);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_BETA_PPB, &cfg->beta);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_R1_PPB, &cfg->r1);
	cfg->network = nla_get_flag(info->attrs[MCFAB_A_RUN_NETWORK]);
	cfg->seeded = info->attrs[MCFAB_A_RUN_SEED];
	if (cfg->seeded)
		cfg->seed = nla_get_uint(info->attrs[MCFAB_A_RUN_SEED]);
	cfg->subnet = fabric->core->subnet;
	ret = mcfab_nl_run_lengths(info, nest, cfg) ?:
	      mcfab_nl_run_pattern(info, nest, fabric, cfg);
	if (!ret && info->attrs[MCFAB_A_RUN_GROUP])
		ret = mcfab_nl_name(info, MCFAB_A_RUN_GROUP, "group", cfg->group);
	return ret;
}

/**
 * mcfab_nl_run_workload() - all traffic of a run as the user wrote it
 * @info: the request
 * @fabric: the fabric
 * @cfg: the run, filled in where something is said, the rest as it is
 *
 * Context: Any, under the fabric's lock.
 * Return: 0, -EINVAL or -ENOENT.
 */
int mcfab_nl_run_workload(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
			  struct mcfab_run_cfg *cfg)
{
	const struct nlattr *kind = info->attrs[MCFAB_A_RUN_WORKLOAD];
	struct mcfab_workload_cfg *w = &cfg->workload;
	u32 i;
	int ret;

	if (!kind)
		return mcfab_nl_missing(info, MCFAB_A_RUN_WORKLOAD, "workload");
	w->kind = nla_get_u32(kind);
	ret = mcfab_nl_run_classes(info, fabric, cfg) ?:
	      mcfab_nl_take_workload(info, NULL, fabric, w);
	if (ret || w->kind != MCFAB_WORKLOAD_TYPE_FILE)
		return ret;
	w->list = mcfab_nl_upload_messages(fabric);
	if (w->list) {
		cfg->counted = w->list->nclasses;
		for (i = 0; i < cfg->counted; i++)
			strscpy(cfg->class[i].name, w->list->name[i], MCFAB_NAME_LEN);
		return 0;
	}
	NL_SET_ERR_MSG_ATTR(info->extack, kind, "no complete list of messages was uploaded");
	return -ENOENT;
}

static bool mcfab_nl_put_pattern(struct sk_buff *skb, const struct mcfab_workload_cfg *cfg)
{
	u32 i;

	if ((cfg->pattern != MCFAB_TRAFFIC_PATTERN_UNIFORM &&
	     nla_put_u32(skb, MCFAB_A_RUN_PATTERN, cfg->pattern)) ||
	    (cfg->self && nla_put_flag(skb, MCFAB_A_RUN_SELF)) ||
	    (cfg->set != MCFAB_DESTINATION_SET_UNIFORM &&
	     nla_put_u32(skb, MCFAB_A_RUN_SET, cfg->set)) ||
	    (cfg->radius && nla_put_u32(skb, MCFAB_A_RUN_RADIUS, cfg->radius)) ||
	    (cfg->seeded && nla_put_uint(skb, MCFAB_A_RUN_SEED, cfg->seed)))
		return false;
	if (cfg->pattern != MCFAB_TRAFFIC_PATTERN_HOTSPOT)
		return true;
	for (i = 0; i < cfg->nhotspots; i++)
		if (nla_put_u32(skb, MCFAB_A_RUN_HOTSPOTS, cfg->hotspot[i]) ||
		    nla_put_u32(skb, MCFAB_A_RUN_HOTSPOT_WEIGHTS, cfg->hotspot_weight[i]))
			return false;
	return !nla_put_u32(skb, MCFAB_A_RUN_HOTSPOT_SHARE_PPM, cfg->hotspot_ppm);
}

static bool mcfab_nl_put_lengths(struct sk_buff *skb, const struct mcfab_workload_cfg *cfg)
{
	u32 i;

	for (i = 0; i < cfg->nlengths; i++)
		if (nla_put_u32(skb, MCFAB_A_RUN_LENGTHS, cfg->length[i]) ||
		    nla_put_u32(skb, MCFAB_A_RUN_WEIGHTS, cfg->weight[i]))
			return false;
	return true;
}

/**
 * mcfab_nl_put_workload() - show the traffic of a run
 * @skb: where
 * @cfg: the traffic
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_workload(struct sk_buff *skb, const struct mcfab_workload_cfg *cfg)
{
	if (nla_put_u32(skb, MCFAB_A_RUN_WORKLOAD, cfg->kind) || !mcfab_nl_put_lengths(skb, cfg) ||
	    !mcfab_nl_put_pattern(skb, cfg))
		return false;
	if (!mcfab_workload_is_given(cfg->kind) &&
	    ((cfg->group[0] ? nla_put_string(skb, MCFAB_A_RUN_GROUP, cfg->group) :
	      cfg->dests && nla_put_u32(skb, MCFAB_A_RUN_DESTS, cfg->dests)) ||
	     (cfg->source != MCFAB_NONE &&
	      nla_put_u32(skb, MCFAB_A_RUN_SOURCE, cfg->source))))
		return false;
	switch (cfg->kind) {
	case MCFAB_WORKLOAD_TYPE_LONE:
		return !nla_put_u32(skb, MCFAB_A_RUN_COUNT, max(cfg->count, 1U));
	case MCFAB_WORKLOAD_TYPE_ON_OFF:
		if (nla_put_u32(skb, MCFAB_A_RUN_ALPHA_PPB, cfg->alpha) ||
		    nla_put_u32(skb, MCFAB_A_RUN_BETA_PPB, cfg->beta))
			return false;
		if (cfg->r1 ? nla_put_u32(skb, MCFAB_A_RUN_R1_PPB, cfg->r1) :
			      nla_put_uint(skb, MCFAB_A_RUN_RATE_PPB, cfg->rate))
			return false;
		break;
	case MCFAB_WORKLOAD_TYPE_POISSON:
	case MCFAB_WORKLOAD_TYPE_BERNOULLI:
		if (nla_put_uint(skb, MCFAB_A_RUN_RATE_PPB, cfg->rate))
			return false;
		break;
	case MCFAB_WORKLOAD_TYPE_FIXED:
		if (nla_put_u32(skb, MCFAB_A_RUN_INTERVAL, cfg->interval) ||
		    (cfg->network && nla_put_flag(skb, MCFAB_A_RUN_NETWORK)))
			return false;
		break;
	case MCFAB_WORKLOAD_TYPE_BURST:
		return !nla_put_u32(skb, MCFAB_A_RUN_FRACTION_PPM, cfg->fraction_ppm);
	case MCFAB_WORKLOAD_TYPE_FILE:
	case MCFAB_WORKLOAD_TYPE_PORTS:
		return true;
	}
	return !((cfg->count && nla_put_u32(skb, MCFAB_A_RUN_COUNT, cfg->count)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_MULTICAST_FRACTION_PPM, cfg->multicast_ppm));
}

/**
 * mcfab_nl_run_window() - the measuring window of a run as the user wrote it
 * @info: the request
 * @cfg: the run, its workload filled in; filled in where something is said, the rest as it is
 *
 * A list has a window if something is said about it, of the length that is said: it may be shorter
 * than what precision would ask for.
 *
 * Context: Any.
 */
void mcfab_nl_run_window(const struct genl_info *info, struct mcfab_run_cfg *cfg)
{
	bool said = info->attrs[MCFAB_A_RUN_WARMUP] || info->attrs[MCFAB_A_RUN_BATCHES] ||
		    info->attrs[MCFAB_A_RUN_BATCH_CYCLES] || info->attrs[MCFAB_A_RUN_PRECISION_PPM];

	if (cfg->workload.kind == MCFAB_WORKLOAD_TYPE_FILE) {
		cfg->windowed = said;
		cfg->precision_ppm = 0;
	}
	mcfab_nl_set_u32(info, MCFAB_A_RUN_WARMUP, &cfg->warmup);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_BATCHES, &cfg->batches);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_BATCH_CYCLES, &cfg->batch_cycles);
	mcfab_nl_set_u32(info, MCFAB_A_RUN_PRECISION_PPM, &cfg->precision_ppm);
}

/**
 * mcfab_nl_put_run_window() - show the measuring window of a run, if it has one
 * @skb: where
 * @cfg: the run
 *
 * Context: Any.
 * Return: false if it does not fit.
 */
bool mcfab_nl_put_run_window(struct sk_buff *skb, const struct mcfab_run_cfg *cfg)
{
	if (!(BIT(cfg->workload.kind) & MCFAB_NL_WINDOW) && !cfg->windowed)
		return true;
	return !((cfg->warmup != MCFAB_NONE &&
		  nla_put_u32(skb, MCFAB_A_RUN_WARMUP, cfg->warmup)) ||
		 nla_put_u32(skb, MCFAB_A_RUN_BATCHES, cfg->batches) ||
		 nla_put_u32(skb, MCFAB_A_RUN_BATCH_CYCLES, cfg->batch_cycles) ||
		 nla_put_u32(skb, MCFAB_A_RUN_PRECISION_PPM, cfg->precision_ppm));
}
