// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of multicast policies, after the model of net/ipv4/tcp_cong.c,
 * and binding one of them, with its parameters, to a fabric.
 */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kmod.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "base/memory.h"
#include "plan/policy.h"

/* Writers hold the lock, readers are under RCU. */
static DEFINE_SPINLOCK(policy_lock);
static LIST_HEAD(policy_list);

static struct mcfab_policy_ops *policy_find(const char *name)
{
	struct mcfab_policy_ops *ops;

	list_for_each_entry_rcu(ops, &policy_list, list, lockdep_is_held(&policy_lock))
		if (!strcmp(ops->name, name))
			return ops;
	return NULL;
}

static bool params_valid(const struct mcfab_policy_ops *ops)
{
	u32 i;

	if (ops->nparams > MCFAB_MAX_PARAMS || (ops->nparams && !ops->params))
		return false;
	for (i = 0; i < ops->nparams; i++) {
		const struct mcfab_param *param = &ops->params[i];

		if (!param->name || !param->help || strlen(param->name) >= MCFAB_NAME_LEN)
			return false;
		if (param->type == MCFAB_PARAM_KIND_CHOICE && !param->choices)
			return false;
	}
	return true;
}

/**
 * mcfab_policy_register() - make a policy known
 * @ops: the policy; stays in use until it is unregistered
 *
 * Context: May sleep.
 * Return: 0; -EINVAL if something mandatory is missing or malformed; -EEXIST if
 * there is a policy of that name.
 */
int mcfab_policy_register(struct mcfab_policy_ops *ops)
{
	int err = 0;

	if (!ops->name || !ops->name[0] || strlen(ops->name) >= MCFAB_NAME_LEN ||
	    !ops->title || !ops->flags || !ops->prepare || !ops->route || !params_valid(ops))
		return -EINVAL;
	spin_lock(&policy_lock);
	if (policy_find(ops->name))
		err = -EEXIST;
	else
		list_add_tail_rcu(&ops->list, &policy_list);
	spin_unlock(&policy_lock);
	return err;
}
EXPORT_SYMBOL_NS_GPL(mcfab_policy_register, MCFAB);

/**
 * mcfab_policy_unregister() - forget a policy
 * @ops: the policy
 *
 * Called when the policy's module goes, so there is no user left: every user of a policy holds its
 * module, and try_module_get() fails by now. A policy with hold() and release() may have users, but
 * gets no more.
 *
 * Context: May sleep.
 */
void mcfab_policy_unregister(struct mcfab_policy_ops *ops)
{
	spin_lock(&policy_lock);
	list_del_rcu(&ops->list);
	spin_unlock(&policy_lock);
	/* A reader may still look at the policy in mcfab_policy_get(). */
	synchronize_rcu();
}
EXPORT_SYMBOL_NS_GPL(mcfab_policy_unregister, MCFAB);

/* One more user, under RCU: false if the policy's module is going. */
static bool hold(const struct mcfab_policy_ops *ops)
{
	if (!try_module_get(ops->owner))
		return false;
	if (ops->hold)
		ops->hold(ops);
	return true;
}

static const struct mcfab_policy_ops *policy_hold(const char *name)
{
	struct mcfab_policy_ops *ops;

	rcu_read_lock();
	ops = policy_find(name);
	if (ops && !hold(ops))
		ops = NULL;
	rcu_read_unlock();
	return ops;
}

/* A user's word becomes part of a module's name: letters, digits, - and _ only. */
static bool name_valid(const char *name)
{
	u32 i;

	for (i = 0; name[i]; i++)
		if (i >= MCFAB_NAME_LEN - 1 || !(isalnum(name[i]) || strchr("-_", name[i])))
			return false;
	return i > 0;
}

/**
 * mcfab_policy_wants_load() - would mcfab_policy_load() have a module loaded?
 * @name: NUL-terminated
 *
 * Modules are loaded for privileged users only.
 *
 * Context: Any.
 * Return: true if it would.
 */
bool mcfab_policy_wants_load(const char *name)
{
	const struct mcfab_policy_ops *ops;

	if (!name_valid(name))
		return false;
	ops = policy_hold(name);
	mcfab_policy_put(ops);
	return !ops && capable(CAP_NET_ADMIN);
}

/**
 * mcfab_policy_load() - load a policy's module if the policy is not there
 * @name: NUL-terminated
 *
 * The caller learns whether it has worked when it looks the policy up.
 *
 * Context: May sleep, for as long as user space takes to load a module, unless the process
 * is killed. The caller holds no lock, and has looked up nothing that may change meanwhile.
 */
void mcfab_policy_load(const char *name)
{
	if (mcfab_policy_wants_load(name))
		request_module("mcfab-policy-%s", name);
}

/**
 * mcfab_policy_get() - find a policy and hold it
 * @name: NUL-terminated
 *
 * Context: Any. A policy that may not be loaded yet is loaded by mcfab_policy_load() before
 * any lock is taken.
 * Return: the policy, or NULL if there is none of that name. To be given back
 * with mcfab_policy_put().
 */
const struct mcfab_policy_ops *mcfab_policy_get(const char *name)
{
	return name_valid(name) ? policy_hold(name) : NULL;
}

/* The registered policy whose name comes next, under RCU; NULL behind the last. */
static const struct mcfab_policy_ops *policy_after(const char *after)
{
	const struct mcfab_policy_ops *ops, *next = NULL;

	list_for_each_entry_rcu(ops, &policy_list, list)
		if (strcmp(ops->name, after) > 0 && (!next || strcmp(ops->name, next->name) < 0))
			next = ops;
	return next;
}

/**
 * mcfab_policy_next() - the registered policies in the order of their names
 * @after: name of the policy before, or "" for the first
 *
 * By name, not by place in the list, so that a dump can go on after policies came
 * and went. A policy whose module is going is passed over.
 *
 * Context: Any.
 * Return: the policy, or NULL behind the last. To be given back with
 * mcfab_policy_put().
 */
const struct mcfab_policy_ops *mcfab_policy_next(const char *after)
{
	const struct mcfab_policy_ops *next;

	rcu_read_lock();
	for (next = policy_after(after); next && !hold(next); next = policy_after(next->name))
		;
	rcu_read_unlock();
	return next;
}

/**
 * mcfab_policy_put() - give a policy back
 * @ops: the policy, or NULL
 *
 * Context: May sleep.
 */
void mcfab_policy_put(const struct mcfab_policy_ops *ops)
{
	struct module *owner;

	if (!ops)
		return;
	owner = ops->owner;
	if (ops->release)
		ops->release(ops);
	module_put(owner);
}

/**
 * mcfab_policy_resched() - let other processes have the processor for a while, if they want it
 * @view: the view that the policy was called with
 *
 * For loops that may take long. A policy calls it at least once in every 5 ms of computation: once
 * for every few thousand simple steps. Shorter calls of a policy need not call it.
 *
 * Context: @init, @exit, @prepare and @route of a policy, in any thread.
 * Return: true if the result is not needed any more: the run is being stopped, or the process that
 * asked for a plan is being killed. @prepare and @route may then return at once, whatever they have
 * made so far; @init may refuse with -EINTR.
 */
bool mcfab_policy_resched(const struct mcfab_view *view)
{
	cond_resched();
	return (view->stop && READ_ONCE(*view->stop)) || fatal_signal_pending(current);
}
EXPORT_SYMBOL_NS_GPL(mcfab_policy_resched, MCFAB);

/* A decimal number of at most six places, in millionths. */
static int parse_decimal(const char *text, u32 *value)
{
	u64 number = 0;
	u32 places = 0;
	bool point = false, digits = false;

	for (; *text; text++) {
		if (*text == '.' && !point) {
			point = true;
			continue;
		}
		if (!isdigit(*text) || places == 6)
			return -EINVAL;
		digits = true;
		places += point;
		number = number * 10 + (*text - '0');
		if (number > U32_MAX)
			return -ERANGE;
	}
	if (!digits)
		return -EINVAL;
	for (; places < 6; places++)
		number *= 10;	/* below 2^32 * 10^6 */
	if (number > U32_MAX)
		return -ERANGE;
	*value = number;
	return 0;
}

static int refuse_choice(const struct mcfab_param *param, struct mcfab_err *err)
{
	size_t room = sizeof(err->msg);
	u32 i, len;

	err->what = MCFAB_OPTION_RUN_PARAM;
	len = scnprintf(err->msg, room, "parameter %s is one of:", param->name);
	for (i = 0; param->choices[i]; i++)
		len += scnprintf(err->msg + len, room - len, " %s", param->choices[i]);
	return -EINVAL;
}

static int parse_setting(const struct mcfab_param *param, const char *text, u32 *value,
			 struct mcfab_err *err)
{
	bool decimal = param->type == MCFAB_PARAM_KIND_DECIMAL;
	int ret;

	switch (param->type) {
	case MCFAB_PARAM_KIND_BOOL:
		*value = !strcmp(text, "on");
		if (*value || !strcmp(text, "off"))
			return 0;
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PARAM,
				    "parameter %s is on or off", param->name);
	case MCFAB_PARAM_KIND_CHOICE:
		for (*value = 0; param->choices[*value]; ++*value)
			if (!strcmp(text, param->choices[*value]))
				return 0;
		return refuse_choice(param, err);
	case MCFAB_PARAM_KIND_U32:
	case MCFAB_PARAM_KIND_DECIMAL:
		break;
	}
	ret = decimal ? parse_decimal(text, value) : kstrtou32(text, 10, value);
	if (ret == -EINVAL && decimal)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PARAM,
				    "parameter %s is a number with up to 6 decimals", param->name);
	if (ret == -EINVAL)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PARAM,
				    "parameter %s is a whole number", param->name);
	if (!ret && *value >= param->min && *value <= param->max)
		return 0;
	if (decimal)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_PARAM,
				    "parameter %s is from %u.%06u to %u.%06u", param->name,
				    param->min / 1000000, param->min % 1000000,
				    param->max / 1000000, param->max % 1000000);
	return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_PARAM, "parameter %s is from %u to %u",
			    param->name, param->min, param->max);
}

/* Fill in all values; @from says which setting gave a parameter its value. */
static int parse_settings(struct mcfab_policy *pol, const struct mcfab_setting *set, u32 nset,
			  u32 *from, struct mcfab_err *err)
{
	const struct mcfab_policy_ops *ops = pol->ops;
	u32 i, p;
	int ret;

	for (p = 0; p < ops->nparams; p++) {
		pol->values[p] = ops->params[p].def;
		from[p] = nset;
	}
	for (i = 0; i < nset; i++) {
		err->index = i;
		for (p = 0; p < ops->nparams; p++)
			if (!strcmp(set[i].name, ops->params[p].name))
				break;
		if (p == ops->nparams)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PARAM,
					    "policy %s has no parameter %s", ops->name,
					    set[i].name);
		if (from[p] < nset)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_PARAM,
					    "parameter %s is given twice", set[i].name);
		from[p] = i;
		ret = parse_setting(&ops->params[p], set[i].value, &pol->values[p], err);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * mcfab_policy_open() - bind a policy with its parameters to a fabric
 * @pol: filled in
 * @name: the policy's name
 * @view: the fabric; copied, but its pointers must stay valid longer than @pol
 * @set: parameters as the user wrote them
 * @nset: how many
 * @err: the reason of a refusal; its index is that of the bad setting, or @nset if no setting is
 *	 bad
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0; -ENOENT: no such policy; -EOPNOTSUPP: it cannot serve the fabric;
 * -EINVAL or -ERANGE: bad parameter; -ENOMEM.
 */
int mcfab_policy_open(struct mcfab_policy *pol, const char *name, const struct mcfab_view *view,
		      const struct mcfab_setting *set, u32 nset, struct mcfab_err *err)
{
	u32 from[MCFAB_MAX_PARAMS];
	int ret;

	memset(pol, 0, sizeof(*pol));
	err->index = nset;
	pol->ops = mcfab_policy_get(name);
	if (!pol->ops)
		return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_RUN_POLICY, "unknown policy %s",
				    name);
	pol->view = *view;
	ret = -EOPNOTSUPP;
	if (!(pol->ops->flags & view->topo->ops->serve)) {
		mcfab_refuse(err, ret, MCFAB_OPTION_RUN_POLICY,
			     "policy %s cannot serve topology %s",
			     pol->ops->name, view->topo->ops->name);
		goto err_put;
	}
	ret = parse_settings(pol, set, nset, from, err);
	if (ret)
		goto err_put;
	err->index = nset;
	if (pol->ops->priv_size) {
		ret = -ENOMEM;
		pol->priv = mcfab_memory_zalloc(1, pol->ops->priv_size);
		if (!pol->priv) {
			mcfab_refuse(err, ret, 0,
				     "no memory for the policy, see max_memory_mb");
			goto err_put;
		}
	}
	if (!pol->ops->init)
		return 0;
	err->index = MCFAB_NONE;
	ret = pol->ops->init(&pol->view, pol->values, pol->priv, err);
	if (!ret)
		return 0;
	/* The policy gives the index of a parameter; the caller needs the index of a setting. */
	err->index = err->index < pol->ops->nparams ? from[err->index] : nset;
	err->what = err->index < nset ? MCFAB_OPTION_RUN_PARAM : MCFAB_OPTION_RUN_POLICY;
	mcfab_memory_free(pol->priv);
err_put:
	mcfab_policy_put(pol->ops);
	pol->ops = NULL;
	pol->priv = NULL;
	return ret;
}

/**
 * mcfab_policy_close() - undo mcfab_policy_open()
 * @pol: the policy; may be closed already or never opened (all zero)
 *
 * Context: May sleep.
 */
void mcfab_policy_close(struct mcfab_policy *pol)
{
	if (!pol->ops)
		return;
	if (pol->ops->exit)
		pol->ops->exit(&pol->view, pol->priv);
	mcfab_memory_free(pol->priv);
	mcfab_policy_put(pol->ops);
	pol->ops = NULL;
	pol->priv = NULL;
}
