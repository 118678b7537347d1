/* SPDX-License-Identifier: GPL-2.0 */
/* One macro for a module that only registers something. */
#ifndef SHIM_LINUX_DEVICE_DRIVER_H
#define SHIM_LINUX_DEVICE_DRIVER_H

#include <linux/module.h>

#define module_driver(drv, reg, unreg, ...)				\
	static int drv##_init(void)					\
	{								\
		return reg(&(drv), ##__VA_ARGS__);			\
	}								\
	module_init(drv##_init);					\
	static void drv##_exit(void)					\
	{								\
		unreg(&(drv), ##__VA_ARGS__);				\
	}								\
	module_exit(drv##_exit)

#endif
