// SPDX-License-Identifier: GPL-2.0
/*
 * Linear forwarding tables: does every host reach every other, and does nothing go in circles? For
 * a LID each switch has one output, so every way ends or closes a loop. Two switches that send to
 * each other are a loop, whether or not a packet may leave by the port by which it came in: the
 * packet is dropped sooner or later.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "base/memory.h"
#include "subnet/subnet.h"

enum state {
	UNSEEN,
	UNDER_WAY,	/* on the way that is being followed */
	GOOD,		/* packets for the LID arrive from here */
	BAD,
};

struct check {
	const struct mcfab_subnet *sn;
	struct mcfab_findings *found;
	u8 *state;	/* [switches] enum state */
	u32 *way;	/* [switches] switches under way, in order */
	u8 *hosts;	/* [switches] 1: the switch has hosts */
	u32 lid;
	u32 owner;
};

static void found_loop(struct check *c, u32 length, u32 sw)
{
	struct mcfab_finding *finding;
	u32 i = length;

	finding = mcfab_found(c->found, MCFAB_FINDING_TYPE_LOOP, MCFAB_TABLE_KIND_LFT, c->lid);
	if (!finding)
		return;
	while (c->way[--i] != sw)
		;
	finding->sw = sw;
	for (; i < length && finding->nswitches < MCFAB_FINDING_SWITCHES; i++)
		finding->switches[finding->nswitches++] = c->way[i];
}

/* a way ends at @sw, by @port: is this the right end? */
static enum state end_way(struct check *c, u32 sw, u32 port, u32 end)
{
	struct mcfab_finding *finding;

	if (port == MCFAB_NO_PORT)
		return BAD;
	if (end == MCFAB_END_SELF)
		return c->owner == (sw | MCFAB_END_HOST) ? GOOD : BAD;
	if (end == c->owner + MCFAB_END_HOST)
		return GOOD;
	if (end == MCFAB_END_NONE) {
		finding = mcfab_found(c->found, MCFAB_FINDING_TYPE_DEAD_PORT, MCFAB_TABLE_KIND_LFT,
				      c->lid);
	} else {
		finding = mcfab_found(c->found, MCFAB_FINDING_TYPE_STRAY, MCFAB_TABLE_KIND_LFT,
				      c->lid);
		if (finding)
			finding->node = mcfab_end_host(end);
	}
	if (finding) {
		finding->sw = sw;
		finding->port = port;
	}
	return BAD;
}

/* follow the way from @sw to its end, or to a switch whose state is known */
static void follow(struct check *c, u32 sw)
{
	enum state state;
	u32 length = 0, port, end;

	for (;;) {
		c->state[sw] = UNDER_WAY;
		c->way[length++] = sw;
		port = mcfab_lft_port(c->sn, sw, c->lid);
		end = mcfab_subnet_end(c->sn, sw, port);
		if (!mcfab_end_network(end)) {
			state = end_way(c, sw, port, end);
			break;
		}
		sw = mcfab_topo_neighbour(c->sn->topo, sw, end);
		state = c->state[sw];
		if (state == UNDER_WAY) {
			found_loop(c, length, sw);
			state = BAD;
			break;
		}
		if (state != UNSEEN)
			break;
	}
	while (length)
		c->state[c->way[--length]] = state;
}

static void check_lid(struct check *c)
{
	struct mcfab_finding *finding;
	u32 sw;

	memset(c->state, UNSEEN, c->sn->switches);
	for (sw = 0; sw < c->sn->switches; sw++)
		if (c->state[sw] == UNSEEN)
			follow(c, sw);
	/* traffic is for hosts, and comes from hosts */
	if (c->owner & MCFAB_END_HOST)
		return;
	for (sw = 0; sw < c->sn->switches; sw++) {
		if (c->state[sw] == GOOD || !c->hosts[sw])
			continue;
		finding = mcfab_found(c->found, MCFAB_FINDING_TYPE_UNREACHABLE,
				      MCFAB_TABLE_KIND_LFT, c->lid);
		if (finding) {
			finding->node = c->owner;
			finding->sw = sw;
		}
		return;
	}
}

/**
 * mcfab_check_lft() - check linear forwarding tables
 * @sn: subnet
 * @found: findings are added: loops, ports that lead nowhere or to the wrong host, and for
 *	   each host the first switch with hosts from which it is not reached
 *
 * Context: May sleep. Takes time in proportion to switches times LIDs.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_check_lft(const struct mcfab_subnet *sn, struct mcfab_findings *found)
{
	struct check c = { .sn = sn, .found = found };
	int ret = -ENOMEM;
	u32 i;

	c.state = mcfab_memory_zalloc(sn->switches, sizeof(*c.state));
	c.hosts = mcfab_memory_zalloc(sn->switches, sizeof(*c.hosts));
	c.way = mcfab_memory_zalloc(sn->switches, sizeof(*c.way));
	if (!c.state || !c.hosts || !c.way)
		goto out;
	for (i = 0; i < sn->topo->nodes; i++)
		c.hosts[sn->topo->router[i]] = 1;
	ret = 0;
	for (c.lid = 1; c.lid < sn->lids; c.lid++) {
		c.owner = sn->owner[c.lid];
		if (c.owner == MCFAB_NONE)
			continue;
		check_lid(&c);
		cond_resched();
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
	}
out:
	mcfab_memory_free(c.state);
	mcfab_memory_free(c.hosts);
	mcfab_memory_free(c.way);
	return ret;
}
