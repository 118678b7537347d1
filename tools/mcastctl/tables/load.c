// SPDX-License-Identifier: GPL-2.0
/*
 * Loading forwarding tables from files: all of them are checked against the subnet, so
 * that a complaint can name a line, then sent, and put in place at once by the kernel.
 */
#include <linux/mcfab.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "netlink/keyword.h"
#include "tables/findings.h"
#include "tables/load.h"

/* Entries are sent when a message has become this long. */
#define ENOUGH		32768
#define MAX_WARNINGS	10

enum status load_complain(struct load *load, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!load->force)
		return refused("%s", text);
	if (load->left_out++ < MAX_WARNINGS)
		warning("%s; left out", text);
	return STATUS_OK;
}

enum status load_port(const struct load *load, u32 sw, u32 port)
{
	u32 ports = load->subnet.graph.sw[sw].ports;

	if (port < ports)
		return STATUS_OK;
	return refused("port %u is out of range: switch %u has ports 0 to %u", port, sw,
		       ports - 1);
}

static enum status check_lft(struct load *load, const char *path, struct fwd_table *t)
{
	enum status status = STATUS_OK;
	u32 kept = 0;

	for (u32 i = 0; i < t->n && !status; i++) {
		const struct lft_row *row = &t->lft[i];

		set_location(path, row->line);
		status = load_port(load, t->sw, row->port);
		if (!status && subnet_owner(&load->subnet, row->lid) == SUBNET_NOBODY) {
			status = load_complain(load, "lid 0x%04x: nobody in fabric %s has it",
					       row->lid, load->fabric);
			continue;
		}
		t->lft[kept++] = *row;
	}
	t->n = kept;
	return status;
}

static enum status check_mft(struct load *load, const char *path, const struct fwd_table *t)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < t->n; i++) {
		set_location(path, t->mft[i].line);
		for (u32 p = 0; p <= OPENSM_MAX_PORT && !status; p++) {
			if (mft_has(&t->mft[i], p))
				status = load_port(load, t->sw, p);
		}
	}
	return status;
}

enum status load_no_switch(struct load *load, u64 guid, u32 lid)
{
	if (!lid)
		return load_complain(load, "fabric %s has no switch with guid 0x%016llx",
				     load->fabric, guid);
	return load_complain(load, "fabric %s has no switch with guid 0x%016llx or LID %u",
			     load->fabric, guid, lid);
}

enum status load_see(struct load *load, enum load_seen kind, const char *name, u32 sw,
		     struct place at)
{
	struct place *seen = &load->seen[kind][sw];

	if (seen->path)
		return refused("switch %u has a %s table already, in %s:%u", sw, name, seen->path,
			       seen->line);
	*seen = at;
	return STATUS_OK;
}

/* Find the table's switch; one that is to be left out has no rows then. */
static enum status check_table(struct load *load, const char *path, struct fwd_table *t)
{
	enum status status;

	set_location(path, t->line);
	t->sw = subnet_switch(&load->subnet, t->guid, t->lid);
	if (t->sw == GRAPH_NONE) {
		t->n = 0;
		return load_no_switch(load, t->guid, t->lid);
	}
	status = load_see(load, t->multicast ? LOAD_MULTICAST : LOAD_LINEAR,
			  t->multicast ? "multicast" : "linear", t->sw,
			  (struct place){ path, t->line });
	if (!status)
		status = t->multicast ? check_mft(load, path, t) : check_lft(load, path, t);
	return status;
}

static enum status check_file(struct load *load, const char *path, struct fwd_dump *dump)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < dump->n && !status; i++)
		status = check_table(load, path, &dump->table[i]);
	if (!status)
		status = load_check_levels(load, path, dump);
	set_location(NULL, 0);
	return status;
}

static void begin(struct load *load, u8 cmd)
{
	nl_request_init(&load->rq, cmd, false);
	nl_put_str(&load->rq, MCFAB_A_TABLE_FABRIC, load->fabric,
		   nl_where("fabric", load->fabric));
}

static enum status simple(struct load *load, u8 cmd)
{
	enum status status;

	begin(load, cmd);
	status = nl_talk(&load->rq, NULL, NULL);
	nl_request_free(&load->rq);
	return status;
}

/* Send the entries so far. */
static enum status flush(struct load *load)
{
	struct json_object *answer = NULL;
	enum status status;

	if (!load->begun)
		return STATUS_OK;
	status = ask(&load->rq, &answer);
	json_object_put(answer);
	nl_request_free(&load->rq);
	load->begun = false;
	return status;
}

size_t load_entry_begin(struct load *load, struct nl_where where)
{
	if (!load->begun)
		begin(load, MCFAB_CMD_TABLE_APPEND);
	load->begun = true;
	return nl_nest(&load->rq, MCFAB_A_TABLE_ENTRY, where);
}

enum status load_entry_end(struct load *load, size_t nest)
{
	nl_nest_end(&load->rq, nest);
	return load->rq.nlh->nlmsg_len < ENOUGH ? STATUS_OK : flush(load);
}

static enum status put_entry(struct load *load, const struct fwd_table *t, u32 lid,
			     const u8 *port, u32 n)
{
	struct nl_where where = nl_where(t->multicast ? "mft" : "lft", NULL);
	size_t nest = load_entry_begin(load, where);

	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_KIND,
		   t->multicast ? MCFAB_TABLE_KIND_MFT : MCFAB_TABLE_KIND_LFT, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_SWITCH, t->sw, where);
	nl_put_u32(&load->rq, MCFAB_A_TABLE_ENTRY_LID, lid, where);
	nl_put_bin(&load->rq, MCFAB_A_TABLE_ENTRY_PORTS, port, n, where);
	return load_entry_end(load, nest);
}

/* Rows go as runs of consecutive LIDs. */
static enum status send_lft(struct load *load, const struct fwd_table *t)
{
	enum status status = STATUS_OK;
	u8 port[NL_MAX_NUMBERS];
	u32 n;

	for (u32 i = 0; i < t->n && !status; i += n) {
		for (n = 0; i + n < t->n && n < ARRAY_SIZE(port) &&
		     t->lft[i + n].lid == t->lft[i].lid + n; n++)
			port[n] = t->lft[i + n].port;
		status = put_entry(load, t, t->lft[i].lid, port, n);
	}
	return status;
}

static enum status send_mft(struct load *load, const struct fwd_table *t)
{
	enum status status = STATUS_OK;
	u8 port[OPENSM_MAX_PORT + 1];

	for (u32 i = 0; i < t->n && !status; i++) {
		u32 n = 0;

		for (u32 p = 0; p <= OPENSM_MAX_PORT; p++) {
			if (mft_has(&t->mft[i], p))
				port[n++] = p;
		}
		status = put_entry(load, t, t->mft[i].lid, port, n);
	}
	return status;
}

static enum status send_file(struct load *load, const struct fwd_dump *dump)
{
	enum status status = STATUS_OK;

	for (u32 i = 0; i < dump->n && !status; i++) {
		const struct fwd_table *t = &dump->table[i];

		status = t->multicast ? send_mft(load, t) : send_lft(load, t);
	}
	return status ? status : load_send_levels(load, dump);
}

static void print_loaded(struct load *load, struct json_object *answer)
{
	if (options.json) {
		json_print(json_object_get(answer));
		return;
	}
	printf("%s entries loaded\n", get_str(answer, "entries"));
	if (load->left_out > MAX_WARNINGS)
		printf("%u left out\n", load->left_out);
	if (get_u64(answer, "findings"))
		printf("%s found:\n", get_str(answer, "findings"));
	findings_print(stdout, &load->subnet, answer);
}

static enum status commit(struct load *load)
{
	struct json_object *answer = NULL, *found = NULL;
	enum status status;

	begin(load, MCFAB_CMD_TABLE_COMMIT);
	if (load->force)
		nl_put_flag(&load->rq, MCFAB_A_TABLE_FORCE, nl_where("force", NULL));
	status = ask(&load->rq, &answer);
	nl_request_free(&load->rq);
	if (!status)
		print_loaded(load, answer);
	else if (!findings_ask(load->fabric, true, &found))
		findings_print(stderr, &load->subnet, found);
	json_object_put(answer);
	json_object_put(found);
	return status;
}

static enum status send_all(struct load *load, const struct fwd_dump *dump, u32 n)
{
	enum status status = simple(load, MCFAB_CMD_TABLE_BEGIN);

	if (status)
		return status;
	for (u32 i = 0; i < n && !status; i++)
		status = send_file(load, &dump[i]);
	if (!status)
		status = flush(load);
	else
		nl_request_free(&load->rq);
	if (!status)
		status = commit(load);
	if (status)
		simple(load, MCFAB_CMD_TABLE_ABORT);
	return status;
}

enum status tables_load(const char *fabric, char **path, u32 n, bool force)
{
	struct load load = { .fabric = fabric, .force = force };
	struct fwd_dump *dump = xcalloc(n, sizeof(*dump));
	struct json_object *object = NULL;
	enum status status = STATUS_OK;

	for (u32 i = 0; i < n && !status; i++)
		status = opensm_read(path[i], &dump[i]);
	if (!status)
		status = lookup_fabric(fabric, &object);
	if (!status)
		status = subnet_read(object, &load.subnet);
	load.vcs = status ? 0 : get_u64(object, "vcs");
	for (u32 k = 0; k < ARRAY_SIZE(load.seen); k++)
		load.seen[k] = xcalloc(load.subnet.graph.switches, sizeof(*load.seen[k]));
	for (u32 i = 0; i < n && !status; i++)
		status = check_file(&load, path[i], &dump[i]);
	if (!status)
		status = send_all(&load, dump, n);
	for (u32 i = 0; i < n; i++)
		opensm_free(&dump[i]);
	for (u32 k = 0; k < ARRAY_SIZE(load.seen); k++)
		free(load.seen[k]);
	free(dump);
	subnet_free(&load.subnet);
	json_object_put(object);
	return status;
}
