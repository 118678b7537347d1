// SPDX-License-Identifier: GPL-2.0
/*
 * The list of topologies. They are part of mcfab.ko: a table, no registry with modules behind it.
 */
#include "topology/topology.h"

static const struct mcfab_topo_ops *const topologies[] = {
	&mcfab_mesh_ops,
	&mcfab_torus_ops,
	&mcfab_star_ops,
	&mcfab_ring_ops,
	&mcfab_hypercube_ops,
	&mcfab_irregular_ops,
};

/**
 * mcfab_topo_at() - the topologies one after the other
 * @index: from 0
 *
 * Context: Any.
 * Return: the topology, or NULL behind the last.
 */
const struct mcfab_topo_ops *mcfab_topo_at(u32 index)
{
	return index < ARRAY_SIZE(topologies) ? topologies[index] : NULL;
}

/**
 * mcfab_topo_find() - a topology by its name
 * @name: NUL-terminated
 *
 * Context: Any.
 * Return: the topology, or NULL if there is none of that name.
 */
const struct mcfab_topo_ops *mcfab_topo_find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(topologies); i++)
		if (!strcmp(topologies[i]->name, name))
			return topologies[i];
	return NULL;
}
