// SPDX-License-Identifier: GPL-2.0
/*
 * A second, independent decoder of the ABI: libnl-3, with nothing shared with the
 * tool or with YNL but the UAPI header. Every attribute that comes is checked for
 * its type and length; refusals are checked down to the offset in the message.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/genetlink.h>

#include "client.h"

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

static void test_fabric(void)
{
	struct nl_msg *msg = fabric_new("c0", 5, 3);
	__u64 seed = 0x123456789abcdef0;
	__u32 id;

	nla_put_u32(msg, MCFAB_A_FABRIC_VCS, 3);
	nla_put_u32(msg, MCFAB_A_FABRIC_BUFFER, 7);
	nla_put(msg, MCFAB_A_FABRIC_SEED, sizeof(seed), &seed);
	nla_put_s32(msg, MCFAB_A_FABRIC_NICE, -5);
	nla_put_u32(msg, MCFAB_A_FABRIC_SWITCHING, MCFAB_SWITCHING_MODE_CUT_THROUGH);
	talk(msg, &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong,
			 "fabric-new: types of the answer\n");
	id = number(got.last[MCFAB_A_FABRIC_ID]);
	ksft_test_result(id && !strcmp(nla_get_string(got.last[MCFAB_A_FABRIC_NAME]), "c0") &&
			 number(got.last[MCFAB_A_FABRIC_NODES]) == 15 &&
			 number(got.last[MCFAB_A_FABRIC_PORTS]) == 4 &&
			 number(got.last[MCFAB_A_FABRIC_CHANNELS]) == 2 * (4 * 3 + 5 * 2) &&
			 number(got.last[MCFAB_A_FABRIC_VCS]) == 3 &&
			 number(got.last[MCFAB_A_FABRIC_BUFFER]) == 7 &&
			 number(got.last[MCFAB_A_FABRIC_SEED]) == seed &&
			 nla_get_s32(got.last[MCFAB_A_FABRIC_NICE]) == -5 &&
			 number(got.last[MCFAB_A_FABRIC_SWITCHING]) ==
			 MCFAB_SWITCHING_MODE_CUT_THROUGH &&
			 number(got.last[MCFAB_A_FABRIC_STATE]) == MCFAB_RUN_STATUS_IDLE,
			 "fabric-new: values of the answer\n");

	msg = request(MCFAB_CMD_FABRIC_GET, 0);
	nla_put_u32(msg, MCFAB_A_FABRIC_ID, id);
	talk(msg, &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 got.cmd == MCFAB_CMD_FABRIC_GET &&
			 number(got.last[MCFAB_A_FABRIC_SEED]) == seed, "fabric-get by number\n");
	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong && !got.not_multi,
			 "fabric-get: dump\n");
}

static void test_show(void)
{
	talk(request(MCFAB_CMD_TOPOLOGY_GET, NLM_F_DUMP), &topology_set, NULL);
	ksft_test_result(!got.error && got.messages >= 1 && !got.wrong && !got.not_multi,
			 "topology-get: dump\n");

	static const char *const policies[] = { "unicast", "dp", "mp", "cp", "qg" };
	bool good = true;

	for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
		struct nl_msg *msg = request(MCFAB_CMD_POLICY_GET, 0);

		nla_put_string(msg, MCFAB_A_POLICY_NAME, policies[i]);
		good &= !talk(msg, &policy_set, NULL) && got.messages == 1 && !got.wrong &&
			!strcmp(nla_get_string(got.last[MCFAB_A_POLICY_NAME]), policies[i]) &&
			number(got.last[MCFAB_A_POLICY_SERVES]) & MCFAB_SERVES_MESH;
	}
	ksft_test_result(good, "policy-get: five policies\n");
	talk(request(MCFAB_CMD_POLICY_GET, NLM_F_DUMP), &policy_set, NULL);
	ksft_test_result(!got.error && got.messages >= 5 && !got.wrong && !got.not_multi,
			 "policy-get: dump\n");

	about(MCFAB_CMD_NODE_GET, NLM_F_DUMP, "c0", &node_set, NULL);
	ksft_test_result(!got.error && got.messages == 15 && !got.wrong && !got.not_multi &&
			 number(got.last[MCFAB_A_NODE_NODE]) == 14, "node-get: dump\n");
}

static struct {
	__u32 summaries, worms, traffic, hops, dests, arrivals;
	__u64 completion, last;
} plan;

static void plan_part(struct nlattr **tb)
{
	struct nlattr *in[MCFAB_A_PLAN_WORM_MAX + 1];
	const __u64 *pair;
	int i;

	if (tb[MCFAB_A_PLAN_SUMMARY]) {
		nla_parse_nested(in, MCFAB_A_PLAN_SUMMARY_MAX, tb[MCFAB_A_PLAN_SUMMARY], NULL);
		plan.summaries++;
		plan.traffic = number(in[MCFAB_A_PLAN_SUMMARY_TRAFFIC]);
		plan.completion = number(in[MCFAB_A_PLAN_SUMMARY_COMPLETION]);
	}
	if (tb[MCFAB_A_PLAN_WORM]) {
		nla_parse_nested(in, MCFAB_A_PLAN_WORM_MAX, tb[MCFAB_A_PLAN_WORM], NULL);
		plan.worms = number(in[MCFAB_A_PLAN_WORM_ID]) + 1;
		if (in[MCFAB_A_PLAN_WORM_HOPS])
			plan.hops += nla_len(in[MCFAB_A_PLAN_WORM_HOPS]) / 16;
		if (in[MCFAB_A_PLAN_WORM_DESTINATIONS])
			plan.dests += nla_len(in[MCFAB_A_PLAN_WORM_DESTINATIONS]) / 4;
	}
	if (tb[MCFAB_A_PLAN_ARRIVALS]) {
		pair = nla_data(tb[MCFAB_A_PLAN_ARRIVALS]);
		for (i = 0; i < nla_len(tb[MCFAB_A_PLAN_ARRIVALS]) / 16; i++) {
			plan.arrivals++;
			if (pair[2 * i + 1] > plan.last)
				plan.last = pair[2 * i + 1];
		}
	}
}

static void test_plan(void)
{
	static const __u32 dests[] = { 14, 1, 7, 10 };
	struct nl_msg *msg = request(MCFAB_CMD_PLAN_GET, NLM_F_DUMP);

	nla_put_string(msg, MCFAB_A_PLAN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_PLAN_POLICY, "mp");
	nla_put_u32(msg, MCFAB_A_PLAN_SOURCE, 6);
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(dests), dests);
	nla_put_u32(msg, MCFAB_A_PLAN_MTU, 16);
	memset(&plan, 0, sizeof(plan));
	talk(msg, &plan_set, plan_part);
	ksft_test_result(!got.error && !got.wrong && !got.not_multi, "plan-get: types\n");
	ksft_test_result(plan.summaries == 1 && plan.worms >= 2 && plan.dests == 4 &&
			 plan.arrivals == 4 && plan.hops == plan.traffic &&
			 plan.completion == plan.last, "plan-get: values\n");
}

static struct {
	__u32 verdict, waits, messages, blocked;
} verdict;

static void verdict_part(struct nlattr **tb)
{
	if (tb[MCFAB_A_VERIFY_VERDICT])
		verdict.verdict = number(tb[MCFAB_A_VERIFY_VERDICT]);
	verdict.waits += !!tb[MCFAB_A_VERIFY_WAIT];
	verdict.messages += !!tb[MCFAB_A_VERIFY_MESSAGE];
	verdict.blocked += !!tb[MCFAB_A_VERIFY_BLOCKED];
}

/* With fewer consumption channels dual-path deadlocks; with more it does not. */
static void test_verify(void)
{
	struct nl_msg *msg = request(MCFAB_CMD_VERIFY, NLM_F_DUMP);
	bool found;

	nla_put_string(msg, MCFAB_A_VERIFY_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_VERIFY_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_VERIFY_BUFFER, 32);
	memset(&verdict, 0, sizeof(verdict));
	talk(msg, &verify_set, verdict_part);
	ksft_test_result(!got.error && !got.wrong && !got.not_multi && !verdict.waits &&
			 verdict.verdict == MCFAB_VERIFY_VERDICT_PROVED, "verify: proved\n");

	talk(fabric_new("c1", 4, 4), NULL, NULL);
	msg = request(MCFAB_CMD_VERIFY, NLM_F_DUMP);
	nla_put_string(msg, MCFAB_A_VERIFY_FABRIC, "c1");
	nla_put_string(msg, MCFAB_A_VERIFY_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_VERIFY_CONSUME, 1);
	memset(&verdict, 0, sizeof(verdict));
	talk(msg, &verify_set, verdict_part);
	found = verdict.waits && verdict.messages && verdict.blocked > 1;
	ksft_test_result(!got.error && !got.wrong && found &&
			 verdict.verdict == MCFAB_VERIFY_VERDICT_DEADLOCKS,
			 "verify: messages that deadlock\n");
	fabric_del("c1");
}

static struct nl_msg *run_start(const char *name, __u32 count)
{
	struct nl_msg *msg = request(MCFAB_CMD_RUN_START, 0);

	nla_put_string(msg, MCFAB_A_RUN_FABRIC, name);
	nla_put_string(msg, MCFAB_A_RUN_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_RUN_WORKLOAD, MCFAB_WORKLOAD_TYPE_LONE);
	nla_put_u32(msg, MCFAB_A_RUN_COUNT, count);
	nla_put_u32(msg, MCFAB_A_RUN_DESTS, 5);
	return msg;
}

/* Listen with a socket of our own until a good event comes, 30 s at most. */
static bool wait_event(struct nl_sock *ears, __u8 cmd)
{
	struct pollfd fd = { .fd = nl_socket_get_fd(ears), .events = POLLIN };
	int i;

	for (i = 0; i < 300; i++) {
		if (poll(&fd, 1, 100) <= 0)
			continue;
		expect(NULL, NULL);
		got.events = true;
		nl_recvmsgs_default(ears);
		if (got.wrong)
			return false;
		if (got.cmd == cmd)
			return true;
	}
	return false;
}

static struct nl_sock *listen_to(const char *group)
{
	struct nl_sock *ears = nl_socket_alloc();
	int id;

	if (!ears || genl_connect(ears) < 0)
		ksft_exit_fail_msg("no second socket\n");
	id = genl_ctrl_resolve_grp(ears, MCFAB_FAMILY_NAME, group);
	ksft_test_result(id >= 0, "the group %s exists\n", group);
	nl_socket_disable_seq_check(ears);
	nl_socket_set_buffer_size(ears, 1 << 20, 0);
	nl_socket_set_msg_buf_size(ears, 1 << 16);
	nl_socket_modify_cb(ears, NL_CB_VALID, NL_CB_CUSTOM, on_message, NULL);
	nl_socket_add_membership(ears, id);
	return ears;
}

static void test_run(void)
{
	struct nl_sock *ears = listen_to(MCFAB_MCGRP_MGMT);
	struct nlattr *in[MCFAB_A_CLASS_STATS_MAX + 1];
	struct nlattr *tail[MCFAB_A_SAMPLE_MAX + 1];
	__u64 hash;

	fabric_del("c0");
	talk(fabric_new("c0", 5, 3), NULL, NULL);
	talk(run_start("c0", 50), &run_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 number(got.last[MCFAB_A_RUN_RUN]) == 1 &&
			 number(got.last[MCFAB_A_RUN_EXPECTED]) == 50, "run-start: answer\n");
	ksft_test_result(wait_event(ears, MCFAB_CMD_RUN_FINISHED_NTF),
			 "run-finished-ntf comes\n");
	about(MCFAB_CMD_RUN_GET, 0, "c0", &run_set, NULL);
	ksft_test_result(!got.error && !got.wrong && got.last[MCFAB_A_RUN_HASH] &&
			 number(got.last[MCFAB_A_RUN_STATE]) == MCFAB_RUN_STATUS_DONE &&
			 number(got.last[MCFAB_A_RUN_DELIVERIES]) == 250, "run-get: answer\n");
	hash = number(got.last[MCFAB_A_RUN_HASH]);
	talk(request(MCFAB_CMD_RUN_GET, NLM_F_DUMP), &run_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong && !got.not_multi,
			 "run-get: dump\n");

	about(MCFAB_CMD_STATS_GET, 0, "c0", &stats_set, NULL);
	ksft_test_result(!got.error && got.messages == 1 && !got.wrong &&
			 number(got.last[MCFAB_A_STATS_HASH]) == hash, "stats-get: types\n");
	if (!got.last[MCFAB_A_STATS_MULTICAST])
		ksft_exit_fail_msg("stats without multicasts\n");
	nla_parse_nested(in, MCFAB_A_CLASS_STATS_MAX, got.last[MCFAB_A_STATS_MULTICAST], NULL);
	nla_parse_nested(tail, MCFAB_A_SAMPLE_MAX, in[MCFAB_A_CLASS_STATS_TAIL], NULL);
	ksft_test_result(number(tail[MCFAB_A_SAMPLE_COUNT]) == 250 &&
			 number(tail[MCFAB_A_SAMPLE_MINIMUM]) >= 2 + 33 + 1 + 32 &&
			 number(tail[MCFAB_A_SAMPLE_SUM]) / 250 ==
			 number(tail[MCFAB_A_SAMPLE_MEAN_MICRO]) / 1000000,
			 "stats-get: values\n");
	about(MCFAB_CMD_LINK_GET, NLM_F_DUMP, "c0", &link_set, NULL);
	ksft_test_result(!got.error && got.messages == 44 && !got.wrong && !got.not_multi,
			 "link-get: dump\n");
	about(MCFAB_CMD_HISTOGRAM_GET, NLM_F_DUMP, "c0", &bucket_set, NULL);
	ksft_test_result(!got.error && got.messages > 2 && !got.wrong && !got.not_multi,
			 "histogram-get: dump\n");
	fabric_del("c0");
	ksft_test_result(wait_event(ears, MCFAB_CMD_FABRIC_DEL_NTF),
			 "fabric-del-ntf comes\n");
	nl_socket_free(ears);
}

/* Where the n-th attribute of a type is, counted from the netlink header. */
static long offset_of(struct nl_msg *msg, int type, int n)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct nlattr *pos;
	int rem;

	nla_for_each_attr(pos, genlmsg_attrdata(nlmsg_data(nlh), 0),
			  genlmsg_attrlen(nlmsg_data(nlh), 0), rem)
		if (nla_type(pos) == type && !n--)
			return (char *)pos - (char *)nlh;
	return -2;
}

static void check_refusal(const char *what, struct nl_msg *msg, int error, const char *text,
			  int type, int n)
{
	long offset = offset_of(msg, type, n);

	talk(msg, NULL, NULL);
	ksft_test_result(got.error == error && strstr(got.text, text) && got.offset == offset,
			 "%s is refused\n", what);
	if (got.error != error || !strstr(got.text, text) || got.offset != offset)
		ksft_print_msg("error %d \"%s\" at %ld, not %d at %ld\n", got.error, got.text,
			       got.offset, error, offset);
}

static void test_refusals(void)
{
	__u32 list[3] = { 1, 2, 3 };
	struct nl_msg *msg;

	talk(fabric_new("c0", 5, 3), NULL, NULL);
	check_refusal("a name that is taken", fabric_new("c0", 5, 3), EEXIST, "exists",
		      MCFAB_A_FABRIC_NAME, 0);
	check_refusal("a dimension of 0", fabric_new("c1", 5, 0), EINVAL, "no nodes",
		      MCFAB_A_FABRIC_DIMS, 1);
	check_refusal("too many nodes", fabric_new("c1", 65535, 17), EINVAL, "more than 1048576",
		      MCFAB_A_FABRIC_DIMS, 1);
	msg = fabric_new("c1", 5, 3);
	nla_put_u32(msg, MCFAB_A_FABRIC_VCS, 0);
	check_refusal("no virtual channel", msg, ERANGE, "out of range", MCFAB_A_FABRIC_VCS, 0);

	/* Two lists: the second one holds the bad number. */
	msg = request(MCFAB_CMD_PLAN_GET, NLM_F_DUMP);
	nla_put_string(msg, MCFAB_A_PLAN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_PLAN_POLICY, "dp");
	nla_put_u32(msg, MCFAB_A_PLAN_SOURCE, 6);
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(list), list);
	list[2] = 15;
	nla_put(msg, MCFAB_A_PLAN_DESTINATIONS, sizeof(list) - 4, list + 1);
	check_refusal("twice in two lists", msg, EINVAL, "destination 2 occurs twice",
		      MCFAB_A_PLAN_DESTINATIONS, 1);

	msg = run_start("c0", 1);
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, "c9");
	check_refusal("a fabric that is not there", msg, ENOENT, "no such fabric",
		      MCFAB_A_RUN_FABRIC, 1);

	msg = request(MCFAB_CMD_RUN_START, 0);
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, "c0");
	nla_put_string(msg, MCFAB_A_RUN_POLICY, "dp");
	talk(msg, NULL, NULL);
	ksft_test_result(got.error == EINVAL && got.missing == MCFAB_A_RUN_WORKLOAD &&
			 strstr(got.text, "missing"), "refused: no workload\n");
	fabric_del("c0");
}

/*
 * A dump in several parts between which a fabric comes. The buffer that receives
 * is small, and nobody reads on before the change is made.
 */
static void test_consistency(void)
{
	struct nl_sock *slow = nl_socket_alloc();
	char name[16], buf[8192];
	bool marked = false, done = false;
	struct nl_msg *msg;
	int i, n, fd;

	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		talk(fabric_new(name, 2, 2), NULL, NULL);
	}
	genl_connect(slow);
	fd = nl_socket_get_fd(slow);
	msg = request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP);
	nl_send_auto(slow, msg);
	nlmsg_free(msg);
	for (i = 0; !done; i++) {
		struct nlmsghdr *nlh = (void *)buf;

		n = recv(fd, buf, sizeof(buf), 0);
		for (; n > 0 && NLMSG_OK(nlh, (unsigned int)n); nlh = NLMSG_NEXT(nlh, n)) {
			marked |= !!(nlh->nlmsg_flags & NLM_F_DUMP_INTR);
			done |= nlh->nlmsg_type == NLMSG_DONE;
		}
		if (n < 0 || i > 1000)
			break;
		if (!i)
			talk(fabric_new("between", 2, 2), NULL, NULL);
	}
	ksft_test_result(done && marked, "a dump that a new fabric got into is marked\n");
	nl_socket_free(slow);

	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(got.messages == 41 && !got.wrong && !got.interrupted,
			 "a dump that nothing disturbs is not\n");
	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		fabric_del(name);
	}
	fabric_del("between");
	talk(request(MCFAB_CMD_FABRIC_GET, NLM_F_DUMP), &fabric_set, NULL);
	ksft_test_result(!got.error && !got.messages, "no fabric is left\n");
}

int main(void)
{
	ksft_print_header();
	if (!client_open())
		ksft_exit_skip("the family mcfab is not there\n");

	ksft_set_plan(32);
	test_fabric();
	test_show();
	test_plan();
	test_verify();
	test_run();
	test_refusals();
	test_consistency();
	client_close();
	ksft_finished();
}
