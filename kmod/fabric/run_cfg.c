// SPDX-License-Identifier: GPL-2.0
/* The configuration of a run: defaults, and what is refused whatever the policy. */
#include "fabric/fabric.h"
#include "workload/workload.h"

/**
 * mcfab_run_defaults() - the default configuration of a run
 * @cfg: filled in; policy and workload are left empty
 *
 * Context: any.
 */
void mcfab_run_defaults(struct mcfab_run_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->flits = 32;
	cfg->advance = MCFAB_ADVANCE_MODE_AUTO;
	cfg->prep = MCFAB_NONE;
	cfg->node_busy = MCFAB_NODE_BUSY_MODE_STARTUP;
	cfg->workload.kind = MCFAB_WORKLOAD_TYPE_LONE;
	cfg->workload.source = MCFAB_NONE;
	cfg->workload.multicast_ppm = MCFAB_PPM;
	cfg->workload.fraction_ppm = MCFAB_PPM;
	cfg->workload.pattern = MCFAB_TRAFFIC_PATTERN_UNIFORM;
	cfg->workload.hotspot_ppm = MCFAB_PPM;
	cfg->workload.set = MCFAB_DESTINATION_SET_UNIFORM;
	cfg->warmup = MCFAB_NONE;
	cfg->batches = 20;
	cfg->batch_cycles = 5000;
	cfg->precision_ppm = 50000;
	cfg->max_cycles = 1000000000;
	cfg->slip_limit_ns = 1000000;
	cfg->frames_mb = 64;
}

/* messages of several lengths have packets of several lengths: what can be had with them */
static int check_lengths(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *cfg,
			 struct mcfab_err *err)
{
	const char *what = NULL;
	int ret = 0;
	u32 i;

	for (i = 0; i < mcfab_run_loads(cfg) && !ret; i++)
		ret = mcfab_lengths_check(mcfab_run_load(cfg, i), err);
	if (ret && cfg->nclasses)
		mcfab_blame_class(err, i - 1);
	if (ret || mcfab_run_shortest(cfg) == mcfab_run_longest(cfg))
		return ret;
	if (cfg->headers)
		what = "headers on";
	else if (fc->switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD)
		what = "switching saf";
	if (!what)
		return 0;
	ret = mcfab_refuse(err, -EOPNOTSUPP, mcfab_workload_has_flits(&cfg->workload) ?
			   MCFAB_OPTION_RUN_WORKLOAD : MCFAB_OPTION_RUN_LENGTHS,
			   "messages of several lengths are not modelled with %s", what);
	for (i = 0; i < cfg->nclasses && !cfg->class[i].workload.nlengths; i++)
		;
	if (cfg->nclasses)
		mcfab_blame_class(err, i);
	return ret;
}

static bool sends_to_self(const struct mcfab_run_cfg *cfg)
{
	u32 i;

	for (i = 0; i < mcfab_run_loads(cfg); i++)
		if (mcfab_run_load(cfg, i)->self)
			return true;
	return false;
}

/**
 * mcfab_run_check() - may a run be made on a fabric?
 * @fc: configuration of the fabric
 * @cfg: configuration of the run
 * @err: filled in when it is refused
 *
 * What depends on the policy and on the network is checked later.
 *
 * Context: may sleep.
 * Return: 0, -EINVAL, -ERANGE or -EOPNOTSUPP.
 */
int mcfab_run_check(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *cfg,
		    struct mcfab_err *err)
{
	int ret = check_lengths(fc, cfg, err);
	u32 longest, packet;

	if (ret)
		return ret;
	longest = mcfab_run_longest(cfg);
	packet = mcfab_packet_flits(longest, cfg->mtu);
	if (!longest || longest > MCFAB_MAX_FLITS)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_FLITS,
				    "flits %u is not in 1 to %u", longest, MCFAB_MAX_FLITS);
	ret = mcfab_fabric_check_buffer(fc, packet, cfg->mtu ? MCFAB_OPTION_RUN_MTU :
					cfg->workload.nlengths ? MCFAB_OPTION_RUN_LENGTHS :
					longest != cfg->flits ? MCFAB_OPTION_RUN_WORKLOAD :
					MCFAB_OPTION_RUN_FLITS, err);
	if (ret)
		return ret;
	if (cfg->recover && cfg->workload.kind == MCFAB_WORKLOAD_TYPE_LONE)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_RECOVER,
				    "a lone multicast that deadlocks waits for itself: it ends the run");
	if (cfg->recover && fc->node_bandwidth == MCFAB_NODE_BANDWIDTH_MODE_SHARED)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_RECOVER,
				    "not modelled with node-bandwidth shared");
	if (fc->node_model == MCFAB_NODE_MODEL_MODE_HOST &&
	    cfg->node_busy != MCFAB_NODE_BUSY_MODE_STARTUP)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_NODE_BUSY,
				    "with node-model host a host is busy while it starts up");
	if (fc->node_model == MCFAB_NODE_MODEL_MODE_HOST && cfg->rounds != MCFAB_ROUNDS_DEFAULT)
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_ROUNDS,
				    "with node-model host nothing is sent in rounds");
	if (fc->node_bandwidth == MCFAB_NODE_BANDWIDTH_MODE_SHARED && sends_to_self(cfg))
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_RUN_SELF,
				    "messages to self are not modelled with node-bandwidth shared");
	if (mcfab_run_windowed(cfg) && (cfg->batches < 20 || cfg->batches > MCFAB_MAX_BATCHES))
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_BATCHES,
				    "batches %u is not in 20 to %u", cfg->batches,
				    MCFAB_MAX_BATCHES);
	if (mcfab_run_windowed(cfg) && !cfg->batch_cycles)
		return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_BATCH_CYCLES,
				    "batch-cycles must be at least 1");
	return 0;
}
