// SPDX-License-Identifier: GPL-2.0
/*
 * Which of several virtual channels crosses a physical channel (engine-model,
 * rule 5). Runs in the grant phase, from the state at the end of the last cycle;
 * channels with one owned VC never come here.
 */
#include "engine/router/router.h"
#include "engine/state/flits.h"
#include "engine/state/turns.h"

/**
 * mcfab_switch_own() - one more VC of a channel belongs to a worm
 * @e: engine
 * @s: shard that owns the channel's router
 * @chan: the channel
 *
 * Context: grant phase.
 */
void mcfab_switch_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan)
{
	struct mcfab_chan *c = &e->chan[chan];

	if (++c->owned == 2 && !c->listed) {
		c->listed = 1;
		s->contended[s->ncontended++] = chan;
	}
}

/**
 * mcfab_switch_disown() - one VC less
 * @e: engine
 * @chan: the channel
 *
 * The channel leaves the list of contended ones at the next choice.
 *
 * Context: grant phase of the shard that owns the channel.
 */
void mcfab_switch_disown(struct mcfab_engine *e, u32 chan)
{
	e->chan[chan].owned--;
}

/**
 * mcfab_switch_arrive() - a header has come to the front of an input port's buffer
 * @e: engine with MCFAB_ENG_SPEEDUP or MCFAB_ENG_SHARED
 * @s: shard that owns the router
 * @rec: its record
 *
 * Context: grant phase.
 */
void mcfab_switch_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec), chan;

	if (mcfab_rec_is_inject(e, rec)) {
		chan = e->nchans + mcfab_rec_node(e, rec);
	} else {
		chan = mcfab_vc_chan(e, vc);
		e->came[vc] = rec;
	}
	if (!(e->flags & MCFAB_ENG_SPEEDUP) || e->inport[chan].listed)
		return;
	e->inport[chan].listed = 1;
	s->inports[s->ninports++] = chan;
}

/**
 * mcfab_switch_leave() - the packet at the front of an input port's buffer has left it
 * @e: engine with MCFAB_ENG_SPEEDUP or MCFAB_ENG_SHARED
 * @vc: the VC
 *
 * Its record may be another's by now.
 *
 * Context: grant phase of the shard that owns the router.
 */
void mcfab_switch_leave(struct mcfab_engine *e, u32 vc)
{
	u32 *at;

	e->came[vc] = MCFAB_NO_REC;
	if (!(e->flags & MCFAB_ENG_SHARED))
		return;
	for (at = &e->consumer[mcfab_vc_to(e, vc)].head; *at != MCFAB_NONE; at = &e->consumed[*at])
		if (*at == vc) {
			*at = e->consumed[vc];
			return;
		}
}

/**
 * mcfab_switch_consume() - a node begins to consume a packet
 * @e: engine with MCFAB_ENG_SHARED
 * @s: shard that owns the router
 * @rec: record that holds it
 *
 * It leaves the list at the choice after its last flit, or with its record.
 *
 * Context: grant phase.
 */
void mcfab_switch_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 vc = mcfab_rec_vc(e, rec), router = mcfab_vc_to(e, vc);
	struct mcfab_consumer *c = &e->consumer[router];

	e->consumed[vc] = c->head;
	c->head = vc;
	if (c->listed)
		return;
	c->listed = true;
	s->consuming[s->nconsuming++] = router;
}

/* has a branch a flit to take, and room for it at the start of the cycle? */
static __always_inline bool branch_ready(const struct mcfab_engine *e, u32 nr, const u32 flags,
					 bool *room)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 there;

	/* a packet that has left for good: the buffer may be another's */
	if (r->sent >= mcfab_len(e, nr, flags) || mcfab_strip(e, nr, flags))
		return false;
	there = flags & MCFAB_ENG_LINKS ? mcfab_arrived(e, r->parent) : e->rec[r->parent].sent;
	if (there <= mcfab_read(e, nr, flags))
		return false;
	*room = mcfab_room_at_start(e, mcfab_rec_vc(e, nr), r);
	return true;
}

/*
 * MCFAB_ENG_SEPARABLE: which VC, among @width, wins a port. Headers that got their channel
 * in this very cycle yield to those that are @firm, all of which are @roomy. The turn is
 * passed on by pass_turn().
 */
static void take_bids(struct mcfab_chan *c, u32 width, u32 ready, u32 roomy, u32 firm)
{
	if (roomy)
		c->chosen = mcfab_in_turn(c, width, firm ?: roomy);
	else
		c->chosen = hweight32(ready) == 1 ? __ffs(ready) : U8_MAX;
}

static void pass_turn(struct mcfab_chan *c, u32 width)
{
	c->next = mcfab_next_vc(c->chosen, width);
}

/* was the channel granted in an earlier cycle? (MCFAB_ENG_SEPARABLE; headers are cold) */
static bool is_firm(const struct mcfab_engine *e, u32 nr)
{
	return e->flags & MCFAB_ENG_SEPARABLE && e->head[nr].granted != e->cycle;
}

/* could a node copy a flit out of a record? */
static bool copy_ready(const struct mcfab_engine *e, u32 nr)
{
	const struct mcfab_rec *r = &e->rec[nr];
	u32 strip, arrived, k;

	if (!(r->flags & MCFAB_REC_ABSORB))
		return false;
	arrived = mcfab_arrived(e, nr);
	strip = mcfab_len(e, nr, e->flags) - mcfab_copy_len(e, nr, e->flags);
	if (!(e->flags & MCFAB_ENG_COPIES))
		return arrived > e->head[nr].cons && e->head[nr].cons >= strip;
	for (k = e->copies[nr]; k != MCFAB_NONE; k = e->copy[k].next)
		if (arrived > e->copy[k].cons && e->copy[k].cons >= strip)
			return true;
	return false;
}

/* lock-step: has every branch of what is in @nr's buffer room at the start? */
static bool all_roomy(const struct mcfab_engine *e, u32 nr)
{
	u32 child;

	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child])
		if (!mcfab_room_at_start(e, mcfab_rec_vc(e, child), &e->rec[child]))
			return false;
	return true;
}

/* VCs of an input port, or injection channels of a node's */
static u32 input_width(const struct mcfab_engine *e, u32 chan)
{
	return chan < e->nchans ? e->vcs : e->inject;
}

/* what is at the front of one of them */
static u32 input_rec(const struct mcfab_engine *e, u32 chan, u32 v)
{
	if (chan < e->nchans)
		return e->came[chan * e->vcs + v];
	return e->source[(chan - e->nchans) * e->inject + v];
}

/* which VC of an input port may cross the crossbar; false: none is in use */
static bool choose_input(struct mcfab_engine *e, u32 chan)
{
	bool lockstep = e->flags & MCFAB_ENG_LOCKSTEP, used = false;
	u32 width = input_width(e, chan);
	u32 ready = 0, roomy = 0, firm = 0, v, child;

	for (v = 0; v < width; v++) {
		u32 nr = input_rec(e, chan, v);
		const struct mcfab_rec *r = &e->rec[nr];

		if (nr == MCFAB_NO_REC)
			continue;
		used = true;
		/*
		 * It cannot move. Turns must not be given to those: nothing may happen until
		 * the grant that is missing, and cycles without anything to do are skipped.
		 */
		if (lockstep && r->waiting)
			continue;
		if (copy_ready(e, nr)) {
			ready |= BIT(v);
			roomy |= BIT(v);
			firm |= BIT(v);
		}
		for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
			bool room = false;

			if (branch_ready(e, child, e->flags, &room)) {
				ready |= BIT(v);
				if (room)
					roomy |= BIT(v);
				if (room && is_firm(e, child))
					firm |= BIT(v);
			}
		}
		if (lockstep && !all_roomy(e, nr))
			roomy &= ~BIT(v);
	}
	if (e->flags & MCFAB_ENG_SEPARABLE)
		take_bids(&e->inport[chan], width, ready, roomy, firm);
	else
		mcfab_take_turns(&e->inport[chan], width, ready, roomy);
	return used;
}

/* does one of a channel's VCs, or the only one in use, cross it in this cycle? */
static bool output_open(const struct mcfab_engine *e, u32 nr)
{
	u32 vc = mcfab_rec_vc(e, nr);
	const struct mcfab_chan *c = &e->chan[mcfab_vc_chan(e, vc)];

	return c->owned < 2 || c->chosen == mcfab_vc_index(e, vc);
}

/*
 * MCFAB_ENG_SEPARABLE: an input port's turn passes if what it chose had room and crosses,
 * now that channels and nodes have chosen, too.
 */
static void settle_input(struct mcfab_engine *e, u32 chan)
{
	struct mcfab_chan *c = &e->inport[chan];
	u32 nr, child;
	bool room;

	if (c->chosen == U8_MAX)
		return;
	nr = input_rec(e, chan, c->chosen);
	if (copy_ready(e, nr) && (!(e->flags & MCFAB_ENG_SHARED) || mcfab_consumes(e, nr))) {
		pass_turn(c, input_width(e, chan));
		return;
	}
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		if (branch_ready(e, child, e->flags, &room) && room && output_open(e, child)) {
			pass_turn(c, input_width(e, chan));
			return;
		}
	}
}

/*
 * Which of two records of a router goes first, on every channel that they share. The
 * branches of a worm may meet again in a router, so it can be one worm that is in both;
 * the number of the VC would not do then, as it need not be the same on all channels.
 */
static bool goes_before(const struct mcfab_engine *e, u32 a, u32 b)
{
	u32 wa = e->rec[a].worm, wb = e->rec[b].worm;

	if (wa != wb)
		return mcfab_worm_before(e, &e->worm[wa], &e->worm[wb]);
	return mcfab_header_rank(e, a) < mcfab_header_rank(e, b);
}

/*
 * With lock-step replication turns would not do: two worms that share two channels
 * could be out of step on them for ever. The oldest worm all of whose branches have
 * room is the choice on every channel that it shares, so that one always moves.
 */
static void oldest(const struct mcfab_engine *e, u32 chan, u32 ready, u32 roomy)
{
	struct mcfab_chan *c = &e->chan[chan];
	u32 best = MCFAB_NONE, from, v;

	c->chosen = U8_MAX;
	if (hweight32(ready) == 1)
		c->chosen = __ffs(ready);
	for (v = 0; v < e->vcs && hweight32(ready) > 1; v++) {
		if (!(roomy & BIT(v)))
			continue;
		from = e->rec[mcfab_owner(e, chan * e->vcs + v)].parent;
		if (best != MCFAB_NONE && !goes_before(e, from, best))
			continue;
		best = from;
		c->chosen = v;
	}
}

/*
 * Tell the records of a channel's VCs which of them may cross: the move phase asks for every
 * flit, perhaps in another thread, and would find many channels in one line.
 */
static void tell_chosen(struct mcfab_engine *e, u32 chan)
{
	const struct mcfab_chan *c = &e->chan[chan];
	u32 v;

	for (v = 0; v < e->vcs; v++) {
		u32 nr = mcfab_owner(e, chan * e->vcs + v);
		bool held = c->owned >= 2 && c->chosen != v;

		if (nr == MCFAB_NO_REC)
			continue;
		if (held)
			e->rec[nr].entry |= MCFAB_ENTRY_HELD;
		else
			e->rec[nr].entry &= ~MCFAB_ENTRY_HELD;
	}
}

/* rules with more to the choice than who has a flit and who has room */
#define MORE_RULES	(MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SPEEDUP | MCFAB_ENG_SEPARABLE | \
			 MCFAB_ENG_PACKET | MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS | \
			 MCFAB_ENG_LINKS)

/* which VC crosses a channel that several own; @flags: the engine's, or 0: none of MORE_RULES */
static __always_inline void choose_output(struct mcfab_engine *e, u32 chan, const u32 flags)
{
	struct mcfab_chan *c = &e->chan[chan];
	bool lockstep = flags & MCFAB_ENG_LOCKSTEP;
	u32 ready = 0, roomy = 0, firm = 0, v;

	if (flags & MCFAB_ENG_PACKET && c->lock != U8_MAX) {
		c->chosen = c->lock;
		return;
	}
	for (v = 0; v < e->vcs; v++) {
		u32 nr = mcfab_owner(e, chan * e->vcs + v);
		bool room = false;

		if (nr == MCFAB_NO_REC || !branch_ready(e, nr, flags, &room))
			continue;
		if (lockstep && e->rec[e->rec[nr].parent].waiting)
			continue;
		if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, e->rec[nr].parent))
			continue;
		ready |= BIT(v);
		if (room && (!lockstep || all_roomy(e, e->rec[nr].parent)))
			roomy |= BIT(v);
		if (flags & MCFAB_ENG_SEPARABLE && room && is_firm(e, nr))
			firm |= BIT(v);
	}
	if (lockstep) {
		oldest(e, chan, ready, roomy);
	} else if (flags & MCFAB_ENG_SEPARABLE) {
		take_bids(c, e->vcs, ready, roomy, firm);
		if (roomy)
			pass_turn(c, e->vcs);
	} else {
		mcfab_take_turns(c, e->vcs, ready, roomy);
	}
}

/*
 * Which of the packets for its node takes the node's link: round robin by where they came
 * in, so that the order in which they are listed means nothing. False: there is none.
 */
static bool choose_consumed(struct mcfab_engine *e, u32 router)
{
	struct mcfab_consumer *c = &e->consumer[router];
	u32 ranks = e->ports * e->vcs, first = ranks, turn;
	u32 *at = &c->head;

	c->chosen = MCFAB_NONE;
	while (*at != MCFAB_NONE) {
		u32 vc = *at, nr = e->came[vc];

		if (!(e->rec[nr].flags & MCFAB_REC_ABSORB) ||
		    e->head[nr].cons >= mcfab_len(e, nr, e->flags)) {
			*at = e->consumed[vc];
			continue;
		}
		turn = mcfab_header_rank(e, nr);
		turn = turn < c->next ? turn + ranks - c->next : turn - c->next;
		if (turn < first && copy_ready(e, nr) &&
		    (!(e->flags & MCFAB_ENG_SPEEDUP) || mcfab_input_open(e, nr))) {
			first = turn;
			c->chosen = nr;
		}
		at = &e->consumed[vc];
	}
	if (c->chosen != MCFAB_NONE)
		c->next = mcfab_header_rank(e, c->chosen) + 1;
	return c->head != MCFAB_NONE;
}

/**
 * mcfab_switch_choose() - choose on every contended channel of a shard
 * @e: engine
 * @s: the shard
 *
 * With limited input speed-up the input ports choose first, then the channels, and
 * the nodes where their bandwidth is shared, among what the input ports chose.
 *
 * Context: end of the grant phase, when all grants of the cycle are made: a
 * channel granted in this cycle takes part.
 */
void mcfab_switch_choose(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i = 0;

	while (i < s->ninports) {
		mcfab_breathe(s->ninports - i);
		if (choose_input(e, s->inports[i])) {
			i++;
			continue;
		}
		e->inport[s->inports[i]].listed = 0;
		s->inports[i] = s->inports[--s->ninports];
	}
	for (i = 0; i < s->ncontended; ) {
		u32 chan = s->contended[i];

		mcfab_breathe(s->ncontended - i);
		if (e->chan[chan].owned < 2) {
			e->chan[chan].listed = 0;
			tell_chosen(e, chan);
			s->contended[i] = s->contended[--s->ncontended];
			continue;
		}
		if (e->flags & MORE_RULES)
			choose_output(e, chan, e->flags);
		else
			choose_output(e, chan, 0);
		tell_chosen(e, chan);
		i++;
	}
	for (i = 0; i < s->nconsuming; ) {
		mcfab_breathe(s->nconsuming - i);
		if (choose_consumed(e, s->consuming[i])) {
			i++;
			continue;
		}
		e->consumer[s->consuming[i]].listed = false;
		s->consuming[i] = s->consuming[--s->nconsuming];
	}
	for (i = 0; e->flags & MCFAB_ENG_SEPARABLE && i < s->ninports; i++)
		settle_input(e, s->inports[i]);
}
