/* SPDX-License-Identifier: GPL-2.0 */
/* Sizes of a run's arrays, which sizes.c computes for arrays.c. */
#ifndef MCFAB_ENGINE_SIZES_H
#define MCFAB_ENGINE_SIZES_H

#include "engine/state/outbox.h"

struct mcfab_engine;

/**
 * struct mcfab_share - the largest part of the network that one shard may have
 * @routers: routers
 * @nodes: nodes on them
 */
struct mcfab_share {
	u32 routers;
	u32 nodes;
};

u32 mcfab_seen_longs(const struct mcfab_engine *e);
struct mcfab_share mcfab_largest_share(const struct mcfab_engine *e);
u32 mcfab_header_requests(const struct mcfab_engine *e);
u64 mcfab_requests_size(const struct mcfab_engine *e, const struct mcfab_share *share);
u32 mcfab_outbox_size(const struct mcfab_engine *e, const struct mcfab_share *share,
		      enum mcfab_event kind);
u32 mcfab_grants_size(const struct mcfab_engine *e, const struct mcfab_share *share);
u64 mcfab_credits_size(const struct mcfab_engine *e, const struct mcfab_share *share, u32 link);

#endif
