/* SPDX-License-Identifier: GPL-2.0 */
/* Error pointers. */
#ifndef SHIM_LINUX_ERR_H
#define SHIM_LINUX_ERR_H

#include <errno.h>
#include <linux/types.h>

#define MAX_ERRNO		4095
#define IS_ERR_VALUE(x)		((unsigned long)(void *)(x) >= (unsigned long)-MAX_ERRNO)
#define ERR_PTR(error)		((void *)(long)(error))
#define PTR_ERR(ptr)		((long)(const void *)(ptr))
#define IS_ERR(ptr)		IS_ERR_VALUE((unsigned long)(ptr))
#define IS_ERR_OR_NULL(ptr)	(!(ptr) || IS_ERR(ptr))
#define ERR_CAST(ptr)		((void *)(ptr))
#define PTR_ERR_OR_ZERO(ptr)	(IS_ERR(ptr) ? PTR_ERR(ptr) : 0)

#endif
