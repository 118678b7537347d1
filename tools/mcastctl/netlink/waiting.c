// SPDX-License-Identifier: GPL-2.0
/*
 * A request that takes long is answered when it is done. Meanwhile, on a terminal, a line says
 * how far it is, which is asked for over a socket of its own.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "netlink/transport.h"
#include "netlink/waiting.h"

#define POLL_MS	250

/* number and name of the fabric, in every message about one */
#define FABRIC	2

static const char *fabric_of(const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == FABRIC &&
		    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			return mnl_attr_get_str(attr);
	return NULL;
}

static void print_progress(const char *fabric, const struct nlmsghdr *nlh)
{
	u64 state = 0, done = 0, total = 0;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case MCFAB_A_FABRIC_STATE:
			state = nl_attr_uint(attr);
			break;
		case MCFAB_A_FABRIC_BUILD_DONE:
			done = nl_attr_uint(attr);
			break;
		case MCFAB_A_FABRIC_BUILD_TOTAL:
			total = nl_attr_uint(attr);
			break;
		}
	}
	if (state != MCFAB_RUN_STATUS_BUILDING)
		return;
	fprintf(stderr, "\r%s: building", fabric);
	if (total)
		fprintf(stderr, ", %.0f %% of this step", 100.0 * done / total);
	fputs("\033[K", stderr);
	fflush(stderr);
}

static void ask_progress(struct mnl_socket *sock, const struct nlmsghdr *request,
			 const char *fabric)
{
	static char buf[8192];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;
	int len;

	nlh->nlmsg_type = request->nlmsg_type;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = MCFAB_CMD_FABRIC_GET;
	genl->version = MCFAB_FAMILY_VERSION;
	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_NAME, fabric);
	if (mnl_socket_sendto(sock, nlh, nlh->nlmsg_len) < 0)
		return;
	len = mnl_socket_recvfrom(sock, buf, sizeof(buf));
	nlh = (struct nlmsghdr *)buf;
	if (len > 0 && mnl_nlmsg_ok(nlh, len) && nlh->nlmsg_type == request->nlmsg_type)
		print_progress(fabric, nlh);
}

/** wait_interrupted() - has an interrupt come that is blocked? */
bool wait_interrupted(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

/**
 * wait_for_answer() - wait until something can be read from a socket
 * @fd: the socket
 * @nlh: what was asked through it
 * @open: opens another socket
 *
 * Whoever waits for the end of a run has interrupts blocked. They end this, too.
 *
 * Return: 0, or -EINTR on an interrupt that is blocked.
 */
int wait_for_answer(int fd, const struct nlmsghdr *nlh, struct mnl_socket *(*open)(void))
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	const char *fabric = fabric_of(nlh);
	struct mnl_socket *sock = NULL;
	int ret = 0;

	while (!ret && poll(&pfd, 1, POLL_MS) == 0) {
		if (wait_interrupted())
			ret = -EINTR;
		else if (fabric && isatty(STDERR_FILENO))
			sock = sock ?: open();
		if (sock && !ret)
			ask_progress(sock, nlh, fabric);
	}
	if (sock) {
		fputs("\r\033[K", stderr);
		mnl_socket_close(sock);
	}
	return ret;
}
