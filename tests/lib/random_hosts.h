/* SPDX-License-Identifier: GPL-2.0 */
/* What makes of a random case (lib/random_case.h) one of nodes with hosts. */
#ifndef TESTS_RANDOM_HOSTS_H
#define TESTS_RANDOM_HOSTS_H

#include "base/config.h"

void random_hosts(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* up to eight packets; random_case() leaves lengths that are allowed, mostly of one */
void more_packets(u64 *state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);
/* a limit of packets that network interfaces send on, in half of the cases with hosts; drawn apart */
void random_memory(u64 state, struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc);
/* a policy of lib/later.h, if there is one for the network */
bool random_later(u64 *state, const struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc);

/*
 * A policy on up*-down* routes, if the network can have them; with @headers of their length.
 * Returns whether it has.
 */
bool random_updown(u64 *state, struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, u32 nodes);

#endif
