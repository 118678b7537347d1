// SPDX-License-Identifier: GPL-2.0
/*
 * Which requests a kernel would leave to threads, as its handlers may not take long: whatever
 * it is that makes them long, and no others. And what is shown of fabrics takes as long
 * whatever their size. The module in user space.
 */
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

int main(void)
{
	puts("TAP version 13\n1..7");
	fflush(stdout);
	test_fabrics();
	test_implied();
	test_group();
	test_list();
	test_failures();
	test_loading();
	test_shown();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
