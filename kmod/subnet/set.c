// SPDX-License-Identifier: GPL-2.0
/* Entries that the user sets, one by one. */
#include <linux/mcfab.h>

#include "subnet/subnet.h"

/* refuse an entry: what of it is to blame, and why */
#define refuse(err, part, ...)						\
	mcfab_refuse_nested(err, -EINVAL, MCFAB_A_TABLE_ENTRY,		\
			    MCFAB_A_TABLE_ENTRY_##part, __VA_ARGS__)

/* a switch may have fewer ports than others */
static u32 switch_ports(const struct mcfab_subnet *sn, u32 sw)
{
	return sn->topo->graph ? sn->topo->graph->sw[sw].ports : sn->ports;
}

/**
 * mcfab_entry_switch() - the switch that an entry is for
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
 * mcfab_entry_check() - is an entry well-formed, whatever LIDs and switches there are?
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
	bool lft = entry->kind == MCFAB_TABLE_LFT;
	u32 sw = mcfab_entry_switch(sn, entry);
	u32 most = sw == MCFAB_NONE ? MCFAB_GRAPH_PORTS : switch_ports(sn, sw);
	char lid[16];
	u32 i;

	if (entry->kind != MCFAB_TABLE_LFT && entry->kind != MCFAB_TABLE_MFT)
		return refuse(err, KIND, "SL-to-VL tables follow from vcs and the policy's lanes");
	if (lft && entry->nports > MCFAB_LID_LAST)
		return refuse(err, PORTS, "an entry for %u LIDs, there are %u", entry->nports,
			      MCFAB_LID_LAST);
	if (lft && (!entry->lid || entry->lid + max(entry->nports, 1U) - 1 > MCFAB_LID_LAST))
		return refuse(err, LID, "LID %u is no unicast LID, they are 1 to %u",
			      entry->lid ? entry->lid + max(entry->nports, 1U) - 1 : 0,
			      MCFAB_LID_LAST);
	if (!lft && (entry->lid < MCFAB_MLID_FIRST || entry->lid > MCFAB_MLID_LAST))
		return refuse(err, LID, "LID 0x%04x is no multicast LID, they are 0x%x to 0x%x",
			      entry->lid, MCFAB_MLID_FIRST, MCFAB_MLID_LAST);
	for (i = 0; i < entry->nports; i++) {
		if (entry->port[i] < most || (lft && entry->port[i] == MCFAB_LFT_NONE))
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
	if (entry->kind == MCFAB_TABLE_MFT) {
		if (mcfab_mft_find(sn, entry->lid))
			return 0;
		return refuse(err, LID, "multicast LID 0x%04x belongs to no group", entry->lid);
	}
	if (!entry->restore && !entry->nports)
		return mcfab_refuse(err, -EINVAL, MCFAB_A_TABLE_ENTRY, "LID %u: ports are missing",
				    entry->lid);
	for (i = 0; i < max(entry->nports, 1U); i++) {
		u32 lid = entry->lid + i;

		if (i < entry->nports && entry->port[i] == MCFAB_LFT_NONE)
			continue;
		if (lid >= sn->lids || sn->owner[lid] == MCFAB_NONE)
			return refuse(err, LID, "nobody has the LID %u", lid);
	}
	return 0;
}

static void set_lft(struct mcfab_subnet *sn, u32 sw, const struct mcfab_entry *entry)
{
	u8 *lft = sn->lft + (size_t)sw * sn->lids;
	u32 i;

	if (entry->restore)
		lft[entry->lid] = mcfab_lft_xy(sn, sw, entry->lid);
	for (i = 0; i < entry->nports; i++)
		if (entry->lid + i < sn->lids)
			lft[entry->lid + i] = entry->port[i];
}

/**
 * mcfab_mft_set() - set a row
 * @mft: tables of a multicast LID
 * @sw: switch
 * @entry: what to set
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

/**
 * mcfab_table_set() - set entries, all or none
 * @sn: subnet
 * @entry: the entries
 * @count: how many
 * @err: filled in when it is refused; its index is that of the entry
 *
 * Tables of groups are built anew, but for rows that the user has set.
 *
 * Context: May sleep; no run reads the subnet.
 * Return: 0 or -EINVAL.
 */
int mcfab_table_set(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		    struct mcfab_err *err)
{
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		err->index = i;
		ret = check_set(sn, &entry[i], err);
		if (ret)
			return ret;
	}
	for (i = 0; i < count; i++) {
		u32 sw = mcfab_entry_switch(sn, &entry[i]);

		if (entry[i].kind == MCFAB_TABLE_LFT)
			set_lft(sn, sw, &entry[i]);
		else
			mcfab_mft_set(mcfab_mft_find(sn, entry[i].lid), sw, &entry[i]);
	}
	mcfab_mft_rebuild(sn);
	sn->generation++;
	sn->edited = true;
	return 0;
}
