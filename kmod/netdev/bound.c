// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of a subnet that are bound to Ethernet addresses: frames for such an address go to the
 * members of the group, whoever has joined, as in a subnet its manager decides. Groups do not
 * change during a run, so all is prepared when it starts.
 */
#include <linux/bsearch.h>
#include <linux/sort.h>
#include "base/memory.h"
#include "netdev/port.h"
#include "subnet/subnet.h"

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct mcfab_mac));
}

/**
 * mcfab_bound_free() - forget the addresses of groups
 * @ports: the ports of a fabric
 *
 * Context: may sleep; no run takes frames.
 */
void mcfab_bound_free(struct mcfab_ports *ports)
{
	while (ports->nbound)
		mcfab_set_put(ports->bound[--ports->nbound].set);
	mcfab_memory_free(ports->bound);
	ports->bound = NULL;
}

/**
 * mcfab_bound_make() - note the addresses of all groups of the fabric's subnet
 * @ports: the ports of the fabric
 *
 * Context: may sleep; no run takes frames, and no group changes.
 * Return: 0 or -ENOMEM.
 */
int mcfab_bound_make(struct mcfab_ports *ports)
{
	const struct mcfab_subnet *sn = ports->fabric->subnet;
	u32 i;

	mcfab_bound_free(ports);
	if (!sn || !sn->ngroups)
		return 0;
	ports->bound = mcfab_memory_zalloc(sn->ngroups, sizeof(*ports->bound));
	if (!ports->bound)
		return -ENOMEM;
	for (i = 0; i < sn->ngroups; i++) {
		const struct mcfab_group *group = sn->group[i];
		struct mcfab_bound *bound = &ports->bound[ports->nbound];

		cond_resched();
		if (!group->addr)
			continue;
		bound->set = mcfab_set_new(ports, group->nmembers, GFP_KERNEL_ACCOUNT);
		if (!bound->set) {
			mcfab_bound_free(ports);
			return -ENOMEM;
		}
		memcpy(bound->set->dst, group->member, group->nmembers * sizeof(u32));
		bound->set->group = group;
		u64_to_ether_addr(group->addr, bound->addr.addr);
		ports->nbound++;
	}
	sort(ports->bound, ports->nbound, sizeof(*ports->bound), compare, NULL);
	return 0;
}

/**
 * mcfab_bound_find() - the members of the group that is bound to an address
 * @ports: the ports of a fabric
 * @addr: the address
 *
 * Context: any; a run takes frames.
 * Return: the set, held; NULL: no group is.
 */
struct mcfab_set *mcfab_bound_find(const struct mcfab_ports *ports, const u8 *addr)
{
	const struct mcfab_bound *bound;

	if (likely(!ports->nbound))
		return NULL;
	bound = bsearch(addr, ports->bound, ports->nbound, sizeof(*bound), compare);
	if (!bound)
		return NULL;
	refcount_inc(&bound->set->ref);
	return bound->set;
}
