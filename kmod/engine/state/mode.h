/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modes: exact ways to move what is under way. The table of them is engine/mode.c.
 */
#ifndef MCFAB_ENGINE_STATE_MODE_H
#define MCFAB_ENGINE_STATE_MODE_H

#include "base/types.h"

struct mcfab_engine;
struct mcfab_shard;

/* reasons against several modes */
#define MCFAB_WHY_BRANCHING	"worms that branch"
#define MCFAB_WHY_HELD		"copies that hold worms up"
#define MCFAB_WHY_UNEVEN	"links with delays or rates of their own"
#define MCFAB_WHY_CUT		"worms that may be cut"
#define MCFAB_WHY_PORTS		"hosts' ports that are buffers"
#define MCFAB_WHY_ROOM		"grants that need room for whole packets"

/**
 * struct mcfab_mode - one way to move what is under way
 * @name: name in the answers to run and stats show
 * @flit: single flits are moved, in every cycle; else cycles without an event are skipped
 * @flags: MCFAB_ENG_* that are set in this mode, for the files that all modes use
 * @exact: would each delivery be in the same cycle as flit by flit? if not, @why is set to the
 *	   reason
 * @grant: grant phase of a shard
 * @move: move phase of a shard; returns the earliest cycle with anything more to do for it,
 *	  U64_MAX: none
 * @records: make the records and requests that other modes have; NULL: the mode has them itself
 * @hide: forget what @records made, before the next cycle; NULL where @records is
 * @show: write into the records how many flits are in which buffer; NULL: they are up to date
 * @rest: with no event left, the first cycle in which no flit moves; U64_MAX: it has passed. NULL:
 *	  it always has
 * @stalled: with @records: has a header waited since before a cycle? NULL: the requests say so
 * @stuck: will no header and no node do anything any more? Called if all worms wait
 * @released: channels that worms under way have had and given back; NULL: each one is counted when
 *	      it is given back
 * @leave: go on as @then from the next cycle on; NULL: the mode cannot be left
 * @then: the mode after it; if that is not exact, the next one that is
 *
 * @grant and @move run once for each shard and cycle, on the shard's thread; all others are called
 * at the boundary, or in setup.
 */
struct mcfab_mode {
	const char *name;
	bool flit;
	u32 flags;
	bool (*exact)(const struct mcfab_engine *e, const char **why);
	void (*grant)(struct mcfab_engine *e, struct mcfab_shard *s);
	u64 (*move)(struct mcfab_engine *e, struct mcfab_shard *s);
	void (*records)(struct mcfab_engine *e);
	void (*hide)(struct mcfab_engine *e);
	void (*show)(struct mcfab_engine *e);
	u64 (*rest)(const struct mcfab_engine *e);
	bool (*stalled)(const struct mcfab_engine *e, u64 newest);
	bool (*stuck)(const struct mcfab_engine *e);
	u64 (*released)(const struct mcfab_engine *e);
	void (*leave)(struct mcfab_engine *e);
	const struct mcfab_mode *then;
};

void mcfab_mode_show(struct mcfab_engine *e);
void mcfab_mode_hide(struct mcfab_engine *e);
u64 mcfab_mode_rest(struct mcfab_engine *e);
void mcfab_mode_leave(struct mcfab_engine *e);

#endif
