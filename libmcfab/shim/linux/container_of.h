/* SPDX-License-Identifier: GPL-2.0 */
/* From a member to its structure. */
#ifndef SHIM_LINUX_CONTAINER_OF_H
#define SHIM_LINUX_CONTAINER_OF_H

#include <stddef.h>

#define container_of(ptr, type, member)					\
	((type *)(void *)((char *)(ptr) - offsetof(type, member)))
#define typeof_member(T, m)		typeof(((T *)0)->m)
#define sizeof_field(T, m)		sizeof(((T *)0)->m)

#endif
