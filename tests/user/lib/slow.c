// SPDX-License-Identifier: GPL-2.0
/* See lib/slow.h. Numbers in comments are the rules of the engine's model. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/slow.h"

#define NEVER	U64_MAX

#define must(cond)								\
do {										\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond);\
		abort();							\
	}									\
} while (0)

struct flit {
	struct flit *next;
	struct stay *stay;
	u32 index;
	u64 ready;		/* from this cycle on it can be read */
};

/* a branch of a worm out of a buffer */
struct branch {
	bool network;
	bool granted;
	u64 since;
	struct mcfab_branch want;
	u32 strip;		/* the first flits name others' destinations */
	u32 read;		/* flits it has read or stripped */
	struct stay *child;	/* network: the next buffer */
};

/* a worm in a buffer, be it a virtual channel's or the source's */
struct stay {
	struct stay *next;	/* of the same worm */
	struct stay *after;	/* behind it in the FIFO */
	struct worm *worm;
	struct stay *parent;
	struct vc *vc;		/* NULL: an injection channel */
	u32 from_branch;
	u32 channel;		/* injection channel */
	u32 router;
	u32 rank;
	u32 hops;
	u32 first, last, state;
	u32 flits;		/* of the packet */
	u64 front;		/* cycle in which its header can be at the front */
	u64 ready;		/* cycle in which its header is in the buffer */
	u64 complete;		/* cycle in which its last flit is */
	u64 granted;
	bool asked;
	bool drained;
	u32 nbranches;
	struct branch branch[MCFAB_MAX_BRANCHES];
	u32 entered;
	u32 left;
	u64 moved;		/* cycle in which it was last moved */
	u32 left_now;		/* flits that left in that cycle */
};

struct credit {
	struct credit *next;
	u64 seen;
};

struct vc {
	u32 chan;
	u32 nr;
	struct stay *owner;
	struct stay *fifo;	/* stays, front first */
	struct flit *flit, *last;
	u32 used;		/* flits inside or on the way, as upstream knows it */
	u32 inside;		/* the same, in truth */
	struct credit *credit;
};

struct chan {
	u32 next;
	s32 allowed;		/* VC that may cross in this cycle, or -1 */
	s32 lock;
};

struct worm {
	struct worm *next;
	struct msg *msg;
	u32 index;
	u32 node;
	struct round *round;
	struct stay *stays;
	u32 live;
	u64 end;
	bool ended;
};

/* worms that a node sends at once */
struct round {
	struct task *task;
	u32 next, end;
	u32 uninjected, undelivered;
	u64 injected, delivered;
};

struct task {
	struct task *next;
	u64 entry;
	struct msg *msg;
	u32 first, end;
	u32 at;			/* first worm of its next round */
	u32 prep;
	bool own;
	bool further;		/* a further round of a task */
};

struct msg {
	u64 gen;
	u32 source, seq;
	u32 list;
	bool begun;
	struct mcfab_plan plan;
	u32 ended;
	struct slow_message cost;
};

struct node {
	struct task *queue;	/* by (entry, relays first, key) */
	struct task *task;	/* that occupies the node */
	struct round *round;	/* its round under way */
	u64 ready;		/* end of the start-up of @round */
	bool starting;
	u64 free_at;
	struct round *inject[4096];
	u32 inject_head, inject_tail;
	bool *channel;
	u32 consume;
};

struct request {
	struct stay *stay;
	u32 branch;
};

struct kept {
	struct kept *next;
	u64 pad;
};

struct sim {
	const struct mcfab_fabric_cfg *fc;
	const struct mcfab_run_cfg *rc;
	const struct mcfab_topo *topo;
	const struct mcfab_policy *pol;
	u32 flits;
	u32 prep;
	struct kept *kept;
	u64 now;
	u64 active;
	struct vc *vc;
	struct chan *chan;	/* what crosses it */
	struct chan *in;	/* of the input port it leads to: what leaves it */
	struct node *node;
	struct msg *msg;
	u32 nmsgs;
	struct worm *worms;
	struct request *req;
	u32 nreqs, room;
	struct slow_result *out;
	u32 dlv_room;
	void *scratch;
	u32 *dst;
	u32 max_worms, max_dst;
};

static void *get(size_t bytes)
{
	void *mem = calloc(1, bytes);

	must(mem);
	return mem;
}

/* memory of tasks and rounds: until the end of the run */
static void *keep(struct sim *s, size_t bytes)
{
	struct kept *k = get(sizeof(*k) + bytes);

	k->next = s->kept;
	s->kept = k;
	return k + 1;
}

/* ---- nodes (7) ---- */

static bool msg_before(const struct msg *a, const struct msg *b)
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
		return msg_before(a->msg, b->msg);
	return a->first < b->first;
}

static void enter_queue(struct node *n, struct task *task)
{
	struct task **at = &n->queue;

	while (*at && !task_before(task, *at))
		at = &(*at)->next;
	task->next = *at;
	*at = task;
}

static void make_plan(struct sim *s, struct msg *m)
{
	const struct mcfab_msg_list *list = s->rc->workload.list;
	u32 first = list->first[m->list], count = list->first[m->list + 1] - first;

	m->begun = true;
	m->plan.max_worms = s->max_worms;
	m->plan.max_dst = s->max_dst;
	m->plan.worm = get(s->max_worms * sizeof(*m->plan.worm));
	m->plan.dst = get(s->max_dst * sizeof(u32));
	memcpy(s->dst, list->dst + first, count * sizeof(u32));
	must(!mcfab_plan_prepare(s->pol, m->source, s->dst, count, &m->plan, s->scratch));
}

static struct round *next_round(struct sim *s, struct task *t)
{
	const struct mcfab_plan *plan = &t->msg->plan;
	struct round *r = keep(s, sizeof(*r));

	r->task = t;
	r->next = t->at;
	while (t->at < t->end && t->at - r->next < s->fc->inject)
		t->at++;
	r->end = t->at;
	r->uninjected = r->end - r->next;
	r->undelivered = r->end - r->next;
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
		make_plan(s, t->msg);
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
		n->ready += t->own ? s->prep : s->rc->prep2;
}

static bool rounds_delivered(const struct sim *s)
{
	return s->rc->rounds == MCFAB_ROUNDS_DELIVERED;
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
	if (s->rc->node_busy == MCFAB_BUSY_STARTUP) {
		n->free_at = n->ready;
	} else if (s->rc->node_busy == MCFAB_BUSY_DELIVERED) {
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
static void round_over(struct sim *s, u32 node, struct round *r, u64 when)
{
	struct task *t;

	if (r->end == r->task->end)
		return;
	t = keep(s, sizeof(*t));
	t->entry = when;
	t->msg = r->task->msg;
	t->first = r->end;
	t->further = true;
	enter_queue(&s->node[node], t);
}

/* flits of a packet to so many destinations */
static u32 packet(const struct sim *s, u32 ndst)
{
	return s->flits + (s->rc->headers ? ndst - 1 : 0);
}

static void inject(struct sim *s, u32 nr, struct round *r, u32 channel)
{
	struct msg *m = r->task->msg;
	const struct mcfab_plan_worm *pw = &m->plan.worm[r->next];
	struct worm *w = get(sizeof(*w));
	struct stay *st = get(sizeof(*st));

	w->msg = m;
	w->index = r->next++;
	w->node = nr;
	w->round = r;
	w->next = s->worms;
	s->worms = w;
	w->stays = st;
	w->live = 1;

	st->worm = w;
	st->channel = channel;
	st->router = s->topo->router[nr];
	st->rank = s->topo->ports * s->fc->vcs + nr * s->fc->inject + channel;
	st->first = pw->first;
	st->last = pw->first + pw->count;
	st->front = s->now + s->fc->inject_delay;
	st->ready = st->front;
	st->flits = packet(s, pw->count);
	st->entered = st->flits;
	st->moved = NEVER;
	s->active = s->now;
}

static void inject_worms(struct sim *s, u32 nr)
{
	struct node *n = &s->node[nr];
	u32 c;

	while (n->inject_head < n->inject_tail) {
		struct round *r = n->inject[n->inject_head];

		for (c = 0; c < s->fc->inject && n->channel[c]; c++)
			;
		if (c == s->fc->inject)
			return;
		n->channel[c] = true;
		inject(s, nr, r, c);
		if (r->next == r->end)
			n->inject_head++;
	}
}

static void step_nodes(struct sim *s)
{
	u32 i;

	for (i = 0; i < s->topo->nodes; i++) {
		struct node *n = &s->node[i];

		while (step_node(s, n))
			s->active = s->now;
		inject_worms(s, i);
	}
}

/* ---- headers and grants (2, 3, 6) ---- */

static bool whole(const struct sim *s, const struct stay *st)
{
	return !st->vc || (st->entered == st->flits && st->complete <= s->now);
}

static void ask(struct sim *s, struct stay *st)
{
	const struct mcfab_plan *plan = &st->worm->msg->plan;
	const struct mcfab_plan_worm *pw = &plan->worm[st->worm->index];
	struct mcfab_decision out = { .nbranches = 0 };
	struct mcfab_header hdr = {
		.router = st->router, .in_port = MCFAB_PORT_ANY, .sender = st->worm->node,
		.first_port = pw->port, .arg = pw->arg, .state = st->state, .dst = plan->dst,
		.first = st->first, .last = st->last,
	};
	u32 i;

	if (st->vc) {
		hdr.in_port = s->topo->peer[st->vc->chan] % s->topo->ports;
		hdr.in_vc = st->vc->nr;
	}
	s->pol->ops->route(&s->pol->view, s->pol->priv, &hdr, &out);
	must(out.nbranches);
	st->asked = true;
	st->nbranches = out.nbranches;
	s->active = s->now;
	for (i = 0; i < out.nbranches; i++) {
		struct branch *b = &st->branch[i];

		b->want = out.branch[i];
		b->network = b->want.node == MCFAB_NONE;
		b->since = s->now;
		b->strip = st->flits - (b->network ? packet(s, b->want.last - b->want.first) :
					s->flits);
		if (s->nreqs == s->room) {
			s->room = 2 * s->room + 64;
			s->req = realloc(s->req, s->room * sizeof(*s->req));
		}
		s->req[s->nreqs++] = (struct request){ st, i };
	}
}

static void ask_all(struct sim *s)
{
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next) {
		for (st = w->stays; st; st = st->next) {
			if (st->asked || st->drained || !st->entered)
				continue;
			if (st->vc && st->vc->fifo != st)
				continue;
			if (max(st->front, st->ready) + s->fc->route_delay > s->now)
				continue;
			if (s->fc->switching == MCFAB_STORE_AND_FORWARD && !whole(s, st))
				continue;
			ask(s, st);
		}
	}
}

static int compare_requests(const void *pa, const void *pb)
{
	const struct request *a = pa, *b = pb;
	u64 sa = a->stay->branch[a->branch].since, sb = b->stay->branch[b->branch].since;

	if (sa != sb)
		return sa < sb ? -1 : 1;
	if (a->stay->router != b->stay->router)
		return a->stay->router < b->stay->router ? -1 : 1;
	if (a->stay->rank != b->stay->rank)
		return a->stay->rank < b->stay->rank ? -1 : 1;
	return a->branch < b->branch ? -1 : a->branch > b->branch;
}

static void grant(struct sim *s, struct stay *st, u32 nr, struct vc *vc)
{
	struct branch *b = &st->branch[nr];
	struct stay *new = get(sizeof(*new)), **at;
	u32 peer = s->topo->peer[vc->chan];

	b->granted = true;
	b->child = new;
	new->worm = st->worm;
	new->parent = st;
	new->from_branch = nr;
	new->vc = vc;
	new->router = peer / s->topo->ports;
	new->rank = peer % s->topo->ports * s->fc->vcs + vc->nr;
	new->hops = st->hops + 1;
	new->first = b->want.first;
	new->last = b->want.last;
	new->state = b->want.state;
	new->flits = st->flits - b->strip;
	new->granted = s->now;
	new->moved = NEVER;
	new->next = st->worm->stays;
	st->worm->stays = new;
	st->worm->live++;
	st->worm->msg->cost.traffic++;
	must(!vc->owner);
	vc->owner = new;
	for (at = &vc->fifo; *at; at = &(*at)->after)
		;
	*at = new;
}

static bool try_grant(struct sim *s, struct request *r)
{
	struct branch *b = &r->stay->branch[r->branch];
	u32 p, v;

	if (!b->network) {
		struct node *n = &s->node[b->want.node];

		if (!n->consume)
			return false;
		n->consume--;
		b->granted = true;
		return true;
	}
	for (p = 0; p < b->want.nports; p++) {
		for (v = 0; v < s->fc->vcs; v++) {
			u32 chan = r->stay->router * s->topo->ports + b->want.port[p];
			struct vc *vc = &s->vc[chan * s->fc->vcs + v];

			must(s->topo->peer[chan] != MCFAB_NONE);
			if (!(b->want.vcs[p] >> v & 1) || vc->owner)
				continue;
			if (s->fc->switching != MCFAB_WORMHOLE &&
			    s->fc->buffer - vc->used < r->stay->flits - b->strip)
				continue;
			grant(s, r->stay, r->branch, vc);
			return true;
		}
	}
	return false;
}

static void grant_all(struct sim *s)
{
	u32 i, kept = 0;

	if (s->nreqs)
		qsort(s->req, s->nreqs, sizeof(*s->req), compare_requests);
	for (i = 0; i < s->nreqs; i++) {
		if (try_grant(s, &s->req[i]))
			s->active = s->now;
		else
			s->req[kept++] = s->req[i];
	}
	s->nreqs = kept;
}

/* ---- moves (4, 5) ---- */

/* can a branch read flit @index of a stay now? */
static bool readable(const struct sim *s, const struct stay *st, u32 index)
{
	const struct flit *f;

	if (index >= st->flits)
		return false;
	if (!st->vc)
		return true;
	for (f = st->vc->flit; f; f = f->next)
		if (f->stay == st && f->index == index)
			return f->ready <= s->now;
	return false;
}

/* is there a flit for this branch to hand on? */
static bool has_flit(const struct sim *s, const struct stay *st, const struct branch *b)
{
	return b->granted && b->read >= b->strip && readable(s, st, b->read);
}

/* round robin among those with room; one that is ready alone needs none yet */
static void turn(const struct sim *s, struct chan *c, u32 ready, u32 roomy)
{
	u32 v;

	c->allowed = -1;
	for (v = 0; v < s->fc->vcs; v++)
		if (ready == 1u << v)
			c->allowed = v;
	if (c->allowed >= 0 || !ready || !roomy)
		return;
	for (v = c->next; !(roomy >> v & 1); v = (v + 1) % s->fc->vcs)
		;
	c->allowed = v;
	c->next = (v + 1) % s->fc->vcs;
}

/* which VC of the input port behind a channel may send (input_speedup) */
static void choose_input(struct sim *s, u32 nr)
{
	u32 v, i, ready = 0, roomy = 0;

	for (v = 0; v < s->fc->vcs; v++) {
		struct stay *st = s->vc[nr * s->fc->vcs + v].fifo;

		for (i = 0; st && i < st->nbranches; i++) {
			struct branch *b = &st->branch[i];

			if (!has_flit(s, st, b))
				continue;
			ready |= 1u << v;
			if (!b->network || b->child->vc->used < s->fc->buffer)
				roomy |= 1u << v;
		}
	}
	turn(s, &s->in[nr], ready, roomy);
}

static bool input_open(const struct sim *s, const struct stay *st)
{
	return !s->fc->input_speedup || s->fc->vcs == 1 || !st->vc ||
	       s->in[st->vc->chan].allowed == (s32)st->vc->nr;
}

static bool all_granted(const struct stay *st)
{
	u32 i;

	for (i = 0; i < st->nbranches; i++)
		if (!st->branch[i].granted)
			return false;
	return true;
}

static bool all_roomy(const struct sim *s, const struct stay *st)
{
	u32 i;

	for (i = 0; i < st->nbranches; i++)
		if (st->branch[i].child && st->branch[i].child->vc->used >= s->fc->buffer)
			return false;
	return true;
}

/* lock-step: what all channels agree on instead of turns */
static void oldest(struct sim *s, u32 nr, u32 roomy)
{
	const struct worm *w, *best = NULL;
	u32 v;

	s->chan[nr].allowed = -1;
	for (v = 0; v < s->fc->vcs; v++) {
		if (!(roomy >> v & 1))
			continue;
		w = s->vc[nr * s->fc->vcs + v].owner->worm;
		if (best && (w->msg == best->msg ? w->index > best->index :
						   msg_before(best->msg, w->msg)))
			continue;
		best = w;
		s->chan[nr].allowed = v;
	}
}

static void choose(struct sim *s, u32 nr)
{
	bool lockstep = s->fc->replication == MCFAB_REPL_LOCKSTEP;
	struct chan *c = &s->chan[nr];
	u32 v, ready = 0, roomy = 0;

	if (c->lock >= 0) {
		c->allowed = c->lock;
		return;
	}
	for (v = 0; v < s->fc->vcs; v++) {
		struct vc *vc = &s->vc[nr * s->fc->vcs + v];
		struct stay *st = vc->owner;

		if (!st || !input_open(s, st->parent) ||
		    !has_flit(s, st->parent, &st->parent->branch[st->from_branch]))
			continue;
		if (lockstep && !all_granted(st->parent))
			continue;
		ready |= 1u << v;
		roomy |= (vc->used < s->fc->buffer && (!lockstep || all_roomy(s, st->parent))) << v;
	}
	if (lockstep && ready & (ready - 1))
		oldest(s, nr, roomy);
	else
		turn(s, c, ready, roomy);
}

static void see_credits(struct sim *s)
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

static void delivered(struct sim *s, struct stay *st, struct branch *b)
{
	struct worm *w = st->worm;
	struct msg *m = w->msg;
	u32 entry = m->plan.dst[b->want.first], node = entry & ~MCFAB_DST_RELAY, k;
	u64 tail = s->now + s->fc->consume_delay - 1;

	w->end = max(w->end, tail);
	s->node[node].consume++;
	for (k = 0; k < m->plan.nworms; k++) {
		struct task *t;

		if (m->plan.worm[k].after != w->index || m->plan.worm[k].sender != node)
			continue;
		t = keep(s, sizeof(*t));
		t->entry = tail;
		t->msg = m;
		t->first = k;
		enter_queue(&s->node[node], t);
		break;
	}
	if (entry & MCFAB_DST_RELAY)
		return;
	for (k = s->out->ndlv; k--; )
		if (s->out->dlv[k].gen == m->gen && s->out->dlv[k].source == m->source &&
		    s->out->dlv[k].seq == m->seq && s->out->dlv[k].dst == node)
			s->out->dlv[k].tail = tail;
}

static void header_delivered(struct sim *s, struct stay *st, struct branch *b)
{
	struct msg *m = st->worm->msg;
	u32 entry = m->plan.dst[b->want.first];

	if (entry & MCFAB_DST_RELAY)
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
	r->undelivered--;
	r->delivered = max(r->delivered, w->end);
	if (!r->undelivered && rounds_delivered(s))
		round_over(s, w->node, r, r->delivered);
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
		if (s->fc->vc_release == MCFAB_RELEASE_DRAINED)
			release(s, st);
	} else {
		s->node[st->worm->node].channel[st->channel] = false;
		r->uninjected--;
		r->injected = max(r->injected, s->now);
		if (!r->uninjected && !rounds_delivered(s))
			round_over(s, st->worm->node, r, r->injected);
	}
	if (!--st->worm->live)
		end_worm(s, st->worm);
}

static void cross(struct sim *s, struct stay *st, struct branch *b)
{
	struct stay *to = b->child;
	struct chan *c = &s->chan[to->vc->chan];
	struct flit *f = get(sizeof(*f));

	f->stay = to;
	f->index = to->entered++;
	f->ready = s->now + s->fc->link_delay;
	if (to->vc->last)
		to->vc->last->next = f;
	else
		to->vc->flit = f;
	to->vc->last = f;
	to->vc->used++;
	to->vc->inside++;
	must(to->vc->inside <= s->fc->buffer);
	b->read++;
	if (!f->index)
		to->ready = f->ready;
	to->complete = f->ready;
	if (s->fc->link_arbitration == MCFAB_ARB_PACKET)
		c->lock = to->entered == to->flits ? -1 : (s32)to->vc->nr;
	if (to->entered == to->flits && s->fc->vc_release == MCFAB_RELEASE_SENT)
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
		if (st->vc) {
			struct flit *f = st->vc->flit;
			struct credit *c = get(sizeof(*c));

			must(f && f->stay == st && f->index == st->left - 1);
			st->vc->flit = f->next;
			if (!f->next)
				st->vc->last = NULL;
			free(f);
			st->vc->inside--;
			c->seen = s->now + max(s->fc->credit_delay, 1U);
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

	if (!has_flit(s, st, b) || !input_open(s, st))
		return false;
	if (!b->network)
		return true;
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

		if (b->granted && b->read < b->strip && readable(s, st, b->read)) {
			b->read++;
			s->active = s->now;
			continue;
		}
		if (s->fc->replication == MCFAB_REPL_LOCKSTEP ? able < st->nbranches :
							       !can_read(s, st, b))
			continue;
		if (b->network) {
			cross(s, st, b);
			continue;
		}
		if (b->read++ == b->strip)
			header_delivered(s, st, b);
		if (b->read == st->flits)
			delivered(s, st, b);
		s->active = s->now;
	}
	leave(s, st);
}

static void move_all(struct sim *s)
{
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next)
		for (st = w->stays; st; st = st->next)
			move(s, st);
}

/* ---- the whole ---- */

static void sweep(struct sim *s)
{
	struct worm **at = &s->worms;

	while (*at) {
		struct worm *w = *at;
		struct stay *st, *next;

		if (!w->ended) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		for (st = w->stays; st; st = next) {
			next = st->next;
			free(st);
		}
		free(w);
	}
}

static int compare_msgs(const void *pa, const void *pb)
{
	return msg_before(pa, pb) ? -1 : 1;
}

static void read_list(struct sim *s)
{
	const struct mcfab_msg_list *list = s->rc->workload.list;
	u32 *seq = get(s->topo->nodes * sizeof(u32)), i;

	s->nmsgs = list->nmsgs;
	s->msg = get(s->nmsgs * sizeof(*s->msg));
	for (i = 0; i < s->nmsgs; i++) {
		s->msg[i].gen = list->cycle[i];
		s->msg[i].source = list->source[i];
		s->msg[i].seq = seq[list->source[i]]++;
		s->msg[i].list = i;
	}
	free(seq);
	qsort(s->msg, s->nmsgs, sizeof(*s->msg), compare_msgs);
	for (i = 0; i < s->nmsgs; i++) {
		struct task *t = keep(s, sizeof(*t));

		t->entry = s->msg[i].gen;
		t->msg = &s->msg[i];
		t->own = true;
		enter_queue(&s->node[s->msg[i].source], t);
	}
}

static bool work_left(const struct sim *s)
{
	u32 i;

	if (s->worms)
		return true;
	for (i = 0; i < s->topo->nodes; i++)
		if (s->node[i].queue || s->node[i].task ||
		    s->node[i].inject_head < s->node[i].inject_tail)
			return true;
	return false;
}

static int compare_deliveries(const void *pa, const void *pb)
{
	const struct slow_delivery *a = pa, *b = pb;

	if (a->gen != b->gen)
		return a->gen < b->gen ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	return a->dst < b->dst ? -1 : a->dst > b->dst;
}

void slow_sort(struct slow_delivery *dlv, u32 ndlv)
{
	if (ndlv)
		qsort(dlv, ndlv, sizeof(*dlv), compare_deliveries);
}

static void report(struct sim *s)
{
	struct slow_result *out = s->out;
	u32 i, kept = 0;

	/* headers whose tail never came are no deliveries */
	for (i = 0; i < out->ndlv; i++)
		if (out->dlv[i].tail != NEVER)
			out->dlv[kept++] = out->dlv[i];
	out->ndlv = kept;
	slow_sort(out->dlv, kept);
	out->msg = get((s->nmsgs + 1) * sizeof(*out->msg));
	for (i = 0; i < s->nmsgs; i++) {
		struct msg *m = &s->msg[i];

		if (!m->begun)
			continue;
		m->cost.gen = m->gen;
		m->cost.source = m->source;
		m->cost.seq = m->seq;
		m->cost.complete = m->ended == m->plan.nworms;
		out->msg[out->nmsg++] = m->cost;
	}
}

static void clean_up(struct sim *s)
{
	u32 i, vcs = s->topo->routers * s->topo->ports * s->fc->vcs;
	struct worm *w;

	for (w = s->worms; w; w = w->next)
		w->ended = true;
	sweep(s);
	for (i = 0; i < vcs; i++) {
		struct flit *f, *fn;
		struct credit *c, *cn;

		for (f = s->vc[i].flit; f; f = fn) {
			fn = f->next;
			free(f);
		}
		for (c = s->vc[i].credit; c; c = cn) {
			cn = c->next;
			free(c);
		}
	}
	for (i = 0; i < s->nmsgs; i++) {
		free(s->msg[i].plan.worm);
		free(s->msg[i].plan.dst);
	}
	for (i = 0; i < s->topo->nodes; i++)
		free(s->node[i].channel);
	while (s->kept) {
		struct kept *k = s->kept;

		s->kept = k->next;
		free(k);
	}
	free(s->msg);
	free(s->vc);
	free(s->chan);
	free(s->in);
	free(s->node);
	free(s->req);
	free(s->dst);
	free(s->scratch);
}

/**
 * slow_run() - simulate a run of a list of messages
 * @fc: the fabric, defaults filled in
 * @topo: its network
 * @pol: the policy, opened for the run
 * @rc: the run; @rc->rounds not left to the default
 * @out: what came out; slow_free() is due
 */
void slow_run(const struct mcfab_fabric_cfg *fc, const struct mcfab_topo *topo,
	      const struct mcfab_policy *pol, const struct mcfab_run_cfg *rc,
	      struct slow_result *out)
{
	struct sim s = { .fc = fc, .rc = rc, .topo = topo, .pol = pol, .out = out };
	u32 chans = topo->routers * topo->ports, i, v;
	u64 latest = 0, patience;
	size_t scratch;

	memset(out, 0, sizeof(*out));
	s.flits = rc->flits;
	s.prep = rc->prep == MCFAB_NONE ? pol->ops->prep : rc->prep;
	s.vc = get(chans * fc->vcs * sizeof(*s.vc));
	s.chan = get(chans * sizeof(*s.chan));
	s.in = get(chans * sizeof(*s.in));
	s.node = get(topo->nodes * sizeof(*s.node));
	s.dst = get(topo->nodes * sizeof(u32));
	for (i = 0; i < chans; i++) {
		s.chan[i].lock = -1;
		s.in[i].lock = -1;
		for (v = 0; v < fc->vcs; v++) {
			s.vc[i * fc->vcs + v].chan = i;
			s.vc[i * fc->vcs + v].nr = v;
		}
	}
	for (i = 0; i < topo->nodes; i++) {
		s.node[i].channel = get(fc->inject);
		s.node[i].consume = fc->consume;
	}
	mcfab_plan_bounds(pol, topo->nodes - 1, &s.max_worms, &s.max_dst, &scratch);
	s.scratch = get(scratch + 1);
	read_list(&s);
	for (i = 0; i < s.nmsgs; i++)
		latest = max(latest, s.msg[i].gen);
	patience = 16 + s.prep + rc->prep2 + fc->startup + fc->inject_delay + fc->route_delay +
		   fc->link_delay + fc->consume_delay + fc->credit_delay;

	for (s.now = 1; work_left(&s); s.now++) {
		see_credits(&s);
		step_nodes(&s);
		ask_all(&s);
		grant_all(&s);
		for (i = 0; i < chans && fc->input_speedup && fc->vcs > 1; i++)
			choose_input(&s, i);
		for (i = 0; i < chans; i++)
			choose(&s, i);
		move_all(&s);
		sweep(&s);
		if (s.now > latest && s.now - s.active > patience) {
			out->stuck = true;
			break;
		}
	}
	out->cycle = s.active;
	report(&s);
	clean_up(&s);
}

void slow_free(struct slow_result *out)
{
	free(out->dlv);
	free(out->msg);
}
