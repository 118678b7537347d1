// SPDX-License-Identifier: GPL-2.0
/*
 * Allocator islip in the slow simulator: all channels and all packets are looked at in each round.
 * See lib/slow_model.h.
 */
#include "lib/slow_model.h"

/* the input port of a packet, NULL: an injection channel that is none */
static struct chan *port_of(struct sim *s, const struct stay *st)
{
	if (st->vc)
		return &s->in[st->vc->chan];
	return slow_shared(s) ? &s->node[st->worm->node].port : NULL;
}

static u32 place(const struct stay *st)
{
	return st->vc ? st->vc->nr : st->channel;
}

static bool at_front(const struct stay *st)
{
	return !st->drained && (!st->vc || st->vc->fifo == st);
}

static struct stay *owner(const struct sim *s, u32 chan, u32 v)
{
	return s->vc[chan * s->fc->vcs + v].owner;
}

static struct branch *into(const struct stay *st)
{
	return &st->parent->branch[st->from_branch];
}

static u32 owners(const struct sim *s, u32 chan)
{
	u32 v, n = 0;

	for (v = 0; v < s->fc->vcs; v++)
		n += owner(s, chan, v) != NULL;
	return n;
}

static s32 first_from(u32 mask, u32 from, u32 width)
{
	u32 i;

	for (i = 0; i < width; i++)
		if (mask >> (from + i) % width & 1)
			return (from + i) % width;
	return -1;
}

/* could the packet of a channel's VC send a flit with room for it, and is its port free or its? */
static bool able(struct sim *s, const struct stay *st)
{
	const struct chan *in;

	if (!st || !slow_has_flit(s, st->parent, into(st)) || !slow_has_room(s, into(st)))
		return false;
	in = port_of(s, st->parent);
	return !in || in->allowed < 0 || in->allowed == (s32)place(st->parent);
}

static u32 grant_mask(struct sim *s, u32 chan)
{
	u32 v, mask = 0;

	for (v = 0; v < s->fc->vcs; v++)
		mask |= able(s, owner(s, chan, v)) << v;
	return mask;
}

static bool is_granted(struct sim *s, const struct stay *st)
{
	u32 i;

	for (i = 0; i < st->nbranches; i++) {
		const struct branch *b = &st->branch[i];
		const struct vc *vc;

		if (!slow_has_flit(s, st, b) || !slow_has_room(s, b))
			continue;
		if (!b->network)
			return true;
		vc = b->child->vc;
		if (owners(s, vc->chan) == 1 || s->chan[vc->chan].allowed == (s32)vc->nr)
			return true;
	}
	return false;
}

static bool is_ready(struct sim *s, const struct stay *st)
{
	u32 i;

	for (i = 0; i < st->nbranches; i++)
		if (slow_has_flit(s, st, &st->branch[i]))
			return true;
	return false;
}

/* masks of each port's places whose packets are @wanted; in @mask, ports first, then nodes */
static void each_port(struct sim *s, u32 *mask, bool (*wanted)(struct sim *, const struct stay *))
{
	u32 chans = s->topo->routers * s->topo->ports;
	struct worm *w;
	struct stay *st;

	memset(mask, 0, (chans + s->topo->nodes) * sizeof(*mask));
	for (w = s->worms; w; w = w->next)
		for (st = w->stays; st; st = st->next)
			if (at_front(st) && port_of(s, st) && wanted(s, st))
				mask[st->vc ? st->vc->chan : chans + st->worm->node] |=
					1u << place(st);
}

static bool one_round(struct sim *s, u32 *mask, bool first)
{
	u32 chans = s->topo->routers * s->topo->ports, i, width;
	bool more = false, *fresh = slow_get(chans * sizeof(bool));

	for (i = 0; i < chans; i++) {
		if (owners(s, i) < 2 || s->chan[i].allowed >= 0)
			continue;
		s->chan[i].allowed = first_from(grant_mask(s, i), s->chan[i].next, s->fc->vcs);
		fresh[i] = s->chan[i].allowed >= 0;
	}
	each_port(s, mask, is_granted);
	for (i = 0; i < chans + s->topo->nodes; i++) {
		struct chan *in = i < chans ? &s->in[i] : &s->node[i - chans].port;

		width = i < chans ? s->fc->vcs : s->fc->inject;
		if (in->allowed >= 0 || !mask[i])
			continue;
		in->allowed = first_from(mask[i], in->next, width);
		if (first)
			in->next = (in->allowed + 1) % width;
		more = true;
	}
	for (i = 0; i < chans; i++) {
		struct chan *c = &s->chan[i], *in;
		const struct stay *from;

		if (!fresh[i])
			continue;
		from = owner(s, i, c->allowed)->parent;
		in = port_of(s, from);
		if (in && in->allowed != (s32)place(from)) {
			c->allowed = -1;
			continue;
		}
		if (first)
			c->next = (c->allowed + 1) % s->fc->vcs;
		more = true;
	}
	free(fresh);
	return more;
}

static s32 alone(u32 mask)
{
	return mask && !(mask & (mask - 1)) ? first_from(mask, 0, 32) : -1;
}

void slow_match(struct sim *s)
{
	u32 chans = s->topo->routers * s->topo->ports, i, v, ready;
	u32 *mask = slow_get((chans + s->topo->nodes) * sizeof(*mask));
	bool first = true;

	for (i = 0; i < chans; i++) {
		s->chan[i].allowed = -1;
		s->in[i].allowed = -1;
	}
	for (i = 0; i < s->topo->nodes; i++)
		s->node[i].port.allowed = -1;
	while (one_round(s, mask, first))
		first = false;
	each_port(s, mask, is_ready);
	for (i = 0; i < chans + s->topo->nodes; i++) {
		struct chan *in = i < chans ? &s->in[i] : &s->node[i - chans].port;

		if (in->allowed < 0)
			in->allowed = alone(mask[i]);
	}
	for (i = 0; i < chans; i++) {
		ready = 0;
		for (v = 0; v < s->fc->vcs; v++) {
			const struct stay *st = owner(s, i, v);

			ready |= (st && slow_input_open(s, st->parent) &&
				  slow_has_flit(s, st->parent, into(st))) << v;
		}
		if (s->chan[i].allowed < 0)
			s->chan[i].allowed = alone(ready);
	}
	free(mask);
}
