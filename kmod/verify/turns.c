// SPDX-License-Identifier: GPL-2.0
/*
 * All turns that a policy allows: the graph for all sets of destinations at once. It has edges that
 * no worm makes, so that only its lack of cycles says something.
 */
#include "base/job.h"
#include "base/memory.h"
#include "verify/turns.h"

/**
 * mcfab_turns_known() - can a policy's turns stand for all sets of destinations?
 * @w: the graph
 * @pol: the policy
 *
 * The policy has to know its turns. Where a tree's branches wait for each other, turns say nothing.
 *
 * Context: Any.
 * Return: true if they can.
 */
bool mcfab_turns_known(const struct mcfab_waits *w, const struct mcfab_policy *pol)
{
	const struct mcfab_policy_ops *ops = pol->ops;

	/* what packets in the memory of interfaces wait for is no turn */
	if (w->memories != MCFAB_NONE)
		return false;
	if (!ops->turn || (ops->turns && !ops->turns(&pol->view, pol->priv)))
		return false;
	return !(ops->flags & MCFAB_POLICY_TREE && w->hold.together);
}

static bool leads_on(const struct mcfab_topo *topo, u32 router, u32 port)
{
	return topo->peer[mcfab_topo_channel(topo, router, port)] != MCFAB_NONE;
}

/* The FIFO of the virtual channel by which packets come in. */
static u32 fifo_in(const struct mcfab_view *view, u32 router, u32 port, u32 vc)
{
	return view->topo->peer[mcfab_topo_channel(view->topo, router, port)] * view->vcs + vc;
}

/* The turns of headers that have come by one virtual channel. */
static int add_turns(struct mcfab_waits *w, const struct mcfab_policy *pol, u32 router, u32 port,
		     u32 vc)
{
	const struct mcfab_view *view = w->view;
	struct mcfab_turn turn = { .router = router, .in_port = port, .in_vc = vc };
	u32 in = fifo_in(view, router, port, vc);
	int ret = 0;

	for (turn.out_port = 0; turn.out_port < view->topo->ports; turn.out_port++) {
		if (!leads_on(view->topo, router, turn.out_port))
			continue;
		for (turn.out_vc = 0; turn.out_vc < view->vcs && ret >= 0; turn.out_vc++)
			if (pol->ops->turn(view, pol->priv, &turn))
				ret = mcfab_waits_edge(w, in,
						       mcfab_wait_fifo(view, router,
								       turn.out_port,
								       turn.out_vc));
	}
	return ret;
}

/* The same for all virtual channels of a port. */
static int add_port(struct mcfab_waits *w, const struct mcfab_policy *pol, u32 router, u32 port)
{
	int ret = 0;
	u32 vc;

	if (!leads_on(w->view->topo, router, port))
		return 0;
	for (vc = 0; vc < w->view->vcs && ret >= 0; vc++)
		ret = add_turns(w, pol, router, port, vc);
	return ret < 0 ? ret : mcfab_job_step(router, w->view->topo->routers);
}

/* A header with a copy for a node may go on by any channel of the router. */
static int add_pool_peers(struct mcfab_waits *w, u32 router, u32 pool)
{
	const struct mcfab_view *view = w->view;
	u32 port, vc;
	int ret = 0;

	for (port = 0; port < view->topo->ports; port++)
		for (vc = 0; vc < view->vcs && ret >= 0; vc++)
			if (leads_on(view->topo, router, port))
				ret = mcfab_waits_peers(w, pool, mcfab_wait_fifo(view, router,
										 port, vc));
	return ret;
}

/* Headers of all inputs may ask for a node's consumption channels, and keep them if @keeps. */
static int add_asks(struct mcfab_waits *w, u32 node, bool keeps)
{
	const struct mcfab_view *view = w->view;
	u32 router = view->topo->router[node], port, vc, in, other;
	int ret = 0;

	for (port = 0; port < view->topo->ports; port++) {
		if (!leads_on(view->topo, router, port))
			continue;
		for (vc = 0; vc < view->vcs && ret >= 0; vc++) {
			in = fifo_in(view, router, port, vc);
			ret = mcfab_waits_ask(w, node, in, keeps);
			if (ret >= 0)
				ret = mcfab_waits_edge(w, in, w->fifos + node);
		}
	}
	for (port = 0; port < view->topo->ports && ret >= 0 && view->topo->host; port++) {
		other = view->topo->host[mcfab_topo_channel(view->topo, router, port)];
		if (other != MCFAB_NONE && other != node)
			ret = mcfab_waits_ask(w, node, mcfab_wait_sender(w, other),
					      keeps && w->hold.source);
	}
	if (ret >= 0 && keeps)
		ret = add_pool_peers(w, router, w->fifos + node);
	return ret;
}

struct reach {
	struct mcfab_waits *w;
	const struct mcfab_policy *pol;
	u32 *met;	/* [fifos] the last search that met a FIFO */
	u32 *list;	/* [fifos] what the search has met */
	u32 count;
	u32 search;
};

static void meet(struct reach *r, u32 fifo)
{
	if (r->met[fifo] == r->search)
		return;
	r->met[fifo] = r->search;
	r->list[r->count++] = fifo;
}

/* What headers may hold that have turned into a FIFO of the list, or come after. */
static void reach_on(struct reach *r, u32 fifo)
{
	const struct mcfab_view *view = r->w->view;
	u32 peer = view->topo->peer[mcfab_wait_channel(view, fifo)], ports = view->topo->ports;
	struct mcfab_turn turn = {
		.router = peer / ports, .in_port = peer % ports, .in_vc = fifo % view->vcs,
	};

	for (turn.out_port = 0; turn.out_port < ports; turn.out_port++)
		for (turn.out_vc = 0; turn.out_vc < view->vcs; turn.out_vc++)
			if (leads_on(view->topo, turn.router, turn.out_port) &&
			    r->pol->ops->turn(view, r->pol->priv, &turn))
				meet(r, mcfab_wait_fifo(view, turn.router, turn.out_port,
							turn.out_vc));
}

/* The worm may hold the channels of a node behind a FIFO while it waits for @pool. */
static int keep_nodes(struct mcfab_waits *w, u32 fifo, u32 pool)
{
	const struct mcfab_topo *topo = w->view->topo;
	u32 router = mcfab_wait_router(w->view, fifo), port, node;
	int ret = 0;

	if (!topo->host)
		return mcfab_waits_edge(w, w->fifos + router, pool);
	for (port = 0; port < topo->ports && ret >= 0; port++) {
		node = topo->host[mcfab_topo_channel(topo, router, port)];
		if (node != MCFAB_NONE)
			ret = mcfab_waits_edge(w, w->fifos + node, pool);
	}
	return ret;
}

/*
 * Copies at their own pace: while a copy waits for its node, the worm goes on holding what it holds
 * further on, which may be anything that turns lead to. The router's own channels are peers of the
 * node's.
 */
static int keep_later(struct reach *r, u32 first, u32 pool)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < r->count && ret >= 0; i++) {
		ret = keep_nodes(r->w, r->list[i], pool);
		if (i >= first && ret >= 0)
			ret = mcfab_waits_edge(r->w, r->list[i], pool);
	}
	return ret;
}

static int reach_from(struct reach *r, u32 node)
{
	const struct mcfab_view *view = r->w->view;
	u32 router = view->topo->router[node], port, vc, i, first;

	r->search++;
	r->count = 0;
	for (port = 0; port < view->topo->ports; port++)
		for (vc = 0; vc < view->vcs; vc++)
			if (leads_on(view->topo, router, port))
				meet(r, mcfab_wait_fifo(view, router, port, vc));
	first = r->count;
	for (i = 0; i < r->count; i++)
		reach_on(r, r->list[i]);
	return keep_later(r, first, r->w->fifos + node);
}

static int add_all_later(struct mcfab_waits *w, const struct mcfab_policy *pol)
{
	struct reach r = { .w = w, .pol = pol };
	u32 node;
	int ret = -ENOMEM;

	r.met = mcfab_memory_zalloc(w->fifos, sizeof(*r.met));
	r.list = mcfab_memory_alloc(w->fifos, sizeof(*r.list));
	if (r.met && r.list)
		ret = 0;
	for (node = 0; node < w->view->topo->nodes && ret >= 0; node++) {
		ret = reach_from(&r, node);
		if (ret >= 0)
			ret = mcfab_job_step(node, w->view->topo->nodes);
	}
	mcfab_memory_free(r.met);
	mcfab_memory_free(r.list);
	return ret;
}

/**
 * mcfab_turns_add() - add all turns of a policy to a graph
 * @w: the graph
 * @pol: a policy of which mcfab_turns_known() is true
 *
 * Context: May sleep. Takes time in proportion to the routers and the square of their virtual
 * channels. Where nodes have fewer consumption channels than their routers have inputs, and buffers
 * no room for a packet, to the nodes times the channels.
 * Return: 0, -ENOMEM, -EINTR.
 */
int mcfab_turns_add(struct mcfab_waits *w, const struct mcfab_policy *pol)
{
	const struct mcfab_topo *topo = w->view->topo;
	/* a worm to one destination asks for one thing at a time */
	bool keeps = w->hold.together && !(pol->ops->flags & MCFAB_POLICY_SINGLE);
	u32 router, port, node;
	int ret = 0;

	for (router = 0; router < topo->routers; router++)
		for (port = 0; port < topo->ports && ret >= 0; port++)
			ret = add_port(w, pol, router, port);
	for (node = 0; node < topo->nodes && ret >= 0; node++)
		ret = add_asks(w, node, keeps);
	if (ret >= 0 && keeps && w->hold.branches && w->view->consume < topo->degree * w->view->vcs)
		ret = add_all_later(w, pol);
	return ret < 0 ? ret : 0;
}
