// SPDX-License-Identifier: GPL-2.0
/* Whose turn it is in the slow simulator. See lib/slow_model.h. */
#include "lib/slow_model.h"

/* can a branch read flit @index of a stay now? */
bool slow_readable(const struct sim *s, const struct stay *st, u32 index)
{
	const struct flit *f;

	if (index >= st->flits)
		return false;
	if (st->port)
		return index < st->entered && st->there[index] <= s->now;
	if (!st->vc)
		return true;
	for (f = st->vc->flit; f; f = f->next)
		if (f->stay == st && f->index == index)
			return f->ready <= s->now;
	return false;
}

static bool link_open(const struct sim *s, const struct branch *b)
{
	return (b->network ? s->chan[b->child->vc->chan].open : b->tap->open) <= s->now;
}

/* is there a flit for this branch to hand on, and does its link take one? */
bool slow_has_flit(const struct sim *s, const struct stay *st, const struct branch *b)
{
	return b->granted && b->read >= b->strip && slow_readable(s, st, b->read) &&
	       link_open(s, b);
}

/* round robin among those with room; one that is ready alone needs none yet */
static void turn(struct chan *c, u32 width, u32 ready, u32 roomy)
{
	u32 v;

	c->allowed = -1;
	for (v = 0; v < width; v++)
		if (ready == 1u << v)
			c->allowed = v;
	if (c->allowed >= 0 || !ready || !roomy)
		return;
	for (v = c->next; !(roomy >> v & 1); v = (v + 1) % width)
		;
	c->allowed = v;
	c->next = (v + 1) % width;
}

/* ports take turns; nodes, here s->topo->ports, are after all others */
static u32 turns_to(const struct sim *s, u32 last, u32 port)
{
	u32 ports = s->topo->ports + 1;

	return (port + 2 * ports - last - 1) % ports;
}

/*
 * The same by a separable allocator: whose channel was granted in this cycle yields, and the
 * turn passes when it is used. Of several that are able, the @port at the other end decides, then
 * the VC.
 */
static void bid(const struct sim *s, struct chan *c, u32 width, u32 ready, u32 roomy, u32 firm,
		const u32 *port)
{
	u32 able = firm ? firm : roomy, least = UINT_MAX, v, k;

	c->allowed = -1;
	c->port = c->last;
	for (v = 0; v < width && !able; v++)
		if (ready == 1u << v)
			c->allowed = v;
	for (k = 0; k < width && able; k++) {
		v = (c->next + k) % width;
		if (!(able >> v & 1) || turns_to(s, c->last, port[v]) >= least)
			continue;
		least = turns_to(s, c->last, port[v]);
		c->allowed = v;
		c->port = port[v];
	}
}

bool slow_separable(const struct sim *s)
{
	/* a port of one VC has nothing to choose from */
	return s->fc->allocator == MCFAB_ALLOCATOR_MODE_SEPARABLE &&
	       (s->fc->vcs > 1 || slow_shared(s));
}

bool slow_islip(const struct sim *s)
{
	return s->fc->allocator == MCFAB_ALLOCATOR_MODE_ISLIP &&
	       (s->fc->vcs > 1 || slow_shared(s));
}

bool slow_vc_turns(const struct sim *s)
{
	return slow_separable(s) || slow_islip(s);
}

static void choose(const struct sim *s, struct chan *c, u32 width, u32 ready, u32 roomy, u32 firm,
		   const u32 *port)
{
	if (slow_separable(s))
		bid(s, c, width, ready, roomy, firm, port);
	else
		turn(c, width, ready, roomy);
}

/* a packet that is ready alone takes no turn among outputs */
static void choose_input(const struct sim *s, struct chan *c, u32 width, u32 ready, u32 roomy,
			 u32 firm, const u32 *port)
{
	choose(s, c, width, ready, roomy, firm, port);
	if (!(ready & (ready - 1)))
		c->port = c->last;
}

bool slow_has_room(const struct sim *s, const struct branch *b)
{
	return !b->network || b->child->vc->used < s->fc->buffer;
}

static bool is_firm(const struct sim *s, const struct branch *b)
{
	return !b->network || b->child->granted < s->now;
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
		if (!link_open(s, &st->branch[i]) ||
		    (st->branch[i].child && st->branch[i].child->vc->used >= s->fc->buffer))
			return false;
	return true;
}

/* the output of a packet: of several the lowest one with a flit and room for it */
static u32 output_of(const struct sim *s, const struct stay *st)
{
	u32 least = s->topo->ports, i;

	for (i = 0; i < st->nbranches; i++) {
		const struct branch *b = &st->branch[i];

		if (b->network && slow_has_flit(s, st, b) && slow_has_room(s, b))
			least = min(least, b->child->vc->chan % s->topo->ports);
	}
	return least;
}

/* the input port of a packet */
static u32 input_of(const struct sim *s, const struct stay *st)
{
	return st->vc ? st->rank / s->fc->vcs : s->topo->ports;
}

/* which VC of the input port behind a channel may send (input_speedup) */
static void slow_choose_input(struct sim *s, u32 nr)
{
	bool lockstep = s->fc->replication == MCFAB_REPLICATION_MODE_LOCKSTEP;
	u32 port[32] = { 0 }, v, i, ready = 0, roomy = 0, firm = 0;

	for (v = 0; v < s->fc->vcs; v++) {
		struct stay *st = s->vc[nr * s->fc->vcs + v].fifo;

		if (!st || (lockstep && !all_granted(st)))
			continue;
		port[v] = output_of(s, st);
		for (i = 0; i < st->nbranches; i++) {
			struct branch *b = &st->branch[i];

			if (!slow_has_flit(s, st, b))
				continue;
			ready |= 1u << v;
			roomy |= slow_has_room(s, b) << v;
			firm |= (slow_has_room(s, b) && is_firm(s, b)) << v;
		}
		if (lockstep && !all_roomy(s, st))
			roomy &= ~(1u << v);
	}
	choose_input(s, &s->in[nr], s->fc->vcs, ready, roomy, firm, port);
}

bool slow_shared(const struct sim *s)
{
	return s->fc->node_bandwidth == MCFAB_NODE_BANDWIDTH_MODE_SHARED;
}

/* the same of a node's injection channels, if they are one port */
static void slow_choose_injection(struct sim *s)
{
	u32 *ready = slow_get(s->topo->nodes * sizeof(u32)), i;
	u32 *roomy = slow_get(s->topo->nodes * sizeof(u32));
	u32 *firm = slow_get(s->topo->nodes * sizeof(u32));
	u32 (*port)[32] = slow_get(s->topo->nodes * sizeof(*port));
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next) {
		for (st = w->stays; st; st = st->next) {
			if (!st->vc && !st->drained)
				port[w->node][st->channel] = output_of(s, st);
			for (i = 0; i < st->nbranches && !st->vc && !st->drained; i++) {
				struct branch *b = &st->branch[i];

				if (!slow_has_flit(s, st, b))
					continue;
				ready[w->node] |= 1u << st->channel;
				roomy[w->node] |= slow_has_room(s, b) << st->channel;
				firm[w->node] |= (slow_has_room(s, b) && is_firm(s, b)) << st->channel;
			}
		}
	}
	for (i = 0; i < s->topo->nodes; i++)
		choose_input(s, &s->node[i].port, s->fc->inject, ready[i], roomy[i], firm[i],
			     port[i]);
	free(port);
	free(firm);
	free(ready);
	free(roomy);
}

bool slow_input_open(const struct sim *s, const struct stay *st)
{
	if (!s->fc->input_speedup)
		return true;
	if (!st->vc)
		return !slow_shared(s) ||
		       s->node[st->worm->node].port.allowed == (s32)st->channel;
	return s->fc->vcs == 1 || s->in[st->vc->chan].allowed == (s32)st->vc->nr;
}

/* of which packet a node takes a flit, if it takes one a cycle: in turns, by VC or by input port */
void slow_choose_consumption(struct sim *s)
{
	u32 step = slow_vc_turns(s) ? s->fc->vcs : 1, inputs = s->topo->ports * s->fc->vcs / step, i;
	u32 *least = slow_get(s->topo->nodes * sizeof(u32));
	struct worm *w;
	struct stay *st;

	for (i = 0; i < s->topo->nodes; i++) {
		s->node[i].taken = NULL;
		least[i] = inputs;
	}
	for (w = s->worms; w; w = w->next) {
		for (st = w->stays; st; st = st->next) {
			for (i = 0; i < st->nbranches && !st->drained; i++) {
				struct branch *b = &st->branch[i];
				u32 node = b->want.node, after;

				if (b->network || !slow_has_flit(s, st, b) || !slow_input_open(s, st))
					continue;
				must(st->rank / step < inputs);
				after = (st->rank / step + inputs - s->node[node].next) % inputs;
				if (after >= least[node])
					continue;
				least[node] = after;
				s->node[node].taken = b;
			}
		}
	}
	for (i = 0; i < s->topo->nodes; i++)
		if (s->node[i].taken)
			s->node[i].next = (s->node[i].next + least[i] + 1) % inputs;
	free(least);
}

static bool worm_before(const struct worm *a, const struct worm *b)
{
	if (a->msg != b->msg)
		return slow_before(a->msg, b->msg);
	return a->index != b->index ? a->index < b->index : a->packet < b->packet;
}

/* two parts of one worm that have come to the same router go by where they came in */
static bool stay_before(const struct stay *a, const struct stay *b)
{
	if (a->worm != b->worm)
		return worm_before(a->worm, b->worm);
	must(a->router == b->router && a->rank != b->rank);
	return a->rank < b->rank;
}

/* lock-step: what all channels agree on instead of turns */
static void oldest(struct sim *s, u32 nr, u32 roomy)
{
	const struct stay *from, *best = NULL;
	u32 v;

	s->chan[nr].allowed = -1;
	for (v = 0; v < s->fc->vcs; v++) {
		if (!(roomy >> v & 1))
			continue;
		from = s->vc[nr * s->fc->vcs + v].owner->parent;
		if (best && stay_before(best, from))
			continue;
		best = from;
		s->chan[nr].allowed = v;
	}
}

static void slow_choose(struct sim *s, u32 nr)
{
	bool lockstep = s->fc->replication == MCFAB_REPLICATION_MODE_LOCKSTEP;
	struct chan *c = &s->chan[nr];
	u32 port[32] = { 0 }, v, ready = 0, roomy = 0, firm = 0, owned = 0;

	if (c->lock >= 0) {
		c->allowed = c->lock;
		return;
	}
	for (v = 0; v < s->fc->vcs; v++) {
		struct vc *vc = &s->vc[nr * s->fc->vcs + v];
		struct stay *st = vc->owner;

		owned += st != NULL;
		if (!st || !slow_input_open(s, st->parent) ||
		    !slow_has_flit(s, st->parent, &st->parent->branch[st->from_branch]))
			continue;
		if (lockstep && !all_granted(st->parent))
			continue;
		port[v] = input_of(s, st->parent);
		ready |= 1u << v;
		roomy |= (vc->used < s->fc->buffer && (!lockstep || all_roomy(s, st->parent))) << v;
		firm |= (vc->used < s->fc->buffer && st->granted < s->now) << v;
	}
	if (lockstep && ready & (ready - 1))
		oldest(s, nr, roomy);
	else
		choose(s, c, s->fc->vcs, ready, roomy, firm, port);
	/* a worm that has its channel for itself takes no turn */
	if (slow_separable(s) && roomy && owned > 1) {
		c->next = (c->allowed + 1) % s->fc->vcs;
		c->last = c->port;
	}
}

/* input ports first, then channels */
void slow_choose_all(struct sim *s, u32 chans)
{
	u32 i;

	for (i = 0; i < chans && s->fc->input_speedup && s->fc->vcs > 1; i++)
		slow_choose_input(s, i);
	if (slow_shared(s))
		slow_choose_injection(s);
	for (i = 0; i < chans; i++)
		slow_choose(s, i);
}

/* the turn of a stay's input port passes if it was chosen, had room, and goes on now */
static void pass_turn(struct sim *s, struct stay *st)
{
	struct chan *c = st->vc ? &s->in[st->vc->chan] : &s->node[st->worm->node].port;
	u32 lane = st->vc ? st->vc->nr : st->channel, i;
	bool passes = false;

	if (c->allowed != (s32)lane || st->drained || (st->vc && st->vc->fifo != st))
		return;
	for (i = 0; i < st->nbranches; i++) {
		const struct branch *b = &st->branch[i];

		if (!slow_has_flit(s, st, b) || !slow_has_room(s, b))
			continue;
		if (b->network)
			passes |= s->chan[b->child->vc->chan].allowed == (s32)b->child->vc->nr;
		else
			passes |= !slow_shared(s) || s->node[b->want.node].taken == b;
	}
	if (passes) {
		c->next = (lane + 1) % (st->vc ? s->fc->vcs : s->fc->inject);
		c->last = c->port;
	}
}

void slow_pass_turns(struct sim *s)
{
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next)
		for (st = w->stays; st; st = st->next)
			pass_turn(s, st);
}
