/* SPDX-License-Identifier: GPL-2.0 */
/* The move phase of mode cruise; engine/cruise/cruise.h says what it is. */
#ifndef MCFAB_ENGINE_FLIT_CRUISE_H
#define MCFAB_ENGINE_FLIT_CRUISE_H

#include "engine/cruise/cruise.h"

bool mcfab_cruise_exact(const struct mcfab_engine *e, const char **why);
void mcfab_cruise_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_cruise_copied(struct mcfab_engine *e, u32 worm);
void mcfab_cruise_move(struct mcfab_engine *e, struct mcfab_shard *s);

#endif
