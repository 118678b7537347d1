// SPDX-License-Identifier: GPL-2.0
/*
 * The measuring window.
 *
 * If a warm-up is given, measuring starts with that generation cycle. Else there is a pilot phase.
 * It lasts a quarter of the window's least length at first; then MSER-5 judges the completion
 * latencies of all its messages, in blocks of 5. If MSER-5 finds a truncation point in the first
 * half, and no message took longer than half of the phase, measuring starts where the pilot phase
 * ends. If not, the pilot phase is made twice as long, 8 times at most; then measuring starts
 * anyway and the run is marked as unsettled. It is also marked when the longest latency grew by a
 * factor of 1.7 or more in two doublings in succession: under overload, waiting is vain.
 *
 * With fewer than 64 blocks MSER-5 would decide by chance. Such a pilot phase is prolonged to half
 * of the window at most, so that a short run at low load is not spent on it. It is prolonged
 * further only for a message that took longer than half of the phase. Then measuring starts, and
 * only such a message makes the run unsettled.
 *
 * Under overload queues grow for ever, maybe too slowly for the pilot phase to see. So the run is
 * marked as unsettled, too, if it ends in the pilot phase, if a message of the window took longer
 * than half of the window, or if each eighth of the window has a larger mean completion latency
 * than the eighth before.
 *
 * The run is also marked if a source had sent all its messages before the window began: the load in
 * the window is then less than was asked for, and no verdict is given.
 *
 * Messages between the truncation point and the end of the pilot phase are not measured, although
 * they could be: they are fewer than the run has to spare, and nothing of them needs to be kept
 * until the verdict.
 *
 * A window of fixed length has 384 base batches. Any other window has as many at first, and goes on
 * until the precision is reached at two looks, one after the other. If it was not reached at the
 * first look, it has to be reached at three looks, as it may have been reached by luck. There is a
 * look when 256 or 384 base batches are over, whatever their length has become by merging: at 2/3,
 * 1, 4/3, 2, 8/3, 4 ... times the least length. So few looks do not wait for luck. Under overload
 * there is no mean to be precise about: a window ends when at two looks each eighth of it has a
 * larger mean latency than the eighth before, and the last eighth twice that of the first.
 *
 * Messages come in the order of generation. Every decision is made at a boundary in generation
 * time, before the first message behind it is looked at. Therefore the window does not depend on
 * when it is advanced.
 *
 * Far beyond saturation the messages of a window are not delivered in any time worth waiting for.
 * Then the engine ends the window by simulated time. What is left of it are the loads.
 */
#include "stats/stats.h"
#include "stats/window.h"

/* so many doublings in succession with latencies in proportion to the pilot phase end it */
#define ENDLESS_DOUBLINGS	2
/* by so much latencies grow from the first to the last eighth of a hopeless window */
#define ENDLESS_GROWTH		2
/* precise looks that a run needs if its first look was precise */
#define LOOKS			2

/**
 * mcfab_window_bytes() - memory that mcfab_window_open() takes
 * @cfg: configuration of the statistics
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_window_bytes(const struct mcfab_stats_cfg *cfg)
{
	if (cfg->lone)
		return 0;
	return mcfab_batches_bytes(mcfab_stats_classes(cfg)) +
	       (cfg->warmup == MCFAB_NONE ? mcfab_mser_bytes() : 0);
}

static void window_start(struct mcfab_window *w, u64 start)
{
	w->phase = MCFAB_PHASE_MEASURE;
	w->start = start;
	w->batches.start = start;
	if (!w->precision_ppm)
		w->end = start + w->length;
}

/**
 * mcfab_window_open() - prepare a window
 * @w: what to fill in
 * @cfg: configuration of the statistics
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
	w->limit = U64_MAX;
	if (cfg->lone) {
		w->phase = MCFAB_PHASE_ALL;
		return 0;
	}
	if (cfg->batches < MCFAB_MIN_BATCHES || cfg->batches > MCFAB_MAX_BATCHES ||
	    !cfg->batch_cycles)
		return -EINVAL;

	w->length = (u64)cfg->batches * cfg->batch_cycles;
	w->precision_ppm = cfg->precision_ppm;
	ret = mcfab_batches_open(&w->batches, mcfab_stats_classes(cfg), w->length);
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
	bool judged = mcfab_mser_settled(&w->mser, &w->transient);
	bool few = w->mser.count < MCFAB_MSER_LEAST;
	bool settled = (judged || few) && w->mser.longest <= w->pilot / 2;

	/* queues that grow for ever grow in proportion to time, others in proportion to its root */
	if (10ULL * w->mser.longest >= 17ULL * w->longest && w->longest)
		w->grew++;
	else
		w->grew = 0;
	w->longest = w->mser.longest;
	if (w->doublings && w->grew < ENDLESS_DOUBLINGS &&
	    (!settled || (few && w->pilot < w->length / 2))) {
		w->doublings--;
		w->pilot *= 2;
		return;
	}
	w->unsettled = !settled;
	window_start(w, w->pilot);
}

static bool window_growing(const struct mcfab_window *w, u32 factor)
{
	u32 i;

	for (i = 0; i < w->batches.classes; i++)
		if (mcfab_batches_grow(&w->batches, i, factor))
			return true;
	return false;
}

/*
 * The stopping rule: precise enough, or hopeless, at two looks, one after the other. A run that was
 * not precise at its first look has to be precise at three looks.
 */
static bool window_enough(struct mcfab_window *w)
{
	bool growing = w->growing;

	if (!w->precision_ppm)
		return w->batches.count == MCFAB_BASE_WINDOW;
	if (!mcfab_batches_look(&w->batches))
		return false;
	w->precise = mcfab_batches_precise(&w->batches, w->precision_ppm) ? w->precise + 1 : 0;
	w->growing = window_growing(w, ENDLESS_GROWTH);
	w->looks++;
	return w->precise >= (w->looks == LOOKS ? LOOKS : LOOKS + 1) || (w->growing && growing);
}

static void window_end_base(struct mcfab_window *w, u64 boundary)
{
	mcfab_batches_end(&w->batches);
	if (window_enough(w)) {
		w->phase = MCFAB_PHASE_DONE;
		w->end = boundary;
	}
}

/* where the base batch under way ends */
static u64 window_boundary(const struct mcfab_window *w)
{
	return mcfab_batches_base(&w->batches, w->batches.count + 1);
}

/**
 * mcfab_window_end() - end the window
 * @w: window, which has begun
 * @gen: the end: no message generated then or later is known
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_end(struct mcfab_window *w, u64 gen)
{
	w->phase = MCFAB_PHASE_DONE;
	w->end = gen;
}

/**
 * mcfab_window_elapse() - end the window by simulated time, whatever is still under way
 * @w: window
 * @cycle: the present; the window does not end later
 *
 * A window that has not begun is the second half of the time up to now, and no message is measured
 * in it.
 *
 * Context: any; the caller serialises. The last messages may come afterwards.
 */
void mcfab_window_elapse(struct mcfab_window *w, u64 cycle)
{
	w->timed = true;
	w->end = min(w->end, cycle);
	if (w->phase != MCFAB_PHASE_PILOT)
		return;
	w->start = cycle / 2;
	w->unsettled = true;
	w->phase = MCFAB_PHASE_DONE;
}

/**
 * mcfab_window_advance() - note that all messages generated before a cycle are known
 * @w: window
 * @gen: the cycle; U64_MAX: there will be no further messages. Then the window ends behind the
 *	 latest message, and its last base batch is incomplete and in no confidence interval
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_advance(struct mcfab_window *w, u64 gen)
{
	u64 boundary;

	if (w->phase == MCFAB_PHASE_ALL || w->phase == MCFAB_PHASE_DONE)
		return;
	if (gen == U64_MAX) {
		w->exhausted = w->limit != U64_MAX;
		if (w->phase == MCFAB_PHASE_MEASURE && mcfab_window_limit(w) != U64_MAX)
			mcfab_window_end(w, w->limit);
		mcfab_window_finish(w);
		return;
	}
	while (w->phase == MCFAB_PHASE_PILOT && gen >= w->pilot)
		window_end_pilot(w);
	while (w->phase == MCFAB_PHASE_MEASURE) {
		boundary = window_boundary(w);
		if (gen < min(boundary, mcfab_window_limit(w)))
			break;
		if (boundary > mcfab_window_limit(w)) {
			mcfab_window_end(w, w->limit);
			break;
		}
		window_end_base(w, boundary);
	}
	w->exhausted |= gen >= w->limit && (w->phase != MCFAB_PHASE_DONE || w->end >= w->limit);
}

/**
 * mcfab_window_turn() - until when messages are treated alike
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
		return gen < w->start ? w->start : min(window_boundary(w), mcfab_window_limit(w));
	default:
		return U64_MAX;
	}
}

/**
 * mcfab_window_doubt() - look at the whole window: did latencies grow for ever?
 * @w: window that is over
 * @class: class of messages
 * @longest: longest completion latency of its measured messages
 *
 * Marks the run as unsettled. Does nothing where the warm-up was given.
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_doubt(struct mcfab_window *w, enum mcfab_class class, u64 longest)
{
	if (!w->mser.sum || w->phase != MCFAB_PHASE_DONE)
		return;
	if (longest > (w->end - w->start) / 2 || mcfab_batches_grow(&w->batches, class, 1))
		w->unsettled = true;
}

/**
 * mcfab_window_finish() - note that no further messages will come
 * @w: window
 *
 * Context: any; the caller serialises.
 */
void mcfab_window_finish(struct mcfab_window *w)
{
	/* the window has not begun: its start stays unknown */
	if (w->phase == MCFAB_PHASE_PILOT)
		w->unsettled = true;
	if (w->timed) {
		w->phase = MCFAB_PHASE_DONE;
	} else if (w->phase == MCFAB_PHASE_PILOT || w->phase == MCFAB_PHASE_MEASURE) {
		w->end = max(w->start, min(w->end, w->last + 1));
		w->partial = true;
		w->phase = MCFAB_PHASE_DONE;
	}
	if (mcfab_window_late(w))
		w->unsettled = true;
}
