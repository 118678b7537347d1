/* SPDX-License-Identifier: GPL-2.0 */
/* BookSim2's routers in mcfab's words, and how long a packet takes through an empty network. */
#ifndef TESTS_LIB_BOOKSIM_H
#define TESTS_LIB_BOOKSIM_H

#include "fabric/fabric.h"

/* two cycles in each router, one on each channel, those of nodes included */
static inline double booksim_law(double routers, u32 flits)
{
	return 3 * routers + 2 + flits - 1;
}

/* @radix x @radix routers, unicasts of @flits; messages are still to be said */
void booksim_configure(struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, const char *topology,
		       u32 radix, u32 vcs, u32 flits);

#endif
