/* SPDX-License-Identifier: GPL-2.0 */
/* Links that fail during a run (watch/fault.c). */
#ifndef MCFAB_ENGINE_STATE_FAULTS_H
#define MCFAB_ENGINE_STATE_FAULTS_H

#include "base/config.h"

struct mcfab_updown;

/** struct mcfab_rerouting - routing from a cycle on, by what is dead then */
struct mcfab_rerouting {
	u64 cycle;
	struct mcfab_updown *updown;
};

/**
 * struct mcfab_faults - links that fail
 * @lossy: some are dead, or were in this run
 * @paused: nothing is injected until no worm is under way
 * @routes: counts the routings of this run, from 1
 * @rescan: cycle in which all requests are looked at
 * @updown: routing that the policy goes by; held
 * @goal: routing by what is dead now; held
 * @change: a change from outside, until it is seen; held
 * @count: entries of @list
 * @next: next of them
 * @due: its cycle
 * @list: what fails in this run, and when
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
