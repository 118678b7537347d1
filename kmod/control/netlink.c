// SPDX-License-Identifier: GPL-2.0
/*
 * The generic-netlink family "mcfab": registration and the namespaces' part.
 * Documentation/netlink/specs/mcfab.yaml is its description.
 */
#include <linux/module.h>
#include <net/netns/generic.h>

#include "control/nl.h"

static unsigned int mcfab_nl_net_id;

/**
 * mcfab_nl_net() - the fabrics of a namespace
 * @net: the namespace
 *
 * Context: Any.
 * Return: them.
 */
struct mcfab_nl_net *mcfab_nl_net(struct net *net)
{
	return net_generic(net, mcfab_nl_net_id);
}

static int __net_init mcfab_nl_net_init(struct net *net)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);

	mutex_init(&nlnet->lock);
	INIT_LIST_HEAD(&nlnet->fabrics);
	INIT_LIST_HEAD(&nlnet->graphs);
	/* A dump's sequence number is never 0. */
	nlnet->generation = 1;
	return 0;
}

/*
 * No socket of the namespace is left, so nobody holds a fabric but the list and
 * its own router threads.
 */
static void __net_exit mcfab_nl_net_exit(struct net *net)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric, *next;

	list_for_each_entry_safe(fabric, next, &nlnet->fabrics, list)
		mcfab_nl_fabric_end(nlnet, fabric);
	mcfab_nl_graph_end(nlnet);
}

static struct pernet_operations mcfab_nl_net_ops = {
	.init	= mcfab_nl_net_init,
	.exit	= mcfab_nl_net_exit,
	.id	= &mcfab_nl_net_id,
	.size	= sizeof(struct mcfab_nl_net),
};

/**
 * mcfab_nl_init() - register the family
 *
 * Context: Module initialisation, after everything that requests may use.
 * Return: 0 or a negative error.
 */
int __init mcfab_nl_init(void)
{
	int ret;

	ret = register_pernet_subsys(&mcfab_nl_net_ops);
	if (ret)
		return ret;
	ret = genl_register_family(&mcfab_nl_family);
	if (ret)
		unregister_pernet_subsys(&mcfab_nl_net_ops);
	return ret;
}

/**
 * mcfab_nl_exit() - unregister the family, then stop and remove all fabrics
 *
 * Context: Module exit. Dumps hold the module, so none is under way.
 */
void mcfab_nl_exit(void)
{
	genl_unregister_family(&mcfab_nl_family);
	unregister_pernet_subsys(&mcfab_nl_net_ops);
}

MODULE_ALIAS_GENL_FAMILY(MCFAB_FAMILY_NAME);
