/* SPDX-License-Identifier: GPL-2.0 */
/* Error numbers. The C library includes this header too: keep it macros only. */
#ifndef SHIM_LINUX_ERRNO_H
#define SHIM_LINUX_ERRNO_H

#include_next <linux/errno.h>

/* In the kernel's own header only. */
#define ENOTSUPP	524

#endif
