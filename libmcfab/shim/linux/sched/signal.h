/* SPDX-License-Identifier: GPL-2.0 */
/* Signals end a user-space program by themselves. */
#ifndef SHIM_LINUX_SCHED_SIGNAL_H
#define SHIM_LINUX_SCHED_SIGNAL_H

/*
 * For tests: when positive, it counts down with every look for a signal, of any thread. The one
 * that takes it to zero finds a fatal one, and so do all behind it, until it is set to zero.
 */
__attribute__((weak)) long shim_signal;

static inline int shim_fatal_signal(void)
{
	if (!__atomic_load_n(&shim_signal, __ATOMIC_RELAXED))
		return 0;
	if (__atomic_load_n(&shim_signal, __ATOMIC_RELAXED) > 0 &&
	    !__atomic_sub_fetch(&shim_signal, 1, __ATOMIC_RELAXED))
		__atomic_store_n(&shim_signal, -1, __ATOMIC_RELAXED);
	return __atomic_load_n(&shim_signal, __ATOMIC_RELAXED) < 0;
}

#define fatal_signal_pending(task)	shim_fatal_signal()
#define signal_pending(task)		0

#endif
