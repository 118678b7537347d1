/* SPDX-License-Identifier: GPL-2.0 */
/* What the tracepoints compute from the numbers that the engine passes. */
#ifndef MCFAB_TRACE_WHERE_H
#define MCFAB_TRACE_WHERE_H

#include "engine/state/engine.h"

/* length of a port's name: "+x", "inject", "consume" */
#define MCFAB_DIR_LEN	8

/**
 * struct mcfab_where - a place in the network, as in events
 * @router: the router
 * @port: its input or output port; -1: a node's channel
 * @vc: virtual channel; of an injection channel its number
 * @in: @port is an input
 */
struct mcfab_where {
	u32 router;
	s32 port;
	u32 vc;
	bool in;
};

/**
 * struct mcfab_holder - a worm that holds the channel for which another worm waits
 * @gen: generation cycle of its message
 * @source: the message's source, -1: no worm
 * @seq: its sequence number
 * @worm: index in its plan, -1: no worm
 */
struct mcfab_holder {
	u64 gen;
	s32 source;
	u32 seq;
	s32 worm;
};

/* a cycle as in statistics: in LONE runs it counts from the multicast's generation */
static inline u64 mcfab_trace_cycle(const struct mcfab_engine *e, u64 cycle)
{
	return cycle - (e->run.lone ? e->boundary.base : 0);
}

/* the output by which a record's flits left the router before */
static inline struct mcfab_where mcfab_where_out(const struct mcfab_engine *e, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec);

	return (struct mcfab_where) {
		.router = mcfab_vc_from(e, vc),
		.port = mcfab_vc_chan(e, vc) % e->hw.ports,
		.vc = vc % e->hw.vcs,
	};
}

/* the input by which flits of a VC come; after all VCs: of an injection channel, by node */
static inline struct mcfab_where mcfab_where_in(const struct mcfab_engine *e, u32 vc)
{
	u32 source = vc - e->hw.nvcs, peer;

	if (vc >= e->hw.nvcs)
		return (struct mcfab_where) {
			.router = e->topo->router[source / e->hw.inject],
			.port = -1,
			.vc = source % e->hw.inject,
			.in = true,
		};
	peer = e->topo->peer[mcfab_vc_chan(e, vc)];
	return (struct mcfab_where) {
		.router = peer / e->hw.ports,
		.port = peer % e->hw.ports,
		.vc = vc % e->hw.vcs,
		.in = true,
	};
}

static inline struct mcfab_where mcfab_where_wait(const struct mcfab_wait *wait)
{
	return (struct mcfab_where) {
		.router = wait->router,
		.port = wait->port == MCFAB_PORT_ANY ? -1 : wait->port,
		.vc = wait->vc,
	};
}

/* @worm may be MCFAB_NO_WORM */
static inline struct mcfab_holder mcfab_trace_holder(const struct mcfab_engine *e, u32 worm)
{
	const struct mcfab_mcast *m;

	if (worm == MCFAB_NO_WORM)
		return (struct mcfab_holder) { .source = -1, .worm = -1 };
	m = &e->mcast[e->worm[worm].mcast];
	return (struct mcfab_holder) {
		.gen = mcfab_trace_cycle(e, m->gen),
		.source = m->source,
		.seq = m->seq,
		.worm = e->worm[worm].index,
	};
}

static inline struct mcfab_holder mcfab_trace_waiter(const struct mcfab_engine *e,
						     const struct mcfab_wait *wait)
{
	return (struct mcfab_holder) {
		.gen = mcfab_trace_cycle(e, wait->gen),
		.source = wait->source,
		.seq = wait->seq,
		.worm = wait->worm,
	};
}

/* @dir: [MCFAB_DIR_LEN], all of it is written */
static inline void mcfab_trace_dir(const struct mcfab_engine *e, const struct mcfab_where *where,
				   char *dir)
{
	memset(dir, 0, MCFAB_DIR_LEN);
	if (where->port < 0)
		strscpy(dir, where->in ? "inject" : "consume", MCFAB_DIR_LEN);
	else
		e->topo->ops->port_name(e->topo, where->port, dir, MCFAB_DIR_LEN);
}

#endif
