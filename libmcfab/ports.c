// SPDX-License-Identifier: GPL-2.0
/* There are no network devices in user space: runs have no ports. */
#include "netdev/ports.h"

/**
 * mcfab_ports_prepare() - a run with messages from ports is to be started
 * @fabric: the fabric
 * @run: the run
 * @err: filled in
 *
 * Return: -EOPNOTSUPP.
 */
int mcfab_ports_prepare(struct mcfab_fabric *fabric, struct mcfab_run_cfg *run,
			struct mcfab_err *err)
{
	return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_WORKLOAD,
			    "ports are network devices: they need the kernel module");
}

/** mcfab_ports_next() - there is none */
bool mcfab_ports_next(struct mcfab_fabric *fabric, struct net *net, u32 from,
		      struct mcfab_port_info *info)
{
	return false;
}

/** mcfab_ports_slip() - there is none */
bool mcfab_ports_slip(struct mcfab_fabric *fabric, struct mcfab_slip *slip)
{
	return false;
}

/** mcfab_ports_log() - there is none */
struct mcfab_arrivals *mcfab_ports_log(struct mcfab_fabric *fabric)
{
	return NULL;
}

/** mcfab_ports_end() - there are none */
void mcfab_ports_end(struct mcfab_fabric *fabric)
{
}

/** mcfab_ports_free() - there are none */
void mcfab_ports_free(struct mcfab_fabric *fabric)
{
}
