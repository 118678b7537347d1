// SPDX-License-Identifier: GPL-2.0
/*
 * Forwarding tables of a fabric with LIDs: entries in requests, and set; nl_load.c loads and checks
 * tables, nl_table_show.c shows them.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/* What an entry of service levels or lanes has beside its switch. */
static int mcfab_nl_entry_levels(const struct genl_info *info, const struct nlattr *nla,
				 struct nlattr **tb, struct mcfab_entry *entry)
{
	const struct nlattr *levels = tb[MCFAB_A_TABLE_ENTRY_VLS];

	if (entry->kind == MCFAB_TABLE_KIND_PATH_SL) {
		levels = tb[MCFAB_A_TABLE_ENTRY_SLS];
		if (!tb[MCFAB_A_TABLE_ENTRY_NODE] || !tb[MCFAB_A_TABLE_ENTRY_LID] || !levels) {
			NL_SET_ERR_MSG_ATTR(info->extack, nla,
					    "an entry of path-sl has a node, a lid and sls");
			return -EINVAL;
		}
		entry->node = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_NODE]);
		entry->lid = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_LID]);
	} else {
		if (!tb[MCFAB_A_TABLE_ENTRY_IN_PORT] || !tb[MCFAB_A_TABLE_ENTRY_PORT] || !levels) {
			NL_SET_ERR_MSG_ATTR(info->extack, nla,
					    "an entry of sl2vl has an in-port, a port and vls");
			return -EINVAL;
		}
		entry->in = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_IN_PORT]);
		entry->out = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_PORT]);
	}
	entry->level = nla_data(levels);
	entry->nlevels = nla_len(levels);
	if (entry->nlevels <= MCFAB_LIST_MAX)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, levels, "more than %u levels: split the entry",
				MCFAB_LIST_MAX);
	return -EINVAL;
}

static int mcfab_nl_entry(const struct genl_info *info, const struct nlattr *nla,
			  const struct mcfab_subnet *sn, struct mcfab_entry *entry)
{
	struct nlattr *tb[MCFAB_A_TABLE_ENTRY_MAX + 1], *ports;

	/* The policy was checked with the message. */
	nla_parse_nested(tb, MCFAB_A_TABLE_ENTRY_MAX, nla, NULL, NULL);
	if (!tb[MCFAB_A_TABLE_ENTRY_KIND]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "an entry has a kind");
		return -EINVAL;
	}
	entry->kind = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_KIND]);
	entry->sw = MCFAB_NONE;
	entry->restore = nla_get_flag(tb[MCFAB_A_TABLE_ENTRY_RESTORE]);
	if (entry->kind == MCFAB_TABLE_KIND_PATH_SL)
		return mcfab_nl_entry_levels(info, nla, tb, entry);
	if (!tb[MCFAB_A_TABLE_ENTRY_SWITCH] && !tb[MCFAB_A_TABLE_ENTRY_SWITCH_LID]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "an entry has a switch or a switch-lid");
		return -EINVAL;
	}
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
	if (entry->kind == MCFAB_TABLE_KIND_SL2VL)
		return mcfab_nl_entry_levels(info, nla, tb, entry);
	if (!tb[MCFAB_A_TABLE_ENTRY_LID]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla, "an entry of lft or mft has a lid");
		return -EINVAL;
	}
	entry->lid = nla_get_u32(tb[MCFAB_A_TABLE_ENTRY_LID]);
	ports = tb[MCFAB_A_TABLE_ENTRY_PORTS];
	entry->port = ports ? nla_data(ports) : NULL;
	entry->nports = ports ? nla_len(ports) : 0;
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
