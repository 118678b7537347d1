// SPDX-License-Identifier: GPL-2.0
/*
 * Statistics of a run: every message goes into the result hash and the totals,
 * the messages of the measuring window into everything else.
 */
#include "plan/walk.h"
#include "stats/derive.h"
#include "stats/hash.h"
#include "stats/stats.h"

static u32 stats_max_worms(const struct mcfab_stats_cfg *cfg)
{
	return cfg->max_worms ? cfg->max_worms : 2 * cfg->nodes;
}

/* classes of which the loads count flits apart, 0: flits follow from messages */
static u32 weighed_classes(const struct mcfab_stats_cfg *cfg)
{
	return cfg->flits ? 0 : max(cfg->classes, 1U);
}

/**
 * mcfab_stats_bytes() - memory that mcfab_stats_open() takes
 * @cfg: configuration of the statistics
 *
 * Context: any.
 * Return: bytes, struct mcfab_stats itself not counted.
 */
u64 mcfab_stats_bytes(const struct mcfab_stats_cfg *cfg)
{
	return mcfab_window_bytes(cfg) + mcfab_load_bytes(weighed_classes(cfg)) +
	       (u64)stats_max_worms(cfg) * sizeof(u32) +
	       mcfab_stats_classes(cfg) * 2 * sizeof(struct mcfab_histogram);
}

/**
 * mcfab_stats_open() - prepare the statistics of a run
 * @st: what to fill in
 * @cfg: configuration of the statistics
 *
 * Context: may sleep.
 * Return: 0, then mcfab_stats_close() is due; -ENOMEM; -EINVAL if the batches are
 * out of range.
 */
int mcfab_stats_open(struct mcfab_stats *st, const struct mcfab_stats_cfg *cfg)
{
	int ret;
	u32 i;

	memset(st, 0, sizeof(*st));
	st->cfg = *cfg;
	st->classes = mcfab_stats_classes(cfg);
	st->max_worms = stats_max_worms(cfg);
	st->hash = MCFAB_HASH_INIT;
	ret = mcfab_window_open(&st->window, cfg);
	if (ret)
		goto err_close;
	ret = mcfab_load_open(&st->load, cfg->lone || cfg->warmup == MCFAB_NONE ? 0 : cfg->warmup,
			      st->window.end);
	if (!ret && !cfg->flits)
		ret = mcfab_load_vary(&st->load, weighed_classes(cfg));
	if (ret)
		goto err_close;
	if (cfg->lone)
		mcfab_load_whole(&st->load);

	ret = -ENOMEM;
	st->worm_tail = kvcalloc(st->max_worms, sizeof(*st->worm_tail), MCFAB_GFP);
	if (!st->worm_tail)
		goto err_close;
	for (i = 0; i < st->classes; i++) {
		struct mcfab_class_stats *cls = &st->class[i];

		cls->latency = kvcalloc(1, sizeof(*cls->latency), MCFAB_GFP);
		cls->completions = kvcalloc(1, sizeof(*cls->completions), MCFAB_GFP);
		if (!cls->latency || !cls->completions)
			goto err_close;
	}
	return 0;

err_close:
	mcfab_stats_close(st);
	return ret;
}

/**
 * mcfab_stats_close() - free what mcfab_stats_open() took
 * @st: statistics, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_stats_close(struct mcfab_stats *st)
{
	u32 i;

	mcfab_window_close(&st->window);
	mcfab_load_close(&st->load);
	kvfree(st->worm_tail);
	st->worm_tail = NULL;
	for (i = 0; i < MCFAB_CLASSES; i++) {
		kvfree(st->class[i].latency);
		kvfree(st->class[i].completions);
		st->class[i].latency = NULL;
		st->class[i].completions = NULL;
	}
}

static void stats_hash(struct mcfab_stats *st, const struct mcfab_message *msg,
		       const struct mcfab_delivery *dlv, u32 ndlv)
{
	u64 hash = st->hash;
	u32 i;

	for (i = 0; i < ndlv; i++) {
		hash = mcfab_hash_u64(hash, msg->gen);
		hash = mcfab_hash_u64(hash, msg->source);
		hash = mcfab_hash_u64(hash, msg->seq);
		hash = mcfab_hash_u64(hash, dlv[i].dst);
		hash = mcfab_hash_u64(hash, msg->gen + dlv[i].header);
		hash = mcfab_hash_u64(hash, msg->gen + dlv[i].tail);
	}
	st->hash = hash;
}

static void stats_totals(struct mcfab_stats *st, struct mcfab_class_stats *cls,
			 const struct mcfab_message *msg, u32 ndlv)
{
	struct mcfab_totals t = {
		.messages = 1,
		.incomplete = !msg->complete,
		.destinations = msg->ndst,
		.deliveries = ndlv,
		.flits = msg->flits,
		.worms = msg->worms,
		.startups = msg->startups,
		.traffic = msg->traffic,
		.channel_cycles = msg->channel_cycles,
		.queue_cycles = msg->queue_cycles,
	};

	mcfab_totals_merge(&cls->all, &t);
	if (st->measured)
		mcfab_totals_merge(&cls->measured, &t);
}

/* count contradictions; true if the deliveries can be used */
static bool stats_check(struct mcfab_stats *st, const struct mcfab_message *msg,
			const struct mcfab_delivery *dlv, u32 ndlv)
{
	/* a message that has reached all but whose worms have not ended is incomplete, too */
	bool bad = msg->complete ? ndlv != msg->ndst || !ndlv : ndlv > msg->ndst;
	bool usable = true;
	u32 i, j;

	for (i = 0; i < ndlv; i++) {
		u64 sum = 0;

		for (j = 0; j < MCFAB_PARTS; j++)
			sum += dlv[i].part[j];
		st->bad_parts += sum != dlv[i].tail;
		if (dlv[i].header > dlv[i].tail || (i && dlv[i].dst <= dlv[i - 1].dst))
			bad = true;
		if (dlv[i].worm >= st->max_worms) {
			bad = true;
			usable = false;
		}
	}
	st->bad_messages += bad;
	return usable && ndlv;
}

static u64 micro_mean(u64 sum, u64 count)
{
	return mcfab_u128_div64_round(mcfab_mul64(sum, MCFAB_MICRO), count).lo;
}

/* mean over the worms of a message of each worm's last tail, in 1e-6 cycles */
static u64 stats_worms(struct mcfab_stats *st, struct mcfab_class_stats *cls,
		       const struct mcfab_delivery *dlv, u32 ndlv)
{
	u32 *last = st->worm_tail;
	u32 i, worms = 0;
	u64 sum = 0;

	for (i = 0; i < ndlv; i++)
		last[dlv[i].worm] = max(last[dlv[i].worm], dlv[i].tail);
	for (i = 0; i < ndlv; i++) {
		u32 tail = last[dlv[i].worm];

		if (!tail)
			continue;
		/* once per worm, and cleared for the next message */
		last[dlv[i].worm] = 0;
		mcfab_moments_add(&cls->worm, tail);
		sum += tail;
		worms++;
	}
	return worms ? micro_mean(sum, worms) : 0;
}

static void measure_prediction(struct mcfab_class_stats *cls, const struct mcfab_prediction *p)
{
	if (!p->ndst)	/* tables lead nowhere */
		return;
	mcfab_moments_add(&cls->predicted_completion, p->completion);
	mcfab_moments_add(&cls->predicted_destination, micro_mean(p->sum_destination, p->ndst));
	mcfab_moments_add(&cls->predicted_worm, micro_mean(p->sum_worm, p->nworms));
	mcfab_moments_add(&cls->network_latency, p->path);
}

static void stats_measure(struct mcfab_stats *st, enum mcfab_class class,
			  const struct mcfab_message *msg,
			  const struct mcfab_delivery *dlv, u32 ndlv, u32 completion)
{
	struct mcfab_u128 header2 = mcfab_u128(0), tail2 = mcfab_u128(0);
	struct mcfab_class_stats *cls = &st->class[class];
	u64 header = 0, tail = 0, mean;
	u32 i, j;

	for (i = 0; i < ndlv; i++) {
		const struct mcfab_delivery *d = &dlv[i];

		header += d->header;
		tail += d->tail;
		header2 = mcfab_u128_add(header2, mcfab_mul64(d->header, d->header));
		tail2 = mcfab_u128_add(tail2, mcfab_mul64(d->tail, d->tail));
		mcfab_moments_add(&cls->header, d->header);
		mcfab_moments_add(&cls->tail, d->tail);
		mcfab_histogram_add(cls->latency, d->tail);
		for (j = 0; j < MCFAB_PARTS; j++)
			cls->part[j] += d->part[j];
	}

	mean = micro_mean(tail, ndlv);
	mcfab_moments_add(&cls->completion, completion);
	mcfab_histogram_add(cls->completions, completion);
	mcfab_moments_add(&cls->mean_destination, mean);
	mcfab_moments_add(&cls->mean_worm, stats_worms(st, cls, dlv, ndlv));
	mcfab_moments_add(&cls->cv_header, mcfab_spread_ppm(ndlv, header, header2));
	mcfab_moments_add(&cls->cv_tail, mcfab_spread_ppm(ndlv, tail, tail2));
	if (msg->predicted)
		measure_prediction(cls, msg->predicted);
	mcfab_moments_add(&cls->additional, (s64)msg->traffic - msg->ndst);
}

/**
 * mcfab_class_moments() - the values of a metric
 * @cls: statistics of a class of messages
 * @metric: which quantity
 *
 * Context: any.
 * Return: their moments, in units of mcfab_metric_scale().
 */
const struct mcfab_moments *mcfab_class_moments(const struct mcfab_class_stats *cls,
						enum mcfab_metric metric)
{
	switch (metric) {
	case MCFAB_METRIC_DESTINATION:
		return &cls->mean_destination;
	case MCFAB_METRIC_WORM:
		return &cls->mean_worm;
	case MCFAB_METRIC_TAIL:
		return &cls->tail;
	case MCFAB_METRIC_HEADER:
		return &cls->header;
	case MCFAB_METRIC_EACH_WORM:
		return &cls->worm;
	case MCFAB_METRIC_CV_HEADER:
		return &cls->cv_header;
	case MCFAB_METRIC_CV_TAIL:
		return &cls->cv_tail;
	case MCFAB_METRIC_ADDITIONAL:
		return &cls->additional;
	default:
		return &cls->completion;
	}
}

/* add the values that a class got since the last time to the base batch under way */
static void stats_batch(struct mcfab_stats *st, enum mcfab_class class)
{
	const struct mcfab_class_stats *cls = &st->class[class];
	struct mcfab_batch *before = &st->batched[class], now, more;
	u32 i;

	now.count[MCFAB_COUNT_MESSAGES] = cls->completion.count;
	now.count[MCFAB_COUNT_DESTINATIONS] = cls->tail.count;
	now.count[MCFAB_COUNT_WORMS] = cls->worm.count;
	for (i = 0; i < MCFAB_METRICS; i++)
		now.sum[i] = mcfab_class_moments(cls, i)->sum;
	if (now.count[MCFAB_COUNT_MESSAGES] == before->count[MCFAB_COUNT_MESSAGES])
		return;
	for (i = 0; i < MCFAB_COUNTS; i++)
		more.count[i] = now.count[i] - before->count[i];
	for (i = 0; i < MCFAB_METRICS; i++)
		more.sum[i] = mcfab_u128_sub(now.sum[i], before->sum[i]);
	*before = now;
	mcfab_batches_add(&st->window.batches, class, &more);
}

/* from generation cycle @gen on messages may be treated in another way */
static void stats_turn(struct mcfab_stats *st, u64 gen)
{
	struct mcfab_window *w = &st->window;
	u32 i;

	mcfab_stats_settle(st);
	if (st->overtaken && gen != U64_MAX) {
		st->measured = mcfab_window_measures(w, gen) && gen < w->end;
		return;
	}
	for (i = 0; !st->cfg.lone && i < st->classes; i++)
		stats_batch(st, i);
	mcfab_window_advance(w, gen);
	if (!w->partial)
		mcfab_load_stop(&st->load, w->end);
	st->measured = mcfab_window_measures(w, gen);
	st->turn = mcfab_window_turn(w, gen);
}

/* any message; noinline keeps mcfab_stats_message() small for those with one delivery */
static noinline void stats_take(struct mcfab_stats *st, const struct mcfab_message *msg,
				const struct mcfab_delivery *dlv, u32 ndlv)
{
	enum mcfab_class class = mcfab_stats_class(st, msg);
	u32 i, completion = 0;

	stats_totals(st, &st->class[class], msg, ndlv);
	if (!stats_check(st, msg, dlv, ndlv) || !msg->complete)
		return;

	for (i = 0; i < ndlv; i++)
		completion = max(completion, dlv[i].tail);
	if (st->window.phase == MCFAB_PHASE_PILOT && !st->overtaken)
		mcfab_mser_add(&st->window.mser, msg->gen, completion);
	if (st->measured)
		stats_measure(st, class, msg, dlv, ndlv, completion);
}

/**
 * mcfab_stats_message() - count a message
 * @st: statistics
 * @msg: the message; messages come in the order of (generation cycle, source,
 *	 sequence) until mcfab_stats_overtake(), lone multicasts all have generation cycle 0
 * @dlv: [@ndlv] its deliveries, sorted by destination
 * @ndlv: how many they are
 *
 * A message that is not complete goes into the hash and the totals only: its latencies are not
 * known. Some messages are in @st->class only after mcfab_stats_settle().
 *
 * Context: any; the caller serialises. At a batch boundary it may take
 * milliseconds.
 */
void mcfab_stats_message(struct mcfab_stats *st, const struct mcfab_message *msg,
			 const struct mcfab_delivery *dlv, u32 ndlv)
{
	if (msg->gen >= st->turn)
		stats_turn(st, msg->gen);
	st->window.last = max(st->window.last, msg->gen);
	stats_hash(st, msg, dlv, ndlv);
	if (ndlv != 1 || !mcfab_single_take(st, msg, dlv))
		stats_take(st, msg, dlv, ndlv);
}

/**
 * mcfab_stats_advance() - note that every message generated before a cycle was handed over
 * @st: statistics
 * @gen: the cycle; U64_MAX: there will be no further messages
 *
 * Closes batches and applies the stopping rule. Messages do so, too; this is for times without
 * messages. After mcfab_stats_overtake() only U64_MAX can be known.
 *
 * Context: any; the caller serialises. May take milliseconds.
 * Return: true when the run has measured enough; never for lone runs, nor when the window has
 *	   ended because the load was exhausted.
 */
bool mcfab_stats_advance(struct mcfab_stats *st, u64 gen)
{
	stats_turn(st, gen);
	return st->window.phase == MCFAB_PHASE_DONE && st->window.end != st->window.limit;
}

/**
 * mcfab_stats_exhausted() - note that a source has generated all its messages
 * @st: statistics
 * @gen: generation cycle of its last message + 1; nothing generated then or later was handed over
 *
 * From there on the load is less than was asked for: a window that has begun ends there, but the
 * run goes on until all messages are delivered.
 *
 * Context: any; the caller serialises.
 */
void mcfab_stats_exhausted(struct mcfab_stats *st, u64 gen)
{
	if (gen >= st->window.limit)
		return;
	st->window.limit = gen;
	st->turn = min(st->turn, gen);
}

/**
 * mcfab_stats_window_start() - first generation cycle that is measured
 * @st: statistics
 *
 * Context: any.
 * Return: the cycle; U64_MAX as long as it is not known.
 */
u64 mcfab_stats_window_start(const struct mcfab_stats *st)
{
	return st->window.start;
}

/**
 * mcfab_stats_window_end() - first generation cycle behind the measuring window
 * @st: statistics
 *
 * Context: any.
 * Return: the cycle; U64_MAX as long as it is not known, and for lone runs.
 */
u64 mcfab_stats_window_end(const struct mcfab_stats *st)
{
	return st->window.end;
}

/**
 * mcfab_stats_window_over() - is a cycle behind the measuring window?
 * @st: statistics; the window has begun
 * @cycle: the cycle
 *
 * Context: any.
 * Return: true if so, as far as is known: messages of the window may still be under way.
 */
bool mcfab_stats_window_over(const struct mcfab_stats *st, u64 cycle)
{
	return cycle >= min(st->window.end, mcfab_window_limit(&st->window));
}

/**
 * mcfab_stats_finish() - note the end of the run
 * @st: statistics
 * @state: how it ended
 * @end_cycle: when it ended
 *
 * A window that is not over ends behind the latest message. The hash gets the
 * state's number and the cycle; a run that was stopped by the user or failed has none.
 *
 * Context: any; the caller serialises.
 */
void mcfab_stats_finish(struct mcfab_stats *st, enum mcfab_run_status state, u64 end_cycle)
{
	u32 i;

	mcfab_stats_settle(st);
	mcfab_window_finish(&st->window);
	mcfab_stats_loads(st, &st->loads);
	mcfab_stats_saturation(st, &st->saturation);
	for (i = 0; i < st->classes; i++)
		mcfab_window_doubt(&st->window, i, st->class[i].completion.max);
	st->hash = mcfab_hash_u64(st->hash, state);
	st->hash = mcfab_hash_u64(st->hash, end_cycle);
	/* the machine decides when a run was stopped, or memory ran out */
	st->has_hash = state != MCFAB_RUN_STATUS_STOPPED && state != MCFAB_RUN_STATUS_FAILED;
}

/**
 * mcfab_stats_interval() - mean and its 95 % confidence interval
 * @st: statistics
 * @class: class of messages
 * @metric: the quantity
 * @out: the interval
 *
 * The mean is over all measured values, each counted once. Where there is no window the half-width
 * is from the values, as if they were independent; else it is from the batches.
 *
 * Context: any; may take a millisecond.
 */
void mcfab_stats_interval(const struct mcfab_stats *st, enum mcfab_class class,
			  enum mcfab_metric metric, struct mcfab_interval *out)
{
	const struct mcfab_moments *m = mcfab_class_moments(&st->class[class], metric);
	u32 scale = mcfab_metric_scale(metric);

	memset(out, 0, sizeof(*out));
	if (st->cfg.lone) {
		out->half = mcfab_half_width(m, scale);
		out->observations = m->count;
	} else if (class < st->classes && !st->overtaken) {
		mcfab_batches_interval(&st->window.batches, class, metric, out);
	} else {
		out->half = MCFAB_UNKNOWN;
	}
	out->mean = mcfab_mean(m, scale);
}
