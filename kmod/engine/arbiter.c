// SPDX-License-Identifier: GPL-2.0
/*
 * Which of several virtual channels crosses a physical channel (engine-model,
 * rule 5). Runs in the grant phase, from the state at the end of the last cycle;
 * channels with one owned VC never come here.
 */
#include "engine/engine.h"
#include "engine/flits.h"

/**
 * mcfab_arbiter_own() - one more VC of a channel belongs to a worm
 * @e: engine
 * @s: shard that owns the channel's router
 * @chan: the channel
 */
void mcfab_arbiter_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	struct mcfab_chan *c = &e->chan[chan];

	if (++c->owned == 2 && !c->listed) {
		c->listed = 1;
		s->contended[s->ncontended++] = chan;
	}
}

/**
 * mcfab_arbiter_disown() - one VC less
 * @e: engine
 * @chan: the channel
 *
 * The channel leaves the list of contended ones at the next choice.
 */
void mcfab_arbiter_disown(struct mcfab_engine *e, u32 chan)
{
	e->chan[chan].owned--;
}

/* a flit waits in front of the channel / there was room behind it at the start */
static bool vc_ready(const struct mcfab_engine *e, u32 vc, bool *room)
{
	u32 nr = e->vc[vc].rec;
	const struct mcfab_rec *r;

	if (nr == MCFAB_NONE)
		return false;
	r = &e->rec[nr];
	if (r->sent >= e->flits || mcfab_arrived(e, r->parent) <= r->sent)
		return false;
	*room = mcfab_room_at_start(e, vc, r);
	return true;
}

static void choose(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 ready = 0, roomy = 0, v;

	if (c->lock != U8_MAX) {
		c->chosen = c->lock;
		return;
	}
	for (v = 0; v < e->vcs; v++) {
		bool room = false;

		if (vc_ready(e, chan * e->vcs + v, &room)) {
			ready |= BIT(v);
			if (room)
				roomy |= BIT(v);
		}
	}
	/* one alone may use space that is vacated in this very cycle */
	if (hweight32(ready) <= 1) {
		c->chosen = ready ? __ffs(ready) : U8_MAX;
		return;
	}
	if (!roomy) {
		c->chosen = U8_MAX;
		return;
	}
	for (v = c->next; !(roomy & BIT(v)); )
		v = v + 1 < e->vcs ? v + 1 : 0;
	c->chosen = v;
	c->next = v + 1 < e->vcs ? v + 1 : 0;
}

/**
 * mcfab_arbiter_choose() - choose on every contended channel of a shard
 * @e: engine
 * @s: the shard
 *
 * Context: end of the grant phase, when all grants of the cycle are made: a
 * channel granted in this cycle takes part.
 */
void mcfab_arbiter_choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i = 0;

	while (i < s->ncontended) {
		u32 chan = s->contended[i];

		if (e->chan[chan].owned < 2) {
			e->chan[chan].listed = 0;
			s->contended[i] = s->contended[--s->ncontended];
			continue;
		}
		choose(e, chan);
		i++;
	}
}
