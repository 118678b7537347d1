/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts of the slow simulator: three servers a node, each of which does one thing after the
 * other in the order in which they come, and channels into the network.
 *
 * A thing to do at a server, a chore, consists of pieces of work that nothing comes between.
 * The end of each piece makes chores for others.
 */
#ifndef LIB_SLOW_HOST_H
#define LIB_SLOW_HOST_H

#include "lib/slow_model.h"

/* how a packet, or a message, has come where it is now, and what that has cost */
struct story {
	struct place *place;	/* in the memory of the interface, or NULL */
	u64 clock;		/* up to here @part tells */
	u32 part[MCFAB_PARTS];
};

enum chore_kind {
	SEND,			/* away from the host */
	RECEIVE,		/* to the host */
};

struct chore {
	struct chore *next;
	enum chore_kind kind;
	struct msg *msg;
	u64 entry;		/* when it came to the server */
	u32 prep;		/* CPU, SEND: before its first piece */
	u32 first, end;		/* SEND: worms; NI, RECEIVE: of the copies to be made */
	u32 worm;		/* RECEIVE: that has brought it */
	u32 dst;		/* RECEIVE: entry of the plan's lists */
	u32 packet;
	u32 hops;
	u32 piece;		/* in work, or the next */
	struct story story;
};

struct server {
	struct chore *fifo, **last;
	bool works;		/* on the first */
	u64 done;
};

/* a copy of a packet on its way to an injection channel */
struct copy {
	struct copy *next;
	struct msg *msg;
	u32 worm;
	u32 packet;
	struct story story;
};

/* what a network interface keeps to send to second and further children */
struct memory {
	struct memory *next;
	struct msg *msg;
	u32 first;
	u32 packets;		/* that it has received */
	struct story *story;	/* of each packet */
};

struct host {
	struct server cpu, bus, ni;
	struct copy *out, **out_last;
	struct chore *coming;	/* whose tails come in this cycle or later */
	struct memory *memory;
	u32 room;		/* packets to be sent on that may still come, */
	u32 freed;		/* and those for which there is room from the next cycle on */
};

/* how packets are sent on */
enum mcfab_forward slow_forward(const struct sim *s);
u64 slow_bus_time(const struct sim *s, u64 bytes);
/* the time until @now belongs to this part */
void slow_pass(struct story *story, u64 now, enum mcfab_part part);
void slow_enter(struct server *v, struct chore *c, u64 now);
/* behind the last of the worms that a node sends together with @first */
u32 slow_worms_together(const struct msg *m, u32 first);
u32 slow_later_worms(const struct msg *m, u32 worm, u32 node);

/* how long does the next piece take? false: there is none */
typedef bool piece_fn(struct sim *s, struct host *h, struct chore *c, u64 *time);
typedef void over_fn(struct sim *s, struct host *h, struct chore *c, u64 now);

piece_fn slow_ni_piece, slow_bus_piece, slow_cpu_piece;
over_fn slow_ni_piece_over, slow_bus_piece_over, slow_cpu_piece_over;

#endif
