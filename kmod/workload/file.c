// SPDX-License-Identifier: GPL-2.0
/*
 * FILE: a list of messages that was uploaded. The list is checked once, here, and indexed by
 * source; a message's sequence number is its place among the messages of its source.
 */
#include "base/job.h"
#include "base/memory.h"
#include "subnet/subnet.h"
#include "workload/kinds.h"

/* Messages and destinations that are looked at between two scheduling points. */
#define BREATH	4096

/* @seen: how many were looked at since the last one; @done of @total messages are done */
static int file_breathe(u32 *seen, u32 more, u32 done, u32 total, struct mcfab_err *err)
{
	*seen += more;
	if (*seen < BREATH)
		return 0;
	*seen = 0;
	return mcfab_job_step(done, total) ? mcfab_refuse(err, -EINTR, 0, "interrupted") : 0;
}

static int file_check_shape(const struct mcfab_msg_list *list, struct mcfab_err *err)
{
	u32 i, looked = 0;
	int ret;

	if (!list || !list->nmsgs)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "the message list is empty");
	for (i = 0; i < list->nmsgs; i++) {
		err->index = i;
		if (list->first[i + 1] == list->first[i] && !(list->group && list->group[i]))
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
					    "message %u has no destinations", i);
		if (list->first[i + 1] < list->first[i] || list->first[i + 1] > list->ndst)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
					    "destinations of message %u are out of bounds", i);
		ret = file_breathe(&looked, 1, i, list->nmsgs, err);
		if (ret)
			return ret;
	}
	if (list->first[0] || list->first[list->nmsgs] != list->ndst)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "destinations without a message");
	return 0;
}

static const struct mcfab_group *file_msg_group(const struct mcfab_workload *w, u32 msg)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 place;

	if (!list->group || !list->group[msg] || !w->cfg.subnet)
		return NULL;
	place = mcfab_group_place(w->cfg.subnet, list->group[msg]);
	return place == MCFAB_NONE ? NULL : w->cfg.subnet->group[place];
}

static int file_check_group(const struct mcfab_workload *w, u32 i, struct mcfab_err *err)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	const struct mcfab_group *group = file_msg_group(w, i);

	if (!group)
		return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u: there is no group of number %u", i,
				    list->group[i]);
	if (list->first[i + 1] > list->first[i])
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u has a group and destinations", i);
	if (group->nmembers > mcfab_group_has(group, list->source[i]))
		return 0;
	return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
			    "message %u: its group has no member but source %u", i,
			    list->source[i]);
}

/* @seen: a bit per node, all clear; clear again on success */
static int file_check_message(const struct mcfab_workload *w, u32 i, unsigned long *seen,
			      struct mcfab_err *err)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 source = list->source[i];
	u32 j, dst;

	err->index = i;
	if (source >= w->nodes)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u: source %u is not below %u", i, source, w->nodes);
	if (list->flits && list->flits[i] > MCFAB_MAX_FLITS)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u: length %u is not in 1 to %u", i, list->flits[i],
				    MCFAB_MAX_FLITS);
	if (list->nclasses && list->class[i] >= list->nclasses)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u: class %u is not below %u", i, list->class[i],
				    list->nclasses);
	if (list->cycle[i] == U64_MAX)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
				    "message %u: cycle is out of range", i);
	if (list->group && list->group[i])
		return file_check_group(w, i, err);
	for (j = list->first[i]; j < list->first[i + 1]; j++) {
		dst = list->dst[j];
		if (dst >= w->nodes)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
					    "message %u: destination %u is not below %u",
					    i, dst, w->nodes);
		if (dst == source)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
					    "message %u: source %u is among the destinations",
					    i, dst);
		if (test_bit(dst, seen))
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
					    "message %u: destination %u occurs twice", i, dst);
		__set_bit(dst, seen);
	}
	for (j = list->first[i]; j < list->first[i + 1]; j++)
		__clear_bit(list->dst[j], seen);
	return 0;
}

static int file_check(struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 i, count, looked = 0;
	unsigned long *seen;
	int ret;

	ret = file_check_shape(list, err);
	if (ret)
		return ret;

	seen = mcfab_memory_zalloc(BITS_TO_LONGS(w->nodes), sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	for (i = 0; i < list->nmsgs; i++) {
		count = list->first[i + 1] - list->first[i];
		ret = file_check_message(w, i, seen, err);
		if (!ret)
			ret = file_breathe(&looked, 1 + count, i, list->nmsgs, err);
		if (ret)
			break;
		if (list->group && list->group[i])
			count = file_msg_group(w, i)->nmembers;
		w->max_dests = max(w->max_dests, count);
		w->last = max(w->last, list->cycle[i]);
	}
	mcfab_memory_free(seen);
	return ret;
}

/* Each source's messages are in the order of their cycles. */
static int file_check_order(const struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 source, place, i, looked = 0;
	int ret = 0;

	for (source = 0; source < w->nodes && !ret; source++) {
		for (place = w->msg_first[source] + 1; place < w->msg_first[source + 1]; place++) {
			i = w->msg_order[place];
			if (list->cycle[i] < list->cycle[w->msg_order[place - 1]]) {
				err->index = i;
				return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WORKLOAD,
						    "message %u is earlier than the one before of source %u",
						    i, source);
			}
		}
		ret = file_breathe(&looked, 1 + w->msg_first[source + 1] - w->msg_first[source],
				   w->msg_first[source], list->nmsgs, err);
	}
	return ret;
}

/* the messages of each source in the order of the list: a counting sort */
static int file_index(struct mcfab_workload *w, struct mcfab_err *err)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 i, place, source, looked = 0;
	int ret = 0;

	for (i = 0; i < list->nmsgs && !ret; i++) {
		w->msg_first[list->source[i] + 1]++;
		ret = file_breathe(&looked, 1, i, list->nmsgs, err);
	}
	for (i = 0; i < w->nodes && !ret; i++) {
		w->msg_first[i + 1] += w->msg_first[i];
		ret = file_breathe(&looked, 1, i, w->nodes, err);
	}
	for (i = 0; i < list->nmsgs && !ret; i++) {
		source = list->source[i];
		place = w->msg_first[source]++;
		w->msg_order[place] = i;
		ret = file_breathe(&looked, 1, i, list->nmsgs, err);
	}
	if (ret)
		return ret;
	/* Each start has moved on to the next one's: move them back. */
	for (i = w->nodes; i > 0; i--)
		w->msg_first[i] = w->msg_first[i - 1];
	w->msg_first[0] = 0;
	return file_check_order(w, err);
}

static int file_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	int ret;

	ret = file_check(w, err);
	if (ret)
		return ret;
	w->list_class = w->cfg.list->class;
	w->msg_order = mcfab_memory_zalloc(w->cfg.list->nmsgs, sizeof(*w->msg_order));
	w->msg_first = mcfab_memory_zalloc(w->nodes + 1, sizeof(*w->msg_first));
	ret = -ENOMEM;
	if (w->msg_order && w->msg_first)
		ret = file_index(w, err);
	if (ret)
		mcfab_workload_close(w);
	return ret;
}

static u64 file_cycle(const struct mcfab_workload *w, u32 node, u32 index)
{
	u32 place = w->msg_first[node] + index;

	if (place >= w->msg_first[node + 1])
		return U64_MAX;
	return w->cfg.list->cycle[w->msg_order[place]];
}

static void file_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	src->gen = file_cycle(w, node, 0);
}

static void file_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		      u32 attempt)
{
	src->gen = file_cycle(w, node, src->index);
}

static const struct mcfab_group *file_group(const struct mcfab_workload *w, u32 node, u32 index)
{
	return file_msg_group(w, w->msg_order[w->msg_first[node] + index]);
}

static u32 file_ndests(const struct mcfab_workload *w, u32 node, u32 index)
{
	u32 msg = w->msg_order[w->msg_first[node] + index];
	u32 count = w->cfg.list->first[msg + 1] - w->cfg.list->first[msg];
	const struct mcfab_group *group;

	if (count)
		return count;
	group = file_msg_group(w, msg);
	return group->nmembers - mcfab_group_has(group, node);
}

static u32 file_dests(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst)
{
	const struct mcfab_msg_list *list = w->cfg.list;
	u32 msg = w->msg_order[w->msg_first[node] + index];
	u32 count = list->first[msg + 1] - list->first[msg];

	if (!count)
		return mcfab_group_dests(file_msg_group(w, msg), node, dst);
	memcpy(dst, list->dst + list->first[msg], count * sizeof(*dst));
	return count;
}

static u32 file_length(const struct mcfab_workload *w, u32 node, u32 index)
{
	return w->cfg.list->flits[w->msg_order[w->msg_first[node] + index]];
}

/**
 * mcfab_workload_check_warmup() - refuse a window that begins behind the end of a list
 * @w: workload, opened
 * @warmup: where the window begins; MCFAB_NONE: that is not given
 * @err: why it is refused
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int mcfab_workload_check_warmup(const struct mcfab_workload *w, u32 warmup, struct mcfab_err *err)
{
	if (w->cfg.kind != MCFAB_WORKLOAD_TYPE_FILE || warmup == MCFAB_NONE || warmup <= w->last)
		return 0;
	return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_WARMUP,
			    "the list ends with cycle %llu",
			    w->last);
}

const struct mcfab_workload_ops mcfab_workload_file_ops = {
	.open = file_open,
	.start = file_start,
	.step = file_step,
	.ndests = file_ndests,
	.dests = file_dests,
	.group = file_group,
	.length = file_length,
};
