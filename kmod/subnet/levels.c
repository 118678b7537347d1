// SPDX-License-Identifier: GPL-2.0
/*
 * Service levels (SLs) and virtual lanes as the user loads them: SL-to-VL tables, which give the
 * lane of a service level by a switch's input and output port, and the service levels of paths, by
 * source and LID. Both are loaded as a whole, together with other tables or alone; see load.c.
 */
#include "base/job.h"
#include "base/memory.h"
#include "subnet/levels.h"

/* refuse an entry: the bad part of it, and why */
#define refuse(err, part, ...)						\
	mcfab_refuse_nested(err, -EINVAL, MCFAB_OPTION_TABLE_ENTRY,		\
			    MCFAB_OPTION_TABLE_ENTRY_##part, __VA_ARGS__)

/* Lanes of all service levels in a word, the lowest level in the lowest bits */
#define LANE_BITS	4

static u64 word(const u8 *vl)
{
	u64 all = 0;
	u32 sl;

	for (sl = 0; sl < MCFAB_SLS; sl++)
		all |= (u64)vl[sl] << LANE_BITS * sl;
	return all;
}

static u32 lane(u64 all, u32 sl)
{
	return all >> LANE_BITS * sl & MCFAB_LANE_NONE;
}

static size_t place(const struct mcfab_subnet *sn, u32 sw, u32 in, u32 out)
{
	return ((size_t)sw * sn->ports + in) * sn->ports + out;
}

/**
 * mcfab_levels_lane() - lane of a service level by the SL-to-VL tables that were loaded
 * @sn: subnet with such tables
 * @sw: switch
 * @in: input port, 0 .. @sn->ports - 1
 * @out: output port, the same
 * @sl: service level, 0 .. MCFAB_SLS - 1
 *
 * Context: Any.
 * Return: the lane, or MCFAB_LANE_NONE: packets of the level are dropped.
 */
u32 mcfab_levels_lane(const struct mcfab_subnet *sn, u32 sw, u32 in, u32 out, u32 sl)
{
	return lane(sn->levels.vl[place(sn, sw, in, out)], sl);
}

/**
 * mcfab_levels_path() - service level of packets
 * @sn: subnet
 * @source: node that sends
 * @lid: their LID; 0: none
 * @serial: packets that @source has sent before; they take all levels in turn if no levels of paths
 *	    were loaded
 *
 * Context: Any.
 * Return: the level; with levels of paths, 0 where they say nothing, as of multicast packets.
 */
u32 mcfab_levels_path(const struct mcfab_subnet *sn, u32 source, u32 lid, u32 serial)
{
	if (!sn->levels.path)
		return serial % MCFAB_SLS;
	return lid < sn->lids ? sn->levels.path[(size_t)source * sn->lids + lid] : 0;
}

/*
 * Levels with the same lane as a lower level in all words so far have that one as their leader:
 * one of these words parts the followers of each leader by their lanes in it.
 */
static void part(u8 *leader, u64 all)
{
	u8 was[MCFAB_SLS];
	u32 sl, lower;

	memcpy(was, leader, sizeof(was));
	for (sl = 0; sl < MCFAB_SLS; sl++) {
		for (lower = 0; was[lower] != was[sl] || lane(all, lower) != lane(all, sl); lower++)
			;
		leader[sl] = lower;
	}
}

/**
 * mcfab_levels_distinct() - service levels that a check has to look at
 * @sn: subnet with SL-to-VL tables
 * @set: set to a bit mask of levels: the lowest one of those that have the same lanes everywhere
 *
 * Context: May sleep.
 * Return: 0, or -EINTR if the work is to be given up.
 */
int mcfab_levels_distinct(const struct mcfab_subnet *sn, u32 *set)
{
	u8 leader[MCFAB_SLS] = {};
	u32 sw, in, out, sl;
	u64 all, last = 0;

	for (sw = 0; sw < sn->switches; sw++) {
		if (mcfab_job_step(sw, sn->switches))
			return -EINTR;
		for (in = 1; in < sn->ports; in++) {
			for (out = 1; out < sn->ports; out++) {
				/* lanes make no difference on the way to a host */
				if (!mcfab_end_network(mcfab_subnet_end(sn, sw, out)))
					continue;
				all = sn->levels.vl[place(sn, sw, in, out)];
				/* most words are like the one before them */
				if (all != last)
					part(leader, all);
				last = all;
			}
		}
	}
	*set = 0;
	for (sl = 0; sl < MCFAB_SLS; sl++)
		*set |= BIT(leader[sl]);
	return 0;
}

static int check_lanes(const struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 ports,
		       struct mcfab_err *err)
{
	u32 sl;

	if (entry->in >= ports)
		return refuse(err, IN_PORT, "input port %u is not in 0 to %u", entry->in,
			      ports - 1);
	if (entry->out >= ports)
		return refuse(err, PORT, "output port %u is not in 0 to %u", entry->out,
			      ports - 1);
	if (entry->nlevels != MCFAB_SLS)
		return refuse(err, VLS, "lanes for %u service levels, there are %u",
			      entry->nlevels, MCFAB_SLS);
	for (sl = 0; sl < MCFAB_SLS; sl++) {
		if (entry->level[sl] < sn->vcs || entry->level[sl] == MCFAB_LANE_NONE)
			continue;
		return refuse(err, VLS, "lane %u of service level %u: the fabric has vcs %u",
			      entry->level[sl], sl, sn->vcs);
	}
	return 0;
}

static int check_path(const struct mcfab_subnet *sn, const struct mcfab_entry *entry,
		      struct mcfab_err *err)
{
	u32 i;

	if (entry->node >= sn->topo->nodes)
		return refuse(err, NODE, "node %u is not below %u", entry->node, sn->topo->nodes);
	if (!entry->nlevels || !entry->lid ||
	    entry->lid + entry->nlevels - 1 > MCFAB_UNICAST_LID_MAX)
		return refuse(err, LID,
			      "%u service levels from LID %u on: unicast LIDs are 1 to %u",
			      entry->nlevels, entry->lid, MCFAB_UNICAST_LID_MAX);
	for (i = 0; i < entry->nlevels; i++)
		if (entry->level[i] >= MCFAB_SLS)
			return refuse(err, SLS, "LID %u: service level %u is not in 0 to %u",
				      entry->lid + i, entry->level[i], MCFAB_SLS - 1);
	return 0;
}

/**
 * mcfab_levels_check() - is an entry of these tables well-formed?
 * @sn: subnet
 * @entry: entry of kind sl2vl or path-sl
 * @ports: ports of its switch are numbered below this
 * @err: filled in when it is not
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_levels_check(const struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 ports,
		       struct mcfab_err *err)
{
	if (entry->kind == MCFAB_TABLE_KIND_PATH_SL)
		return check_path(sn, entry, err);
	return check_lanes(sn, entry, ports, err);
}

/* Where nothing is loaded: levels take the lanes in turn, as with lanes shared. */
static int fill(const struct mcfab_subnet *sn, u64 *vl)
{
	size_t i, each = (size_t)sn->ports * sn->ports;
	u8 usual[MCFAB_SLS];
	u32 sw, sl;
	u64 all;

	for (sl = 0; sl < MCFAB_SLS; sl++)
		usual[sl] = sl % sn->vcs;
	all = word(usual);
	for (sw = 0; sw < sn->switches; sw++) {
		if (mcfab_job_step(sw, sn->switches))
			return -EINTR;
		for (i = 0; i < each; i++)
			vl[sw * each + i] = all;
	}
	return 0;
}

/**
 * mcfab_levels_room() - make room for tables of an entry's kind
 * @sn: subnet
 * @levels: where the room is to be, if it is not there
 * @kind: sl2vl or path-sl
 *
 * Context: May sleep. Memory is charged to the caller's cgroup.
 * Return: 0, -ENOMEM, or -EINTR if the work is to be given up; then there is no new room.
 */
int mcfab_levels_room(const struct mcfab_subnet *sn, struct mcfab_levels *levels,
		      enum mcfab_table_kind kind)
{
	u64 *vl;
	int ret;

	if (kind == MCFAB_TABLE_KIND_PATH_SL) {
		if (!levels->path)
			levels->path = mcfab_memory_zalloc((u64)sn->topo->nodes * sn->lids, 1);
		return levels->path ? 0 : -ENOMEM;
	}
	if (levels->vl)
		return 0;
	vl = mcfab_memory_alloc((u64)sn->switches * sn->ports * sn->ports, sizeof(*vl));
	if (!vl)
		return -ENOMEM;
	ret = fill(sn, vl);
	if (ret)
		mcfab_memory_free(vl);
	else
		levels->vl = vl;
	return ret;
}

/**
 * mcfab_levels_room_bytes() - memory that mcfab_levels_room() would take
 * @sn: subnet
 * @levels: where the room is to be
 * @kind: sl2vl or path-sl
 *
 * Context: Any.
 * Return: bytes.
 */
u64 mcfab_levels_room_bytes(const struct mcfab_subnet *sn, const struct mcfab_levels *levels,
			    enum mcfab_table_kind kind)
{
	if (kind == MCFAB_TABLE_KIND_PATH_SL)
		return levels->path ? 0 : (u64)sn->topo->nodes * sn->lids;
	return levels->vl ? 0 : (u64)sn->switches * sn->ports * sn->ports * sizeof(u64);
}

/**
 * mcfab_levels_set_lanes() - take an entry of kind sl2vl
 * @sn: subnet
 * @levels: tables with room for it
 * @sw: its switch
 * @entry: the entry, checked
 *
 * Context: Any.
 */
void mcfab_levels_set_lanes(const struct mcfab_subnet *sn, struct mcfab_levels *levels, u32 sw,
			    const struct mcfab_entry *entry)
{
	levels->vl[place(sn, sw, entry->in, entry->out)] = word(entry->level);
}

/**
 * mcfab_levels_set_path() - take a service level of an entry of kind path-sl
 * @sn: subnet
 * @levels: tables with room for it
 * @entry: the entry, checked
 * @i: which of its levels
 *
 * Context: Any.
 * Return: false if nobody has its LID; then it is left out.
 */
bool mcfab_levels_set_path(const struct mcfab_subnet *sn, struct mcfab_levels *levels,
			   const struct mcfab_entry *entry, u32 i)
{
	u32 lid = entry->lid + i;

	if (lid >= sn->lids || sn->owner[lid] == MCFAB_NONE)
		return false;
	levels->path[(size_t)entry->node * sn->lids + lid] = entry->level[i];
	return true;
}

/**
 * mcfab_levels_swap() - exchange tables of the kinds that were loaded
 * @now: tables in use
 * @loaded: loaded tables, NULL those of which there are none
 *
 * Context: Any.
 */
void mcfab_levels_swap(struct mcfab_levels *now, struct mcfab_levels *loaded)
{
	if (loaded->vl)
		swap(now->vl, loaded->vl);
	if (loaded->path)
		swap(now->path, loaded->path);
}

/**
 * mcfab_levels_free() - free tables
 * @levels: tables, or none
 *
 * Context: May sleep.
 */
void mcfab_levels_free(struct mcfab_levels *levels)
{
	mcfab_memory_free(levels->vl);
	mcfab_memory_free(levels->path);
	memset(levels, 0, sizeof(*levels));
}

/**
 * mcfab_levels_bytes() - memory of tables
 * @levels: tables, or none
 *
 * Context: Any.
 * Return: bytes.
 */
u64 mcfab_levels_bytes(const struct mcfab_levels *levels)
{
	return mcfab_memory_size(levels->vl) + mcfab_memory_size(levels->path);
}
