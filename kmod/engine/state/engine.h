/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine: flits of worms move over virtual channels, cycle by cycle. It knows
 * no topology and no policy by name; it calls the policy once per message and
 * once per header.
 *
 * A cycle has two phases with a barrier behind each, then a boundary that one
 * thread runs alone:
 *
 *  grant (shard)  by the shard that owns the ROUTER: reads the events of the cycle
 *		   before, lets nodes send, asks the policy about new headers,
 *		   grants channels, chooses among VCs that share a channel;
 *  move (shard)   by the shard that owns the WORM (the shard of its sender): moves
 *		   its flits, from the head to the tail, over all channels it holds;
 *  boundary       pools, stopping, statistics, the choice of the next cycle.
 *
 * A shard tells another shard something by an event, which acts from the next phase
 * on. So results do not depend on the number of shards.
 */
#ifndef MCFAB_ENGINE_STATE_ENGINE_H
#define MCFAB_ENGINE_STATE_ENGINE_H

#include "stats/results.h"
#include "engine/state/boundary.h"
#include "engine/lib/breath.h"
#include "engine/state/channel.h"
#include "engine/state/credit.h"
#include "engine/state/engine_run.h"
#include "engine/state/faults.h"
#include "engine/state/flight.h"
#include "engine/state/host.h"
#include "engine/state/interval.h"
#include "engine/state/mode.h"
#include "engine/state/node.h"
#include "engine/state/outside.h"
#include "engine/state/port.h"
#include "engine/lib/pool.h"
#include "engine/state/router_cfg.h"
#include "engine/state/row.h"
#include "engine/state/shard.h"
#include "engine/state/tree.h"
#include "engine/state/worm.h"
#include "updown/updown.h"
#include "workload/workload.h"

/* State of a network during a run. Arrays are made in arrays.c, each where its rule is on. */
struct mcfab_engine {
	/* constant during a run */
	const struct mcfab_fabric_cfg *cfg;
	const struct mcfab_topo *topo;
	struct mcfab_policy *pol;
	struct mcfab_results *results;
	u32 id;			/* number of the fabric, and of its namespace: for tracepoints */
	u32 netns;
	struct mcfab_router_cfg hw;
	struct mcfab_engine_run run;
	u32 layout;		/* rules for which memory was taken */

	/* constant but when a mode is left */
	const struct mcfab_mode *mode;	/* how flits, heads and tails, or packets are moved */
	u32 flags;		/* MCFAB_ENG_*: rules beyond the simplest, and the mode's flags */

	u64 cycle;		/* the cycle that is being computed */

	/* records, in all modes but flight: few are in use, near each other, see rec.h */
	struct mcfab_rec *rec;	/* [nrecs], as the arrays below */
	struct mcfab_head *head;
	struct mcfab_wire *wire;	/* MCFAB_ENG_LINKS only */
	u32 *children;		/* newest branch of a record (MCFAB_ENG_BRANCHES) */
	u32 *sibling;		/* branch of the same record granted before */
	u8 *ready;		/* lock-step: a branch could take a flit now
				 * (MCFAB_ENG_TREES: the header has left the record)
				 */
	u32 *len;		/* flits of the packet there, see mcfab_len() */
	u32 *strip;		/* flits to strip, see mcfab_strip() */
	struct mcfab_links *links; /* of the path up to the record (MCFAB_ENG_UNEVEN) */
	u32 *copies;		/* newest copy of a record (MCFAB_ENG_COPIES) */
	struct mcfab_copy *copy;

	/* virtual channels */
	u32 *owner;		/* [nvcs] if slots == 1, see mcfab_owner() */
	struct mcfab_fifo *fifo;	/* [nvcs] with MCFAB_ENG_CREDITS only */
	u32 *source;		/* by node and injection channel: its record; only with
				 * MCFAB_ENG_SPEEDUP, or with several hosts on a switch
				 */
	struct mcfab_port *port; /* by node and injection channel, MCFAB_ENG_PORTS only */

	/* requests and switch allocation */
	struct mcfab_router *router;
	struct mcfab_chan *chan;	/* [nchans] if MCFAB_ENG_MULTI or MCFAB_ENG_SEPARABLE */
	struct mcfab_chan *inport; /* [nchans] VCs of the input port a channel leads to, then
				    * [nodes] injection channels (MCFAB_ENG_SHARED)
				    */
	struct mcfab_consumer *consumer; /* [routers] MCFAB_ENG_SHARED only */
	u32 *consumed;		/* [nvcs] next VC that the same node consumes from */
	u32 *came;		/* [nvcs] record whose header has come to the front, for the
				 * router (MCFAB_ENG_SPEEDUP, MCFAB_ENG_SHARED)
				 */
	u64 *link_free;		/* [nodes] MCFAB_ENG_SHARED: when the next packet may leave */
	struct mcfab_slow_port *slow_port; /* like @port, MCFAB_ENG_RATES only */
	struct mcfab_tap *tap;	/* [nodes * consume] consumption channels, MCFAB_ENG_RATES only */
	u64 *next_flit;		/* [nchans] MCFAB_ENG_RATES: when it may take its next flit */

	/* what one mode or rule alone owns */
	struct mcfab_intervals intervals;	/* packet */
	struct mcfab_flights flights;		/* flight */
	struct mcfab_trees trees;		/* tree-tail */
	struct mcfab_rows rows;			/* row */
	struct mcfab_hosts hosts;		/* MCFAB_ENG_HOST */
	struct mcfab_faults faults;		/* links that fail */
	struct mcfab_outsides outside;		/* messages from outside */

	/* nodes, and messages under way */
	struct mcfab_node *node;
	struct mcfab_workload work;
	struct mcfab_source *part; /* [nodes * classes of traffic] next message of each class */
	struct mcfab_source *due; /* [nodes] first message that was not generated yet at the last
				   * look at source queues, see queues.c
				   */
	struct mcfab_source *due_part;	/* [nodes * classes of traffic] likewise */
	u32 *sent_before;	/* [nodes] messages taken before the measuring window */
	u8 *blocks;		/* plan memory */
	struct mcfab_worm *worm;
	u32 *trail;		/* [worms * MCFAB_TRAIL] records that each worm was granted */
	struct mcfab_mcast *mcast;
	struct mcfab_relay *relay;	/* steps of later senders */
	struct mcfab_relay *round;	/* further rounds */
	struct mcfab_log *log;

	/* counters */
	struct mcfab_use *use;	/* [nchans] */
	u64 *window_base;	/* [nchans] flits at the start of the measuring window */

	/* threads */
	u32 nshards;
	struct mcfab_shard *shard;
	u32 *shard_of_router;
	u32 *shard_of_node;
	struct mcfab_timer *timer;	/* [nodes] of all shards' timers */

	struct mcfab_chosen chosen;	/* the mode, and the reason against each faster mode */
	u64 bytes;
	struct mem_cgroup *payer;	/* of the run's memory; held */
	struct mcfab_boundary boundary;

	/* a line each: threads write pools, and read the fields around them */
	struct mcfab_pool block_pool;
	struct mcfab_pool worm_pool;
	struct mcfab_pool mcast_pool;
	struct mcfab_pool log_pool;
	struct mcfab_pool copy_pool;
	struct mcfab_pool relay_pool;	/* later senders: taken when moving */
	struct mcfab_pool round_pool;	/* further rounds: taken when granting */
	struct mcfab_pool job_pool;	/* MCFAB_ENG_HOST: taken when granting */
};

/* flags of struct mcfab_engine */
#define MCFAB_ENG_MULTI		BIT(0)	/* several VCs share a channel */
#define MCFAB_ENG_LINKS		BIT(1)	/* links longer than one cycle, some of them or all */
#define MCFAB_ENG_CREDITS	BIT(2)	/* FIFOs of several packets, or slow credits */
#define MCFAB_ENG_LOCKSTEP	BIT(3)	/* branches move together */
#define MCFAB_ENG_SCARCE	BIT(4)	/* copies may wait for consumption channels, or memory */
#define MCFAB_ENG_PACKET	BIT(5)	/* packet-granular link arbitration */
#define MCFAB_ENG_SPEEDUP	BIT(6)	/* one VC of an input port crosses per cycle */
#define MCFAB_ENG_HEADERS	BIT(7)	/* headers of several flits */
#define MCFAB_ENG_LENGTHS	BIT(8)	/* packets differ in length */
#define MCFAB_ENG_WORM		BIT(9)	/* packets are moved as a whole, see crossing.c */
#define MCFAB_ENG_COPIES	BIT(10)	/* copies are objects of their own, see copies.c */
#define MCFAB_ENG_HOST		BIT(11)	/* nodes have hosts and network interfaces, see host.c */
#define MCFAB_ENG_TAILS		BIT(12)	/* only heads and tails are events, see tails.c */
#define MCFAB_ENG_SHARED	BIT(13)	/* a node's channels share a flit per cycle each way */
#define MCFAB_ENG_SEPARABLE	BIT(14)	/* allocators but oldest; with MCFAB_ENG_SPEEDUP only */
#define MCFAB_ENG_TREES		BIT(15)	/* MCFAB_ENG_TAILS where worms branch, see trees.c */
#define MCFAB_ENG_PORTS		BIT(16)	/* hosts' ports are FIFOs, see port.c */
#define MCFAB_ENG_FLIGHTS	BIT(17)	/* headers fly ahead, see flight.c: no records */
#define MCFAB_ENG_PATHS		BIT(18)	/* worms are paths, by the rules of paths.c alone */
#define MCFAB_ENG_UNEVEN	BIT(19)	/* links have delays or rates of their own */
#define MCFAB_ENG_RATES		BIT(20)	/* some links do not take a flit in every cycle */
#define MCFAB_ENG_MEMORY	BIT(21)	/* NIs have room for so many packets to be sent on */
#define MCFAB_ENG_HOLDS		BIT(22)	/* nodes may be full: nothing comes to them meanwhile */
#define MCFAB_ENG_BOOKSIM	BIT(23)	/* those of router booksim and no more, see separable.c */
#define MCFAB_ENG_STAMPS	BIT(24)	/* MCFAB_ENG_CREDITS without events, see credit.h */
#define MCFAB_ENG_FAR		BIT(25)	/* records are in no cache: prefetch, see mode.c */
#define MCFAB_ENG_CRUISE	BIT(26)	/* worms that meet no other one: cruise/cruise.h */
#define MCFAB_ENG_ROWS		BIT(28)	/* worms' flits are bits of words, see flit/rows.h */
#define MCFAB_ENG_WIDE		BIT(29)	/* ... of several words */
#define MCFAB_ENG_PASSING	BIT(31)	/* ... of packets that nodes copy in passing */
#define MCFAB_ENG_HOPS		BIT(30)	/* packets of one flit are in one place, see state/hop.h */
#define MCFAB_ENG_FIFOS		BIT(27)	/* never in @flags: slots > 1, and lazy_credits or STAMPS */

/* the rules with MCFAB_ENG_BOOKSIM, beside MCFAB_ENG_MULTI and MCFAB_ENG_SCARCE */
#define MCFAB_BOOKSIM_RULES	(MCFAB_ENG_BOOKSIM | MCFAB_ENG_LINKS | MCFAB_ENG_CREDITS | \
				 MCFAB_ENG_SPEEDUP | MCFAB_ENG_SHARED | MCFAB_ENG_SEPARABLE | \
				 MCFAB_ENG_STAMPS)

/* lists of branches */
#define MCFAB_ENG_BRANCHES	(MCFAB_ENG_LOCKSTEP | MCFAB_ENG_SPEEDUP | MCFAB_ENG_TREES)

/* is there one thread? See counter.h. */
static inline bool mcfab_alone(const struct mcfab_engine *e)
{
	return e->nshards == 1;
}

static inline struct mcfab_block *mcfab_block(const struct mcfab_engine *e, u32 nr)
{
	return (struct mcfab_block *)(e->blocks + nr * e->run.block_bytes);
}

/* a step in a node's send queue, by its number there */
static inline struct mcfab_relay *mcfab_step(const struct mcfab_engine *e, u32 nr)
{
	return nr & MCFAB_ROUND ? &e->round[nr & ~MCFAB_ROUND] : &e->relay[nr];
}

static inline bool mcfab_rec_is_inject(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc >= e->hw.nvcs;
}

static inline u32 mcfab_rec_vc(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc;
}

static inline u32 mcfab_vc_chan(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_divide(vc, e->hw.by_vcs);
}

/* which of its channel's VCs a VC is */
static inline u32 mcfab_vc_index(const struct mcfab_engine *e, u32 vc)
{
	return vc - mcfab_vc_chan(e, vc) * e->hw.vcs;
}

/* router and output port of a channel */
static inline u32 mcfab_chan_from(const struct mcfab_engine *e, u32 chan)
{
	return mcfab_divide(chan, e->hw.by_ports);
}

static inline u32 mcfab_chan_port(const struct mcfab_engine *e, u32 chan)
{
	return chan - mcfab_chan_from(e, chan) * e->hw.ports;
}

/* record of the worm to which a VC belongs, or MCFAB_NO_REC */
static inline u32 mcfab_owner(const struct mcfab_engine *e, u32 vc)
{
	if (e->hw.slots == 1)
		return e->owner[vc];
	return e->fifo[vc].owned ? e->fifo[vc].newest : MCFAB_NO_REC;
}

/* flits of a record that its FIFO does not count yet */
static inline u32 mcfab_rec_counts(const struct mcfab_rec *r)
{
	return r->entry & MCFAB_ENTRY_COUNTED ? r->sent : 0;
}

/*
 * MCFAB_ENG_STAMPS: is there room in a FIFO for one more flit, as far as the upstream router knows?
 * @entered: flits that have ever entered it. Mostly there is room, or none, whatever credits are
 * under way.
 */
static __always_inline bool mcfab_fifo_roomy(const struct mcfab_engine *e,
					     const struct mcfab_fifo *fifo, u32 entered)
{
	u64 word = READ_ONCE(fifo->credits);
	u32 left = (u16)(entered - word), unseen = e->hw.credit_delay;

	if (left + unseen < e->hw.buffer)
		return true;
	if (left >= e->hw.buffer)
		return false;
	return (u16)(entered - mcfab_credit_seen(word, e->cycle, unseen)) < e->hw.buffer;
}

/*
 * Flits in a FIFO, or on the link to it, as the upstream router knows, but for flits that the FIFO
 * never counts; context: boundary.
 */
static inline u32 mcfab_vc_taken(const struct mcfab_engine *e, u32 vc)
{
	const struct mcfab_fifo *fifo = &e->fifo[vc];
	u32 entered = fifo->entered + mcfab_rec_counts(&e->rec[mcfab_owner(e, vc)]);

	if (!(e->flags & MCFAB_ENG_STAMPS))
		return entered - fifo->departed;
	return (u16)(entered - mcfab_credit_seen(fifo->credits, e->cycle, e->hw.credit_delay));
}

/* record of the first packet in a VC's FIFO, or MCFAB_NO_REC */
static inline u32 mcfab_vc_front(const struct mcfab_engine *e, u32 vc)
{
	return e->hw.slots == 1 ? e->owner[vc] : e->fifo[vc].oldest;
}

/* record of the packet behind another in a VC's FIFO, or MCFAB_NO_REC */
static inline u32 mcfab_vc_behind(const struct mcfab_engine *e, u32 vc, u32 rec)
{
	return e->hw.slots == 1 || rec == e->fifo[vc].newest ? MCFAB_NO_REC :
								     e->rec[rec].behind;
}

/* payload of MCFAB_EVENT_RELEASE: the record, or its VC where FIFOs hold several packets */
static inline u32 mcfab_release_of(const struct mcfab_engine *e, u32 rec)
{
	return e->hw.slots == 1 ? rec : e->rec[rec].vc;
}

/* streams of a node's classes of traffic, for mcfab_stream_next(); of no meaning without classes */
static inline struct mcfab_source *mcfab_parts(const struct mcfab_engine *e, u32 node)
{
	return e->part + node * e->work.nclasses;
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

/* cycles of a flit on the link of a VC */
static inline u32 mcfab_link_delay(const struct mcfab_engine *e, u32 vc)
{
	if (!(e->flags & MCFAB_ENG_UNEVEN))
		return e->hw.link_delay;
	return e->hw.link_delay + mcfab_topo_extra(e->topo, mcfab_vc_chan(e, vc));
}

/*
 * Cycles of a credit on its way back over the link of a VC: a longer link takes a credit as many
 * more cycles as it takes a flit. Without a credit-delay room is seen at once, by all links.
 */
static inline u32 mcfab_link_credit(const struct mcfab_engine *e, u32 delay)
{
	if (!e->cfg->credit_delay)
		return 0;
	return max_t(s32, e->cfg->credit_delay + delay - e->hw.link_delay, 1);
}

/* cycle in which the header (store-and-forward: the whole packet) has come over a long link */
static inline u64 mcfab_flying_due(const struct mcfab_engine *e, u32 rec)
{
	return (e->hw.store ? e->head[rec].due : e->head[rec].crossed) +
	       mcfab_link_delay(e, mcfab_rec_vc(e, rec));
}

static inline u32 mcfab_rec_node(const struct mcfab_engine *e, u32 rec)
{
	return mcfab_divide(e->rec[rec].vc - e->hw.nvcs, e->hw.by_inject);
}

/* router at which a record's header makes its request */
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

/* injection channel of a source's record, counted within its node */
static inline u32 mcfab_rec_channel(const struct mcfab_engine *e, u32 rec)
{
	return e->rec[rec].vc - e->hw.nvcs - mcfab_rec_node(e, rec) * e->hw.inject;
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
 * Context: any phase; in a grant phase before the scan, the router is scanned in this phase.
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

/* a worm's flits may move from now on; by the shard that moves it */
static inline void mcfab_worm_activate(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	if (e->worm[worm].active)
		return;
	e->worm[worm].active = true;
	s->active[s->nactive++] = worm;
}

/* the last record of a worm is not in use any more */
static inline void mcfab_worm_over(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	/* a list, no event: the outbox has no room for so many */
	e->worm[worm].next_ended = MCFAB_NONE;
	mcfab_queue_put(&s->ended, &e->worm[s->ended.tail].next_ended, worm);
}

/* most stretches that a record notes, see struct mcfab_stretch */
static inline u32 mcfab_tree_stretches(const struct mcfab_engine *e)
{
	return min(e->run.span + 1, MCFAB_MAX_STRETCHES);
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
void mcfab_accuse_no_way(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 first);
const char *mcfab_broken(const struct mcfab_engine *e, char *text, size_t room);

#endif
