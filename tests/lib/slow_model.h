/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inside of the slow simulator (lib/slow.h): what its parts share. Numbers in comments
 * are the rules of the engine's model.
 */
#ifndef LIB_SLOW_MODEL_H
#define LIB_SLOW_MODEL_H

#include <stdio.h>
#include <stdlib.h>
#include "lib/slow.h"

#define NEVER	U64_MAX

#define must(cond)								\
do {										\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #cond);\
		abort();							\
	}									\
} while (0)

struct flit {
	struct flit *next;
	struct stay *stay;
	u32 index;
	u64 ready;		/* from this cycle on it can be read */
};

/* a branch of a worm out of a buffer */
struct branch {
	bool network;
	bool granted;
	u64 since;
	struct mcfab_branch want;
	struct tap *tap;	/* to a node: the consumption channel, */
	struct place *place;	/* and its place there if it needs one */
	u32 strip;		/* the first flits name others' destinations */
	u32 read;		/* flits it has read or stripped */
	struct stay *child;	/* network: the next buffer */
};

/*
 * a host's link to an input port of its switch, and the port's buffer (irregular networks, VCs
 * released when packets are sent, no store-and-forward). A link of several cycles has a register
 * for each but the last, where flits wait for room in the buffer.
 */
struct port {
	struct stay *fifo;	/* stays, front first */
	struct stay *sending;	/* whose flits leave the host */
	struct stay *coming;	/* whose flits come into the buffer */
	u32 onlink;		/* flits in registers */
	u32 inside;		/* flits in the buffer */
	u64 left, came;		/* cycles in which one last left the host, and came */
	u32 pace;		/* cycles that the link takes for a flit */
	u64 open;		/* from this cycle on it takes the next one */
};

/* a packet in the memory of a network interface that sends it on */
struct place {
	u32 node;
	u32 left;		/* copies whose tails are still at the node */
};

/* a consumption channel */
struct tap {
	bool held;
	u32 pace;		/* cycles that it takes for a flit */
	u64 open;		/* from this cycle on it takes the next one */
};

/* a worm in a buffer, be it a virtual channel's or the source's */
struct stay {
	struct stay *next;	/* of the same worm */
	struct stay *after;	/* behind it in the FIFO */
	struct worm *worm;
	struct stay *parent;
	struct vc *vc;		/* NULL: an injection channel */
	struct port *port;	/* that the injection channel leads to */
	u64 *sent;		/* when each flit left the host, */
	u64 *there;		/* and from when on it can be read */
	u32 left_host;		/* flits that have */
	u32 from_branch;
	u32 channel;		/* injection channel */
	u32 router;
	u32 rank;
	u32 hops;
	u32 links;		/* cycles on their links */
	u32 first, last, state;
	u32 flits;		/* of the packet */
	u64 front;		/* cycle in which its header can be at the front */
	u64 ready;		/* cycle in which its header is in the buffer */
	u64 complete;		/* cycle in which its last flit is */
	u64 granted;
	bool asked;
	bool drained;
	u32 nbranches;
	struct branch branch[MCFAB_MAX_BRANCHES];
	u32 entered;
	u32 left;
	u64 moved;		/* cycle in which it was last moved */
	u32 left_now;		/* flits that left in that cycle */
};

struct credit {
	struct credit *next;
	u64 seen;
};

struct vc {
	u32 chan;
	u32 nr;
	struct stay *owner;
	struct stay *fifo;	/* stays, front first */
	struct flit *flit, *last;
	u32 used;		/* flits inside or on the way, as upstream knows it */
	u32 inside;		/* the same, in truth */
	struct credit *credit;
};

struct chan {
	u32 delay;		/* cycles of a flit on its link */
	u32 pace;		/* cycles that the link takes for a flit */
	u64 open;		/* from this cycle on it takes the next one */
	u32 next;
	u32 last;		/* allocator separable: port at the other end that had its turn */
	u32 port;		/* ... which has it if the allowed VC's flit crosses */
	u32 turn;		/* allocator separable: VC that is granted first */
	s32 allowed;		/* VC that may cross in this cycle, or -1 */
	s32 lock;
};

struct worm {
	struct worm *next;
	struct msg *msg;
	u32 index;
	u32 packet;
	u32 serial;
	u32 node;
	struct round *round;
	struct stay *stays;
	u32 live;
	u64 end;
	bool ended;
	u64 injected;		/* node model host: time from which on it is under way, */
	u32 part[MCFAB_PARTS];	/* and what its message had taken until then */
	struct place *place;	/* of the packet of which it is a copy, or NULL */
	u32 flits;
};

/* worms that a node sends at once */
struct round {
	struct task *task;
	u32 first, next, end;
	u32 packet;		/* that its worms send now */
	u32 uninjected, undelivered;
	u64 injected, delivered;
};

struct task {
	struct task *next;
	u64 entry;
	struct msg *msg;
	u32 first, end;
	u32 at;			/* first worm of its next round */
	u32 prep;
	bool own;
	bool further;		/* a further round of a task */
};

struct msg {
	u64 gen;
	u32 source, seq;
	u32 flits;
	u32 packets;
	u32 list;
	bool begun;
	struct mcfab_plan plan;
	u32 ended;
	u32 *came;		/* packets that came for each entry of the plan's lists */
	u32 *stored;		/* node model host: of these, in the host's memory */
	u32 *taken;		/* and through with the host's overhead */
	u32 here;		/* entries all of whose packets are through */
	struct slow_message cost;
};

struct node {
	struct task *queue;	/* by (entry, relays first, key) */
	struct task *task;	/* that occupies the node */
	struct round *round;	/* its round under way */
	u64 ready;		/* end of the start-up of @round */
	bool starting;
	u64 free_at;
	struct round *inject[4096];
	u32 inject_head, inject_tail;
	bool *channel;
	struct port *host;	/* of each injection channel */
	struct tap *tap;	/* consumption channels */
	u32 serial;		/* packets it has injected */
	u64 link_free;		/* node bandwidth shared: cycle from which one may leave, */
	struct chan port;	/* which injection channel may send, */
	struct branch *taken;	/* and which packet's flit it takes in this cycle */
	u32 next;
};

struct request {
	struct stay *stay;
	u32 branch;
	u64 since;		/* cycle in which it joined the end of the queue, */
	u64 yielded;		/* among those of one cycle: how many yielded before, 0: asked */
};

struct kept {
	struct kept *next;
	u64 pad;
};

struct sim {
	const struct mcfab_fabric_cfg *fc;
	const struct mcfab_run_cfg *rc;
	const struct mcfab_topo *topo;
	const struct mcfab_policy *pol;
	u32 prep;
	struct kept *kept;
	u64 now;
	u64 active;
	struct vc *vc;
	struct chan *chan;	/* what crosses it */
	struct chan *in;	/* of the input port it leads to: what leaves it */
	struct node *node;
	struct host *host;	/* node model host */
	struct msg *msg;
	u32 nmsgs;
	struct worm *worms;
	struct request *req;
	u32 nreqs, room;
	u64 yields;
	struct slow_result *out;
	u32 dlv_room;
	void *scratch;
	u32 *dst;
	u32 max_worms, max_dst;
};

/* slow.c */
void *slow_get(size_t bytes);
void *slow_keep(struct sim *s, size_t bytes);

/* slow_nodes.c: send queues (7) */
bool slow_before(const struct msg *a, const struct msg *b);
void slow_enter_queue(struct node *n, struct task *task);
bool slow_rounds_delivered(const struct sim *s);
void slow_round_over(struct sim *s, u32 node, struct round *r, u64 when);
u32 slow_packet(const struct sim *s, const struct msg *m, u32 packet);
u32 slow_header(const struct sim *s, const struct mcfab_plan *plan, u32 first, u32 last);
void slow_make_plan(struct sim *s, struct msg *m);
struct worm *slow_inject(struct sim *s, u32 nr, struct msg *m, u32 index, u32 packet, u32 channel);
bool slow_ports(const struct sim *s);
bool slow_port_roomy(const struct sim *s, u32 nr, u32 channel, const struct msg *m, u32 index,
		     u32 packet);
void slow_cross_ports(struct sim *s);
void slow_leave_port(struct sim *s, struct stay *st);
void slow_step_nodes(struct sim *s);

/* slow_hosts.c: hosts, I/O buses and network interfaces */
void slow_hosts_init(struct sim *s);
void slow_hosts_exit(struct sim *s);
void slow_host_tail(struct sim *s, struct worm *w, u32 dst, const struct stay *st,
		    struct place *place, u64 tail);
bool slow_host_takes(struct sim *s, const struct worm *w, u32 node, struct place **place);
void slow_host_left(struct sim *s, struct worm *w);
bool slow_host_busy(const struct sim *s, u32 nr);
u64 slow_host_patience(const struct sim *s);
void slow_step_hosts(struct sim *s);

/* slow_grants.c: headers and grants (2, 3, 6) */
void slow_ask_all(struct sim *s);
void slow_grant_all(struct sim *s);

/* slow_turns.c: who may move (5) */
bool slow_readable(const struct sim *s, const struct stay *st, u32 index);
bool slow_has_flit(const struct sim *s, const struct stay *st, const struct branch *b);
bool slow_input_open(const struct sim *s, const struct stay *st);
void slow_choose_all(struct sim *s, u32 chans);
void slow_choose_consumption(struct sim *s);
bool slow_separable(const struct sim *s);
bool slow_vc_turns(const struct sim *s);
bool slow_islip(const struct sim *s);
void slow_match(struct sim *s);
bool slow_has_room(const struct sim *s, const struct branch *b);
void slow_pass_turns(struct sim *s);
bool slow_shared(const struct sim *s);

/* slow_moves.c: moves (4) */
void slow_see_credits(struct sim *s);
void slow_move_all(struct sim *s);

#endif
