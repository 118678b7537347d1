/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Graphs that wait for their fabrics: nl_graph.c receives them, nl_graph_take.c makes fabrics of
 * them.
 */
#ifndef MCFAB_CONTROL_NL_GRAPH_H
#define MCFAB_CONTROL_NL_GRAPH_H

#include "control/nl.h"
#include "topology/graph.h"

/* Elements of a piece: less than 100 KiB of memory. */
#define MCFAB_NL_GRAPH_PIECE	1024U

/**
 * struct mcfab_nl_graph_list - elements of one kind of a graph that is being uploaded
 * @piece: memory for MCFAB_NL_GRAPH_PIECE elements each, NULL: no element has come for it. It is
 *	   not cleared: all elements below @have were written, and no others are read
 * @size: bytes of one element
 * @have: elements so far
 * @most: elements announced
 */
struct mcfab_nl_graph_list {
	void **piece;
	size_t size;
	u32 have;
	u32 most;
};

/* Which list. */
enum {
	MCFAB_NL_GRAPH_SWITCHES,
	MCFAB_NL_GRAPH_HOSTS,
	MCFAB_NL_GRAPH_LINKS,
	MCFAB_NL_GRAPH_LISTS
};

/**
 * struct mcfab_nl_graph - a graph that is being uploaded
 * @waits: in mcfab_nl_net.graphs
 * @name: name of its fabric to be
 * @root: of up*-down* routing, or MCFAB_NONE
 * @list: its elements so far
 * @graph: the graph in one piece, once a fabric was to be made of it: there are no lists then
 * @bytes: memory charged
 * @made: it was generated and does not outlive the request
 */
struct mcfab_nl_graph {
	struct list_head waits;
	char name[MCFAB_NAME_LEN];
	u32 root;
	struct mcfab_nl_graph_list list[MCFAB_NL_GRAPH_LISTS];
	struct mcfab_graph *graph;
	u64 bytes;
	bool made;
};

/* An element that has come, or whose piece exists. */
static inline void *mcfab_nl_graph_at(const struct mcfab_nl_graph_list *list, u32 at)
{
	return list->piece[at / MCFAB_NL_GRAPH_PIECE] + at % MCFAB_NL_GRAPH_PIECE * list->size;
}

/* nl_graph.c */
struct mcfab_nl_graph *mcfab_nl_graph_alloc(const char *name, u32 switches, u32 hosts, u32 links);
void mcfab_nl_graph_drop(struct mcfab_nl_graph *staged);
struct mcfab_nl_graph *mcfab_nl_graph_find(struct mcfab_nl_net *nlnet, const char *name);
struct mcfab_nl_graph *mcfab_nl_graph_detach(struct mcfab_nl_net *nlnet, const char *name);
void mcfab_nl_graph_attach(struct mcfab_nl_net *nlnet, struct mcfab_nl_graph *staged);

#endif
