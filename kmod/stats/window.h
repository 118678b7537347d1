/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The measured messages of a run: those generated in a window whose start is given or found by
 * MSER-5 and whose end is given or found by the stopping rule.
 */
#ifndef MCFAB_STATS_WINDOW_H
#define MCFAB_STATS_WINDOW_H

#include "stats/interval.h"
#include "stats/mser.h"

/** MCFAB_PILOT_DOUBLINGS - how often the pilot phase is prolonged at most */
#define MCFAB_PILOT_DOUBLINGS	8

/** enum mcfab_phase - phase of a run's measuring */
enum mcfab_phase {
	MCFAB_PHASE_ALL = 1,	/* no window: every message is measured */
	MCFAB_PHASE_PILOT,	/* waiting for the transient to die away */
	MCFAB_PHASE_MEASURE,	/* in the window */
	MCFAB_PHASE_DONE,	/* the window is over */
};

/**
 * struct mcfab_window - measuring window of a run
 * @phase: its phase
 * @start: first measured generation cycle; U64_MAX: not known yet
 * @end: first generation cycle behind the window; U64_MAX: not known yet
 * @partial: the run ended before the window did
 * @timed: the window ended with the run's time, although messages of it were not delivered
 * @limit: from this generation cycle on the load is exhausted; U64_MAX: as far as is known it is
 *	   not
 * @exhausted: @limit came before the window was over
 * @last: generation cycle of the latest message
 * @pilot: when MSER-5 judges next
 * @doublings: how often the pilot phase may still be prolonged
 * @transient: PILOT given: generation cycle of MSER-5's truncation point
 * @unsettled: no end of the transient was found
 * @length: generation cycles of a window of fixed length, and the least of any other
 * @precision_ppm: wanted relative half-width; 0: the window lasts exactly @length
 * @looks: looks so far
 * @precise: the precision was reached at so many looks, up to the last one
 * @growing: at the last look latencies grew from each eighth to the next
 * @longest: PILOT given: longest latency when MSER-5 judged the last time
 * @grew: PILOT given: how often in succession @longest was much longer than the time before
 * @mser: series of the pilot phase
 * @batches: batches of the window
 */
struct mcfab_window {
	enum mcfab_phase phase;
	u64 start;
	u64 end;
	bool partial;
	bool timed;
	bool exhausted;
	u64 limit;
	u64 last;
	u64 pilot;
	u32 doublings;
	u64 transient;
	bool unsettled;
	u64 length;
	u32 precision_ppm;
	u32 looks;
	u32 precise;
	bool growing;
	u32 longest;
	u32 grew;
	struct mcfab_mser mser;
	struct mcfab_batches batches;
};

struct mcfab_stats_cfg;

u64 mcfab_window_bytes(const struct mcfab_stats_cfg *cfg);
int mcfab_window_open(struct mcfab_window *w, const struct mcfab_stats_cfg *cfg);
void mcfab_window_close(struct mcfab_window *w);
void mcfab_window_advance(struct mcfab_window *w, u64 gen);
u64 mcfab_window_turn(const struct mcfab_window *w, u64 gen);
void mcfab_window_doubt(struct mcfab_window *w, enum mcfab_class class, u64 longest);
void mcfab_window_end(struct mcfab_window *w, u64 gen);
void mcfab_window_elapse(struct mcfab_window *w, u64 cycle);
void mcfab_window_finish(struct mcfab_window *w);

/** mcfab_window_limit() - where the window ends because messages run out; U64_MAX: nowhere */
static inline u64 mcfab_window_limit(const struct mcfab_window *w)
{
	return w->limit > w->start ? w->limit : U64_MAX;
}

/** mcfab_window_late() - was the load exhausted before the window, all of which has less of it? */
static inline bool mcfab_window_late(const struct mcfab_window *w)
{
	return w->exhausted && w->limit <= w->start;
}

/** mcfab_window_measures() - is a message measured for which the window was advanced */
static inline bool mcfab_window_measures(const struct mcfab_window *w, u64 gen)
{
	return w->phase == MCFAB_PHASE_ALL ||
	       (w->phase == MCFAB_PHASE_MEASURE && gen >= w->start);
}

#endif
