/* SPDX-License-Identifier: GPL-2.0 */
/* Cache lines. */
#ifndef SHIM_LINUX_CACHE_H
#define SHIM_LINUX_CACHE_H

#include <linux/compiler.h>

#define SMP_CACHE_BYTES			64
#define L1_CACHE_BYTES			64
#define L1_CACHE_SHIFT			6
#define ____cacheline_aligned		__attribute__((aligned(SMP_CACHE_BYTES)))
#define ____cacheline_aligned_in_smp	____cacheline_aligned

#endif
