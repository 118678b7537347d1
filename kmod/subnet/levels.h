/* SPDX-License-Identifier: GPL-2.0 */
/* SL-to-VL tables and service levels of paths, as the user loads them. */
#ifndef MCFAB_SUBNET_LEVELS_H
#define MCFAB_SUBNET_LEVELS_H

#include "subnet/subnet.h"

/** MCFAB_LANE_NONE - in SL-to-VL tables: packets of the level are dropped (IBA's VL 15) */
#define MCFAB_LANE_NONE		15

u32 mcfab_levels_lane(const struct mcfab_subnet *sn, u32 sw, u32 in, u32 out, u32 sl);
u32 mcfab_levels_path(const struct mcfab_subnet *sn, u32 source, u32 lid, u32 serial);
int mcfab_levels_distinct(const struct mcfab_subnet *sn, u32 *set);
int mcfab_levels_check(const struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 ports,
		       struct mcfab_err *err);
int mcfab_levels_room(const struct mcfab_subnet *sn, struct mcfab_levels *levels,
		      enum mcfab_table_kind kind);
u64 mcfab_levels_room_bytes(const struct mcfab_subnet *sn, const struct mcfab_levels *levels,
			    enum mcfab_table_kind kind);
void mcfab_levels_set_lanes(const struct mcfab_subnet *sn, struct mcfab_levels *levels, u32 sw,
			    const struct mcfab_entry *entry);
bool mcfab_levels_set_path(const struct mcfab_subnet *sn, struct mcfab_levels *levels,
			   const struct mcfab_entry *entry, u32 i);
void mcfab_levels_swap(struct mcfab_levels *now, struct mcfab_levels *loaded);
void mcfab_levels_free(struct mcfab_levels *levels);
u64 mcfab_levels_bytes(const struct mcfab_levels *levels);

#endif
