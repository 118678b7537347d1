// SPDX-License-Identifier: GPL-2.0
/* Life of a subnet. */

#include "base/memory.h"
#include "subnet/levels.h"

static int check_topo(const struct mcfab_topo *topo, struct mcfab_err *err)
{
	u32 sw;

	if (!topo->graph) {
		if (topo->ops->serve & MCFAB_POLICY_MESH && topo->ndims == 2)
			return 0;
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ADDRESSING,
				    "LIDs are for meshes of two dimensions and irregular topologies");
	}
	for (sw = 0; sw < topo->routers; sw++) {
		u32 channel = mcfab_topo_channel(topo, sw, 0);

		if (topo->peer[channel] == MCFAB_NONE && topo->host[channel] == MCFAB_NONE)
			continue;
		return mcfab_refuse(err, -EOPNOTSUPP, MCFAB_OPTION_FABRIC_ADDRESSING,
				    "with LIDs, port 0 is the switch itself: free it at switch %u",
				    sw);
	}
	return 0;
}

static u64 array_bytes(const struct mcfab_subnet *sn)
{
	u64 ports = (u64)sn->switches * (sn->ports + sn->topo->ports);
	u64 lfts = sn->rules.min_hop ? 2 : 1;

	return sizeof(*sn) + sn->topo->nodes * sizeof(u16) +
	       sn->switches * (3 * sizeof(u16) + MCFAB_DIRECTIONS) + sn->lids * sizeof(u32) +
	       ports * (sizeof(u32) + 2) + lfts * sn->switches * sn->lids +
	       MCFAB_MLIDS * sizeof(*sn->mft) + MCFAB_MAX_GROUPS * sizeof(*sn->group);
}

static int alloc_arrays(struct mcfab_subnet *sn)
{
	u32 switches = sn->switches;

	if ((u64)switches * sn->lids > INT_MAX)		/* the limit of kvmalloc() */
		return -ENOMEM;
	sn->host_lid = kvcalloc(sn->topo->nodes, sizeof(u16), MCFAB_GFP);
	sn->switch_lid = kvcalloc(switches, sizeof(u16), MCFAB_GFP);
	sn->owner = kvcalloc(sn->lids, sizeof(u32), MCFAB_GFP);
	sn->end = kvcalloc(switches * sn->ports, sizeof(u32), MCFAB_GFP);
	sn->number = kvcalloc(switches * sn->topo->ports, sizeof(u8), MCFAB_GFP);
	sn->xy = kvcalloc(switches, 2 * sizeof(u16), MCFAB_GFP);
	sn->toward = kvcalloc(switches, MCFAB_DIRECTIONS, MCFAB_GFP);
	sn->direction = kvcalloc(switches * sn->ports, sizeof(u8), MCFAB_GFP);
	/* not cleared: mcfab_lft_build() fills it, with scheduling points */
	sn->lft = kvmalloc_array(switches, sn->lids, MCFAB_GFP);
	if (sn->rules.min_hop)
		sn->built = kvmalloc_array(switches, sn->lids, MCFAB_GFP);
	sn->mft = kvcalloc(MCFAB_MLIDS, sizeof(*sn->mft), MCFAB_GFP);
	sn->group = kvcalloc(MCFAB_MAX_GROUPS, sizeof(*sn->group), MCFAB_GFP);
	if (!sn->host_lid || !sn->switch_lid || !sn->owner || !sn->end || !sn->number || !sn->xy ||
	    !sn->toward || !sn->direction || !sn->lft || !sn->mft || !sn->group ||
	    (sn->rules.min_hop && !sn->built))
		return -ENOMEM;
	return 0;
}

/**
 * mcfab_subnet_create() - lay a subnet over a network
 * @topo: the network, which has to exist longer than the subnet
 * @rules: rules for its switches
 * @vcs: virtual lanes of a channel, 1 .. MCFAB_MAX_VCS
 * @err: filled in when the request is refused; the blamed attribute is a fabric's
 *
 * Linear forwarding tables are built where routing is known; there are no groups.
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: the subnet or an error pointer: -EINVAL, -EOPNOTSUPP, -ENOMEM, -EINTR if the
 *	   process is being killed.
 */
struct mcfab_subnet *mcfab_subnet_create(const struct mcfab_topo *topo,
					 const struct mcfab_subnet_rules *rules, u32 vcs,
					 struct mcfab_err *err)
{
	u32 port[MCFAB_MESH_PORTS];
	struct mcfab_subnet *sn;
	u32 lids = 0;
	int ret;

	ret = check_topo(topo, err);
	if (!ret)
		ret = mcfab_lids_count(topo, &lids, err);
	if (!ret)
		ret = mcfab_port_numbers(topo, rules, port, err);
	if (ret)
		return ERR_PTR(ret);
	sn = kzalloc(sizeof(*sn), GFP_KERNEL_ACCOUNT);
	if (!sn)
		goto no_memory;
	sn->topo = topo;
	sn->rules.ingress = rules->ingress ?: MCFAB_INGRESS_MODE_EXCLUDE;
	sn->rules.min_hop = rules->min_hop;
	memcpy(sn->rules.port, port, sizeof(port));
	sn->vcs = vcs;
	sn->switches = topo->routers;
	sn->ports = topo->graph ? topo->ports : MCFAB_MESH_PORTS + 1;
	sn->lids = lids;
	sn->generation = 1;
	sn->bytes = array_bytes(sn);
	if (!mcfab_memory_charge(sn->bytes)) {
		mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_FABRIC_ADDRESSING,
			     "forwarding tables need %llu MiB, see max_memory_mb",
			     (unsigned long long)(sn->bytes >> 20) + 1);
		kfree(sn);
		return ERR_PTR(-ENOMEM);
	}
	if (alloc_arrays(sn)) {
		mcfab_subnet_destroy(sn);
		goto no_memory;
	}
	mcfab_lids_fill(sn);
	mcfab_ports_fill(sn);
	if (!sn->rules.min_hop && mcfab_directions_fill(sn)) {
		mcfab_subnet_destroy(sn);
		goto no_memory;
	}
	ret = mcfab_lft_build(sn, sn->lft, err);
	if (!ret)
		return sn;
	mcfab_subnet_destroy(sn);
	return ERR_PTR(ret);

no_memory:
	mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	return ERR_PTR(-ENOMEM);
}

/**
 * mcfab_subnet_destroy() - free a subnet
 * @sn: subnet, or NULL
 *
 * Context: May sleep.
 */
void mcfab_subnet_destroy(struct mcfab_subnet *sn)
{
	u32 i;

	if (!sn)
		return;
	mcfab_stage_abort(sn);
	while (sn->ngroups)
		mcfab_group_del(sn, sn->group[sn->ngroups - 1]);
	for (i = 0; sn->mft && i < MCFAB_MLIDS; i++)
		mcfab_mft_free(sn->mft[i]);
	kvfree(sn->host_lid);
	kvfree(sn->switch_lid);
	kvfree(sn->owner);
	kvfree(sn->end);
	kvfree(sn->number);
	kvfree(sn->xy);
	kvfree(sn->toward);
	kvfree(sn->direction);
	kvfree(sn->lft);
	kvfree(sn->built);
	kvfree(sn->mft);
	kvfree(sn->group);
	mcfab_levels_free(&sn->levels);
	mcfab_memory_uncharge(sn->bytes);
	kfree(sn);
}

/**
 * mcfab_subnet_bytes() - memory of a subnet
 * @sn: subnet, or NULL
 *
 * Context: Any, under the caller's lock.
 * Return: bytes, tables that are being loaded included.
 */
u64 mcfab_subnet_bytes(const struct mcfab_subnet *sn)
{
	u64 bytes;
	u32 i;

	if (!sn)
		return 0;
	bytes = sn->bytes;
	for (i = 0; i < sn->ngroups; i++)
		bytes += sn->group[i]->bytes;
	for (i = 0; i < MCFAB_MLIDS; i++)
		bytes += sn->mft[i] ? sn->mft[i]->bytes : 0;
	return bytes + mcfab_levels_bytes(&sn->levels) + mcfab_stage_bytes(sn);
}
