// SPDX-License-Identifier: GPL-2.0
/* Hosts of the slow simulator: their servers, cycle by cycle. See lib/slow_host.h. */
#include "lib/slow_host.h"

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
		c->end = slow_worms_together(t->msg, 0);
		c->story.clock = t->entry;
		if (!h->cpu.fifo)
			h->cpu.last = &c->next;
		c->entry = t->entry;
		c->next = h->cpu.fifo;
		h->cpu.fifo = c;
		return;
	}
}

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
			slow_pass(&c->story, now, MCFAB_PART_QUEUE);
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
 * Cycles by which slow links hold back the tail: a link with a flit every K cycles takes
 * (flits - 1) * (K - 1) cycles more for all of them, less what the header waits at later routers.
 */
static u32 held_back(const struct sim *s, const struct stay *st, u32 node)
{
	u32 wait = s->fc->pipeline == MCFAB_PIPELINE_MODE_FLIT ? 0 : s->fc->route_delay;
	u32 flits = slow_packet(s, st->worm->msg, st->worm->packet), routers = 1;
	u32 most = (flits - 1) * (s->node[node].tap->pace - 1), more;

	for (; st->vc; st = st->parent, routers++) {
		more = (st->flits - 1) * (s->chan[st->vc->chan].pace - 1);
		most = max(most, more - min(more, routers * wait));
	}
	more = (st->flits - 1) * (s->node[st->worm->node].host->pace - 1);
	return max(most, more - min(more, routers * wait));
}

/*
 * The tail of a packet comes to a node at cycle @tail.
 */
void slow_host_tail(struct sim *s, struct worm *w, u32 dst, const struct stay *st,
		    struct place *place, u64 tail)
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
	c->hops = st->hops;
	k = slow_later_worms(w->msg, w->index, node);
	if (k < w->msg->plan.nworms && slow_forward(s) != MCFAB_FORWARD_HOST) {
		c->first = k;
		c->end = slow_worms_together(w->msg, k);
	}
	memcpy(part, w->part, sizeof(w->part));
	part[MCFAB_PART_ROUTING] += (st->hops + 1) * s->fc->route_delay;
	rest -= (st->hops + 1) * s->fc->route_delay;
	k = s->fc->inject_delay + st->links + s->fc->consume_delay + w->flits - 1 +
	    held_back(s, st, node);
	part[MCFAB_PART_TRANSFER] += k;
	must(rest >= k);
	part[MCFAB_PART_BLOCKING] += rest - k;
	c->story.clock = tail;
	c->story.place = place;
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
		slow_pass(&c->story, now, MCFAB_PART_QUEUE);
		memcpy(w->part, c->story.part, sizeof(w->part));
		w->injected = now;
		w->place = c->story.place;
	}
}

/* may a packet come to a node? only what it is to send on needs a place in its interface */
bool slow_host_takes(struct sim *s, const struct worm *w, u32 node, struct place **place)
{
	u32 k = slow_later_worms(w->msg, w->index, node);

	if (!s->host || !s->fc->ni_memory || slow_forward(s) == MCFAB_FORWARD_HOST ||
	    k == w->msg->plan.nworms)
		return true;
	if (!s->host[node].room)
		return false;
	s->host[node].room--;
	*place = slow_keep(s, sizeof(**place));
	(*place)->node = node;
	(*place)->left = slow_worms_together(w->msg, k) - k;
	return true;
}

/* a worm's tail has left its node */
void slow_host_left(struct sim *s, struct worm *w)
{
	if (w->place && !--w->place->left)
		s->host[w->place->node].freed++;
}

/* what is known at the end of the cycle before is acted on in this one */
static void step_host(struct sim *s, u32 nr)
{
	struct host *h = &s->host[nr];
	u64 now = s->now - 1;
	bool any;

	h->room += h->freed;
	h->freed = 0;
	while (h->coming && h->coming->entry <= now) {
		struct chore *c = h->coming;

		h->coming = c->next;
		slow_enter(&h->ni, c, now);
		s->active = s->now;
	}
	do {
		any = serve(s, nr, &h->ni, slow_ni_piece, slow_ni_piece_over, now);
		any |= serve(s, nr, &h->bus, slow_bus_piece, slow_bus_piece_over, now);
		any |= serve(s, nr, &h->cpu, slow_cpu_piece, slow_cpu_piece_over, now);
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
	return s->fc->host_receive + s->fc->ni_send + s->fc->ni_receive + slow_bus_time(s, mcfab_run_longest(s->rc));
}

void slow_hosts_init(struct sim *s)
{
	u32 i;

	if (s->fc->node_model != MCFAB_NODE_MODEL_MODE_HOST)
		return;
	s->host = slow_get(s->topo->nodes * sizeof(*s->host));
	for (i = 0; i < s->topo->nodes; i++)
		s->host[i].room = s->fc->ni_memory;
}

void slow_hosts_exit(struct sim *s)
{
	free(s->host);
}
