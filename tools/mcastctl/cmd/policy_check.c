// SPDX-License-Identifier: GPL-2.0
/*
 * policy check: does a policy keep what policies promise? On small networks all groups of up to
 * three destinations, on larger ones many random groups; runs by all ways of moving flits; a
 * proof. What is wrong is made as small as it can be, and drawn.
 */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/policy.h"
#include "cmd/policy_trial.h"

#define SECONDS		5	/* without a plan: it will never come */
#define MOST_TRIES	200	/* to make a wrong group smaller */

/* Options of fabrics, until the policy takes one: most need none, some a routing, some LIDs. */
static const char *const any[] = {
	" buffer 64", " buffer 64 vcs 2", " buffer 64 routing updown", " addressing lid",
	" addressing lid routing minhop", NULL,
};

/* Headers that fly ahead of their flits; routes that are not the policy's own. */
static const char *const short_buffers[] = { " buffer 8", NULL };
static const char *const updown[] = { " buffer 64 routing updown", NULL };

static const struct network {
	const char *kind;
	const char *words;
	const char *const *options;
	u32 nodes;
	bool large;
	u32 columns;			/* of a picture; 0: it has none */
} networks[] = {
	{ "mesh", "mesh dims 3x3", any, 9, false, 3 },
	{ "mesh", "mesh dims 3x3", short_buffers, 9, false, 3 },
	{ "mesh", "mesh dims 3x3", updown, 9, false, 3 },
	{ "mesh", "mesh dims 4x2 vcs 2", any, 8, false, 4 },
	{ "mesh", "hypercube dims 3", any, 8, false, 0 },
	{ "mesh", "mesh dims 8x8", any, 64, true, 8 },
	{ "mesh", "mesh dims 4x4x4 vcs 2", any, 64, true, 0 },
	{ "mesh", "hypercube dims 6", any, 64, true, 0 },
	{ "torus", "torus dims 3x3 vcs 4", any, 9, false, 3 },
	{ "torus", "torus dims 4x3 vcs 2", any, 12, false, 4 },
	{ "torus", "torus dims 3x3", updown, 9, false, 3 },
	{ "torus", "torus dims 8x8 vcs 4", any, 64, true, 8 },
	{ "star", "star dims 3 vcs 4", any, 6, false, 0 },
	{ "star", "star dims 5 vcs 8", any, 120, true, 0 },
	{ "irregular", "irregular switches 4 ports 8 hosts 8", any, 8, false, 0 },
	{ "irregular", "irregular switches 12 ports 8 hosts 40 topology-seed 2", any, 40, true, 0 },
};

enum { GROUPS, SEED, KEYS };

static const struct keyword keys[] = {
	[GROUPS] = { .name = "groups", .type = KEY_UINT, .arg = "N",
		     .help = "random groups on larger networks, in all (default: 100000)" },
	[SEED] = { .name = "seed", .type = KEY_UINT, .arg = "N",
		   .help = "seed of the random groups (default: 1)" },
};

const struct grammar policy_check_grammar = {
	KEYWORDS(keys),
	.other_find = params_find, .other_allows = params_allow, .other_take = params_take,
	.other_check = params_check, .other_closest = params_closest, .other_names = params_names,
};

static bool serves(struct json_object *policy, const char *kind)
{
	struct json_object *list = get_obj(policy, "serves");

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (!strcmp(json_object_get_string(json_object_array_get_idx(list, i)), kind))
			return true;
	return false;
}

/* Leave destinations out as long as it stays wrong. */
static void shrink(struct trial *t)
{
	const char *const option[] = { t->option, NULL };
	u32 tries = 0, i = 0;

	while (i < t->group.ndst && t->group.ndst > 1 && tries++ < MOST_TRIES) {
		struct trial less = *t;

		memmove(less.group.dst + i, less.group.dst + i + 1,
			(less.group.ndst - i - 1) * sizeof(*less.group.dst));
		less.group.ndst--;
		less.end = TRIAL_UNFINISHED;
		less.only = true;
		less.options = option;
		trial_run(&less, 1);
		if (less.end == TRIAL_WRONG)
			*t = less;
		else
			i++;
	}
}

/* The group on the network: S sends, D are destinations. */
static void draw(const struct trial *t, u32 columns)
{
	for (u32 row = t->nodes / columns; row--;) {
		printf("     ");
		for (u32 column = 0; column < columns; column++) {
			u32 node = row * columns + column;
			char mark = node == t->group.source ? 'S' : '.';

			for (u32 i = 0; i < t->group.ndst; i++)
				if (t->group.dst[i] == node)
					mark = 'D';
			printf(" %c", mark);
		}
		putchar('\n');
	}
}

static void report_wrong(const struct network *n, struct trial *t)
{
	char *params = params_text();

	if (t->running) {
		printf("  %s%s: wrong in runs or in the proof\n    %s\n", n->words, t->option,
		       t->text);
		free(params);
		return;
	}
	if (n->large)
		shrink(t);
	printf("  %s%s: wrong\n    %s\n", n->words, t->option, t->text);
	if (n->columns)
		draw(t, n->columns);
	printf("    fabric add f topology %s%s\n    plan f policy %s%s%s from %u to ", n->words,
	       t->option, t->policy, *params ? " " : "", params, t->group.source);
	for (u32 i = 0; i < t->group.ndst; i++)
		printf("%s%u", i ? "," : "", t->group.dst[i]);
	putchar('\n');
	free(params);
}

static void report(const struct network *n, struct trial *t)
{
	if (t->end == TRIAL_REFUSED)
		printf("  %s: refused: %s\n", n->words, t->text);
	else if (t->end == TRIAL_WRONG)
		report_wrong(n, t);
	else
		printf("  %s%s: %u %s good, %.1f us each%s%s\n", n->words, t->option, t->plans / 2,
		       n->large ? "random groups" : "groups", t->ns / 1e3 / t->plans,
		       *t->proof ? "; " : "", t->proof);
	fflush(stdout);
}

/* Say which kinds of networks it serves by its own words, and refused here. */
static void say_unserved(struct json_object *policy, const char *const *served, u32 n)
{
	struct json_object *list = get_obj(policy, "serves");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		const char *kind = json_object_get_string(json_object_array_get_idx(list, i));
		bool found = false;

		for (u32 k = 0; k < n; k++)
			found |= !strcmp(served[k], kind);
		if (!found)
			printf("  %s: it says that it serves this, and refuses it here\n", kind);
	}
}

static enum status check_all(const char *name, struct json_object *policy, u32 groups, u64 seed)
{
	const char *served[ARRAY_SIZE(networks)];
	u32 large = 0, good = 0, wrong = 0;

	for (size_t i = 0; i < ARRAY_SIZE(networks); i++)
		large += networks[i].large && serves(policy, networks[i].kind);
	printf("%s: %s\n", name, get_str(policy, "title"));
	/* what is wrong on one network will be wrong on others, and here it is small */
	for (size_t i = 0; i < ARRAY_SIZE(networks) && !wrong; i++) {
		const struct network *n = &networks[i];
		struct trial t = {
			.policy = name, .network = n->words,
			.options = n->options, .option = "", .nodes = n->nodes,
			.groups = n->large ? (groups + large - 1) / large : 0, .seed = seed + i,
		};

		if (!serves(policy, n->kind))
			continue;
		trial_run(&t, SECONDS);
		report(n, &t);
		wrong += t.end == TRIAL_WRONG;
		if (t.end != TRIAL_REFUSED)
			served[good++] = n->kind;
	}
	if (!wrong)
		say_unserved(policy, served, good);
	wrong += !good;
	printf("%s\n", wrong ? "wrong" : "nothing wrong");
	return wrong ? STATUS_REFUSED : STATUS_OK;
}

enum status policy_check(struct words *w)
{
	struct value values[KEYS] = { 0 };
	struct json_object *policy = NULL;
	const char *name = words_next(w);
	enum status status;
	u64 groups, seed;

	if (!name)
		return usage("policy check: NAME is missing");
	params_policy(name);
	status = keywords_parse(w, &policy_check_grammar, values);
	groups = values[GROUPS].given ? values[GROUPS].number : 100000;
	seed = values[SEED].given ? values[SEED].number : 1;
	if (!status && (!groups || groups > 100000000))
		status = usage("groups %llu: 1 to 100000000", groups);
	if (!status && options.json)
		status = usage("policy check writes text, not JSON");
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = ask_one(MCFAB_CMD_POLICY_GET, MCFAB_A_POLICY_NAME, "policy", name,
				 &policy);
	if (!status)
		status = check_all(name, policy, groups, seed);
	json_object_put(policy);
	keywords_free(&policy_check_grammar, values);
	return status;
}
