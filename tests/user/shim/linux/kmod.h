/* SPDX-License-Identifier: GPL-2.0 */
/* Autoloading. */
#ifndef SHIM_LINUX_KMOD_H
#define SHIM_LINUX_KMOD_H

/* What is not linked in is not there. */
#define request_module(...)		(-ENOENT)

#endif
