/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for policies whose packets follow the tables of a subnet: packets carry a LID, and the
 * switches look it up.
 */
#ifndef MCFAB_SUBNET_TABLE_H
#define MCFAB_SUBNET_TABLE_H

#include "subnet/subnet.h"

/* parameters that such policies share, the first two in their tables */
#define MCFAB_PARAM_LANES						\
{									\
	.name		= "lanes",					\
	.help		= "virtual lanes: any on any port, each port its own, or as loaded", \
	.type		= MCFAB_PARAM_KIND_CHOICE,				\
	.choices	= mcfab_lanes_choices,				\
}

#define MCFAB_PARAM_LANE_SELECT						\
{									\
	.name		= "lane-select",				\
	.help		= "shared lanes: by service level, in turn, or any free one", \
	.type		= MCFAB_PARAM_KIND_CHOICE,				\
	.choices	= mcfab_lane_select_choices,			\
}

/** MCFAB_LANE_NPARAMS - number of these parameters */
#define MCFAB_LANE_NPARAMS	2

extern const char *const mcfab_lanes_choices[];
extern const char *const mcfab_lane_select_choices[];

/**
 * struct mcfab_table_priv - private area of such a policy
 * @lanes: how packets are spread over virtual lanes
 * @any: any free lane, not the service level's
 * @copies: the source sends a packet for each destination
 * @spread: of a host's LIDs a packet takes the one of its sender's turn, not the first
 */
struct mcfab_table_priv {
	enum mcfab_lane_mode lanes;
	bool any;
	bool copies;
	bool spread;
};

/* lanes.c */
u32 mcfab_lane_vl(const struct mcfab_subnet *sn, u32 vcs, enum mcfab_lane_mode lanes, u32 sw,
		  u32 port, u32 sl);
int mcfab_lanes_check(const struct mcfab_subnet *sn, u32 vcs, enum mcfab_lane_mode lanes,
		      struct mcfab_err *err);

/* table.c: init, prepare and route of such policies */
int mcfab_table_init(const struct mcfab_view *view, const u32 *values, void *priv,
		     struct mcfab_err *err);
int mcfab_table_init_xy(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err);
void mcfab_table_max_plan(const struct mcfab_view *view, const void *priv, u32 ndst,
			  u32 *worms, u32 *dsts);
void mcfab_table_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			 u32 ndst, struct mcfab_plan *plan, void *scratch);
void mcfab_table_route(const struct mcfab_view *view, const void *priv,
		       const struct mcfab_header *hdr, struct mcfab_decision *out);

#endif
