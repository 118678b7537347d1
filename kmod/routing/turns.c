// SPDX-License-Identifier: GPL-2.0
/*
 * Turns that headers make. Each of these sets of turns has no cycle of channels: that is the proof,
 * by Dally and Seitz (1987), that worms which keep to them cannot deadlock. verify looks for cycles
 * all the same, and tests plans against the turns.
 */
#include "routing/routing.h"
#include "routing/turns.h"
#include "updown/updown.h"

/**
 * mcfab_turn_dimension() - turns of dimension order on a mesh
 * @turn: the turn
 *
 * Context: Any.
 * Return: true if it goes straight on, or into a later dimension.
 */
bool mcfab_turn_dimension(const struct mcfab_turn *turn)
{
	return turn->out_port == mcfab_turn_on(turn) || turn->out_port / 2 > turn->in_port / 2;
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_dimension, MCFAB);

/**
 * mcfab_turn_negative() - turns of negative-first (Glass, Ni 1992)
 * @turn: the turn
 *
 * Context: Any.
 * Return: true unless it goes back, or from a positive to a negative direction.
 */
bool mcfab_turn_negative(const struct mcfab_turn *turn)
{
	bool from_positive = !(mcfab_turn_on(turn) & 1), to_negative = turn->out_port & 1;

	return turn->out_port != turn->in_port && !(from_positive && to_negative);
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_negative, MCFAB);

/**
 * mcfab_turn_west() - turns of west-first (Glass, Ni 1992)
 * @turn: the turn
 *
 * Context: Any.
 * Return: true unless it goes back, or turns west.
 */
bool mcfab_turn_west(const struct mcfab_turn *turn)
{
	return turn->out_port != turn->in_port &&
	       (turn->out_port != 1 || mcfab_turn_on(turn) == 1);
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_west, MCFAB);

/**
 * mcfab_turn_label() - turns of label routing R
 * @view: the fabric
 * @turn: the turn
 * @wrap: over wrap links, too
 *
 * Context: Any.
 * Return: true if labels go on growing, or go on falling.
 */
bool mcfab_turn_label(const struct mcfab_view *view, const struct mcfab_turn *turn, bool wrap)
{
	const struct mcfab_topo *topo = view->topo;
	u32 from = mcfab_topo_neighbour(topo, turn->router, turn->in_port);
	u32 to = mcfab_topo_neighbour(topo, turn->router, turn->out_port);
	u32 label = topo->label[turn->router];
	bool torus = topo->ops->serve & MCFAB_POLICY_TORUS;

	if (torus && !wrap && (mcfab_topo_wraps(topo, turn->router, turn->out_port) ||
			       mcfab_topo_wraps(topo, turn->router, turn->in_port)))
		return false;
	return topo->label[from] < label ? label < topo->label[to] : label > topo->label[to];
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_label, MCFAB);

/* The place of a dimension in an order that begins with @first and goes on by number. */
static u32 place(u32 dim, u32 first)
{
	return dim == first ? 0 : dim + (dim < first);
}

/**
 * mcfab_turn_torus() - turns of dimension order on a torus, p before the wrap link, q from it on
 * @view: the fabric
 * @turn: the turn
 * @first: the dimension that comes first; the others follow by number
 *
 * Context: Any.
 * Return: true if it goes straight on, or into a later dimension, and the virtual channels fit.
 */
bool mcfab_turn_torus(const struct mcfab_view *view, const struct mcfab_turn *turn, u32 first)
{
	bool on = turn->out_port == mcfab_turn_on(turn);
	bool wraps = mcfab_topo_wraps(view->topo, turn->router, turn->out_port);
	bool was = on && mcfab_turn_is_q(view, turn->in_vc);

	if (!on && place(turn->out_port / 2, first) <= place(turn->in_port / 2, first))
		return false;
	/* no worm goes all the way round */
	if (was && wraps)
		return false;
	return mcfab_turn_is_q(view, turn->out_vc) == (was || wraps);
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_torus, MCFAB);

/**
 * mcfab_turn_crossing() - turns of dimension order on a torus, q on rings whose wrap link is taken
 * @view: the fabric
 * @turn: the turn
 *
 * Links of a ring of k nodes are numbered from 0 to k - 1, the wrap link, in the direction of the
 * worm. A worm on q takes the wrap link, and k / 2 links at most. So the link by which it comes has
 * number k - k / 2 or more before the wrap link, and the one by which it goes k / 2 - 2 or less
 * behind it.
 *
 * Context: Any.
 * Return: true if it goes straight on, or into a later dimension, and the virtual channels fit.
 */
bool mcfab_turn_crossing(const struct mcfab_view *view, const struct mcfab_turn *turn)
{
	const struct mcfab_topo *topo = view->topo;
	u32 dim = turn->out_port / 2, k = topo->radix[dim], goes;
	bool wraps = mcfab_topo_wraps(topo, turn->router, turn->out_port);
	bool q = mcfab_turn_is_q(view, turn->out_vc);

	if (turn->out_port != mcfab_turn_on(turn))
		return dim > turn->in_port / 2 && (q || !wraps);
	if (q != mcfab_turn_is_q(view, turn->in_vc))
		return false;
	if (!q)
		return !wraps && !mcfab_topo_wraps(topo, turn->router, turn->in_port);
	goes = topo->coord[turn->router * topo->ndims + dim];
	if (turn->out_port & 1)
		goes = k - 1 - goes;
	return goes >= k - k / 2 + 1 || goes + 2 <= k / 2;
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_crossing, MCFAB);

/**
 * mcfab_turn_cycle() - turns of worms round a cycle of labels, mcfab_route_cycle()
 * @view: the fabric
 * @priv: not used
 * @turn: the turn
 *
 * Context: Any.
 * Return: true if it stays in the high or in the low network, goes from p to q by a boundary link,
 * and takes no second one.
 */
bool mcfab_turn_cycle(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_turn *turn)
{
	const struct mcfab_topo *topo = view->topo;
	u32 in = topo->peer[mcfab_topo_channel(topo, turn->router, turn->in_port)];
	bool boundary = mcfab_link_boundary(topo, turn->router, turn->out_port);
	bool was = mcfab_turn_is_q(view, turn->in_vc);

	if (mcfab_link_high(topo, in / topo->ports, in % topo->ports) !=
	    mcfab_link_high(topo, turn->router, turn->out_port))
		return false;
	return !(was && boundary) &&
	       mcfab_turn_is_q(view, turn->out_vc) == (was || boundary);
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_cycle, MCFAB);

/**
 * mcfab_turn_updown() - turns of up*-down* routing
 * @view: a fabric that has it
 * @priv: not used
 * @turn: the turn
 *
 * Context: Any.
 * Return: true unless it goes up after it has come down, or a link is dead.
 */
bool mcfab_turn_updown(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_turn *turn)
{
	const struct mcfab_updown *ud = view->updown;

	if (test_bit(mcfab_topo_channel(view->topo, turn->router, turn->in_port), ud->dead) ||
	    test_bit(mcfab_topo_channel(view->topo, turn->router, turn->out_port), ud->dead))
		return false;
	return mcfab_updown_phase(ud, turn->router, turn->in_port) == MCFAB_UPDOWN_UP ||
	       !mcfab_updown_is_up(ud, turn->router, turn->out_port);
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_updown, MCFAB);

/**
 * mcfab_turn_base() - turns of path worms whose arg is an enum mcfab_base, but for star graphs
 * @view: the fabric
 * @turn: the turn
 * @base: the base routing, of all worms; not MCFAB_BASE_STAR
 *
 * Context: Any.
 * Return: true if a worm may turn so.
 */
bool mcfab_turn_base(const struct mcfab_view *view, const struct mcfab_turn *turn,
		     enum mcfab_base base)
{
	switch (base) {
	case MCFAB_BASE_LABEL:
	case MCFAB_BASE_LINKS:
		return mcfab_turn_label(view, turn, base == MCFAB_BASE_LINKS);
	case MCFAB_BASE_TORUS:
		return mcfab_turn_torus(view, turn, 0);
	case MCFAB_BASE_NEGATIVE:
		return mcfab_turn_negative(turn);
	default:
		return mcfab_turn_dimension(turn);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_turn_base, MCFAB);
