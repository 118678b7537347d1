/* SPDX-License-Identifier: GPL-2.0 */
/* Politeness of spinning threads. */
#ifndef SHIM_LINUX_PROCESSOR_H
#define SHIM_LINUX_PROCESSOR_H

#if defined(__x86_64__)
#define cpu_relax()		__builtin_ia32_pause()
#else
#define cpu_relax()		__asm__ __volatile__("" ::: "memory")
#endif

#endif
