/* SPDX-License-Identifier: GPL-2.0 */
/* Nobody is charged for memory here. */
#ifndef SHIM_LINUX_MEMCONTROL_H
#define SHIM_LINUX_MEMCONTROL_H

#include <linux/types.h>

struct mem_cgroup;
struct mm_struct;

static inline struct mem_cgroup *get_mem_cgroup_from_mm(struct mm_struct *mm)
{
	return NULL;
}

static inline void mem_cgroup_put(struct mem_cgroup *memcg)
{
}

#endif
