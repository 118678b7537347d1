// SPDX-License-Identifier: GPL-2.0
/*
 * Life of the module in user space: its parameters, which come from the
 * environment, its beginning and its end.
 */
#include <ctype.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "control/nl.h"
#include "base/memory.h"
#include "mcfab_user.h"

/* all of them, from the linker */
extern const struct shim_param __start_shim_params[], __stop_shim_params[];

/* "max_memory_mb" is MCFAB_MAX_MEMORY_MB in the environment */
static int take_param(const struct shim_param *param, char *why, size_t size)
{
	char name[64], *c, *end;
	unsigned long value;
	const char *text;

	snprintf(name, sizeof(name), "MCFAB_%s", param->name);
	for (c = name; *c; c++)
		*c = toupper(*c);
	text = getenv(name);
	if (!text)
		return 0;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (!isdigit(*text) || *end || errno || value > UINT_MAX) {
		snprintf(why, size, "%s=%s: not a whole number up to %u", name, text, UINT_MAX);
		return -EINVAL;
	}
	*param->value = value;
	return 0;
}

/**
 * mcfab_user_open() - begin: there are no fabrics yet
 * @why: set to what is wrong
 * @size: room at @why
 *
 * Return: the type of the family's messages, or a negative error.
 */
int mcfab_user_open(char *why, size_t size)
{
	const struct shim_param *param;
	int ret = 0;

	for (param = __start_shim_params; !ret && param < __stop_shim_params; param++)
		ret = take_param(param, why, size);
	if (ret)
		return ret;
	ret = mcfab_nl_init();
	if (ret)
		snprintf(why, size, "not enough memory");
	return ret ?: mcfab_nl_family.id;
}

/**
 * mcfab_user_close() - end: runs are stopped, fabrics go
 */
void mcfab_user_close(void)
{
	mcfab_user_unlisten();
	mcfab_nl_exit();
}

/**
 * mcfab_user_memory_left() - how much may still be charged against max_memory_mb
 *
 * Return: bytes.
 */
unsigned long long mcfab_user_memory_left(void)
{
	return mcfab_memory_left();
}

/**
 * mcfab_user_fail() - let an allocation of the module fail
 * @nth: which, from 1 for the next one; 0: none
 */
void mcfab_user_fail(long nth)
{
	shim_fail_alloc = nth;
}

/**
 * mcfab_user_fail_left() - has the allocation of mcfab_user_fail() been?
 *
 * Return: what is left of its number, 0: it has failed.
 */
long mcfab_user_fail_left(void)
{
	return shim_fail_alloc;
}

/**
 * mcfab_user_kill() - let the module find that the process is being killed
 * @nth: at which look for a signal, from 1 for the next one; 0: it is not
 */
void mcfab_user_kill(long nth)
{
	shim_signal = nth;
}

/**
 * mcfab_user_killed() - has the module found the signal of mcfab_user_kill()?
 *
 * Return: non-zero if so.
 */
int mcfab_user_killed(void)
{
	return shim_signal < 0;
}
