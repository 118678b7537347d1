// SPDX-License-Identifier: GPL-2.0
/*
 * Mode path-flit: single flits by the rules that most runs have, and by those of router booksim,
 * see mcfab_paths_exact(). It does the same as advance.c, to the cycle, with half as many
 * instructions. A record is read by one channel at most, whose record is next to it in the worm's
 * list. So the number of flits that this channel has read stays in a local variable, and each
 * record is read once.
 */
#include "engine/flit/cruise.h"
#include "engine/flit/path.h"
#include "engine/node/node.h"
#include "engine/state/flits.h"
#include "engine/state/port.h"

/**
 * mcfab_paths_exact() - does mcfab_paths_move() know all rules of a run?
 * @e: engine; its flags and delays are set
 * @why: set to what stands against it
 *
 * Context: any.
 * Return: true if worms are paths, and either links are as short as can be, credits seen at once,
 *	   and flits compete for channels alone; or MCFAB_ENG_BOOKSIM is on.
 */
bool mcfab_paths_exact(const struct mcfab_engine *e, const char **why)
{
	*why = NULL;
	if (e->run.branching)
		*why = MCFAB_WHY_BRANCHING;
	else if (e->run.held && e->flags & MCFAB_ENG_PORTS)
		*why = MCFAB_WHY_HELD;
	else if (e->flags & MCFAB_ENG_BOOKSIM)
		return true;
	else if (e->hw.store)
		*why = "switching saf";
	else if (e->flags & MCFAB_ENG_UNEVEN)
		*why = MCFAB_WHY_UNEVEN;
	else if (e->hw.credit_delay)
		*why = "a credit-delay";
	else if (e->flags & MCFAB_ENG_LINKS)
		*why = mcfab_why_links(e);
	else if (e->flags & MCFAB_ENG_HEADERS)
		*why = "headers on";
	else if (e->flags & MCFAB_ENG_LENGTHS)
		*why = mcfab_why_lengths(e);
	else if (e->flags & MCFAB_ENG_PACKET)
		*why = "link-arbitration packet";
	else if (e->flags & MCFAB_ENG_LOCKSTEP)
		*why = "replication lockstep";
	else if (e->flags & MCFAB_ENG_SPEEDUP)
		*why = "input-speedup 1";
	else if (e->flags & MCFAB_ENG_SHARED)
		*why = "node-bandwidth shared";
	return !*why;
}

/*
 * Copy a flit to the node; @arrived: flits in or through the buffer at the start. Return: may flits
 * be copied in this cycle, or in the next one?
 */
static bool consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 arrived,
		    const u32 flags)
{
	struct mcfab_head *f = &e->head[nr];

	if (f->cons >= arrived)
		return false;
	if (flags & MCFAB_ENG_BOOKSIM) {
		if (!mcfab_input_open(e, nr, flags) || !mcfab_consumes(e, nr, flags))
			return true;
		mcfab_turn_consumed(&e->wire[nr]);
	}
	if (!f->cons++)
		f->delivered = e->cycle + e->hw.consume_delay - 1;
	if (f->cons == e->run.flits)
		mcfab_rec_deliver(e, s, nr);
	return true;
}

/* the wire of a record; NULL: there are none by these rules */
static __always_inline struct mcfab_wire *wire_of(const struct mcfab_engine *e, u32 nr,
						  const u32 flags)
{
	return flags & (MCFAB_ENG_LINKS | MCFAB_ENG_BOOKSIM) ? &e->wire[nr] : NULL;
}

/* flits that have come to a buffer, of @sent; the wire of a source's record has them all, too */
static __always_inline u32 arrived(const struct mcfab_wire *wire, u32 sent, const u32 flags)
{
	return flags & MCFAB_ENG_LINKS ? wire->arrived : sent;
}

/* flit number @sent of a packet (counted from 1) crosses */
static __always_inline void cross(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_worm *w, u32 nr, struct mcfab_rec *r, u32 sent,
				  const u32 flags)
{
	r->sent = sent;
	if (sent == 1) {
		e->head[nr].crossed = e->cycle;
		mcfab_outbox_post(mcfab_outbox_down(e, s, r->vc), MCFAB_EVENT_HEADER, nr);
	}
	if (sent < e->run.flits)
		return;
	/* the record before lives on if a node has still to copy flits from it */
	if (flags & MCFAB_ENG_SPEEDUP)
		e->children[r->parent] = MCFAB_NONE;
	mcfab_path_crossed(e, s, w, nr, r, flags);
}

/*
 * May a flit enter? @from: record that it leaves; @freed: flits that have left this one, including
 * a flit of this cycle.
 */
static __always_inline bool may_enter(const struct mcfab_engine *e, const struct mcfab_rec *r,
				      u32 from, u32 sent, u32 freed, const u32 flags)
{
	if (flags & MCFAB_ENG_MULTI && r->entry & MCFAB_ENTRY_HELD)
		return false;
	/* all flits count in the FIFO, also those of a packet that is alone there */
	if (flags & MCFAB_ENG_BOOKSIM)
		return mcfab_input_open(e, from, flags) &&
		       mcfab_fifo_roomy(e, &e->fifo[r->vc], e->fifo[r->vc].entered + sent);
	/* behind other packets: credits decide */
	if (flags & MCFAB_ENG_CREDITS && r->entry == MCFAB_ENTRY_COUNTED)
		return mcfab_rec_credits(e, &e->fifo[r->vc], r, flags);
	return sent - freed < e->hw.buffer;
}

/*
 * As advance() of advance.c; @flags: MCFAB_ENG_MULTI, MCFAB_ENG_CREDITS, MCFAB_ENG_PORTS,
 * MCFAB_BOOKSIM_RULES, MCFAB_ENG_FAR, MCFAB_ENG_CRUISE.
 */
static __always_inline bool advance(struct mcfab_engine *e, struct mcfab_shard *s,
				    struct mcfab_worm *w, const u32 flags)
{
	struct mcfab_rec *const rec = e->rec;
	const u64 last = BIT_ULL(e->hw.link_delay - 1);
	const u32 len = e->run.flits;
	u32 *at = &w->newest, nr = w->newest, read = U32_MAX;
	struct mcfab_rec *r = &rec[nr];
	struct mcfab_wire *wire = wire_of(e, nr, flags);
	bool again = false;
	const u32 *trail = NULL;
	u32 left = 0, ahead = 0;
	bool steady = true;

	if (flags & MCFAB_ENG_FAR) {
		trail = mcfab_trail(e, w - e->worm);
		ahead = atomic_read(&w->traffic) - MCFAB_TRAIL_AHEAD;
		if ((s32)ahead > 0)
			left = min(ahead, MCFAB_TRAIL - MCFAB_TRAIL_AHEAD);
	}
	while (nr != MCFAB_NONE) {
		u32 sent = r->sent, freed = read, from = r->older;
		bool crossed = false;
		struct mcfab_rec *p = &rec[from];
		struct mcfab_wire *before = wire_of(e, from, flags);

		if (flags & MCFAB_ENG_FAR && left) {
			left--;
			prefetchw(&rec[trail[--ahead % MCFAB_TRAIL]]);
		}
		if (r->flags & MCFAB_REC_ABSORB) {
			u32 cons = e->head[nr].cons;

			again |= consume(e, s, nr, arrived(wire, sent, flags), flags);
			freed = min(freed, e->head[nr].cons);
			steady &= freed != r->freed;
			if (flags & MCFAB_ENG_CRUISE)
				steady &= e->head[nr].cons != cons || cons == len;
		}
		if (r->waiting)
			freed = r->freed;
		read = U32_MAX;
		/* of a source's record @sent is @len from the beginning */
		if (sent < len) {
			if (arrived(before, p->sent, flags) > sent) {
				/* it may move in the next cycle, without an event that says so */
				again |= flags & MCFAB_ENG_CREDITS || r->entry & MCFAB_ENTRY_HELD;
				if (may_enter(e, r, from, sent, freed, flags)) {
					if (flags & MCFAB_ENG_BOOKSIM)
						before->turn |= MCFAB_TURN_USED;
					crossed = true;
					cross(e, s, w, nr, r, ++sent, flags);
					again = true;
				}
			}
			steady &= crossed;
			read = sent;
		}
		if (flags & MCFAB_ENG_LINKS && wire->crossing | crossed) {
			again = true;
			mcfab_wire_pass(wire, last, crossed);
		}
		if (freed != r->freed) {
			again = true;
			mcfab_flits_freed(e, s, nr, r, freed, flags);
		}
		if (freed == len) {
			*at = from;
			mcfab_path_drained(e, s, nr, r, flags);
		} else {
			at = &r->older;
		}
		nr = from;
		r = p;
		wire = before;
	}
	if (flags & MCFAB_ENG_CRUISE) {
		w->steady = steady ? w->steady + 1 : 0;
		if (w->steady >= mcfab_cruise_steady(e) && mcfab_cruise_take_off(e, s, w))
			return false;
	}
	return again;
}

/* a packet of one flit that does not just go on to the next router */
static noinline bool advance_rest(struct mcfab_engine *e, struct mcfab_shard *s,
				  struct mcfab_worm *w, const u32 flags)
{
	return advance(e, s, w, flags);
}

/*
 * advance() for packets of one flit: the worm has the record that its header got last, and mostly
 * one before it with the flit. When the flit has crossed, it rests until the next grant.
 */
static __always_inline bool advance_single(struct mcfab_engine *e, struct mcfab_shard *s,
					   struct mcfab_worm *w, const u32 flags)
{
	u32 nr = w->newest, from;
	struct mcfab_rec *r, *p;

	if (unlikely(nr == MCFAB_NONE))
		return false;
	r = &e->rec[nr];
	from = r->older;
	if (from == MCFAB_NONE)
		return advance_rest(e, s, w, flags);
	p = &e->rec[from];
	/* a path worm may be copied on its way, or wait for that, here or farther back */
	if ((r->flags | p->flags) & MCFAB_REC_ABSORB || p->waiting || p->older != MCFAB_NONE)
		return advance_rest(e, s, w, flags);
	if (!may_enter(e, r, from, 0, 0, flags))
		return true;
	cross(e, s, w, nr, r, 1, flags);
	mcfab_flits_freed(e, s, from, p, 1, flags);
	r->older = MCFAB_NONE;
	mcfab_path_drained(e, s, from, p, flags);
	return false;
}

/* mcfab_move_worms() by rules that are a constant */
#define MOVE(name, advance, rules)								\
static noinline void move_##name(struct mcfab_engine *e, struct mcfab_shard *s)			\
{												\
	mcfab_move_worms(e, s, advance, rules);							\
}

#define VCS	MCFAB_ENG_MULTI
#define FIFOS	(MCFAB_ENG_MULTI | MCFAB_ENG_CREDITS)
/* hosts' ports exist only with FIFOs */
#define PORTS	(FIFOS | MCFAB_ENG_PORTS)
#define BOOKSIM	MCFAB_BOOKSIM_RULES

MOVE(vcs, advance, VCS)
MOVE(vcs_far, advance, VCS | MCFAB_ENG_FAR)
MOVE(vcs_landed, advance, VCS | MCFAB_ENG_CRUISE)
MOVE(vcs_landed_far, advance, VCS | MCFAB_ENG_CRUISE | MCFAB_ENG_FAR)
MOVE(fifos, advance, FIFOS)
MOVE(fifos_far, advance, FIFOS | MCFAB_ENG_FAR)
MOVE(fifos_landed, advance, FIFOS | MCFAB_ENG_CRUISE)
MOVE(fifos_landed_far, advance, FIFOS | MCFAB_ENG_CRUISE | MCFAB_ENG_FAR)
MOVE(ports, advance, PORTS)
MOVE(single, advance_single, VCS)
MOVE(single_fifos, advance_single, PORTS)
MOVE(booksim, advance, BOOKSIM)
MOVE(booksim_vcs, advance, BOOKSIM | MCFAB_ENG_MULTI)
MOVE(booksim_landed, advance, BOOKSIM | MCFAB_ENG_CRUISE)
MOVE(booksim_vcs_landed, advance, BOOKSIM | MCFAB_ENG_MULTI | MCFAB_ENG_CRUISE)

static void by_booksim_rules(struct mcfab_engine *e, struct mcfab_shard *s)
{
	bool vcs = e->flags & MCFAB_ENG_MULTI;

	if (mcfab_cruise_again(e))
		(vcs ? move_booksim_vcs_landed : move_booksim_landed)(e, s);
	else
		(vcs ? move_booksim_vcs : move_booksim)(e, s);
}

static void by_simple_rules(struct mcfab_engine *e, struct mcfab_shard *s)
{
	bool fifos = e->flags & MCFAB_ENG_CREDITS, far = e->flags & MCFAB_ENG_FAR;

	/* none can be lost on a link */
	if (e->run.flits == 1 && !e->hw.may_cut)
		(fifos ? move_single_fifos : move_single)(e, s);
	else if (e->flags & MCFAB_ENG_PORTS)
		move_ports(e, s);
	else if (mcfab_cruise_again(e) && fifos)
		(far ? move_fifos_landed_far : move_fifos_landed)(e, s);
	else if (mcfab_cruise_again(e))
		(far ? move_vcs_landed_far : move_vcs_landed)(e, s);
	else if (fifos)
		(far ? move_fifos_far : move_fifos)(e, s);
	else
		(far ? move_vcs_far : move_vcs)(e, s);
}

/**
 * mcfab_paths_move() - move the flits of a shard's worms
 * @e: engine with MCFAB_ENG_PATHS
 * @s: the shard, whose worms have heard of their grants, see mcfab_flits_hear()
 *
 * Context: move phase.
 */
void mcfab_paths_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	if (e->flags & MCFAB_ENG_BOOKSIM)
		by_booksim_rules(e, s);
	else
		by_simple_rules(e, s);
}
