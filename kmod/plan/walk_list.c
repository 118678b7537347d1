// SPDX-License-Identifier: GPL-2.0
/*
 * The list of a plan's hops, by a dry walk: a netlink dump can go through a plan of any size, and
 * go on at any hop.
 */
#include "plan/walk.h"

/* Does a hop, a delivery or a drop belong to a plan's list of hops? */
static bool is_listed(const struct mcfab_topo *topo, enum mcfab_walk_kind kind)
{
	if (kind == MCFAB_WALK_HOP)
		return true;
	return topo->host_port && (kind == MCFAB_WALK_DELIVER || kind == MCFAB_WALK_STRAY);
}

/**
 * mcfab_walk_listed() - the next entry of a plan's list of hops
 * @walk: the walk; only this and mcfab_walk_seek() may have moved it since its start
 * @event: filled in
 *
 * The list has the hops between routers. Where nodes are hosts on ports of switches, it also has
 * the hop from the sending host and the hops to receiving hosts.
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
		event->links = (struct mcfab_links){ 0 };
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
 * @nr: place, from 0: the entry that mcfab_walk_listed() is to return next
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
