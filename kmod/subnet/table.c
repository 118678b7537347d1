// SPDX-License-Identifier: GPL-2.0
/*
 * The policies' side of forwarding tables: the packets of a message, and the decision of a switch
 * about a packet.
 *
 * A packet names its destination by the LID in its worm's arg: a unicast LID, or the multicast LID
 * of (source, group). A multicast to destinations that are no group has no LID, arg 0: each switch
 * looks up all remaining destinations in its linear forwarding table and sends a copy by each port
 * found there. Unless the subnet allows it, a packet never leaves by the port by which it came in.
 */
#include "routing/routing.h"
#include "subnet/levels.h"
#include "subnet/table.h"

const char *const mcfab_lanes_choices[] = { "shared", "dedicated", "tables", NULL };
EXPORT_SYMBOL_NS_GPL(mcfab_lanes_choices, MCFAB);
const char *const mcfab_lane_select_choices[] = { "sl", "free", NULL };
EXPORT_SYMBOL_NS_GPL(mcfab_lane_select_choices, MCFAB);

/**
 * mcfab_table_init() - init of a policy whose packets follow tables
 * @view: the fabric
 * @values: of MCFAB_PARAM_LANES and MCFAB_PARAM_LANE_SELECT
 * @priv: a struct mcfab_table_priv, all zero
 * @err: filled in when the request is refused
 *
 * Context: Any.
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int mcfab_table_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err)
{
	struct mcfab_table_priv *table = priv;
	int ret;

	if (!view->subnet)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "forwarding tables need a fabric with addressing lid");
	/* a copy that waits would block the other copies of its packet */
	if (view->switching == MCFAB_SWITCHING_MODE_WORMHOLE)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "switches buffer whole packets: set switching vct or saf");
	table->lanes = MCFAB_LANE_MODE_SHARED + values[0];
	table->any = values[1];
	err->index = 0;
	ret = mcfab_lanes_check(view->subnet, view->vcs, table->lanes, err);
	if (ret)
		return ret;
	err->index = 1;
	if (table->any && table->lanes != MCFAB_LANE_MODE_SHARED)
		return mcfab_refuse(err, -EINVAL, 0, "lane-select free means nothing to lanes %s",
				    mcfab_lanes_choices[values[0]]);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_table_init, MCFAB);

/**
 * mcfab_table_init_xy() - mcfab_table_init() for policies that need the tables of XY routing
 * @view: the fabric
 * @values: of MCFAB_PARAM_LANES and MCFAB_PARAM_LANE_SELECT
 * @priv: a struct mcfab_table_priv, all zero
 * @err: filled in when the request is refused
 *
 * Context: Any.
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int mcfab_table_init_xy(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err)
{
	if (view->subnet && !view->subnet->mesh)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "XY routing is for meshes of two dimensions: use policy table");
	return mcfab_table_init(view, values, priv, err);
}
EXPORT_SYMBOL_NS_GPL(mcfab_table_init_xy, MCFAB);

/**
 * mcfab_table_max_plan() - bounds of mcfab_table_prepare()
 * @view: the fabric
 * @priv: a struct mcfab_table_priv
 * @ndst: destinations
 * @worms: set to the most worms
 * @dsts: set to the most entries
 *
 * Context: Any.
 */
void mcfab_table_max_plan(const struct mcfab_view *view, const void *priv, u32 ndst,
			  u32 *worms, u32 *dsts)
{
	const struct mcfab_table_priv *table = priv;

	*worms = table->copies ? ndst : 1;
	*dsts = ndst;
}
EXPORT_SYMBOL_NS_GPL(mcfab_table_max_plan, MCFAB);

/**
 * mcfab_table_prepare() - packets of a message: one, or one for each destination
 * @view: the fabric
 * @priv: a struct mcfab_table_priv
 * @source: node that sends
 * @dst: destinations; sorted
 * @ndst: how many
 * @plan: its group is set
 * @scratch: not used
 *
 * Context: Any.
 */
void mcfab_table_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	const struct mcfab_table_priv *table = priv;
	const struct mcfab_subnet *sn = view->subnet;
	u16 lid = 0;
	u32 i;

	mcfab_sort_ids(dst, ndst);
	if (plan->group != MCFAB_NONE)
		lid = mcfab_group_lid(sn->group[plan->group], source);
	for (i = 0; i < ndst; i++) {
		if (table->copies)
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY,
					mcfab_host_lid(sn, dst[i], source, table->spread));
		else if (!i)
			mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, lid);
		mcfab_plan_dst(plan, dst[i]);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_table_prepare, MCFAB);

/* place of @node among the destinations of a header, which ascend, or MCFAB_NONE */
static u32 find_dst(const struct mcfab_header *hdr, u32 node)
{
	u32 low = hdr->first, high = hdr->last, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (hdr->dst[mid] < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low < hdr->last && hdr->dst[low] == node ? low : MCFAB_NONE;
}

/* number of the port by which the header came in */
static u32 in_port(const struct mcfab_subnet *sn, const struct mcfab_header *hdr)
{
	if (hdr->in_port == MCFAB_PORT_ANY)
		return mcfab_host_port(sn, hdr->sender);
	return sn->number[hdr->router * sn->topo->ports + hdr->in_port];
}

/* The lanes of which a packet may take one at an output port; 0: none, it is dropped there. */
static u16 lane_mask(const struct mcfab_view *view, const struct mcfab_table_priv *table,
		     const struct mcfab_header *hdr, u32 port)
{
	const struct mcfab_subnet *sn = view->subnet;
	u32 lane, sl;

	if (table->any)
		return mcfab_vcs_all(view);
	if (table->lanes == MCFAB_LANE_MODE_TABLES) {
		sl = mcfab_levels_path(sn, hdr->sender, hdr->arg, hdr->serial);
		lane = mcfab_levels_lane(sn, hdr->router, in_port(sn, hdr), port, sl);
		return lane == MCFAB_LANE_NONE ? 0 : BIT(lane);
	}
	return BIT(mcfab_lane_vl(view->subnet, view->vcs, table->lanes, hdr->router, port,
				 hdr->serial % view->vcs));
}

static struct mcfab_branch *add_branch(struct mcfab_decision *out)
{
	return &out->branch[out->nbranches++];
}

static void add_host(struct mcfab_decision *out, u32 node, u32 entry)
{
	struct mcfab_branch *branch = add_branch(out);

	branch->node = node;
	branch->nports = 0;
	branch->first = entry;
	branch->last = entry == MCFAB_NONE ? MCFAB_NONE : entry + 1;
	branch->state = 0;
}

static void add_network(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out, u32 port,
			u32 first, u32 last)
{
	u16 lanes = lane_mask(view, priv, hdr, port);
	struct mcfab_branch *branch;

	if (!lanes) {
		out->drop = MCFAB_DROP_NO_ENTRY;
		return;
	}
	branch = add_branch(out);
	branch->node = MCFAB_NONE;
	branch->nports = 1;
	branch->port[0] = mcfab_subnet_end(view->subnet, hdr->router, port);
	branch->vcs[0] = lanes;
	branch->first = first;
	branch->last = last;
	branch->state = 0;
}

static void route_mlid(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_subnet *sn = view->subnet;
	const struct mcfab_mft *mft = mcfab_mft_find(sn, hdr->arg);
	u32 in = in_port(sn, hdr), port, end;

	out->drop = MCFAB_DROP_NO_ENTRY;
	if (!mft)
		return;
	for_each_set_bit(port, mft->row[hdr->router].bit, sn->ports) {
		out->drop = MCFAB_DROP_DEAD_PORT;
		end = mcfab_subnet_end(sn, hdr->router, port);
		if (!mcfab_may_leave(sn, in, port) || end == MCFAB_END_NONE ||
		    end == MCFAB_END_SELF)
			continue;
		if (mcfab_end_network(end))
			add_network(view, priv, hdr, out, port, hdr->first, hdr->last);
		else
			add_host(out, mcfab_end_host(end), find_dst(hdr, mcfab_end_host(end)));
	}
}

/* one branch for the destinations @first .. @last - 1, all by @port */
static void route_port(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out, u32 port,
		       u32 first, u32 last)
{
	u32 end = mcfab_subnet_end(view->subnet, hdr->router, port), node;

	if (mcfab_end_network(end)) {
		add_network(view, priv, hdr, out, port, first, last);
		return;
	}
	node = mcfab_end_host(end);
	while (first < last && mcfab_header_dst(hdr, first) != node)
		first++;
	add_host(out, node, first < last ? first : MCFAB_NONE);
}

/* Output port of a LID if a packet may leave by it, else the reason why it is dropped. */
static u32 look_up(const struct mcfab_subnet *sn, const struct mcfab_header *hdr, u32 lid, u32 in,
		   enum mcfab_drop *drop)
{
	u32 port = mcfab_lft_port(sn, hdr->router, lid);
	u32 end = mcfab_subnet_end(sn, hdr->router, port);

	if (port == MCFAB_NO_PORT)
		*drop = MCFAB_DROP_NO_ENTRY;
	else if (!mcfab_may_leave(sn, in, port) || end == MCFAB_END_NONE ||
		 end == MCFAB_END_SELF)
		*drop = MCFAB_DROP_DEAD_PORT;
	else
		return port;
	return MCFAB_NO_PORT;
}

/* unicast LID of a header's destination */
static u32 lid(const struct mcfab_view *view, const struct mcfab_table_priv *table,
	       const struct mcfab_header *hdr, u32 i)
{
	return mcfab_host_lid(view->subnet, mcfab_header_dst(hdr, i), hdr->sender, table->spread);
}

/* each destination by its own LID: destinations with the same port next to each other */
static void route_union(const struct mcfab_view *view, const void *priv,
			const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_subnet *sn = view->subnet;
	u32 in = in_port(sn, hdr), first = hdr->first, last, i, port;
	struct mcfab_port_set ports = {};

	for (i = first; i < hdr->last; i++) {
		port = look_up(sn, hdr, lid(view, priv, hdr, i), in, &out->drop);
		if (port != MCFAB_NO_PORT)
			__set_bit(port, ports.bit);
	}
	for_each_set_bit(port, ports.bit, sn->ports) {
		last = first;
		for (i = first; i < hdr->last; i++)
			if (mcfab_lft_port(sn, hdr->router, lid(view, priv, hdr, i)) == port)
				mcfab_header_move(hdr, i, last++);
		route_port(view, priv, hdr, out, port, first, last);
		first = last;
	}
}

/**
 * mcfab_table_route() - decision of a switch about a packet
 * @view: the fabric
 * @priv: a struct mcfab_table_priv
 * @hdr: the header
 * @out: filled in; no branch: the packet is dropped
 *
 * Context: Any.
 */
void mcfab_table_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_subnet *sn = view->subnet;
	u32 port;

	out->nbranches = 0;
	if (!hdr->arg) {
		route_union(view, priv, hdr, out);
	} else if (hdr->arg >= MCFAB_MULTICAST_LID_MIN) {
		route_mlid(view, priv, hdr, out);
	} else {
		port = look_up(sn, hdr, hdr->arg, in_port(sn, hdr), &out->drop);
		if (port != MCFAB_NO_PORT)
			route_port(view, priv, hdr, out, port, hdr->first, hdr->last);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_table_route, MCFAB);
