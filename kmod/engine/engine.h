/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine: flits of worms move over virtual channels, cycle by cycle. It knows
 * no topology and no policy by name; it calls the policy once per message and
 * once per header.
 *
 * A cycle has two phases with a barrier behind each, then a boundary that one
 * thread runs alone:
 *
 *  grant (shard)  by the shard that owns the ROUTER: reads what happened in the
 *		   cycle before, lets nodes send, asks the policy about new headers,
 *		   grants channels, chooses among VCs that share a channel;
 *  move (shard)   by the shard that owns the WORM (that of its sender): moves its
 *		   flits, from the head to the tail, along all channels it holds;
 *  boundary       pools, stopping, statistics, the choice of the next cycle.
 *
 * Everything that crosses from one shard to another goes by mail and acts from
 * the next phase on, so that results do not depend on how many shards there are.
 */
#ifndef MCFAB_ENGINE_H
#define MCFAB_ENGINE_H

#include "core/fabric.h"
#include "core/walk.h"
#include "engine/heap.h"
#include "engine/mail.h"
#include "engine/pool.h"
#include "workload/workload.h"

/* flags of struct mcfab_rec */
#define MCFAB_REC_ABSORB	BIT(0)	/* a consumption channel copies every flit */
#define MCFAB_REC_RELAY		BIT(1)	/* the consumer only sends on, is no destination */
#define MCFAB_REC_INJECT	BIT(2)	/* an injection channel, not a VC */
#define MCFAB_REC_PENDING	BIT(3)	/* the header waits for the FIFO's front (sent) */

/**
 * struct mcfab_rec - a worm's stay in one virtual channel (or injection channel):
 *		      the hot half, read and written for every flit
 * @sent: flits that have entered the buffer
 * @freed: flits that every branch has read, at the end of the last cycle
 * @reads: least number of flits read by a granted branch, collected while the
 *	   worm moves; U32_MAX in between
 * @cons: flits copied to the node here
 * @worm: the worm, MCFAB_NONE: record not in use (a record of an injection
 *	  channel keeps it until its node has heard of the end)
 * @prev: record of the same worm granted before this one
 * @parent: record whose buffer feeds this one
 * @waiting: branches out of this buffer that are not granted yet; 1 while the
 *	     header is undecided
 * @flags: MCFAB_REC_*
 * @hops: network channels from the sender to here
 */
struct mcfab_rec {
	u32 sent;
	u32 freed;
	u32 reads;
	u32 cons;
	u32 worm;
	u32 prev;
	u32 parent;
	u8 waiting;
	u8 flags;
	u16 hops;
};

/**
 * struct mcfab_front - the cold half of a record: its header
 * @since: before the decision: cycle the header crossed; after it: cycle of the
 *	   header's delivery at this node
 * @granted: cycle the channel was granted
 * @link: next in a queue of headers
 * @first: first remaining destination, as an index into the plan's dst[]
 * @last: one past the last
 * @state: the policy's word
 * @dst: entry of dst[] that is delivered here
 */
struct mcfab_front {
	u64 since;
	u64 granted;
	u32 link;
	u32 first;
	u32 last;
	u32 state;
	u32 dst;
};

/**
 * struct mcfab_vc - a virtual channel
 * @rec: record of the worm it belongs to, or MCFAB_NONE
 * @entered: flits that ever entered its FIFO (only with credits)
 * @departed: flits known upstream to have left it (only with credits)
 * @fill: slot for the next packet
 * @front: slot at the front of the FIFO
 */
struct mcfab_vc {
	u32 rec;
	u32 entered;
	u32 departed;
	u16 fill;
	u16 front;
};

/**
 * struct mcfab_chan - how VCs share a physical channel (only with several VCs)
 * @owned: VCs that belong to worms
 * @next: where round robin goes on
 * @chosen: VC that may cross in this cycle, U8_MAX: none
 * @lock: VC in the middle of its packet (packet arbitration), U8_MAX: none
 * @listed: in its shard's list of contended channels
 */
struct mcfab_chan {
	u8 owned;
	u8 next;
	u8 chosen;
	u8 lock;
	u8 listed;
};

/**
 * struct mcfab_ask - a branch that waits for its grant
 * @since: cycle of the request
 * @next: younger request at the same router
 * @rec: record whose buffer it reads
 * @rank: input port and VC, then injection channels: order within a cycle
 * @node: consumption branch: the node; else MCFAB_NONE
 * @first: destinations of the branch
 * @last: one past the last
 * @state: the policy's word
 * @nports: alternatives
 * @port: output ports, ascending
 * @vcs: allowed VCs on each
 */
struct mcfab_ask {
	u64 since;
	u32 next;
	u32 rec;
	u32 rank;
	u32 node;
	u32 first;
	u32 last;
	u32 state;
	u32 nports;
	u16 port[MCFAB_MAX_ALTERNATIVES];
	u16 vcs[MCFAB_MAX_ALTERNATIVES];
};

/**
 * struct mcfab_router - what waits at a router
 * @ask: oldest waiting request, or MCFAB_NONE
 * @touched: cycle for which it is in its shard's list of routers to scan
 */
struct mcfab_router {
	u64 touched;
	u32 ask;
};

/**
 * struct mcfab_worm - a packet under way
 * @head: newest record, MCFAB_NONE when all are released
 * @flits: its length
 * @active: in its shard's list of worms that may move
 * @tree: a header decision had several network branches
 * @stuck: marks of the deadlock walk: has not been found able to go on
 * @waits: waits, in this round of the walk, for none but stuck worms
 * @mcast: its message
 * @index: its number in the message's plan
 * @node: its sender
 * @link: next in the list of worms that ended
 * @task: the sender's task it belongs to, see struct mcfab_node
 * @traffic: network channels granted
 * @lefts: deliveries still to come
 * @start: cycle in which it got its injection channel
 * @end: cycle of its last delivery
 * @channel_cycles: cycles for which it held network channels
 * @part: parts of the latency so far: what came before its injection
 */
struct mcfab_worm {
	u32 head;
	u32 flits;
	bool active;
	bool tree;
	bool stuck;
	bool waits;
	u32 mcast;
	u32 index;
	u32 node;
	u32 link;
	u32 task;
	u32 traffic;
	u64 start;
	u64 end;
	u64 channel_cycles;
	u32 part[MCFAB_PARTS];
};

/**
 * struct mcfab_mcast - a message under way, or waiting to be counted
 * @gen: generation cycle
 * @source: its source
 * @seq: sequence number there
 * @ndst: destinations
 * @worms: worms of its plan
 * @startups: start-ups made
 * @plan: its block of plan memory, MCFAB_NONE when given back
 * @unicast: base traffic, not a multicast
 * @left: worms that have not ended
 * @traffic: network channels used by worms that ended
 * @deliveries: head of its list of deliveries
 * @link: next in a list of complete messages
 * @channel_cycles: of worms that ended
 */
struct mcfab_mcast {
	u64 gen;
	u32 source;
	u32 seq;
	u32 ndst;
	u32 worms;
	atomic_t startups;
	u32 plan;
	bool unicast;
	bool used;
	atomic_t left;
	atomic_t traffic;
	atomic_t deliveries;
	atomic64_t channel_cycles;
	u32 link;
};

/**
 * struct mcfab_relay - a later sender that has received its message
 * @entry: cycle of the tail's delivery: it enters the node's queue then
 * @mcast: the message
 * @worm: first worm of the plan that it sends
 * @node: the later sender
 * @link: next in the node's queue
 * @part: parts of the latency so far
 */
struct mcfab_relay {
	u64 entry;
	u32 mcast;
	u32 worm;
	u32 node;
	u32 link;
	u32 part[MCFAB_PARTS];
};

/** enum mcfab_task_state - what a node's send queue is doing */
enum mcfab_task_state {
	MCFAB_TASK_NONE,	/* waits for the next message */
	MCFAB_TASK_STARTUP,	/* prepares and starts up, until @ready */
	MCFAB_TASK_INJECT,	/* worms of the round take injection channels */
	MCFAB_TASK_WAIT,	/* waits until the round is injected or delivered */
};

/**
 * struct mcfab_node - a processing element's send queue (rule 7)
 * @stream: next message it generates
 * @free_at: cycle from which it may start up the next task
 * @ready: cycle in which the start-up of the current round ends
 * @entry: cycle in which the current task entered the queue
 * @prep: preparation time of the current task, spent before its first round
 * @channels: free injection channels
 * @consume: free consumption channels (only where they are scarce)
 * @state: what it is doing
 * @relays: oldest later-sender task in the queue
 * @mcast: message of the current task
 * @task: counts rounds of tasks
 * @next: next worm of the plan to inject
 * @round_end: end of the round's worms
 * @task_end: end of the task's worms
 * @uninjected: worms of the round whose tail has not left
 * @undelivered: worms of the round that have not ended
 * @part: latency parts the task came with
 */
struct mcfab_node {
	struct mcfab_source stream;
	u64 free_at;
	u64 ready;
	u64 entry;
	u32 prep;
	u64 channels;
	u32 consume;
	u32 state;
	u32 relays;
	u32 mcast;
	u32 task;
	u32 next;
	u32 round_end;
	u32 task_end;
	u32 uninjected;
	u32 undelivered;
	u32 part[MCFAB_PARTS];
};

/** struct mcfab_queue - intrusive first-in first-out queue of numbers */
struct mcfab_queue {
	u32 head;
	u32 tail;
};

/**
 * struct mcfab_shard - a part of the network; one thread works on it at a time
 * @nr: its number
 * @routers: first router of this shard; the next shard's first ends it
 * @node: first node, likewise
 * @mail: [nshards] boxes to the grant phase of each shard
 * @grants: [nshards] boxes to the move phase of each shard
 * @letters: [nshards] memory of both
 * @active: worms that may move
 * @nactive: how many
 * @touched: routers to scan in this cycle
 * @ntouched: how many
 * @contended: channels with several owned VCs
 * @ncontended: how many
 * @inports: input ports with headers in them, by the channel that leads there
 *	     (only with limited input speed-up)
 * @ninports: how many
 * @flying: headers on a link longer than one cycle
 * @routing: headers in their route_delay
 * @injecting: headers in their inject_delay and route_delay
 * @credits: VCs whose credits are under way; ring of (cycle, VC)
 * @ended: worms whose last delivery is still under way
 * @relays: relays whose delivery is still under way
 * @heap: next event of each node
 * @ask: this shard's requests
 * @free_ask: first of the free ones
 * @mcast_high: one past the highest number of a message taken here
 * @scratch: working space of the policy and the workload
 * @next_event: earliest cycle with anything to do, as of the end of the move phase
 * @flit_hops: flits moved over network channels by records released here
 * @deliveries: tails delivered
 * @dead_worm: worms whose numbers the next move phase gives back
 * @dead_block: plan blocks, likewise
 * @done: complete messages
 * @broken: an invariant broke
 */
struct mcfab_shard {
	u32 nr;
	u32 router;
	u32 node;
	struct mcfab_box *mail;
	struct mcfab_box *grants;
	u64 *letters;
	u32 *active;
	u32 nactive;
	u32 *touched;
	u32 ntouched;
	u32 *contended;
	u32 ncontended;
	u32 *inports;
	u32 ninports;
	struct mcfab_queue flying;
	struct mcfab_queue routing;
	struct mcfab_queue injecting;
	struct {
		u64 *due;
		u32 *vc;
		u32 head;
		u32 count;
		u32 size;
	} credits;
	struct mcfab_queue ended;
	struct mcfab_queue relays;
	struct mcfab_heap heap;
	struct mcfab_ask *ask;
	u32 free_ask;
	u32 mcast_high;
	void *scratch;
	u32 *dst;
	u64 next_event;
	u64 flit_hops;
	u64 deliveries;
	u32 *dead_worm;
	u32 ndead_worms;
	u32 *dead_block;
	u32 ndead_blocks;
	u32 done;
	const char *broken;
} ____cacheline_aligned_in_smp;

/** struct mcfab_log - a delivery that waits to be counted in its place */
struct mcfab_log {
	struct mcfab_delivery d;
	u32 next;
};

/** struct mcfab_lone - a lone multicast to run: its source and number */
struct mcfab_lone {
	u32 source;
	u32 index;
};

/**
 * struct mcfab_boundary - what the boundary of the cycles keeps
 * @state: how the run ended, or running
 * @stop: set by anyone: end the run
 * @idle: nothing was left when it ended
 * @paranoid: check conservation in every cycle
 * @max_cycles: bound on the simulated time
 * @stalled_to: requests before this cycle were looked at by the deadlock walk
 * @next_check: cycle at or after which the slower duties are done
 * @next_stall: cycle at or after which waiting headers are looked at
 * @base: LONE: cycle in which the current multicast was generated
 * @lone: LONE: multicasts in the order of (source, number), in which they are run
 * @nlone: how many
 * @at: next of them
 * @pending: complete messages that wait for older ones
 * @npending: how many
 * @dlv: deliveries of one message, sorted
 * @predict_space: LONE: working space of the prediction
 * @predicted: LONE: the current multicast without contention
 * @windowed: channel counts of the window's start are taken
 * @window_start: cycle of that
 * @longest: end cycle of LONE runs: the longest multicast
 */
struct mcfab_boundary {
	enum mcfab_run_state state;
	bool stop;
	bool idle;
	bool paranoid;
	u64 max_cycles;
	u64 stalled_to;
	u64 next_check;
	u64 next_stall;
	u64 base;
	struct mcfab_lone *lone;
	u32 nlone;
	u32 at;
	u32 *pending;
	u32 npending;
	struct mcfab_delivery *dlv;
	void *predict_space;
	struct mcfab_prediction predicted;
	bool windowed;
	u64 window_start;
	u64 longest;
};

/**
 * struct mcfab_engine - state of a network during a run
 * @fabric: whose it is
 * @topo: its network
 * @pol: the run's policy
 * @flags: MCFAB_ENG_*: which rules beyond the simplest are in force
 * @ports: network ports per router
 * @vcs: virtual channels per channel
 * @slots: packets a VC's FIFO may hold, and the one that enters
 * @buffer: flits per VC
 * @inject: injection channels per node
 * @nchans: physical channels
 * @nvcs: virtual channels
 * @nrecs: records; the first @nvcs * @slots are of VCs, then @inject per node
 * @cycle: the cycle that is being computed
 *
 * Not every comment of a field is repeated here: see the structures above.
 */
struct mcfab_engine {
	struct mcfab_fabric *fabric;
	const struct mcfab_topo *topo;
	const struct mcfab_policy *pol;
	u32 flags;
	u32 ports;
	u32 vcs;
	u32 slots;
	u32 buffer;
	u32 inject;
	u32 link_delay;
	u32 route_delay;
	u32 inject_delay;
	u32 consume_delay;
	u32 credit_delay;
	u32 flits;
	u32 nchans;
	u32 nvcs;
	u32 nrecs;
	u32 inj_base;		/* first injection record */
	u64 cycle;
	bool store;		/* store-and-forward */
	bool release_sent;	/* a VC is free when the tail has crossed */
	bool packet_room;	/* a grant needs room for the whole packet */

	struct mcfab_rec *rec;
	struct mcfab_front *front;
	u64 *history;		/* [nrecs] crossings of the last 64 cycles, long links only */
	u64 *stamp;		/* [nrecs] cycle of bit 0 of history */
	u32 *kids;		/* [nrecs] newest branch of a record (branch lists) */
	u32 *sibling;		/* [nrecs] branch of the same record granted before */
	u8 *ready;		/* [nrecs] lock-step: a branch could take a flit now */
	struct mcfab_chan *inport; /* [nchans] VCs of the input port a channel leads to */
	struct mcfab_vc *vc;
	struct mcfab_chan *chan;
	struct mcfab_router *router;
	struct mcfab_node *node;
	u64 *vc_flits;		/* [nvcs] flits of packets whose tail has crossed */
	u64 *chan_wait;		/* [nchans] cycles headers waited for the channel */
	u64 *window_base;	/* [nchans] flits at the start of the measuring window */

	/* one run */
	struct mcfab_workload work;
	u32 max_dests;
	size_t scratch_bytes;
	bool lone;
	u32 prep;
	u32 prep2;
	u32 startup;
	enum mcfab_rounds rounds;
	enum mcfab_node_busy busy;
	u32 max_worms;		/* of a plan */
	u32 max_dst;
	size_t block_bytes;
	u8 *blocks;		/* plan memory */
	struct mcfab_pool block_pool;
	struct mcfab_worm *worm;
	struct mcfab_pool worm_pool;
	struct mcfab_mcast *mcast;
	struct mcfab_pool mcast_pool;
	struct mcfab_relay *relay;
	struct mcfab_pool relay_pool;
	struct mcfab_log *log;
	struct mcfab_pool log_pool;
	u32 log_reserve;

	u32 nshards;
	struct mcfab_shard *shard;
	u32 *shard_of_router;
	u32 *shard_of_node;
	u64 bytes;

	struct mcfab_boundary boundary;
};

/* flags of struct mcfab_engine */
#define MCFAB_ENG_MULTI		BIT(0)	/* several VCs share a channel */
#define MCFAB_ENG_LINKS		BIT(1)	/* links longer than one cycle */
#define MCFAB_ENG_CREDITS	BIT(2)	/* FIFOs of several packets, or slow credits */
#define MCFAB_ENG_LOCKSTEP	BIT(3)	/* branches move together */
#define MCFAB_ENG_SCARCE	BIT(4)	/* fewer consumption channels than incoming VCs */
#define MCFAB_ENG_PACKET	BIT(5)	/* packet-granular link arbitration */
#define MCFAB_ENG_SPEEDUP	BIT(6)	/* one VC of an input port crosses per cycle */
#define MCFAB_ENG_BRANCHES	(MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SPEEDUP) /* lists of branches */

/**
 * struct mcfab_block - plan memory of one message: the plan and its arrays
 * @plan: the plan
 * @kids: [max_worms] where the worms sent after a worm's arrival start
 */
struct mcfab_block {
	struct mcfab_plan plan;
	u32 *kids;
};

static inline struct mcfab_block *mcfab_block(const struct mcfab_engine *e, u32 nr)
{
	return (struct mcfab_block *)(e->blocks + nr * e->block_bytes);
}

static inline bool mcfab_rec_is_inject(const struct mcfab_engine *e, u32 rec)
{
	return rec >= e->inj_base;
}

static inline u32 mcfab_rec_vc(const struct mcfab_engine *e, u32 rec)
{
	return e->slots == 1 ? rec : rec / e->slots;
}

static inline u32 mcfab_vc_chan(const struct mcfab_engine *e, u32 vc)
{
	return e->vcs == 1 ? vc : vc / e->vcs;
}

/* router at which a VC's flits arrive */
static inline u32 mcfab_vc_to(const struct mcfab_engine *e, u32 vc)
{
	return e->topo->peer[mcfab_vc_chan(e, vc)] / e->ports;
}

/* router that grants a VC */
static inline u32 mcfab_vc_from(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_vc_chan(e, vc) / e->ports;
}

/* cycle in which what is on a long link has come: the header, or the whole packet */
static inline u64 mcfab_flying_due(const struct mcfab_engine *e, u32 rec)
{
	return (e->store ? e->stamp[rec] : e->front[rec].since) + e->link_delay;
}

static inline u32 mcfab_rec_node(const struct mcfab_engine *e, u32 rec)
{
	return (rec - e->inj_base) / e->inject;
}

static inline u32 mcfab_shard_end(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	return s->nr + 1 < e->nshards ? s[1].router : e->topo->routers;
}

/* the order of worms that does not depend on the threads */
static inline bool mcfab_worm_before(const struct mcfab_engine *e, const struct mcfab_worm *a,
				     const struct mcfab_worm *b)
{
	const struct mcfab_mcast *ma = &e->mcast[a->mcast], *mb = &e->mcast[b->mcast];

	if (ma->gen != mb->gen)
		return ma->gen < mb->gen;
	if (ma->source != mb->source)
		return ma->source < mb->source;
	if (ma->seq != mb->seq)
		return ma->seq < mb->seq;
	return a->index < b->index;
}

static inline void mcfab_queue_put(struct mcfab_queue *q, u32 *link, u32 nr)
{
	/* @link is the tail's link field, valid if the queue is not empty */
	if (q->head == MCFAB_NONE)
		q->head = nr;
	else
		*link = nr;
	q->tail = nr;
}

/* setup.c */
u64 mcfab_engine_bytes(const struct mcfab_fabric *fabric);
int mcfab_engine_open(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *run,
		      struct mcfab_err *err);
void mcfab_engine_close(struct mcfab_engine *e);

/* grant.c, move.c, boundary.c: one cycle */
void mcfab_engine_grant(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s);
bool mcfab_engine_boundary(struct mcfab_engine *e);
bool mcfab_engine_alone(struct mcfab_engine *e, u32 cycles);

/* request.c: headers and grants */
void mcfab_header_ask(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_router_touch(struct mcfab_engine *e, struct mcfab_shard *s, u32 router);
void mcfab_router_scan(struct mcfab_engine *e, struct mcfab_shard *s, u32 router);

/* arbiter.c */
void mcfab_arbiter_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);
void mcfab_arbiter_disown(struct mcfab_engine *e, u32 chan);
void mcfab_arbiter_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);
void mcfab_arbiter_choose(struct mcfab_engine *e, struct mcfab_shard *s);

/* node.c */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_node_relay(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay);
void mcfab_node_worm_end(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);

/* deliver.c */
void mcfab_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);

/* boundary.c */
void mcfab_boundary_init(struct mcfab_engine *e, const struct mcfab_run_cfg *run);

/* predict.c */
size_t mcfab_predict_bytes(u32 max_dst);
int mcfab_predict(struct mcfab_engine *e, const struct mcfab_plan *plan);

/* flush.c */
void mcfab_flush(struct mcfab_engine *e, u64 watermark);
void mcfab_flush_incomplete(struct mcfab_engine *e);
u64 mcfab_watermark(const struct mcfab_engine *e);

/* channels.c */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits);

/* stall.c */
bool mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest);

/* check.c */
const char *mcfab_check(const struct mcfab_engine *e, bool idle);

#endif
