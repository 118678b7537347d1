// SPDX-License-Identifier: GPL-2.0
/* To the kernel: sockets, the generic-netlink family and its groups. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mcfab.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netlink/transport.h"
#include "netlink/waiting.h"

#define MAX_GROUPS	8

static struct {
	struct mnl_socket *sock;
	struct mnl_socket *events;
	u16 family;
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
			       ": module not loaded? (modprobe " MCFAB_FAMILY_NAME
			       "), or --engine user");
	if (err)
		return refused("cannot look up family " MCFAB_FAMILY_NAME ": %s", strerror(-err));
	return status;
}

static enum status socket_open(const char *netns, u16 *family)
{
	enum status status;

	if (!nl.sock) {
		if (netns) {
			status = enter_netns(netns);
			if (status)
				return status;
		}
		nl.sock = open_socket();
		if (!nl.sock)
			return refused("cannot open a netlink socket: %s", strerror(errno));
	}
	status = find_family();
	*family = nl.family;
	return status;
}

static void socket_close(void)
{
	if (nl.sock)
		mnl_socket_close(nl.sock);
	memset(&nl, 0, sizeof(nl));
}

static int socket_ask(const struct nlmsghdr *nlh, transport_take take, void *data)
{
	ssize_t len;
	int err = 0;

	if (mnl_socket_sendto(nl.sock, nlh, nlh->nlmsg_len) < 0)
		return -errno;
	while (!err) {
		err = wait_for_answer(mnl_socket_get_fd(nl.sock), nlh, open_socket);
		if (err)
			return -ECANCELED;
		len = mnl_socket_recvfrom(nl.sock, rcvbuf, sizeof(rcvbuf));
		if (len >= 0)
			err = take(rcvbuf, len, data);
		else if (errno != EINTR)
			err = -errno;
	}
	return err < 0 ? err : 0;
}

static enum status socket_listen(const char *group, int *fd)
{
	for (u32 i = 0; i < nl.ngroups; i++) {
		if (strcmp(nl.group[i].name, group))
			continue;
		nl.events = open_socket();
		if (!nl.events ||
		    mnl_socket_setsockopt(nl.events, NETLINK_ADD_MEMBERSHIP, &nl.group[i].id,
					  sizeof(u32)) < 0)
			return refused("cannot subscribe to events: %s", strerror(errno));
		*fd = mnl_socket_get_fd(nl.events);
		return STATUS_OK;
	}
	return refused("the kernel has no events group \"%s\"", group);
}

static ssize_t socket_hear(void *buf, size_t len)
{
	return mnl_socket_recvfrom(nl.events, buf, len);
}

static void socket_unlisten(void)
{
	if (nl.events)
		mnl_socket_close(nl.events);
	nl.events = NULL;
}

/* What is taken of it is not told: a list that does not fit into the rest is refused later. */
static u64 socket_memory(void)
{
	FILE *f = fopen("/sys/module/mcfab/parameters/max_memory_mb", "r");
	unsigned int mb;
	u64 bytes = UINT64_MAX;

	if (f && fscanf(f, "%u", &mb) == 1)
		bytes = (u64)mb << 20;
	if (f)
		fclose(f);
	return bytes;
}

const struct transport transport_socket = {
	.open = socket_open,
	.close = socket_close,
	.ask = socket_ask,
	.listen = socket_listen,
	.hear = socket_hear,
	.unlisten = socket_unlisten,
	.memory = socket_memory,
};
