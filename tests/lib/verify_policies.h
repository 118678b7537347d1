/* SPDX-License-Identifier: GPL-2.0 */
/* Policies for tests of verify: classics that no policy of the tree can express. */
#ifndef LIB_VERIFY_POLICIES_H
#define LIB_VERIFY_POLICIES_H

#include "plan/policy.h"

/* unicasts on a torus by the shorter way, over any virtual channel: no dateline, p and q merged */
extern struct mcfab_policy_ops test_merged;
/* the same on a star graph: virtual channels do not go by hops */
extern struct mcfab_policy_ops test_star_merged;
/*
 * unicasts on a mesh by any shortest way on all virtual channels but the lowest, on which they go in
 * dimension order: cycles, and an escape from them (Duato 1993)
 */
extern struct mcfab_policy_ops test_escape;
/* the same without the escape */
extern struct mcfab_policy_ops test_adaptive;
/* dual-path, which says that its worms go in dimension order */
extern struct mcfab_policy_ops test_liar;
/* dual-path, which says that its worms have one destination each */
extern struct mcfab_policy_ops test_not_single;

#endif
