// SPDX-License-Identifier: GPL-2.0
/* Life of up*-down* routing. */
#include <linux/mcfab.h>

#include "core/memory.h"
#include "updown/updown.h"

/*
 * What the arrays take, and the greatest of them: that of distances. Switches and ports
 * are few enough for no product here to pass 64 bits.
 */
static u64 array_bytes(const struct mcfab_updown *ud)
{
	u64 switches = ud->switches, channels = switches * ud->topo->ports;

	return switches * (3 * sizeof(u32) + sizeof(u8)) + channels * sizeof(u32) +
	       BITS_TO_LONGS(channels) * sizeof(long) +
	       MCFAB_UPDOWN_PHASES * switches * switches * sizeof(u16);
}

static int alloc_arrays(struct mcfab_updown *ud)
{
	size_t switches = ud->switches, channels = switches * ud->topo->ports;

	ud->level = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->parent = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->parent_port = kvcalloc(switches, sizeof(u8), MCFAB_GFP);
	ud->neighbour = kvcalloc(max_t(size_t, channels, 1), sizeof(u32), MCFAB_GFP);
	ud->up = kvcalloc(max_t(size_t, BITS_TO_LONGS(channels), 1), sizeof(long), MCFAB_GFP);
	ud->order = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->distance = kvcalloc(MCFAB_UPDOWN_PHASES * switches, switches * sizeof(u16),
				MCFAB_GFP);
	if (!ud->level || !ud->parent || !ud->parent_port || !ud->neighbour || !ud->up ||
	    !ud->order || !ud->distance)
		return -ENOMEM;
	return 0;
}

static int fill(struct mcfab_updown *ud, struct mcfab_err *err)
{
	u32 sw, port;
	int ret;

	if (ud->root == MCFAB_NONE) {
		ret = mcfab_updown_best_root(ud->topo, &ud->root, err);
		if (ret)
			return ret;
	}
	for (sw = 0; sw < ud->switches; sw++)
		for (port = 0; port < ud->topo->ports; port++)
			ud->neighbour[mcfab_topo_channel(ud->topo, sw, port)] =
				mcfab_topo_neighbour(ud->topo, sw, port);
	ret = mcfab_updown_tree(ud, err);
	return ret ?: mcfab_updown_distances(ud, err);
}

/**
 * mcfab_updown_create() - lay up*-down* routing over a network
 * @topo: the network, which outlives it
 * @root: switch at which the tree starts; MCFAB_NONE: that of mcfab_updown_best_root()
 * @err: filled in when it is refused; the blamed attribute is one of a fabric's
 *
 * Time is in proportion to switches times channels.
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: the routing or an error pointer: -ERANGE if there is no switch @root, -EINVAL if
 *	   no links lead from it to some switch that has hosts, -ENOMEM, -EINTR if the
 *	   process is being killed.
 */
struct mcfab_updown *mcfab_updown_create(const struct mcfab_topo *topo, u32 root,
					 struct mcfab_err *err)
{
	struct mcfab_updown *ud;
	int ret = -ENOMEM;
	u64 bytes;

	if (root != MCFAB_NONE && root >= topo->routers) {
		mcfab_refuse(err, -ERANGE, MCFAB_A_FABRIC_ROOT,
			     "there is no switch %u to be the root, the last is %u", root,
			     topo->routers - 1);
		return ERR_PTR(-ERANGE);
	}
	ud = kzalloc(sizeof(*ud), GFP_KERNEL_ACCOUNT);
	if (!ud)
		goto no_memory;
	ud->topo = topo;
	ud->switches = topo->routers;
	ud->root = root;
	mutex_init(&ud->lock);
	bytes = array_bytes(ud);
	/* INT_MAX is the limit of kvmalloc() */
	if (bytes > INT_MAX || !mcfab_memory_charge(bytes)) {
		mcfab_refuse(err, -ENOMEM, MCFAB_A_FABRIC_ROUTING,
			     "routing updown needs %llu MiB, see max_memory_mb",
			     (unsigned long long)(bytes >> 20) + 1);
		goto fail;
	}
	ud->bytes = bytes;
	if (alloc_arrays(ud))
		goto no_memory;
	ret = fill(ud, err);
	if (!ret)
		return ud;
fail:
	mcfab_updown_destroy(ud);
	return ERR_PTR(ret);

no_memory:
	mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	goto fail;
}

/**
 * mcfab_updown_destroy() - free up*-down* routing
 * @ud: routing, or NULL
 *
 * Context: May sleep.
 */
void mcfab_updown_destroy(struct mcfab_updown *ud)
{
	if (!ud)
		return;
	kvfree(ud->level);
	kvfree(ud->parent);
	kvfree(ud->parent_port);
	kvfree(ud->neighbour);
	kvfree(ud->up);
	kvfree(ud->order);
	kvfree(ud->distance);
	kvfree(ud->down);
	mcfab_memory_uncharge(ud->bytes);
	mutex_destroy(&ud->lock);
	kfree(ud);
}
