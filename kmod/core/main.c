// SPDX-License-Identifier: GPL-2.0
/*
 * mcfab: a virtual interconnect fabric that compares multicast algorithms.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "control/nl.h"
#include "core/runner.h"

static int __init mcfab_init(void)
{
	int ret;

	ret = mcfab_runner_init();
	if (ret)
		return ret;
	/* From here on there are requests. */
	ret = mcfab_nl_init();
	if (ret)
		mcfab_runner_exit();
	return ret;
}

static void __exit mcfab_exit(void)
{
	mcfab_nl_exit();
	mcfab_runner_exit();
}

module_init(mcfab_init);
module_exit(mcfab_exit);

MODULE_DESCRIPTION("Virtual multicast interconnect fabric");
MODULE_LICENSE("GPL");
