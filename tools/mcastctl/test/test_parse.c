// SPDX-License-Identifier: GPL-2.0
/* Numbers, words, nodes, and lines of a batch. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodes.h"
#include "base/number.h"
#include "base/split.h"
#include "base/words.h"
#include "netlink/keyword.h"
#include "tap.h"

static void test_u64(void)
{
	u64 v = 77;
	s32 s = 77;

	CHECK(!number_u64("0", 0, 10, &v) && v == 0);
	CHECK(!number_u64("10", 0, 10, &v) && v == 10);
	CHECK(number_u64("11", 0, 10, &v) == -ERANGE && v == 10);
	CHECK(!number_u64("0x1f", 0, 100, &v) && v == 31);
	CHECK(!number_u64("20k", 0, 100000, &v) && v == 20000);
	CHECK(!number_u64("3M", 0, UINT64_MAX, &v) && v == 3000000);
	CHECK(!number_u64("18446744073709551615", 0, UINT64_MAX, &v) && v == UINT64_MAX);
	CHECK(number_u64("18446744073709551616", 0, UINT64_MAX, &v) == -ERANGE);
	CHECK(number_u64("99999999999G", 0, UINT64_MAX, &v) == -ERANGE);
	CHECK(number_u64("", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("-1", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("+1", 0, 10, &v) == -EINVAL);
	CHECK(number_u64(" 1", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("1 ", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("1x", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("0x", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("0xg", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("1kk", 0, 10, &v) == -EINVAL);
	CHECK(number_u64("1.5", 0, 10, &v) == -EINVAL);
	CHECK(!number_s32("-20", -20, 19, &s) && s == -20);
	CHECK(number_s32("-21", -20, 19, &s) == -ERANGE);
	CHECK(number_s32("--1", -20, 19, &s) == -EINVAL);
	CHECK(number_s32("99999999999999999999", -20, 19, &s) == -ERANGE);
	report("whole numbers");
}

static void test_decimal(void)
{
	char buf[32];
	u64 v = 0;

	CHECK(!number_decimal("0.0002", 1000000000, 0, UINT32_MAX, &v) && v == 200000);
	CHECK(!number_decimal("2e-4", 1000000000, 0, UINT32_MAX, &v) && v == 200000);
	CHECK(!number_decimal("5%", 1000000, 0, UINT32_MAX, &v) && v == 50000);
	CHECK(!number_decimal(".5", 1000000, 0, UINT32_MAX, &v) && v == 500000);
	CHECK(!number_decimal("1.", 1000000, 0, UINT32_MAX, &v) && v == 1000000);
	CHECK(!number_decimal("1.000000000000000000000000", 1000000, 0, UINT32_MAX, &v));
	CHECK(!number_decimal("0", 1000000, 0, UINT32_MAX, &v) && v == 0);
	CHECK(!number_decimal("0e30", 1000000, 0, UINT32_MAX, &v) && v == 0);
	CHECK(number_decimal("0.0000001", 1000000, 0, UINT32_MAX, &v) == -EDOM);
	CHECK(number_decimal("0.1234567", 1000000, 0, UINT32_MAX, &v) == -EDOM);
	CHECK(number_decimal("0.123456789012345678901234567890", 1000000, 0, 9, &v) == -EDOM);
	CHECK(number_decimal("1e30", 1000000, 0, UINT32_MAX, &v) == -ERANGE);
	CHECK(number_decimal("1e31", 1000000, 0, UINT32_MAX, &v) == -ERANGE);
	CHECK(number_decimal("5000", 1000000, 0, UINT32_MAX, &v) == -ERANGE);
	CHECK(number_decimal("", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal(".", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal("1e", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal("1.2.3", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal("nan", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal("0.5x", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	CHECK(number_decimal("-0.5", 1000000, 0, UINT32_MAX, &v) == -EINVAL);
	number_format(buf, sizeof(buf), 1500000, 1000000);
	CHECK(!strcmp(buf, "1.5"));
	number_format(buf, sizeof(buf), 67400001, 1000000);
	CHECK(!strcmp(buf, "67.400001"));
	number_format(buf, sizeof(buf), 2000000, 1000000);
	CHECK(!strcmp(buf, "2"));
	number_format(buf, sizeof(buf), 0, 1000000);
	CHECK(!strcmp(buf, "0"));
	number_format(buf, sizeof(buf), 17, 1);
	CHECK(!strcmp(buf, "17"));
	report("decimal numbers");
}

static void test_dims(void)
{
	u32 radix[NUMBER_MAX_RADICES], n = 0;
	char many[1024];

	CHECK(!number_dims("16x16", radix, &n) && n == 2 && radix[0] == 16 && radix[1] == 16);
	CHECK(!number_dims("64", radix, &n) && n == 1 && radix[0] == 64);
	CHECK(!number_dims("4X5x6", radix, &n) && n == 3 && radix[2] == 6);
	CHECK(!number_dims("0x4", radix, &n) && n == 2 && radix[0] == 0);
	CHECK(number_dims("16x", radix, &n) == -EINVAL);
	CHECK(number_dims("x16", radix, &n) == -EINVAL);
	CHECK(number_dims("16xx16", radix, &n) == -EINVAL);
	CHECK(number_dims("16*16", radix, &n) == -EINVAL);
	CHECK(number_dims("", radix, &n) == -EINVAL);
	CHECK(number_dims("-4x4", radix, &n) == -EINVAL);
	CHECK(number_dims("4,4", radix, &n) == -EINVAL);
	CHECK(!number_list("5,4,3,2,1", radix, &n) && n == 5 && radix[0] == 5 && radix[4] == 1);
	CHECK(number_list("5,4,", radix, &n) == -EINVAL);
	CHECK(number_list("5 4", radix, &n) == -EINVAL);
	CHECK(number_list("5x4", radix, &n) == -EINVAL);
	CHECK(number_list("1,4294967296", radix, &n) == -ERANGE);
	CHECK(number_dims("99999999999x2", radix, &n) == -ERANGE);
	snprintf(many, sizeof(many), "1");
	for (int i = 0; i < NUMBER_MAX_RADICES; i++)
		strcat(many, "x1");
	CHECK(number_dims(many, radix, &n) == -ERANGE);
	report("dimensions");
}

static void test_words(void)
{
	static const char *const table[] = { "stop", "stats", "start", "plan", "policy", "sta" };
	char *list;

	CHECK(WORD_FIND("stop", table, 6) == 0);
	CHECK(WORD_FIND("sto", table, 6) == 0);
	CHECK(WORD_FIND("sta", table, 6) == 5);
	CHECK(WORD_FIND("st", table, 6) == WORD_AMBIGUOUS);
	CHECK(WORD_FIND("pl", table, 6) == 3);
	CHECK(WORD_FIND("", table, 6) == WORD_UNKNOWN);
	CHECK(WORD_FIND("plans", table, 6) == WORD_UNKNOWN);
	CHECK(WORD_EXACT("pl", table, 6) == WORD_UNKNOWN);
	CHECK(!strcmp(WORD_CLOSEST("plna", table, 6), "plan"));
	CHECK(!strcmp(WORD_CLOSEST("PLAN", table, 6), "plan"));
	CHECK(!strcmp(WORD_CLOSEST("polcy", table, 6), "policy"));
	CHECK(!WORD_CLOSEST("topology", table, 6));
	CHECK(!WORD_CLOSEST("xyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzy", table, 6));
	CHECK(word_distance("ab", "ba") == 1);
	CHECK(word_distance("", "abc") == 3);
	list = WORD_LIST("p", table, 6);
	CHECK(!strcmp(list, "plan, policy"));
	free(list);
	report("words");
}

static int one(const char *s, struct node_ref *ref)
{
	struct node_error err;

	return node_parse(s, ref, &err);
}

static void test_node(void)
{
	struct node_ref r;
	char buf[128];

	CHECK(!one("17", &r) && r.form == NODE_ID && r.id == 17);
	CHECK(!one("(3,2)", &r) && r.form == NODE_COORD && r.ndims == 2 && r.coord[0] == 3);
	CHECK(!one("( 3 , 2 )", &r) && r.ndims == 2 && r.coord[1] == 2);
	CHECK(!one("(5)", &r) && r.form == NODE_WORD && r.word == 5);
	CHECK(!one("( 2314 )", &r) && r.form == NODE_WORD && r.word == 2314);
	CHECK(!one("(87654321)", &r) && r.form == NODE_WORD && r.word == 87654321);
	node_format(buf, sizeof(buf), &r);
	CHECK(!strcmp(buf, "(87654321)"));
	CHECK(one("(100000000)", &r));
	CHECK(one("(87654321,1)", &r));
	CHECK(one("(2314", &r));
	CHECK(!one("3.2.1", &r) && r.ndims == 3 && r.coord[2] == 1);
	CHECK(!one("#11", &r) && r.form == NODE_LABEL && r.label == 11);
	CHECK(!one("l11", &r) && r.form == NODE_LABEL && r.label == 11);
	CHECK(!one("1.2.3.4.5.6.7.8", &r) && r.ndims == 8);
	CHECK(!one("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16", &r) && r.ndims == 16);
	CHECK(one("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", &r));
	CHECK(one("3,2", &r));
	CHECK(one("", &r));
	CHECK(one("-1", &r));
	CHECK(one("(3,2", &r));
	CHECK(one("3,2)", &r));
	CHECK(one("(,2)", &r));
	CHECK(one("()", &r));
	CHECK(one("3.", &r));
	CHECK(one(".2", &r));
	CHECK(one("#", &r));
	CHECK(one("l", &r));
	CHECK(one("#x", &r));
	CHECK(one("17x", &r));
	CHECK(one("4294967295", &r));
	CHECK(one("(70000,1)", &r));
	CHECK(one("1-3", &r));
	CHECK(!one("3.2", &r));
	node_format(buf, sizeof(buf), &r);
	CHECK(!strcmp(buf, "(3,2)"));
	CHECK(node_begins("17") && node_begins("#1") && node_begins("@f") && node_begins("l3"));
	CHECK(node_begins("(1,2)") && !node_begins("flits") && !node_begins("list"));
	CHECK(!node_begins("") && !node_begins("l"));
	report("nodes");
}

/* Number of nodes in a list, -1: it is wrong. */
static int list(const char *s, struct node_error *err)
{
	struct node_list l = { 0 };
	int n = node_list_parse(s, &l, err) ? -1 : (int)l.n;

	node_list_free(&l);
	return n;
}

static void test_list(void)
{
	struct node_error e;
	char path[] = "/tmp/mcastctl-list-XXXXXX", text[64];
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	CHECK(list("1,2,3", &e) == 3);
	CHECK(list("1 2 3", &e) == 3);
	CHECK(list(" 1,\t2;3, ", &e) == 3);
	CHECK(list("0-99", &e) == 100);
	CHECK(list("5-5", &e) == 1);
	CHECK(list("#0-#9,l20-29,(1,2),3.4,7", &e) == 23);
	CHECK(list("(3, 2) (1,1)", &e) == 2);
	CHECK(list("", &e) == 0);
	CHECK(list("9-5", &e) < 0 && !strcmp(e.word, "9-5"));
	CHECK(list("1,2,x,4", &e) < 0 && !strcmp(e.word, "x"));
	CHECK(list("1,2,3y", &e) < 0 && !strcmp(e.word, "3y"));
	CHECK(list("1--2", &e) < 0 && !strcmp(e.word, "1--2"));
	CHECK(list("1,9-,3", &e) < 0 && !strcmp(e.word, "9-"));
	CHECK(!strcmp(e.why, "a range is 3-9 or #3-#9"));
	CHECK(list("#3-", &e) < 0 && !strcmp(e.word, "#3-"));
	CHECK(list("1-2-3", &e) < 0);
	CHECK(list("(1,2)-(3,4)", &e) < 0);
	CHECK(list("1-#4", &e) < 0);
	CHECK(list("(1,2", &e) < 0);
	CHECK(list("0-4294967294", &e) < 0);
	CHECK(list("0-1048575", &e) == 1048576);
	CHECK(list("0-1048575,7", &e) < 0);
	CHECK(list("@/nonexistent", &e) < 0 && strstr(e.why, "No such file"));
	CHECK(list("1@2", &e) < 0);
	fputs("# a comment\n1 2,3\n#4 #5-#6 # more\n(1,1)\n", f);
	fclose(f);
	snprintf(text, sizeof(text), "10,@%s,20", path);
	CHECK(list(text, &e) == 9);
	snprintf(text, sizeof(text), "@%s", path);
	CHECK(list(text, &e) == 7);
	f = fopen(path, "w");
	fputs("1 @other\n", f);
	fclose(f);
	CHECK(list(text, &e) < 0 && !strcmp(e.word, "@other"));
	f = fopen(path, "w");
	fwrite("1\0002", 1, 3, f);
	fclose(f);
	CHECK(list(text, &e) < 0);
	remove(path);
	report("lists of nodes");
}

static int split(const char *s, char ***words, char **copy)
{
	*copy = strdup(s);
	*words = NULL;
	return batch_split(*copy, words);
}

static void test_split(void)
{
	char **w, *copy;

	CHECK(split("plan f0 from #11 to '(1, 2)' \"a b\" # end", &w, &copy) == 7);
	CHECK(!strcmp(w[3], "#11") && !strcmp(w[5], "(1, 2)") && !strcmp(w[6], "a b"));
	free(w);
	free(copy);
	CHECK(split("   ", &w, &copy) == 0);
	free(w);
	free(copy);
	CHECK(split("# only", &w, &copy) == 0);
	free(w);
	free(copy);
	CHECK(split("a\\ b c\"d e\"f", &w, &copy) == 2);
	CHECK(!strcmp(w[0], "a b") && !strcmp(w[1], "cd ef"));
	free(w);
	free(copy);
	CHECK(split("a 'b", &w, &copy) == -1);
	free(w);
	free(copy);
	CHECK(split("'' x", &w, &copy) == 2 && !*w[0]);
	free(w);
	free(copy);
	report("lines of a batch");
}

int main(void)
{
	puts("TAP version 13\n1..7");
	fflush(stdout);
	if (!getenv("VERBOSE") && !freopen("/dev/null", "w", stderr))
		return 1;
	test_u64();
	test_decimal();
	test_dims();
	test_words();
	test_node();
	test_list();
	test_split();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
