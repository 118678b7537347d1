// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast forwarding tables. Each source of a group has a multicast LID of its own, unless the
 * group has one for all sources. The row of a switch is the union, over the members, of the output
 * ports on the unicast paths from the source; so it has the host port where a member hangs on the
 * switch. With rules.min_hop rows are spanning trees, see minhop.c. Rows that the user sets are
 * kept when tables are built anew, until the group changes.
 */
#include "base/job.h"
#include "base/memory.h"
#include "subnet/subnet.h"

/**
 * mcfab_mft_alloc() - make the tables of a multicast LID
 * @sn: subnet
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: tables without any port, or NULL.
 */
struct mcfab_mft *mcfab_mft_alloc(const struct mcfab_subnet *sn)
{
	u64 rows = sizeof(struct mcfab_mft) + (u64)sn->switches * sizeof(struct mcfab_port_set);
	u64 bytes = rows + BITS_TO_LONGS(sn->switches) * sizeof(long);
	struct mcfab_mft *mft;

	if (!mcfab_memory_charge(bytes))
		return NULL;
	mft = kvzalloc(bytes, MCFAB_GFP);
	if (!mft) {
		mcfab_memory_uncharge(bytes);
		return NULL;
	}
	mft->source = MCFAB_NONE;
	mft->bytes = bytes;
	mft->user = (unsigned long *)&mft->row[sn->switches];
	return mft;
}

/**
 * mcfab_mft_free() - free the tables of a multicast LID
 * @mft: tables, or NULL
 *
 * Context: May sleep.
 */
void mcfab_mft_free(struct mcfab_mft *mft)
{
	if (!mft)
		return;
	mcfab_memory_uncharge(mft->bytes);
	kvfree(mft);
}

/**
 * mcfab_mft_publish() - put the tables of a multicast LID in place
 * @sn: subnet
 * @lid: multicast LID
 * @mft: its tables, or NULL
 *
 * A run may be reading the tables of other multicast LIDs.
 *
 * Context: Any.
 */
void mcfab_mft_publish(struct mcfab_subnet *sn, u32 lid, struct mcfab_mft *mft)
{
	/* Pairs with the smp_load_acquire() in mcfab_mft_find(). */
	smp_store_release(&sn->mft[lid - MCFAB_MULTICAST_LID_MIN], mft);
}

/*
 * Follows the unicast path to @member and adds its ports; loops and dead ends just end. Returns the
 * length of the path.
 */
static u32 add_member(const struct mcfab_subnet *sn, struct mcfab_mft *mft, u32 member)
{
	u32 sw = sn->topo->router[mft->source], lid = sn->host_lid[member];
	u32 hops, port, end;

	for (hops = 0; hops < sn->switches; hops++) {
		port = mcfab_lft_port(sn, sw, lid);
		end = mcfab_subnet_end(sn, sw, port);
		if (end == MCFAB_END_NONE || end == MCFAB_END_SELF)
			break;
		if (!test_bit(sw, mft->user))
			__set_bit(port, mft->row[sw].bit);
		if (!mcfab_end_network(end))
			break;
		sw = mcfab_topo_neighbour(sn->topo, sw, end);
	}
	return hops;
}

/**
 * mcfab_mft_drop() - free a multicast LID with its tables
 * @sn: subnet
 * @lid: multicast LID
 *
 * Context: May sleep; no run reads these tables.
 */
void mcfab_mft_drop(struct mcfab_subnet *sn, u32 lid)
{
	struct mcfab_mft *mft = mcfab_mft_find(sn, lid);

	mcfab_mft_publish(sn, lid, NULL);
	mcfab_mft_free(mft);
}

/* hops to follow between two scheduling points */
#define BREATH	65536

/**
 * mcfab_mft_build() - build the rows that the user did not set
 * @sn: subnet
 * @mft: tables of @group; those that all sources share are left alone but with rules.min_hop
 * @group: the group
 * @done: multicast LIDs that were built before
 * @total: multicast LIDs to build; 0: not known
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the work is to be given up; rows are then missing.
 */
int mcfab_mft_build(const struct mcfab_subnet *sn, struct mcfab_mft *mft,
		    const struct mcfab_group *group, u32 done, u32 total)
{
	u32 i, hops = 0;

	if (mft->source == MCFAB_NONE && !sn->rules.min_hop)
		return 0;
	for (i = 0; i < sn->switches; i++)
		if (!test_bit(i, mft->user))
			memset(&mft->row[i], 0, sizeof(mft->row[i]));
	if (sn->rules.min_hop)
		return mcfab_minhop_mft(sn, mft, group) ?: mcfab_job_step(done + 1, total);
	for (i = 0; i < group->nmembers; i++) {
		if (group->member[i] == mft->source)
			continue;
		hops += 1 + add_member(sn, mft, group->member[i]);
		if (hops < BREATH)
			continue;
		hops = 0;
		if (mcfab_job_step(done, total))
			return -EINTR;
	}
	return mcfab_job_step(done + 1, total);
}

/**
 * mcfab_mft_has_source() - may a node send packets of a multicast LID?
 * @sn: subnet
 * @mft: tables of the multicast LID
 * @node: the node
 *
 * Where all sources share a LID, the members are its sources. For a LID without a group, the
 * sources are the hosts to which the tables deliver: a host that receives may send, too.
 *
 * Context: Any.
 * Return: true if it may.
 */
bool mcfab_mft_has_source(const struct mcfab_subnet *sn, const struct mcfab_mft *mft, u32 node)
{
	u32 place;

	if (mft->source != MCFAB_NONE)
		return node == mft->source;
	place = mft->group ? mcfab_group_place(sn, mft->group) : MCFAB_NONE;
	if (place != MCFAB_NONE)
		return mcfab_group_has(sn->group[place], node);
	return test_bit(mcfab_host_port(sn, node), mft->row[sn->topo->router[node]].bit);
}

/**
 * mcfab_mft_last() - the highest multicast LID that has tables
 * @sn: subnet
 *
 * Context: Any.
 * Return: the multicast LID, or 0.
 */
u32 mcfab_mft_last(const struct mcfab_subnet *sn)
{
	u32 lid = MCFAB_MULTICAST_LID_MAX;

	while (lid >= MCFAB_MULTICAST_LID_MIN && !mcfab_mft_find(sn, lid))
		lid--;
	return lid >= MCFAB_MULTICAST_LID_MIN ? lid : 0;
}

/**
 * mcfab_mft_unused() - number of multicast LIDs without tables
 * @sn: subnet
 *
 * Context: Any.
 * Return: their number.
 */
u32 mcfab_mft_unused(const struct mcfab_subnet *sn)
{
	u32 i, unused = 0;

	for (i = 0; i < MCFAB_MLIDS; i++)
		unused += !sn->mft[i];
	return unused;
}
