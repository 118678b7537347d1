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

#include "fabric/fabric.h"
#include "engine/state/boundary.h"
#include "engine/lib/breath.h"
#include "engine/state/channel.h"
#include "engine/lib/divide.h"
#include "engine/state/host.h"
#include "engine/state/node.h"
#include "engine/lib/pool.h"
#include "engine/state/shard.h"
#include "engine/state/worm.h"
#include "updown/updown.h"
#include "workload/workload.h"

/*
 * State of a network during a run. Counts and delays are copied from the fabric's
 * and the run's configuration, so that the hot paths find them in few lines.
 */
struct mcfab_engine {
	struct mcfab_fabric *fabric;	/* whose it is */
	const struct mcfab_topo *topo;
	const struct mcfab_policy *pol;
	u32 flags;		/* MCFAB_ENG_*: rules beyond the simplest */
	u32 ports;		/* network ports of a router */
	u32 vcs;
	u32 slots;		/* packets in a VC's FIFO, and the one that enters */
	u32 source_slots;	/* of an injection channel: the same with MCFAB_ENG_PORTS, else 1 */
	u32 buffer;
	u32 inject;
	u32 link_delay;
	u32 route_delay;
	u32 inject_delay;
	u32 consume_delay;
	u32 credit_delay;
	u32 flits;		/* of a packet, and of the copy that a node gets */
	u32 packets;		/* of a message */
	u32 last_flits;		/* of a message's last packet */
	u32 span;		/* MCFAB_ENG_TAILS: channels from tail to header of a packet */
	u32 last_span;		/* of a message's last packet */
	u64 by_ports;		/* divisions by @ports, ..., see divide.h */
	u64 by_vcs;
	u64 by_inject;
	u32 nchans;
	u32 nvcs;
	u32 places;		/* where a packet may stay: slots of all VCs, injection channels */
	u32 nrecs;		/* numbers of records: one for each place, and a few more */
	u64 cycle;		/* the one that is being computed */
	bool store;		/* store-and-forward */
	bool tables;		/* packets follow tables and may be lost: MCFAB_POLICY_TABLE */
	bool paths;		/* flit by flit by the rules of paths.c alone */
	bool flights;		/* headers fly ahead, see flight.c: no records, no requests */
	bool lazy_credits;	/* a packet alone in its FIFO needs no credits */
	u8 counted;		/* MCFAB_ENTRY_COUNTED if packets count their flits that enter */
	bool release_sent;	/* a VC is free when the tail has crossed */
	bool packet_room;	/* a grant needs room for the whole packet */

	struct mcfab_rec *rec;	/* those in use are few and near each other, see rec.h */
	struct mcfab_front *front;
	u64 *history;		/* [nrecs] crossings of the last 64 cycles, long links only */
	u64 *stamp;		/* [nrecs] cycle of bit 0 of history */
	u32 *kids;		/* [nrecs] newest branch of a record (branch lists) */
	u32 *sibling;		/* [nrecs] branch of the same record granted before */
	u32 *len;		/* [nrecs] flits of the packet there, see mcfab_len() */
	u32 *strip;		/* [nrecs] flits to strip, see mcfab_strip() */
	u8 *ready;		/* [nrecs] lock-step: a branch could take a flit now
				 * (MCFAB_ENG_TREES: the header has left the record)
				 */
	struct mcfab_tree *tree; /* [nrecs] MCFAB_ENG_TREES only */
	struct mcfab_run *run;	/* [nrecs * mcfab_tree_runs()] likewise */
	u64 *begun;		/* [nrecs + copies] cycle an interval began, U64_MAX: not yet */
	u32 *after;		/* [nrecs + copies] next interval in its queue */
	u32 *pending;		/* [nrecs] intervals that read the record */
	u16 *ready_vcs;		/* [nchans] VCs that wait for the link */
	struct mcfab_copy *copy;
	u32 *copies;		/* [nrecs] newest copy of a record */
	struct mcfab_chan *inport; /* [nchans] VCs of the input port a channel leads to, then
				    * [nodes] injection channels (MCFAB_ENG_SHARED)
				    */
	struct mcfab_consumer *consumer; /* [routers] MCFAB_ENG_SHARED only */
	u32 *consumed;		/* [nvcs] next VC that the same node consumes from */
	u32 *owner;		/* [nvcs] if slots == 1, see mcfab_owner() */
	u32 *source;		/* by node and injection channel: its record, where somebody
				 * asks for it: MCFAB_ENG_SPEEDUP, several hosts on a switch
				 */
	u32 *came;		/* [nvcs] record whose header is at the front, as its router
				 * knows (MCFAB_ENG_SPEEDUP, MCFAB_ENG_SHARED)
				 */
	struct mcfab_track *track;	/* [nchans] with @flights, when the run begins, only */
	u32 *beyond;		/* [nchans] likewise: first channel of the router that a
				 * channel leads to, MCFAB_NONE: it leads nowhere
				 */
	struct mcfab_flight *flight;	/* [worms + 1] likewise */
	struct mcfab_door *door;	/* [nodes] likewise, MCFAB_ENG_SCARCE only */
	struct mcfab_fifo *fifo;	/* [nvcs] with MCFAB_ENG_CREDITS only */
	struct mcfab_chan *chan;	/* [nchans] if MCFAB_ENG_MULTI or MCFAB_ENG_SEPARABLE */
	struct mcfab_router *router;
	struct mcfab_node *node;
	struct mcfab_source *due; /* [nodes] first message that was not generated yet at the last
				   * look at source queues, see queues.c
				   */
	struct mcfab_port *port; /* by node and injection channel, MCFAB_ENG_PORTS only */
	u64 *link_free;		/* [nodes] MCFAB_ENG_SHARED only: cycle from which the next
				 * packet may start to leave
				 */
	struct mcfab_host *host;	/* [nodes] with MCFAB_ENG_HOST only */
	struct mcfab_use *use;	/* [nchans] */
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
	u32 max_dst;		/* entries of a plan's destination lists */
	size_t block_bytes;	/* plan memory of one message */
	u8 *blocks;		/* plan memory */
	struct mcfab_worm *worm;
	struct mcfab_mcast *mcast;
	struct mcfab_relay *relay;	/* steps of later senders */
	struct mcfab_relay *round;	/* further rounds */
	struct mcfab_host_times times;
	struct mcfab_job *job;
	struct mcfab_log *log;
	u32 log_reserve;	/* most deliveries of one cycle */

	u32 nshards;
	struct mcfab_shard *shard;
	u32 *shard_of_router;
	u32 *shard_of_node;
	struct mcfab_event *event;	/* [nodes] of all shards' agendas */
	u64 bytes;
	struct mem_cgroup *payer;	/* of the run's memory; held */

	struct mcfab_boundary boundary;

	/* a line each: threads write there, and read what is around */
	struct mcfab_pool block_pool;
	struct mcfab_pool worm_pool;
	struct mcfab_pool mcast_pool;
	struct mcfab_pool log_pool;
	struct mcfab_pool copy_pool;
	struct mcfab_pool relay_pool;	/* later senders: taken when moving */
	struct mcfab_pool round_pool;	/* further rounds: taken when granting */
	struct mcfab_pool job_pool;	/* MCFAB_ENG_HOST: taken when granting */

	/* links that fail, see fault.c */
	bool lossy;		/* some are dead, or were in this run */
	bool paused;		/* nothing is injected until no worm is under way */
	u32 routes;		/* counts the routings of this run, from 1 */
	u64 rescan;		/* cycle in which all requests are looked at */
	struct mcfab_updown *updown;	/* routing that the policy goes by; held */
	struct mcfab_updown *goal;	/* routing by what is dead now; held */
	struct mcfab_updown *request;	/* a change from outside, until it is seen; held */
	u32 nfaults;
	u32 fault;		/* next of @faults */
	u64 fault_due;		/* its cycle */
	struct {
		u64 cycle;
		struct mcfab_updown *updown;
	} faults[MCFAB_MAX_FAULTS];
};

/* flags of struct mcfab_engine */
#define MCFAB_ENG_MULTI		BIT(0)	/* several VCs share a channel */
#define MCFAB_ENG_LINKS		BIT(1)	/* links longer than one cycle */
#define MCFAB_ENG_CREDITS	BIT(2)	/* FIFOs of several packets, or slow credits */
#define MCFAB_ENG_LOCKSTEP	BIT(3)	/* branches move together */
#define MCFAB_ENG_SCARCE	BIT(4)	/* fewer consumption channels than incoming VCs */
#define MCFAB_ENG_PACKET	BIT(5)	/* packet-granular link arbitration */
#define MCFAB_ENG_SPEEDUP	BIT(6)	/* one VC of an input port crosses per cycle */
#define MCFAB_ENG_HEADERS	BIT(7)	/* headers of several flits */
#define MCFAB_ENG_LENGTHS	BIT(8)	/* a message's last packet is shorter */
#define MCFAB_ENG_WORM		BIT(9)	/* packets are moved as a whole, see crossing.c */
#define MCFAB_ENG_COPIES	BIT(10)	/* copies are objects of their own, see copies.c */
#define MCFAB_ENG_HOST		BIT(11)	/* nodes have hosts and network interfaces, see host.c */
#define MCFAB_ENG_TAILS		BIT(12)	/* events at heads and tails alone, see tails.c */
#define MCFAB_ENG_SHARED	BIT(13)	/* a node's channels share a flit per cycle each way */
#define MCFAB_ENG_SEPARABLE	BIT(14)	/* allocator separable; with MCFAB_ENG_SPEEDUP only */
#define MCFAB_ENG_TREES		BIT(15)	/* MCFAB_ENG_TAILS where worms branch, see trees.c */
#define MCFAB_ENG_PORTS		BIT(16)	/* hosts' ports are FIFOs, see port.c */
/* lists of branches */
#define MCFAB_ENG_BRANCHES	(MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SPEEDUP | MCFAB_ENG_TREES)

/* is there one thread? See counter.h. */
static inline bool mcfab_alone(const struct mcfab_engine *e)
{
	return e->nshards == 1;
}

static inline struct mcfab_block *mcfab_block(const struct mcfab_engine *e, u32 nr)
{
	return (struct mcfab_block *)(e->blocks + nr * e->block_bytes);
}

/* a step in a node's send queue, by its number there */
static inline struct mcfab_relay *mcfab_step(const struct mcfab_engine *e, u32 nr)
{
	return nr & MCFAB_ROUND ? &e->round[nr & ~MCFAB_ROUND] : &e->relay[nr];
}

static inline bool mcfab_rec_is_inject(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc >= e->nvcs;
}

static inline u32 mcfab_rec_vc(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc;
}

static inline u32 mcfab_vc_chan(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_divide(vc, e->by_vcs);
}

/* which of its channel's VCs a VC is */
static inline u32 mcfab_vc_lane(const struct mcfab_engine *e, u32 vc)
{
	return vc - mcfab_vc_chan(e, vc) * e->vcs;
}

/* router and output port of a channel */
static inline u32 mcfab_chan_from(const struct mcfab_engine *e, u32 chan)
{
	return mcfab_divide(chan, e->by_ports);
}

static inline u32 mcfab_chan_port(const struct mcfab_engine *e, u32 chan)
{
	return chan - mcfab_chan_from(e, chan) * e->ports;
}

/* record of the worm that a VC belongs to, or MCFAB_NO_REC */
static inline u32 mcfab_owner(const struct mcfab_engine *e, u32 vc)
{
	if (e->slots == 1)
		return e->owner[vc];
	return e->fifo[vc].owned ? e->fifo[vc].newest : MCFAB_NO_REC;
}

/* flits of a record that its FIFO does not count yet */
static inline u32 mcfab_rec_counts(const struct mcfab_rec *r)
{
	return r->entry & MCFAB_ENTRY_COUNTED ? r->sent : 0;
}

/* flits that ever entered a VC's FIFO, but for those that it never counts; context: boundary */
static inline u32 mcfab_fifo_entered(const struct mcfab_engine *e, u32 vc)
{
	return e->fifo[vc].entered + mcfab_rec_counts(&e->rec[mcfab_owner(e, vc)]);
}

/* record of the first packet in a VC's FIFO, or MCFAB_NO_REC */
static inline u32 mcfab_vc_front(const struct mcfab_engine *e, u32 vc)
{
	return e->slots == 1 ? e->owner[vc] : e->fifo[vc].oldest;
}

/* record of the packet behind another in a VC's FIFO, or MCFAB_NO_REC */
static inline u32 mcfab_vc_behind(const struct mcfab_engine *e, u32 vc, u32 rec)
{
	return e->slots == 1 || rec == e->fifo[vc].newest ? MCFAB_NO_REC : e->rec[rec].next;
}

/* what the letter of its VC's release names: with FIFOs of several packets the record goes on */
static inline u32 mcfab_release_of(const struct mcfab_engine *e, u32 rec)
{
	return e->slots == 1 ? rec : e->rec[rec].vc;
}

/* router at which a VC's flits arrive */
static inline u32 mcfab_vc_to(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_chan_from(e, e->topo->peer[mcfab_vc_chan(e, vc)]);
}

/* router that grants a VC */
static inline u32 mcfab_vc_from(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_chan_from(e, mcfab_vc_chan(e, vc));
}

/* cycle in which what is on a long link has come: the header, or the whole packet */
static inline u64 mcfab_flying_due(const struct mcfab_engine *e, u32 rec)
{
	return (e->store ? e->stamp[rec] : e->front[rec].since) + e->link_delay;
}

static inline u32 mcfab_rec_node(const struct mcfab_engine *e, u32 rec)
{
	return mcfab_divide(e->rec[rec].vc - e->nvcs, e->by_inject);
}

/* router at which a record's header asks */
static inline u32 mcfab_rec_router(const struct mcfab_engine *e, u32 rec)
{
	return mcfab_rec_is_inject(e, rec) ? e->topo->router[mcfab_rec_node(e, rec)] :
					     mcfab_vc_to(e, mcfab_rec_vc(e, rec));
}

/* the VC after @v in turns among @width */
static inline u32 mcfab_next_vc(u32 v, u32 width)
{
	return v + 1 < width ? v + 1 : 0;
}

/* which of its node's injection channels a record is of */
static inline u32 mcfab_rec_channel(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc - e->nvcs - mcfab_rec_node(e, rec) * e->inject;
}

static inline u32 mcfab_shard_end(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	return s->nr + 1 < e->nshards ? s[1].router : e->topo->routers;
}

/* the order of worms that does not depend on the threads */
static inline bool mcfab_worm_before(const struct mcfab_engine *e, const struct mcfab_worm *a,
				     const struct mcfab_worm *b)
{
	int order = mcfab_message_order(&e->mcast[a->mcast], &e->mcast[b->mcast]);

	if (order)
		return order < 0;
	return a->index != b->index ? a->index < b->index : a->packet < b->packet;
}

/* mail to who reads a VC's buffer */
static inline struct mcfab_mail *mcfab_mail_down(const struct mcfab_engine *e,
						 struct mcfab_shard *s, u32 vc)
{
	return mcfab_alone(e) ? s->mail : &s->mail[e->shard_of_router[mcfab_vc_to(e, vc)]];
}

/* mail to who grants a VC */
static inline struct mcfab_mail *mcfab_mail_up(const struct mcfab_engine *e,
					       struct mcfab_shard *s, u32 vc)
{
	return mcfab_alone(e) ? s->mail : &s->mail[e->shard_of_router[mcfab_vc_from(e, vc)]];
}

/* after the policy was asked about a header */
static inline void mcfab_breathe_asked(struct mcfab_shard *s)
{
	if (!(++s->asked % MCFAB_BREATH_ASKS))
		cond_resched();
}

/**
 * mcfab_router_touch() - look at a router's waiting requests in the next grant phase
 * @e: engine
 * @s: shard that owns @router
 * @router: the router
 *
 * Context: any phase; called in a grant phase before it scans, it is this one.
 */
static inline void mcfab_router_touch(struct mcfab_engine *e, struct mcfab_shard *s, u32 router)
{
	struct mcfab_router *r = &e->router[router];

	if (r->ask == MCFAB_NONE || r->touched)
		return;
	r->touched = true;
	s->touched[s->ntouched++] = router;
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

/* the last record of a worm is not in use any more */
static inline void mcfab_worm_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	/* no letter: there may be more than the box has room for */
	e->worm[worm].link = MCFAB_NONE;
	mcfab_queue_put(&s->ended, &e->worm[s->ended.tail].link, worm);
}

/* sizes.c */
void mcfab_sizes(struct mcfab_engine *e, const struct mcfab_run_cfg *run);

/** MCFAB_POOLS - pools of an engine */
#define MCFAB_POOLS	8

/* grow.c */
void mcfab_pools(struct mcfab_engine *e, struct mcfab_pool *pool[MCFAB_POOLS]);
int mcfab_pools_grow(struct mcfab_engine *e);

/* arrays.c */
u64 mcfab_arrays_bytes(struct mcfab_engine *e);
int mcfab_arrays_alloc(struct mcfab_engine *e);
int mcfab_arrays_grow(struct mcfab_engine *e, struct mcfab_pool *pool, u32 more);
void mcfab_arrays_free(struct mcfab_engine *e);
void mcfab_arrays_init(struct mcfab_engine *e);

/* touched.c */
u64 mcfab_touched(const struct mcfab_engine *e);

/* setup.c */
u64 mcfab_engine_bytes(const struct mcfab_fabric *fabric);
int mcfab_engine_open(struct mcfab_fabric *fabric, const struct mcfab_run_cfg *run,
		      struct mcfab_err *err);
void mcfab_engine_close(struct mcfab_engine *e);

/* grant.c, move.c, boundary.c: one cycle; advance.c: flits */
void mcfab_engine_grant(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_engine_move(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_shard_give_back(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_rec_drained(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr,
		       struct mcfab_rec *r);
void mcfab_rec_deliver(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
bool mcfab_engine_boundary(struct mcfab_engine *e);
bool mcfab_engine_alone(struct mcfab_engine *e, u32 cycles);

/* request.c: headers and grants */
u32 mcfab_header_rank(const struct mcfab_engine *e, u32 rec);
void mcfab_header_ask(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_routers_scan(struct mcfab_engine *e, struct mcfab_shard *s);

/* arbiter.c */
void mcfab_arbiter_own(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);
void mcfab_arbiter_disown(struct mcfab_engine *e, u32 chan);
void mcfab_arbiter_arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_arbiter_leave(struct mcfab_engine *e, u32 vc);
void mcfab_arbiter_consume(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_arbiter_choose(struct mcfab_engine *e, struct mcfab_shard *s);

void mcfab_round_robin(const struct mcfab_engine *e, struct mcfab_chan *c, u32 ready, u32 roomy);

/* copies.c */
u32 mcfab_copy_add(struct mcfab_engine *e, const struct mcfab_copy *copy);
void mcfab_copy_remove(struct mcfab_engine *e, u32 nr);
bool mcfab_consuming(const struct mcfab_engine *e, u32 nr, u32 node);

/* crossing.c */
bool mcfab_crossing_exact(const struct mcfab_engine *e, const char **why);
void mcfab_crossing_granted(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_crossing_offer(struct mcfab_engine *e, struct mcfab_shard *s, u32 chan);
void mcfab_crossing_choose(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_crossing_copy(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
void mcfab_crossing_move(struct mcfab_engine *e, struct mcfab_shard *s);
u64 mcfab_crossing_next(const struct mcfab_engine *e, const struct mcfab_shard *s);
u64 mcfab_crossing_rest(const struct mcfab_engine *e);
void mcfab_crossing_show(struct mcfab_engine *e);

/* tails.c */
bool mcfab_tails_exact(const struct mcfab_engine *e, const char **why);
bool mcfab_tails_branch(const struct mcfab_engine *e);
void mcfab_tails_move(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_tails_show(struct mcfab_engine *e);
u64 mcfab_tails_rest(const struct mcfab_engine *e);

/* runs of flits that are told apart, see struct mcfab_run */
static inline u32 mcfab_tree_runs(const struct mcfab_engine *e)
{
	return min(e->span + 1, MCFAB_MAX_RUNS);
}

static inline void mcfab_tree_init(struct mcfab_engine *e, u32 nr)
{
	e->tree[nr] = (struct mcfab_tree) { .root = MCFAB_NONE };
}

/* trees.c, tree_flits.c */
void mcfab_trees_move(struct mcfab_engine *e, struct mcfab_shard *s);
void mcfab_trees_show(struct mcfab_engine *e);
u64 mcfab_trees_rest(const struct mcfab_engine *e);

/* flight_rec.c */
void mcfab_flights_show(struct mcfab_engine *e);
void mcfab_flights_hide(struct mcfab_engine *e);

/*
 * Have the records say how many flits are where; they do if flits are moved one by one.
 * mcfab_hide_flits() is due before the next cycle.
 */
static inline void mcfab_show_flits(struct mcfab_engine *e)
{
	if (e->flights)
		mcfab_flights_show(e);
	if (e->flags & MCFAB_ENG_WORM)
		mcfab_crossing_show(e);
	else if (e->flags & MCFAB_ENG_TREES)
		mcfab_trees_show(e);
	else if (e->flags & MCFAB_ENG_TAILS)
		mcfab_tails_show(e);
}

static inline void mcfab_hide_flits(struct mcfab_engine *e)
{
	if (e->flights)
		mcfab_flights_hide(e);
}

/* no event is left: cycle in which flit by flit no more than that would be seen, or U64_MAX */
static inline u64 mcfab_flits_rest(struct mcfab_engine *e)
{
	u64 rest;

	if (e->flags & MCFAB_ENG_WORM)
		return mcfab_crossing_rest(e);
	if (e->flags & MCFAB_ENG_TREES)
		return mcfab_trees_rest(e);
	if (!(e->flags & MCFAB_ENG_TAILS))
		return U64_MAX;
	if (e->flights)
		mcfab_flights_show(e);
	rest = mcfab_tails_rest(e);
	mcfab_hide_flits(e);
	return rest;
}

/* node.c */
void mcfab_node_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_node_relay(struct mcfab_engine *e, struct mcfab_shard *s, u32 relay);
void mcfab_node_worm_end(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm);
void mcfab_node_injected(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec);
void mcfab_node_left(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 channel);
void mcfab_node_expect(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u64 gone);
bool mcfab_node_expects(const struct mcfab_engine *e, u32 nr);
void mcfab_node_progress(struct mcfab_engine *e, struct mcfab_shard *s, u32 mcast);
u32 mcfab_node_channel(struct mcfab_engine *e, u32 nr, u32 mcast, u32 index, u32 packet);
bool mcfab_node_inject(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr, u32 channel,
		       u32 mcast, u32 index, u32 packet, const u32 *part);

/* message.c */
void mcfab_node_skip(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
bool mcfab_node_message(struct mcfab_engine *e, struct mcfab_shard *s, u32 nr);
u32 mcfab_task_end(const struct mcfab_plan *plan, u32 first);

/* host.c */
void mcfab_host_step(struct mcfab_engine *e, struct mcfab_shard *s, u32 node);
void mcfab_host_init(struct mcfab_engine *e);
void mcfab_host_forget(struct mcfab_engine *e, u32 mcast);
void mcfab_host_use(const struct mcfab_engine *e, struct mcfab_ni_use *use);

/* deliver.c */
void mcfab_deliver(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_copy *copy);
void mcfab_deliver_host(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_job *job,
			u32 node);
u32 mcfab_next_step(struct mcfab_engine *e, u32 mcast, u32 worm, u32 node);

/* blame.c */
void mcfab_accuse(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_mcast *m,
		  const struct mcfab_blame *blame);
void mcfab_accuse_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 first,
			 const char *what);
const char *mcfab_broken(const struct mcfab_engine *e, char *text, size_t room);

/* boundary.c */
int mcfab_boundary_init(struct mcfab_engine *e, const struct mcfab_run_cfg *run);

/*
 * The last start-up of a message's source, as far as is known, was over at the end of cycle @at.
 * That may be long past: a node that waits for injection channels comes to it later.
 */
static inline void mcfab_message_ready(struct mcfab_engine *e, u32 mcast, u32 node, u64 at)
{
	struct mcfab_mcast *m = &e->mcast[mcast];

	if (m->source == node)
		m->ready = at - m->gen;
}

/* queues.c */
u64 mcfab_queues_interval(const struct mcfab_engine *e, u64 most);
u64 mcfab_queues_next(const struct mcfab_engine *e);
u32 mcfab_queues_longest(const struct mcfab_engine *e);
void mcfab_queues_look(struct mcfab_engine *e);

/* fault.c */
int mcfab_fault_open(struct mcfab_engine *e, const struct mcfab_run_cfg *run,
		     struct mcfab_err *err);
void mcfab_fault_close(struct mcfab_engine *e);
bool mcfab_fault_step(struct mcfab_engine *e);
void mcfab_fault_touch(struct mcfab_engine *e, struct mcfab_shard *s);
bool mcfab_fault_given_up(const struct mcfab_engine *e, struct mcfab_ask *ask, u32 router);
u32 mcfab_fault_left_out(const struct mcfab_decision *out, u32 count);
void mcfab_fault_lost(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count);
bool mcfab_fault_useless(const struct mcfab_engine *e, u32 node, const struct mcfab_mcast *m);
u32 mcfab_fault_reachable(struct mcfab_engine *e, u32 source, u32 *dst, u32 ndst);

/** mcfab_fault_due() - has mcfab_fault_step() anything to do? */
static inline bool mcfab_fault_due(const struct mcfab_engine *e)
{
	return READ_ONCE(e->request) || e->paused || e->cycle >= e->fault_due;
}

/* predict.c */
size_t mcfab_predict_bytes(const struct mcfab_engine *e);
int mcfab_predict(struct mcfab_engine *e, const struct mcfab_plan *plan,
		  struct mcfab_blame *blame);

/* flush.c */
void mcfab_flush(struct mcfab_engine *e, u64 watermark);
void mcfab_flush_incomplete(struct mcfab_engine *e);
u64 mcfab_watermark(const struct mcfab_engine *e);

/* channels.c */
void mcfab_channel_flits(const struct mcfab_engine *e, u64 *flits);
void mcfab_channels_begin(struct mcfab_engine *e);
void mcfab_channels_end(struct mcfab_engine *e);

/* stall.c */
bool mcfab_stall_walk(struct mcfab_engine *e, u64 oldest, u64 newest);

/* check.c */
const char *mcfab_check(const struct mcfab_engine *e, bool idle);

#endif
