// SPDX-License-Identifier: GPL-2.0
/*
 * A worm's tail has reached a node: note the delivery and what its latency is
 * made of, and let the node act as a later sender if the plan says so. Runs in
 * the move phase of the worm's shard; the node hears of it from the next grant
 * phase on.
 */
#include "engine/engine.h"
#include "engine/trace.h"

/*
 * Parts of the latency: what came before the injection, then the delays of the
 * path, then blocking: all that remains (rule 10).
 */
static bool latency_parts(const struct mcfab_engine *e, const struct mcfab_worm *w, u32 hops,
			  u32 tail, u32 *part)
{
	u32 sum = 0, i;

	memcpy(part, w->part, sizeof(w->part));
	part[MCFAB_PART_ROUTING] += (hops + 1) * e->route_delay;
	part[MCFAB_PART_TRANSFER] += e->inject_delay + hops * e->link_delay + e->consume_delay +
				     w->flits - 1;
	for (i = 0; i < MCFAB_PARTS; i++)
		sum += part[i];
	part[MCFAB_PART_BLOCKING] += tail - sum;
	return tail >= sum;
}

/* first worm of the plan that @node sends after it has received @worm, or MCFAB_NONE */
static u32 next_step(const struct mcfab_engine *e, const struct mcfab_block *block,
		     const struct mcfab_worm *w, u32 node)
{
	/* a node that had to wait for a consumption channel may be later than the next one */
	bool any_order = w->tree || e->flags & MCFAB_ENG_SCARCE;
	const struct mcfab_plan *plan = &block->plan;
	u32 *kids = &block->kids[w->index];
	u32 k, first;

	for (k = *kids; k < plan->nworms && plan->worm[k].after == w->index; k++) {
		if (plan->worm[k].sender != node) {
			/* senders of a path stand in delivery order: a later one's turn */
			if (!any_order)
				return MCFAB_NONE;
			continue;
		}
		first = k;
		while (k < plan->nworms && plan->worm[k].after == w->index &&
		       plan->worm[k].sender == node)
			k++;
		if (!any_order)
			*kids = k;
		return first;
	}
	return MCFAB_NONE;
}

static void log_delivery(struct mcfab_engine *e, struct mcfab_shard *s,
			 const struct mcfab_delivery *d, struct mcfab_mcast *m)
{
	u32 nr = mcfab_pool_take(&e->log_pool);

	if (nr == MCFAB_NONE)
		return;		/* the boundary ends the run */
	e->log[nr].d = *d;
	/* the order in the list is that of the threads; the flush sorts it */
	e->log[nr].next = atomic_xchg(&m->deliveries, nr);
	s->deliveries++;
}

/* a copy that came to no destination; @node had a consumption channel for it, or MCFAB_NONE */
static void dropped(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
		    enum mcfab_drop reason)
{
	s->drops[reason]++;
	trace_mcfab_drop(e, rec, reason);
	if (e->flags & MCFAB_ENG_SCARCE && node != MCFAB_NONE)
		mcfab_box_post(&s->mail[e->shard_of_node[node]], MCFAB_LETTER_CONSUMED, node);
}

/*
 * A packet has come to an entry of the destination lists. Return: whether it was the
 * message's last one; the message's header is that of whichever was there first.
 */
static bool last_packet(struct mcfab_block *block, u32 entry, u32 packets, u32 *header)
{
	if (!block->got[entry]++ || *header < block->header[entry])
		block->header[entry] = *header;
	*header = block->header[entry];
	return block->got[entry] == packets;
}

/**
 * mcfab_deliver() - the last flit of a packet is copied to a node
 * @e: engine
 * @s: shard of the worm
 * @rec: record at the node's router
 *
 * Context: move phase.
 */
void mcfab_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_front *f = &e->front[rec];
	struct mcfab_worm *w = &e->worm[r->worm];
	struct mcfab_mcast *m = &e->mcast[w->mcast];
	struct mcfab_block *block = mcfab_block(e, m->plan);
	u64 tail = e->cycle + e->consume_delay - 1;
	struct mcfab_delivery d = {
		.gen = m->gen,
		.source = m->source,
		.seq = m->seq,
		.header = f->since - m->gen,
		.tail = tail - m->gen,
		.worm = w->index,
		.hops = f->hops,
	};
	bool whole = true;
	u32 node, first;

	w->end = tail;
	if (r->flags & MCFAB_REC_DROP) {
		dropped(e, s, rec, f->dst, f->state);
		return;
	}
	node = block->plan.dst[f->dst] & ~MCFAB_DST_RELAY;
	d.dst = node;
	if (e->tables && test_and_set_bit(f->dst * e->packets + w->packet, block->seen)) {
		dropped(e, s, rec, node, MCFAB_DROP_DUPLICATE);
		return;
	}
	if (e->packets > 1)
		whole = last_packet(block, f->dst, e->packets, &d.header);
	if (!latency_parts(e, w, f->hops, d.tail, d.part))
		s->broken = "a latency is less than the sum of its parts";
	if (whole && !(r->flags & MCFAB_REC_RELAY))
		log_delivery(e, s, &d, m);
	trace_mcfab_deliver(e, rec, &d);

	if (e->flags & MCFAB_ENG_SCARCE)
		mcfab_box_post(&s->mail[e->shard_of_node[node]], MCFAB_LETTER_CONSUMED, node);

	if (!whole)
		return;
	first = next_step(e, block, w, node);
	if (first != MCFAB_NONE) {
		u32 nr = mcfab_pool_take(&e->relay_pool);
		struct mcfab_relay *relay = &e->relay[nr];

		if (nr == MCFAB_NONE)
			return;
		relay->entry = tail;
		relay->begun = tail;
		relay->round = false;
		relay->prep = e->prep2;
		relay->mcast = w->mcast;
		relay->worm = first;
		relay->node = node;
		memcpy(relay->part, d.part, sizeof(d.part));
		mcfab_box_post(&s->mail[e->shard_of_node[node]], MCFAB_LETTER_RELAY, nr);
	}
}
