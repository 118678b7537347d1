// SPDX-License-Identifier: GPL-2.0
/* Big sets and lists go to the kernel in several messages. */
#include <linux/mcfab.h>
#include <stdlib.h>

#include "netlink/upload.h"
#include "netlink/waiting.h"

static const struct nl_where nowhere;

static void begin(struct nl_request *rq, u8 cmd, const char *fabric, u32 type)
{
	nl_request_init(rq, cmd, false);
	nl_put_str(rq, MCFAB_A_UPLOAD_FABRIC, fabric, nl_where("fabric", fabric));
	nl_put_u32(rq, MCFAB_A_UPLOAD_TYPE, type, nowhere);
}

/* What comes; a destination set is a list of destinations without messages. */
static enum status announce(const char *fabric, u32 type, const struct messages *m)
{
	struct nl_request rq;
	enum status status;

	begin(&rq, MCFAB_CMD_UPLOAD_BEGIN, fabric, type);
	if (m->n)
		nl_put_u32(&rq, MCFAB_A_UPLOAD_MESSAGES_TOTAL, m->n, nl_where("messages", NULL));
	if (m->ndst || !m->group)
		nl_put_u32(&rq, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, m->ndst,
			   nl_where("destinations", NULL));
	if (m->group)
		nl_put_flag(&rq, MCFAB_A_UPLOAD_GROUPED, nl_where("group", NULL));
	if (m->flits)
		nl_put_flag(&rq, MCFAB_A_UPLOAD_SIZED, nl_where("flits", NULL));
	for (u32 i = 0; i < m->nclasses; i++) {
		struct nl_where where = nl_where("class", m->name[i]);
		size_t nest = nl_nest(&rq, MCFAB_A_UPLOAD_CLASS, where);

		nl_put_str(&rq, MCFAB_A_UPLOAD_CLASS_NAME, m->name[i], where);
		nl_nest_end(&rq, nest);
	}
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

static enum status append(const char *fabric, u32 type, u16 attr, const char *key,
			  const void *data, size_t width, u32 n)
{
	enum status status = STATUS_OK;
	struct nl_request rq;

	for (u64 at = 0; at < n && !status; at += NL_MAX_NUMBERS) {
		u32 part = n - at < NL_MAX_NUMBERS ? n - at : NL_MAX_NUMBERS;

		begin(&rq, MCFAB_CMD_UPLOAD_APPEND, fabric, type);
		nl_put_bin(&rq, attr, (const char *)data + at * width, part * width,
			   nl_where(key, NULL));
		status = nl_talk(&rq, NULL, NULL);
		nl_request_free(&rq);
		if (!status && wait_interrupted())
			status = refused("interrupted");
	}
	return status;
}

enum status upload_destinations(const char *fabric, const u32 *ids, u32 n)
{
	const u32 type = MCFAB_UPLOAD_TYPE_DESTINATIONS;
	const struct messages set = { .ndst = n };
	enum status status;

	status = announce(fabric, type, &set);
	if (!status)
		status = append(fabric, type, MCFAB_A_UPLOAD_DESTINATIONS, "to", ids, sizeof(*ids),
				n);
	return status;
}

enum status upload_discard(const char *fabric, u32 type)
{
	struct nl_request rq;
	enum status status;

	begin(&rq, MCFAB_CMD_UPLOAD_DISCARD, fabric, type);
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

enum status upload_messages(const char *fabric, const struct messages *m)
{
	const u32 type = MCFAB_UPLOAD_TYPE_MESSAGES;
	enum status status;

	status = announce(fabric, type, m);
	if (!status)
		status = append(fabric, type, MCFAB_A_UPLOAD_CYCLES, "cycles", m->cycle,
				sizeof(*m->cycle), m->n);
	if (!status)
		status = append(fabric, type, MCFAB_A_UPLOAD_SOURCES, "sources", m->source,
				sizeof(*m->source), m->n);
	if (!status)
		status = append(fabric, type, MCFAB_A_UPLOAD_COUNTS, "destinations", m->count,
				sizeof(*m->count), m->n);
	if (!status && m->group)
		status = append(fabric, type, MCFAB_A_UPLOAD_GROUPS, "group", m->group,
				sizeof(*m->group), m->n);
	if (!status && m->flits)
		status = append(fabric, type, MCFAB_A_UPLOAD_FLITS, "flits", m->flits,
				sizeof(*m->flits), m->n);
	if (!status && m->nclasses)
		status = append(fabric, type, MCFAB_A_UPLOAD_CLASSES, "class", m->class,
				sizeof(*m->class), m->n);
	if (!status)
		status = append(fabric, type, MCFAB_A_UPLOAD_DESTINATIONS, "destinations", m->dst,
				sizeof(*m->dst), m->ndst);
	return status;
}
