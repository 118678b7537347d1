// SPDX-License-Identifier: GPL-2.0
/* What multicast policies on up*-down* routing share. */
#include "updown/policy.h"

const char *const mcfab_small_buffers_choices[] = { "refuse", "allow", NULL };
EXPORT_SYMBOL_NS_GPL(mcfab_small_buffers_choices, MCFAB);

/**
 * mcfab_updown_check() - refuse a fabric without up*-down* routing
 * @view: the fabric
 * @err: filled in when it is refused
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
 * mcfab_updown_check_copies() - refuse what a policy whose worms replicate cannot have
 * @view: the fabric
 * @allow: the user accepts it
 * @err: filled in when it is refused
 *
 * A copy that waits keeps the flits that the others of its packet have yet to read. Where
 * a buffer holds a whole packet they go on all the same; where it does not, they wait with
 * it, and two packets can wait for each other's copies. In lock-step they always wait.
 *
 * Context: Any.
 * Return: 0 or -EOPNOTSUPP.
 */
int mcfab_updown_check_copies(const struct mcfab_view *view, bool allow, struct mcfab_err *err)
{
	int ret = mcfab_updown_check(view, err);

	if (ret || allow)
		return ret;
	if (view->replication != MCFAB_REPL_ASYNC)
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
 * mcfab_updown_consume() - add a copy to a node of this switch to a decision
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

/**
 * mcfab_updown_path() - outputs of a worm that visits switch after switch
 * @view: the fabric, which has up*-down* routing
 * @hdr: the header; destinations on one switch follow each other
 * @adaptive: any port of a shortest legal path, not the lowest
 * @out: filled in
 *
 * Copies to all next destinations that are here, and on to the switch of the one after
 * them. Definition 6: each piece is a shortest legal path.
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
