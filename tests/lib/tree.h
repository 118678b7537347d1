/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A policy for tests of replication: one worm to all destinations that splits
 * wherever dimension order does. It is not free of deadlock, which is wanted.
 */
#ifndef LIB_TREE_H
#define LIB_TREE_H

#include "plan/policy.h"

extern struct mcfab_policy_ops test_tree;

#endif
