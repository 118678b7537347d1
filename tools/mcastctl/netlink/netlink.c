// SPDX-License-Identifier: GPL-2.0
/* Sending requests and taking answers, whoever answers. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/options.h"
#include "netlink/keyword.h"
#include "netlink/refusal.h"
#include "netlink/transport.h"

static struct {
	const struct transport *to;	/* NULL: not open */
	u16 family;
	u32 seq;
	int events;
	bool listening;
} nl;

static char eventbuf[64 * 1024];

/** nl_open() - connect to the module in network namespace @netns (NULL: ours) */
enum status nl_open(const char *netns)
{
	if (nl.family)
		return STATUS_OK;
	if (!nl.to) {
		nl.seq = time(NULL);
		nl.to = options.user ? &transport_user : &transport_socket;
	}
	return nl.to->open(netns, &nl.family);
}

bool nl_is_open(void)
{
	return nl.family;
}

void nl_close(void)
{
	nl_events_close();
	/* What did not open has nothing to close. */
	if (nl.to && (nl.family || !options.user))
		nl.to->close();
	memset(&nl, 0, sizeof(nl));
}

/** nl_memory() - bytes that fabrics may still take, as far as is known; before nl_open() all */
u64 nl_memory(void)
{
	return nl.to ? nl.to->memory() : UINT64_MAX;
}

/* An answer that is being taken. */
struct answer {
	const struct nl_request *rq;
	nl_reply reply;
	void *data;
	struct refusal *why;
	enum status *status;
	bool torn;
};

/* Take one datagram; 1: the answer is complete. */
static int take(const void *datagram, size_t len, void *data)
{
	const struct nlmsghdr *nlh = datagram;
	struct answer *a = data;
	int left = len;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_seq != a->rq->nlh->nlmsg_seq)
			continue;
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			a->torn = true;
		if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE) {
			int err = refusal_read(a->why, nlh);

			return err ? err : 1;
		}
		if (nlh->nlmsg_type < NLMSG_MIN_TYPE)
			continue;
		if (nlh->nlmsg_len < MNL_NLMSG_HDRLEN + sizeof(struct genlmsghdr))
			return -EBADMSG;
		if (!*a->status && a->reply)
			*a->status = a->reply(nlh, a->data);
	}
	return 0;
}

static int talk(struct nl_request *rq, nl_reply reply, void *data, struct refusal *why,
		enum status *status)
{
	struct answer answer = {
		.rq = rq, .reply = reply, .data = data, .why = why, .status = status,
	};
	int err;

	if (rq->nlh->nlmsg_type != GENL_ID_CTRL)
		rq->nlh->nlmsg_type = nl.family;
	rq->nlh->nlmsg_seq = ++nl.seq;
	err = nl.to->ask(rq->nlh, take, &answer);
	if (err)
		return err;
	return answer.torn ? -EINTR : 0;
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
	nl.listening = true;
	return nl.to->listen(group, &nl.events);
}

int nl_events_fd(void)
{
	return nl.events;
}

enum status nl_events_read(nl_reply event, void *data)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)eventbuf;
	enum status status = STATUS_OK;
	ssize_t len;
	int left;

	len = nl.to->hear(eventbuf, sizeof(eventbuf));
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
	if (nl.listening)
		nl.to->unlisten();
	nl.listening = false;
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
