// SPDX-License-Identifier: GPL-2.0
/* Headers and grants of the slow simulator. See lib/slow_model.h. */
#include "lib/slow_model.h"

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
		.first = st->first, .last = st->last, .serial = st->worm->serial,
	};
	u32 packet = st->worm->packet;
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
		b->strip = st->flits - slow_packet(s, st->worm->msg, packet);
		if (b->network)
			b->strip -= slow_header(s, plan, b->want.first, b->want.last);
		if (s->nreqs == s->room) {
			s->room = 2 * s->room + 64;
			s->req = realloc(s->req, s->room * sizeof(*s->req));
		}
		s->req[s->nreqs++] = (struct request){ st, i, s->now, 0 };
	}
}

void slow_ask_all(struct sim *s)
{
	bool flits = s->fc->pipeline == MCFAB_PIPELINE_MODE_FLIT;
	struct worm *w;
	struct stay *st;

	for (w = s->worms; w; w = w->next) {
		for (st = w->stays; st; st = st->next) {
			if (st->asked || st->drained || !st->entered)
				continue;
			if (st->vc && st->vc->fifo != st)
				continue;
			if (st->port && st->port->fifo != st)
				continue;
			/* else it is a part of st->ready, as it is of every flit's */
			if (max(st->front, st->ready) + (flits ? 0 : s->fc->route_delay) > s->now)
				continue;
			if (s->fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD &&
			    !whole(s, st))
				continue;
			ask(s, st);
		}
	}
}

static int compare_requests(const void *pa, const void *pb)
{
	const struct request *a = pa, *b = pb;

	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	if (a->yielded != b->yielded)
		return a->yielded < b->yielded ? -1 : 1;
	if (a->stay->router != b->stay->router)
		return a->stay->router < b->stay->router ? -1 : 1;
	if (a->stay->rank != b->stay->rank)
		return a->stay->rank < b->stay->rank ? -1 : 1;
	/* hosts of one switch inject by the same channel: by the worm's key */
	if (a->stay->worm->msg != b->stay->worm->msg)
		return slow_before(a->stay->worm->msg, b->stay->worm->msg) ? -1 : 1;
	if (a->stay->worm->index != b->stay->worm->index)
		return a->stay->worm->index < b->stay->worm->index ? -1 : 1;
	return a->branch < b->branch ? -1 : a->branch > b->branch;
}

static void grant(struct sim *s, struct stay *st, u32 nr, struct vc *vc)
{
	struct branch *b = &st->branch[nr];
	struct stay *new = slow_get(sizeof(*new)), **at;
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
	new->links = st->links + s->chan[vc->chan].delay;
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

/* the consumption channel of a node that takes a flit first */
static struct tap *free_tap(struct sim *s, struct node *n)
{
	struct tap *best = NULL;
	u32 i;

	for (i = 0; i < s->fc->consume; i++)
		if (!n->tap[i].held && (!best || n->tap[i].open < best->open))
			best = &n->tap[i];
	return best;
}

static bool try_grant(struct sim *s, struct request *r)
{
	struct branch *b = &r->stay->branch[r->branch];
	u32 p, v, k;

	if (!b->network) {
		b->tap = free_tap(s, &s->node[b->want.node]);
		if (!b->tap ||
		    !slow_host_takes(s, r->stay->worm, b->want.node, &b->place))
			return false;
		b->tap->held = true;
		b->granted = true;
		return true;
	}
	for (p = 0; p < b->want.nports; p++) {
		u32 chan = r->stay->router * s->topo->ports + b->want.port[p];

		must(s->topo->peer[chan] != MCFAB_NONE);
		for (k = 0; k < s->fc->vcs; k++) {
			struct vc *vc;

			v = (s->chan[chan].turn + k) % s->fc->vcs;
			vc = &s->vc[chan * s->fc->vcs + v];
			if (!(b->want.vcs[p] >> v & 1) || vc->owner)
				continue;
			if (s->fc->switching != MCFAB_SWITCHING_MODE_WORMHOLE &&
			    s->fc->buffer - vc->used < r->stay->flits - b->strip)
				continue;
			if (slow_vc_turns(s))
				s->chan[chan].turn = v + 1;
			grant(s, r->stay, r->branch, vc);
			return true;
		}
	}
	return false;
}

/* may this request be of the port of a node that was served? Then it queues up again, behind all */
static void yield(struct sim *s, struct request *r, u32 node)
{
	if (r->stay->vc || r->stay->worm->node != node)
		return;
	r->since = s->now;
	r->yielded = ++s->yields;
}

/* VCs in turns: the port of the node whose request the @i-th was has had its turn */
static void serve_others(struct sim *s, u32 i, u32 kept)
{
	const struct stay *st = s->req[i].stay;
	u32 k;

	if (st->vc || !slow_vc_turns(s))
		return;
	for (k = 0; k < s->nreqs; k++)
		if (k < kept || k > i)
			yield(s, &s->req[k], st->worm->node);
	qsort(s->req + i + 1, s->nreqs - i - 1, sizeof(*s->req), compare_requests);
}

void slow_grant_all(struct sim *s)
{
	u32 i, kept = 0;

	if (s->nreqs)
		qsort(s->req, s->nreqs, sizeof(*s->req), compare_requests);
	for (i = 0; i < s->nreqs; i++) {
		if (try_grant(s, &s->req[i])) {
			s->active = s->now;
			serve_others(s, i, kept);
		} else {
			s->req[kept++] = s->req[i];
		}
	}
	s->nreqs = kept;
}
