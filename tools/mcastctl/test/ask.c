// SPDX-License-Identifier: GPL-2.0
/* See ask.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ask.h"

static int type;

/* The module, which may take so much memory. */
bool open_module(const char *mb)
{
	char why[128];

	setenv("MCFAB_MAX_MEMORY_MB", mb, 1);
	type = mcfab_user_open(why, sizeof(why));
	return type > 0;
}

struct nlmsghdr *request_in(char *buf, u8 cmd, u16 flags, u16 name_attr, const char *name)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	if (name)
		mnl_attr_put_strz(nlh, name_attr, name);
	return nlh;
}

struct nlmsghdr *request(u8 cmd, u16 flags, u16 name_attr, const char *name)
{
	static __thread char buf[1 << 17];

	return request_in(buf, cmd, flags, name_attr, name);
}

/* Both end in attributes: a refusal behind the header it has a copy of, a dump's end. */
static void take_end(const struct nlmsghdr *nlh, struct answer *answer)
{
	bool dump = nlh->nlmsg_type == NLMSG_DONE;
	size_t offset = dump ? sizeof(int) : sizeof(struct nlmsgerr);
	const struct nlattr *attr;

	answer->done = true;
	memcpy(&answer->error, mnl_nlmsg_get_payload(nlh), sizeof(answer->error));
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	mnl_attr_for_each(attr, nlh, offset) {
		if (mnl_attr_get_type(attr) != NLMSGERR_ATTR_MSG)
			continue;
		answer->text = true;
		snprintf(answer->why, sizeof(answer->why), "%s", mnl_attr_get_str(attr));
	}
}

static void take(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	struct answer *answer = arg;
	int left = len;

	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		answer->torn |= nlh->nlmsg_flags & NLM_F_DUMP_INTR;
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR) {
			take_end(nlh, answer);
			continue;
		}
		answer->messages++;
		if (answer->message)
			answer->message(nlh, answer->arg);
	}
	answer->parts++;
	if (answer->part)
		answer->part(data, len, answer->arg);
}

void ask_by(const struct nlmsghdr *nlh, struct answer *answer)
{
	int ret = mcfab_user_request(nlh, take, answer);

	if (ret)
		answer->error = ret;
}

struct answer ask(const struct nlmsghdr *nlh)
{
	struct answer answer = {};

	ask_by(nlh, &answer);
	return answer;
}

struct nlmsghdr *new_fabric(const char *name, const char *topology)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_FABRIC_NEW, NLM_F_ACK, MCFAB_A_FABRIC_NAME, name);

	mnl_attr_put_strz(nlh, MCFAB_A_FABRIC_TOPOLOGY, topology);
	return nlh;
}

struct nlmsghdr *new_mesh(const char *name, u32 side, bool lids)
{
	struct nlmsghdr *nlh = new_fabric(name, "mesh");

	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_DIMS, side);
	if (lids)
		mnl_attr_put_u32(nlh, MCFAB_A_FABRIC_ADDRESSING, MCFAB_ADDRESSING_MODE_LID);
	return nlh;
}

struct nlmsghdr *about_group(u8 cmd, const char *fabric, const char *group)
{
	struct nlmsghdr *nlh = request(cmd, NLM_F_ACK, MCFAB_A_GROUP_FABRIC, fabric);

	mnl_attr_put_strz(nlh, MCFAB_A_GROUP_NAME, group);
	return nlh;
}

struct nlmsghdr *new_run(const char *fabric, const char *policy, u32 workload)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_RUN_START, NLM_F_ACK, MCFAB_A_RUN_FABRIC, fabric);

	mnl_attr_put_strz(nlh, MCFAB_A_RUN_POLICY, policy);
	mnl_attr_put_u32(nlh, MCFAB_A_RUN_WORKLOAD, workload);
	return nlh;
}

struct nlmsghdr *new_upload(const char *fabric, u32 messages, u32 destinations)
{
	struct nlmsghdr *nlh = request(MCFAB_CMD_UPLOAD_BEGIN, NLM_F_ACK, MCFAB_A_UPLOAD_FABRIC,
				       fabric);

	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_TYPE, MCFAB_UPLOAD_TYPE_MESSAGES);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_MESSAGES_TOTAL, messages);
	mnl_attr_put_u32(nlh, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, destinations);
	return nlh;
}

struct answer stop_run(const char *fabric)
{
	return ask(request(MCFAB_CMD_RUN_STOP, NLM_F_ACK, MCFAB_A_RUN_FABRIC, fabric));
}

void put_range(struct nlmsghdr *nlh, u16 attr, u32 first, u32 count)
{
	u32 number[2048], i;

	if (count > ARRAY_SIZE(number))
		abort();
	for (i = 0; i < count; i++)
		number[i] = first + i;
	mnl_attr_put(nlh, attr, count * sizeof(u32), number);
}

void put_entry(struct nlmsghdr *nlh, u32 kind, u32 lid, u8 port)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_TABLE_ENTRY);

	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_KIND, kind);
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_SWITCH, 0);
	mnl_attr_put_u32(nlh, MCFAB_A_TABLE_ENTRY_LID, lid);
	mnl_attr_put(nlh, MCFAB_A_TABLE_ENTRY_PORTS, sizeof(port), &port);
	mnl_attr_nest_end(nlh, nest);
}

u64 cpu_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}
