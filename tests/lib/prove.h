/* SPDX-License-Identifier: GPL-2.0 */
/* The verdict on a fabric and a run of it. */
#ifndef LIB_PROVE_H
#define LIB_PROVE_H

#include "base/config.h"
#include "verify/verify.h"

/** struct proof - what verify says */
struct proof {
	struct mcfab_judgement v;
	enum mcfab_verify_scope scope;
	int ret;	/* a policy at fault, and why; else verify went to its end */
	char why[80];
	u32 source[MCFAB_WAIT_CYCLE];	/* of each wait of the cycle */
	u32 ndst[MCFAB_WAIT_CYCLE];	/* 0: no message is known */
	u32 dst[MCFAB_WAIT_CYCLE][64];
};

/*
 * Messages that deadlock, found by crowds, and the fewest that do; false: no crowd deadlocked.
 * The list is to be freed with list_free(). Fails unless these deadlock again.
 */
bool find_deadlock(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc,
		   const struct proof *p, u32 crowds, struct mcfab_msg_list **list);
/* destinations: 0 for any; samples: random sets. Fails if the fabric or the policy is refused */
void prove(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc, u32 dests,
	   u32 samples, struct proof *out);

#endif
