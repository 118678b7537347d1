// SPDX-License-Identifier: GPL-2.0
/*
 * Events to the group "mgmt" of the fabric's namespace. An event is built only if a process
 * listens, and a listener that is too slow loses events: a client that needs certainty sends a
 * request.
 */
#include "control/nl.h"

/* The event of a run's end is sent before the namespace goes, or not at all. */
static DEFINE_MUTEX(mcfab_nl_end_lock);

/**
 * mcfab_nl_notify() - send an event
 * @fabric: the fabric concerned
 * @cmd: MCFAB_CMD_*_NTF
 *
 * Context: May sleep. The work item that cleans up after a run calls this while others wait for it
 * under the fabric's lock, so this function takes no lock.
 */
void mcfab_nl_notify(struct mcfab_nl_fabric *fabric, u8 cmd)
{
	struct genl_info info;
	struct sk_buff *skb;
	int ret;

	if (!genl_has_listeners(&mcfab_nl_family, fabric->net, MCFAB_NLGRP_MGMT))
		return;
	genl_info_init_ntf(&info, &mcfab_nl_family, cmd);
	skb = genlmsg_new(MCFAB_NL_EVENT_SIZE, GFP_KERNEL);
	if (!skb)
		return;

	switch (cmd) {
	case MCFAB_CMD_RUN_FINISHED_NTF:
		ret = mcfab_nl_run_fill(skb, fabric, &info, NULL);
		break;
	case MCFAB_CMD_DEADLOCK_NTF:
		ret = mcfab_nl_deadlock_fill(skb, fabric, &info, false);
		break;
	default:
		ret = mcfab_nl_fabric_fill(skb, fabric, &info, NULL);
	}
	if (ret) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_multicast_netns(&mcfab_nl_family, fabric->net, skb, 0, MCFAB_NLGRP_MGMT,
				GFP_KERNEL);
}

/**
 * mcfab_nl_finished() - a run ended: send its event
 * @core: its fabric
 *
 * Context: A router thread's, may sleep; a request that removes the fabric waits for it.
 */
void mcfab_nl_finished(struct mcfab_fabric *core)
{
	struct mcfab_nl_fabric *fabric = core->owner;

	mutex_lock(&mcfab_nl_end_lock);
	/* no thread computes now */
	if (fabric->net && core->results.progress.state == MCFAB_RUN_STATUS_DEADLOCKED)
		mcfab_nl_notify(fabric, MCFAB_CMD_DEADLOCK_NTF);
	if (fabric->net)
		mcfab_nl_notify(fabric, MCFAB_CMD_RUN_FINISHED_NTF);
	mutex_unlock(&mcfab_nl_end_lock);
	/* a request that waits for the end is answered after the event */
	WRITE_ONCE(fabric->run_told, core->results.progress.run);
	mcfab_nl_defer_kick();
}

/**
 * mcfab_nl_orphan() - note that a fabric's namespace goes
 * @fabric: the fabric; no event is sent at the end of its run
 *
 * Context: May sleep.
 */
void mcfab_nl_orphan(struct mcfab_nl_fabric *fabric)
{
	mutex_lock(&mcfab_nl_end_lock);
	fabric->net = NULL;
	mutex_unlock(&mcfab_nl_end_lock);
}
