/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel interfaces that the engine, the topologies, the routing functions, the policies,
 * the workloads and the statistics may use, and the words and limits of the interface to users. The
 * same sources are built in user space, where the shims of libmcfab/shim stand in for these
 * headers; a new include here needs a shim there.
 */
#ifndef MCFAB_BASE_TYPES_H
#define MCFAB_BASE_TYPES_H

#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/gcd.h>
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

#include "base/option.h"

/** MCFAB_NONE - no node, channel, worm or label */
#define MCFAB_NONE	U32_MAX
/** MCFAB_MAX_COORDS - most coordinates of a node: hypercubes have more dimensions */
#define MCFAB_MAX_COORDS	16
/** MCFAB_NAME_LEN - longest name of a fabric, policy, topology or parameter, with its NUL */
#define MCFAB_NAME_LEN	(MCFAB_NAME_MAX + 1)

/**
 * MCFAB_GFP - for memory that may be big: charged to the caller's cgroup; where there is not
 * enough, the request fails and no process is killed for it
 */
#define MCFAB_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct mcfab_err - why a request was refused
 * @what: the wrong option
 * @part: the wrong part of @what, where it has parts, or MCFAB_OPTION_NONE: all of it
 * @index: the wrong element, where @what is a list or may occur several times
 * @msg: one line: lower case, no full stop, says what to change
 *
 * The core, the topologies and the policies know nothing of netlink: they fill this in and the
 * control plane turns it into an extack.
 */
struct mcfab_err {
	enum mcfab_option what;
	enum mcfab_option part;
	u32 index;
	char msg[80];
};

/**
 * mcfab_refuse() - fill in why a request is refused
 * @err: what to fill in
 * @code: negative error code
 * @option: enum mcfab_option, or 0: nothing
 * @...: format of the message and its values
 *
 * Return: @code, so that it can be returned at once.
 */
#define mcfab_refuse(err, code, option, ...)				\
	mcfab_refuse_nested(err, code, option, 0, __VA_ARGS__)

/**
 * mcfab_refuse_nested() - mcfab_refuse() where a part of an option is wrong
 * @err: what to fill in
 * @code: negative error code
 * @option: enum mcfab_option that has parts
 * @which: enum mcfab_option, one of these parts, or 0: all
 * @...: format of the message and its values
 *
 * Return: @code, so that it can be returned at once.
 */
#define mcfab_refuse_nested(err, code, option, which, ...)		\
({									\
	struct mcfab_err *_err = (err);					\
	_err->what = (option);						\
	_err->part = (which);						\
	snprintf(_err->msg, sizeof(_err->msg), __VA_ARGS__);		\
	(code);								\
})

#endif
