/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the reader of forwarding tables: virtual lanes and service levels. */
#ifndef MCASTCTL_OPENSM_LEVELS_H
#define MCASTCTL_OPENSM_LEVELS_H

#include "tables/opensm.h"

#define OPENSM_PORTS	(OPENSM_MAX_PORT + 1)

/** struct open_lanes - the SL-to-VL tables of a node while they are read */
struct open_lanes {
	bool open;
	bool is_switch;			/* of channel adapters nothing is kept */
	u64 guid;
	u32 lid;
	u32 line;			/* of the head */
	u32 *seen;			/* [OPENSM_PORTS^2] head behind which ports came last */
};

/* "Switch 0x0002c90200404d18, base LID 9, "name"" */
bool opensm_is_lanes_head(const char *line);
enum status opensm_lanes_head(struct open_lanes *lanes, const char *line, u32 number);
/* "1   2   : 0  1  2 ...": input port, output port, a lane for each service level */
enum status opensm_lanes_row(struct open_lanes *lanes, struct fwd_dump *dump, const char *line,
			     u32 number);
/* "0x0002c9020025a679 12 3": GUID of the source, destination LID, service level */
bool opensm_is_path(const char *line);
enum status opensm_path(struct fwd_dump *dump, const char *line, u32 number);

#endif
