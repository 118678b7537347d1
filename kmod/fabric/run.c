// SPDX-License-Identifier: GPL-2.0
/* A run from its start to its end: policy, statistics, engine, threads, clean-up. */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include "fabric/fabric.h"
#include "base/job.h"
#include "base/memory.h"
#include "stats/report.h"
#include "fabric/runner.h"
#include "engine/engine.h"
#include "trace/trace.h"
#include "subnet/subnet.h"

/* messages of a list between two scheduling points */
#define BREATH		4096

static u32 most_dests_of(const struct mcfab_workload_cfg *w, u32 nodes)
{
	u32 most = 0, i;

	/* mcfab_workload_open() checks that the group exists */
	if (w->group[0] || w->kind == MCFAB_WORKLOAD_TYPE_PORTS ||
	    (w->kind == MCFAB_WORKLOAD_TYPE_FILE && w->list->group))
		return nodes;
	if (w->kind != MCFAB_WORKLOAD_TYPE_FILE)
		return min(w->dests, nodes);
	for (i = 0; i < w->list->nmsgs; i++) {
		most = max(most, w->list->first[i + 1] - w->list->first[i]);
		if (!(i % BREATH))
			cond_resched();
	}
	return most;
}

/* most destinations of a message */
static u32 most_dests(const struct mcfab_run_cfg *run, u32 nodes)
{
	u32 most = 0, i;

	for (i = 0; i < mcfab_run_loads(run); i++)
		most = max(most, most_dests_of(mcfab_run_load(run, i), nodes));
	return most;
}

static int open_stats(const struct mcfab_fabric *fabric, const struct mcfab_run_cfg *run,
		      struct mcfab_stats *st, u64 *bytes, struct mcfab_err *err)
{
	u32 worms, dsts;
	size_t scratch;
	u32 dests = most_dests(run, fabric->topo.nodes);
	struct mcfab_stats_cfg cfg = {
		.nodes = mcfab_workload_nodes(&fabric->topo, run),
		.flits = !run->counted && mcfab_run_shortest(run) == mcfab_run_longest(run) ?
			 mcfab_run_longest(run) : 0,
		.lone = !mcfab_run_windowed(run),
		.mixed = mcfab_run_windowed(run) && !run->counted &&
			 run->workload.multicast_ppm < MCFAB_PPM,
		.classes = run->counted,
		.warmup = run->warmup,
		.batches = run->batches,
		.batch_cycles = run->batch_cycles,
		.precision_ppm = run->precision_ppm,
	};

	mcfab_plan_bounds(&fabric->policy, dests, &worms, &dsts, &scratch);
	cfg.max_worms = worms;
	/* the statistics, and the two copies for readers */
	*bytes = mcfab_stats_bytes(&cfg) + 2 * mcfab_stats_copy_bytes(&cfg);
	if (!mcfab_memory_charge(*bytes)) {
		*bytes = 0;
		return mcfab_refuse(err, -ENOMEM, 0, "max_memory_mb is used up");
	}
	if (mcfab_stats_open(st, &cfg))
		return mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	return 0;
}

static u64 expected(const struct mcfab_fabric *fabric, const struct mcfab_run_cfg *run)
{
	const struct mcfab_workload_cfg *w = &run->workload;

	switch (w->kind) {
	case MCFAB_WORKLOAD_TYPE_LONE:
		return max(w->count, 1U);
	case MCFAB_WORKLOAD_TYPE_FILE:
		return mcfab_run_windowed(run) ? 0 : w->list->nmsgs;
	case MCFAB_WORKLOAD_TYPE_BURST:
		/* which nodes send is up to the pattern */
		if (w->pattern > MCFAB_TRAFFIC_PATTERN_UNIFORM && !w->self && w->dests == 1)
			return 0;
		return div_u64((u64)mcfab_workload_nodes(&fabric->topo, run) * w->fraction_ppm +
			       MCFAB_PPM / 2, MCFAB_PPM);
	default:
		return 0;
	}
}

static int open_engine(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		       struct mcfab_err *err)
{
	struct mcfab_network net = {
		.cfg = &fabric->cfg,
		.topo = &fabric->topo,
		.policy = &fabric->policy,
		.updown = fabric->updown,
		.results = &fabric->results,
		.id = fabric->id,
		.netns = fabric->netns,
	};
	struct mcfab_engine *engine = mcfab_engine_open(&net, cfg, err);
	int ret = 0;

	if (IS_ERR(engine))
		return PTR_ERR(engine);
	if (mcfab_run_windowed(cfg))
		ret = mcfab_workload_check_warmup(&engine->work, cfg->warmup, err);
	if (ret) {
		mcfab_engine_close(engine);
		return ret;
	}
	fabric->engine = engine;
	return 0;
}

/*
 * Clear @engine first, so that mcfab_run_stop() does not use it any more. Close the engine before
 * the policy, as the engine calls the policy to the last. The policy's exit() may use the routing
 * of its view, which perhaps only the engine holds: hold it until exit() returns.
 */
static void close_engine(struct mcfab_fabric *fabric)
{
	struct mcfab_updown *ud = mcfab_updown_get(fabric->policy.view.updown);
	struct mcfab_engine *engine = fabric->engine;

	spin_lock(&fabric->part_lock);
	fabric->engine = NULL;
	spin_unlock(&fabric->part_lock);
	mcfab_engine_close(engine);
	fabric->policy.view.stop = NULL;
	mcfab_policy_close(&fabric->policy);
	mcfab_updown_put(ud);
}

/* replace the last run's results by the results of a new run */
static void begin(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		  struct mcfab_report *report)
{
	u32 run = fabric->results.progress.run + 1;

	fabric->results.run = *cfg;
	memset(&fabric->results.progress, 0, sizeof(fabric->results.progress));
	memset(&fabric->results.deadlock, 0, sizeof(fabric->results.deadlock));
	fabric->results.progress.state = MCFAB_RUN_STATUS_RUNNING;
	fabric->results.progress.started_ns = ktime_get_ns();
	fabric->results.progress.run = run;
	fabric->results.progress.expected = expected(fabric, cfg);
	fabric->results.progress.bytes = fabric->table_bytes + fabric->stats_bytes +
					 fabric->engine->bytes;
	fabric->results.progress.chosen = fabric->engine->chosen;
	fabric->results.queue_max = MCFAB_NONE;
	fabric->results.channel_window = 0;
	mcfab_report_set(&fabric->results, report);
	WRITE_ONCE(fabric->active, true);
	trace_mcfab_run_start(fabric->engine);
}

/* a run that may deadlock is allowed, with a warning */
static void warn_of_deadlock(const struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	const struct mcfab_policy *pol = &fabric->policy;
	u32 lanes = fabric->topo.degree * fabric->cfg.vcs;

	if (fabric->cfg.ni_memory && pol->ops->forward &&
	    pol->ops->forward(pol->priv) != MCFAB_FORWARD_HOST) {
		mcfab_refuse(err, 0, 0, "can deadlock: ni-memory %u, 0 is no limit",
			     fabric->cfg.ni_memory);
		return;
	}
	/* a worm with one destination holds no consumption channel while it waits for another */
	if (pol->ops->flags & MCFAB_POLICY_SINGLE)
		return;
	/* where buffers hold whole packets, copies do not hold up each other either */
	if (fabric->cfg.replication == MCFAB_REPLICATION_MODE_ASYNC &&
	    (fabric->cfg.switching != MCFAB_SWITCHING_MODE_WORMHOLE ||
	     pol->view.buffer >= pol->view.flits))
		return;
	if (fabric->cfg.consume >= lanes)
		return;
	if (fabric->cfg.replication == MCFAB_REPLICATION_MODE_LOCKSTEP)
		mcfab_refuse(err, 0, 0, "can deadlock: consume %u < %u incoming VCs",
			     fabric->cfg.consume, lanes);
	else
		mcfab_refuse(err, 0, 0,
			     "can deadlock: consume %u < %u incoming VCs, buffer %u < %u flits",
			     fabric->cfg.consume, lanes, pol->view.buffer, pol->view.flits);
}

/* All that comes before the first cycle; threads are made if there are to be @threads. */
static int prepare(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg, bool threads,
		   struct mcfab_err *err)
{
	struct mcfab_view view = fabric->view;
	struct mcfab_report *report = NULL;
	struct mcfab_subnet *fresh;
	struct mcfab_stats *stats;
	u64 stats_bytes = 0;
	u32 named = 0;
	int ret;

	if (mcfab_run_active(fabric))
		return mcfab_refuse(err, -EBUSY, 0, "a run is under way: stop it first");
	ret = mcfab_run_check(&fabric->cfg, cfg, err);
	if (ret)
		return ret;
	mcfab_assign_begin(fabric->subnet);
	if (cfg->headers)
		named = max(most_dests(cfg, fabric->topo.nodes), 1U);
	ret = mcfab_fabric_packets(fabric, cfg->policy, mcfab_run_longest(cfg), cfg->mtu, named,
				   &view, err);
	if (ret)
		return ret;
	view.load = cfg->workload.kind != MCFAB_WORKLOAD_TYPE_LONE;
	ret = mcfab_fabric_imply(fabric, cfg->policy, &view, &fresh, err);
	if (ret)
		return ret;
	ret = mcfab_policy_open(&fabric->policy, cfg->policy, &view, cfg->set, cfg->nset, err);
	if (ret)
		goto drop_subnet;
	ret = open_engine(fabric, cfg, err);
	if (ret)
		goto close_policy;
	fabric->policy.view.stop = &fabric->engine->boundary.stop;
	/* for the time of the start only, so it does not count for max_memory_mb */
	stats = kvzalloc(sizeof(*stats), MCFAB_GFP);
	ret = stats ? open_stats(fabric, cfg, stats, &stats_bytes, err) :
		mcfab_refuse(err, -ENOMEM, 0, "no memory for statistics, see max_memory_mb");
	if (!ret) {
		report = mcfab_report_new(stats);
		if (!report)
			ret = mcfab_refuse(err, -ENOMEM, 0,
					   "no memory for statistics, see max_memory_mb");
	}
	if (!ret)
		ret = mcfab_fabric_assign(fabric, err);
	if (!ret && threads)
		ret = mcfab_runner_ready(fabric, err);
	if (ret)
		goto close_stats;

	mutex_lock(&fabric->results.lock);
	mcfab_stats_close(&fabric->results.stats);
	fabric->results.stats = *stats;
	swap(fabric->stats_bytes, stats_bytes);
	begin(fabric, cfg, report);
	mutex_unlock(&fabric->results.lock);
	mcfab_memory_uncharge(stats_bytes);
	kvfree(stats);
	mcfab_fabric_adopt(fabric, fresh);
	return 0;

close_stats:
	mcfab_assign_undo(fabric->subnet);
	mcfab_report_put(report);
	if (stats)
		mcfab_stats_close(stats);
	mcfab_memory_uncharge(stats_bytes);
	kvfree(stats);
	close_engine(fabric);
	goto drop_subnet;
close_policy:
	mcfab_policy_close(&fabric->policy);
drop_subnet:
	mcfab_subnet_destroy(fresh);
	return ret;
}

/**
 * mcfab_run_start() - start a run
 * @fabric: the fabric; the caller sees to it that only one start happens at a time
 * @cfg: configuration of the run; its message list must live until the run ends
 * @err: filled in when it is refused; only its message is filled in when the run is started
 *	 with a warning
 *
 * The results of the last run are kept until all checks and allocations have succeeded.
 *
 * Context: may sleep, but not as long as the run, which goes on in its own threads.
 * Return: 0, -EBUSY while a run is under way, -EINVAL, -ERANGE, -EOPNOTSUPP,
 *	   -ENOENT (policy), -ENOMEM.
 */
int mcfab_run_start(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		    struct mcfab_err *err)
{
	int ret = prepare(fabric, cfg, true, err);

	if (ret)
		return ret;
	warn_of_deadlock(fabric, err);
	/* all threads exist already: nothing can fail any more */
	if (fabric->begun)
		fabric->begun(fabric);
	mcfab_runner_go(fabric);
	return 0;
}

/**
 * mcfab_run_here() - a run from start to end, in the calling thread
 * @fabric: a fabric of the caller's own
 * @cfg: configuration of the run
 * @err: filled in when it is refused
 *
 * Context: may sleep, as long as the run takes.
 * Return: 0, -EINTR if the process is being killed, or as mcfab_run_start().
 */
int mcfab_run_here(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *cfg,
		   struct mcfab_err *err)
{
	int ret = prepare(fabric, cfg, false, err), killed = 0;

	if (ret)
		return ret;
	while (mcfab_engine_alone(fabric->engine, BREATH)) {
		killed = mcfab_job_step(0, 0);
		if (killed)
			WRITE_ONCE(fabric->engine->boundary.stop, true);
	}
	mcfab_run_reap(fabric);
	return killed;
}

/**
 * mcfab_run_reap() - clean up after a run
 * @fabric: the fabric; its threads have ended
 *
 * Context: may sleep. Called by the runner.
 */
void mcfab_run_reap(struct mcfab_fabric *fabric)
{
	enum mcfab_run_status state = fabric->engine->boundary.state;

	close_engine(fabric);
	mutex_lock(&fabric->results.lock);
	fabric->results.progress.state = state;
	mcfab_report_publish(&fabric->results);
	WRITE_ONCE(fabric->active, false);
	mutex_unlock(&fabric->results.lock);
	if (fabric->finished)
		fabric->finished(fabric);
}

/**
 * mcfab_run_ask_stop() - ask a run to end soon
 * @fabric: the fabric; nothing happens if no run is under way
 *
 * The run's threads notice within about 100 ms, or when their cgroup has a CPU budget again.
 *
 * Context: any but an interrupt.
 */
void mcfab_run_ask_stop(struct mcfab_fabric *fabric)
{
	spin_lock(&fabric->part_lock);
	/* the engine exists until close_engine() clears the pointer */
	if (fabric->engine)
		mcfab_engine_stop(fabric->engine);
	spin_unlock(&fabric->part_lock);
}

/**
 * mcfab_run_stop() - end a run now and wait until it has ended
 * @fabric: the fabric; nothing happens if no run is under way
 *
 * Context: may sleep, at most about 100 ms, or as long as the threads have no CPU budget.
 */
void mcfab_run_stop(struct mcfab_fabric *fabric)
{
	mcfab_run_ask_stop(fabric);
	mcfab_runner_wait(fabric);
}

/**
 * mcfab_run_active() - is a run under way, or not yet cleaned up after?
 * @fabric: the fabric
 *
 * Context: any.
 * Return: true if it is.
 */
bool mcfab_run_active(struct mcfab_fabric *fabric)
{
	return READ_ONCE(fabric->active);
}
