// SPDX-License-Identifier: GPL-2.0
/*
 * Credit loops: can packets of a subnet wait for each other in a circle?
 *
 * Switches with forwarding tables buffer whole packets. So a packet holds one channel, with the
 * buffer at its far end, and waits for credits of the channels by which its tables send it on. Each
 * such pair of channels is a dependency, of unicast and multicast packets of all hosts together.
 * The tables are free of deadlock if no channel depends on itself by way of others (Dally, Seitz
 * 1987; each branch of a multicast packet waits by itself).
 *
 * With SL-to-VL tables that were loaded, a packet holds the buffer of one lane of a channel, so
 * lanes take the place of channels: the lanes of the packet's service level, or of any level if no
 * levels of paths were loaded. Other ways of sharing lanes change nothing: a packet keeps its
 * lane, or each channel has one lane, or any free lane may be taken, so that all of them may be
 * full.
 */
#include "base/job.h"
#include "base/memory.h"
#include "proof/digraph.h"
#include "subnet/levels.h"

struct credits {
	const struct mcfab_subnet *sn;
	u32 vls;	/* lanes of a channel that are told apart */
	u32 lanes;	/* of all channels; lane / vls is the channel */
	u32 outs;	/* lanes of the channels from a switch */
	/* [lanes * outs] a LID whose packets go on by this lane behind a lane; 0: none do */
	u16 *lid;
	u32 *met;	/* [lanes] the walk that has met a lane last */
	u32 walk;
	u32 *stack;	/* [lanes] lanes to go on from */
	u32 waiting;
	u32 sls;	/* bit mask of service levels to look at */
	u32 sl;		/* that of the present walk */
};

/*
 * Packets of a LID that came in by a port of a switch, on a lane or from their host (MCFAB_NONE),
 * go on by another port. Returns the lane, or MCFAB_NONE if they do not.
 */
static u32 go_on(struct credits *c, u32 from, u32 sw, u32 in, u32 port, u32 lid)
{
	const struct mcfab_subnet *sn = c->sn;
	u32 end = mcfab_subnet_end(sn, sw, port), vl = 0, out;

	if (!mcfab_end_network(end) || !mcfab_may_leave(sn, in, port))
		return MCFAB_NONE;
	if (sn->levels.vl)
		vl = mcfab_levels_lane(sn, sw, in, port, c->sl);
	if (vl == MCFAB_LANE_NONE)
		return MCFAB_NONE;
	out = end * c->vls + vl;
	if (from != MCFAB_NONE && !c->lid[(size_t)from * c->outs + out])
		c->lid[(size_t)from * c->outs + out] = lid;
	return sw * c->outs + out;
}

static bool meet(struct credits *c, u32 lane)
{
	if (c->met[lane] == c->walk)
		return false;
	c->met[lane] = c->walk;
	return true;
}

/* The switch behind a lane, and the number that it gives to the port. */
static u32 behind(const struct credits *c, u32 lane, u32 *in)
{
	u32 peer = c->sn->topo->peer[lane / c->vls];

	*in = c->sn->number[peer];
	return peer / c->sn->topo->ports;
}

/* The way of unicast packets from a host, up to where packets of other hosts have gone on. */
static void follow(struct credits *c, u32 node, u32 lid)
{
	u32 sw = c->sn->topo->router[node], in = mcfab_host_port(c->sn, node), lane = MCFAB_NONE;

	for (;;) {
		lane = go_on(c, lane, sw, in, mcfab_lft_port(c->sn, sw, lid), lid);
		if (lane == MCFAB_NONE || !meet(c, lane))
			return;
		sw = behind(c, lane, &in);
	}
}

/* All unicast packets for a LID of one service level. */
static void follow_unicasts(struct credits *c, u32 lid)
{
	const struct mcfab_subnet *sn = c->sn;
	bool any = !sn->levels.vl || !sn->levels.path;
	u32 node;

	c->walk++;
	for (node = 0; node < sn->topo->nodes; node++)
		if (any || mcfab_levels_path(sn, node, lid, 0) == c->sl)
			follow(c, node, lid);
}

static int take_unicasts(struct credits *c)
{
	unsigned long sls = c->sls;
	const struct mcfab_subnet *sn = c->sn;
	u32 lid;
	int ret = 0;

	for (lid = 1; lid < sn->lids && !ret; lid++) {
		/* switches get only packets of the subnet's management */
		if (sn->owner[lid] & MCFAB_END_HOST)
			continue;
		for_each_set_bit(c->sl, &sls, MCFAB_SLS) {
			follow_unicasts(c, lid);
			ret = mcfab_job_step(lid, sn->lids);
			if (ret)
				break;
		}
	}
	return ret;
}

/* Send multicast packets on that came to a switch on a lane, or from a host of the switch. */
static void replicate(struct credits *c, const struct mcfab_mft *mft, u32 lid, u32 from, u32 sw,
		      u32 in)
{
	u32 port, lane;

	for_each_set_bit(port, mft->row[sw].bit, c->sn->ports) {
		lane = go_on(c, from, sw, in, port, lid);
		if (lane != MCFAB_NONE && meet(c, lane))
			c->stack[c->waiting++] = lane;
	}
}

static void follow_all(struct credits *c, const struct mcfab_mft *mft, u32 lid, u32 source)
{
	u32 lane, sw, in;

	replicate(c, mft, lid, MCFAB_NONE, c->sn->topo->router[source],
		  mcfab_host_port(c->sn, source));
	while (c->waiting) {
		lane = c->stack[--c->waiting];
		sw = behind(c, lane, &in);
		replicate(c, mft, lid, lane, sw, in);
	}
}

/* All packets for a multicast LID of one service level. */
static int follow_multicasts(struct credits *c, const struct mcfab_mft *mft, u32 lid)
{
	const struct mcfab_subnet *sn = c->sn;
	u32 node;
	int ret = 0;

	/* what goes on from a lane does not depend on the source */
	c->walk++;
	for (node = 0; node < sn->topo->nodes && !ret; node++) {
		if (!mcfab_mft_has_source(sn, mft, node))
			continue;
		follow_all(c, mft, lid, node);
		ret = mcfab_job_step(lid - MCFAB_MULTICAST_LID_MIN, MCFAB_MLIDS);
	}
	return ret;
}

static int take_multicasts(struct credits *c)
{
	/* levels of paths are those of unicast packets */
	unsigned long sls = c->sn->levels.path ? BIT(0) : c->sls;
	const struct mcfab_subnet *sn = c->sn;
	int ret = 0;
	u32 i;

	for (i = 0; i < MCFAB_MLIDS && !ret; i++) {
		if (!sn->mft[i])
			continue;
		for_each_set_bit(c->sl, &sls, MCFAB_SLS) {
			ret = follow_multicasts(c, sn->mft[i], MCFAB_MULTICAST_LID_MIN + i);
			if (ret)
				break;
		}
	}
	return ret;
}

/* Which lanes depend on which, as a graph. */
static int make_graph(const struct credits *c, struct mcfab_digraph *g)
{
	size_t i, pairs = (size_t)c->lanes * c->outs;
	u32 edges = 0, lane, out, in, sw;
	int ret;

	for (i = 0; i < pairs; i++)
		edges += !!c->lid[i];
	ret = mcfab_digraph_alloc(g, c->lanes, edges);
	if (ret)
		return ret;
	for (lane = 0, edges = 0; lane < c->lanes; lane++) {
		g->first[lane] = edges;
		/* nothing is behind a port without a link */
		if (c->sn->topo->peer[lane / c->vls] == MCFAB_NONE)
			continue;
		sw = behind(c, lane, &in);
		for (out = 0; out < c->outs; out++)
			if (c->lid[(size_t)lane * c->outs + out])
				g->to[edges++] = sw * c->outs + out;
	}
	g->first[c->lanes] = edges;
	return mcfab_job_step(0, 0);
}

static void found_cycle(const struct credits *c, const u32 *cycle, u32 length,
			struct mcfab_findings *found)
{
	struct mcfab_finding *f = mcfab_found(found, MCFAB_FINDING_TYPE_CREDIT_LOOP, 0, MCFAB_NONE);
	u32 i, next;

	if (!f)
		return;
	f->sw = cycle[0] / c->outs;
	f->nswitches = min_t(u32, length, MCFAB_FINDING_SWITCHES);
	for (i = 0; i < f->nswitches; i++) {
		next = cycle[i + 1 < length ? i + 1 : 0];
		f->switches[i] = cycle[i] / c->outs;
		f->lids[i] = c->lid[(size_t)cycle[i] * c->outs + next % c->outs];
		f->vls[i] = c->sn->levels.vl ? cycle[i] % c->vls : MCFAB_LANE_NONE;
	}
}

static int find_cycles(const struct mcfab_digraph *g, const struct credits *c,
		       struct mcfab_findings *found)
{
	struct mcfab_components components = {};
	u32 *cycle, i, length;
	int ret = -ENOMEM;

	cycle = mcfab_memory_alloc(g->nodes, sizeof(*cycle));
	if (cycle)
		ret = mcfab_digraph_components(g, &components);
	for (i = 0; !ret && i < components.count; i++) {
		ret = mcfab_digraph_cycle(g, &components, i, cycle, &length);
		if (!ret)
			found_cycle(c, cycle, length, found);
	}
	mcfab_components_free(&components);
	mcfab_memory_free(cycle);
	return ret;
}

/* Which service levels packets have, as far as it makes a difference. */
static int take_levels(struct credits *c)
{
	if (!c->sn->levels.vl)
		return 0;
	if (!c->sn->levels.path)
		return mcfab_levels_distinct(c->sn, &c->sls);
	c->sls = GENMASK(MCFAB_SLS - 1, 0);
	return 0;
}

/**
 * mcfab_check_credits() - look for credit loops of all tables together
 * @sn: subnet
 * @found: findings are added: a short cycle of each strongly connected set of channels, or lanes
 *
 * Sources are all hosts; of a multicast LID as for mcfab_check_mft(). Takes time in proportion to
 * hosts times LIDs, and memory in proportion to channels times ports. With SL-to-VL tables the time
 * is multiplied by the service levels that differ, the memory by the square of the lanes.
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the caller is to stop.
 */
int mcfab_check_credits(const struct mcfab_subnet *sn, struct mcfab_findings *found)
{
	struct credits c = { .sn = sn, .vls = sn->levels.vl ? sn->vcs : 1, .sls = BIT(0) };
	struct mcfab_digraph g = {};
	int ret = -ENOMEM;

	c.outs = sn->topo->ports * c.vls;
	c.lanes = sn->switches * c.outs;
	c.lid = mcfab_memory_zalloc((u64)c.lanes * c.outs, sizeof(*c.lid));
	c.met = mcfab_memory_zalloc(c.lanes, sizeof(*c.met));
	c.stack = mcfab_memory_alloc(c.lanes, sizeof(*c.stack));
	if (c.lid && c.met && c.stack)
		ret = take_levels(&c) ?: take_unicasts(&c) ?: take_multicasts(&c) ?:
			make_graph(&c, &g) ?: find_cycles(&g, &c, found);
	mcfab_digraph_free(&g);
	mcfab_memory_free(c.lid);
	mcfab_memory_free(c.met);
	mcfab_memory_free(c.stack);
	return ret;
}
