// SPDX-License-Identifier: GPL-2.0
/*
 * The modes in which a run may be computed, the fastest first, and the choice among them. Each mode
 * says itself for which rules it is exact; the last one, flit, knows all rules.
 */
#include "engine/flight/flight.h"
#include "engine/flit/advance.h"
#include "engine/flit/cruise.h"
#include "engine/flit/rows.h"
#include "engine/hop/hop.h"
#include "engine/internal.h"
#include "engine/packet/crossing.h"
#include "engine/tail/tails.h"
#include "engine/tail/trees.h"

/* The move phase of each mode: move what is under way, and say in which cycle there is more. */

static u64 packet_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 next;

	mcfab_crossing_move(e, s);
	next = mcfab_records_next(e, s);
	/* no cycle can be earlier */
	return next == e->cycle + 1 ? next : min(next, mcfab_crossing_next(e, s));
}

static u64 tails_next(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	u64 next = mcfab_records_next(e, s);

	if (next == e->cycle + 1)
		return next;
	return min3(next, mcfab_wheel_next(&s->tails, e->cycle),
		    mcfab_wheel_next(&s->copies, e->cycle));
}

static u64 path_tail_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_tails_move(e, s);
	return tails_next(e, s);
}

static u64 tree_tail_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_trees_move(e, s);
	return tails_next(e, s);
}

static u64 hop_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_hops_move(e, s);
	/* modes of single flits compute these cycles, too, so they see a deadlock no earlier */
	return s->nheld ? e->cycle + 1 : mcfab_records_next(e, s);
}

static u64 row_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_flits_hear(e, s);
	mcfab_rows_move(e, s);
	return mcfab_records_next(e, s);
}

static u64 cruise_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 next;

	mcfab_cruise_move(e, s);
	next = mcfab_records_next(e, s);
	return next == e->cycle + 1 ? next : min(next, mcfab_wheel_next(&s->tails, e->cycle));
}

static u64 path_flit_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_flits_hear(e, s);
	mcfab_paths_move(e, s);
	return mcfab_records_next(e, s);
}

static u64 flit_move(struct mcfab_engine *e, struct mcfab_shard *s)
{
	mcfab_worms_move(e, s);
	return mcfab_records_next(e, s);
}

static bool always_exact(const struct mcfab_engine *e, const char **why)
{
	*why = NULL;
	return true;
}

enum { PACKET, FLIGHT, PATH_TAIL, TREE_TAIL, HOP, ROW, CRUISE, PATH_FLIT, FLIT, MODES };

static const struct mcfab_mode modes[MODES] = {
	[PACKET] = {
		.name		= "packet",
		.flags		= MCFAB_ENG_WORM | MCFAB_ENG_COPIES,
		.exact		= mcfab_crossing_exact,
		.grant		= mcfab_records_grant,
		.move		= packet_move,
		.show		= mcfab_crossing_show,
		.rest		= mcfab_crossing_rest,
	},
	[FLIGHT] = {
		.name		= "flight",
		.flags		= MCFAB_ENG_TAILS | MCFAB_ENG_FLIGHTS,
		.exact		= mcfab_flights_exact,
		.grant		= mcfab_flights_grant,
		.move		= mcfab_flights_move,
		.records	= mcfab_flights_show,
		.hide		= mcfab_flights_hide,
		.show		= mcfab_tails_show,
		.rest		= mcfab_tails_rest,
		.stalled	= mcfab_flights_stalled,
		.stuck		= mcfab_flights_stuck,
		.released	= mcfab_flights_released,
		.leave		= mcfab_flights_leave,
		.then		= &modes[PATH_TAIL],
	},
	[PATH_TAIL] = {
		.name		= "path-tail",
		.flags		= MCFAB_ENG_TAILS,
		.exact		= mcfab_path_tails_exact,
		.grant		= mcfab_records_grant,
		.move		= path_tail_move,
		.show		= mcfab_tails_show,
		.rest		= mcfab_tails_rest,
	},
	[TREE_TAIL] = {
		.name		= "tree-tail",
		.flags		= MCFAB_ENG_TAILS | MCFAB_ENG_TREES,
		.exact		= mcfab_tails_exact,
		.grant		= mcfab_records_grant,
		.move		= tree_tail_move,
		.show		= mcfab_trees_show,
		.rest		= mcfab_trees_rest,
	},
	[HOP] = {
		.name		= "hop",
		.flags		= MCFAB_ENG_PATHS | MCFAB_ENG_HOPS,
		.exact		= mcfab_hops_exact,
		.grant		= mcfab_records_grant,
		.move		= hop_move,
		.records	= mcfab_hops_show,
		.hide		= mcfab_hops_hide,
	},
	[ROW] = {
		.name		= "row",
		.flags		= MCFAB_ENG_PATHS | MCFAB_ENG_ROWS,
		.exact		= mcfab_rows_exact,
		.grant		= mcfab_records_grant,
		.move		= row_move,
		.show		= mcfab_rows_show,
		.leave		= mcfab_rows_leave,
		.then		= &modes[CRUISE],
	},
	[CRUISE] = {
		.name		= "cruise",
		.flags		= MCFAB_ENG_PATHS | MCFAB_ENG_CRUISE,
		.exact		= mcfab_cruise_exact,
		.grant		= mcfab_records_grant,
		.move		= cruise_move,
		.show		= mcfab_cruise_show,
		.rest		= mcfab_cruise_rest,
	},
	[PATH_FLIT] = {
		.name		= "path-flit",
		.flit		= true,
		.flags		= MCFAB_ENG_PATHS,
		.exact		= mcfab_paths_exact,
		.grant		= mcfab_records_grant,
		.move		= path_flit_move,
	},
	[FLIT] = {
		.name		= "flit",
		.flit		= true,
		.exact		= always_exact,
		.grant		= mcfab_records_grant,
		.move		= flit_move,
	},
};

static const struct mcfab_mode *first_exact(const struct mcfab_engine *e,
					    enum mcfab_advance_mode advance, const char **why)
{
	const struct mcfab_mode *mode = modes;

	for (; !mode->exact(e, &why[mode - modes]); mode++)
		;
	while (advance == MCFAB_ADVANCE_MODE_FLIT && !mode->flit) {
		why[mode - modes] = "advance flit";
		mode++;
		while (!mode->exact(e, &why[mode - modes]))
			mode++;
	}
	return mode;
}

/*
 * In the modes with tails, so many routers keep a thread busy between two barriers: with 16384
 * routers two threads took 1.3 times as long as one, with 65536 half as long.
 */
#define TAILS_ROUTERS	32768

/*
 * So many routers leave so little to do in a cycle that one thread with one of the modes row and
 * cruise is faster.
 */
#define FEW_ROUTERS	1024

/* where the user did not ask for shards, as many as are of use; flight and cruise need one alone */
static const struct mcfab_mode *choose_shards(struct mcfab_engine *e,
					      enum mcfab_advance_mode advance,
					      const char **why)
{
	const struct mcfab_mode *mode;
	u32 shards = e->nshards;

	mcfab_set_shards(e, 1);
	mode = first_exact(e, advance, why);
	if (mode == &modes[FLIGHT] ||
	    ((mode == &modes[HOP] || mode == &modes[ROW] || mode == &modes[CRUISE]) &&
	     e->topo->routers <= FEW_ROUTERS))
		return mode;
	if (mode == &modes[PATH_TAIL] || mode == &modes[TREE_TAIL])
		shards = clamp(e->topo->routers / TAILS_ROUTERS, 1U, shards);
	mcfab_set_shards(e, shards);
	return first_exact(e, advance, why);
}

/* write the reasons against faster modes, as far as there is room; one reason for several modes */
static void tell(const struct mcfab_engine *e, const char *const *why, struct mcfab_chosen *out)
{
	u32 i, end = e->mode - modes;
	size_t len = 0;

	strscpy(out->mode, e->mode->name, sizeof(out->mode));
	out->why[0] = 0;
	for (i = 0; i < end; i++) {
		bool again = i + 1 < end && !strcmp(why[i], why[i + 1]);

		len += scnprintf(out->why + len, sizeof(out->why) - len, "%s%s", modes[i].name,
				 again ? ", " : ": ");
		if (!again)
			len += scnprintf(out->why + len, sizeof(out->why) - len, "%s%s", why[i],
					 i + 1 < end ? "; " : "");
	}
}

/* where the records of all places take more memory than this, most are in no cache */
#define FAR_BYTES	(16ULL << 20)

/*
 * Where records are in no cache, the engine prefetches what it will need next, if worms have more
 * than a few records, and by the simplest rules. Mode path-flit follows a worm from record to
 * record: there worms keep trails of their records, so that it knows before where they are.
 */
static bool looks_ahead(const struct mcfab_engine *e)
{
	return e->flags & MCFAB_ENG_PATHS &&
	       !(e->flags & (MCFAB_ENG_BOOKSIM | MCFAB_ENG_PORTS)) &&
	       e->run.flits > MCFAB_WORM_BEHIND &&
	       mcfab_full_bytes(e, sizeof(*e->rec) + sizeof(*e->head)) > FAR_BYTES;
}

/* of the modes of whole worms, the one whose reason tells a user most */
static u32 nearest(const struct mcfab_engine *e)
{
	if (e->hw.release_sent && !e->hw.packet_room)
		return CRUISE;
	/* mode packet needs long buffers */
	return e->hw.buffer < e->run.flits ? TREE_TAIL : PACKET;
}

/**
 * mcfab_mode_choose() - take the fastest mode that is exact
 * @e: engine; its flags, counts and delays are set
 * @advance: the run's option
 * @err: filled in when it is refused
 *
 * May reduce the number of shards where the user did not ask for it.
 *
 * Context: any.
 * Return: 0, or -EOPNOTSUPP if @advance is worm and only modes of single flits are exact.
 */
int mcfab_mode_choose(struct mcfab_engine *e, enum mcfab_advance_mode advance,
		      struct mcfab_err *err)
{
	const char *why[MODES] = { NULL };

	e->mode = e->cfg->fewer_shards ? choose_shards(e, advance, why) :
					 first_exact(e, advance, why);
	if (advance == MCFAB_ADVANCE_MODE_WORM && e->mode->flit)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_ADVANCE,
				    "advance worm would not be exact with %s", why[nearest(e)]);
	e->flags |= e->mode->flags;
	mcfab_rows_size(e);
	if (looks_ahead(e))
		e->flags |= MCFAB_ENG_FAR;
	tell(e, why, &e->chosen);
	return 0;
}

/**
 * mcfab_mode_layout() - rules for which a run needs memory
 * @e: engine; its mode is chosen
 *
 * Context: any.
 * Return: its flags, and those of the mode in which it may go on.
 */
u32 mcfab_mode_layout(const struct mcfab_engine *e)
{
	const struct mcfab_mode *then = e->mode->then;
	const char *why;

	return e->flags | (then && then->exact(e, &why) ? then->flags : 0);
}
