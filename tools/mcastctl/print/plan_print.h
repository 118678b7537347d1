/* SPDX-License-Identifier: GPL-2.0 */
/* Printing a plan while its messages come in. */
#ifndef MCASTCTL_PLAN_PRINT_H
#define MCASTCTL_PLAN_PRINT_H

#include "netlink/netlink.h"

struct json_object;

/** struct plan_print - a plan of which a part is printed */
struct plan_print {
	const char *fabric;
	const char *policy;
	u32 source;
	u32 *dst;
	u32 ndst;
	u32 symbols;			/* text: nodes are permutations of so many; 0: ids */
	bool hosts;			/* text: nodes are hosts on switches */
	bool silent;			/* print nothing, only learn what the summary says */
	/* of the summary */
	bool begun;
	u32 worms;
	u32 packets;			/* of the message; 0: one */
	u32 steps;
	u32 longest;
	u32 network_latency;
	u64 traffic;
	u64 completion;
	u64 mean_destination;		/* in 1e-6 cycles */
	u64 mean_worm;
	u32 lost;			/* destinations that tables do not reach */
	u32 drops;			/* copies dropped by switches */
	u32 strays;			/* copies at nodes they are not for */
	u32 duplicates;			/* further copies at destinations */
	/* where we are */
	bool in_worm;
	u32 worm;
	u32 ndone;			/* destinations of this worm printed */
	u32 hdone;			/* hops printed */
	bool named;			/* they are of hosts and switches */
	u32 last;			/* node the last hop went to */
	bool in_arrivals;
	u32 narrivals;
	u32 column;
};

enum status plan_print_message(const struct nlmsghdr *nlh, void *print);
enum status plan_print_end(struct plan_print *p);
void plan_print_free(struct plan_print *p);

#endif
