// SPDX-License-Identifier: GPL-2.0
/*
 * No answer has bytes that nobody wrote, even if what a dump shows changes between two of its
 * parts: the module in user space, with sanitizers, fills the memory of messages with a
 * pattern and looks for it in all that it answers.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "mcfab_user.h"
#include "tap.h"
#include "util.h"

#define SIDE		16
#define NODES		(SIDE * SIDE)
#define GROUPS		40

static char buf[1 << 16];
static int type;
static bool marked;		/* a dump is said to be torn */
static u32 next;		/* the source that gets a LID next */
static u32 shown;		/* LIDs of sources that were shown */

static struct nlmsghdr *request(char *at, u8 cmd, u16 flags, u16 name_attr, const char *name)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(at);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	mnl_attr_put_strz(nlh, name_attr, name);
	return nlh;
}

static void take_error(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	const struct nlmsgerr *err;

	(void)len;
	if (nlh->nlmsg_type != NLMSG_ERROR)
		return;
	err = mnl_nlmsg_get_payload(nlh);
	*(int *)arg = err->error;
}

static int ask(const struct nlmsghdr *nlh)
{
	int error = 0;

	return mcfab_user_request(nlh, take_error, &error) ?: error;
}

static const char *group_name(u32 i)
{
	static char name[16];

	snprintf(name, sizeof(name), "g%u", i);
	return name;
}

/* A group of all nodes in which every other source has a multicast LID. */
static int add_group(u32 i)
{
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_GROUP_NEW, NLM_F_ACK, MCFAB_A_GROUP_FABRIC,
				       "f");
	u32 member[NODES], node;
	int ret;

	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, group_name(i));
	for (node = 0; node < NODES; node++)
		member[node] = node;
	mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, sizeof(member), member);
	ret = ask(nlh);
	for (node = 1; node < NODES && !ret; node += 2) {
		nlh = request(buf, MCFAB_CMD_GROUP_ASSIGN, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
		mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, group_name(i));
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, node);
		ret = ask(nlh);
	}
	return ret;
}

static void count_lids(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == MCFAB_A_GROUP_LIDS)
			shown += mnl_attr_get_payload_len(attr) / (2 * sizeof(u32));
}

static void take_nothing(const void *data, size_t len, void *arg)
{
	(void)data;
	(void)len;
	(void)arg;
}

/* In each group the lowest source without a multicast LID gets one. */
static void assign_more(void)
{
	static char other[1024];
	struct nlmsghdr *nlh;
	u32 i;

	for (i = 0; i < GROUPS; i++) {
		nlh = request(other, MCFAB_CMD_GROUP_ASSIGN, 0, MCFAB_A_GROUP_FABRIC, "f");
		mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, group_name(i));
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, next);
		CHECK(mcfab_user_request(nlh, take_nothing, NULL) == 0);
	}
	next += 2;
}

/* Between two parts of a dump come the requests of somebody else. */
static void take_group_part(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	int left = len;
	bool end = false;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		marked |= nlh->nlmsg_flags & NLM_F_DUMP_INTR;
		end |= nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR;
		CHECK(nlh->nlmsg_type != NLMSG_ERROR);
		if (nlh->nlmsg_type == type)
			count_lids(nlh);
	}
	if (end)
		return;
	++*(u32 *)arg;
	assign_more();
}

int main(void)
{
	struct nlmsghdr *nlh;
	char why[128];
	u32 i, parts = 0;

	puts("TAP version 13\n1..4");
	type = mcfab_user_open(why, sizeof(why));
	CHECK(type > 0);
	nlh = request(buf, MCFAB_CMD_FABRIC_NEW, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, SIDE);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, SIDE);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	CHECK(ask(nlh) == 0);
	for (i = 0; i < GROUPS; i++)
		CHECK(add_group(i) == 0);
	report("groups whose sources have multicast LIDs, every other one");

	nlh = request(buf, MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f");
	CHECK(mcfab_user_request(nlh, take_group_part, &parts) == 0);
	CHECK(parts > 1);
	CHECK(mcfab_user_stale() == 0);
	report("a dump of groups into which new multicast LIDs come has no stale bytes");
	CHECK(shown >= GROUPS * NODES / 2);
	report("and has all the sources that had one before");
	CHECK(marked);
	report("and is marked as torn");

	mcfab_user_close();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
