// SPDX-License-Identifier: GPL-2.0
/*
 * mcfab: a virtual interconnect fabric that compares multicast algorithms.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/stringify.h>

#include "control/nl.h"
#include "netdev/ports.h"

static int __init mcfab_init(void)
{
	int ret = mcfab_nl_init();

	if (ret)
		return ret;
	ret = mcfab_ports_init(&mcfab_nl_ports_ops);
	if (ret)
		mcfab_nl_exit();
	return ret;
}

static void __exit mcfab_exit(void)
{
	mcfab_ports_exit();
	mcfab_nl_exit();
	mcfab_ports_finish();
}

module_init(mcfab_init);
module_exit(mcfab_exit);

MODULE_DESCRIPTION("Virtual multicast interconnect fabric");
MODULE_LICENSE("GPL");
/* With it the module carries a hash of its sources: /sys/module/mcfab/srcversion. */
MODULE_VERSION(__stringify(MCFAB_FAMILY_VERSION));
