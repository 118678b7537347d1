// SPDX-License-Identifier: GPL-2.0
/* Send queues of the slow simulator. See lib/slow_model.h. */
#include "lib/slow_model.h"

bool slow_before(const struct msg *a, const struct msg *b)
{
	if (a->gen != b->gen)
		return a->gen < b->gen;
	if (a->source != b->source)
		return a->source < b->source;
	return a->seq < b->seq;
}

static bool task_before(const struct task *a, const struct task *b)
{
	if (a->entry != b->entry)
		return a->entry < b->entry;
	/* the model does not say: what a node owes comes before what is new */
	if (a->own != b->own)
		return !a->own;
	if (a->msg != b->msg)
		return slow_before(a->msg, b->msg);
	return a->first < b->first;
}

void slow_enter_queue(struct node *n, struct task *task)
{
	struct task **at = &n->queue;

	while (*at && !task_before(task, *at))
		at = &(*at)->next;
	task->next = *at;
	*at = task;
}

void slow_make_plan(struct sim *s, struct msg *m)
{
	const struct mcfab_msg_list *list = s->rc->workload.list;
	u32 first = list->first[m->list], count = list->first[m->list + 1] - first;
	struct mcfab_blame blame;

	m->begun = true;
	m->plan.max_worms = s->max_worms;
	m->plan.max_dst = s->max_dst;
	m->plan.worm = slow_get(s->max_worms * sizeof(*m->plan.worm));
	m->plan.dst = slow_get(s->max_dst * sizeof(u32));
	m->plan.group = MCFAB_NONE;
	m->came = slow_get(s->max_dst * sizeof(u32));
	m->stored = slow_get(s->max_dst * sizeof(u32));
	m->taken = slow_get(s->max_dst * sizeof(u32));
	memcpy(s->dst, list->dst + first, count * sizeof(u32));
	must(!mcfab_plan_prepare(s->pol, m->source, s->dst, count, &m->plan, s->scratch,
				 &blame));
}

static struct round *next_round(struct sim *s, struct task *t)
{
	const struct mcfab_plan *plan = &t->msg->plan;
	struct round *r = slow_keep(s, sizeof(*r));

	r->task = t;
	r->next = t->at;
	while (t->at < t->end && t->at - r->next < s->fc->inject)
		t->at++;
	r->end = t->at;
	r->first = r->next;
	r->uninjected = (r->end - r->next) * t->msg->packets;
	r->undelivered = r->uninjected;
	must(r->end > r->next && r->end <= plan->nworms);
	t->msg->cost.startups++;
	return r;
}

static void begin_task(struct sim *s, struct node *n)
{
	struct task *t = n->queue;
	const struct mcfab_plan_worm *w;

	n->queue = t->next;
	n->task = t;
	if (!t->msg->begun) {
		slow_make_plan(s, t->msg);
		t->msg->cost.queue_cycles = max(t->entry, n->free_at) - t->msg->gen;
	}
	w = &t->msg->plan.worm[t->first];
	for (t->end = t->first; t->end < t->msg->plan.nworms &&
	     t->msg->plan.worm[t->end].sender == w->sender &&
	     t->msg->plan.worm[t->end].after == w->after; t->end++)
		;
	t->at = t->first;
	n->round = next_round(s, t);
	n->starting = true;
	n->ready = max(t->entry, n->free_at) + s->fc->startup;
	if (!t->further)
		n->ready += t->own ? s->prep : s->rc->prep_relay;
}

bool slow_rounds_delivered(const struct sim *s)
{
	return s->rc->rounds == MCFAB_ROUNDS_MODE_DELIVERED;
}

/* what the node's clock says at the beginning of a cycle; true: look again */
static bool step_node(struct sim *s, struct node *n)
{
	struct round *r = n->round;

	if (!n->task) {
		if (!n->queue || n->queue->entry >= s->now)
			return false;
		begin_task(s, n);
		return true;
	}
	if (n->starting) {
		if (n->ready >= s->now)
			return false;
		n->starting = false;
		must(n->inject_tail < ARRAY_SIZE(n->inject));
		n->inject[n->inject_tail++] = r;
		return true;
	}
	if (s->rc->node_busy == MCFAB_NODE_BUSY_MODE_STARTUP) {
		n->free_at = n->ready;
	} else if (s->rc->node_busy == MCFAB_NODE_BUSY_MODE_DELIVERED) {
		if (r->undelivered || r->delivered >= s->now)
			return false;
		n->free_at = r->delivered;
	} else {
		if (r->uninjected || r->injected >= s->now)
			return false;
		n->free_at = r->injected;
	}
	n->task = NULL;
	n->round = NULL;
	return true;
}

/* rule 7: a further round is a task of its own and enters when the last is over */
void slow_round_over(struct sim *s, u32 node, struct round *r, u64 when)
{
	struct task *t;

	if (r->end == r->task->end)
		return;
	t = slow_keep(s, sizeof(*t));
	t->entry = when;
	t->msg = r->task->msg;
	t->first = r->end;
	t->further = true;
	slow_enter_queue(&s->node[node], t);
}

/* flits of a message's packet, a header of one included */
u32 slow_packet(const struct sim *s, const struct msg *m, u32 packet)
{
	return s->rc->mtu ? min(s->rc->mtu, m->flits - packet * s->rc->mtu) : m->flits;
}

/* and those of its header beyond that, if it still names these entries of the plan's lists */
u32 slow_header(const struct sim *s, const struct mcfab_plan *plan, u32 first, u32 last)
{
	const struct mcfab_policy_ops *ops = s->pol->ops;

	if (!s->rc->headers)
		return 0;
	if (ops->header_flits)
		return ops->header_flits(&s->pol->view, s->pol->priv, plan->dst, first, last) - 1;
	return last - first - 1;
}

bool slow_ports(const struct sim *s)
{
	return s->topo->graph && s->fc->vc_release == MCFAB_VC_RELEASE_MODE_SENT &&
	       s->fc->switching != MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
}

/* cycles from a host to the buffer of its port */
static u32 port_delay(const struct sim *s)
{
	return s->fc->inject_delay +
	       (s->fc->pipeline == MCFAB_PIPELINE_MODE_FLIT ? s->fc->route_delay : 0);
}

static u32 flits_of(const struct sim *s, const struct msg *m, u32 index, u32 packet)
{
	const struct mcfab_plan_worm *pw = &m->plan.worm[index];

	return slow_packet(s, m, packet) +
	       slow_header(s, &m->plan, pw->first, pw->first + pw->count);
}

/* rule 3: cut-through needs room for the whole packet */
bool slow_port_roomy(const struct sim *s, u32 nr, u32 channel, const struct msg *m, u32 index,
		     u32 packet)
{
	if (!slow_ports(s) || s->fc->switching == MCFAB_SWITCHING_MODE_WORMHOLE)
		return true;
	return s->node[nr].host[channel].inside + s->node[nr].host[channel].onlink +
	       flits_of(s, m, index, packet) <= s->fc->buffer;
}

static void tail_left(struct sim *s, u32 nr, struct stay *st)
{
	struct round *r = st->worm->round;

	s->node[nr].channel[st->channel] = false;
	slow_host_left(s, st->worm);
	if (!r)
		return;
	r->uninjected--;
	r->injected = max(r->injected, s->now);
	if (!r->uninjected && !slow_rounds_delivered(s))
		slow_round_over(s, nr, r, r->injected);
}

/* a flit may come into the buffer, if there is room */
static void come(struct sim *s, struct port *p)
{
	u32 delay = port_delay(s);
	struct stay *st = p->coming;

	if (!st || st->entered == st->left_host || p->came == s->now ||
	    p->inside >= s->fc->buffer)
		return;
	if (st->sent[st->entered] + max(delay, 1U) - 1 > s->now)
		return;
	p->came = s->now;
	p->onlink--;
	p->inside++;
	st->there[st->entered++] = s->now + min(delay, 1U);
	if (st->entered == 1)
		st->ready = st->there[0];
	s->active = s->now;
	if (st->entered == st->flits)
		p->coming = st->after;
}

/* a flit may leave the host, if there is a register or room at the end of the link */
static void depart(struct sim *s, u32 nr, struct port *p)
{
	struct stay *st = p->sending;

	if (!st || p->left == s->now || p->open > s->now ||
	    p->onlink + p->inside >= s->fc->buffer + max(port_delay(s), 1U) - 1)
		return;
	p->left = s->now;
	p->open = s->now + p->pace;
	p->onlink++;
	st->sent[st->left_host++] = s->now;
	s->active = s->now;
	if (st->left_host < st->flits)
		return;
	p->sending = NULL;
	tail_left(s, nr, st);
}

static void cross_port(struct sim *s, u32 nr, struct port *p)
{
	come(s, p);
	depart(s, nr, p);
	come(s, p);
}

/* at the beginning of a cycle, and when flits have made room in it (4) */
void slow_cross_ports(struct sim *s)
{
	u32 i, k;

	for (i = 0; i < s->topo->nodes; i++)
		for (k = 0; k < s->fc->inject; k++)
			cross_port(s, i, &s->node[i].host[k]);
}

/* the last flit of the packet at a port's front has been read */
void slow_leave_port(struct sim *s, struct stay *st)
{
	must(st->port->fifo == st && st->entered == st->flits);
	st->port->fifo = st->after;
	if (st->after)
		st->after->front = s->now + 1;
}

static void enter_port(struct sim *s, u32 nr, struct stay *st)
{
	struct port *p = &s->node[nr].host[st->channel];
	struct stay **at;

	must(!p->sending);
	st->port = p;
	st->sent = slow_keep(s, st->flits * sizeof(*st->sent));
	st->there = slow_keep(s, st->flits * sizeof(*st->there));
	st->entered = 0;
	p->sending = st;
	if (!p->coming)
		p->coming = st;
	for (at = &p->fifo; *at; at = &(*at)->after)
		;
	*at = st;
}

struct worm *slow_inject(struct sim *s, u32 nr, struct msg *m, u32 index, u32 packet, u32 channel)
{
	const struct mcfab_plan_worm *pw = &m->plan.worm[index];
	struct worm *w = slow_get(sizeof(*w));
	struct stay *st = slow_get(sizeof(*st));

	w->msg = m;
	w->index = index;
	w->packet = packet;
	w->serial = s->node[nr].serial++;
	w->node = nr;
	w->next = s->worms;
	s->worms = w;
	w->stays = st;
	w->live = 1;

	st->worm = w;
	st->channel = channel;
	st->router = s->topo->router[nr];
	st->rank = s->topo->ports * s->fc->vcs + channel;
	st->first = pw->first;
	st->last = pw->first + pw->count;
	st->front = s->now + s->fc->inject_delay;
	if (s->fc->pipeline == MCFAB_PIPELINE_MODE_FLIT)
		st->front += s->fc->route_delay;
	st->ready = st->front;
	st->flits = slow_packet(s, m, packet) + slow_header(s, &m->plan, st->first, st->last);
	w->flits = st->flits;
	st->entered = st->flits;
	st->moved = NEVER;
	s->active = s->now;
	s->node[nr].link_free = s->now + st->flits;
	if (slow_ports(s))
		enter_port(s, nr, st);
	return w;
}

static void inject(struct sim *s, u32 nr, struct round *r, u32 channel)
{
	slow_inject(s, nr, r->task->msg, r->next++, r->packet, channel)->round = r;
	if (r->next == r->end && ++r->packet < r->task->msg->packets)
		r->next = r->first;
}

static void inject_worms(struct sim *s, u32 nr)
{
	struct node *n = &s->node[nr];
	u32 c;

	while (n->inject_head < n->inject_tail) {
		struct round *r = n->inject[n->inject_head];

		for (c = 0; c < s->fc->inject && (n->channel[c] ||
		     !slow_port_roomy(s, nr, c, r->task->msg, r->next, r->packet)); c++)
			;
		if (c == s->fc->inject || (slow_shared(s) && s->now < n->link_free))
			return;
		n->channel[c] = true;
		inject(s, nr, r, c);
		if (r->next == r->end)
			n->inject_head++;
	}
}

void slow_step_nodes(struct sim *s)
{
	u32 i;

	for (i = 0; i < s->topo->nodes; i++) {
		struct node *n = &s->node[i];

		while (step_node(s, n))
			s->active = s->now;
		inject_worms(s, i);
	}
}
