// SPDX-License-Identifier: GPL-2.0
/*
 * Linear forwarding tables built by the subnet: XY routing on meshes, x first. On other networks
 * they are empty until they are loaded or set.
 */

#include "base/job.h"
#include "subnet/subnet.h"

/**
 * mcfab_lft_xy() - output port of XY routing
 * @sn: subnet
 * @sw: switch
 * @lid: destination
 *
 * Context: Any.
 * Return: the port; MCFAB_NO_PORT if @lid belongs to no host or switch, or the network is no mesh.
 */
u8 mcfab_lft_xy(const struct mcfab_subnet *sn, u32 sw, u32 lid)
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
		row[lid] = mcfab_lft_xy(sn, sw, lid);
}

/**
 * mcfab_lft_build() - fill linear forwarding tables
 * @sn: subnet
 * @lft: tables of all switches, as mcfab_subnet.lft; their content is overwritten
 * @err: filled in when it fails
 *
 * Context: May sleep. Time is in proportion to switches times LIDs.
 * Return: 0, or -EINTR if the process is being killed.
 */
int mcfab_lft_build(const struct mcfab_subnet *sn, u8 *lft, struct mcfab_err *err)
{
	u32 sw, entries = 0;

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
	return 0;
}
