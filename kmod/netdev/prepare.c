// SPDX-License-Identifier: GPL-2.0
/* A run with messages from ports is to be started: what it needs, and whether it can have it. */
#include <linux/if_vlan.h>
#include "netdev/port.h"
#include "workload/arrivals.h"

/* room in a log for so many destinations of each message, or for all nodes if they are fewer */
#define LOG_DESTS	16

/* bytes of the longest frame of a port */
static u32 longest_bytes(u32 mtu)
{
	return mtu + ETH_HLEN + VLAN_HLEN;
}

/**
 * mcfab_ports_prepare() - a run with messages from ports is to be started
 * @fabric: the fabric
 * @run: the run: its longest frame is set, if none was asked for (flits 0), and where frames come
 *	 from
 * @err: filled in when it is refused
 *
 * Context: may sleep; no run is under way.
 * Return: 0, -EINVAL (run->flits), -ERANGE (run->pace_ppm), -EOPNOTSUPP (run->log), -ENOMEM or
 *	   -ENODEV.
 */
int mcfab_ports_prepare(struct mcfab_fabric *fabric, struct mcfab_run_cfg *run,
			struct mcfab_err *err)
{
	struct mcfab_ports *ports = mcfab_ports_get(fabric, NULL);
	struct mcfab_arrivals *log = NULL;
	u32 most = ETH_DATA_LEN, flits;
	struct mcfab_port *port;

	if (IS_ERR(ports))
		return mcfab_refuse(err, PTR_ERR(ports), MCFAB_OPTION_RUN_WORKLOAD,
				    "no memory for ports, see max_memory_mb");
	/* the fabric holds it as long as it may have runs */
	mcfab_ports_put(ports);
	if (!mcfab_pace_fits(fabric->cfg.cycle_ps, run->pace_ppm))
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_PACE,
				    "a cycle of %u ps would take less than 1 ps or more than 18 s",
				    fabric->cfg.cycle_ps);
	spin_lock_bh(&ports->lock);
	list_for_each_entry(port, &ports->list, list)
		most = max(most, READ_ONCE(port->dev->mtu));
	spin_unlock_bh(&ports->lock);
	flits = mcfab_ports_flits(ports, longest_bytes(most));
	if (run->flits && run->flits < flits)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_FLITS,
				    "frames of MTU %u have %u flits", most, flits);
	if (!run->flits)
		run->flits = flits;
	if (run->log && ports->nodes > MCFAB_MAX_LOG_NODES)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_LOG,
				    "messages of more than %u nodes are not noted",
				    MCFAB_MAX_LOG_NODES);
	if (run->log) {
		u64 dsts = (u64)run->log * min(ports->nodes - 1, LOG_DESTS);

		log = mcfab_arrivals_new(run->log, min_t(u64, dsts, U32_MAX));
		if (!log)
			return mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_RUN_LOG,
					    "no memory for so many, see max_memory_mb");
	}
	if (mcfab_bound_make(ports)) {
		mcfab_arrivals_put(log);
		return mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_RUN_WORKLOAD,
				    "no memory for groups, see max_memory_mb");
	}
	/* a run that was to begin before did not */
	mcfab_arrivals_put(ports->log);
	ports->log = log;
	mcfab_pace_set(&ports->pace, fabric->cfg.cycle_ps, run->pace_ppm);
	ports->slip_limit = run->slip_limit_ns;
	ports->o.holds = !run->rx_limit;
	WRITE_ONCE(ports->rx_limit, run->rx_limit ?: MCFAB_PORT_BACKLOG);
	WRITE_ONCE(ports->memory_limit, (u64)run->frames_mb << 20);
	run->workload.outside = &ports->o;
	run->workload.shortest = mcfab_ports_flits(ports, 0);
	WRITE_ONCE(ports->longest, run->flits);
	return 0;
}
