// SPDX-License-Identifier: GPL-2.0
/*
 * Packets follow the forwarding tables of any subnet as they are.
 *
 * A host may have several LIDs, by which senders reach it on several ways.
 *
 * With copies "switch" a message is one packet: for a group, under its multicast LID; for any other
 * destinations, by the union of the ports of their unicast LIDs. With copies "source" the message
 * is a unicast packet to each destination, in ascending order.
 *
 * The tables decide whether this is free of deadlock, and which host gets how many copies.
 */
#include "subnet/table.h"

static const char *const copies_choices[] = { "switch", "source", NULL };
static const char *const lids_choices[] = { "first", "spread", NULL };

static const struct mcfab_param table_params[] = {
	MCFAB_PARAM_LANES,
	MCFAB_PARAM_LANE_SELECT,
	{
		.name		= "copies",
		.help		= "where copies are made: in the switches, or at the source",
		.type		= MCFAB_PARAM_KIND_CHOICE,
		.choices	= copies_choices,
	}, {
		.name		= "lids",
		.help		= "of several LIDs of a host (LMC): the first, or by the sender",
		.type		= MCFAB_PARAM_KIND_CHOICE,
		.choices	= lids_choices,
	},
};

static int table_init(const struct mcfab_view *view, const u32 *values, void *priv,
		      struct mcfab_err *err)
{
	struct mcfab_table_priv *table = priv;

	table->copies = values[MCFAB_LANE_NPARAMS];
	table->spread = values[MCFAB_LANE_NPARAMS + 1];
	return mcfab_table_init(view, values, priv, err);
}

static struct mcfab_policy_ops mcfab_tables = {
	.owner		= THIS_MODULE,
	.name		= "table",
	.title		= "the forwarding tables of an InfiniBand subnet as they are",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_IRREGULAR |
			  MCFAB_POLICY_TREE | MCFAB_POLICY_TABLE,
	.params		= table_params,
	.nparams	= ARRAY_SIZE(table_params),
	.priv_size	= sizeof(struct mcfab_table_priv),
	.init		= table_init,
	.max_plan	= mcfab_table_max_plan,
	.prepare	= mcfab_table_prepare,
	.route		= mcfab_table_route,
};
module_mcfab_policy(mcfab_tables);

MODULE_ALIAS_MCFAB_POLICY("table");
MODULE_DESCRIPTION("mcfab policy: forwarding tables as they are");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
