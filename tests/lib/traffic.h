/* SPDX-License-Identifier: GPL-2.0 */
/* Networks and workloads for tests of where messages go. */
#ifndef TESTS_TRAFFIC_H
#define TESTS_TRAFFIC_H

#include "workload/workload.h"

#define TRAFFIC_SIZES	6

/** struct traffic_size - a network on which patterns and sets are tried */
struct traffic_size {
	const char *topology;
	u32 ndims;
	u32 radix[4];
};

extern const struct traffic_size traffic_size[TRAFFIC_SIZES];

/* A Poisson workload of messages to one node by a pattern. */
struct mcfab_workload_cfg traffic_config(enum mcfab_traffic_pattern pattern);
/* Open a workload; the test fails if it is refused. */
void traffic_open(struct mcfab_workload *w, const struct mcfab_workload_cfg *cfg, u64 seed,
		  u32 nodes);
/* Digits of a number, the least first, to @n bases; and the number again. */
void digits(u32 number, u32 n, const u32 *base, u32 *digit);
u32 number(u32 n, const u32 *base, const u32 *digit);
/* @got of @n draws with probability @p: within five deviations */
bool near(u32 got, u32 n, double p);

#endif
