// SPDX-License-Identifier: GPL-2.0
/*
 * Show a plan that nl_plan.c has made: walk over its worms, and go on at any worm and hop. So a
 * plan of any length needs no more memory than its worms.
 */
#include <linux/sort.h>

#include "control/nl_plan.h"
#include "subnet/subnet.h"

/* Numbers of a hop: from, to, virtual channel, port. */
#define MCFAB_NL_HOP		4

static int mcfab_nl_node_cmp(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int mcfab_nl_put_summary(struct sk_buff *skb, const struct mcfab_nl_plan *p)
{
	const struct mcfab_prediction *cost = &p->cost;
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_PLAN_SUMMARY);
	u32 packets = p->policy.view.packets;

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
	if (!mcfab_nl_put_nonzero(skb, MCFAB_A_PLAN_SUMMARY_LOST, cost->lost) ||
	    !mcfab_nl_put_nonzero(skb, MCFAB_A_PLAN_SUMMARY_DROPS, cost->drops) ||
	    !mcfab_nl_put_nonzero(skb, MCFAB_A_PLAN_SUMMARY_STRAYS, cost->strays) ||
	    !mcfab_nl_put_nonzero(skb, MCFAB_A_PLAN_SUMMARY_DUPLICATES, cost->duplicates) ||
	    (packets > 1 && nla_put_u32(skb, MCFAB_A_PLAN_SUMMARY_PACKETS, packets)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * Looks at a worm before it is shown: the number of its hops, and whether it is a path. The hops of
 * a path are those of its furthest delivery. The order of a tree's deliveries means nothing, so
 * they are shown in the order of their ids.
 */
static int mcfab_nl_worm_begin(struct mcfab_nl_plan *p)
{
	const struct mcfab_plan_worm *worm = &p->plan.worm[p->worm];
	struct mcfab_walk_event event;
	u32 longest = 0;
	int ret;

	mcfab_walk_start(&p->walk, p->worm);
	while ((ret = mcfab_walk_listed(&p->walk, &event)) == 1)
		longest = max(longest, event.hops);
	if (ret)
		return ret;
	p->hops = p->walk.listed;
	p->next_dst = 0;
	p->next_hop = 0;
	if (p->walk.hop > longest)
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

/* Hosts on ports of switches have numbers of their own, which are marked. */
static void mcfab_nl_put_hop(const struct mcfab_nl_plan *p, const struct mcfab_walk_event *event,
			     u32 *to)
{
	const struct mcfab_topo *topo = &p->fabric->core->topo;
	u32 host = event->to & ~(u32)MCFAB_DST_RELAY;

	to[0] = event->from;
	to[1] = event->to;
	to[2] = event->vc;
	to[3] = event->port;
	if (event->kind == MCFAB_WALK_HOP)
		return;
	if (event->kind == MCFAB_WALK_INJECT) {
		to[0] |= MCFAB_HOP_HOST;
		to[3] = 0;
	} else {
		to[1] = host | MCFAB_HOP_HOST;
		to[3] = topo->host_port[host];
	}
}

static int mcfab_nl_put_hops(struct sk_buff *skb, struct mcfab_nl_plan *p)
{
	u32 n = mcfab_nl_room(skb, MCFAB_NL_HOP * sizeof(u32), MCFAB_NL_HOP,
			      p->hops - p->next_hop);
	struct mcfab_walk_event event;
	struct nlattr *nla;
	u32 *to, i;
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
	for (i = 0; i < n; i++, to += MCFAB_NL_HOP) {
		ret = mcfab_walk_listed(&p->walk, &event);
		if (ret != 1)
			return ret ?: -EINVAL;
		mcfab_nl_put_hop(p, &event, to);
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
	/* The rest comes in the next message. */
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

/* The whole first part: it is under a lock that others may wait for. */
static int mcfab_nl_plan_building(struct sk_buff *skb, struct mcfab_nl_plan *p,
				  struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr || nla_put_u32(skb, MCFAB_A_PLAN_FABRIC_ID, p->fabric->id) ||
	    nla_put_flag(skb, MCFAB_A_PLAN_BUILDING))
		return -EMSGSIZE;
	genlmsg_end(skb, hdr);
	p->phase = MCFAB_NL_PLAN_BUILDING;
	return skb->len;
}

/* Locks the tables that packets of the plan follow, unless the tables have changed. */
static int mcfab_nl_plan_lock(struct mcfab_nl_plan *p, struct netlink_callback *cb)
{
	struct mcfab_nl_fabric *fabric = p->fabric;
	int ret = mcfab_nl_claim_lock(fabric);

	if (ret)
		return ret;
	if (!fabric->job && p->generation == fabric->core->subnet->generation)
		return 0;
	mutex_unlock(&fabric->lock);
	NL_SET_ERR_MSG(cb->extack, "groups or tables were changed meanwhile: ask again");
	return -EAGAIN;
}

int mcfab_nl_plan_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_plan_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_plan *p = ctx->plan;
	int ret = 0;

	cb->seq = p->fabric->id;
	if (p->phase == MCFAB_NL_PLAN_ASKED)
		return mcfab_nl_plan_building(skb, p, cb);
	if (p->phase == MCFAB_NL_PLAN_BUILDING) {
		ret = mcfab_nl_plan_work(genl_info_dump(cb), p);
		if (ret)
			return ret;
		p->phase = MCFAB_NL_PLAN_SUMMARY;
	}
	if (p->table)
		ret = mcfab_nl_plan_lock(p, cb);
	if (ret)
		return ret;
	while (!ret && p->phase != MCFAB_NL_PLAN_END)
		ret = mcfab_nl_plan_fill(skb, p, cb);
	if (p->table)
		mutex_unlock(&p->fabric->lock);
	return ret;
}
