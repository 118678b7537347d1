/* SPDX-License-Identifier: GPL-2.0 */
/* A log of the messages that came from outside: as a list it makes the same run again. */
#ifndef MCFAB_WORKLOAD_ARRIVALS_H
#define MCFAB_WORKLOAD_ARRIVALS_H

#include <linux/kref.h>
#include "base/config.h"

struct mcfab_offer;

/**
 * struct mcfab_arrivals - messages in the order in which they were accepted
 * @ref: held by the run's owner and by readers
 * @list: the first messages of the run, as far as there is room for them. Readers take @list.nmsgs
 *	  by mcfab_arrivals_count(): what is below it does not change any more
 * @most_msgs: room for messages
 * @most_dst: room for destinations
 * @missed: messages that are not in the list: there was no room
 */
struct mcfab_arrivals {
	struct kref ref;
	struct mcfab_msg_list list;
	u32 most_msgs;
	u32 most_dst;
	u64 missed;
};

struct mcfab_arrivals *mcfab_arrivals_new(u32 msgs, u32 dsts);
void mcfab_arrivals_put(struct mcfab_arrivals *log);
void mcfab_arrivals_add(struct mcfab_arrivals *log, u32 source, const struct mcfab_offer *offer);

/** mcfab_arrivals_count() - messages in a log that may just be written; context: any */
static inline u32 mcfab_arrivals_count(const struct mcfab_arrivals *log)
{
	/* pairs with mcfab_arrivals_add() */
	return smp_load_acquire(&log->list.nmsgs);
}

#endif
