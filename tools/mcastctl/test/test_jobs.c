// SPDX-License-Identifier: GPL-2.0
/*
 * Which requests a kernel would leave to threads, as its handlers may not take long: whatever
 * it is that makes them long, and no others. What is shown of fabrics takes as long whatever
 * their size, and what is announced takes no memory before it comes. The module in user space.
 */
#include <errno.h>

#include "ask.h"
#include "tap.h"

/* Is it served, and by a thread? */
static bool left_to_thread(const struct nlmsghdr *nlh)
{
	unsigned long before = mcfab_user_deferred();
	int error = ask(nlh).error;

	CHECK(!error);
	if (error)
		printf("# error %d\n", error);
	return mcfab_user_deferred() > before;
}

static void begin(void)
{
	CHECK(open_module("2048"));
}

static void end(const char *what)
{
	mcfab_user_close();
	report(what);
}

static struct nlmsghdr *new_random(const char *name, u32 switches, u32 ports, u32 hosts)
{
	struct nlmsghdr *nlh = new_fabric(name, "irregular");

	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_SWITCHES, switches);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_SWITCH_PORTS, ports);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_HOSTS, hosts);
	return nlh;
}

static void test_fabrics(void)
{
	begin();
	CHECK(!left_to_thread(new_mesh("a", 8, true)));
	CHECK(!left_to_thread(new_mesh("b", 40, false)));
	CHECK(left_to_thread(new_mesh("c", 40, true)));
	/* each switch's search looks at all ports */
	CHECK(!left_to_thread(new_random("d", 64, 8, 64)));
	CHECK(left_to_thread(new_random("e", 64, 64, 64)));
	end("fabrics with LIDs, and switches with many ports");
}

static void stop(const char *fabric)
{
	CHECK(!stop_run(fabric).error);
}

static struct nlmsghdr *lone(const char *fabric, const char *policy)
{
	struct nlmsghdr *nlh = new_run(fabric, policy, MCFAB_WORKLOAD_TYPE_LONE);

	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 3);
	return nlh;
}

static void test_implied(void)
{
	struct nlmsghdr *nlh;

	begin();
	nlh = new_mesh("f", 40, false);
	/* packets that follow tables are buffered as a whole */
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_SWITCHING, MCFAB_SWITCHING_MODE_CUT_THROUGH);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_BUFFER_PACKETS, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_VC_RELEASE, MCFAB_VC_RELEASE_MODE_SENT);
	CHECK(!ask(nlh).error);
	CHECK(!left_to_thread(lone("f", "dp")));
	stop("f");
	CHECK(left_to_thread(lone("f", "xy-union")));
	stop("f");
	/* the LIDs are there now */
	CHECK(!left_to_thread(lone("f", "xy-union")));
	stop("f");
	end("LIDs that a policy cannot do without");
}

static void test_group(void)
{
	struct nlmsghdr *nlh;

	begin();
	CHECK(!ask(new_mesh("f", 16, true)).error);
	nlh = about_group(MCFAB_CMD_GROUP_NEW, "f", "g");
	put_range(nlh, MCFAB_A_GROUP_MEMBERS, 0, 255);
	CHECK(!left_to_thread(nlh));
	nlh = new_run("f", "xy-union", MCFAB_WORKLOAD_TYPE_LONE);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_COUNT, 300);
	mnl_attr_put_strz(nlh, MCFAB_A_RUN_GROUP, "g");
	CHECK(left_to_thread(nlh));
	stop("f");
	end("tables of a group for each source");
}

static void append(u16 attr, size_t size, const void *data)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_UPLOAD_APPEND, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC,
				       "f");

	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put(nlh, attr, size, data);
	CHECK(!ask(nlh).error);
}

/* @nmsgs messages with @each destinations, all from node 0 */
static void upload(u32 nmsgs, u32 each)
{
	u32 count[1500], source[1500] = {}, dst[255], i;
	u64 cycle[1500] = {};

	for (i = 0; i < nmsgs; i++)
		count[i] = each;
	for (i = 0; i < each; i++)
		dst[i] = i + 1;
	CHECK(!ask(new_upload("f", nmsgs, nmsgs * each)).error);
	append(MCFAB_A_UPLOAD_COUNTS, nmsgs * sizeof(*count), count);
	append(MCFAB_A_UPLOAD_SOURCES, nmsgs * sizeof(*source), source);
	append(MCFAB_A_UPLOAD_CYCLES, nmsgs * sizeof(*cycle), cycle);
	for (i = 0; i < nmsgs; i++)
		append(MCFAB_A_UPLOAD_DESTINATIONS, each * sizeof(*dst), dst);
}

static void test_list(void)
{
	begin();
	CHECK(!ask(new_mesh("f", 16, false)).error);
	upload(1500, 1);
	CHECK(!left_to_thread(new_run("f", "dp", MCFAB_WORKLOAD_TYPE_FILE)));
	stop("f");
	upload(1500, 255);
	CHECK(left_to_thread(new_run("f", "dp", MCFAB_WORKLOAD_TYPE_FILE)));
	stop("f");
	end("lists of messages with many destinations");
}

static struct nlmsghdr *burst(u32 faults)
{
	struct nlmsghdr *nlh = new_run("f", "unicast", MCFAB_WORKLOAD_TYPE_BURST);
	struct nlattr *nest;
	u32 i;

	mnl_attr_put_u32(nlh, MCFAB_A_RUN_DESTS, 1);
	for (i = 0; i < faults; i++) {
		nest = mnl_attr_nest_start(nlh, MCFAB_A_RUN_FAULT);
		mnl_attr_put_u32(nlh, MCFAB_A_RUN_FAULT_AT, 1000 + i);
		mnl_attr_put_u32(nlh, MCFAB_A_RUN_FAULT_SWITCH, i + 1);
		mnl_attr_put_u32(nlh, MCFAB_A_RUN_FAULT_STATE, MCFAB_LINK_STATUS_DOWN);
		mnl_attr_nest_end(nlh, nest);
	}
	return nlh;
}

static void test_failures(void)
{
	struct nlmsghdr *nlh;

	begin();
	nlh = new_mesh("f", 9, false);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ROUTING, MCFAB_ROUTING_MODE_UPDOWN);
	CHECK(!ask(nlh).error);
	CHECK(!left_to_thread(burst(0)));
	stop("f");
	CHECK(!left_to_thread(burst(1)));
	stop("f");
	CHECK(left_to_thread(burst(16)));
	stop("f");
	end("a run's failures, each with routes of its own");
}

static struct nlmsghdr *load(u32 lid)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_TABLE_APPEND, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				       "f");

	put_entry(nlh, MCFAB_TABLE_KIND_LFT, lid, 0);
	return nlh;
}

/* 150 MB of tables */
static void test_loading(void)
{
	struct nlmsghdr *nlh;

	begin();
	nlh = new_random("f", 4000, 24, 32000);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	CHECK(left_to_thread(nlh));
	CHECK(!left_to_thread(request(MCFAB_CMD_TABLE_BEGIN, NLM_F_ACK, MCFAB_A_TABLE_FABRIC,
				      "f")));
	CHECK(left_to_thread(load(1)));
	CHECK(!left_to_thread(load(2)));
	end("the first entry of big tables that are loaded");
}

static u64 show_us(const char *name)
{
	u64 at = cpu_us();
	int i;

	for (i = 0; i < 100; i++)
		CHECK(!ask(request(MCFAB_CMD_FABRIC_GET, NLM_F_ACK, MCFAB_A_FABRIC_NAME,
				   name)).error);
	return cpu_us() - at;
}

static void test_shown(void)
{
	u64 small, big;

	begin();
	CHECK(!ask(new_mesh("s", 4, false)).error);
	CHECK(!ask(new_mesh("b", 700, false)).error);
	small = show_us("s");
	big = show_us("b");
	printf("# shown 100 times: 16 nodes %llu us, 490000 nodes %llu us\n",
	       (unsigned long long)small, (unsigned long long)big);
	CHECK(big < 10 * small);
	end("fabrics of any size are shown in the same time");
}

/* Memory is not zero that was not cleared, to 4 MiB. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "max_malloc_fill_size=4194304";
}

static size_t allocated;

void mcfab_user_allocated(void *p, size_t size)
{
	(void)p;
	allocated += size;
}

/* Bytes that a handler takes memory for. */
static size_t takes(const struct nlmsghdr *nlh)
{
	allocated = 0;
	CHECK(!left_to_thread(nlh));
	return allocated;
}

static struct nlmsghdr *begin_graph(u32 switches, u32 hosts, u32 links)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_GRAPH_BEGIN, NLM_F_ACK, MCFAB_A_GRAPH_FABRIC, "g");

	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_SWITCHES, switches);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOSTS, hosts);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_LINKS, links);
	return nlh;
}

static struct nlmsghdr *append_graph(void)
{
	return request(MCFAB_CMD_GRAPH_APPEND, NLM_F_ACK, MCFAB_A_GRAPH_FABRIC, "g");
}

static void put_switch(struct nlmsghdr *nlh, u32 i)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_GRAPH_SWITCH);

	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_SWITCH_PORTS, 3);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_SWITCH_GUID, i + 1);
	mnl_attr_nest_end(nlh, nest);
}

/* with a name every other one */
static void put_host(struct nlmsghdr *nlh, u32 i)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_GRAPH_HOST);

	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOST_SWITCH, i);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_HOST_PORT, 0);
	if (i % 2)
		mnl_attr_put_strz(nlh, MCFAB_A_GRAPH_HOST_NAME, "host");
	mnl_attr_nest_end(nlh, nest);
}

static void put_link(struct nlmsghdr *nlh, u32 i, u32 switches)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_GRAPH_LINK);

	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_LINK_SWITCH, i);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_LINK_PORT, 1);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_LINK_PEER_SWITCH, (i + 1) % switches);
	mnl_attr_put_u32(nlh, MCFAB_A_GRAPH_LINK_PEER_PORT, 2);
	mnl_attr_nest_end(nlh, nest);
}

/* A graph that has come back: its elements, and those that are not as they were sent. */
struct shown {
	u32 n[3];
	u32 wrong;
};

static void look_at(const struct nlattr *nest, struct shown *shown)
{
	u32 value[8] = {}, kind = mnl_attr_get_type(nest) - MCFAB_A_GRAPH_SWITCH, i;
	const struct nlattr *a;
	bool right;

	if (mnl_attr_get_type(nest) < MCFAB_A_GRAPH_SWITCH || kind > 2)
		return;
	i = shown->n[kind]++;
	mnl_attr_for_each_nested(a, nest) {
		if (mnl_attr_get_type(a) >= ARRAY_SIZE(value))
			shown->wrong++;
		else
			value[mnl_attr_get_type(a)] = mnl_attr_get_u32(a);
	}
	if (!kind)
		right = value[MCFAB_A_GRAPH_SWITCH_PORTS] == 3 &&
			!value[MCFAB_A_GRAPH_SWITCH_LID] &&
			value[MCFAB_A_GRAPH_SWITCH_GUID] == i + 1 &&
			!value[MCFAB_A_GRAPH_SWITCH_NAME];
	else if (kind == 1)
		right = value[MCFAB_A_GRAPH_HOST_SWITCH] == i && !value[MCFAB_A_GRAPH_HOST_LID] &&
			!value[MCFAB_A_GRAPH_HOST_GUID] && !value[MCFAB_A_GRAPH_HOST_PORT] &&
			!value[MCFAB_A_GRAPH_HOST_NAME] == !(i % 2);
	else
		right = value[MCFAB_A_GRAPH_LINK_SWITCH] == i &&
			value[MCFAB_A_GRAPH_LINK_PORT] == 1 &&
			value[MCFAB_A_GRAPH_LINK_PEER_PORT] == 2;
	shown->wrong += !right;
}

static void take_graph(const struct nlmsghdr *nlh, void *arg)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		look_at(attr, arg);
}

static struct nlmsghdr *new_policy_fabric(void)
{
	struct nlmsghdr *nlh = new_fabric("g", "irregular");

	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ROUTING, MCFAB_ROUTING_MODE_POLICY);
	return nlh;
}

/* Many pieces of memory, some of which are full at the end of a request. */
static void test_ring(void)
{
	const u32 n = 5000;
	struct shown shown = {};
	struct answer answer = { .message = take_graph, .arg = &shown };
	struct nlmsghdr *nlh;
	u32 i, k, refused = 0;

	begin();
	CHECK(takes(begin_graph(n, n, n)) < 65536);
	for (i = 0; i < n; i += 250) {
		/* a refusal leaves all as it was */
		nlh = append_graph();
		for (k = i; k < i + 250; k++)
			put_switch(nlh, n);
		put_link(nlh, 2 * MCFAB_GRAPH_SWITCHES_MAX, n);
		CHECK(ask(nlh).error == -ERANGE);
		nlh = append_graph();
		for (k = i; k < i + 250; k++) {
			put_switch(nlh, k);
			put_host(nlh, k);
			put_link(nlh, k, n);
		}
		CHECK(takes(nlh) < 1 << 20);
	}
	nlh = append_graph();
	put_link(nlh, 0, n);
	CHECK(ask(nlh).error == -EINVAL);
	/* a fabric that could not be made does not cost its graph */
	for (i = 1; i < 12; i++) {
		mcfab_user_fail(i);
		if (!ask(new_policy_fabric()).error)
			break;
		refused++;
	}
	mcfab_user_fail(0);
	printf("# a fabric of a graph: %u allocations refused\n", refused);
	CHECK(refused >= 5);
	if (i == 12)
		CHECK(left_to_thread(new_policy_fabric()));
	ask_by(request(MCFAB_CMD_GRAPH_GET, NLM_F_DUMP, MCFAB_A_GRAPH_FABRIC, "g"), &answer);
	CHECK(!answer.error);
	printf("# shown: %u switches, %u hosts, %u links; %u are wrong\n", shown.n[0], shown.n[1],
	       shown.n[2], shown.wrong);
	CHECK(shown.n[0] == n && shown.n[1] == n && shown.n[2] == n && !shown.wrong);
	end("a graph that goes up in many parts");
}

static void test_announced(void)
{
	struct nlmsghdr *nlh;
	u32 zero[2] = {};
	u64 left;

	begin();
	CHECK(takes(begin_graph(MCFAB_GRAPH_SWITCHES_MAX, MCFAB_MAX_NODES, MCFAB_GRAPH_LINKS_MAX)) <
	      65536);
	nlh = append_graph();
	put_switch(nlh, 0);
	put_host(nlh, 0);
	put_link(nlh, 0, 2);
	CHECK(takes(nlh) < 1 << 20);
	/* most of it is not there */
	CHECK(ask(new_fabric("g", "irregular")).error == -EINVAL);
	CHECK(!ask(request(MCFAB_CMD_GRAPH_DISCARD, NLM_F_ACK, MCFAB_A_GRAPH_FABRIC, "g")).error);

	CHECK(!ask(new_mesh("f", 16, false)).error);
	left = mcfab_user_memory_left();
	nlh = request(MCFAB_CMD_UPLOAD_BEGIN, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC, "f");
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_MESSAGES_TOTAL, 16 << 20);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, 64 << 20);
	CHECK(takes(nlh) < 65536);
	append(MCFAB_A_UPLOAD_SOURCES, sizeof(zero), zero);
	append(MCFAB_A_UPLOAD_DESTINATIONS, sizeof(zero), zero);
	CHECK(ask(new_run("f", "dp", MCFAB_WORKLOAD_TYPE_FILE)).error == -ENOENT);
	CHECK(left - mcfab_user_memory_left() >= 512 << 20);
	/* so much is given back by a work item */
	nlh = request(MCFAB_CMD_UPLOAD_DISCARD, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC, "f");
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	CHECK(takes(nlh) < 65536);
	CHECK(mcfab_user_memory_left() == left);
	end("what is announced takes no memory before it comes");
}

int main(void)
{
	puts("TAP version 13\n1..9");
	fflush(stdout);
	test_fabrics();
	test_implied();
	test_group();
	test_list();
	test_failures();
	test_loading();
	test_shown();
	test_ring();
	test_announced();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
