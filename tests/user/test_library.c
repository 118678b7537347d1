// SPDX-License-Identifier: GPL-2.0
/*
 * The library (mcfab.h): options are taken and refused as mcastctl's are, a network that is stepped
 * is the run of the list of its messages, hash for hash and delivery by delivery, whatever the
 * steps; a full node holds what is for it; networks of several threads do not know of each other.
 */
#include <math.h>
#include <mcfab-icnt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tap.h"

#define MOST_DESTS	12
#define MOST_MSGS	200

static const char *const fabrics[] = {
	"topology mesh dims 4x4 buffer 4 startup 0",
	"topology mesh dims 8x8",
	"topology torus dims 5x4 vcs 2 startup 5 buffer 2",
	"topology mesh dims 6x6 buffer 40 switching vct vc-release sent",
	"topology mesh dims 2x2x2x2 startup 0 cpus 0",
	"topology irregular switches 8 ports 6 hosts 16",
};

/* what can be run on each of them; the last one has a policy of its own */
static const char *const runs[][4] = {
	{ "policy unicast flits 5", "policy mp", "policy qg flits 8", "policy dp prep 3" },
	{ "policy unicast flits 9", "policy mp", "policy qg", "policy dp mtu 4" },
	{ "policy unicast", "policy dp", "policy unicast flits 3", "policy rg flits 7" },
	{ "policy xy-unicast flits 20", "policy unicast mtu 8", "policy dp", "policy mp flits 2" },
	{ "policy unicast", "policy dp", "policy mp", "policy unicast flits 1" },
	{ "policy unicast", "policy kbinomial", "policy bitstring", "policy unicast flits 64" },
};

struct list {
	uint32_t n;
	uint32_t ndests;
	uint64_t cycle[MOST_MSGS];
	uint32_t source[MOST_MSGS];
	uint32_t count[MOST_MSGS];
	uint32_t flits[MOST_MSGS];
	uint32_t dest[MOST_MSGS * MOST_DESTS];
	uint64_t told[MOST_MSGS];	/* bits of destinations that it has come to */
};

static uint32_t below(uint64_t *rnd, uint32_t n)
{
	*rnd = *rnd * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*rnd >> 33) % n;
}

static unsigned long groups(unsigned long usual)
{
	const char *asked = getenv("MCFAB_GROUPS");

	return asked ? strtoul(asked, NULL, 10) / 10000 + 1 : usual;
}

/* a random message goes in, if the network takes it */
static void push_one(struct mcf_net *net, struct list *l, uint64_t *rnd, uint32_t nodes,
		     uint32_t longest)
{
	uint32_t *dst = &l->dest[l->ndests], k = 1 + below(rnd, 4), i, j, n = l->n;

	l->source[n] = below(rnd, nodes);
	for (i = 0; i < k;) {
		dst[i] = below(rnd, nodes);
		for (j = 0; j < i && dst[j] != dst[i]; j++)
			;
		i += j == i && dst[i] != l->source[n];
	}
	l->flits[n] = 1 + below(rnd, longest);
	l->count[n] = k;
	l->cycle[n] = mcf_cycle(net) + 1;
	assert_int_equal(mcf_push(net, l->source[n], dst, k, l->flits[n], n), 0);
	l->ndests += k;
	l->n++;
}

/* @strict: 1; with hosts 0: an interface may tell of what came in the cycle before */
static void pop_all(struct mcf_net *net, struct list *l, uint64_t before, int strict)
{
	struct mcf_delivery d;
	uint64_t last = 0;
	uint32_t i, first = 0;

	while (mcf_pop(net, MCF_ANY, &d)) {
		if (d.cycle < before + strict || d.cycle > mcf_cycle(net) || d.cycle < last)
			fail_msg("told of cycle %llu between %llu and %llu, behind %llu",
				 (unsigned long long)d.cycle, (unsigned long long)before,
				 (unsigned long long)mcf_cycle(net), (unsigned long long)last);
		last = d.cycle;
		assert_true(d.cookie < l->n);
		assert_int_equal(d.source, l->source[d.cookie]);
		assert_true(d.generated == l->cycle[d.cookie]);
		for (i = first = 0; i < d.cookie; i++)
			first += l->count[i];
		for (i = 0; i < l->count[d.cookie] && l->dest[first + i] != d.node; i++)
			;
		assert_true(i < l->count[d.cookie]);
		assert_false(l->told[d.cookie] >> i & 1);
		l->told[d.cookie] |= 1ULL << i;
	}
}

static void all_told(const struct list *l)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		assert_true(l->told[i] == (1ULL << l->count[i]) - 1);
}

/* the hash of a network with random messages; @l: filled in with them */
static uint64_t step_random(struct mcf_fabric *f, const char *options, uint64_t seed,
			    struct list *l)
{
	uint32_t nodes = mcf_number(f, "fabric", "nodes"), longest, msgs;
	struct mcf_net *net = mcf_net_open(f, options, 0);
	uint64_t rnd = seed, before, hash = 0;
	char state[32];
	int strict;

	if (!net)
		fail_msg("%s: %s", options, mcf_error());
	longest = mcf_number(f, "run", "flits");
	assert_int_equal(mcf_text(f, "fabric", "node-model", state, sizeof(state)), 0);
	strict = strcmp(state, "host") != 0;
	memset(l, 0, sizeof(*l));
	for (msgs = 1 + below(&rnd, MOST_MSGS); l->n < msgs || mcf_busy(net);) {
		while (l->n < msgs && below(&rnd, 2))
			push_one(net, l, &rnd, nodes, longest);
		before = mcf_cycle(net);
		if (below(&rnd, 2))
			assert_int_equal(mcf_step(net, 1 + below(&rnd, 20)), 0);
		else
			assert_int_equal(mcf_step_until(net, 1 + below(&rnd, 200)), 0);
		pop_all(net, l, before, strict);
		assert_true(before < 100000000);
	}
	all_told(l);
	mcf_net_close(net);
	assert_int_equal(mcf_text(f, "run", "state", state, sizeof(state)), 0);
	assert_string_equal(state, "done");
	assert_int_equal(mcf_count(f, "run", "hash", &hash), 0);
	return hash;
}

static uint64_t run_list(struct mcf_fabric *f, const char *options, const struct list *l)
{
	uint64_t hash = 0;

	if (mcf_run_list(f, options, l->n, l->cycle, l->source, l->count, l->dest, l->flits))
		fail_msg("%s: %s", options, mcf_error());
	assert_int_equal(mcf_count(f, "run", "hash", &hash), 0);
	return hash;
}

static void test_is_list(void **state)
{
	static struct list l;
	unsigned long i, k, g;
	uint64_t hash;

	for (g = 0; g < groups(3); g++) {
		for (i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
			struct mcf_fabric *f = mcf_fabric_new(fabrics[i]);

			if (!f)
				fail_msg("%s: %s", fabrics[i], mcf_error());
			for (k = 0; k < 4; k++) {
				hash = step_random(f, runs[i][k], 1000 * g + k, &l);
				assert_true(hash == run_list(f, runs[i][k], &l));
				/* the list decides: another one has another hash */
				l.flits[0] = l.flits[0] > 1 ? 1 : 2;
				if (strcmp(runs[i][k], "policy unicast flits 1"))
					assert_true(hash != run_list(f, runs[i][k], &l));
			}
			mcf_fabric_free(f);
		}
	}
}

static const struct {
	const char *options;
	const char *why;
} bad_fabrics[] = {
	{ "", "topology is missing" },
	{ "topology mesh", "dims is missing" },
	{ "topology mesh dims", "dims: a value is missing" },
	{ "topology mesh dims 16x", "dims 16x: not a whole number" },
	{ "topology mesh dims 8x8 bufer 3", "unknown argument \"bufer\"" },
	{ "topology mesh dims 8x8 vcs 99", "vcs 99: integer out of range (1 to 16)" },
	{ "topology mesh dims 8x8 vcs 99999999999", "vcs 99999999999: out of range" },
	{ "topology mehs dims 8x8", "topology mehs: there is no topology mehs" },
	{ "topology mesh dims 8x8 dims 8x8", "dims is given twice" },
	{ "topology mesh dims 8x8 name x", "unknown argument \"name\"" },
	{ "topology mesh dims 8x8 nodes 5", "nodes 5: Unsupported attribute" },
	{ "topology mesh dims 8x8 nice 1x", "nice 1x: not a whole number" },
	{ "topology mesh dims 8x8 ni-ratio 1.2345678",
	  "ni-ratio 1.2345678: finer than 1/1000000" },
	{ "topology mesh dims 8x8 switching foo",
	  "switching foo: not one of wormhole, cut-through, store-and-forward" },
};

static const struct {
	const char *options;
	const char *why;
} bad_nets[] = {
	{ "flits 3", "policy is missing" },
	{ "policy nix", "policy nix: unknown policy nix" },
	{ "policy mp zork 3", "zork 3: policy mp has no parameter zork" },
	{ "policy mp flits 0", "flits 0: integer out of range (1 to 1048576)" },
	{ "policy mp workload lone", "workload is given twice" },
};

static void test_refused(void **state)
{
	const uint32_t d[] = { 3, 5, 3, 0, 16 };
	struct mcf_fabric *f;
	struct mcf_net *net;
	size_t i;

	for (i = 0; i < sizeof(bad_fabrics) / sizeof(bad_fabrics[0]); i++) {
		assert_null(mcf_fabric_new(bad_fabrics[i].options));
		assert_string_equal(mcf_error(), bad_fabrics[i].why);
	}
	f = mcf_fabric_new("topology mesh dims 4x4");
	assert_non_null(f);
	for (i = 0; i < sizeof(bad_nets) / sizeof(bad_nets[0]); i++) {
		assert_null(mcf_net_open(f, bad_nets[i].options, 0));
		assert_string_equal(mcf_error(), bad_nets[i].why);
	}
	assert_int_equal(mcf_run(f, "policy mp workload ports"), -1);
	assert_string_equal(mcf_error(), "workload ports: ports are network devices: "
			    "they need the kernel module");
	net = mcf_net_open(f, "policy mp flits 8", 0);
	assert_non_null(net);
	assert_null(mcf_net_open(f, "policy mp flits 8", 0));
	assert_int_equal(mcf_push(net, 16, d, 1, 8, 0), -1);
	assert_string_equal(mcf_error(), "source 16: out of range (0 to 15)");
	assert_int_equal(mcf_push(net, 1, d, 0, 8, 0), -1);
	assert_string_equal(mcf_error(), "n 0: out of range (1 to 15)");
	assert_int_equal(mcf_push(net, 1, d, 2, 9, 0), -1);
	assert_string_equal(mcf_error(), "length 9: out of range (1 to 8)");
	assert_int_equal(mcf_push(net, 1, d, 3, 8, 0), -1);
	assert_string_equal(mcf_error(), "dests[2] 3: it is given twice");
	assert_int_equal(mcf_push(net, 5, d, 2, 8, 0), -1);
	assert_string_equal(mcf_error(), "dests[1] 5: it is the source");
	assert_int_equal(mcf_push(net, 1, d + 4, 1, 8, 0), -1);
	assert_string_equal(mcf_error(), "dests[0] 16: out of range (0 to 15)");
	assert_true(isnan(mcf_number(f, "run", "flitz")));
	assert_string_equal(mcf_error(), "name flitz: run has no such value");
	assert_true(isnan(mcf_number(f, "rum", "flits")));
	assert_int_equal(mcf_busy(net), 0);
	mcf_fabric_free(f);
}

static void test_values(void **state)
{
	struct mcf_fabric *f = mcf_fabric_new("topology mesh dims 16x16");
	double *column = calloc(960, sizeof(*column)), sum = 0;
	uint64_t hash = 0;
	char text[32];
	long i;

	assert_non_null(f);
	assert_true(mcf_number(f, "fabric", "dims.1") == 16);
	assert_true(isnan(mcf_number(f, "stats", "multicast.completion.mean")));
	assert_int_equal(mcf_run(f, "policy mp workload lone count 200 dests 10"), 0);
	assert_int_equal(mcf_count(f, "run", "hash", &hash), 0);
	assert_true(hash);
	assert_int_equal(mcf_text(f, "run", "policy", text, sizeof(text)), 0);
	assert_string_equal(text, "mp");
	/* in cycles, and in millionths of one */
	assert_true(mcf_number(f, "stats", "multicast.completion.mean") * 1000000 ==
		    mcf_number(f, "stats", "multicast.completion.mean-micro"));
	assert_int_equal(mcf_column(f, "link", "flits", NULL, 0), 960);
	assert_int_equal(mcf_column(f, "link", "flits", column, 960), 960);
	for (i = 0; i < 960; i++)
		sum += column[i];
	assert_true(sum == mcf_number(f, "stats", "balance.flits") && sum > 0);
	assert_int_equal(mcf_column(f, "node", "coord.1", column, 256), 256);
	assert_true(column[255] == 15 && column[15] == 0);
	assert_int_equal(mcf_column(f, "link", "flitz", NULL, 0), -1);
	if (mcf_run(f, "policy mp workload poisson rate 0.0001 dests 3 batches 20 "
		       "batch-cycles 500 warmup 100 precision 0"))
		fail_msg("%s", mcf_error());
	assert_true(mcf_number(f, "run", "rate") == 0.0001);
	mcf_fabric_free(f);
	free(column);
}

static void test_plan(void **state)
{
	static const uint32_t dests[] = { 17, 40, 153, 200 };
	struct mcf_fabric *f = mcf_fabric_new("topology mesh dims 16x16");
	uint32_t nodes[4], i, k, met = 0, hops = 0;
	uint64_t cycles[4], last = 0;
	struct mcf_worm w;
	struct mcf_plan *p;

	assert_non_null(f);
	assert_null(mcf_plan_new(f, "policy mp", 35, dests, 0));
	assert_null(mcf_plan_new(f, "policy mp", 256, dests, 4));
	assert_string_equal(mcf_error(), "source: source 256 is not below 256");
	p = mcf_plan_new(f, "policy mp", 35, dests, 4);
	assert_non_null(p);
	for (i = 0; !mcf_plan_worm(p, i, &w); i++) {
		assert_int_equal(w.source, 35);
		for (k = 0; k < w.ndests; k++)
			met += w.dests[k];
		hops += w.nhops;
	}
	assert_int_equal(i, mcf_plan_number(p, "worms"));
	assert_int_equal(hops, mcf_plan_number(p, "traffic"));
	assert_int_equal(met, 17 + 40 + 153 + 200);
	assert_int_equal(mcf_plan_arrivals(p, nodes, cycles, 4), 4);
	for (i = 0; i < 4; i++)
		last = cycles[i] > last ? cycles[i] : last;
	assert_true(last == mcf_plan_number(p, "completion"));
	mcf_plan_free(p);
	mcf_fabric_free(f);
}

/* while nobody pops, a full node gets no more than its consumption channels have begun */
static void test_hold(void **state)
{
	struct mcf_fabric *f = mcf_fabric_new("topology mesh dims 4x4 startup 0 consume 1");
	const uint32_t to = 5;
	struct mcf_delivery d;
	struct mcf_net *net;
	uint32_t i, got = 0;

	assert_non_null(f);
	net = mcf_net_open(f, "policy unicast flits 4", 2);
	assert_non_null(net);
	for (i = 0; i < 100; i++)
		assert_int_equal(mcf_push(net, i % 5, &to, 1, 4, i), 0);
	assert_int_equal(mcf_step(net, 20000), 0);
	assert_in_range(mcf_busy(net), 100 - 3, 100 - 2);
	while (got < 100) {
		while (mcf_pop(net, to, &d))
			got++;
		assert_false(mcf_pop(net, MCF_ANY, &d));
		assert_int_equal(mcf_step(net, 10), 0);
		assert_true(mcf_cycle(net) < 100000);
	}
	/* it is closed with messages that nobody will take */
	for (i = 0; i < 10; i++)
		assert_int_equal(mcf_push(net, 0, &to, 1, 4, i), 0);
	assert_int_equal(mcf_step(net, 2000), 0);
	mcf_net_close(net);
	assert_true(mcf_number(f, "run", "deliveries") == 110);
	mcf_fabric_free(f);
}

static void test_full(void **state)
{
	struct mcf_fabric *f = mcf_fabric_new("topology mesh dims 4x4");
	struct mcf_net *net = mcf_net_open(f, "policy unicast flits 4", 0);
	const uint32_t to = 5;
	uint32_t i;

	assert_non_null(net);
	for (i = 0; i < MCF_INBOX; i++) {
		assert_int_equal(mcf_room(net, 0), MCF_INBOX - i);
		assert_int_equal(mcf_push(net, 0, &to, 1, 4, i), 0);
	}
	assert_int_equal(mcf_push(net, 0, &to, 1, 4, i), 1);
	assert_int_equal(mcf_push(net, 1, &to, 1, 4, i), 0);
	assert_int_equal(mcf_step(net, 1000), 0);
	assert_int_equal(mcf_push(net, 0, &to, 1, 4, i), 0);
	mcf_net_close(net);
	mcf_net_close(NULL);
	mcf_fabric_free(f);
}

/* worms that wait for each other for ever: the step says so */
static void test_deadlock(void **state)
{
	struct mcf_fabric *f = mcf_fabric_new("topology mesh dims 4x4 startup 0 consume 1 "
					      "replication lockstep stall-limit 1000");
	struct mcf_net *net = mcf_net_open(f, "policy dp flits 64", 0);
	uint32_t dests[15], i, n, s;
	char text[32];

	assert_non_null(net);
	for (s = 0; s < 16; s++) {
		for (i = n = 0; i < 16; i++)
			if (i != s)
				dests[n++] = i;
		assert_int_equal(mcf_push(net, s, dests, n, 64, s), 0);
	}
	assert_int_equal(mcf_step(net, 1000000), -1);
	assert_int_equal(mcf_text(f, "run", "state", text, sizeof(text)), 0);
	assert_string_equal(text, "deadlocked");
	assert_string_equal(mcf_error(),
			    "the run has ended: worms wait for each other in a cycle");
	assert_int_equal(mcf_push(net, 0, dests, 1, 64, s), -1);
	assert_int_equal(mcf_step(net, 1), -1);
	mcf_net_close(net);
	mcf_fabric_free(f);
}

struct side {
	pthread_t thread;
	unsigned long nr;
	uint64_t hash;
	struct list list;
};

static void *step_aside(void *arg)
{
	struct side *side = arg;
	struct mcf_fabric *f = mcf_fabric_new(fabrics[side->nr]);

	side->hash = step_random(f, runs[side->nr][1], 7, &side->list);
	mcf_fabric_free(f);
	return NULL;
}

static void test_threads(void **state)
{
	static struct side side[4], again;
	unsigned long i;

	for (i = 0; i < 4; i++) {
		side[i].nr = i;
		assert_int_equal(pthread_create(&side[i].thread, NULL, step_aside, &side[i]), 0);
	}
	for (i = 0; i < 4; i++)
		pthread_join(side[i].thread, NULL);
	for (i = 0; i < 4; i++) {
		again.nr = i;
		step_aside(&again);
		assert_true(again.hash == side[i].hash);
	}
}

/* GPGPU-Sim's calls: what is pushed comes to each of its nodes, and nowhere else */
static void test_icnt(void **state)
{
	struct mcf_icnt_options o = {
		.fabric = "topology mesh dims 4x4 startup 0", .net = "policy dp flits 5",
		.flit_bytes = 16, .queue = 2,
	};
	const unsigned int to[] = { 3, 7, 9 };
	unsigned int i, got = 0;
	int data[2];

	assert_int_equal(icnt_has_buffer(0, 8), 0);
	assert_null(icnt_pop(0));
	assert_int_equal(mcf_icnt_create(&(struct mcf_icnt_options){ .queue = 2 }), -1);
	assert_string_equal(mcf_error(), "flit_bytes 0: at least 1");
	assert_int_equal(mcf_icnt_create(&o), 0);
	assert_int_equal(icnt_get_flit_size(), 16);
	assert_int_equal(icnt_busy(), 0);
	icnt_push(0, 5, &data[0], 8);
	assert_int_equal(icnt_has_buffer(0, 8), 1);
	icnt_mpush(0, to, 3, &data[1], 72);
	assert_int_equal(icnt_has_buffer(0, 8), 0);
	assert_int_equal(icnt_has_buffer(1, 8), 1);
	icnt_transfer();
	icnt_drain();
	assert_int_equal(mcf_busy(mcf_icnt_net()), 0);
	assert_int_equal(icnt_busy(), 1);
	assert_ptr_equal(icnt_pop(5), &data[0]);
	for (i = 0; i < 16; i++) {
		void *p = icnt_pop(i);

		assert_true(!p == (i != 3 && i != 7 && i != 9));
		assert_true(!p || p == &data[1]);
		got += !!p;
	}
	assert_int_equal(got, 3);
	assert_int_equal(icnt_busy(), 0);
	mcf_icnt_destroy();
	mcf_icnt_destroy();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_list),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_icnt),
	};

	return run_tap(tests);
}
