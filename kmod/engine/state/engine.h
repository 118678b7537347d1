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
 * Everything that crosses from one shard to another goes by events and acts from
 * the next phase on, so that results do not depend on how many shards there are.
 */
#ifndef MCFAB_ENGINE_STATE_ENGINE_H
#define MCFAB_ENGINE_STATE_ENGINE_H

#include "stats/results.h"
#include "engine/state/boundary.h"
#include "engine/lib/breath.h"
#include "engine/state/channel.h"
#include "engine/lib/divide.h"
#include "engine/state/flight.h"
#include "engine/state/host.h"
#include "engine/state/mode.h"
#include "engine/state/node.h"
#include "engine/state/port.h"
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
	const struct mcfab_fabric_cfg *cfg;
	const struct mcfab_topo *topo;
	struct mcfab_policy *pol;
	struct mcfab_results *results;
	u32 id;			/* of the fabric and of its namespace, for tracepoints */
	u32 netns;
	const struct mcfab_mode *mode;	/* how what is under way is moved */
	const struct mcfab_allocator *allocator;	/* of its routers */
	u32 flags;		/* MCFAB_ENG_*: rules beyond the simplest, and the mode's */
	u32 layout;		/* the same as they were when memory was taken */
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
	bool may_fail;		/* there is up*-down* routing: links may fail */
	bool branching;		/* worms are more than paths, see worms_branch() */
	bool tables;		/* packets follow tables and may be lost: MCFAB_POLICY_TABLE */
	bool lazy_credits;	/* a packet alone in its FIFO needs no credits */
	u8 counted;		/* MCFAB_ENTRY_COUNTED if packets count their flits that enter */
	bool release_sent;	/* a VC is free when the tail has crossed */
	bool packet_room;	/* a grant needs room for the whole packet */

	struct mcfab_rec *rec;	/* those in use are few and near each other, see rec.h */
	struct mcfab_head *head;
	u64 *history;		/* [nrecs] crossings of the last 64 cycles, long links only */
	u64 *stamp;		/* [nrecs] cycle of bit 0 of history */
	u32 *children;		/* [nrecs] newest branch of a record (branch lists) */
	u32 *sibling;		/* [nrecs] branch of the same record granted before */
	u32 *len;		/* [nrecs] flits of the packet there, see mcfab_len() */
	u32 *strip;		/* [nrecs] flits to strip, see mcfab_strip() */
	u8 *ready;		/* [nrecs] lock-step: a branch could take a flit now
				 * (MCFAB_ENG_TREES: the header has left the record)
				 */
	struct mcfab_tree *tree; /* [nrecs] MCFAB_ENG_TREES only */
	struct mcfab_stretch *stretch;	/* [nrecs * mcfab_tree_stretches()] likewise */
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
	u32 prep_relay;
	u32 startup;
	enum mcfab_rounds_mode rounds;
	enum mcfab_node_busy_mode busy;
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
	struct mcfab_timer *timer;	/* [nodes] of all shards' timers */
	struct mcfab_chosen chosen;	/* the mode, and why it is none that is faster */
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
	struct mcfab_updown *change;	/* a change from outside, until it is seen; held */
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
#define MCFAB_ENG_SEPARABLE	BIT(14)	/* allocators but oldest; with MCFAB_ENG_SPEEDUP only */
#define MCFAB_ENG_TREES		BIT(15)	/* MCFAB_ENG_TAILS where worms branch, see trees.c */
#define MCFAB_ENG_PORTS		BIT(16)	/* hosts' ports are FIFOs, see port.c */
#define MCFAB_ENG_FLIGHTS	BIT(17)	/* headers fly ahead, see flight.c: no records */
#define MCFAB_ENG_PATHS		BIT(18)	/* flit by flit by the rules of paths.c alone */
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
static inline u32 mcfab_vc_index(const struct mcfab_engine *e, u32 vc)
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

/* what the event of its VC's release names: with FIFOs of several packets the record goes on */
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
	return (e->store ? e->stamp[rec] : e->head[rec].since) + e->link_delay;
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

/* outbox to the shard that reads a VC's buffer */
static inline struct mcfab_outbox *mcfab_outbox_down(const struct mcfab_engine *e,
						     struct mcfab_shard *s, u32 vc)
{
	return mcfab_alone(e) ? s->outbox : &s->outbox[e->shard_of_router[mcfab_vc_to(e, vc)]];
}

/* outbox to the shard that grants a VC */
static inline struct mcfab_outbox *mcfab_outbox_up(const struct mcfab_engine *e,
						   struct mcfab_shard *s, u32 vc)
{
	return mcfab_alone(e) ? s->outbox : &s->outbox[e->shard_of_router[mcfab_vc_from(e, vc)]];
}

/* after the policy was asked about a header */
static inline void mcfab_breathe_asked(struct mcfab_shard *s)
{
	if (!(++s->asked % MCFAB_BREATH_ASKS))
		cond_resched();
}

/**
 * mcfab_router_mark() - look at a router's waiting requests in the next grant phase
 * @e: engine
 * @s: shard that owns @router
 * @router: the router
 *
 * Context: any phase; called in a grant phase before it scans, it is this one.
 */
static inline void mcfab_router_mark(struct mcfab_engine *e, struct mcfab_shard *s, u32 router)
{
	struct mcfab_router *r = &e->router[router];

	if (r->oldest == MCFAB_NONE || r->marked)
		return;
	r->marked = true;
	s->marked[s->nmarked++] = router;
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
	/* no event: there may be more than the outbox has room for */
	e->worm[worm].link = MCFAB_NONE;
	mcfab_queue_put(&s->ended, &e->worm[s->ended.tail].link, worm);
}

/* runs of flits that are told apart, see struct mcfab_stretch */
static inline u32 mcfab_tree_stretches(const struct mcfab_engine *e)
{
	return min(e->span + 1, MCFAB_MAX_STRETCHES);
}

static inline void mcfab_tree_init(struct mcfab_engine *e, u32 nr)
{
	e->tree[nr] = (struct mcfab_tree) { .root = MCFAB_NONE };
}

/* give_back.c */
void mcfab_shard_give_back(struct mcfab_engine *e, struct mcfab_shard *s);

/* copies.c */
u32 mcfab_copy_add(struct mcfab_engine *e, const struct mcfab_copy *copy);
void mcfab_copy_remove(struct mcfab_engine *e, u32 nr);
bool mcfab_consuming(const struct mcfab_engine *e, u32 nr, u32 node);

/* blame.c */
void mcfab_accuse(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_mcast *m,
		  const struct mcfab_blame *blame);
void mcfab_accuse_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 first,
			 const char *what);
const char *mcfab_broken(const struct mcfab_engine *e, char *text, size_t room);

#endif
