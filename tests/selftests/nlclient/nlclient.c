// SPDX-License-Identifier: GPL-2.0
/*
 * A second, independent decoder of the ABI: libnl-3, with nothing shared with the
 * tool or with YNL but the UAPI header. Every attribute that comes is checked for
 * its type and length; refusals are checked down to the offset in the message.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <linux/mcfab.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "kselftest.h"
#include "spec.h"

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

static struct nl_sock *sk;
static int family;

/* The attributes of one answer, and what was wrong with any. */
struct answer {
	const struct set *set;
	int messages;
	int wrong;
	int not_multi;		/* parts of a dump that do not say so */
	bool interrupted;	/* NLM_F_DUMP_INTR */
	bool over;		/* nothing more comes */
	bool events;		/* each event brings its own set */
	__u8 cmd;
	struct nlattr *last[128];	/* of the last message; into @copy */
	unsigned char copy[65536];
	void (*each)(struct nlattr **tb);
	/* of a refusal */
	int error;
	char text[128];
	long offset;		/* -1: none */
	long missing;		/* 0: none */
};

static struct answer got;

static bool well_formed(const struct nlattr *nla, const struct set *set);

static bool good_length(const struct nlattr *nla, const struct spec *spec)
{
	int len = nla_len(nla), rem;
	const char *text = nla_data(nla);
	struct nlattr *pos;

	switch (spec->kind) {
	case U32:
	case S32:
		return len == 4;
	case UINT:
	case SINT:
		return len == 4 || len == 8;
	case STRING:
		return len > 0 && !text[len - 1] && strlen(text) == (size_t)len - 1;
	case FLAG:
		return !len;
	case U32S:
		return len && !(len % 4) && len / 4 <= MCFAB_LIST_MAX;
	case U64S:
		return len && !(len % 8) && len / 8 <= MCFAB_LIST_MAX;
	case NEST:
		nla_for_each_nested(pos, (struct nlattr *)nla, rem)
			if (!well_formed(pos, spec->nest))
				return false;
		return !rem;
	default:
		return false;
	}
}

static bool well_formed(const struct nlattr *nla, const struct set *set)
{
	int type = nla_type(nla);

	if (type > set->max || !set->spec[type].kind ||
	    !good_length(nla, &set->spec[type])) {
		ksft_print_msg("%s: attribute %d of length %d\n", set->name, type, nla_len(nla));
		return false;
	}
	return true;
}

static __u64 number(const struct nlattr *nla)
{
	__u64 wide;

	if (!nla)
		return ~0ULL;
	if (nla_len(nla) == 4)
		return nla_get_u32((struct nlattr *)nla);
	memcpy(&wide, nla_data(nla), sizeof(wide));
	return wide;
}

static int on_message(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct genlmsghdr *genl = nlmsg_data(nlh);
	struct nlattr *pos;
	int rem;

	got.messages++;
	got.cmd = genl->cmd;
	if (!(nlh->nlmsg_flags & NLM_F_MULTI))
		got.not_multi++;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		got.interrupted = true;
	if (got.events)
		got.set = genl->cmd == MCFAB_CMD_RUN_FINISHED_NTF ? &run_set : &fabric_set;
	if (nlh->nlmsg_len > sizeof(got.copy) || !got.set)
		return NL_OK;
	memcpy(got.copy, nlh, nlh->nlmsg_len);
	memset(got.last, 0, sizeof(got.last));
	nlh = (struct nlmsghdr *)got.copy;
	genl = nlmsg_data(nlh);
	nla_for_each_attr(pos, genlmsg_attrdata(genl, 0), genlmsg_attrlen(genl, 0), rem) {
		if (!well_formed(pos, got.set))
			got.wrong++;
		else if (!got.last[nla_type(pos)])
			got.last[nla_type(pos)] = pos;
	}
	if (rem)
		got.wrong++;
	if (got.each)
		got.each(got.last);
	return NL_OK;
}

/* The attributes behind the error are ours to find: libnl drops them. */
static void extack(const struct nlmsghdr *nlh, size_t skip)
{
	const struct nlattr *pos;
	int rem;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	nla_for_each_attr(pos, (struct nlattr *)((char *)nlh + skip),
			  (int)(nlh->nlmsg_len - skip), rem) {
		switch (nla_type(pos)) {
		case NLMSGERR_ATTR_MSG:
			snprintf(got.text, sizeof(got.text), "%s", (char *)nla_data(pos));
			break;
		case NLMSGERR_ATTR_OFFS:
			got.offset = nla_get_u32((struct nlattr *)pos);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			got.missing = nla_get_u32((struct nlattr *)pos);
			break;
		}
	}
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	const struct nlmsghdr *nlh = (void *)((char *)err - NLMSG_HDRLEN);

	got.over = true;
	got.error = -err->error;
	extack(nlh, NLMSG_HDRLEN + sizeof(*err));
	return NL_STOP;
}

/* A dump that is refused ends in a DONE with the error. */
static int on_done(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	int error = 0;

	got.over = true;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		got.interrupted = true;
	if (nlmsg_datalen(nlh) >= (int)sizeof(error))
		memcpy(&error, nlmsg_data(nlh), sizeof(error));
	if (error < 0) {
		got.error = -error;
		extack(nlh, NLMSG_HDRLEN + sizeof(error));
	}
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	got.over = true;
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	got.interrupted = true;
	return NL_OK;
}

static struct nl_msg *request(__u8 cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

	/* So that every exchange has an end. */
	flags |= NLM_F_ACK;
	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, cmd,
				 MCFAB_FAMILY_VERSION))
		ksft_exit_fail_msg("no memory for a message\n");
	return msg;
}

static void expect(const struct set *set, void (*each)(struct nlattr **tb))
{
	memset(&got, 0, sizeof(got));
	got.set = set;
	got.each = each;
	got.offset = -1;
}

/* Send and read to the ack, error or end; returns the error number, 0 for none. */
static int talk(struct nl_msg *msg, const struct set *set, void (*each)(struct nlattr **tb))
{
	int ret;

	expect(set, each);
	ret = nl_send_auto(sk, msg);
	nlmsg_free(msg);
	if (ret < 0)
		ksft_exit_fail_msg("cannot send: %s\n", nl_geterror(ret));
	while (!got.over) {
		ret = nl_recvmsgs_default(sk);
		if (ret < 0 && !got.over)
			ksft_exit_fail_msg("cannot receive: %s\n", nl_geterror(ret));
	}
	return got.error;
}

static struct nl_msg *fabric_new(const char *name, __u32 x, __u32 y)
{
	struct nl_msg *msg = request(MCFAB_CMD_FABRIC_NEW, 0);

	nla_put_string(msg, MCFAB_A_FABRIC_NAME, name);
	nla_put_string(msg, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, x);
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, y);
	return msg;
}

static int about(__u8 cmd, int flags, const char *name, const struct set *set,
		 void (*each)(struct nlattr **tb))
{
	struct nl_msg *msg = request(cmd, flags);

	/* Number 2 names the fabric in every message about one. */
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, name);
	return talk(msg, set, each);
}

static int fabric_del(const char *name)
{
	return about(MCFAB_CMD_FABRIC_DEL, 0, name, NULL, NULL);
}

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
	int on = 1;

	ksft_print_header();
	sk = nl_socket_alloc();
	if (!sk || genl_connect(sk) < 0)
		ksft_exit_fail_msg("no netlink socket\n");
	family = genl_ctrl_resolve(sk, MCFAB_FAMILY_NAME);
	if (family < 0)
		ksft_exit_skip("the family mcfab is not there\n");
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	nl_socket_disable_auto_ack(sk);
	nl_socket_set_msg_buf_size(sk, 1 << 16);
	nl_socket_modify_cb(sk, NL_CB_VALID, NL_CB_CUSTOM, on_message, NULL);
	nl_socket_modify_cb(sk, NL_CB_FINISH, NL_CB_CUSTOM, on_done, NULL);
	nl_socket_modify_cb(sk, NL_CB_ACK, NL_CB_CUSTOM, on_ack, NULL);
	nl_socket_modify_cb(sk, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, NULL);
	nl_socket_modify_err_cb(sk, NL_CB_CUSTOM, on_error, NULL);

	ksft_set_plan(30);
	test_fabric();
	test_show();
	test_plan();
	test_run();
	test_refusals();
	test_consistency();
	nl_socket_free(sk);
	ksft_finished();
}
