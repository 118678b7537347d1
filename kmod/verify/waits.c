// SPDX-License-Identifier: GPL-2.0
/* What waits for what: resources, and the edges between them. */
#include "base/memory.h"
#include "base/random.h"
#include "verify/waits.h"

/* The span lemma of Documentation/verify.md, for the switching technique and the buffers. */
static void set_hold(const struct mcfab_view *view, const struct mcfab_wait_rules *rules,
		     struct mcfab_hold *hold)
{
	bool lockstep = view->replication == MCFAB_REPLICATION_MODE_LOCKSTEP;
	bool whole = view->switching != MCFAB_SWITCHING_MODE_WORMHOLE ||
		     (view->flits && view->buffer >= view->flits);

	hold->branches = lockstep ? rules->queue : !whole;
	hold->below = lockstep && !whole;
	hold->together = lockstep || !whole;
	hold->source = lockstep || rules->ports;
	hold->in_turn = rules->in_turn;
}

/**
 * mcfab_waits_open() - begin a graph
 * @w: set up
 * @view: the fabric; longer in use than @w
 * @rules: the rest of its rules
 *
 * Context: Any.
 */
void mcfab_waits_open(struct mcfab_waits *w, const struct mcfab_view *view,
		      const struct mcfab_wait_rules *rules)
{
	const struct mcfab_topo *topo = view->topo;

	memset(w, 0, sizeof(*w));
	w->view = view;
	set_hold(view, rules, &w->hold);
	w->fifos = topo->routers * topo->ports * view->vcs;
	w->resources = w->fifos + topo->nodes;
	w->memories = MCFAB_NONE;
	if (rules->memory) {
		w->memories = w->resources;
		w->resources += topo->nodes;
	}
}

/**
 * mcfab_waits_close() - free a graph
 * @w: the graph
 *
 * Context: May sleep.
 */
void mcfab_waits_close(struct mcfab_waits *w)
{
	mcfab_pairs_free(&w->edges);
	mcfab_pairs_free(&w->peers);
	mcfab_pairs_free(&w->asks);
	mcfab_pairs_free(&w->known);
	mcfab_memory_free(w->alt);
	mcfab_memory_free(w->first);
	w->alt = NULL;
	w->first = NULL;
}

/**
 * mcfab_waits_edge() - a worm may hold a resource while it waits for another
 * @w: the graph
 * @from: resource
 * @to: resource or request
 *
 * Context: May sleep.
 * Return: 1 if the edge is new, 0, -ENOMEM.
 */
int mcfab_waits_edge(struct mcfab_waits *w, u32 from, u32 to)
{
	return mcfab_pairs_add(&w->edges, from, to, w->plan);
}

/**
 * mcfab_waits_peers() - one header asks for two resources together
 * @w: the graph
 * @a: resource of the header's router
 * @b: another
 *
 * Where routers serve headers in turn, nobody else takes one of the two between the header's
 * grants, so they wait for each other in no direction: both count as one resource.
 *
 * Context: May sleep.
 * Return: 1 if that is new, 0, -ENOMEM.
 */
int mcfab_waits_peers(struct mcfab_waits *w, u32 a, u32 b)
{
	int ret;

	if (w->hold.in_turn)
		return mcfab_pairs_add(&w->peers, min(a, b), max(a, b), w->plan);
	ret = mcfab_waits_edge(w, a, b);
	return ret < 0 ? ret : mcfab_waits_edge(w, b, a) ?: ret;
}

/**
 * mcfab_waits_ask() - a header asks for a consumption channel
 * @w: the graph
 * @node: node that is to receive
 * @input: FIFO with the header, or mcfab_wait_sender() if it is injected here
 * @keeps: the worm goes on holding the channel while another of its requests waits
 *
 * Context: May sleep.
 * Return: 1 if that is new, 0, -ENOMEM.
 */
int mcfab_waits_ask(struct mcfab_waits *w, u32 node, u32 input, bool keeps)
{
	return mcfab_pairs_add(&w->asks, 2 * node + keeps, input, keeps);
}

static int grow(u32 **list, u32 *room, u32 need)
{
	u32 *more;

	if (need <= *room)
		return 0;
	more = mcfab_memory_alloc(2ULL * need, sizeof(**list));
	if (!more)
		return -ENOMEM;
	if (*list)
		memcpy(more, *list, *room * sizeof(**list));
	mcfab_memory_free(*list);
	*list = more;
	*room = 2 * need;
	return 0;
}

static bool is_request(const struct mcfab_waits *w, u32 request, const u32 *alt, u32 count)
{
	u32 first = w->first[request];

	return w->first[request + 1] - first == count &&
	       !memcmp(w->alt + first, alt, count * sizeof(*alt));
}

static u32 hash_of(const u32 *alt, u32 count)
{
	u64 hash = count;
	u32 i;

	for (i = 0; i < count; i++)
		hash = mcfab_mix64(hash + alt[i]);
	return hash;
}

/**
 * mcfab_waits_request() - the number of a request
 * @w: the graph
 * @alt: FIFOs of which it needs any one, in ascending order
 * @count: how many
 * @request: set to the number, for mcfab_waits_edge(): of a single FIFO, its own
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM.
 */
int mcfab_waits_request(struct mcfab_waits *w, const u32 *alt, u32 count, u32 *request)
{
	u32 n = w->requests, end = n ? w->first[n] : 0, hash;
	const struct mcfab_pair *p;
	int ret;

	*request = alt[0];
	if (count == 1)
		return 0;
	hash = hash_of(alt, count);
	while ((p = mcfab_pairs_find(&w->known, alt[0], hash))) {
		*request = w->resources + p->note;
		if (is_request(w, p->note, alt, count))
			return 0;
		hash++;
	}
	ret = grow(&w->alt, &w->room, end + count) ?: grow(&w->first, &w->rooms, n + 2);
	if (!ret)
		ret = mcfab_pairs_add(&w->known, alt[0], hash, n);
	if (ret < 0)
		return ret;
	w->first[n] = end;
	w->first[n + 1] = end + count;
	memcpy(w->alt + end, alt, count * sizeof(*alt));
	w->requests++;
	*request = w->resources + n;
	return 0;
}
