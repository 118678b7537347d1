// SPDX-License-Identifier: GPL-2.0
/*
 * Directions on a mesh of two dimensions: on a mesh made by its dimensions, and on an irregular
 * network that is a mesh.
 */
#include "subnet/subnet.h"
#include "topology/recognise.h"

static void set_port(struct mcfab_subnet *sn, u32 sw, u32 direction, u32 port)
{
	sn->toward[MCFAB_DIRECTIONS * sw + direction - 1] = port;
	sn->direction[sw * sn->ports + port] = direction;
}

static void fill_dims(struct mcfab_subnet *sn)
{
	const struct mcfab_topo *topo = sn->topo;
	u32 sw, direction, port;

	sn->mesh = true;
	for (sw = 0; sw < sn->switches; sw++) {
		sn->xy[2 * sw] = mcfab_topo_coord(topo, sw, 0);
		sn->xy[2 * sw + 1] = mcfab_topo_coord(topo, sw, 1);
		for (direction = MCFAB_TO_EAST; direction <= MCFAB_DIRECTIONS; direction++) {
			port = sn->rules.port[direction - MCFAB_TO_EAST];
			if (mcfab_subnet_end(sn, sw, port) != MCFAB_END_NONE)
				set_port(sn, sw, direction, port);
		}
	}
}

static void fill_graph(struct mcfab_subnet *sn, const struct mcfab_as_mesh *mesh)
{
	u32 sw, direction, port;

	sn->mesh = true;
	for (sw = 0; sw < sn->switches; sw++) {
		sn->xy[2 * sw] = mesh->place[sw] % mesh->width;
		sn->xy[2 * sw + 1] = mesh->place[sw] / mesh->width;
		for (direction = MCFAB_EAST; direction < MCFAB_COMPASS; direction++) {
			port = mesh->port[MCFAB_COMPASS * sw + direction];
			if (port != MCFAB_NO_PORT)
				set_port(sn, sw, MCFAB_TO_EAST + direction, port);
		}
	}
}

/**
 * mcfab_directions_fill() - find the directions of the ports of a mesh
 * @sn: subnet; its ports are known
 *
 * Context: May sleep.
 * Return: 0, also if the network is no mesh; -ENOMEM.
 */
int mcfab_directions_fill(struct mcfab_subnet *sn)
{
	struct mcfab_as_mesh mesh;
	struct mcfab_err err;
	int ret;

	/* both enums go round the same way */
	BUILD_BUG_ON(MCFAB_TO_SOUTH - MCFAB_TO_EAST != MCFAB_SOUTH - MCFAB_EAST);
	if (!sn->topo->graph) {
		fill_dims(sn);
		return 0;
	}
	ret = mcfab_mesh_recognise(sn->topo, &mesh, &err);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	fill_graph(sn, &mesh);
	mcfab_mesh_forget(&mesh);
	return 0;
}
