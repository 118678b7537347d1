// SPDX-License-Identifier: GPL-2.0
/* Where messages come from outside: what the boundary does for them, and the end of the run. */
#include "engine/account/account.h"
#include "engine/engine.h"
#include "engine/internal.h"
#include "engine/outside/outside.h"
#include "stats/report.h"

/* cycles for messages from outside to arrive when their run is stopped */
#define DRAIN_CYCLES	100000
/* milliseconds without a message after which readers see that nothing is under way */
#define IDLE_SHOW_MS	50

/* with no message under way: write a page for readers before the run sleeps */
static void show_idle(struct mcfab_engine *e)
{
	struct mcfab_results *results = e->results;

	mutex_lock(&results->lock);
	mcfab_flush(e, U64_MAX);
	mcfab_note_progress(e);
	mcfab_report_publish(results);
	mutex_unlock(&results->lock);
	e->outside.shown = true;
}

/**
 * mcfab_outside_boundary() - tell the outside what was delivered, let it decide when the run may go
 *			      on, and accept its messages
 * @e: engine with messages from outside
 * @next: the next cycle with anything to do for the engine, U64_MAX: none
 *
 * Context: boundary. May sleep until there is a message, or something else to do.
 * Return: the next cycle with anything to do for the engine or the outside; U64_MAX: all messages
 *	   have arrived and no more are accepted, or nothing that is under way can move.
 */
u64 mcfab_outside_boundary(struct mcfab_engine *e, u64 next)
{
	struct mcfab_outsides *o = &e->outside;
	u64 past, first;
	bool still, idle, held, drain;

	next = min(next, mcfab_outside_out(e));
	if (next == U64_MAX)
		next = mcfab_mode_rest(e);
	still = next == U64_MAX;
	idle = still && mcfab_pool_whole(&e->worm_pool);
	if (!idle)
		o->rest = 0;
	else if (!o->rest)
		o->rest = e->cycle;
	drain = READ_ONCE(o->drain);
	if (drain && !o->drained_by)
		o->drained_by = e->cycle + DRAIN_CYCLES;
	/* messages that had to wait for room have it now */
	if (idle && !drain && o->nturns) {
		next = e->cycle + 1;
		still = false;
		idle = false;
	}
	/* what is under way may wait for a full node: then it moves when the node has room */
	held = o->nfull && !idle;
	if (!held && (drain || (still && !idle)))
		return next;
	if (idle && !o->shown && mcfab_report_due(e->results))
		show_idle(e);
	next = min(next, max(e->faults.due, e->cycle + 1));
	past = o->from->ops->wait(o->from, e->cycle, next, still,
				  idle && !o->shown ? IDLE_SHOW_MS : 0);
	mcfab_outside_reopen(e);
	first = mcfab_outside_in(e);
	if (first != U64_MAX)
		o->shown = false;
	return min3(next, first, past + 1);
}

/**
 * mcfab_engine_stop() - ask a run to end
 * @e: engine
 *
 * A run with messages from outside accepts no more; it is done when those under way have arrived.
 * If they do not within 100,000 cycles, or at a second call, the run ends as stopped, as other runs
 * do at once.
 *
 * Context: any but an interrupt; the engine is open.
 */
void mcfab_engine_stop(struct mcfab_engine *e)
{
	if (!e->outside.from || xchg(&e->outside.drain, true))
		WRITE_ONCE(e->boundary.stop, true);
	mcfab_engine_kick(e);
}

/**
 * mcfab_engine_kick() - there is something to do for the boundary
 * @e: engine
 *
 * Context: any but an interrupt; the engine is open.
 */
void mcfab_engine_kick(struct mcfab_engine *e)
{
	if (e->outside.from)
		e->outside.from->ops->kick(e->outside.from);
}
