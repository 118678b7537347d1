// SPDX-License-Identifier: GPL-2.0
/*
 * A header comes to the front of its buffer: the policy decides, and the header requests the
 * outputs of the decision.
 *
 * Everything here runs in the grant phase of the shard that owns the router. In this phase only
 * this shard uses the records of the router's input VCs and injection channels, and its list of
 * waiting requests.
 */
#include "engine/cruise/cruise.h"
#include "engine/router/router.h"
#include "engine/state/flits.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "plan/decision.h"
#include "trace/trace.h"

static inline u32 vc_rank(const struct mcfab_engine *e, u32 vc)
{
	return mcfab_chan_port(e, e->topo->peer[mcfab_vc_chan(e, vc)]) * e->hw.vcs +
	       mcfab_vc_index(e, vc);
}

/* the same of a record in a source of @node: after all network ports, by channel */
static inline u32 source_rank(const struct mcfab_engine *e, u32 rec, u32 node)
{
	return e->hw.ports * e->hw.vcs + mcfab_source_channel(e, rec, node);
}

/**
 * mcfab_vc_rank() - the place of a VC among the inputs of the router to which it leads
 * @e: engine
 * @vc: the VC, or MCFAB_NONE
 *
 * Return: its input port and VC as one number; MCFAB_NONE: the last place.
 */
u32 mcfab_vc_rank(const struct mcfab_engine *e, u32 vc)
{
	if (vc == MCFAB_NONE)
		return e->hw.ports * e->hw.vcs - 1;
	return vc_rank(e, vc);
}

/**
 * mcfab_header_rank() - the place of a record's header among the inputs of its router
 * @e: engine
 * @rec: the record
 *
 * Return: its input port and VC as one number; injection channels are after them.
 */
u32 mcfab_header_rank(const struct mcfab_engine *e, u32 rec)
{
	return mcfab_rec_is_inject(e, rec) ? source_rank(e, rec, mcfab_rec_node(e, rec)) :
					     vc_rank(e, mcfab_rec_vc(e, rec));
}

/* the order of requests of one cycle; injection channels of several nodes: by their worms */
static __always_inline bool request_before(const struct mcfab_engine *e,
					   const struct mcfab_request *a,
					   const struct mcfab_request *b)
{
	if (likely(a->rank != b->rank || a->rec == b->rec))
		return a->rank < b->rank;
	return mcfab_worm_before(e, &e->worm[e->rec[a->rec].worm], &e->worm[e->rec[b->rec].worm]);
}

/*
 * A request that cannot be granted at once waits in its router's list, ordered
 * by (cycle, rank). A new request is never older than the requests in the list.
 */
static __always_inline void request_enqueue(struct mcfab_engine *e, struct mcfab_shard *s,
					    u32 router, u32 nr)
{
	struct mcfab_request *req = &s->request[nr];
	u32 *at = &e->router[router].oldest;

	while (*at != MCFAB_NONE && (s->request[*at].since < req->since ||
				     !request_before(e, req, &s->request[*at])))
		at = &s->request[*at].next;
	req->next = *at;
	*at = nr;
	mcfab_router_mark(e, s, router);
}

/**
 * header_read() - write down for the policy what a header says
 * @e: engine
 * @rec: the record the header is in
 * @hdr: filled in
 *
 * Context: grant phase of the router's shard.
 */
static void header_read(const struct mcfab_engine *e, u32 rec, struct mcfab_header *hdr)
{
	const struct mcfab_head *f = &e->head[rec];
	const struct mcfab_worm *w = &e->worm[e->rec[rec].worm];

	hdr->sender = w->node;
	hdr->first_port = w->port;
	hdr->arg = w->arg;
	hdr->serial = w->serial;
	hdr->state = f->state;
	hdr->dst = w->dst;
	hdr->first = f->first;
	hdr->last = f->last;
	if (mcfab_rec_is_inject(e, rec)) {
		hdr->router = e->topo->router[w->node];
		hdr->in_port = MCFAB_PORT_ANY;
		hdr->in_vc = 0;
	} else {
		u32 vc = mcfab_rec_vc(e, rec);
		u32 peer = e->topo->peer[mcfab_vc_chan(e, vc)];

		hdr->router = mcfab_chan_from(e, peer);
		hdr->in_port = mcfab_chan_port(e, peer);
		hdr->in_vc = mcfab_vc_index(e, vc);
	}
}

/* mcfab_header_rank() of a record whose header was read */
static inline u32 read_rank(const struct mcfab_engine *e, u32 rec, const struct mcfab_header *hdr)
{
	return hdr->in_port == MCFAB_PORT_ANY ? source_rank(e, rec, hdr->sender) :
						hdr->in_port * e->hw.vcs + hdr->in_vc;
}

/* a new request of the packet in @rec; the caller fills in the branch */
static __always_inline struct mcfab_request *
new_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 rank, u32 *nr)
{
	struct mcfab_request *req;

	*nr = mcfab_request_take(s);
	req = &s->request[*nr];
	req->since = e->cycle;
	req->rec = rec;
	req->rank = rank;
	e->rec[rec].waiting++;
	return req;
}

/**
 * header_request() - request a branch
 * @e: engine
 * @s: shard that owns the router
 * @rec: the record the header is in
 * @router: the router
 * @rank: mcfab_header_rank() of @rec
 * @b: the branch
 *
 * Context: grant phase.
 */
static __always_inline void header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
					   u32 router, u32 rank,
					   const struct mcfab_branch *b)
{
	u32 nr, p, vcs;
	struct mcfab_request *req = new_request(e, s, rec, rank, &nr);

	req->node = b->node;
	req->first = b->first;
	req->last = b->last;
	req->state = b->state;
	req->nports = 0;
	for (p = 0; p < b->nports && b->node == MCFAB_NONE; p++) {
		u32 chan = mcfab_topo_channel(e->topo, router, b->port[p]);

		/* no such channel, so no grant: the run ends with this cycle */
		if (b->port[p] >= e->hw.ports || e->topo->peer[chan] == MCFAB_NONE) {
			mcfab_accuse_header(e, s, e->rec[rec].worm, b->first,
					    mcfab_branch_wrong(false));
			continue;
		}
		vcs = b->vcs[p] & (BIT(e->hw.vcs) - 1);
		if (!vcs)
			mcfab_accuse_header(e, s, e->rec[rec].worm, b->first,
					    mcfab_branch_wrong(true));
		req->port[req->nports] = b->port[p];
		req->vcs[req->nports++] = vcs;
	}
	request_enqueue(e, s, router, nr);
}

/* the policy's decision at an earlier router holds here, too: request the same port */
static noinline void go_straight_on(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_rec *r = &e->rec[rec];
	u32 chan = mcfab_vc_chan(e, r->vc), input = e->topo->peer[chan];
	u32 router = mcfab_chan_from(e, input), port = f->wanted >> 16, nr;
	u32 rank = (input - router * e->hw.ports) * e->hw.vcs + r->vc - chan * e->hw.vcs;
	struct mcfab_request *req;

	r->straight--;
	r->waiting = 0;
	req = new_request(e, s, rec, rank, &nr);
	req->node = MCFAB_NONE;
	req->first = f->first;
	req->last = f->last;
	req->state = f->state;
	req->nports = 1;
	/* the policy promised too much: no channel, so no grant; the run ends with this cycle */
	if (unlikely(e->topo->peer[mcfab_topo_channel(e->topo, router, port)] == MCFAB_NONE)) {
		mcfab_accuse_header(e, s, r->worm, f->first, mcfab_branch_wrong(false));
		req->nports = 0;
	}
	req->port[0] = port;
	req->vcs[0] = f->wanted;
	request_enqueue(e, s, router, nr);
}

/* the policy said at an earlier router that the only destination is here */
static noinline void arrive(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];
	u32 first = e->head[rec].first, router = mcfab_vc_to(e, r->vc);
	struct mcfab_branch b = {
		.node = e->worm[r->worm].dst[first] & ~MCFAB_DST_RELAY,
		.first = first,
		.last = first + 1,
	};

	r->straight = 0;
	r->waiting = 0;
	if (unlikely(e->topo->router[b.node] != router))
		mcfab_accuse_header(e, s, r->worm, first, "it is at another router");
	if (!(e->flags & MCFAB_ENG_SCARCE)) {
		mcfab_absorb(e, s, rec, b.node, first);
		return;
	}
	header_request(e, s, rec, router, mcfab_header_rank(e, rec), &b);
}

/* the decision is not plain: the packet is copied or branches here, or it is empty or wrong */
static noinline void request_branches(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
				      const struct mcfab_header *hdr)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_decision *out = s->decision;
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_blame blame;
	u32 i, network = 0;

	if (out->nbranches &&
	    unlikely(mcfab_decision_check_copies(e->pol, hdr, out, mcfab_fault_links(e), &blame))) {
		blame.worm = e->worm[r->worm].index;
		mcfab_accuse(e, s, &e->mcast[e->worm[r->worm].mcast], &blame);
		mcfab_absorb_drop(e, s, rec, MCFAB_NONE, MCFAB_DROP_NO_ENTRY);
		return;
	}
	if (mcfab_fault_links(e) && !e->run.tables) {
		u32 left_out = mcfab_fault_left_out(out, f->last - f->first);

		if (!out->nbranches) {
			mcfab_absorb_lose(e, s, rec, left_out);
			return;
		}
		if (left_out)
			mcfab_fault_lost(e, s, rec, left_out);
	}
	if (!out->nbranches) {
		if (!e->run.tables)
			mcfab_accuse_no_way(e, s, r->worm, f->first);
		mcfab_absorb_drop(e, s, rec, MCFAB_NONE, out->drop);
		return;
	}

	for (i = 0; i < out->nbranches; i++) {
		struct mcfab_branch *b = &out->branch[i];

		if (b->node != MCFAB_NONE && !(e->flags & MCFAB_ENG_SCARCE)) {
			mcfab_absorb(e, s, rec, b->node, b->first);
			continue;
		}
		network += b->node == MCFAB_NONE;
		header_request(e, s, rec, hdr->router, read_rank(e, rec, hdr), b);
	}
	if (network > 1)
		trace_mcfab_replicate(e, rec, network);
}

/* ask the policy, once per header and router; all branches of its decision are requested now */
static noinline void ask_policy(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_decision *out = s->decision;
	struct mcfab_header hdr;

	header_read(e, rec, &hdr);
	if (unlikely(r->flags & MCFAB_REC_CUT)) {
		r->waiting = 0;
		mcfab_absorb_lose(e, s, rec, f->last - f->first);
		return;
	}

	out->nbranches = 0;
	out->straight = 0;
	out->ends = false;
	/* tables may lead a packet in circles; no path visits a router twice */
	if (e->run.tables && f->hops >= e->topo->routers)
		out->drop = MCFAB_DROP_LOOP;
	else
		e->pol->ops->route(&e->pol->view, e->pol->priv, &hdr, out);
	mcfab_breathe_asked(s);
	r->waiting = 0;
	r->straight = out->straight > MCFAB_STRAIGHT_MOST ? MCFAB_STRAIGHT_MOST :
		      out->straight | (out->ends ? MCFAB_STRAIGHT_ENDS : 0);
	if (likely(mcfab_decision_is_plain(&hdr, out))) {
		header_request(e, s, rec, hdr.router, read_rank(e, rec, &hdr), out->branch);
		return;
	}
	if (likely(mcfab_decision_is_arrival(e->topo, &hdr, out) && !mcfab_fault_links(e) &&
		   !(e->flags & MCFAB_ENG_SCARCE))) {
		mcfab_absorb(e, s, rec, out->branch[0].node, out->branch[0].first);
		return;
	}
	request_branches(e, s, rec, &hdr);
}

/* does what the policy said at an earlier router still hold? */
static inline bool promise_holds(const struct mcfab_engine *e, const struct mcfab_rec *r)
{
	return !(r->flags & MCFAB_REC_CUT) && !e->faults.lossy;
}

/**
 * mcfab_header_request() - a header is at the front of its buffer: decide and request
 * @e: engine
 * @s: shard that owns the router
 * @rec: the record the header is in
 *
 * VC allocation scans the requests later in the same cycle, when all of them are made.
 *
 * Context: grant phase.
 */
void mcfab_header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];

	trace_mcfab_header(e, rec);
	if (r->straight & MCFAB_STRAIGHT_MOST && promise_holds(e, r))
		go_straight_on(e, s, rec);
	else if (r->straight && promise_holds(e, r))
		arrive(e, s, rec);
	else
		ask_policy(e, s, rec);
}

/* put a header into the queue of headers in their route-delay, ordered by @ready */
static void routing_insert(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 *at = &s->routing.head;

	while (*at != MCFAB_NONE && e->head[*at].ready <= e->head[rec].ready)
		at = &e->head[*at].next_header;
	if (*at == MCFAB_NONE)
		s->routing.tail = rec;
	e->head[rec].next_header = *at;
	*at = rec;
}

/**
 * mcfab_header_routed() - a header at the front of its buffer makes its request after the
 *			   route-delay
 * @e: engine
 * @s: shard that owns the router
 * @rec: the record the header is in
 *
 * Context: grant phase.
 */
noinline void mcfab_header_routed(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_head *f = &e->head[rec];
	u64 due = e->cycle + e->hw.route_delay;

	/* store-and-forward: the header was routed while the packet came in */
	if (e->hw.store)
		due = max(f->crossed + mcfab_link_delay(e, mcfab_rec_vc(e, rec)) +
			  e->hw.route_delay, e->cycle);
	if (due == e->cycle) {
		mcfab_header_request(e, s, rec);
		return;
	}
	f->ready = due;
	/* only with store-and-forward the remaining time depends on the packet */
	if (e->hw.store) {
		routing_insert(e, s, rec);
		return;
	}
	f->next_header = MCFAB_NONE;
	mcfab_queue_put(&s->routing, &e->head[s->routing.tail].next_header, rec);
}
