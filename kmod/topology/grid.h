/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of kmod/topology: functions that meshes and tori share. */
#ifndef MCFAB_TOPOLOGY_GRID_H
#define MCFAB_TOPOLOGY_GRID_H

#include "topology/topology.h"

int mcfab_grid_init(struct mcfab_topo *topo, u32 least, struct mcfab_err *err);
void mcfab_grid_count(struct mcfab_topo *topo);
void mcfab_grid_fill(struct mcfab_topo *topo, bool wrap);
void mcfab_grid_port_name(const struct mcfab_topo *topo, u32 port, char *buf, size_t len);

#endif
