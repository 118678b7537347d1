// SPDX-License-Identifier: GPL-2.0
/*
 * One tree worm with a bit-string header.
 *
 * Irregular paper, section 5.3: the header has a bit for each node of the network. A worm that may
 * still go up compares its destinations with the nodes that the switch reaches going down only (the
 * switch's total reachability string). If the string lacks a destination, the worm goes up. If not,
 * it turns, and every port that leads down gets a copy whose header keeps the destinations in that
 * port's restricted reachability string. These strings of a switch share no destination
 * (updown/strings.c), so each destination gets one copy. A copy that has come down splits again
 * without looking at the total string: all its destinations are below.
 *
 * The paper leaves open which port goes up: mcfab takes the lowest, or with "adaptive on" any.
 * Rewriting a header is reordering the worm's list, so that each copy's part is a range. Packets of
 * a message share the list: a packet that goes up must not look for a destination while another
 * packet, farther on, is moving it. So the plan says where the packets turn.
 *
 * Free of deadlock if buffers hold whole packets: copies go down only, each on its own.
 */
#include "routing/turns.h"
#include "routing/updown.h"

enum {
	BITSTRING_PARAM_ADAPTIVE,
	BITSTRING_PARAM_SMALL_BUFFERS,
};

/* mcfab_plan_worm.arg: the number of switches after which a tree turns; or else */
#define BITSTRING_ASK		(U16_MAX - 1)	/* the worm looks at every switch's total string */
#define BITSTRING_UNICAST	U16_MAX		/* a background unicast: shortest legal paths */

static const struct mcfab_param bitstring_params[] = {
	[BITSTRING_PARAM_ADAPTIVE] = {
		.name	= "adaptive",
		.help	= "go up by any port, not the lowest: for messages of one packet",
		.type	= MCFAB_PARAM_KIND_BOOL,
		.def	= false,
	},
	[BITSTRING_PARAM_SMALL_BUFFERS] = MCFAB_PARAM_SMALL_BUFFERS,
};

struct bitstring_priv {
	bool adaptive;
};

static int bitstring_init(const struct mcfab_view *view, const u32 *values, void *priv,
			  struct mcfab_err *err)
{
	struct bitstring_priv *bitstring = priv;
	int ret;

	bitstring->adaptive = values[BITSTRING_PARAM_ADAPTIVE];
	ret = mcfab_updown_check_copies(view, values[BITSTRING_PARAM_SMALL_BUFFERS], err);
	if (ret)
		return ret;
	/* packets of a message share its list, which must be split in the same way for all */
	if (bitstring->adaptive && view->packets > 1) {
		err->index = BITSTRING_PARAM_ADAPTIVE;
		return mcfab_refuse(err, -EINVAL, 0,
				    "adaptive on is for messages of one packet, not %u",
				    view->packets);
	}
	return mcfab_updown_strings(view->updown, err);
}

static void bitstring_max_plan(const struct mcfab_view *view, const void *priv, u32 ndst,
			       u32 *worms, u32 *dsts)
{
	*worms = 1;
	*dsts = ndst;
}

static struct mcfab_branch *add_branch(struct mcfab_decision *out, u32 first, u32 last)
{
	struct mcfab_branch *branch = &out->branch[out->nbranches++];

	branch->node = MCFAB_NONE;
	branch->nports = 0;
	branch->first = first;
	branch->last = last;
	branch->state = 0;
	return branch;
}

static void add_port(const struct mcfab_view *view, struct mcfab_branch *branch, u32 port)
{
	branch->port[branch->nports] = port;
	branch->vcs[branch->nports++] = (1u << view->vcs) - 1;
}

/* Are all destinations in the total string of the switch? */
static bool all_below(const struct mcfab_updown *ud, u32 sw, const u32 *dst, u32 ndst)
{
	u32 i;

	for (i = 0; i < ndst; i++)
		if (mcfab_updown_below(ud, sw, dst[i]) == MCFAB_UPDOWN_NOT)
			return false;
	return true;
}

static bool goes_up(const struct mcfab_updown *ud, u32 sw, u32 port)
{
	return ud->neighbour[mcfab_topo_channel(ud->topo, sw, port)] != MCFAB_NONE &&
	       mcfab_updown_is_up(ud, sw, port);
}

/* the lowest port that leads up, or MCFAB_NONE at the root */
static u32 lowest_up(const struct mcfab_updown *ud, u32 sw)
{
	u32 port;

	for (port = 0; port < ud->topo->ports; port++)
		if (goes_up(ud, sw, port))
			return port;
	return MCFAB_NONE;
}

/* the number of switches after which packets from @sw turn, if all go up by the lowest port */
static u16 turns_after(const struct mcfab_updown *ud, u32 sw, const u32 *dst, u32 ndst)
{
	u32 up, port;

	for (up = 0; up < BITSTRING_ASK && !all_below(ud, sw, dst, ndst); up++) {
		port = lowest_up(ud, sw);
		if (port == MCFAB_NONE)
			return BITSTRING_ASK;
		sw = ud->neighbour[mcfab_topo_channel(ud->topo, sw, port)];
	}
	return up;
}

static void bitstring_prepare(const struct mcfab_view *view, const void *priv, u32 source,
			      u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u16 arg = BITSTRING_ASK;
	u32 i;

	if (view->packets > 1)
		arg = turns_after(view->updown, view->topo->router[source], dst, ndst);
	mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, arg);
	for (i = 0; i < ndst; i++)
		mcfab_plan_dst(plan, dst[i]);
}

static bool turns(const struct mcfab_updown *ud, const struct mcfab_header *hdr)
{
	if (hdr->arg != BITSTRING_ASK)
		return hdr->state == hdr->arg;
	return all_below(ud, hdr->router, hdr->dst + hdr->first, hdr->last - hdr->first);
}

/*
 * Of more ports than a branch can have, the decision takes a window that moves on with every
 * packet.
 */
static void go_up(const struct mcfab_view *view, const struct mcfab_header *hdr, bool adaptive,
		  struct mcfab_decision *out)
{
	const struct mcfab_updown *ud = view->updown;
	u32 ports = view->topo->ports, most = adaptive ? MCFAB_MAX_ALTERNATIVES : 1;
	struct mcfab_branch *branch;
	u32 port, count = 0, skip = 0;

	for (port = 0; port < ports; port++)
		count += goes_up(ud, hdr->router, port);
	if (!count)
		return;
	if (adaptive && count > most)
		skip = hdr->serial % (count - most + 1);
	branch = add_branch(out, hdr->first, hdr->last);
	branch->state = hdr->state + 1;
	for (port = 0; port < ports && branch->nports < most; port++) {
		if (!goes_up(ud, hdr->router, port))
			continue;
		if (skip)
			skip--;
		else
			add_port(view, branch, port);
	}
}

/* the port of the header's switch behind which its entry @i is, going down */
static u32 below(const struct mcfab_updown *ud, const struct mcfab_header *hdr, u32 i)
{
	return mcfab_updown_below(ud, hdr->router, mcfab_header_dst(hdr, i));
}

/* Copies to the nodes on this switch, then to each port that has destinations below. */
static void split(const struct mcfab_view *view, const struct mcfab_header *hdr,
		  struct mcfab_decision *out)
{
	const struct mcfab_updown *ud = view->updown;
	u32 first = hdr->first, last, i, port;
	struct mcfab_updown_ports ports = {};

	for (i = first; i < hdr->last; i++) {
		u32 node = mcfab_header_dst(hdr, i);

		if (view->topo->router[node] == hdr->router) {
			mcfab_header_move(hdr, i, first);
			mcfab_updown_consume(out, node, first++);
		}
	}
	for (i = first; i < hdr->last; i++)
		__set_bit(below(ud, hdr, i), ports.bit);
	for_each_set_bit(port, ports.bit, view->topo->ports) {
		last = first;
		for (i = first; i < hdr->last; i++)
			if (below(ud, hdr, i) == port)
				mcfab_header_move(hdr, i, last++);
		add_port(view, add_branch(out, first, last), port);
		first = last;
	}
}

static void bitstring_route(const struct mcfab_view *view, const void *priv,
			    const struct mcfab_header *hdr, struct mcfab_decision *out)
{
	const struct mcfab_updown *ud = view->updown;
	const struct bitstring_priv *bitstring = priv;

	if (hdr->arg == BITSTRING_UNICAST) {
		mcfab_updown_path(view, hdr, bitstring->adaptive, out);
		return;
	}
	out->nbranches = 0;
	if (mcfab_updown_phase(ud, hdr->router, hdr->in_port) == MCFAB_UPDOWN_UP &&
	    !turns(ud, hdr))
		go_up(view, hdr, bitstring->adaptive, out);
	else
		split(view, hdr, out);
}

static u16 bitstring_unicast_arg(const void *priv)
{
	return BITSTRING_UNICAST;
}

/* Section 5.3.1: a bit for each node, and the up-down bit. */
static u32 bitstring_header(const struct mcfab_view *view, const void *priv, const u32 *dst,
			    u32 first, u32 last)
{
	return DIV_ROUND_UP(view->topo->nodes + 1, 8);
}

static struct mcfab_policy_ops mcfab_bitstring = {
	.owner		= THIS_MODULE,
	.name		= "bitstring",
	.title		= "one tree worm with a bit-string header",
	.flags		= MCFAB_UPDOWN_SERVES | MCFAB_POLICY_TREE,
	.params		= bitstring_params,
	.nparams	= ARRAY_SIZE(bitstring_params),
	.priv_size	= sizeof(struct bitstring_priv),
	.init		= bitstring_init,
	.max_plan	= bitstring_max_plan,
	.prepare	= bitstring_prepare,
	.route		= bitstring_route,
	.unicast_arg	= bitstring_unicast_arg,
	.header_flits	= bitstring_header,
	.turn		= mcfab_turn_updown,
};
module_mcfab_policy(mcfab_bitstring);

MODULE_ALIAS_MCFAB_POLICY("bitstring");
MODULE_DESCRIPTION("mcfab policy: bit-string tree worm");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
