/* SPDX-License-Identifier: GPL-2.0 */
/* Links that fail during a run (watch/fault.c). */
#ifndef MCFAB_ENGINE_STATE_FAULTS_H
#define MCFAB_ENGINE_STATE_FAULTS_H

#include <linux/bitops.h>
#include "base/config.h"

struct mcfab_updown;

/** struct mcfab_rerouting - routing from a cycle on, around the links that are dead then */
struct mcfab_rerouting {
	u64 cycle;
	struct mcfab_updown *updown;
};

/**
 * struct mcfab_faults - links that fail, and worms that were aborted
 * @lossy: some links are dead, or were dead in this run, or a worm was aborted to end a deadlock
 * @paused: nothing is injected until no worm is under way
 * @routes: counts the routings of this run, from 1
 * @rescan: cycle in which all requests are looked at
 * @updown: routing that the policy uses; held; NULL: no links can fail
 * @goal: routing around the links that are dead now; held; NULL as @updown
 * @change: a change by a request, until the boundary takes it; held
 * @count: entries of @list
 * @next: next entry that is due
 * @due: its cycle
 * @list: failures that the run's configuration lists
 */
struct mcfab_faults {
	bool lossy;
	bool paused;
	u32 routes;
	u64 rescan;
	struct mcfab_updown *updown;
	struct mcfab_updown *goal;
	struct mcfab_updown *change;
	u32 count;
	u32 next;
	u64 due;
	struct mcfab_rerouting list[MCFAB_MAX_FAULTS];
};

#endif
