// SPDX-License-Identifier: GPL-2.0
/*
 * XY union multicast on mesh InfiniBand.
 *
 * Reading of the union paper (multicast on an InfiniBand mesh by the union of output
 * ports): one packet goes to all members of a group. Every (source, group) has a multicast
 * LID of its own; the entry of a switch is the union, over the members, of the output ports
 * on the XY paths from the source, and the host port where the switch's own host is a
 * member. Switches replicate.
 *
 * XY paths from one source form a tree, so each member gets one copy; the union of paths of other
 * routings need not be a tree. Free of deadlock if buffers hold whole packets: copies wait for
 * channels in the order of XY routing, and a copy that waits does not hold up the others.
 *
 * No preparation time: the tables exist before the packet is sent.
 */
#include "subnet/table.h"

static const struct mcfab_param xy_union_params[] = {
	MCFAB_PARAM_LANES,
	MCFAB_PARAM_LANE_SELECT,
};

static struct mcfab_policy_ops mcfab_xy_union = {
	.owner		= THIS_MODULE,
	.name		= "xy-union",
	.title		= "union of XY paths, replication in InfiniBand switches",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_IRREGULAR |
			  MCFAB_POLICY_TREE | MCFAB_POLICY_TABLE,
	.params		= xy_union_params,
	.nparams	= ARRAY_SIZE(xy_union_params),
	.priv_size	= sizeof(struct mcfab_table_priv),
	.init		= mcfab_table_init_xy,
	.max_plan	= mcfab_table_max_plan,
	.prepare	= mcfab_table_prepare,
	.route		= mcfab_table_route,
};
module_mcfab_policy(mcfab_xy_union);

MODULE_ALIAS_MCFAB_POLICY("xy-union");
MODULE_DESCRIPTION("mcfab policy: XY union multicast");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
