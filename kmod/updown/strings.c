// SPDX-License-Identifier: GPL-2.0
/*
 * Reachability strings: the nodes that a switch reaches going down only, and the port for each. Of
 * several ports with a node behind, the highest port keeps the node, so the strings of a switch's
 * ports are a partition.
 *
 * Switches are taken deepest first and within a level in descending order: a link within a level
 * goes down to the higher number, whose string must be complete before it is added to the string of
 * the lower number.
 */

#include "base/job.h"
#include "base/memory.h"
#include "updown/updown.h"

static void add_below(const struct mcfab_updown *ud, u8 *down, u32 sw, u32 below, u32 port)
{
	const u8 *from = down + (size_t)below * ud->topo->nodes;
	u8 *to = down + (size_t)sw * ud->topo->nodes;
	u32 node;

	for (node = 0; node < ud->topo->nodes; node++)
		if (from[node] != MCFAB_UPDOWN_NOT)
			to[node] = port;
}

/* Ports are taken in ascending order: the highest one writes last. */
static int fill_switch(const struct mcfab_updown *ud, u8 *down, u32 i)
{
	const struct mcfab_topo *topo = ud->topo;
	u32 sw = ud->order[i], port, chan;

	for (port = 0; port < topo->ports; port++) {
		chan = mcfab_topo_channel(topo, sw, port);
		if (topo->host && topo->host[chan] != MCFAB_NONE)
			down[(size_t)sw * topo->nodes + topo->host[chan]] = port;
		else if (ud->neighbour[chan] != MCFAB_NONE && !mcfab_updown_is_up(ud, sw, port))
			add_below(ud, down, sw, ud->neighbour[chan], port);
		else
			continue;
		if (mcfab_job_step(i, ud->switches))
			return -EINTR;
	}
	return 0;
}

/* Row by row: all rows together may be 2 GB. */
static int clear(const struct mcfab_updown *ud, u8 *down)
{
	const struct mcfab_topo *topo = ud->topo;
	u32 i;

	for (i = 0; i < ud->switches; i++) {
		memset(down + (size_t)i * topo->nodes, MCFAB_UPDOWN_NOT, topo->nodes);
		if (mcfab_job_step(i, ud->switches))
			return -EINTR;
	}
	for (i = 0; !topo->host && i < topo->nodes; i++)
		down[(size_t)topo->router[i] * topo->nodes + i] = MCFAB_UPDOWN_HERE;
	return 0;
}

static int fill(const struct mcfab_updown *ud, u8 *down, struct mcfab_err *err)
{
	int ret = clear(ud, down);
	u32 i;

	for (i = 0; i < ud->switches && !ret; i++) {
		ret = fill_switch(ud, down, i);
		if (!ret)
			ret = mcfab_job_step(i, ud->switches);
	}
	return ret ? mcfab_refuse(err, ret, 0, "interrupted") : 0;
}

static int make(struct mcfab_updown *ud, struct mcfab_err *err)
{
	u64 bytes = (u64)ud->switches * ud->topo->nodes;
	int ret;
	u8 *down;

	/* INT_MAX is the limit of kvmalloc() */
	if (bytes > INT_MAX || !mcfab_memory_charge(bytes))
		return mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_RUN_POLICY,
				    "reachability strings need %llu MiB, see max_memory_mb",
				    (unsigned long long)(bytes >> 20) + 1);
	down = kvmalloc(bytes, MCFAB_GFP);
	ret = down ? fill(ud, down, err) : mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	if (ret) {
		kvfree(down);
		mcfab_memory_uncharge(bytes);
		return ret;
	}
	WRITE_ONCE(ud->bytes, ud->bytes + bytes);
	ud->down = down;
	return 0;
}

/**
 * mcfab_updown_strings() - make reachability strings if there are none
 * @ud: routing; its @down is made, and stays
 * @err: filled in when the request is refused; the blamed attribute is one of a run's
 *
 * For a policy's init().
 *
 * Context: May sleep. Memory is charged to the caller's cgroup. Time is in proportion to
 *	    channels times nodes.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_updown_strings(struct mcfab_updown *ud, struct mcfab_err *err)
{
	int ret = 0;

	/* a policy may be opened for a plan while another policy runs */
	mutex_lock(&ud->lock);
	if (!ud->down)
		ret = make(ud, err);
	mutex_unlock(&ud->lock);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_strings, MCFAB);
