/* SPDX-License-Identifier: GPL-2.0 */
/* State of packets that are moved as a whole (mode packet, packet/crossing.c). */
#ifndef MCFAB_ENGINE_STATE_INTERVAL_H
#define MCFAB_ENGINE_STATE_INTERVAL_H

#include "base/types.h"

/**
 * struct mcfab_intervals - what mode packet owns. An interval is the time in which a packet
 *			    crosses a channel, or is copied to a node.
 * @begun: [nrecs + copies] cycle in which an interval began, U64_MAX: it has not
 * @after: [nrecs + copies] next interval in its queue
 * @pending: [nrecs] number of intervals that read the record
 * @ready_vcs: [nchans] VCs that wait for the link, with several VCs only
 */
struct mcfab_intervals {
	u64 *begun;
	u32 *after;
	u32 *pending;
	u16 *ready_vcs;
};

#endif
