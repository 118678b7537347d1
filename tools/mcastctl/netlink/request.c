// SPDX-License-Identifier: GPL-2.0
/* Building requests; the message grows as needed. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "netlink/request.h"

#define FIRST_ROOM	4096

void nl_request_init(struct nl_request *rq, u8 cmd, bool dump)
{
	struct genlmsghdr *genl;

	memset(rq, 0, sizeof(*rq));
	rq->room = FIRST_ROOM;
	rq->nlh = mnl_nlmsg_put_header(xcalloc(1, rq->room));
	/* Dumps end by themselves; everything else is acknowledged. */
	rq->nlh->nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK);
	genl = mnl_nlmsg_put_extra_header(rq->nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = MCFAB_FAMILY_VERSION;
}

void nl_request_free(struct nl_request *rq)
{
	free(rq->nlh);
	free(rq->origin);
	memset(rq, 0, sizeof(*rq));
}

static void remember(struct nl_request *rq, u32 offset, struct nl_where where)
{
	if (rq->norigins == rq->origin_room) {
		rq->origin_room = rq->origin_room ? 2 * rq->origin_room : 16;
		rq->origin = xrealloc(rq->origin, rq->origin_room, sizeof(*rq->origin));
	}
	where.of = rq->of;
	rq->origin[rq->norigins++] = (struct nl_origin){
		.offset = offset,
		.end = rq->nlh->nlmsg_len,
		.where = where,
	};
}

static void make_room(struct nl_request *rq, size_t len)
{
	size_t need = rq->nlh->nlmsg_len + MNL_ATTR_HDRLEN + MNL_ALIGN(len) + MNL_ALIGNTO;
	size_t old = rq->room;

	if (need <= rq->room)
		return;
	while (rq->room < need)
		rq->room *= 2;
	rq->nlh = xrealloc(rq->nlh, rq->room, 1);
	memset((char *)rq->nlh + old, 0, rq->room - old);
}

void nl_put_bin(struct nl_request *rq, u16 attr, const void *data, size_t len,
		struct nl_where where)
{
	u32 offset = rq->nlh->nlmsg_len;

	make_room(rq, len);
	mnl_attr_put(rq->nlh, attr, len, data);
	remember(rq, offset, where);
}

void nl_put_flag(struct nl_request *rq, u16 attr, struct nl_where where)
{
	nl_put_bin(rq, attr, NULL, 0, where);
}

void nl_put_u32(struct nl_request *rq, u16 attr, u32 value, struct nl_where where)
{
	nl_put_bin(rq, attr, &value, sizeof(value), where);
}

void nl_put_u64(struct nl_request *rq, u16 attr, u64 value, struct nl_where where)
{
	nl_put_bin(rq, attr, &value, sizeof(value), where);
}

/** nl_put_uint() - a number in as many bytes as it needs, 4 or 8 */
void nl_put_uint(struct nl_request *rq, u16 attr, u64 value, struct nl_where where)
{
	if (value <= UINT32_MAX)
		nl_put_u32(rq, attr, value, where);
	else
		nl_put_u64(rq, attr, value, where);
}

void nl_put_str(struct nl_request *rq, u16 attr, const char *value, struct nl_where where)
{
	nl_put_bin(rq, attr, value, strlen(value) + 1, where);
}

size_t nl_nest(struct nl_request *rq, u16 attr, struct nl_where where)
{
	size_t offset = rq->nlh->nlmsg_len;

	make_room(rq, 0);
	mnl_attr_nest_start(rq->nlh, attr);
	remember(rq, offset, where);
	return offset;
}

void nl_nest_end(struct nl_request *rq, size_t nest)
{
	mnl_attr_nest_end(rq->nlh, (struct nlattr *)((char *)rq->nlh + nest));
	for (u32 i = 0; i < rq->norigins; i++) {
		if (rq->origin[i].offset == nest)
			rq->origin[i].end = rq->nlh->nlmsg_len;
	}
}
