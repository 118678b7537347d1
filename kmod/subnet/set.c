// SPDX-License-Identifier: GPL-2.0
/* Entries that the user sets, a few at a time. */

#include "base/memory.h"
#include "subnet/levels.h"

/* refuse an entry: the bad part of it, and why */
#define refuse(err, part, ...)						\
	mcfab_refuse_nested(err, -EINVAL, MCFAB_OPTION_TABLE_ENTRY,		\
			    MCFAB_OPTION_TABLE_ENTRY_##part, __VA_ARGS__)

/* a switch may have fewer ports than others */
static u32 switch_ports(const struct mcfab_subnet *sn, u32 sw)
{
	return sn->topo->graph ? sn->topo->graph->sw[sw].ports : sn->ports;
}

/**
 * mcfab_entry_switch() - the switch of an entry
 * @sn: subnet
 * @entry: entry
 *
 * Context: Any.
 * Return: its number, or MCFAB_NONE if there is none.
 */
u32 mcfab_entry_switch(const struct mcfab_subnet *sn, const struct mcfab_entry *entry)
{
	if (entry->sw == MCFAB_NONE)
		return mcfab_switch_by_lid(sn, entry->switch_lid);
	return entry->sw < sn->switches ? entry->sw : MCFAB_NONE;
}

/**
 * mcfab_entry_check() - is an entry well-formed, whether or not its LID and switch exist?
 * @sn: subnet
 * @entry: entry
 * @err: filled in when it is not
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_entry_check(const struct mcfab_subnet *sn, const struct mcfab_entry *entry,
		      struct mcfab_err *err)
{
	bool lft = entry->kind == MCFAB_TABLE_KIND_LFT;
	u32 sw = mcfab_entry_switch(sn, entry);
	u32 most = sw == MCFAB_NONE ? MCFAB_GRAPH_PORTS_MAX : switch_ports(sn, sw);
	char lid[16];
	u32 i;

	if (entry->kind != MCFAB_TABLE_KIND_LFT && entry->kind != MCFAB_TABLE_KIND_MFT)
		return mcfab_levels_check(sn, entry, most, err);
	if (lft && entry->nports > MCFAB_UNICAST_LID_MAX)
		return refuse(err, PORTS, "an entry for %u LIDs, there are %u", entry->nports,
			      MCFAB_UNICAST_LID_MAX);
	if (lft && (!entry->lid || entry->lid + max(entry->nports, 1U) - 1 > MCFAB_UNICAST_LID_MAX))
		return refuse(err, LID, "LID %u is no unicast LID, they are 1 to %u",
			      entry->lid ? entry->lid + max(entry->nports, 1U) - 1 : 0,
			      MCFAB_UNICAST_LID_MAX);
	if (!lft && (entry->lid < MCFAB_MULTICAST_LID_MIN || entry->lid > MCFAB_MULTICAST_LID_MAX))
		return refuse(err, LID, "LID 0x%04x is no multicast LID, they are 0x%x to 0x%x",
			      entry->lid, MCFAB_MULTICAST_LID_MIN, MCFAB_MULTICAST_LID_MAX);
	for (i = 0; i < entry->nports; i++) {
		if (entry->port[i] < most || (lft && entry->port[i] == MCFAB_NO_PORT))
			continue;
		if (lft)
			snprintf(lid, sizeof(lid), "%u", entry->lid + i);
		else
			snprintf(lid, sizeof(lid), "0x%04x", entry->lid);
		if (sw == MCFAB_NONE)
			return refuse(err, PORTS, "LID %s: no switch has a port %u", lid,
				      entry->port[i]);
		return refuse(err, PORTS, "LID %s: port %u is not in 0 to %u of switch %u", lid,
			      entry->port[i], most - 1, sw);
	}
	return 0;
}

static int check_set(const struct mcfab_subnet *sn, const struct mcfab_entry *entry,
		     struct mcfab_err *err)
{
	u32 i;
	int ret;

	if (entry->kind != MCFAB_TABLE_KIND_LFT && entry->kind != MCFAB_TABLE_KIND_MFT)
		return refuse(err, KIND, "service levels and lanes are loaded as a whole");
	if (mcfab_entry_switch(sn, entry) == MCFAB_NONE) {
		if (entry->sw == MCFAB_NONE)
			return refuse(err, SWITCH_LID, "no switch has the LID %u",
				      entry->switch_lid);
		return refuse(err, SWITCH, "switch %u is not below %u", entry->sw, sn->switches);
	}
	ret = mcfab_entry_check(sn, entry, err);
	if (ret)
		return ret;
	if (entry->restore && entry->nports)
		return refuse(err, RESTORE, "LID %u: restore goes without ports", entry->lid);
	if (entry->kind == MCFAB_TABLE_KIND_MFT) {
		if (mcfab_mft_find(sn, entry->lid))
			return 0;
		return refuse(err, LID, "multicast LID 0x%04x belongs to no group", entry->lid);
	}
	if (!entry->restore && !entry->nports)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_TABLE_ENTRY,
				    "LID %u: ports are missing",
				    entry->lid);
	for (i = 0; i < max(entry->nports, 1U); i++) {
		u32 lid = entry->lid + i;

		if (i < entry->nports && entry->port[i] == MCFAB_NO_PORT)
			continue;
		if (lid >= sn->lids || sn->owner[lid] == MCFAB_NONE)
			return refuse(err, LID, "nobody has the LID %u", lid);
	}
	return 0;
}

/* how many entries of a linear forwarding table are set: only LIDs that exist */
static u32 lft_count(const struct mcfab_subnet *sn, const struct mcfab_entry *entry)
{
	if (entry->kind != MCFAB_TABLE_KIND_LFT || entry->lid >= sn->lids)
		return 0;
	return entry->restore ? 1 : min(entry->nports, sn->lids - entry->lid);
}

static u8 *lft_entry(const struct mcfab_subnet *sn, const struct mcfab_entry *entry)
{
	return sn->lft + (size_t)mcfab_entry_switch(sn, entry) * sn->lids + entry->lid;
}

/* @was: room for the old entries */
static void set_lfts(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count, u8 *was)
{
	u32 i, n, sw;
	u8 *to;

	for (i = 0; i < count; i++) {
		n = lft_count(sn, &entry[i]);
		if (!n)
			continue;
		sw = mcfab_entry_switch(sn, &entry[i]);
		to = lft_entry(sn, &entry[i]);
		memcpy(was, to, n);
		was += n;
		if (entry[i].restore)
			*to = mcfab_lft_built(sn, sw, entry[i].lid);
		else
			memcpy(to, entry[i].port, n);
	}
}

/*
 * Puts the old entries back, the last first: of several entries for a LID the first has the old
 * value.
 */
static void restore_lfts(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
			 const u8 *was)
{
	u32 n;

	while (count--) {
		n = lft_count(sn, &entry[count]);
		was -= n;
		memcpy(lft_entry(sn, &entry[count]), was, n);
	}
}

/**
 * mcfab_mft_set() - set a row
 * @mft: tables of a multicast LID
 * @sw: switch
 * @entry: its new content
 *
 * Context: Any.
 */
void mcfab_mft_set(struct mcfab_mft *mft, u32 sw, const struct mcfab_entry *entry)
{
	u32 i;

	memset(&mft->row[sw], 0, sizeof(mft->row[sw]));
	if (entry->restore)
		__clear_bit(sw, mft->user);
	else
		__set_bit(sw, mft->user);
	for (i = 0; i < entry->nports; i++)
		__set_bit(entry->port[i], mft->row[sw].bit);
}

/* New tables of the multicast LIDs of these entries, and of all built ones if @all. */
static int renew(const struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		 bool all, struct mcfab_renewal *r)
{
	const struct mcfab_mft *mft;
	u32 i, lid;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		lid = entry[i].lid;
		if (entry[i].kind == MCFAB_TABLE_KIND_MFT && !r->mft[lid - MCFAB_MULTICAST_LID_MIN])
			ret = mcfab_renew_add(sn, r, lid, mcfab_mft_find(sn, lid), true);
	}
	for (lid = MCFAB_MULTICAST_LID_MIN; all && lid <= MCFAB_MULTICAST_LID_MAX && !ret; lid++) {
		mft = mcfab_mft_find(sn, lid);
		if (mft && mft->source != MCFAB_NONE && !r->mft[lid - MCFAB_MULTICAST_LID_MIN])
			ret = mcfab_renew_add(sn, r, lid, mft, true);
	}
	for (i = 0; i < count && !ret; i++)
		if (entry[i].kind == MCFAB_TABLE_KIND_MFT)
			mcfab_mft_set(r->mft[entry[i].lid - MCFAB_MULTICAST_LID_MIN],
				      mcfab_entry_switch(sn, &entry[i]), &entry[i]);
	return ret;
}

/**
 * mcfab_table_set() - set entries, all or none
 * @sn: subnet
 * @entry: the entries
 * @count: how many
 * @err: filled in when the request is refused; its index is that of the entry
 *
 * Tables of groups are built anew, but for rows that the user has set. A refusal changes nothing.
 *
 * Context: May sleep; no run reads the subnet.
 * Return: 0, -EINVAL, -ENOMEM, or -EINTR if the work is to be given up.
 */
int mcfab_table_set(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		    struct mcfab_err *err)
{
	struct mcfab_renewal *r;
	u32 i, nlft = 0;
	int ret;
	u8 *was;

	for (i = 0; i < count; i++) {
		err->index = i;
		ret = check_set(sn, &entry[i], err);
		if (ret)
			return ret;
		nlft += lft_count(sn, &entry[i]);
	}
	err->index = 0;
	r = mcfab_renew_begin();
	was = mcfab_memory_alloc(nlft, sizeof(*was));
	ret = r && was ? renew(sn, entry, count, nlft, r) : -ENOMEM;
	if (!ret) {
		set_lfts(sn, entry, count, was);
		ret = mcfab_renew_build(sn, r);
		if (ret)
			restore_lfts(sn, entry, count, was + nlft);
	}
	if (ret) {
		mcfab_renew_refuse(err, ret);
	} else {
		mcfab_renew_swap(sn, r);
		sn->generation++;
		sn->edited = true;
	}
	mcfab_renew_end(r);
	mcfab_memory_free(was);
	return ret;
}
