// SPDX-License-Identifier: GPL-2.0
/* Moves of the slow simulator. See lib/slow_model.h. */
#include "lib/slow_model.h"

void slow_see_credits(struct sim *s)
{
	u32 i;

	for (i = 0; i < s->topo->routers * s->topo->ports * s->fc->vcs; i++) {
		struct credit **at = &s->vc[i].credit;

		while (*at) {
			struct credit *c = *at;

			if (c->seen > s->now) {
				at = &c->next;
				continue;
			}
			s->vc[i].used--;
			*at = c->next;
			free(c);
			s->active = s->now;
		}
	}
}

/* a credit takes as many cycles more than credit-delay as a flit does than link-delay */
static u32 slow_credit(const struct sim *s, u32 chan)
{
	s32 delay = s->fc->credit_delay + s->chan[chan].delay - s->fc->link_delay;

	return s->fc->credit_delay ? max(delay, 1) : 1;
}

/* the delivery of a message to a node whose header is there, or NULL */
static struct slow_delivery *find_delivery(const struct sim *s, const struct msg *m, u32 node)
{
	struct slow_delivery *d;
	u32 k;

	for (k = s->out->ndlv; k--; ) {
		d = &s->out->dlv[k];
		if (d->gen == m->gen && d->source == m->source && d->seq == m->seq &&
		    d->dst == node)
			return d;
	}
	return NULL;
}

static void delivered(struct sim *s, struct stay *st, struct branch *b)
{
	struct worm *w = st->worm;
	struct msg *m = w->msg;
	u32 entry = m->plan.dst[b->want.first], node = entry & ~MCFAB_DST_RELAY, k;
	u64 tail = s->now + s->fc->consume_delay - 1;
	struct slow_delivery *d = NULL;

	w->end = max(w->end, tail);
	b->tap->held = false;
	if (s->host) {
		slow_host_tail(s, w, b->want.first, st, b->place, tail);
		return;
	}
	if (!(entry & MCFAB_DST_RELAY))
		d = find_delivery(s, m, node);
	/* packets may go different ways: the last one counts, of several the one sent last */
	if (d && (tail > d->last || w->packet > d->packet)) {
		d->last = tail;
		d->packet = w->packet;
		d->hops = st->hops;
	}
	if (++m->came[b->want.first] < m->packets)
		return;
	for (k = 0; k < m->plan.nworms; k++) {
		struct task *t;

		if (m->plan.worm[k].after != w->index || m->plan.worm[k].sender != node)
			continue;
		t = slow_keep(s, sizeof(*t));
		t->entry = tail;
		t->msg = m;
		t->first = k;
		slow_enter_queue(&s->node[node], t);
		break;
	}
	if (d)
		d->tail = tail;
}

static void header_delivered(struct sim *s, struct stay *st, struct branch *b)
{
	struct msg *m = st->worm->msg;
	u32 entry = m->plan.dst[b->want.first];

	/* the message's header is that of the packet that is there first */
	if (entry & MCFAB_DST_RELAY || find_delivery(s, m, entry))
		return;
	if (s->out->ndlv == s->dlv_room) {
		s->dlv_room = 2 * s->dlv_room + 256;
		s->out->dlv = realloc(s->out->dlv, s->dlv_room * sizeof(*s->out->dlv));
	}
	s->out->dlv[s->out->ndlv++] = (struct slow_delivery){
		.gen = m->gen, .source = m->source, .seq = m->seq, .dst = entry,
		.header = s->now + s->fc->consume_delay - 1, .tail = NEVER,
		.worm = st->worm->index, .hops = st->hops,
	};
}

static void end_worm(struct sim *s, struct worm *w)
{
	struct round *r = w->round;

	w->ended = true;
	w->msg->ended++;
	if (!r)
		return;
	r->undelivered--;
	r->delivered = max(r->delivered, w->end);
	if (!r->undelivered && slow_rounds_delivered(s))
		slow_round_over(s, w->node, r, r->delivered);
}

static void release(struct sim *s, struct stay *st)
{
	st->vc->owner = NULL;
	st->worm->msg->cost.channel_cycles += s->now + 1 - st->granted;
}

static void drained(struct sim *s, struct stay *st)
{
	struct round *r = st->worm->round;

	st->drained = true;
	if (st->vc) {
		must(st->vc->fifo == st);
		st->vc->fifo = st->after;
		if (st->after)
			st->after->front = s->now + 1;
		if (s->fc->vc_release == MCFAB_VC_RELEASE_MODE_DRAINED)
			release(s, st);
	} else if (st->port) {
		slow_leave_port(s, st);
	} else {
		s->node[st->worm->node].channel[st->channel] = false;
		slow_host_left(s, st->worm);
	}
	if (!st->vc && !st->port && r) {
		r->uninjected--;
		r->injected = max(r->injected, s->now);
		if (!r->uninjected && !slow_rounds_delivered(s))
			slow_round_over(s, st->worm->node, r, r->injected);
	}
	if (!--st->worm->live)
		end_worm(s, st->worm);
}

static void cross(struct sim *s, struct stay *st, struct branch *b)
{
	struct stay *to = b->child;
	struct chan *c = &s->chan[to->vc->chan];
	struct flit *f = slow_get(sizeof(*f));

	f->stay = to;
	f->index = to->entered++;
	f->ready = s->now + c->delay;
	if (s->fc->pipeline == MCFAB_PIPELINE_MODE_FLIT)
		f->ready += s->fc->route_delay;
	if (to->vc->last)
		to->vc->last->next = f;
	else
		to->vc->flit = f;
	to->vc->last = f;
	c->open = s->now + c->pace;
	to->vc->used++;
	to->vc->inside++;
	must(to->vc->inside <= s->fc->buffer);
	b->read++;
	if (!f->index)
		to->ready = f->ready;
	to->complete = f->ready;
	if (s->fc->link_arbitration == MCFAB_LINK_ARBITRATION_MODE_PACKET)
		c->lock = to->entered == to->flits ? -1 : (s32)to->vc->nr;
	if (to->entered == to->flits && s->fc->vc_release == MCFAB_VC_RELEASE_MODE_SENT)
		release(s, to);
	s->active = s->now;
}

static void leave(struct sim *s, struct stay *st)
{
	u32 i, least = st->flits;

	for (i = 0; i < st->nbranches; i++) {
		if (!st->branch[i].granted)
			return;
		least = min(least, st->branch[i].read);
	}
	while (st->nbranches && st->left < least) {
		st->left++;
		st->left_now++;
		if (st->port)
			st->port->inside--;
		if (st->vc) {
			struct flit *f = st->vc->flit;
			struct credit *c = slow_get(sizeof(*c));

			must(f && f->stay == st && f->index == st->left - 1);
			st->vc->flit = f->next;
			if (!f->next)
				st->vc->last = NULL;
			free(f);
			st->vc->inside--;
			c->seen = s->now + slow_credit(s, st->vc->chan);
			c->next = st->vc->credit;
			st->vc->credit = c;
		}
		if (st->left == st->flits)
			drained(s, st);
	}
}

/* can a flit take this branch in this cycle? What is downstream has moved. */
static bool can_read(const struct sim *s, const struct stay *st, const struct branch *b)
{
	const struct stay *to = b->child;
	u32 used;

	if (!slow_has_flit(s, st, b) || !slow_input_open(s, st))
		return false;
	if (!b->network)
		return !slow_shared(s) || s->node[b->want.node].taken == b;
	if (s->chan[to->vc->chan].allowed != (s32)to->vc->nr)
		return false;
	/* its own space of this cycle, if nothing else is in the FIFO (4) */
	used = to->vc->used;
	if (!s->fc->credit_delay && to->entered - to->left + to->left_now == used)
		used -= to->left_now;
	return used < s->fc->buffer;
}

/* everything downstream of a stay first, then what it hands on itself */
static void move(struct sim *s, struct stay *st)
{
	u32 i, able = 0;

	if (st->moved == s->now)
		return;
	st->moved = s->now;
	st->left_now = 0;
	if (st->drained)
		return;
	for (i = 0; i < st->nbranches; i++)
		if (st->branch[i].child)
			move(s, st->branch[i].child);
	for (i = 0; i < st->nbranches; i++)
		able += can_read(s, st, &st->branch[i]);
	for (i = 0; i < st->nbranches; i++) {
		struct branch *b = &st->branch[i];

		if (b->granted && b->read < b->strip && slow_readable(s, st, b->read)) {
			b->read++;
			s->active = s->now;
			continue;
		}
		if (s->fc->replication == MCFAB_REPLICATION_MODE_LOCKSTEP ? able < st->nbranches :
							       !can_read(s, st, b))
			continue;
		if (b->network) {
			cross(s, st, b);
			continue;
		}
		b->tap->open = s->now + b->tap->pace;
		if (b->read++ == b->strip)
			header_delivered(s, st, b);
		if (b->read == st->flits)
			delivered(s, st, b);
		s->active = s->now;
	}
	leave(s, st);
}

void slow_move_all(struct sim *s)
{
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next)
		for (st = w->stays; st; st = st->next)
			move(s, st);
}
