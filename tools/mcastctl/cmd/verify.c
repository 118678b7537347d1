// SPDX-License-Identifier: GPL-2.0
/*
 * verify: can the worms of a policy wait for each other for ever? The kernel works while we read,
 * and says how far it has come.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "draw/svg.h"
#include "lookup.h"
#include "table.h"

enum { POLICY, FLITS, MTU, HEADERS, DESTS, SAMPLES, WITH, DOT, KEYS };

static const struct keyword verify_keys[] = {
	[POLICY] = { .name = "policy", .type = KEY_STRING, .attr = MCFAB_A_VERIFY_POLICY,
		     .arg = "POLICY", .required = true, .help = PARAMS_HELP },
	[FLITS] = { .name = "flits", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_FLITS, .arg = "N" },
	[MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_MTU, .arg = "N" },
	[HEADERS] = { .name = "headers", .type = KEY_ENUM, .attr = MCFAB_A_VERIFY_HEADERS },
	[DESTS] = { .name = "dests", .type = KEY_AUTO, .attr = MCFAB_A_VERIFY_DESTS,
		    .arg = "N|any" },
	[SAMPLES] = { .name = "samples", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_SAMPLES,
		      .arg = "N" },
	[WITH] = { .name = "with", .type = KEY_STRING, .arg = "unicast",
		   .help = "background unicasts share the network" },
	[DOT] = { .name = "dot", .type = KEY_FILE, .arg = "FILE",
		  .help = "write the cycle into this file, for Graphviz" },
};

static const struct grammar verify_grammar = {
	KEYWORDS(verify_keys),
	.cmd = MCFAB_CMD_VERIFY,
	GRAMMAR_PARAMS,
};

/** struct answer - what came */
struct answer {
	struct json_object *verdict;
	struct json_object *waits;
	bool progress;			/* a line with it is on the screen */
	struct draw_file dot;
};

static void show_progress(struct answer *a, struct json_object *message)
{
	u64 total = get_u64(message, "total");

	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\rverifying");
	if (total)
		fprintf(stderr, ", %.0f %% of this step",
			100.0 * get_u64(message, "done") / total);
	fputs("\033[K", stderr);
	fflush(stderr);
	a->progress = true;
}

static void end_progress(struct answer *a)
{
	if (a->progress)
		fputs("\r\033[K", stderr);
	a->progress = false;
}

static enum status take(const struct nlmsghdr *nlh, void *data)
{
	struct json_object *message = attr_message(nlh), *wait = get_obj(message, "wait");
	struct answer *a = data;

	if (has(message, "total"))
		show_progress(a, message);
	if (has(message, "verdict"))
		a->verdict = json_object_get(message);
	for (size_t i = 0; wait && i < json_object_array_length(wait); i++)
		json_object_array_add(a->waits,
				      json_object_get(json_object_array_get_idx(wait, i)));
	json_object_put(message);
	return STATUS_OK;
}

static enum status ask_verdict(const char *name, const struct value *values, struct answer *a)
{
	struct nl_request rq;
	enum status status;

	nl_request_init(&rq, MCFAB_CMD_VERIFY, true);
	nl_put_str(&rq, MCFAB_A_VERIFY_FABRIC, name, nl_where("fabric", name));
	keywords_put(&rq, &verify_grammar, values);
	params_put(&rq, MCFAB_A_VERIFY_PARAM);
	if (values[WITH].given)
		nl_put_flag(&rq, MCFAB_A_VERIFY_UNICASTS, nl_where("with", values[WITH].word));
	status = nl_talk(&rq, take, a);
	nl_request_free(&rq);
	end_progress(a);
	if (!status && !a->verdict)
		return refused("the kernel gave no verdict");
	return status;
}

static const char *scope_text(struct json_object *verdict, char *text, size_t size)
{
	const char *scope = get_str(verdict, "scope");
	u64 looked = get_u64(verdict, "looked-at"), plans = get_u64(verdict, "plans");

	if (!strcmp(scope, "turns"))
		snprintf(text, size, "any destinations: all turns that the policy declares; %llu "
			 "plans keep to them", plans);
	else if (!strcmp(scope, "single"))
		snprintf(text, size, "any destinations: all worms that have one, of %llu plans",
			 plans);
	else if (!strcmp(scope, "tables"))
		snprintf(text, size, "any destinations by these tables: %llu packets", plans);
	else if (!strcmp(scope, "sets"))
		snprintf(text, size, "all sets of up to %llu destinations: %llu plans", looked,
			 plans);
	else
		snprintf(text, size, "%llu plans: all sets of up to %llu destinations, and random "
			 "ones", plans, looked);
	return text;
}

/* A resource as people write it; @wanted: the one that is asked for. */
static const char *resource_text(struct json_object *wait, bool wanted, char *text, size_t size)
{
	const char *node = wanted ? "wanted-node" : "node";

	if (has(wait, node))
		snprintf(text, size, "consumption channels of node %llu", get_u64(wait, node));
	else
		snprintf(text, size, "channel %llu -> %llu, VC %llu",
			 get_u64(wait, wanted ? "wanted-router" : "router"),
			 get_u64(wait, wanted ? "wanted-to-router" : "to-router"),
			 get_u64(wait, wanted ? "wanted-vc" : "vc"));
	return text;
}

/* "17 to 3,5": the message that does so, or nothing. */
static char *message_text(struct json_object *wait)
{
	struct json_object *list = get_obj(wait, "destinations");
	char *text, *longer;

	if (!has(wait, "source") || !list)
		return xstrdup("");
	text = xasprintf("%llu to ", get_u64(wait, "source"));
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		longer = xasprintf("%s%s%llu", text, i ? "," : "",
				   (u64)json_object_get_uint64(json_object_array_get_idx(list, i)));
		free(text);
		text = longer;
	}
	return text;
}

static void print_wait(struct json_object *wait)
{
	char held[64], wanted[64], *message = message_text(wait);

	printf("  holds %s, waits for %s", resource_text(wait, false, held, sizeof(held)),
	       resource_text(wait, true, wanted, sizeof(wanted)));
	if (has(wait, "choices"))
		printf(" or %llu more", get_u64(wait, "choices") - 1);
	if (*message)
		printf(": %s", message);
	putchar('\n');
	free(message);
}

static void print_text(const char *name, const char *policy, const struct answer *a)
{
	const char *verdict = get_str(a->verdict, "verdict");
	bool proved = !strcmp(verdict, "proved");
	char scope[160], number[32];

	printf("%s on %s: %s\n", policy, name, proved ? "proved free of deadlock" :
	       "a cycle of waits; whether worms deadlock in it is not known");
	printf("  for %s\n", scope_text(a->verdict, scope, sizeof(scope)));
	printf("  %s resources, ", group_digits(number, sizeof(number),
						get_u64(a->verdict, "resources")));
	printf("%s waits", group_digits(number, sizeof(number), get_u64(a->verdict, "edges")));
	if (proved)
		printf(", %s", has(a->verdict, "acyclic") ? "no cycle" :
		       "no set of resources that waits for itself");
	putchar('\n');
	for (size_t i = 0; i < json_object_array_length(a->waits); i++)
		print_wait(json_object_array_get_idx(a->waits, i));
}

static void print_json(const char *name, const char *policy, const struct answer *a)
{
	struct json_object *all = json_object_new_object();

	json_object_object_add(all, "fabric", json_object_new_string(name));
	json_object_object_add(all, "policy", json_object_new_string(policy));
	json_object_object_foreach(a->verdict, key, value)
		json_object_object_add(all, key, json_object_get(value));
	json_object_object_add(all, "wait", json_object_get(a->waits));
	json_print(all);
}

static enum status write_dot(struct answer *a)
{
	char held[64], wanted[64];
	struct svg text = { 0 };
	enum status status;

	text.f = open_memstream(&text.text, &text.len);
	if (!text.f)
		return refused("out of memory");
	fprintf(text.f, "digraph waits {\n\tnode [shape=box];\n");
	for (size_t i = 0; i < json_object_array_length(a->waits); i++) {
		struct json_object *wait = json_object_array_get_idx(a->waits, i);
		char *message = message_text(wait);

		fprintf(text.f, "\t\"%s\" -> \"%s\" [label=\"%s\"];\n",
			resource_text(wait, false, held, sizeof(held)),
			resource_text(wait, true, wanted, sizeof(wanted)), message);
		free(message);
	}
	fprintf(text.f, "}\n");
	fclose(text.f);
	text.f = NULL;
	status = draw_file_write(&a->dot, &text);
	svg_free(&text);
	return status;
}

static enum status print_answer(const char *name, const struct value *values, struct answer *a)
{
	enum status status = STATUS_OK;

	if (options.json)
		print_json(name, values[POLICY].word, a);
	else
		print_text(name, values[POLICY].word, a);
	if (values[DOT].given)
		status = write_dot(a);
	if (status)
		return status;
	return strcmp(get_str(a->verdict, "verdict"), "proved") ? STATUS_UNDECIDED : STATUS_OK;
}

static enum status verify(struct words *w)
{
	const char *name = words_next(w);
	struct value values[KEYS] = { 0 };
	struct answer answer = { .waits = json_object_new_array() };
	enum status status;

	params_begin();
	status = keywords_parse(w, &verify_grammar, values);
	if (!status && values[WITH].given && strcmp(values[WITH].word, "unicast"))
		status = usage("with %s: only \"with unicast\"", values[WITH].word);
	if (!status)
		status = nl_open(options.netns);
	/* what stands in the way of a file is known before the work is done */
	if (!status && values[DOT].given)
		status = draw_file_open(&answer.dot, "dot", values[DOT].word);
	if (!status)
		status = ask_verdict(name, values, &answer);
	if (!status)
		status = print_answer(name, values, &answer);
	json_object_put(answer.verdict);
	json_object_put(answer.waits);
	draw_file_close(&answer.dot);
	keywords_free(&verify_grammar, values);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "NAME policy P [ PARAM VALUE ]... [ KEYWORD VALUE ]...",
		.help = "prove that a policy cannot deadlock, or show how it may",
		.more =
		"Ends with 0: proved, 4: there is a cycle of waits. Nothing is changed, and no run is\n"
		"needed.\n",
		.operand = OPERAND_FABRIC, .grammar = &verify_grammar, .run = verify,
	},
};

const struct object object_verify = {
	.name = "verify", .help = "Can the worms of a policy wait for each other for ever?",
	.command = commands, .n = ARRAY_SIZE(commands),
};
