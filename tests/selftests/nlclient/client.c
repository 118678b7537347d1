// SPDX-License-Identifier: GPL-2.0
/* See client.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/genetlink.h>

#include "client.h"

static struct nl_sock *sk;
static int family;

struct answer got;

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

__u64 number(const struct nlattr *nla)
{
	__u64 wide;

	if (!nla)
		return ~0ULL;
	if (nla_len(nla) == 4)
		return nla_get_u32((struct nlattr *)nla);
	memcpy(&wide, nla_data(nla), sizeof(wide));
	return wide;
}

int on_message(struct nl_msg *msg, void *arg)
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

struct nl_msg *request(__u8 cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

	/* So that every exchange has an end. */
	flags |= NLM_F_ACK;
	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, flags, cmd,
				 MCFAB_FAMILY_VERSION))
		ksft_exit_fail_msg("no memory for a message\n");
	return msg;
}

void expect(const struct set *set, void (*each)(struct nlattr **tb))
{
	memset(&got, 0, sizeof(got));
	got.set = set;
	got.each = each;
	got.offset = -1;
}

int talk(struct nl_msg *msg, const struct set *set, void (*each)(struct nlattr **tb))
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

struct nl_msg *fabric_new(const char *name, __u32 x, __u32 y)
{
	struct nl_msg *msg = request(MCFAB_CMD_FABRIC_NEW, 0);

	nla_put_string(msg, MCFAB_A_FABRIC_NAME, name);
	nla_put_string(msg, MCFAB_A_FABRIC_TOPOLOGY, "mesh");
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, x);
	nla_put_u32(msg, MCFAB_A_FABRIC_DIMS, y);
	return msg;
}

int about(__u8 cmd, int flags, const char *name, const struct set *set,
	  void (*each)(struct nlattr **tb))
{
	struct nl_msg *msg = request(cmd, flags);

	/* Number 2 names the fabric in every message about one. */
	nla_put_string(msg, MCFAB_A_RUN_FABRIC, name);
	return talk(msg, set, each);
}

int fabric_del(const char *name)
{
	return about(MCFAB_CMD_FABRIC_DEL, 0, name, NULL, NULL);
}

bool client_open(void)
{
	int on = 1;

	sk = nl_socket_alloc();
	if (!sk || genl_connect(sk) < 0)
		ksft_exit_fail_msg("no netlink socket\n");
	family = genl_ctrl_resolve(sk, MCFAB_FAMILY_NAME);
	if (family < 0)
		return false;
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
	return true;
}

void client_close(void)
{
	nl_socket_free(sk);
}
