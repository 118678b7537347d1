// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of showing, dumping and loading forwarding tables. The requests go to a
 * stand-in for the kernel, which keeps the tables of a mesh of 3 x 2.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"
#include "tables/show.h"
#include "tap.h"
#include "wrap.h"

#define X		3
#define Y		2
#define SWITCHES	(X * Y)
#define LIDS		(2 * SWITCHES + 1)
#define MLIDS		4

/** struct tables - of all switches */
struct tables {
	u8 lft[SWITCHES][LIDS];
	u64 mft[SWITCHES][MLIDS];
};

static struct tables in_use, staged;
static u32 appended, aborted;
static bool torn;			/* the next dump is to be */

static u32 lid_of(u32 node)
{
	return node % X * Y + node / X + 1;
}

static struct nlmsghdr *answer(char *buf, u8 cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));

	genl->cmd = cmd;
	return nlh;
}

static enum status tell_fabric(nl_reply reply, void *data)
{
	char buf[1024];
	struct nlmsghdr *nlh = answer(buf, MCFAB_CMD_FABRIC_GET);

	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_NAME, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, X);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, Y);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	return reply(nlh, data);
}

static enum status tell_nodes(nl_reply reply, void *data)
{
	enum status status = STATUS_OK;
	char buf[256];

	for (u32 i = 0; i < SWITCHES && !status; i++) {
		struct nlmsghdr *nlh = answer(buf, MCFAB_CMD_NODE_GET);

		mnl_attr_put_u32(nlh, MCFAB_A_NODE_NODE, i);
		mnl_attr_put_u32(nlh, MCFAB_A_NODE_LID, lid_of(i));
		status = reply(nlh, data);
	}
	return status;
}

static enum status tell_entry(u32 kind, u32 sw, u32 lid, const u8 *port, u32 n, nl_reply reply,
			      void *data)
{
	char buf[1024];
	struct nlmsghdr *nlh = answer(buf, MCFAB_CMD_TABLE_GET);
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_TABLE_ENTRY);

	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_KIND, kind);
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_SWITCH, sw);
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_SWITCH_LID, SWITCHES + lid_of(sw));
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_LID, lid);
	mnl_attr_put(nlh, MCFAB_A_TABLE_ENTRY_PORTS, n, port);
	mnl_attr_nest_end(nlh, nest);
	return reply(nlh, data);
}

static enum status tell_row(u32 sw, u32 row, nl_reply reply, void *data)
{
	u8 port[64];
	u32 n = 0;

	for (u32 p = 0; p < 64; p++) {
		if (in_use.mft[sw][row] >> p & 1)
			port[n++] = p;
	}
	/* What the user has emptied is told, too. */
	if (!n && sw % 2)
		return STATUS_OK;
	return tell_entry(MCFAB_TABLE_KIND_MFT, sw, MCFAB_MULTICAST_LID_MIN + row, port, n, reply,
			  data);
}

static enum status tell_tables(const struct nlattr **attr, nl_reply reply, void *data)
{
	u32 kind = nl_attr_uint(attr[MCFAB_A_TABLE_KIND]);
	u32 lid = attr[MCFAB_A_TABLE_LID] ? nl_attr_uint(attr[MCFAB_A_TABLE_LID]) : 0;
	enum status status = STATUS_OK;

	for (u32 sw = 0; sw < SWITCHES && !status; sw++) {
		if (kind == MCFAB_TABLE_KIND_LFT && lid)
			status = tell_entry(kind, sw, lid, in_use.lft[sw] + lid, 1, reply, data);
		else if (kind == MCFAB_TABLE_KIND_LFT)
			status = tell_entry(kind, sw, 1, in_use.lft[sw] + 1, LIDS - 1, reply, data);
		for (u32 row = 0; kind == MCFAB_TABLE_KIND_MFT && row < MLIDS && !status; row++)
			status = tell_row(sw, row, reply, data);
	}
	return status;
}

static void take_entry(const struct nlattr *nest)
{
	const struct nlattr *attr[MCFAB_A_TABLE_ENTRY_MAX + 1];
	const u8 *port;
	u32 sw, lid, n;

	attr_index_nest(nest, attr, ARRAY_SIZE(attr));
	sw = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_SWITCH]);
	lid = nl_attr_uint(attr[MCFAB_A_TABLE_ENTRY_LID]);
	port = mnl_attr_get_payload(attr[MCFAB_A_TABLE_ENTRY_PORTS]);
	n = mnl_attr_get_payload_len(attr[MCFAB_A_TABLE_ENTRY_PORTS]);
	for (u32 i = 0; i < n; i++) {
		if (lid < MCFAB_MULTICAST_LID_MIN)
			staged.lft[sw][lid + i] = port[i];
		else
			staged.mft[sw][lid - MCFAB_MULTICAST_LID_MIN] |= (u64)1 << port[i];
		appended++;
	}
}

static enum status tell_loaded(u8 cmd, nl_reply reply, void *data)
{
	char buf[256];
	struct nlmsghdr *nlh = answer(buf, cmd);

	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRIES, appended);
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_FINDINGS, 0);
	return reply(nlh, data);
}

static enum status handle(struct nl_request *rq, nl_reply reply, void *data)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(rq->nlh);
	const struct nlattr *attr[MCFAB_A_TABLE_MAX + 1], *pos;

	attr_index(rq->nlh, attr, ARRAY_SIZE(attr));
	switch (genl->cmd) {
	case MCFAB_CMD_FABRIC_GET:
		return tell_fabric(reply, data);
	case MCFAB_CMD_NODE_GET:
		return tell_nodes(reply, data);
	case MCFAB_CMD_TABLE_GET:
		return tell_tables(attr, reply, data);
	case MCFAB_CMD_TABLE_BEGIN:
		memset(&staged, 0, sizeof(staged));
		memset(staged.lft, MCFAB_NO_PORT, sizeof(staged.lft));
		appended = 0;
		return STATUS_OK;
	case MCFAB_CMD_TABLE_APPEND:
		mnl_attr_for_each(pos, rq->nlh, sizeof(*genl)) {
			if (mnl_attr_get_type(pos) == MCFAB_A_TABLE_ENTRY)
				take_entry(pos);
		}
		return tell_loaded(genl->cmd, reply, data);
	case MCFAB_CMD_TABLE_COMMIT:
		in_use = staged;
		return tell_loaded(genl->cmd, reply, data);
	case MCFAB_CMD_TABLE_ABORT:
		aborted++;
		return STATUS_OK;
	}
	return refused("request %u is not expected", genl->cmd);
}

enum status __wrap_nl_open(const char *netns)
{
	(void)netns;
	return STATUS_OK;
}

enum status __wrap_nl_talk(struct nl_request *rq, nl_reply reply, void *data)
{
	return handle(rq, reply, data);
}

/* A torn dump has told all of it, and is to be forgotten. */
int __wrap_nl_try(struct nl_request *rq, nl_reply reply, void *data, enum status *status)
{
	*status = handle(rq, reply, data);
	if (!torn)
		return 0;
	torn = false;
	return -EINTR;
}

static void fill(void)
{
	for (u32 sw = 0; sw < SWITCHES; sw++) {
		for (u32 lid = 0; lid < LIDS; lid++)
			in_use.lft[sw][lid] = (sw + lid) % 7 == 6 ? MCFAB_NO_PORT : (sw + lid) % 7;
		for (u32 row = 0; row < MLIDS; row++)
			in_use.mft[sw][row] = row == 2 ? 0 : (sw * 5 + row) % 64;
	}
}

static struct json_object *made(void)
{
	struct json_object *fabric = NULL;

	CHECK(!lookup_fabric("f", &fabric));
	return fabric;
}

static char *dumped(void)
{
	const struct table_filter all = { .fabric = "f" };
	struct json_object *fabric = made();
	struct subnet subnet;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	CHECK(!subnet_read(fabric, &subnet));
	CHECK(!tables_dump(&all, &subnet, f));
	fclose(f);
	subnet_free(&subnet);
	json_object_put(fabric);
	return text;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static enum status load(char *path, bool force)
{
	FILE *saved = stdout;
	enum status status;

	stdout = fopen("/dev/null", "w");
	status = tables_load("f", &path, 1, force);
	fclose(stdout);
	stdout = saved;
	return status;
}

static void test_identity(char *path)
{
	struct tables before;
	char *one, *two;

	fill();
	before = in_use;
	for (u32 sw = 0; sw < SWITCHES; sw++)
		before.lft[sw][0] = MCFAB_NO_PORT;
	one = dumped();
	CHECK(strstr(one, "of switch Lid 7 guid 0x5300000000000000 (switch (0,0)):\n"));
	CHECK(strstr(one, "0x0001 001 : (Channel Adapter portguid 0x4800000000000000: 'host "));
	write_file(path, one);
	memset(&in_use, 0, sizeof(in_use));
	CHECK(!load(path, false));
	CHECK(!memcmp(&before, &in_use, sizeof(before)));
	torn = true;
	two = dumped();
	CHECK(!strcmp(one, two));
	free(one);
	free(two);
	report("dump, load, dump is the identity");
}

static void test_subnet(void)
{
	struct json_object *fabric = made();
	struct subnet s;
	char port[24];

	CHECK(!subnet_read(fabric, &s));
	/* Node 5 is N(2,1): LID 2 * 2 + 1 + 1; its switch has 6 more. */
	CHECK(subnet_owner(&s, 6) == 5 && subnet_owner(&s, 12) == (5 | SUBNET_SWITCH));
	CHECK(subnet_owner(&s, 13) == SUBNET_NOBODY && subnet_owner(&s, 0) == SUBNET_NOBODY);
	CHECK(subnet_owner(&s, 0xffff) == SUBNET_NOBODY);
	CHECK(subnet_switch(&s, subnet_guid(&s, 3 | SUBNET_SWITCH), 12) == 3);
	CHECK(subnet_switch(&s, 0x1234, 12) == 5);
	CHECK(subnet_switch(&s, 0x1234, 6) == GRAPH_NONE);
	CHECK(!strcmp(subnet_name(&s, 5), "host (2,1)"));
	subnet_port(&s, 0, 1, port, sizeof(port));
	CHECK(!strcmp(port, "1:1"));
	subnet_port(&s, 0, 2, port, sizeof(port));
	CHECK(!strcmp(port, "2:3"));
	subnet_port(&s, 0, 3, port, sizeof(port));
	CHECK(!strcmp(port, "3:-"));
	subnet_port(&s, 0, 5, port, sizeof(port));
	CHECK(!strcmp(port, "5:host"));
	subnet_port(&s, 0, 0, port, sizeof(port));
	CHECK(!strcmp(port, "0:self"));
	subnet_port(&s, 0, 254, port, sizeof(port));
	CHECK(!strcmp(port, "254:-"));
	subnet_free(&s);
	json_object_put(fabric);
	report("who is who");
}

#define HEAD	"Unicast lids [0x0-0xff] of switch Lid 7 guid 0x1 (a):\n"

static void test_refused(char *path)
{
	static const char *const all[] = {
		HEAD "0x0001 006\n1 valid lids dumped\n",
		HEAD "0x00f0 001\n1 valid lids dumped\n",
		HEAD "0x0001 001\n1 valid lids dumped\n" HEAD "0 valid lids dumped\n",
		"Unicast lids [0x0-0xff] of switch Lid 3 guid 0x1 (a):\n0 valid lids dumped\n",
		"Switch 0x5300000000000000\n0xC000 : 0x001 0x006\n",
		"Switch 0x99\n0xC000 : 0x001\n",
	};
	struct tables before = in_use;

	appended = 0;
	aborted = 0;
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		write_file(path, all[i]);
		CHECK(load(path, false) == STATUS_REFUSED);
	}
	CHECK(!memcmp(&before, &in_use, sizeof(before)) && !appended && !aborted);
	/* What is not there can be left out, what is wrong cannot be made right. */
	write_file(path, all[0]);
	CHECK(load(path, true) == STATUS_REFUSED);
	write_file(path, HEAD "0x0001 002\n0x00f0 001\n2 valid lids dumped\n");
	CHECK(!load(path, true));
	CHECK(appended == 1 && in_use.lft[0][1] == 2 && in_use.lft[0][2] == MCFAB_NO_PORT);
	report("what does not belong to the fabric");
}

int main(void)
{
	char path[] = "/tmp/mcastctl-tables-XXXXXX";

	puts("TAP version 13\n1..3");
	fflush(stdout);
	if (!getenv("VERBOSE") && !freopen("/dev/null", "w", stderr))
		return 1;
	close(mkstemp(path));
	test_subnet();
	test_identity(path);
	test_refused(path);
	remove(path);
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
