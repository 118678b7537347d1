// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast forwarding tables: does every member get one copy from each source, and no other node
 * any, and does nothing go in circles?
 *
 * A switch treats a packet by the port by which it came in, so the walk is over pairs of switch and
 * input port. A pair that is met again on the way to itself is a loop. A pair that is met again
 * otherwise sends a second copy to everything behind it.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "base/memory.h"
#include "subnet/subnet.h"

struct frame {
	u32 pair;
	u32 next;	/* output port to look at next */
};

struct check {
	const struct mcfab_subnet *sn;
	struct mcfab_findings *found;
	const struct mcfab_mft *mft;
	const struct mcfab_group *group;	/* NULL: the LID has no group */
	u32 lid;
	u32 source;
	u8 *color;		/* [pairs] 0: unseen, 1: under way, 2: seen, 3: seen twice */
	struct frame *frame;	/* [pairs] */
	u32 *seen;		/* [pairs] pairs to be marked as unseen again */
	u32 nseen;
	u8 *copies;		/* [nodes] copies that came, 2: or more */
	u32 *host;		/* [nodes] nodes with copies */
	u32 nhosts;
};

static u32 pair_switch(const struct check *c, u32 pair)
{
	return pair / c->sn->ports;
}

static struct mcfab_finding *found_at(struct check *c, enum mcfab_finding_type type, u32 sw)
{
	struct mcfab_finding *finding = mcfab_found(c->found, type, MCFAB_TABLE_KIND_MFT, c->lid);

	if (finding) {
		finding->sw = sw;
		finding->source = c->source;
	}
	return finding;
}

static void found_loop(struct check *c, u32 depth, u32 pair)
{
	struct mcfab_finding *finding = found_at(c, MCFAB_FINDING_TYPE_LOOP, pair_switch(c, pair));
	u32 i = depth;

	if (!finding)
		return;
	while (c->frame[--i].pair != pair)
		;
	for (; i < depth && finding->nswitches < MCFAB_FINDING_SWITCHES; i++)
		finding->switches[finding->nswitches++] = pair_switch(c, c->frame[i].pair);
}

static void deliver(struct check *c, u32 node)
{
	if (!c->copies[node])
		c->host[c->nhosts++] = node;
	if (c->copies[node] < 2)
		c->copies[node]++;
}

/* the pair behind a network port of a switch */
static u32 pair_behind(const struct check *c, u32 sw, u32 end)
{
	const struct mcfab_topo *topo = c->sn->topo;
	u32 peer = topo->peer[mcfab_topo_channel(topo, sw, end)];

	return peer / topo->ports * c->sn->ports + c->sn->number[peer];
}

/*
 * The next pair to which the topmost frame sends, or MCFAB_NONE when the frame is done; copies for
 * hosts are counted in passing.
 */
static u32 next_pair(struct check *c, struct frame *f)
{
	u32 sw = pair_switch(c, f->pair), in = f->pair % c->sn->ports, port, end;
	const unsigned long *row = c->mft->row[sw].bit;
	struct mcfab_finding *finding;

	while ((port = find_next_bit(row, c->sn->ports, f->next)) < c->sn->ports) {
		f->next = port + 1;
		end = mcfab_subnet_end(c->sn, sw, port);
		if (!mcfab_may_leave(c->sn, in, port) || end == MCFAB_END_SELF)
			continue;
		if (mcfab_end_network(end))
			return pair_behind(c, sw, end);
		if (end != MCFAB_END_NONE) {
			deliver(c, mcfab_end_host(end));
		} else if (c->color[f->pair] == 1) {
			finding = found_at(c, MCFAB_FINDING_TYPE_DEAD_PORT, sw);
			if (finding)
				finding->port = port;
		}
	}
	return MCFAB_NONE;
}

/* depth first from @pair: @from is the color of new pairs, @to of pairs under way */
static void walk(struct check *c, u32 pair, u8 from, u8 to)
{
	u32 depth = 0, next;

	for (;;) {
		if (pair != MCFAB_NONE) {
			c->color[pair] = to;
			c->frame[depth].pair = pair;
			c->frame[depth++].next = 0;
			if (!from)
				c->seen[c->nseen++] = pair;
		}
		next = next_pair(c, &c->frame[depth - 1]);
		pair = MCFAB_NONE;
		if (next == MCFAB_NONE) {
			if (!from)
				c->color[c->frame[depth - 1].pair] = 2;
			if (!--depth)
				return;
		} else if (c->color[next] == from) {
			pair = next;
		} else if (!from && c->color[next] == 1) {
			found_loop(c, depth, next);
		} else if (!from) {
			/* deal with the second copy when this walk is over */
			c->color[next] = 3;
		}
	}
}

static bool is_member(const struct check *c, u32 node)
{
	return !c->group || (mcfab_group_has(c->group, node) && node != c->source);
}

static int compare(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void judge(struct check *c)
{
	struct mcfab_finding *finding;
	u32 i, node;

	sort(c->host, c->nhosts, sizeof(*c->host), compare, NULL);
	for (i = 0; i < c->nhosts; i++) {
		node = c->host[i];
		finding = NULL;
		if (!is_member(c, node))
			finding = found_at(c, MCFAB_FINDING_TYPE_STRAY, c->sn->topo->router[node]);
		else if (c->copies[node] > 1)
			finding = found_at(c, MCFAB_FINDING_TYPE_DUPLICATE,
					   c->sn->topo->router[node]);
		if (finding)
			finding->node = node;
	}
	for (i = 0; c->group && i < c->group->nmembers; i++) {
		node = c->group->member[i];
		if (node == c->source || c->copies[node])
			continue;
		finding = found_at(c, MCFAB_FINDING_TYPE_UNREACHABLE, MCFAB_NONE);
		if (finding)
			finding->node = node;
	}
}

static void check_source(struct check *c, u32 source)
{
	const struct mcfab_subnet *sn = c->sn;
	u32 i, nseen;

	c->source = source;
	c->nseen = 0;
	c->nhosts = 0;
	walk(c, sn->topo->router[source] * sn->ports + mcfab_host_port(sn, source), 0, 1);
	/* pairs that were met twice (3): all hosts behind them get another copy */
	nseen = c->nseen;
	for (i = 0; i < nseen; i++)
		if (c->color[c->seen[i]] == 3)
			walk(c, c->seen[i], 2, 4);
	judge(c);
	for (i = 0; i < c->nseen; i++)
		c->color[c->seen[i]] = 0;
	for (i = 0; i < c->nhosts; i++)
		c->copies[c->host[i]] = 0;
}

static int check_mlid(struct check *c)
{
	u32 place, i;

	place = c->mft->group ? mcfab_group_place(c->sn, c->mft->group) : MCFAB_NONE;
	c->group = place == MCFAB_NONE ? NULL : c->sn->group[place];
	for (i = 0; i < c->sn->topo->nodes; i++) {
		if (!mcfab_mft_has_source(c->sn, c->mft, i))
			continue;
		check_source(c, i);
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

/**
 * mcfab_check_mft() - check multicast forwarding tables
 * @sn: subnet
 * @found: findings are added: loops, ports that lead nowhere, members with no copy or several,
 *	   other hosts with a copy
 *
 * The sources of a LID are those of mcfab_mft_has_source().
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_check_mft(const struct mcfab_subnet *sn, struct mcfab_findings *found)
{
	struct check c = { .sn = sn, .found = found };
	u32 pairs = sn->switches * sn->ports, nodes = sn->topo->nodes, i;
	int ret = -ENOMEM;

	c.color = mcfab_memory_zalloc(pairs, sizeof(*c.color));
	c.frame = mcfab_memory_zalloc(pairs, sizeof(*c.frame));
	c.seen = mcfab_memory_zalloc(pairs, sizeof(*c.seen));
	c.copies = mcfab_memory_zalloc(nodes, sizeof(*c.copies));
	c.host = mcfab_memory_zalloc(nodes, sizeof(*c.host));
	if (!c.color || !c.frame || !c.seen || !c.copies || !c.host)
		goto out;
	ret = 0;
	for (i = 0; i < MCFAB_MLIDS && !ret; i++) {
		c.mft = sn->mft[i];
		if (!c.mft)
			continue;
		c.lid = MCFAB_MULTICAST_LID_MIN + i;
		ret = check_mlid(&c);
		cond_resched();
		if (fatal_signal_pending(current))
			ret = -EINTR;
	}
out:
	mcfab_memory_free(c.color);
	mcfab_memory_free(c.frame);
	mcfab_memory_free(c.seen);
	mcfab_memory_free(c.copies);
	mcfab_memory_free(c.host);
	return ret;
}

/**
 * mcfab_subnet_check() - check all tables
 * @sn: subnet
 * @found: findings are added
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_subnet_check(const struct mcfab_subnet *sn, struct mcfab_findings *found)
{
	int ret = mcfab_check_lft(sn, found);

	return ret ?: mcfab_check_mft(sn, found);
}
