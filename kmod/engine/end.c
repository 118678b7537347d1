// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a run: what is still under way is counted, the run gets its verdict and its state.
 *
 * Everything here runs at the boundary, one thread alone.
 */
#include "engine/account/account.h"
#include "engine/engine.h"
#include "engine/internal.h"
#include "engine/node/node.h"
#include "engine/outside/outside.h"
#include "engine/watch/watch.h"
#include "stats/report.h"
#include "trace/trace.h"

/* reasons to cut a run whose window says nothing */
#define FLOODED		"half of all messages never left their sources"
#define BLURRED		"the window is too small a part of the run to be judged"

/**
 * mcfab_note_progress() - bring the numbers up to date that readers see of a run under way
 * @e: engine
 *
 * Context: boundary; the lock of the results is held.
 */
void mcfab_note_progress(struct mcfab_engine *e)
{
	struct mcfab_progress *p = &e->results->progress;
	const struct mcfab_stats *st = &e->results->stats;
	u32 i, k;

	p->cycle = e->cycle - (e->run.lone ? e->boundary.base : 0);
	e->results->queue_max = mcfab_queues_longest(e);
	p->messages = 0;
	for (i = 0; i < st->classes; i++)
		p->messages += st->class[i].all.messages;
	p->deliveries = 0;
	p->flit_hops = 0;
	memset(p->drops, 0, sizeof(p->drops));
	if (e->flags & MCFAB_ENG_HOST)
		mcfab_host_use(e, &p->ni);
	for (i = 0; i < e->nshards; i++) {
		for (k = 0; k <= MCFAB_DROPS; k++)
			p->drops[k] += e->shard[i].drops[k];
		p->deliveries += e->shard[i].deliveries;
		p->flit_hops += e->shard[i].flit_hops;
	}
	if (e->mode->released)
		p->flit_hops += e->mode->released(e) * e->run.flits;
}

/* a run has come to its end: the reason if it is saturated or cut; NULL: it is done */
static const char *judge(struct mcfab_engine *e, enum mcfab_run_status *state)
{
	const struct mcfab_stats *st = &e->results->stats;
	struct mcfab_saturation sat;

	mcfab_stats_saturation(st, &sat);
	if (sat.verdict == MCFAB_VERDICT_SATURATED) {
		*state = MCFAB_RUN_STATUS_SATURATED;
		return "more was generated than delivered";
	}
	if (st->window.timed) {
		*state = MCFAB_RUN_STATUS_CUT;
		return FLOODED;
	}
	if (sat.verdict == MCFAB_VERDICT_STEADY || st->window.phase != MCFAB_PHASE_DONE ||
	    (!e->boundary.flooded && !mcfab_stats_blurred(st)))
		return NULL;
	*state = MCFAB_RUN_STATUS_CUT;
	return e->boundary.flooded ? FLOODED : BLURRED;
}

/* the last cycle in which anything happened, or the current one */
static u64 end_cycle(const struct mcfab_engine *e, enum mcfab_run_status state)
{
	if (e->run.lone)
		return e->boundary.longest;
	/* a run with messages from outside goes on, and then waits for more */
	return state == MCFAB_RUN_STATUS_DONE && e->outside.rest ? e->outside.rest : e->cycle;
}

/**
 * mcfab_end_run() - end a run
 * @e: engine
 * @state: how it ended; a run that is done may turn out to be saturated, cut or failed
 * @why: the reason, or NULL
 *
 * Context: boundary. May sleep; takes the lock of the results.
 * Return: false: no further cycle.
 */
bool mcfab_end_run(struct mcfab_engine *e, enum mcfab_run_status state, const char *why)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_results *results = e->results;
	u64 cycle = end_cycle(e, state);
	const char *wrong;
	bool complete;

	results->progress.state_bytes = mcfab_touched(e);
	mcfab_mode_leave(e);
	mcfab_mode_show(e);
	cond_resched();
	wrong = mcfab_check(e, state == MCFAB_RUN_STATUS_DONE && b->idle);
	if (wrong && state != MCFAB_RUN_STATUS_FAILED) {
		state = MCFAB_RUN_STATUS_FAILED;
		why = wrong;
	}
	mcfab_queues_look(e);
	if (e->outside.from)
		mcfab_outside_end(e);
	mutex_lock(&results->lock);
	complete = results->stats.window.phase == MCFAB_PHASE_DONE || results->stats.window.timed;
	mcfab_flush_incomplete(e);
	/* messages after the window's end may be counted while others in it are not complete */
	results->stats.window.partial |= !complete;
	if (unlikely(e->shard[0].broken && state != MCFAB_RUN_STATUS_FAILED)) {
		state = MCFAB_RUN_STATUS_FAILED;
		why = e->shard[0].broken;
	}
	mcfab_load_end(&results->stats.load, e->cycle);
	if (state == MCFAB_RUN_STATUS_DONE) {
		mcfab_window_finish(&results->stats.window);
		why = judge(e, &state);
	}
	mcfab_stats_finish(&results->stats, state, cycle);
	mcfab_note_progress(e);
	results->progress.cycle = cycle;
	results->progress.hash = results->stats.hash;
	results->progress.has_hash = results->stats.has_hash;
	if (why)
		strscpy(results->progress.why, why, sizeof(results->progress.why));
	if (!b->counted)
		mcfab_channels_end(e);
	mcfab_sources_rest(e);
	b->state = state;
	mcfab_report_publish(results);
	trace_mcfab_run_end(e);
	mutex_unlock(&results->lock);
	return false;
}

/**
 * mcfab_end_overdue() - end a run beyond saturation: the time of its window is over
 * @e: engine; not all messages of the window were delivered
 *
 * Context: boundary. May sleep; takes the lock of the results.
 * Return: false: no further cycle.
 */
bool mcfab_end_overdue(struct mcfab_engine *e)
{
	mutex_lock(&e->results->lock);
	mcfab_window_elapse(&e->results->stats.window, e->cycle);
	mutex_unlock(&e->results->lock);
	return mcfab_end_run(e, MCFAB_RUN_STATUS_DONE, NULL);
}
