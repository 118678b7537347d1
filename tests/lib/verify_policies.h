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
/*
 * unicasts on a dragonfly by way of a third switch, over three virtual channels that go up with
 * global hops only: two hops within one group are on the same one (sst-macro, issue 325)
 */
extern struct mcfab_policy_ops test_ugal;
/* the same with a virtual channel for each of up to six hops */
extern struct mcfab_policy_ops test_ugal_hops;
/* the network of both, to be freed */
struct mcfab_graph *dragonfly(void);
/* dual-path, which says that its worms go in dimension order */
extern struct mcfab_policy_ops test_liar;
/* dual-path, which says that its worms have one destination each */
extern struct mcfab_policy_ops test_not_single;

#endif
