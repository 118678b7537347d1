// SPDX-License-Identifier: GPL-2.0
/* Loading SL-to-VL tables and the service levels of paths. */
#include <linux/mcfab.h>
#include <string.h>

#include "netlink/keyword.h"
#include "tables/load.h"

#define LANE_NONE	15

static enum status check_lanes(struct load *load, const struct vl_row *row)
{
	enum status status = load_port(load, row->sw, row->in);

	if (!status)
		status = load_port(load, row->sw, row->out);
	for (u32 sl = 0; sl < OPENSM_SLS && !status; sl++) {
		if (row->vl[sl] >= load->vcs && row->vl[sl] != LANE_NONE)
			status = refused("lane %u of service level %u: fabric %s has vcs %u",
					 row->vl[sl], sl, load->fabric, load->vcs);
	}
	return status;
}

/* Rows of a switch follow each other: @before is the one before this, or NULL. */
static enum status find_switch(struct load *load, const char *path, const struct vl_row *before,
			       struct vl_row *row)
{
	if (before && before->head == row->head) {
		row->sw = before->sw;
		return STATUS_OK;
	}
	set_location(path, row->head);
	row->sw = subnet_switch(&load->subnet, row->guid, row->lid);
	if (row->sw == GRAPH_NONE)
		return load_no_switch(load, row->guid, row->lid);
	return load_see(load, LOAD_LANES, "SL-to-VL", row->sw, (struct place){ path, row->head });
}

static enum status check_all_lanes(struct load *load, const char *path, struct fwd_dump *dump)
{
	enum status status = STATUS_OK;
	struct vl_row before;
	u32 kept = 0;

	for (u32 i = 0; i < dump->nvl && !status; i++) {
		struct vl_row row = dump->vl[i];

		status = find_switch(load, path, i ? &before : NULL, &row);
		before = row;
		if (status || row.sw == GRAPH_NONE)
			continue;
		set_location(path, row.line);
		status = check_lanes(load, &row);
		dump->vl[kept++] = row;
	}
	dump->nvl = kept;
	return status;
}

static enum status check_paths(struct load *load, const char *path, struct fwd_dump *dump)
{
	enum status status = STATUS_OK;
	u32 kept = 0;

	for (u32 i = 0; i < dump->nsl && !status; i++) {
		struct sl_row row = dump->sl[i];

		set_location(path, row.line);
		row.node = subnet_host(&load->subnet, row.guid);
		if (row.node == GRAPH_NONE)
			status = load_complain(load, "fabric %s has no host with guid 0x%016llx",
					       load->fabric, row.guid);
		else if (subnet_owner(&load->subnet, row.lid) == SUBNET_NOBODY)
			status = load_complain(load, "lid %u: nobody in fabric %s has it", row.lid,
					       load->fabric);
		else
			dump->sl[kept++] = row;
	}
	dump->nsl = kept;
	return status;
}

enum status load_check_levels(struct load *load, const char *path, struct fwd_dump *dump)
{
	enum status status = check_all_lanes(load, path, dump);

	return status ? status : check_paths(load, path, dump);
}

static enum status send_lanes(struct load *load, const struct vl_row *row)
{
	struct nl_where where = nl_where("sl2vl", NULL);
	size_t nest = load_entry_begin(load, where);

	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_KIND, MCFAB_TABLE_KIND_SL2VL, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_SWITCH, row->sw, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_IN_PORT, row->in, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_PORT, row->out, where);
	nl_put_bin(&load->rq, MCFAB_A_TABLE_ENTRY_VLS, row->vl, sizeof(row->vl), where);
	return load_entry_end(load, nest);
}

/* Levels of @n rows, of one source and with LIDs that follow each other. */
static enum status send_paths(struct load *load, const struct sl_row *row, u32 n)
{
	struct nl_where where = nl_where("path-sl", NULL);
	size_t nest = load_entry_begin(load, where);
	u8 sl[NL_MAX_NUMBERS];

	for (u32 i = 0; i < n; i++)
		sl[i] = row[i].sl;
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_KIND, MCFAB_TABLE_KIND_PATH_SL, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_NODE, row->node, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_LID, row->lid, where);
	nl_put_bin(&load->rq, MCFAB_A_TABLE_ENTRY_SLS, sl, n, where);
	return load_entry_end(load, nest);
}

enum status load_send_levels(struct load *load, const struct fwd_dump *dump)
{
	enum status status = STATUS_OK;
	u32 n;

	for (u32 i = 0; i < dump->nvl && !status; i++)
		status = send_lanes(load, &dump->vl[i]);
	for (u32 i = 0; i < dump->nsl && !status; i += n) {
		const struct sl_row *row = &dump->sl[i];

		for (n = 1; i + n < dump->nsl && n < NL_MAX_NUMBERS &&
		     row[n].node == row->node && row[n].lid == row->lid + n; n++)
			;
		status = send_paths(load, row, n);
	}
	return status;
}
