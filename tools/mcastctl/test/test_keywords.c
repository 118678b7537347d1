// SPDX-License-Identifier: GPL-2.0
/* Keywords and their values, failures of a run, lists of messages, and where errors are. */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/split.h"
#include "base/words.h"
#include "netlink/keyword.h"
#include "netlink/upload.h"
#include "print/faults.h"
#include "tap.h"

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

int main(void)
{
	puts("TAP version 13\n1..4");
	fflush(stdout);
	if (!getenv("VERBOSE") && !freopen("/dev/null", "w", stderr))
		return 1;
	test_keywords();
	test_others();
	test_faults();
	test_messages();
	printf("# %d checks\n", checks);
	return bad_tests != 0;
}
