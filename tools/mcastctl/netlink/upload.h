/* SPDX-License-Identifier: GPL-2.0 */
/* Big sets and lists go to the kernel in several messages. */
#ifndef MCASTCTL_UPLOAD_H
#define MCASTCTL_UPLOAD_H

#include <linux/mcfab.h>

#include "netlink/netlink.h"

struct json_object;

/** struct messages - the list of a workload "file" */
struct messages {
	u64 *cycle;
	u32 *source;
	u32 *count;
	u32 *dst;
	u32 *group;		/* number of the group a message is for, 0: none; NULL: all none */
	u32 *flits;		/* its length, 0: the run's; NULL: all the run's */
	u8 *class;		/* number of its class of traffic; NULL: there are none */
	char *name[MCFAB_MAX_TRAFFIC_CLASSES];
	u32 nclasses;
	u32 n;
	u32 ndst;
	u32 room;
	u32 dst_room;
	/* while it is read */
	u32 nodes;
	u32 nlines;
	u32 *seen;		/* [nodes] the line that named a node last */
	u32 length;		/* of the message on the line */
	u32 in_class;		/* class of the message on the line */
	u64 memory;		/* for the list, in bytes */
	u64 *last;		/* [nodes] cycle of the last message of a source */
	struct json_object *groups;	/* of the fabric, once one is named */
};

enum status upload_destinations(const char *fabric, const u32 *ids, u32 n);
enum status upload_discard(const char *fabric, u32 type);
enum status upload_messages(const char *fabric, const struct messages *m);

/*
 * Read a list of messages, packed or not: a line CYCLE SOURCE [flits=N] [class=NAME] LIST or
 * CYCLE SOURCE [flits=N] [class=NAME] group NAME each; @fabric is needed for coordinates, labels
 * and groups.
 */
enum status messages_read(const char *path, struct json_object *fabric, struct messages *m);
void messages_free(struct messages *m);

#endif
