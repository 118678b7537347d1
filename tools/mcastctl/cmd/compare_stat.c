// SPDX-License-Identifier: GPL-2.0
/* What runs of several policies with the same seeds say of their differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare.h"

/* In the order of the table. */
static const struct {
	const char *name;
	bool more;
	bool load;
} chosen[] = {
	{ "completion", false, false }, { "completion-p99", false, false },
	{ "completion-max", false, false }, { "destination", false, false },
	{ "cv-tail", false, false }, { "cv-header", false, false },
	{ "additional", false, false }, { "channel-cycles", false, false },
	{ "worms", false, false }, { "startups", false, false },
	{ "unicast", false, false }, { "unicast-p99", false, false },
	{ "accepted", true, true }, { "delivered", true, true },
	{ "utilisation-max", false, true }, { "load-cv", false, true },
};

static const struct metric_value *value_of(const struct comparison *c,
					   const struct compared_metric *cm, u32 policy, u32 seed)
{
	return &c->policy[policy].run[seed].metric[cm->metric - metrics];
}

/* Any policy has values of it, and they say something. */
static bool is_there(const struct comparison *c, const struct compared_metric *cm)
{
	static const char *const without[] = { "lone", "burst", "file" };

	for (size_t i = 0; cm->load && i < sizeof(without) / sizeof(*without); i++) {
		if (!strcmp(c->workload, without[i]))
			return false;
	}
	for (u32 p = 0; p < c->n; p++) {
		for (u32 k = 0; k < c->seeds; k++) {
			if (value_of(c, cm, p, k)->there)
				return true;
		}
	}
	return false;
}

bool compare_metric(const struct comparison *c, u32 *index, struct compared_metric *cm)
{
	while (*index < ARRAY_SIZE(chosen)) {
		cm->metric = metric_find(chosen[*index].name);
		cm->more = chosen[*index].more;
		cm->load = chosen[(*index)++].load;
		if (is_there(c, cm))
			return true;
	}
	return false;
}

bool compare_sound(const struct comparison *c, const struct compared_metric *cm, u32 policy)
{
	for (u32 k = 0; k < c->seeds; k++) {
		const char *state = c->policy[policy].run[k].state;

		if (strcmp(state, "done") && !(cm->load && !strcmp(state, "saturated")))
			return false;
		if (!value_of(c, cm, policy, k)->there)
			return false;
	}
	return true;
}

bool compare_mean(const struct comparison *c, const struct compared_metric *cm, u32 policy,
		  struct student_mean *mean)
{
	double *value = xcalloc(c->seeds, sizeof(*value));
	u32 n = 0;

	for (u32 k = 0; k < c->seeds; k++) {
		if (value_of(c, cm, policy, k)->there)
			value[n++] = value_of(c, cm, policy, k)->mean;
	}
	*mean = student_mean(value, n);
	free(value);
	return n;
}

static enum difference judge(const double *difference, const struct student_mean *mean)
{
	bool same = true;

	for (u32 k = 0; k < mean->n; k++)
		same &= !difference[k];
	if (same)
		return SAME;
	/* one seed has no interval */
	if (mean->half < 0 || fabs(mean->mean) <= mean->half)
		return UNDECIDED;
	return mean->mean < 0 ? LOWER : HIGHER;
}

struct paired compare_pair(const struct comparison *c, const struct compared_metric *cm, u32 first,
			   u32 second)
{
	struct paired pair = { .verdict = INCOMPARABLE };
	double *difference;

	if (!compare_sound(c, cm, first) || !compare_sound(c, cm, second))
		return pair;
	difference = xcalloc(c->seeds, sizeof(*difference));
	for (u32 k = 0; k < c->seeds; k++)
		difference[k] = value_of(c, cm, second, k)->mean - value_of(c, cm, first, k)->mean;
	pair.mean = student_mean(difference, c->seeds);
	pair.verdict = judge(difference, &pair.mean);
	free(difference);
	return pair;
}

u32 compare_best(const struct comparison *c, const struct compared_metric *cm, u32 *best)
{
	enum difference worse = cm->more ? LOWER : HIGHER;
	struct student_mean mean;
	double top = 0;
	u32 n = 0, at = c->n, sound = 0;

	for (u32 p = 0; p < c->n; p++) {
		if (!compare_sound(c, cm, p) || !compare_mean(c, cm, p, &mean))
			continue;
		sound++;
		if (at < c->n && (cm->more ? mean.mean <= top : mean.mean >= top))
			continue;
		top = mean.mean;
		at = p;
	}
	if (sound < 2)
		return 0;
	for (u32 p = 0; p < c->n; p++) {
		enum difference verdict = compare_pair(c, cm, at, p).verdict;

		if (p == at || (verdict != worse && verdict != INCOMPARABLE))
			best[n++] = p;
	}
	return n;
}

const char *compare_verdict(enum difference verdict)
{
	static const char *const word[] = {
		[SAME] = "same", [LOWER] = "lower", [HIGHER] = "higher",
		[UNDECIDED] = "undecided", [INCOMPARABLE] = "incomparable",
	};

	return word[verdict];
}
