// SPDX-License-Identifier: GPL-2.0
/*
 * The dry walk, and its prediction: a plan's cost without contention. The walk keeps the headers of
 * one worm only. The steps and the prediction are in one file, since the prediction takes a step
 * for every hop.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "plan/decision.h"
#include "plan/walk.h"
#include "updown/updown.h"

/* After so many events of a prediction other processes get the processor. */
#define BREATH		4096

/**
 * mcfab_walk_start() - go to the beginning of a worm
 * @walk: the walk
 * @worm: index of the worm in the plan
 *
 * Context: Any.
 */
void mcfab_walk_start(struct mcfab_walk *walk, u32 worm)
{
	const struct mcfab_plan_worm *w = &walk->plan->worm[worm];
	struct mcfab_walk_front *front = &walk->front[0];

	walk->worm = worm;
	walk->hop = 0;
	walk->listed = 0;
	walk->branch = 0;
	walk->out->nbranches = 0;
	memcpy(walk->dst, walk->plan->dst + w->first, w->count * sizeof(*walk->dst));
	front->router = walk->pol->view.topo->router[w->sender];
	front->hops = 0;
	front->links = (struct mcfab_links){ 0 };
	walk->timing = NULL;
	front->first = 0;
	front->last = w->count;
	front->state = 0;
	front->in_port = MCFAB_PORT_ANY;
	front->in_vc = 0;
	front->straight = 0;
	front->ends = false;
	walk->head = 0;
	walk->nfronts = 1;
}

/*
 * Is the decision as promised by the decisions before it? Then it is a plain one
 * (mcfab_decision_is_plain()), as the first of them was checked.
 */
static bool as_promised(const struct mcfab_walk_front *front, const struct mcfab_decision *out)
{
	const struct mcfab_branch *branch = out->branch;

	return out->nbranches == 1 && branch->node == MCFAB_NONE && branch->nports == 1 &&
	       branch->port[0] == front->port && branch->vcs[0] == front->vcs &&
	       branch->first == front->first && branch->last == front->last &&
	       branch->state == front->state &&
	       (!out->ends || front->last - front->first == 1);
}

/* Does a decision without promise deliver where the decisions before it promised an end? */
static bool ends_as_promised(const struct mcfab_walk_front *front,
			     const struct mcfab_decision *out)
{
	return !front->ends || (out->nbranches == 1 && out->branch->node != MCFAB_NONE);
}

/* The worm does not work: note the reason and the node. Returns @ret. */
static int wrong(struct mcfab_walk *walk, int ret, const char *what)
{
	const struct mcfab_header *hdr = &walk->hdr;
	u32 node = MCFAB_NONE;

	if (hdr->first < hdr->last)
		node = mcfab_header_dst(hdr, hdr->first) & ~(u32)MCFAB_DST_RELAY;
	mcfab_blame(&walk->blame, what, walk->worm, node);
	return ret;
}

/* Take the oldest header and ask the policy. */
static __always_inline int route_next(struct mcfab_walk *walk)
{
	const struct mcfab_plan_worm *worm = &walk->plan->worm[walk->worm];
	const struct mcfab_policy *pol = walk->pol;
	struct mcfab_walk_front *front = &walk->front[walk->head];
	struct mcfab_header *hdr = &walk->hdr;

	walk->nfronts--;
	walk->head = walk->head + 1 == walk->room ? 0 : walk->head + 1;
	walk->hops = front->hops;
	walk->links = front->links;
	hdr->router = front->router;
	hdr->in_port = front->in_port;
	hdr->in_vc = front->in_vc;
	hdr->sender = worm->sender;
	hdr->first_port = worm->port;
	hdr->arg = worm->arg;
	hdr->state = front->state;
	hdr->dst = walk->dst;
	hdr->first = front->first;
	hdr->last = front->last;
	walk->branch = 0;
	walk->out->nbranches = 0;
	walk->out->straight = 0;
	walk->out->ends = false;
	/* as the engine does: no path visits a router twice */
	if (walk->table && walk->hops >= pol->view.topo->routers)
		walk->out->drop = MCFAB_DROP_LOOP;
	else
		pol->ops->route(&pol->view, pol->priv, hdr, walk->out);
	if (!walk->out->nbranches && !walk->table)
		return wrong(walk, -ENETUNREACH,
			     mcfab_policy_wrong(pol, "no way leads on to it"));
	if (!front->straight &&
	    mcfab_decision_check(pol, hdr, walk->out, pol->view.updown && pol->view.updown->faulty,
				 &walk->blame)) {
		walk->blame.worm = walk->worm;
		return -EOVERFLOW;
	}
	if (front->straight ? !as_promised(front, walk->out) : !ends_as_promised(front, walk->out))
		return wrong(walk, -EOVERFLOW, "it does not go on as promised");
	walk->straight = max(front->straight, walk->out->straight + 1) - 1;
	walk->ends = walk->out->ends || (front->straight && front->ends);
	return 0;
}

static int dropped(const struct mcfab_walk *walk, enum mcfab_drop drop,
		   struct mcfab_walk_event *event)
{
	event->kind = MCFAB_WALK_DROP;
	event->from = walk->hdr.router;
	event->drop = drop;
	event->port = MCFAB_PORT_ANY;
	event->vc = 0;
	event->hops = walk->hops;
	event->links = walk->links;
	return 1;
}

/* the path so far and one more link; noinline, as most networks have links of one kind */
static noinline struct mcfab_links add_link(const struct mcfab_walk *walk, u32 chan,
					    const struct mcfab_branch *branch)
{
	const struct mcfab_topo *topo = walk->pol->view.topo;
	const struct mcfab_timing *timing = walk->timing;
	u32 flits = 1, catch_up = 0;

	if (timing) {
		flits = timing->flits;
		catch_up = timing->catch_up;
	}
	if (timing && timing->headers)
		flits += mcfab_header_more(walk->pol, walk->dst, branch->first, branch->last);
	return mcfab_links_add(topo, walk->links, chan, catch_up, flits);
}

/* the path so far and the link to a node that gets a copy, which has no more of the header */
static noinline struct mcfab_links last_link(const struct mcfab_walk *walk, u32 node)
{
	const struct mcfab_timing *timing = walk->timing;

	return mcfab_links_last(walk->pol->view.topo, walk->links, node,
				timing ? timing->catch_up : 0, timing ? timing->flits : 1);
}

static int cross(struct mcfab_walk *walk, const struct mcfab_branch *branch,
		 struct mcfab_walk_event *event)
{
	const struct mcfab_topo *topo = walk->pol->view.topo;
	const struct mcfab_updown *ud = walk->pol->view.updown;
	struct mcfab_walk_front *front;
	u32 chan, peer, tail;

	if (!branch->nports || branch->port[0] >= topo->ports)
		return wrong(walk, -ENETUNREACH, "no way leads on to it");
	chan = mcfab_topo_channel(topo, walk->hdr.router, branch->port[0]);
	peer = topo->peer[chan];
	if (peer == MCFAB_NONE)
		return wrong(walk, -ENETUNREACH, mcfab_branch_wrong(false));
	if (ud && test_bit(chan, ud->dead))
		return wrong(walk, -EHOSTUNREACH, "the way to it has a dead link");
	if (walk->hop == walk->most || (walk->table && walk->nfronts == walk->room))
		return wrong(walk, -ELOOP, "the way to it goes in circles");
	if (walk->nfronts == walk->room)
		return wrong(walk, -EOVERFLOW, "the header has no such destination");
	if (!branch->vcs[0])
		return wrong(walk, -ENETUNREACH, mcfab_branch_wrong(true));
	walk->hop++;

	event->kind = MCFAB_WALK_HOP;
	event->from = walk->hdr.router;
	event->to = mcfab_topo_from(topo, peer);
	event->port = branch->port[0];
	event->vc = __ffs(branch->vcs[0]);
	event->hops = walk->hops + 1;
	event->links = walk->links;
	if (unlikely(topo->extra || topo->pace))
		event->links = add_link(walk, chan, branch);

	tail = walk->head + walk->nfronts++;
	if (tail >= walk->room)
		tail -= walk->room;
	front = &walk->front[tail];
	front->router = event->to;
	front->hops = event->hops;
	front->links = event->links;
	front->first = branch->first;
	front->last = branch->last;
	front->state = branch->state;
	front->in_port = peer - event->to * topo->ports;
	front->in_vc = event->vc;
	front->straight = walk->straight;
	front->ends = walk->ends;
	front->port = event->port;
	front->vcs = branch->vcs[0];
	return 1;
}

/**
 * mcfab_walk_next() - the next hop or delivery of the worm
 * @walk: the walk
 * @event: filled in
 *
 * Hops come in order of traversal, breadth first for trees.
 *
 * Context: Any.
 * Return: 1; 0 when the worm is done; -ENETUNREACH: the policy knows no way, or a way over a
 * channel that does not exist; -EHOSTUNREACH: a way over a dead link; -ELOOP: the worm goes in
 * circles; -EOVERFLOW: a decision that is malformed, or does not deal out the header's
 * destinations; @walk->blame says more. Where packets follow tables, packets that go nowhere or in
 * circles are dropped; -ELOOP: there are too many of these.
 */
int mcfab_walk_next(struct mcfab_walk *walk, struct mcfab_walk_event *event)
{
	const struct mcfab_branch *branch;
	int ret;

	if (walk->branch == walk->out->nbranches) {
		if (!walk->nfronts)
			return 0;
		ret = route_next(walk);
		if (ret)
			return ret;
		if (!walk->out->nbranches)
			return dropped(walk, walk->out->drop, event);
	}
	branch = &walk->out->branch[walk->branch++];
	if (branch->node == MCFAB_NONE)
		return cross(walk, branch, event);
	event->kind = MCFAB_WALK_DELIVER;
	if (walk->table && branch->first == MCFAB_NONE)
		event->kind = MCFAB_WALK_STRAY;
	event->from = walk->hdr.router;
	event->entry = branch->first;
	event->to = event->kind == MCFAB_WALK_STRAY ? branch->node : walk->dst[branch->first];
	event->port = MCFAB_PORT_ANY;
	event->vc = 0;
	event->hops = walk->hops;
	event->links = walk->links;
	if (unlikely(walk->pol->view.topo->pace))
		event->links = last_link(walk, event->to & ~(u32)MCFAB_DST_RELAY);
	return 1;
}

/**
 * struct send_clock - when the worms of a sender start
 * @sender: the sender
 * @after: the worm that delivers to the sender
 * @round: its round
 * @start: when the worms of the round leave
 * @next: when the start-up of the next round begins
 * @entry: entry of the plan that delivers to the sender: senders of a step come in the order of
 *	   their entries, so the search goes on from the last entry
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

/*
 * Does the event concern a packet of tables that is lost, astray or double? False for a delivery
 * that counts.
 */
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

/* Adds the worm's destinations without a copy; returns the place of the next entry. */
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
		if (out->links)
			out->links[entry] = (struct mcfab_links){ 0 };
		entry++;
		out->lost++;
	}
	return entry;
}

/**
 * mcfab_walk_predict() - cost and deliveries of a plan, without contention
 * @walk: a walk that was set up for the plan; left at the end of it
 * @timing: delays
 * @out: filled in; its arrays are the caller's
 *
 * A sender's next round starts up when the round before is delivered, or (rounds injected) when the
 * last flit of that round has left. Later senders start up when they have the whole message.
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
		struct mcfab_links link;
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
		walk->timing = timing;
		link = mcfab_links_first(walk->pol->view.topo, worm->sender, flits);
		walk->front[0].links = link;
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
				return wrong(walk, -EOVERFLOW, "it is delivered too often");
			arrival = mcfab_walk_tail(walk, timing, clock.start, event.hops,
						  event.links, flits);
			last = max(last, arrival);
			out->node[entry] = event.to;
			out->arrival[entry] = arrival;
			if (out->hops)
				out->hops[entry] = event.hops;
			if (out->links)
				out->links[entry] = event.links;
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
			return wrong(walk, -EINVAL, "it is left out");
		out->longest = max(out->longest, longest);
		out->steps = max_t(u32, out->steps, worm->step);
		out->traffic += walk->hop;
		out->sum_worm += last;
		if (timing->rounds == MCFAB_ROUNDS_MODE_INJECTED)
			last = clock.start + (timing->ports ? 0 : timing->inject_delay) + flits +
			       link.lag;
		clock.next = max(clock.next, last);
	}
	out->path += longest;
	return 0;
}
