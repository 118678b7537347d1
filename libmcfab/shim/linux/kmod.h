/* SPDX-License-Identifier: GPL-2.0 */
/* Autoloading. */
#ifndef SHIM_LINUX_KMOD_H
#define SHIM_LINUX_KMOD_H

#include <stdio.h>

/* libmcfab/policies.c; without it, what is not linked in is not there */
int shim_request_module(const char *name) __attribute__((weak));

#define request_module(...)						\
({									\
	char shim_name[256];						\
									\
	snprintf(shim_name, sizeof(shim_name), __VA_ARGS__);		\
	shim_request_module ? shim_request_module(shim_name) : -2;	\
})

#endif
