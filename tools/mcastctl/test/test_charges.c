// SPDX-License-Identifier: GPL-2.0
/*
 * What requests take is charged, shown, bounded and given back; long dumps let others run:
 * the module in user space.
 */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mcfab_user.h"
#include "tap.h"
#include "util.h"

static int type;
static unsigned long long limit;

/** struct answer - to a request */
struct answer {
	int error;
	bool text;			/* it says why */
	char why[128];			/* what it says */
	unsigned long long bytes;	/* of the fabrics that are shown, all together */
	u32 state;			/* of a run that is shown */
	u32 rows;			/* of tables */
	u32 later;			/* that only say that the search goes on */
	void (*part)(void);		/* called behind each datagram */
};

static struct nlmsghdr *request(char *buf, u8 cmd, u16 flags, u16 name_attr, const char *name)
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

static unsigned long long number(const struct nlattr *attr)
{
	unsigned long long value;

	if (mnl_attr_get_payload_len(attr) == sizeof(u32))
		return mnl_attr_get_u32(attr);
	memcpy(&value, mnl_attr_get_payload(attr), sizeof(value));
	return value;
}

static void take_one(const struct nlmsghdr *nlh, struct answer *answer)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	bool done = nlh->nlmsg_type == NLMSG_DONE;
	const struct nlattr *attr;

	if (done || nlh->nlmsg_type == NLMSG_ERROR) {
		memcpy(&answer->error, mnl_nlmsg_get_payload(nlh), sizeof(answer->error));
		if (nlh->nlmsg_flags & NLM_F_ACK_TLVS)
			mnl_attr_for_each(attr, nlh,
					  done ? sizeof(int) : sizeof(struct nlmsgerr))
				if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG) {
					answer->text = true;
					snprintf(answer->why, sizeof(answer->why), "%s",
						 mnl_attr_get_str(attr));
				}
		return;
	}
	answer->rows += genl->cmd == MCFAB_CMD_TABLE_GET;
	mnl_attr_for_each(attr, nlh, sizeof(*genl)) {
		answer->later += genl->cmd == MCFAB_CMD_TABLE_GET &&
				 mnl_attr_get_type(attr) == MCFAB_A_TABLE_BUILDING;
		if (genl->cmd == MCFAB_CMD_FABRIC_GET &&
		    mnl_attr_get_type(attr) == MCFAB_A_FABRIC_BYTES)
			answer->bytes += number(attr);
		if (genl->cmd == MCFAB_CMD_RUN_GET &&
		    mnl_attr_get_type(attr) == MCFAB_A_RUN_STATE)
			answer->state = number(attr);
	}
}

static void take(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	struct answer *answer = arg;
	int left = len;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		take_one(nlh, answer);
	if (answer->part && !answer->error)
		answer->part();
}

static struct answer ask(const struct nlmsghdr *nlh)
{
	struct answer answer = {};
	int ret = mcfab_user_request(nlh, take, &answer);

	if (ret)
		answer.error = ret;
	return answer;
}

static struct answer new_fabric(const char *name, u32 side, bool lids)
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_FABRIC_NEW, NLM_F_ACK,
				       MCFAB_A_FABRIC_NAME, name);

	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	if (lids)
		mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	return ask(nlh);
}

/* What is charged is what is shown. */
static bool as_charged(void)
{
	char buf[1024];
	struct answer all = ask(request(buf, MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL));

	if (all.bytes == limit - mcfab_user_memory_left())
		return true;
	printf("# %llu bytes are shown, %llu are charged\n", all.bytes,
	       limit - mcfab_user_memory_left());
	return false;
}

static void begin(const char *mb)
{
	char why[128];

	setenv("MCFAB_MAX_MEMORY_MB", mb, 1);
	type = mcfab_user_open(why, sizeof(why));
	CHECK(type > 0);
	limit = strtoull(mb, NULL, 10) << 20;
	CHECK(mcfab_user_memory_left() == limit);
}

static void end(void)
{
	mcfab_user_close();
	CHECK(mcfab_user_memory_left() == limit);
}

static void many_fabrics(void)
{
	struct answer got = {};
	char name[16];
	u32 n;

	begin("1");
	for (n = 0; n < 2000 && !got.error; n++) {
		snprintf(name, sizeof(name), "f%u", n);
		got = new_fabric(name, 1, false);
	}
	printf("# %u fabrics of one node\n", n - 1);
	CHECK(n > 2 && n < 500);
	CHECK(got.error == -ENOMEM && got.text);
	CHECK(as_charged());
	end();
	report("fabrics of one node count");
}

static struct answer run(const char *policy)
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_RUN_START, NLM_F_ACK, MCFAB_A_RUN_FABRIC,
				       "f");

	mnl_attr_put_strz(nlh, MCFAB_A_RUN_POLICY, policy);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_LONE);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 20);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 3);
	return ask(nlh);
}

static struct answer long_run(void)
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_RUN_START, NLM_F_ACK, MCFAB_A_RUN_FABRIC,
				       "f");

	mnl_attr_put_strz(nlh, MCFAB_A_RUN_POLICY, "unicast");
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_POISSON);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_RATE_PPB, 1000);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WARMUP, 1000000000);
	return ask(nlh);
}

static void wait_for_run(void)
{
	char buf[1024];

	ask(request(buf, MCFAB_CMD_RUN_STOP, NLM_F_ACK, MCFAB_A_RUN_FABRIC, "f"));
}

static struct answer upload(u32 nodes)
{
	char buf[1024];
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_UPLOAD_BEGIN, NLM_F_ACK,
				       MCFAB_A_UPLOAD_FABRIC, "f");

	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_MESSAGES_TOTAL, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, nodes);
	return ask(nlh);
}

/* There is room for all of a run but its threads. */
static void thread_charges(void)
{
	unsigned long long need, left;
	struct answer got = {};
	u32 less;

	begin("32");
	CHECK(new_fabric("f", 2, false).error == 0);
	need = mcfab_user_memory_left();
	CHECK(long_run().error == 0);
	need -= mcfab_user_memory_left();
	wait_for_run();
	left = mcfab_user_memory_left() - need;
	for (less = 1; less < 8 && !strstr(got.why, "router threads"); less++) {
		CHECK(upload((left + less * 4096) / sizeof(u32)).error == 0);
		got = long_run();
		if (!got.error)
			wait_for_run();
		CHECK(as_charged());
	}
	printf("# a run takes %llu bytes; without %u: %s\n", need, less * 4096, got.why);
	CHECK(got.error == -ENOMEM && strstr(got.why, "router threads"));
	end();
	report("threads of a run count");
}

static void one_fabric(void)
{
	unsigned long long idle;
	struct nlmsghdr *nlh;
	char buf[1024];

	begin("2048");
	CHECK(new_fabric("f", 16, true).error == 0);
	CHECK(as_charged());
	idle = mcfab_user_memory_left();
	CHECK(run("dp").error == 0);
	CHECK(mcfab_user_memory_left() < idle);
	wait_for_run();
	CHECK(as_charged());
	CHECK(mcfab_user_memory_left() < idle);
	CHECK(ask(request(buf, MCFAB_CMD_STATS_RESET, NLM_F_ACK, MCFAB_A_STATS_FABRIC,
			  "f")).error == 0);
	CHECK(mcfab_user_memory_left() == idle);
	CHECK(as_charged());
	CHECK(run("qg").error == 0);
	wait_for_run();
	CHECK(as_charged());
	/* a run that has no end: its threads and its engine count, too */
	CHECK(long_run().error == 0);
	CHECK(as_charged());
	wait_for_run();
	CHECK(as_charged());
	nlh = request(buf, MCFAB_CMD_UPLOAD_BEGIN, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC, "f");
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_MESSAGES_TOTAL, 1000);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, 1000);
	CHECK(ask(nlh).error == 0);
	CHECK(as_charged());
	end();
	report("a fabric shows what is charged for it, and a reset gives back");
}

static u32 depth, deepest;
/* of each plan that is under way: the first part, which says that it is to be made, was sent */
static bool building[256];
static struct answer refusal;

static struct answer plan(void (*part)(void))
{
	static u32 member[1599];
	struct answer answer = { .part = part };
	struct nlmsghdr *nlh;
	char *buf = malloc(1 << 14);
	u32 i;
	int ret;

	for (i = 0; i < 1599; i++)
		member[i] = i + 1;
	nlh = request(buf, MCFAB_CMD_PLAN_GET, NLM_F_DUMP, MCFAB_A_PLAN_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_PLAN_POLICY, "dp");
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SOURCE, 0);
	mnl_attr_put(nlh, MCFAB_A_PLAN_DESTINATIONS, sizeof(member), member);
	building[depth] = false;
	ret = mcfab_user_request(nlh, take, &answer);
	if (ret)
		answer.error = ret;
	free(buf);
	return answer;
}

/* Between two parts of a plan that was made another one is asked for. */
static void deeper(void)
{
	struct answer answer;

	if (!building[depth]) {
		building[depth] = true;
		return;
	}
	if (refusal.error || depth > 200)
		return;
	depth++;
	answer = plan(deeper);
	if (answer.error && !refusal.error) {
		refusal = answer;
		deepest = depth;
		CHECK(as_charged());
	}
	depth--;
}

static void open_plans(const char *mb, int error)
{
	refusal = (struct answer){};
	deepest = 0;
	begin(mb);
	CHECK(new_fabric("f", 40, false).error == 0);
	plan(deeper);
	printf("# %u plans at a time with %s MiB\n", deepest, mb);
	CHECK(deepest > 1 && deepest <= 64);
	CHECK(refusal.error == error && refusal.text);
	CHECK(as_charged());
	CHECK(plan(NULL).error == 0);
	end();
}

static void sparse_tables(void)
{
	static const u32 member[] = { 1, 2, 3 };
	struct nlmsghdr *nlh;
	struct answer got;
	char buf[1024];

	begin("2048");
	CHECK(new_fabric("f", 32, true).error == 0);
	nlh = request(buf, MCFAB_CMD_GROUP_NEW, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "g");
	mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, sizeof(member), member);
	CHECK(ask(nlh).error == 0);
	nlh = request(buf, MCFAB_CMD_GROUP_ASSIGN, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "g");
	mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, 0);
	CHECK(ask(nlh).error == 0);
	/* the last one, so that all before it are looked at */
	nlh = request(buf, MCFAB_CMD_GROUP_NEW, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "h");
	mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, sizeof(member), member);
	mnl_attr_put_u32(nlh, MCFAB_A_GROUP_LID, 0xfffe);
	CHECK(ask(nlh).error == 0);
	nlh = request(buf, MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "f");
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_KIND, MCFAB_TABLE_KIND_MFT);
	got = ask(nlh);
	CHECK(got.error == 0);
	printf("# %u messages, %u of them without an entry\n", got.rows, got.later);
	/* 1024 switches, each with 16383 multicast LIDs to look at, 8192 in each part */
	CHECK(got.later >= 1024 && got.later < got.rows);
	end();
	report("a dump of multicast tables has many short parts");
}

static struct answer about_group(u8 cmd, bool members)
{
	static const u32 member[] = { 1, 2, 3 };
	struct nlmsghdr *nlh;
	char buf[1024];

	nlh = request(buf, cmd, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, "g");
	if (members)
		mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, sizeof(member), member);
	return ask(nlh);
}

/* One row of each of @count multicast LIDs. */
static struct answer append(u32 first, u32 count)
{
	char *buf = malloc(1 << 17);
	struct nlmsghdr *nlh = request(buf, MCFAB_CMD_TABLE_APPEND, NLM_F_ACK,
				       MCFAB_A_TABLE_FABRIC, "f");
	struct answer answer;
	struct nlattr *nest;
	u8 port = 1;
	u32 i;

	for (i = 0; i < count; i++) {
		nest = mnl_attr_nest_start(nlh, MCFAB_A_TABLE_ENTRY);
		mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_KIND, MCFAB_TABLE_KIND_MFT);
		mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_SWITCH, 0);
		mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_LID, first + i);
		mnl_attr_put(nlh, MCFAB_A_TABLE_ENTRY_PORTS, sizeof(port), &port);
		mnl_attr_nest_end(nlh, nest);
	}
	answer = ask(nlh);
	free(buf);
	return answer;
}

static struct answer check_staged(void)
{
	struct nlmsghdr *nlh;
	char buf[1024];

	nlh = request(buf, MCFAB_CMD_TABLE_CHECK, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "f");
	mnl_attr_put(nlh, MCFAB_A_TABLE_STAGED, 0, NULL);
	return ask(nlh);
}

static struct answer begin_tables(void)
{
	char buf[1024];

	return ask(request(buf, MCFAB_CMD_TABLE_BEGIN, NLM_F_ACK, MCFAB_A_TABLE_FABRIC, "f"));
}

/* The tables of the first entries have room, those of all have not. */
static void refused_tables(void)
{
	unsigned long long left;
	struct answer got;

	begin("20");
	CHECK(new_fabric("f", 40, true).error == 0);
	CHECK(begin_tables().error == 0);
	left = mcfab_user_memory_left();
	got = append(0xc000, 1000);
	CHECK(got.error == -ENOMEM && got.text);
	CHECK(mcfab_user_memory_left() == left);
	CHECK(as_charged());
	CHECK(append(0xc000, 10).error == 0);
	left = mcfab_user_memory_left();
	got = append(0xc005, 1000);
	CHECK(got.error == -ENOMEM && got.text);
	CHECK(mcfab_user_memory_left() == left);
	CHECK(as_charged());
	end();
	report("tables that are refused take nothing");
}

/* A check takes as much for a while as the tables of all groups, and gives it back. */
static void checked_tables(const char *mb, int error)
{
	unsigned long long left;
	struct answer got;

	begin(mb);
	CHECK(new_fabric("f", 40, true).error == 0);
	CHECK(about_group(MCFAB_CMD_GROUP_NEW, true).error == 0);
	CHECK(about_group(MCFAB_CMD_GROUP_ASSIGN, false).error == 0);
	CHECK(begin_tables().error == 0);
	CHECK(append(0xe000, 1).error == 0);
	left = mcfab_user_memory_left();
	got = check_staged();
	printf("# %llu MiB left: %d\n", left >> 20, got.error);
	CHECK(got.error == error);
	CHECK(!error || got.text);
	CHECK(mcfab_user_memory_left() == left);
	CHECK(as_charged());
	end();
}

int main(void)
{
	puts("TAP version 13\n1..9");
	fflush(stdout);
	many_fabrics();
	one_fabric();
	thread_charges();
	open_plans("2048", -EBUSY);
	report("plans that are shown are bounded in number");
	open_plans("8", -ENOMEM);
	report("and in bytes");
	sparse_tables();
	refused_tables();
	checked_tables("2048", 0);
	report("the check of loaded tables gives back what it took");
	checked_tables("60", -ENOMEM);
	report("and so does one for which there is too little");
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
