/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directed graphs of resources that wait for each other: an edge goes from a resource that a packet
 * holds to one that it asks for. Where no resource waits for itself by way of others, nothing can
 * deadlock.
 */
#ifndef MCFAB_PROOF_DIGRAPH_H
#define MCFAB_PROOF_DIGRAPH_H

#include "base/types.h"

/**
 * struct mcfab_digraph - a directed graph
 * @nodes: nodes, numbered from 0
 * @edges: entries of @to
 * @first: [@nodes + 1] where the edges of a node begin in @to
 * @to: [@edges] where edges lead
 */
struct mcfab_digraph {
	u32 nodes;
	u32 edges;
	u32 *first;
	u32 *to;
};

/**
 * struct mcfab_components - strongly connected components that have a cycle
 * @count: how many
 * @of: [nodes] number of a node's component, MCFAB_NONE: the node is on no cycle
 */
struct mcfab_components {
	u32 count;
	u32 *of;
};

int mcfab_digraph_alloc(struct mcfab_digraph *g, u32 nodes, u32 edges);
void mcfab_digraph_free(struct mcfab_digraph *g);
int mcfab_digraph_reverse(const struct mcfab_digraph *g, struct mcfab_digraph *back);
int mcfab_digraph_components(const struct mcfab_digraph *g, struct mcfab_components *out);
void mcfab_components_free(struct mcfab_components *c);
int mcfab_digraph_cycle(const struct mcfab_digraph *g, const struct mcfab_components *c, u32 number,
			u32 *cycle, u32 *length);

#endif
