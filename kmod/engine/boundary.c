// SPDX-License-Identifier: GPL-2.0
/*
 * The boundary between two cycles, computed by one thread while the others wait: has the
 * run ended, which cycle comes next, and, every so often, statistics and the search for
 * deadlocks. Its decisions depend on simulated cycles, never on threads.
 */
#include "base/job.h"
#include "engine/account/account.h"
#include "engine/engine.h"
#include "engine/flit/rows.h"
#include "engine/internal.h"
#include "engine/node/node.h"
#include "engine/watch/watch.h"
#include "stats/report.h"
#include "trace/trace.h"

/* least distance of two looks at statistics, stopping rule and waiting headers */
#define CHECK_CYCLES	1024U
/* lone multicasts that are put in order between two scheduling points */
#define STEP_LONE	256
/* least cycles between two flushes because pools run low */
#define FLUSH_CYCLES	64

/*
 * Cycles between two looks. A look costs a pass over all nodes: keep it small against the cycles,
 * but look when the cycles that were asked for are over.
 */
static u64 check_interval(const struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	u64 asked = (run->warmup == MCFAB_NONE ? 0 : run->warmup) +
		    (u64)run->batches * run->batch_cycles;

	return max_t(u64, CHECK_CYCLES, min_t(u64, asked, e->topo->nodes / 16));
}

static u64 stall_interval(const struct mcfab_engine *e)
{
	return max(e->cfg->stall_limit / 4, 1U);
}

/*
 * Lone multicasts have no influence on each other, so they run in the order of the result
 * hash, (source, number), and no deliveries have to be kept. There may be many millions of
 * them: count the multicasts of each source, then put each multicast in its place. The
 * nodes' sequence numbers, which are not in use yet, are the counters.
 */
static int order_lone(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 i, n, source, first = 0;

	for (i = 0; i < b->nlone; i++) {
		mcfab_workload_lone(&e->work, i, &source, NULL);
		e->node[source].stream.index++;
		if (!(i % STEP_LONE) && mcfab_job_step(i, 2 * (u64)b->nlone))
			return -EINTR;
	}
	for (i = 0; i < e->topo->nodes; i++) {
		n = e->node[i].stream.index;
		e->node[i].stream.index = first;
		first += n;
	}
	for (i = 0; i < b->nlone; i++) {
		mcfab_workload_lone(&e->work, i, &source, NULL);
		n = e->node[source].stream.index++;
		b->lone[n].source = source;
		b->lone[n].index = i;
		if (!(i % STEP_LONE) && mcfab_job_step((u64)b->nlone + i, 2 * (u64)b->nlone))
			return -EINTR;
	}
	return 0;
}

static void reset_turns(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; e->flags & MCFAB_ENG_MULTI && i < e->hw.nchans; i++) {
		e->chan[i].next = 0;
		e->chan[i].last = MCFAB_NODE_PORT;
		e->chan[i].turn = 0;
	}
	for (i = 0; e->flags & MCFAB_ENG_SPEEDUP && i < e->hw.nchans + e->topo->nodes; i++) {
		e->inport[i].next = 0;
		e->inport[i].last = MCFAB_NODE_PORT;
		/* no turn of the last multicast passes */
		if (e->flags & MCFAB_ENG_BOOKSIM)
			e->inport[i].chosen = U8_MAX;
	}
	for (i = 0; e->flags & MCFAB_ENG_SHARED && i < e->topo->routers; i++)
		e->consumer[i].last = MCFAB_NONE;
	for (i = 0; e->flags & MCFAB_ENG_RATES && i < e->hw.nchans; i++)
		e->next_flit[i] = 0;
	for (i = 0; e->flags & MCFAB_ENG_RATES && i < e->topo->nodes * e->cfg->consume; i++)
		e->tap[i].next = 0;
	for (i = 0; e->slow_port && i < e->topo->nodes * e->hw.inject; i++)
		e->slow_port[i].next = 0;
}

/* let the next lone multicast begin; everything before it has left the network */
static void next_lone(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_lone *lone = &b->lone[b->at++];
	struct mcfab_node *n = &e->node[lone->source];

	b->base = e->cycle;
	n->stream.gen = e->cycle;
	n->stream.index = lone->index;
	mcfab_timers_set(&e->shard[e->shard_of_node[lone->source]].timers, lone->source,
			 e->cycle + 1);
	reset_turns(e);
}

/* see filling(), dry_pool() and scarce() */
static void set_low(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;

	b->log_low = max(e->run.lone ? 0 : e->log_pool.size / 2, e->run.log_reserve + 1);
	b->mcast_low = e->run.lone ? 0 : e->mcast_pool.size / 2;
	mcfab_lean_mark(e);
}

/**
 * mcfab_boundary_init() - prepare the boundary for the first cycle of a run
 * @e: engine, all else set up
 * @run: the run
 *
 * Context: start of a run, no thread works on it; may sleep.
 * Return: 0, or -EINTR if the process is being killed.
 */
int mcfab_boundary_init(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	struct mcfab_boundary *b = &e->boundary;

	b->max_cycles = run->max_cycles;
	b->check_interval = check_interval(e, run);
	b->next_check = b->check_interval;
	b->next_stall = e->cfg->stall_limit;
	b->queue_interval = mcfab_queues_interval(e, b->check_interval);
	b->next_queues = mcfab_queues_next(e);
	b->state = MCFAB_RUN_STATUS_RUNNING;
	memset(b->waiting, 0xff, sizeof(b->waiting));
	set_low(e);
	e->cycle = 1;
	if (!e->run.lone)
		return 0;
	if (order_lone(e))
		return -EINTR;
	next_lone(e);
	return 0;
}

/* the measuring window has begun, or is over: channels are counted in between */
static void note_window(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	const struct mcfab_stats *st = &e->results->stats;

	if (st->cfg.lone)
		return;
	if (!b->windowed && mcfab_stats_window_start(st) <= e->cycle) {
		b->windowed = true;
		mcfab_mode_show(e);
		mcfab_channels_begin(e);
		mcfab_mode_hide(e);
	} else if (b->windowed && !b->counted && mcfab_stats_window_over(st, e->cycle)) {
		b->counted = true;
		mcfab_mode_show(e);
		mcfab_channels_end(e);
		mcfab_mode_hide(e);
	}
}

/* make pools larger that are much in use; false: the run has ended */
static bool grow_pools(struct mcfab_engine *e)
{
	if (mcfab_pools_grow(e))
		return mcfab_end_run(e, MCFAB_RUN_STATUS_FAILED,
				     "no memory for more messages under way, see max_memory_mb");
	set_low(e);
	return true;
}

/* complete messages generated before this cycle may be handed over now */
static u64 ripe_before(const struct mcfab_engine *e)
{
	if (e->run.lone)
		return 0;
	return e->results->stats.overtaken ? U64_MAX : mcfab_watermark(e);
}

/* is there a deadlock that ends the run? see mcfab_stall_walk() */
static bool deadlocked(struct mcfab_engine *e, u64 oldest, u64 newest)
{
	return mcfab_stall_walk(e, oldest, newest) && !(e->run.recover && mcfab_recover(e));
}

/* the duties that are not done in every cycle; false: the run has ended */
static bool look(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_results *results = e->results;
	bool deadlock = false, enough = false;
	u64 watermark = ripe_before(e);

	b->next_check = (e->cycle / b->check_interval + 1) * b->check_interval;
	mutex_lock(&results->lock);
	if (!e->run.lone) {
		mcfab_flush(e, watermark);
		if (!results->stats.cfg.lone && !results->stats.overtaken)
			enough = mcfab_stats_advance(&results->stats, watermark);
		note_window(e);
	}
	if (e->cycle >= b->next_stall) {
		u64 newest = e->cycle - e->cfg->stall_limit + 1;

		deadlock = deadlocked(e, b->stalled_to, newest);
		b->stalled_to = newest;
		b->next_stall = (e->cycle / stall_interval(e) + 1) * stall_interval(e);
	}
	if (mcfab_report_due(results)) {
		mcfab_note_progress(e);
		mcfab_report_publish(results);
	}
	mutex_unlock(&results->lock);
	if (deadlock)
		return mcfab_end_run(e, MCFAB_RUN_STATUS_DEADLOCKED,
				     "worms wait for each other in a cycle");
	if (enough)
		return mcfab_end_run(e, MCFAB_RUN_STATUS_DONE, NULL);
	if (e->flags & MCFAB_ENG_ROWS && mcfab_rows_seldom(e))
		b->rows_end = true;
	if ((b->flooded || results->stats.overtaken) &&
	    mcfab_stats_overdue(&results->stats, e->cycle))
		return mcfab_end_overdue(e);
	return grow_pools(e);
}

/* is half of the log, or of the messages, in use? Short messages may fill them between looks */
static bool filling(const struct mcfab_engine *e)
{
	return !e->run.lone && (!mcfab_pool_has(&e->log_pool, e->log_pool.size / 2) ||
			    !mcfab_pool_has(&e->mcast_pool, e->mcast_pool.size / 2));
}

static void flush_before(struct mcfab_engine *e, u64 watermark)
{
	mutex_lock(&e->results->lock);
	mcfab_flush(e, watermark);
	mutex_unlock(&e->results->lock);
}

/*
 * Count complete messages early. If pools cannot grow any more, messages are counted before older
 * ones that are stuck. The cycle depends on the numbers in use, not on threads.
 * Return: false: the run has ended.
 */
static bool make_room(struct mcfab_engine *e)
{
	struct mcfab_stats *st = &e->results->stats;

	flush_before(e, ripe_before(e));
	e->boundary.next_flush = e->cycle + FLUSH_CYCLES;
	if (!grow_pools(e))
		return false;
	if (likely(!e->run.log_short || !filling(e)))
		return true;
	if (mcfab_stats_overdue(st, e->cycle))
		return mcfab_end_overdue(e);
	if (!st->overtaken) {
		mcfab_stats_overtake(st);
		flush_before(e, U64_MAX);
	}
	return true;
}

static bool busy(const struct mcfab_engine *e)
{
	return !mcfab_pool_whole(&e->worm_pool);
}

/* no flit moves and no event is to come: a deadlock, the next lone multicast, or the end */
static bool idle(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_results *results = e->results;
	bool deadlock;

	if (busy(e)) {
		mutex_lock(&results->lock);
		deadlock = deadlocked(e, 0, U64_MAX);
		mutex_unlock(&results->lock);
		if (deadlock)
			return mcfab_end_run(e, MCFAB_RUN_STATUS_DEADLOCKED,
					     "worms wait for each other in a cycle");
		if (e->faults.rescan > e->cycle) {
			e->cycle++;
			return true;
		}
		return mcfab_end_run(e, MCFAB_RUN_STATUS_FAILED,
				     "worms are left that wait for nothing");
	}
	mutex_lock(&results->lock);
	mcfab_flush(e, U64_MAX);
	if (!results->stats.cfg.lone)
		mcfab_stats_advance(&results->stats, U64_MAX);
	mutex_unlock(&results->lock);
	if (b->at < b->nlone) {
		next_lone(e);
		e->cycle++;
		return true;
	}
	/* where messages come from outside, this is the end of draining */
	b->idle = true;
	return mcfab_end_run(e, MCFAB_RUN_STATUS_DONE, NULL);
}

static const char *dry_pool(const struct mcfab_engine *e)
{
	if (mcfab_pool_dry(&e->worm_pool))
		return "the pool of worms ran out";
	if (mcfab_pool_dry(&e->block_pool) || mcfab_pool_dry(&e->mcast_pool))
		return "the pool of messages under way ran out";
	if (mcfab_pool_dry(&e->relay_pool) || mcfab_pool_dry(&e->round_pool))
		return "the pool of later senders' queues ran out";
	if (mcfab_pool_dry(&e->job_pool))
		return "the pool of jobs of hosts and network interfaces ran out";
	if (mcfab_pool_dry(&e->copy_pool))
		return "the pool of copies ran out";
	if (!mcfab_pool_has(&e->log_pool, e->run.log_reserve + 1))
		return "too many deliveries wait for an older message";
	return NULL;
}

static void settle_pools(struct mcfab_engine *e)
{
	mcfab_pool_settle(&e->block_pool);
	mcfab_pool_settle(&e->worm_pool);
	mcfab_pool_settle(&e->mcast_pool);
	mcfab_pool_settle(&e->log_pool);
}

/* mode flight: do the headers of all worms wait? */
static bool all_wait(const struct mcfab_engine *e)
{
	return e->shard->nopen && e->shard->nopen == e->shard->nflights;
}

/* may the next cycles need more of a pool, or more records, than there are? see lean.c */
static bool scarce(const struct mcfab_engine *e)
{
	return e->shard->new_rec > e->boundary.rec_high ||
	       (unlikely(e->run.lean) && mcfab_lean_scarce(e));
}

/* must the run go on in another mode? Headers that are traced do not fly; or rows are of no use */
static bool leaves(const struct mcfab_engine *e)
{
	return (mcfab_trace_headers() && e->flags & MCFAB_ENG_FLIGHTS) ||
	       READ_ONCE(e->boundary.rows_end);
}

/* has the boundary more to do than to go on to cycle @next? @broken: the run has failed */
static bool pending(const struct mcfab_engine *e, u64 next, bool broken)
{
	const struct mcfab_boundary *b = &e->boundary;

	return broken || READ_ONCE(b->alarm) || READ_ONCE(b->stop) || READ_ONCE(e->faults.change) ||
	       next >= b->next_duty ||
	       atomic_read(&e->log_pool.top) < (int)b->log_low ||
	       atomic_read(&e->mcast_pool.top) < (int)b->mcast_low || scarce(e) ||
	       all_wait(e) || leaves(e);
}

/* the next cycle in which look(), queues, a failing link or the end of the run is due */
static u64 next_duty(const struct mcfab_engine *e)
{
	const struct mcfab_boundary *b = &e->boundary;

	/* 0: in every cycle */
	if (b->paranoid || e->faults.paused || e->outside.from)
		return 0;
	return min(min3(b->next_check, e->faults.due, b->base + b->max_cycles), b->next_queues);
}

/* end a run in which a policy broke a promise, or an invariant broke */
static noinline bool fail(struct mcfab_engine *e)
{
	char text[sizeof(e->results->progress.why)];

	return mcfab_end_run(e, MCFAB_RUN_STATUS_FAILED, mcfab_broken(e, text, sizeof(text)));
}

/* the work that is not done in every cycle; false: the run has ended */
static noinline bool do_duties(struct mcfab_engine *e, u64 next, bool broken)
{
	struct mcfab_boundary *b = &e->boundary;
	const char *dry;

	if (unlikely(broken))
		return fail(e);
	dry = dry_pool(e);
	if (unlikely(dry))
		return mcfab_end_run(e, MCFAB_RUN_STATUS_CUT, dry);
	if (unlikely(scarce(e)) && !grow_pools(e))
		return false;
	if (unlikely(READ_ONCE(b->stop)))
		return mcfab_end_run(e, MCFAB_RUN_STATUS_STOPPED, "stopped");
	if (unlikely(e->outside.drained_by && e->cycle >= e->outside.drained_by))
		return mcfab_end_run(e, MCFAB_RUN_STATUS_STOPPED,
				     "stopped with messages under way");
	if (unlikely(b->paranoid)) {
		const char *wrong;

		mcfab_mode_show(e);
		wrong = mcfab_check(e, false);
		mcfab_mode_hide(e);
		if (wrong)
			return mcfab_end_run(e, MCFAB_RUN_STATUS_FAILED, wrong);
	}
	if (unlikely(mcfab_fault_due(e)) && mcfab_fault_step(e))
		next = e->cycle + 1;
	/* ends of flights are no events, but the duties below may need them */
	if (e->shard->over.head != MCFAB_NONE)
		next = min(next, max(e->worm[e->shard->over.head].end, e->cycle) + 1);
	if (e->outside.from) {
		if (!grow_pools(e))
			return false;
		next = mcfab_outside_boundary(e, next);
	}
	if (next == U64_MAX || (all_wait(e) && e->mode->stuck(e))) {
		u64 rest = mcfab_mode_rest(e);

		if (rest == U64_MAX)
			return idle(e);
		next = min(next, rest);
	}
	if (e->cycle >= b->next_queues) {
		mcfab_queues_look(e);
		b->queues_seen = true;
		b->next_queues = mcfab_queues_next(e);
	}
	if (e->cycle >= b->next_check && !look(e))
		return false;
	if (unlikely(e->cycle >= b->next_flush && filling(e)) && !make_room(e))
		return false;
	if (unlikely(leaves(e)))
		mcfab_mode_leave(e);
	/* headers may have landed in look(), or worms been aborted */
	next = min(next, e->shard->next_event);
	if (e->faults.rescan > e->cycle)
		next = e->cycle + 1;
	/* these looks are at cycles of their own, even if no event is there */
	if (busy(e))
		next = min(next, max(min(b->next_check, b->next_queues), e->cycle + 1));
	next = min(next, max(e->faults.due, e->cycle + 1));
	if (next - b->base > b->max_cycles) {
		e->cycle = b->base + b->max_cycles;
		return mcfab_end_run(e, MCFAB_RUN_STATUS_CUT, "max-cycles came before the end");
	}
	e->cycle = next;
	return true;
}

/**
 * mcfab_engine_boundary() - end a cycle
 * @e: engine
 *
 * Context: one thread, while no phase runs. May sleep (stats_lock).
 * Return: true: go on with cycle @e->cycle; false: the run has ended as
 *	   @e->boundary.state.
 */
bool mcfab_engine_boundary(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u64 next = U64_MAX;
	bool broken = false;
	u32 i;

	for (i = 0; i < e->nshards; i++) {
		next = min(next, e->shard[i].next_event);
		broken |= !!e->shard[i].broken;
	}
	if (likely(!pending(e, next, broken))) {
		e->cycle = next;
	} else {
		if (!do_duties(e, next, broken))
			return false;
		b->next_duty = next_duty(e);
	}
	if (e->worm_pool.stocks)
		settle_pools(e);
	return true;
}
