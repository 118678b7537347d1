// SPDX-License-Identifier: GPL-2.0
/*
 * The boundary between two cycles, run by one thread while the others wait: has
 * the run ended, which cycle comes next, and, every so often, statistics and the
 * search for deadlocks. All of it depends on simulated cycles alone.
 */
#include <linux/sched.h>
#include "engine/engine.h"
#include "engine/flight.h"
#include "engine/trace.h"

/* least distance of two looks at statistics, stopping rule and waiting headers */
#define CHECK_CYCLES	1024U
/* least cycles between two flushes because pools run low */
#define FLUSH_CYCLES	64

static u64 check_interval(const struct mcfab_engine *e)
{
	/* a look costs a pass over all nodes: keep it small against the cycles */
	return max(CHECK_CYCLES, e->topo->nodes / 16);
}

static u64 stall_interval(const struct mcfab_engine *e)
{
	return max(e->fabric->cfg.stall_limit / 4, 1U);
}

/*
 * Lone multicasts do not know of each other, so they may run in the order in which
 * the result hash wants them, (source, number): no need to keep their deliveries.
 * There may be many millions: count the sources, then put each in its place. The
 * nodes' sequence numbers, which are not in use yet, count.
 */
static void order_lone(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 i, n, source, first = 0;

	for (i = 0; i < b->nlone; i++) {
		mcfab_workload_lone(&e->work, i, &source, NULL);
		e->node[source].stream.index++;
		cond_resched();
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
		cond_resched();
	}
}

static void reset_turns(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; e->flags & MCFAB_ENG_MULTI && i < e->nchans; i++) {
		e->chan[i].next = 0;
		e->chan[i].turn = 0;
	}
	for (i = 0; e->flags & MCFAB_ENG_SPEEDUP && i < e->nchans + e->topo->nodes; i++)
		e->inport[i].next = 0;
	for (i = 0; e->flags & MCFAB_ENG_SHARED && i < e->topo->routers; i++)
		e->consumer[i].next = 0;
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
	mcfab_agenda_set(&e->shard[e->shard_of_node[lone->source]].agenda, lone->source,
			 e->cycle + 1);
	reset_turns(e);
}

/**
 * mcfab_boundary_init() - ready for the first cycle of a run
 * @e: engine, all else set up
 * @run: the run
 *
 * Context: start of a run, no thread works on it; may sleep.
 */
void mcfab_boundary_init(struct mcfab_engine *e, const struct mcfab_run_cfg *run)
{
	struct mcfab_boundary *b = &e->boundary;

	b->max_cycles = run->max_cycles;
	b->next_check = check_interval(e);
	b->next_stall = e->fabric->cfg.stall_limit;
	b->state = MCFAB_RUN_RUNNING;
	/* see filling() and dry_pool() */
	b->log_low = max(e->lone ? 0 : e->log_pool.size / 2, e->log_reserve + 1);
	b->mcast_low = e->lone ? 0 : e->mcast_pool.size / 2;
	e->cycle = 1;
	if (e->lone) {
		order_lone(e);
		next_lone(e);
	}
}

static void note_progress(struct mcfab_engine *e)
{
	struct mcfab_progress *p = &e->fabric->progress;
	const struct mcfab_stats *st = &e->fabric->stats;
	u32 i, k;

	p->cycle = e->cycle - (e->lone ? e->boundary.base : 0);
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
	if (e->flights)
		p->flit_hops += mcfab_flights_released(e) * e->flits;
}

static void note_queues(struct mcfab_engine *e)
{
	u32 i;

	for (i = 0; !e->lone && i < e->topo->nodes; i++) {
		struct mcfab_source src = e->node[i].stream;
		u32 queued = 0;

		/* as many as were generated up to now but have not been taken up */
		while (src.gen < e->cycle && queued <= e->fabric->queue_max + 16) {
			mcfab_workload_next(&e->work, i, &src);
			queued++;
		}
		e->fabric->queue_max = max(e->fabric->queue_max, queued);
	}
}

static bool end_run(struct mcfab_engine *e, enum mcfab_run_state state, const char *why)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_fabric *fabric = e->fabric;
	u64 cycle = e->lone ? b->longest : e->cycle;
	const char *wrong;
	u32 i;

	fabric->progress.state_bytes = mcfab_touched(e);
	if (e->flights)
		mcfab_flights_leave(e);
	mcfab_show_flits(e);
	wrong = mcfab_check(e, state == MCFAB_RUN_DONE && b->idle);
	if (wrong && state != MCFAB_RUN_FAILED) {
		state = MCFAB_RUN_FAILED;
		why = wrong;
	}
	mutex_lock(&fabric->stats_lock);
	note_queues(e);
	mcfab_flush_incomplete(e);
	mcfab_stats_finish(&fabric->stats, state, cycle);
	note_progress(e);
	fabric->progress.cycle = cycle;
	fabric->progress.hash = fabric->stats.hash;
	fabric->progress.has_hash = fabric->stats.has_hash;
	if (why)
		strscpy(fabric->progress.why, why, sizeof(fabric->progress.why));
	mcfab_channel_flits(e, fabric->channel_flits);
	for (i = 0; i < e->nchans; i++)
		fabric->channel_flits[i] -= e->window_base[i];
	fabric->channel_window = e->cycle - b->window_start;
	for (i = 0; i < e->nchans; i++)
		fabric->channel_wait[i] = e->use[i].wait;
	b->state = state;
	trace_mcfab_run_end(e);
	mutex_unlock(&fabric->stats_lock);
	return false;
}

/* the measuring window has begun: channel counts start here */
static void note_window(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	u32 i;

	if (b->windowed || e->fabric->stats.cfg.lone ||
	    mcfab_stats_window_start(&e->fabric->stats) > e->cycle)
		return;
	b->windowed = true;
	b->window_start = e->cycle;
	mcfab_show_flits(e);
	mcfab_channel_flits(e, e->window_base);
	mcfab_hide_flits(e);
	for (i = 0; i < e->nchans; i++)
		e->use[i].wait = 0;
}

/* the duties that are not done in every cycle; false: the run has ended */
static bool look(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_fabric *fabric = e->fabric;
	bool deadlock = false, enough = false;
	u64 watermark;

	b->next_check = (e->cycle / check_interval(e) + 1) * check_interval(e);
	mutex_lock(&fabric->stats_lock);
	if (!e->lone) {
		watermark = mcfab_watermark(e);
		mcfab_flush(e, watermark);
		note_queues(e);
		if (!fabric->stats.cfg.lone)
			enough = mcfab_stats_advance(&fabric->stats, watermark);
		note_window(e);
	}
	if (e->cycle >= b->next_stall) {
		u64 newest = e->cycle - fabric->cfg.stall_limit + 1;

		deadlock = mcfab_stall_walk(e, b->stalled_to, newest);
		b->stalled_to = newest;
		b->next_stall = (e->cycle / stall_interval(e) + 1) * stall_interval(e);
	}
	note_progress(e);
	mutex_unlock(&fabric->stats_lock);
	if (deadlock)
		return end_run(e, MCFAB_RUN_DEADLOCKED, "worms wait for each other in a cycle");
	if (enough)
		return end_run(e, MCFAB_RUN_DONE, NULL);
	return true;
}

/* short messages may fill the log before the next look */
static bool filling(const struct mcfab_engine *e)
{
	return !e->lone && (!mcfab_pool_has(&e->log_pool, e->log_pool.size / 2) ||
			    !mcfab_pool_has(&e->mcast_pool, e->mcast_pool.size / 2));
}

/* nothing that a run decides depends on when, so that is for the pools to say */
static void make_room(struct mcfab_engine *e)
{
	mutex_lock(&e->fabric->stats_lock);
	mcfab_flush(e, mcfab_watermark(e));
	mutex_unlock(&e->fabric->stats_lock);
	e->boundary.next_flush = e->cycle + FLUSH_CYCLES;
}

static bool busy(const struct mcfab_engine *e)
{
	return !mcfab_pool_whole(&e->worm_pool);
}

/* nothing moves and nothing is to come */
static bool idle(struct mcfab_engine *e)
{
	struct mcfab_boundary *b = &e->boundary;
	struct mcfab_fabric *fabric = e->fabric;
	bool deadlock;

	if (busy(e)) {
		mutex_lock(&fabric->stats_lock);
		deadlock = mcfab_stall_walk(e, 0, U64_MAX);
		mutex_unlock(&fabric->stats_lock);
		if (deadlock)
			return end_run(e, MCFAB_RUN_DEADLOCKED,
				       "worms wait for each other in a cycle");
		return end_run(e, MCFAB_RUN_FAILED, "worms are left that wait for nothing");
	}
	mutex_lock(&fabric->stats_lock);
	mcfab_flush(e, U64_MAX);
	mutex_unlock(&fabric->stats_lock);
	if (b->at < b->nlone) {
		next_lone(e);
		e->cycle++;
		return true;
	}
	b->idle = true;
	return end_run(e, MCFAB_RUN_DONE, NULL);
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
	if (!mcfab_pool_has(&e->log_pool, e->log_reserve + 1))
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

/* do all worms wait whose headers would fly? */
static bool all_wait(const struct mcfab_engine *e)
{
	return e->flights && e->shard->nopen && e->shard->nopen == e->shard->nflights;
}

/* is something to be done before the next cycle, which is @next if not? */
static bool pending(const struct mcfab_engine *e, u64 next)
{
	const struct mcfab_boundary *b = &e->boundary;
	const char *broken = NULL;
	u32 i;

	for (i = 0; i < e->nshards; i++)
		broken = broken ?: e->shard[i].broken;
	return broken || READ_ONCE(b->alarm) || READ_ONCE(b->stop) || b->paranoid ||
	       READ_ONCE(e->request) || e->paused || next >= b->next_duty ||
	       atomic_read(&e->log_pool.top) < (int)b->log_low ||
	       atomic_read(&e->mcast_pool.top) < (int)b->mcast_low ||
	       all_wait(e) || (e->flights && mcfab_trace_headers());
}

/* the next cycle in which look(), a failing link or the end of the run is due */
static u64 next_duty(const struct mcfab_engine *e)
{
	const struct mcfab_boundary *b = &e->boundary;

	return min3(b->next_check, e->fault_due, b->base + b->max_cycles);
}

/* what is not done in every cycle */
static bool do_duties(struct mcfab_engine *e, u64 next)
{
	struct mcfab_boundary *b = &e->boundary;
	const char *dry;
	u32 i;

	for (i = 0; i < e->nshards; i++)
		if (unlikely(e->shard[i].broken))
			return end_run(e, MCFAB_RUN_FAILED, e->shard[i].broken);
	dry = dry_pool(e);
	if (unlikely(dry))
		return end_run(e, MCFAB_RUN_SATURATED, dry);
	if (unlikely(READ_ONCE(b->stop)))
		return end_run(e, MCFAB_RUN_STOPPED, "stopped");
	if (unlikely(b->paranoid)) {
		const char *wrong;

		mcfab_show_flits(e);
		wrong = mcfab_check(e, false);
		mcfab_hide_flits(e);
		if (wrong)
			return end_run(e, MCFAB_RUN_FAILED, wrong);
	}
	if (unlikely(mcfab_fault_due(e)) && mcfab_fault_step(e))
		next = e->cycle + 1;
	/* their ends are no event, but something is to be done now, which may be about them */
	if (e->flights && e->shard->over.head != MCFAB_NONE)
		next = min(next, max(e->worm[e->shard->over.head].end, e->cycle) + 1);
	if (next == U64_MAX || (all_wait(e) && mcfab_flights_stuck(e))) {
		u64 rest = mcfab_flits_rest(e);

		if (rest == U64_MAX)
			return idle(e);
		next = min(next, rest);
	}
	if (e->cycle >= b->next_check && !look(e))
		return false;
	if (unlikely(e->cycle >= b->next_flush && filling(e)))
		make_room(e);
	if (e->flights) {
		if (unlikely(mcfab_trace_headers()))
			mcfab_flights_leave(e);
		/* whoever looked may have had headers land */
		next = min(next, e->shard->next_event);
	}
	/* whatever the cycles in between are good for: these looks have their own */
	if (busy(e))
		next = min(next, max(b->next_check, e->cycle + 1));
	next = min(next, max(e->fault_due, e->cycle + 1));
	if (next - b->base > b->max_cycles) {
		e->cycle = b->base + b->max_cycles;
		return end_run(e, MCFAB_RUN_SATURATED, "max-cycles came before the end");
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
	u32 i;

	for (i = 0; i < e->nshards; i++)
		next = min(next, e->shard[i].next_event);
	if (likely(!pending(e, next))) {
		e->cycle = next;
	} else {
		if (!do_duties(e, next))
			return false;
		b->next_duty = next_duty(e);
	}
	if (e->worm_pool.stocks)
		settle_pools(e);
	return true;
}
