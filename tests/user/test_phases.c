// SPDX-License-Identifier: GPL-2.0
/*
 * The worked example of the irregular paper's section 5.2: Figs. 14 to 16, for the policies
 * ssr and multidrop, and the lengths of headers.
 *
 * The drawing of Fig. 14(a) is not known. The network here has all that the text says of it
 * and of Figs. 15 to 17: two hosts on each of the switches 1 to 10, the source on 10, no
 * destination on 6 and 10; 6 leads down to 1 and 4, 1 down to 4 and 7, and from 1 or 4 a
 * way goes down to 2; the chains are 5 3 9, 1 7, 4 8 and 2. Levels:
 *
 *	0		6
 *	1	1 - 4		5	1 and 4 are joined
 *	2	7 2	8 2	3 8 10
 *	3	9	9	9	of 7, 8 and 3
 */
#include <stdlib.h>
#include "lib/shortest.h"
#include "lib/switches.h"

#include "lib/tap.h"

#define SWITCHES	10
#define DESTINATIONS	16

static const u8 links[][2] = {
	{ 6, 1 }, { 6, 4 }, { 6, 5 }, { 1, 4 }, { 1, 7 }, { 1, 2 }, { 4, 8 }, { 4, 2 },
	{ 5, 3 }, { 5, 8 }, { 5, 10 }, { 7, 9 }, { 8, 9 }, { 3, 9 },
};

/* hosts of switch i are 2 (i - 1) and one more, on its ports 0 and 1 */
static u32 host(u32 sw, u32 nr)
{
	return 2 * (sw - 1) + nr;
}

static u32 switch_of(u32 node)
{
	return node / 2 + 1;
}

static void open_figure(struct switches *s)
{
	struct mcfab_graph *g = graph_new(SWITCHES, 2 * SWITCHES, ARRAY_SIZE(links));
	u32 used[SWITCHES], i;

	for (i = 0; i < SWITCHES; i++) {
		g->sw[i].ports = 8;
		used[i] = 2;
	}
	for (i = 0; i < 2 * SWITCHES; i++) {
		g->host[i].at = i / 2;
		g->host[i].port = i % 2;
	}
	for (i = 0; i < ARRAY_SIZE(links); i++) {
		u32 a = links[i][0] - 1, b = links[i][1] - 1;

		g->link[i] = (struct mcfab_graph_link){ a, b, used[a], used[b] };
		used[a]++;
		used[b]++;
	}
	switches_graph(s, g, 6 - 1);
}

/* a worm as the figures show it: the first host of each switch it covers, both get it */
struct worm {
	u8 sender_switch, sender_nr;
	u8 sw[4];
	u8 step;
};

/* Figs. 15(a), 15(b), 16(a), 16(b), where the text names senders; else in their order */
static const struct figure {
	const char *policy, *set;
	u32 steps, worms;
	struct worm worm[8];
} figures[] = {
	{ "ssr", "schedule=greedy", 3, 8, {
		{ 10, 0, { 5 }, 1 },
		{ 10, 0, { 3 }, 2 }, { 5, 0, { 9 }, 2 }, { 5, 1, { 1 }, 2 },
		{ 10, 0, { 7 }, 3 }, { 5, 0, { 4 }, 3 }, { 5, 1, { 8 }, 3 }, { 3, 0, { 2 }, 3 },
	} },
	{ "multidrop", "schedule=greedy", 2, 4, {
		{ 10, 0, { 5, 3, 9 }, 1 },
		{ 10, 0, { 1, 7 }, 2 }, { 5, 0, { 4, 8 }, 2 }, { 5, 1, { 2 }, 2 },
	} },
	{ "ssr", "schedule=less-greedy", 4, 8, {
		{ 10, 0, { 5 }, 1 },
		{ 10, 0, { 3 }, 2 }, { 5, 0, { 9 }, 2 },
		{ 10, 0, { 1 }, 3 }, { 5, 0, { 7 }, 3 }, { 3, 0, { 4 }, 3 }, { 9, 0, { 8 }, 3 },
		{ 10, 0, { 2 }, 4 },
	} },
	{ "multidrop", "schedule=less-greedy", 2, 4, {
		{ 10, 0, { 5, 3, 9 }, 1 },
		{ 10, 0, { 1, 7 }, 2 }, { 5, 0, { 4, 8 }, 2 }, { 3, 0, { 2 }, 2 },
	} },
};

/* step of the algorithm in which a worm is sent: one after the other by each sender */
static u32 step_of(const struct mcfab_plan *plan, u32 index)
{
	const struct mcfab_plan_worm *worm = &plan->worm[index];
	u32 step = worm->after == MCFAB_NONE ? 1 : step_of(plan, worm->after) + 1, i;

	for (i = 0; i < index; i++)
		step += plan->worm[i].sender == worm->sender;
	return step;
}

static void find_worm(const struct mcfab_plan *plan, const struct worm *want)
{
	u32 count, i, j;

	for (count = 0; count < 4 && want->sw[count]; count++)
		;
	for (i = 0; i < plan->nworms; i++) {
		const struct mcfab_plan_worm *worm = &plan->worm[i];

		if (switch_of(plan->dst[worm->first]) != want->sw[0])
			continue;
		assert_int_equal(worm->count, 2 * count);
		for (j = 0; j < worm->count; j++)
			assert_int_equal(plan->dst[worm->first + j], host(want->sw[j / 2], j % 2));
		assert_int_equal(worm->sender, host(want->sender_switch, want->sender_nr));
		assert_int_equal(step_of(plan, i), want->step);
		return;
	}
	fail_msg("no worm to switch %u", want->sw[0]);
}

static u32 destinations(u32 *dst)
{
	u32 n = 0, sw;

	for (sw = SWITCHES; sw > 0; sw--) {
		if (sw == 6 || sw == 10)
			continue;
		dst[n++] = host(sw, 1);
		dst[n++] = host(sw, 0);
	}
	return n;
}

static void test_figures(void **state)
{
	u32 dst[DESTINATIONS], ndst = destinations(dst), f, i;
	struct multicast mc;
	struct switches s;

	assert_int_equal(ndst, DESTINATIONS);
	open_figure(&s);
	for (f = 0; f < ARRAY_SIZE(figures); f++) {
		u32 steps = 0;

		multicast_init(&mc, &s.net, figures[f].policy, figures[f].set, DESTINATIONS);
		multicast_plan(&mc, host(10, 0), dst, ndst);
		assert_int_equal(mc.plan.nworms, figures[f].worms);
		for (i = 0; i < figures[f].worms; i++) {
			find_worm(&mc.plan, &figures[f].worm[i]);
			steps = max(steps, step_of(&mc.plan, i));
		}
		assert_int_equal(steps, figures[f].steps);
		multicast_exit(&mc);
	}
	switches_exit(&s);
}

/* Fig. 17: one worm, up to 6 by way of 5, then down; its copies split as strings say. */
static void test_tree(void **state)
{
	u32 dst[DESTINATIONS], ndst = destinations(dst), hops = 0, delivered = 0;
	struct mcfab_walk_event event;
	struct multicast mc;
	struct switches s;
	int ret;

	open_figure(&s);
	multicast_init(&mc, &s.net, "bitstring", "", DESTINATIONS);
	multicast_plan(&mc, host(10, 0), dst, ndst);
	assert_int_equal(mc.plan.nworms, 1);
	while ((ret = mcfab_walk_next(&mc.walk, &event)) == 1) {
		if (event.kind == MCFAB_WALK_DELIVER) {
			delivered++;
			continue;
		}
		if (!hops)
			assert_int_equal(event.to + 1, 5);
		if (hops == 1)
			assert_int_equal(event.to + 1, 6);
		hops++;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(delivered, DESTINATIONS);
	/* two up, then a channel into each of the eight switches with destinations */
	assert_int_equal(hops, 10);
	multicast_exit(&mc);
	switches_exit(&s);
}

struct header {
	const char *policy;
	u32 sw[4];	/* destinations on these, both hosts */
	u32 flits;
};

/* switches of 8 ports: 4 bits name one of the 10, 20 hosts */
static const struct header headers[] = {
	{ "ssr", { 5 }, DIV_ROUND_UP(4 + 1 + 8, 8) },
	{ "multidrop", { 5 }, DIV_ROUND_UP(1 + (4 + 8), 8) },
	{ "multidrop", { 1, 7 }, DIV_ROUND_UP(1 + 2 * (4 + 8), 8) },
	{ "multidrop", { 5, 3, 9 }, DIV_ROUND_UP(1 + 3 * (4 + 8), 8) },
	{ "bitstring", { 5 }, DIV_ROUND_UP(20 + 1, 8) },
	{ "bitstring", { 1, 2, 3, 4 }, DIV_ROUND_UP(20 + 1, 8) },
};

static void test_headers(void **state)
{
	static const u32 radix[] = { 4, 4 };
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct switches s;
	u32 i, n, dst[8];

	open_figure(&s);
	for (i = 0; i < ARRAY_SIZE(headers); i++) {
		assert_int_equal(net_policy(&s.net, &pol, headers[i].policy, "", &err), 0);
		for (n = 0; n < 8 && headers[i].sw[n / 2]; n++)
			dst[n] = host(headers[i].sw[n / 2], n % 2);
		assert_int_equal(pol.ops->header_flits(&pol.view, pol.priv, dst, 0, n),
				 headers[i].flits);
		mcfab_policy_close(&pol);
	}
	/* the header shrinks by a pair once a switch is behind it, not before */
	assert_int_equal(net_policy(&s.net, &pol, "multidrop", "", &err), 0);
	assert_int_equal(pol.ops->header_flits(&pol.view, pol.priv, dst, 1, 8), 7);
	assert_int_equal(pol.ops->header_flits(&pol.view, pol.priv, dst, 2, 8), 5);
	mcfab_policy_close(&pol);
	switches_exit(&s);
	/* nodes of a mesh have no port among the four */
	switches_regular(&s, "mesh", 2, radix, 0);
	assert_int_equal(net_policy(&s.net, &pol, "multidrop", "", &err), 0);
	dst[0] = 1;
	dst[1] = 2;
	assert_int_equal(pol.ops->header_flits(&pol.view, pol.priv, dst, 0, 2),
			 DIV_ROUND_UP(1 + 2 * (4 + 5), 8));
	mcfab_policy_close(&pol);
	switches_exit(&s);
}

static void test_refusals(void **state)
{
	static const char *const policies[] = {
		"binomial", "kbinomial", "ssr", "multidrop", "bitstring",
	};
	static const u32 radix[] = { 4, 4 };
	struct mcfab_policy pol;
	struct mcfab_err err;
	struct switches s;
	struct net bare;
	bool copies;
	u32 i;

	open_figure(&s);
	net_init(&bare, 2, radix);
	for (i = 0; i < ARRAY_SIZE(policies); i++) {
		copies = i > 1;
		assert_int_equal(net_policy(&bare, &pol, policies[i], "", &err), -EOPNOTSUPP);
		assert_string_equal(err.msg, "needs routing updown, the fabric has none");
		s.net.view.buffer = 31;
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "", &err),
				 copies ? -EOPNOTSUPP : 0);
		if (copies)
			assert_string_equal(err.msg,
				"needs buffer 32, a packet, not 31, or small-buffers allow");
		else
			mcfab_policy_close(&pol);
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "small-buffers=allow", &err),
				 copies ? 0 : -EINVAL);
		if (copies)
			mcfab_policy_close(&pol);
		/* a message of unknown length */
		s.net.view.flits = 0;
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "", &err), 0);
		mcfab_policy_close(&pol);
		s.net.view.flits = 32;
		s.net.view.buffer = 32;
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "", &err), 0);
		mcfab_policy_close(&pol);
		s.net.view.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "", &err),
				 copies ? -EOPNOTSUPP : 0);
		if (copies)
			assert_string_equal(err.msg,
				"needs replication async, or small-buffers allow");
		else
			mcfab_policy_close(&pol);
		s.net.view.replication = MCFAB_REPLICATION_MODE_ASYNC;
		assert_int_equal(net_policy(&s.net, &pol, policies[i], "adaptive=2", &err),
				 -EINVAL);
	}
	s.net.view.packets = 2;
	assert_int_equal(net_policy(&s.net, &pol, "bitstring", "adaptive=on", &err), -EINVAL);
	assert_string_equal(err.msg, "adaptive on is for messages of one packet, not 2");
	assert_int_equal(net_policy(&s.net, &pol, "ssr", "schedule=lazy", &err), -EINVAL);
	net_exit(&bare);
	switches_exit(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_refusals),
	};

	return run_tap(tests);
}
