// SPDX-License-Identifier: GPL-2.0
/* Meshes whose switches, hosts and ports are in any order are recognised, others are not. */
#include <stdlib.h>
#include "lib/net.h"
#include "lib/shortest.h"
#include "topology/recognise.h"

#include "lib/tap.h"

#define PORTS	9

static void shuffle(u64 *rnd, u32 *list, u32 n)
{
	u32 i, k, swap;

	for (i = 0; i < n; i++)
		list[i] = i;
	for (i = n; i > 1; i--) {
		k = rng_below(rnd, i);
		swap = list[k];
		list[k] = list[i - 1];
		list[i - 1] = swap;
	}
}

/* a mesh with its numbers in any order; @at: the switch at each place */
static struct mcfab_graph *shuffled(u64 *rnd, u32 width, u32 height, u32 *at)
{
	u32 n = width * height, i, x, y, *host = calloc(n, sizeof(u32));
	u32 (*port)[PORTS] = calloc(n, sizeof(*port)), *used = calloc(n, sizeof(u32));
	struct mcfab_graph *g = graph_new(n, n, 2 * n - width - height);
	struct mcfab_graph_link *l = g->link;

	shuffle(rnd, at, n);
	shuffle(rnd, host, n);
	for (i = 0; i < n; i++) {
		shuffle(rnd, port[i], PORTS);
		g->sw[i].ports = PORTS;
		g->host[host[i]].at = i;
		g->host[host[i]].port = port[i][used[i]++];
	}
	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++) {
			u32 a = at[x + width * y], b;

			if (x + 1 < width) {
				b = at[x + 1 + width * y];
				*l++ = (struct mcfab_graph_link){ a, b, port[a][used[a]++],
								  port[b][used[b]++] };
			}
			if (y + 1 < height) {
				b = at[x + width * (y + 1)];
				*l++ = (struct mcfab_graph_link){ a, b, port[a][used[a]++],
								  port[b][used[b]++] };
			}
		}
	}
	free(port);
	free(used);
	free(host);
	return g;
}

static void make(struct mcfab_topo *topo, const struct mcfab_graph *g)
{
	struct mcfab_err err;

	memset(topo, 0, sizeof(*topo));
	topo->ops = mcfab_topo_find("irregular");
	topo->graph = g;
	if (topo->ops->init(topo, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(mcfab_topo_alloc(topo), 0);
}

/* every link is one of the mesh, seen from both ends, and (0, 0) is where it should be */
static void check(const struct mcfab_topo *topo, const struct mcfab_as_mesh *m, u32 *at,
		  u32 width, u32 height)
{
	static const s32 dx[] = { 1, 0, -1, 0 }, dy[] = { 0, 1, 0, -1 };
	u32 i, way, n = width * height;
	u32 corner[] = { at[0], at[width - 1], at[n - width], at[n - 1] }, least = corner[0];

	assert_true((m->width == width && m->height == height) ||
		    (m->width == height && m->height == width));
	for (i = 0; i < n; i++) {
		u32 x = m->place[i] % m->width, y = m->place[i] / m->width;

		assert_int_equal(m->router[m->place[i]], i);
		assert_int_equal(topo->router[m->node[i]], i);
		for (way = 0; way < MCFAB_COMPASS; way++) {
			u32 port = m->port[i * MCFAB_COMPASS + way];
			u32 tx = x + dx[way], ty = y + dy[way];

			if (tx >= m->width || ty >= m->height) {
				assert_int_equal(port, MCFAB_NO_PORT);
				continue;
			}
			assert_int_equal(mcfab_topo_neighbour(topo, i, port),
					 m->router[tx + m->width * ty]);
		}
	}
	for (i = 1; i < 4; i++)
		least = min(least, corner[i]);
	assert_int_equal(m->router[0], least);
	if (m->width > 1 && m->height > 1)
		assert_true(m->router[1] < m->router[m->width]);
}

static void test_meshes(void **state)
{
	u32 width, height, i, *at;
	u64 rnd = 11;

	for (i = 0; i < 2000; i++) {
		struct mcfab_as_mesh mesh;
		struct mcfab_graph *g;
		struct mcfab_topo topo;
		struct mcfab_err err;

		width = 1 + rng_below(&rnd, 7);
		height = 1 + rng_below(&rnd, 7);
		at = calloc(width * height, sizeof(u32));
		g = shuffled(&rnd, width, height, at);
		make(&topo, g);
		if (mcfab_mesh_recognise(&topo, &mesh, &err))
			fail_msg("%u x %u: %s", width, height, err.msg);
		check(&topo, &mesh, at, width, height);
		mcfab_mesh_forget(&mesh);
		mcfab_topo_free(&topo);
		free(g);
		free(at);
	}
}

/* one link elsewhere, one more, one fewer, a host elsewhere: no mesh */
static void test_others(void **state)
{
	u32 width, height, i, n, *at, found = 0;
	u64 rnd = 12;

	for (i = 0; i < 4000; i++) {
		struct mcfab_as_mesh mesh;
		struct mcfab_graph *g;
		struct mcfab_topo topo;
		struct mcfab_err err;

		width = 2 + rng_below(&rnd, 5);
		height = 2 + rng_below(&rnd, 5);
		n = width * height;
		at = calloc(n, sizeof(u32));
		g = shuffled(&rnd, width, height, at);
		switch (i % 3) {
		case 0:	/* a link leads to another switch, by a port that is free */
			g->link[0].b = rng_below(&rnd, n);
			g->link[0].port_b = rng_below(&rnd, PORTS);
			break;
		case 1:
			g->host[0].at = rng_below(&rnd, n);
			g->host[0].port = rng_below(&rnd, PORTS);
			break;
		case 2:
			g->links--;
			break;
		}
		topo.ops = mcfab_topo_find("irregular");
		if (mcfab_graph_check(g, &err)) {
			free(g);
			free(at);
			continue;
		}
		make(&topo, g);
		err.msg[0] = '\0';
		if (!mcfab_mesh_recognise(&topo, &mesh, &err)) {
			/* the change was none, or 2 x 2 became 4 x 1 */
			assert_int_equal(mesh.width * mesh.height, n);
			found++;
		} else {
			assert_non_null(strstr(err.msg, "it is no mesh"));
		}
		mcfab_mesh_forget(&mesh);
		mcfab_topo_free(&topo);
		free(g);
		free(at);
	}
	printf("# %u of %u changes left a mesh\n", found, i);
	assert_true(found < i / 10);
}

static void test_random(void **state)
{
	u64 rnd = 13;
	u32 i;

	for (i = 0; i < 2000; i++) {
		struct mcfab_graph *g = graph_random(&rnd, 12);
		struct mcfab_as_mesh mesh;
		struct mcfab_topo topo;
		struct mcfab_err err;

		make(&topo, g);
		if (!mcfab_mesh_recognise(&topo, &mesh, &err))
			assert_int_equal(mesh.width * mesh.height, g->hosts);
		mcfab_mesh_forget(&mesh);
		mcfab_topo_free(&topo);
		free(g);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_meshes),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_random),
	};

	return run_tap(tests);
}
