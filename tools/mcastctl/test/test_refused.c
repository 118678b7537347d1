// SPDX-License-Identifier: GPL-2.0
/*
 * What is refused for want of memory says so and changes nothing: the module in user space,
 * each of whose allocations fails once, and which may take ever more memory.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "mcfab_user.h"
#include "tap.h"
#include "util.h"

#define MOST		400
#define SNAPSHOT	(4 << 20)

static char buf[1 << 16];
static int type;

/** struct answer - to a request */
struct answer {
	int error;
	bool text;		/* it says why */
	size_t len;
	char *data;		/* all of it, if not NULL */
};

static struct nlmsghdr *request(u8 cmd, u16 flags, u16 name_attr, const char *name)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	if (name)
		mnl_attr_put_strz(nlh, name_attr, name);
	return nlh;
}

/* Both end in attributes: a refusal behind the header it has a copy of, a dump's end. */
static void take_end(const struct nlmsghdr *nlh, struct answer *answer)
{
	bool done = nlh->nlmsg_type == NLMSG_DONE;
	size_t offset = done ? sizeof(int) : sizeof(struct nlmsgerr);
	const struct nlattr *attr;

	memcpy(&answer->error, mnl_nlmsg_get_payload(nlh), sizeof(answer->error));
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	mnl_attr_for_each(attr, nlh, offset)
		answer->text |= mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG;
}

static void take(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	struct answer *answer = arg;
	int left = len;

	if (answer->data && answer->len + len <= SNAPSHOT) {
		memcpy(answer->data + answer->len, data, len);
		answer->len += len;
	}
	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
			take_end(nlh, answer);
}

static struct answer ask(const struct nlmsghdr *nlh)
{
	struct answer answer = {};
	int ret = mcfab_user_request(nlh, take, &answer);

	if (ret)
		answer.error = ret;
	return answer;
}

static void put_members(struct nlmsghdr *nlh, u16 attr)
{
	static const u32 member[] = { 1, 2, 3 };

	mnl_attr_put(nlh, attr, sizeof(member), member);
}

static struct nlmsghdr *new_fabric(const char *name, u32 side)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_FABRIC_NEW, NLM_F_ACK, MCFAB_A_FABRIC_NAME,
				       name);

	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	return nlh;
}

static struct nlmsghdr *other_fabric(u32 n)
{
	static char name[16];

	snprintf(name, sizeof(name), "m%u", n);
	return new_fabric(name, 5);
}

static struct nlmsghdr *new_group(const char *name)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_GROUP_NEW, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "l");

	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, name);
	put_members(nlh, MCFAB_A_GROUP_MEMBERS);
	return nlh;
}

static struct nlmsghdr *other_group(u32 n)
{
	static char name[16];

	snprintf(name, sizeof(name), "other%u", n);
	return new_group(name);
}

static struct nlmsghdr *assign(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_GROUP_ASSIGN, NLM_F_ACK, MCFAB_A_GROUP_FABRIC,
				       "l");

	(void)n;
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "g");
	return nlh;
}

static struct nlmsghdr *plan(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_PLAN_GET, NLM_F_DUMP, MCFAB_A_PLAN_FABRIC, "l");

	mnl_attr_put_strz(nlh, MCFAB_A_PLAN_POLICY, "table");
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SOURCE, n % 30);
	mnl_attr_put_strz(nlh, MCFAB_A_PLAN_GROUP, "g");
	return nlh;
}

static struct nlmsghdr *run(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_RUN_START, NLM_F_ACK, MCFAB_A_RUN_FABRIC, "l");

	(void)n;
	mnl_attr_put_strz(nlh, MCFAB_A_RUN_POLICY, "xy-union");
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_POISSON);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_RATE_PPB, 10000);
	mnl_attr_put_strz(nlh, MCFAB_A_RUN_GROUP, "g");
	return nlh;
}

static struct nlmsghdr *upload(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_UPLOAD_BEGIN, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC,
				       "l");

	(void)n;
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_MESSAGES_TOTAL, 100);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, 100);
	return nlh;
}

static struct nlmsghdr *load_tables(u32 n)
{
	(void)n;
	return request(MCFAB_CMD_TABLE_BEGIN, NLM_F_ACK, MCFAB_A_TABLE_FABRIC, "l");
}

static struct nlmsghdr *check_tables(u32 n)
{
	(void)n;
	return request(MCFAB_CMD_TABLE_CHECK, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "l");
}

static struct nlmsghdr *show(u32 n)
{
	(void)n;
	return request(MCFAB_CMD_FABRIC_GET, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "l");
}

static struct nlmsghdr *show_run(u32 n)
{
	(void)n;
	return request(MCFAB_CMD_RUN_GET, NLM_F_ACK, MCFAB_A_RUN_FABRIC, "l");
}

static struct nlmsghdr *show_node(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_NODE_GET, NLM_F_ACK, MCFAB_A_NODE_FABRIC, "l");

	mnl_attr_put_u32(nlh, MCFAB_A_NODE_NODE, n % 30);
	return nlh;
}

/* All that can be seen of what there is, and how much memory may still be taken. */
static struct answer snapshot(void)
{
	unsigned long long left = mcfab_user_memory_left();
	struct answer all = { .data = malloc(SNAPSHOT) };
	struct nlmsghdr *nlh;

	if (!all.data)
		abort();
	mcfab_user_request(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL), take, &all);
	mcfab_user_request(request(MCFAB_CMD_RUN_GET, NLM_F_DUMP, 0, NULL), take, &all);
	mcfab_user_request(request(MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "l"),
			   take, &all);
	nlh = request(MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "l");
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_KIND, MCFAB_TABLE_KIND_MFT);
	mcfab_user_request(nlh, take, &all);
	CHECK(all.len > 200 && all.len + sizeof(left) < SNAPSHOT);
	memcpy(all.data + all.len, &left, sizeof(left));
	all.len += sizeof(left);
	return all;
}

static bool same(const struct answer *a, const struct answer *b)
{
	return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

/* Each allocation of a request fails in turn. */
static void each_fails(const char *name, struct nlmsghdr *(*make)(u32))
{
	u32 n, refusals = 0, mute = 0, changed = 0;
	struct answer before, after, got;
	struct nlmsghdr *nlh;
	bool through = false;

	for (n = 1; n < MOST && !through; n++) {
		before = snapshot();
		nlh = make(n);
		mcfab_user_fail(n);
		got = ask(nlh);
		through = mcfab_user_fail_left() > 0;
		mcfab_user_fail(0);
		after = snapshot();
		if (got.error) {
			refusals++;
			mute += !got.text;
			changed += !same(&before, &after);
			if (!got.text || !same(&before, &after))
				printf("# %s, allocation %u: %d%s%s\n", name, n, got.error,
				       got.text ? "" : ", no text",
				       same(&before, &after) ? "" : ", changed");
		}
		free(before.data);
		free(after.data);
	}
	printf("# %s: %u allocations, %u refusals\n", name, n - 2, refusals);
	if (got.error)
		printf("# %s: refused for another reason: %d\n", name, got.error);
	CHECK(through && !got.error);
	CHECK(refusals && !mute && !changed);
	report(name);
}

static void begin(const char *mb, u32 side)
{
	char why[128];

	setenv("MCFAB_MAX_MEMORY_MB", mb, 1);
	type = mcfab_user_open(why, sizeof(why));
	CHECK(type > 0);
	CHECK(ask(new_fabric("l", side)).error == 0);
	CHECK(ask(new_group("g")).error == 0);
}

/* Multicast LIDs and their tables have room, or the run has, but not both. */
static void too_little(void)
{
	static const char *const mb[] = { "75", "80", "85", "90", "95" };
	u32 i, refusals = 0;

	for (i = 0; i < ARRAY_SIZE(mb); i++) {
		struct answer before, after, got;

		begin(mb[i], 40);
		before = snapshot();
		got = ask(run(0));
		if (got.error) {
			refusals++;
			CHECK(got.text);
			after = snapshot();
			CHECK(same(&before, &after));
			free(after.data);
		}
		free(before.data);
		mcfab_user_close();
	}
	CHECK(refusals);
	report("a run whose multicast LIDs do not fit leaves none behind");
}

int main(void)
{
	puts("TAP version 13\n1..13");
	fflush(stdout);
	begin("2048", 6);
	each_fails("a fabric", other_fabric);
	each_fails("a group", other_group);
	each_fails("a plan", plan);
	each_fails("a run", run);
	ask(request(MCFAB_CMD_RUN_STOP, NLM_F_ACK, MCFAB_A_RUN_FABRIC, "l"));
	each_fails("multicast LIDs", assign);
	each_fails("an upload", upload);
	each_fails("the check of tables", check_tables);
	each_fails("tables on their way", load_tables);
	each_fails("the fabric is shown", show);
	each_fails("the run is shown", show_run);
	each_fails("a node is shown", show_node);
	mcfab_user_close();
	report("all is taken down");
	too_little();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
