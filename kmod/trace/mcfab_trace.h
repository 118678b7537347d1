/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoints mcfab:*, a worm's life (see Documentation/tracing.md).
 *
 * A call site passes an engine and the number of a record. The tracepoint computes the rest,
 * and only when its event is on. In LONE runs cycles count from the generation of the
 * multicast, as in statistics.
 *
 * The engine calls tracepoints by trace/trace.h, which the user-space build has, too.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mcfab

#if !defined(MCFAB_TRACE_MCFAB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define MCFAB_TRACE_MCFAB_TRACE_H

#include <linux/tracepoint.h>

#include "trace/where.h"

/* trace.c: each makes several events; call the first only if trace_mcfab_block_enabled() */
void mcfab_trace_block(const struct mcfab_engine *e, const struct mcfab_request *req, u32 router);
void mcfab_trace_deadlock(const struct mcfab_engine *e, const struct mcfab_deadlock *d);

/* Every event begins with these fields ... */
#define MCFAB_FABRIC_ENTRY						\
	PARAMS(__field(u64, cycle)					\
	       __string(fabric, e->cfg->name)			\
	       __field(u32, id)						\
	       __field(u32, netns))
#define MCFAB_FABRIC_ASSIGN						\
	do {								\
		__entry->cycle = mcfab_trace_cycle(e, e->cycle);	\
		__assign_str(fabric);					\
		__entry->id = e->id;				\
		__entry->netns = e->netns;			\
	} while (0)
#define MCFAB_FABRIC_FMT	"fabric=%s id=%u cycle=%llu"
#define MCFAB_FABRIC_ARG						\
	PARAMS(__get_str(fabric), __entry->id, __entry->cycle)

/* ... then the message, by its key ... */
#define MCFAB_MSG_ENTRY							\
	PARAMS(__field(u64, gen)					\
	       MCFAB_FABRIC_ENTRY					\
	       __field(u32, source)					\
	       __field(u32, seq))
#define MCFAB_MSG_ASSIGN(gen_, source_, seq_)				\
	do {								\
		MCFAB_FABRIC_ASSIGN;					\
		__entry->gen = mcfab_trace_cycle(e, gen_);		\
		__entry->source = source_;				\
		__entry->seq = seq_;					\
	} while (0)
#define MCFAB_MSG_FMT		MCFAB_FABRIC_FMT " gen=%llu source=%u seq=%u"
#define MCFAB_MSG_ARG							\
	PARAMS(MCFAB_FABRIC_ARG, __entry->gen, __entry->source, __entry->seq)

/* ... then the worm, by its index in the plan ... */
#define MCFAB_WORM_ENTRY	PARAMS(MCFAB_MSG_ENTRY __field(u32, worm))
#define MCFAB_WORM_ASSIGN(worm_)					\
	do {								\
		const struct mcfab_worm *wm_ = &e->worm[worm_];		\
		const struct mcfab_mcast *m_ = &e->mcast[wm_->mcast];	\
									\
		MCFAB_MSG_ASSIGN(m_->gen, m_->source, m_->seq);		\
		__entry->worm = wm_->index;				\
	} while (0)
#define MCFAB_WORM_FMT		MCFAB_MSG_FMT " worm=%u"
#define MCFAB_WORM_ARG		PARAMS(MCFAB_MSG_ARG, __entry->worm)

/* ... then the place: a router, its input or output port, a virtual channel. */
#define MCFAB_WHERE_ENTRY						\
	PARAMS(__field(u32, router)					\
	       __field(s32, port)					\
	       __field(u32, vc)						\
	       __array(char, dir, MCFAB_DIR_LEN))
#define MCFAB_WHERE_ASSIGN(where_)					\
	do {								\
		const struct mcfab_where w_ = where_;			\
									\
		__entry->router = w_.router;				\
		__entry->port = w_.port;				\
		__entry->vc = w_.vc;					\
		mcfab_trace_dir(e, &w_, __entry->dir);			\
	} while (0)
#define MCFAB_WHERE_FMT		" router=%u port=%d dir=%s vc=%u"
#define MCFAB_WHERE_ARG							\
	PARAMS(__entry->router, __entry->port, __entry->dir, __entry->vc)

/* The worm that holds the channel for which another worm waits; -1: no worm holds it. */
#define MCFAB_HOLDER_ENTRY						\
	PARAMS(__field(u64, holder_gen)					\
	       __field(s32, holder_source)				\
	       __field(u32, holder_seq)					\
	       __field(s32, holder_worm))
#define MCFAB_HOLDER_ASSIGN(holder_)					\
	do {								\
		const struct mcfab_holder h_ = holder_;			\
									\
		__entry->holder_gen = h_.gen;				\
		__entry->holder_source = h_.source;			\
		__entry->holder_seq = h_.seq;				\
		__entry->holder_worm = h_.worm;				\
	} while (0)
#define MCFAB_HOLDER_FMT						\
	" holder_gen=%llu holder_source=%d holder_seq=%u holder_worm=%d"
#define MCFAB_HOLDER_ARG						\
	PARAMS(__entry->holder_gen, __entry->holder_source,		\
	       __entry->holder_seq, __entry->holder_worm)

/* Names of values; TRACE_DEFINE_ENUM has the values for tools that read the binary events. */
#define MCFAB_TRACE_WORKLOADS						\
	PARAMS({ MCFAB_WORKLOAD_TYPE_LONE, "lone" },					\
	       { MCFAB_WORKLOAD_TYPE_POISSON, "poisson" },				\
	       { MCFAB_WORKLOAD_TYPE_FIXED, "fixed" },				\
	       { MCFAB_WORKLOAD_TYPE_BURST, "burst" },				\
	       { MCFAB_WORKLOAD_TYPE_FILE, "file" },				\
	       { MCFAB_WORKLOAD_TYPE_BERNOULLI, "bernoulli" },			\
	       { MCFAB_WORKLOAD_TYPE_ON_OFF, "on-off" },			\
	       { MCFAB_WORKLOAD_TYPE_PORTS, "ports" })
#define MCFAB_TRACE_DROPS						\
	PARAMS({ MCFAB_DROP_NO_ENTRY, "no-entry" },			\
	       { MCFAB_DROP_DEAD_PORT, "dead-port" },			\
	       { MCFAB_DROP_LOOP, "loop" },				\
	       { MCFAB_DROP_STRAY, "stray" },				\
	       { MCFAB_DROP_DUPLICATE, "duplicate" },			\
	       { MCFAB_DROP_LINK, "link" },				\
	       { MCFAB_DROP_DEADLOCK, "deadlock" })
#define MCFAB_TRACE_STATES						\
	PARAMS({ MCFAB_RUN_STATUS_IDLE, "idle" },				\
	       { MCFAB_RUN_STATUS_RUNNING, "running" },			\
	       { MCFAB_RUN_STATUS_DONE, "done" },				\
	       { MCFAB_RUN_STATUS_SATURATED, "saturated" },			\
	       { MCFAB_RUN_STATUS_DEADLOCKED, "deadlocked" },			\
	       { MCFAB_RUN_STATUS_STOPPED, "stopped" },			\
	       { MCFAB_RUN_STATUS_FAILED, "failed" },				\
	       { MCFAB_RUN_STATUS_CUT, "cut" })

TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_LONE);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_POISSON);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_FIXED);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_BURST);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_FILE);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_BERNOULLI);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_ON_OFF);
TRACE_DEFINE_ENUM(MCFAB_WORKLOAD_TYPE_PORTS);
TRACE_DEFINE_ENUM(MCFAB_DROP_NO_ENTRY);
TRACE_DEFINE_ENUM(MCFAB_DROP_DEAD_PORT);
TRACE_DEFINE_ENUM(MCFAB_DROP_LOOP);
TRACE_DEFINE_ENUM(MCFAB_DROP_STRAY);
TRACE_DEFINE_ENUM(MCFAB_DROP_DUPLICATE);
TRACE_DEFINE_ENUM(MCFAB_DROP_LINK);
TRACE_DEFINE_ENUM(MCFAB_DROP_DEADLOCK);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_IDLE);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_RUNNING);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_DONE);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_SATURATED);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_DEADLOCKED);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_STOPPED);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_FAILED);
TRACE_DEFINE_ENUM(MCFAB_RUN_STATUS_CUT);

/* A run begins. */
TRACE_EVENT(mcfab_run_start,
	    TP_PROTO(const struct mcfab_engine *e),
	    TP_ARGS(e),
	    TP_STRUCT__entry(MCFAB_FABRIC_ENTRY
			     __string(policy, e->results->run.policy)
			     __field(u32, run)
			     __field(u32, workload)
			     __field(u32, flits)
			     __field(u32, nodes)
			     __field(u32, shards)),
	    TP_fast_assign(MCFAB_FABRIC_ASSIGN;
			   __entry->cycle = 0;
			   __assign_str(policy);
			   __entry->run = e->results->progress.run;
			   __entry->workload = e->results->run.workload.kind;
			   __entry->flits = e->run.message;
			   __entry->nodes = e->topo->nodes;
			   __entry->shards = e->nshards;),
	    TP_printk(MCFAB_FABRIC_FMT
		      " run=%u policy=%s workload=%s flits=%u nodes=%u shards=%u netns=%u",
		      MCFAB_FABRIC_ARG, __entry->run, __get_str(policy),
		      __print_symbolic(__entry->workload, MCFAB_TRACE_WORKLOADS),
		      __entry->flits, __entry->nodes, __entry->shards, __entry->netns)
);

/* A run has ended; the cycle is the end cycle of its results. */
TRACE_EVENT(mcfab_run_end,
	    TP_PROTO(const struct mcfab_engine *e),
	    TP_ARGS(e),
	    TP_STRUCT__entry(MCFAB_FABRIC_ENTRY
			     __field(u32, run)
			     __field(u64, messages)
			     __field(u64, deliveries)
			     __field(u64, flit_hops)
			     __field(u32, state)),
	    TP_fast_assign(MCFAB_FABRIC_ASSIGN;
			   __entry->cycle = e->results->progress.cycle;
			   __entry->run = e->results->progress.run;
			   __entry->messages = e->results->progress.messages;
			   __entry->deliveries = e->results->progress.deliveries;
			   __entry->flit_hops = e->results->progress.flit_hops;
			   __entry->state = e->boundary.state;),
	    TP_printk(MCFAB_FABRIC_FMT
		      " run=%u state=%s messages=%llu deliveries=%llu flit_hops=%llu",
		      MCFAB_FABRIC_ARG, __entry->run,
		      __print_symbolic(__entry->state, MCFAB_TRACE_STATES),
		      __entry->messages, __entry->deliveries, __entry->flit_hops)
);

/* A source has taken up a message, generated at the end of cycle gen. */
TRACE_EVENT(mcfab_generate,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_mcast *m),
	    TP_ARGS(e, m),
	    TP_STRUCT__entry(MCFAB_MSG_ENTRY
			     __field(u32, dests)
			     __field(u32, worms)
			     __field(bool, unicast)),
	    TP_fast_assign(MCFAB_MSG_ASSIGN(m->gen, m->source, m->seq);
			   __entry->dests = m->ndst;
			   __entry->worms = m->worms;
			   __entry->unicast = m->unicast;),
	    TP_printk(MCFAB_MSG_FMT " dests=%u worms=%u unicast=%u",
		      MCFAB_MSG_ARG, __entry->dests, __entry->worms, __entry->unicast)
);

/* A node starts up worms first .. first + worms - 1, from cycle begin to ready. */
TRACE_EVENT(mcfab_startup,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_node *n, u64 begin),
	    TP_ARGS(e, n, begin),
	    TP_STRUCT__entry(MCFAB_MSG_ENTRY
			     __field(u32, node)
			     __field(u32, first)
			     __field(u32, worms)
			     __field(u64, begin)
			     __field(u64, ready)),
	    TP_fast_assign(const struct mcfab_mcast *m = &e->mcast[n->mcast];

			   MCFAB_MSG_ASSIGN(m->gen, m->source, m->seq);
			   __entry->node = n - e->node;
			   __entry->first = n->next;
			   __entry->worms = n->round_end - n->next;
			   __entry->begin = mcfab_trace_cycle(e, begin);
			   __entry->ready = mcfab_trace_cycle(e, n->ready);),
	    TP_printk(MCFAB_MSG_FMT " node=%u first=%u worms=%u begin=%llu ready=%llu",
		      MCFAB_MSG_ARG, __entry->node, __entry->first, __entry->worms,
		      __entry->begin, __entry->ready)
);

/* A worm has an injection channel of its sender. */
TRACE_EVENT(mcfab_inject,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec),
	    TP_ARGS(e, rec),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     __field(u32, node)
			     __field(u32, channel)
			     __field(u32, dests)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   __entry->node = mcfab_rec_node(e, rec);
			   __entry->channel = mcfab_rec_channel(e, rec);
			   __entry->dests = e->head[rec].last - e->head[rec].first;),
	    TP_printk(MCFAB_WORM_FMT " node=%u channel=%u dests=%u",
		      MCFAB_WORM_ARG, __entry->node, __entry->channel, __entry->dests)
);

/* A worm's header is at the front of its buffer, at a router; it came in by port and vc. */
TRACE_EVENT(mcfab_header,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec),
	    TP_ARGS(e, rec),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, hops)
			     __field(u32, dests)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_in(e, e->rec[rec].vc));
			   __entry->hops = e->head[rec].hops;
			   __entry->dests = e->head[rec].last - e->head[rec].first;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " hops=%u dests=%u",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->hops, __entry->dests)
);

/* A router has granted the channel of port and vc to a worm, as hop number hop of its path. */
TRACE_EVENT(mcfab_grant,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec, u64 waited),
	    TP_ARGS(e, rec, waited),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, to)
			     __field(u32, hop)
			     __field(u64, waited)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_out(e, rec));
			   __entry->to = mcfab_vc_to(e, mcfab_rec_vc(e, rec));
			   __entry->hop = e->head[rec].hops;
			   __entry->waited = waited;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " to=%u hop=%u waited=%llu",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->to, __entry->hop,
		      __entry->waited)
);

/*
 * A branch was not granted in the cycle of its request: one event for each channel
 * that the request allows, numbered by alt, with the worm that holds the channel.
 */
TRACE_EVENT(mcfab_block,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec, const struct mcfab_where *where,
		     u32 alt, u32 holder),
	    TP_ARGS(e, rec, where, alt, holder),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     MCFAB_HOLDER_ENTRY
			     __field(u32, alt)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(*where);
			   MCFAB_HOLDER_ASSIGN(mcfab_trace_holder(e, holder));
			   __entry->alt = alt;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " alt=%u" MCFAB_HOLDER_FMT,
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->alt, MCFAB_HOLDER_ARG)
);

/* A header leaves a router by several channels. */
TRACE_EVENT(mcfab_replicate,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec, u32 branches),
	    TP_ARGS(e, rec, branches),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, branches)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_in(e, e->rec[rec].vc));
			   __entry->branches = branches;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " branches=%u",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->branches)
);

/* A worm has a consumption channel of a node; with relay the node is no destination. */
TRACE_EVENT(mcfab_absorb,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec, u32 dst),
	    TP_ARGS(e, rec, dst),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, node)
			     __field(bool, relay)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_in(e, e->rec[rec].vc));
			   __entry->node = dst & ~MCFAB_DST_RELAY;
			   __entry->relay = dst & MCFAB_DST_RELAY;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " node=%u relay=%u",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->node, __entry->relay)
);

/* A worm's last flit is at a node; latencies of header and tail count from gen. */
TRACE_EVENT(mcfab_deliver,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_arrival *a,
		     const struct mcfab_delivery *d, bool relay),
	    TP_ARGS(e, a, d, relay),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, node)
			     __field(u32, hops)
			     __field(u32, header)
			     __field(u32, tail)
			     __field(u32, blocked)
			     __field(bool, relay)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(a->worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_in(e, a->vc));
			   __entry->node = d->dst;
			   __entry->hops = d->hops;
			   __entry->header = d->header;
			   __entry->tail = d->tail;
			   __entry->blocked = d->part[MCFAB_PART_BLOCKING];
			   __entry->relay = relay;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT
		      " node=%u hops=%u header=%u tail=%u blocked=%u relay=%u",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->node, __entry->hops,
		      __entry->header, __entry->tail, __entry->blocked, __entry->relay)
);

/* The last flit of a dropped copy has been dropped. */
TRACE_EVENT(mcfab_drop,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_arrival *a, u32 reason),
	    TP_ARGS(e, a, reason),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, hops)
			     __field(u32, reason)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(a->worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_in(e, a->vc));
			   __entry->hops = a->hops;
			   __entry->reason = reason;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " hops=%u reason=%s",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->hops,
		      __print_symbolic(__entry->reason, MCFAB_TRACE_DROPS))
);

/* A channel is free from the next cycle on. */
TRACE_EVENT(mcfab_release,
	    TP_PROTO(const struct mcfab_engine *e, u32 rec),
	    TP_ARGS(e, rec),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     __field(u32, to)
			     __field(u32, hop)
			     __field(u64, held)),
	    TP_fast_assign(MCFAB_WORM_ASSIGN(e->rec[rec].worm);
			   MCFAB_WHERE_ASSIGN(mcfab_where_out(e, rec));
			   __entry->to = mcfab_vc_to(e, mcfab_rec_vc(e, rec));
			   __entry->hop = e->head[rec].hops;
			   __entry->held = e->cycle + 1 - e->head[rec].granted;),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " to=%u hop=%u held=%llu",
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->to, __entry->hop,
		      __entry->held)
);

/* A wait of a deadlock's cycle of waits: since which cycle, and the worm that holds the channel. */
TRACE_EVENT(mcfab_deadlock_wait,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_wait *wait, u32 nr,
		     const struct mcfab_wait *holder),
	    TP_ARGS(e, wait, nr, holder),
	    TP_STRUCT__entry(MCFAB_WORM_ENTRY
			     MCFAB_WHERE_ENTRY
			     MCFAB_HOLDER_ENTRY
			     __field(u32, nr)
			     __field(u64, since)),
	    TP_fast_assign(MCFAB_MSG_ASSIGN(wait->gen, wait->source, wait->seq);
			   __entry->worm = wait->worm;
			   MCFAB_WHERE_ASSIGN(mcfab_where_wait(wait));
			   MCFAB_HOLDER_ASSIGN(mcfab_trace_waiter(e, holder));
			   __entry->nr = nr;
			   __entry->since = mcfab_trace_cycle(e, wait->since);),
	    TP_printk(MCFAB_WORM_FMT MCFAB_WHERE_FMT " nr=%u since=%llu" MCFAB_HOLDER_FMT,
		      MCFAB_WORM_ARG, MCFAB_WHERE_ARG, __entry->nr, __entry->since,
		      MCFAB_HOLDER_ARG)
);

/* A deadlock: so many worms can never move again; events of its waits came before this event. */
TRACE_EVENT(mcfab_deadlock,
	    TP_PROTO(const struct mcfab_engine *e, const struct mcfab_deadlock *d),
	    TP_ARGS(e, d),
	    TP_STRUCT__entry(MCFAB_FABRIC_ENTRY
			     __field(u32, worms)
			     __field(u32, waits)),
	    TP_fast_assign(MCFAB_FABRIC_ASSIGN;
			   __entry->worms = d->worms;
			   __entry->waits = d->nwaits;),
	    TP_printk(MCFAB_FABRIC_FMT " worms=%u waits=%u",
		      MCFAB_FABRIC_ARG, __entry->worms, __entry->waits)
);

#endif

/* This must be outside of the guard. The compiler searches the module's own folder. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH trace
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE mcfab_trace
#include <trace/define_trace.h>
