// SPDX-License-Identifier: GPL-2.0
/*
 * Linear forwarding tables built by the subnet: with least hops if the user says so, else by XY
 * routing on meshes, x first. On other networks they are empty until they are loaded or set.
 */

#include "base/job.h"
#include "subnet/subnet.h"

/* MCFAB_NO_PORT: @lid belongs to no host or switch, or the network is no mesh. */
static u8 xy_port(const struct mcfab_subnet *sn, u32 sw, u32 lid)
{
	u32 owner = lid < sn->lids ? sn->owner[lid] : MCFAB_NONE;
	const u16 *from, *to;
	u32 at, direction;

	if (owner == MCFAB_NONE || !sn->mesh)
		return MCFAB_NO_PORT;
	at = owner & MCFAB_END_HOST ? owner & ~(u32)MCFAB_END_HOST : sn->topo->router[owner];
	if (at == sw)
		return owner & MCFAB_END_HOST ? 0 : mcfab_host_port(sn, owner);
	from = &sn->xy[2 * sw];
	to = &sn->xy[2 * at];
	if (from[0] != to[0])
		direction = from[0] < to[0] ? MCFAB_TO_EAST : MCFAB_TO_WEST;
	else
		direction = from[1] < to[1] ? MCFAB_TO_NORTH : MCFAB_TO_SOUTH;
	return sn->toward[MCFAB_DIRECTIONS * sw + direction - 1];
}

/* Entries that are filled in between two scheduling points. */
#define BREATH	BIT(16)

static void fill_xy(const struct mcfab_subnet *sn, u8 *row, u32 sw)
{
	u32 lid;

	for (lid = 1; lid < sn->lids; lid++)
		row[lid] = xy_port(sn, sw, lid);
}

/**
 * mcfab_lft_built() - output port as it was built
 * @sn: subnet
 * @sw: switch
 * @lid: destination, below @sn's lids
 *
 * Context: Any.
 * Return: the port, or MCFAB_NO_PORT.
 */
u8 mcfab_lft_built(const struct mcfab_subnet *sn, u32 sw, u32 lid)
{
	return sn->built ? sn->built[(size_t)sw * sn->lids + lid] : xy_port(sn, sw, lid);
}

/**
 * mcfab_lft_build() - fill linear forwarding tables
 * @sn: subnet
 * @lft: tables of all switches, as mcfab_subnet.lft; their content is overwritten
 * @err: filled in when it fails
 *
 * Context: May sleep. Time is in proportion to switches times LIDs.
 * Return: 0, -ENOMEM, or -EINTR if the process is being killed.
 */
int mcfab_lft_build(const struct mcfab_subnet *sn, u8 *lft, struct mcfab_err *err)
{
	u8 *all = lft;
	u32 sw, entries = 0;
	int ret;

	for (sw = 0; sw < sn->switches; sw++, lft += sn->lids) {
		memset(lft, MCFAB_NO_PORT, sn->lids);
		if (sn->mesh)
			fill_xy(sn, lft, sw);
		entries += sn->lids;
		if (entries < BREATH)
			continue;
		entries = 0;
		if (mcfab_job_step(sw, sn->switches))
			return mcfab_refuse(err, -EINTR, 0, "interrupted");
	}
	if (!sn->built)
		return 0;
	ret = mcfab_minhop_lft(sn, all, err);
	if (!ret)
		memcpy(sn->built, all, (size_t)sn->switches * sn->lids);
	return ret;
}
