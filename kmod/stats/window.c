// SPDX-License-Identifier: GPL-2.0
/*
 * The measuring window.
 *
 * Warm-up given: measuring starts with that generation cycle. Else there is a
 * pilot phase. It lasts a quarter of the batches asked for (at least 5) at first;
 * then MSER-5 judges the completion latencies of all its messages, in blocks of
 * 5. If that finds a truncation point in the first half, measuring starts where
 * the pilot phase ends. If not, or if there were fewer than 64 blocks, the pilot
 * phase is made twice as long, 8 times at most; then measuring starts anyway and
 * the run is marked as unsettled.
 *
 * So what lies between the truncation point and the end of the pilot phase is
 * not measured, although it could be: it is less than the run has to spare, and
 * nothing of it needs to be kept until the verdict.
 *
 * Messages come in the order of generation, and every decision is made at a
 * boundary in generation time before the first message behind it is looked at.
 * Therefore the window does not depend on when it is advanced.
 */
#include "stats/stats.h"
#include "stats/window.h"

static u32 window_classes(const struct mcfab_stats_cfg *cfg)
{
	return cfg->mixed ? MCFAB_CLASSES : 1;
}

/**
 * mcfab_window_bytes() - memory that mcfab_window_open() takes
 * @cfg: what the statistics are for
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_window_bytes(const struct mcfab_stats_cfg *cfg)
{
	if (cfg->lone)
		return 0;
	return mcfab_batches_bytes(window_classes(cfg)) +
	       (cfg->warmup == MCFAB_NONE ? mcfab_mser_bytes() : 0);
}

static void window_start(struct mcfab_window *w, u64 start)
{
	w->phase = MCFAB_PHASE_MEASURE;
	w->start = start;
	w->batches.start = start;
	if (!w->precision_ppm)
		w->end = start + w->batches.length * w->least;
}

/**
 * mcfab_window_open() - prepare a window
 * @w: what to fill in
 * @cfg: what the statistics are for
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM or -EINVAL (batches out of range); mcfab_window_close() is
 * due in each case.
 */
int mcfab_window_open(struct mcfab_window *w, const struct mcfab_stats_cfg *cfg)
{
	int ret;

	memset(w, 0, sizeof(*w));
	w->end = U64_MAX;
	if (cfg->lone) {
		w->phase = MCFAB_PHASE_ALL;
		return 0;
	}
	if (cfg->batches < MCFAB_BATCHES_MIN || cfg->batches > MCFAB_BATCHES_MAX ||
	    !cfg->batch_cycles)
		return -EINVAL;

	w->least = cfg->batches;
	w->precision_ppm = cfg->precision_ppm;
	ret = mcfab_batches_open(&w->batches, window_classes(cfg), cfg->batch_cycles);
	if (ret)
		return ret;
	if (cfg->warmup != MCFAB_NONE) {
		window_start(w, cfg->warmup);
		return 0;
	}
	w->phase = MCFAB_PHASE_PILOT;
	w->start = U64_MAX;
	w->pilot = (u64)max(cfg->batches / 4, 5U) * cfg->batch_cycles;
	w->doublings = MCFAB_PILOT_DOUBLINGS;
	return mcfab_mser_open(&w->mser);
}

/**
 * mcfab_window_close() - free what mcfab_window_open() took
 * @w: window, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_window_close(struct mcfab_window *w)
{
	mcfab_mser_close(&w->mser);
	mcfab_batches_close(&w->batches);
}

static void window_end_pilot(struct mcfab_window *w)
{
	bool settled = mcfab_mser_settled(&w->mser, &w->transient);

	if (!settled && w->doublings) {
		w->doublings--;
		w->pilot *= 2;
		return;
	}
	w->unsettled = !settled;
	window_start(w, w->pilot);
}

static void window_end_batch(struct mcfab_window *w, u64 boundary)
{
	mcfab_batches_end(&w->batches);
	if (w->precision_ppm ?
	    mcfab_batches_precise(&w->batches, w->least, w->precision_ppm) :
	    boundary >= w->end) {
		w->phase = MCFAB_PHASE_DONE;
		w->end = boundary;
	}
}

/**
 * mcfab_window_advance() - all messages generated before a cycle are known
 * @w: window
 * @gen: the cycle; U64_MAX: there will be no further messages. The window then
 *	 ends behind the latest message, and its last batch is a part of one that
 *	 is in no confidence interval
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_advance(struct mcfab_window *w, u64 gen)
{
	u64 boundary;

	if (w->phase == MCFAB_PHASE_ALL)
		return;
	if (gen == U64_MAX) {
		mcfab_window_finish(w);
		return;
	}
	while (w->phase == MCFAB_PHASE_PILOT && gen >= w->pilot)
		window_end_pilot(w);
	while (w->phase == MCFAB_PHASE_MEASURE) {
		boundary = mcfab_batches_boundary(&w->batches);
		if (gen < boundary)
			break;
		window_end_batch(w, boundary);
	}
}

/**
 * mcfab_window_turn() - how long messages are treated alike
 * @w: window
 * @gen: generation cycle for which it was advanced
 *
 * Context: any.
 * Return: the first generation cycle after @gen for which the window has to be advanced, or
 * from which messages are measured; U64_MAX: there is none.
 */
u64 mcfab_window_turn(const struct mcfab_window *w, u64 gen)
{
	switch (w->phase) {
	case MCFAB_PHASE_PILOT:
		return w->pilot;
	case MCFAB_PHASE_MEASURE:
		return gen < w->start ? w->start : mcfab_batches_boundary(&w->batches);
	default:
		return U64_MAX;
	}
}

/**
 * mcfab_window_finish() - no further messages will come
 * @w: window
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_finish(struct mcfab_window *w)
{
	if (w->phase == MCFAB_PHASE_PILOT)
		w->start = w->last + 1;
	if (w->phase == MCFAB_PHASE_PILOT || w->phase == MCFAB_PHASE_MEASURE) {
		w->end = max(w->start, min(w->end, w->last + 1));
		w->phase = MCFAB_PHASE_DONE;
	}
}
