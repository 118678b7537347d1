// SPDX-License-Identifier: GPL-2.0
/*
 * What is refused for want of memory says so and changes nothing: the module in user space,
 * each of whose allocations fails once, and which may take ever more memory. Nor does what is
 * given up because its process is killed, or an answer that does not fit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "tap.h"

#define MOST		400
#define SNAPSHOT	(4 << 20)

/** struct snapshot - all that can be seen */
struct snapshot {
	size_t len;
	char *data;
};

static struct nlmsghdr *other_fabric(u32 n)
{
	static char name[16];

	snprintf(name, sizeof(name), "m%u", n);
	return new_mesh(name, 5, true);
}

static struct nlmsghdr *new_group(const char *name)
{
	struct nlmsghdr *nlh = about_group(MCFAB_CMD_GROUP_NEW, "l", name);

	put_range(nlh, MCFAB_A_GROUP_MEMBERS, 1, 3);
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
	(void)n;
	return about_group(MCFAB_CMD_GROUP_ASSIGN, "l", "g");
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
	struct nlmsghdr *nlh = new_run("l", "xy-union", MCFAB_WORKLOAD_TYPE_POISSON);

	(void)n;
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_RATE_PPB, 10000);
	mnl_attr_put_strz(nlh, MCFAB_A_RUN_GROUP, "g");
	return nlh;
}

static struct nlmsghdr *upload(u32 n)
{
	(void)n;
	return new_upload("l", 100, 100);
}

/* announced anew, so that no list has its memory yet */
static struct nlmsghdr *append_upload(u32 n)
{
	static const u32 one = 1;
	static const u64 cycle;
	struct nlmsghdr *nlh;

	CHECK(!ask(upload(n)).error);
	nlh = request(MCFAB_CMD_UPLOAD_APPEND, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC, "l");
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put(nlh, MCFAB_A_UPLOAD_CYCLES, sizeof(cycle), &cycle);
	mnl_attr_put(nlh, MCFAB_A_UPLOAD_SOURCES, sizeof(one), &one);
	mnl_attr_put(nlh, MCFAB_A_UPLOAD_COUNTS, sizeof(one), &one);
	mnl_attr_put(nlh, MCFAB_A_UPLOAD_DESTINATIONS, sizeof(one), &one);
	return nlh;
}

static struct nlmsghdr *graph(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_GRAPH_BEGIN, NLM_F_ACK, MCFAB_A_GRAPH_FABRIC, "i");

	(void)n;
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_SWITCHES, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOSTS, 2);
	return nlh;
}

static struct nlmsghdr *append_graph(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_GRAPH_APPEND, NLM_F_ACK, MCFAB_A_GRAPH_FABRIC,
				       "i");
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_GRAPH_SWITCH);
	u32 i;

	(void)n;
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_SWITCH_PORTS, 3);
	mnl_attr_nest_end(nlh, nest);
	for (i = 0; i < 2; i++) {
		nest = mnl_attr_nest_start(nlh, MCFAB_A_GRAPH_HOST);
		mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOST_SWITCH, 0);
		mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOST_PORT, i + 1);
		mnl_attr_nest_end(nlh, nest);
	}
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

static struct nlmsghdr *change_group(u8 cmd)
{
	struct nlmsghdr *nlh = about_group(cmd, "l", "g");
	static const u32 member[] = { 7, 35 };

	mnl_attr_put(nlh, MCFAB_A_GROUP_MEMBERS, sizeof(member), member);
	return nlh;
}

static struct nlmsghdr *join(u32 n)
{
	(void)n;
	return change_group(MCFAB_CMD_GROUP_JOIN);
}

static struct nlmsghdr *leave(u32 n)
{
	(void)n;
	return change_group(MCFAB_CMD_GROUP_LEAVE);
}

/* Two for the same LID; the others' tables are those of group g, or of no group. */
static void put_entries(struct nlmsghdr *nlh, u32 mlid)
{
	put_entry(nlh, MCFAB_TABLE_KIND_LFT, 5, 2);
	put_entry(nlh, MCFAB_TABLE_KIND_LFT, 5, 3);
	put_entry(nlh, MCFAB_TABLE_KIND_MFT, 0xc000, 4);
	put_entry(nlh, MCFAB_TABLE_KIND_MFT, mlid, 1);
}

static struct nlmsghdr *set_tables(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_SET, NLM_F_ACK, MCFAB_A_TABLE_FABRIC, "l");

	(void)n;
	put_entries(nlh, 0xc001);
	return nlh;
}

static struct nlmsghdr *append(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_APPEND, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				       "l");

	(void)n;
	put_entries(nlh, 0xe000);
	return nlh;
}

static struct nlmsghdr *append_lfts(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_APPEND, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				       "l");

	(void)n;
	put_entry(nlh, MCFAB_TABLE_KIND_LFT, 6, 2);
	return nlh;
}

static struct nlmsghdr *check_staged(u32 n)
{
	struct nlmsghdr *nlh = check_tables(n);

	mnl_attr_put(nlh, MCFAB_A_TABLE_STAGED, 0, NULL);
	return nlh;
}

static struct nlmsghdr *commit(u32 n)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_COMMIT, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				       "l");

	(void)n;
	mnl_attr_put(nlh, MCFAB_A_TABLE_FORCE, 0, NULL);
	return nlh;
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

/* As much as there is room for: of the tables of big fabrics, the first rows. */
static void keep(const void *data, size_t len, void *arg)
{
	struct snapshot *all = arg;

	if (all->len + len > SNAPSHOT)
		return;
	memcpy(all->data + all->len, data, len);
	all->len += len;
}

static void ask_and_keep(const struct nlmsghdr *nlh, struct snapshot *all)
{
	struct answer answer = { .part = keep, .arg = all };

	ask_by(nlh, &answer);
}

/* All that can be seen of what there is, and how much memory may still be taken. */
static struct snapshot snapshot(void)
{
	unsigned long long left = mcfab_user_memory_left();
	struct snapshot all = { .data = malloc(SNAPSHOT) };
	struct nlmsghdr *nlh;
	u32 kind;

	if (!all.data)
		abort();
	ask_and_keep(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP, 0, NULL), &all);
	ask_and_keep(request(MCFAB_CMD_RUN_GET, NLM_F_DUMP, 0, NULL), &all);
	ask_and_keep(request(MCFAB_CMD_GROUP_GET, NLM_F_DUMP, MCFAB_A_GROUP_FABRIC, "l"), &all);
	for (kind = MCFAB_TABLE_KIND_LFT; kind <= MCFAB_TABLE_KIND_MFT; kind++) {
		nlh = request(MCFAB_CMD_TABLE_GET, NLM_F_DUMP, MCFAB_A_TABLE_FABRIC, "l");
		mnl_attr_put_u32(nlh, MCFAB_A_TABLE_KIND, kind);
		ask_and_keep(nlh, &all);
	}
	CHECK(all.len > 200 && all.len + sizeof(left) < SNAPSHOT);
	keep(&left, sizeof(left), &all);
	return all;
}

static bool same(const struct snapshot *a, const struct snapshot *b)
{
	return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

/* Each allocation of a request fails in turn. */
static void each_fails(const char *name, struct nlmsghdr *(*make)(u32))
{
	u32 n, refusals = 0, mute = 0, changed = 0;
	struct snapshot before, after;
	struct answer got;
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

/* The process that asks is killed, ever later. A change that is given up has no answer. */
static void each_killed(const char *name, struct nlmsghdr *(*make)(u32))
{
	struct snapshot before, after;
	struct answer got;
	u32 n, kills = 0, changed = 0;
	struct nlmsghdr *nlh;
	bool killed = true;

	for (n = 1; n < MOST && killed; n++) {
		before = snapshot();
		nlh = make(n);
		mcfab_user_kill(n);
		got = ask(nlh);
		killed = mcfab_user_killed();
		mcfab_user_kill(0);
		after = snapshot();
		if (killed) {
			kills++;
			changed += !same(&before, &after);
			if (!same(&before, &after))
				printf("# %s, killed at look %u: changed\n", name, n);
		}
		free(before.data);
		free(after.data);
	}
	printf("# %s: killed at each of %u looks for a signal\n", name, kills);
	CHECK(!killed && !got.error);
	CHECK(kills > 2 && !changed);
	report(name);
}

/* A fabric whose answer cannot be filled in is not there. */
static void not_filled(void)
{
	struct snapshot before = snapshot(), after;
	struct answer got;

	mcfab_user_fail_fill(1);
	got = ask(new_mesh("n", 5, true));
	mcfab_user_fail_fill(0);
	CHECK(got.error == -EMSGSIZE && got.text);
	after = snapshot();
	CHECK(same(&before, &after));
	got = ask(request(MCFAB_CMD_FABRIC_GET, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "n"));
	CHECK(got.error == -ENOENT);
	CHECK(!ask(new_mesh("n", 5, true)).error);
	CHECK(!ask(request(MCFAB_CMD_FABRIC_DEL, NLM_F_ACK, MCFAB_A_FABRIC_NAME, "n")).error);
	free(before.data);
	free(after.data);
	report("a fabric whose answer does not fit");
}

/* Groups, tables and what is loaded. */
static void table_changes(void)
{
	each_fails("members that join", join);
	each_killed("members that leave", leave);
	each_killed("members that join, killed", join);
	each_fails("members that leave, without memory", leave);
	each_fails("entries that are set", set_tables);
	each_killed("entries that are set, killed", set_tables);
	each_fails("tables on their way", load_tables);
	each_fails("tables that are loaded", append);
	each_fails("the check of loaded tables", check_staged);
	each_killed("the check of loaded tables, killed", check_staged);
	each_fails("tables that are put in place", commit);
	CHECK(!ask(load_tables(0)).error && !ask(append(0)).error);
	each_killed("tables that are put in place, killed", commit);
	CHECK(!ask(load_tables(0)).error && !ask(append_lfts(0)).error);
	each_fails("the check of unicast tables", check_staged);
	each_killed("unicast tables that are put in place", commit);
}

static void begin(const char *mb, u32 side)
{
	CHECK(open_module(mb));
	CHECK(ask(new_mesh("l", side, true)).error == 0);
	CHECK(ask(new_group("g")).error == 0);
}

/* Multicast LIDs and their tables have room, or the run has, but not both. */
static void too_little(void)
{
	static const char *const mb[] = { "75", "80", "85", "90", "95" };
	u32 i, refusals = 0;

	for (i = 0; i < ARRAY_SIZE(mb); i++) {
		struct snapshot before, after;
	struct answer got;

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
	puts("TAP version 13\n1..29");
	fflush(stdout);
	begin("2048", 6);
	each_fails("a fabric", other_fabric);
	each_fails("a group", other_group);
	each_fails("a plan", plan);
	each_fails("a run", run);
	stop_run("l");
	each_fails("multicast LIDs", assign);
	CHECK(!ask(upload(0)).error);
	each_fails("an upload", append_upload);
	each_fails("a graph", graph);
	each_fails("parts of a graph", append_graph);
	each_fails("the check of tables", check_tables);
	table_changes();
	not_filled();
	each_fails("the fabric is shown", show);
	each_fails("the run is shown", show_run);
	each_fails("a node is shown", show_node);
	mcfab_user_close();
	report("all is taken down");
	too_little();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
