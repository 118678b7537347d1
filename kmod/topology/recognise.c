// SPDX-License-Identifier: GPL-2.0
/*
 * Recognise a mesh. On a mesh distances say where everything is. With the corner
 * c = (0, 0), its neighbours a = (1, 0) and b = (0, 1), and e the far end of row 0,
 *
 *	dist(c) = x + y,   dist(e) = width - 1 - x + y,
 *
 * and row 0 is where b is farther away than c. What comes of this is then compared
 * with a mesh, link by link, so that nothing else passes for one.
 */
#include "base/memory.h"
#include "topology/recognise.h"

/**
 * struct search - working space
 * @topo: the network
 * @err: where to put the error
 * @queue: [routers] of a breadth-first search
 * @from_corner: [routers] distance from the corner
 * @from_other: [routers] distance from b, then from e
 */
struct search {
	const struct mcfab_topo *topo;
	struct mcfab_err *err;
	u32 *queue;
	u32 *from_corner;
	u32 *from_other;
};

static int no_mesh(const struct search *s, const char *why, u32 router)
{
	return mcfab_refuse(s->err, -EOPNOTSUPP, 0, "it is no mesh: switch %u %s", router, why);
}

static u32 links_of(const struct mcfab_topo *topo, u32 router)
{
	u32 port, links = 0;

	for (port = 0; port < topo->ports; port++)
		links += mcfab_topo_neighbour(topo, router, port) != MCFAB_NONE;
	return links;
}

/* The neighbour with the lowest number that is @after or more, or MCFAB_NONE. */
static u32 neighbour_from(const struct mcfab_topo *topo, u32 router, u32 after)
{
	u32 port, next, least = MCFAB_NONE;

	for (port = 0; port < topo->ports; port++) {
		next = mcfab_topo_neighbour(topo, router, port);
		if (next != MCFAB_NONE && next >= after)
			least = min(least, next);
	}
	return least;
}

/* Breadth first: the network is connected, so every router gets its distance. */
static void distances(const struct search *s, u32 from, u32 *dist)
{
	const struct mcfab_topo *topo = s->topo;
	u32 head = 0, tail = 0, port, next, i;

	for (i = 0; i < topo->routers; i++)
		dist[i] = MCFAB_NONE;
	dist[from] = 0;
	s->queue[tail++] = from;
	while (head < tail) {
		u32 at = s->queue[head++];

		for (port = 0; port < topo->ports; port++) {
			next = mcfab_topo_neighbour(topo, at, port);
			if (next == MCFAB_NONE || dist[next] != MCFAB_NONE)
				continue;
			dist[next] = dist[at] + 1;
			s->queue[tail++] = next;
		}
	}
}

static int find_hosts(const struct search *s, struct mcfab_as_mesh *mesh)
{
	const struct mcfab_topo *topo = s->topo;
	u32 i;

	for (i = 0; i < topo->routers; i++)
		mesh->node[i] = MCFAB_NONE;
	for (i = 0; i < topo->nodes; i++) {
		if (mesh->node[topo->router[i]] != MCFAB_NONE)
			return no_mesh(s, "has several hosts", topo->router[i]);
		mesh->node[topo->router[i]] = i;
	}
	for (i = 0; i < topo->routers; i++)
		if (mesh->node[i] == MCFAB_NONE)
			return no_mesh(s, "has no host", i);
	return 0;
}

/* Corners have fewer links than all others. */
static u32 find_corner(const struct mcfab_topo *topo)
{
	u32 i, links, corner = 0, least = MCFAB_NONE;

	for (i = 0; i < topo->routers; i++) {
		links = links_of(topo, i);
		if (links < least) {
			least = links;
			corner = i;
		}
	}
	return corner;
}

/* Row 0, by the other neighbour of the corner: its length; @end: its last router */
static u32 find_row(const struct search *s, u32 corner, u32 *end)
{
	const struct mcfab_topo *topo = s->topo;
	u32 a = neighbour_from(topo, corner, 0), i, width = 0;
	u32 b = a == MCFAB_NONE ? a : neighbour_from(topo, corner, a + 1);

	if (b != MCFAB_NONE)
		distances(s, b, s->from_other);
	*end = corner;
	for (i = 0; i < topo->routers; i++) {
		if (b != MCFAB_NONE && s->from_other[i] != s->from_corner[i] + 1)
			continue;
		width++;
		if (s->from_corner[i] > s->from_corner[*end])
			*end = i;
	}
	return width;
}

static int set_places(const struct search *s, struct mcfab_as_mesh *mesh)
{
	const struct mcfab_topo *topo = s->topo;
	u32 i, x, y, twice;

	for (i = 0; i < topo->routers; i++)
		mesh->router[i] = MCFAB_NONE;
	for (i = 0; i < topo->routers; i++) {
		twice = s->from_corner[i] + s->from_other[i];
		if (twice < mesh->width - 1)
			return no_mesh(s, "is too near to two corners", i);
		y = (twice - (mesh->width - 1)) / 2;
		x = s->from_corner[i] - y;
		if (y > s->from_corner[i] || x >= mesh->width || y >= mesh->height)
			return no_mesh(s, "is too far from its corners", i);
		mesh->place[i] = x + mesh->width * y;
		if (mesh->router[mesh->place[i]] != MCFAB_NONE)
			return no_mesh(s, "is in the place of another one", i);
		mesh->router[mesh->place[i]] = i;
	}
	return 0;
}

/* The direction from one place to another, MCFAB_COMPASS if they are no neighbours. */
static u32 direction(const struct mcfab_as_mesh *mesh, u32 from, u32 to)
{
	u32 x = from % mesh->width;

	if (to == from + 1 && x + 1 < mesh->width)
		return MCFAB_EAST;
	if (to + 1 == from && x)
		return MCFAB_WEST;
	if (to == from + mesh->width)
		return MCFAB_NORTH;
	if (to + mesh->width == from)
		return MCFAB_SOUTH;
	return MCFAB_COMPASS;
}

static int set_ports(const struct search *s, struct mcfab_as_mesh *mesh)
{
	const struct mcfab_topo *topo = s->topo;
	u32 i, port, next, way, links = 0;

	memset(mesh->port, MCFAB_NO_PORT, (size_t)topo->routers * MCFAB_COMPASS);
	for (i = 0; i < topo->routers; i++) {
		for (port = 0; port < topo->ports; port++) {
			next = mcfab_topo_neighbour(topo, i, port);
			if (next == MCFAB_NONE)
				continue;
			way = direction(mesh, mesh->place[i], mesh->place[next]);
			if (way == MCFAB_COMPASS)
				return no_mesh(s, "has a link that is none of a mesh", i);
			if (mesh->port[i * MCFAB_COMPASS + way] != MCFAB_NO_PORT)
				return no_mesh(s, "has two links to the same one", i);
			mesh->port[i * MCFAB_COMPASS + way] = port;
			links++;
		}
	}
	/* both ways */
	if (links != 2 * (2 * topo->routers - mesh->width - mesh->height))
		return mcfab_refuse(s->err, -EOPNOTSUPP, 0, "it is no mesh: links are missing");
	return 0;
}

static int recognise(const struct search *s, struct mcfab_as_mesh *mesh)
{
	u32 routers = s->topo->routers, corner, end;
	int ret;

	ret = find_hosts(s, mesh);
	if (ret)
		return ret;
	corner = find_corner(s->topo);
	distances(s, corner, s->from_corner);
	mesh->width = find_row(s, corner, &end);
	mesh->height = routers / mesh->width;
	if (mesh->width * mesh->height != routers)
		return mcfab_refuse(s->err, -EOPNOTSUPP, 0,
				    "it is no mesh: %u switches are no rows of %u", routers,
				    mesh->width);
	distances(s, end, s->from_other);
	ret = set_places(s, mesh);
	return ret ?: set_ports(s, mesh);
}

/**
 * mcfab_mesh_recognise() - take an irregular network as a two-dimensional mesh
 * @topo: an irregular network
 * @mesh: filled in; to be given back with mcfab_mesh_forget()
 * @err: why it is no mesh
 *
 * Context: May sleep.
 * Return: 0, -EOPNOTSUPP if it is no mesh of switches with one host each, -ENOMEM.
 */
int mcfab_mesh_recognise(const struct mcfab_topo *topo, struct mcfab_as_mesh *mesh,
			 struct mcfab_err *err)
{
	struct search s = { .topo = topo, .err = err };
	int ret;

	memset(mesh, 0, sizeof(*mesh));
	s.queue = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	s.from_corner = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	s.from_other = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	mesh->router = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	mesh->place = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	mesh->node = mcfab_memory_zalloc(topo->routers, sizeof(u32));
	mesh->port = mcfab_memory_zalloc(topo->routers, MCFAB_COMPASS);
	if (s.queue && s.from_corner && s.from_other && mesh->router && mesh->place &&
	    mesh->node && mesh->port)
		ret = recognise(&s, mesh);
	else
		ret = mcfab_refuse(err, -ENOMEM, 0, "out of memory");
	mcfab_memory_free(s.queue);
	mcfab_memory_free(s.from_corner);
	mcfab_memory_free(s.from_other);
	if (ret)
		mcfab_mesh_forget(mesh);
	return ret;
}
EXPORT_SYMBOL_NS_GPL(mcfab_mesh_recognise, MCFAB);

/**
 * mcfab_mesh_forget() - give back what mcfab_mesh_recognise() filled in
 * @mesh: as filled in, or all zero
 *
 * Context: May sleep.
 */
void mcfab_mesh_forget(struct mcfab_as_mesh *mesh)
{
	mcfab_memory_free(mesh->router);
	mcfab_memory_free(mesh->place);
	mcfab_memory_free(mesh->node);
	mcfab_memory_free(mesh->port);
	memset(mesh, 0, sizeof(*mesh));
}
EXPORT_SYMBOL_NS_GPL(mcfab_mesh_forget, MCFAB);
