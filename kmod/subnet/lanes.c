// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual lanes. A packet's service level is chosen at its source, in turn, and stays. The SL-to-VL
 * tables give the lane of a service level at each output port. Shared: the lane of the same number
 * everywhere. Dedicated: the output port alone decides, so packets that turn change lanes. Tables:
 * as the user has loaded them, by input and output port; see levels.c.
 */
#include "subnet/table.h"

/**
 * mcfab_lane_vl() - virtual lane of a service level at an output port, unless tables were loaded
 * @sn: subnet
 * @vcs: virtual lanes
 * @lanes: shared or dedicated
 * @sw: switch
 * @port: output port
 * @sl: service level
 *
 * Dedicated, with 2 lanes: east and north 0, west and south 1; with 4: east 0, north 1,
 * west 2, south 3.
 *
 * Context: Any.
 * Return: the lane.
 */
u32 mcfab_lane_vl(const struct mcfab_subnet *sn, u32 vcs, enum mcfab_lane_mode lanes, u32 sw,
		  u32 port, u32 sl)
{
	u32 direction;

	if (lanes == MCFAB_LANE_MODE_SHARED)
		return sl % vcs;
	direction = sn->direction[sw * sn->ports + port];
	if (!direction)
		return 0;
	return (direction - MCFAB_TO_EAST) * vcs / MCFAB_DIRECTIONS;
}
EXPORT_SYMBOL_NS_GPL(mcfab_lane_vl, MCFAB);

/**
 * mcfab_lanes_check() - can packets be spread over lanes in this way?
 * @sn: subnet
 * @vcs: virtual lanes
 * @lanes: sharing of the lanes
 * @err: filled in when they cannot
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_lanes_check(const struct mcfab_subnet *sn, u32 vcs, enum mcfab_lane_mode lanes,
		      struct mcfab_err *err)
{
	if (lanes == MCFAB_LANE_MODE_SHARED)
		return 0;
	if (lanes == MCFAB_LANE_MODE_TABLES) {
		if (sn->levels.vl)
			return 0;
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "lanes tables needs SL-to-VL tables, which \"table load\" loads");
	}
	if (!sn->mesh)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "lanes dedicated is for meshes of two dimensions");
	if (vcs != 1 && vcs != 2 && vcs != 4)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "lanes dedicated needs vcs 1, 2 or 4, the fabric has %u", vcs);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_lanes_check, MCFAB);
