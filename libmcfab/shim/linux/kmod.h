/* SPDX-License-Identifier: GPL-2.0 */
/* Autoloading. */
#ifndef SHIM_LINUX_KMOD_H
#define SHIM_LINUX_KMOD_H

/* What is not linked in is not there. */
static inline int request_module(const char *fmt, ...)
{
	(void)fmt;
	return -2;	/* ENOENT */
}

#endif
