// SPDX-License-Identifier: GPL-2.0
/*
 * No answer has bytes that nobody wrote, even if what a dump shows changes between two of its
 * parts: the module in user space, with sanitizers, fills the memory of messages with a
 * pattern and looks for it in all that it answers.
 */
#include "ask.h"
#include "tap.h"

#define SIDE		16
#define NODES		(SIDE * SIDE)
#define GROUPS		40

static u32 next;		/* the source that gets a LID next */
static u32 shown;		/* LIDs of sources that were shown */

static const char *group_name(u32 i)
{
	static char name[16];

	snprintf(name, sizeof(name), "g%u", i);
	return name;
}

/* A group of all nodes in which every other source has a multicast LID. */
static int add_group(u32 i)
{
	struct nlmsghdr *nlh = about_group(MCFAB_CMD_GROUP_NEW, "f", group_name(i));
	u32 node;
	int ret;

	put_range(nlh, MCFAB_A_GROUP_MEMBERS, 0, NODES);
	ret = ask(nlh).error;
	for (node = 1; node < NODES && !ret; node += 2) {
		nlh = about_group(MCFAB_CMD_GROUP_ASSIGN, "f", group_name(i));
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, node);
		ret = ask(nlh).error;
	}
	return ret;
}

static void count_lids(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *attr;

	(void)arg;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == MCFAB_A_GROUP_LIDS)
			shown += mnl_attr_get_payload_len(attr) / (2 * sizeof(u32));
}

/* In each group the lowest source without a multicast LID gets one. */
static void assign_more(void)
{
	struct nlmsghdr *nlh;
	u32 i;

	for (i = 0; i < GROUPS; i++) {
		nlh = about_group(MCFAB_CMD_GROUP_ASSIGN, "f", group_name(i));
		mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, next);
		CHECK(!ask(nlh).error);
	}
	next += 2;
}

/* Between two parts of a dump come the requests of somebody else. */
static void behind_part(const void *data, size_t len, void *arg)
{
	const struct answer *answer = arg;

	(void)data;
	(void)len;
	if (!answer->done)
		assign_more();
}

int main(void)
{
	struct answer got = { .part = behind_part, .message = count_lids, .arg = &got };
	char buf[1024];
	u32 i;

	puts("TAP version 13\n1..4");
	CHECK(open_module("2048"));
	CHECK(!ask(new_mesh("f", SIDE, true)).error);
	for (i = 0; i < GROUPS; i++)
		CHECK(add_group(i) == 0);
	report("groups whose sources have multicast LIDs, every other one");

	ask_by(request_in(buf, MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "f"), &got);
	CHECK(!got.error && got.done);
	CHECK(got.parts > 2);
	CHECK(mcfab_user_stale() == 0);
	report("a dump of groups into which new multicast LIDs come has no stale bytes");
	CHECK(shown >= GROUPS * NODES / 2);
	report("and has all the sources that had one before");
	CHECK(got.torn);
	report("and is marked as torn");

	mcfab_user_close();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
