/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of loading tables: what load.c and load_levels.c share. */
#ifndef MCASTCTL_TABLES_LOAD_H
#define MCASTCTL_TABLES_LOAD_H

#include "tables/tables.h"

/** struct place - where the table of a switch is */
struct place {
	const char *path;		/* NULL: nowhere */
	u32 line;
};

/** enum load_seen - what a switch has one table of */
enum load_seen { LOAD_LINEAR, LOAD_MULTICAST, LOAD_LANES, LOAD_SEEN };

/** struct load - files on their way to the kernel */
struct load {
	const char *fabric;
	u32 vcs;
	bool force;
	struct subnet subnet;
	struct place *seen[LOAD_SEEN];	/* [switches] */
	u32 left_out;
	struct nl_request rq;
	bool begun;			/* @rq has entries */
};

/* Say what is wrong with the line of set_location(): an error, with force a warning. */
enum status load_complain(struct load *load, const char *fmt, ...) __printf(2, 3);
enum status load_no_switch(struct load *load, u64 guid, u32 lid);
/* Refused if a switch has a table of a kind, which is named, already. */
enum status load_see(struct load *load, enum load_seen kind, const char *name, u32 sw,
		     struct place at);
enum status load_port(const struct load *load, u32 sw, u32 port);

/* Begin an entry, to be ended with nl_nest_end() and load_entry_end(). */
size_t load_entry_begin(struct load *load, struct nl_where where);
enum status load_entry_end(struct load *load, size_t nest);

/* load_levels.c: lanes and service levels; rows to be left out are taken from @dump. */
enum status load_check_levels(struct load *load, const char *path, struct fwd_dump *dump);
enum status load_send_levels(struct load *load, const struct fwd_dump *dump);

#endif
