/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel interfaces that the engine, the topologies, the routing
 * functions, the policies, the workloads and the statistics may use, and the words and
 * limits of the interface to users. The same sources are built in user space, where the
 * shims of libmcfab/shim stand in for these headers; a new include here asks for a shim there.
 */
#ifndef MCFAB_BASE_TYPES_H
#define MCFAB_BASE_TYPES_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mcfab.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/types.h>

/** MCFAB_NONE - no node, channel, worm or label */
#define MCFAB_NONE	U32_MAX
/** MCFAB_MAX_COORDS - most coordinates of a node: hypercubes have more dimensions */
#define MCFAB_MAX_COORDS	16
/** MCFAB_NAME_LEN - longest name of a fabric, policy, topology or parameter, with its NUL */
#define MCFAB_NAME_LEN	(MCFAB_NAME_MAX + 1)

/**
 * MCFAB_GFP - for what may be big: charged to the caller's cgroup; where there is
 * not enough, the request fails and nobody is killed for it
 */
#define MCFAB_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct mcfab_err - why a request was refused
 * @attr: the attribute of the request that is to blame, as numbered in the
 *	  UAPI header for the message or nest the request came in; 0: none
 * @nested: the attribute in @attr that is, where @attr is a nest; 0: all of the nest
 * @index: which element, where @attr is a list or may occur several times
 * @msg: one line: lower case, no full stop, says what to change
 *
 * The core, the topologies and the policies know nothing of netlink: they
 * fill this in and the control plane turns it into an extack.
 */
struct mcfab_err {
	u32 attr;
	u32 nested;
	u32 index;
	char msg[80];
};

/**
 * mcfab_refuse() - fill in why a request is refused
 * @err: what to fill in
 * @code: negative error code
 * @attribute: blamed attribute, or 0
 * @...: format of the message and its values
 *
 * Return: @code, so that it can be returned at once.
 */
#define mcfab_refuse(err, code, attribute, ...)				\
	mcfab_refuse_nested(err, code, attribute, 0, __VA_ARGS__)

/**
 * mcfab_refuse_nested() - the same, where a part of a nest is to blame
 * @err: what to fill in
 * @code: negative error code
 * @attribute: blamed attribute, a nest
 * @part: blamed attribute in it, or 0
 * @...: format of the message and its values
 *
 * Return: @code, so that it can be returned at once.
 */
#define mcfab_refuse_nested(err, code, attribute, part, ...)		\
({									\
	struct mcfab_err *_err = (err);					\
	_err->attr = (attribute);					\
	_err->nested = (part);						\
	snprintf(_err->msg, sizeof(_err->msg), __VA_ARGS__);		\
	(code);								\
})

#endif
