// SPDX-License-Identifier: GPL-2.0
/* Predictions: what a plan costs without contention, by a dry walk of its worms. */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "plan/walk.h"

/* After so many events of a prediction others get the processor. */
#define BREATH		4096

/**
 * struct send_clock - when the worms of a sender start
 * @sender: the sender
 * @after: the worm that delivers to it
 * @round: its round under way
 * @start: when the worms of the round leave
 * @next: when the start-up of the next round begins
 * @entry: entry of the plan that delivers to it: senders of a step come in the
 *	   order of their entries, so the search goes on from the last one
 */
struct send_clock {
	u32 sender;
	u32 after;
	u32 round;
	u64 start;
	u64 next;
	u32 entry;
};

static int find_arrival(const struct mcfab_plan *plan, const struct mcfab_prediction *out,
			struct send_clock *clock, u64 *arrival)
{
	const struct mcfab_plan_worm *worm = &plan->worm[clock->after];
	u32 first = worm->first, count = worm->count, i;
	u32 at = clock->entry;

	if (at < first || at >= first + count)
		at = first;
	for (i = 0; i < count; i++) {
		if ((out->node[at] & ~(u32)MCFAB_DST_RELAY) == clock->sender) {
			clock->entry = at;
			*arrival = out->arrival[at];
			return 0;
		}
		if (++at == first + count)
			at = first;
	}
	return -EINVAL;
}

static int set_clock(const struct mcfab_plan *plan, const struct mcfab_plan_worm *worm,
		     const struct mcfab_timing *timing, const struct mcfab_prediction *out,
		     struct send_clock *clock)
{
	u64 arrival = 0;
	int ret;

	if (worm->sender == clock->sender && worm->after == clock->after) {
		if (worm->round != clock->round) {
			clock->round = worm->round;
			clock->start = clock->next + timing->startup;
		}
		return 0;
	}
	clock->sender = worm->sender;
	clock->after = worm->after;
	clock->round = worm->round;
	if (worm->after == MCFAB_NONE) {
		arrival = timing->prep;
	} else {
		ret = find_arrival(plan, out, clock, &arrival);
		if (ret)
			return ret;
		arrival += timing->prep_relay;
	}
	clock->start = arrival + timing->startup;
	clock->next = 0;
	return 0;
}

/**
 * mcfab_walk_tail() - when the tail of a packet alone arrives (rule 8 of the engine's model)
 * @walk: a walk: what the policy sees of the fabric
 * @timing: delays
 * @start: when the packet leaves
 * @hops: channels it crosses
 * @flits: its length
 *
 * Context: Any.
 * Return: the cycle.
 */
u64 mcfab_walk_tail(const struct mcfab_walk *walk, const struct mcfab_timing *timing, u64 start,
		    u32 hops, u32 flits)
{
	bool store = walk->pol->view.switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
	u64 cycle = start + timing->inject_delay + (hops + 1ull) * timing->route_delay +
		    (u64)hops * timing->link_delay + timing->consume_delay + flits - 1;

	/* the whole message is collected at every router, and routed meanwhile */
	if (store && flits - 1 > timing->route_delay)
		cycle += (u64)hops * (flits - 1 - timing->route_delay);
	return cycle;
}

/* What tables make of a worm: false for a delivery that counts. */
static bool astray(const struct mcfab_walk *walk, const struct mcfab_walk_event *event,
		   struct mcfab_prediction *out)
{
	switch (event->kind) {
	case MCFAB_WALK_DROP:
		out->drops++;
		return true;
	case MCFAB_WALK_STRAY:
		out->strays++;
		return true;
	default:
		if (!__test_and_set_bit(event->entry, walk->came))
			return false;
		out->duplicates++;
		return true;
	}
}

/* Destinations of the worm that got nothing; returns where the next entry goes. */
static u32 add_lost(const struct mcfab_walk *walk, u32 entry, struct mcfab_prediction *out)
{
	u32 i, count = walk->plan->worm[walk->worm].count;

	for (i = 0; i < count; i++) {
		if (test_bit(i, walk->came))
			continue;
		out->node[entry] = walk->dst[i];
		out->arrival[entry] = U64_MAX;
		if (out->hops)
			out->hops[entry] = 0;
		entry++;
		out->lost++;
	}
	return entry;
}

/**
 * mcfab_walk_predict() - what a plan costs and when it delivers, without contention
 * @walk: a walk that was set up for the plan; left at the end of it
 * @timing: delays
 * @out: filled in; its arrays are the caller's
 *
 * A sender's next round starts up when the one before is delivered, or (rounds
 * injected) when its last flit has left. Later senders start up when they have the
 * whole message.
 *
 * Context: May sleep. Takes time in proportion to the plan's hops, which may be
 * a minute for a broadcast by unicasts.
 * Return: 0; -EINTR: the process is being killed; -EINVAL: a sender never gets the
 * message; or a negative error as of mcfab_walk_next().
 */
int mcfab_walk_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing,
		       struct mcfab_prediction *out)
{
	struct send_clock clock = { .sender = MCFAB_NONE };
	const struct mcfab_plan *plan = walk->plan;
	struct mcfab_walk_event event = {};
	u32 i, entry = 0, events = 0, longest = 0;
	int ret;

	out->ndst = 0;
	out->nworms = plan->nworms;
	out->steps = 0;
	out->longest = 0;
	out->path = 0;
	out->traffic = 0;
	out->completion = 0;
	out->sum_destination = 0;
	out->sum_worm = 0;
	out->lost = 0;
	out->drops = 0;
	out->strays = 0;
	out->duplicates = 0;
	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *worm = &plan->worm[i];
		u32 flits = timing->flits;
		u64 arrival, last = 0;

		if (timing->headers)
			flits += mcfab_header_more(walk->pol, plan->dst, worm->first,
						   worm->first + worm->count);
		ret = set_clock(plan, worm, timing, out, &clock);
		if (ret)
			return ret;
		/* worms come in the order of their steps */
		if (i && worm->step != worm[-1].step) {
			out->path += longest;
			longest = 0;
		}
		mcfab_walk_start(walk, i);
		memset(walk->came, 0, BITS_TO_LONGS(worm->count) * sizeof(long));
		while ((ret = mcfab_walk_next(walk, &event)) == 1) {
			if (!(++events % BREATH)) {
				cond_resched();
				if (fatal_signal_pending(current))
					return -EINTR;
			}
			longest = max(longest, event.hops);
			if (event.kind == MCFAB_WALK_HOP)
				continue;
			if (walk->table && astray(walk, &event, out))
				continue;
			if (entry == plan->ndst)
				return mcfab_walk_wrong(walk, -EOVERFLOW,
							"it is delivered too often");
			arrival = mcfab_walk_tail(walk, timing, clock.start, event.hops, flits);
			last = max(last, arrival);
			out->node[entry] = event.to;
			out->arrival[entry] = arrival;
			if (out->hops)
				out->hops[entry] = event.hops;
			entry++;
			if (event.to & MCFAB_DST_RELAY)
				continue;
			out->ndst++;
			out->sum_destination += arrival;
			out->completion = max(out->completion, arrival);
		}
		if (ret)
			return ret;
		if (walk->table)
			entry = add_lost(walk, entry, out);
		if (entry != worm->first + worm->count)
			return mcfab_walk_wrong(walk, -EINVAL, "it is left out");
		out->longest = max(out->longest, longest);
		out->steps = max_t(u32, out->steps, worm->step);
		out->traffic += walk->hop;
		out->sum_worm += last;
		if (timing->rounds == MCFAB_ROUNDS_MODE_INJECTED)
			last = clock.start + (timing->ports ? 0 : timing->inject_delay) + flits;
		clock.next = max(clock.next, last);
	}
	out->path += longest;
	return 0;
}
