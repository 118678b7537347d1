// SPDX-License-Identifier: GPL-2.0
/* See lib/booksim.h. */
#include "lib/booksim.h"

void booksim_configure(struct mcfab_fabric_cfg *fc, struct mcfab_run_cfg *rc, const char *topology,
		       u32 radix, u32 vcs, u32 flits)
{
	mcfab_fabric_defaults(fc);
	strcpy(fc->name, "f");
	strcpy(fc->topology, topology);
	fc->ndims = 2;
	fc->radix[0] = radix;
	fc->radix[1] = radix;
	mcfab_fabric_router(fc, MCFAB_ROUTER_PRESET_BOOKSIM);
	fc->vcs = vcs;
	/* packets that fit into the buffers of an injection port like the others */
	fc->inject = min(DIV_ROUND_UP(vcs * fc->buffer, flits), MCFAB_MAX_SHARED);
	fc->consume = vcs;
	mcfab_run_defaults(rc);
	strcpy(rc->policy, "unicast");
	rc->prep = 0;
	rc->flits = flits;
}
