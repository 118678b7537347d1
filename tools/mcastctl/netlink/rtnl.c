// SPDX-License-Identifier: GPL-2.0
/* Requests to rtnetlink, which makes and removes ports: links of kind mcfab. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/mcfab.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <time.h>

#include "netlink/rtnl.h"

#define KIND		"mcfab"
#define ANSWER_ROOM	8192

/* What the kernel says about a refusal, or "". */
static const char *reason(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t offset = sizeof(*err);
	const struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return "";
	/* the request follows, if the kernel repeats all of it */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		offset += err->msg.nlmsg_len - sizeof(struct nlmsghdr);
	mnl_attr_for_each(attr, nlh, offset)
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
		    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			return mnl_attr_get_str(attr);
	return "";
}

static enum status answer(const struct nlmsghdr *nlh, size_t len, const char *what)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	const char *why;

	if (!mnl_nlmsg_ok(nlh, len) || nlh->nlmsg_type != NLMSG_ERROR)
		return refused("%s: the kernel says something else", what);
	if (!err->error)
		return STATUS_OK;
	/* in the words of all other requests, see refusal.c */
	if (err->error == -EPERM)
		return refused("%s: permission denied: this needs CAP_NET_ADMIN (try as root)",
			       what);
	why = reason(nlh);
	return refused("%s: %s", what, *why ? why : strerror(-err->error));
}

/* Send a request, of which the kernel says whether it was done. */
static enum status talk(struct nlmsghdr *nlh, const char *what)
{
	struct mnl_socket *sock = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	char buf[ANSWER_ROOM];
	enum status status;
	int on = 1;
	ssize_t n;

	if (!sock)
		return refused("rtnetlink: %s", strerror(errno));
	mnl_socket_setsockopt(sock, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(sock, NETLINK_CAP_ACK, &on, sizeof(on));
	nlh->nlmsg_seq = time(NULL);
	n = mnl_socket_bind(sock, 0, MNL_SOCKET_AUTOPID);
	if (n >= 0)
		n = mnl_socket_sendto(sock, nlh, nlh->nlmsg_len);
	if (n >= 0)
		n = mnl_socket_recvfrom(sock, buf, sizeof(buf));
	status = n < 0 ? refused("rtnetlink: %s", strerror(errno)) :
			 answer((const struct nlmsghdr *)buf, n, what);
	mnl_socket_close(sock);
	return status;
}

static struct nlmsghdr *request(void *buf, u16 type, u16 flags, const char *name)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct ifinfomsg *info;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	info = mnl_nlmsg_put_extra_header(nlh, sizeof(*info));
	info->ifi_family = AF_UNSPEC;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	return nlh;
}

/** rtnl_port_add() - make a port */
enum status rtnl_port_add(const struct rtnl_port *port)
{
	u64 buf[ANSWER_ROOM / sizeof(u64)];
	struct nlattr *info, *data;
	struct nlmsghdr *nlh;

	if (strlen(port->name) >= IFNAMSIZ)
		return usage("name %s: a device's name has at most %d characters", port->name,
			     IFNAMSIZ - 1);
	nlh = request(buf, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, port->name);
	if (port->mtu)
		mnl_attr_put_u32(nlh, IFLA_MTU, port->mtu);
	info = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
	mnl_attr_put_strz(nlh, IFLA_INFO_KIND, KIND);
	data = mnl_attr_nest_start(nlh, IFLA_INFO_DATA);
	mnl_attr_put_strz(nlh, IFLA_MCFAB_FABRIC, port->fabric);
	mnl_attr_put_u32(nlh, IFLA_MCFAB_NODE, port->node);
	if (port->flood >= 0)
		mnl_attr_put_u32(nlh, IFLA_MCFAB_FLOOD, port->flood);
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, info);
	return talk(nlh, port->name);
}

/** rtnl_port_del() - remove a port; no other link goes by this */
enum status rtnl_port_del(const char *name)
{
	u64 buf[ANSWER_ROOM / sizeof(u64)];

	if (strlen(name) >= IFNAMSIZ)
		return refused("%s: there is no such port", name);
	return talk(request(buf, RTM_DELLINK, 0, name), name);
}
