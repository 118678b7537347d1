// SPDX-License-Identifier: GPL-2.0
/* Show up*-down* routing: the tree, the directions of links, and routes. */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "control/nl.h"
#include "updown/updown.h"

/**
 * enum mcfab_nl_route_part - what a message of a dump shows
 * @MCFAB_NL_ROUTE_ROOT: root and levels
 * @MCFAB_NL_ROUTE_SWITCH: a switch and its links
 * @MCFAB_NL_ROUTE_ENTRY: a route
 * @MCFAB_NL_ROUTE_END: nothing
 */
enum mcfab_nl_route_part {
	MCFAB_NL_ROUTE_ROOT,
	MCFAB_NL_ROUTE_SWITCH,
	MCFAB_NL_ROUTE_ENTRY,
	MCFAB_NL_ROUTE_END,
};

/**
 * struct mcfab_nl_route_ctx - position of a dump
 * @fabric: number of the fabric
 * @part: enum mcfab_nl_route_part
 * @from: next switch
 * @to: next destination
 * @phase: next phase
 */
struct mcfab_nl_route_ctx {
	u32 fabric;
	u32 part;
	u32 from;
	u32 to;
	u32 phase;
};

/* What a dump has to show; MCFAB_NONE: all. */
struct mcfab_nl_route_show {
	const struct mcfab_updown *ud;
	u32 from;
	u32 to;
};

static int mcfab_nl_route_filter(const struct genl_info *info, const struct mcfab_updown *ud,
				 struct mcfab_nl_route_show *show)
{
	static const u16 attr[] = { MCFAB_A_ROUTE_FROM, MCFAB_A_ROUTE_TO };
	u32 *value[] = { &show->from, &show->to };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(attr); i++) {
		*value[i] = MCFAB_NONE;
		mcfab_nl_set_u32(info, attr[i], value[i]);
		if (!info->attrs[attr[i]] || *value[i] < ud->switches)
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[attr[i]],
					"there is no switch %u, the last is %u", *value[i],
					ud->switches - 1);
		return -ENOENT;
	}
	show->ud = ud;
	return 0;
}

static bool mcfab_nl_put_link(struct sk_buff *skb, const struct mcfab_updown *ud, u32 sw,
			      u32 port)
{
	u32 chan = mcfab_topo_channel(ud->topo, sw, port), peer = ud->topo->peer[chan];
	struct nlattr *nest;

	if (peer == MCFAB_NONE)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_ROUTE_SWITCH_LINK);
	if (!nest || nla_put_u32(skb, MCFAB_A_ROUTE_LINK_PORT, port) ||
	    nla_put_u32(skb, MCFAB_A_ROUTE_LINK_PEER_SWITCH, peer / ud->topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_ROUTE_LINK_PEER_PORT, peer % ud->topo->ports) ||
	    (mcfab_updown_is_up(ud, sw, port) && nla_put_flag(skb, MCFAB_A_ROUTE_LINK_UP)) ||
	    (test_bit(chan, ud->dead) && nla_put_flag(skb, MCFAB_A_ROUTE_LINK_DEAD)))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_switch(struct sk_buff *skb, const struct mcfab_updown *ud, u32 sw)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_ROUTE_SWITCH);
	u32 port;

	if (!nest || nla_put_u32(skb, MCFAB_A_ROUTE_SWITCH_SWITCH, sw) ||
	    (ud->level[sw] != MCFAB_NONE &&
	     nla_put_u32(skb, MCFAB_A_ROUTE_SWITCH_LEVEL, ud->level[sw])))
		return false;
	if (ud->parent[sw] != MCFAB_NONE &&
	    (nla_put_u32(skb, MCFAB_A_ROUTE_SWITCH_PARENT, ud->parent[sw]) ||
	     nla_put_u32(skb, MCFAB_A_ROUTE_SWITCH_PARENT_PORT, ud->parent_port[sw])))
		return false;
	for (port = 0; port < ud->topo->ports; port++)
		if (!mcfab_nl_put_link(skb, ud, sw, port))
			return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_route(struct sk_buff *skb, const struct mcfab_updown *ud,
			       const struct mcfab_nl_route_ctx *ctx)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_ROUTE_ENTRY);
	struct mcfab_updown_ports ports;
	u8 port[MCFAB_GRAPH_PORTS_MAX];
	u32 n = 0, i;

	mcfab_updown_ports(ud, ctx->from, ctx->to, ctx->phase, &ports);
	for_each_set_bit(i, ports.bit, MCFAB_GRAPH_PORTS_MAX)
		port[n++] = i;
	if (!nest || nla_put_u32(skb, MCFAB_A_ROUTE_ENTRY_FROM, ctx->from) ||
	    nla_put_u32(skb, MCFAB_A_ROUTE_ENTRY_TO, ctx->to) ||
	    nla_put_u32(skb, MCFAB_A_ROUTE_ENTRY_PHASE, ctx->phase + MCFAB_ROUTE_PHASE_UP) ||
	    nla_put_u32(skb, MCFAB_A_ROUTE_ENTRY_DISTANCE,
			mcfab_updown_distance(ud, ctx->from, ctx->to, ctx->phase)) ||
	    nla_put(skb, MCFAB_A_ROUTE_ENTRY_PORTS, n, port))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* The root of the tree; if that switch is down, the root of the first part that is left. */
static u32 mcfab_nl_root(const struct mcfab_updown *ud)
{
	u32 sw = 0;

	if (ud->level[ud->root] != MCFAB_NONE)
		return ud->root;
	while (sw < ud->switches && ud->level[sw])
		sw++;
	return sw < ud->switches ? sw : ud->root;
}

static bool mcfab_nl_route_put_part(struct sk_buff *skb, const struct mcfab_updown *ud,
				    const struct mcfab_nl_route_ctx *ctx)
{
	switch (ctx->part) {
	case MCFAB_NL_ROUTE_ROOT:
		return !(nla_put_u32(skb, MCFAB_A_ROUTE_ROOT, mcfab_nl_root(ud)) ||
			 nla_put_u32(skb, MCFAB_A_ROUTE_LEVELS, ud->levels));
	case MCFAB_NL_ROUTE_SWITCH:
		return mcfab_nl_put_switch(skb, ud, ctx->from);
	default:
		return mcfab_nl_put_route(skb, ud, ctx);
	}
}

static void mcfab_nl_route_begin(const struct mcfab_nl_route_show *show,
				 struct mcfab_nl_route_ctx *ctx)
{
	ctx->part = MCFAB_NL_ROUTE_ENTRY;
	ctx->from = show->from == MCFAB_NONE ? 0 : show->from;
	ctx->to = show->to == MCFAB_NONE ? 0 : show->to;
	ctx->phase = 0;
}

/* Goes to the next message; of routes, to the next route in their order. */
static void mcfab_nl_route_next(const struct mcfab_nl_route_show *show,
				struct mcfab_nl_route_ctx *ctx)
{
	bool all = show->from == MCFAB_NONE && show->to == MCFAB_NONE;

	if (ctx->part == MCFAB_NL_ROUTE_ROOT && all) {
		ctx->part = MCFAB_NL_ROUTE_SWITCH;
	} else if (ctx->part == MCFAB_NL_ROUTE_ROOT) {
		mcfab_nl_route_begin(show, ctx);
	} else if (ctx->part == MCFAB_NL_ROUTE_SWITCH) {
		if (++ctx->from == show->ud->switches)
			mcfab_nl_route_begin(show, ctx);
	} else if (++ctx->phase == MCFAB_UPDOWN_PHASES) {
		ctx->phase = 0;
		if (show->to == MCFAB_NONE && ++ctx->to < show->ud->switches)
			return;
		ctx->to = show->to == MCFAB_NONE ? 0 : show->to;
		if (show->from != MCFAB_NONE || ++ctx->from == show->ud->switches)
			ctx->part = MCFAB_NL_ROUTE_END;
	}
}

/* Is there a route to show? Not from a switch to itself, nor where no path leads. */
static bool mcfab_nl_route_shown(const struct mcfab_updown *ud,
				 const struct mcfab_nl_route_ctx *ctx)
{
	if (ctx->part != MCFAB_NL_ROUTE_ENTRY)
		return true;
	return ctx->from != ctx->to &&
	       mcfab_updown_distance(ud, ctx->from, ctx->to, ctx->phase) != MCFAB_UPDOWN_FAR;
}

/* One message. */
static int mcfab_nl_route_fill(struct sk_buff *skb, struct netlink_callback *cb,
			       const struct mcfab_updown *ud)
{
	const struct mcfab_nl_route_ctx *ctx = (void *)cb->ctx;
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_ROUTE_FABRIC_ID, ctx->fabric) ||
	    !mcfab_nl_route_put_part(skb, ud, ctx)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* After so many routes that are not shown other processes get the processor. */
#define MCFAB_NL_ROUTE_BREATH	4096

/*
 * Where links are dead most switches may have no route to most others, so for a long time there may
 * be no route to show. A message that has a route is sent then. Without a route only the reader of
 * these later parts of the dump waits, unless it is being killed.
 */
static int mcfab_nl_route_breath(const struct sk_buff *skb)
{
	if (skb->len)
		return -EMSGSIZE;
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/* MCFAB_CMD_ROUTE_GET */
int mcfab_nl_route_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_route_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_route_show show;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_updown *ud;
	u32 passed = 0;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_route_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->fabric);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ud = mcfab_nl_updown(fabric);
	if (!ud) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_ROUTE_FABRIC] ?:
				    info->attrs[MCFAB_A_ROUTE_FABRIC_ID],
				    "policies have their own routing: make it with routing updown");
		ret = -EOPNOTSUPP;
	}
	if (!ret)
		ret = mcfab_nl_route_filter(info, ud, &show);
	while (!ret && ctx->part != MCFAB_NL_ROUTE_END) {
		if (mcfab_nl_route_shown(ud, ctx))
			ret = mcfab_nl_route_fill(skb, cb, ud);
		else if (!(++passed % MCFAB_NL_ROUTE_BREATH))
			ret = mcfab_nl_route_breath(skb);
		if (!ret)
			mcfab_nl_route_next(&show, ctx);
	}
	mcfab_updown_put(ud);
	mcfab_nl_fabric_put(fabric);
	return ret;
}
