// SPDX-License-Identifier: GPL-2.0
/*
 * TASNEM: its trees against the paper's figures as they are read here, the case study,
 * refusals. Its deadlock with lock-step replication: test_engine_ends.c.
 *
 * MCFAB_GROUPS: 100 times the random multicasts (default 20000).
 */
#include <stdio.h>

#include "lib/tap.h"
#include "lib/torus.h"

/*
 * Fig. 3 as readings go, on sets instead of ranges: where the copies of one worm go.
 * Returns the channels used, and adds every node delivered to.
 */
struct figure {
	u32 m, n;
	int dv;
	u32 traffic, longest, delivered[256];
};

static void figure_node(struct figure *f, const bool *dest, int x, int y, int dx, u32 hops)
{
	bool d[256], d1[256] = { false }, d2[256] = { false }, any = false, any1 = false;
	int yv = (y + f->dv + f->n) % f->n, i;

	memcpy(d, dest, sizeof(d));
	f->longest = max(f->longest, hops);
	if (d[y * f->m + x]) {
		d[y * f->m + x] = false;
		f->delivered[y * f->m + x]++;
	}
	for (i = 0; i < f->m * f->n; i++) {
		int xd = i % f->m, yd = i / f->m;

		if (!d[i])
			continue;
		any = true;
		d1[i] = (yd == y || yd == yv) && (xd - x) * dx > 0;
		d2[i] = !d1[i];
		any1 |= d1[i];
	}
	if (!any)
		return;
	f->traffic++;
	if (!any1) {
		figure_node(f, d, x, yv, -dx, hops + 1);
	} else if (!d[yv * f->m + x]) {
		figure_node(f, d, x + dx, y, dx, hops + 1);
	} else {
		f->traffic++;
		figure_node(f, d1, x + dx, y, dx, hops + 1);
		figure_node(f, d2, x, yv, -dx, hops + 1);
	}
}

static int figure_label(u32 m, int x, int y)
{
	return y % 2 == 0 ? y * (int)m + x : y * (int)m + (int)m - 1 - x;
}

/* Fig. 2: @part 0 is D1 */
static void figure_run(struct figure *f, u32 m, u32 n, u32 source, const u32 *dst, u32 ndst,
		       u32 part)
{
	int xs = source % m, ys = source / m, half = (n + 1) / 2, low, high;
	bool d[256] = { false }, any = false;
	u32 i;

	memset(f, 0, sizeof(*f));
	f->m = m;
	f->n = n;
	low = figure_label(m, xs, ys);
	high = low;
	f->dv = ys < (int)n / 2 ? 1 : -1;
	if (f->dv > 0)
		high = figure_label(m, m - 1, ys + half);
	else
		low = figure_label(m, 0, ys - half);
	for (i = 0; i < ndst; i++) {
		int label = figure_label(m, dst[i] % m, dst[i] / m);

		if ((label < low || label > high) == part)
			d[dst[i]] = any = true;
	}
	if (part)
		f->dv = -f->dv;
	if (any)
		figure_node(f, d, xs, ys, (ys % 2 == 0) == (f->dv > 0) ? 1 : -1, 0);
}

static void worm_cost(struct torus *c, u32 index, u32 *longest, u32 *traffic)
{
	struct mcfab_walk_event event;

	*longest = 0;
	*traffic = 0;
	mcfab_walk_start(&c->mc.walk, index);
	while (mcfab_walk_next(&c->mc.walk, &event) == 1) {
		*traffic += event.kind == MCFAB_WALK_HOP;
		*longest = max(*longest, event.hops);
	}
}

/* The module's trees are those of the figures: hops, channels, who is reached by which. */
static void test_tasnem_figures(void **state)
{
	static const u32 shapes[][2] = { { 10, 10 }, { 4, 4 }, { 5, 7 }, { 7, 4 }, { 16, 16 }, { 3, 2 } };
	u32 each = torus_groups() / 100 + 1, s, i, j, w, part;
	static u32 dst[255], mark[256];
	u64 seed = 17;

	for (s = 0; s < ARRAY_SIZE(shapes); s++) {
		u32 m = shapes[s][0], n = shapes[s][1], nodes = m * n;
		struct torus c;

		torus_open(&c, "tasnem", m, n);
		for (i = 0; i < each; i++) {
			u32 source = rng_below(&seed, nodes), ndst = 1 + rng_below(&seed, nodes - 1);

			random_set(&seed, nodes, source, dst, ndst, mark);
			torus_multicast(&c, source, dst, ndst);
			for (w = 0, part = 0; part < 2; part++) {
				struct mcfab_walk_event event;
				u32 longest, traffic;
				struct figure f;

				figure_run(&f, m, n, source, dst, ndst, part);
				if (!f.traffic)
					continue;
				assert_true(w < c.mc.plan.nworms);
				worm_cost(&c, w, &longest, &traffic);
				mcfab_walk_start(&c.mc.walk, w++);
				while (mcfab_walk_next(&c.mc.walk, &event) == 1)
					if (event.kind == MCFAB_WALK_DELIVER)
						f.delivered[event.to]--;
				assert_int_equal(longest, f.longest);
				assert_int_equal(traffic, f.traffic);
				for (j = 0; j < nodes; j++)
					assert_int_equal(f.delivered[j], 0);
			}
			assert_int_equal(w, c.mc.plan.nworms);
		}
		torus_close(&c);
	}
}

/*
 * The case study of TASNEM, (7,8) in a 10x10 torus: 16 and 15 hops, 37 and 38 channels.
 * Its destinations are lost, but there are such: this finds some. What is sure is the
 * split: labels 39 to 86 go down to (0,3), 88 to 99 and 0 to 38 up.
 */
static void test_tasnem_case(void **state)
{
	u32 dst[99], mark[100] = { 0 }, longest[2], traffic[2], found = 0, w, i;
	u64 seed = 19;
	struct torus c;

	torus_open(&c, "tasnem", 10, 10);
	torus_multicast(&c, 87, dst, torus_everyone(100, 87, dst));
	assert_int_equal(c.mc.plan.nworms, 2);
	assert_int_equal(c.mc.plan.worm[0].count, 48);
	assert_int_equal(c.mc.plan.worm[1].count, 51);
	for (w = 0; w < 2; w++) {
		worm_cost(&c, w, &longest[w], &traffic[w]);
		/* a tree in which every node is a destination has a channel to each */
		assert_int_equal(traffic[w], c.mc.plan.worm[w].count);
	}
	for (i = 0; i < 100000 && found != 3; i++) {
		random_set(&seed, 100, 87, dst, 40, mark);
		torus_multicast(&c, 87, dst, 40);
		for (w = 0; w < 2; w++)
			worm_cost(&c, w, &longest[w], &traffic[w]);
		found |= longest[0] == 16 && traffic[0] == 37;
		found |= (longest[1] == 15 && traffic[1] == 38) << 1;
	}
	printf("# both after %u sets of 40\n", i);
	assert_int_equal(found, 3);
	torus_close(&c);
}

static void test_tasnem_refusals(void **state)
{
	u32 radix[] = { 4, 4 };
	struct net net;

	net_init_as(&net, "torus", 2, radix);
	net.view.vcs = 2;
	net.view.buffer = 31;
	torus_refused(&net, "tasnem", "", -EOPNOTSUPP,
		"needs buffer 32, a packet, not 31, or allow-deadlock on");
	torus_refused(&net, "tasnem", "allow-deadlock=on", 0, NULL);
	net.view.flits = 0;	/* not known */
	torus_refused(&net, "tasnem", "", 0, NULL);
	net.view.flits = 31;
	torus_refused(&net, "tasnem", "", 0, NULL);
	net.view.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	net.view.consume = 8;
	torus_refused(&net, "tasnem", "", 0, NULL);
	net.view.consume = 7;
	torus_refused(&net, "tasnem", "", -EOPNOTSUPP,
		"lockstep needs consume 8, vc-release drained, or allow-deadlock on");
	torus_refused(&net, "tasnem", "allow-deadlock=on", 0, NULL);
	net.view.consume = 8;
	net.view.vc_release = MCFAB_VC_RELEASE_MODE_SENT;
	torus_refused(&net, "tasnem", "", -EOPNOTSUPP,
		"lockstep needs consume 8, vc-release drained, or allow-deadlock on");
	net.view.vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
	torus_refused(&net, "tasnem", "allow-deadlock=2", -EINVAL, "on or off");
	net.view.vcs = 1;
	torus_refused(&net, "tasnem", "allow-deadlock=on", -EOPNOTSUPP, "need vcs 2");
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tasnem_figures),
		cmocka_unit_test(test_tasnem_case),
		cmocka_unit_test(test_tasnem_refusals),
	};

	return run_tap(tests);
}
