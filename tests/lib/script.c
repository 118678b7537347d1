// SPDX-License-Identifier: GPL-2.0
/* See lib/script.h. */
#include <stdlib.h>
#include "lib/net.h"
#include "lib/runner.h"
#include "lib/script.h"
#include "workload/arrivals.h"

#include "engine/engine.h"
#include "fabric/runner.h"
#include "lib/tap.h"

static struct script *script_of(struct mcfab_outside *o)
{
	return container_of(o, struct script, o);
}

static u32 ndst_of(const struct mcfab_msg_list *list, u32 nr)
{
	return list->first[nr + 1] - list->first[nr];
}

/* messages with the same destinations have the number of the first of them, from 1 */
static u32 set_number(const struct mcfab_msg_list *list, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (ndst_of(list, i) == ndst_of(list, nr) &&
		    !memcmp(list->dst + list->first[i], list->dst + list->first[nr],
			    ndst_of(list, nr) * sizeof(u32)))
			break;
	return i + 1;
}

/* hand in what is due up to @now; return: the cycle of the next message, or U64_MAX */
static u64 hand_in(struct script *s, u64 now)
{
	const struct mcfab_msg_list *list = s->list;
	u32 i, kept = 0;
	u64 next = U64_MAX;

	for (i = 0; i < s->nleft; i++) {
		u32 nr = s->left[i];
		struct mcfab_inbox **in = &s->o.inbox[list->source[nr]];
		struct mcfab_offer offer = {
			.cycle = list->cycle[nr],
			.cookie = nr + 1,
			.dst = list->dst + list->first[nr],
			.listed = ndst_of(list, nr),
			.ndst = ndst_of(list, nr),
			.set = s->sets ? set_number(list, nr) : 0,
			.flits = list->flits && list->flits[nr] ? list->flits[nr] : s->rc->flits,
		};

		if (!*in)
			*in = mcfab_inbox_new(list->source[nr], s->size);
		if ((s->ahead || list->cycle[nr] <= now) &&
		    mcfab_inbox_put(&s->o, *in, &offer))
			continue;
		next = min(next, max(list->cycle[nr], now + 1));
		s->left[kept++] = nr;
	}
	s->nleft = kept;
	return next;
}

/* are no more messages under way than the run has room for? */
static void see_crowd(struct script *s)
{
	struct mcfab_outsides *o = &s->fabric->engine->outside;

	if (s->most)
		o->most = s->most;
	s->crowd = max(s->crowd, (u32)atomic_read(&o->under_way));
	assert_in_range(s->crowd, 0, o->most);
}

static u64 script_wait(struct mcfab_outside *o, u64 cycle, u64 next, bool idle, u32 ms)
{
	struct script *s = script_of(o);
	u64 before = s->nleft, then;

	assert_true(next > cycle);
	assert_true(idle ? !ms || ms < 1000 : !ms);
	/* the engine has heard of all messages so far: an outside that sleeps would sleep now */
	assert_true(llist_empty(&o->ready));
	see_crowd(s);
	s->now = cycle;
	s->seen = cycle;
	then = hand_in(s, cycle);
	if (!s->stopped &&
	    (cycle >= s->stop_at || (!s->nleft && before == s->nleft && idle && !s->nfull))) {
		s->stopped = true;
		mcfab_engine_stop(s->fabric->engine);
		return cycle;
	}
	/* real time goes on, even if simulated time does not */
	if (idle && s->nfull && s->stands)
		s->now = U64_MAX - 1;
	/* messages that were handed in may come before @next; so may those that come later */
	if (before != s->nleft || s->nfull)
		return cycle;
	return min(next, then) - 1;
}

/* a node is full for some cycles, now and then */
static bool room_is_left(struct script *s, u32 node, u64 cycle)
{
	if (!s->fills || rng_below(&s->rnd, s->fills))
		return true;
	if (s->o.holds && !s->until[node]) {
		s->shut[s->nshut++] = (struct shut){ node, s->seen, U64_MAX };
		s->nfull++;
	}
	s->until[node] = max(s->until[node], cycle + 1 + rng_below(&s->rnd, 200));
	return false;
}

static bool script_takes(struct mcfab_outside *o, u32 node)
{
	struct script *s = script_of(o);

	u32 i;

	assert_true(s->until[node]);
	if (s->now < s->until[node])
		return false;
	s->until[node] = 0;
	for (i = 0; s->shut[i].node != node || s->shut[i].to != U64_MAX; i++)
		assert_true(i < s->nshut);
	s->shut[i].to = s->seen;
	s->nfull--;
	return true;
}

static void script_kick(struct mcfab_outside *o)
{
}

static void script_links(struct mcfab_outside *o, const unsigned long *cut)
{
}

static void script_end(struct mcfab_outside *o)
{
	struct script *s = script_of(o);

	assert_false(s->ended);
	s->ended = true;
}

static bool script_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle)
{
	struct script *s = script_of(o);

	assert_false(s->ended);
	assert_false(s->known[cookie - 1].over);
	s->known[cookie - 1].delivered++;
	s->seen = max(s->seen, cycle);
	s->told[s->ntold++] = (struct told){ .cycle = cycle, .msg = cookie - 1, .node = node };
	return room_is_left(s, node, cycle);
}

static void script_sent(struct mcfab_outside *o, u64 cookie, u64 gen)
{
	struct known *k = &script_of(o)->known[cookie - 1];

	assert_true(gen >= script_of(o)->list->cycle[cookie - 1]);
	assert_false(k->sent);
	assert_false(k->over);
	k->sent = true;
}

static void script_over(struct mcfab_outside *o, u64 cookie)
{
	struct known *k = &script_of(o)->known[cookie - 1];

	assert_false(k->over);
	k->over = true;
}

static const struct mcfab_outside_ops script_ops = {
	.wait = script_wait,
	.kick = script_kick,
	.links = script_links,
	.end = script_end,
	.deliver = script_deliver,
	.takes = script_takes,
	.sent = script_sent,
	.over = script_over,
};

static u32 least_flits(const struct mcfab_msg_list *list, u32 flits)
{
	if (!list->flits || !list->shortest)
		return flits;
	return list->unsized ? min(flits, list->shortest) : list->shortest;
}

void run_script(struct script *s, const struct mcfab_fabric_cfg *fc,
		const struct mcfab_run_cfg *rc, struct mcfab_run_cfg *run, struct outcome *end)
{
	const struct mcfab_msg_list *list = rc->workload.list;
	struct mcfab_err err = { 0 };
	u32 i;

	s->fabric = mcfab_fabric_create(fc, &err);
	assert_false(IS_ERR(s->fabric));
	s->list = list;
	s->rc = rc;
	s->rnd = s->seed;
	assert_int_equal(mcfab_outside_open(&s->o, &script_ops, s->fabric->topo.nodes), 0);
	s->o.log = mcfab_arrivals_new(list->nmsgs, list->ndst);
	s->left = calloc(list->nmsgs, sizeof(u32));
	s->known = calloc(list->nmsgs, sizeof(*s->known));
	s->told = calloc(list->ndst + 1, sizeof(*s->told));
	s->until = calloc(s->fabric->topo.nodes, sizeof(*s->until));
	s->shut = calloc(list->ndst + 1, sizeof(*s->shut));
	for (i = 0; i < list->nmsgs; i++)
		s->left[i] = i;
	s->nleft = list->nmsgs;

	*run = *rc;
	run->flits = mcfab_run_longest(rc);
	run->workload = (struct mcfab_workload_cfg){
		.kind = MCFAB_WORKLOAD_TYPE_PORTS,
		.source = MCFAB_NONE,
		.outside = &s->o,
		.shortest = least_flits(list, rc->flits),
	};
	if (mcfab_run_start(s->fabric, run, &err)) {
		print_config(fc, rc);
		fail_msg("run: %s", err.msg);
	}
	mcfab_runner_wait(s->fabric);
	end->state = s->fabric->results.progress.state;
	end->hash = s->fabric->results.progress.has_hash ? s->fabric->results.progress.hash : 0;
	end->progress = s->fabric->results.progress;
	mcfab_fabric_destroy(s->fabric);
}

void script_free(struct script *s, u32 nodes)
{
	mcfab_arrivals_put(s->o.log);
	mcfab_outside_close(&s->o, nodes);
	free(s->left);
	free(s->known);
	free(s->told);
	free(s->until);
	free(s->shut);
}
