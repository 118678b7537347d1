/* SPDX-License-Identifier: GPL-2.0 */
/* Modules: linking is loading. */
#ifndef SHIM_LINUX_MODULE_H
#define SHIM_LINUX_MODULE_H

#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/types.h>

struct module;

#define THIS_MODULE			((struct module *)0)
#define SHIM_MODULE_INFO		_Static_assert(1, "")
#define MODULE_LICENSE(s)		SHIM_MODULE_INFO
#define MODULE_AUTHOR(s)		SHIM_MODULE_INFO
#define MODULE_DESCRIPTION(s)		SHIM_MODULE_INFO
#define MODULE_VERSION(s)		SHIM_MODULE_INFO
#define MODULE_ALIAS(s)			SHIM_MODULE_INFO
#define MODULE_IMPORT_NS(ns)		SHIM_MODULE_INFO
#define MODULE_PARM_DESC(parm, desc)	SHIM_MODULE_INFO

/* Parameters are gathered by the linker; libmcfab/user.c sets them. All are uint. */
struct shim_param {
	const char *name;
	unsigned int *value;
};

#define module_param(name, type, perm)					\
	static const struct shim_param shim_param_##name		\
		__attribute__((used, section("shim_params"))) = { #name, &(name) }

static inline bool try_module_get(struct module *module)
{
	(void)module;
	return true;
}

static inline void __module_get(struct module *module)
{
	(void)module;
}

static inline void module_put(struct module *module)
{
	(void)module;
}

/* A module is "loaded" by linking it in: its initcall runs before main(). */
#define module_init(fn)							\
	static void __attribute__((constructor)) fn##_at_load(void)	\
	{								\
		if (fn())						\
			__builtin_trap();				\
	}								\
	_Static_assert(1, "")
#define module_exit(fn)							\
	static void __attribute__((destructor)) fn##_at_unload(void)	\
	{								\
		fn();							\
	}								\
	_Static_assert(1, "")

#endif
