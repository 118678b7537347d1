// SPDX-License-Identifier: GPL-2.0
/*
 * Mode flit: the flits of a worm move over all channels that it holds, from the head to the tail,
 * by any set of rules. A flit's move over a channel is a pass through advance(), which reads and
 * writes half a line of the channel's record. Worms that branch also need the record's head.
 * paths.c is faster, for the rules that most runs have.
 *
 * A worm in which no flit can move leaves the list of active worms until a grant wakes it.
 */
#include "engine/flit/advance.h"
#include "engine/message/message.h"
#include "engine/node/node.h"
#include "engine/state/flits.h"
#include "engine/state/port.h"
#include "trace/trace.h"

/* the tail has crossed the channel of @nr: take it off the list of its parent's branches */
static void unlink_branch(struct mcfab_engine *e, u32 nr)
{
	u32 *at = &e->children[e->rec[nr].parent];

	while (*at != nr)
		at = &e->sibling[*at];
	*at = e->sibling[nr];
}

/* the packet's last flit has crossed the channel */
static void tail_crossed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr)
{
	/* in lock-step all branches end at once, and so does the record that they read */
	if ((e->flags & MCFAB_ENG_BRANCHES) == MCFAB_ENG_SPEEDUP)
		unlink_branch(e, nr);
	if (e->hw.release_sent) {
		mcfab_worm_hold(&e->worm[e->rec[nr].worm], e->cycle + 1);
		mcfab_outbox_post(mcfab_outbox_up(e, s, mcfab_rec_vc(e, nr)), MCFAB_EVENT_RELEASE,
				  mcfab_release_of(e, nr));
		trace_mcfab_release(e, nr);
	}
}

/* copy flits to several nodes, each at its own pace */
static bool consume_copies(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			   struct mcfab_rec *r, u32 arrived, const u32 flags, bool *retry)
{
	u32 len = mcfab_len(e, nr, flags), strip = len - mcfab_copy_len(e, nr, flags);
	u32 least = len, k, next;
	bool moved = false;

	for (k = e->copies[nr]; k != MCFAB_NONE; k = next) {
		struct mcfab_copy *copy = &e->copy[k];

		next = copy->next;
		if (copy->cons < arrived && copy->cons >= strip && flags & MCFAB_ENG_SPEEDUP &&
		    !mcfab_input_open(e, nr, flags)) {
			*retry = true;
		} else if (copy->cons < arrived && copy->cons >= strip &&
			   !mcfab_copy_open(e, copy, flags)) {
			*retry = true;
		} else if (copy->cons < arrived) {
			moved = true;
			if (flags & MCFAB_ENG_RATES && copy->cons >= strip &&
			    copy->node != MCFAB_NONE)
				mcfab_copy_tap(e, copy)->next =
					e->cycle + mcfab_topo_pace_out(e->topo, copy->node);
			if (copy->cons++ == strip)
				copy->header = e->cycle + e->hw.consume_delay - 1;
			if (copy->cons == len) {
				mcfab_copy_deliver(e, s, copy);
				mcfab_copy_remove(e, k);
				continue;
			}
		}
		least = min(least, copy->cons);
	}
	e->head[nr].cons = least;
	return moved;
}

/* copy a flit to the node; @arrived: flits in or through the buffer at the start */
static bool consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, struct mcfab_rec *r,
		    u32 arrived, const u32 flags, bool *retry)
{
	struct mcfab_head *f = &e->head[nr];
	u32 len = mcfab_len(e, nr, flags), copy = mcfab_copy_len(e, nr, flags);

	if (flags & MCFAB_ENG_COPIES)
		return consume_copies(e, s, nr, r, arrived, flags, retry);
	if (f->cons >= arrived)
		return false;
	/* strip header flits for other destinations: they are no flits of the copy */
	if (f->cons + copy < len) {
		f->cons++;
		return true;
	}
	if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, nr, flags)) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_SHARED && !mcfab_consumes(e, nr, flags)) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_BOOKSIM)
		mcfab_turn_consumed(&e->wire[nr]);
	if (f->cons++ + copy == len)
		f->delivered = e->cycle + e->hw.consume_delay - 1;
	if (f->cons == len)
		mcfab_rec_deliver(e, s, nr);
	return true;
}

/* do a record's flits come over a host's link that does not take one in every cycle? */
static inline bool from_slow_port(const struct mcfab_engine *e, const struct mcfab_rec *r,
				  const u32 flags)
{
	return flags & MCFAB_ENG_RATES && r->flags & MCFAB_REC_INJECT &&
	       mcfab_topo_pace_in(e->topo, e->worm[r->worm].node) > 1;
}

/* may a flit cross into @r in this cycle, as far as room, other VCs and the link's rate go? */
static __always_inline bool may_enter(struct mcfab_engine *e, u32 nr,
				      struct mcfab_rec *r, u32 freed,
				      const u32 flags, bool *retry)
{
	if (flags & MCFAB_ENG_MULTI && r->entry & MCFAB_ENTRY_HELD) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_SPEEDUP && !mcfab_input_open(e, r->parent, flags)) {
		*retry = true;
		return false;
	}
	if (!mcfab_link_open(e, r->vc, flags)) {
		*retry = true;
		return false;
	}
	if (flags & MCFAB_ENG_CREDITS) {
		bool room;

		/* a worm that is alone in its FIFO may use room that it makes in this cycle */
		if (mcfab_rec_alone(e, r, flags))
			room = r->sent - (e->hw.credit_delay ? r->freed : freed) < e->hw.buffer;
		else if (!e->hw.credit_delay && mcfab_vc_front(e, r->vc) == nr)
			room = r->sent - freed < e->hw.buffer;
		else
			room = mcfab_rec_credits(e, &e->fifo[r->vc], r, flags);
		if (!room) {
			*retry = true;
			return false;
		}
		return true;
	}
	return r->sent - freed < e->hw.buffer;
}

/* the first or last flit of a packet has crossed */
static void end_crossed(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			struct mcfab_rec *r, u32 len)
{
	if (r->sent == 1)
		e->head[nr].crossed = e->cycle;
	/* store-and-forward has packets of one length */
	if (r->sent == (e->hw.store ? e->run.flits : 1))
		mcfab_outbox_post(mcfab_outbox_down(e, s, mcfab_rec_vc(e, nr)),
				  MCFAB_EVENT_HEADER, nr);
	if (r->sent < len)
		return;
	if (e->hw.store) {
		r->entry = MCFAB_ENTRY_KNOWN;
		e->head[nr].due = e->cycle;
	} else if (e->flags & MCFAB_ENG_CREDITS) {
		mcfab_count_packet(e, r, len);
	}
	tail_crossed(e, s, nr);
}

static __always_inline void cross(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
				  struct mcfab_rec *r, const u32 flags)
{
	u32 len = mcfab_len(e, nr, flags);

	r->sent++;
	if (flags & MCFAB_ENG_LINKS)
		mcfab_wire_cross(&e->wire[nr], mcfab_link_delay(e, r->vc));
	if (flags & MCFAB_ENG_RATES) {
		u32 chan = mcfab_vc_chan(e, mcfab_rec_vc(e, nr));

		e->next_flit[chan] = e->cycle + mcfab_topo_pace(e->topo, chan);
	}
	if (flags & MCFAB_ENG_CREDITS && unlikely(e->hw.store))
		e->fifo[mcfab_rec_vc(e, nr)].entered++;
	if (flags & MCFAB_ENG_PACKET)
		e->chan[mcfab_vc_chan(e, mcfab_rec_vc(e, nr))].lock =
			r->sent == len ? U8_MAX : mcfab_vc_index(e, mcfab_rec_vc(e, nr));
	if (r->sent == 1 || r->sent == len)
		end_crossed(e, s, nr, r, len);
}

/*
 * Lock-step replication: a flit leaves a buffer over all branches in one cycle or
 * not at all. advance() has been at the branches before, and has noted in @ready which of
 * them can take a flit. All branches are granted, as the record does not wait any more.
 */
static bool step_together(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
			  struct mcfab_rec *r, u32 arrived, const u32 flags, bool *retry)
{
	u32 child;

	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		e->head[nr].reads = e->rec[child].sent;
		if (!e->ready[child])
			return false;
	}
	if (r->flags & MCFAB_REC_ABSORB && !mcfab_copies_open(e, nr, flags)) {
		*retry = true;
		return false;
	}
	if (r->flags & MCFAB_REC_ABSORB && !consume(e, s, nr, r, arrived, flags, retry))
		return false;
	for (child = e->children[nr]; child != MCFAB_NONE; child = e->sibling[child]) {
		e->ready[child] = 0;
		cross(e, s, child, &e->rec[child], flags);
		e->head[nr].reads = e->rec[child].sent;
	}
	return true;
}

/*
 * Move the flits of one worm by one cycle, record by record, newest first. A branch is always
 * newer than the record that it reads. So when a record's turn comes, its branches have moved, and
 * its parent is still as at the start of the cycle.
 *
 * @flags is a constant: the compiler makes one function for each set of rules.
 *
 * Return: true if flits have moved, or may move in the next cycle without a grant.
 */
static __always_inline bool advance(struct mcfab_engine *e, struct mcfab_shard *s,
				    struct mcfab_worm *w, const u32 flags)
{
	u32 *at = &w->newest, parent = MCFAB_NONE, there = 0;
	bool moved = false, retry = false;

	while (*at != MCFAB_NONE) {
		u32 nr = *at;
		struct mcfab_rec *r = &e->rec[nr];
		struct mcfab_head *f = &e->head[nr];
		/* a branch, which comes before the record that it reads, has counted already */
		u32 arrived = nr == parent ? there : mcfab_arrived(e, nr, flags);
		u32 len = mcfab_len(e, nr, flags);
		bool together = flags & MCFAB_ENG_LOCKSTEP;
		u32 freed;

		retry |= arrived != r->sent;
		if (flags & MCFAB_ENG_LINKS && !(r->flags & MCFAB_REC_INJECT))
			mcfab_wire_step(&e->wire[nr], mcfab_link_delay(e, r->vc));
		if (together && !r->waiting)
			moved |= step_together(e, s, nr, r, arrived, flags, &retry);
		else if (!together && r->flags & MCFAB_REC_ABSORB)
			moved |= consume(e, s, nr, r, arrived, flags, &retry);
		freed = r->waiting ? r->freed : f->reads;
		if (r->flags & MCFAB_REC_ABSORB && !r->waiting)
			freed = min(freed, f->cons);
		f->reads = U32_MAX;

		/* if the whole packet has crossed, the parent may be another worm's by now */
		if (!(r->flags & MCFAB_REC_INJECT) && r->sent < len) {
			struct mcfab_head *p = &e->head[r->parent];

			parent = r->parent;
			there = mcfab_arrived(e, parent, flags);
			if (there > mcfab_read(e, nr, flags) && mcfab_strip(e, nr, flags)) {
				e->strip[nr]--;
				moved = true;
			} else if (there > mcfab_read(e, nr, flags) &&
				   may_enter(e, nr, r, freed, flags, &retry)) {
				if (together) {
					e->ready[nr] = 1;
				} else {
					if (flags & MCFAB_ENG_BOOKSIM)
						e->wire[parent].turn |= MCFAB_TURN_USED;
					cross(e, s, nr, r, flags);
					moved = true;
				}
			} else if (together) {
				e->ready[nr] = 0;
			}
			if (!together)
				p->reads = min(p->reads, mcfab_read(e, nr, flags));
		}
		if (freed != r->freed) {
			moved = true;
			mcfab_flits_freed(e, s, nr, r, freed, flags);
			if (flags & MCFAB_ENG_PORTS && r->flags & MCFAB_REC_INJECT &&
			    !from_slow_port(e, r, flags))
				r->sent = min(len, freed + e->hw.buffer);
			if (freed == len) {
				*at = r->older;
				mcfab_rec_drained(e, s, nr, r);
				continue;
			}
		}
		at = &r->older;
	}
	return moved || retry;
}

static noinline void move_vcs(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_move_worms(e, s, advance, MCFAB_ENG_MULTI);
}

static noinline void move_fifos(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_move_worms(e, s, advance, MCFAB_ENG_MULTI | MCFAB_ENG_CREDITS);
}

static noinline void move_booksim(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_move_worms(e, s, advance, MCFAB_BOOKSIM_RULES | (e->flags & MCFAB_ENG_MULTI));
}

static noinline void move_any(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_move_worms(e, s, advance, e->flags);
}

/**
 * mcfab_worms_move() - move the flits of a shard's worms
 * @e: engine
 * @s: the shard
 *
 * Context: move phase.
 */
void mcfab_worms_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_flits_hear(e, s);
	if (!(e->flags & ~MCFAB_ENG_MULTI))
		move_vcs(e, s);
	else if (e->flags == (MCFAB_ENG_MULTI | MCFAB_ENG_CREDITS))
		move_fifos(e, s);
	else if (e->flags & MCFAB_ENG_BOOKSIM)
		move_booksim(e, s);
	else
		move_any(e, s);
	if (e->flags & MCFAB_ENG_RATES)
		mcfab_slow_ports_fill(e, s);
}
