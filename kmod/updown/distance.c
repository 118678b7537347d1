// SPDX-License-Identifier: GPL-2.0
/*
 * Lengths of shortest legal paths: for each destination, breadth first backwards over pairs of a
 * switch and a phase.
 *
 * In phase up a packet goes up and stays in phase up, or goes down and is in phase down; in phase
 * down it only goes down. So in phase up a switch is at least as near as in phase down.
 */

#include "base/job.h"
#include "base/memory.h"
#include "updown/updown.h"

/*
 * struct search - a search backwards
 * @ud: routing
 * @queue: [2 * switches] places found: switch * MCFAB_UPDOWN_PHASES + phase
 * @tail: entries of it
 * @up: distances to the destination, by switch, in phase up
 * @down: the same in phase down
 */
struct search {
	const struct mcfab_updown *ud;
	u32 *queue;
	u32 tail;
	u16 *up;
	u16 *down;
};

static void found(struct search *s, u32 sw, enum mcfab_updown_phase phase, u16 hops)
{
	u16 *distance = phase == MCFAB_UPDOWN_UP ? s->up : s->down;

	if (distance[sw] != MCFAB_UPDOWN_FAR)
		return;
	distance[sw] = hops;
	s->queue[s->tail++] = sw * MCFAB_UPDOWN_PHASES + phase;
}

static void search(struct search *s, u32 to)
{
	const struct mcfab_updown *ud = s->ud;
	u32 ports = ud->topo->ports, head = 0, sw, port, prev;
	enum mcfab_updown_phase phase;
	u16 hops;

	s->tail = 0;
	found(s, to, MCFAB_UPDOWN_UP, 0);
	found(s, to, MCFAB_UPDOWN_DOWN, 0);
	while (head < s->tail) {
		sw = s->queue[head] / MCFAB_UPDOWN_PHASES;
		phase = s->queue[head++] % MCFAB_UPDOWN_PHASES;
		hops = (phase == MCFAB_UPDOWN_UP ? s->up : s->down)[sw] + 1;
		for (port = 0; port < ports; port++) {
			prev = ud->neighbour[sw * ports + port];
			if (prev == MCFAB_NONE)
				continue;
			/* who comes from there goes the other way than we to there */
			if (!mcfab_updown_is_up(ud, sw, port)) {
				if (phase == MCFAB_UPDOWN_UP)
					found(s, prev, MCFAB_UPDOWN_UP, hops);
			} else if (phase == MCFAB_UPDOWN_DOWN) {
				found(s, prev, MCFAB_UPDOWN_UP, hops);
				found(s, prev, MCFAB_UPDOWN_DOWN, hops);
			}
		}
	}
}

/**
 * mcfab_updown_distances() - fill in distances
 * @ud: routing whose directions are known
 * @err: filled in when it fails
 *
 * Context: May sleep. Time is in proportion to switches times channels.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_updown_distances(struct mcfab_updown *ud, struct mcfab_err *err)
{
	struct search s = { .ud = ud };
	size_t i, row = ud->switches;
	int ret = 0;
	u32 to;

	s.queue = mcfab_memory_alloc(ud->switches, MCFAB_UPDOWN_PHASES * sizeof(*s.queue));
	if (!s.queue)
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	for (to = 0; to < ud->switches; to++) {
		s.up = ud->distance + to * MCFAB_UPDOWN_PHASES * row;
		s.down = s.up + row;
		for (i = 0; i < MCFAB_UPDOWN_PHASES * row; i++)
			s.up[i] = MCFAB_UPDOWN_FAR;
		search(&s, to);
		ret = mcfab_job_step(to, ud->switches);
		if (ret) {
			mcfab_refuse(err, ret, 0, "interrupted");
			break;
		}
	}
	mcfab_memory_free(s.queue);
	return ret;
}
