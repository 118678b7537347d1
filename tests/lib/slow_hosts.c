// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts of the slow simulator: three servers a node, each of which does one thing after the
 * other in the order in which they come, and channels into the network. See
 * lib/slow_model.h.
 *
 * A thing to do at a server, a chore, consists of pieces of work that nothing comes between.
 * The end of each piece makes chores for others.
 */
#include "lib/slow_model.h"

/* how a packet, or a message, has come where it is now, and what that has cost */
struct story {
	u64 clock;		/* up to here @part tells */
	u32 part[MCFAB_PARTS];
};

enum chore_kind {
	SEND,			/* away from the host */
	RECEIVE,		/* to the host */
};

struct chore {
	struct chore *next;
	enum chore_kind kind;
	struct msg *msg;
	u64 entry;		/* when it came to the server */
	u32 prep;		/* CPU, SEND: before its first piece */
	u32 first, end;		/* SEND: worms; NI, RECEIVE: of the copies to be made */
	u32 worm;		/* RECEIVE: that has brought it */
	u32 dst;		/* RECEIVE: entry of the plan's lists */
	u32 packet;
	u32 hops;
	u32 piece;		/* in work, or the next */
	struct story story;
};

struct server {
	struct chore *fifo, **last;
	bool works;		/* on the first */
	u64 done;
};

/* a copy of a packet on its way to an injection channel */
struct copy {
	struct copy *next;
	struct msg *msg;
	u32 worm;
	u32 packet;
	struct story story;
};

/* what a network interface keeps to send to second and further children */
struct memory {
	struct memory *next;
	struct msg *msg;
	u32 first;
	u32 packets;		/* that it has received */
	struct story *story;	/* of each packet */
};

struct host {
	struct server cpu, bus, ni;
	struct copy *out, **out_last;
	struct chore *coming;	/* whose tails come in this cycle or later */
	struct memory *memory;
};

static enum mcfab_forward forward(const struct sim *s)
{
	return s->pol->ops->forward ? s->pol->ops->forward(s->pol->priv) : MCFAB_FORWARD_HOST;
}

static bool by_packet(const struct sim *s)
{
	return s->fc->host_overhead == MCFAB_OVERHEAD_PACKET;
}

/* 10^6 bytes a second, picoseconds a cycle */
static u64 bus_time(const struct sim *s, u32 packet)
{
	u64 bytes = slow_packet(s, packet), speed = (u64)s->fc->io_bus * s->fc->cycle_ps;

	return speed ? (bytes * 1000000 + speed - 1) / speed : 0;
}

static void pass(struct story *story, u64 now, enum mcfab_part part)
{
	must(now >= story->clock);
	story->part[part] += now - story->clock;
	story->clock = now;
}

static void enter(struct server *v, struct chore *c, u64 now)
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

static u32 worms_together(const struct msg *m, u32 first)
{
	const struct mcfab_plan_worm *w = &m->plan.worm[first];
	u32 end = first;

	while (end < m->plan.nworms && m->plan.worm[end].sender == w->sender &&
	       m->plan.worm[end].after == w->after)
		end++;
	return end;
}

/* the worms that a node sends after one that came to it; none: no worm of the plan */
static u32 later_worms(const struct msg *m, u32 worm, u32 node)
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
	pass(&c->story, now, MCFAB_PART_NI);
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
	y->story = slow_keep(s, s->packets * sizeof(*y->story));
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
	if (forward(s) != MCFAB_FORWARD_FCFS)
		return nr < worms;
	if (!nr)
		return worms;
	/* further children are served when all packets are there */
	y = memory_of(s, h, c);
	if (y->packets < s->packets || nr > (worms - 1) * s->packets)
		return false;
	*worm = c->first + 1 + (nr - 1) / s->packets;
	*packet = (nr - 1) % s->packets;
	*story = y->story[*packet];
	return true;
}

static void remember(struct sim *s, struct host *h, const struct chore *c)
{
	struct memory *y;

	if (forward(s) != MCFAB_FORWARD_FCFS)
		return;
	y = memory_of(s, h, c);
	must(y->packets < s->packets);
	y->packets++;
	y->story[c->packet] = c->story;
}

/* how long does the next piece take? false: there is none */
static bool ni_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
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

static void ni_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	u32 worm, packet;
	struct story story;

	if (c->kind == RECEIVE && !c->piece) {
		pass(&c->story, now, MCFAB_PART_NI);
		enter(&h->bus, again(s, c), now);
		if (c->first < c->end)
			remember(s, h, c);
		return;
	}
	must(nth_copy(s, h, c, c->piece - (c->kind == RECEIVE), &worm, &packet, &story));
	send_copy(s, h, c->msg, worm, packet, &story, now);
}

static bool bus_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
{
	*time = bus_time(s, c->packet);
	return !c->piece;
}

static void bus_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	pass(&c->story, now, MCFAB_PART_NI);
	if (c->kind == SEND) {
		enter(&h->ni, again(s, c), now);
		return;
	}
	/* at the host: each packet, or all of them */
	if (by_packet(s) || ++c->msg->stored[c->dst] == s->packets)
		enter(&h->cpu, again(s, c), now);
}

static bool cpu_piece(struct sim *s, struct host *h, struct chore *c, u64 *time)
{
	u32 pieces = 1;

	if (c->kind == RECEIVE) {
		*time = s->fc->host_receive;
		return !c->piece;
	}
	*time = s->fc->startup + (c->piece ? 0 : c->prep);
	if (forward(s) == MCFAB_FORWARD_HOST)
		pieces = c->end - c->first;
	if (by_packet(s))
		pieces *= s->packets;
	return c->piece < pieces;
}

static void cpu_send_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	u32 each = by_packet(s) ? s->packets : 1, i;

	struct story story;

	if (!c->piece) {
		c->story.part[MCFAB_PART_PREP] += c->prep;
		c->story.clock += c->prep;
	}
	/* a start-up of its own; through the others it has waited for the processor */
	story = c->story;
	pass(&story, now - s->fc->startup, MCFAB_PART_QUEUE);
	pass(&story, now, MCFAB_PART_STARTUP);
	c->msg->cost.startups += !(c->piece % each);
	for (i = 0; i < s->packets; i++) {
		struct chore *b;

		if (by_packet(s) && i != c->piece % each)
			continue;
		b = again(s, c);
		b->packet = i;
		b->story = story;
		if (forward(s) == MCFAB_FORWARD_HOST) {
			b->first = c->first + c->piece / each;
			b->end = b->first + 1;
		}
		enter(&h->bus, b, now);
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

static void cpu_piece_over(struct sim *s, struct host *h, struct chore *c, u64 now)
{
	struct msg *m = c->msg;
	u32 node, k;

	if (c->kind == SEND) {
		cpu_send_over(s, h, c, now);
		return;
	}
	pass(&c->story, now, MCFAB_PART_STARTUP);
	if (by_packet(s) && ++m->taken[c->dst] < s->packets)
		return;
	delivered(s, c, now);
	node = m->plan.dst[c->dst] & ~MCFAB_DST_RELAY;
	k = later_worms(m, c->worm, node);
	if (k < m->plan.nworms && forward(s) == MCFAB_FORWARD_HOST) {
		struct chore *next = again(s, c);

		next->kind = SEND;
		next->first = k;
		next->end = worms_together(m, k);
		next->prep = s->rc->prep2;
		enter(&h->cpu, next, now);
	}
}

/* own messages come into the host's queue at their time, behind what came at that time */
static void admit(struct sim *s, u32 nr, u64 now)
{
	struct node *n = &s->node[nr];
	struct host *h = &s->host[nr];

	while (n->queue && n->queue->entry <= now) {
		struct task *t = n->queue;
		struct chore *c;

		/* only when it is its turn: what comes in this cycle goes first */
		if (h->cpu.fifo && h->cpu.fifo->entry <= t->entry)
			return;
		c = slow_keep(s, sizeof(*c));
		n->queue = t->next;
		c->kind = SEND;
		c->msg = t->msg;
		c->prep = s->prep;
		slow_make_plan(s, t->msg);
		t->msg->cost.queue_cycles = now - t->entry;
		c->end = worms_together(t->msg, 0);
		c->story.clock = t->entry;
		if (!h->cpu.fifo)
			h->cpu.last = &c->next;
		c->entry = t->entry;
		c->next = h->cpu.fifo;
		h->cpu.fifo = c;
		return;
	}
}

typedef bool piece_fn(struct sim *s, struct host *h, struct chore *c, u64 *time);
typedef void over_fn(struct sim *s, struct host *h, struct chore *c, u64 now);

/* whatever a server can do at one time; false: nothing */
static bool serve(struct sim *s, u32 nr, struct server *v, piece_fn *piece, over_fn *over, u64 now)
{
	struct host *h = &s->host[nr];
	bool any = false;

	for (;;) {
		struct chore *c;
		u64 time;

		if (v == &h->cpu && !v->works)
			admit(s, nr, now);
		c = v->fifo;
		if (!c)
			return any;
		if (v->works) {
			if (v->done > now)
				return any;
			over(s, h, c, now);
			c->piece++;
			v->works = false;
		} else if (v == &h->cpu) {
			/* its turn has come */
			pass(&c->story, now, MCFAB_PART_QUEUE);
		}
		any = true;
		if (piece(s, h, c, &time)) {
			v->works = true;
			v->done = now + time;
		} else {
			v->fifo = c->next;
		}
	}
}

static bool comes_before(const struct chore *a, const struct chore *b)
{
	if (a->entry != b->entry)
		return a->entry < b->entry;
	if (a->msg != b->msg)
		return slow_before(a->msg, b->msg);
	if (a->worm != b->worm)
		return a->worm < b->worm;
	return a->packet < b->packet;
}

/*
 * The tail of a packet comes to a node at cycle @tail.
 */
void slow_host_tail(struct sim *s, struct worm *w, u32 dst, u32 hops, u64 tail)
{
	u32 node = w->msg->plan.dst[dst] & ~MCFAB_DST_RELAY, k;
	struct host *h = &s->host[node];
	struct chore *c = slow_keep(s, sizeof(*c)), **at;
	u64 rest = tail - w->injected;
	u32 *part = c->story.part;

	c->kind = RECEIVE;
	c->msg = w->msg;
	c->entry = tail;
	c->worm = w->index;
	c->packet = w->packet;
	c->dst = dst;
	c->hops = hops;
	k = later_worms(w->msg, w->index, node);
	if (k < w->msg->plan.nworms && forward(s) != MCFAB_FORWARD_HOST) {
		c->first = k;
		c->end = worms_together(w->msg, k);
	}
	memcpy(part, w->part, sizeof(w->part));
	part[MCFAB_PART_ROUTING] += (hops + 1) * s->fc->route_delay;
	rest -= (hops + 1) * s->fc->route_delay;
	k = s->fc->inject_delay + hops * s->fc->link_delay + s->fc->consume_delay + w->flits - 1;
	part[MCFAB_PART_TRANSFER] += k;
	must(rest >= k);
	part[MCFAB_PART_BLOCKING] += rest - k;
	c->story.clock = tail;
	for (at = &h->coming; *at && !comes_before(c, *at);)
		at = &(*at)->next;
	c->next = *at;
	*at = c;
}

static void inject_copies(struct sim *s, u32 nr, u64 now)
{
	struct host *h = &s->host[nr];
	u32 k;

	while (h->out) {
		struct copy *c = h->out;
		struct worm *w;

		for (k = 0; k < s->fc->inject && (s->node[nr].channel[k] ||
		     !slow_port_roomy(s, nr, k, c->msg, c->worm, c->packet)); k++)
			;
		if (k == s->fc->inject)
			return;
		h->out = c->next;
		s->node[nr].channel[k] = true;
		w = slow_inject(s, nr, c->msg, c->worm, c->packet, k);
		pass(&c->story, now, MCFAB_PART_QUEUE);
		memcpy(w->part, c->story.part, sizeof(w->part));
		w->injected = now;
	}
}

/* what is known at the end of the cycle before is acted on in this one */
static void step_host(struct sim *s, u32 nr)
{
	struct host *h = &s->host[nr];
	u64 now = s->now - 1;
	bool any;

	while (h->coming && h->coming->entry <= now) {
		struct chore *c = h->coming;

		h->coming = c->next;
		enter(&h->ni, c, now);
		s->active = s->now;
	}
	do {
		any = serve(s, nr, &h->ni, ni_piece, ni_piece_over, now);
		any |= serve(s, nr, &h->bus, bus_piece, bus_piece_over, now);
		any |= serve(s, nr, &h->cpu, cpu_piece, cpu_piece_over, now);
		if (any)
			s->active = s->now;
	} while (any);
	inject_copies(s, nr, now);
}

void slow_step_hosts(struct sim *s)
{
	u32 i;

	for (i = 0; i < s->topo->nodes; i++)
		step_host(s, i);
}

/* is anything left to be done at a node? */
bool slow_host_busy(const struct sim *s, u32 nr)
{
	const struct host *h = &s->host[nr];

	return h->cpu.fifo || h->bus.fifo || h->ni.fifo || h->out || h->coming;
}

/* the longest that a node is busy with one thing and nothing else happens */
u64 slow_host_patience(const struct sim *s)
{
	return s->fc->host_receive + s->fc->ni_send + s->fc->ni_receive + bus_time(s, 0);
}

void slow_hosts_init(struct sim *s)
{
	if (s->fc->node_model == MCFAB_NODE_HOST)
		s->host = slow_get(s->topo->nodes * sizeof(*s->host));
}

void slow_hosts_exit(struct sim *s)
{
	free(s->host);
}
