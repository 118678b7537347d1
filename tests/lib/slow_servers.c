// SPDX-License-Identifier: GPL-2.0
/*
 * What the servers of a host do in the slow simulator: pieces of work, one by one, and what
 * is to be done when one is over. See lib/slow_host.h.
 */
#include "lib/slow_host.h"

enum mcfab_forward slow_forward(const struct sim *s)
{
	return s->pol->ops->forward ? s->pol->ops->forward(s->pol->priv) : MCFAB_FORWARD_HOST;
}

static bool by_packet(const struct sim *s)
{
	return s->fc->host_overhead == MCFAB_HOST_OVERHEAD_MODE_PACKET;
}

/* 10^6 bytes a second, picoseconds a cycle */
u64 slow_bus_time(const struct sim *s, u64 bytes)
{
	u64 speed = (u64)s->fc->io_bus * s->fc->cycle_ps;

	return speed ? (bytes * 1000000 + speed - 1) / speed : 0;
}

void slow_pass(struct story *story, u64 now, enum mcfab_part part)
{
	must(now >= story->clock);
	story->part[part] += now - story->clock;
	story->clock = now;
}

void slow_enter(struct server *v, struct chore *c, u64 now)
{
	if (!v->fifo)
		v->last = &v->fifo;
	c->entry = now;
	c->piece = 0;
	c->next = NULL;
	*v->last = c;
	v->last = &c->next;
}

static struct chore *again(struct sim *s, const struct chore *like)
{
	struct chore *c = slow_keep(s, sizeof(*c));

	*c = *like;
	return c;
}

u32 slow_worms_together(const struct msg *m, u32 first)
{
	const struct mcfab_plan_worm *w = &m->plan.worm[first];
	u32 end = first;

	while (end < m->plan.nworms && m->plan.worm[end].sender == w->sender &&
	       m->plan.worm[end].after == w->after)
		end++;
	return end;
}

/* the worms that a node sends after one that came to it; none: no worm of the plan */
u32 slow_later_worms(const struct msg *m, u32 worm, u32 node)
{
	u32 k;

	for (k = 0; k < m->plan.nworms; k++)
		if (m->plan.worm[k].after == worm && m->plan.worm[k].sender == node)
			break;
	return k;
}

/* to the injection channels */
static void send_copy(struct sim *s, struct host *h, struct msg *m, u32 worm, u32 packet,
		      const struct story *story, u64 now)
{
	struct copy *c = slow_keep(s, sizeof(*c));

	c->msg = m;
	c->worm = worm;
	c->packet = packet;
	c->story = *story;
	slow_pass(&c->story, now, MCFAB_PART_NI);
	if (!h->out)
		h->out_last = &h->out;
	*h->out_last = c;
	h->out_last = &c->next;
}

static struct memory *memory_of(struct sim *s, struct host *h, const struct chore *c)
{
	struct memory *y;

	for (y = h->memory; y; y = y->next)
		if (y->msg == c->msg && y->first == c->first)
			return y;
	y = slow_keep(s, sizeof(*y));
	y->msg = c->msg;
	y->first = c->first;
	y->story = slow_keep(s, c->msg->packets * sizeof(*y->story));
	y->next = h->memory;
	h->memory = y;
	return y;
}

/* which copy is the @nr-th that is sent when this packet is there? */
static bool nth_copy(struct sim *s, struct host *h, const struct chore *c, u32 nr, u32 *worm,
		     u32 *packet, struct story *story)
{
	u32 worms = c->end - c->first;
	struct memory *y;

	*worm = c->first + nr;
	*packet = c->packet;
	*story = c->story;
	if (slow_forward(s) != MCFAB_FORWARD_FCFS)
		return nr < worms;
	if (!nr)
		return worms;
	/* further children are served when all packets are there */
	y = memory_of(s, h, c);
	if (y->packets < y->msg->packets || nr > (worms - 1) * c->msg->packets)
		return false;
	*worm = c->first + 1 + (nr - 1) / c->msg->packets;
	*packet = (nr - 1) % c->msg->packets;
	*story = y->story[*packet];
	return true;
}

static void remember(struct sim *s, struct host *h, const struct chore *c)
{
	struct memory *y;

	if (slow_forward(s) != MCFAB_FORWARD_FCFS)
		return;
	y = memory_of(s, h, c);
	must(y->packets < y->msg->packets);
	y->packets++;
	y->story[c->packet] = c->story;
}

bool slow_ni_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
{
	u32 copies = c->piece - (c->kind == RECEIVE), worm, packet;
	struct story story;

	*time = s->fc->ni_send;
	if (c->kind == RECEIVE && !c->piece) {
		*time = s->fc->ni_receive;
		return true;
	}
	/* a packet of the host's is there when its turn comes */
	if (c->kind == SEND && !c->piece)
		remember(s, h, c);
	return c->first < c->end && nth_copy(s, h, c, copies, &worm, &packet, &story);
}

void slow_ni_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	u32 worm, packet;
	struct story story;

	if (c->kind == RECEIVE && !c->piece) {
		slow_pass(&c->story, now, MCFAB_PART_NI);
		slow_enter(&h->bus, again(s, c), now);
		if (c->first < c->end)
			remember(s, h, c);
		return;
	}
	must(nth_copy(s, h, c, c->piece - (c->kind == RECEIVE), &worm, &packet, &story));
	send_copy(s, h, c->msg, worm, packet, &story, now);
}

bool slow_bus_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
{
	*time = slow_bus_time(s, slow_packet(s, c->msg, c->packet));
	return !c->piece;
}

void slow_bus_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	slow_pass(&c->story, now, MCFAB_PART_NI);
	if (c->kind == SEND) {
		slow_enter(&h->ni, again(s, c), now);
		return;
	}
	/* at the host: each packet, or all of them */
	if (by_packet(s) || ++c->msg->stored[c->dst] == c->msg->packets)
		slow_enter(&h->cpu, again(s, c), now);
}

bool slow_cpu_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
{
	u32 pieces = 1;

	if (c->kind == RECEIVE) {
		*time = s->fc->host_receive;
		return !c->piece;
	}
	*time = s->fc->startup + (c->piece ? 0 : c->prep);
	if (slow_forward(s) == MCFAB_FORWARD_HOST)
		pieces = c->end - c->first;
	if (by_packet(s))
		pieces *= c->msg->packets;
	return c->piece < pieces;
}

static void cpu_send_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	u32 each = by_packet(s) ? c->msg->packets : 1, i;

	struct story story;

	if (!c->piece) {
		c->story.part[MCFAB_PART_PREP] += c->prep;
		c->story.clock += c->prep;
	}
	/* a start-up of its own; through the others it has waited for the processor */
	story = c->story;
	slow_pass(&story, now - s->fc->startup, MCFAB_PART_QUEUE);
	slow_pass(&story, now, MCFAB_PART_STARTUP);
	c->msg->cost.startups += !(c->piece % each);
	for (i = 0; i < c->msg->packets; i++) {
		struct chore *b;

		if (by_packet(s) && i != c->piece % each)
			continue;
		b = again(s, c);
		b->packet = i;
		b->story = story;
		if (slow_forward(s) == MCFAB_FORWARD_HOST) {
			b->first = c->first + c->piece / each;
			b->end = b->first + 1;
		}
		slow_enter(&h->bus, b, now);
	}
}

static void delivered(struct sim *s, struct chore *c, u64 now)
{
	struct msg *m = c->msg;
	u32 k;

	m->here++;
	for (k = s->out->ndlv; k--;) {
		struct slow_delivery *d = &s->out->dlv[k];

		if (d->gen != m->gen || d->source != m->source || d->seq != m->seq ||
		    d->dst != m->plan.dst[c->dst])
			continue;
		d->tail = now;
		d->hops = c->hops;
		memcpy(d->part, c->story.part, sizeof(d->part));
	}
}

void slow_cpu_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	struct msg *m = c->msg;
	u32 node, k;

	if (c->kind == SEND) {
		cpu_send_over(s, h, c, now);
		return;
	}
	slow_pass(&c->story, now, MCFAB_PART_STARTUP);
	if (by_packet(s) && ++m->taken[c->dst] < m->packets)
		return;
	delivered(s, c, now);
	node = m->plan.dst[c->dst] & ~MCFAB_DST_RELAY;
	k = slow_later_worms(m, c->worm, node);
	if (k < m->plan.nworms && slow_forward(s) == MCFAB_FORWARD_HOST) {
		struct chore *next = again(s, c);

		next->kind = SEND;
		next->first = k;
		next->end = slow_worms_together(m, k);
		next->prep = s->rc->prep_relay;
		slow_enter(&h->cpu, next, now);
	}
}
