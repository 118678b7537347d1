/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traffic over the tables of a subnet, good ones and bad ones, flit by flit and by whole
 * packets. Programs are linked with --wrap=mcfab_stats_message (lib/capture.c).
 */
#ifndef TESTS_SUBNET_RUN_H
#define TESTS_SUBNET_RUN_H

#include "fabric/fabric.h"
#include "lib/capture.h"
#include "lib/runner.h"
#include "subnet/subnet.h"

/* an entry of a table that a case sets */
struct table_entry {
	enum mcfab_table_kind kind;
	u32 sw;
	u32 lid;	/* of an LFT: the node it is for; of an MFT: any, the group has one */
	u8 port[4];	/* 0: no further one */
};

struct traffic {
	u32 m, n;
	u32 vcs;
	u32 buffer_packets;
	bool drained;
	u32 consume;		/* then */
	bool lockstep;
	u32 flits, mtu;
	enum mcfab_node_bandwidth_mode node_bandwidth;
	const char *policy, *set;
	const struct table_entry *entry;
	u32 nentries;
	struct mcfab_subnet_rules rules;	/* entries are given in the usual numbers */
	/* a message each, or all of them to the group */
	u32 source[40], dst[40], nmsgs;
	u32 member[8], nmembers;
};

/* of the last run: who got what, and how it ended */
extern struct capture run_seen;
extern struct outcome run_end;

void traffic_run(const struct traffic *t, enum mcfab_advance_mode advance);
/* flit by flit and by whole packets, the same */
void run_both(const struct traffic *t);
/* @count copies were dropped for this reason, and none for another */
void run_dropped(enum mcfab_drop reason, u64 count);

#endif
