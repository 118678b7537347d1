// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of least hops for any network, as a subnet manager builds them where it knows nothing of
 * the topology: unicast paths are shortest and spread over the ports, and each multicast LID has a
 * spanning tree. Such tables may have credit loops; mcfab_check_credits() tells.
 */
#include "base/job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/**
 * struct search - distances to a switch
 * @sn: subnet
 * @root: the switch; MCFAB_NONE: none yet
 * @far: [switches] hops to it, MCFAB_NONE: no way leads there
 * @queue: [switches] switches by distance
 * @found: how many of them are reached
 */
struct search {
	const struct mcfab_subnet *sn;
	u32 root;
	u32 *far;
	u32 *queue;
	u32 found;
};

static int search_alloc(struct search *s, const struct mcfab_subnet *sn)
{
	s->sn = sn;
	s->root = MCFAB_NONE;
	s->far = mcfab_memory_alloc(sn->switches, sizeof(*s->far));
	s->queue = mcfab_memory_alloc(sn->switches, sizeof(*s->queue));
	return s->far && s->queue ? 0 : -ENOMEM;
}

static void search_free(struct search *s)
{
	mcfab_memory_free(s->far);
	mcfab_memory_free(s->queue);
}

/* Breadth first from @root; links lead both ways. */
static void search_from(struct search *s, u32 root)
{
	const struct mcfab_topo *topo = s->sn->topo;
	u32 head, at, port, next;

	if (s->root == root)
		return;
	memset(s->far, 0xff, s->sn->switches * sizeof(*s->far));
	s->root = root;
	s->far[root] = 0;
	s->queue[0] = root;
	s->found = 1;
	for (head = 0; head < s->found; head++) {
		at = s->queue[head];
		for (port = 0; port < topo->ports; port++) {
			next = mcfab_topo_neighbour(topo, at, port);
			if (next == MCFAB_NONE || s->far[next] != MCFAB_NONE)
				continue;
			s->far[next] = s->far[at] + 1;
			s->queue[s->found++] = next;
		}
	}
}

/*
 * The topology's port by which @sw sends towards the root: of those that save a hop the one with
 * the least @load, the first of several; MCFAB_NONE if there is none. @load may be NULL.
 */
static u32 port_toward(const struct search *s, u32 sw, const u32 *load)
{
	const struct mcfab_topo *topo = s->sn->topo;
	u32 port, next, best = MCFAB_NONE;

	for (port = 0; s->far[sw] && port < topo->ports; port++) {
		next = mcfab_topo_neighbour(topo, sw, port);
		if (next == MCFAB_NONE || s->far[next] >= s->far[sw])
			continue;
		if (best == MCFAB_NONE || (load && load[port] < load[best]))
			best = port;
	}
	return best;
}

static u8 port_number(const struct mcfab_subnet *sn, u32 sw, u32 port)
{
	return sn->number[mcfab_topo_channel(sn->topo, sw, port)];
}

/* The entries of a LID at all switches. @load counts the paths to hosts on each port. */
static void route_lid(const struct search *s, u8 *lft, u32 lid, u32 *load)
{
	const struct mcfab_subnet *sn = s->sn;
	u32 owner = sn->owner[lid], i, sw, port, *row;

	for (i = 1; i < s->found; i++) {
		sw = s->queue[i];
		row = &load[mcfab_topo_channel(sn->topo, sw, 0)];
		port = port_toward(s, sw, row);
		lft[(size_t)sw * sn->lids + lid] = port_number(sn, sw, port);
		row[port] += !(owner & MCFAB_END_HOST);
	}
	lft[(size_t)s->root * sn->lids + lid] =
		owner & MCFAB_END_HOST ? 0 : mcfab_host_port(sn, owner);
}

/**
 * mcfab_minhop_lft() - fill linear forwarding tables with paths of least hops
 * @sn: subnet
 * @lft: tables of all switches, as mcfab_subnet.lft, without any entry
 * @err: filled in when it fails
 *
 * LID by LID in ascending order, each switch takes the port that the fewest paths to hosts use so
 * far.
 *
 * Context: May sleep. Time is in proportion to LIDs times channels.
 * Return: 0, -ENOMEM, or -EINTR if the work is to be given up.
 */
int mcfab_minhop_lft(const struct mcfab_subnet *sn, u8 *lft, struct mcfab_err *err)
{
	u32 lid, owner, at, *load;
	struct search s;
	int ret = search_alloc(&s, sn);

	load = mcfab_memory_zalloc((u64)sn->switches * sn->topo->ports, sizeof(*load));
	if (!load)
		ret = -ENOMEM;
	for (lid = 1; lid < sn->lids && !ret; lid++) {
		owner = sn->owner[lid];
		if (owner == MCFAB_NONE)
			continue;
		at = owner & MCFAB_END_HOST ? owner & ~(u32)MCFAB_END_HOST :
			sn->topo->router[owner];
		search_from(&s, at);
		route_lid(&s, lft, lid, load);
		ret = mcfab_job_step(lid, sn->lids);
	}
	mcfab_memory_free(load);
	search_free(&s);
	if (ret == -EINTR)
		return mcfab_refuse(err, ret, 0, "interrupted");
	return ret ? mcfab_refuse(err, ret, 0, "out of memory") : 0;
}

/*
 * Where the tree of a multicast LID that all sources share starts: the switch with the fewest hops
 * to the members, the first of several. @sum: [switches]
 */
static int find_centre(struct search *s, const struct mcfab_group *group, u64 *sum, u32 *centre)
{
	const struct mcfab_subnet *sn = s->sn;
	u32 i, sw;

	for (i = 0; i < group->nmembers; i++) {
		search_from(s, sn->topo->router[group->member[i]]);
		for (sw = 0; sw < sn->switches; sw++)
			sum[sw] += min(s->far[sw], sn->switches);
		if (mcfab_job_step(i, group->nmembers))
			return -EINTR;
	}
	*centre = 0;
	for (sw = 1; sw < sn->switches; sw++)
		if (sum[sw] < sum[*centre])
			*centre = sw;
	return 0;
}

static void add_port(struct mcfab_mft *mft, u32 sw, u32 port)
{
	if (!test_bit(sw, mft->user))
		__set_bit(port, mft->row[sw].bit);
}

/* The way from the root to a member; up as well if all sources share the tree. */
static void add_branch(const struct search *s, struct mcfab_mft *mft, u32 member)
{
	const struct mcfab_subnet *sn = s->sn;
	u32 sw = sn->topo->router[member], up, peer;

	if (s->far[sw] == MCFAB_NONE)
		return;
	add_port(mft, sw, mcfab_host_port(sn, member));
	while (sw != s->root) {
		up = port_toward(s, sw, NULL);
		peer = sn->topo->peer[mcfab_topo_channel(sn->topo, sw, up)];
		if (mft->source == MCFAB_NONE)
			add_port(mft, sw, port_number(sn, sw, up));
		sw = peer / sn->topo->ports;
		add_port(mft, sw, sn->number[peer]);
	}
}

/**
 * mcfab_minhop_mft() - build a spanning tree as the rows of a multicast LID
 * @sn: subnet
 * @mft: its tables; rows that the user did not set have no port
 * @group: its group
 *
 * The tree of a source's own multicast LID starts at the switch of the source; a tree that all
 * sources share starts at the switch with the fewest hops to the members, and leads both ways.
 *
 * Context: May sleep. Time is in proportion to members times channels.
 * Return: 0, -ENOMEM, or -EINTR if the work is to be given up.
 */
int mcfab_minhop_mft(const struct mcfab_subnet *sn, struct mcfab_mft *mft,
		     const struct mcfab_group *group)
{
	u64 *sum = mcfab_memory_zalloc(sn->switches, sizeof(*sum));
	struct search s;
	int ret = search_alloc(&s, sn);
	u32 root = MCFAB_NONE, i;

	if (!sum)
		ret = -ENOMEM;
	if (!ret && mft->source != MCFAB_NONE)
		root = sn->topo->router[mft->source];
	else if (!ret)
		ret = find_centre(&s, group, sum, &root);
	if (!ret)
		search_from(&s, root);
	for (i = 0; i < group->nmembers && !ret; i++) {
		if (group->member[i] == mft->source)
			continue;
		add_branch(&s, mft, group->member[i]);
		ret = mcfab_job_step(i, group->nmembers);
	}
	mcfab_memory_free(sum);
	search_free(&s);
	return ret;
}
