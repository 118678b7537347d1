// SPDX-License-Identifier: GPL-2.0
/* To the module in user space: requests are answered in this process. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "mcfab_user.h"
#include "netlink/transport.h"

static int events = -1;

static enum status user_open(const char *netns, u16 *family)
{
	char why[128];
	int ret;

	if (netns)
		return usage("option --netns %s: only the kernel's engine has namespaces", netns);
	ret = mcfab_user_open(why, sizeof(why));
	if (ret < 0)
		return refused("%s", why);
	*family = ret;
	return STATUS_OK;
}

struct asked {
	transport_take take;
	void *data;
	int result;
};

static void take(const void *datagram, size_t len, void *arg)
{
	struct asked *asked = arg;

	/* What follows an error is let pass, as on a socket. */
	if (!asked->result)
		asked->result = asked->take(datagram, len, asked->data);
}

static int user_ask(const struct nlmsghdr *nlh, transport_take reader, void *data)
{
	struct asked asked = { .take = reader, .data = data };
	int err = mcfab_user_request(nlh, take, &asked);

	if (err)
		return err;
	/* An answer without an end is none. */
	return asked.result == 1 ? 0 : asked.result ? asked.result : -EBADMSG;
}

static enum status user_listen(const char *group, int *fd)
{
	(void)group;
	events = mcfab_user_listen();
	if (events < 0)
		return refused("cannot subscribe to events: %s", strerror(-events));
	*fd = events;
	return STATUS_OK;
}

static ssize_t user_hear(void *buf, size_t len)
{
	return recv(events, buf, len, 0);
}

static u64 user_memory(void)
{
	return mcfab_user_memory_left();
}

const struct transport transport_user = {
	.open = user_open,
	.close = mcfab_user_close,
	.ask = user_ask,
	.listen = user_listen,
	.hear = user_hear,
	.unlisten = mcfab_user_unlisten,
	.memory = user_memory,
};
