// SPDX-License-Identifier: GPL-2.0
/*
 * Load forwarding tables beside those in use, check them, put them in place; check those
 * in use.
 */
#include "control/nl.h"
#include "core/memory.h"
#include "subnet/subnet.h"

static_assert((int)MCFAB_FIND_SWITCH == MCFAB_FINDING_TYPE_UNKNOWN_SWITCH);

/* Bytes of the answer to a commit, for as many findings as fit. */
#define MCFAB_NL_COMMIT_SIZE	(4 * GENLMSG_DEFAULT_SIZE)

static bool mcfab_nl_put_some(struct sk_buff *skb, int attr, u32 value)
{
	return value == MCFAB_NONE || !nla_put_u32(skb, attr, value);
}

static bool mcfab_nl_put_finding(struct sk_buff *skb, const struct mcfab_finding *f)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_TABLE_FINDING);
	char text[MCFAB_FINDING_TEXT];

	if (!nest)
		return false;
	mcfab_finding_text(f, text, sizeof(text));
	if (nla_put_u32(skb, MCFAB_A_FINDING_TYPE, f->type) ||
	    nla_put_u32(skb, MCFAB_A_FINDING_KIND, f->kind) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_LID, f->lid) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_SWITCH, f->sw) ||
	    (f->switch_lid && nla_put_u32(skb, MCFAB_A_FINDING_SWITCH_LID, f->switch_lid)) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_PORT, f->port) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_NODE, f->node) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_SOURCE, f->source) ||
	    (f->nswitches && nla_put(skb, MCFAB_A_FINDING_SWITCHES,
				     f->nswitches * sizeof(u32), f->switches)) ||
	    nla_put_string(skb, MCFAB_A_FINDING_TEXT, text)) {
		nla_nest_cancel(skb, nest);
		return false;
	}
	nla_nest_end(skb, nest);
	return true;
}

/* The answer of an append or a commit. */
static int mcfab_nl_load_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			      u64 entries, const struct mcfab_findings *found,
			      const struct genl_info *info)
{
	bool list = info->genlhdr->cmd == MCFAB_CMD_TABLE_COMMIT;
	void *hdr = mcfab_nl_put(skb, info, NULL);
	u32 i;

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_TABLE_FABRIC_ID, fabric->id) ||
	    nla_put_uint(skb, MCFAB_A_TABLE_ENTRIES, entries) ||
	    nla_put_u32(skb, MCFAB_A_TABLE_FINDINGS, found->total)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	for (i = 0; list && i < found->count; i++)
		if (!mcfab_nl_put_finding(skb, &found->item[i]))
			break;
	genlmsg_end(skb, hdr);
	return 0;
}

/* MCFAB_CMD_TABLE_BEGIN */
int mcfab_nl_table_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_subnet_lock(info, false);
	struct mcfab_err err = {};
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = mcfab_stage_begin(fabric->core->subnet, &err);
	if (ret)
		mcfab_nl_refuse(info, &err, ret);
	else
		mcfab_fabric_account(fabric->core);
	mcfab_nl_fabric_unlock(fabric);
	return ret;
}

/* The fabric of which tables are being loaded, locked. */
static struct mcfab_nl_fabric *mcfab_nl_stage_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_subnet_lock(info, idle);

	if (IS_ERR(fabric) || fabric->core->subnet->stage)
		return fabric;
	mcfab_nl_fabric_unlock(fabric);
	NL_SET_ERR_MSG(info->extack, "no tables are being loaded: begin first");
	return ERR_PTR(-ENOENT);
}

/* MCFAB_CMD_TABLE_APPEND */
int mcfab_nl_table_append_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_entry *entry;
	struct mcfab_err err = {};
	struct mcfab_subnet *sn;
	u32 count;
	int ret;

	if (!msg)
		return -ENOMEM;
	fabric = mcfab_nl_stage_lock(info, false);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (ret)
		goto free_msg;
	sn = fabric->core->subnet;
	ret = mcfab_nl_entries(info, sn, &entry, &count);
	if (!ret) {
		ret = mcfab_stage_append(sn, entry, count, &err);
		if (ret)
			mcfab_nl_refuse(info, &err, ret);
		mcfab_fabric_account(fabric->core);
		mcfab_memory_free(entry);
	}
	if (!ret)
		ret = mcfab_nl_load_fill(msg, fabric, sn->stage->entries, &sn->stage->left_out,
					 info);
	mcfab_nl_fabric_unlock(fabric);
	if (!ret)
		return genlmsg_reply(msg, info);
free_msg:
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_TABLE_COMMIT */
int mcfab_nl_table_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(MCFAB_NL_COMMIT_SIZE);
	struct mcfab_findings *found;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_err err = {};
	int ret = -ENOMEM;
	u64 entries;

	found = mcfab_memory_zalloc(1, sizeof(*found));
	if (!msg || !found)
		goto free_msg;
	fabric = mcfab_nl_stage_lock(info, true);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (ret)
		goto free_msg;
	entries = fabric->core->subnet->stage->entries;
	ret = mcfab_stage_commit(fabric->core->subnet, info->attrs[MCFAB_A_TABLE_FORCE], found,
				 &err);
	if (ret) {
		mcfab_nl_refuse(info, &err, ret);
		mcfab_fabric_account(fabric->core);
	} else {
		mcfab_nl_subnet_changed(fabric);
		ret = mcfab_nl_load_fill(msg, fabric, entries, found, info);
	}
	mcfab_nl_fabric_unlock(fabric);
	if (!ret) {
		mcfab_memory_free(found);
		return genlmsg_reply(msg, info);
	}
free_msg:
	mcfab_memory_free(found);
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_TABLE_ABORT */
int mcfab_nl_table_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_stage_lock(info, false);

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	mcfab_stage_abort(fabric->core->subnet);
	mcfab_fabric_account(fabric->core);
	mcfab_nl_fabric_unlock(fabric);
	return 0;
}

/**
 * struct mcfab_nl_check - findings that are being shown
 * @fabric: number of the fabric
 * @begun: the message with their number was sent
 * @next: the next one
 * @found: they
 */
struct mcfab_nl_check {
	u32 fabric;
	bool begun;
	u32 next;
	struct mcfab_findings found;
};

struct mcfab_nl_check_ctx {
	struct mcfab_nl_check *check;
};

/* MCFAB_CMD_TABLE_CHECK: all is found out at the start */
int mcfab_nl_table_check_start(struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_check *check;
	struct mcfab_err err = {};
	int ret;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_check_ctx);
	check = mcfab_memory_zalloc(1, sizeof(*check));
	if (!check)
		return -ENOMEM;
	/* To be checked, what is loaded changes places with what a run would read. */
	if (info->attrs[MCFAB_A_TABLE_STAGED])
		fabric = mcfab_nl_stage_lock(info, true);
	else
		fabric = mcfab_nl_subnet_lock(info, false);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (!ret) {
		check->fabric = fabric->id;
		if (info->attrs[MCFAB_A_TABLE_STAGED])
			ret = mcfab_stage_check(fabric->core->subnet, &check->found, &err);
		else
			ret = mcfab_subnet_check(fabric->core->subnet, &check->found);
		if (ret)
			mcfab_nl_refuse(info, &err, ret);
		mcfab_nl_fabric_unlock(fabric);
	}
	if (ret)
		mcfab_memory_free(check);
	else
		ctx->check = check;
	return ret;
}

int mcfab_nl_table_check_done(struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;

	mcfab_memory_free(ctx->check);
	return 0;
}

int mcfab_nl_table_check_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_check *check = ctx->check;
	void *hdr;

	cb->seq = check->fabric;
	while (!check->begun || check->next < check->found.count) {
		hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
		if (!hdr)
			return -EMSGSIZE;
		if (nla_put_u32(skb, MCFAB_A_TABLE_FABRIC_ID, check->fabric) ||
		    (!check->begun &&
		     nla_put_u32(skb, MCFAB_A_TABLE_FINDINGS, check->found.total)) ||
		    (check->begun &&
		     !mcfab_nl_put_finding(skb, &check->found.item[check->next]))) {
			genlmsg_cancel(skb, hdr);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, hdr);
		check->next += check->begun;
		check->begun = true;
	}
	return 0;
}
