/* SPDX-License-Identifier: GPL-2.0 */
/*
 * policy check: what is tried on one network, in a process of its own, as a policy that is wrong
 * may never return, or crash.
 */
#ifndef MCASTCTL_CMD_POLICY_TRIAL_H
#define MCASTCTL_CMD_POLICY_TRIAL_H

#include "base/options.h"
#include "netlink/keyword.h"

#define TRIAL_MAX_NODES		256

/** struct trial_group - a message */
struct trial_group {
	u32 source;
	u32 ndst;
	u32 dst[TRIAL_MAX_NODES];
};

/** enum trial_end - what came of it */
enum trial_end {
	TRIAL_UNFINISHED,		/* it crashed, or did not return */
	TRIAL_GOOD,
	TRIAL_REFUSED,			/* the policy does not want the network */
	TRIAL_WRONG,
};

/** struct trial - a network, and what happens to a policy there; shared with the process */
struct trial {
	const char *policy;
	const char *network;		/* words of "fabric add" */
	const char *const *options;	/* more of them: those that the policy takes first count */
	u32 nodes;
	u32 groups;			/* random ones; 0: all of up to three destinations */
	u64 seed;
	bool only;			/* only @group is tried */

	enum trial_end end;
	const char *option;		/* that counts */
	struct trial_group group;	/* under way, or wrong */
	bool running;			/* no group, but a run is under way, or a proof */
	char text[512];			/* why it is wrong, or refused */
	char proof[96];			/* free of deadlock? */
	u32 plans;
	u64 ns;				/* that they took */
};

/* Try all that @t says; a plan that takes longer than so many seconds will never come. */
void trial_run(struct trial *t, u32 seconds);

#endif
