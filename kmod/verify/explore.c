// SPDX-License-Identifier: GPL-2.0
/*
 * All ways that a worm may take. The policy's route() decides, as in the engine and in the dry
 * walk; but where a branch may take any of several virtual channels, each of them is followed.
 */
#include "base/job.h"
#include "base/memory.h"
#include "base/random.h"
#include "plan/decision.h"
#include "updown/updown.h"
#include "verify/explore.h"

/* entries of a worm that is taken for one that goes in circles */
#define MOST_ENTRIES	BIT(22)
/* rooms of the first arrays */
#define FIRST_ROOM	1024
/* Entries between two scheduling points. */
#define BREATH		1024

/**
 * mcfab_explore_open() - make room to explore worms in
 * @e: set up
 * @w: the graph
 * @pol: the policy
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM; mcfab_explore_close() frees what there is in both cases.
 */
int mcfab_explore_open(struct mcfab_explore *e, struct mcfab_waits *w,
		       const struct mcfab_policy *pol)
{
	u32 worms, dsts;
	size_t scratch;

	memset(e, 0, sizeof(*e));
	mcfab_plan_bounds(pol, max(pol->view.topo->nodes - 1, 1U), &worms, &dsts, &scratch);
	e->w = w;
	e->pol = pol;
	e->held_room = FIRST_ROOM;
	e->asked_room = FIRST_ROOM;
	e->request_room = FIRST_ROOM;
	e->out = mcfab_memory_zalloc(1, sizeof(*e->out));
	e->dst = mcfab_memory_alloc(dsts, sizeof(*e->dst));
	e->held = mcfab_memory_alloc(e->held_room, sizeof(*e->held));
	e->stack = mcfab_memory_alloc(e->held_room, sizeof(*e->stack));
	e->asked = mcfab_memory_alloc(e->asked_room, sizeof(*e->asked));
	e->request = mcfab_memory_alloc(e->request_room, sizeof(*e->request));
	e->met = mcfab_memory_zalloc(w->fifos, sizeof(*e->met));
	return e->out && e->dst && e->held && e->stack && e->asked && e->request && e->met ?
		0 : -ENOMEM;
}

/**
 * mcfab_explore_close() - free the room
 * @e: the room
 *
 * Context: May sleep.
 */
void mcfab_explore_close(struct mcfab_explore *e)
{
	mcfab_memory_free(e->out);
	mcfab_memory_free(e->dst);
	mcfab_memory_free(e->held);
	mcfab_memory_free(e->stack);
	mcfab_memory_free(e->asked);
	mcfab_memory_free(e->request);
	mcfab_memory_free(e->met);
	memset(e, 0, sizeof(*e));
}

static void *bigger(void *list, u32 count, u32 *room, size_t size)
{
	void *more = mcfab_memory_alloc(2ULL * *room, size);

	if (!more)
		return NULL;
	memcpy(more, list, count * size);
	mcfab_memory_free(list);
	*room *= 2;
	return more;
}

/* Room for one more entry, decision, and request. */
static int make_room(struct mcfab_explore *e)
{
	u32 room = e->held_room;
	void *more;

	if (e->nheld == e->held_room) {
		more = bigger(e->stack, e->depth, &room, sizeof(*e->stack));
		if (!more)
			return -ENOMEM;
		e->stack = more;
		more = bigger(e->held, e->nheld, &e->held_room, sizeof(*e->held));
		if (!more)
			return -ENOMEM;
		e->held = more;
	}
	if (e->nasked == e->asked_room) {
		more = bigger(e->asked, e->nasked, &e->asked_room, sizeof(*e->asked));
		if (!more)
			return -ENOMEM;
		e->asked = more;
	}
	if (e->nrequests == e->request_room) {
		more = bigger(e->request, e->nrequests, &e->request_room, sizeof(*e->request));
		if (!more)
			return -ENOMEM;
		e->request = more;
	}
	return 0;
}

/* The worm is wrong: note why. Returns @ret. */
static int wrong(struct mcfab_explore *e, int ret, const char *what)
{
	mcfab_blame(&e->blame, what, MCFAB_NONE, MCFAB_NONE);
	return ret;
}

/* Only trees reorder their lists: elsewhere the place in it says which destinations remain. */
static u64 hash_set(const struct mcfab_explore *e, u32 first, u32 last)
{
	u64 hash = 0;

	if (!(e->pol->ops->flags & MCFAB_POLICY_TREE))
		return 0;
	for (; first < last; first++)
		hash += mcfab_mix64(e->dst[first] + 1ULL);
	return hash;
}

/* An entry for a resource that a branch of the newest decision asks for. */
static struct mcfab_held *add_held(struct mcfab_explore *e, u32 resource, u32 branch)
{
	struct mcfab_held *h = &e->held[e->nheld++];

	h->resource = resource;
	h->asked = e->nasked - 1;
	h->branch = branch;
	h->child = MCFAB_NONE;
	h->search = 0;
	e->asked[h->asked].last = e->nheld;
	return h;
}

/* Has this worm's header been in the same FIFO in the same state? Then its ways are known. */
static bool is_known(struct mcfab_explore *e, struct mcfab_held *h)
{
	const struct mcfab_held *old;

	if (!e->met[h->resource])
		return false;
	old = &e->held[e->met[h->resource] - 1];
	if (old->first != h->first || old->last != h->last || old->state != h->state ||
	    old->set != h->set)
		return false;
	h->child = MCFAB_HELD_AS + e->met[h->resource] - 1;
	return true;
}

/* A header may go to a FIFO. */
static int take_fifo(struct mcfab_explore *e, const struct mcfab_branch *b, u32 branch, u32 fifo)
{
	struct mcfab_held *h;
	int ret = make_room(e);

	if (ret)
		return ret;
	if (e->nheld >= MOST_ENTRIES)
		return wrong(e, -ELOOP, "a worm goes in circles");
	h = add_held(e, fifo, branch);
	h->first = b->first;
	h->last = b->last;
	h->state = b->state;
	h->set = hash_set(e, b->first, b->last);
	if (is_known(e, h))
		return 0;
	e->met[fifo] = e->nheld;
	e->stack[e->depth++] = e->nheld - 1;
	return 0;
}

/* The FIFOs that a network branch may take, in ascending order. */
static int alternatives(struct mcfab_explore *e, const struct mcfab_asked *a,
			const struct mcfab_branch *b, u32 *alt, u32 *count)
{
	const struct mcfab_view *view = &e->pol->view;
	const struct mcfab_topo *topo = view->topo;
	u32 i, k, vc, fifo;

	*count = 0;
	for (i = 0; i < b->nports && i < MCFAB_MAX_ALTERNATIVES; i++) {
		if (b->port[i] >= topo->ports ||
		    topo->peer[mcfab_topo_channel(topo, a->router, b->port[i])] == MCFAB_NONE)
			return wrong(e, -ENETUNREACH, "the way of a worm has no channel");
		for (vc = 0; vc < view->vcs; vc++) {
			if (!(b->vcs[i] & BIT(vc)))
				continue;
			fifo = mcfab_wait_fifo(view, a->router, b->port[i], vc);
			for (k = (*count)++; k && alt[k - 1] > fifo; k--)
				alt[k] = alt[k - 1];
			alt[k] = fifo;
		}
	}
	return *count ? 0 : wrong(e, -ENETUNREACH, "a worm knows no way");
}

static u32 holder(const struct mcfab_explore *e, const struct mcfab_asked *a)
{
	return a->held == MCFAB_NONE ? MCFAB_NONE : e->held[a->held].resource;
}

/* Compare a header's next FIFO with the turns that the policy declares. */
static int check_turn(struct mcfab_explore *e, const struct mcfab_asked *a, u32 fifo)
{
	const struct mcfab_view *view = &e->pol->view;
	u32 in = holder(e, a), ports = view->topo->ports;
	struct mcfab_turn turn = {
		.router = a->router,
		.out_port = fifo / view->vcs % ports,
		.out_vc = fifo % view->vcs,
	};

	if (in == MCFAB_NONE)
		return 0;
	turn.in_port = view->topo->peer[mcfab_wait_channel(view, in)] % ports;
	turn.in_vc = in % view->vcs;
	if (e->pol->ops->turn(view, e->pol->priv, &turn))
		return 0;
	return wrong(e, -EINVAL, "a worm turns as the policy says that none does");
}

/**
 * mcfab_explore_edge() - the worm may hold a resource while it waits for a request
 * @e: the worm
 * @from: resource
 * @to: resource or request; a request for a node's consumption channels is one for room in its
 *	network interface, too, as other plans let any node send the packet on
 *
 * Context: May sleep.
 * Return: 1 if an edge is new, 0, -ENOMEM.
 */
int mcfab_explore_edge(struct mcfab_explore *e, u32 from, u32 to)
{
	int ret = mcfab_waits_edge(e->w, from, to);

	if (ret < 0 || e->w->memories == MCFAB_NONE || !mcfab_wait_is_pool(e->w, to))
		return ret;
	return mcfab_waits_edge(e->w, from, e->w->memories + to - e->w->fifos);
}

/* The header waits for a branch, and holds what it is in. */
static int ask(struct mcfab_explore *e, const struct mcfab_asked *a, u32 request)
{
	u32 in = holder(e, a);
	int ret = make_room(e);

	if (ret)
		return ret;
	e->request[e->nrequests++] = request;
	/* packets in the memory of its sender wait until it has left */
	if (in == MCFAB_NONE && e->w->memories != MCFAB_NONE)
		in = e->w->memories + e->sender;
	if (e->checks || in == MCFAB_NONE)
		return 0;
	ret = mcfab_explore_edge(e, in, request);
	return ret < 0 ? ret : 0;
}

static int take_network(struct mcfab_explore *e, u32 asked, const struct mcfab_branch *b,
			u32 branch)
{
	u32 alt[MCFAB_WAIT_ALTERNATIVES], count, request, i;
	int ret = alternatives(e, &e->asked[asked], b, alt, &count);

	for (i = 0; e->checks && !ret && i < count; i++)
		ret = check_turn(e, &e->asked[asked], alt[i]);
	if (!ret)
		ret = mcfab_waits_request(e->w, alt, count, &request);
	if (!ret)
		ret = ask(e, &e->asked[asked], request);
	for (i = 0; !ret && i < count; i++)
		ret = take_fifo(e, b, branch, alt[i]);
	return ret;
}

/**
 * mcfab_explore_input() - the input of a router with the header of a decision
 * @e: the worm's entries
 * @a: the decision
 *
 * Context: Any.
 * Return: a FIFO, or mcfab_wait_sender().
 */
u32 mcfab_explore_input(const struct mcfab_explore *e, const struct mcfab_asked *a)
{
	u32 in = holder(e, a);

	return in != MCFAB_NONE ? in : mcfab_wait_sender(e->w, e->sender);
}

static int take_node(struct mcfab_explore *e, u32 asked, const struct mcfab_branch *b, u32 branch)
{
	const struct mcfab_asked *a = &e->asked[asked];
	const struct mcfab_hold *hold = &e->w->hold;
	u32 input = mcfab_explore_input(e, a), pool = e->w->fifos + b->node;
	bool keeps = hold->together && a->branches > 1 &&
		     (hold->source || holder(e, a) != MCFAB_NONE);
	/* decisions may be moved from here on */
	int ret = ask(e, a, pool);

	if (!ret)
		ret = make_room(e);
	if (ret)
		return ret;
	add_held(e, pool, branch);
	/* its place in the memory is kept like the channel */
	if (e->w->memories != MCFAB_NONE) {
		ret = make_room(e);
		if (ret)
			return ret;
		add_held(e, e->w->memories + b->node, branch);
	}
	if (e->checks)
		return 0;
	ret = mcfab_waits_ask(e->w, b->node, input, keeps);
	return ret < 0 ? ret : 0;
}

/* Ask the policy about a header, and the network for the branches of its decision. */
static int decide(struct mcfab_explore *e, struct mcfab_header *hdr, u32 held, u32 hops)
{
	const struct mcfab_policy *pol = e->pol;
	const struct mcfab_updown *ud = pol->view.updown;
	bool table = pol->ops->flags & MCFAB_POLICY_TABLE;
	struct mcfab_decision *out = e->out;
	u32 asked, i;
	int ret;

	out->nbranches = 0;
	out->straight = 0;
	out->ends = false;
	/* as the engine does: no path visits a router twice */
	if (!table || hops < pol->view.topo->routers)
		pol->ops->route(&pol->view, pol->priv, hdr, out);
	if (!out->nbranches)
		return table ? 0 : wrong(e, -ENETUNREACH,
					 mcfab_policy_wrong(pol, "a worm knows no way"));
	if (mcfab_decision_check(pol, hdr, out, ud && ud->faulty, &e->blame))
		return -EOVERFLOW;
	asked = e->nasked++;
	e->asked[asked] = (struct mcfab_asked){
		.held = held, .router = hdr->router, .hops = hops, .first = e->nheld,
		.last = e->nheld, .request = e->nrequests, .branches = out->nbranches,
	};
	if (held != MCFAB_NONE)
		e->held[held].child = asked;
	for (i = 0, ret = 0; !ret && i < out->nbranches; i++)
		ret = out->branch[i].node == MCFAB_NONE ?
		      take_network(e, asked, &out->branch[i], i) :
		      take_node(e, asked, &out->branch[i], i);
	return ret;
}

/* Go on from an entry that holds a header. */
static int go_on(struct mcfab_explore *e, struct mcfab_header *hdr, u32 held)
{
	const struct mcfab_held *h = &e->held[held];
	const struct mcfab_view *view = &e->pol->view;
	u32 peer = view->topo->peer[mcfab_wait_channel(view, h->resource)];

	hdr->router = peer / view->topo->ports;
	hdr->in_port = peer % view->topo->ports;
	hdr->in_vc = h->resource % view->vcs;
	hdr->state = h->state;
	hdr->first = h->first;
	hdr->last = h->last;
	return make_room(e) ?: decide(e, hdr, held, e->asked[h->asked].hops + 1);
}

static void forget(struct mcfab_explore *e)
{
	e->search = 0;
	while (e->nheld)
		if (e->held[--e->nheld].resource < e->w->fifos)
			e->met[e->held[e->nheld].resource] = 0;
	e->nasked = 0;
	e->nrequests = 0;
	e->depth = 0;
}

/**
 * mcfab_explore_worm() - add what a worm holds and asks for
 * @e: room, with the graph
 * @worm: the worm
 * @dst: its destinations
 * @serial: how many packets its sender has sent before
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, -EINTR; -ENETUNREACH, -ELOOP, -EOVERFLOW, -EINVAL: the policy's fault, see
 * @e->blame.
 */
int mcfab_explore_worm(struct mcfab_explore *e, const struct mcfab_plan_worm *worm, const u32 *dst,
		       u32 serial)
{
	struct mcfab_header hdr = {
		.router = e->pol->view.topo->router[worm->sender],
		.in_port = MCFAB_PORT_ANY,
		.sender = worm->sender,
		.first_port = worm->port,
		.arg = worm->arg,
		.serial = serial,
		.dst = e->dst,
		.last = worm->count,
	};
	u32 steps = 0;
	int ret;

	e->sender = worm->sender;
	memcpy(e->dst, dst, worm->count * sizeof(*dst));
	ret = decide(e, &hdr, MCFAB_NONE, 0);
	/* the newest entry first: then entries of one branch are not moved while others are read */
	while (!ret && e->depth) {
		ret = go_on(e, &hdr, e->stack[--e->depth]);
		if (!ret && !(++steps % BREATH))
			ret = mcfab_job_step(0, 0);
	}
	if (!ret && e->w->hold.together && !e->checks)
		ret = mcfab_explore_siblings(e);
	e->work += e->nheld;
	forget(e);
	return ret;
}
