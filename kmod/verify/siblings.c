// SPDX-License-Identifier: GPL-2.0
/*
 * What a worm goes on holding on one branch while a header of another branch waits: rule 2 of
 * Documentation/verify.md.
 */
#include "base/job.h"
#include "verify/explore.h"

/* The decision of the header in an entry, or MCFAB_NONE. */
static u32 child_of(const struct mcfab_explore *e, const struct mcfab_held *h)
{
	if (h->child != MCFAB_NONE && h->child >= MCFAB_HELD_AS)
		return e->held[h->child - MCFAB_HELD_AS].child;
	return h->child;
}

/* An entry goes on being held while any request of a decision waits. */
static int wait_for_all(struct mcfab_explore *e, u32 resource, u32 asked)
{
	const struct mcfab_asked *a = &e->asked[asked];
	int ret = 0;
	u32 i;

	for (i = 0; i < a->branches && ret >= 0; i++)
		ret = mcfab_explore_edge(e, resource, e->request[a->request + i]);
	return ret;
}

/* Lock-step: it is held while a header one router down another branch waits. */
static int wait_one_on(struct mcfab_explore *e, u32 resource, const struct mcfab_asked *a,
		       u32 branch)
{
	const struct mcfab_held *h;
	u32 i, child;
	int ret = 0;

	for (i = a->first; i < a->last && ret >= 0; i++) {
		h = &e->held[i];
		child = child_of(e, h);
		if (h->branch != branch && child != MCFAB_NONE)
			ret = wait_for_all(e, resource, child);
	}
	return ret;
}

/* Copies at their own pace: it is held while another branch of the decision waits. */
static int wait_for_others(struct mcfab_explore *e, u32 resource, const struct mcfab_asked *a,
			   u32 branch)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < a->branches && ret >= 0; i++)
		if (i != branch)
			ret = mcfab_explore_edge(e, resource, e->request[a->request + i]);
	return ret;
}

/* A node's channel is kept while a header elsewhere waits. */
static int keep_pool(struct mcfab_explore *e, const struct mcfab_held *h)
{
	if (!mcfab_wait_is_pool(e->w, h->resource))
		return 0;
	return mcfab_waits_ask(e->w, h->resource - e->w->fifos,
			       mcfab_explore_input(e, &e->asked[h->asked]), true);
}

/*
 * The edges of everything below an entry of a branch. In lock-step the entry itself has them, too;
 * otherwise it is one of the decision's peers.
 */
static int hold_below(struct mcfab_explore *e, u32 held, const struct mcfab_asked *a, u32 branch)
{
	const struct mcfab_hold *hold = &e->w->hold;
	u32 i, at, child;
	int ret = 0;

	e->stack[e->depth++] = held;
	while (e->depth && ret >= 0) {
		at = e->stack[--e->depth];
		if (hold->below)
			ret = wait_one_on(e, e->held[at].resource, a, branch);
		if (hold->branches && at != held && ret >= 0)
			ret = wait_for_others(e, e->held[at].resource, a, branch);
		if (ret >= 0 && (hold->below || at != held))
			ret = keep_pool(e, &e->held[at]);
		child = child_of(e, &e->held[at]);
		if (child == MCFAB_NONE)
			continue;
		for (i = e->asked[child].first; i < e->asked[child].last; i++) {
			if (e->held[i].search == e->search)
				continue;
			e->held[i].search = e->search;
			e->stack[e->depth++] = i;
		}
	}
	return ret;
}

/* Pairs of resources that a decision asks for by different branches. */
static int add_peers(struct mcfab_explore *e, const struct mcfab_asked *a)
{
	u32 i, k;
	int ret = 0;

	for (i = a->first; i < a->last; i++)
		for (k = a->first; k < i && ret >= 0; k++)
			if (e->held[i].branch != e->held[k].branch)
				ret = mcfab_waits_peers(e->w, e->held[i].resource,
							e->held[k].resource);
	return ret;
}

static int add_decision(struct mcfab_explore *e, const struct mcfab_asked *a)
{
	const struct mcfab_hold *hold = &e->w->hold;
	int ret = add_peers(e, a);
	u32 i;

	if (!hold->branches && !hold->below)
		return ret;
	for (i = a->first; i < a->last && ret >= 0; i++) {
		e->search++;
		e->depth = 0;
		ret = hold_below(e, i, a, e->held[i].branch);
		if (ret >= 0)
			ret = mcfab_job_step(0, 0);
	}
	e->depth = 0;
	return ret;
}

/**
 * mcfab_explore_siblings() - add the edges between branches of the worm that was explored
 * @e: the worm's entries and decisions
 *
 * Takes time in proportion to the branches of decisions times the entries below.
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, -EINTR.
 */
int mcfab_explore_siblings(struct mcfab_explore *e)
{
	u32 i;
	int ret = 0;

	for (i = 0; i < e->nasked && ret >= 0; i++) {
		/* a source has room for the whole message */
		if (e->asked[i].held == MCFAB_NONE && !e->w->hold.source)
			continue;
		if (e->asked[i].branches > 1)
			ret = add_decision(e, &e->asked[i]);
	}
	return ret < 0 ? ret : 0;
}
