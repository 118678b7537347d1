/* SPDX-License-Identifier: GPL-2.0 */
/* Is there a set of resources each of which waits for another of the set? */
#ifndef MCFAB_VERIFY_VERDICT_H
#define MCFAB_VERIFY_VERDICT_H

#include "verify/waits.h"

/** MCFAB_WAIT_CYCLE - most edges of a cycle that are kept */
#define MCFAB_WAIT_CYCLE	64

/**
 * struct mcfab_wait_edge - an edge of a cycle
 * @from: resource that is held
 * @to: resource or request that is waited for
 * @plan: number of a plan with a worm that does
 */
struct mcfab_wait_edge {
	u32 from;
	u32 to;
	u64 plan;
};

/**
 * struct mcfab_judgement - what a graph says
 * @free: nothing can deadlock
 * @acyclic: because there is no cycle; else, because no set of resources waits for itself
 * @edges: edges between resources that may be waited for
 * @length: edges of the cycle that was found, 0: none
 * @cycle: [@length, MCFAB_WAIT_CYCLE at most] the edges of a short cycle, in order
 */
struct mcfab_judgement {
	bool free;
	bool acyclic;
	u32 edges;
	u32 length;
	struct mcfab_wait_edge cycle[MCFAB_WAIT_CYCLE];
};

int mcfab_judge(const struct mcfab_waits *w, struct mcfab_judgement *v);

#endif
