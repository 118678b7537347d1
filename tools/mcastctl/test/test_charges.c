// SPDX-License-Identifier: GPL-2.0
/*
 * What requests take is charged, shown, bounded and given back; long dumps let others run:
 * the module in user space.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "tap.h"

static unsigned long long limit;

/** struct shown - what messages of a dump say */
struct shown {
	unsigned long long bytes;	/* of the fabrics, all together */
	u32 later;			/* rows that only say that the search goes on */
};

static void look(const struct nlmsghdr *nlh, void *arg)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr;
	struct shown *shown = arg;
	u64 value;

	mnl_attr_for_each(attr, nlh, sizeof(*genl)) {
		shown->later += genl->cmd == MCFAB_CMD_TABLE_GET &&
				mnl_attr_get_type(attr) == MCFAB_A_TABLE_BUILDING;
		if (genl->cmd != MCFAB_CMD_FABRIC_GET ||
		    mnl_attr_get_type(attr) != MCFAB_A_FABRIC_BYTES)
			continue;
		value = 0;
		memcpy(&value, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
		shown->bytes += value;
	}
}

/* What is charged is what is shown. */
static bool as_charged(void)
{
	struct shown shown = {};
	struct answer all = { .message = look, .arg = &shown };

	ask_by(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL), &all);
	if (shown.bytes == limit - mcfab_user_memory_left())
		return true;
	printf("# %llu bytes are shown, %llu are charged\n", shown.bytes,
	       limit - mcfab_user_memory_left());
	return false;
}

static void begin(const char *mb)
{
	CHECK(open_module(mb));
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
		got = ask(new_mesh(name, 1, false));
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
	struct nlmsghdr *nlh = new_run("f", policy, MCFAB_WORKLOAD_TYPE_LONE);

	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 20);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 3);
	return ask(nlh);
}

static struct answer long_run(void)
{
	struct nlmsghdr *nlh = new_run("f", "unicast", MCFAB_WORKLOAD_TYPE_POISSON);

	mnl_attr_put_u32(nlh, MCFAB_A_RUN_RATE_PPB, 1000);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WARMUP, 1000000000);
	return ask(nlh);
}

/* A list that takes so many bytes, in place of the one before. */
static struct answer fill(unsigned long long bytes)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_UPLOAD_DISCARD, NLM_F_ACK,
				       MCFAB_A_UPLOAD_FABRIC, "f");

	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	ask(nlh);
	return ask(new_upload("f", 1, bytes / sizeof(u32)));
}

/*
 * There is room for all of a run but its threads: more from time to time, as the statistics of the
 * run before are given back only when all of the new run is there.
 */
static void thread_charges(void)
{
	unsigned long long need, left;
	struct answer got = {};
	u32 more;

	begin("32");
	CHECK(ask(new_mesh("f", 2, false)).error == 0);
	need = mcfab_user_memory_left();
	CHECK(long_run().error == 0);
	need -= mcfab_user_memory_left();
	stop_run("f");
	left = mcfab_user_memory_left() - need;
	for (more = 0; more < 64 && !strstr(got.why, "router threads"); more++) {
		CHECK(!fill(left - 4096 * (more + 1)).error);
		got = long_run();
		if (!got.error)
			stop_run("f");
		CHECK(as_charged());
	}
	printf("# a run takes %llu bytes; with %u more: %s\n", need, more * 4096, got.why);
	CHECK(got.error == -ENOMEM && strstr(got.why, "router threads"));
	CHECK(!fill(left - 4096 * (more + 16)).error);
	CHECK(!long_run().error);
	stop_run("f");
	end();
	report("threads of a run count");
}

static void one_fabric(void)
{
	unsigned long long idle;

	begin("2048");
	CHECK(ask(new_mesh("f", 16, true)).error == 0);
	CHECK(as_charged());
	idle = mcfab_user_memory_left();
	CHECK(run("dp").error == 0);
	CHECK(mcfab_user_memory_left() < idle);
	stop_run("f");
	CHECK(as_charged());
	CHECK(mcfab_user_memory_left() < idle);
	CHECK(!ask(request(MCFAB_CMD_STATS_RESET, NLM_F_ACK, MCFAB_A_STATS_FABRIC, "f")).error);
	CHECK(mcfab_user_memory_left() == idle);
	CHECK(as_charged());
	CHECK(run("qg").error == 0);
	stop_run("f");
	CHECK(as_charged());
	/* a run that has no end: its threads and its engine count, too */
	CHECK(long_run().error == 0);
	CHECK(as_charged());
	stop_run("f");
	CHECK(as_charged());
	CHECK(ask(new_upload("f", 1000, 1000)).error == 0);
	CHECK(as_charged());
	end();
	report("a fabric shows what is charged for it, and a reset gives back");
}

static u32 depth, deepest;
/* of each plan that is under way: the first part, which says that it is to be made, was sent */
static bool building[256];
static struct answer refusal;

static struct answer plan(mcfab_user_take_t part)
{
	struct answer answer = { .part = part, .arg = &answer };
	struct nlmsghdr *nlh;
	char *buf = malloc(1 << 14);

	nlh = request_in(buf, MCFAB_CMD_PLAN_GET, NLM_F_DUMP, MCFAB_A_PLAN_FABRIC, "f");
	mnl_attr_put_strz(nlh, MCFAB_A_PLAN_POLICY, "dp");
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SOURCE, 0);
	put_range(nlh, MCFAB_A_PLAN_DESTINATIONS, 1, 1599);
	building[depth] = false;
	ask_by(nlh, &answer);
	free(buf);
	return answer;
}

/* Between two parts of a plan that was made another one is asked for. */
static void deeper(const void *data, size_t len, void *arg)
{
	struct answer answer = *(struct answer *)arg;

	(void)data;
	(void)len;
	if (answer.error)
		return;
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
	CHECK(ask(new_mesh("f", 40, false)).error == 0);
	plan(deeper);
	printf("# %u plans at a time with %s MiB\n", deepest, mb);
	CHECK(deepest > 1 && deepest <= 64);
	CHECK(refusal.error == error && refusal.text);
	CHECK(as_charged());
	CHECK(plan(NULL).error == 0);
	end();
}

static struct answer group_of(u8 cmd, const char *name, bool members)
{
	struct nlmsghdr *nlh = about_group(cmd, "f", name);

	if (members)
		put_range(nlh, MCFAB_A_GROUP_MEMBERS, 1, 3);
	return ask(nlh);
}

static void sparse_tables(void)
{
	struct shown shown = {};
	struct answer got = { .message = look, .arg = &shown };
	struct nlmsghdr *nlh;

	begin("2048");
	CHECK(ask(new_mesh("f", 32, true)).error == 0);
	CHECK(group_of(MCFAB_CMD_GROUP_NEW, "g", true).error == 0);
	nlh = about_group(MCFAB_CMD_GROUP_ASSIGN, "f", "g");
	mnl_attr_put_u32(nlh, MCFAB_A_GROUP_SOURCE, 0);
	CHECK(ask(nlh).error == 0);
	/* the last one, so that all before it are looked at */
	nlh = about_group(MCFAB_CMD_GROUP_NEW, "f", "h");
	put_range(nlh, MCFAB_A_GROUP_MEMBERS, 1, 3);
	mnl_attr_put_u32(nlh, MCFAB_A_GROUP_LID, 0xfffe);
	CHECK(ask(nlh).error == 0);
	nlh = request(MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "f");
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_KIND, MCFAB_TABLE_KIND_MFT);
	ask_by(nlh, &got);
	CHECK(got.error == 0);
	printf("# %u messages, %u of them without an entry\n", got.messages, shown.later);
	/* 1024 switches, each with 16383 multicast LIDs to look at, 8192 in each part */
	CHECK(shown.later >= 1024 && shown.later < got.messages);
	end();
	report("a dump of multicast tables has many short parts");
}

/* One row of each of @count multicast LIDs. */
static struct answer append(u32 first, u32 count)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_APPEND, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				       "f");
	u32 i;

	for (i = 0; i < count; i++)
		put_entry(nlh, MCFAB_TABLE_KIND_MFT, first + i, 1);
	return ask(nlh);
}

static struct answer check_staged(void)
{
	struct nlmsghdr *nlh;

	nlh = request(MCFAB_CMD_TABLE_CHECK, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "f");
	mnl_attr_put(nlh, MCFAB_A_TABLE_STAGED, 0, NULL);
	return ask(nlh);
}

static struct answer begin_tables(void)
{
	return ask(request(MCFAB_CMD_TABLE_BEGIN, NLM_F_ACK, MCFAB_A_TABLE_FABRIC, "f"));
}

/* The tables of the first entries have room, those of all have not. */
static void refused_tables(void)
{
	unsigned long long left;
	struct answer got;

	begin("20");
	CHECK(ask(new_mesh("f", 40, true)).error == 0);
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
	CHECK(ask(new_mesh("f", 40, true)).error == 0);
	CHECK(group_of(MCFAB_CMD_GROUP_NEW, "g", true).error == 0);
	CHECK(group_of(MCFAB_CMD_GROUP_ASSIGN, "g", false).error == 0);
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
	checked_tables("110", -ENOMEM);
	report("and so does one for which there is too little");
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
