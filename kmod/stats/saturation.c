// SPDX-License-Identifier: GPL-2.0
/*
 * Saturation.
 *
 * The window is cut into 32 parts. Of each, D is the number of messages generated less the number
 * completed: by how much more of them are in source queues, with later senders or in the network.
 * In a network that carries its load, D is nothing on average. It is saturated if all of these
 * hold:
 *
 *	mean(D) > t s / sqrt(32)	s: standard deviation of D; t: its 99 % point, Student
 *	mean(D) >= 1 % of what is generated in a part
 *	mean(D) > 0 in the second half
 *
 * Parts are whole cells of the loads, so they differ in length by one. A window has 1024 cells
 * or more if its start and length are given. If it takes long to find its start or its end, fewer
 * are in it, because cells become longer with the run. With fewer than 32 the verdict is unknown,
 * and the run is cut, unless the window has fewer than 32 cycles or the load was exhausted.
 *
 * Where half of all messages wait at their sources, or some sources send next to nothing, the
 * messages of the window are not waited for: the verdict is on the window's time, in which all
 * events are known.
 */
#include "stats/derive.h"
#include "stats/saturation.h"
#include "stats/stats.h"

#define PARTS	MCFAB_WINDOW_PARTS
/* 99 % point of Student's t with 31 degrees of freedom, 2.452824, / sqrt(32), in 1e-6 */
#define FACTOR	433602

/* least growth, in percent of the messages generated */
#define GROWTH	1

/**
 * mcfab_saturation() - is more generated than completed in a range of cycles?
 * @load: loads; all messages generated in the range have been counted
 * @start: first cycle
 * @end: first cycle behind
 * @out: the verdict, and its numbers
 *
 * Context: any.
 */
void mcfab_saturation(const struct mcfab_load *load, u64 start, u64 end,
		      struct mcfab_saturation *out)
{
	u32 first, last, part, i;
	s64 mean;

	memset(out, 0, sizeof(*out));
	out->verdict = MCFAB_VERDICT_UNKNOWN;
	if (!mcfab_load_range(load, start, end, &first, &last) || last - first < PARTS)
		return;
	for (part = 0; part < PARTS; part++) {
		u32 stop = first + (part + 1) * (last - first) / PARTS;
		s64 growth = 0;

		for (i = first + part * (last - first) / PARTS; i < stop; i++) {
			out->generated += load->cell[i].generated;
			growth += load->cell[i].generated - load->cell[i].completed;
		}
		mcfab_moments_add(&out->growth, growth);
		if (part >= PARTS / 2)
			out->late += growth;
	}
	mean = mcfab_mean(&out->growth, MCFAB_MICRO);
	out->threshold = mcfab_u128_div64(mcfab_mul64(mcfab_deviation(&out->growth, MCFAB_MICRO),
						      FACTOR), MCFAB_MICRO, NULL).lo;
	out->verdict = MCFAB_VERDICT_STEADY;
	if (mean > 0 && mean > out->threshold && out->late > 0 &&
	    out->growth.sum.lo * 100 >= out->generated * GROWTH)
		out->verdict = MCFAB_VERDICT_SATURATED;
}

/**
 * mcfab_stats_saturation() - the verdict on a run's measuring window
 * @st: statistics; the run has ended
 * @out: the verdict; unknown if there was no window, it was not complete, or the load was
 *	 exhausted before it began
 *
 * Context: any.
 */
void mcfab_stats_saturation(const struct mcfab_stats *st, struct mcfab_saturation *out)
{
	const struct mcfab_window *w = &st->window;

	memset(out, 0, sizeof(*out));
	out->verdict = MCFAB_VERDICT_UNKNOWN;
	if (st->load.cell && w->phase == MCFAB_PHASE_DONE && !w->partial && !mcfab_window_late(w))
		mcfab_saturation(&st->load, w->start, w->end, out);
}

/**
 * mcfab_stats_blurred() - are the cells too long for a verdict, although the window is not too
 * short?
 * @st: statistics; the run has ended, its window is complete and the verdict unknown
 *
 * Context: any.
 * Return: true if so: the run took very long after its window, or before it. False for a window
 * that ended because the load was exhausted, whatever its length.
 */
bool mcfab_stats_blurred(const struct mcfab_stats *st)
{
	const struct mcfab_window *w = &st->window;

	return st->load.cell && !w->exhausted && w->end - w->start >= PARTS;
}

/**
 * mcfab_stats_overdue() - is the time of the window over, although messages of it are missing?
 * @st: statistics
 * @cycle: the present
 *
 * To be called only if messages wait in such numbers that the rest of the window is not worth
 * waiting for.
 *
 * Context: any.
 * Return: true if a window of given place is over, or if even the least window of a run with a
 * precision is not complete after four times as many cycles. False if the load is exhausted: all
 * messages will be delivered.
 */
bool mcfab_stats_overdue(const struct mcfab_stats *st, u64 cycle)
{
	const struct mcfab_window *w = &st->window;
	u64 start = w->phase == MCFAB_PHASE_PILOT ? w->pilot : w->start;

	if ((w->phase != MCFAB_PHASE_PILOT && w->phase != MCFAB_PHASE_MEASURE) ||
	    w->limit != U64_MAX)
		return false;
	if (w->end != U64_MAX)
		return cycle >= w->end;
	return (st->overtaken || w->last < start + w->length) && cycle / 4 > start + w->length;
}

/**
 * mcfab_stats_overtake() - note that messages do not come in order of generation from now on
 * @st: statistics
 *
 * A few messages that do not move would hold back all that were generated after them. So far
 * beyond saturation latencies say how long the run lasted, and little else. So batches, the search
 * for the end of the transient and the stopping rule end here; hash, totals, loads and the moments
 * of latencies go on.
 *
 * Context: any; the caller serialises.
 */
void mcfab_stats_overtake(struct mcfab_stats *st)
{
	st->overtaken = true;
	/* each message is looked at on its own */
	st->turn = 0;
}
