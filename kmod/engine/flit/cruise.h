/* SPDX-License-Identifier: GPL-2.0 */
/* The move phase of mode cruise; engine/cruise/cruise.h says what it is. */
#ifndef MCFAB_ENGINE_FLIT_CRUISE_H
#define MCFAB_ENGINE_FLIT_CRUISE_H

#include "engine/cruise/cruise.h"

/* a worm that has been steady for less does not try to take off: a try costs time, too */
#define MCFAB_CRUISE_PATIENCE	8U

/* cycles after which nothing is under way but what left a record, or a buffer, in one of them */
static inline u32 mcfab_cruise_steady(const struct mcfab_engine *e)
{
	return max3(e->hw.link_delay, e->hw.credit_delay, MCFAB_CRUISE_PATIENCE);
}

/* do worms that have landed ever take off? */
static inline bool mcfab_cruise_again(const struct mcfab_engine *e)
{
	return e->flags & MCFAB_ENG_CRUISE && e->run.flits > mcfab_cruise_steady(e);
}

bool mcfab_cruise_exact(const struct mcfab_engine *e, const char **why);
void mcfab_cruise_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_cruise_copied(struct mcfab_engine *e, u32 nr);
bool mcfab_cruise_take_off(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_worm *w);
void mcfab_cruise_move(struct mcfab_engine *e, struct mcfab_shard *s);

#endif
