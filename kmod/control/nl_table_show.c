// SPDX-License-Identifier: GPL-2.0
/* Show the forwarding tables of a fabric with LIDs, its service levels and lanes. */
#include "control/nl_job.h"
#include "subnet/levels.h"
#include "subnet/table.h"

/**
 * struct mcfab_nl_table_ctx - position of a dump of tables
 * @fabric: number of the fabric
 * @row: next switch; of path-sl the next source
 * @at: next LID of that row; of sl2vl the next output port, or with tables that were loaded
 *	output port * ports + input port
 */
struct mcfab_nl_table_ctx {
	u32 fabric;
	u32 row;
	u32 at;
};

/* What a dump has to show. */
struct mcfab_nl_table_show {
	const struct mcfab_nl_fabric *fabric;
	const struct mcfab_subnet *sn;
	enum mcfab_table_kind kind;
	u32 rows;		/* switches or sources */
	u32 sw;			/* MCFAB_NONE: all */
	u32 lid;		/* 0: all */
	u32 last;		/* there are no tables behind this multicast LID */
	enum mcfab_lane_mode lanes;
};

static int mcfab_nl_table_filter(const struct genl_info *info, struct mcfab_nl_table_show *show)
{
	const struct nlattr *sw = info->attrs[MCFAB_A_TABLE_SWITCH];
	const struct nlattr *lid = info->attrs[MCFAB_A_TABLE_SWITCH_LID];
	struct mcfab_err err = {};
	u32 least, most;
	u32 lanes = show->sn->levels.vl ? MCFAB_LANE_MODE_TABLES : MCFAB_LANE_MODE_SHARED;
	int ret;

	if (!info->attrs[MCFAB_A_TABLE_KIND])
		return mcfab_nl_missing(info, MCFAB_A_TABLE_KIND, "kind of table");
	show->kind = nla_get_u32(info->attrs[MCFAB_A_TABLE_KIND]);
	show->rows = show->sn->switches;
	if (show->kind == MCFAB_TABLE_KIND_PATH_SL)
		show->rows = show->sn->levels.path ? show->sn->topo->nodes : 0;
	show->sw = MCFAB_NONE;
	show->lid = 0;
	mcfab_nl_set_u32(info, MCFAB_A_TABLE_LANES, &lanes);
	show->lanes = lanes;
	if (sw)
		show->sw = nla_get_u32(sw);
	else if (lid)
		show->sw = mcfab_switch_by_lid(show->sn, nla_get_u32(lid));
	if (sw && show->sw >= show->sn->switches) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, sw, "switch %u is not below %u", show->sw,
					show->sn->switches);
		return -ENOENT;
	}
	if (lid && show->sw == MCFAB_NONE) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, lid, "no switch has the LID %u",
					nla_get_u32(lid));
		return -ENOENT;
	}
	if (sw && lid && mcfab_switch_by_lid(show->sn, nla_get_u32(lid)) != show->sw) {
		NL_SET_ERR_MSG_ATTR(info->extack, lid,
				    "number and LID are of different switches");
		return -EINVAL;
	}
	mcfab_nl_set_u32(info, MCFAB_A_TABLE_LID, &show->lid);
	least = show->kind == MCFAB_TABLE_KIND_MFT ? MCFAB_MULTICAST_LID_MIN : 1;
	most = show->kind == MCFAB_TABLE_KIND_MFT ? MCFAB_MULTICAST_LID_MAX :
						    MCFAB_MULTICAST_LID_MIN - 1;
	if (show->lid && (show->kind == MCFAB_TABLE_KIND_SL2VL || show->lid < least ||
			  show->lid > most)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_TABLE_LID],
				    "those tables have no such LID");
		return -EINVAL;
	}
	if (show->sw != MCFAB_NONE && show->kind == MCFAB_TABLE_KIND_PATH_SL) {
		NL_SET_ERR_MSG_ATTR(info->extack, sw ?: lid,
				    "service levels of paths belong to sources, not switches");
		return -EINVAL;
	}
	ret = mcfab_lanes_check(show->sn, show->fabric->core->view.vcs, show->lanes, &err);
	if (!ret)
		return 0;
	err.what = MCFAB_OPTION_TABLE_LANES;
	return mcfab_nl_refuse(info, &err, ret);
}

static bool mcfab_nl_put_lft(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			     struct mcfab_nl_table_ctx *ctx)
{
	const struct mcfab_subnet *sn = show->sn;
	u32 n = mcfab_nl_room(skb, 1, 1, show->lid ? 1 : sn->lids - ctx->at);

	if (!n || nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_LID, ctx->at) ||
	    nla_put(skb, MCFAB_A_TABLE_ENTRY_PORTS, n,
		    sn->lft + (size_t)ctx->row * sn->lids + ctx->at))
		return false;
	ctx->at = show->lid ? sn->lids : ctx->at + n;
	return true;
}

static bool mcfab_nl_put_mft(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			     struct mcfab_nl_table_ctx *ctx)
{
	const struct mcfab_mft *mft = mcfab_mft_find(show->sn, ctx->at);
	u8 port[MCFAB_GRAPH_PORTS_MAX];
	u32 n = 0, i;

	for_each_set_bit(i, mft->row[ctx->row].bit, show->sn->ports)
		port[n++] = i;
	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_LID, ctx->at) ||
	    (n && nla_put(skb, MCFAB_A_TABLE_ENTRY_PORTS, n, port)) ||
	    (test_bit(ctx->row, mft->user) && nla_put_flag(skb, MCFAB_A_TABLE_ENTRY_USER)))
		return false;
	ctx->at++;
	return true;
}

/* The output port at which a dump of SL-to-VL tables is. */
static u32 mcfab_nl_lane_out(const struct mcfab_nl_table_show *show, u32 at)
{
	return show->lanes == MCFAB_LANE_MODE_TABLES ? at / show->sn->ports : at;
}

static bool mcfab_nl_put_sl2vl(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			       struct mcfab_nl_table_ctx *ctx)
{
	bool loaded = show->lanes == MCFAB_LANE_MODE_TABLES;
	u32 out = mcfab_nl_lane_out(show, ctx->at), in = ctx->at % show->sn->ports, sl;
	u8 vl[MCFAB_SLS];

	for (sl = 0; sl < MCFAB_SLS; sl++)
		vl[sl] = loaded ? mcfab_levels_lane(show->sn, ctx->row, in, out, sl) :
				  mcfab_lane_vl(show->sn, show->sn->vcs, show->lanes, ctx->row, out,
						sl);
	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_PORT, out) ||
	    (loaded && nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_IN_PORT, in)) ||
	    nla_put(skb, MCFAB_A_TABLE_ENTRY_VLS, sizeof(vl), vl))
		return false;
	ctx->at++;
	return true;
}

static bool mcfab_nl_put_path(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			      struct mcfab_nl_table_ctx *ctx)
{
	const struct mcfab_subnet *sn = show->sn;
	u32 n;

	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_NODE, ctx->row) ||
	    nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_LID, ctx->at))
		return false;
	n = mcfab_nl_room(skb, 1, 1, show->lid ? 1 : sn->lids - ctx->at);
	if (!n || nla_put(skb, MCFAB_A_TABLE_ENTRY_SLS, n,
			  sn->levels.path + (size_t)ctx->row * sn->lids + ctx->at))
		return false;
	ctx->at = show->lid ? sn->lids : ctx->at + n;
	return true;
}

/* The switch of an entry, and what it says. */
static bool mcfab_nl_put_row(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			     struct mcfab_nl_table_ctx *ctx)
{
	if (show->kind == MCFAB_TABLE_KIND_PATH_SL)
		return mcfab_nl_put_path(skb, show, ctx);
	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_SWITCH, ctx->row) ||
	    nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_SWITCH_LID, show->sn->switch_lid[ctx->row]))
		return false;
	if (show->kind == MCFAB_TABLE_KIND_LFT)
		return mcfab_nl_put_lft(skb, show, ctx);
	if (show->kind == MCFAB_TABLE_KIND_MFT)
		return mcfab_nl_put_mft(skb, show, ctx);
	return mcfab_nl_put_sl2vl(skb, show, ctx);
}

/* One message; the cursor moves on only if it got in. */
static int mcfab_nl_table_fill(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			       struct netlink_callback *cb)
{
	struct mcfab_nl_table_ctx *ctx = (void *)cb->ctx, next = *ctx;
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
	struct nlattr *nest;
	bool fits;

	if (!hdr)
		return -EMSGSIZE;
	fits = !nla_put_u32(skb, MCFAB_A_TABLE_FABRIC_ID, show->fabric->id);
	nest = fits ? nla_nest_start(skb, MCFAB_A_TABLE_ENTRY) : NULL;
	fits = nest && !nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_KIND, show->kind) &&
	       mcfab_nl_put_row(skb, show, &next);
	if (!fits) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	genlmsg_end(skb, hdr);
	*ctx = next;
	return 0;
}

/*
 * Does a switch have something to show for a multicast LID? Rows without a port are shown where the
 * user has emptied them.
 */
static bool mcfab_nl_mft_shown(const struct mcfab_subnet *sn, u32 sw, u32 lid)
{
	const struct mcfab_mft *mft = mcfab_mft_find(sn, lid);

	if (!mft)
		return false;
	if (find_first_bit(mft->row[sw].bit, sn->ports) < sn->ports)
		return true;
	return mft->source != MCFAB_NONE && test_bit(sw, mft->user);
}

/* Lanes are shown for ports that lead somewhere; a switch's own packets come in by port 0. */
static bool mcfab_nl_lanes_shown(const struct mcfab_nl_table_show *show,
				 const struct mcfab_nl_table_ctx *ctx)
{
	u32 out = mcfab_nl_lane_out(show, ctx->at), in = ctx->at % show->sn->ports;
	u32 end = mcfab_subnet_end(show->sn, ctx->row, out);

	if (end == MCFAB_END_NONE || end == MCFAB_END_SELF)
		return false;
	return show->lanes != MCFAB_LANE_MODE_TABLES ||
	       mcfab_subnet_end(show->sn, ctx->row, in) != MCFAB_END_NONE;
}

/* Multicast LIDs to look at in a part of a dump; then other requests get the fabric. */
#define MCFAB_NL_TABLE_BREATH	8192

/* Goes to the next entry to show; false behind the end of the row, or when @work is used up. */
static bool mcfab_nl_table_seek(const struct mcfab_nl_table_show *show,
				struct mcfab_nl_table_ctx *ctx, u32 *work)
{
	const struct mcfab_subnet *sn = show->sn;

	switch (show->kind) {
	case MCFAB_TABLE_KIND_PATH_SL:
		ctx->at = max3(ctx->at, show->lid, 1U);
		return ctx->at < sn->lids;
	case MCFAB_TABLE_KIND_LFT:
		ctx->at = max3(ctx->at, show->lid, 1U);
		return ctx->at < sn->lids;
	case MCFAB_TABLE_KIND_MFT:
		ctx->at = max3(ctx->at, show->lid, (u32)MCFAB_MULTICAST_LID_MIN);
		for (; ctx->at <= show->last && *work; ctx->at++, --*work) {
			if (show->lid && ctx->at != show->lid)
				return false;
			if (mcfab_nl_mft_shown(sn, ctx->row, ctx->at))
				return true;
		}
		return false;
	default:
		for (; mcfab_nl_lane_out(show, ctx->at) < sn->ports; ctx->at++)
			if (mcfab_nl_lanes_shown(show, ctx))
				return true;
		return false;
	}
}

/* A message without an entry, so that the dump goes on: an empty part would be its end. */
static int mcfab_nl_table_later(struct sk_buff *skb, u32 fabric, struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_TABLE_FABRIC_ID, fabric) ||
	    nla_put_flag(skb, MCFAB_A_TABLE_BUILDING)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/*
 * The whole first part: it is under a lock that others may wait for, and the distance to the first
 * entry is not known.
 */
static int mcfab_nl_table_first(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_table_ctx *ctx = (void *)cb->ctx;
	const struct mcfab_subnet *sn;
	struct mcfab_nl_fabric *fabric;
	int ret;

	fabric = mcfab_nl_fabric_dump(cb, &ctx->fabric);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	/* pairs with mcfab_fabric_adopt(); without LIDs, the next part refuses */
	sn = smp_load_acquire(&fabric->core->subnet);
	cb->seq = sn ? READ_ONCE(sn->generation) : 1;
	ret = mcfab_nl_table_later(skb, fabric->id, cb);
	mcfab_nl_fabric_put(fabric);
	return ret ?: skb->len;
}

/* Messages about a locked fabric, until a part is full or enough LIDs were looked at. */
static int mcfab_nl_table_part(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			       struct netlink_callback *cb)
{
	struct mcfab_nl_table_ctx *ctx = (void *)cb->ctx;
	u32 work = MCFAB_NL_TABLE_BREATH;
	int ret = 0;

	if (show->sw != MCFAB_NONE && ctx->row < show->sw)
		ctx->row = show->sw;
	while (!ret && ctx->row < show->rows) {
		if (show->sw != MCFAB_NONE && ctx->row != show->sw)
			break;
		if (mcfab_nl_table_seek(show, ctx, &work)) {
			ret = mcfab_nl_table_fill(skb, show, cb);
			continue;
		}
		if (!work)
			goto later;
		ctx->row++;
		ctx->at = 0;
	}
	return ret;

later:
	if (!skb->len)
		ret = mcfab_nl_table_later(skb, ctx->fabric, cb);
	return ret ?: skb->len;
}

/* MCFAB_CMD_TABLE_GET */
int mcfab_nl_table_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_table_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_table_show show;
	struct mcfab_nl_fabric *fabric;
	int ret;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_table_ctx);
	if (!ctx->fabric)
		return mcfab_nl_table_first(skb, cb);
	fabric = mcfab_nl_subnet_dump(cb, &ctx->fabric);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	show.fabric = fabric;
	show.sn = fabric->core->subnet;
	show.last = mcfab_mft_last(show.sn);
	ret = mcfab_nl_table_filter(genl_info_dump(cb), &show);
	if (!ret)
		ret = mcfab_nl_table_part(skb, &show, cb);
	mcfab_nl_fabric_unlock(fabric);
	return ret;
}
