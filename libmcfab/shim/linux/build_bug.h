/* SPDX-License-Identifier: GPL-2.0 */
/* Assertions at build time. */
#ifndef SHIM_LINUX_BUILD_BUG_H
#define SHIM_LINUX_BUILD_BUG_H

#define static_assert(expr, ...)	_Static_assert(expr, "" #expr)
#define BUILD_BUG_ON_MSG(cond, msg)	_Static_assert(!(cond), msg)
#define BUILD_BUG_ON(cond)		BUILD_BUG_ON_MSG(cond, "BUILD_BUG_ON: " #cond)
#define BUILD_BUG_ON_ZERO(e)		((int)(sizeof(struct { int:(-!!(e)); })))

#endif
