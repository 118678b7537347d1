// SPDX-License-Identifier: GPL-2.0
/* Sockets, the generic-netlink family, sending requests and taking answers. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mcfab.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "netlink.h"
#include "refusal.h"

#define MAX_GROUPS	8

static struct {
	struct mnl_socket *sock;
	struct mnl_socket *events;
	u16 family;
	u32 seq;
	u32 ngroups;
	struct {
		char name[GENL_NAMSIZ];
		u32 id;
	} group[MAX_GROUPS];
} nl;

static char rcvbuf[256 * 1024];

static struct mnl_socket *open_socket(void)
{
	struct mnl_socket *sock = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	int on = 1;

	if (!sock)
		return NULL;
	/* Old kernels may not know them; the answers are then less precise. */
	mnl_socket_setsockopt(sock, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(sock, NETLINK_CAP_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(sock, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
	if (mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID) < 0) {
		mnl_socket_close(sock);
		return NULL;
	}
	return sock;
}

static enum status enter_netns(const char *name)
{
	char *path = strchr(name, '/') ? xstrdup(name) : xasprintf("/run/netns/%s", name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum status status = STATUS_OK;

	if (fd < 0)
		status = refused("network namespace %s: %s", name, strerror(errno));
	else if (setns(fd, CLONE_NEWNET))
		status = refused("network namespace %s: cannot enter: %s", name, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(path);
	return status;
}

/* Names and ids of the family's multicast groups. */
static void take_groups(const struct nlattr *groups)
{
	const struct nlattr *group, *attr;

	mnl_attr_for_each_nested(group, groups) {
		const char *name = NULL;
		u32 id = 0;

		mnl_attr_for_each_nested(attr, group) {
			if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_NAME &&
			    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
				name = mnl_attr_get_str(attr);
			else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID &&
				 !mnl_attr_validate(attr, MNL_TYPE_U32))
				id = mnl_attr_get_u32(attr);
		}
		if (!name || strlen(name) >= GENL_NAMSIZ || nl.ngroups == MAX_GROUPS)
			continue;
		snprintf(nl.group[nl.ngroups].name, GENL_NAMSIZ, "%s", name);
		nl.group[nl.ngroups++].id = id;
	}
}

static enum status take_family(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr;

	(void)data;
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
		    !mnl_attr_validate(attr, MNL_TYPE_U16))
			nl.family = mnl_attr_get_u16(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			take_groups(attr);
	}
	return STATUS_OK;
}

/* The kernel loads the module by its family's name, if it is installed. */
static enum status find_family(void)
{
	struct nl_where nowhere = { 0 };
	enum status status = STATUS_OK;
	struct nl_request rq;
	int err;

	nl_request_init(&rq, CTRL_CMD_GETFAMILY, false);
	rq.nlh->nlmsg_type = GENL_ID_CTRL;
	nl_put_str(&rq, CTRL_ATTR_FAMILY_NAME, MCFAB_FAMILY_NAME, nowhere);
	err = nl_try(&rq, take_family, NULL, &status);
	nl_request_free(&rq);
	if (err == -ENOENT || (!err && !nl.family))
		return refused("the kernel has no family " MCFAB_FAMILY_NAME
			       ": module not loaded? (modprobe " MCFAB_FAMILY_NAME ")");
	if (err)
		return refused("cannot look up family " MCFAB_FAMILY_NAME ": %s", strerror(-err));
	return status;
}

/** nl_open() - connect to the module in network namespace @netns (NULL: ours) */
enum status nl_open(const char *netns)
{
	enum status status;

	if (nl.family)
		return STATUS_OK;
	if (!nl.sock) {
		if (netns) {
			status = enter_netns(netns);
			if (status)
				return status;
		}
		nl.seq = time(NULL);
		nl.sock = open_socket();
		if (!nl.sock)
			return refused("cannot open a netlink socket: %s", strerror(errno));
	}
	return find_family();
}

void nl_close(void)
{
	nl_events_close();
	if (nl.sock)
		mnl_socket_close(nl.sock);
	memset(&nl, 0, sizeof(nl));
}

/* Take one datagram; 1: the answer is complete. */
static int take(struct nl_request *rq, size_t len, nl_reply reply, void *data,
		struct refusal *why, enum status *status, bool *torn)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)rcvbuf;
	int left = len;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_seq != rq->nlh->nlmsg_seq)
			continue;
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			*torn = true;
		if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE) {
			int err = refusal_read(why, nlh);

			return err ? err : 1;
		}
		if (nlh->nlmsg_type < NLMSG_MIN_TYPE)
			continue;
		if (nlh->nlmsg_len < MNL_NLMSG_HDRLEN + sizeof(struct genlmsghdr))
			return -EBADMSG;
		if (!*status && reply)
			*status = reply(nlh, data);
	}
	return 0;
}

static int talk(struct nl_request *rq, nl_reply reply, void *data, struct refusal *why,
		enum status *status)
{
	bool torn = false;
	int err = 0;
	ssize_t len;

	if (rq->nlh->nlmsg_type != GENL_ID_CTRL)
		rq->nlh->nlmsg_type = nl.family;
	rq->nlh->nlmsg_seq = ++nl.seq;
	if (mnl_socket_sendto(nl.sock, rq->nlh, rq->nlh->nlmsg_len) < 0)
		return -errno;
	while (!err) {
		len = mnl_socket_recvfrom(nl.sock, rcvbuf, sizeof(rcvbuf));
		if (len >= 0)
			err = take(rq, len, reply, data, why, status, &torn);
		else if (errno != EINTR)
			err = -errno;
	}
	if (err < 0)
		return err;
	return torn ? -EINTR : 0;
}

int nl_try(struct nl_request *rq, nl_reply reply, void *data, enum status *status)
{
	struct refusal why;

	memset(&why, 0, sizeof(why));
	return talk(rq, reply, data, &why, status);
}

enum status nl_talk(struct nl_request *rq, nl_reply reply, void *data)
{
	enum status status = STATUS_OK;
	struct refusal why;
	int err;

	memset(&why, 0, sizeof(why));
	err = talk(rq, reply, data, &why, &status);
	if (err == -EINTR)
		return refused("things changed while they were read; try again");
	if (err)
		return refusal_print(&why, err, rq);
	if (why.text[0])
		warning("%s", why.text);
	return status;
}

/** nl_events_open() - subscribe to the events of multicast group @group */
enum status nl_events_open(const char *group)
{
	for (u32 i = 0; i < nl.ngroups; i++) {
		if (strcmp(nl.group[i].name, group))
			continue;
		nl.events = open_socket();
		if (!nl.events ||
		    mnl_socket_setsockopt(nl.events, NETLINK_ADD_MEMBERSHIP, &nl.group[i].id,
					  sizeof(u32)) < 0)
			return refused("cannot subscribe to events: %s", strerror(errno));
		return STATUS_OK;
	}
	return refused("the kernel has no events group \"%s\"", group);
}

int nl_events_fd(void)
{
	return mnl_socket_get_fd(nl.events);
}

enum status nl_events_read(nl_reply event, void *data)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)rcvbuf;
	enum status status = STATUS_OK;
	ssize_t len;
	int left;

	len = mnl_socket_recvfrom(nl.events, rcvbuf, sizeof(rcvbuf));
	if (len < 0 && errno == ENOBUFS) {
		warning("events were lost: they came faster than they were read");
		return STATUS_OK;
	}
	if (len < 0)
		return errno == EINTR || errno == EAGAIN ? STATUS_OK :
			refused("events: %s", strerror(errno));
	left = len;
	for (; !status && mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_type == nl.family &&
		    nlh->nlmsg_len >= MNL_NLMSG_HDRLEN + sizeof(struct genlmsghdr))
			status = event(nlh, data);
	}
	return status;
}

void nl_events_close(void)
{
	if (nl.events)
		mnl_socket_close(nl.events);
	nl.events = NULL;
}

/** nl_attr_uint() - read a number of 1, 2, 4 or 8 bytes */
u64 nl_attr_uint(const struct nlattr *attr)
{
	u64 value = 0;
	u32 value32;
	u16 value16;

	switch (mnl_attr_get_payload_len(attr)) {
	case 1:
		return *(const u8 *)mnl_attr_get_payload(attr);
	case 2:
		memcpy(&value16, mnl_attr_get_payload(attr), sizeof(value16));
		return value16;
	case 4:
		memcpy(&value32, mnl_attr_get_payload(attr), sizeof(value32));
		return value32;
	case 8:
		memcpy(&value, mnl_attr_get_payload(attr), sizeof(value));
		return value;
	default:
		return 0;
	}
}
