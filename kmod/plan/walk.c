// SPDX-License-Identifier: GPL-2.0
/*
 * The dry walk. It keeps the headers of one worm only, so that a netlink dump can
 * go through a plan of any size, and resume at any hop.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "plan/walk.h"
#include "updown/updown.h"

/* A worm that crosses more channels than this goes in circles. */
#define MOST_HOPS	BIT(24)

/* Worms' lists follow each other; route() may not hand out more fronts than entries. */
static u32 most_entries(const struct mcfab_plan *plan)
{
	u32 i, most = 0;

	for (i = 0; i < plan->nworms; i++)
		most = max(most, plan->worm[i].count);
	return most;
}

static bool is_table(const struct mcfab_policy *pol)
{
	return pol->ops->flags & MCFAB_POLICY_TABLE;
}

/*
 * Most headers on their way at once. Every branch of a tree has an entry of its own, but
 * tables send the whole list each way: there it is a header for each channel at most,
 * unless they go in circles.
 */
static u32 most_fronts(const struct mcfab_policy *pol, const struct mcfab_plan *plan)
{
	const struct mcfab_topo *topo = pol->view.topo;

	return is_table(pol) ? topo->routers * topo->ports + 1 : most_entries(plan) + 1;
}

/**
 * mcfab_walk_bytes() - memory that a walk needs
 * @pol: the policy
 * @plan: the plan
 *
 * Context: Any.
 * Return: bytes that mcfab_walk_init() expects.
 */
size_t mcfab_walk_bytes(const struct mcfab_policy *pol, const struct mcfab_plan *plan)
{
	u32 most = most_entries(plan);

	return sizeof(struct mcfab_decision) + BITS_TO_LONGS(most) * sizeof(long) +
	       most_fronts(pol, plan) * sizeof(struct mcfab_walk_front) + most * sizeof(u32);
}

/**
 * mcfab_walk_init() - set up a walk at the plan's first worm
 * @walk: set up
 * @pol: the policy that made the plan
 * @plan: the plan, at least one worm; neither may change during the walk
 * @mem: mcfab_walk_bytes() bytes, aligned for any type
 *
 * Context: Any.
 */
void mcfab_walk_init(struct mcfab_walk *walk, const struct mcfab_policy *pol,
		     const struct mcfab_plan *plan, void *mem)
{
	u64 most;

	memset(walk, 0, sizeof(*walk));
	walk->pol = pol;
	walk->plan = plan;
	walk->table = is_table(pol);
	walk->room = most_fronts(pol, plan);
	walk->came = mem;
	/* not on the stack: it has room for every port of the largest switch */
	walk->out = (struct mcfab_decision *)(walk->came + BITS_TO_LONGS(most_entries(plan)));
	walk->front = (struct mcfab_walk_front *)(walk->out + 1);
	walk->dst = (u32 *)(walk->front + walk->room);
	/* Every leg of a sane worm visits each router once at most, every tree each channel. */
	most = walk->table ? 2ull * walk->room : (u64)walk->room * pol->view.topo->routers;
	walk->most = min_t(u64, most, MOST_HOPS);
	mcfab_walk_start(walk, 0);
}

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
 * Is the decision the one that those before it promised? Then it is a plain one
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

/* Does a decision without promise deliver where those before it promised an end? */
static bool ends_as_promised(const struct mcfab_walk_front *front,
			     const struct mcfab_decision *out)
{
	return !front->ends || (out->nbranches == 1 && out->branch->node != MCFAB_NONE);
}

/**
 * mcfab_walk_wrong() - the worm does not work: say why, and of which node
 * @walk: the walk
 * @ret: error
 * @what: what is wrong
 *
 * Context: Any.
 * Return: @ret.
 */
int mcfab_walk_wrong(struct mcfab_walk *walk, int ret, const char *what)
{
	const struct mcfab_header *hdr = &walk->hdr;
	u32 node = MCFAB_NONE;

	if (hdr->first < hdr->last)
		node = mcfab_header_dst(hdr, hdr->first) & ~(u32)MCFAB_DST_RELAY;
	mcfab_blame(&walk->blame, what, walk->worm, node);
	return ret;
}

/* Take the oldest header and ask the policy. */
static int route_next(struct mcfab_walk *walk)
{
	const struct mcfab_plan_worm *worm = &walk->plan->worm[walk->worm];
	const struct mcfab_policy *pol = walk->pol;
	struct mcfab_walk_front *front = &walk->front[walk->head];
	struct mcfab_header *hdr = &walk->hdr;

	walk->nfronts--;
	walk->head = walk->head + 1 == walk->room ? 0 : walk->head + 1;
	walk->hops = front->hops;
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
		return mcfab_walk_wrong(walk, -ENETUNREACH, "no way leads on to it");
	if (!front->straight &&
	    mcfab_decision_check(pol, hdr, walk->out, pol->view.updown && pol->view.updown->faulty,
				 &walk->blame)) {
		walk->blame.worm = walk->worm;
		return -EOVERFLOW;
	}
	if (front->straight ? !as_promised(front, walk->out) : !ends_as_promised(front, walk->out))
		return mcfab_walk_wrong(walk, -EOVERFLOW, "it does not go on as promised");
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
	return 1;
}

static int cross(struct mcfab_walk *walk, const struct mcfab_branch *branch,
		 struct mcfab_walk_event *event)
{
	const struct mcfab_topo *topo = walk->pol->view.topo;
	const struct mcfab_updown *ud = walk->pol->view.updown;
	struct mcfab_walk_front *front;
	u32 chan, peer, tail;

	if (!branch->nports || branch->port[0] >= topo->ports || !branch->vcs[0])
		return mcfab_walk_wrong(walk, -ENETUNREACH, "no way leads on to it");
	chan = mcfab_topo_channel(topo, walk->hdr.router, branch->port[0]);
	peer = topo->peer[chan];
	if (peer == MCFAB_NONE)
		return mcfab_walk_wrong(walk, -ENETUNREACH, "the way to it has no channel");
	if (ud && test_bit(chan, ud->dead))
		return mcfab_walk_wrong(walk, -EHOSTUNREACH, "the way to it has a dead link");
	if (walk->hop == walk->most || (walk->table && walk->nfronts == walk->room))
		return mcfab_walk_wrong(walk, -ELOOP, "the way to it goes in circles");
	if (walk->nfronts == walk->room)
		return mcfab_walk_wrong(walk, -EOVERFLOW, "the header has no such destination");
	walk->hop++;

	event->kind = MCFAB_WALK_HOP;
	event->from = walk->hdr.router;
	event->to = peer / topo->ports;
	event->port = branch->port[0];
	event->vc = __ffs(branch->vcs[0]);
	event->hops = walk->hops + 1;

	tail = walk->head + walk->nfronts++;
	if (tail >= walk->room)
		tail -= walk->room;
	front = &walk->front[tail];
	front->router = event->to;
	front->hops = event->hops;
	front->first = branch->first;
	front->last = branch->last;
	front->state = branch->state;
	front->in_port = peer % topo->ports;
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
 * Return: 1; 0 when the worm is done; -ENETUNREACH: the policy knows no way, or
 * one over a channel that is not there; -EHOSTUNREACH: one over a dead link; -ELOOP: the
 * worm goes in circles;
 * -EOVERFLOW: a decision that is malformed, or does not deal out the header's destinations;
 * @walk->blame says more. Where packets follow tables, those that lead nowhere
 * or in circles are dropped; -ELOOP: there are too many of these.
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
	return 1;
}

/* Is a hop, a delivery or a drop one of a plan's list of hops? */
static bool is_listed(const struct mcfab_topo *topo, enum mcfab_walk_kind kind)
{
	if (kind == MCFAB_WALK_HOP)
		return true;
	return topo->host_port && (kind == MCFAB_WALK_DELIVER || kind == MCFAB_WALK_STRAY);
}

/**
 * mcfab_walk_listed() - what comes next in a plan's list of hops
 * @walk: the walk; only this and mcfab_walk_seek() may have moved it since its start
 * @event: filled in
 *
 * They are the hops between routers; where nodes are hosts on ports of switches, also the
 * one from the host that sends and those to hosts that receive.
 *
 * Context: Any.
 * Return: as mcfab_walk_next().
 */
int mcfab_walk_listed(struct mcfab_walk *walk, struct mcfab_walk_event *event)
{
	const struct mcfab_topo *topo = walk->pol->view.topo;
	int ret;

	if (topo->host_port && !walk->listed) {
		walk->listed++;
		event->kind = MCFAB_WALK_INJECT;
		event->from = walk->plan->worm[walk->worm].sender;
		event->to = topo->router[event->from];
		event->port = MCFAB_PORT_ANY;
		event->vc = 0;
		event->hops = 0;
		return 1;
	}
	do {
		ret = mcfab_walk_next(walk, event);
	} while (ret == 1 && !is_listed(topo, event->kind));
	walk->listed += ret == 1;
	return ret;
}

/**
 * mcfab_walk_seek() - go to a place in a worm's list of hops
 * @walk: the walk
 * @worm: index of the worm in the plan
 * @nr: place, from 0: what mcfab_walk_listed() is to return next
 *
 * Does nothing if the walk is there already, so that a dump can seek before every
 * message.
 *
 * Context: Any. Takes time in proportion to @nr.
 * Return: 0, or a negative error as of mcfab_walk_next().
 */
int mcfab_walk_seek(struct mcfab_walk *walk, u32 worm, u32 nr)
{
	struct mcfab_walk_event event;
	int ret;

	if (walk->worm != worm || walk->listed > nr)
		mcfab_walk_start(walk, worm);
	while (walk->listed < nr) {
		ret = mcfab_walk_listed(walk, &event);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
	}
	return 0;
}
