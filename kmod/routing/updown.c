// SPDX-License-Identifier: GPL-2.0
/* Functions that multicast policies on up*-down* routing share. */
#include "routing/routing.h"
#include "routing/updown.h"

const char *const mcfab_small_buffers_choices[] = { "refuse", "allow", NULL };
EXPORT_SYMBOL_NS_GPL(mcfab_small_buffers_choices, MCFAB);

/**
 * mcfab_updown_check() - refuse a fabric without up*-down* routing
 * @view: the fabric
 * @err: filled in when the request is refused
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_updown_check(const struct mcfab_view *view, struct mcfab_err *err)
{
	if (view->updown)
		return 0;
	return mcfab_refuse(err, -EOPNOTSUPP, 0, "needs routing updown, the fabric has none");
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_check, MCFAB);

/**
 * mcfab_updown_check_copies() - refuse fabrics on which worms with copies could deadlock
 * @view: the fabric
 * @allow: the user accepts it
 * @err: filled in when the request is refused
 *
 * A copy that waits keeps the flits that the other copies of its packet have yet to read. Where a
 * buffer holds a whole packet the other copies go on all the same. Where it does not, they wait
 * with the first copy, and two packets can wait for each other's copies. In lock-step the other
 * copies always wait.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_updown_check_copies(const struct mcfab_view *view, bool allow, struct mcfab_err *err)
{
	int ret = mcfab_updown_check(view, err);

	if (ret || allow)
		return ret;
	if (view->replication != MCFAB_REPLICATION_MODE_ASYNC)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "needs replication async, or small-buffers allow");
	if (view->flits <= view->buffer)
		return 0;
	return mcfab_refuse(err, -EOPNOTSUPP, 0,
			    "needs buffer %u, a packet, not %u, or small-buffers allow",
			    view->flits, view->buffer);
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_check_copies, MCFAB);

/**
 * mcfab_updown_consume() - add a copy for a node of this switch to a decision
 * @out: the decision
 * @node: the node
 * @entry: its place among the destinations
 *
 * Context: Any.
 */
void mcfab_updown_consume(struct mcfab_decision *out, u32 node, u32 entry)
{
	struct mcfab_branch *branch = &out->branch[out->nbranches++];

	branch->node = node;
	branch->nports = 0;
	branch->first = entry;
	branch->last = entry + 1;
	branch->state = 0;
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_consume, MCFAB);

/* of @count ports, a window that begins with packet @serial, in ascending order */
static u32 take_window(const struct mcfab_updown_ports *ports, u32 count, u32 serial, u16 *port)
{
	u32 first = count > MCFAB_MAX_ALTERNATIVES ? serial % count : 0;
	u32 i = 0, taken = 0, bit;

	for_each_set_bit(bit, ports->bit, MCFAB_GRAPH_PORTS_MAX) {
		u32 place = i < first ? i + count - first : i - first;

		if (place < MCFAB_MAX_ALTERNATIVES)
			port[taken++] = bit;
		i++;
	}
	return taken;
}

/**
 * mcfab_updown_branch() - go on to a switch on a shortest legal path
 * @view: the fabric, which has up*-down* routing
 * @hdr: the header
 * @to: switch, not the header's; a header that has come down may only go to a switch below
 * @adaptive: any port of a shortest path, not the lowest; of more than MCFAB_MAX_ALTERNATIVES
 *	      ports, so many consecutive ones, in turn by packets
 * @first: destinations of the branch
 * @last: one past the last
 * @out: decision to which the branch is added; its state word is 0 and free for use. Where
 *	 no legal path leads to @to, nothing is added
 *
 * Context: Any.
 */
void mcfab_updown_branch(const struct mcfab_view *view, const struct mcfab_header *hdr, u32 to,
			 bool adaptive, u32 first, u32 last, struct mcfab_decision *out)
{
	const struct mcfab_updown *ud = view->updown;
	enum mcfab_updown_phase phase = mcfab_updown_phase(ud, hdr->router, hdr->in_port);
	struct mcfab_branch *branch = &out->branch[out->nbranches];
	struct mcfab_updown_ports ports;
	u32 i, count;

	if (adaptive) {
		count = mcfab_updown_ports(ud, hdr->router, to, phase, &ports);
		count = take_window(&ports, count, hdr->serial, branch->port);
	} else {
		branch->port[0] = mcfab_updown_port(ud, hdr->router, to, phase);
		count = branch->port[0] < ud->topo->ports;
	}
	if (!count)
		return;
	branch->node = MCFAB_NONE;
	branch->nports = count;
	for (i = 0; i < count; i++)
		branch->vcs[i] = mcfab_vcs_all(view);
	branch->first = first;
	branch->last = last;
	branch->state = 0;
	out->nbranches++;
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_branch, MCFAB);

/**
 * mcfab_updown_path() - outputs of a worm that visits switch after switch
 * @view: the fabric, which has up*-down* routing
 * @hdr: the header; destinations on one switch follow each other
 * @adaptive: any port of a shortest legal path, not the lowest
 * @out: filled in
 *
 * The decision has copies for all next destinations on this switch, and a branch to the switch of
 * the destination after them. Definition 6: each piece is a shortest legal path.
 *
 * Context: Any.
 */
void mcfab_updown_path(const struct mcfab_view *view, const struct mcfab_header *hdr,
		       bool adaptive, struct mcfab_decision *out)
{
	const u32 *router = view->topo->router;
	u32 first;

	out->nbranches = 0;
	for (first = hdr->first; first < hdr->last; first++) {
		u32 node = hdr->dst[first];

		if (router[node] != hdr->router) {
			mcfab_updown_branch(view, hdr, router[node], adaptive, first, hdr->last,
					    out);
			return;
		}
		mcfab_updown_consume(out, node, first);
	}
}
EXPORT_SYMBOL_NS_GPL(mcfab_updown_path, MCFAB);
