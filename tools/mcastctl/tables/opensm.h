/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Forwarding tables of InfiniBand switches as text, in the forms people have:
 *
 *	dump_lfts.sh, dump_mfts.sh	what ibroute prints, also with -a and -n
 *	opensm-lfts.dump		OpenSM's unicast tables, of -D 0x43
 *	opensm.fdbs, opensm.mcfdbs	OpenSM's routes, the same
 *	opensm-sl2vl.dump		OpenSM's SL-to-VL tables, the same
 *	GUID LID SL			service levels of paths, as ibdmchk -c reads them
 *
 * All are read. Written are the last two, and ibroute's forms, which OpenSM reads with "-R file
 * -U".
 */
#ifndef MCASTCTL_OPENSM_H
#define MCASTCTL_OPENSM_H

#include <stdio.h>

#include "base/util.h"

#define OPENSM_MAX_PORT		254
#define OPENSM_NO_PORT		255
#define OPENSM_MAX_LID		0xbfff
#define OPENSM_MIN_MLID		0xc000
#define OPENSM_MAX_MLID		0xfffe
/* Most switches of a subnet: each has a LID. */
#define OPENSM_MAX_TABLES	(2 * OPENSM_MAX_LID)
#define OPENSM_MAX_FILE		1073741824
#define OPENSM_PORT_WORDS	4
#define OPENSM_SLS		16

/** struct lft_row - by which port a switch sends to a unicast LID */
struct lft_row {
	const char *info;	/* on the LID's owner, NULL: nothing */
	u64 guid;		/* the owner's port, as @info has it; 0: not told */
	u32 line;
	u16 lid;
	u8 port;
};

/** struct mft_row - by which ports a switch sends to a multicast LID */
struct mft_row {
	u64 ports[OPENSM_PORT_WORDS];	/* bit p % 64 of word p / 64 */
	u32 line;
	u16 lid;
	bool user;			/* in a fabric: set by the user, not built */
};

/** struct fwd_table - the linear or the multicast forwarding table of one switch */
struct fwd_table {
	u64 guid;		/* of the switch, 0: not told */
	u32 lid;		/* of the switch, 0: not told */
	const char *name;	/* of the switch, NULL: not told */
	u32 line;		/* of its head in the file */
	u16 first;		/* LIDs that the table is about; @last 0: up to that of */
	u16 last;		/*	the last row */
	u32 sw;			/* in a fabric: number of the switch */
	bool multicast;
	u8 ports;		/* greatest port, 0: not told */
	u32 n;			/* rows, by ascending LIDs */
	u32 room;
	union {
		struct lft_row *lft;
		struct mft_row *mft;
	};
};

/** struct vl_row - virtual lanes of all service levels between two ports of a switch */
struct vl_row {
	u64 guid;		/* of the switch */
	u32 lid;		/* of the switch */
	u32 line;
	u32 head;		/* line of the head of the switch's tables */
	u32 sw;			/* in a fabric: number of the switch */
	u8 in;
	u8 out;
	u8 vl[OPENSM_SLS];
};

/** struct sl_row - service level of a host's packets for a LID */
struct sl_row {
	u64 guid;		/* of the host's port */
	u32 line;
	u32 node;		/* in a fabric: number of the host */
	u16 lid;
	u8 sl;
};

/** struct fwd_dump - the tables in a file, in its order */
struct fwd_dump {
	struct fwd_table *table;
	u32 n;
	u32 room;
	struct vl_row *vl;
	u32 nvl;
	u32 vl_room;
	struct sl_row *sl;
	u32 nsl;
	u32 sl_room;
	u32 host_lanes;		/* rows of channel adapters, which are not kept */
	char *text;		/* names and infos point into it */
};

/* Read a file, "-" is standard input. What is wrong is printed with its line. */
enum status opensm_read(const char *path, struct fwd_dump *dump);
/* The same for what is in memory: @text is written on, and the dump's from now on. */
enum status opensm_parse(const char *path, char *text, size_t len, struct fwd_dump *dump);
void opensm_free(struct fwd_dump *dump);

/* Further elements, for the caller to fill; earlier ones may move. */
struct fwd_table *opensm_add_table(struct fwd_dump *dump);
struct lft_row *opensm_add_lft(struct fwd_table *t);
struct mft_row *opensm_add_mft(struct fwd_table *t);
void opensm_table_free(struct fwd_table *t);

static inline bool mft_has(const struct mft_row *row, u32 port)
{
	return row->ports[port / 64] >> port % 64 & 1;
}

static inline void mft_set(struct mft_row *row, u32 port)
{
	row->ports[port / 64] |= (u64)1 << port % 64;
}

static inline bool mft_is_empty(const struct mft_row *row)
{
	for (u32 i = 0; i < OPENSM_PORT_WORDS; i++) {
		if (row->ports[i])
			return false;
	}
	return true;
}

void opensm_print(FILE *f, const struct fwd_table *t);

#endif
