// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the forwarding tables in files: every form, every way to be wrong.
 * Usage: test_opensm DIRECTORY, that of the samples.
 */
#include <stdlib.h>
#include <string.h>

#include "netlink/keyword.h"
#include "tables/opensm.h"
#include "tap.h"

static const char lfts[] =
	"Unicast lids [0x0-0x6] of switch Lid 5 guid 0x0000000000000205 (left (upper)):\n"
	"  Lid  Out   Destination\n"
	"       Port     Info\n"
	"0x0001 001 : (Channel Adapter portguid 0x0000000000000101: 'one HCA-1')\n"
	"0x0002 002 : (Channel Adapter portguid 0x0000000000000102: 'two (2) HCA-1')\n"
	"0x0003 012\n"
	"0x0005 000 : (Switch portguid 0x0000000000000205: 'left (upper)')\n"
	"0x0006 012 : (node info not available fabric scan)\n"
	"5 valid lids dumped\n"
	"Unicast lids [0x0-0x0] of switch guid 0x0000000000000206 ():\n"
	"  Lid  Out   Destination\n"
	"       Port     Info\n"
	"0 valid lids dumped\n";

static const char mfts[] =
	"Multicast mlids [0xc000-0xc002] of switch Lid 5 guid 0x0000000000000205 (left (upper)):\n"
	"            0                   1\n"
	"     Ports: 0 1 2 3 4 5 6 7 8 9 0 1 2\n"
	" MLid\n"
	"0xc000        x x                   x\n"
	"0xc002      x\n"
	"2 valid mlids dumped\n";

/* A table of each other form, with the rows of those above. */
static const char opensm_lfts[] =
	"# tables of the left switch\n"
	"Unicast lids [0-6] of switch Lid 5 guid 0x0000000000000205 ('left (upper)'):\n"
	"0x0001 001 # Channel Adapter portguid 0x0000000000000101: 'one HCA-1'\n"
	"0x0002 002 # Channel Adapter portguid 0x0000000000000102: 'two (2) HCA-1'\n"
	"0x0003 012 # unknown node and type\n"
	"0x0005 000 # Switch portguid 0x0000000000000205: 'left (upper)'\n"
	"0x0006 012 # unknown node and type\n"
	"6 lids dumped\n";

static const char all_lfts[] =
	"Unicast lids [0x0-0x6] of switch DR path slid 0; dlid 0; 0,1 guid 0x205 (left):\n"
	"  Lid  Out   Destination\n"
	"       Port     Info\n"
	"ibwarn: [26767] mad_rpc: _do_madrpc failed; dport (Lid 9)\n"
	"0x0001 001\n0x0002 002\n0x0003 012\n"
	"0x0004 255 : (illegal port)\n"
	"0x0005 000\n0x0006 012\n"
	"6 lids dumped\n";

static const char fdbs[] =
	"dump_ucast_routes: Switch 0x0000000000000205\n"
	"LID    : Port : Hops : Optimal\n"
	"0x0001 : 001  : 01   : yes\n"
	"0x0002 : 002  : 01   : yes\n"
	"0x0003 : 012  : 03   : No 2 hop path possible via port 3!\n"
	"0x0004 : UNREACHABLE\n"
	"0x0005 : 000  : 00   : yes\n"
	"0x0006 : 012  : HOPS UNKNOWN\n";

static const char mcfdbs[] =
	"\nSwitch 0x0000000000000205\n"
	"LID    : Out Port(s)\n"
	"0xC000 : 0x001  0x002  0x00C\n"
	"0xC002 : 0x000\n";

static const char brief_mfts[] =
	"Multicast mlids [0xc000-0xc002] of switch Lid 5 guid 0x0000000000000205 (left):\r\n"
	" MLid       Port Mask\r\n"
	"0xc000      1006\r\n"
	"0xc002      0001\r\n"
	"2 valid mlids dumped \r\n";

static enum status parse(const char *text, size_t len, struct fwd_dump *dump)
{
	char *copy = malloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return opensm_parse("FILE", copy, len, dump);
}

static char *printed(const struct fwd_dump *dump)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (u32 i = 0; i < dump->n; i++)
		opensm_print(f, &dump->table[i]);
	fclose(f);
	return text;
}

static void identity(const char *text)
{
	struct fwd_dump dump;
	char *again;

	CHECK(!parse(text, strlen(text), &dump));
	again = printed(&dump);
	CHECK(!strcmp(again, text));
	free(again);
	opensm_free(&dump);
}

static void test_identity(void)
{
	char many[4096], ruler[1024] = "", marks[1024] = "", tens[1024] = "";

	identity(lfts);
	identity(mfts);
	/* The most ports a switch can have. */
	for (int p = 0; p <= OPENSM_MAX_PORT; p++) {
		sprintf(tens + 2 * p, " %c", p % 10 ? ' ' : '0' + p / 10);
		sprintf(ruler + 2 * p, " %d", p % 10);
		strcat(marks, p == 0 || p == 64 || p == OPENSM_MAX_PORT ? " x" : "  ");
	}
	tens[2 * OPENSM_MAX_PORT / 20 * 20 + 2] = '\0';
	snprintf(many, sizeof(many),
		 "Multicast mlids [0xc000-0xc000] of switch guid 0x0000000000000001 ():\n"
		 "           %s\n     Ports:%s\n MLid\n0xc000     %s\n1 valid mlids dumped\n",
		 tens, ruler, marks);
	identity(many);
	report("printed as read");
}

static void lft_is(const char *text, bool guids)
{
	static const u32 lid[] = { 1, 2, 3, 5, 6 }, port[] = { 1, 2, 12, 0, 12 };
	struct fwd_dump dump;

	CHECK(!parse(text, strlen(text), &dump));
	CHECK(dump.n >= 1 && dump.table->n == ARRAY_SIZE(lid));
	if (dump.n && dump.table->n == ARRAY_SIZE(lid)) {
		CHECK(dump.table->guid == 0x205 && !dump.table->multicast);
		for (u32 i = 0; i < ARRAY_SIZE(lid); i++) {
			CHECK(dump.table->lft[i].lid == lid[i]);
			CHECK(dump.table->lft[i].port == port[i]);
		}
		CHECK(dump.table->lft[1].guid == (guids ? 0x102 : 0));
	}
	opensm_free(&dump);
}

static void mft_is(const char *text)
{
	struct fwd_dump dump;

	CHECK(!parse(text, strlen(text), &dump));
	CHECK(dump.n == 1 && dump.table->n == 2);
	if (dump.n && dump.table->n == 2) {
		const struct mft_row *row = dump.table->mft;

		CHECK(dump.table->guid == 0x205 && dump.table->multicast);
		CHECK(row[0].lid == 0xc000 && row[0].ports[0] == 0x1006 && !row[0].ports[1]);
		CHECK(row[1].lid == 0xc002 && row[1].ports[0] == 1);
	}
	opensm_free(&dump);
}

/* As it comes from ibroute, which ends many lines with a blank. */
static char *blanks_added(const char *text)
{
	char *out = malloc(2 * strlen(text) + 1), *o = out;

	for (; *text; *o++ = *text++) {
		if (*text == '\n')
			*o++ = ' ';
	}
	*o = '\0';
	return out;
}

static void test_forms(void)
{
	struct fwd_dump dump;
	char both[4096], *wide;

	lft_is(lfts, true);
	lft_is(opensm_lfts, true);
	lft_is(all_lfts, false);
	lft_is(fdbs, false);
	mft_is(mfts);
	mft_is(mcfdbs);
	mft_is(brief_mfts);
	wide = blanks_added(lfts);
	lft_is(wide, true);
	free(wide);
	wide = blanks_added(mfts);
	mft_is(wide);
	free(wide);
	CHECK(!parse(lfts, strlen(lfts), &dump));
	CHECK(dump.n == 2 && dump.table[0].lid == 5 && dump.table[0].line == 1);
	CHECK(!strcmp(dump.table[0].name, "left (upper)"));
	CHECK(!strcmp(dump.table[0].lft[1].info,
		      "Channel Adapter portguid 0x0000000000000102: 'two (2) HCA-1'"));
	CHECK(dump.table[0].lft[1].line == 5 && !dump.table[0].lft[2].info);
	CHECK(dump.table[1].lid == 0 && dump.table[1].guid == 0x206 && !dump.table[1].n);
	opensm_free(&dump);
	snprintf(both, sizeof(both), "%s%s%s", fdbs, mcfdbs, lfts);
	CHECK(!parse(both, strlen(both), &dump));
	CHECK(dump.n == 4 && dump.table[1].multicast && dump.table[2].lid == 5);
	opensm_free(&dump);
	report("forms of dumps");
}

/* What standard error says about a text. */
static const char *complaint(const char *text, size_t len)
{
	static char said[256];
	struct fwd_dump dump;
	FILE *saved = stderr;
	enum status status;

	memset(said, 0, sizeof(said));
	stderr = fmemopen(said, sizeof(said) - 1, "w");
	status = parse(text, len, &dump);
	fclose(stderr);
	stderr = saved;
	if (!status) {
		opensm_free(&dump);
		return "nothing";
	}
	return said;
}

static void wrong(const char *text, const char *what)
{
	const char *said = complaint(text, strlen(text));

	CHECK(!strncmp(said, what, strlen(what)));
	if (strncmp(said, what, strlen(what)))
		printf("# \"%s\" instead of \"%s\"\n", said, what);
}

#define LFT_HEAD	"Unicast lids [0x0-0x9] of switch Lid 5 guid 0x5 (a):\n"
#define MFT_HEAD	"Multicast mlids [0xc000-0xc009] of switch Lid 5 guid 0x5 (a):\n"
#define RULER		"     Ports: 0 1 2\n"

#define SIXTEEN	" 0  1  2  3  0  1  2  3  0  1  2  3  0  1  2  15"

/* Hosts have a row each, without a use here. */
static const char sl2vl[] =
	"Channel Adapter 0x0000000000000101, base LID 1, \"one HCA-1\"\n"
	"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
	"#--------------------------------------------------------\n"
	"0   0   :" SIXTEEN "\n"
	"#--------------------------------------------------------\n\n"
	"Switch 0x0000000000000205, base LID 5, \"left, base LID 7, (upper)\"\n"
	"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
	"#--------------------------------------------------------\n"
	"0   1   :" SIXTEEN "\n"
	"254 1   :" SIXTEEN "\n"
	"Switch 0x0000000000000206, base LID 0, \"\"\n"
	"0   1   : 1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1\n";

/* The same, in whatever line. */
static void unlike(const char *text, const char *what)
{
	const char *said = complaint(text, strlen(text));

	CHECK(strstr(said, what));
	if (!strstr(said, what))
		printf("# \"%s\" instead of \"%s\"\n", said, what);
}

static void test_levels(void)
{
	static const char head[] = "Switch 0x205, base LID 5, \"x\"\n";
	struct fwd_dump dump;
	char both[4096];

	CHECK(!parse(sl2vl, strlen(sl2vl), &dump));
	CHECK(!dump.n && dump.nvl == 3 && !dump.nsl && dump.host_lanes == 1);
	if (dump.nvl == 3) {
		CHECK(dump.vl[1].guid == 0x205 && dump.vl[1].lid == 5 && dump.vl[1].head == 7);
		CHECK(dump.vl[1].line == 11 && dump.vl[1].in == 254 && dump.vl[1].out == 1);
		CHECK(dump.vl[1].vl[3] == 3 && dump.vl[1].vl[15] == 15);
		CHECK(dump.vl[2].guid == 0x206 && !dump.vl[2].lid && dump.vl[2].vl[0] == 1);
	}
	opensm_free(&dump);
	snprintf(both, sizeof(both), "%s%s0x101 5 15\n0x0000000000000102\t49151  0\n%s", lfts,
		 sl2vl, mcfdbs);
	CHECK(!parse(both, strlen(both), &dump));
	CHECK(dump.n == 3 && dump.nvl == 3 && dump.nsl == 2);
	if (dump.nsl == 2) {
		CHECK(dump.sl[0].guid == 0x101 && dump.sl[0].lid == 5 && dump.sl[0].sl == 15);
		CHECK(dump.sl[1].guid == 0x102 && dump.sl[1].lid == 49151 && !dump.sl[1].sl);
	}
	opensm_free(&dump);
	for (u32 i = 0; i < 2; i++) {
		static const char *const rows[][2] = {
			{ "1 2 : 0 1\n", "lane of service level 2 is missing" },
			{ "1 2\n", "a colon must follow output port 2" },
			{ "1\n", "output port is missing" },
			{ "1 255 :" SIXTEEN "\n", "output port: 255 is out of range (0 to 254)" },
			{ "1 x :" SIXTEEN "\n", "output port: \"x\" is no number" },
			{ "1 2 :" SIXTEEN " 1\n", "more than 16 lanes" },
			{ "1 2 : 16 1\n", "lane of service level 0: 16 is out of range (0 to 15)" },
			{ "1 2 : 0x1 1\n", "lane of service level 0: \"0x1\" is no number" },
			{ "1 2 :" SIXTEEN "\n1 2 :" SIXTEEN "\n",
			  "input port 1 and output port 2 occur twice" },
			{ "x\n", "no forwarding table begins so" },
		};

		for (u32 k = 0; k < ARRAY_SIZE(rows); k++) {
			snprintf(both, sizeof(both), "%s%s%s", i ? sl2vl : "", head, rows[k][0]);
			unlike(both, rows[k][1]);
		}
	}
	unlike("Switch 0x12345678901234567, base LID 5, \"x\"\n",
	       "the node's guid is no number of at most 16 digits");
	unlike("Switch 0x205, base LID 49152, \"x\"\n",
	       "the node's base LID is no number from 0 to 49151");
	unlike("0x101 5 16\n", "service level 16 is out of range (0 to 15)");
	unlike("0x101 0 1\n", "lid 0 is no unicast one: those go from 1 to 49151");
	unlike("0x101 5\n", "no forwarding table begins so");
	unlike("0x101 5 1 1\n", "no forwarding table begins so");
	unlike("1   2   :" SIXTEEN "\n", "no forwarding table begins so");
	report("virtual lanes and service levels");
}

static void test_rows_wrong(void)
{
	wrong(LFT_HEAD "0x0001 x7\n", "FILE:2: Error: port \"x7\" is no number");
	wrong(LFT_HEAD "0x0001 7x\n", "FILE:2: Error: port \"7x\" is no number");
	wrong(LFT_HEAD "0x0001\n", "FILE:2: Error: port is missing");
	wrong(LFT_HEAD "0x0001 256\n", "FILE:2: Error: port \"256\" is out of range");
	wrong(LFT_HEAD "0x0001 99999999999999999999\n", "FILE:2: Error: port \"999");
	wrong(LFT_HEAD "0x000g 001\n", "FILE:2: Error: lid \"0x000g\" is no number");
	wrong(LFT_HEAD "0x 001\n", "FILE:2: Error: lid \"0x\" is no number");
	wrong(LFT_HEAD "0x0000 001\n", "FILE:2: Error: lid 0x0000 is no unicast one");
	wrong(LFT_HEAD "0xc000 001\n", "FILE:2: Error: lid 0xc000 is no unicast one");
	wrong(LFT_HEAD "0x000a 001\n", "FILE:2: Error: lid 0x000a is not among 0x0 to 0x9");
	wrong(LFT_HEAD "0x0002 001\n0x0002 001\n", "FILE:3: Error: lid 0x0002 occurs twice");
	wrong(LFT_HEAD "0x0002 001\n0x0001 001\n", "FILE:3: Error: lid 0x0001 comes after");
	wrong(LFT_HEAD "0x0001 001 (a)\n", "FILE:2: Error: \"(a)\" follows the port");
	wrong(LFT_HEAD "0x0001 001 : (a\n", "FILE:2: Error: what follows the colon");
	wrong(LFT_HEAD "0x0001 001 :\n", "FILE:2: Error: what follows the colon");
	wrong(LFT_HEAD "0x0001 001 : (portguid 0xg: a)\n", "FILE:2: Error: portguid \"0xg:\"");
	wrong(LFT_HEAD "junk\n", "FILE:2: Error: \"junk\" begins neither a row nor a table");
	wrong(MFT_HEAD "0xc000      x\n", "FILE:2: Error: no line \"Ports: 0 1 2 ...\"");
	wrong(MFT_HEAD RULER "0xc000      y\n", "FILE:3: Error: column 13 is neither");
	wrong(MFT_HEAD RULER "0xc000       x\n", "FILE:3: Error: the x in column 14 is below no");
	wrong(MFT_HEAD RULER "0xc000     x\n", "FILE:3: Error: the x in column 12 is below no");
	wrong(MFT_HEAD RULER "0xc000            x\n", "FILE:3: Error: the x in column 19 is bey");
	wrong(MFT_HEAD RULER "0x0001      x\n", "FILE:3: Error: lid 0x0001 is no multicast one");
	wrong(MFT_HEAD RULER "0xffff      x\n", "FILE:3: Error: lid 0xffff is no multicast one");
	wrong(MFT_HEAD "     Ports: 0 2\n", "FILE:2: Error: column 15 is not the last digit");
	wrong(MFT_HEAD "     Ports:\n", "FILE:2: Error: no ports");
	wrong(MFT_HEAD " MLid Port Mask\n0xc000 12\n", "FILE:3: Error: mask \"12\" has not 4");
	wrong(MFT_HEAD " MLid Port Mask\n0xc000\n", "FILE:3: Error: the ports of lid 0xc000");
	wrong("Switch 0x5\n0xC000 0x001\n", "FILE:2: Error: a colon must follow lid 0xc000");
	wrong("Switch 0x5\n0xC000 : 1\n", "FILE:2: Error: port \"1\" is no number");
	wrong("Switch 0x5\n0xC000 : 0x0FF\n", "FILE:2: Error: port \"0x0FF\" is out of range");
	wrong("dump_ucast_routes: Switch 0x5\n0x0001 : 001\n", "FILE:2: Error: a colon must");
	wrong("dump_ucast_routes: Switch 0x5\n0x0001 001 :\n", "FILE:2: Error: a colon must");
	report("rows that are wrong");
}

static void test_heads_wrong(void)
{
	wrong("", "Error: FILE: no forwarding tables in it");
	wrong("# nothing\n\n", "Error: FILE: no forwarding tables in it");
	wrong("0x0001 001\n", "FILE:1: Error: no forwarding table begins so");
	wrong("Unicast lids [0x0] of switch Lid 5 guid 0x5 (a):\n",
	      "FILE:1: Error: the range of lids is not of the form");
	wrong("Unicast lids [0x0-0x12345] of switch Lid 5 guid 0x5 (a):\n",
	      "FILE:1: Error: the range of lids is not of the form");
	wrong("Unicast lids [0-1] Lid 5 guid 0x5 (a):\n", "FILE:1: Error: \" of switch\" does");
	wrong("Unicast lids [0-1] of switch Lid x guid 0x5 (a):\n",
	      "FILE:1: Error: the switch's lid is no number");
	wrong("Unicast lids [0-1] of switch Lid 5 (a):\n",
	      "FILE:1: Error: the switch's guid is missing");
	wrong("Unicast lids [0-1] of switch Lid 5 guid 0x12345678901234567 (a):\n",
	      "FILE:1: Error: the switch's guid \"0x12345678901234567 (a):\" is no number");
	wrong("Unicast lids [0-1] of switch Lid 5 guid 0x5 (a\n",
	      "FILE:1: Error: the switch's name is not of the form");
	wrong("Switch 0x5 x\n", "FILE:1: Error: more than the switch's guid");
	report("heads that are wrong");
}

static void test_truncated(void)
{
	static const char *const all[] = { lfts, mfts, opensm_lfts, all_lfts, brief_mfts };

	wrong(LFT_HEAD "0x0001 001\n2 valid lids dumped\n",
	      "FILE:3: Error: 2 rows are counted, but the table has 1");
	wrong(LFT_HEAD "0x0001 001\n7 lids dumped\n", "FILE:3: Error: 7 rows are counted");
	wrong(LFT_HEAD "0x0001 001\n1 valid mlids dumped\n",
	      "FILE:3: Error: \"valid mlids dumped\" is not \"valid lids dumped\"");
	wrong(LFT_HEAD "0x0001 001\n" LFT_HEAD,
	      "FILE:3: Error: the table that begins in line 1 does not end with");
	wrong("Switch 0x5\n0xC000 : 0x001 ", "FILE:2: Error: the file ends within this line");
	wrong(LFT_HEAD "0x0001 \a001\n", "FILE:2: Error: column 8 has the control character");
	CHECK(!strncmp(complaint(LFT_HEAD "\0", sizeof(LFT_HEAD)),
		       "FILE:2: Error: column 1 has the control character 0x00", 40));
	/* Cut off anywhere, all are found, but between the tables of one file. */
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		const char *next = strstr(all[i], "dumped");
		size_t whole = strcspn(next, "\n") + 1 + (next - all[i]), start = 0;

		if (*all[i] == '#')
			start = strcspn(all[i], "\n") + 1;
		for (size_t len = start + 1; len < strlen(all[i]); len++) {
			if (len != whole)
				CHECK(strcmp(complaint(all[i], len), "nothing"));
		}
	}
	report("files that are cut off");
}

static bool same_rows(const struct fwd_table *a, const struct fwd_table *b)
{
	bool same = a->guid == b->guid && a->multicast == b->multicast && a->n == b->n;

	for (u32 i = 0; same && i < a->n; i++) {
		if (a->multicast)
			same = a->mft[i].lid == b->mft[i].lid &&
			       !memcmp(a->mft[i].ports, b->mft[i].ports, sizeof(a->mft[i].ports));
		else
			same = a->lft[i].lid == b->lft[i].lid && a->lft[i].port == b->lft[i].port;
	}
	return same;
}

/* The forms of one sample say the same. */
static void same_sample(const char *dir, const char *one, const char *other)
{
	char path[2][512];
	struct fwd_dump a, b;

	snprintf(path[0], sizeof(path[0]), "%s/%s", dir, one);
	snprintf(path[1], sizeof(path[1]), "%s/%s", dir, other);
	CHECK(!opensm_read(path[0], &a));
	CHECK(!opensm_read(path[1], &b));
	CHECK(a.n == 5 && b.n == 5);
	for (u32 i = 0; i < a.n && i < b.n; i++)
		CHECK(same_rows(&a.table[i], &b.table[i]));
	opensm_free(&a);
	opensm_free(&b);
}

static void test_samples(const char *dir)
{
	struct fwd_dump dump;

	same_sample(dir, "fat-tree.lfts", "fat-tree.opensm-lfts");
	same_sample(dir, "fat-tree.lfts", "fat-tree.fdbs");
	same_sample(dir, "fat-tree.mfts", "fat-tree.mcfdbs");
	CHECK(opensm_read("/nonexistent", &dump) == STATUS_USAGE);
	CHECK(opensm_read(dir, &dump) == STATUS_USAGE);
	report("samples");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	puts("TAP version 13\n1..7");
	fflush(stdout);
	test_identity();
	test_forms();
	test_levels();
	test_rows_wrong();
	test_heads_wrong();
	test_truncated();
	test_samples(argv[1]);
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
