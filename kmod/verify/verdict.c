// SPDX-License-Identifier: GPL-2.0
/*
 * From a graph of waits to a verdict. First: a pool that can always give a channel is nobody's
 * reason to wait. Resources that headers ask for together are one. If no resource then waits for
 * itself by way of others, nothing can deadlock. Otherwise the largest set is found in which each
 * resource waits for a request all of whose alternatives are in the set: if it is empty, nothing
 * can deadlock either.
 */
#include <linux/sched.h>

#include "base/job.h"
#include "base/memory.h"
#include "proof/digraph.h"
#include "verify/verdict.h"

/* Nodes between two scheduling points. */
#define BREATH		65536

/**
 * struct judging - working space
 * @w: the graph
 * @open: [nodes of the topology] the pool may be used up by worms that wait
 * @leader: [resources + requests] the resource that stands for it and its peers
 * @graph: edges between leaders
 * @pair: [edges of @graph] the pair of @w from which an edge comes; NULL: to an alternative
 * @left: [resources + requests] how many edges lead from a leader or a request into the set
 */
struct judging {
	const struct mcfab_waits *w;
	bool *open;
	u32 *leader;
	struct mcfab_digraph graph;
	const struct mcfab_pair **pair;
	u32 *left;
};

static u32 numbers(const struct mcfab_waits *w)
{
	return w->resources + w->requests;
}

/**
 * struct count - inputs that ask for the pools
 * @holders: inputs that keep a channel while they wait
 * @outsiders: inputs that ask for it, but keep none while they wait
 */
struct count {
	u32 holders;
	u32 outsiders;
};

/* A pool may be used up for an input if others hold all of its channels, one each, and wait. */
static int find_pools(struct judging *j)
{
	const struct mcfab_waits *w = j->w;
	u32 nodes = w->view->topo->nodes, i, others, weight;
	const struct mcfab_pair *p = NULL;
	struct count *count;

	count = mcfab_memory_zalloc(nodes, sizeof(*count));
	if (!count)
		return -ENOMEM;
	while ((p = mcfab_pairs_next(&w->asks, p))) {
		/* a node has several channels by which its packets come */
		weight = p->b < w->resources ? 1 : w->view->inject;
		if (p->a & 1)
			count[p->a / 2].holders += weight;
		else if (!mcfab_pairs_find(&w->asks, p->a + 1, p->b))
			count[p->a / 2].outsiders += weight;
	}
	for (i = 0; i < nodes; i++) {
		others = count[i].holders;
		if (others && !count[i].outsiders)
			others--;
		j->open[i] = others >= w->view->consume;
	}
	mcfab_memory_free(count);
	return 0;
}

static bool is_open(const struct judging *j, u32 number)
{
	return !mcfab_wait_is_pool(j->w, number) || j->open[number - j->w->fifos];
}

static u32 find_leader(u32 *leader, u32 i)
{
	while (leader[i] != i) {
		leader[i] = leader[leader[i]];
		i = leader[i];
	}
	return i;
}

static void find_leaders(struct judging *j)
{
	const struct mcfab_pair *p = NULL;
	u32 i;

	for (i = 0; i < numbers(j->w); i++)
		j->leader[i] = i;
	while ((p = mcfab_pairs_next(&j->w->peers, p)))
		if (is_open(j, p->a) && is_open(j, p->b))
			j->leader[find_leader(j->leader, p->a)] = find_leader(j->leader, p->b);
	for (i = 0; i < numbers(j->w); i++)
		j->leader[i] = find_leader(j->leader, i);
}

/* Counts the edges of each node, or fills them in; first[] holds the next places then. */
static void put_edges(struct judging *j, bool fill)
{
	const struct mcfab_waits *w = j->w;
	const struct mcfab_pair *p = NULL;
	struct mcfab_digraph *g = &j->graph;
	u32 i, k, from;

	while ((p = mcfab_pairs_next(&w->edges, p))) {
		if (!is_open(j, p->a) || !is_open(j, p->b))
			continue;
		from = j->leader[p->a];
		if (fill) {
			g->to[g->first[from]] = j->leader[p->b];
			j->pair[g->first[from]] = p;
		}
		g->first[from]++;
	}
	for (i = 0; i < w->requests; i++) {
		from = w->resources + i;
		for (k = w->first[i]; k < w->first[i + 1]; k++) {
			if (fill)
				g->to[g->first[from]] = j->leader[w->alt[k]];
			g->first[from]++;
		}
	}
}

static int make_graph(struct judging *j)
{
	u32 n = numbers(j->w), i, sum = 0, count;
	struct mcfab_digraph *g = &j->graph;
	int ret;

	ret = mcfab_digraph_alloc(g, n, j->w->edges.count + (j->w->requests ?
				  j->w->first[j->w->requests] : 0));
	j->pair = mcfab_memory_zalloc((u64)g->edges + 1, sizeof(*j->pair));
	if (ret || !j->pair)
		return -ENOMEM;
	put_edges(j, false);
	for (i = 0; i <= n; i++) {
		count = i < n ? g->first[i] : 0;
		g->first[i] = sum;
		sum += count;
		if (!(i % BREATH))
			cond_resched();
	}
	g->edges = sum;
	put_edges(j, true);
	/* each entry now is where the next node's edges begin */
	for (i = n; i > 0; i--)
		g->first[i] = g->first[i - 1];
	g->first[0] = 0;
	return mcfab_job_step(0, 0);
}

/* Do all of a request's alternatives have to be in the set with it? A resource needs one edge. */
static bool needs_all(const struct judging *j, u32 node)
{
	return node >= j->w->resources;
}

static bool stays(const struct judging *j, u32 node)
{
	const struct mcfab_digraph *g = &j->graph;

	if (needs_all(j, node))
		return j->left[node] == g->first[node + 1] - g->first[node];
	return j->left[node];
}

/* Only the edges within the set are left. */
static void keep_inner(struct judging *j)
{
	struct mcfab_digraph *g = &j->graph;
	u32 node, at = 0, end, kept = 0;

	for (node = 0; node < g->nodes; node++) {
		end = g->first[node + 1];
		for (; at < end; at++) {
			if (!stays(j, node) || !stays(j, g->to[at]))
				continue;
			g->to[kept] = g->to[at];
			j->pair[kept++] = j->pair[at];
		}
		g->first[node + 1] = kept;
	}
	g->edges = kept;
}

/* Takes nodes out of the set until each one that is left waits for one in the set. */
static int shrink(struct judging *j, u32 *size)
{
	struct mcfab_digraph *g = &j->graph, back = {};
	u32 n = g->nodes, i, k, node, head = 0, tail = 0;
	u32 *queue = mcfab_memory_alloc(n, sizeof(*queue));
	int ret = mcfab_digraph_reverse(g, &back);

	if (ret || !queue) {
		ret = -ENOMEM;
		goto out;
	}
	for (i = 0; i < n; i++)
		j->left[i] = g->first[i + 1] - g->first[i];
	for (i = 0; i < n; i++)
		if (!j->left[i])
			queue[tail++] = i;
	while (head < tail) {
		node = queue[head++];
		for (i = back.first[node]; i < back.first[node + 1]; i++) {
			k = back.to[i];
			if (!stays(j, k))
				continue;
			j->left[k]--;
			if (!stays(j, k))
				queue[tail++] = k;
		}
		if (!(head % BREATH))
			ret = mcfab_job_step(head, n);
		if (ret)
			goto out;
	}
	*size = n - tail;
	keep_inner(j);
out:
	mcfab_digraph_free(&back);
	mcfab_memory_free(queue);
	return ret;
}

/* The edge of the graph between two nodes. */
static u32 edge_between(const struct mcfab_digraph *g, u32 from, u32 to)
{
	u32 i = g->first[from];

	while (g->to[i] != to)
		i++;
	return i;
}

static void keep_cycle(const struct judging *j, const u32 *cycle, u32 length,
		       struct mcfab_judgement *v)
{
	const struct mcfab_pair *p;
	u32 i;

	v->length = 0;
	for (i = 0; i < length && v->length < MCFAB_WAIT_CYCLE; i++) {
		p = j->pair[edge_between(&j->graph, cycle[i], cycle[i + 1 < length ? i + 1 : 0])];
		/* a request's alternatives are shown by what holds them */
		if (p)
			v->cycle[v->length++] = (struct mcfab_wait_edge){ p->a, p->b, p->note };
	}
}

/* A short cycle of the first component, or none. */
static int find_cycle(const struct judging *j, struct mcfab_judgement *v)
{
	struct mcfab_components c = {};
	u32 *cycle, length = 0;
	int ret = -ENOMEM;

	v->length = 0;
	cycle = mcfab_memory_alloc(j->graph.nodes, sizeof(*cycle));
	if (cycle)
		ret = mcfab_digraph_components(&j->graph, &c);
	if (!ret && c.count)
		ret = mcfab_digraph_cycle(&j->graph, &c, 0, cycle, &length);
	if (!ret && length)
		keep_cycle(j, cycle, length, v);
	mcfab_components_free(&c);
	mcfab_memory_free(cycle);
	return ret;
}

static int decide(struct judging *j, struct mcfab_judgement *v)
{
	u32 size = 0;
	int ret = find_pools(j);

	if (ret)
		return ret;
	find_leaders(j);
	ret = make_graph(j);
	if (ret)
		return ret;
	v->edges = j->graph.edges;
	ret = find_cycle(j, v);
	if (ret)
		return ret;
	v->acyclic = !v->length;
	v->free = v->acyclic;
	if (v->free || !j->w->requests)
		return 0;
	ret = shrink(j, &size);
	if (ret)
		return ret;
	v->free = !size;
	return size ? find_cycle(j, v) : 0;
}

/**
 * mcfab_judge() - can worms wait for each other for ever?
 * @w: all that worms hold and ask for
 * @v: filled in
 *
 * Context: May sleep. Takes time and memory in proportion to the edges.
 * Return: 0, -ENOMEM, -EINTR.
 */
int mcfab_judge(const struct mcfab_waits *w, struct mcfab_judgement *v)
{
	struct judging j = { .w = w };
	int ret = -ENOMEM;

	memset(v, 0, sizeof(*v));
	j.open = mcfab_memory_zalloc(w->view->topo->nodes, sizeof(*j.open));
	j.leader = mcfab_memory_alloc(numbers(w), sizeof(*j.leader));
	j.left = mcfab_memory_zalloc(numbers(w), sizeof(*j.left));
	if (j.open && j.leader && j.left)
		ret = decide(&j, v);
	mcfab_digraph_free(&j.graph);
	mcfab_memory_free(j.pair);
	mcfab_memory_free(j.open);
	mcfab_memory_free(j.leader);
	mcfab_memory_free(j.left);
	return ret;
}
