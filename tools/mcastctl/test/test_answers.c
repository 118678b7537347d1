// SPDX-License-Identifier: GPL-2.0
/*
 * Who is to blame for a refusal, plans from recorded messages, what is echoed, files by
 * lines.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/lines.h"
#include "base/options.h"
#include "netlink/keyword.h"
#include "netlink/refusal.h"
#include "print/plan_print.h"
#include "tap.h"

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
	puts("TAP version 13\n1..4");
	fflush(stdout);
	if (!getenv("VERBOSE") && !freopen("/dev/null", "w", stderr))
		return 1;
	test_blame();
	test_plan();
	test_excerpt();
	test_lines();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
