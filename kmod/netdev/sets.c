// SPDX-License-Identifier: GPL-2.0
/*
 * Which nodes get a frame. The set of a frame's destinations is made when a frame asks for it, and
 * kept until memberships change.
 */
#include <linux/if_vlan.h>
#include <linux/igmp.h>
#include <linux/sort.h>
#include <net/ipv6.h>
#include <net/mld.h>
#include "netdev/port.h"

/* of IPv4's link: 224.0.0.x, see RFC 1112 */
static const u8 ipv4_link[] = { 0x01, 0x00, 0x5e, 0x00, 0x00 };
static const u8 ipv4[] = { 0x01, 0x00, 0x5e };
static const u8 ipv6[] = { 0x33, 0x33 };
/* ff02::1 */
static const u8 ipv6_all_nodes[] = { 0x33, 0x33, 0x00, 0x00, 0x00, 0x01 };

#define BEGINS(addr, with) (!memcmp(addr, with, sizeof(with)))

static enum mcfab_scope scope_of(const u8 *addr)
{
	if (BEGINS(addr, ipv4_link) || BEGINS(addr, ipv6_all_nodes))
		return MCFAB_SCOPE_LOCAL;
	if (BEGINS(addr, ipv4))
		return MCFAB_SCOPE_IPV4;
	return BEGINS(addr, ipv6) ? MCFAB_SCOPE_IPV6 : MCFAB_SCOPE_LOCAL;
}

/* by its ICMP type: is it a message about memberships? */
static bool is_mld(const struct sk_buff *skb, int at)
{
	const struct icmp6hdr *icmp;
	struct icmp6hdr buf;

	icmp = skb_header_pointer(skb, at, sizeof(buf), &buf);
	if (!icmp)
		return false;
	switch (icmp->icmp6_type) {
	case ICMPV6_MGM_QUERY:
	case ICMPV6_MGM_REPORT:
	case ICMPV6_MGM_REDUCTION:
	case ICMPV6_MLD2_REPORT:
		return true;
	}
	return false;
}

/*
 * Is a frame one by which hosts and routers talk about memberships (IGMP, MLD)? Bridges have to
 * see these, whatever address they go to.
 */
static bool is_report(const struct sk_buff *skb)
{
	int at = skb_network_offset(skb);
	const struct ipv6_opt_hdr *opt;
	const struct ipv6hdr *ip6;
	const struct iphdr *ip;
	union {
		struct iphdr ip;
		struct ipv6hdr ip6;
		struct ipv6_opt_hdr opt;
	} buf;

	switch (vlan_get_protocol(skb)) {
	case htons(ETH_P_IP):
		ip = skb_header_pointer(skb, at, sizeof(buf.ip), &buf.ip);
		return ip && ip->protocol == IPPROTO_IGMP;
	case htons(ETH_P_IPV6):
		ip6 = skb_header_pointer(skb, at, sizeof(buf.ip6), &buf.ip6);
		/* they have the option "router alert" */
		if (!ip6 || ip6->nexthdr != NEXTHDR_HOP)
			return false;
		at += sizeof(*ip6);
		opt = skb_header_pointer(skb, at, sizeof(buf.opt), &buf.opt);
		return opt && opt->nexthdr == IPPROTO_ICMPV6 &&
		       is_mld(skb, at + ipv6_optlen(opt));
	}
	return false;
}

/**
 * mcfab_set_put() - let go of a set
 * @set: the set, or NULL
 *
 * Context: any.
 */
void mcfab_set_put(struct mcfab_set *set)
{
	if (set && refcount_dec_and_test(&set->ref))
		kfree_rcu(set, rcu);
}

/**
 * mcfab_set_has() - is a node in a set?
 * @set: the set
 * @node: the node
 *
 * Context: any.
 * Return: true if it is.
 */
bool mcfab_set_has(const struct mcfab_set *set, u32 node)
{
	u32 low = 0, high = set->n, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (set->dst[mid] == node)
			return true;
		if (set->dst[mid] < node)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

/**
 * mcfab_set_forget() - forget a set that is kept
 * @ports: the ports of a fabric
 * @kept: where it is kept
 *
 * Context: mcfab_ports.lock held.
 */
void mcfab_set_forget(struct mcfab_ports *ports, struct mcfab_set __rcu **kept)
{
	mcfab_set_put(rcu_replace_pointer(*kept, NULL, lockdep_is_held(&ports->lock)));
}

/**
 * mcfab_sets_close() - forget all sets but those of addresses that have members
 * @ports: the ports of a fabric; there are none any more
 *
 * Context: any.
 */
void mcfab_sets_close(struct mcfab_ports *ports)
{
	u32 i;

	mcfab_set_put(rcu_dereference_protected(ports->everyone, true));
	for (i = 0; i < MCFAB_SCOPES; i++)
		mcfab_set_put(rcu_dereference_protected(ports->strays[i], true));
}

/**
 * mcfab_set_new() - make a set
 * @ports: the ports of a fabric
 * @n: number of its nodes
 * @gfp: how to allocate it
 *
 * Context: RTNL, or mcfab_ports.lock held.
 * Return: the set, held, to be filled in; NULL without memory.
 */
struct mcfab_set *mcfab_set_new(struct mcfab_ports *ports, u32 n, gfp_t gfp)
{
	struct mcfab_set *set = kmalloc(struct_size(set, dst, n), gfp);

	if (!set)
		return NULL;
	refcount_set(&set->ref, 1);
	set->version = ports->version;
	set->number = atomic64_inc_return(&ports->sets);
	set->group = NULL;
	set->n = n;
	return set;
}

static int compare_nodes(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/**
 * struct mcfab_wanted - what a set is to have
 * @group: members of this address, NULL: of none
 * @scopes: ports that get all multicasts of any of these scopes
 * @everyone: all ports
 */
struct mcfab_wanted {
	const u8 *group;
	u8 scopes;
	bool everyone;
};

static bool listed(const struct mcfab_port *port, const struct mcfab_wanted *wanted)
{
	return wanted->everyone || port->scopes & wanted->scopes;
}

/* is a member to be added to the ports that are there anyway? Under the lock */
static bool added(struct mcfab_ports *ports, u32 node, const struct mcfab_wanted *wanted)
{
	return !listed(rcu_dereference_protected(ports->port[node],
						 lockdep_is_held(&ports->lock)), wanted);
}

/* under the lock */
static struct mcfab_set *make_set(struct mcfab_ports *ports, const struct mcfab_members *group,
				  const struct mcfab_wanted *wanted)
{
	struct mcfab_port *port;
	struct mcfab_set *set;
	u32 n = 0, i;

	list_for_each_entry(port, &ports->list, list)
		n += listed(port, wanted);
	for (i = 0; group && i < group->n; i++)
		n += added(ports, group->node[i], wanted);
	set = mcfab_set_new(ports, n, GFP_ATOMIC | __GFP_NOWARN);
	if (!set)
		return NULL;
	n = 0;
	list_for_each_entry(port, &ports->list, list)
		if (listed(port, wanted))
			set->dst[n++] = port->node;
	for (i = 0; group && i < group->n; i++)
		if (added(ports, group->node[i], wanted))
			set->dst[n++] = group->node[i];
	sort(set->dst, n, sizeof(*set->dst), compare_nodes, NULL);
	return set;
}

/* make a set, and keep it in @kept, or with the address if that has members; NULL: not at all */
static struct mcfab_set *renew(struct mcfab_ports *ports, struct mcfab_set __rcu **kept,
			       const struct mcfab_wanted *wanted)
{
	struct mcfab_members *members = NULL;
	struct mcfab_set *set;

	spin_lock_bh(&ports->lock);
	if (wanted->group)
		members = mcfab_members_find(ports, wanted->group);
	set = make_set(ports, members, wanted);
	/* the group may have come, or gone, while this waited for the lock */
	if (wanted->group && kept)
		kept = members ? &members->set : &ports->strays[__ffs(wanted->scopes)];
	if (set && kept) {
		mcfab_set_forget(ports, kept);
		refcount_inc(&set->ref);
		rcu_assign_pointer(*kept, set);
	}
	spin_unlock_bh(&ports->lock);
	return set;
}

/* under RCU */
static struct mcfab_set *find_set(struct mcfab_ports *ports, const struct sk_buff *skb)
{
	const u8 *addr = skb_eth_hdr(skb)->h_dest;
	struct mcfab_wanted wanted = {};
	struct mcfab_set __rcu **kept = &ports->everyone;
	struct mcfab_members *members;
	struct mcfab_port *port;
	enum mcfab_scope scope;
	struct mcfab_set *set;

	set = mcfab_bound_find(ports, addr);
	if (set)
		return set;
	if (is_broadcast_ether_addr(addr)) {
		wanted.everyone = true;
	} else if (!is_multicast_ether_addr(addr)) {
		port = mcfab_members_station(ports, addr);
		if (port && refcount_inc_not_zero(&port->alone->ref))
			return port->alone;
		wanted.everyone = true;
	} else {
		scope = scope_of(addr);
		wanted.group = addr;
		wanted.scopes = BIT(scope);
		if (is_report(skb)) {
			wanted.scopes |= BIT(MCFAB_SCOPE_REPORT);
			return renew(ports, NULL, &wanted);
		}
		members = mcfab_members_find(ports, addr);
		kept = members ? &members->set : &ports->strays[scope];
	}
	set = rcu_dereference(*kept);
	if (set && set->version == READ_ONCE(ports->version) && refcount_inc_not_zero(&set->ref))
		return set;
	return renew(ports, kept, &wanted);
}

/**
 * mcfab_set_of() - to which nodes a frame goes
 * @ports: the ports of a fabric
 * @skb: the frame
 *
 * A frame for an address to which a group of the subnet is bound goes to the group, and nowhere
 * else. Another multicast goes to its members and to ports that get all multicasts of its scope; a
 * frame for the address of a port goes there; all other frames go to all ports.
 *
 * Context: softirqs off.
 * Return: the set, held; NULL without memory.
 */
struct mcfab_set *mcfab_set_of(struct mcfab_ports *ports, const struct sk_buff *skb)
{
	struct mcfab_set *set;

	/* senders hold rcu_read_lock_bh(), which hash tables do not take for RCU */
	rcu_read_lock();
	set = find_set(ports, skb);
	rcu_read_unlock();
	return set;
}
