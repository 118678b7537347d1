// SPDX-License-Identifier: GPL-2.0
/* Lists of messages that are measured in a window: the same as the load that they were made from. */
#include <stdio.h>
#include <stdlib.h>
#include "workload/workload.h"
#include "lib/capture.h"
#include "lib/loads.h"
#include "lib/tap.h"

#define NODES	64

static struct mcfab_workload_cfg load;

/* the messages of the load in @rc before a cycle, in the order of nodes */
static struct mcfab_msg_list *list_of(u64 before)
{
	struct mcfab_err err = { 0 };
	struct mcfab_msg_list *list;
	struct mcfab_workload w;
	struct mcfab_source src;
	u32 i, n = 0;
	bool unicast;

	assert_int_equal(mcfab_workload_open(&w, &rc.workload, fc.seed, NODES, &err), 0);
	for (i = 0; i < NODES; i++)
		for (mcfab_workload_first(&w, i, &src); src.gen < before; n++)
			mcfab_workload_next(&w, i, &src);
	list = list_new(n, n * rc.workload.dests);
	if (rc.workload.nlengths)
		list->flits = calloc(n, sizeof(u32));
	for (i = 0, n = 0; i < NODES; i++) {
		for (mcfab_workload_first(&w, i, &src); src.gen < before; n++) {
			list->cycle[n] = src.gen;
			list->source[n] = i;
			list->first[n + 1] = list->first[n] +
				mcfab_workload_dests(&w, i, src.index, list->dst + list->first[n],
						     &unicast);
			if (list->flits) {
				list->flits[n] = mcfab_workload_length(&w, i, src.index);
				mcfab_list_note_flits(list, list->flits[n]);
			}
			mcfab_workload_next(&w, i, &src);
		}
	}
	mcfab_workload_close(&w);
	return list;
}

/* a node has nothing more to send from a cycle on; @list has no lengths */
static void drop(struct mcfab_msg_list *list, u32 node, u64 cycle)
{
	u32 i, count, n = 0, to = 0;

	for (i = 0; i < list->nmsgs; i++) {
		if (list->source[i] == node && list->cycle[i] >= cycle)
			continue;
		count = list->first[i + 1] - list->first[i];
		memmove(list->dst + to, list->dst + list->first[i], count * sizeof(u32));
		list->cycle[n] = list->cycle[i];
		list->source[n] = list->source[i];
		list->first[n++] = to;
		to += count;
	}
	list->first[n] = to;
	list->nmsgs = n;
	list->ndst = to;
}

static void take_list(const struct mcfab_msg_list *list)
{
	load = rc.workload;
	rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
	rc.workload.list = list;
	rc.workload.nlengths = 0;
	rc.workload.dests = 0;
	rc.windowed = true;
}

static void same(const struct run *a, const struct run *b)
{
	u32 i;

	assert_int_equal(a->state, b->state);
	assert_int_equal(a->window.start, b->window.start);
	assert_int_equal(a->window.end, b->window.end);
	assert_int_equal(a->window.batches.count, b->window.batches.count);
	assert_memory_equal(&a->loads, &b->loads, sizeof(a->loads));
	assert_memory_equal(&a->sat, &b->sat, sizeof(a->sat));
	for (i = 0; i < min(a->got.nmsg, b->got.nmsg); i++) {
		const struct mcfab_message *m = &a->got.msg[i], *n = &b->got.msg[i];

		if (m->gen >= a->window.end)
			break;
		assert_int_equal(m->gen, n->gen);
		assert_int_equal(m->source, n->source);
		assert_int_equal(m->seq, n->seq);
		assert_int_equal(m->flits, n->flits);
	}
	assert_true(i > 60);
}

/* what a load gives in its window a list of its messages gives, for any number of shards */
static void test_as_load(void **state)
{
	struct mcfab_msg_list *list;
	struct run one, again;
	u32 i, s;

	for (i = 0; i < 4; i++) {
		mesh(8, 8, i % 2 ? "qg" : "dp", 100000, 10);
		fc.startup = 33;
		rc.workload.nlengths = i < 2 ? 0 : 2;
		rc.workload.length[0] = 8;
		rc.workload.weight[0] = 3;
		rc.workload.length[1] = 104;
		rc.workload.weight[1] = 1;
		/* a given place, or that of MSER-5 */
		rc.warmup = i ? 3000 : MCFAB_NONE;
		rc.batch_cycles = 500;
		run(&one, 1);
		assert_int_equal(one.state, MCFAB_RUN_STATUS_DONE);
		list = list_of(one.cycle + 20000);
		take_list(list);
		for (s = 1; s <= 8; s += 7) {
			run(&again, s);
			assert_false(again.window.exhausted);
			same(&one, &again);
			capture_free(&again.got);
		}
		capture_free(&one.got);
		rc.workload = load;
		list_free(list);
	}
}

/* the end of a list ends the window, the end of one node's messages does not */
static void test_end(void **state)
{
	struct mcfab_msg_list *list;
	struct run r;
	u64 last = 0;
	u32 i, s;

	mesh(8, 8, "dp", 100000, 10);
	rc.warmup = 3000;
	rc.batch_cycles = 500;
	list = list_of(9000);
	drop(list, 5, 4000);
	for (i = 0; i < list->nmsgs; i++)
		last = max(last, list->cycle[i]);
	take_list(list);
	for (s = 1; s <= 8; s += 7) {
		run(&r, s);
		assert_int_equal(r.state, MCFAB_RUN_STATUS_DONE);
		assert_int_equal(r.got.nmsg, list->nmsgs);
		assert_true(r.window.exhausted);
		assert_int_equal(r.window.start, 3000);
		assert_int_equal(r.window.end, last + 1);
		assert_in_range(r.loads.end, last - 7, last + 1);
		capture_free(&r.got);
	}
	/* a precision that the list has too little for: the same */
	rc.precision_ppm = 1;
	run(&r, 1);
	assert_true(r.window.exhausted);
	assert_int_equal(r.window.end, last + 1);
	capture_free(&r.got);
	/* without a window all is measured */
	rc.windowed = false;
	run(&r, 1);
	assert_false(r.window.exhausted);
	assert_int_equal(r.got.nmsg, list->nmsgs);
	assert_int_equal(r.window.phase, MCFAB_PHASE_ALL);
	capture_free(&r.got);
	list_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_load),
		cmocka_unit_test(test_end),
	};

	return run_tap(tests);
}
