/* SPDX-License-Identifier: GPL-2.0 */
/*
 * up*-down* routing against its definition, by other means: levels, paths and what is
 * below a switch are searched for anew here, over the links alone.
 */
#ifndef TESTS_UPDOWN_H
#define TESTS_UPDOWN_H

#include "topology/topology.h"

/* a topology of a graph, to be freed by mcfab_topo_free() */
void updown_topo(struct mcfab_topo *topo, const struct mcfab_graph *g);

/* which root is best; all of them are tried if @root is 0 */
void updown_check_root(const struct mcfab_topo *topo, u32 root, u32 *best);
/* all tables of this root */
void updown_check_network(const struct mcfab_topo *topo, u32 root);

#endif
