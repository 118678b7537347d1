/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a policy decides about a header, and whether that deals out the header's destinations.
 */
#ifndef MCFAB_PLAN_DECISION_H
#define MCFAB_PLAN_DECISION_H

#include "plan/policy.h"

int mcfab_decision_check_all(const struct mcfab_policy *pol, const struct mcfab_header *hdr,
			     const struct mcfab_decision *out, bool partial,
			     struct mcfab_blame *blame);

/* the branch sends the header's remaining entries, from @first on, to one output */
static inline bool mcfab_branch_goes_on(const struct mcfab_header *hdr,
					const struct mcfab_decision *out,
					const struct mcfab_branch *b, u32 first)
{
	return b->node == MCFAB_NONE && b->first == first && b->last == hdr->last &&
	       (!out->ends || hdr->last - first == 1);
}

/* the branch is a copy for the header's next destination, which is here */
static inline bool mcfab_branch_delivers(const struct mcfab_topo *topo,
					 const struct mcfab_header *hdr,
					 const struct mcfab_branch *b)
{
	return b->node < topo->nodes && b->first == hdr->first &&
	       mcfab_header_dst(hdr, b->first) == b->node && topo->router[b->node] == hdr->router;
}

/* what is wrong with a branch that can never be granted; @port: its port exists */
static inline const char *mcfab_branch_wrong(bool port)
{
	return port ? "the way to it has no virtual channel" : "the way to it has no channel";
}

/* one branch sends all remaining entries of the header to one output, as in most decisions */
static inline bool mcfab_decision_is_plain(const struct mcfab_header *hdr,
					   const struct mcfab_decision *out)
{
	return out->nbranches == 1 && mcfab_branch_goes_on(hdr, out, out->branch, hdr->first);
}

/* one branch is a copy for the header's only destination */
static inline bool mcfab_decision_is_arrival(const struct mcfab_topo *topo,
					     const struct mcfab_header *hdr,
					     const struct mcfab_decision *out)
{
	return out->nbranches == 1 && hdr->first + 1 == hdr->last &&
	       mcfab_branch_delivers(topo, hdr, out->branch);
}

/* mcfab_decision_check() of a decision that is not plain */
static inline int mcfab_decision_check_copies(const struct mcfab_policy *pol,
					      const struct mcfab_header *hdr,
					      const struct mcfab_decision *out, bool partial,
					      struct mcfab_blame *blame)
{
	const struct mcfab_branch *b = out->branch;
	u32 next = hdr->first + 1;

	/* most deliver a copy, and go on if other destinations are left */
	if (mcfab_decision_is_arrival(pol->view.topo, hdr, out) ||
	    (out->nbranches == 2 && mcfab_branch_delivers(pol->view.topo, hdr, b) &&
	     mcfab_branch_goes_on(hdr, out, &b[1], next)))
		return 0;
	return mcfab_decision_check_all(pol, hdr, out, partial, blame);
}

/**
 * mcfab_decision_check() - does a header decision deal out the header's destinations?
 * @pol: the policy
 * @hdr: the header
 * @out: the policy's decision, with one branch at least
 * @partial: links are dead: the policy may have left out some destinations
 * @blame: what is wrong; the caller fills in the worm
 *
 * Each remaining destination is either delivered at this router, which has to be its own, or goes
 * by one of the outputs. As that holds for each header, every node in a worm's list gets the worm
 * once. (MCFAB_POLICY_TABLE: a copy is for a node of the header at this router, or for no node; all
 * else follows from the tables.)
 *
 * Context: any; most headers go on as they are, and cost a few comparisons.
 * Return: 0 or -EINVAL.
 */
static inline int mcfab_decision_check(const struct mcfab_policy *pol,
				       const struct mcfab_header *hdr,
				       const struct mcfab_decision *out, bool partial,
				       struct mcfab_blame *blame)
{
	if (likely(mcfab_decision_is_plain(hdr, out)))
		return 0;
	return mcfab_decision_check_copies(pol, hdr, out, partial, blame);
}

#endif
