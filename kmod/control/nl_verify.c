// SPDX-License-Identifier: GPL-2.0
/*
 * Verification of a policy. A part of the dump does a part of the work and says how far it has
 * come, so that the process that reads can give up at any time, and no lock is held for long.
 */
#include "base/memory.h"
#include "control/nl.h"
#include "fabric/replay.h"
#include "subnet/subnet.h"
#include "updown/updown.h"
#include "verify/verify.h"

/* most verifications of a network namespace at a time */
#define MCFAB_NL_VERIFIES	16
/* samples and crowds of a request that does not say */
#define MCFAB_NL_SAMPLES	1000
#define MCFAB_NL_CROWDS		60

enum mcfab_nl_verify_phase {
	MCFAB_NL_VERIFY_ASKED,
	MCFAB_NL_VERIFY_OPENING,
	MCFAB_NL_VERIFY_WORKING,
	MCFAB_NL_VERIFY_REPLAYING,
	MCFAB_NL_VERIFY_VERDICT,
	MCFAB_NL_VERIFY_WAITS,
	MCFAB_NL_VERIFY_MESSAGES,
	MCFAB_NL_VERIFY_BLOCKED,
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
 * @cfg: the fabric, with what the request says is to be different
 * @run: the run that could deadlock, without its messages
 * @replay: search for messages that deadlock
 * @suspect: messages of the cycle
 * @phase: position of the dump
 * @next: next item of that phase
 */
struct mcfab_nl_verify {
	struct mcfab_nl_fabric *fabric;
	struct mcfab_policy policy;
	struct mcfab_verify verify;
	struct mcfab_updown *updown;
	struct mcfab_subnet *fresh;
	bool tables;
	u32 generation;
	struct mcfab_fabric_cfg cfg;
	struct mcfab_run_cfg run;
	struct mcfab_replay replay;
	struct mcfab_suspect suspect[MCFAB_WAIT_CYCLE];
	enum mcfab_nl_verify_phase phase;
	u32 next;
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
	u32 i;

	if (!v)
		return 0;
	ctx->v = NULL;
	mcfab_replay_close(&v->replay);
	for (i = 0; i < MCFAB_WAIT_CYCLE; i++)
		mcfab_memory_free(v->suspect[i].dst);
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
	cfg->any_only = nla_get_flag(info->attrs[MCFAB_A_VERIFY_ANY_ONLY]);
	mcfab_verify_fabric(cfg, &core->cfg, &core->topo);
	if (cfg->dests < core->topo.nodes)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_VERIFY_DESTS],
				"dests %u: a message has at most %u destinations here", cfg->dests,
				core->topo.nodes - 1);
	return -ERANGE;
}

/* The fabric as the request supposes it. */
static void mcfab_nl_verify_suppose(const struct genl_info *info, const struct mcfab_fabric *core,
				    struct mcfab_fabric_cfg *cfg)
{
	*cfg = core->cfg;
	/* where there is a channel for each incoming VC, that stays so */
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_VCS, &cfg->vcs);
	if (core->cfg.consume == core->topo.degree * core->cfg.vcs)
		cfg->consume = core->topo.degree * cfg->vcs;
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_CONSUME, &cfg->consume);
	if (!info->attrs[MCFAB_A_VERIFY_BUFFER])
		return;
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_BUFFER, &cfg->buffer);
	cfg->buffer_packets = 0;
}

/* Opens the policy with its view of the claimed fabric, as for a run with any load. */
static int mcfab_nl_verify_policy(const struct genl_info *info, struct mcfab_nl_verify *v,
				  const struct mcfab_verify_cfg *cfg)
{
	const struct mcfab_fabric *core = v->fabric->core;
	u32 headers = MCFAB_HEADERS_MODE_OFF, named = 0;
	struct mcfab_view view = core->view;
	struct mcfab_run_cfg *run = &v->run;
	struct mcfab_err err = {};
	int ret;

	mcfab_nl_verify_suppose(info, core, &v->cfg);
	mcfab_run_defaults(run);
	ret = mcfab_nl_name(info, MCFAB_A_VERIFY_POLICY, "policy", run->policy);
	if (!ret)
		ret = mcfab_nl_settings(info, MCFAB_A_VERIFY_PARAM, run->set, &run->nset);
	if (ret)
		return ret;
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_FLITS, &run->flits);
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_MTU, &run->mtu);
	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_HEADERS, &headers);
	run->headers = headers == MCFAB_HEADERS_MODE_ON;
	if (run->headers)
		named = cfg->dests ?: max(core->topo.nodes - 1, 1U);
	v->updown = mcfab_updown_get(view.updown);
	ret = mcfab_fabric_check_buffer(&v->cfg, mcfab_packet_flits(run->flits, run->mtu),
					run->mtu ? MCFAB_OPTION_RUN_MTU : MCFAB_OPTION_RUN_FLITS,
					&err);
	if (!ret)
		ret = mcfab_fabric_packets(core, run->policy, run->flits, run->mtu, named, &view,
					   &err);
	if (!v->cfg.buffer_packets)
		view.buffer = v->cfg.buffer;
	view.vcs = v->cfg.vcs;
	view.consume = v->cfg.consume;
	view.load = true;
	if (!ret)
		ret = mcfab_fabric_imply(core, run->policy, &view, &v->fresh, &err);
	if (!ret)
		ret = mcfab_policy_open(&v->policy, run->policy, &view, run->set, run->nset,
					&err);
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
	if (ret == -EINTR)
		NL_SET_ERR_MSG(info->extack, "interrupted");
	else if (ret != -ENOMEM && v->verify.e.blame.what)
		mcfab_nl_accuse(info, info->attrs[MCFAB_A_VERIFY_POLICY], v->policy.ops->name,
				&v->verify.e.blame);
	return ret;
}

/*
 * Begin to look for messages that deadlock. A copy of the fabric does not have its tables, and no
 * links that failed: there the cycle has to do. Returns 1 if there is something to do.
 */
static int mcfab_nl_verify_replay(const struct genl_info *info, struct mcfab_nl_verify *v)
{
	const struct mcfab_fabric *core = v->fabric->core;
	const struct mcfab_judgement *j = &v->verify.v;
	u32 crowds = MCFAB_NL_CROWDS, i, n = 0, source, ndst;
	struct mcfab_err err = {};
	int ret;

	mcfab_nl_set_u32(info, MCFAB_A_VERIFY_CROWDS, &crowds);
	if (j->free || !crowds || v->policy.ops->flags & MCFAB_POLICY_TABLE ||
	    (v->updown && v->updown->faulty))
		return 0;
	for (i = 0; i < j->length; i++) {
		ndst = mcfab_verify_set(&v->verify, j->cycle[i].plan, &source, v->verify.dst);
		if (!ndst)
			continue;
		v->suspect[n].dst = mcfab_memory_alloc(ndst, sizeof(u32));
		if (!v->suspect[n].dst)
			return -ENOMEM;
		memcpy(v->suspect[n].dst, v->verify.dst, ndst * sizeof(u32));
		v->suspect[n].source = source;
		v->suspect[n++].ndst = ndst;
	}
	ret = mcfab_replay_open(&v->replay, &v->cfg, &v->run, v->verify.cfg.dests ?:
				core->topo.nodes - 1, &err);
	v->replay.suspect = v->suspect;
	v->replay.nsuspects = n;
	v->replay.crowds = crowds;
	return mcfab_nl_refuse(info, &err, ret) ?: 1;
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

	u32 answer = verdict->free ? MCFAB_VERIFY_VERDICT_PROVED :
		     mcfab_replay_found(&v->replay) ? MCFAB_VERIFY_VERDICT_DEADLOCKS :
		     MCFAB_VERIFY_VERDICT_CYCLE;

	return !nla_put_u32(skb, MCFAB_A_VERIFY_VERDICT, answer) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_SCOPE, mcfab_verify_scope(verify)) &&
	       (!verify->most || !nla_put_u32(skb, MCFAB_A_VERIFY_LOOKED_AT, verify->most)) &&
	       !nla_put_uint(skb, MCFAB_A_VERIFY_PLANS, verify->plans) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_RESOURCES, verify->w.resources) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_EDGES, verdict->edges) &&
	       (!verdict->acyclic || !nla_put_flag(skb, MCFAB_A_VERIFY_ACYCLIC)) &&
	       (verdict->free ||
		(!nla_put_u32(skb, MCFAB_A_VERIFY_LENGTH, verdict->length) &&
		 !nla_put_u32(skb, MCFAB_A_VERIFY_CROWDS, v->replay.crowd)));
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
				  int node, int memory, u32 number)
{
	if (number < w->fifos)
		return mcfab_nl_put_fifo(skb, w->view, fifo, number);
	if (mcfab_wait_is_pool(w, number))
		return !nla_put_u32(skb, node, number - w->fifos);
	if (number < w->resources)
		return !nla_put_u32(skb, node, number - w->memories) && !nla_put_flag(skb, memory);
	number -= w->resources;
	return mcfab_nl_put_fifo(skb, w->view, fifo, w->alt[w->first[number]]) &&
	       !nla_put_u32(skb, MCFAB_A_VERIFY_WAIT_CHOICES,
			    w->first[number + 1] - w->first[number]);
}

static bool mcfab_nl_put_set(struct sk_buff *skb, const struct mcfab_verify *verify, u64 plan)
{
	u32 source, ndst = mcfab_verify_set(verify, plan, &source, verify->dst);

	return !ndst || (!nla_put_u32(skb, MCFAB_A_VERIFY_WAIT_SOURCE, source) &&
			 !nla_put(skb, MCFAB_A_VERIFY_WAIT_DESTINATIONS,
				  min(ndst, MCFAB_LIST_MAX) * sizeof(u32), verify->dst));
}

static bool mcfab_nl_put_edge(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	const struct mcfab_wait_edge *wait = &v->verify.v.cycle[v->next];
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_VERIFY_WAIT);

	if (!nest ||
	    !mcfab_nl_put_resource(skb, &v->verify.w, MCFAB_A_VERIFY_WAIT_ROUTER,
				   MCFAB_A_VERIFY_WAIT_NODE, MCFAB_A_VERIFY_WAIT_MEMORY,
				   wait->from) ||
	    !mcfab_nl_put_resource(skb, &v->verify.w, MCFAB_A_VERIFY_WAIT_WANTED_ROUTER,
				   MCFAB_A_VERIFY_WAIT_WANTED_NODE,
				   MCFAB_A_VERIFY_WAIT_WANTED_MEMORY, wait->to) ||
	    !mcfab_nl_put_set(skb, &v->verify, wait->plan))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* A message of those that deadlock. */
static bool mcfab_nl_put_message(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_VERIFY_MESSAGE);
	const struct mcfab_msg_list *list = &v->replay.list;
	u32 first = list->first[v->next], ndst = list->first[v->next + 1] - first;

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_VERIFY_MESSAGE_CYCLE, list->cycle[v->next]) ||
	    nla_put_u32(skb, MCFAB_A_VERIFY_MESSAGE_SOURCE, list->source[v->next]) ||
	    nla_put(skb, MCFAB_A_VERIFY_MESSAGE_DESTINATIONS,
		    min(ndst, MCFAB_LIST_MAX) * sizeof(u32), list->dst + first))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* Items of a phase that shows some. */
static u32 mcfab_nl_verify_items(const struct mcfab_nl_verify *v)
{
	switch (v->phase) {
	case MCFAB_NL_VERIFY_VERDICT:
		return 1;
	case MCFAB_NL_VERIFY_WAITS:
		return v->verify.v.free ? 0 : v->verify.v.length;
	case MCFAB_NL_VERIFY_MESSAGES:
		return mcfab_replay_found(&v->replay) ? v->replay.list.nmsgs : 0;
	case MCFAB_NL_VERIFY_BLOCKED:
		return mcfab_replay_found(&v->replay) ? v->replay.deadlock.nwaits : 0;
	default:
		return 0;
	}
}

static bool mcfab_nl_put_verify(struct sk_buff *skb, const struct mcfab_nl_verify *v)
{
	switch (v->phase) {
	case MCFAB_NL_VERIFY_ASKED:
		return !nla_put_flag(skb, MCFAB_A_VERIFY_BUILDING);
	case MCFAB_NL_VERIFY_VERDICT:
		return mcfab_nl_put_verdict(skb, v);
	case MCFAB_NL_VERIFY_WAITS:
		return mcfab_nl_put_edge(skb, v);
	case MCFAB_NL_VERIFY_MESSAGES:
		return mcfab_nl_put_message(skb, v);
	case MCFAB_NL_VERIFY_BLOCKED:
		return mcfab_nl_put_wait(skb, MCFAB_A_VERIFY_BLOCKED, &v->fabric->core->topo,
					 &v->replay.deadlock, v->next, true);
	case MCFAB_NL_VERIFY_REPLAYING:
		return !nla_put_uint(skb, MCFAB_A_VERIFY_DONE, v->replay.crowd) &&
		       !nla_put_uint(skb, MCFAB_A_VERIFY_TOTAL, v->replay.crowds);
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

/* One part of the work. Returns 1: there is more. */
static int mcfab_nl_verify_work(const struct genl_info *info, struct mcfab_nl_verify *v)
{
	struct mcfab_err err = {};
	int ret;

	if (v->phase == MCFAB_NL_VERIFY_OPENING) {
		ret = mcfab_nl_verify_open(info, v);
		v->phase = MCFAB_NL_VERIFY_WORKING;
		return ret ?: 1;
	}
	if (v->phase == MCFAB_NL_VERIFY_WORKING) {
		ret = mcfab_nl_verify_step(info, v);
		if (ret)
			return ret < 0 ? mcfab_nl_verify_failed(info, v, ret) : ret;
		v->phase = MCFAB_NL_VERIFY_REPLAYING;
		return mcfab_nl_verify_replay(info, v);
	}
	ret = mcfab_replay_step(&v->replay, &err);
	return ret < 0 ? mcfab_nl_refuse(info, &err, ret) : ret;
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
	if (v->phase < MCFAB_NL_VERIFY_VERDICT) {
		ret = mcfab_nl_verify_work(info, v);
		if (ret)
			return ret < 0 ? ret : mcfab_nl_verify_fill(skb, v, cb) ?: skb->len;
		v->phase = MCFAB_NL_VERIFY_VERDICT;
	}
	for (; !ret && v->phase < MCFAB_NL_VERIFY_END; v->phase += !ret) {
		for (; !ret && v->next < mcfab_nl_verify_items(v); v->next += !ret)
			ret = mcfab_nl_verify_fill(skb, v, cb);
		if (!ret)
			v->next = 0;
	}
	return ret;
}
