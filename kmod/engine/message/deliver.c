// SPDX-License-Identifier: GPL-2.0
/*
 * A worm's tail has reached a node: log the delivery with the parts of its latency, and
 * queue the node's step if the plan makes the node a later sender. Runs in the move phase of
 * the worm's shard; the node acts from the next grant phase on.
 */
#include "engine/message/message.h"
#include "engine/outside/outside.h"
#include "engine/state/flits.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

/*
 * Parts of the latency: the parts before the injection, then the delays of the path; the rest
 * is blocking.
 */
static __always_inline bool latency_parts(const struct mcfab_engine *e, const struct mcfab_worm *w,
					  u32 hops, u32 longer, u32 tail, u32 *part)
{
	const struct mcfab_fabric_cfg *cfg = e->cfg;
	/* the configured delays: with pipeline flit e->hw has route-delay within other delays */
	u32 routing = (hops + 1) * cfg->route_delay, sum, i;
	u32 transfer = cfg->inject_delay + hops * cfg->link_delay + longer + cfg->consume_delay +
		       w->flits - 1;

	sum = routing + transfer;
	for (i = 0; i < MCFAB_PARTS; i++)
		sum += w->part[i];
	/* @part is only written: it is mostly in no cache */
	for (i = 0; i < MCFAB_PARTS; i++)
		part[i] = w->part[i] + (i == MCFAB_PART_ROUTING ? routing : 0) +
			  (i == MCFAB_PART_TRANSFER ? transfer : 0) +
			  (i == MCFAB_PART_BLOCKING ? tail - sum : 0);
	return tail >= sum;
}

/**
 * mcfab_next_step() - which worms a node sends after it has received a worm
 * @e: engine
 * @mcast: the message
 * @worm: the worm's number in its plan
 * @node: the node
 *
 * Context: any phase; for nodes with network interfaces again for every packet.
 * Return: the first worm of the plan that it sends, or MCFAB_NONE.
 */
u32 mcfab_next_step(const struct mcfab_engine *e, u32 mcast, u32 worm, u32 node)
{
	const struct mcfab_block *block = mcfab_block(e, e->mcast[mcast].plan);
	const struct mcfab_plan *plan = &block->plan;
	u32 k;

	for (k = block->children[worm]; k < plan->nworms && plan->worm[k].after == worm; k++)
		if (plan->worm[k].sender == node)
			return k;
	return MCFAB_NONE;
}

/*
 * Along a path, nodes receive in the order of the path, but not if they wait for consumption
 * channels or turns, or if links fail. Trees, and hosts of one switch, have no order.
 */
static bool any_order(const struct mcfab_engine *e)
{
	return e->pol->ops->flags & (MCFAB_POLICY_TREE | MCFAB_POLICY_COPIES) ||
	       e->flags & (MCFAB_ENG_SCARCE | MCFAB_ENG_SHARED) || e->faults.lossy;
}

/* as mcfab_next_step(), called once for each node that receives the worm */
static __always_inline u32 next_step(const struct mcfab_engine *e, const struct mcfab_block *block,
				     const struct mcfab_worm *w, u32 node)
{
	const struct mcfab_plan *plan = &block->plan;
	u32 *children = &block->children[w->index];
	u32 k, first;

	for (k = *children; k < plan->nworms && plan->worm[k].after == w->index; k++) {
		if (plan->worm[k].sender != node) {
			/* a path's senders are in the order of deliveries: this node is none */
			if (!any_order(e))
				return MCFAB_NONE;
			continue;
		}
		first = k;
		while (k < plan->nworms && plan->worm[k].after == w->index &&
		       plan->worm[k].sender == node)
			k++;
		if (!any_order(e))
			*children = k;
		return first;
	}
	return MCFAB_NONE;
}

/*
 * Take a place in the log and put it in the message's list; the caller fills it in, in this
 * phase. Return: the place, or @spare if there is none: the boundary ends the run.
 */
static __always_inline struct mcfab_delivery *
log_delivery(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_mcast *m,
	     struct mcfab_delivery *spare)
{
	u32 nr = mcfab_stock_take(&e->log_pool, s->nr);

	if (nr == MCFAB_NONE)
		return spare;
	/* the order in the list depends on the threads; flush.c sorts it */
	e->log[nr].next = mcfab_exchange(mcfab_alone(e), &m->deliveries, nr);
	if (unlikely(e->outside.from))
		mcfab_outside_note(e, s, m - e->mcast, nr);
	s->deliveries++;
	return &e->log[nr].d;
}

/* count a copy that was dropped */
static void dropped(struct mcfab_engine *e, struct mcfab_shard *s,
		    const struct mcfab_arrival *arrival, enum mcfab_drop reason)
{
	s->drops[reason]++;
	trace_mcfab_drop(e, arrival, reason);
}

/*
 * A packet has come for an entry of the destination lists. The message has come when all its
 * packets have; its header is the header that was there first, its tail is the last one. Return:
 * how many packets have come; @came has the header, the last packet and its hops.
 */
static u32 note_packet(const struct mcfab_engine *e, struct mcfab_came *came,
		       const struct mcfab_arrival *arrival, u32 header, u32 tail)
{
	u32 worm = arrival->worm;

	if (!came->packets++ || header < came->header)
		came->header = header;
	/* of packets that come in one cycle the highest number counts, whichever is first here */
	if (came->packets == 1 || tail > came->tail ||
	    e->worm[worm].packet > e->worm[came->worm].packet) {
		came->tail = tail;
		came->worm = worm;
		came->hops = arrival->hops;
		came->links = arrival->links;
	}
	return came->packets;
}

/*
 * A packet has come to the network interface of a node: it counts in the message's @left until
 * the node has dealt with it.
 */
static void arrived(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_worm *w,
		    const struct mcfab_delivery *d, u32 entry)
{
	struct mcfab_came *came = &mcfab_block(e, e->mcast[w->mcast].plan)->came[entry];
	u32 nr = mcfab_pool_take(&e->relay_pool);
	struct mcfab_relay *relay;

	if (!came->packets++ || d->header < came->header)
		came->header = d->header;
	if (nr == MCFAB_NONE)
		return;		/* the boundary ends the run */
	relay = &e->relay[nr];
	mcfab_count(mcfab_alone(e), &e->mcast[w->mcast].left, 1);
	relay->entry = d->gen + d->tail;
	relay->mcast = w->mcast;
	relay->worm = w->index;
	relay->packet = w->packet;
	relay->dst = entry;
	relay->hops = d->hops;
	relay->node = d->dst;
	memcpy(relay->part, d->part, sizeof(d->part));
	mcfab_outbox_post(&s->outbox[e->shard_of_node[d->dst]], MCFAB_EVENT_RELAY, nr);
}

/**
 * mcfab_deliver_host() - a host has a message
 * @e: engine
 * @s: shard of the node
 * @job: the packet that completed it
 * @node: the node
 *
 * Context: grant phase.
 */
void mcfab_deliver_host(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_job *job,
			u32 node)
{
	struct mcfab_mcast *m = &e->mcast[job->mcast];
	const struct mcfab_block *block = mcfab_block(e, m->plan);
	u32 tail = e->cycle - 1 - m->gen, sum = 0, i;
	struct mcfab_delivery spare, *d;

	for (i = 0; i < MCFAB_PARTS; i++)
		sum += job->part[i];
	if (sum != tail)
		s->broken = "a latency is not the sum of its parts";
	if (block->plan.dst[job->dst] & MCFAB_DST_RELAY)
		return;
	d = log_delivery(e, s, m, &spare);
	d->gen = m->gen;
	d->source = m->source;
	d->seq = m->seq;
	d->dst = node;
	d->header = block->came[job->dst].header;
	d->tail = tail;
	d->worm = job->worm;
	d->hops = job->hops;
	memcpy(d->part, job->part, sizeof(d->part));
}

/*
 * May a delivery be more than an entry of the log and a step of the node? Then there are scarce
 * consumption channels, uneven links, hosts, tables or several packets.
 */
static inline bool has_more(const struct mcfab_engine *e)
{
	return e->flags & (MCFAB_ENG_SCARCE | MCFAB_ENG_UNEVEN) || e->run.more;
}

/* as mcfab_deliver(); @more: has_more() */
static __always_inline void deliver(struct mcfab_engine *e, struct mcfab_shard *s,
				    const struct mcfab_arrival *arrival, const bool more)
{
	u32 entry = arrival->entry, node = arrival->node, worm = arrival->worm;
	struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_mcast *m = &e->mcast[w->mcast];
	const struct mcfab_block *block;
	bool host = more && e->flags & MCFAB_ENG_HOST;
	u64 tail = e->cycle + e->hw.consume_delay - 1;
	u32 header = arrival->header - m->gen, hops = arrival->hops, first;
	struct mcfab_delivery spare, *d = &spare;
	struct mcfab_links links = arrival->links;
	bool whole = true, relay;

	/* several shards may write it in one cycle, all the same value */
	WRITE_ONCE(w->end, tail);
	if (more && e->flags & MCFAB_ENG_SCARCE && node != MCFAB_NONE)
		mcfab_outbox_post(&s->outbox[e->shard_of_node[node]], MCFAB_EVENT_CONSUMED, node);
	if (arrival->drop) {
		if (e->flags & MCFAB_ENG_MEMORY && node != MCFAB_NONE)
			mcfab_ni_forgo(e, worm, node);
		dropped(e, s, arrival, arrival->drop);
		return;
	}
	if (more && e->run.tables && test_and_set_bit(entry * e->run.packets + w->packet,
						      mcfab_block(e, m->plan)->seen)) {
		dropped(e, s, arrival, MCFAB_DROP_DUPLICATE);
		return;
	}
	relay = w->dst[entry] & MCFAB_DST_RELAY;
	if (more && e->run.packets > 1 && !host) {
		struct mcfab_came *came = &mcfab_block(e, m->plan)->came[entry];

		whole = note_packet(e, came, arrival, header, tail - m->gen) == m->packets;
		w = &e->worm[came->worm];
		header = came->header;
		hops = came->hops;
		links = came->links;
	}
	if (whole && !relay && !host)
		d = log_delivery(e, s, m, &spare);
	d->gen = m->gen;
	d->source = m->source;
	d->seq = m->seq;
	d->dst = node;
	d->header = header;
	d->tail = tail - m->gen;
	d->worm = w->index;
	d->hops = hops;
	if (!latency_parts(e, w, hops, mcfab_links_longer(links), d->tail, d->part))
		s->broken = "a latency is less than the sum of its parts";
	trace_mcfab_deliver(e, arrival, d, relay);
	if (host)
		arrived(e, s, w, d, entry);
	/* one worm alone: nobody sends the message on */
	if (!whole || host || m->worms == 1)
		return;
	block = mcfab_block(e, m->plan);
	first = next_step(e, block, w, node);
	if (first != MCFAB_NONE) {
		u32 nr = mcfab_pool_take(&e->relay_pool);
		struct mcfab_relay *relay = &e->relay[nr];

		if (nr == MCFAB_NONE)
			return;
		/* before the end of the worm takes its own share off */
		mcfab_count(mcfab_alone(e), &m->left,
			    (mcfab_task_end(&block->plan, first) - first) * m->packets);
		relay->entry = tail;
		relay->begun = tail;
		relay->packet = 0;
		relay->prep = e->run.prep_relay;
		relay->mcast = w->mcast;
		relay->worm = first;
		relay->node = node;
		memcpy(relay->part, d->part, sizeof(d->part));
		mcfab_outbox_post(&s->outbox[e->shard_of_node[node]], MCFAB_EVENT_RELAY, nr);
	}
}

/**
 * mcfab_deliver() - the last flit of a packet is copied to a node, or dropped
 * @e: engine
 * @s: shard of the worm or (MCFAB_ENG_WORM) of the router
 * @arrival: the copy
 *
 * Context: move phase.
 */
void mcfab_deliver(struct mcfab_engine *e, struct mcfab_shard *s,
		   const struct mcfab_arrival *arrival)
{
	deliver(e, s, arrival, true);
}

/* the links of a packet's way to a node */
static struct mcfab_links links_of(const struct mcfab_engine *e, u32 nr, u32 node)
{
	if (!(e->flags & MCFAB_ENG_UNEVEN) || node == MCFAB_NONE)
		return (struct mcfab_links){ 0 };
	return mcfab_links_last(e->topo, e->links[nr], node, e->hw.route_delay,
				mcfab_copy_len(e, nr, e->flags));
}

/**
 * mcfab_copy_deliver() - the last flit of a copy has come to its node (MCFAB_ENG_COPIES)
 * @e: engine
 * @s: shard of the worm or (MCFAB_ENG_WORM) of the router
 * @copy: the copy
 *
 * Context: move phase.
 */
void mcfab_copy_deliver(struct mcfab_engine *e, struct mcfab_shard *s,
			const struct mcfab_copy *copy)
{
	struct mcfab_arrival arrival = {
		.header = copy->header,
		.worm = e->rec[copy->rec].worm,
		.vc = e->rec[copy->rec].vc,
		.hops = e->head[copy->rec].hops,
		.links = links_of(e, copy->rec, copy->node),
		.node = copy->node,
		.entry = copy->entry,
		.drop = copy->drop,
	};

	mcfab_deliver(e, s, &arrival);
}

/* what a node has copied from a record, without the links of its way */
static __always_inline struct mcfab_arrival rec_arrival(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	const struct mcfab_head *f = &e->head[nr];
	struct mcfab_arrival arrival = {
		.header = f->delivered,
		.worm = r->worm,
		.vc = r->vc,
		.hops = f->hops,
	};

	if (r->flags & MCFAB_REC_DROP) {
		arrival.node = f->dropper;
		arrival.entry = MCFAB_NONE;
		arrival.drop = f->drop;
	} else {
		arrival.entry = f->entry;
		arrival.node = e->worm[r->worm].dst[f->entry] & ~MCFAB_DST_RELAY;
	}
	return arrival;
}

static noinline void rec_deliver_more(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_arrival arrival = rec_arrival(e, nr);

	arrival.links = links_of(e, nr, arrival.node);
	mcfab_deliver(e, s, &arrival);
}

/**
 * mcfab_rec_deliver() - a node has copied the last flit from a record (not with MCFAB_ENG_COPIES)
 * @e: engine
 * @s: shard of the worm
 * @nr: the record
 *
 * Context: move phase.
 */
noinline void mcfab_rec_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	struct mcfab_arrival arrival;

	if (unlikely(has_more(e))) {
		rec_deliver_more(e, s, nr);
		return;
	}
	arrival = rec_arrival(e, nr);
	deliver(e, s, &arrival, false);
}

/**
 * mcfab_rec_drained() - every branch has read the packet's last flit: the record is not in use
 *			 any more
 * @e: engine
 * @s: shard of the worm
 * @nr: the record
 * @r: the same
 *
 * Context: move phase.
 */
void mcfab_rec_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, struct mcfab_rec *r)
{
	u32 vc;

	if (r->flags & MCFAB_REC_INJECT) {
		mcfab_outbox_post(&s->outbox[s->nr], MCFAB_EVENT_INJECTED, nr);
		return;
	}
	vc = mcfab_rec_vc(e, nr);
	s->flit_hops += r->sent;
	if (!e->hw.release_sent) {
		mcfab_worm_hold(&e->worm[r->worm], e->cycle + 1);
		mcfab_outbox_post(mcfab_outbox_up(e, s, vc),
				  MCFAB_EVENT_RELEASE, mcfab_release_of(e, nr));
		trace_mcfab_release(e, nr);
	}
	if (e->hw.release_sent)
		mcfab_outbox_post(mcfab_outbox_up(e, s, vc),
				  MCFAB_EVENT_FREE, nr);
	if (e->hw.slots > 1 || e->flags & (MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED))
		mcfab_outbox_post(mcfab_outbox_down(e, s, vc),
				  MCFAB_EVENT_FRONT, vc);
	mcfab_rec_clear(r, s->nr);
}
