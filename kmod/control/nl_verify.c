// SPDX-License-Identifier: GPL-2.0
/*
 * Verification of a policy. A part of the dump does a part of the work and says how far it has come,
 * so that the process that reads can give up at any time, and no lock is held for long.
 */
#include "base/memory.h"
#include "control/nl.h"
#include "fabric/fabric.h"
#include "subnet/subnet.h"
#include "updown/updown.h"
#include "verify/verify.h"

/* most verifications of a network namespace at a time */
#define MCFAB_NL_VERIFIES	16
/* samples of a request that does not say */
#define MCFAB_NL_SAMPLES	1000

enum mcfab_nl_verify_phase {
	MCFAB_NL_VERIFY_ASKED,
	MCFAB_NL_VERIFY_OPENING,
	MCFAB_NL_VERIFY_WORKING,
	MCFAB_NL_VERIFY_VERDICT,
	MCFAB_NL_VERIFY_WAITS,
	MCFAB_NL_VERIFY_END,
};

/**
 * struct mcfab_nl_verify - a verification that is being made
 * @fabric: its fabric, held
 * @policy: the policy, if @policy.ops is set
 * @verify: the work
 * @updown: the routing of the policy's view, held: links may fail meanwhile
 * @fresh: subnet that the policy needs and the fabric does not have, or NULL
 * @tables: packets follow the tables of @fabric's subnet, which may change between two parts
 * @generation: of that subnet
 * @phase: position of the dump
 * @wait: next wait of the cycle
 */
struct mcfab_nl_verify {
	struct mcfab_nl_fabric *fabric;
	struct mcfab_policy policy;
	struct mcfab_verify verify;
	struct mcfab_updown *updown;
	struct mcfab_subnet *fresh;
	bool tables;
	u32 generation;
	enum mcfab_nl_verify_phase phase;
	u32 wait;
};

struct mcfab_nl_verify_ctx {
	struct mcfab_nl_verify *v;
};

/* MCFAB_CMD_VERIFY */
int mcfab_nl_verify_start(struct netlink_callback *cb)
{
	struct mcfab_nl_verify_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_net *nlnet;
	struct mcfab_nl_verify *v;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_verify_ctx);
	v = mcfab_memory_zalloc(1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	/* Held to the end of the dump: the policy's view points to its topology. */
	v->fabric = mcfab_nl_fabric_get(info);
	if (IS_ERR(v->fabric)) {
		int ret = PTR_ERR(v->fabric);

		mcfab_memory_free(v);
		return ret;
	}
	nlnet = mcfab_nl_net(v->fabric->net);
	ctx->v = v;
	if (atomic_inc_return(&nlnet->nverifies) <= MCFAB_NL_VERIFIES)
		return 0;
	NL_SET_ERR_MSG_FMT(info->extack, "%u policies are being verified already",
			   MCFAB_NL_VERIFIES);
	mcfab_nl_verify_done(cb);
	return -EBUSY;
}

int mcfab_nl_verify_done(struct netlink_callback *cb)
{
	struct mcfab_nl_verify_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_verify *v = ctx->v;

	if (!v)
		return 0;
	ctx->v = NULL;
	mcfab_verify_close(&v->verify);
	mcfab_policy_close(&v->policy);
	mcfab_subnet_destroy(v->fresh);
	mcfab_updown_put(v->updown);
	atomic_dec(&mcfab_nl_net(v->fabric->net)->nverifies);
	mcfab_nl_fabric_put(v->fabric);
	mcfab_memory_free(v);
	return 0;
}

/* What the request asks for; the attributes' ranges were checked. */
static int mcfab_nl_verify_asked(const struct genl_info *info, const struct mcfab_fabric *core,
				 struct mcfab_verify_cfg *cfg)
{
	cfg->samples = MCFAB_NL_SAMPLES;
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_DESTS, &cfg->dests);
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_SAMPLES, &cfg->samples);
	cfg->unicasts = nla_get_flag(info->attrs[MCFAB_A_VERIFY_UNICASTS]);
	cfg->ports = mcfab_has_ports(&core->topo, &core->cfg);
	cfg->in_turn = core->cfg.allocator == MCFAB_ALLOCATOR_MODE_OLDEST;
	cfg->seed = core->cfg.seed;
	if (cfg->dests < core->topo.nodes)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_VERIFY_DESTS],
				"dests %u: a message has at most %u destinations here", cfg->dests,
				core->topo.nodes - 1);
	return -ERANGE;
}

/* Opens the policy with its view of the claimed fabric, as for a run with any load. */
static int mcfab_nl_verify_policy(const struct genl_info *info, struct mcfab_nl_verify *v,
				  const struct mcfab_verify_cfg *cfg)
{
	u32 flits = 32, mtu = 0, headers = MCFAB_HEADERS_MODE_OFF, nset, named = 0;
	const struct mcfab_fabric *core = v->fabric->core;
	struct mcfab_setting set[MCFAB_MAX_PARAMS];
	struct mcfab_view view = core->view;
	struct mcfab_err err = {};
	char name[MCFAB_NAME_LEN];
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_VERIFY_POLICY, "policy", name);
	if (!ret)
		ret = mcfab_nl_settings(info, MCFAB_A_VERIFY_PARAM, set, &nset);
	if (ret)
		return ret;
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_FLITS, &flits);
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_MTU, &mtu);
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_HEADERS, &headers);
	if (headers == MCFAB_HEADERS_MODE_ON)
		named = cfg->dests ?: max(core->topo.nodes - 1, 1U);
	v->updown = mcfab_updown_get(view.updown);
	ret = mcfab_fabric_check_buffer(&core->cfg, mcfab_packet_flits(flits, mtu),
					mtu ? MCFAB_OPTION_RUN_MTU : MCFAB_OPTION_RUN_FLITS, &err);
	if (!ret)
		ret = mcfab_fabric_packets(core, name, flits, mtu, named, &view, &err);
	view.load = true;
	if (!ret)
		ret = mcfab_fabric_imply(core, name, &view, &v->fresh, &err);
	if (!ret)
		ret = mcfab_policy_open(&v->policy, name, &view, set, nset, &err);
	if (ret)
		return mcfab_nl_refuse(info, &err, ret);
	v->tables = v->policy.ops->flags & MCFAB_POLICY_TABLE && !v->fresh;
	if (v->tables)
		v->generation = core->subnet->generation;
	return 0;
}

static int mcfab_nl_verify_open(const struct genl_info *info, struct mcfab_nl_verify *v)
{
	struct mcfab_verify_cfg cfg = {};
	int ret;

	mcfab_nl_load_policy(info, MCFAB_A_VERIFY_POLICY);
	/* The claim keeps tables and routing as they are. */
	ret = mcfab_nl_claim(info, v->fabric, "a policy is being verified: try again later");
	if (ret)
		return ret;
	ret = mcfab_nl_verify_asked(info, v->fabric->core, &cfg);
	if (!ret)
		ret = mcfab_nl_verify_policy(info, v, &cfg);
	mcfab_nl_unclaim(v->fabric);
	return ret ?: mcfab_verify_open(&v->verify, &v->policy, &cfg);
}

/* The policy is at fault. */
static int mcfab_nl_verify_failed(const struct genl_info *info, const struct mcfab_nl_verify *v,
				  int ret)
{
	char text[NETLINK_MAX_FMTMSG_LEN - MCFAB_NAME_LEN];

	if (ret == -EINTR) {
		NL_SET_ERR_MSG(info->extack, "interrupted");
	} else if (ret != -ENOMEM && v->verify.e.blame.what) {
		mcfab_blame_text(text, sizeof(text), &v->verify.e.blame);
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_VERIFY_POLICY],
					"policy %s, %s", v->policy.ops->name, text);
	}
	return ret;
}

/* A step of the work; tables are claimed for it. */
static int mcfab_nl_verify_step(const struct genl_info *info, struct mcfab_nl_verify *v)
{
	int ret;

	if (!v->tables)
		return mcfab_verify_step(&v->verify);
	ret = mcfab_nl_claim(info, v->fabric, "a policy is being verified: try again later");
	if (ret)
		return ret;
	if (v->generation == v->fabric->core->subnet->generation) {
		ret = mcfab_verify_step(&v->verify);
	} else {
		NL_SET_ERR_MSG(info->extack, "groups or tables were changed meanwhile: ask again");
		ret = -EAGAIN;
	}
	mcfab_nl_unclaim(v->fabric);
	return ret;
}

static bool mcfab_nl_put_verdict(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	const struct mcfab_verify *verify = &v->verify;
	const struct mcfab_judgement *verdict = &verify->v;

	return !nla_put_u32(skb, MCFAB_A_VERIFY_VERDICT, verdict->free ?
			    MCFAB_VERIFY_VERDICT_PROVED : MCFAB_VERIFY_VERDICT_CYCLE) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_SCOPE, mcfab_verify_scope(verify)) &&
	       (!verify->most || !nla_put_u32(skb, MCFAB_A_VERIFY_LOOKED_AT, verify->most)) &&
	       !nla_put_uint(skb, MCFAB_A_VERIFY_PLANS, verify->plans) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_RESOURCES, verify->w.resources) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_EDGES, verdict->edges) &&
	       (!verdict->acyclic || !nla_put_flag(skb, MCFAB_A_VERIFY_ACYCLIC)) &&
	       (verdict->free || !nla_put_u32(skb, MCFAB_A_VERIFY_LENGTH, verdict->length));
}

static bool mcfab_nl_put_fifo(struct sk_buff *skb, const struct mcfab_view *view, int attr,
			      u32 fifo)
{
	u32 channel = mcfab_wait_channel(view, fifo), ports = view->topo->ports;

	/* the four attributes of a FIFO follow each other */
	return !nla_put_u32(skb, attr, channel / ports) &&
	       !nla_put_u32(skb, attr + 1, channel % ports) &&
	       !nla_put_u32(skb, attr + 2, fifo % view->vcs) &&
	       !nla_put_u32(skb, attr + 3, mcfab_wait_router(view, fifo));
}

/* A resource, or the first choice of a request. */
static bool mcfab_nl_put_resource(struct sk_buff *skb, const struct mcfab_waits *w, int fifo,
				  int node, u32 number)
{
	if (number < w->fifos)
		return mcfab_nl_put_fifo(skb, w->view, fifo, number);
	if (number < w->resources)
		return !nla_put_u32(skb, node, number - w->fifos);
	number -= w->resources;
	return mcfab_nl_put_fifo(skb, w->view, fifo, w->alt[w->first[number]]) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_WAIT_CHOICES,
			    w->first[number + 1] - w->first[number]);
}

static bool mcfab_nl_put_message(struct sk_buff *skb, const struct mcfab_verify *verify, u64 plan)
{
	u32 source, ndst = mcfab_verify_set(verify, plan, &source, verify->dst);

	return !ndst || (!nla_put_u32(skb, MCFAB_A_VERIFY_WAIT_SOURCE, source) &&
			 !nla_put(skb, MCFAB_A_VERIFY_WAIT_DESTINATIONS,
				  min(ndst, MCFAB_LIST_MAX) * sizeof(u32), verify->dst));
}

static bool mcfab_nl_put_wait(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	const struct mcfab_wait_edge *wait = &v->verify.v.cycle[v->wait];
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_VERIFY_WAIT);

	if (!nest ||
	    !mcfab_nl_put_resource(skb, &v->verify.w, MCFAB_A_VERIFY_WAIT_ROUTER,
				   MCFAB_A_VERIFY_WAIT_NODE, wait->from) ||
	    !mcfab_nl_put_resource(skb, &v->verify.w, MCFAB_A_VERIFY_WAIT_WANTED_ROUTER,
				   MCFAB_A_VERIFY_WAIT_WANTED_NODE, wait->to) ||
	    !mcfab_nl_put_message(skb, &v->verify, wait->plan))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_verify(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	switch (v->phase) {
	case MCFAB_NL_VERIFY_ASKED:
		return !nla_put_flag(skb, MCFAB_A_VERIFY_BUILDING);
	case MCFAB_NL_VERIFY_VERDICT:
		return mcfab_nl_put_verdict(skb, v);
	case MCFAB_NL_VERIFY_WAITS:
		return mcfab_nl_put_wait(skb, v);
	default:
		return !nla_put_uint(skb, MCFAB_A_VERIFY_DONE, v->verify.next) &&
		       !nla_put_uint(skb, MCFAB_A_VERIFY_TOTAL, v->verify.last);
	}
}

/* One message. */
static int mcfab_nl_verify_fill(struct sk_buff *skb, const struct mcfab_nl_verify *v,
				struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_VERIFY_FABRIC_ID, v->fabric->id) ||
	    !mcfab_nl_put_verify(skb, v)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* What comes after a message that got in. */
static void mcfab_nl_verify_next(struct mcfab_nl_verify *v)
{
	if (v->phase == MCFAB_NL_VERIFY_VERDICT)
		v->phase = v->verify.v.free ? MCFAB_NL_VERIFY_END : MCFAB_NL_VERIFY_WAITS;
	else
		v->wait++;
	if (v->phase == MCFAB_NL_VERIFY_WAITS && v->wait == v->verify.v.length)
		v->phase = MCFAB_NL_VERIFY_END;
}

int mcfab_nl_verify_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_verify_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_verify *v = ctx->v;
	int ret = 0;

	cb->seq = v->fabric->id;
	/* The whole first part: it is under a lock that others may wait for. */
	if (v->phase == MCFAB_NL_VERIFY_ASKED) {
		ret = mcfab_nl_verify_fill(skb, v, cb);
		v->phase = MCFAB_NL_VERIFY_OPENING;
		return ret ?: skb->len;
	}
	if (v->phase == MCFAB_NL_VERIFY_OPENING) {
		ret = mcfab_nl_verify_open(info, v);
		if (ret)
			return ret;
		v->phase = MCFAB_NL_VERIFY_WORKING;
	}
	if (v->phase == MCFAB_NL_VERIFY_WORKING) {
		ret = mcfab_nl_verify_step(info, v);
		if (ret < 0)
			return mcfab_nl_verify_failed(info, v, ret);
		if (ret)
			return mcfab_nl_verify_fill(skb, v, cb) ?: skb->len;
		v->phase = MCFAB_NL_VERIFY_VERDICT;
		v->wait = 0;
	}
	while (!ret && v->phase != MCFAB_NL_VERIFY_END) {
		ret = mcfab_nl_verify_fill(skb, v, cb);
		if (!ret)
			mcfab_nl_verify_next(v);
	}
	return ret;
}
