// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables of a fabric with LIDs: show and set; nl_load.c loads and checks them.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "subnet/table.h"

static int mcfab_nl_entry(const struct genl_info *info, const struct nlattr *nla,
			  const struct mcfab_subnet *sn, struct mcfab_entry *entry)
{
	struct nlattr *tb[MCFAB_A_TABLE_ENTRY_MAX + 1], *ports;

	/* The policy was checked with the message. */
	nla_parse_nested(tb, MCFAB_A_TABLE_ENTRY_MAX, nla, NULL, NULL);
	if (!tb[MCFAB_A_TABLE_ENTRY_KIND] || !tb[MCFAB_A_TABLE_ENTRY_LID]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "an entry has a kind and a lid");
		return -EINVAL;
	}
	if (!tb[MCFAB_A_TABLE_ENTRY_SWITCH] && !tb[MCFAB_A_TABLE_ENTRY_SWITCH_LID]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "an entry has a switch or a switch-lid");
		return -EINVAL;
	}
	entry->kind = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_KIND]);
	entry->lid = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_LID]);
	entry->sw = MCFAB_NONE;
	entry->switch_lid = 0;
	if (tb[MCFAB_A_TABLE_ENTRY_SWITCH])
		entry->sw = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_SWITCH]);
	if (tb[MCFAB_A_TABLE_ENTRY_SWITCH_LID])
		entry->switch_lid = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_SWITCH_LID]);
	if (entry->sw != MCFAB_NONE && entry->switch_lid &&
	    mcfab_switch_by_lid(sn, entry->switch_lid) != entry->sw) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, tb[MCFAB_A_TABLE_ENTRY_SWITCH_LID],
					"switch %u has not the LID %u", entry->sw,
					entry->switch_lid);
		return -EINVAL;
	}
	ports = tb[MCFAB_A_TABLE_ENTRY_PORTS];
	entry->port = ports ? nla_data(ports) : NULL;
	entry->nports = ports ? nla_len(ports) : 0;
	entry->restore = nla_get_flag(tb[MCFAB_A_TABLE_ENTRY_RESTORE]);
	if (entry->nports <= MCFAB_LIST_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, ports, "more than %u ports: split the entry",
				MCFAB_LIST_MAX);
	return -EINVAL;
}

/**
 * mcfab_nl_entries() - entries of tables in a request
 * @info: the request; the entries point into it
 * @sn: subnet of the locked fabric
 * @entry: set to the entries, to be freed with mcfab_memory_free()
 * @count: set to their number
 *
 * Context: May sleep.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int mcfab_nl_entries(const struct genl_info *info, const struct mcfab_subnet *sn,
		     struct mcfab_entry **entry, u32 *count)
{
	const struct nlattr *pos;
	struct mcfab_entry *list;
	int rem, ret = 0;
	u32 n = 0;

	nlmsg_for_each_attr_type(pos, MCFAB_A_TABLE_ENTRY, info->nlhdr, GENL_HDRLEN, rem)
		n++;
	if (!n)
		return mcfab_nl_missing(info, MCFAB_A_TABLE_ENTRY, "entry");
	list = mcfab_memory_zalloc(n, sizeof(*list));
	if (!list)
		return -ENOMEM;
	*count = n;
	*entry = list;
	nlmsg_for_each_attr_type(pos, MCFAB_A_TABLE_ENTRY, info->nlhdr, GENL_HDRLEN, rem) {
		ret = mcfab_nl_entry(info, pos, sn, list++);
		if (ret)
			break;
	}
	if (ret)
		mcfab_memory_free(*entry);
	return ret;
}

static int mcfab_nl_set_work(struct mcfab_nl_job *job)
{
	struct mcfab_subnet *sn = job->fabric->core->subnet;
	struct mcfab_entry *entry;
	struct mcfab_err err = {};
	u32 count;
	int ret;

	ret = mcfab_nl_entries(job->info, sn, &entry, &count);
	if (ret)
		return ret;
	ret = mcfab_table_set(sn, entry, count, &err);
	mcfab_memory_free(entry);
	return mcfab_nl_refuse(job->info, &err, ret);
}

/* There is nothing to show. */
static int mcfab_nl_set_finish(struct mcfab_nl_job *job, int ret)
{
	if (!ret)
		mcfab_nl_subnet_changed(job->fabric);
	mcfab_nl_job_silent(job);
	return ret;
}

static const struct mcfab_nl_job_ops mcfab_nl_set_ops = {
	.busy = "tables are being set: try again later",
	.work = mcfab_nl_set_work,
	.finish = mcfab_nl_set_finish,
};

/* MCFAB_CMD_TABLE_SET */
int mcfab_nl_table_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_job *job;

	job = mcfab_nl_job_alloc(sizeof(*job), &mcfab_nl_set_ops, info);
	if (!job)
		return -ENOMEM;
	fabric = mcfab_nl_subnet_lock(info, true);
	if (!IS_ERR(fabric))
		/* other unicast paths change the tables of all groups */
		return mcfab_nl_job_go(job, fabric, skb,
				       mcfab_nl_subnet_steps(fabric->core->subnet));
	mcfab_nl_job_free(job);
	return PTR_ERR(fabric);
}

/**
 * struct mcfab_nl_table_ctx - position of a dump of tables
 * @fabric: number of the fabric
 * @sw: next switch
 * @at: next LID, or output port, of that switch
 */
struct mcfab_nl_table_ctx {
	u32 fabric;
	u32 sw;
	u32 at;
};

/* What a dump has to show. */
struct mcfab_nl_table_show {
	const struct mcfab_nl_fabric *fabric;
	const struct mcfab_subnet *sn;
	enum mcfab_table_kind kind;
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
	u32 lanes = MCFAB_LANE_MODE_SHARED;
	int ret;

	if (!info->attrs[MCFAB_A_TABLE_KIND])
		return mcfab_nl_missing(info, MCFAB_A_TABLE_KIND, "kind of table");
	show->kind = nla_get_u32(info->attrs[MCFAB_A_TABLE_KIND]);
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
	if (show->lid &&
	    (show->kind == MCFAB_TABLE_KIND_SL2VL ||
	     (show->kind == MCFAB_TABLE_KIND_LFT && show->lid >= MCFAB_MULTICAST_LID_MIN) ||
	     (show->kind == MCFAB_TABLE_KIND_MFT && show->lid < MCFAB_MULTICAST_LID_MIN))) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_TABLE_LID],
				    "those tables have no such LID");
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
		    sn->lft + (size_t)ctx->sw * sn->lids + ctx->at))
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

	for_each_set_bit(i, mft->row[ctx->sw].bit, show->sn->ports)
		port[n++] = i;
	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_LID, ctx->at) ||
	    (n && nla_put(skb, MCFAB_A_TABLE_ENTRY_PORTS, n, port)) ||
	    (test_bit(ctx->sw, mft->user) && nla_put_flag(skb, MCFAB_A_TABLE_ENTRY_USER)))
		return false;
	ctx->at++;
	return true;
}

static bool mcfab_nl_put_sl2vl(struct sk_buff *skb, const struct mcfab_nl_table_show *show,
			       struct mcfab_nl_table_ctx *ctx)
{
	u8 vl[MCFAB_SLS];
	u32 sl;

	for (sl = 0; sl < MCFAB_SLS; sl++)
		vl[sl] = mcfab_lane_vl(show->sn, show->fabric->core->view.vcs, show->lanes,
				       ctx->sw, ctx->at, sl);
	if (nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_PORT, ctx->at) ||
	    nla_put(skb, MCFAB_A_TABLE_ENTRY_VLS, sizeof(vl), vl))
		return false;
	ctx->at++;
	return true;
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
	       !nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_SWITCH, next.sw) &&
	       !nla_put_u32(skb, MCFAB_A_TABLE_ENTRY_SWITCH_LID, show->sn->switch_lid[next.sw]);
	if (fits && show->kind == MCFAB_TABLE_KIND_LFT)
		fits = mcfab_nl_put_lft(skb, show, &next);
	else if (fits && show->kind == MCFAB_TABLE_KIND_MFT)
		fits = mcfab_nl_put_mft(skb, show, &next);
	else if (fits)
		fits = mcfab_nl_put_sl2vl(skb, show, &next);
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

/* Multicast LIDs to look at in a part of a dump; then other requests get the fabric. */
#define MCFAB_NL_TABLE_BREATH	8192

/* Goes to the next entry to show; false behind the end of the switch, or when @work is used up. */
static bool mcfab_nl_table_seek(const struct mcfab_nl_table_show *show,
				struct mcfab_nl_table_ctx *ctx, u32 *work)
{
	const struct mcfab_subnet *sn = show->sn;

	switch (show->kind) {
	case MCFAB_TABLE_KIND_LFT:
		ctx->at = max3(ctx->at, show->lid, 1U);
		return ctx->at < sn->lids;
	case MCFAB_TABLE_KIND_MFT:
		ctx->at = max3(ctx->at, show->lid, (u32)MCFAB_MULTICAST_LID_MIN);
		for (; ctx->at <= show->last && *work; ctx->at++, --*work) {
			if (show->lid && ctx->at != show->lid)
				return false;
			if (mcfab_nl_mft_shown(sn, ctx->sw, ctx->at))
				return true;
		}
		return false;
	default:
		for (ctx->at = max(ctx->at, 1U); ctx->at < sn->ports; ctx->at++)
			if (mcfab_subnet_end(sn, ctx->sw, ctx->at) != MCFAB_END_NONE)
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

	if (show->sw != MCFAB_NONE && ctx->sw < show->sw)
		ctx->sw = show->sw;
	while (!ret && ctx->sw < show->sn->switches) {
		if (show->sw != MCFAB_NONE && ctx->sw != show->sw)
			break;
		if (mcfab_nl_table_seek(show, ctx, &work)) {
			ret = mcfab_nl_table_fill(skb, show, cb);
			continue;
		}
		if (!work)
			goto later;
		ctx->sw++;
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
