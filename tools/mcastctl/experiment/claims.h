/* SPDX-License-Identifier: GPL-2.0 */
/* What a paper says of its curves, held against ours. */
#ifndef MCASTCTL_EXPERIMENT_CLAIMS_H
#define MCASTCTL_EXPERIMENT_CLAIMS_H

#include "experiment/curves.h"

/** enum verdict - from good to bad; a claim has the worst of its checks */
enum claim_verdict {
	CLAIM_HOLDS,
	CLAIM_HOLDS_WEAKLY,	/* nothing against it, but some differences are open */
	CLAIM_UNDECIDED,	/* all differences are open */
	CLAIM_PARTLY,		/* true in places, false in others */
	CLAIM_CONTRADICTED,
	CLAIM_UNMEASURED,	/* nothing to compare: gaps, saturated runs, other values */
	CLAIM_UNCHECKED,	/* the scenario has no "check" for it */
	CLAIM_VERDICTS
};

extern const char *const claim_verdict_text[CLAIM_VERDICTS];

/** struct check_result - of one check */
struct check_result {
	enum claim_verdict verdict;
	u32 yes, no, open;	/* comparisons: true, false, undecided */
	char *text;		/* "7 of 8 places; not at 0.3", to be freed */
};

struct check_result claims_check(const struct curves *c, const struct scenario_check *check);
/* "below completion dp mp"; to be freed. */
char *claims_check_text(const struct scenario_check *check);
enum claim_verdict claims_verdict(const struct curves *c, const struct scenario_claim *claim);

/** struct published_result - a printed value beside ours */
struct published_result {
	bool there;
	double ours, half;	/* half < 0: no interval */
	double percent;		/* ours is so much larger */
};

struct published_result claims_published(const struct curves *c,
					 const struct scenario_published *p);

#endif
