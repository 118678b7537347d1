// SPDX-License-Identifier: GPL-2.0
/* Strongly connected components by Tarjan's algorithm, and short cycles in them. */
#include <linux/sched.h>

#include "base/job.h"
#include "base/memory.h"
#include "proof/digraph.h"

/* Edges between two scheduling points. */
#define BREATH		4096
/* Nodes of a component through which the shortest cycle is sought. */
#define STARTS		64

/**
 * mcfab_digraph_alloc() - make room for a graph
 * @g: the graph; first[] is zero
 * @nodes: how many nodes
 * @edges: how many edges
 *
 * Context: May sleep.
 * Return: 0, or -ENOMEM; mcfab_digraph_free() frees what there is in both cases.
 */
int mcfab_digraph_alloc(struct mcfab_digraph *g, u32 nodes, u32 edges)
{
	g->nodes = nodes;
	g->edges = edges;
	g->first = mcfab_memory_zalloc((u64)nodes + 1, sizeof(*g->first));
	g->to = mcfab_memory_alloc((u64)edges + 1, sizeof(*g->to));
	return g->first && g->to ? 0 : -ENOMEM;
}

/**
 * mcfab_digraph_free() - free a graph
 * @g: the graph
 *
 * Context: May sleep.
 */
void mcfab_digraph_free(struct mcfab_digraph *g)
{
	mcfab_memory_free(g->first);
	mcfab_memory_free(g->to);
}

/**
 * mcfab_digraph_reverse() - make the graph whose edges lead back
 * @g: a graph
 * @back: set up
 *
 * Context: May sleep.
 * Return: 0, or -ENOMEM; mcfab_digraph_free() frees what there is in both cases.
 */
int mcfab_digraph_reverse(const struct mcfab_digraph *g, struct mcfab_digraph *back)
{
	int ret = mcfab_digraph_alloc(back, g->nodes, g->edges);
	u32 node, i;

	if (ret)
		return ret;
	for (i = 0; i < g->edges; i++)
		back->first[g->to[i] + 1]++;
	for (node = 0; node < g->nodes; node++)
		back->first[node + 1] += back->first[node];
	for (node = 0; node < g->nodes; node++) {
		for (i = g->first[node]; i < g->first[node + 1]; i++)
			back->to[back->first[g->to[i]]++] = node;
		if (!(node % BREATH))
			cond_resched();
	}
	/* each entry now is where the next node's edges begin */
	for (node = g->nodes; node > 0; node--)
		back->first[node] = back->first[node - 1];
	back->first[0] = 0;
	return 0;
}

/**
 * mcfab_components_free() - free components
 * @c: from mcfab_digraph_components()
 *
 * Context: May sleep.
 */
void mcfab_components_free(struct mcfab_components *c)
{
	mcfab_memory_free(c->of);
}

/*
 * Tarjan's search. A node's low is the earliest node on the stack to which it or what is below it
 * in the search leads; nodes are counted in the order in which they are met, from 1.
 */
struct tarjan {
	const struct mcfab_digraph *g;
	struct mcfab_components *out;
	u32 *met;	/* [nodes] 0: not yet */
	u32 *low;	/* [nodes] */
	u32 *next;	/* [nodes] the edge to look at next */
	u32 *stack;	/* [nodes] nodes whose component is open */
	u32 *way;	/* [nodes] the way that the search is on */
	u32 depth;
	u32 open;
	u32 count;
};

static void enter(struct tarjan *t, u32 node)
{
	t->met[node] = ++t->count;
	t->low[node] = t->count;
	t->next[node] = t->g->first[node];
	t->stack[t->open++] = node;
	t->way[t->depth++] = node;
}

static bool leads_to_itself(const struct mcfab_digraph *g, u32 node)
{
	u32 i;

	for (i = g->first[node]; i < g->first[node + 1]; i++)
		if (g->to[i] == node)
			return true;
	return false;
}

/* The component whose first node is @node is complete: it is on top of the stack. */
static void close_component(struct tarjan *t, u32 node)
{
	u32 top = t->open, i;

	while (t->stack[--t->open] != node)
		;
	if (top - t->open > 1 || leads_to_itself(t->g, node)) {
		for (i = t->open; i < top; i++)
			t->out->of[t->stack[i]] = t->out->count;
		t->out->count++;
	}
	/* closed nodes are never an earlier one */
	for (i = t->open; i < top; i++)
		t->low[t->stack[i]] = U32_MAX;
}

static void leave(struct tarjan *t)
{
	u32 node = t->way[--t->depth];
	u32 low = t->low[node];

	if (low == t->met[node])
		close_component(t, node);
	else if (t->depth)
		t->low[t->way[t->depth - 1]] = min(t->low[t->way[t->depth - 1]], low);
}

/* One step along an edge of the last node of the way, or back from it. */
static void step(struct tarjan *t)
{
	u32 node = t->way[t->depth - 1], to;

	if (t->next[node] == t->g->first[node + 1]) {
		leave(t);
		return;
	}
	to = t->g->to[t->next[node]++];
	if (!t->met[to])
		enter(t, to);
	else if (t->low[to] != U32_MAX)
		t->low[node] = min(t->low[node], t->met[to]);
}

static int search(struct tarjan *t)
{
	u32 node, steps = 0;
	int ret;

	for (node = 0; node < t->g->nodes; node++) {
		if (t->met[node])
			continue;
		enter(t, node);
		while (t->depth) {
			step(t);
			if (++steps % BREATH)
				continue;
			ret = mcfab_job_step(node, t->g->nodes);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/**
 * mcfab_digraph_components() - find the nodes that are on cycles
 * @g: the graph
 * @out: the strongly connected components that have a cycle
 *
 * Takes time and memory in proportion to nodes and edges.
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the caller is to stop; mcfab_components_free() frees what there
 * is in all cases.
 */
int mcfab_digraph_components(const struct mcfab_digraph *g, struct mcfab_components *out)
{
	struct tarjan t = { .g = g, .out = out };
	int ret = -ENOMEM;
	u32 i;

	out->count = 0;
	out->of = mcfab_memory_alloc(g->nodes, sizeof(*out->of));
	t.met = mcfab_memory_zalloc(g->nodes, sizeof(*t.met));
	t.low = mcfab_memory_alloc(g->nodes, sizeof(*t.low));
	t.next = mcfab_memory_alloc(g->nodes, sizeof(*t.next));
	t.stack = mcfab_memory_alloc(g->nodes, sizeof(*t.stack));
	t.way = mcfab_memory_alloc(g->nodes, sizeof(*t.way));
	if (out->of && t.met && t.low && t.next && t.stack && t.way) {
		for (i = 0; i < g->nodes; i++)
			out->of[i] = MCFAB_NONE;
		ret = search(&t);
	}
	mcfab_memory_free(t.met);
	mcfab_memory_free(t.low);
	mcfab_memory_free(t.next);
	mcfab_memory_free(t.stack);
	mcfab_memory_free(t.way);
	return ret;
}

/* Breadth-first search of a way back to where it began. */
struct breadth {
	const struct mcfab_digraph *g;
	const struct mcfab_components *c;
	u32 *from;	/* [nodes] the node before, MCFAB_NONE: not met */
	u32 *queue;	/* [nodes] nodes that were met */
	u32 met;
};

/* The last node of a shortest cycle that begins at @start. */
static u32 find_way_back(struct breadth *b, u32 start)
{
	u32 head, node, to, i;

	b->met = 0;
	b->queue[b->met++] = start;
	for (head = 0; head < b->met; head++) {
		node = b->queue[head];
		cond_resched();
		for (i = b->g->first[node]; i < b->g->first[node + 1]; i++) {
			to = b->g->to[i];
			if (to == start)
				return node;
			if (b->c->of[to] != b->c->of[start] || b->from[to] != MCFAB_NONE)
				continue;
			b->from[to] = node;
			b->queue[b->met++] = to;
		}
	}
	return MCFAB_NONE;
}

static void take_shortest(struct breadth *b, u32 start, u32 *cycle, u32 *length)
{
	u32 last = find_way_back(b, start), node, n = 1;

	for (node = last; node != MCFAB_NONE && node != start; node = b->from[node])
		n++;
	if (last != MCFAB_NONE && (!*length || n < *length)) {
		*length = n;
		for (node = last; n > 1; node = b->from[node])
			cycle[--n] = node;
		cycle[0] = start;
	}
	while (b->met)
		b->from[b->queue[--b->met]] = MCFAB_NONE;
}

/**
 * mcfab_digraph_cycle() - find a short cycle of a component
 * @g: the graph
 * @c: its components
 * @number: which of them
 * @cycle: [nodes] the nodes of the cycle in order
 * @length: how many they are
 *
 * The cycle is a shortest one through one of the component's first 64 nodes.
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM, or -EINTR if the caller is to stop.
 */
int mcfab_digraph_cycle(const struct mcfab_digraph *g, const struct mcfab_components *c, u32 number,
			u32 *cycle, u32 *length)
{
	struct breadth b = { .g = g, .c = c };
	u32 node, starts = 0;
	int ret = -ENOMEM;

	*length = 0;
	b.from = mcfab_memory_alloc(g->nodes, sizeof(*b.from));
	b.queue = mcfab_memory_alloc(g->nodes, sizeof(*b.queue));
	if (!b.from || !b.queue)
		goto out;
	for (node = 0; node < g->nodes; node++)
		b.from[node] = MCFAB_NONE;
	for (node = 0, ret = 0; node < g->nodes && starts < STARTS && !ret; node++) {
		if (c->of[node] != number)
			continue;
		starts++;
		take_shortest(&b, node, cycle, length);
		ret = mcfab_job_step(number, c->count);
	}
out:
	mcfab_memory_free(b.from);
	mcfab_memory_free(b.queue);
	return ret;
}
