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

enum { POLICY, FLITS, MTU, HEADERS, DESTS, SAMPLES, CROWDS, WITH, WITNESS, DOT, KEYS };

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
	[CROWDS] = { .name = "crowds", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_CROWDS,
		     .arg = "N" },
	[WITH] = { .name = "with", .type = KEY_STRING, .arg = "unicast",
		   .help = "background unicasts share the network" },
	[WITNESS] = { .name = "witness", .type = KEY_FILE, .arg = "FILE",
		      .help = "write messages that deadlock into this file, for \"workload file\"" },
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
	struct json_object *messages;	/* that deadlock */
	struct json_object *blocked;	/* their worms */
	bool progress;			/* a line with it is on the screen */
	struct draw_file witness;
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

/* Move the items of a list in a message, if there are any, to a list of all. */
static void take_items(struct json_object *message, const char *name, struct json_object *all)
{
	struct json_object *list = get_obj(message, name);

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		json_object_array_add(all,
				      json_object_get(json_object_array_get_idx(list, i)));
}

static enum status take(const struct nlmsghdr *nlh, void *data)
{
	struct json_object *message = attr_message(nlh);
	struct answer *a = data;

	if (has(message, "total"))
		show_progress(a, message);
	if (has(message, "verdict"))
		a->verdict = json_object_get(message);
	take_items(message, "wait", a->waits);
	take_items(message, "message", a->messages);
	take_items(message, "blocked", a->blocked);
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

/* "17 to 3,5", with @to between: source and destinations, or nothing. */
static char *message_text(struct json_object *wait, const char *to)
{
	struct json_object *list = get_obj(wait, "destinations");
	char *text, *longer;

	if (!has(wait, "source") || !list)
		return xstrdup("");
	text = xasprintf("%llu%s", get_u64(wait, "source"), to);
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
	char held[64], wanted[64], *message = message_text(wait, " to ");

	printf("  holds %s, waits for %s", resource_text(wait, false, held, sizeof(held)),
	       resource_text(wait, true, wanted, sizeof(wanted)));
	if (has(wait, "choices"))
		printf(" or %llu more", get_u64(wait, "choices") - 1);
	if (*message)
		printf(": %s", message);
	putchar('\n');
	free(message);
}

/* A message of those that deadlock, as a line of a workload file. */
static char *line_text(struct json_object *message)
{
	char *text = message_text(message, " "), *line;

	line = xasprintf("%llu %s", get_u64(message, "cycle"), text);
	free(text);
	return line;
}

static void print_blocked(struct json_object *blocked, struct json_object *worm)
{
	u64 holder = get_u64(worm, "holder");
	struct json_object *by = json_object_array_get_idx(blocked, holder);

	printf("  message %llu of %llu waits at router %llu for ", get_u64(worm, "sequence"),
	       get_u64(worm, "source"), get_u64(worm, "router"));
	if (has(worm, "port"))
		printf("port %llu, VC %llu", get_u64(worm, "port"), get_u64(worm, "vc"));
	else
		printf("a consumption channel");
	printf(", held by message %llu of %llu\n", get_u64(by, "sequence"), get_u64(by, "source"));
}

/* What was found when crowds were tried. */
static void print_found(const struct answer *a)
{
	size_t n = json_object_array_length(a->messages);

	if (!n) {
		if (get_u64(a->verdict, "crowds"))
			printf("  none of %llu crowds of messages deadlocked\n",
			       get_u64(a->verdict, "crowds"));
		return;
	}
	printf("  these %zu messages deadlock: cycle, source, destinations\n", n);
	for (size_t i = 0; i < n; i++) {
		char *line = line_text(json_object_array_get_idx(a->messages, i));

		printf("    %s\n", line);
		free(line);
	}
	for (size_t i = 0; i < json_object_array_length(a->blocked); i++)
		print_blocked(a->blocked, json_object_array_get_idx(a->blocked, i));
}

static const char *verdict_text(const char *verdict)
{
	if (!strcmp(verdict, "proved"))
		return "proved free of deadlock";
	if (!strcmp(verdict, "deadlocks"))
		return "deadlocks";
	return "not decided: there is a cycle of waits";
}

static void print_text(const char *name, const char *policy, const struct answer *a)
{
	const char *verdict = get_str(a->verdict, "verdict");
	bool proved = !strcmp(verdict, "proved");
	char scope[160], number[32];

	printf("%s on %s: %s\n", policy, name, verdict_text(verdict));
	printf("  for %s\n", scope_text(a->verdict, scope, sizeof(scope)));
	printf("  %s resources, ", group_digits(number, sizeof(number),
						get_u64(a->verdict, "resources")));
	printf("%s waits", group_digits(number, sizeof(number), get_u64(a->verdict, "edges")));
	if (proved)
		printf(", %s", has(a->verdict, "acyclic") ? "no cycle" :
		       "no set of resources that waits for itself");
	else
		printf(", a cycle:");
	putchar('\n');
	for (size_t i = 0; i < json_object_array_length(a->waits); i++)
		print_wait(json_object_array_get_idx(a->waits, i));
	if (!proved)
		print_found(a);
}

static void print_json(const char *name, const char *policy, const struct answer *a)
{
	struct json_object *all = json_object_new_object();

	json_object_object_add(all, "fabric", json_object_new_string(name));
	json_object_object_add(all, "policy", json_object_new_string(policy));
	json_object_object_foreach(a->verdict, key, value)
		json_object_object_add(all, key, json_object_get(value));
	json_object_object_add(all, "wait", json_object_get(a->waits));
	json_object_object_add(all, "message", json_object_get(a->messages));
	json_object_object_add(all, "blocked", json_object_get(a->blocked));
	json_print(all);
}

static void put_dot(FILE *f, const struct answer *a)
{
	char held[64], wanted[64];

	fputs("digraph waits {\n\tnode [shape=box];\n", f);
	for (size_t i = 0; i < json_object_array_length(a->waits); i++) {
		struct json_object *wait = json_object_array_get_idx(a->waits, i);
		char *message = message_text(wait, " to ");

		fprintf(f, "\t\"%s\" -> \"%s\" [label=\"%s\"];\n",
			resource_text(wait, false, held, sizeof(held)),
			resource_text(wait, true, wanted, sizeof(wanted)), message);
		free(message);
	}
	fputs("}\n", f);
}

static void put_witness(FILE *f, const struct answer *a)
{
	fputs("# These messages deadlock: cycle, source, destinations.\n", f);
	for (size_t i = 0; i < json_object_array_length(a->messages); i++) {
		char *line = line_text(json_object_array_get_idx(a->messages, i));

		fprintf(f, "%s\n", line);
		free(line);
	}
}

static enum status write_file(struct draw_file *file, const struct answer *a,
			      void (*put)(FILE *f, const struct answer *a))
{
	struct svg text = { 0 };
	enum status status;

	text.f = open_memstream(&text.text, &text.len);
	if (!text.f)
		return refused("out of memory");
	put(text.f, a);
	fclose(text.f);
	text.f = NULL;
	status = draw_file_write(file, &text);
	svg_free(&text);
	return status;
}

static enum status write_witness(struct answer *a)
{
	if (json_object_array_length(a->messages))
		return write_file(&a->witness, a, put_witness);
	warning("witness: no messages were found that deadlock, %s is not written", a->witness.path);
	return STATUS_OK;
}

static enum status print_answer(const char *name, const struct value *values, struct answer *a)
{
	enum status status = STATUS_OK;

	if (options.json)
		print_json(name, values[POLICY].word, a);
	else
		print_text(name, values[POLICY].word, a);
	if (values[WITNESS].given)
		status = write_witness(a);
	if (!status && values[DOT].given)
		status = write_file(&a->dot, a, put_dot);
	if (status)
		return status;
	if (!strcmp(get_str(a->verdict, "verdict"), "proved"))
		return STATUS_OK;
	return json_object_array_length(a->messages) ? STATUS_DEADLOCKS : STATUS_UNDECIDED;
}

static enum status verify(struct words *w)
{
	const char *name = words_next(w);
	struct value values[KEYS] = { 0 };
	struct answer answer = {
		.waits = json_object_new_array(),
		.messages = json_object_new_array(),
		.blocked = json_object_new_array(),
	};
	enum status status;

	params_begin();
	status = keywords_parse(w, &verify_grammar, values);
	if (!status && values[WITH].given && strcmp(values[WITH].word, "unicast"))
		status = usage("with %s: only \"with unicast\"", values[WITH].word);
	if (!status)
		status = nl_open(options.netns);
	/* what stands in the way of a file is known before the work is done */
	if (!status && values[WITNESS].given)
		status = draw_file_open(&answer.witness, "witness", values[WITNESS].word);
	if (!status && values[DOT].given)
		status = draw_file_open(&answer.dot, "dot", values[DOT].word);
	if (!status)
		status = ask_verdict(name, values, &answer);
	if (!status)
		status = print_answer(name, values, &answer);
	json_object_put(answer.verdict);
	json_object_put(answer.waits);
	json_object_put(answer.messages);
	json_object_put(answer.blocked);
	draw_file_close(&answer.witness);
	draw_file_close(&answer.dot);
	keywords_free(&verify_grammar, values);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "NAME policy P [ PARAM VALUE ]... [ KEYWORD VALUE ]...",
		.help = "prove that a policy cannot deadlock, or show how it may",
		.more =
		"Exits with 0: proved, 3: it deadlocks, with messages that do, 4: not decided. Nothing\n"
		"is changed.\n",
		.operand = OPERAND_FABRIC, .grammar = &verify_grammar, .run = verify,
	},
};

const struct object object_verify = {
	.name = "verify", .help = "Can the worms of a policy wait for each other for ever?",
	.command = commands, .n = ARRAY_SIZE(commands),
};
