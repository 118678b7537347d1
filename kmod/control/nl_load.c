// SPDX-License-Identifier: GPL-2.0
/*
 * Load forwarding tables beside those in use, check them, put them in place; check the tables in
 * use.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "subnet/levels.h"

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
	    (f->kind && nla_put_u32(skb, MCFAB_A_FINDING_KIND, f->kind)) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_LID, f->lid) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_SWITCH, f->sw) ||
	    (f->switch_lid && nla_put_u32(skb, MCFAB_A_FINDING_SWITCH_LID, f->switch_lid)) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_PORT, f->port) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_NODE, f->node) ||
	    !mcfab_nl_put_some(skb, MCFAB_A_FINDING_SOURCE, f->source) ||
	    (f->nswitches && nla_put(skb, MCFAB_A_FINDING_SWITCHES,
				     f->nswitches * sizeof(u32), f->switches)) ||
	    (f->nswitches && f->type == MCFAB_FINDING_TYPE_CREDIT_LOOP &&
	     nla_put(skb, MCFAB_A_FINDING_LIDS, f->nswitches * sizeof(u32), f->lids)) ||
	    (f->nswitches && f->type == MCFAB_FINDING_TYPE_CREDIT_LOOP &&
	     f->vls[0] != MCFAB_LANE_NONE &&
	     nla_put(skb, MCFAB_A_FINDING_VLS, f->nswitches, f->vls)) ||
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

static int mcfab_nl_begin_work(struct mcfab_nl_job *job)
{
	struct mcfab_err err = {};

	return mcfab_nl_refuse(job->info, &err,
			       mcfab_stage_begin(job->fabric->core->subnet, &err));
}

static int mcfab_nl_abort_work(struct mcfab_nl_job *job)
{
	mcfab_stage_abort(job->fabric->core->subnet);
	return 0;
}

/* There is nothing to show. */
static int mcfab_nl_forget_finish(struct mcfab_nl_job *job, int ret)
{
	mcfab_fabric_account(job->fabric->core);
	mcfab_nl_job_silent(job);
	return ret;
}

static const struct mcfab_nl_job_ops mcfab_nl_begin_ops = {
	.busy = "tables are being forgotten: try again later",
	.work = mcfab_nl_begin_work,
	.finish = mcfab_nl_forget_finish,
};

static const struct mcfab_nl_job_ops mcfab_nl_abort_ops = {
	.busy = "tables are being forgotten: try again later",
	.work = mcfab_nl_abort_work,
	.finish = mcfab_nl_forget_finish,
};

/* The fabric whose tables are being loaded, locked. */
static struct mcfab_nl_fabric *mcfab_nl_stage_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_subnet_lock(info, idle);

	if (IS_ERR(fabric) || fabric->core->subnet->stage)
		return fabric;
	mcfab_nl_fabric_unlock(fabric);
	NL_SET_ERR_MSG(info->extack, "no tables are being loaded: begin first");
	return ERR_PTR(-ENOENT);
}

/* Forgets the loaded tables of a locked fabric. Freeing big tables takes long. */
static int mcfab_nl_forget(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
			   struct sk_buff *skb)
{
	u64 bytes;

	if (IS_ERR(fabric)) {
		mcfab_nl_job_free(job);
		return PTR_ERR(fabric);
	}
	bytes = mcfab_stage_bytes(fabric->core->subnet);
	return mcfab_nl_job_go(job, fabric, skb, mcfab_nl_free_steps(bytes));
}

/* MCFAB_CMD_TABLE_BEGIN */
int mcfab_nl_table_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_job *job = mcfab_nl_job_alloc(sizeof(*job), &mcfab_nl_begin_ops, info);

	return job ? mcfab_nl_forget(job, mcfab_nl_subnet_lock(info, false), skb) : -ENOMEM;
}

/* MCFAB_CMD_TABLE_ABORT */
int mcfab_nl_table_abort_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_job *job = mcfab_nl_job_alloc(sizeof(*job), &mcfab_nl_abort_ops, info);

	return job ? mcfab_nl_forget(job, mcfab_nl_stage_lock(info, false), skb) : -ENOMEM;
}

static int mcfab_nl_append_work(struct mcfab_nl_job *job)
{
	struct mcfab_subnet *sn = job->fabric->core->subnet;
	struct mcfab_entry *entry;
	struct mcfab_err err = {};
	u32 count;
	int ret;

	mcfab_nl_free_wait(job);
	ret = mcfab_nl_entries(job->info, sn, &entry, &count);
	if (ret)
		return ret;
	ret = mcfab_stage_append(sn, entry, count, &err);
	mcfab_memory_free(entry);
	return mcfab_nl_refuse(job->info, &err, ret);
}

static int mcfab_nl_append_finish(struct mcfab_nl_job *job, int ret)
{
	const struct mcfab_stage *stage = job->fabric->core->subnet->stage;

	/* memory made for refused entries is still there */
	mcfab_fabric_account(job->fabric->core);
	return ret ?: mcfab_nl_load_fill(job->msg, job->fabric, stage->entries, &stage->left_out,
					 job->info);
}

static const struct mcfab_nl_job_ops mcfab_nl_append_ops = {
	.busy = "tables are being loaded: try again later",
	.work = mcfab_nl_append_work,
	.finish = mcfab_nl_append_finish,
};

/* Memory of the tables of which an entry is the first. */
static u64 mcfab_nl_room_bytes(const struct mcfab_subnet *sn, const struct nlattr *entry)
{
	struct nlattr *tb[MCFAB_A_TABLE_ENTRY_MAX + 1];
	const struct mcfab_stage *stage = sn->stage;
	u32 lid, kind = 0;

	nla_parse_nested(tb, MCFAB_A_TABLE_ENTRY_MAX, entry, NULL, NULL);
	if (tb[MCFAB_A_TABLE_ENTRY_KIND])
		kind = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_KIND]);
	if (kind == MCFAB_TABLE_KIND_SL2VL || kind == MCFAB_TABLE_KIND_PATH_SL)
		return mcfab_levels_room_bytes(sn, &stage->levels, kind);
	/* to be refused */
	if (!kind || !tb[MCFAB_A_TABLE_ENTRY_LID])
		return 0;
	if (kind == MCFAB_TABLE_KIND_LFT)
		return stage->lft ? 0 : (u64)sn->switches * sn->lids;
	lid = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_LID]);
	if (lid < MCFAB_MULTICAST_LID_MIN || lid > MCFAB_MULTICAST_LID_MAX ||
	    (stage->mft && stage->mft[lid - MCFAB_MULTICAST_LID_MIN]))
		return 0;
	return (u64)sn->switches * sizeof(struct mcfab_port_set);
}

static u64 mcfab_nl_append_steps(const struct genl_info *info, const struct mcfab_subnet *sn)
{
	const struct nlattr *pos;
	u64 bytes = 0;
	int rem;

	nlmsg_for_each_attr_type(pos, MCFAB_A_TABLE_ENTRY, info->nlhdr, GENL_HDRLEN, rem)
		bytes += mcfab_nl_room_bytes(sn, pos);
	/* getting memory takes longer than giving it back */
	return 4 * mcfab_nl_free_steps(bytes);
}

/* MCFAB_CMD_TABLE_APPEND */
int mcfab_nl_table_append_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_job *job;

	job = mcfab_nl_job_alloc(sizeof(*job), &mcfab_nl_append_ops, info);
	if (!job)
		return -ENOMEM;
	fabric = mcfab_nl_stage_lock(info, false);
	if (!IS_ERR(fabric))
		return mcfab_nl_job_go(job, fabric, skb,
				       mcfab_nl_append_steps(info, fabric->core->subnet));
	mcfab_nl_job_free(job);
	return PTR_ERR(fabric);
}

/**
 * struct mcfab_nl_commit - loaded tables that are put in place
 * @job: the request
 * @entries: number of loaded entries
 * @found: findings
 */
struct mcfab_nl_commit {
	struct mcfab_nl_job job;
	u64 entries;
	struct mcfab_findings *found;
};

static int mcfab_nl_commit_work(struct mcfab_nl_job *job)
{
	struct mcfab_nl_commit *commit = container_of(job, struct mcfab_nl_commit, job);
	struct mcfab_subnet *sn = job->fabric->core->subnet;
	struct mcfab_err err = {};
	int ret;

	commit->entries = sn->stage->entries;
	ret = mcfab_stage_commit(sn, job->info->attrs[MCFAB_A_TABLE_FORCE], commit->found, &err);
	return mcfab_nl_refuse(job->info, &err, ret);
}

static int mcfab_nl_commit_finish(struct mcfab_nl_job *job, int ret)
{
	struct mcfab_nl_commit *commit = container_of(job, struct mcfab_nl_commit, job);

	if (ret) {
		mcfab_fabric_account(job->fabric->core);
		return ret;
	}
	mcfab_nl_subnet_changed(job->fabric);
	return mcfab_nl_load_fill(job->msg, job->fabric, commit->entries, commit->found,
				  job->info);
}

static void mcfab_nl_commit_free(struct mcfab_nl_job *job)
{
	mcfab_memory_free(container_of(job, struct mcfab_nl_commit, job)->found);
}

static const struct mcfab_nl_job_ops mcfab_nl_commit_ops = {
	.busy = "tables are being put in place: try again later",
	.work = mcfab_nl_commit_work,
	.finish = mcfab_nl_commit_finish,
	.free = mcfab_nl_commit_free,
};

/* The check follows all unicast paths; tables of groups are built, and checked. */
static u64 mcfab_nl_commit_steps(const struct mcfab_subnet *sn)
{
	return (u64)sn->switches * sn->lids + 3 * mcfab_nl_subnet_steps(sn);
}

/* MCFAB_CMD_TABLE_COMMIT */
int mcfab_nl_table_commit_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_commit *commit;
	int ret = -ENOMEM;

	commit = mcfab_nl_job_alloc(sizeof(*commit), &mcfab_nl_commit_ops, info);
	if (!commit)
		return -ENOMEM;
	commit->found = mcfab_memory_zalloc(1, sizeof(*commit->found));
	if (!commit->found)
		goto free;
	fabric = mcfab_nl_stage_lock(info, true);
	ret = PTR_ERR_OR_ZERO(fabric);
	if (!ret)
		return mcfab_nl_job_go(&commit->job, fabric, skb,
				       mcfab_nl_commit_steps(fabric->core->subnet));
free:
	mcfab_nl_job_free(&commit->job);
	return ret;
}

enum mcfab_nl_check_phase {
	MCFAB_NL_CHECK_ASKED,
	MCFAB_NL_CHECK_BUILDING,
	MCFAB_NL_CHECK_NUMBER,
	MCFAB_NL_CHECK_FINDINGS,
};

/**
 * struct mcfab_nl_check - findings that are being shown
 * @fabric: number of the fabric
 * @phase: position of the dump
 * @next: the next finding
 * @found: the findings
 */
struct mcfab_nl_check {
	u32 fabric;
	enum mcfab_nl_check_phase phase;
	u32 next;
	struct mcfab_findings found;
};

struct mcfab_nl_check_ctx {
	struct mcfab_nl_check *check;
};

/* MCFAB_CMD_TABLE_CHECK */
int mcfab_nl_table_check_start(struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;
	struct mcfab_nl_check *check;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_check_ctx);
	check = mcfab_memory_zalloc(1, sizeof(*check));
	if (!check)
		return -ENOMEM;
	if (info->attrs[MCFAB_A_TABLE_STAGED])
		fabric = mcfab_nl_stage_lock(info, true);
	else
		fabric = mcfab_nl_subnet_lock(info, false);
	if (IS_ERR(fabric)) {
		mcfab_memory_free(check);
		return PTR_ERR(fabric);
	}
	check->fabric = fabric->id;
	mcfab_nl_fabric_unlock(fabric);
	ctx->check = check;
	return 0;
}

int mcfab_nl_table_check_done(struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;

	mcfab_memory_free(ctx->check);
	return 0;
}

/* Checks the tables of a claimed fabric: those in use, or those that are being loaded. */
static int mcfab_nl_check_claimed(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
				  struct mcfab_findings *found)
{
	struct mcfab_subnet *sn = fabric->core->subnet;
	struct mcfab_err err = {};
	int ret;

	if (!info->attrs[MCFAB_A_TABLE_STAGED])
		return mcfab_nl_refuse(info, &err, mcfab_subnet_check(sn, found) ?:
				       mcfab_check_credits(sn, found));
	if (!sn->stage) {
		NL_SET_ERR_MSG(info->extack, "no tables are being loaded: begin first");
		return -ENOENT;
	}
	/* For the check, the loaded tables are swapped with those that a run would read. */
	ret = mcfab_nl_fabric_idle(info, fabric);
	if (ret)
		return ret;
	return mcfab_nl_refuse(info, &err, mcfab_stage_check(sn, found, &err));
}

static int mcfab_nl_check_work(struct netlink_callback *cb, struct mcfab_nl_check *check)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_dump(cb, &check->fabric);
	int ret;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	ret = mcfab_nl_claim(info, fabric, "tables are being checked: try again later");
	if (!ret) {
		ret = mcfab_nl_check_claimed(info, fabric, &check->found);
		/* loaded tables all of whose entries were left out are gone */
		mcfab_fabric_account(fabric->core);
		mcfab_nl_unclaim(fabric);
	}
	mcfab_nl_fabric_put(fabric);
	return ret;
}

static bool mcfab_nl_put_check(struct sk_buff *skb, const struct mcfab_nl_check *check)
{
	switch (check->phase) {
	case MCFAB_NL_CHECK_ASKED:
		return !nla_put_flag(skb, MCFAB_A_TABLE_BUILDING);
	case MCFAB_NL_CHECK_FINDINGS:
		return mcfab_nl_put_finding(skb, &check->found.item[check->next]);
	default:
		return !nla_put_u32(skb, MCFAB_A_TABLE_FINDINGS, check->found.total);
	}
}

/* One message; the cursor moves on only if it got in. */
static int mcfab_nl_check_fill(struct sk_buff *skb, struct mcfab_nl_check *check,
			       struct netlink_callback *cb)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_TABLE_FABRIC_ID, check->fabric) ||
	    !mcfab_nl_put_check(skb, check)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	if (check->phase == MCFAB_NL_CHECK_FINDINGS)
		check->next++;
	else
		check->phase++;
	return 0;
}

int mcfab_nl_table_check_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_check_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_check *check = ctx->check;
	int ret = 0;

	cb->seq = check->fabric;
	/* The whole first part: it is under a lock that others may wait for. */
	if (check->phase == MCFAB_NL_CHECK_ASKED)
		return mcfab_nl_check_fill(skb, check, cb) ?: skb->len;
	if (check->phase == MCFAB_NL_CHECK_BUILDING) {
		ret = mcfab_nl_check_work(cb, check);
		if (ret)
			return ret;
		check->phase = MCFAB_NL_CHECK_NUMBER;
	}
	while (!ret && (check->phase == MCFAB_NL_CHECK_NUMBER ||
			check->next < check->found.count))
		ret = mcfab_nl_check_fill(skb, check, cb);
	return ret;
}
