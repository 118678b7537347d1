// SPDX-License-Identifier: GPL-2.0
/*
 * Headers ask for outputs, routers grant them (engine-model, rules 2, 3 and 6).
 *
 * Everything here runs in the grant phase of the shard that owns the router: the
 * records of its input VCs, its injection channels, its output VCs and its list
 * of waiting requests are this shard's alone then.
 */
#include "engine/packet/crossing.h"
#include "engine/router/router.h"
#include "engine/state/flits.h"
#include "engine/state/lost.h"
#include "engine/state/rec.h"
#include "trace/trace.h"

/* number of the shard that moves a worm's flits */
static u32 mover(const struct mcfab_engine *e, u32 worm)
{
	return e->nshards == 1 ? 0 : e->shard_of_node[e->worm[worm].node];
}

static struct mcfab_grants *grants_to(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm)
{
	return &s->grants[mover(e, worm)];
}

/**
 * mcfab_header_rank() - the place of what a record holds among the inputs of its router
 * @e: engine
 * @rec: the record
 *
 * Return: its input port and VC as one number; injection channels are after them.
 */
u32 mcfab_header_rank(const struct mcfab_engine *e, u32 rec)
{
	u32 vc;

	if (mcfab_rec_is_inject(e, rec)) {
		/* after all network ports, by channel */
		return e->ports * e->vcs + mcfab_rec_channel(e, rec);
	}
	vc = mcfab_rec_vc(e, rec);
	return mcfab_chan_port(e, e->topo->peer[mcfab_vc_chan(e, vc)]) * e->vcs +
	       mcfab_vc_index(e, vc);
}

/* the order of requests of one cycle; channels of several nodes go by their worms */
static bool header_before(const struct mcfab_engine *e, u32 a, u32 b)
{
	u32 ra = mcfab_header_rank(e, a), rb = mcfab_header_rank(e, b);

	if (ra != rb || a == b)
		return ra < rb;
	return mcfab_worm_before(e, &e->worm[e->rec[a].worm], &e->worm[e->rec[b].worm]);
}

/*
 * A request that cannot be granted at once waits in its router's list, ordered
 * by (cycle, rank). What is added is never older than what is there.
 */
static __always_inline void request_enqueue(struct mcfab_engine *e, struct mcfab_shard *s,
					    u32 router, u32 nr)
{
	struct mcfab_request *req = &s->request[nr];
	u32 *at = &e->router[router].oldest;

	while (*at != MCFAB_NONE && (s->request[*at].since < req->since ||
				     !header_before(e, req->rec, s->request[*at].rec)))
		at = &s->request[*at].next;
	req->next = *at;
	*at = nr;
}

/* once is enough for all copies that a packet's header asks for */
static void wake(struct mcfab_grants *box, u32 worm)
{
	u32 event = (u32)MCFAB_EVENT_WAKE << MCFAB_EVENT_SHIFT | worm;

	if (!box->count || box->event[box->count - 1] != event)
		mcfab_grants_post(box, MCFAB_EVENT_WAKE, worm);
}

/* from now on the packet is copied */
static void copy(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_copy *copy)
{
	u32 rec = copy->rec;
	struct mcfab_rec *r = &e->rec[rec];

	r->flags |= MCFAB_REC_ABSORB;
	if (e->flags & MCFAB_ENG_SHARED && copy->node != MCFAB_NONE)
		mcfab_arbiter_consume(e, s, rec);
	if (e->flags & MCFAB_ENG_COPIES) {
		u32 nr = mcfab_copy_add(e, copy);

		if (nr != MCFAB_NONE && e->flags & MCFAB_ENG_WORM)
			mcfab_crossing_copy(e, s, nr);
	} else {
		if (copy->drop)
			r->flags |= MCFAB_REC_DROP;
		e->head[rec].dst = copy->drop ? copy->node : copy->entry;
		e->head[rec].state = copy->drop;
	}
	/* whoever looks at the record may do so before the event is read */
	if (e->flags & MCFAB_ENG_TREES)
		e->head[rec].since = e->cycle + e->consume_delay - 1;
	if (e->flags & MCFAB_ENG_TAILS)
		mcfab_grants_post(grants_to(e, s, r->worm), MCFAB_EVENT_COPY, rec);
	else if (!(e->flags & MCFAB_ENG_WORM))
		wake(grants_to(e, s, r->worm), r->worm);
}

/* the packet comes to no destination: its flits go to @node, or nowhere at all */
static void drop(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
		 enum mcfab_drop reason)
{
	copy(e, s, &(struct mcfab_copy) {
		.header = e->cycle + e->consume_delay - 1,
		.rec = rec,
		.node = node,
		.entry = MCFAB_NONE,
		.drop = reason,
	});
}

/* dead links keep the packet from @count destinations: its flits go nowhere */
static void lose(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 count)
{
	/* what reads it counts for one */
	mcfab_fault_lost(e, s, rec, count - 1);
	drop(e, s, rec, MCFAB_NONE, MCFAB_DROP_LINK);
}

/**
 * header_absorb() - a packet has come to a destination, which copies it from now on
 * @e: engine
 * @s: shard that owns the router
 * @rec: record of the packet
 * @node: the destination
 * @entry: its entry of dst[], MCFAB_NONE: it is none
 *
 * Context: grant phase.
 */
static void header_absorb(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 node,
			  u32 entry)
{
	if (entry == MCFAB_NONE) {
		drop(e, s, rec, node, MCFAB_DROP_STRAY);
		return;
	}
	if (unlikely(e->lossy) && test_bit(node, e->goal->cut)) {
		mcfab_fault_lost(e, s, rec, 0);
		drop(e, s, rec, node, MCFAB_DROP_LINK);
		return;
	}
	copy(e, s, &(struct mcfab_copy) {
		.header = e->cycle + e->consume_delay - 1,
		.rec = rec,
		.node = node,
		.entry = entry,
	});
	trace_mcfab_absorb(e, rec, e->worm[e->rec[rec].worm].dst[entry]);
}

/**
 * header_read() - what a policy is told of a header
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
		hdr->router = e->topo->router[mcfab_rec_node(e, rec)];
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

/* a new request of the packet in @rec, for a branch to nowhere yet */
static __always_inline struct mcfab_request *
new_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec, u32 *nr)
{
	struct mcfab_request *req;

	*nr = mcfab_request_take(s);
	req = &s->request[*nr];
	req->since = e->cycle;
	req->rec = rec;
	e->rec[rec].waiting++;
	return req;
}

/**
 * header_request() - request a branch
 * @e: engine
 * @s: shard that owns the router
 * @rec: the record the header is in
 * @router: the router
 * @b: the branch
 *
 * Whoever asks touches the router, if it can be of use.
 *
 * Context: grant phase.
 */
static __always_inline void header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
					   u32 router, const struct mcfab_branch *b)
{
	u32 nr, p;
	struct mcfab_request *req = new_request(e, s, rec, &nr);

	req->node = b->node;
	req->first = b->first;
	req->last = b->last;
	req->state = b->state;
	req->nports = 0;
	for (p = 0; p < b->nports && b->node == MCFAB_NONE; p++) {
		u32 chan = mcfab_topo_channel(e->topo, router, b->port[p]);

		/* it is never granted: the run ends with this cycle */
		if (b->port[p] >= e->ports || e->topo->peer[chan] == MCFAB_NONE) {
			mcfab_accuse_header(e, s, e->rec[rec].worm, b->first,
					    "the way to it has no channel");
			continue;
		}
		req->port[req->nports] = b->port[p];
		req->vcs[req->nports++] = b->vcs[p];
	}
	request_enqueue(e, s, router, nr);
}

/* what the policy said at an earlier router holds here, too */
static noinline void go_straight_on(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_rec *r = &e->rec[rec];
	u32 chan = mcfab_vc_chan(e, r->vc), router = mcfab_chan_from(e, e->topo->peer[chan]), nr;
	u32 port = f->dst >> 16;
	struct mcfab_request *req;

	r->straight--;
	r->waiting = 0;
	req = new_request(e, s, rec, &nr);
	req->node = MCFAB_NONE;
	req->first = f->first;
	req->last = f->last;
	req->state = f->state;
	req->nports = 1;
	/* it has promised too much; it is never granted: the run ends with this cycle */
	if (unlikely(e->topo->peer[mcfab_topo_channel(e->topo, router, port)] == MCFAB_NONE)) {
		mcfab_accuse_header(e, s, r->worm, f->first, "the way to it has no channel");
		req->nports = 0;
	}
	req->port[0] = port;
	req->vcs[0] = f->dst;
	request_enqueue(e, s, router, nr);
	mcfab_router_mark(e, s, router);
}

/* the packet is copied or branches here, or its decision is none or wrong */
static noinline void request_branches(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec,
				      const struct mcfab_header *hdr)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_decision *out = s->decision;
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_blame blame;
	u32 i, network = 0;

	if (out->nbranches &&
	    unlikely(mcfab_decision_check(e->pol, hdr, out, e->lossy, &blame))) {
		blame.worm = e->worm[r->worm].index;
		mcfab_accuse(e, s, &e->mcast[e->worm[r->worm].mcast], &blame);
		drop(e, s, rec, MCFAB_NONE, MCFAB_DROP_NO_ENTRY);
		return;
	}
	if (unlikely(e->lossy) && !e->tables) {
		u32 left_out = mcfab_fault_left_out(out, f->last - f->first);

		if (!out->nbranches) {
			lose(e, s, rec, left_out);
			return;
		}
		if (left_out)
			mcfab_fault_lost(e, s, rec, left_out);
	}
	if (!out->nbranches) {
		if (!e->tables)
			mcfab_accuse_header(e, s, r->worm, f->first, "no way leads on to it");
		drop(e, s, rec, MCFAB_NONE, out->drop);
		return;
	}

	for (i = 0; i < out->nbranches; i++) {
		struct mcfab_branch *b = &out->branch[i];

		if (b->node != MCFAB_NONE && !(e->flags & MCFAB_ENG_SCARCE)) {
			header_absorb(e, s, rec, b->node, b->first);
			continue;
		}
		network += b->node == MCFAB_NONE;
		header_request(e, s, rec, hdr->router, b);
		mcfab_router_mark(e, s, hdr->router);
	}
	if (network > 1)
		trace_mcfab_replicate(e, rec, network);
}

/* the policy is asked once; its branches are requested together (rule 6) */
static noinline void ask_policy(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	const struct mcfab_head *f = &e->head[rec];
	struct mcfab_rec *r = &e->rec[rec];
	struct mcfab_decision *out = s->decision;
	struct mcfab_header hdr;

	header_read(e, rec, &hdr);
	if (unlikely(r->flags & MCFAB_REC_CUT)) {
		r->waiting = 0;
		lose(e, s, rec, f->last - f->first);
		return;
	}

	out->nbranches = 0;
	out->straight = 0;
	out->ends = false;
	/* who follows tables may be led in circles; no path visits a router twice */
	if (e->tables && f->hops >= e->topo->routers)
		out->drop = MCFAB_DROP_LOOP;
	else
		e->pol->ops->route(&e->pol->view, e->pol->priv, &hdr, out);
	mcfab_breathe_asked(s);
	r->waiting = 0;
	r->straight = min_t(u32, out->straight, U8_MAX);
	if (likely(mcfab_decision_is_plain(&hdr, out))) {
		header_request(e, s, rec, hdr.router, out->branch);
		mcfab_router_mark(e, s, hdr.router);
		return;
	}
	request_branches(e, s, rec, &hdr);
}

/**
 * mcfab_header_request() - a header is at the front of its buffer: decide and request
 * @e: engine
 * @s: shard that owns the router
 * @rec: the record the header is in
 *
 * Requests are scanned later in the same cycle, when all of them are in.
 *
 * Context: grant phase.
 */
void mcfab_header_request(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];

	trace_mcfab_header(e, rec);
	if (r->straight && !(r->flags & MCFAB_REC_CUT) && !e->lossy)
		go_straight_on(e, s, rec);
	else
		ask_policy(e, s, rec);
}

/* flits of the packet that a branch makes */
static u32 request_len(const struct mcfab_engine *e, const struct mcfab_request *req)
{
	const struct mcfab_worm *w;

	if (e->flags & MCFAB_ENG_HEADERS && req->node == MCFAB_NONE) {
		w = &e->worm[e->rec[req->rec].worm];
		return e->flits + mcfab_header_more(e->pol, w->dst, req->first, req->last);
	}
	return mcfab_len(e, req->rec, e->flags);
}

static bool vc_can_take(const struct mcfab_engine *e, const struct mcfab_request *req, u32 vc)
{
	const struct mcfab_fifo *fifo = &e->fifo[vc];

	if (e->slots == 1 ? e->owner[vc] != MCFAB_NO_REC : fifo->owned)
		return false;
	if (e->packet_room && (e->flags & MCFAB_ENG_CREDITS))
		return e->buffer - (fifo->entered - fifo->departed) >= request_len(e, req);
	return true;
}

/* rules with more to a record than struct mcfab_rec */
#define MORE_STATE	(MCFAB_ENG_LINKS | MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS | \
			 MCFAB_ENG_WORM | MCFAB_ENG_COPIES | MCFAB_ENG_TAILS | \
			 MCFAB_ENG_SEPARABLE | MCFAB_ENG_BRANCHES)

static void begin_more(struct mcfab_engine *e, const struct mcfab_request *req, u32 nr)
{
	if (e->flags & MCFAB_ENG_COPIES)
		e->copies[nr] = MCFAB_NONE;
	/* else it is written when the event is read */
	if (e->flags & (MCFAB_ENG_WORM | MCFAB_ENG_TAILS | MCFAB_ENG_SEPARABLE))
		e->head[nr].granted = e->cycle;
	if (e->flags & (MCFAB_ENG_HEADERS | MCFAB_ENG_LENGTHS))
		e->len[nr] = request_len(e, req);
	if (e->flags & MCFAB_ENG_HEADERS)
		e->strip[nr] = e->len[req->rec] - e->len[nr];
	if (e->flags & MCFAB_ENG_LINKS) {
		e->history[nr] = 0;
		e->stamp[nr] = e->cycle;
	}

	if (e->flags & MCFAB_ENG_BRANCHES) {
		e->children[nr] = MCFAB_NONE;
		e->ready[nr] = 0;
		e->sibling[nr] = e->children[req->rec];
		e->children[req->rec] = nr;
	}
	if (e->flags & MCFAB_ENG_TREES)
		mcfab_tree_init(e, nr);
}

/* the packet in a FIFO is no longer the only one: from now on its flits count */
static void count_alone(const struct mcfab_engine *e, struct mcfab_fifo *fifo, u32 nr)
{
	struct mcfab_rec *r = &e->rec[nr];

	if (r->entry & MCFAB_ENTRY_KNOWN || !e->counted)
		return;
	r->entry |= MCFAB_ENTRY_KNOWN;
	fifo->entered += r->sent;
	fifo->departed += r->freed;
}

static void grant_vc(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_request *req,
		     u32 chan, u32 vc)
{
	struct mcfab_rec *parent = &e->rec[req->rec];
	u32 nr = mcfab_rec_take(e, s, mover(e, parent->worm));
	struct mcfab_rec *r = &e->rec[nr];
	struct mcfab_head *f = &e->head[nr];
	struct mcfab_use *use = &e->use[chan];
	u8 alone = e->lazy_credits ? 0 : e->counted;

	r->vc = vc;
	if (e->slots == 1) {
		e->owner[vc] = nr;
		r->entry = alone;
	} else {
		struct mcfab_fifo *fifo = &e->fifo[vc];

		if (fifo->newest == MCFAB_NO_REC) {
			fifo->oldest = nr;
			r->entry = alone;
		} else {
			count_alone(e, fifo, fifo->newest);
			e->rec[fifo->newest].next = nr;
			r->entry = e->counted;
		}
		fifo->newest = nr;
		fifo->owned = true;
	}

	r->worm = parent->worm;
	r->parent = req->rec;
	r->waiting = 1;
	parent->waiting--;

	f->hops = e->head[req->rec].hops + 1;
	f->first = req->first;
	f->last = req->last;
	f->state = req->state;
	r->straight = parent->straight;
	f->dst = req->vcs[0] | req->port[0] << 16;
	if (e->flags & MORE_STATE)
		begin_more(e, req, nr);
	use->wait += e->cycle - req->since;
	use->flits += mcfab_len(e, nr, e->flags);
	if (e->flags & MCFAB_ENG_WORM) {
		mcfab_crossing_granted(e, s, nr);
	} else {
		if (e->flags & MCFAB_ENG_MULTI)
			mcfab_arbiter_own(e, s, chan);
		mcfab_grants_post(grants_to(e, s, r->worm), MCFAB_EVENT_GRANT, nr);
	}
	trace_mcfab_grant(e, nr, e->cycle - req->since);
}

/* a request that comes to nothing: the packet is read all the same */
static void give_up(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_request *req)
{
	e->rec[req->rec].waiting--;
	lose(e, s, req->rec, req->node == MCFAB_NONE ? req->last - req->first : 1);
}

static bool try_grant(struct mcfab_engine *e, struct mcfab_shard *s, u32 router,
		      const struct mcfab_request *req)
{
	u32 p, v, k;

	if (req->node != MCFAB_NONE) {
		struct mcfab_node *node = &e->node[req->node];

		if (!node->consume)
			return false;
		node->consume--;
		e->rec[req->rec].waiting--;
		header_absorb(e, s, req->rec, req->node, req->first);
		return true;
	}
	for (p = 0; p < req->nports; p++) {
		u32 chan = mcfab_topo_channel(e->topo, router, req->port[p]);
		bool turns = e->flags & MCFAB_ENG_SEPARABLE;
		u32 base = chan * e->vcs, allowed = req->vcs[p];

		v = turns ? e->chan[chan].turn : 0;
		for (k = 0; k < e->vcs; k++, v = mcfab_next_vc(v, e->vcs)) {
			if (!(allowed & BIT(v)) || !vc_can_take(e, req, base + v))
				continue;
			if (turns)
				e->chan[chan].turn = mcfab_next_vc(v, e->vcs);
			grant_vc(e, s, req, chan, base + v);
			return true;
		}
	}
	return false;
}

/* have come what scan() will soon want */
static __always_inline void expect(const struct mcfab_engine *e, const struct mcfab_shard *s,
				   u32 router)
{
	u32 nr = e->router[router].oldest, chan;

	if (nr == MCFAB_NONE || s->request[nr].node != MCFAB_NONE)
		return;
	chan = mcfab_topo_channel(e->topo, router, s->request[nr].port[0]);
	if (e->slots == 1)
		prefetchw(&e->owner[chan * e->vcs]);
	else
		prefetchw(&e->fifo[chan * e->vcs]);
	prefetchw(&e->use[chan]);
	prefetchw(&e->rec[s->request[nr].rec]);
}

/* serve the requests that wait at a router */
static __always_inline void scan(struct mcfab_engine *e, struct mcfab_shard *s, u32 router)
{
	u32 *at = &e->router[router].oldest;

	e->router[router].marked = false;
	while (*at != MCFAB_NONE) {
		struct mcfab_request *req = &s->request[*at];
		bool done = false;

		if (unlikely(e->lossy) && mcfab_fault_given_up(e, req, router)) {
			give_up(e, s, req);
			done = true;
		}
		if (done || try_grant(e, s, router, req)) {
			u32 nr = *at;

			*at = req->next;
			mcfab_request_give(s, nr);
		} else {
			if (trace_mcfab_block_enabled() && req->since == e->cycle)
				mcfab_trace_block(e, req, router);
			at = &req->next;
		}
	}
}

/**
 * mcfab_routers_scan() - serve the requests that wait where something may be granted
 * @e: engine
 * @s: shard
 *
 * At a router oldest first; each takes the lowest free (port, VC) it may use
 * (MCFAB_ENG_SEPARABLE: of the lowest such port the next free VC in turns), so a younger
 * request passes an older one only through something the older may not use.
 *
 * Context: grant phase.
 */
void mcfab_routers_scan(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u32 i;

	for (i = 0; i < s->nmarked; i++) {
		mcfab_breathe(i + 1);
		if (i + 4 < s->nmarked)
			expect(e, s, s->marked[i + 4]);
		scan(e, s, s->marked[i]);
	}
	s->nmarked = 0;
}
