// SPDX-License-Identifier: GPL-2.0
/* Unit tests of BookSim2's networks, and of links with delays and rates. */
#include "graph_text.h"
#include "netlink/keyword.h"

static void test_anynet(void)
{
	/* the same network: each link from one end, from both, from nodes, with latencies */
	static const char *const same[] = {
		"router 0 node 1 node 0 router 1\nrouter 1 node 2 router 2\nrouter 2 router 0\n",
		"router 2 router 1 router 0\nrouter 1 router 0 router 2 node 2\n"
			"\nrouter 0 router 2 router 1 node 0 node 1\nrouter 0 router 2\n",
		"router 0 node 1 1 node 0 router 1 1\nrouter 1 node 2 1 router 2  1\t\n"
			"  router 2 router 0 1 router 1\n",
		"router 0 node 1 4 node 0 4 router 1 7 router 2 7\n"
			"router 1 node 2 4 router 2 7 router 0 7\nrouter 2 router 0 7 router 1 7\n",
	};
	char *first = NULL;

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		char *copy = xstrdup(same[i]), *printed;
		struct graph g;

		graph_init(&g);
		CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
		CHECK(g.switches == 3 && g.hosts == 3 && g.links == 3);
		CHECK(g.sw[0].ports == 5 && g.sw[1].ports == 4 && g.sw[2].ports == 3);
		CHECK(!g.host[0].at && g.host[0].port == 1 && g.host[1].port == 2);
		CHECK(g.host[2].at == 1 && g.host[2].port == 1);
		/* by the IDs of routers, behind the nodes */
		CHECK(g.link[1].a == 0 && g.link[1].port_a == 4 && g.link[1].b == 2 &&
		      g.link[1].port_b == 1);
		printed = print(&g, GRAPH_NATIVE);
		if (!first)
			first = xstrdup(printed);
		CHECK(!strcmp(printed, first));
		free(printed);
		free(copy);
		graph_free(&g);
	}
	free(first);
	wrong("router 0 node 0 switch 1\n",
	      "FILE:1: Error: \"switch\" is neither router nor node");
	wrong("router 0 node\n", "FILE:1: Error: the number of a node is missing");
	wrong("router x node 0\n", "FILE:1: Error: router \"x\" is no number");
	wrong("router -1 node 0\n", "FILE:1: Error: router \"-1\" is no number");
	wrong("router 0 node 99999999999\n",
	      "FILE:1: Error: node 99999999999 is out of range (0 to 1048575)");
	wrong("router 0 router 1 65\n", "FILE:1: Error: latency 65 is out of range (1 to 64)");
	wrong("router 0 router 1 0\n", "FILE:1: Error: latency 0 is out of range (1 to 64)");
	wrong("node 0 node 1\n", "FILE:1: Error: node 0 and node 1 cannot be joined");
	wrong("router 3 router 3\n", "FILE:1: Error: router 3 cannot be joined with itself");
	wrong("router 0 node 0 router 1\nrouter 1 node 0\n",
	      "FILE:2: Error: node 0 is at router 0 already, in line 1");
	wrong("router 0 node 0 router 1 2\nrouter 1 node 1 router 0 2\nrouter 0 router 1 3\n",
	      "FILE:3: Error: latency 3, in line 1 it is 2");
	wrong("router 0 node 0 router 1\nrouter 1 node 1 3\n",
	      "FILE:2: Error: nodes' links have latencies 1 and 3: a fabric has one");
	wrong("router 0 node 0 router 2\n",
	      "Error: FILE: switch 1 is missing: they are numbered from 0");
	wrong("router 0 node 1 router 1\n",
	      "Error: FILE: host 0 is missing: they are numbered from 0");
	report("files of BookSim2");
}

/* A delay there and one back, whichever end of a link comes first. */
static void test_delays(void)
{
	static const char *const native =
		"switch 0 ports 4\nswitch 1 ports 4\nswitch 2 ports 4\nhost 0 switch 0 port 3\n"
		"link 1 1 0 1 delay 3 5\nlink 0 2 2 2 delay 7\nlink 1 2 2 1 delay 0 64\n";
	/* of the channel from 1 to 0 nothing is said */
	static const char *const anynet =
		"router 0 node 0 router 1 5 router 2 7\nrouter 1 router 2 7\nrouter 2 router 0 7\n";
	struct graph g;
	char *text;

	round_trip(native, GRAPH_NATIVE);
	round_trip(anynet, GRAPH_NATIVE);
	text = xstrdup(native);
	graph_init(&g);
	CHECK(!graph_parse(text, "FILE", GRAPH_AUTO, &g));
	free(text);
	text = print(&g, GRAPH_NATIVE);
	CHECK(strstr(text, "link 0 1 1 1 delay 5 3\nlink 0 2 2 2 delay 7\n"
			   "link 1 2 2 1 delay 0 64\n"));
	free(text);
	text = print(&g, GRAPH_DOT);
	CHECK(strstr(text, "headlabel=\"1\", label=\"5/3\"];"));
	CHECK(strstr(text, "headlabel=\"2\", label=\"7\"];"));
	free(text);
	graph_free(&g);
	text = xstrdup(anynet);
	CHECK(!graph_parse(text, "FILE", GRAPH_AUTO, &g));
	free(text);
	text = print(&g, GRAPH_NATIVE);
	CHECK(strstr(text, "link 0 2 1 1 delay 5 1\nlink 0 3 2 1 delay 7\n"
			   "link 1 2 2 2 delay 7 1\n"));
	free(text);
	graph_free(&g);
	report("delays of links");
}

/* Rates beside delays, in any order of both. */
static void test_rates(void)
{
	static const char *const native =
		"switch 0 ports 4\nswitch 1 ports 4\nswitch 2 ports 4\n"
		"host 0 switch 0 port 3 rate 1/5 1/6 name \"h\"\n"
		"link 1 1 0 1 rate 1/3 1/1\nlink 0 2 2 2 rate 1/4 delay 7\n"
		"link 1 2 2 1 delay 1 2 rate 1/1\n";
	char *text = xstrdup(native);
	struct graph g;

	round_trip(native, GRAPH_NATIVE);
	graph_init(&g);
	CHECK(!graph_parse(text, "FILE", GRAPH_AUTO, &g));
	free(text);
	text = print(&g, GRAPH_NATIVE);
	CHECK(strstr(text, "host 0 switch 0 port 3 rate 1/5 1/6 name \"h\"\n"));
	CHECK(strstr(text, "link 0 1 1 1 rate 1/1 1/3\nlink 0 2 2 2 delay 7 rate 1/4\n"
			   "link 1 2 2 1 delay 1 2\n"));
	free(text);
	text = print(&g, GRAPH_DOT);
	CHECK(strstr(text, "s0 -- h0 [taillabel=\"3\", label=\"rate 1/6, 1/5\"];"));
	CHECK(strstr(text, "headlabel=\"1\", label=\"rate 1/1, 1/3\"];"));
	CHECK(strstr(text, "headlabel=\"2\", label=\"7, rate 1/4\"];"));
	free(text);
	/* ibnetdiscover's format has no rate that differs there and back */
	CHECK(!graph_has_speeds(&g));
	text = print(&g, GRAPH_IBNETDISCOVER);
	CHECK(strstr(text, "1xSDR") && !strstr(text, "NDR"));
	free(text);
	graph_free(&g);
	report("rates of links");
}

/* A file of three switches in a line, whose two links have widths and speeds, and a host. */
#define SW(guid)	"Switch\t4 \"S-00000000000000" guid "\"\t# \"" guid "\" base port 0 lid 0\n"
#define END(port, guid, peer, speed)	"[" port "]\t\"S-00000000000000" guid "\"[" peer "]\t" \
					"# \"" guid "\" lid 0 " speed "\n"
#define SUBNET(first, second, host)						\
	SW("0a") END("1", "0b", "1", first)					\
	"[2]\t\"H-000000000000000c\"[1](d)\t# \"h\" lid 5 " host "\n"		\
	SW("0b") END("1", "0a", "1", first) END("2", "1c", "1", second)		\
	SW("1c") END("1", "0b", "2", second)					\
	"Ca\t1 \"H-000000000000000c\"\t# \"h\"\n"				\
	"[1](d)\t\"S-000000000000000a\"[2]\t# lid 5 lmc 0 \"0a\" lid 0 " host "\n"

/* Cycles for a flit on a link of such a file: both ways the same, and 0 on the fastest link. */
static u32 cycles_on(const char *text, bool host)
{
	const struct graph_way *way, *back;
	char *copy = xstrdup(text);
	struct graph g;
	u32 cycles;

	graph_init(&g);
	CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
	CHECK(g.links == 2 && !g.link[0].way.cycles && !g.link[0].back.cycles && g.hosts == 1);
	way = host ? &g.host[0].way : &g.link[1].way;
	back = host ? &g.host[0].back : &g.link[1].back;
	CHECK(way->cycles == back->cycles);
	cycles = way->cycles;
	graph_free(&g);
	free(copy);
	return cycles;
}

static u32 second_link(const char *text)
{
	return cycles_on(text, false);
}

static u32 host_link(const char *text)
{
	return cycles_on(text, true);
}

/* Widths and speeds of InfiniBand's links become rates. */
static void test_speeds(void)
{
	CHECK(second_link(SUBNET("4xHDR", "4xHDR", "4xHDR")) == 0);
	CHECK(second_link(SUBNET("4xHDR", "4xEDR", "4xHDR")) == 2);
	CHECK(second_link(SUBNET("12xQDR", "4xQDR", "4xQDR")) == 3);
	CHECK(second_link(SUBNET("4xNDR", "1xEDR", "4xNDR")) == 16);
	/* nothing is known of it */
	CHECK(second_link(SUBNET("4xHDR", "", "4xHDR")) == 0);
	CHECK(second_link(SUBNET("4xHDR", "4xABC", "4xHDR")) == 0);
	CHECK(second_link(SUBNET("4xHDR", "99xEDR", "4xHDR")) == 0);
	round_trip(SUBNET("4xHDR", "4xEDR", "4xHDR"), GRAPH_IBNETDISCOVER);
	round_trip(SUBNET("4xNDR", "1xEDR", "4xNDR"), GRAPH_IBNETDISCOVER);
	wrong(SUBNET("4xHDR", "4xEDR", "4xHDR"), "nothing");
	wrong(SUBNET("4xEDR", "4xFDR", "4xEDR"),
	      "Warning: FILE: 4xFDR is not a whole part of 4xEDR, but 1/1.83: it is rounded");
	wrong(SUBNET("4xHDR", "1xSDR", "4xHDR"),
	      "Warning: FILE: 1xSDR is less than 1/64 of 4xHDR: such links get this rate");
	/* links of hosts count, too */
	CHECK(host_link(SUBNET("4xHDR", "4xHDR", "4xEDR")) == 2);
	CHECK(host_link(SUBNET("4xHDR", "4xHDR", "4xHDR")) == 0);
	CHECK(host_link(SUBNET("4xHDR", "4xHDR", "")) == 0);
	round_trip(SUBNET("4xHDR", "4xHDR", "4xEDR"), GRAPH_IBNETDISCOVER);
	wrong(SUBNET("4xHDR", "4xHDR", "4xFDR"),
	      "Warning: FILE: 4xFDR is not a whole part of 4xHDR, but 1/3.67: it is rounded");
	report("widths and speeds of links");
}

int main(void)
{
	puts("TAP version 13\n1..4");
	fflush(stdout);
	test_anynet();
	test_delays();
	test_rates();
	test_speeds();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
