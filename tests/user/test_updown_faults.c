// SPDX-License-Identifier: GPL-2.0
/*
 * up*-down* routing of networks in which links and switches fail and are mended: who can
 * still be reached is what the links that are left join, found out anew here; routes are
 * legal and never lead over what is dead; all mended, everything is as it was.
 */
#include <stdlib.h>
#include "lib/net.h"
#include "lib/shortest.h"
#include "lib/switches.h"
#include "topology/graph.h"
#include "updown/updown.h"

#include "lib/tap.h"

struct look {
	const struct mcfab_topo *topo;
	const struct mcfab_updown *ud;
	u8 *link;	/* [routers * ports] taken down */
	u8 *sw;		/* [routers] likewise */
	u32 *piece;	/* [routers] lowest switch that links join it to */
};

static bool alive(const struct look *l, u32 chan)
{
	u32 peer = l->topo->peer[chan];

	return peer != MCFAB_NONE && !l->link[chan] && !l->sw[chan / l->topo->ports] &&
	       !l->sw[peer / l->topo->ports];
}

static void find_pieces(struct look *l)
{
	const struct mcfab_topo *topo = l->topo;
	bool more = true;
	u32 i, next;

	for (i = 0; i < topo->routers; i++)
		l->piece[i] = i;
	while (more) {
		more = false;
		for (i = 0; i < topo->routers * topo->ports; i++) {
			if (!alive(l, i))
				continue;
			next = topo->peer[i] / topo->ports;
			if (l->piece[next] >= l->piece[i / topo->ports])
				continue;
			l->piece[i / topo->ports] = l->piece[next];
			more = true;
		}
	}
}

static bool cut(const struct look *l, u32 node)
{
	u32 sw = l->topo->router[node];

	return l->sw[sw] ||
	       (l->topo->host_port && l->link[sw * l->topo->ports + l->topo->host_port[node]]);
}

/* on every shortest way there is, by the lowest and the highest port */
static void check_route(const struct look *l, u32 from, u32 to, bool highest)
{
	enum mcfab_updown_phase phase = MCFAB_UPDOWN_UP;
	u32 hops = mcfab_updown_distance(l->ud, from, to, phase), port = 0, i, chan;
	struct mcfab_updown_ports ports;

	while (hops--) {
		assert_true(mcfab_updown_ports(l->ud, from, to, phase, &ports) > 0);
		for_each_set_bit(i, ports.bit, MCFAB_GRAPH_PORTS_MAX) {
			port = i;
			if (!highest)
				break;
		}
		chan = from * l->topo->ports + port;
		assert_true(alive(l, chan));
		from = l->topo->peer[chan] / l->topo->ports;
		if (mcfab_updown_is_up(l->ud, chan / l->topo->ports, port))
			assert_int_equal(phase, MCFAB_UPDOWN_UP);
		else
			phase = MCFAB_UPDOWN_DOWN;
		assert_int_equal(mcfab_updown_phase(l->ud, from,
						    l->topo->peer[chan] % l->topo->ports), phase);
	}
	assert_int_equal(from, to);
}

/* ways up lead to ever smaller (level, switch), so that no waits go in a circle */
static void check_ways(const struct look *l)
{
	const u32 *level = l->ud->level, ports = l->topo->ports;
	u32 chan, a, b;

	for (chan = 0; chan < l->topo->routers * ports; chan++) {
		if (!alive(l, chan))
			continue;
		a = chan / ports;
		b = l->topo->peer[chan] / ports;
		assert_int_equal(mcfab_updown_is_up(l->ud, a, chan % ports),
				 level[b] < level[a] || (level[b] == level[a] && b < a));
		assert_true(level[a] <= level[b] + 1);
	}
}

static u32 check_state(struct look *l, u64 *rnd)
{
	const struct mcfab_topo *topo = l->topo;
	u32 i, k, apart = 0, centre = 0, most = 0, reached;

	find_pieces(l);
	for (i = 0; i < topo->nodes; i++) {
		reached = 0;
		assert_int_equal(test_bit(i, l->ud->cut), cut(l, i));
		for (k = 0; k < topo->nodes; k++) {
			bool joined = !cut(l, i) && !cut(l, k) &&
				      l->piece[topo->router[i]] == l->piece[topo->router[k]];

			assert_int_equal(mcfab_updown_reaches(l->ud, i, k), joined);
			apart += !joined;
			reached += joined;
		}
		if (reached > most) {
			most = reached;
			centre = i;
		}
	}
	assert_int_equal(l->ud->centre, centre);
	for (i = 0; i < topo->routers; i++) {
		for (k = 0; k < topo->routers; k++) {
			if (l->piece[i] != l->piece[k])
				assert_int_equal(mcfab_updown_distance(l->ud, i, k,
								       MCFAB_UPDOWN_UP),
						 MCFAB_UPDOWN_FAR);
			else
				check_route(l, i, k, rng_below(rnd, 2));
		}
	}
	check_ways(l);
	return apart;
}

/* take a random link or switch down, or mend one; false: nothing is on the port */
static bool draw(struct look *l, u64 *rnd, struct mcfab_fault *fault, u8 **at, u8 **other)
{
	u32 chan;

	*other = NULL;
	fault->sw = rng_below(rnd, l->topo->routers);
	if (rng_below(rnd, 5)) {
		fault->port = rng_below(rnd, l->topo->ports);
		chan = fault->sw * l->topo->ports + fault->port;
		if (l->topo->peer[chan] != MCFAB_NONE)
			*other = &l->link[l->topo->peer[chan]];
		else if (!l->topo->host || l->topo->host[chan] == MCFAB_NONE)
			return false;
		*at = &l->link[chan];
	} else {
		fault->port = MCFAB_NONE;
		*at = &l->sw[fault->sw];
	}
	fault->up = **at;
	return true;
}

static void step(struct look *l, const struct mcfab_fault *fault, u8 *at, u8 *other)
{
	struct mcfab_fault again = *fault;
	struct mcfab_updown *ud;
	struct mcfab_err err = { 0 };

	again.up = !again.up;
	assert_int_equal(PTR_ERR(mcfab_updown_change(l->ud, &again, &err)), -EALREADY);
	ud = mcfab_updown_change(l->ud, fault, &err);
	if (IS_ERR(ud))
		fail_msg("%s", err.msg);
	mcfab_updown_put((struct mcfab_updown *)l->ud);
	l->ud = ud;
	*at = !fault->up;
	if (other)
		*other = !fault->up;
}

static void mend(struct look *l)
{
	struct mcfab_fault fault = { .up = true };
	u32 i, ports = l->topo->ports;

	for (i = 0; i < l->topo->routers * ports; i++) {
		u32 peer = l->topo->peer[i];

		if (!l->link[i])
			continue;
		fault.sw = i / ports;
		fault.port = i % ports;
		step(l, &fault, &l->link[i], peer == MCFAB_NONE ? NULL : &l->link[peer]);
	}
	fault.port = MCFAB_NONE;
	for (i = 0; i < l->topo->routers; i++) {
		fault.sw = i;
		if (l->sw[i])
			step(l, &fault, &l->sw[i], NULL);
	}
}

static u32 check_network(const struct switches *s, u64 *rnd, u32 steps)
{
	const struct mcfab_topo *topo = &s->net.topo;
	struct mcfab_updown *first = s->net.view.updown;
	u32 channels = topo->routers * topo->ports, apart = 0, i;
	struct mcfab_err err;
	struct look l = {
		.topo = topo,
		.ud = mcfab_updown_get(first),
		.link = calloc(channels, 1),
		.sw = calloc(topo->routers, 1),
		.piece = calloc(topo->routers, sizeof(u32)),
	};
	struct mcfab_fault fault = { 0 };
	bool strings = rng_below(rnd, 2);
	u8 *at, *other;

	if (strings)
		assert_int_equal(mcfab_updown_strings(first, &err), 0);
	for (i = 0; i < steps; i++) {
		if (!draw(&l, rnd, &fault, &at, &other))
			continue;
		step(&l, &fault, at, other);
		apart += check_state(&l, rnd);
		assert_int_equal(!!l.ud->down, strings);
	}
	mend(&l);
	check_state(&l, rnd);
	assert_false(l.ud->faulty);
	assert_memory_equal(l.ud->distance, first->distance,
			    MCFAB_UPDOWN_PHASES * topo->routers * topo->routers * sizeof(u16));
	assert_memory_equal(l.ud->level, first->level, topo->routers * sizeof(u32));
	assert_memory_equal(l.ud->order, first->order, topo->routers * sizeof(u32));
	assert_memory_equal(l.ud->up, first->up, BITS_TO_LONGS(channels) * sizeof(long));
	if (strings)
		assert_memory_equal(l.ud->down, first->down, topo->routers * topo->nodes);
	assert_int_equal(l.ud->bytes, first->bytes);
	mcfab_updown_put((struct mcfab_updown *)l.ud);
	free(l.link);
	free(l.sw);
	free(l.piece);
	return apart;
}

static struct mcfab_graph *generate(u64 *rnd)
{
	struct mcfab_generate gen = { .seed = rng(rnd) };
	struct mcfab_graph *graph;

	do {
		gen.switches = 2 + rng_below(rnd, 15);
		gen.ports = 4 + rng_below(rnd, 5);
		gen.hosts = gen.switches + rng_below(rnd, gen.switches);
		gen.connectivity = 40 + rng_below(rnd, 61);
		graph = graph_generate(&gen);
	} while (!graph);
	return graph;
}

static void test_networks(void **state)
{
	u32 rounds = env_number("MCFAB_GROUPS", 100000) / 1000, apart = 0, i;
	struct switches s;
	u64 rnd = 11;

	for (i = 0; i < rounds; i++) {
		switches_graph(&s, generate(&rnd), 0);
		apart += check_network(&s, &rnd, 12);
		switches_exit(&s);
	}
	printf("# %u networks, %u pairs apart\n", i, apart);
	/* networks that never come to pieces would be worth little */
	assert_true(apart > rounds);
}

static void test_regular(void **state)
{
	static const u32 radix[] = { 4, 3 };
	struct switches s;
	u64 rnd = 12;
	u32 i;

	for (i = 0; i < 10; i++) {
		switches_regular(&s, i % 2 ? "torus" : "mesh", 2, radix, i);
		check_network(&s, &rnd, 20);
		switches_exit(&s);
	}
}

static void test_refused(void **state)
{
	static const u32 radix[] = { 3, 3 };
	static const struct {
		struct mcfab_fault fault;
		int ret;
		const char *msg;
	} bad[] = {
		{ { .sw = 9, .port = 0 }, -ENOENT, "there is no switch 9, the last is 8" },
		{ { .sw = 9, .port = MCFAB_NONE }, -ENOENT,
		  "there is no switch 9, the last is 8" },
		{ { .sw = 0, .port = 4 }, -ENOENT, "there is no port 4, the last is 3" },
		{ { .sw = 0, .port = 1 }, -ENOENT, "nothing is on port 1 of switch 0" },
		{ { .sw = 0, .port = 0, .up = true }, -EALREADY,
		  "the link on port 0 of switch 0 is up already" },
		{ { .sw = 4, .port = MCFAB_NONE, .up = true }, -EALREADY,
		  "switch 4 is up already" },
	};
	struct mcfab_err err;
	struct switches s;
	u32 i;

	switches_regular(&s, "mesh", 2, radix, 4);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(PTR_ERR(mcfab_updown_change(s.net.view.updown, &bad[i].fault,
							     &err)), bad[i].ret);
		assert_string_equal(err.msg, bad[i].msg);
	}
	switches_exit(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_networks),
		cmocka_unit_test(test_regular),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
