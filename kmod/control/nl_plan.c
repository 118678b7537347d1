// SPDX-License-Identifier: GPL-2.0
/*
 * Plans: what a policy makes of one multicast. The plan is made once, when the
 * dump starts; the dump then walks over its worms and goes on at any worm and
 * hop, so that a plan of any length needs no more memory than its worms.
 */
#include <linux/sched/signal.h>

#include "control/nl.h"
#include "core/walk.h"
#include "subnet/subnet.h"

/* A plan and a run are refused by the same code, under the same numbers. */
static_assert((int)MCFAB_A_PLAN_POLICY == MCFAB_A_RUN_POLICY);
static_assert((int)MCFAB_A_PLAN_PARAM == MCFAB_A_RUN_PARAM);
static_assert((int)MCFAB_A_PLAN_FLITS == MCFAB_A_RUN_FLITS);
static_assert((int)MCFAB_A_PLAN_HEADERS == MCFAB_A_RUN_HEADERS);
static_assert((int)MCFAB_A_PLAN_PREP == MCFAB_A_RUN_PREP);
static_assert((int)MCFAB_A_PLAN_PREP2 == MCFAB_A_RUN_PREP2);

/* Numbers of a hop: from, to, virtual channel, port. */
#define MCFAB_NL_HOP		4

enum mcfab_nl_plan_phase {
	MCFAB_NL_PLAN_SUMMARY,
	MCFAB_NL_PLAN_WORMS,
	MCFAB_NL_PLAN_ARRIVALS,
	MCFAB_NL_PLAN_END,
};

struct mcfab_nl_arrival {
	u64 node;
	u64 cycle;
};

/**
 * struct mcfab_nl_plan - a plan that is being shown
 * @fabric: its fabric, held
 * @policy: its policy, if @policy.ops is set
 * @plan: its worms
 * @walk: the walk over them
 * @cost: what it costs
 * @arrivals: [@cost.ndst] sorted by node
 * @dst: [@ndst] the destinations asked for
 * @ndst: how many
 * @scratch: of the policy's prepare()
 * @memory: of the walk
 * @phase: where the dump is
 * @worm: worm, or arrival, that is next
 * @fresh: nothing of that worm was shown yet
 * @next_dst: destination of the worm that is next
 * @next_hop: hop of the worm that is next
 * @hops: hops of the worm
 * @table: packets follow the tables of @fabric's subnet, which may change between messages
 * @generation: of the subnet when the plan was made
 */
struct mcfab_nl_plan {
	struct mcfab_nl_fabric *fabric;
	struct mcfab_policy policy;
	struct mcfab_plan plan;
	struct mcfab_walk walk;
	struct mcfab_prediction cost;
	struct mcfab_nl_arrival *arrivals;
	u32 *dst;
	u32 ndst;
	void *scratch;
	void *memory;
	enum mcfab_nl_plan_phase phase;
	u32 worm;
	bool fresh;
	u32 next_dst;
	u32 next_hop;
	u32 hops;
	bool table;
	u32 generation;
};

struct mcfab_nl_plan_ctx {
	struct mcfab_nl_plan *plan;
};

static void mcfab_nl_plan_free(struct mcfab_nl_plan *p)
{
	kvfree(p->arrivals);
	kvfree(p->cost.node);
	kvfree(p->cost.arrival);
	kvfree(p->plan.worm);
	kvfree(p->plan.dst);
	kvfree(p->scratch);
	kvfree(p->memory);
	kvfree(p->dst);
	if (p->policy.ops)
		mcfab_policy_close(&p->policy);
	mcfab_nl_fabric_put(p->fabric);
	kvfree(p);
}

/* Take the destinations from a multicast group of the locked fabric. */
static int mcfab_nl_plan_group(const struct genl_info *info, struct mcfab_nl_plan *p, u32 source)
{
	const struct nlattr *nla = info->attrs[MCFAB_A_PLAN_GROUP];
	const struct mcfab_subnet *sn = p->fabric->core->subnet;
	const struct mcfab_group *group;
	char name[MCFAB_NAME_LEN];

	nla_strscpy(name, nla, sizeof(name));
	group = sn ? mcfab_group_find(sn, name) : NULL;
	if (!group) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "there is no group %s", name);
		return -ENOENT;
	}
	if (info->attrs[MCFAB_A_PLAN_DESTINATIONS]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_PLAN_DESTINATIONS],
				    "destinations are the members of the group: leave them out");
		return -EINVAL;
	}
	if (group->nmembers == mcfab_group_has(group, source)) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "group %s has no member but the source",
					name);
		return -EINVAL;
	}
	p->dst = kvmalloc_array(group->nmembers, sizeof(*p->dst), MCFAB_GFP);
	if (!p->dst)
		return -ENOMEM;
	p->ndst = mcfab_group_dests(group, source, p->dst);
	p->plan.group = mcfab_group_place(sn, group->id);
	return 0;
}

/* Take the destinations from the request or else from what was uploaded. */
static int mcfab_nl_plan_list(const struct genl_info *info, struct mcfab_nl_plan *p)
{
	const u32 *uploaded = NULL;
	int ret;

	ret = mcfab_nl_count(info, MCFAB_A_PLAN_DESTINATIONS, sizeof(u32), &p->ndst);
	if (ret)
		return ret;
	if (!p->ndst && mcfab_nl_upload_destinations(p->fabric, &uploaded, &p->ndst))
		return mcfab_nl_missing(info, MCFAB_A_PLAN_DESTINATIONS, "list of destinations");
	p->dst = kvmalloc_array(p->ndst, sizeof(*p->dst), MCFAB_GFP);
	if (!p->dst)
		return -ENOMEM;
	if (uploaded)
		memcpy(p->dst, uploaded, p->ndst * sizeof(*p->dst));
	else
		mcfab_nl_copy(info, MCFAB_A_PLAN_DESTINATIONS, p->dst);
	return 0;
}

static int mcfab_nl_plan_check(const struct mcfab_nl_plan *p, u32 source, struct mcfab_err *err)
{
	u32 nodes = p->fabric->core->topo.nodes;
	unsigned long *seen;
	u32 i, dst;
	int ret = 0;

	if (source >= nodes)
		return mcfab_refuse(err, -EINVAL, MCFAB_A_PLAN_SOURCE,
				    "source %u is not below %u", source, nodes);
	seen = kvcalloc(BITS_TO_LONGS(nodes), sizeof(*seen), MCFAB_GFP);
	if (!seen)
		return -ENOMEM;
	for (i = 0; !ret && i < p->ndst; i++) {
		dst = p->dst[i];
		err->index = i;
		if (dst >= nodes)
			ret = mcfab_refuse(err, -EINVAL, MCFAB_A_PLAN_DESTINATIONS,
					   "destination %u is not below %u", dst, nodes);
		else if (dst == source)
			ret = mcfab_refuse(err, -EINVAL, MCFAB_A_PLAN_DESTINATIONS,
					   "source %u is among the destinations", source);
		else if (__test_and_set_bit(dst, seen))
			ret = mcfab_refuse(err, -EINVAL, MCFAB_A_PLAN_DESTINATIONS,
					   "destination %u occurs twice", dst);
	}
	kvfree(seen);
	return ret;
}

static int mcfab_nl_plan_make(struct mcfab_nl_plan *p, u32 source)
{
	struct mcfab_plan *plan = &p->plan;
	size_t scratch;
	int ret;

	mcfab_plan_bounds(&p->policy, p->ndst, &plan->max_worms, &plan->max_dst, &scratch);
	plan->worm = kvmalloc_array(plan->max_worms, sizeof(*plan->worm), MCFAB_GFP);
	plan->dst = kvmalloc_array(plan->max_dst, sizeof(*plan->dst), MCFAB_GFP);
	if (scratch)
		p->scratch = kvmalloc(scratch, MCFAB_GFP);
	if (!plan->worm || !plan->dst || (scratch && !p->scratch))
		return -ENOMEM;
	ret = mcfab_plan_prepare(&p->policy, source, p->dst, p->ndst, plan, p->scratch);
	if (ret)
		return ret;
	if (!plan->nworms || !plan->ndst)
		return -EINVAL;

	p->memory = kvmalloc(mcfab_walk_bytes(&p->policy, plan), MCFAB_GFP);
	p->cost.node = kvmalloc_array(plan->ndst, sizeof(*p->cost.node), MCFAB_GFP);
	p->cost.arrival = kvmalloc_array(plan->ndst, sizeof(*p->cost.arrival),
					 MCFAB_GFP);
	p->arrivals = kvmalloc_array(plan->ndst, sizeof(*p->arrivals), MCFAB_GFP);
	if (!p->memory || !p->cost.node || !p->cost.arrival || !p->arrivals)
		return -ENOMEM;
	mcfab_walk_init(&p->walk, &p->policy, plan, p->memory);
	return 0;
}

static int mcfab_nl_arrival_cmp(const void *a, const void *b)
{
	const struct mcfab_nl_arrival *x = a, *y = b;

	return x->node < y->node ? -1 : x->node > y->node;
}

static int mcfab_nl_node_cmp(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int mcfab_nl_plan_predict(struct mcfab_nl_plan *p, struct mcfab_timing *timing, u32 mtu)
{
	const struct mcfab_fabric_cfg *cfg = &p->fabric->core->cfg;
	u32 i, n = 0;
	int ret;

	timing->startup = cfg->startup;
	timing->inject_delay = cfg->inject_delay;
	timing->route_delay = cfg->route_delay;
	timing->link_delay = cfg->link_delay;
	timing->consume_delay = cfg->consume_delay;
	timing->rounds = MCFAB_ROUNDS_DELIVERED;
	if (cfg->node_model == MCFAB_NODE_HOST)
		ret = mcfab_nl_host_predict(&p->walk, timing, mtu, cfg, &p->cost);
	else
		ret = mcfab_walk_predict(&p->walk, timing, &p->cost);
	if (ret)
		return ret;
	if (!p->cost.ndst)
		return -EINVAL;
	for (i = 0; i < p->plan.ndst; i++) {
		if (p->cost.node[i] & MCFAB_DST_RELAY || p->cost.arrival[i] == U64_MAX)
			continue;
		p->arrivals[n].node = p->cost.node[i];
		p->arrivals[n++].cycle = p->cost.arrival[i];
	}
	sort(p->arrivals, n, sizeof(*p->arrivals), mcfab_nl_arrival_cmp, NULL);
	return 0;
}

/* Why a plan does not work. */
static int mcfab_nl_plan_failed(const struct genl_info *info, const struct mcfab_nl_plan *p,
				int ret)
{
	const struct nlattr *policy = info->attrs[MCFAB_A_PLAN_POLICY];

	if (ret == -EINTR)
		NL_SET_ERR_MSG(info->extack, "interrupted");
	else if (ret == -ELOOP && p->table)
		NL_SET_ERR_MSG_ATTR(info->extack, policy,
				    "by these tables packets multiply in circles: check them");
	else if (ret == -EINVAL && p->table)
		NL_SET_ERR_MSG_ATTR(info->extack, policy,
				    "these tables reach no destination: check them");
	else if (ret != -ENOMEM)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, policy,
					"policy %s made a plan that does not work",
					p->policy.ops->name);
	return ret;
}

/* A plan by the tables of the subnet, which the lock of the fabric keeps as they are. */
static int mcfab_nl_plan_table(const struct genl_info *info, struct mcfab_nl_plan *p, u32 source,
			       struct mcfab_timing *timing, u32 mtu)
{
	struct mcfab_subnet *sn = p->fabric->core->subnet;
	struct mcfab_err err = {};
	int ret;

	p->table = true;
	if (p->plan.group != MCFAB_NONE && !(p->policy.ops->flags & MCFAB_POLICY_SINGLE)) {
		ret = mcfab_group_assign(sn, sn->group[p->plan.group], source, &err);
		if (ret)
			return mcfab_nl_refuse(info, &err, ret);
	}
	ret = mcfab_nl_plan_make(p, source);
	if (!ret)
		ret = mcfab_nl_plan_predict(p, timing, mtu);
	return ret ? mcfab_nl_plan_failed(info, p, ret) : 0;
}

/* From request to prediction; what was made is freed by the caller. */
static int mcfab_nl_plan_open(const struct genl_info *info, struct mcfab_nl_plan *p)
{
	struct mcfab_setting set[MCFAB_MAX_PARAMS];
	struct mcfab_view view;
	struct mcfab_timing timing = { .flits = 32, .prep = MCFAB_NONE };
	struct mcfab_subnet *fresh = NULL;
	struct mcfab_err err = {};
	char name[MCFAB_NAME_LEN];
	u32 nset, source, mtu = 0, headers = MCFAB_HEADERS_MODE_OFF;
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_PLAN_POLICY, "policy", name);
	if (!ret)
		ret = mcfab_nl_settings(info, MCFAB_A_PLAN_PARAM, set, &nset);
	if (ret)
		return ret;
	if (!info->attrs[MCFAB_A_PLAN_SOURCE])
		return mcfab_nl_missing(info, MCFAB_A_PLAN_SOURCE, "source");
	source = nla_get_u32(info->attrs[MCFAB_A_PLAN_SOURCE]);
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_FLITS, &timing.flits);
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_MTU, &mtu);
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_HEADERS, &headers);
	timing.headers = headers == MCFAB_HEADERS_MODE_ON;
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_PREP, &timing.prep);
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_PREP2, &timing.prep2);

	/* Locked, so that the uploaded set, groups and tables stay. */
	mutex_lock(&p->fabric->lock);
	view = p->fabric->core->view;
	if (info->attrs[MCFAB_A_PLAN_GROUP])
		ret = mcfab_nl_plan_group(info, p, source);
	else
		ret = mcfab_nl_plan_list(info, p);
	if (ret)
		goto unlock;
	ret = mcfab_nl_plan_check(p, source, &err);
	if (ret)
		goto refuse;
	view.flits = mcfab_packet_flits(timing.flits, mtu);
	view.packets = DIV_ROUND_UP(timing.flits, view.flits);
	view.flits += timing.headers ? p->ndst - 1 : 0;
	view.buffer = mcfab_buffer_flits(&p->fabric->core->cfg, view.flits);
	view.load = false;
	ret = mcfab_fabric_imply(p->fabric->core, name, &view, &fresh, &err);
	if (!ret)
		ret = mcfab_policy_open(&p->policy, name, &view, set, nset, &err);
	if (ret) {
		p->policy.ops = NULL;
		goto refuse;
	}
	if (timing.prep == MCFAB_NONE)
		timing.prep = p->policy.ops->prep;
	if (p->policy.ops->flags & MCFAB_POLICY_TABLE) {
		ret = mcfab_nl_plan_table(info, p, source, &timing, mtu);
		if (ret)
			goto unlock;
		mcfab_fabric_adopt(p->fabric->core, fresh);
		p->generation = p->fabric->core->subnet->generation;
		mutex_unlock(&p->fabric->lock);
		return 0;
	}
	mutex_unlock(&p->fabric->lock);
	ret = mcfab_nl_plan_make(p, source);
	if (!ret)
		ret = mcfab_nl_plan_predict(p, &timing, mtu);
	return ret ? mcfab_nl_plan_failed(info, p, ret) : 0;

refuse:
	mcfab_nl_refuse(info, &err, ret);
unlock:
	mutex_unlock(&p->fabric->lock);
	mcfab_subnet_destroy(fresh);
	return ret;
}

/* MCFAB_CMD_PLAN_GET */
int mcfab_nl_plan_get_start(struct netlink_callback *cb)
{
	struct mcfab_nl_plan_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_plan *p;
	int ret;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_plan_ctx);
	/* Held to the end of the dump: the walk looks at its topology. */
	fabric = mcfab_nl_fabric_get(info);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	p = kvzalloc(sizeof(*p), MCFAB_GFP);
	if (!p) {
		mcfab_nl_fabric_put(fabric);
		return -ENOMEM;
	}
	p->fabric = fabric;
	p->plan.group = MCFAB_NONE;
	ret = mcfab_nl_plan_open(info, p);
	if (ret) {
		mcfab_nl_plan_free(p);
		return ret;
	}
	p->fresh = true;
	ctx->plan = p;
	return 0;
}

int mcfab_nl_plan_get_done(struct netlink_callback *cb)
{
	struct mcfab_nl_plan_ctx *ctx = (void *)cb->ctx;

	if (ctx->plan)
		mcfab_nl_plan_free(ctx->plan);
	return 0;
}

static int mcfab_nl_put_summary(struct sk_buff *skb, const struct mcfab_nl_plan *p)
{
	const struct mcfab_prediction *cost = &p->cost;
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_PLAN_SUMMARY);

	if (!nest ||
	    nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_WORMS, cost->nworms) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_DESTINATIONS, cost->ndst) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_STEPS, cost->steps) ||
	    nla_put_uint(skb, MCFAB_A_PLAN_SUMMARY_TRAFFIC, cost->traffic) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_LONGEST, cost->longest) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_NETWORK_LATENCY, cost->path) ||
	    nla_put_uint(skb, MCFAB_A_PLAN_SUMMARY_COMPLETION, cost->completion) ||
	    nla_put_uint(skb, MCFAB_A_PLAN_SUMMARY_MEAN_DESTINATION_UCYCLES,
			 mul_u64_u64_div_u64(cost->sum_destination, MCFAB_PPM, cost->ndst)) ||
	    nla_put_uint(skb, MCFAB_A_PLAN_SUMMARY_MEAN_WORM_UCYCLES,
			 mul_u64_u64_div_u64(cost->sum_worm, MCFAB_PPM, cost->nworms)))
		return -EMSGSIZE;
	if ((cost->lost && nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_LOST, cost->lost)) ||
	    (cost->drops && nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_DROPS, cost->drops)) ||
	    (cost->strays && nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_STRAYS, cost->strays)) ||
	    (cost->duplicates &&
	     nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_DUPLICATES, cost->duplicates)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * Look at a worm before it is shown: how many hops, and whether it is a path. The
 * hops of a path are those of its furthest delivery. A tree's deliveries are in no
 * order that means anything, so they are shown in that of their ids.
 */
static int mcfab_nl_worm_begin(struct mcfab_nl_plan *p)
{
	const struct mcfab_plan_worm *worm = &p->plan.worm[p->worm];
	struct mcfab_walk_event event;
	u32 longest = 0;
	int ret;

	mcfab_walk_start(&p->walk, p->worm);
	while ((ret = mcfab_walk_next(&p->walk, &event)) == 1)
		longest = max(longest, event.hops);
	if (ret)
		return ret;
	p->hops = p->walk.hop;
	p->next_dst = 0;
	p->next_hop = 0;
	if (p->hops > longest)
		sort(p->cost.node + worm->first, worm->count, sizeof(u32), mcfab_nl_node_cmp,
		     NULL);
	mcfab_walk_start(&p->walk, p->worm);
	return 0;
}

static int mcfab_nl_put_destinations(struct sk_buff *skb, struct mcfab_nl_plan *p)
{
	const struct mcfab_plan_worm *worm = &p->plan.worm[p->worm];
	u32 n = mcfab_nl_room(skb, sizeof(u32), 1, worm->count - p->next_dst);
	struct nlattr *nla;
	u32 *to;
	u32 i;

	if (!n || nla_put_u32(skb, MCFAB_A_PLAN_WORM_DESTINATION_OFFSET, p->next_dst))
		return -EMSGSIZE;
	nla = nla_reserve(skb, MCFAB_A_PLAN_WORM_DESTINATIONS, n * sizeof(u32));
	if (!nla)
		return -EMSGSIZE;
	to = nla_data(nla);
	for (i = 0; i < n; i++)
		to[i] = p->cost.node[worm->first + p->next_dst + i] & ~(u32)MCFAB_DST_RELAY;
	p->next_dst += n;
	return 0;
}

static int mcfab_nl_put_hops(struct sk_buff *skb, struct mcfab_nl_plan *p)
{
	u32 n = mcfab_nl_room(skb, MCFAB_NL_HOP * sizeof(u32), MCFAB_NL_HOP,
			      p->hops - p->next_hop);
	struct mcfab_walk_event event;
	struct nlattr *nla;
	u32 i = 0;
	u32 *to;
	int ret;

	if (!n || nla_put_u32(skb, MCFAB_A_PLAN_WORM_HOP_OFFSET, p->next_hop))
		return -EMSGSIZE;
	nla = nla_reserve(skb, MCFAB_A_PLAN_WORM_HOPS, n * MCFAB_NL_HOP * sizeof(u32));
	if (!nla)
		return -EMSGSIZE;
	to = nla_data(nla);
	ret = mcfab_walk_seek(&p->walk, p->worm, p->next_hop);
	if (ret)
		return ret;
	while (i < n) {
		ret = mcfab_walk_next(&p->walk, &event);
		if (ret != 1)
			return ret ?: -EINVAL;
		if (event.kind != MCFAB_WALK_HOP)
			continue;
		*to++ = event.from;
		*to++ = event.to;
		*to++ = event.vc;
		*to++ = event.port;
		i++;
	}
	p->next_hop += n;
	return 0;
}

static int mcfab_nl_put_worm(struct sk_buff *skb, struct mcfab_nl_plan *p)
{
	const struct mcfab_plan_worm *worm = &p->plan.worm[p->worm];
	struct nlattr *nest;
	int ret = 0;

	if (p->fresh)
		ret = mcfab_nl_worm_begin(p);
	if (ret)
		return ret;
	p->fresh = false;
	if (skb_tailroom(skb) < 2 * MCFAB_NL_LEAST_ROOM)
		return -EMSGSIZE;
	nest = nla_nest_start(skb, MCFAB_A_PLAN_WORM);
	if (!nest ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_ID, p->worm) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_STEP, worm->step) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_ROUND, worm->round) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_SOURCE, worm->sender) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_DESTINATIONS_TOTAL, worm->count) ||
	    nla_put_u32(skb, MCFAB_A_PLAN_WORM_HOPS_TOTAL, p->hops) ||
	    (worm->after != MCFAB_NONE &&
	     nla_put_u32(skb, MCFAB_A_PLAN_WORM_AFTER, worm->after)))
		return -EMSGSIZE;

	if (p->next_dst < worm->count) {
		ret = mcfab_nl_put_destinations(skb, p);
		if (ret)
			return ret;
	}
	/* What has no room here comes in the next message. */
	if (p->next_dst == worm->count && p->next_hop < p->hops)
		ret = mcfab_nl_put_hops(skb, p);
	if (ret && ret != -EMSGSIZE)
		return ret;
	nla_nest_end(skb, nest);
	if (p->next_dst == worm->count && p->next_hop == p->hops) {
		p->worm++;
		p->fresh = true;
	}
	return 0;
}

static int mcfab_nl_put_arrivals(struct sk_buff *skb, struct mcfab_nl_plan *p)
{
	u32 n = mcfab_nl_room(skb, sizeof(*p->arrivals), 2, p->cost.ndst - p->worm);

	if (!n || nla_put(skb, MCFAB_A_PLAN_ARRIVALS, n * sizeof(*p->arrivals),
			  p->arrivals + p->worm))
		return -EMSGSIZE;
	p->worm += n;
	return 0;
}

/* One message; the cursor moves on only if it got in. */
static int mcfab_nl_plan_fill(struct sk_buff *skb, struct mcfab_nl_plan *p,
			      struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
	int ret;

	if (!hdr)
		return -EMSGSIZE;
	ret = nla_put_u32(skb, MCFAB_A_PLAN_FABRIC_ID, p->fabric->id);
	if (!ret) {
		switch (p->phase) {
		case MCFAB_NL_PLAN_SUMMARY:
			ret = mcfab_nl_put_summary(skb, p);
			break;
		case MCFAB_NL_PLAN_WORMS:
			ret = mcfab_nl_put_worm(skb, p);
			break;
		default:
			ret = mcfab_nl_put_arrivals(skb, p);
		}
	}
	if (ret) {
		genlmsg_cancel(skb, hdr);
		return ret;
	}
	genlmsg_end(skb, hdr);

	if (p->phase == MCFAB_NL_PLAN_SUMMARY ||
	    (p->phase == MCFAB_NL_PLAN_WORMS && p->worm == p->plan.nworms) ||
	    (p->phase == MCFAB_NL_PLAN_ARRIVALS && p->worm == p->cost.ndst)) {
		p->phase++;
		p->worm = 0;
	}
	return 0;
}

int mcfab_nl_plan_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_plan_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_plan *p = ctx->plan;
	int ret = 0;

	cb->seq = p->fabric->id;
	if (p->table) {
		mutex_lock(&p->fabric->lock);
		if (p->generation != p->fabric->core->subnet->generation) {
			mutex_unlock(&p->fabric->lock);
			NL_SET_ERR_MSG(cb->extack,
				       "groups or tables were changed meanwhile: ask again");
			return -EAGAIN;
		}
	}
	while (!ret && p->phase != MCFAB_NL_PLAN_END)
		ret = mcfab_nl_plan_fill(skb, p, cb);
	if (p->table)
		mutex_unlock(&p->fabric->lock);
	return ret;
}
