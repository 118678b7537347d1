// SPDX-License-Identifier: GPL-2.0
/*
 * PORTS: messages that are handed in from outside during the run. A message's sequence number is
 * its place among the messages of its source.
 */
#include "base/memory.h"
#include "workload/kinds.h"
#include "workload/outside.h"

/**
 * mcfab_outside_open() - prepare the outside of a fabric
 * @o: filled in; no node has an inbox
 * @ops: what the engine tells it
 * @nodes: nodes of the fabric
 *
 * Context: may sleep.
 * Return: 0, or -ENOMEM.
 */
int mcfab_outside_open(struct mcfab_outside *o, const struct mcfab_outside_ops *ops, u32 nodes)
{
	o->ops = ops;
	init_llist_head(&o->ready);
	o->inbox = mcfab_memory_zalloc(nodes, sizeof(*o->inbox));
	return o->inbox ? 0 : -ENOMEM;
}

/**
 * mcfab_outside_close() - free an outside and its inboxes
 * @o: the outside, open; no run uses it and nobody hands anything in
 * @nodes: nodes of the fabric
 *
 * Context: may sleep.
 */
void mcfab_outside_close(struct mcfab_outside *o, u32 nodes)
{
	u32 i;

	for (i = 0; i < nodes; i++)
		mcfab_memory_free(o->inbox[i]);
	mcfab_memory_free(o->inbox);
	o->inbox = NULL;
}

/**
 * mcfab_inbox_new() - make an inbox
 * @node: its node
 * @size: most messages that wait in it, a power of two
 *
 * Context: may sleep.
 * Return: the inbox, to be put into @inbox of the outside with smp_store_release(); or NULL.
 */
struct mcfab_inbox *mcfab_inbox_new(u32 node, u32 size)
{
	struct mcfab_inbox *in = mcfab_memory_zalloc(1, struct_size(in, offer, size));

	if (!in)
		return NULL;
	in->node = node;
	in->size = size;
	return in;
}

/**
 * mcfab_inbox_put() - hand a message in
 * @o: the outside
 * @in: inbox of the node that is to send it; the outside has it
 * @offer: the message, copied
 *
 * Context: any; one caller at a time for each inbox.
 * Return: false if the inbox is full. After true it is time for mcfab_outside_ops.kick().
 */
bool mcfab_inbox_put(struct mcfab_outside *o, struct mcfab_inbox *in,
		     const struct mcfab_offer *offer)
{
	if (!mcfab_inbox_room(in))
		return false;
	*mcfab_inbox_at(in, in->given) = *offer;
	/* pairs with the acquire of the boundary */
	smp_store_release(&in->given, in->given + 1);
	/* fully ordered: if the boundary has looked before, the inbox is listed again */
	if (!atomic_xchg(&in->listed, 1))
		llist_add(&in->ready, &o->ready);
	return true;
}

static int ports_open(struct mcfab_workload *w, struct mcfab_err *err)
{
	if (!w->cfg.outside)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_WORKLOAD,
				    "there are no ports here: they need the kernel module");
	w->max_dests = w->nodes - 1;
	return 0;
}

static const struct mcfab_offer *ports_offer(const struct mcfab_workload *w, u32 node, u32 index)
{
	struct mcfab_inbox *in = w->cfg.outside->inbox[node];

	return mcfab_inbox_at(in, in->base + index);
}

static void ports_start(const struct mcfab_workload *w, u32 node, struct mcfab_source *src)
{
	src->gen = U64_MAX;
}

static void ports_step(const struct mcfab_workload *w, u32 node, struct mcfab_source *src,
		       u32 attempt)
{
	const struct mcfab_inbox *in = w->cfg.outside->inbox[node];

	src->gen = in->accepted == in->base + src->index ? U64_MAX :
							   ports_offer(w, node, src->index)->cycle;
}

static u32 ports_ndests(const struct mcfab_workload *w, u32 node, u32 index)
{
	return ports_offer(w, node, index)->ndst;
}

static u32 ports_dests(const struct mcfab_workload *w, u32 node, u32 index, u32 *dst)
{
	const struct mcfab_offer *offer = ports_offer(w, node, index);

	mcfab_offer_dests(offer, node, dst);
	return offer->ndst;
}

static const struct mcfab_group *ports_group(const struct mcfab_workload *w, u32 node, u32 index)
{
	return ports_offer(w, node, index)->group;
}

static u32 ports_length(const struct mcfab_workload *w, u32 node, u32 index)
{
	return ports_offer(w, node, index)->flits;
}

const struct mcfab_workload_ops mcfab_workload_ports_ops = {
	.open = ports_open,
	.start = ports_start,
	.step = ports_step,
	.ndests = ports_ndests,
	.dests = ports_dests,
	.group = ports_group,
	.length = ports_length,
};
