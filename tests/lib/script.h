/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An outside (workload/outside.h) that hands in the messages of a list, each in its cycle or
 * before, and notes what the engine tells it.
 */
#ifndef LIB_SCRIPT_H
#define LIB_SCRIPT_H

#include "lib/capture.h"
#include "workload/outside.h"

/* what the outside knows of a message */
struct known {
	u32 delivered;
	bool sent;
	bool over;
};

/* a delivery that the outside was told of */
struct told {
	u64 cycle;
	u32 msg;
	u32 node;
};

/* a node was full from the end of a cycle to that of another */
struct shut {
	u32 node;
	u64 from;
	u64 to;
};

struct script {
	struct mcfab_outside o;
	struct mcfab_fabric *fabric;
	const struct mcfab_msg_list *list;
	const struct mcfab_run_cfg *rc;
	u32 *left;	/* [nmsgs] messages not handed in, in their order */
	u32 nleft;
	u32 size;	/* of inboxes */
	u32 most;	/* messages that the run may have under way; 0: as it decides itself */
	u32 crowd;	/* most that were */
	u64 stop_at;	/* stop the run in the midst of it */
	bool sets;	/* say which messages have the same destinations */
	bool ahead;	/* hand messages in before their cycles */
	u32 fills;	/* after every so many deliveries the node is full; 0: never */
	u64 seed;	/* for how long */
	u64 rnd;
	u64 *until;	/* [nodes] the node is full up to this cycle */
	struct shut *shut;
	u32 nshut;
	u64 seen;	/* the last cycle of which it was told */
	u64 now;
	u32 nfull;	/* entries of @shut that have no end yet */
	bool stands;	/* time stands still while nothing moves */
	struct known *known;
	struct told *told;
	u32 ntold;
	bool stopped;
	bool ended;
};

/* run the messages of a list as messages from outside; @run: filled in with what was run */
void run_script(struct script *s, const struct mcfab_fabric_cfg *fc,
		const struct mcfab_run_cfg *rc, struct mcfab_run_cfg *run, struct outcome *end);
void script_free(struct script *s, u32 nodes);

#endif
