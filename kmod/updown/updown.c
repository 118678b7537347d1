// SPDX-License-Identifier: GPL-2.0
/* Life of up*-down* routing. */

#include "base/memory.h"
#include "updown/updown.h"

/*
 * Memory of the arrays, and the greatest of them: distances. Switches and ports are few enough for
 * no product here to pass 64 bits.
 */
static u64 array_bytes(const struct mcfab_updown *ud)
{
	u64 switches = ud->switches, channels = switches * ud->topo->ports;

	return switches * (3 * sizeof(u32) + sizeof(u8)) + channels * sizeof(u32) +
	       (3 * BITS_TO_LONGS(channels) + BITS_TO_LONGS(switches) +
		BITS_TO_LONGS(ud->topo->nodes)) * sizeof(long) +
	       MCFAB_UPDOWN_PHASES * switches * switches * sizeof(u16);
}

static unsigned long *alloc_bits(size_t bits)
{
	return kvcalloc(max_t(size_t, BITS_TO_LONGS(bits), 1), sizeof(long), MCFAB_GFP);
}

static int alloc_arrays(struct mcfab_updown *ud)
{
	size_t switches = ud->switches, channels = switches * ud->topo->ports;

	ud->level = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->parent = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->parent_port = kvcalloc(switches, sizeof(u8), MCFAB_GFP);
	ud->neighbour = kvcalloc(max_t(size_t, channels, 1), sizeof(u32), MCFAB_GFP);
	ud->up = alloc_bits(channels);
	ud->dead_link = alloc_bits(channels);
	ud->dead_switch = alloc_bits(switches);
	ud->dead = alloc_bits(channels);
	ud->cut = alloc_bits(ud->topo->nodes);
	ud->order = kvcalloc(switches, sizeof(u32), MCFAB_GFP);
	ud->distance = kvcalloc(MCFAB_UPDOWN_PHASES * switches, switches * sizeof(u16),
				MCFAB_GFP);
	if (!ud->level || !ud->parent || !ud->parent_port || !ud->neighbour || !ud->up ||
	    !ud->order || !ud->distance || !ud->dead_link || !ud->dead_switch || !ud->dead ||
	    !ud->cut)
		return -ENOMEM;
	return 0;
}

static int fill(struct mcfab_updown *ud, struct mcfab_err *err)
{
	u32 sw, port, chan;
	int ret;

	if (ud->root == MCFAB_NONE) {
		ret = mcfab_updown_best_root(ud->topo, &ud->root, err);
		if (ret)
			return ret;
	}
	for (sw = 0; sw < ud->switches; sw++) {
		for (port = 0; port < ud->topo->ports; port++) {
			chan = mcfab_topo_channel(ud->topo, sw, port);
			ud->neighbour[chan] = test_bit(chan, ud->dead) ? MCFAB_NONE :
				mcfab_topo_neighbour(ud->topo, sw, port);
		}
	}
	ret = mcfab_updown_tree(ud, err);
	ret = ret ?: mcfab_updown_distances(ud, err);
	return ret ?: mcfab_updown_centre(ud, err);
}

static void destroy(struct mcfab_updown *ud)
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
	kvfree(ud->dead_link);
	kvfree(ud->dead_switch);
	kvfree(ud->dead);
	kvfree(ud->cut);
	mcfab_memory_uncharge(ud->bytes);
	mutex_destroy(&ud->lock);
	kfree(ud);
}

/* the arrays, still empty, or an error pointer */
static struct mcfab_updown *allocate(const struct mcfab_topo *topo, u32 root,
				     struct mcfab_err *err)
{
	struct mcfab_updown *ud = kzalloc(sizeof(*ud), GFP_KERNEL_ACCOUNT);
	u64 bytes;

	if (!ud)
		goto no_memory;
	ud->topo = topo;
	ud->switches = topo->routers;
	ud->root = root;
	atomic_set(&ud->users, 1);
	mutex_init(&ud->lock);
	bytes = array_bytes(ud);
	/* INT_MAX is the limit of kvmalloc() */
	if (bytes > INT_MAX || !mcfab_memory_charge(bytes)) {
		mcfab_refuse(err, -ENOMEM, MCFAB_OPTION_FABRIC_ROUTING,
			     "routing updown needs %llu MiB, see max_memory_mb",
			     (unsigned long long)(bytes >> 20) + 1);
		goto fail;
	}
	ud->bytes = bytes;
	if (!alloc_arrays(ud))
		return ud;
no_memory:
	mcfab_refuse(err, -ENOMEM, 0, "out of memory");
fail:
	destroy(ud);
	return ERR_PTR(-ENOMEM);
}

/**
 * mcfab_updown_create() - lay up*-down* routing over a network
 * @topo: the network, which has to exist longer than the routing
 * @root: switch at which the tree starts; MCFAB_NONE: that of mcfab_updown_best_root()
 * @err: filled in when the request is refused; the blamed attribute is one of a fabric's
 *
 * Time is in proportion to switches times channels.
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: the routing, to be given to mcfab_updown_put(), or an error pointer: -ERANGE if
 *	   there is no switch @root, -EINVAL if no links lead from it to some switch that has
 *	   hosts, -ENOMEM, -EINTR if the process is being killed.
 */
struct mcfab_updown *mcfab_updown_create(const struct mcfab_topo *topo, u32 root,
					 struct mcfab_err *err)
{
	struct mcfab_updown *ud;
	int ret;

	if (root != MCFAB_NONE && root >= topo->routers) {
		mcfab_refuse(err, -ERANGE, MCFAB_OPTION_FABRIC_ROOT,
			     "there is no switch %u to be the root, the last is %u", root,
			     topo->routers - 1);
		return ERR_PTR(-ERANGE);
	}
	ud = allocate(topo, root, err);
	if (IS_ERR(ud))
		return ud;
	ret = fill(ud, err);
	if (!ret)
		return ud;
	destroy(ud);
	return ERR_PTR(ret);
}

/**
 * mcfab_updown_change() - the same network's routing after a failure or a repair
 * @old: the routing so far; stays as it is
 * @fault: the failure or repair
 * @err: filled in when the request is refused; the blamed attribute is one of a link's
 *
 * The root stays. Parts of the network that no link joins to the root have roots of their own, so
 * all nodes that links still join can reach each other. The new routing has reachability strings if
 * the old routing has.
 *
 * Context: May sleep. Memory is charged to the caller's cgroup. Time is in proportion to
 *	    switches times channels.
 * Return: the new routing or an error pointer: -ENOENT if there is no such switch or link,
 *	   -EALREADY if it is so already, -ENOMEM, -EINTR if the process is being killed.
 */
struct mcfab_updown *mcfab_updown_change(const struct mcfab_updown *old,
					 const struct mcfab_fault *fault, struct mcfab_err *err)
{
	struct mcfab_updown *ud = allocate(old->topo, old->root, err);
	size_t channels = (size_t)old->switches * old->topo->ports;
	int ret;

	if (IS_ERR(ud)) {
		err->what = MCFAB_OPTION_NONE;	/* no fabric is asked for */
		return ud;
	}
	bitmap_copy(ud->dead_link, old->dead_link, channels);
	bitmap_copy(ud->dead_switch, old->dead_switch, old->switches);
	ret = mcfab_updown_fault(ud, fault, err);
	if (!ret)
		ret = fill(ud, err);
	/* a policy that is at work has asked for strings already */
	if (!ret && READ_ONCE(old->down))
		ret = mcfab_updown_strings(ud, err);
	if (!ret)
		return ud;
	destroy(ud);
	return ERR_PTR(ret);
}

/**
 * mcfab_updown_get() - hold a routing
 * @ud: routing that is held already, or NULL
 *
 * Context: Any.
 * Return: @ud.
 */
struct mcfab_updown *mcfab_updown_get(struct mcfab_updown *ud)
{
	if (ud)
		atomic_inc(&ud->users);
	return ud;
}

/**
 * mcfab_updown_put() - let go of a routing
 * @ud: routing, or NULL
 *
 * Context: May sleep.
 */
void mcfab_updown_put(struct mcfab_updown *ud)
{
	if (ud && atomic_dec_and_test(&ud->users))
		destroy(ud);
}
