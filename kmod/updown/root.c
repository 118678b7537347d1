// SPDX-License-Identifier: GPL-2.0
/* A good root for the tree of up*-down* routing. */

#include "base/job.h"
#include "base/memory.h"
#include "updown/updown.h"

/*
 * struct search - links from one switch to the others
 * @topo: the network
 * @queue: [routers] switches found, nearest first
 * @level: [routers] links to them; MCFAB_NONE: not found
 * @host: [routers] has it hosts?
 * @hosts: switches that have
 */
struct search {
	const struct mcfab_topo *topo;
	u32 *queue;
	u32 *level;
	u8 *host;
	u32 hosts;
};

/*
 * Links from @from to the farthest switch, or MCFAB_NONE if some switch with hosts is not reached,
 * or if it is @most or more.
 */
static u32 eccentricity(struct search *s, u32 from, u32 most)
{
	u32 ports = s->topo->ports, head = 0, tail = 1, hosts = s->host[from], sw, next, port;

	memset(s->level, 0xff, s->topo->routers * sizeof(*s->level));
	s->level[from] = 0;
	s->queue[0] = from;
	while (head < tail) {
		sw = s->queue[head++];
		if (s->level[sw] >= most)
			return MCFAB_NONE;
		for (port = 0; port < ports; port++) {
			next = mcfab_topo_neighbour(s->topo, sw, port);
			if (next == MCFAB_NONE || s->level[next] != MCFAB_NONE)
				continue;
			s->level[next] = s->level[sw] + 1;
			s->queue[tail++] = next;
			hosts += s->host[next];
		}
	}
	return hosts == s->hosts ? s->level[s->queue[tail - 1]] : MCFAB_NONE;
}

static int search(struct search *s, u32 *root, struct mcfab_err *err)
{
	u32 sw, i, links, least = MCFAB_NONE;

	for (i = 0; i < s->topo->nodes; i++) {
		sw = s->topo->router[i];
		s->hosts += !s->host[sw];
		s->host[sw] = 1;
	}
	/* in a network that is not joined, all switches are as bad */
	*root = s->topo->router[0];
	for (sw = 0; sw < s->topo->routers; sw++) {
		links = eccentricity(s, sw, least);
		if (links < least) {
			least = links;
			*root = sw;
		}
		if (mcfab_job_step(sw, s->topo->routers))
			return mcfab_refuse(err, -EINTR, 0, "interrupted");
	}
	return 0;
}

/**
 * mcfab_updown_best_root() - the switch from which the farthest one is nearest
 * @topo: the network
 * @root: set to the switch with the least eccentricity, of several the lowest; if links do not join
 *	  all switches with hosts, to any switch that has a host
 * @err: filled in when it fails
 *
 * Context: May sleep. Time is in proportion to switches times channels.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_updown_best_root(const struct mcfab_topo *topo, u32 *root, struct mcfab_err *err)
{
	struct search s = { .topo = topo };
	int ret = -ENOMEM;

	s.queue = mcfab_memory_alloc(topo->routers, sizeof(*s.queue));
	s.level = mcfab_memory_alloc(topo->routers, sizeof(*s.level));
	s.host = mcfab_memory_zalloc(topo->routers, sizeof(*s.host));
	if (s.queue && s.level && s.host)
		ret = search(&s, root, err);
	else
		mcfab_refuse(err, ret, 0, "out of memory");
	mcfab_memory_free(s.queue);
	mcfab_memory_free(s.level);
	mcfab_memory_free(s.host);
	return ret;
}
