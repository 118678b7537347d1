/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs kept free of other work: where the process may run is for its user to say. */
#ifndef SHIM_LINUX_SCHED_ISOLATION_H
#define SHIM_LINUX_SCHED_ISOLATION_H

#include <linux/cpumask.h>

#define housekeeping_cpumask(type)	cpu_online_mask
#define cpu_is_isolated(cpu)		((void)(cpu), false)

#endif
