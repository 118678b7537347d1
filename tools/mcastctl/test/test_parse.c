// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of everything that needs no kernel: numbers, words, nodes, lines of
 * a batch, keywords, failures, messages, who is to blame for a refusal, plans from
 * recorded messages, what is echoed, files by lines.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "command.h"
#include "excerpt.h"
#include "faults.h"
#include "lines.h"
#include "nodes.h"
#include "number.h"
#include "plan_print.h"
#include "refusal.h"
#include "tap.h"
#include "upload.h"
#include "words.h"

struct options options;

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

enum { K_DIMS, K_VCS, K_SWITCHING, K_FLAG, K_LIST, K_SEED, NKEYS };

static const struct keyword keys[] = {
	[K_DIMS] = { .name = "dims", .type = KEY_DIMS, .attr = MCFAB_A_FABRIC_DIMS, .arg = "16x16",
		     .required = true },
	[K_VCS] = { .name = "vcs", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_VCS, .arg = "N" },
	[K_SWITCHING] = { .name = "switching", .type = KEY_ENUM,
			  .attr = MCFAB_A_FABRIC_SWITCHING },
	[K_FLAG] = { .name = "network", .type = KEY_FLAG },
	[K_LIST] = { .name = "to", .type = KEY_LIST, .arg = "LIST" },
	[K_SEED] = { .name = "seed", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_SEED, .arg = "N" },
};

static const struct grammar grammar = { KEYWORDS(keys), .cmd = MCFAB_CMD_FABRIC_NEW };

static enum status parse_by(const struct grammar *g, const char *line, struct value *v)
{
	char **words = NULL, *copy = strdup(line);
	struct words w = { 0 };
	enum status status;

	w.n = batch_split(copy, &words);
	w.word = words;
	memset(v, 0, NKEYS * sizeof(*v));
	status = keywords_parse(&w, g, v);
	keywords_free(g, v);
	free(words);
	free(copy);
	return status;
}

static enum status parse(const char *line, struct value *v)
{
	return parse_by(&grammar, line, v);
}

static void test_keywords(void)
{
	struct value v[NKEYS];

	CHECK(!parse("dims 4x4", v) && v[K_DIMS].ndims == 2);
	CHECK(!parse("vcs 2 dims 4x4 switching store", v) && v[K_SWITCHING].number == 3);
	CHECK(!parse("d 4x4 v 2 n", v) && v[K_FLAG].given && v[K_VCS].number == 2);
	CHECK(!parse("to 1 2, 3 (4, 5) dims 4x4 seed 0xffffffffffffffff", v));
	CHECK(parse("", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 dims 4x4", v) == STATUS_USAGE);
	CHECK(parse("dims", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 vcs", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 vcs 4294967296", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 s 1", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 colour red", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 switching fast", v) == STATUS_USAGE);
	CHECK(parse("dims 4x4 to dims", v) == STATUS_USAGE);
	report("keywords");
}

static const char *const others[] = { "k", "copies" };
static char taken[32];

static int other_find(const char *word, bool exact)
{
	for (int i = 0; i < 2; i++) {
		if (exact ? !strcmp(word, others[i]) : !strncmp(word, others[i], strlen(word)))
			return i;
	}
	return WORD_UNKNOWN;
}

static bool other_allows(int index, const char *value)
{
	return index == 1 && !strcmp(value, "seed");
}

static enum status other_take(int index, const char *value)
{
	snprintf(taken, sizeof(taken), "%s %s", others[index], value);
	return STATUS_OK;
}

/* What is printed on standard error between these two. */
static FILE *hearing, *unheard;
static char *said;
static size_t said_size;

static void overhear(void)
{
	hearing = open_memstream(&said, &said_size);
	unheard = stderr;
	stderr = hearing;
}

static bool says(const char *text)
{
	bool same;

	stderr = unheard;
	fclose(hearing);
	same = !strcmp(said, text);
	if (!same)
		printf("# %s", said);
	free(said);
	return same;
}

static void test_others(void)
{
	struct grammar g = {
		KEYWORDS(keys), .cmd = MCFAB_CMD_FABRIC_NEW, .other_find = other_find,
		.other_allows = other_allows, .other_take = other_take,
	};
	struct value v[NKEYS];

	overhear();
	CHECK(parse_by(&g, "dims 4 k seed 1", v) == STATUS_USAGE);
	CHECK(says("Error: k: a value is missing, \"seed\" follows\n"));
	overhear();
	CHECK(parse_by(&g, "dims 4 k copies source", v) == STATUS_USAGE);
	CHECK(says("Error: k: a value is missing, \"copies\" follows\n"));
	/* a word of its own, though also one of ours */
	CHECK(!parse_by(&g, "dims 4 copies seed", v) && !strcmp(taken, "copies seed"));
	report("parameters whose value was forgotten");
}

static void test_faults(void)
{
	struct faults faults = { 0 };

	CHECK(!faults_parse(&faults, "5:s1,7:s1:2:up") && faults.n == 2);
	faults_free(&faults);
	memset(&faults, 0, sizeof(faults));
	overhear();
	CHECK(faults_parse(&faults, "5:s1,") == STATUS_USAGE);
	CHECK(says("Error: fail 5:s1,: entry 2 is empty, not CYCLE:SWITCH[:PORT][:up]\n"));
	faults_free(&faults);
	report("failures of a run");
}

static void test_messages(void)
{
	static const char want[] =
		"b:7: build-asan/m:4: Error: cycle 4: earlier than 5, the one before of source 2\n";
	const char *path = "build-asan/m";
	struct json_object *fabric = json_object_new_object();
	struct messages m = { 0 };
	FILE *f = fopen(path, "w");

	fputs("10 1 2\n5 2 3\n10 1 3\n4 2 1\n", f);
	fclose(f);
	json_object_object_add(fabric, "nodes", json_object_new_int(4));
	set_batch_location("b", 7);
	overhear();
	CHECK(messages_read(path, fabric, &m) == STATUS_USAGE);
	CHECK(says(want));
	/* the file is over, the line of the batch is not */
	overhear();
	refused("no");
	CHECK(says("b:7: Error: no\n"));
	set_batch_location(NULL, 0);
	messages_free(&m);
	json_object_put(fabric);
	remove(path);
	report("lists of messages, and where errors are");
}

/* A refusal as the kernel sends it, that blames the attribute at @offset. */
static void blame(struct nl_request *rq, u32 offset, const char *text, char *out, size_t len)
{
	char buf[512], *copy = NULL;
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	FILE *saved = stderr, *mem;
	struct nlmsgerr *error;
	struct refusal why;
	size_t size;
	int err;

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_flags = NLM_F_ACK_TLVS | NLM_F_CAPPED;
	error = mnl_nlmsg_put_extra_header(nlh, sizeof(*error));
	error->error = -EINVAL;
	mnl_attr_put_strz(nlh, NLMSGERR_ATTR_MSG, text);
	mnl_attr_put_u32(nlh, NLMSGERR_ATTR_OFFS, offset);
	memset(&why, 0, sizeof(why));
	err = refusal_read(&why, nlh);
	mem = open_memstream(&copy, &size);
	stderr = mem;
	refusal_print(&why, err, rq);
	stderr = saved;
	fclose(mem);
	snprintf(out, len, "%s", copy);
	free(copy);
}

static void test_blame(void)
{
	struct nl_where a = nl_where("dims", "4x0"), b = nl_where("td", "7");
	struct nl_request rq;
	char text[256];
	u32 at;

	nl_request_init(&rq, MCFAB_CMD_FABRIC_NEW, false);
	at = rq.nlh->nlmsg_len;
	nl_put_u32(&rq, MCFAB_A_FABRIC_DIMS, 4, a);
	nl_put_u32(&rq, MCFAB_A_FABRIC_DIMS, 0, a);
	blame(&rq, at + 8, "dimension is 0", text, sizeof(text));
	CHECK(!strcmp(text, "Error: dims 4x0: dimension is 0\n"));
	at = nl_nest(&rq, MCFAB_A_PLAN_PARAM, b);
	nl_put_str(&rq, MCFAB_A_PARAM_NAME, "td", b);
	nl_put_str(&rq, MCFAB_A_PARAM_VALUE, "7", b);
	nl_nest_end(&rq, at);
	blame(&rq, at, "too great", text, sizeof(text));
	CHECK(!strcmp(text, "Error: td 7: too great\n"));
	blame(&rq, at + 12, "too great", text, sizeof(text));
	CHECK(!strcmp(text, "Error: td 7: too great\n"));
	blame(&rq, 0, "no reason", text, sizeof(text));
	CHECK(!strcmp(text, "Error: no reason\n"));
	blame(&rq, 100000, "no reason", text, sizeof(text));
	CHECK(!strcmp(text, "Error: no reason\n"));
	/* The message moves while it grows. */
	for (int i = 0; i < 3; i++) {
		static u32 numbers[NL_MAX_NUMBERS];

		nl_put_bin(&rq, MCFAB_A_PLAN_DESTINATIONS, numbers, sizeof(numbers), a);
	}
	CHECK(rq.nlh->nlmsg_len > 3 * sizeof(u32) * NL_MAX_NUMBERS);
	nl_request_free(&rq);
	report("who is to blame for a refusal");
}

static struct nlmsghdr *message(void *buf)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));

	genl->cmd = MCFAB_CMD_PLAN_GET;
	return nlh;
}

static void put_worm(struct plan_print *p, u32 id, bool head, const u32 *dst, u32 ndst,
		     const u32 *hops, u32 nhops)
{
	char buf[1024];
	struct nlmsghdr *nlh = message(buf);
	struct nlattr *nest = mnl_attr_nest_start(nlh, MCFAB_A_PLAN_WORM);

	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_WORM_ID, id);
	if (head) {
		mnl_attr_put_u32(nlh, MCFAB_A_PLAN_WORM_STEP, id + 1);
		mnl_attr_put_u32(nlh, MCFAB_A_PLAN_WORM_ROUND, 0);
		mnl_attr_put_u32(nlh, MCFAB_A_PLAN_WORM_SOURCE, 5);
		if (id)
			mnl_attr_put_u32(nlh, MCFAB_A_PLAN_WORM_AFTER, id - 1);
	}
	if (ndst)
		mnl_attr_put(nlh, MCFAB_A_PLAN_WORM_DESTINATIONS, ndst * sizeof(u32), dst);
	if (nhops)
		mnl_attr_put(nlh, MCFAB_A_PLAN_WORM_HOPS, nhops * 4 * sizeof(u32), hops);
	mnl_attr_nest_end(nlh, nest);
	plan_print_message(nlh, p);
}

static void play(struct plan_print *p)
{
	static const u32 dst[] = { 6, 7 }, hops[] = { 5, 6, 0, 0, 6, 7, 0, 0 };
	static const u64 arrivals[] = { 6, 68, 7, 69 };
	struct nlattr *nest;
	struct nlmsghdr *nlh;
	char buf[1024];

	nlh = message(buf);
	nest = mnl_attr_nest_start(nlh, MCFAB_A_PLAN_SUMMARY);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_WORMS, 2);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_STEPS, 2);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_TRAFFIC, 4);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_LONGEST, 2);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_COMPLETION, 69);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_MEAN_DESTINATION_UCYCLES, 68500000);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_MEAN_WORM_UCYCLES, 69000000);
	mnl_attr_put_u32(nlh, MCFAB_A_PLAN_SUMMARY_PACKETS, 3);
	mnl_attr_nest_end(nlh, nest);
	plan_print_message(nlh, p);
	put_worm(p, 0, true, dst, 1, NULL, 0);
	put_worm(p, 0, false, dst + 1, 1, hops, 1);
	put_worm(p, 0, false, NULL, 0, hops + 4, 1);
	put_worm(p, 1, true, dst, 1, NULL, 0);
	nlh = message(buf);
	mnl_attr_put(nlh, MCFAB_A_PLAN_ARRIVALS, sizeof(arrivals), arrivals);
	plan_print_message(nlh, p);
	plan_print_end(p);
}

static char *played(bool json, bool pretty)
{
	static u32 dst[] = { 7, 6 };
	struct plan_print p = {
		.fabric = "f\"0", .policy = "dp", .source = 5, .dst = dst, .ndst = 2,
	};
	FILE *saved = stdout, *mem;
	char *text = NULL;
	size_t size;

	options.json = json;
	options.pretty = pretty;
	mem = open_memstream(&text, &size);
	stdout = mem;
	play(&p);
	stdout = saved;
	fclose(mem);
	return text;
}

static char *slurp(const char *path)
{
	char *text = NULL;
	size_t room = 0;
	FILE *f = fopen(path, "r");

	if (f && getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

static void test_plan(void)
{
	char *expected = slurp("test/plan.json");
	struct json_object *a, *b;
	char *text;

	text = played(true, false);
	CHECK(expected && !strcmp(text, expected));
	free(expected);
	a = json_tokener_parse(text);
	CHECK(a);
	free(text);
	text = played(true, true);
	b = json_tokener_parse(text);
	CHECK(a && b && json_object_equal(a, b));
	free(text);
	json_object_put(a);
	json_object_put(b);
	text = played(false, false);
	CHECK(strstr(text, "5 > 6 > 7\n") && strstr(text, "6@68 7@69"));
	CHECK(strstr(text, "2 destinations, 3 packets\n"));
	free(text);
	report("plans from recorded messages");
}

static bool excerpt_is(const char *word, size_t at, const char *text)
{
	struct excerpt e = excerpt(word, at);

	return !strcmp(e.text, text);
}

static void test_excerpt(void)
{
	char word[200], text[3000];
	struct excerpt e;

	CHECK(excerpt_is("", 0, "") && excerpt_is("abc", 7, "abc"));
	/* What is to blame is in it, wherever it is, and no more than the limit. */
	for (size_t len = EXCERPT_MAX - 2; len < sizeof(word); len += 5) {
		for (size_t at = 0; at < len; at++) {
			memset(word, 'a', len);
			word[len] = '\0';
			word[at] = 'X';
			e = excerpt(word, at);
			CHECK(strlen(e.text) <= EXCERPT_MAX && strchr(e.text, 'X'));
			CHECK(strstr(e.text, "...") || len <= EXCERPT_MAX);
		}
	}
	/* No half characters. */
	for (size_t i = 0; i + 2 < sizeof(word); i += 2)
		memcpy(word + i, "\303\244", 3);
	for (size_t at = 0; at < strlen(word); at++) {
		e = excerpt(word, at);
		CHECK(strlen(e.text) <= EXCERPT_MAX);
		CHECK(!(strspn(e.text, ".") % 2 ? (e.text[3] & 0xc0) == 0x80 : 0));
	}
	memcpy(text, "Error: a\tb\33[2Jc  d", sizeof("Error: a\tb\33[2Jc  d"));
	excerpt_message(text);
	CHECK(!strcmp(text, "Error: a?b?[2Jc  d"));
	memcpy(text, "dims ", sizeof("dims "));
	memset(text + 5, '7', 2000);
	memcpy(text + 2005, "x: out of range", sizeof("x: out of range"));
	excerpt_message(text);
	CHECK(strlen(text) == 5 + EXCERPT_WORD + strlen(" out of range"));
	CHECK(!strncmp(text, "dims 777", 8) && strstr(text, "7...7"));
	CHECK(strstr(text, "7x: out of range"));
	for (size_t i = 0; i < 2900; i += 2)
		memcpy(text + i, "a ", sizeof("a "));
	memcpy(text + 2900, "end", sizeof("end"));
	excerpt_message(text);
	CHECK(strlen(text) == EXCERPT_TEXT && !strcmp(text + EXCERPT_TEXT - 4, " end"));
	report("what is echoed is short, and what is to blame is in it");
}

static bool reads(const char *text, size_t len, const char *want, enum status status)
{
	FILE *f = fopen("build-asan/lines.txt", "w");
	enum status got = STATUS_OK;
	char all[256] = "";
	struct lines l;
	bool end;

	if (!f || fwrite(text, 1, len, f) != len || fclose(f) ||
	    lines_open(&l, "build-asan/lines.txt", 64))
		return false;
	if (lines_check(&l) != status)
		return false;
	while (!(got = lines_next(&l, false, &end)) && !end)
		sprintf(all + strlen(all), "%u<%s>", l.number, l.text);
	lines_close(&l);
	remove("build-asan/lines.txt");
	return got == status && !strcmp(all, want);
}

static void test_lines(void)
{
	char text[80];

	CHECK(reads("", 0, "", STATUS_OK));
	CHECK(reads("a", 1, "1<a>", STATUS_OK));
	CHECK(reads("a\n", 2, "1<a>", STATUS_OK));
	CHECK(reads("\n\nb\n", 4, "1<>2<>3<b>", STATUS_OK));
	CHECK(reads("a\n\0", 3, "1<a>", STATUS_USAGE));
	CHECK(reads("a\nb\0c", 5, "1<a>", STATUS_USAGE));
	memset(text, '\n', sizeof(text));
	memcpy(text, "x", sizeof("x"));
	CHECK(reads(text, 1, "1<x>", STATUS_OK));
	memset(text, 'y', sizeof(text));
	CHECK(reads(text, 65, "", STATUS_USAGE));
	report("lines within limits");
}

int main(void)
{
	puts("TAP version 13\n1..15");
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
	test_keywords();
	test_others();
	test_faults();
	test_messages();
	test_blame();
	test_plan();
	test_excerpt();
	test_lines();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
