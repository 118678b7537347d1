/* SPDX-License-Identifier: GPL-2.0 */
/* Signals end a user-space program by themselves. */
#ifndef SHIM_LINUX_SCHED_SIGNAL_H
#define SHIM_LINUX_SCHED_SIGNAL_H

#define fatal_signal_pending(task)	0
#define signal_pending(task)		0

#endif
