// SPDX-License-Identifier: GPL-2.0
/*
 * Loads.
 *
 * A cycle may be known to be in the measuring window only when it is long past, and messages that
 * were generated before the window are delivered in it. So every event is counted in the cycle in
 * which it happens. Simulated time is divided into 2048 cells, of one cycle each at first; when the
 * last cell is full, neighbours are merged, and cells are twice as long from then on. With a given
 * warm-up the first cell begins where the window begins. As soon as the window's end is known,
 * cells need not reach farther: events behind the window are counted in one place, and cells stay
 * as long as they are, however long the network takes to deliver its backlog. All loads are over
 * the same cells, the whole cells inside of the window. Where start and end of the window are
 * given, these cells are the window.
 *
 * Sums of cycles may leave 64 bits, and differences of counts may be negative: both are taken
 * modulo 2^64, and their results stay below that.
 */
#include "stats/load.h"
#include "stats/stats.h"

/* cells for events before the first cell, and behind the window */
#define BEFORE	MCFAB_LOAD_CELLS
#define BEHIND	(MCFAB_LOAD_CELLS + 1)
#define ALL	(MCFAB_LOAD_CELLS + 2)

/* cells of more cycles than a run has; 2048 of them still fit into 64 bits */
#define WHOLE_SHIFT	52

/**
 * mcfab_load_bytes() - memory that mcfab_load_open() takes
 * @classes: of mcfab_load_vary(); 0: without it
 *
 * Context: any.
 * Return: bytes.
 */
u64 mcfab_load_bytes(u32 classes)
{
	return ALL * (sizeof(struct mcfab_load_cell) + classes * sizeof(struct mcfab_load_flits));
}

/* the first cycle that is in none of the cells */
static void set_reach(struct mcfab_load *load)
{
	load->reach = min(load->origin + ((u64)MCFAB_LOAD_CELLS << load->shift), load->stop);
}

/**
 * mcfab_load_open() - prepare loads of a run
 * @load: what to fill in
 * @origin: cycles before it are counted in one place
 * @stop: where the window ends, behind @origin; U64_MAX: not known yet
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; mcfab_load_close() is due in either case.
 */
int mcfab_load_open(struct mcfab_load *load, u64 origin, u64 stop)
{
	memset(load, 0, sizeof(*load));
	load->origin = origin;
	load->stop = stop;
	load->sharp = stop != U64_MAX;
	load->classes = 1;
	while (load->sharp && (stop - 1 - origin) >> load->shift >= MCFAB_LOAD_CELLS)
		load->shift++;
	set_reach(load);
	load->cell = kvcalloc(ALL, sizeof(*load->cell), MCFAB_GFP);
	return load->cell ? 0 : -ENOMEM;
}

/**
 * mcfab_load_vary() - messages differ in length, or in their class of traffic
 * @load: loads, just opened
 * @classes: classes of traffic, 1 at least
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int mcfab_load_vary(struct mcfab_load *load, u32 classes)
{
	load->classes = classes;
	load->flits = kvcalloc(classes * ALL, sizeof(*load->flits), MCFAB_GFP);
	return load->flits ? 0 : -ENOMEM;
}

/**
 * mcfab_load_whole() - take the whole run as one cell
 * @load: loads, just opened with 0 as origin
 *
 * The cell has room for all of it, and no cells are merged.
 *
 * Context: any.
 */
void mcfab_load_whole(struct mcfab_load *load)
{
	load->shift = WHOLE_SHIFT;
	set_reach(load);
}

/**
 * mcfab_load_stop() - note the window's end
 * @load: loads
 * @stop: the first cycle behind the window; a @stop that was known before stays
 *
 * Context: any; the caller serialises.
 */
void mcfab_load_stop(struct mcfab_load *load, u64 stop)
{
	if (load->stop != U64_MAX || stop <= load->origin)
		return;
	load->stop = stop;
	set_reach(load);
}

/**
 * mcfab_load_close() - free what mcfab_load_open() took
 * @load: loads, opened or all zero
 *
 * Context: may sleep.
 */
void mcfab_load_close(struct mcfab_load *load)
{
	kvfree(load->flits);
	kvfree(load->cell);
	load->flits = NULL;
	load->cell = NULL;
}

static void cell_merge(struct mcfab_load_cell *into, const struct mcfab_load_cell *from)
{
	into->generated += from->generated;
	into->destinations += from->destinations;
	into->accepted += from->accepted;
	into->delivered += from->delivered;
	into->completed += from->completed;
	into->queued += from->queued;
	into->queue_time += from->queue_time;
	into->injecting += from->injecting;
	into->inject_time += from->inject_time;
}

static void flits_merge(struct mcfab_load_flits *into, const struct mcfab_load_flits *from)
{
	into->generated += from->generated;
	into->destinations += from->destinations;
	into->accepted += from->accepted;
	into->delivered += from->delivered;
}

static void load_merge_flits(struct mcfab_load_flits *flits)
{
	u32 i;

	for (i = 0; i < MCFAB_LOAD_CELLS / 2; i++) {
		struct mcfab_load_flits both = flits[2 * i];

		flits_merge(&both, &flits[2 * i + 1]);
		flits[i] = both;
	}
	memset(flits + i, 0, i * sizeof(*flits));
}

/* cells are twice as long from now on */
static void load_merge(struct mcfab_load *load)
{
	struct mcfab_load_cell *cell = load->cell;
	u32 i;

	for (i = 0; i < MCFAB_LOAD_CELLS / 2; i++) {
		struct mcfab_load_cell both = cell[2 * i];

		cell_merge(&both, &cell[2 * i + 1]);
		cell[i] = both;
	}
	memset(cell + i, 0, i * sizeof(*cell));
	for (i = 0; load->flits && i < load->classes; i++)
		load_merge_flits(load->flits + i * ALL);
	load->shift++;
	set_reach(load);
}

/* the cell of a cycle behind the last one */
static noinline struct mcfab_load_cell *cell_beyond(struct mcfab_load *load, u64 cycle)
{
	if (cycle >= load->stop)
		return &load->cell[BEHIND];
	while (cycle >= load->reach)
		load_merge(load);
	return &load->cell[(cycle - load->origin) >> load->shift];
}

static inline struct mcfab_load_cell *cell_at(struct mcfab_load *load, u64 cycle)
{
	if (cycle < load->origin)
		return &load->cell[BEFORE];
	if (likely(cycle < load->reach))
		return &load->cell[(cycle - load->origin) >> load->shift];
	return cell_beyond(load, cycle);
}

static void queue_begins(struct mcfab_load *load, u64 cycle)
{
	struct mcfab_load_cell *cell = cell_at(load, cycle);

	cell->queued++;
	cell->queue_time -= cycle;
}

static void queue_ends(struct mcfab_load *load, u64 cycle)
{
	struct mcfab_load_cell *cell = cell_at(load, cycle);

	cell->queued--;
	cell->queue_time += cycle;
}

static void inject_waits(struct mcfab_load *load, u64 from, u64 to)
{
	struct mcfab_load_cell *cell = cell_at(load, from);

	cell->injecting++;
	cell->inject_time -= from;
	if (to == U64_MAX)
		return;
	cell = cell_at(load, to);
	cell->injecting--;
	cell->inject_time += to;
}

/* the flits of a class that a cell counts; only after mcfab_load_vary() */
static struct mcfab_load_flits *flits_of(struct mcfab_load *load, u32 class,
					 const struct mcfab_load_cell *cell)
{
	return &load->flits[class * ALL + (cell - load->cell)];
}

static void generate(struct mcfab_load *load, struct mcfab_load_cell *cell, u32 class, u32 asked,
		     u32 flits)
{
	cell->generated++;
	cell->destinations += asked;
	if (!flits)
		return;
	flits_of(load, class, cell)->generated += flits;
	flits_of(load, class, cell)->destinations += (u64)asked * flits;
}

/**
 * mcfab_load_generated() - count a message that was generated and waits at its source
 * @load: loads
 * @class: its class of traffic
 * @gen: generation cycle
 * @asked: destinations it is for
 * @flits: its length; 0: all messages have the same, and are of one class
 *
 * When the message has left, the caller sets @generated for mcfab_load_message().
 *
 * Context: any; the caller serialises.
 */
void mcfab_load_generated(struct mcfab_load *load, u32 class, u64 gen, u32 asked, u32 flits)
{
	struct mcfab_load_cell *cell = cell_at(load, gen);

	generate(load, cell, class, asked, flits);
	cell->queued++;
	cell->queue_time -= gen;
}

/**
 * mcfab_load_skipped() - count messages left out at their sources, as they could reach nobody
 * @load: loads
 * @cycle: about when they were left out
 * @skipped: those of these messages that had not been counted as generated
 * @waited: how many other messages were left out: those counted as generated
 *
 * Context: any; the caller serialises.
 */
void mcfab_load_skipped(struct mcfab_load *load, u64 cycle,
			const struct mcfab_load_skipped *skipped, u64 waited)
{
	struct mcfab_load_cell *cell = cell_at(load, cycle);
	u32 i;

	cell->generated += skipped->messages;
	cell->destinations += skipped->asked;
	cell->completed += skipped->messages + waited;
	cell->queued -= waited;
	cell->queue_time += waited * cycle;
	for (i = 0; load->flits && i < load->classes; i++) {
		flits_of(load, i, cell)->generated += skipped->class[i].flits;
		flits_of(load, i, cell)->destinations += skipped->class[i].asked;
	}
}

/**
 * mcfab_load_message() - count the events of a message
 * @load: loads
 * @msg: the message; called once for each message
 * @dlv: [@ndlv] its deliveries; of them only the times since its generation are looked at
 * @ndlv: how many they are
 * @before: events in this cycle or later have not happened yet; U64_MAX: all have happened
 *
 * Context: any; the caller serialises.
 */
void mcfab_load_message(struct mcfab_load *load, const struct mcfab_load_message *msg,
			const struct mcfab_delivery *dlv, u32 ndlv, u64 before)
{
	u64 ready = msg->gen + msg->ready, last = msg->gen, at;
	struct mcfab_load_cell *cell;
	u32 i;

	if (!msg->generated) {
		generate(load, cell_at(load, msg->gen), msg->class, msg->asked, msg->flits);
		if (msg->taken)
			queue_begins(load, msg->gen);
	}
	if (msg->generated || msg->taken)
		queue_ends(load, msg->gen + msg->taken);
	if (msg->ready != MCFAB_NEVER && msg->accepted != msg->ready && ready < before)
		inject_waits(load, ready, msg->accepted == MCFAB_NEVER ? U64_MAX :
			     msg->gen + msg->accepted);
	if (msg->accepted != MCFAB_NEVER) {
		cell = cell_at(load, msg->gen + msg->accepted);
		cell->accepted++;
		if (msg->flits)
			flits_of(load, msg->class, cell)->accepted += msg->flits;
	}
	for (i = 0; i < ndlv; i++) {
		at = msg->gen + dlv[i].tail;
		last = max(last, at);
		if (at >= before)
			continue;
		cell = cell_at(load, at);
		cell->delivered++;
		if (msg->flits)
			flits_of(load, msg->class, cell)->delivered += msg->flits;
	}
	if (msg->over && last < before)
		cell_at(load, last)->completed++;
}

/**
 * mcfab_load_end() - note the end of the run
 * @load: loads
 * @end: the cycle
 *
 * Where the window's end is not known, the length of cells depends only on this cycle from now on.
 *
 * Context: any; the caller serialises.
 */
void mcfab_load_end(struct mcfab_load *load, u64 end)
{
	load->end = end;
	if (end > load->origin)
		cell_at(load, end - 1);
}

/**
 * mcfab_load_range() - the cells inside a range of cycles
 * @load: loads
 * @start: first cycle
 * @end: first cycle behind; the run's end is the end of the last cell, and so is the window's end
 *	 if it was known from the start
 * @first: set to the first cell
 * @last: set to the first cell behind
 *
 * Context: any.
 * Return: false if there is none.
 */
bool mcfab_load_range(const struct mcfab_load *load, u64 start, u64 end, u32 *first, u32 *last)
{
	u64 size = 1ULL << load->shift, from = max(start, load->origin) - load->origin;

	if (end <= max(start, load->origin))
		return false;
	end -= load->origin;
	*first = min_t(u64, (from + size - 1) >> load->shift, MCFAB_LOAD_CELLS);
	/* no later event is in the last cell */
	if ((load->end && load->end - load->origin <= end) ||
	    (load->sharp && load->stop - load->origin == end))
		end += size - 1;
	*last = min_t(u64, end >> load->shift, MCFAB_LOAD_CELLS);
	return *first < *last;
}

/**
 * mcfab_load_sum() - loads of a range of cycles
 * @load: loads
 * @start: first cycle
 * @end: first cycle behind
 * @out: loads of the whole cells in the range
 *
 * Context: any.
 * Return: false if there is no whole cell in it.
 */
bool mcfab_load_sum(const struct mcfab_load *load, u64 start, u64 end, struct mcfab_loads *out)
{
	struct mcfab_load_cell before = load->cell[BEFORE];
	u32 i, k, first, last;
	u64 length;

	memset(out, 0, sizeof(*out));
	if (!mcfab_load_range(load, start, end, &first, &last))
		return false;
	for (i = 0; i < first; i++)
		cell_merge(&before, &load->cell[i]);
	for (; i < last; i++)
		cell_merge(&out->sum, &load->cell[i]);
	for (k = 0; load->flits && k < load->classes; k++) {
		for (i = first; i < last; i++)
			flits_merge(&out->class[k], &load->flits[k * ALL + i]);
		flits_merge(&out->flits, &out->class[k]);
	}
	out->start = load->origin + ((u64)first << load->shift);
	out->end = load->origin + ((u64)last << load->shift);
	if (load->end)
		out->end = min(out->end, load->end);
	if (load->sharp)
		out->end = min(out->end, load->stop);
	length = out->end - out->start;
	/* the waits of all messages up to the end, less the times when they did not wait */
	out->queue_cycles = before.queued * length + out->sum.queued * out->end +
			    out->sum.queue_time;
	out->inject_cycles = before.injecting * length + out->sum.injecting * out->end +
			     out->sum.inject_time;
	return true;
}

/* all messages have the same length */
static void weigh(struct mcfab_loads *loads, u64 flits)
{
	loads->flits.generated = loads->sum.generated * flits;
	loads->flits.destinations = loads->sum.destinations * flits;
	loads->flits.accepted = loads->sum.accepted * flits;
	loads->flits.delivered = loads->sum.delivered * flits;
}

/**
 * mcfab_stats_loads() - loads of a run's measuring window
 * @st: statistics
 * @out: what to fill in
 *
 * Where there is no window, or it was not over when the run ended, the loads are up to the run's
 * end, but not beyond the window's end. If no window began, they are of the whole run.
 *
 * Context: any.
 * Return: false if they are not known yet.
 */
bool mcfab_stats_loads(const struct mcfab_stats *st, struct mcfab_loads *out)
{
	const struct mcfab_window *w = &st->window;
	u64 start = w->start, end = w->end;

	if (!st->load.cell || !st->load.end)
		return false;
	if (st->cfg.lone || w->partial)
		end = st->load.stop;
	/* a window that never began */
	if (start == U64_MAX)
		start = 0;
	if (!mcfab_load_sum(&st->load, start, min(end, st->load.end), out))
		return false;
	if (st->cfg.flits)
		weigh(out, st->cfg.flits);
	return true;
}
