/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes and one-time accesses. */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#include <linux/types.h>

#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#define noinline		__attribute__((noinline))
#define __maybe_unused		__attribute__((unused))
#define __must_check		__attribute__((warn_unused_result))
#define __packed		__attribute__((packed))
#define __aligned(x)		__attribute__((aligned(x)))
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define __pure			__attribute__((pure))
#define __cold			__attribute__((cold))
#define __hot			__attribute__((hot))
#define __weak			__attribute__((weak))
#define __init
#define __exit
#define __initdata
#define __read_mostly
#define __ro_after_init
#define __user
#define __rcu
#define __percpu
#define __force
#define __acquires(x)
#define __releases(x)
#define __counted_by(member)
#define fallthrough		__attribute__((fallthrough))

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define barrier()		__asm__ __volatile__("" ::: "memory")
#define prefetch(x)		__builtin_prefetch(x)
#define prefetchw(x)		__builtin_prefetch(x, 1)
#define data_race(expr)		(expr)

/* Relaxed atomics, not volatile accesses: the thread sanitizer knows them. */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, val)	__atomic_store_n(&(x), (val), __ATOMIC_RELAXED)

#endif
