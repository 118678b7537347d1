// SPDX-License-Identifier: GPL-2.0
/*
 * Plans: a policy's plan for one multicast. The plan is made once, before the second part of the
 * dump; nl_plan_show.c shows it.
 */
#include <linux/sched/signal.h>

#include "control/nl_plan.h"
#include "base/memory.h"
#include "subnet/subnet.h"
#include "updown/updown.h"

static void mcfab_nl_plan_count(struct mcfab_nl_plan *p, s64 bytes)
{
	p->bytes += bytes;
	atomic64_add(bytes, &p->fabric->plan_bytes);
	atomic64_add(bytes, &mcfab_nl_net(p->fabric->net)->plan_bytes);
}

/* Memory of a plan, which counts against the limit for all plans of its namespace. */
static void *mcfab_nl_plan_alloc(struct mcfab_nl_plan *p, u64 count, size_t size)
{
	void *mem = mcfab_memory_alloc(count, size);

	if (!mem)
		return NULL;
	mcfab_nl_plan_count(p, mcfab_memory_size(mem));
	if (atomic64_read(&mcfab_nl_net(p->fabric->net)->plan_bytes) <=
	    mcfab_memory_limit() / MCFAB_NL_PLAN_SHARE)
		return mem;
	p->too_big = true;
	mcfab_nl_plan_count(p, -mcfab_memory_size(mem));
	mcfab_memory_free(mem);
	return NULL;
}

static void mcfab_nl_plan_free(struct mcfab_nl_plan *p)
{
	mcfab_nl_plan_count(p, -p->bytes);
	atomic_dec(&mcfab_nl_net(p->fabric->net)->nplans);
	mcfab_memory_free(p->arrivals);
	mcfab_memory_free(p->cost.node);
	mcfab_memory_free(p->cost.arrival);
	mcfab_memory_free(p->plan.worm);
	mcfab_memory_free(p->plan.dst);
	mcfab_memory_free(p->scratch);
	mcfab_memory_free(p->memory);
	mcfab_memory_free(p->dst);
	if (p->policy.ops)
		mcfab_policy_close(&p->policy);
	mcfab_updown_put(p->updown);
	mcfab_nl_fabric_put(p->fabric);
	mcfab_memory_free(p);
}

/* An empty plan; it takes over @fabric. */
static struct mcfab_nl_plan *mcfab_nl_plan_new(const struct genl_info *info,
					       struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(fabric->net);
	struct mcfab_nl_plan *p = ERR_PTR(-EBUSY);

	if (atomic_inc_return(&nlnet->nplans) > MCFAB_NL_PLANS) {
		NL_SET_ERR_MSG_FMT(info->extack, "%u plans are being shown already",
				   MCFAB_NL_PLANS);
		goto refuse;
	}
	p = mcfab_memory_zalloc(1, sizeof(*p));
	if (!p) {
		p = ERR_PTR(-ENOMEM);
		goto refuse;
	}
	p->fabric = fabric;
	p->plan.group = MCFAB_NONE;
	mcfab_nl_plan_count(p, mcfab_memory_size(p));
	return p;

refuse:
	atomic_dec(&nlnet->nplans);
	mcfab_nl_fabric_put(fabric);
	return p;
}

/* Take the destinations from a multicast group of the claimed fabric. */
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
	p->dst = mcfab_nl_plan_alloc(p, group->nmembers, sizeof(*p->dst));
	if (!p->dst)
		return -ENOMEM;
	p->ndst = mcfab_group_dests(group, source, p->dst);
	p->plan.group = mcfab_group_place(sn, group->id);
	return 0;
}

/* Takes the destinations from the request, or else from the upload. */
static int mcfab_nl_plan_list(const struct genl_info *info, struct mcfab_nl_plan *p)
{
	const u32 *uploaded = NULL;
	int ret;

	ret = mcfab_nl_count(info, MCFAB_A_PLAN_DESTINATIONS, sizeof(u32), &p->ndst);
	if (ret)
		return ret;
	if (!p->ndst && mcfab_nl_upload_destinations(p->fabric, &uploaded, &p->ndst))
		return mcfab_nl_missing(info, MCFAB_A_PLAN_DESTINATIONS, "list of destinations");
	p->dst = mcfab_nl_plan_alloc(p, p->ndst, sizeof(*p->dst));
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
	const struct mcfab_updown *ud = p->fabric->core->updown;
	int ret = 0;

	if (source >= nodes)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_PLAN_SOURCE,
				    "source %u is not below %u", source, nodes);
	seen = mcfab_memory_zalloc(BITS_TO_LONGS(nodes), sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	for (i = 0; !ret && i < p->ndst; i++) {
		dst = p->dst[i];
		err->index = i;
		if (dst >= nodes)
			ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_PLAN_DESTINATIONS,
					   "destination %u is not below %u", dst, nodes);
		else if (dst == source)
			ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_PLAN_DESTINATIONS,
					   "source %u is among the destinations", source);
		else if (__test_and_set_bit(dst, seen))
			ret = mcfab_refuse(err, -EINVAL, MCFAB_OPTION_PLAN_DESTINATIONS,
					   "destination %u occurs twice", dst);
		else if (ud && !mcfab_updown_reaches(ud, source, dst))
			ret = mcfab_refuse(err, -EHOSTUNREACH, MCFAB_OPTION_PLAN_DESTINATIONS,
					   "no link that is up leads from %u to destination %u",
					   source, dst);
	}
	mcfab_memory_free(seen);
	return ret;
}

static int mcfab_nl_plan_make(struct mcfab_nl_plan *p, u32 source)
{
	struct mcfab_plan *plan = &p->plan;
	size_t scratch;
	int ret;

	mcfab_plan_bounds(&p->policy, p->ndst, &plan->max_worms, &plan->max_dst, &scratch);
	plan->worm = mcfab_nl_plan_alloc(p, plan->max_worms, sizeof(*plan->worm));
	plan->dst = mcfab_nl_plan_alloc(p, plan->max_dst, sizeof(*plan->dst));
	if (scratch)
		p->scratch = mcfab_nl_plan_alloc(p, 1, scratch);
	if (p->scratch)
		memset(p->scratch, 0, scratch);
	if (!plan->worm || !plan->dst || (scratch && !p->scratch))
		return -ENOMEM;
	ret = mcfab_plan_prepare(&p->policy, source, p->dst, p->ndst, plan, p->scratch,
				 &p->walk.blame);
	if (ret)
		return ret;

	p->memory = mcfab_nl_plan_alloc(p, 1, mcfab_walk_bytes(&p->policy, plan));
	p->cost.node = mcfab_nl_plan_alloc(p, plan->ndst, sizeof(*p->cost.node));
	p->cost.arrival = mcfab_nl_plan_alloc(p, plan->ndst, sizeof(*p->cost.arrival));
	p->arrivals = mcfab_nl_plan_alloc(p, plan->ndst, sizeof(*p->arrivals));
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

static int mcfab_nl_plan_predict(struct mcfab_nl_plan *p, struct mcfab_timing *timing, u32 mtu)
{
	const struct mcfab_fabric_cfg *cfg = &p->fabric->core->cfg;
	u32 i, n = 0;
	int ret;

	timing->startup = cfg->startup;
	timing->inject_delay = cfg->inject_delay;
	timing->route_delay = cfg->route_delay;
	timing->catch_up = cfg->pipeline == MCFAB_PIPELINE_MODE_FLIT ? 0 : cfg->route_delay;
	timing->link_delay = cfg->link_delay;
	timing->consume_delay = cfg->consume_delay;
	timing->ports = mcfab_has_ports(&p->fabric->core->topo, cfg);
	timing->rounds = MCFAB_ROUNDS_MODE_DELIVERED;
	if (cfg->node_model == MCFAB_NODE_MODEL_MODE_HOST)
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
	else if (ret == -EHOSTUNREACH)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, policy,
					"policy %s would cross links that are down: it has its own routing",
					p->policy.ops->name);
	else if (ret == -ELOOP && p->table)
		NL_SET_ERR_MSG_ATTR(info->extack, policy,
				    "by these tables packets multiply in circles: check them");
	else if (p->walk.blame.what && ret != -ENOMEM)
		mcfab_nl_accuse(info, policy, p->policy.ops->name, &p->walk.blame);
	else if (ret == -EINVAL && p->table)
		NL_SET_ERR_MSG_ATTR(info->extack, policy,
				    "these tables reach no destination: check them");
	else if (ret != -ENOMEM)
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, policy,
					"policy %s made a plan that does not work",
					p->policy.ops->name);
	return ret;
}

/* A plan by the tables of the subnet, which the claim keeps as they are. */
static int mcfab_nl_plan_table(const struct genl_info *info, struct mcfab_nl_plan *p, u32 source,
			       struct mcfab_timing *timing, u32 mtu)
{
	struct mcfab_subnet *sn = p->fabric->core->subnet;
	struct mcfab_err err = {};
	int ret;

	p->table = true;
	mcfab_assign_begin(sn);
	if (p->plan.group != MCFAB_NONE && !(p->policy.ops->flags & MCFAB_POLICY_SINGLE)) {
		ret = mcfab_group_assign(sn, sn->group[p->plan.group], source, &err);
		if (ret)
			return mcfab_nl_refuse(info, &err, ret);
	}
	ret = mcfab_nl_plan_make(p, source);
	if (!ret)
		ret = mcfab_nl_plan_predict(p, timing, mtu);
	if (!ret)
		return 0;
	mcfab_assign_undo(sn);
	return mcfab_nl_plan_failed(info, p, ret);
}

/* From the request to the prediction; the caller frees everything that was made. */
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
	mcfab_nl_set_u32(info, MCFAB_A_PLAN_PREP_RELAY, &timing.prep_relay);

	/* The claim keeps the uploaded set, groups and tables as they are. */
	ret = mcfab_nl_claim(info, p->fabric, "a plan is being made: try again later");
	if (ret)
		return ret;
	view = p->fabric->core->view;
	p->updown = mcfab_updown_get(view.updown);
	if (info->attrs[MCFAB_A_PLAN_GROUP])
		ret = mcfab_nl_plan_group(info, p, source);
	else
		ret = mcfab_nl_plan_list(info, p);
	if (ret)
		goto unclaim;
	ret = mcfab_nl_plan_check(p, source, &err);
	if (ret)
		goto refuse;
	ret = mcfab_fabric_packets(p->fabric->core, name, timing.flits, mtu,
				   timing.headers ? p->ndst : 0, &view, &err);
	view.load = false;
	if (!ret)
		ret = mcfab_fabric_imply(p->fabric->core, name, &view, &fresh, &err);
	if (!ret)
		ret = mcfab_policy_open(&p->policy, name, &view, set, nset, &err);
	if (ret) {
		p->policy.ops = NULL;
		goto refuse;
	}
	mcfab_nl_plan_count(p, mcfab_memory_size(p->policy.priv));
	if (timing.prep == MCFAB_NONE)
		timing.prep = p->policy.ops->prep;
	if (p->policy.ops->flags & MCFAB_POLICY_TABLE) {
		ret = mcfab_nl_plan_table(info, p, source, &timing, mtu);
		if (ret)
			goto unclaim;
		/* no other request changes the fabric while it is claimed */
		mcfab_fabric_adopt(p->fabric->core, fresh);
		p->generation = p->fabric->core->subnet->generation;
		mcfab_nl_unclaim(p->fabric);
		return 0;
	}
	mcfab_nl_unclaim(p->fabric);
	ret = mcfab_nl_plan_make(p, source);
	if (!ret)
		ret = mcfab_nl_plan_predict(p, &timing, mtu);
	return ret ? mcfab_nl_plan_failed(info, p, ret) : 0;

refuse:
	mcfab_nl_refuse(info, &err, ret);
unclaim:
	mcfab_nl_unclaim(p->fabric);
	/* the policy's view may point to the subnet that is replaced */
	mcfab_policy_close(&p->policy);
	mcfab_subnet_destroy(fresh);
	return ret;
}

/**
 * mcfab_nl_plan_work() - make the plan of a request
 * @info: the request
 * @p: an empty plan
 *
 * Context: May sleep, and compute for long; a later part of a dump.
 * Return: 0 or a negative error with the extack set; @p is to be freed in any case.
 */
int mcfab_nl_plan_work(const struct genl_info *info, struct mcfab_nl_plan *p)
{
	int ret;

	mcfab_nl_load_policy(info, MCFAB_A_PLAN_POLICY);
	ret = mcfab_nl_plan_open(info, p);
	if (ret && p->too_big)
		NL_SET_ERR_MSG_FMT(info->extack,
				   "plans that are being shown take up to 1/%u of max_memory_mb",
				   MCFAB_NL_PLAN_SHARE);
	return ret;
}

/* MCFAB_CMD_PLAN_GET */
int mcfab_nl_plan_get_start(struct netlink_callback *cb)
{
	struct mcfab_nl_plan_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_plan *p;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_plan_ctx);
	/* Held to the end of the dump: the walk reads its topology. */
	fabric = mcfab_nl_fabric_get(info);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	p = mcfab_nl_plan_new(info, fabric);
	if (IS_ERR(p))
		return PTR_ERR(p);
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
