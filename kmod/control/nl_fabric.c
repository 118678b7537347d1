// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics as objects of a network namespace: find, hold, lock, let go. nl_fabric_new.c makes
 * them, nl_fabric_show.c shows them, nl_fabric_del.c removes them.
 */
#include "control/nl_job.h"
#include "base/memory.h"
#include "netdev/ports.h"

/* Every message about a fabric starts with the same two numbers. */
#define MCFAB_NL_STARTS(set)						\
	static_assert((MCFAB_A_##set##_FABRIC_ID) == MCFAB_NL_FABRIC_ID &&	\
		      (MCFAB_A_##set##_FABRIC) == MCFAB_NL_FABRIC)

static_assert(MCFAB_A_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_FABRIC_NAME == MCFAB_NL_FABRIC);
MCFAB_NL_STARTS(BATCH);
MCFAB_NL_STARTS(BUCKET);
MCFAB_NL_STARTS(DEADLOCK);
MCFAB_NL_STARTS(FAULT);
MCFAB_NL_STARTS(GRAPH);
MCFAB_NL_STARTS(GROUP);
MCFAB_NL_STARTS(LINK);
MCFAB_NL_STARTS(NODE);
MCFAB_NL_STARTS(NODE_LOAD);
MCFAB_NL_STARTS(PLAN);
MCFAB_NL_STARTS(ROUTE);
MCFAB_NL_STARTS(RUN);
MCFAB_NL_STARTS(STATS);
MCFAB_NL_STARTS(TABLE);
MCFAB_NL_STARTS(UPLOAD);

/* Memory that the control plane has charged for the fabric; the core knows the rest. */
static u64 mcfab_nl_own_bytes(const struct mcfab_nl_fabric *fabric)
{
	u64 bytes = mcfab_memory_size(fabric) + atomic64_read(&fabric->plan_bytes);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fabric->upload); i++)
		bytes += READ_ONCE(fabric->upload[i].bytes);
	return bytes;
}

/**
 * mcfab_nl_fabric_bytes() - memory charged for a fabric
 * @fabric: the fabric
 *
 * Context: Any.
 * Return: bytes.
 */
u64 mcfab_nl_fabric_bytes(const struct mcfab_nl_fabric *fabric)
{
	u64 bytes = mcfab_nl_own_bytes(fabric);

	if (fabric->core) {
		spin_lock(&fabric->core->part_lock);
		bytes += mcfab_fabric_bytes(fabric->core);
		spin_unlock(&fabric->core->part_lock);
	}
	return bytes;
}

/**
 * mcfab_nl_fabric_destroy() - free all of a fabric
 * @fabric: the fabric, which is not held any more
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_destroy(struct mcfab_nl_fabric *fabric)
{
	u32 i;

	if (fabric->core) {
		/* a run uses the ports */
		mcfab_run_stop(fabric->core);
		mcfab_ports_free(fabric->core);
		mcfab_fabric_destroy(fabric->core);
	}
	for (i = 0; i < ARRAY_SIZE(fabric->upload); i++)
		mcfab_nl_upload_free(&fabric->upload[i]);
	free_cpumask_var(fabric->cpus);
	mutex_destroy(&fabric->lock);
	mcfab_memory_free(fabric);
}

static void mcfab_nl_fabric_release(struct kref *ref)
{
	struct mcfab_nl_fabric *fabric = container_of(ref, struct mcfab_nl_fabric, ref);

	mcfab_nl_free(fabric, mcfab_nl_fabric_bytes(fabric));
}

/**
 * mcfab_nl_fabric_put() - let go of a fabric
 * @fabric: the fabric; may be gone afterwards
 *
 * Context: May sleep; not under any lock of the control plane.
 */
void mcfab_nl_fabric_put(struct mcfab_nl_fabric *fabric)
{
	kref_put(&fabric->ref, mcfab_nl_fabric_release);
}

/**
 * mcfab_nl_find_name() - a fabric by its name
 * @nlnet: the namespace's part
 * @name: NUL-terminated
 *
 * Context: Under the namespace's lock.
 * Return: the fabric, not held, or NULL.
 */
struct mcfab_nl_fabric *mcfab_nl_find_name(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_fabric *fabric;
	unsigned long id;

	xa_for_each(&nlnet->fabrics, id, fabric)
		if (!strcmp(fabric->name, name))
			return fabric;
	return NULL;
}

/**
 * mcfab_nl_fabric_building() - is a fabric still being built?
 * @fabric: the fabric
 *
 * Context: Any.
 * Return: true if its @core does not exist yet.
 */
bool mcfab_nl_fabric_building(const struct mcfab_nl_fabric *fabric)
{
	/* pairs with mcfab_nl_new_finish() */
	return !smp_load_acquire(&fabric->core);
}

/**
 * mcfab_nl_fabric_by_id() - a fabric by its number
 * @net: namespace
 * @id: number
 *
 * Context: May sleep.
 * Return: the fabric, held, NULL, or ERR_PTR(-EINTR) if the process is being killed.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_by_id(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = xa_load(&nlnet->fabrics, id);
	if (fabric && mcfab_nl_fabric_building(fabric))
		fabric = NULL;
	if (fabric)
		kref_get(&fabric->ref);
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/**
 * mcfab_nl_fabric_find() - the fabric of a request, even if it is still being built
 * @info: request, with a number, a name or both
 *
 * Context: May sleep.
 * Return: the fabric, held, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_find(const struct genl_info *info)
{
	const struct nlattr *id = info->attrs[MCFAB_NL_FABRIC_ID];
	const struct nlattr *name = info->attrs[MCFAB_NL_FABRIC];
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_fabric *fabric;
	char buf[MCFAB_NAME_LEN];

	if (!id && !name)
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_NL_FABRIC, "name of the fabric"));
	if (name)
		nla_strscpy(buf, name, sizeof(buf));

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = id ? xa_load(&nlnet->fabrics, nla_get_u32(id)) : mcfab_nl_find_name(nlnet, buf);
	if (!fabric) {
		NL_SET_ERR_MSG_ATTR(info->extack, id ?: name, "no such fabric");
		fabric = ERR_PTR(-ENOENT);
	} else if (name && strcmp(fabric->name, buf)) {
		NL_SET_ERR_MSG_ATTR(info->extack, name,
				    "number and name are of different fabrics");
		fabric = ERR_PTR(-EINVAL);
	} else {
		kref_get(&fabric->ref);
	}
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/* Blame the name of the fabric, or its number. */
static void mcfab_nl_blame_fabric(const struct genl_info *info)
{
	NL_SET_BAD_ATTR(info->extack, info->attrs[MCFAB_NL_FABRIC] ?:
				      info->attrs[MCFAB_NL_FABRIC_ID]);
}

/**
 * mcfab_nl_fabric_get() - the fabric of a request
 * @info: request, with a number, a name or both
 *
 * Context: May sleep.
 * Return: the fabric, held, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_get(const struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_find(info);

	if (IS_ERR(fabric) || !mcfab_nl_fabric_building(fabric))
		return fabric;
	NL_SET_ERR_MSG(info->extack, "the fabric is being built");
	mcfab_nl_blame_fabric(info);
	mcfab_nl_fabric_put(fabric);
	return ERR_PTR(-EBUSY);
}

/**
 * mcfab_nl_fabric_busy() - refuse a change while a thread works on a request, or during a claim
 * @info: request
 * @fabric: the fabric, locked
 *
 * Context: Any.
 * Return: 0, or -EBUSY with the extack set.
 */
int mcfab_nl_fabric_busy(const struct genl_info *info, const struct mcfab_nl_fabric *fabric)
{
	/* pairs with mcfab_nl_unclaim(): a claim may end any time, but no claim begins now */
	const char *why = smp_load_acquire(&fabric->claimed);

	if (fabric->job)
		why = fabric->job->ops->busy;
	if (!why)
		return 0;
	NL_SET_ERR_MSG_FMT(info->extack, "%s", why);
	mcfab_nl_blame_fabric(info);
	return -EBUSY;
}

/**
 * mcfab_nl_fabric_idle() - refuse changes that are impossible while a run is under way
 * @info: request
 * @fabric: the fabric, locked or claimed
 *
 * Context: Any.
 * Return: 0, or -EBUSY with the extack set.
 */
int mcfab_nl_fabric_idle(const struct genl_info *info, const struct mcfab_nl_fabric *fabric)
{
	if (!mcfab_run_active(fabric->core))
		return 0;
	NL_SET_ERR_MSG(info->extack, "a run is under way: stop it first");
	mcfab_nl_blame_fabric(info);
	return -EBUSY;
}

/**
 * mcfab_nl_fabric_lock_it() - lock a fabric that was found, unless it has been removed
 * @info: request
 * @fabric: the fabric, held, or an ERR_PTR, which is returned
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_lock_it(const struct genl_info *info,
						struct mcfab_nl_fabric *fabric)
{
	if (IS_ERR(fabric))
		return fabric;
	if (mutex_lock_killable(&fabric->lock)) {
		mcfab_nl_fabric_put(fabric);
		return ERR_PTR(-EINTR);
	}
	if (!fabric->gone)
		return fabric;
	NL_SET_ERR_MSG(info->extack, "no such fabric");
	mcfab_nl_blame_fabric(info);
	mcfab_nl_fabric_unlock(fabric);
	return ERR_PTR(-ENOENT);
}

/**
 * mcfab_nl_fabric_look() - the fabric of a request, locked, even if a thread works on it
 * @info: request; does not disturb a request on which a thread works
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_look(const struct genl_info *info)
{
	return mcfab_nl_fabric_lock_it(info, mcfab_nl_fabric_get(info));
}

/**
 * mcfab_nl_fabric_lock() - the fabric of a request, locked for a change
 * @info: request
 * @idle: refuse while a run is under way
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set: -EBUSY while a
 *	   thread works on another request or a process has claimed it.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_get(info);
	int ret;

	if (IS_ERR(fabric))
		return fabric;
	mcfab_nl_claim_wait(fabric);
	fabric = mcfab_nl_fabric_lock_it(info, fabric);
	if (IS_ERR(fabric))
		return fabric;
	ret = mcfab_nl_fabric_busy(info, fabric);
	if (!ret && idle)
		ret = mcfab_nl_fabric_idle(info, fabric);
	if (ret) {
		mcfab_nl_fabric_unlock(fabric);
		return ERR_PTR(ret);
	}
	/* A run that has just ended may still be sending its event. */
	if (idle)
		mcfab_run_stop(fabric->core);
	return fabric;
}

/**
 * mcfab_nl_fabric_unlock() - unlock and let go of a fabric
 * @fabric: from mcfab_nl_fabric_lock()
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_unlock(struct mcfab_nl_fabric *fabric)
{
	mutex_unlock(&fabric->lock);
	mcfab_nl_fabric_put(fabric);
}

/**
 * mcfab_nl_fabric_dump() - the fabric of a dump
 * @cb: the dump
 * @id: where the dump keeps its number; 0 at first
 *
 * Only the first part uses the request's name, so a dump never slips to another fabric of the same
 * name.
 *
 * Context: May sleep.
 * Return: the fabric, held, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_dump(struct netlink_callback *cb, u32 *id)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct mcfab_nl_fabric *fabric;

	if (!*id) {
		fabric = mcfab_nl_fabric_get(info);
		if (!IS_ERR(fabric))
			*id = fabric->id;
		return fabric;
	}
	fabric = mcfab_nl_fabric_by_id(genl_info_net(info), *id);
	if (IS_ERR(fabric))
		return fabric;
	if (!fabric) {
		NL_SET_ERR_MSG(info->extack, "the fabric was removed meanwhile");
		return ERR_PTR(-ENOENT);
	}
	return fabric;
}

/**
 * mcfab_nl_fabric_after() - the fabrics of a namespace one after the other
 * @net: namespace
 * @id: number of the fabric before, 0 for the first
 *
 * Context: May sleep.
 * Return: the next fabric, which may be still being built, held, NULL, or ERR_PTR(-EINTR) if the
 * process is being killed.
 */
struct mcfab_nl_fabric *mcfab_nl_fabric_after(struct net *net, u32 id)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;
	unsigned long index = id;

	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	fabric = xa_find_after(&nlnet->fabrics, &index, ULONG_MAX, XA_PRESENT);
	if (fabric)
		kref_get(&fabric->ref);
	mutex_unlock(&nlnet->lock);
	return fabric;
}

/**
 * mcfab_nl_fabric_unlist() - take a fabric out of its namespace's index
 * @fabric: the fabric, locked; the index's hold is the caller's now
 *
 * Context: May sleep.
 */
void mcfab_nl_fabric_unlist(struct mcfab_nl_fabric *fabric)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(fabric->net);

	fabric->gone = true;
	/* its holders do not wait, and this cannot be left undone */
	mutex_lock(&nlnet->lock);
	xa_erase(&nlnet->fabrics, fabric->id);
	WRITE_ONCE(nlnet->generation, nlnet->generation + 1);
	mutex_unlock(&nlnet->lock);
}

/**
 * mcfab_nl_fabric_end() - take a fabric out of its namespace
 * @fabric: the fabric; a run is stopped, but not waited for
 *
 * Context: May sleep; the namespace goes, so no other request changes it.
 */
void mcfab_nl_fabric_end(struct mcfab_nl_fabric *fabric)
{
	mutex_lock(&fabric->lock);
	mcfab_nl_fabric_unlist(fabric);
	mutex_unlock(&fabric->lock);
	if (fabric->core)
		mcfab_ports_end(fabric->core);
	mcfab_nl_orphan(fabric);
	mcfab_nl_end_later(fabric);
}
