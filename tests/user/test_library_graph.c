// SPDX-License-Identifier: GPL-2.0
/*
 * Irregular networks and failures by the library (mcfab.h). That a graph gives the hash of
 * mcastctl's file is seen by libmcfab/test/python.py.
 */
#include <mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tap.h"

#define OPTIONS	"topology irregular startup 0 routing updown"

/* a square of switches with a host each; hosts at port 0 */
static const uint32_t ports[] = { 3, 3, 3, 3, 3 };
static const struct mcf_host hosts[] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 } };
static const struct mcf_link links[] = {
	{ 0, 1, 1, 2 }, { 1, 1, 2, 2, 3 }, { 2, 1, 3, 2, 0, 0, 2, 4 }, { 3, 1, 0, 2 },
	{ 3, 1, 4, 1 }, { 3, 9, 0, 1 }, { 4, 1, 0, 2, 70000 }, { 4, 1, 0, 2, 1, 1, 99 },
};

static const struct mcf_graph square = {
	.switches = 4, .hosts = 4, .links = 4, .root = MCF_ANY,
	.ports = ports, .host = hosts, .link = links,
};

static void test_step(void **state)
{
	struct mcf_fabric *f = mcf_fabric_new_graph(OPTIONS, &square);
	const uint32_t to[] = { 1, 2, 3 };
	struct mcf_delivery d;
	struct mcf_net *net;
	uint32_t got = 0;

	if (!f)
		fail_msg("%s", mcf_error());
	assert_true(mcf_number(f, "fabric", "nodes") == 4);
	net = mcf_net_open(f, "policy unicast flits 4", 0);
	assert_non_null(net);
	assert_int_equal(mcf_push(net, 0, to, 3, 4, 7), 0);
	assert_int_equal(mcf_step(net, 1000), 0);
	while (mcf_pop(net, MCF_ANY, &d)) {
		assert_int_equal(d.cookie, 7);
		got |= 1 << d.node;
	}
	assert_int_equal(got, 0xe);
	mcf_fabric_free(f);
}

/* more elements than one request takes: a ring */
static void test_big(void **state)
{
	enum { N = 1000 };
	struct mcf_link *link = calloc(N, sizeof(*link));
	struct mcf_host *host = calloc(N, sizeof(*host));
	uint32_t *port = calloc(N, sizeof(*port)), i;
	struct mcf_graph g = {
		.switches = N, .hosts = N, .links = N, .root = 5,
		.ports = port, .host = host, .link = link,
	};
	struct mcf_fabric *f;

	for (i = 0; i < N; i++) {
		port[i] = 3;
		host[i] = (struct mcf_host){ .sw = i };
		link[i] = (struct mcf_link){ i, 1, (i + 1) % N, 2 };
	}
	f = mcf_fabric_new_graph("topology irregular", &g);
	if (!f)
		fail_msg("%s", mcf_error());
	assert_true(mcf_number(f, "fabric", "nodes") == N);
	assert_int_equal(mcf_run(f, "policy unicast workload lone dests 3 count 5"), 0);
	assert_true(mcf_number(f, "run", "deliveries") == 15);
	mcf_fabric_free(f);
	free(link);
	free(host);
	free(port);
}

/* a link that is down for a while costs messages, or makes detours: the statistics say so */
static void test_fail(void **state)
{
	static const struct {
		const char *list;
		const char *why;
	} bad[] = {
		{ "5", "fail 5: not of the form CYCLE:SWITCH[:PORT][:up]" },
		{ "5:s1:1:on", "fail 5:s1:1:on: not of the form CYCLE:SWITCH[:PORT][:up]" },
		{ "5:s1:1,", "fail : not of the form CYCLE:SWITCH[:PORT][:up]" },
		{ "5:s1:1:up:", "fail 5:s1:1:up:: not of the form CYCLE:SWITCH[:PORT][:up]" },
		{ "18446744073709551616:s1",
		  "fail 18446744073709551616:s1: not of the form CYCLE:SWITCH[:PORT][:up]" },
		{ "5:s9", "fail 5:s9: there is no switch 9, the last is 3" },
	};
	struct mcf_fabric *f = mcf_fabric_new_graph(OPTIONS, &square);
	char options[200];
	uint64_t whole = 0, failed = 0;
	size_t i;

	assert_non_null(f);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(options, sizeof(options), "policy unicast workload burst dests 1 fail %s",
			 bad[i].list);
		assert_int_equal(mcf_run(f, options), -1);
		assert_string_equal(mcf_error(), bad[i].why);
	}
	assert_int_equal(mcf_run(f, "policy unicast workload burst dests 3 flits 64"), 0);
	assert_int_equal(mcf_count(f, "run", "hash", &whole), 0);
	if (mcf_run(f, "policy unicast workload burst dests 3 flits 64 fail 20:s0:1,100:s0:1:up"))
		fail_msg("%s", mcf_error());
	assert_int_equal(mcf_count(f, "run", "hash", &failed), 0);
	assert_true(failed != whole);
	mcf_fabric_free(f);
}

static void test_refused(void **state)
{
	const struct {
		struct mcf_graph g;
		const char *options;
		const char *why;
	} bad[] = {
		{ { 0, 1, 0, MCF_ANY, ports, hosts, links }, OPTIONS,
		  "switches: integer out of range (1 to 65536)" },
		{ { 1, 0, 0, MCF_ANY, ports, hosts, links }, OPTIONS,
		  "hosts: integer out of range (1 to 1048576)" },
		{ { 4, 4, 4, 4, ports, hosts, links }, OPTIONS,
		  "topology irregular: root 4: there is no such switch" },
		{ { 4, 5, 4, MCF_ANY, ports, hosts, links }, OPTIONS,
		  "topology irregular: host 4: there is no switch 4" },
		{ { 5, 4, 5, MCF_ANY, ports, hosts, links }, OPTIONS,
		  "topology irregular: link 4: port 1 of switch 3 is taken already" },
		{ { 4, 4, 1, MCF_ANY, ports, hosts, links + 5 }, OPTIONS,
		  "topology irregular: link 0: switch 3 has no port 9, its last is 2" },
		{ { 4, 4, 2, MCF_ANY, ports, hosts, links + 5 }, OPTIONS,
		  "link 1 delay: integer out of range (1 to 64)" },
		{ { 5, 4, 1, MCF_ANY, ports, hosts, links + 7 }, OPTIONS,
		  "link 0 flit-cycles: integer out of range (1 to 64)" },
		{ { 4, 4, 2, MCF_ANY, ports, hosts, links }, OPTIONS,
		  "topology irregular: switch 3: no links lead there from switch 0" },
		{ { 4, 4, 4, MCF_ANY, ports, hosts, links }, "topology mesh dims 2x2",
		  "topology mesh: a graph needs topology irregular" },
		{ { 4, 4, 4, MCF_ANY, ports, hosts, links }, "topology irregular bufer 2",
		  "unknown argument \"bufer\"" },
	};
	struct mcf_fabric *f;
	size_t i;
	int wrong = 0;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		f = mcf_fabric_new_graph(bad[i].options, &bad[i].g);
		if (f || strcmp(mcf_error(), bad[i].why)) {
			printf("# %zu: %s\n", i, f ? "accepted" : mcf_error());
			wrong++;
		}
		mcf_fabric_free(f);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_fail),
		cmocka_unit_test(test_refused),
	};

	return run_tap(tests);
}
