// SPDX-License-Identifier: GPL-2.0
/*
 * Credit loops: can packets of a subnet wait for each other in a circle?
 *
 * Switches with forwarding tables buffer whole packets. So a packet holds one channel, with the
 * buffer at its far end, and waits for credits of the channels by which its tables send it on. Each
 * such pair of channels is a dependency, of unicast and multicast packets of all hosts together.
 * The tables are free of deadlock if no channel depends on itself by way of others (Dally, Seitz
 * 1987; each branch of a multicast packet waits by itself). Virtual lanes change nothing: a packet
 * keeps its lane, or each channel has one lane, or any free lane may be taken, so that all of them
 * may be full.
 */
#include "base/job.h"
#include "base/memory.h"
#include "proof/digraph.h"
#include "subnet/subnet.h"

struct credits {
	const struct mcfab_subnet *sn;
	u32 channels;
	u32 ports;	/* of the topology */
	/* [channels * ports] a LID whose packets go on by this port behind a channel; 0: none do */
	u16 *lid;
	u32 *met;	/* [channels] the walk that has met a channel last */
	u32 walk;
	u32 *stack;	/* [channels] channels to go on from */
	u32 waiting;
};

/* Packets of a LID go on from a channel, or from their host (MCFAB_NONE), by a port of a switch. */
static u32 go_on(struct credits *c, u32 from, u32 sw, u32 end, u32 lid)
{
	if (from != MCFAB_NONE && !c->lid[(size_t)from * c->ports + end])
		c->lid[(size_t)from * c->ports + end] = lid;
	return mcfab_topo_channel(c->sn->topo, sw, end);
}

static bool meet(struct credits *c, u32 channel)
{
	if (c->met[channel] == c->walk)
		return false;
	c->met[channel] = c->walk;
	return true;
}

/* The number that the switch behind a channel gives to the port to which the channel leads. */
static u32 port_behind(const struct credits *c, u32 channel)
{
	return c->sn->number[c->sn->topo->peer[channel]];
}

/* The way of unicast packets from a host, up to where packets of other hosts have gone on. */
static void follow(struct credits *c, u32 node, u32 lid)
{
	u32 sw = c->sn->topo->router[node], in = mcfab_host_port(c->sn, node);
	u32 channel = MCFAB_NONE, port, end;

	for (;;) {
		port = mcfab_lft_port(c->sn, sw, lid);
		end = mcfab_subnet_end(c->sn, sw, port);
		if (!mcfab_end_network(end) || !mcfab_may_leave(c->sn, in, port))
			return;
		channel = go_on(c, channel, sw, end, lid);
		if (!meet(c, channel))
			return;
		in = port_behind(c, channel);
		sw = mcfab_topo_neighbour(c->sn->topo, sw, end);
	}
}

static int take_unicasts(struct credits *c)
{
	const struct mcfab_subnet *sn = c->sn;
	u32 lid, node;
	int ret = 0;

	for (lid = 1; lid < sn->lids && !ret; lid++) {
		/* switches get only packets of the subnet's management */
		if (sn->owner[lid] & MCFAB_END_HOST)
			continue;
		c->walk++;
		for (node = 0; node < sn->topo->nodes; node++)
			follow(c, node, lid);
		ret = mcfab_job_step(lid, sn->lids);
	}
	return ret;
}

/* Send multicast packets on that came to a switch by a channel, or from a host of the switch. */
static void replicate(struct credits *c, const struct mcfab_mft *mft, u32 lid, u32 from, u32 sw,
		      u32 in)
{
	u32 port, end, channel;

	for_each_set_bit(port, mft->row[sw].bit, c->sn->ports) {
		end = mcfab_subnet_end(c->sn, sw, port);
		if (!mcfab_end_network(end) || !mcfab_may_leave(c->sn, in, port))
			continue;
		channel = go_on(c, from, sw, end, lid);
		if (meet(c, channel))
			c->stack[c->waiting++] = channel;
	}
}

static void follow_all(struct credits *c, const struct mcfab_mft *mft, u32 lid, u32 source)
{
	const struct mcfab_topo *topo = c->sn->topo;
	u32 channel;

	replicate(c, mft, lid, MCFAB_NONE, topo->router[source], mcfab_host_port(c->sn, source));
	while (c->waiting) {
		channel = c->stack[--c->waiting];
		replicate(c, mft, lid, channel, topo->peer[channel] / topo->ports,
			  port_behind(c, channel));
	}
}

static int take_multicasts(struct credits *c)
{
	const struct mcfab_subnet *sn = c->sn;
	const struct mcfab_mft *mft;
	u32 i, node;
	int ret = 0;

	for (i = 0; i < MCFAB_MLIDS && !ret; i++) {
		mft = sn->mft[i];
		if (!mft)
			continue;
		/* what goes on from a channel does not depend on the source */
		c->walk++;
		for (node = 0; node < sn->topo->nodes && !ret; node++) {
			if (!mcfab_mft_has_source(sn, mft, node))
				continue;
			follow_all(c, mft, MCFAB_MULTICAST_LID_MIN + i, node);
			ret = mcfab_job_step(i, MCFAB_MLIDS);
		}
	}
	return ret;
}

/* The ports in which the dependencies of a channel lead on, as a graph of channels. */
static int make_graph(const struct credits *c, struct mcfab_digraph *g)
{
	const struct mcfab_topo *topo = c->sn->topo;
	size_t i, pairs = (size_t)c->channels * c->ports;
	u32 edges = 0, channel, port;
	int ret;

	for (i = 0; i < pairs; i++)
		edges += !!c->lid[i];
	ret = mcfab_digraph_alloc(g, c->channels, edges);
	if (ret)
		return ret;
	for (channel = 0, edges = 0; channel < c->channels; channel++) {
		g->first[channel] = edges;
		for (port = 0; port < c->ports; port++)
			if (c->lid[(size_t)channel * c->ports + port])
				g->to[edges++] = topo->peer[channel] / topo->ports * c->ports +
					port;
	}
	g->first[c->channels] = edges;
	return mcfab_job_step(0, 0);
}

static void found_cycle(const struct credits *c, const u32 *cycle, u32 length,
			struct mcfab_findings *found)
{
	struct mcfab_finding *f = mcfab_found(found, MCFAB_FINDING_TYPE_CREDIT_LOOP, 0, MCFAB_NONE);
	u32 i, next;

	if (!f)
		return;
	f->sw = cycle[0] / c->ports;
	f->nswitches = min_t(u32, length, MCFAB_FINDING_SWITCHES);
	for (i = 0; i < f->nswitches; i++) {
		next = cycle[i + 1 < length ? i + 1 : 0];
		f->switches[i] = cycle[i] / c->ports;
		f->lids[i] = c->lid[(size_t)cycle[i] * c->ports + next % c->ports];
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

/**
 * mcfab_check_credits() - look for credit loops of all tables together
 * @sn: subnet
 * @found: findings are added: a short cycle of each strongly connected set of channels
 *
 * Sources are all hosts; of a multicast LID as for mcfab_check_mft(). Takes time in proportion to
 * hosts times LIDs, and memory in proportion to channels times ports.
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the caller is to stop.
 */
int mcfab_check_credits(const struct mcfab_subnet *sn, struct mcfab_findings *found)
{
	struct credits c = { .sn = sn, .ports = sn->topo->ports,
			     .channels = sn->switches * sn->topo->ports };
	struct mcfab_digraph g = {};
	int ret = -ENOMEM;

	c.lid = mcfab_memory_zalloc((u64)c.channels * c.ports, sizeof(*c.lid));
	c.met = mcfab_memory_zalloc(c.channels, sizeof(*c.met));
	c.stack = mcfab_memory_alloc(c.channels, sizeof(*c.stack));
	if (c.lid && c.met && c.stack)
		ret = take_unicasts(&c) ?: take_multicasts(&c) ?: make_graph(&c, &g) ?:
			find_cycles(&g, &c, found);
	mcfab_digraph_free(&g);
	mcfab_memory_free(c.lid);
	mcfab_memory_free(c.met);
	mcfab_memory_free(c.stack);
	return ret;
}
