// SPDX-License-Identifier: GPL-2.0
/* Functions that requests for groups and for tables share: the fabric has to have LIDs. */
#include "control/nl.h"
#include "subnet/subnet.h"

static int mcfab_nl_no_subnet(const struct genl_info *info)
{
	const struct nlattr *nla = info->attrs[MCFAB_NL_FABRIC];

	NL_SET_ERR_MSG_ATTR(info->extack, nla ?: info->attrs[MCFAB_NL_FABRIC_ID],
			    "the fabric has no LIDs: make it with addressing lid");
	return -EOPNOTSUPP;
}

/**
 * mcfab_nl_subnet_lock() - the fabric with LIDs of a request
 * @info: request
 * @idle: refuse while a run is under way
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_subnet_lock(const struct genl_info *info, bool idle)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_lock(info, idle);

	if (IS_ERR(fabric) || fabric->core->subnet)
		return fabric;
	mcfab_nl_fabric_unlock(fabric);
	return ERR_PTR(mcfab_nl_no_subnet(info));
}

/* Locks a fabric that is held, unless its groups or tables are being changed. */
static int mcfab_nl_subnet_take(struct netlink_callback *cb, struct mcfab_nl_fabric *fabric)
{
	int ret;

	mcfab_nl_claim_wait(fabric);
	if (mutex_lock_killable(&fabric->lock))
		return -EINTR;
	ret = mcfab_nl_fabric_busy(genl_info_dump(cb), fabric);
	if (!ret && !fabric->core->subnet)
		ret = mcfab_nl_no_subnet(genl_info_dump(cb));
	if (ret)
		mutex_unlock(&fabric->lock);
	else
		cb->seq = fabric->core->subnet->generation;
	return ret;
}

/**
 * mcfab_nl_subnet_dump() - the fabric with LIDs of a dump
 * @cb: the dump; marked as inconsistent if groups or tables have changed
 * @id: where the dump keeps its number; 0 at first
 *
 * Context: May sleep.
 * Return: the fabric, held and locked, or an ERR_PTR with the extack set.
 */
struct mcfab_nl_fabric *mcfab_nl_subnet_dump(struct netlink_callback *cb, u32 *id)
{
	struct mcfab_nl_fabric *fabric = mcfab_nl_fabric_dump(cb, id);
	int ret;

	if (IS_ERR(fabric))
		return fabric;
	ret = mcfab_nl_subnet_take(cb, fabric);
	if (!ret)
		return fabric;
	mcfab_nl_fabric_put(fabric);
	return ERR_PTR(ret);
}

/**
 * mcfab_nl_get_rules() - rules for the switches of a new fabric
 * @info: request for a fabric
 * @rules: all zero, filled in
 *
 * The core decides whether these rules are possible.
 *
 * Context: Any.
 * Return: 0, or -EINVAL with the extack set.
 */
int mcfab_nl_get_rules(const struct genl_info *info, struct mcfab_subnet_rules *rules)
{
	const struct nlattr *pos, *last = NULL;
	u32 count = 0;
	int rem;

	if (info->attrs[MCFAB_A_FABRIC_INGRESS])
		rules->ingress = nla_get_u32(info->attrs[MCFAB_A_FABRIC_INGRESS]);
	nlmsg_for_each_attr_type(pos, MCFAB_A_FABRIC_PORT_NUMBERS, info->nlhdr, GENL_HDRLEN, rem) {
		if (count < MCFAB_MESH_PORTS)
			rules->port[count] = nla_get_u32(pos);
		last = pos;
		/* 0 at this place stands for no numbers at all */
		if (!count++ && !rules->port[0]) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "port 0 is not in 1 to %u",
						MCFAB_MESH_PORTS);
			return -EINVAL;
		}
	}
	if (!count || count == MCFAB_MESH_PORTS)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, last,
				"%u numbers, not %u: east, north, west, south, host",
				count, MCFAB_MESH_PORTS);
	return -EINVAL;
}

/**
 * mcfab_nl_put_rules() - put the rules of a fabric's switches into a message
 * @skb: message
 * @sn: its subnet
 *
 * Context: Any.
 * Return: 0 or -EMSGSIZE.
 */
int mcfab_nl_put_rules(struct sk_buff *skb, const struct mcfab_subnet *sn)
{
	u32 i;

	if (nla_put_u32(skb, MCFAB_A_FABRIC_INGRESS, sn->rules.ingress))
		return -EMSGSIZE;
	/* an irregular topology has its own port numbers */
	for (i = 0; !sn->topo->graph && i < MCFAB_MESH_PORTS; i++)
		if (nla_put_u32(skb, MCFAB_A_FABRIC_PORT_NUMBERS, sn->rules.port[i]))
			return -EMSGSIZE;
	return 0;
}

/**
 * mcfab_nl_group_steps() - steps of building the tables of a group
 * @sn: subnet
 * @nmembers: its members
 * @lids: number of its multicast LIDs
 *
 * Context: Any.
 * Return: steps, for mcfab_nl_job_go(): a row of each switch, and a path to each member. With
 *	   rules.min_hop also a search for each tree, and one from each member for where a tree
 *	   starts.
 */
u64 mcfab_nl_group_steps(const struct mcfab_subnet *sn, u32 nmembers, u32 lids)
{
	u64 steps = (u64)lids * (sn->switches + 64ULL * nmembers);
	u32 ports = sn->topo->ports;

	if (!sn->rules.min_hop)
		return steps;
	return ports * steps + (u64)nmembers * sn->switches * ports;
}

/**
 * mcfab_nl_subnet_steps() - steps of building the tables of all groups
 * @sn: subnet
 *
 * Context: Any.
 * Return: steps, for mcfab_nl_job_go().
 */
u64 mcfab_nl_subnet_steps(const struct mcfab_subnet *sn)
{
	u64 steps = 0;
	u32 i;

	for (i = 0; i < sn->ngroups; i++)
		steps += mcfab_nl_group_steps(sn, sn->group[i]->nmembers,
					      sn->group[i]->nlids + !!sn->group[i]->lid);
	return steps;
}

/**
 * mcfab_nl_subnet_changed() - note that groups or tables of a fabric have changed, and send the
 * event
 * @fabric: the fabric, locked
 *
 * Context: May sleep.
 */
void mcfab_nl_subnet_changed(struct mcfab_nl_fabric *fabric)
{
	mcfab_fabric_account(fabric->core);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
}
