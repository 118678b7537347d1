/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A search for messages that deadlock: crowds of messages run on a copy of the fabric, and of a
 * crowd that deadlocks, as many messages and destinations are taken away as can be.
 */
#ifndef MCFAB_FABRIC_REPLAY_H
#define MCFAB_FABRIC_REPLAY_H

#include "fabric/fabric.h"

/**
 * struct mcfab_suspect - a message that may have part in a deadlock
 * @source: its source
 * @ndst: its destinations
 * @dst: [@ndst] which
 */
struct mcfab_suspect {
	u32 source;
	u32 ndst;
	u32 *dst;
};

/** enum mcfab_replay_stage - what the search does next */
enum mcfab_replay_stage {
	MCFAB_REPLAY_CROWDS,	/* runs a crowd */
	MCFAB_REPLAY_MESSAGES,	/* takes messages away */
	MCFAB_REPLAY_DESTS,	/* takes destinations away */
	MCFAB_REPLAY_END,
};

/**
 * struct mcfab_replay - a search
 * @fabric: copy of the fabric
 * @run: the run; its list is @list or @trial
 * @most: most destinations of a message
 * @suspect: messages of a cycle of waits
 * @nsuspects: how many
 * @list: a crowd; when one has deadlocked, the fewest messages that are known to
 * @trial: some of them
 * @room: messages that there is room for
 * @stage: what comes next
 * @crowd: crowds so far
 * @crowds: most crowds
 * @at: where the next part that is to be taken away begins
 * @part: its size
 * @shrunk: something was taken away since @at was 0 for the last time
 * @deadlock: the deadlock of @list, if one was found
 */
struct mcfab_replay {
	struct mcfab_fabric *fabric;
	struct mcfab_run_cfg run;
	u32 most;
	const struct mcfab_suspect *suspect;
	u32 nsuspects;
	struct mcfab_msg_list list;
	struct mcfab_msg_list trial;
	u32 room;
	enum mcfab_replay_stage stage;
	u32 crowd;
	u32 crowds;
	u32 at;
	u32 part;
	bool shrunk;
	struct mcfab_deadlock deadlock;
};

int mcfab_replay_open(struct mcfab_replay *r, const struct mcfab_fabric_cfg *fabric,
		      const struct mcfab_run_cfg *run, u32 most, struct mcfab_err *err);
void mcfab_replay_close(struct mcfab_replay *r);
int mcfab_replay_step(struct mcfab_replay *r, struct mcfab_err *err);

/** mcfab_replay_found() - has a crowd deadlocked? */
static inline bool mcfab_replay_found(const struct mcfab_replay *r)
{
	return r->stage > MCFAB_REPLAY_CROWDS && r->deadlock.nwaits;
}

#endif
