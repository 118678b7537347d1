// SPDX-License-Identifier: GPL-2.0
/* The check of a header decision: each destination is dealt with once. */
#include "plan/decision.h"

static u32 end_of(const struct mcfab_branch *b)
{
	return b->node == MCFAB_NONE ? b->last : b->first + 1;
}

static u32 node_at(const struct mcfab_header *hdr, u32 entry)
{
	return mcfab_header_dst(hdr, entry) & ~(u32)MCFAB_DST_RELAY;
}

static bool has(const struct mcfab_decision *out, u32 entry)
{
	u32 i;

	for (i = 0; i < out->nbranches; i++)
		if (entry >= out->branch[i].first && entry < end_of(&out->branch[i]))
			return true;
	return false;
}

/* Does a branch have only entries of its header, and is a copy made at its node's router? */
static int check_branch(const struct mcfab_policy *pol, const struct mcfab_header *hdr,
			const struct mcfab_decision *out, const struct mcfab_branch *b,
			struct mcfab_blame *blame)
{
	const struct mcfab_topo *topo = pol->view.topo;

	if (b->node != MCFAB_NONE && b->node >= topo->nodes)
		return mcfab_blame(blame, "there is no such node", MCFAB_NONE, b->node);
	/* where tables say so, a copy comes to a node that is no destination */
	if (b->node != MCFAB_NONE && b->first == MCFAB_NONE &&
	    pol->ops->flags & MCFAB_POLICY_TABLE)
		return 0;
	if (b->first < hdr->first || b->first >= end_of(b) || end_of(b) > hdr->last)
		return mcfab_blame(blame, "the header has no such destination", MCFAB_NONE,
				   b->node);
	if (b->node == MCFAB_NONE && out->ends && b->last - b->first > 1)
		return mcfab_blame(blame, "the way ends before it", MCFAB_NONE,
				   node_at(hdr, b->last - 1));
	if (b->node == MCFAB_NONE)
		return 0;
	if (node_at(hdr, b->first) != b->node)
		return mcfab_blame(blame, "the copy is not for it", MCFAB_NONE, b->node);
	if (topo->router[b->node] != hdr->router)
		return mcfab_blame(blame, "it is at another router", MCFAB_NONE, b->node);
	return 0;
}

/* Two branches have the same destination. */
static int check_twice(const struct mcfab_header *hdr, const struct mcfab_decision *out,
		       struct mcfab_blame *blame)
{
	u32 i, k;

	for (i = 1; i < out->nbranches; i++)
		for (k = 0; k < i; k++) {
			const struct mcfab_branch *a = &out->branch[i], *b = &out->branch[k];

			if (a->first < end_of(b) && b->first < end_of(a))
				return mcfab_blame(blame, "it is delivered twice", MCFAB_NONE,
						   node_at(hdr, max(a->first, b->first)));
		}
	return 0;
}

/* see mcfab_decision_check() */
int mcfab_decision_check_all(const struct mcfab_policy *pol, const struct mcfab_header *hdr,
			     const struct mcfab_decision *out, bool partial,
			     struct mcfab_blame *blame)
{
	u32 left = hdr->last - hdr->first, at = hdr->first, i;
	bool in_order = true;
	int ret;

	if (out->nbranches > MCFAB_MAX_BRANCHES)
		return mcfab_blame(blame, "it has more outputs than there may be",
				   MCFAB_NONE, MCFAB_NONE);
	for (i = 0; i < out->nbranches; i++) {
		const struct mcfab_branch *b = &out->branch[i];

		ret = check_branch(pol, hdr, out, b, blame);
		if (ret)
			return ret;
		in_order &= b->first == at;
		at = end_of(b);
		left -= at - b->first;
	}
	if (pol->ops->flags & MCFAB_POLICY_TABLE || (in_order && at == hdr->last))
		return 0;
	ret = check_twice(hdr, out, blame);
	/* a decision with the right number of entries, and no entry twice, is complete */
	if (ret || partial || !left)
		return ret;
	for (at = hdr->first; has(out, at); at++)
		;
	return mcfab_blame(blame, "it is left out", MCFAB_NONE, node_at(hdr, at));
}
