// SPDX-License-Identifier: GPL-2.0
/*
 * There are no network devices in user space. A run with messages from outside is one that the
 * library steps (api/net.c).
 */
#include "netdev/ports.h"
#include "outside.h"

/* of the longest message, where nothing is said */
#define DEFAULT_FLITS	32

/**
 * mcfab_ports_prepare() - a run with messages from outside is to be started
 * @fabric: the fabric
 * @run: the run: the longest message is set, if none was asked for, and where messages come from
 * @err: filled in when it is refused
 *
 * Return: 0, or -EOPNOTSUPP: nobody steps it.
 */
int mcfab_ports_prepare(struct mcfab_fabric *fabric, struct mcfab_run_cfg *run,
			struct mcfab_err *err)
{
	if (!fabric->ports)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_WORKLOAD,
				    "ports are network devices: they need the kernel module");
	if (!run->flits)
		run->flits = DEFAULT_FLITS;
	run->workload.outside = &fabric->ports->o;
	run->workload.shortest = 1;
	return 0;
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
