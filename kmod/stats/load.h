/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads: the messages generated, accepted and delivered in the measuring window, and the messages
 * that waited at the sources. Every event of a message is counted when it happens, in a cell of
 * simulated time, whenever the message was generated.
 */
#ifndef MCFAB_STATS_LOAD_H
#define MCFAB_STATS_LOAD_H

#include "base/config.h"
#include "base/types.h"

/** MCFAB_LOAD_CELLS - cells of simulated time; even */
#define MCFAB_LOAD_CELLS	2048U
/** MCFAB_NEVER - the time of an event that has not happened to a message */
#define MCFAB_NEVER		U32_MAX

struct mcfab_delivery;
struct mcfab_stats;

/**
 * struct mcfab_load_cell - events in a slice of simulated time
 * @generated: messages generated
 * @destinations: destinations they were meant for
 * @accepted: messages accepted
 * @delivered: copies delivered
 * @completed: messages of which the last copy was delivered
 * @queued: messages that began to wait for their start-up, less messages that stopped waiting
 * @queue_time: sum of the cycles in which messages stopped waiting, less those in which they began
 * @injecting: as @queued, for waits for an injection channel
 * @inject_time: as @queue_time, for waits for an injection channel
 */
struct mcfab_load_cell {
	u64 generated;
	u64 destinations;
	u64 accepted;
	u64 delivered;
	u64 completed;
	u64 queued;
	u64 queue_time;
	u64 injecting;
	u64 inject_time;
};

/**
 * struct mcfab_load_flits - flits of the messages and copies that a cell counts
 * @generated: of messages generated
 * @destinations: of the copies for their destinations
 * @accepted: of messages accepted
 * @delivered: of copies delivered
 */
struct mcfab_load_flits {
	u64 generated;
	u64 destinations;
	u64 accepted;
	u64 delivered;
};

/**
 * struct mcfab_load - loads of a run
 * @origin: first cycle of the first cell
 * @shift: logarithm of the cycles of a cell
 * @stop: where the window ends; U64_MAX: not known yet
 * @sharp: @stop was known from the start
 * @reach: first cycle behind the cells
 * @end: cycle in which the run ended; 0: it has not
 * @cell: [MCFAB_LOAD_CELLS + 2] the cells; behind them a cell for all before @origin, and a cell
 *	  for all from @stop on
 * @classes: classes of traffic, 1 at least
 * @flits: [@classes * (MCFAB_LOAD_CELLS + 2)] flits of each class in the cells; NULL where all
 *	   messages have the same length and are of one class
 */
struct mcfab_load {
	u64 origin;
	u32 shift;
	bool sharp;
	u64 stop;
	u64 reach;
	u64 end;
	struct mcfab_load_cell *cell;
	u32 classes;
	struct mcfab_load_flits *flits;
};

/**
 * struct mcfab_load_message - events of a message; times are cycles since its generation
 * @gen: generation cycle
 * @asked: destinations it was generated for, reachable or not
 * @class: its class of traffic
 * @flits: its length; 0: all messages have the same, and are of one class
 * @generated: mcfab_load_generated() has counted it
 * @taken: preparation and start-up began
 * @ready: its source's last start-up was over
 * @accepted: the header of its source's last worm got its injection channel
 * @over: no part of it is under way
 */
struct mcfab_load_message {
	u64 gen;
	u32 asked;
	u32 class;
	u32 flits;
	bool generated;
	u32 taken;
	u32 ready;
	u32 accepted;
	bool over;
};

/**
 * struct mcfab_load_class - messages of a class of traffic that were left out at their sources
 * @flits: their flits
 * @asked: flits of the copies that they were generated for
 */
struct mcfab_load_class {
	u64 flits;
	u64 asked;
};

/**
 * struct mcfab_load_skipped - messages left out at their sources, as they could reach nobody
 * @messages: how many they are
 * @asked: destinations they were generated for
 * @class: their flits by class of traffic; only where struct mcfab_load has @flits
 */
struct mcfab_load_skipped {
	u64 messages;
	u64 asked;
	struct mcfab_load_class class[MCFAB_MAX_TRAFFIC_CLASSES];
};

/**
 * struct mcfab_loads - loads over the cells in the measuring window
 * @start: first cycle; up to a cell behind the window's start
 * @end: first cycle behind; up to a cell before the window's end
 * @sum: events between @start and @end
 * @flits: their flits
 * @class: flits of each class of traffic, if there are classes
 * @queue_cycles: cycles that messages waited for their start-up between @start and @end
 * @inject_cycles: cycles that messages waited for an injection channel between @start and @end
 */
struct mcfab_loads {
	u64 start;
	u64 end;
	struct mcfab_load_cell sum;
	struct mcfab_load_flits flits;
	struct mcfab_load_flits class[MCFAB_MAX_TRAFFIC_CLASSES];
	u64 queue_cycles;
	u64 inject_cycles;
};

u64 mcfab_load_bytes(u32 classes);
int mcfab_load_open(struct mcfab_load *load, u64 origin, u64 stop);
int mcfab_load_vary(struct mcfab_load *load, u32 classes);
void mcfab_load_whole(struct mcfab_load *load);
void mcfab_load_stop(struct mcfab_load *load, u64 stop);
void mcfab_load_close(struct mcfab_load *load);
void mcfab_load_generated(struct mcfab_load *load, u32 class, u64 gen, u32 asked, u32 flits);
void mcfab_load_skipped(struct mcfab_load *load, u64 cycle,
			const struct mcfab_load_skipped *skipped, u64 waited);
void mcfab_load_message(struct mcfab_load *load, const struct mcfab_load_message *msg,
			const struct mcfab_delivery *dlv, u32 ndlv, u64 before);
void mcfab_load_end(struct mcfab_load *load, u64 end);
bool mcfab_load_range(const struct mcfab_load *load, u64 start, u64 end, u32 *first, u32 *last);
bool mcfab_load_sum(const struct mcfab_load *load, u64 start, u64 end, struct mcfab_loads *out);
bool mcfab_stats_loads(const struct mcfab_stats *st, struct mcfab_loads *out);

/**
 * mcfab_load_misses() - are all events of a message outside of the cells?
 * @load: loads
 * @gen: generation cycle
 * @last: cycles from its generation until its last copy was delivered
 *
 * Such a message need not be counted, unless it was counted as generated while it waited.
 *
 * Context: any; the caller serialises.
 * Return: true: all events are before the first cell, or behind the window.
 */
static inline bool mcfab_load_misses(const struct mcfab_load *load, u64 gen, u32 last)
{
	return gen + last < load->origin || gen >= load->stop;
}

/**
 * mcfab_load_single() - count the events of a message that waited for nothing
 * @load: loads
 * @gen: generation cycle
 * @asked: destinations it was generated for
 * @accepted: cycles from its generation until it was taken up and got its injection channel
 * @tail: cycles from its generation until its only copy was delivered, @accepted at least
 *
 * As mcfab_load_message(), for most messages where all have the same length.
 *
 * Context: any; the caller serialises.
 * Return: false: there is no cell for some event yet, and nothing has been counted.
 */
static inline bool mcfab_load_single(struct mcfab_load *load, u64 gen, u32 asked, u32 accepted,
				     u32 tail)
{
	u64 at = gen - load->origin;
	u32 shift = load->shift;
	struct mcfab_load_cell *cell;

	if (gen < load->origin || gen + tail >= load->reach)
		return false;
	cell = &load->cell[at >> shift];
	cell->generated++;
	cell->destinations += asked;
	load->cell[(at + accepted) >> shift].accepted++;
	cell = &load->cell[(at + tail) >> shift];
	cell->delivered++;
	cell->completed++;
	return true;
}

#endif
