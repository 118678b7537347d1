/* SPDX-License-Identifier: GPL-2.0 */
/* A log of the messages that came from outside: as a list it makes the same run again. */
#ifndef MCFAB_WORKLOAD_ARRIVALS_H
#define MCFAB_WORKLOAD_ARRIVALS_H

#include "base/config.h"

struct mcfab_offer;

/**
 * struct mcfab_arrivals - messages in the order in which they were accepted
 * @list: the first messages of the run, as far as there is room for them
 * @most_msgs: room for messages
 * @most_dst: room for destinations
 * @missed: messages that are not in the list: there was no room
 */
struct mcfab_arrivals {
	struct mcfab_msg_list list;
	u32 most_msgs;
	u32 most_dst;
	u64 missed;
};

struct mcfab_arrivals *mcfab_arrivals_new(u32 msgs, u32 dsts);
void mcfab_arrivals_free(struct mcfab_arrivals *log);
void mcfab_arrivals_add(struct mcfab_arrivals *log, u32 source, const struct mcfab_offer *offer);

#endif
