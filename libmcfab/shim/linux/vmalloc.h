/* SPDX-License-Identifier: GPL-2.0 */
/* Memory: all in slab.h. */
#ifndef SHIM_LINUX_VMALLOC_H
#define SHIM_LINUX_VMALLOC_H

#include <linux/slab.h>

#endif
