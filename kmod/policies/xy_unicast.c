// SPDX-License-Identifier: GPL-2.0
/*
 * Separate unicast on mesh InfiniBand, the comparison for xy-union: the source sends a packet to
 * each destination, in ascending order of nodes, by the XY paths in the linear forwarding tables.
 *
 * Free of deadlock: XY routing is.
 */
#include "subnet/table.h"

static const struct mcfab_param xy_unicast_params[] = {
	MCFAB_PARAM_LANES,
	MCFAB_PARAM_LANE_SELECT,
};

static int xy_unicast_init(const struct mcfab_view *view, const u32 *values, void *priv,
			   struct mcfab_err *err)
{
	struct mcfab_table_priv *table = priv;

	table->copies = true;
	return mcfab_table_init_xy(view, values, priv, err);
}

static struct mcfab_policy_ops mcfab_xy_unicast = {
	.owner		= THIS_MODULE,
	.name		= "xy-unicast",
	.title		= "separate unicast packets on XY paths through InfiniBand switches",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_IRREGULAR |
			  MCFAB_POLICY_SINGLE | MCFAB_POLICY_TABLE,
	.params		= xy_unicast_params,
	.nparams	= ARRAY_SIZE(xy_unicast_params),
	.priv_size	= sizeof(struct mcfab_table_priv),
	.init		= xy_unicast_init,
	.max_plan	= mcfab_table_max_plan,
	.prepare	= mcfab_table_prepare,
	.route		= mcfab_table_route,
};
module_mcfab_policy(mcfab_xy_unicast);

MODULE_ALIAS_MCFAB_POLICY("xy-unicast");
MODULE_DESCRIPTION("mcfab policy: separate unicast on XY paths");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
