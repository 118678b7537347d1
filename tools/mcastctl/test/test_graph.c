// SPDX-License-Identifier: GPL-2.0
/* Unit tests of networks in files. Usage: test_graph DIRECTORY, that of the samples. */
#include "base/text.h"
#include "graph_text.h"
#include "netlink/keyword.h"

static char *sample(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name), *text = NULL;
	size_t len;

	CHECK(!text_read(path, GRAPH_FILE_MAX, &text, &len));
	free(path);
	return text;
}

static const char *const names[] = {
	"ring.topo", "fat-tree.ibnetdiscover", "mesh.ibnetdiscover",
};

static void test_samples(const char *dir)
{
	struct graph g;
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		text = sample(dir, names[i]);
		round_trip(text, GRAPH_NATIVE);
		round_trip(text, GRAPH_IBNETDISCOVER);
		free(text);
	}
	report("samples are the same after import and export");

	text = sample(dir, "fat-tree.ibnetdiscover");
	graph_init(&g);
	CHECK(!graph_parse(text, "FILE", GRAPH_AUTO, &g));
	CHECK(g.switches == 5 && g.hosts == 7 && g.links == 6);
	CHECK(g.sw[0].guid == 0x5c000000000100 && g.sw[0].lid == 11 && g.sw[0].ports == 25);
	CHECK(!strcmp(g.sw[3].name, "spine-0"));
	CHECK(g.host[6].node_guid == 0x5d000000002000 && g.host[6].guid == 0x5d000000002002);
	CHECK(g.host[6].node_port == 2 && g.host[6].at == 2 && g.host[6].port == 9);
	CHECK(g.host[6].lid == 7 && !strcmp(g.host[6].name, "storage HCA-1"));
	CHECK(g.link[0].a == 0 && g.link[0].port_a == 21 && g.link[0].b == 3 &&
	      g.link[0].port_b == 1);
	graph_free(&g);
	free(text);
	report("GUIDs, LIDs, ports and names are kept");
}

/* Cut off anywhere, a network is refused, unless only comments and the root are lost. */
static void test_truncated(const char *dir)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *text = sample(dir, names[i]);
		size_t whole = strlen(text);

		if (strstr(text, "\nroot"))
			whole = strstr(text, "\nroot") - text + 1;
		for (size_t len = whole - 1; len; len--) {
			char *said;

			text[len] = '\0';
			/* a network without the last link may be one */
			if (i == 0 && text[len - 1] == '\n')
				continue;
			said = complaint(text);
			CHECK(strcmp(said, "nothing"));
			free(said);
		}
		free(text);
	}
	report("files that are cut off");
}

static void test_native_wrong(void)
{
#define TWO "switch 0 ports 4\nswitch 1 ports 3\n"
#define JOINED "switch 0 ports 4\nswitch 1 ports 3\nlink 0 1 1 1\nhost 0 switch 0 port 2\n"
	wrong("", "Error: FILE: no switches in it");
	wrong(TWO, "Error: FILE: no hosts in it");
	wrong("swich 0\n", "FILE:1: Error: swich: a line begins with switch, host, link or root");
	wrong("switch 0\n", "FILE:1: Error: ports is missing");
	wrong("switch x ports 2\n", "FILE:1: Error: switch x: not a number");
	wrong("switch\n", "FILE:1: Error: switch: a number is missing");
	wrong("switch 0 ports 0\n", "FILE:1: Error: ports 0: a switch has 1 to 255");
	wrong("switch 0 ports 256\n", "FILE:1: Error: ports 256: not in 0 to 255");
	wrong("switch 0 ports 2 ports 2\n", "FILE:1: Error: ports is given twice");
	wrong("switch 0 ports 2 lid 0\n", "FILE:1: Error: lid 0: not in 1 to 49151");
	wrong("switch 0 ports 2 lid 49152\n", "FILE:1: Error: lid 49152: not in 1 to 49151");
	wrong("switch 0 ports 2 colour red\n", "FILE:1: Error: colour: no such keyword here");
	wrong("switch 0 ports 2 name \"a\n", "FILE:1: Error: a quote is not closed");
	wrong("switch 0 ports 2 name a\"b\n", "FILE:1: Error: a quote in the middle of a word");
	wrong("switch 0 ports 2 name\n", "FILE:1: Error: name: nothing follows");
	wrong("switch 0 ports 2 name \"\a\"\n",
	      "FILE:1: Error: a name has a character that is not allowed");
	wrong("switch 7 ports 2\n",
	      "FILE:1: Error: switch 7: they are numbered from 0 without a gap");
	wrong("switch 1 ports 2\nhost 0 switch 1 port 1\n",
	      "Error: FILE: switch 0 is missing: they are numbered from 0");
	wrong(JOINED "host 2 switch 0 port 3\n",
	      "Error: FILE: host 1 is missing: they are numbered from 0");
	wrong(TWO "switch 1 ports 9\n", "FILE:3: Error: switch 1 was in line 2 already");
	wrong(JOINED "host 0 switch 1 port 2\n", "FILE:5: Error: host 0 was in line 4 already");
	wrong(JOINED "host 1 switch 2 port 2\n", "FILE:5: Error: there is no switch 2");
	wrong(JOINED "host 1 switch 1 port 3\n",
	      "FILE:5: Error: switch 1 has no port 3, its last is 2");
	wrong(JOINED "host 1 switch 0 port 2\n",
	      "FILE:5: Error: port 2 of switch 0 is taken already, in line 4");
	wrong(JOINED "link 0 1 1 2\n",
	      "FILE:5: Error: port 1 of switch 0 is taken already, in line 3");
	wrong(JOINED "link 0 3 0 0\n", "FILE:5: Error: a link joins switch 0 to itself");
	wrong(JOINED "link 0 3 1\n", "FILE:5: Error: port: a number is missing");
	wrong(JOINED "link 0 3 1 2 5\n", "FILE:5: Error: 5: no such keyword here");
	wrong(JOINED "link 0 3 1 2 delay\n", "FILE:5: Error: delay: a number is missing");
	wrong(JOINED "link 0 3 1 2 delay fast\n", "FILE:5: Error: delay fast: not a number");
	wrong(JOINED "link 0 3 1 2 delay 65\n", "FILE:5: Error: delay 65: not in 0 to 64");
	wrong(JOINED "link 0 3 1 2 delay 3 65\n", "FILE:5: Error: delay 65: not in 0 to 64");
	wrong(JOINED "link 0 3 1 2 delay 3 4 5\n", "FILE:5: Error: 5: no such keyword here");
	wrong(JOINED "link 0 3 1 2 delay 3 delay 4\n", "FILE:5: Error: delay is given twice");
	wrong(JOINED "host 0 switch 0 port 3 rate 1/2 1/65\n",
	      "FILE:5: Error: rate 1/65: not in 1/1 to 1/64");
	wrong(JOINED "host 0 switch 0 port 3 rate 1/2 delay 3\n",
	      "FILE:5: Error: delay: no such keyword here");
	wrong(JOINED "link 0 3 1 2 rate\n", "FILE:5: Error: rate: a number is missing");
	wrong(JOINED "link 0 3 1 2 rate 2\n", "FILE:5: Error: rate 2: not in 1/1 to 1/64");
	wrong(JOINED "link 0 3 1 2 rate 1/0\n", "FILE:5: Error: rate 1/0: not in 1/1 to 1/64");
	wrong(JOINED "link 0 3 1 2 rate 1/2 1/65\n",
	      "FILE:5: Error: rate 1/65: not in 1/1 to 1/64");
	wrong(TWO "host 0 switch 0 port 1\n",
	      "FILE:2: Error: no links lead to switch 1 from switch 0");
	wrong(JOINED "host 1 switch 0 port 3 lid 4\nhost 2 switch 1 port 0 lid 4\n",
	      "FILE:6: Error: lid 4 is another's already, in line 5");
	wrong(JOINED "host 1 switch 0 port 3 guid 0x4\nhost 2 switch 1 port 0 guid 4\n",
	      "FILE:6: Error: guid 0x0000000000000004 is another's already, in line 5");
	wrong(JOINED "host 1 switch 0 port 3 lid 4 lmc 8\n",
	      "FILE:5: Error: lmc 8: not in 1 to 7");
	wrong(JOINED "host 1 switch 0 port 3 lid 4 lmc 3\n",
	      "FILE:5: Error: lid 4 is no multiple of 8, the number of lids with lmc 3");
	wrong(JOINED "host 1 switch 0 port 3 lmc 1\n", "FILE:5: Error: lmc 1 needs a lid");
	wrong(JOINED "host 1 switch 0 port 3 lid 49150 lmc 1\nhost 2 switch 1 port 0 lid 49151\n",
	      "FILE:6: Error: lid 49151 is another's already, in line 5");
	wrong(JOINED "host 1 switch 0 port 3 role manager\n",
	      "FILE:5: Error: role manager: only \"aggregation\"");
	wrong(JOINED "host 1 switch 0 port 3 role aggregation\nhost 2 switch 1 port 0\n",
	      "FILE:6: Error: host 2: aggregation nodes have to come last");
	wrong(JOINED "root 2\n", "FILE:5: Error: root: there is no switch 2");
	wrong(JOINED "root 1\nroot 1\n", "FILE:6: Error: the root was in line 5 already");
	wrong(JOINED "root 1", "FILE:5: Error: the file ends within this line");
	report("files of our own that are wrong");
}

#define SWITCH_A "Switch\t4 \"S-000000000000000a\"\t\t# \"sw a\" base port 0 lid 9 lmc 0\n"
#define A_TO_B "[1]\t\"S-000000000000000b\"[2]\t\t# \"sw b\" lid 8 4xQDR\n"
#define A_TO_H "[2]\t\"H-000000000000000c\"[1](d) \t\t# \"h HCA-1\" lid 5 4xQDR\n"
#define SWITCH_B "Switch\t4 \"S-000000000000000b\"\t\t# \"sw b\" base port 0 lid 8 lmc 0\n"
#define B_TO_A "[2]\t\"S-000000000000000a\"[1]\t\t# \"sw a\" lid 9 4xQDR\n"
#define ADAPTER "Ca\t2 \"H-000000000000000c\"\t\t# \"h HCA-1\"\n"
#define H_TO_A "[1](d) \t\"S-000000000000000a\"[2]\t\t# lid 5 lmc 0 \"sw a\" lid 9 4xQDR\n"

#define H_TO(lid, lmc) \
	"[1](d)\t\"S-000000000000000a\"[2]\t# lid " lid " lmc " lmc " \"sw a\" lid 9 4xQDR\n"

/* Aggregation nodes come last; several LIDs; lines of another output in between. */
static void test_subnet_of_today(void)
{
	static const char text[] =
		"ibwarn: [267] _do_madrpc: send failed; Invalid argument\n"
		SWITCH_A A_TO_B A_TO_H
		"[3]\t\"H-000000000000001c\"[1](1d)\t# \"Mellanox Technologies Aggregation Node\"\n"
		"src/query_smp.c:227; umad (DR path slid 0; dlid 0) bad status 110\n"
		SWITCH_B B_TO_A
		"Ca\t1 \"H-000000000000001c\"\t# \"Mellanox Technologies Aggregation Node\"\n"
		"[1](1d)\t\"S-000000000000000a\"[3]\t# lid 3 lmc 0 \"sw a\" lid 9 4xNDR\n"
		"ibnetdiscover: iberror: failed: discover failed\n"
		ADAPTER "[1](d)\t\"S-000000000000000a\"[2]\t# lid 5 lmc 0 \"sw a\" lid 9 4xNDR\n";
	char *copy = xstrdup(text), *native;
	struct graph g;

	graph_init(&g);
	CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
	CHECK(g.switches == 2 && g.hosts == 2 && g.links == 1);
	CHECK(!g.host[0].aggregation && g.host[0].lid == 5);
	CHECK(g.host[1].aggregation && g.host[1].lid == 3);
	g.host[0].lid = 16;
	g.host[0].lmc = 3;
	native = print(&g, GRAPH_NATIVE);
	CHECK(strstr(native, "lid 16 guid 0x000000000000000d lmc 3 "));
	CHECK(strstr(native, " role aggregation name \"Mellanox"));
	round_trip(native, GRAPH_NATIVE);
	round_trip(native, GRAPH_IBNETDISCOVER);
	free(native);
	free(copy);
	graph_free(&g);
	report("a subnet with aggregation nodes, several LIDs and stray lines");
}

static void test_ibnetdiscover_wrong(void)
{
	wrong("\nNon-Chassis Nodes\n" SWITCH_A A_TO_B A_TO_H SWITCH_B B_TO_A ADAPTER H_TO_A,
	      "nothing");
	wrong(SWITCH_A "what\n", "FILE:2: Error: \"what\" is nothing that ibnetdiscover prints");
	wrong("Switch\tx\n", "FILE:1: Error: a number of ports expected at \"x\"");
	wrong("Switch\t255 \"S-1\"\n", "FILE:1: Error: 255 ports are more than 254");
	wrong("Switch\t4 \"H-1\"\n", "FILE:1: Error: a switch \"S-...\" expected at \"\"");
	wrong("vendid=zz\nSwitch\t4 \"S-1\"\n",
	      "FILE:1: Error: a number in hexadecimal expected at \"zz\"");
	wrong("vendid=0x1\n" A_TO_B, "FILE:2: Error: a port before any Switch or Ca");
	wrong(SWITCH_A "[5]\t\"S-b\"[1]\n", "FILE:2: Error: port 5 is not in 1 to 4");
	wrong(SWITCH_A "[0]\t\"S-b\"[1]\n", "FILE:2: Error: port 0 is not in 1 to 4");
	wrong(SWITCH_A "[1]\t\"S-b\"\n", "FILE:2: Error: [PORT] expected at \"\"");
	wrong(SWITCH_A A_TO_B A_TO_B SWITCH_B B_TO_A,
	      "FILE:3: Error: port 1 was in line 2 already");
	wrong(SWITCH_A SWITCH_A, "FILE:2: Error: guid 000000000000000a was in line 1 already");
	wrong(SWITCH_A A_TO_B,
	      "FILE:2: Error: S-000000000000000b is not in this file: is it cut off?");
	wrong(SWITCH_A A_TO_B SWITCH_B,
	      "FILE:2: Error: S-000000000000000b, in line 3, has no line for its port 2");
	wrong(SWITCH_A A_TO_B A_TO_H SWITCH_B B_TO_A "[3]\t\"S-000000000000000a\"[2]\n"
	      ADAPTER H_TO_A,
	      "FILE:6: Error: the other end, in line 3, leads elsewhere");
	wrong(SWITCH_A A_TO_B "[2]\t\"H-000000000000000c\"[1](e)\n" SWITCH_B B_TO_A ADAPTER H_TO_A,
	      "FILE:3: Error: the other end, in line 7, has port guid d, not e");
	wrong(SWITCH_A A_TO_B A_TO_H SWITCH_B
	      "[2]\t\"S-000000000000000a\"[1]\t\t# \"sw a\" lid 7 4xQDR\n" ADAPTER H_TO_A,
	      "FILE:5: Error: the other end has lid 9, not 7, by line 1");
	wrong(ADAPTER "[1](d)\t\"H-000000000000000e\"[1](f)\n",
	      "FILE:2: Error: two adapters are joined without a switch");
	wrong("Switch\t4 \"S-a\" # \"x\" base port 0 lid 50000 lmc 0\n",
	      "FILE:1: Error: lid 50000 is not in 1 to 49151");
	wrong("Switch\t4 \"S-a\" # \"x\n", "FILE:1: Error: a quote is not closed");
	wrong(SWITCH_A A_TO_B A_TO_H SWITCH_B B_TO_A ADAPTER H_TO("5", "8"),
	      "FILE:7: Error: lmc 8 is not in 0 to 7");
	wrong(SWITCH_A A_TO_B A_TO_H SWITCH_B B_TO_A ADAPTER H_TO("5", "1"),
	      "FILE:7: Error: lid 5 is no multiple of 2, the number of lids with lmc 1");
	wrong(SWITCH_A A_TO_B "[2]\t\"H-000000000000000c\"[1](d)\n" SWITCH_B B_TO_A ADAPTER
	      H_TO("8", "2"), "FILE:7: Error: lid 8 is another's already, in line 4");
	wrong(SWITCH_A "[1]\t\"S-000000000000000a\"[2]\n[2]\t\"S-000000000000000a\"[1]\n"
	      "[3]\t\"H-000000000000000c\"[1](d)\n" ADAPTER
	      "[1](d)\t\"S-000000000000000a\"[3]\n",
	      "FILE:2: Error: a link joins switch 0 to itself");
	report("files of ibnetdiscover that are wrong");
}

static void test_mesh(void)
{
	static const u32 usual[] = { 1, 2, 3, 4, 5 }, other[] = { 3, 5, 1, 2, 4 };
	struct graph g;
	char *text;

	graph_mesh(&g, 3, 2, usual);
	CHECK(g.switches == 6 && g.hosts == 6 && g.links == 7);
	/* (2,1): lid x * n + y + 1 */
	CHECK(g.host[5].lid == 6 && g.sw[5].lid == 12 && g.host[1].lid == 3);
	text = print(&g, GRAPH_IBNETDISCOVER);
	round_trip(text, GRAPH_IBNETDISCOVER);
	round_trip(text, GRAPH_NATIVE);
	free(text);
	text = print(&g, GRAPH_DOT);
	CHECK(strstr(text, "\ts0 -- s1 [taillabel=\"1\", headlabel=\"3\"];\n"));
	free(text);
	graph_free(&g);
	graph_mesh(&g, 3, 2, other);
	text = print(&g, GRAPH_DOT);
	CHECK(strstr(text, "\ts0 -- s1 [taillabel=\"3\", headlabel=\"1\"];\n"));
	CHECK(strstr(text, "\ts0 -- s3 [taillabel=\"5\", headlabel=\"2\"];\n"));
	free(text);
	CHECK(g.host[5].port == 4 && g.sw[5].ports == 6);
	text = print(&g, GRAPH_NATIVE);
	round_trip(text, GRAPH_NATIVE);
	free(text);
	graph_free(&g);
	report("a mesh with LIDs");
}

#define SIM_A "Switch\t8 \"left\"\n"
#define SIM_B "Switch 8 \"right\"\n"
#define SIM_HOST "Hca\t2 \"host 1\"\n"

/* Cycles for a flit on the link of two switches; @first and @second: on those of the hosts. */
static u32 sim_cycles(const char *text, u32 first, u32 second)
{
	char *copy = xstrdup(text);
	struct graph g;
	u32 cycles;

	graph_init(&g);
	CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
	CHECK(g.hosts == 2 && g.links == 1 && g.link[0].way.cycles == g.link[0].back.cycles);
	CHECK(g.host[0].way.cycles == first && g.host[0].back.cycles == first);
	CHECK(g.host[1].way.cycles == second && g.host[1].back.cycles == second);
	cycles = g.link[0].way.cycles;
	graph_free(&g);
	free(copy);
	return cycles;
}

static void test_ibsim(void)
{
	/* the same network: with both lines of each link, with one, with words behind them */
	static const char *const same[] = {
		SIM_A "[1]\t\"host 1\"[1]\n[3]\t\"right\"[4]\n" SIM_B "[4]\t\"left\"[3]\n"
			"[8] \"host 1\"[2]\n" SIM_HOST "[1]\t\"left\"[1]\n[2] \"right\"[8]\n",
		SIM_A "[1]\t\"host 1\"[1]\n[3]\t\"right\"[4]\n" SIM_B "[8] \"host 1\"[2]\n"
			SIM_HOST,
		"# one\n\n" SIM_A "[1] \"host 1\" [1]\tw=2\n" SIM_B "[4]\t\"left\"[3] # 4xSDR\n"
			"[8] \"host 1\"[2]\n" SIM_HOST,
	};
	char *first = NULL;

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		char *copy = xstrdup(same[i]), *text;
		struct graph g;

		graph_init(&g);
		CHECK(!graph_parse(copy, "FILE", GRAPH_AUTO, &g));
		CHECK(g.switches == 2 && g.hosts == 2 && g.links == 1 && g.sw[0].ports == 9);
		CHECK(!strcmp(g.sw[1].name, "right") && !strcmp(g.host[1].name, "host 1"));
		CHECK(g.host[1].at == 1 && g.host[1].port == 8 && g.host[1].node_port == 2);
		CHECK(g.link[0].port_a == 3 && g.link[0].port_b == 4);
		text = print(&g, GRAPH_NATIVE);
		if (!first)
			first = xstrdup(text);
		CHECK(!strcmp(text, first));
		round_trip(text, GRAPH_IBNETDISCOVER);
		free(text);
		free(copy);
		graph_free(&g);
	}
	free(first);
	/* 12x QDR, 1x SDR, and 4x SDR where nothing is said; the slower end counts */
	CHECK(sim_cycles(SIM_A "[1] \"host 1\"[1] w=1\n[3] \"right\"[4] w=15 s=7\n" SIM_B
			 "[4] \"left\"[3]\tw=8 s=4 e=0 # faster\n[8] \"host 1\"[2]\n" SIM_HOST,
			 48, 12) == 0);
	CHECK(sim_cycles(SIM_A "[1] \"host 1\"[1] w=2 e=4\n[3] \"right\"[4] w=2 e=6\n" SIM_B
			 "[4] \"left\"[3] w=2 e=2\n[8] \"host 1\"[2] w=2 e=4\n" SIM_HOST,
			 0, 0) == 2);
	/* without bit masks nothing is known where nothing is said */
	CHECK(sim_cycles(SIM_A "[1] \"host 1\"[1]\n[3] \"right\"[4] # lid 3 4xEDR\n" SIM_B
			 "[8] \"host 1\"[2] # 4xHDR\n" SIM_HOST, 0, 0) == 2);
	wrong(SIM_A "[1] \"host 1\"[1] w=32\n" SIM_HOST,
	      "FILE:2: Error: w=: a bit mask of 0 to 31");
	wrong(SIM_A "[1] \"host 1\"[1] s=x\n" SIM_HOST,
	      "FILE:2: Error: s=: a bit mask of 0 to 7");
	wrong(SIM_A "include x\n", "FILE:2: Error: \"include x\" is no node or port of ibsim");
	wrong("Hca x\n", "FILE:1: Error: a number of ports expected at \"x\"");
	wrong("Hca 255 \"a\"\n", "FILE:1: Error: 255 ports are more than 254");
	wrong("Hca 2 \"a\n", "FILE:1: Error: \"ID\" expected at \"\"a\"");
	wrong("[1] \"left\"[3]\n" SIM_HOST, "FILE:1: Error: a port before any Switch or Hca");
	wrong(SIM_A "[9] \"right\"[1]\n", "FILE:2: Error: port 9 is not in 1 to 8");
	wrong(SIM_A "[x\n", "FILE:2: Error: [PORT] expected at \"x\"");
	wrong(SIM_A "[1] right[1]\n",
	      "FILE:2: Error: the other end's \"ID\" expected at \"right[1]\"");
	wrong(SIM_A "[1] \"right\"\n", "FILE:2: Error: [PORT] expected at \"\"");
	wrong(SIM_A "[1] \"right\"[1]\n", "FILE:2: Error: \"right\" is not in this file");
	wrong(SIM_A SIM_A, "FILE:2: Error: \"left\" was in line 1 already");
	wrong(SIM_A "[1] \"host 1\"[3]\n" SIM_HOST,
	      "FILE:2: Error: port 3 of \"host 1\" is not in 1 to 2");
	wrong(SIM_A "[1] \"host 1\"[1]\n[1] \"host 1\"[2]\n" SIM_HOST,
	      "FILE:3: Error: port 1 was in line 2 already");
	/* two ports that say the same of one */
	wrong(SIM_A "[1] \"host 1\"[1]\n[2] \"host 1\"[1]\n" SIM_HOST,
	      "FILE:3: Error: the other end, in line 2, leads elsewhere");
	wrong(SIM_A "[1] \"host 1\"[1]\n" SIM_HOST "[1] \"left\"[2]\n",
	      "FILE:2: Error: the other end, in line 4, leads elsewhere");
	wrong("Hca 1 \"a\"\n[1] \"b\"[1]\nHca 1 \"b\"\n",
	      "FILE:2: Error: two adapters are joined without a switch");
	wrong(SIM_A "[1] \"host 1\"[1]\n[2] \"left\"[3]\n" SIM_HOST,
	      "FILE:3: Error: a link joins switch 0 to itself");
	wrong(SIM_A SIM_B "[1] \"host 1\"[1]\n" SIM_HOST,
	      "FILE:2: Error: no links lead to switch 1 from switch 0");
	report("files of ibsim");
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : "../../tests/samples";

	puts("TAP version 13\n1..8");
	fflush(stdout);
	test_samples(dir);
	test_truncated(dir);
	test_native_wrong();
	test_subnet_of_today();
	test_ibnetdiscover_wrong();
	test_ibsim();
	test_mesh();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
