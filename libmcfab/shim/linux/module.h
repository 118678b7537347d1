/* SPDX-License-Identifier: GPL-2.0 */
/* Modules: linking is loading, or a shared object is loaded: libmcfab/policies.c. */
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

/* libmcfab/policies.c: does a shared object fit to the engine? its initcall has failed */
bool shim_module_fits(const char *abi) __attribute__((weak));
void shim_module_refused(int err) __attribute__((weak));

static bool shim_module_there __attribute__((unused));

static inline void shim_module_begin(int (*init)(void))
{
	int err;

#ifdef MCFAB_POLICY_ABI
	if (!shim_module_fits(MCFAB_POLICY_ABI))
		return;
#endif
	err = init();
	shim_module_there = !err;
	if (err && !shim_module_refused)
		__builtin_trap();
	if (err)
		shim_module_refused(err);
}

/* A module that is linked in is "loaded" before main(). */
#define module_init(fn)							\
	static void __attribute__((constructor)) fn##_at_load(void)	\
	{								\
		shim_module_begin(fn);					\
	}								\
	_Static_assert(1, "")
#define module_exit(fn)							\
	static void __attribute__((destructor)) fn##_at_unload(void)	\
	{								\
		if (shim_module_there)					\
			fn();						\
	}								\
	_Static_assert(1, "")

#endif
