/* SPDX-License-Identifier: GPL-2.0 */
/* Marks of initialisation code are in compiler.h. */
#ifndef SHIM_LINUX_INIT_H
#define SHIM_LINUX_INIT_H

#include <linux/compiler.h>

#endif
