// SPDX-License-Identifier: GPL-2.0
/*
 * A search for messages that deadlock. A crowd is a list of random messages, or of messages that
 * have part in a cycle of waits, at random times. When a crowd deadlocks, parts of it are taken
 * away as long as the rest still deadlocks: halves, quarters, ... single messages, then
 * destinations (delta debugging: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing
 * input", IEEE TSE 28(2), 2002).
 */
#include "base/memory.h"
#include "base/random.h"
#include "fabric/replay.h"

/* crowds that are tried */
#define CROWDS		60
/* messages of the largest crowd */
#define MOST_MESSAGES	1000
/* destinations of all of them */
#define MOST_DESTS	20000
/* a header that waits so long is looked at; no message is under way for so many cycles */
#define STALL		2000
#define MOST_CYCLES	1000000

static int alloc_list(struct mcfab_msg_list *list, u32 msgs)
{
	list->cycle = mcfab_memory_alloc(msgs, sizeof(*list->cycle));
	list->source = mcfab_memory_alloc(msgs, sizeof(*list->source));
	list->first = mcfab_memory_alloc(msgs + 1ULL, sizeof(*list->first));
	list->dst = mcfab_memory_alloc(MOST_DESTS, sizeof(*list->dst));
	return list->cycle && list->source && list->first && list->dst ? 0 : -ENOMEM;
}

static void free_list(struct mcfab_msg_list *list)
{
	mcfab_memory_free(list->cycle);
	mcfab_memory_free(list->source);
	mcfab_memory_free(list->first);
	mcfab_memory_free(list->dst);
}

/**
 * mcfab_replay_open() - begin a search
 * @r: set up; the caller may set its suspects then
 * @fabric: the fabric to copy; its graph is longer in use than @r
 * @run: policy and lengths of the run; its workload does not matter
 * @most: most destinations of a message
 * @err: filled in when it is refused
 *
 * Context: may sleep.
 * Return: 0 or a negative error; mcfab_replay_close() frees what there is in both cases.
 */
int mcfab_replay_open(struct mcfab_replay *r, const struct mcfab_fabric_cfg *fabric,
		      const struct mcfab_run_cfg *run, u32 most, struct mcfab_err *err)
{
	struct mcfab_fabric_cfg cfg = *fabric;
	struct mcfab_fabric *copy;

	memset(r, 0, sizeof(*r));
	cfg.shards = 1;
	cfg.stall_limit = STALL;
	copy = mcfab_fabric_create(&cfg, err);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	r->fabric = copy;
	r->run = *run;
	r->run.workload = (struct mcfab_workload_cfg){ .kind = MCFAB_WORKLOAD_TYPE_FILE };
	r->run.workload.multicast_ppm = MCFAB_PPM;
	r->run.max_cycles = MOST_CYCLES;
	r->most = most;
	r->room = min(4 * copy->topo.nodes, MOST_MESSAGES);
	r->crowds = CROWDS;
	return alloc_list(&r->list, r->room) ?: alloc_list(&r->trial, r->room);
}

/**
 * mcfab_replay_close() - end a search
 * @r: the search; all zero, or as mcfab_replay_open() left it
 *
 * Context: may sleep.
 */
void mcfab_replay_close(struct mcfab_replay *r)
{
	if (r->fabric)
		mcfab_fabric_destroy(r->fabric);
	free_list(&r->list);
	free_list(&r->trial);
	memset(r, 0, sizeof(*r));
}

static void add_message(struct mcfab_msg_list *list, u64 cycle, u32 source)
{
	u32 i = list->nmsgs++;

	list->cycle[i] = cycle;
	list->source[i] = source;
	list->first[i] = list->ndst;
	list->first[i + 1] = list->ndst;
}

static void add_dest(struct mcfab_msg_list *list, u32 dst)
{
	list->dst[list->ndst++] = dst;
	list->first[list->nmsgs] = list->ndst;
}

static bool has_dest(const struct mcfab_msg_list *list, u32 msg, u32 dst)
{
	u32 i;

	for (i = list->first[msg]; i < list->first[msg + 1]; i++)
		if (list->dst[i] == dst)
			return true;
	return false;
}

/* A random message with about @most destinations, at most. */
static void add_random(struct mcfab_replay *r, u64 key, u64 cycle, u32 most)
{
	u32 nodes = r->fabric->topo.nodes, source, dst, i, count;
	struct mcfab_msg_list *list = &r->list;

	source = mcfab_random_below(key, 0, MCFAB_STREAM_SOURCE, 0, nodes);
	add_message(list, cycle, source);
	count = 1 + mcfab_random_below(key, 0, MCFAB_STREAM_KIND, 0, most);
	for (i = 0; i < count || list->first[list->nmsgs - 1] == list->ndst; i++) {
		dst = mcfab_random_below(key, 1, MCFAB_STREAM_DEST, i, nodes);
		if (dst != source && !has_dest(list, list->nmsgs - 1, dst))
			add_dest(list, dst);
	}
}

static void add_suspect(struct mcfab_replay *r, u64 key, u64 cycle)
{
	const struct mcfab_suspect *s;
	u32 i;

	s = &r->suspect[mcfab_random_below(key, 2, MCFAB_STREAM_SOURCE, 0, r->nsuspects)];
	add_message(&r->list, cycle, s->source);
	for (i = 0; i < s->ndst; i++)
		add_dest(&r->list, s->dst[i]);
}

/* A crowd: many or few messages, with few or many destinations, at once or one after the other. */
static void make_crowd(struct mcfab_replay *r)
{
	static const u32 dests[] = { 3, 10, 2, 40 };
	static const u32 spread[] = { 0, 2, 10 };
	u32 most = min(r->most, dests[r->crowd % ARRAY_SIZE(dests)]), gap, count, i;
	u64 key = mcfab_random(r->fabric->cfg.seed, r->crowd, MCFAB_STREAM_VERIFY, 0), cycle = 0;
	bool suspects = r->nsuspects && r->crowd & 1;

	gap = spread[r->crowd / 2 % ARRAY_SIZE(spread)];
	count = max(r->room >> r->crowd / 4 % 3, 2U);
	r->list.nmsgs = 0;
	r->list.ndst = 0;
	for (i = 0; i < count && r->list.ndst + max(most, r->most) < MOST_DESTS; i++) {
		u64 one = mcfab_random(key, i, MCFAB_STREAM_VERIFY, 1);

		if (suspects && one & 1)
			add_suspect(r, one, cycle);
		else
			add_random(r, one, cycle, most);
		cycle += mcfab_random_below(one, 0, MCFAB_STREAM_GAP, 0, gap + 1);
	}
}

/* Runs a list. Returns 1 if it deadlocks, 0 if not. */
static int try(struct mcfab_replay *r, const struct mcfab_msg_list *list, struct mcfab_err *err)
{
	struct mcfab_results *res = &r->fabric->results;
	int ret;

	r->run.workload.list = list;
	ret = mcfab_run_here(r->fabric, &r->run, err);
	if (ret)
		return ret;
	if (res->progress.state != MCFAB_RUN_STATUS_DEADLOCKED)
		return 0;
	r->deadlock = res->deadlock;
	return 1;
}

/* All of the list but a part: messages, or destinations; a message without any is left out. */
static void take_away(struct mcfab_replay *r, bool dests)
{
	const struct mcfab_msg_list *from = &r->list;
	struct mcfab_msg_list *to = &r->trial;
	u32 m, i, end = r->at + r->part;

	to->nmsgs = 0;
	to->ndst = 0;
	for (m = 0; m < from->nmsgs; m++) {
		if (!dests && m >= r->at && m < end)
			continue;
		add_message(to, from->cycle[m], from->source[m]);
		for (i = from->first[m]; i < from->first[m + 1]; i++)
			if (!dests || i < r->at || i >= end)
				add_dest(to, from->dst[i]);
		if (to->first[to->nmsgs - 1] == to->ndst)
			to->nmsgs--;
	}
}

static void begin_stage(struct mcfab_replay *r, enum mcfab_replay_stage stage)
{
	u32 size = stage == MCFAB_REPLAY_MESSAGES ? r->list.nmsgs : r->list.ndst;

	r->stage = stage;
	r->at = 0;
	r->part = max(size / 2, 1U);
	r->shrunk = false;
}

/* Try without the next part. */
static int shrink(struct mcfab_replay *r, struct mcfab_err *err)
{
	bool dests = r->stage == MCFAB_REPLAY_DESTS;
	u32 size = dests ? r->list.ndst : r->list.nmsgs;
	int ret;

	if (r->at < size) {
		take_away(r, dests);
		ret = r->trial.nmsgs ? try(r, &r->trial, err) : 0;
		if (ret < 0)
			return ret;
		if (ret) {
			swap(r->list, r->trial);
			r->shrunk = true;
		} else {
			r->at += r->part;
		}
		return 0;
	}
	r->at = 0;
	if (r->part > 1) {
		r->part /= 2;
		return 0;
	}
	if (r->shrunk)
		r->shrunk = false;
	else
		begin_stage(r, r->stage + 1);
	return 0;
}

static int run_crowd(struct mcfab_replay *r, struct mcfab_err *err)
{
	int ret;

	make_crowd(r);
	r->crowd++;
	ret = try(r, &r->list, err);
	if (ret < 0)
		return ret;
	if (ret)
		begin_stage(r, MCFAB_REPLAY_MESSAGES);
	else if (r->crowd == r->crowds)
		r->stage = MCFAB_REPLAY_END;
	return 0;
}

/**
 * mcfab_replay_step() - one run of the search
 * @r: the search
 * @err: the reason of a refusal
 *
 * Context: may sleep; takes some milliseconds on small networks.
 * Return: 1: go on; 0: it has ended; a negative error: a run was refused, or -EINTR.
 */
int mcfab_replay_step(struct mcfab_replay *r, struct mcfab_err *err)
{
	int ret = 0;

	if (r->stage == MCFAB_REPLAY_CROWDS)
		ret = run_crowd(r, err);
	else if (r->stage != MCFAB_REPLAY_END)
		ret = shrink(r, err);
	return ret < 0 ? ret : r->stage != MCFAB_REPLAY_END;
}
