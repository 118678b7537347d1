/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Policies for tests of later senders: random trees of worms, that are sent on by hosts or
 * by network interfaces (forwarding=host|fpfs|fcfs). On meshes worms go by dimension order,
 * on irregular networks by the shortest paths of lib/shortest.h.
 */
#ifndef LIB_LATER_H
#define LIB_LATER_H

#include "plan/policy.h"

/* worms to one destination */
extern struct mcfab_policy_ops test_later;
/* and to several, relays among them */
extern struct mcfab_policy_ops test_later_tree;

#endif
