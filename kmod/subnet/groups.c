// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast groups: members, and the multicast LIDs of packets for them. By default each source has
 * a multicast LID of its own, the lowest free one when the source first needs it, and the subnet
 * builds its tables. A group with a LID of its own is shared by all sources, as in real subnets;
 * the user sets or loads its tables.
 */
#include <linux/sched.h>
#include <linux/sort.h>

#include "base/memory.h"
#include "subnet/subnet.h"

/**
 * mcfab_group_find() - a group by its name
 * @sn: subnet
 * @name: NUL-terminated
 *
 * Context: Any.
 * Return: the group or NULL.
 */
struct mcfab_group *mcfab_group_find(const struct mcfab_subnet *sn, const char *name)
{
	u32 i;

	for (i = 0; i < sn->ngroups; i++)
		if (!strcmp(sn->group[i]->name, name))
			return sn->group[i];
	return NULL;
}

/**
 * mcfab_group_from() - place of the first group whose number is not below another
 * @sn: subnet
 * @id: that number
 *
 * Context: Any.
 * Return: the place among mcfab_subnet.group[]; mcfab_subnet.ngroups if there is none.
 */
u32 mcfab_group_from(const struct mcfab_subnet *sn, u32 id)
{
	u32 low = 0, high = sn->ngroups, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (sn->group[mid]->id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * mcfab_group_place() - place of a group among mcfab_subnet.group[]
 * @sn: subnet
 * @id: number of the group
 *
 * Context: Any.
 * Return: the place, or MCFAB_NONE if there is no such group.
 */
u32 mcfab_group_place(const struct mcfab_subnet *sn, u32 id)
{
	u32 place = mcfab_group_from(sn, id);

	return place < sn->ngroups && sn->group[place]->id == id ? place : MCFAB_NONE;
}
EXPORT_SYMBOL_NS_GPL(mcfab_group_place, MCFAB);

/**
 * mcfab_group_has() - is a node a member?
 * @group: group
 * @node: node
 *
 * Context: Any.
 * Return: true if it is.
 */
bool mcfab_group_has(const struct mcfab_group *group, u32 node)
{
	u32 low = 0, high = group->nmembers, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (group->member[mid] < node)
			low = mid + 1;
		else
			high = mid;
	}
	return low < group->nmembers && group->member[low] == node;
}

static int compare(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* sorts @member, so a bad member may be at any place; the message has its number */
static int check_members(const struct mcfab_subnet *sn, u32 *member, u32 nmembers,
			 struct mcfab_err *err)
{
	u32 i;

	for (i = 0; i < nmembers; i++) {
		err->index = i;
		if (member[i] >= sn->topo->nodes)
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_GROUP_MEMBERS,
					    "node %u is not below %u", member[i], sn->topo->nodes);
	}
	err->index = 0;
	sort(member, nmembers, sizeof(*member), compare, NULL);
	for (i = 1; i < nmembers; i++)
		if (member[i] == member[i - 1])
			return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_GROUP_MEMBERS,
					    "node %u is given twice", member[i]);
	return 0;
}

static void free_group(struct mcfab_group *group)
{
	kvfree(group->member);
	kvfree(group->lids);
	mcfab_memory_uncharge(group->bytes);
	kfree(group);
}

static struct mcfab_group *alloc_group(const struct mcfab_subnet *sn, const char *name, u32 lid)
{
	u32 nodes = sn->topo->nodes;
	struct mcfab_group *group;
	u64 bytes;

	/* room for all nodes as members, so that members who leave may come back */
	bytes = sizeof(*group) + nodes * (sizeof(u32) + (lid ? 0 : sizeof(u16)));
	if (!mcfab_memory_charge(bytes))
		return NULL;
	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	if (!group) {
		mcfab_memory_uncharge(bytes);
		return NULL;
	}
	group->bytes = bytes;
	group->lid = lid;
	strscpy(group->name, name, sizeof(group->name));
	group->member = kvcalloc(nodes, sizeof(u32), MCFAB_GFP);
	if (!lid)
		group->lids = kvcalloc(nodes, sizeof(u16), MCFAB_GFP);
	if (group->member && (lid || group->lids))
		return group;
	free_group(group);
	return NULL;
}

/* The tables of a LID that a new group asks for: loaded tables of this LID, or new ones. */
static int take_lid(struct mcfab_subnet *sn, struct mcfab_group *group, struct mcfab_err *err)
{
	struct mcfab_mft *mft = mcfab_mft_find(sn, group->lid);

	if (mft && mft->group)
		return mcfab_refuse(err, -EEXIST, MCFAB_OPTION_GROUP_LID,
				    "multicast LID 0x%04x belongs to group %s", group->lid,
				    sn->group[mcfab_group_place(sn, mft->group)]->name);
	if (!mft) {
		mft = mcfab_mft_alloc(sn);
		if (!mft)
			return mcfab_refuse(err, -ENOMEM, 0, "not enough memory");
	}
	mft->group = group->id;
	mcfab_mft_publish(sn, group->lid, mft);
	return 0;
}

/* The group will not be: tables that were @loaded belong to no group again, others go. */
static void give_back_lid(struct mcfab_subnet *sn, u32 lid, bool loaded)
{
	if (loaded)
		mcfab_mft_find(sn, lid)->group = 0;
	else
		mcfab_mft_drop(sn, lid);
}

/* Has the group a tree that all sources share, and that is built? */
static bool shares_tree(const struct mcfab_subnet *sn, const struct mcfab_group *group)
{
	return group->lid && sn->rules.min_hop;
}

/**
 * mcfab_group_new() - make a group
 * @sn: subnet
 * @name: its name
 * @member: members, in any order; sorted
 * @nmembers: how many, maybe none
 * @lid: multicast LID for all sources, or 0
 * @err: filled in when the request is refused, with attributes of the group
 *
 * Context: May sleep; no run reads the subnet.
 * Return: the group or an error pointer: -EEXIST, -EINVAL, -ENOSPC, -ENOMEM, -EINTR.
 */
struct mcfab_group *mcfab_group_new(struct mcfab_subnet *sn, const char *name, u32 *member,
				    u32 nmembers, u32 lid, struct mcfab_err *err)
{
	bool loaded = lid && mcfab_mft_find(sn, lid);
	struct mcfab_group *group;
	int ret;

	if (mcfab_group_find(sn, name))
		ret = mcfab_refuse(err, -EEXIST, MCFAB_OPTION_GROUP_NAME, "a group %s exists",
				   name);
	else if (sn->ngroups == MCFAB_MAX_GROUPS || sn->last_group == U32_MAX)
		ret = mcfab_refuse(err, -ENOSPC, 0, "there are %u groups already", sn->ngroups);
	else
		ret = check_members(sn, member, nmembers, err);
	if (ret)
		return ERR_PTR(ret);
	group = alloc_group(sn, name, lid);
	if (!group) {
		mcfab_refuse(err, -ENOMEM, 0, "not enough memory");
		return ERR_PTR(-ENOMEM);
	}
	group->id = sn->last_group + 1;
	if (lid) {
		ret = take_lid(sn, group, err);
		if (ret) {
			free_group(group);
			return ERR_PTR(ret);
		}
	}
	group->nmembers = nmembers;
	memcpy(group->member, member, nmembers * sizeof(*member));
	if (shares_tree(sn, group)) {
		ret = mcfab_mft_build(sn, mcfab_mft_find(sn, lid), group, 0, 1);
		if (ret) {
			mcfab_renew_refuse(err, ret);
			give_back_lid(sn, lid, loaded);
			free_group(group);
			return ERR_PTR(ret);
		}
	}
	sn->last_group = group->id;
	sn->group[sn->ngroups++] = group;
	sn->generation++;
	return group;
}

/**
 * mcfab_group_del() - remove a group with its multicast LIDs and tables
 * @sn: subnet
 * @group: the group
 *
 * Context: May sleep; no run reads the subnet.
 */
void mcfab_group_del(struct mcfab_subnet *sn, struct mcfab_group *group)
{
	u32 place = mcfab_group_place(sn, group->id), i;

	if (group->lid)
		mcfab_mft_drop(sn, group->lid);
	for (i = 0; group->nlids && i < sn->topo->nodes; i++) {
		if (!group->lids[i])
			continue;
		mcfab_mft_drop(sn, group->lids[i]);
		cond_resched();
	}
	sn->ngroups--;
	for (i = place; i < sn->ngroups; i++)
		sn->group[i] = sn->group[i + 1];
	free_group(group);
	sn->generation++;
}

/* The group's members have changed: rows that the user set in its tables no longer fit. */
static int rebuild(struct mcfab_subnet *sn, const struct mcfab_group *group, struct mcfab_err *err)
{
	struct mcfab_renewal *r = NULL;
	int ret = 0;
	u32 i;

	if (group->nlids || shares_tree(sn, group)) {
		r = mcfab_renew_begin();
		ret = r ? 0 : -ENOMEM;
	}
	if (r && !ret && group->lid)
		ret = mcfab_renew_add(sn, r, group->lid, mcfab_mft_find(sn, group->lid), false);
	for (i = 0; r && group->nlids && i < sn->topo->nodes && !ret; i++)
		if (group->lids[i])
			ret = mcfab_renew_add(sn, r, group->lids[i],
					      mcfab_mft_find(sn, group->lids[i]), false);
	if (r && !ret)
		ret = mcfab_renew_build(sn, r);
	if (ret) {
		mcfab_renew_refuse(err, ret);
	} else {
		if (r)
			mcfab_renew_swap(sn, r);
		sn->generation++;
	}
	mcfab_renew_end(r);
	return ret;
}

/* Both lists are sorted. They are merged from the end on, and the result is sorted. */
static void add_members(struct mcfab_group *group, const u32 *member, u32 nmembers)
{
	u32 old = group->nmembers, to = old + nmembers;

	group->nmembers = to;
	while (nmembers) {
		if (old && group->member[old - 1] > member[nmembers - 1])
			group->member[--to] = group->member[--old];
		else
			group->member[--to] = member[--nmembers];
	}
}

static void take_members(struct mcfab_group *group, const u32 *member, u32 nmembers)
{
	u32 i, left = 0, next = 0;

	for (i = 0; i < group->nmembers; i++) {
		if (next < nmembers && member[next] == group->member[i])
			next++;
		else
			group->member[left++] = group->member[i];
	}
	group->nmembers = left;
}

/**
 * mcfab_group_join() - add members
 * @sn: subnet
 * @group: the group
 * @member: nodes that are no members; sorted
 * @nmembers: how many
 * @err: filled in when the request is refused
 *
 * A refusal changes nothing.
 *
 * Context: May sleep; no run reads the subnet.
 * Return: 0, -EINVAL, -EEXIST if one is a member, -ENOMEM, or -EINTR if the work is to be
 *	   given up.
 */
int mcfab_group_join(struct mcfab_subnet *sn, struct mcfab_group *group, u32 *member,
		     u32 nmembers, struct mcfab_err *err)
{
	u32 i;
	int ret;

	ret = check_members(sn, member, nmembers, err);
	if (ret)
		return ret;
	for (i = 0; i < nmembers; i++)
		if (mcfab_group_has(group, member[i]))
			return mcfab_refuse(err, -EEXIST, MCFAB_OPTION_GROUP_MEMBERS,
					    "node %u is a member of group %s", member[i],
					    group->name);
	add_members(group, member, nmembers);
	ret = rebuild(sn, group, err);
	if (ret)
		take_members(group, member, nmembers);
	return ret;
}

/**
 * mcfab_group_leave() - take members out
 * @sn: subnet
 * @group: the group
 * @member: members; sorted
 * @nmembers: how many
 * @err: filled in when the request is refused
 *
 * A refusal changes nothing.
 *
 * Context: May sleep; no run reads the subnet.
 * Return: 0, -EINVAL, -ENOENT if one is no member, -ENOMEM, or -EINTR if the work is to be
 *	   given up.
 */
int mcfab_group_leave(struct mcfab_subnet *sn, struct mcfab_group *group, u32 *member,
		      u32 nmembers, struct mcfab_err *err)
{
	u32 i;
	int ret;

	ret = check_members(sn, member, nmembers, err);
	if (ret)
		return ret;
	for (i = 0; i < nmembers; i++)
		if (!mcfab_group_has(group, member[i]))
			return mcfab_refuse(err, -ENOENT, MCFAB_OPTION_GROUP_MEMBERS,
					    "node %u is no member of group %s", member[i],
					    group->name);
	take_members(group, member, nmembers);
	ret = rebuild(sn, group, err);
	if (ret)
		add_members(group, member, nmembers);
	return ret;
}

/**
 * mcfab_group_bind() - frames from ports with an Ethernet address go to a group
 * @sn: subnet
 * @group: the group
 * @addr: the address, its first byte in bits 40 to 47
 * @err: filled in when it is refused
 *
 * Context: Any; no run reads the subnet.
 * Return: 0; -EINVAL: the address is that of one station; -EEXIST: another group has it.
 */
int mcfab_group_bind(struct mcfab_subnet *sn, struct mcfab_group *group, u64 addr,
		     struct mcfab_err *err)
{
	u32 i;

	/* the group bit of Ethernet, the lowest of the first byte */
	if (!(addr >> 40 & 1))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_GROUP_ADDRESS,
				    "address is that of one station: groups have multicast addresses");
	for (i = 0; i < sn->ngroups; i++)
		if (sn->group[i]->addr == addr && sn->group[i] != group)
			return mcfab_refuse(err, -EEXIST, MCFAB_OPTION_GROUP_ADDRESS,
					    "address belongs to group %s", sn->group[i]->name);
	group->addr = addr;
	sn->generation++;
	return 0;
}

/**
 * mcfab_group_lid() - multicast LID of a source
 * @group: group
 * @source: node
 *
 * Context: Any.
 * Return: the LID, 0 if it has none yet.
 */
u32 mcfab_group_lid(const struct mcfab_group *group, u32 source)
{
	return group->lid ?: group->lids[source];
}
EXPORT_SYMBOL_NS_GPL(mcfab_group_lid, MCFAB);

/**
 * mcfab_group_dests() - destinations of a source's message to a group
 * @group: group
 * @source: node
 * @dst: room for all members; filled with the members but @source, ascending
 *
 * Context: Any.
 * Return: how many.
 */
u32 mcfab_group_dests(const struct mcfab_group *group, u32 source, u32 *dst)
{
	u32 i, ndst = 0;

	for (i = 0; i < group->nmembers; i++)
		if (group->member[i] != source)
			dst[ndst++] = group->member[i];
	return ndst;
}
