// SPDX-License-Identifier: GPL-2.0
/* Plans: the messages of an answer, and where its worms begin in them. */
#include <math.h>
#include <stdlib.h>

#include "api/internal.h"
#include "base/types.h"
#include <linux/genetlink.h>

/**
 * struct mcf_plan - a plan
 * @answer: all that was answered
 * @set: the attributes of its messages
 * @summary: its first message
 * @nworms: entries of @worm
 * @worm: its worms
 * @dests: destinations of all worms
 * @arrivals: pairs of node and cycle
 * @narrivals: how many pairs
 */
struct mcf_plan {
	struct answer answer;
	const struct attr_set *set;
	const struct nlmsghdr *summary;
	u32 nworms;
	struct mcf_worm *worm;
	u32 *dests;
	u64 *arrivals;
	u32 narrivals;
};

static const struct nlattr *get(const struct mcf_plan *p, const struct nlmsghdr *nlh,
				const char *name)
{
	const struct attr_desc *desc;
	u32 scale;

	return lib_attr(nlh, p->set, name, &desc, &scale);
}

static u32 get_u32(const struct mcf_plan *p, const struct nlmsghdr *nlh, const char *name)
{
	const struct nlattr *attr = get(p, nlh, name);

	return attr ? nla_get_u32(attr) : MCFAB_NONE;
}

/* a part of a worm: its first one says what it is */
static int add_worm(struct mcf_plan *p, const struct nlmsghdr *nlh, u64 *at)
{
	const struct nlattr *dests = get(p, nlh, "worm.destinations");
	u32 id = get_u32(p, nlh, "worm.id"), first = get_u32(p, nlh, "worm.destination-offset");
	struct mcf_worm *w = id < p->nworms ? &p->worm[id] : NULL;

	if (!w)
		return lib_refuse("the plan has worm %u of %u", id, p->nworms);
	if (!w->dests) {
		w->source = get_u32(p, nlh, "worm.source");
		w->step = get_u32(p, nlh, "worm.step");
		w->after = get_u32(p, nlh, "worm.after");
		w->ndests = get_u32(p, nlh, "worm.destinations-total");
		w->nhops = get_u32(p, nlh, "worm.hops-total");
		w->dests = p->dests + *at;
		*at += w->ndests;
	}
	if (dests)
		memcpy((u32 *)w->dests + (first == MCFAB_NONE ? 0 : first), nla_data(dests),
		       nla_len(dests));
	return 0;
}

static int add_arrivals(struct mcf_plan *p, const struct nlattr *attr)
{
	u32 more = nla_len(attr) / (2 * sizeof(u64));
	u64 *longer = realloc(p->arrivals, 2 * sizeof(u64) * ((u64)p->narrivals + more));

	if (!longer)
		return lib_refuse("out of memory");
	memcpy(longer + 2ULL * p->narrivals, nla_data(attr), 2 * sizeof(u64) * more);
	p->arrivals = longer;
	p->narrivals += more;
	return 0;
}

/* room for the destinations of all worms: later senders' worms have theirs, too */
static int make_room(struct mcf_plan *p)
{
	const struct nlmsghdr *nlh = NULL;
	u64 dests = 0, seen = MCFAB_NONE;

	while ((nlh = lib_next(&p->answer, nlh))) {
		if (get(p, nlh, "summary"))
			p->summary = nlh;
		if (get(p, nlh, "worm") && get_u32(p, nlh, "worm.id") != seen) {
			seen = get_u32(p, nlh, "worm.id");
			dests += get_u32(p, nlh, "worm.destinations-total");
		}
	}
	if (!p->summary)
		return lib_refuse("the plan has no summary");
	p->nworms = get_u32(p, p->summary, "summary.worms");
	p->worm = calloc(p->nworms + 1ULL, sizeof(*p->worm));
	p->dests = calloc(dests + 1, sizeof(*p->dests));
	return p->worm && p->dests ? 0 : lib_refuse("out of memory");
}

static int read_plan(struct mcf_plan *p)
{
	const struct nlmsghdr *nlh = NULL;
	const struct nlattr *attr;
	int ret = make_room(p);
	u64 at = 0;

	while (!ret && (nlh = lib_next(&p->answer, nlh))) {
		if (get(p, nlh, "worm"))
			ret = add_worm(p, nlh, &at);
		attr = get(p, nlh, "arrivals");
		if (!ret && attr)
			ret = add_arrivals(p, attr);
	}
	return ret;
}

struct mcf_plan *mcf_plan_new(struct mcf_fabric *f, const char *options, u32 source,
			      const u32 *dests, u32 n)
{
	struct mcf_plan *p = calloc(1, sizeof(*p));
	struct request rq;
	int ret = 0;

	if (!p) {
		lib_refuse("out of memory");
		return NULL;
	}
	if (n > MCFAB_LIST_MAX)
		ret = lib_refuse("dests: more than %u", MCFAB_LIST_MAX);
	if (ret) {
		free(p);
		return NULL;
	}
	ret = lib_request(&rq, "plan-get", true, f->name, options);
	p->set = rq.set;
	ret = ret ?: lib_request_put(&rq, "source", &source, sizeof(source));
	ret = ret ?: lib_request_put(&rq, "destinations", dests, n * sizeof(*dests));
	if (ret)
		lib_request_free(&rq);
	else
		ret = lib_ask(&rq, &p->answer) ?: read_plan(p);
	if (!ret)
		return p;
	mcf_plan_free(p);
	return NULL;
}

void mcf_plan_free(struct mcf_plan *p)
{
	if (!p)
		return;
	lib_answer_free(&p->answer);
	free(p->worm);
	free(p->dests);
	free(p->arrivals);
	free(p);
}

double mcf_plan_number(const struct mcf_plan *p, const char *name)
{
	const struct attr_desc *desc;
	const struct nlattr *attr;
	char whole[128];
	u32 scale;

	snprintf(whole, sizeof(whole), "summary.%s", name);
	attr = lib_attr(p->summary, p->set, whole, &desc, &scale);
	if (!attr)
		lib_refuse("name %s: %s", name, desc ? "it is absent" : "a plan has no such value");
	return lib_double(attr, desc, scale);
}

int mcf_plan_worm(const struct mcf_plan *p, u32 i, struct mcf_worm *worm)
{
	if (i >= p->nworms)
		return lib_refuse("worm %u: the plan has %u", i, p->nworms);
	*worm = p->worm[i];
	return 0;
}

u32 mcf_plan_arrivals(const struct mcf_plan *p, u32 *nodes, uint64_t *cycles, u32 room)
{
	u32 i;

	for (i = 0; i < min(p->narrivals, room); i++) {
		nodes[i] = p->arrivals[2 * i];
		cycles[i] = p->arrivals[2 * i + 1];
	}
	return p->narrivals;
}
