// SPDX-License-Identifier: GPL-2.0
/*
 * Destination sets and message lists that are too long for one request go up in several: they are
 * announced, then appended to. They stay with the fabric until they are replaced or discarded, or
 * the fabric goes.
 *
 * All their memory is charged when they are announced. The memory of a list is taken when its first
 * part arrives, and it is not cleared, so that no handler takes long: only complete lists are used,
 * and then every number was written. The numbers of destinations are summed up as they arrive, for
 * the same reason: a handler looks at no more messages than its request has.
 */
#include "control/nl_job.h"
#include "base/memory.h"

static bool mcfab_nl_upload_announced(const struct mcfab_nl_upload *up)
{
	return up->bytes;
}

static bool mcfab_nl_upload_complete(const struct mcfab_nl_upload *up)
{
	return mcfab_nl_upload_announced(up) && up->list.ndst == up->max_dst &&
	       up->nsources == up->max_msgs && up->ncycles == up->max_msgs &&
	       up->ncounts == up->max_msgs &&
	       (!up->max_msgs || up->list.first[up->max_msgs] == up->max_dst) &&
	       (!up->grouped || up->ngroups == up->max_msgs) &&
	       (!up->sized || up->nflits == up->max_msgs) &&
	       (!up->list.nclasses || up->nclass == up->max_msgs);
}

/**
 * mcfab_nl_upload_free() - forget what was uploaded
 * @upload: the upload, announced or all zero; all zero afterwards
 *
 * Context: May sleep.
 */
void mcfab_nl_upload_free(struct mcfab_nl_upload *upload)
{
	kvfree(upload->list.cycle);
	kvfree(upload->list.source);
	kvfree(upload->list.first);
	kvfree(upload->list.dst);
	kvfree(upload->list.group);
	kvfree(upload->list.flits);
	kvfree(upload->list.class);
	mcfab_memory_uncharge(upload->bytes);
	memset(upload, 0, sizeof(*upload));
}

/**
 * mcfab_nl_upload_messages() - the list of messages of a fabric
 * @fabric: fabric, locked
 *
 * Context: May sleep.
 * Return: the list, or NULL if there is no complete one.
 */
const struct mcfab_msg_list *mcfab_nl_upload_messages(struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_upload *up = &fabric->upload[MCFAB_UPLOAD_TYPE_MESSAGES - 1];

	if (!mcfab_nl_upload_complete(up))
		return NULL;
	up->list.nmsgs = up->max_msgs;
	return &up->list;
}

/**
 * mcfab_nl_upload_destinations() - the destination set of a fabric
 * @fabric: fabric, locked
 * @dst: set to the nodes
 * @ndst: set to their number
 *
 * Context: Any.
 * Return: 0, or -ENOENT if there is no complete one.
 */
int mcfab_nl_upload_destinations(struct mcfab_nl_fabric *fabric, const u32 **dst, u32 *ndst)
{
	struct mcfab_nl_upload *up = &fabric->upload[MCFAB_UPLOAD_TYPE_DESTINATIONS - 1];

	if (!mcfab_nl_upload_complete(up))
		return -ENOENT;
	*dst = up->list.dst;
	*ndst = up->list.ndst;
	return 0;
}

static int mcfab_nl_upload_alloc(struct mcfab_nl_upload *up, u32 msgs, u32 dsts, bool grouped,
				 bool sized)
{
	u64 bytes = (u64)dsts * sizeof(*up->list.dst) +
		    (u64)msgs * (sizeof(*up->list.cycle) + sizeof(*up->list.source) +
				 sizeof(*up->list.first) +
				 (grouped ? sizeof(*up->list.group) : 0) +
				 (sized ? sizeof(*up->list.flits) : 0) +
				 (up->list.nclasses ? sizeof(*up->list.class) : 0));

	if (!mcfab_memory_charge(bytes))
		return -ENOMEM;
	up->bytes = bytes;
	up->max_msgs = msgs;
	up->max_dst = dsts;
	up->grouped = grouped;
	up->sized = sized;
	if (dsts)
		return 0;
	/* all messages are for groups: there will be no part of this list */
	up->list.dst = kzalloc(sizeof(*up->list.dst), GFP_KERNEL_ACCOUNT);
	if (up->list.dst)
		return 0;
	mcfab_nl_upload_free(up);
	return -ENOMEM;
}

/* The names of classes of traffic that are announced. */
static int mcfab_nl_upload_classes(const struct genl_info *info, struct mcfab_msg_list *list)
{
	struct nlattr *attrs[MCFAB_A_UPLOAD_CLASS_MAX + 1];
	struct genl_info sub = *info;
	const struct nlattr *pos;
	int rem, ret;

	sub.attrs = attrs;
	nlmsg_for_each_attr_type(pos, MCFAB_A_UPLOAD_CLASS, info->nlhdr, GENL_HDRLEN, rem) {
		if (list->nclasses == MCFAB_MAX_TRAFFIC_CLASSES) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than %u classes",
						MCFAB_MAX_TRAFFIC_CLASSES);
			return -EINVAL;
		}
		ret = nla_parse_nested(attrs, MCFAB_A_UPLOAD_CLASS_MAX, pos,
				       mcfab_upload_class_nl_policy, info->extack);
		if (!ret)
			ret = mcfab_nl_name(&sub, MCFAB_A_UPLOAD_CLASS_NAME, "class",
					    list->name[list->nclasses++]);
		if (ret)
			return ret;
	}
	return 0;
}

/* MCFAB_CMD_UPLOAD_BEGIN */
int mcfab_nl_upload_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *msgs = info->attrs[MCFAB_A_UPLOAD_MESSAGES_TOTAL];
	const struct nlattr *dsts = info->attrs[MCFAB_A_UPLOAD_DESTINATIONS_TOTAL];
	const struct nlattr *grouped = info->attrs[MCFAB_A_UPLOAD_GROUPED];
	const struct nlattr *sized = info->attrs[MCFAB_A_UPLOAD_SIZED];
	const struct nlattr *classes = info->attrs[MCFAB_A_UPLOAD_CLASS];
	u32 type = nla_get_u32(info->attrs[MCFAB_A_UPLOAD_TYPE]);
	struct mcfab_nl_fabric *fabric = info->user_ptr[0];
	struct mcfab_nl_upload fresh = {};
	int ret = -EINVAL;

	if (type == MCFAB_UPLOAD_TYPE_DESTINATIONS && grouped) {
		NL_SET_ERR_MSG_ATTR(info->extack, grouped, "a destination set has no groups");
	} else if (type == MCFAB_UPLOAD_TYPE_DESTINATIONS && sized) {
		NL_SET_ERR_MSG_ATTR(info->extack, sized, "a destination set has no lengths");
	} else if (type == MCFAB_UPLOAD_TYPE_DESTINATIONS && classes) {
		NL_SET_ERR_MSG_ATTR(info->extack, classes, "a destination set has no classes");
	} else if (!dsts && !grouped) {
		mcfab_nl_missing(info, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, "destinations-total");
	} else if (type == MCFAB_UPLOAD_TYPE_MESSAGES && !msgs) {
		mcfab_nl_missing(info, MCFAB_A_UPLOAD_MESSAGES_TOTAL, "messages-total");
	} else if (type == MCFAB_UPLOAD_TYPE_DESTINATIONS && msgs) {
		NL_SET_ERR_MSG_ATTR(info->extack, msgs, "a destination set has no messages");
	} else if (type == MCFAB_UPLOAD_TYPE_DESTINATIONS &&
		   nla_get_u32(dsts) >= fabric->core->topo.nodes) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, dsts,
					"more destinations than %u, the nodes but the source",
					fabric->core->topo.nodes - 1);
	} else if (msgs && !grouped && nla_get_u32(msgs) > nla_get_u32(dsts)) {
		NL_SET_ERR_MSG_ATTR(info->extack, msgs,
				    "each message has a destination at least");
	} else {
		ret = mcfab_nl_upload_classes(info, &fresh.list);
		if (ret)
			return ret;
		ret = mcfab_nl_upload_alloc(&fresh, msgs ? nla_get_u32(msgs) : 0,
					    dsts ? nla_get_u32(dsts) : 0, grouped, sized);
		if (ret && mcfab_nl_freeing()) {
			ret = -EBUSY;
			NL_SET_ERR_MSG_ATTR(info->extack, dsts ?: msgs,
					    "memory is still being given back: try again");
		} else if (ret) {
			NL_SET_ERR_MSG_ATTR(info->extack, dsts ?: msgs,
					    "there is no memory for so many, see max_memory_mb");
		} else {
			swap(fabric->upload[type - 1], fresh);
			mcfab_nl_free_upload(&fresh);
		}
	}
	return ret;
}

/* One list of an append: its place and its length; the first entry has number @offset. */
struct mcfab_nl_part {
	int attr;
	size_t size;
	void **list;
	u32 *have;
	u32 most;
	size_t offset;
	u32 add;
};

static int mcfab_nl_part_check(const struct genl_info *info, struct mcfab_nl_part *part)
{
	int ret = mcfab_nl_count(info, part->attr, part->size, &part->add);

	if (ret || part->add <= part->most - *part->have)
		return ret;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[part->attr],
				"%u more than the %u announced",
				part->add - (part->most - *part->have), part->most);
	return -EINVAL;
}

static bool mcfab_nl_part_room(const struct mcfab_nl_part *part)
{
	if (part->add && !*part->list)
		*part->list = kvmalloc_array(part->most + part->offset, part->size, MCFAB_GFP);
	return *part->list || !part->add;
}

/* Every node has to exist; other errors show when the list is used. */
static int mcfab_nl_nodes_check(const struct genl_info *info, int attr, u32 nodes)
{
	const struct nlattr *pos;
	int rem;
	u32 i;

	nlmsg_for_each_attr_type(pos, attr, info->nlhdr, GENL_HDRLEN, rem) {
		const u32 *node = nla_data(pos);

		for (i = 0; i < nla_len(pos) / sizeof(*node); i++) {
			if (node[i] < nodes)
				continue;
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "node %u is not below %u",
						node[i], nodes);
			return -EINVAL;
		}
	}
	return 0;
}

static int mcfab_nl_counts_check(const struct genl_info *info, const struct mcfab_nl_upload *up)
{
	u64 sum = up->ncounts ? up->list.first[up->ncounts] : 0;
	const struct nlattr *pos;
	int rem;
	u32 i;

	nlmsg_for_each_attr_type(pos, MCFAB_A_UPLOAD_COUNTS, info->nlhdr, GENL_HDRLEN, rem) {
		const u32 *count = nla_data(pos);

		for (i = 0; i < nla_len(pos) / sizeof(*count); i++) {
			sum += count[i];
			if (!count[i] && !up->grouped) {
				NL_SET_ERR_MSG_ATTR(info->extack, pos,
						    "a message has no destinations");
				return -EINVAL;
			}
			if (sum > up->max_dst) {
				NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos,
							"more destinations than the %u announced",
							up->max_dst);
				return -EINVAL;
			}
		}
	}
	return 0;
}

static int mcfab_nl_flits_check(const struct genl_info *info)
{
	const struct nlattr *pos;
	int rem;
	u32 i;

	nlmsg_for_each_attr_type(pos, MCFAB_A_UPLOAD_FLITS, info->nlhdr, GENL_HDRLEN, rem) {
		const u32 *flits = nla_data(pos);

		for (i = 0; i < nla_len(pos) / sizeof(*flits); i++) {
			if (flits[i] <= MCFAB_MAX_FLITS)
				continue;
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "length %u is not in 1 to %u",
						flits[i], MCFAB_MAX_FLITS);
			return -ERANGE;
		}
	}
	return 0;
}

/* What came last, in @add entries: from numbers of destinations to where the next ones start. */
static void mcfab_nl_sum_counts(struct mcfab_nl_upload *up, u32 add)
{
	u32 *first = up->list.first + up->ncounts - add, i;

	if (add && up->ncounts == add)
		first[0] = 0;
	for (i = 0; i < add; i++)
		first[i + 1] += first[i];
}

static void mcfab_nl_note_flits(struct mcfab_nl_upload *up, u32 add)
{
	u32 i;

	for (i = up->nflits - add; i < up->nflits; i++)
		mcfab_list_note_flits(&up->list, up->list.flits[i]);
}

static int mcfab_nl_upload_append(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
				  struct mcfab_nl_upload *up)
{
	enum { COUNTS, FLITS };
	struct mcfab_nl_part part[] = {
		[COUNTS] = { MCFAB_A_UPLOAD_COUNTS, sizeof(u32), (void **)&up->list.first,
			     &up->ncounts, up->max_msgs, 1 },
		[FLITS] = { MCFAB_A_UPLOAD_FLITS, sizeof(u32), (void **)&up->list.flits,
			    &up->nflits, up->sized ? up->max_msgs : 0 },
		{ MCFAB_A_UPLOAD_CYCLES, sizeof(u64), (void **)&up->list.cycle,
		  &up->ncycles, up->max_msgs },
		{ MCFAB_A_UPLOAD_SOURCES, sizeof(u32), (void **)&up->list.source,
		  &up->nsources, up->max_msgs },
		{ MCFAB_A_UPLOAD_DESTINATIONS, sizeof(u32), (void **)&up->list.dst,
		  &up->list.ndst, up->max_dst },
		{ MCFAB_A_UPLOAD_GROUPS, sizeof(u32), (void **)&up->list.group,
		  &up->ngroups, up->grouped ? up->max_msgs : 0 },
		{ MCFAB_A_UPLOAD_CLASSES, sizeof(u8), (void **)&up->list.class,
		  &up->nclass, up->list.nclasses ? up->max_msgs : 0 },
	};
	u32 nodes = fabric->core->topo.nodes;
	u32 i, all = 0;
	int ret;

	for (i = 0; i < ARRAY_SIZE(part); i++) {
		ret = mcfab_nl_part_check(info, &part[i]);
		if (ret)
			return ret;
		all += part[i].add;
	}
	if (!all)
		return mcfab_nl_missing(info, MCFAB_A_UPLOAD_DESTINATIONS, "destinations");
	ret = mcfab_nl_nodes_check(info, MCFAB_A_UPLOAD_SOURCES, nodes);
	if (!ret)
		ret = mcfab_nl_nodes_check(info, MCFAB_A_UPLOAD_DESTINATIONS, nodes);
	if (!ret)
		ret = mcfab_nl_counts_check(info, up);
	if (!ret)
		ret = mcfab_nl_flits_check(info);
	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(part); i++)
		if (!mcfab_nl_part_room(&part[i]))
			return -ENOMEM;

	/* Nothing can fail from here on. */
	for (i = 0; i < ARRAY_SIZE(part); i++) {
		if (!part[i].add)
			continue;
		mcfab_nl_copy(info, part[i].attr, *part[i].list +
			      (*part[i].have + part[i].offset) * part[i].size);
		*part[i].have += part[i].add;
	}
	mcfab_nl_sum_counts(up, part[COUNTS].add);
	mcfab_nl_note_flits(up, part[FLITS].add);
	return 0;
}

static int mcfab_nl_upload_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric, u32 type,
				const struct genl_info *info)
{
	const struct mcfab_nl_upload *up = &fabric->upload[type - 1];
	u32 msgs = min3(up->nsources, up->ncycles, up->ncounts);
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (up->grouped)
		msgs = min(msgs, up->ngroups);
	if (up->sized)
		msgs = min(msgs, up->nflits);
	if (nla_put_u32(skb, MCFAB_A_UPLOAD_FABRIC_ID, fabric->id) ||
	    nla_put_u32(skb, MCFAB_A_UPLOAD_TYPE, type) ||
	    nla_put_u32(skb, MCFAB_A_UPLOAD_DESTINATIONS_TOTAL, up->max_dst) ||
	    nla_put_u32(skb, MCFAB_A_UPLOAD_DESTINATIONS_COUNT, up->list.ndst) ||
	    (type == MCFAB_UPLOAD_TYPE_MESSAGES &&
	     (nla_put_u32(skb, MCFAB_A_UPLOAD_MESSAGES_TOTAL, up->max_msgs) ||
	      nla_put_u32(skb, MCFAB_A_UPLOAD_MESSAGES, msgs))) ||
	    (up->grouped && nla_put_flag(skb, MCFAB_A_UPLOAD_GROUPED)) ||
	    (up->sized && nla_put_flag(skb, MCFAB_A_UPLOAD_SIZED)) ||
	    (mcfab_nl_upload_complete(up) && nla_put_flag(skb, MCFAB_A_UPLOAD_COMPLETE))) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* Appends if there is something to append, then answers with what has come so far. */
static int mcfab_nl_upload_answer(struct genl_info *info, struct mcfab_nl_fabric *fabric,
				  u32 type, bool append)
{
	struct mcfab_nl_upload *up = &fabric->upload[type - 1];
	struct sk_buff *msg;
	int ret = 0;

	if (!mcfab_nl_upload_announced(up)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_UPLOAD_TYPE],
				    "nothing of this type was announced");
		return -ENOENT;
	}
	msg = mcfab_nl_new(GENLMSG_DEFAULT_SIZE);
	if (!msg)
		return -ENOMEM;
	if (append)
		ret = mcfab_nl_upload_append(info, fabric, up);
	if (!ret)
		ret = mcfab_nl_upload_fill(msg, fabric, type, info);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_UPLOAD_APPEND */
int mcfab_nl_upload_append_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_upload_answer(info, info->user_ptr[0],
				      nla_get_u32(info->attrs[MCFAB_A_UPLOAD_TYPE]), true);
}

/* MCFAB_CMD_UPLOAD_GET */
int mcfab_nl_upload_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	if (!info->attrs[MCFAB_A_UPLOAD_TYPE])
		return mcfab_nl_missing(info, MCFAB_A_UPLOAD_TYPE, "type");
	return mcfab_nl_upload_answer(info, info->user_ptr[0],
				      nla_get_u32(info->attrs[MCFAB_A_UPLOAD_TYPE]), false);
}

/* MCFAB_CMD_UPLOAD_DISCARD */
int mcfab_nl_upload_discard_doit(struct sk_buff *skb, struct genl_info *info)
{
	u32 type = nla_get_u32(info->attrs[MCFAB_A_UPLOAD_TYPE]);
	struct mcfab_nl_fabric *fabric = info->user_ptr[0];

	if (!mcfab_nl_upload_announced(&fabric->upload[type - 1])) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_UPLOAD_TYPE],
				    "nothing of this type was announced");
		return -ENOENT;
	}
	mcfab_nl_free_upload(&fabric->upload[type - 1]);
	return 0;
}
