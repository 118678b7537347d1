// SPDX-License-Identifier: GPL-2.0
/* Links and switches of a fabric that fail, or are mended. */
#include "fabric/fabric.h"
#include "engine/engine.h"
#include "updown/updown.h"

static int check(struct mcfab_fabric *fabric, struct mcfab_err *err)
{
	if (!fabric->updown)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FAULT_FABRIC,
				    "links fail with routing updown only: all else has one way");
	if (!mcfab_run_active(fabric))
		return 0;
	if (fabric->results.run.workload.kind == MCFAB_WORKLOAD_TYPE_LONE)
		return mcfab_refuse(err, -EBUSY, MCFAB_OPTION_FAULT_FABRIC,
				    "lone multicasts are under way: stop them first");
	if (fabric->results.run.nfaults)
		return mcfab_refuse(err, -EBUSY, MCFAB_OPTION_FAULT_FABRIC,
				    "a run with failures of its own is under way: stop it first");
	return 0;
}

/**
 * mcfab_fabric_fault() - take a link or a switch of a fabric down, or mend it
 * @fabric: the fabric; the caller sees to it that no run is started meanwhile
 * @fault: the link or switch; its cycle is ignored
 * @err: filled in when it is refused; the blamed attribute is an attribute of faults
 *
 * A run that is under way takes the change at the end of a cycle soon.
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: 0, -EOPNOTSUPP, -EBUSY, or as mcfab_updown_change(); nothing has changed then.
 */
int mcfab_fabric_fault(struct mcfab_fabric *fabric, const struct mcfab_fault *fault,
		       struct mcfab_err *err)
{
	struct mcfab_updown *ud, *old, *unseen = NULL;
	int ret = check(fabric, err);

	if (ret)
		return ret;
	ud = mcfab_updown_change(fabric->updown, fault, err);
	if (IS_ERR(ud))
		return PTR_ERR(ud);
	spin_lock(&fabric->part_lock);
	old = fabric->updown;
	fabric->updown = ud;
	fabric->view.updown = ud;
	/* a change that the run has not taken yet is out of date: the new one includes it */
	if (fabric->engine) {
		unseen = xchg(&fabric->engine->faults.change, mcfab_updown_get(ud));
		mcfab_engine_kick(fabric->engine);
	}
	spin_unlock(&fabric->part_lock);
	mcfab_updown_put(unseen);
	mcfab_updown_put(old);
	return 0;
}
