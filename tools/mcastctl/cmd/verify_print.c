// SPDX-License-Identifier: GPL-2.0
/* What verify found: as text, as JSON, for Graphviz, as a workload file. */
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "cmd/deadlock.h"
#include "cmd/verify.h"
#include "cmd/witness.h"
#include "netlink/keyword.h"

static const char *scope_text(struct json_object *verdict, char *text, size_t size)
{
	const char *scope = get_str(verdict, "scope");
	u64 looked = get_u64(verdict, "looked-at"), plans = get_u64(verdict, "plans");

	if (!strcmp(scope, "turns"))
		snprintf(text, size,
			 "any destinations: all turns that the policy declares; %llu plans keep to them",
			 plans);
	else if (!strcmp(scope, "single"))
		snprintf(text, size, "any destinations: all worms that have one, of %llu plans",
			 plans);
	else if (!strcmp(scope, "tables"))
		snprintf(text, size, "any destinations by these tables: %llu packets", plans);
	else if (!strcmp(scope, "sets"))
		snprintf(text, size, "all sets of up to %llu destinations: %llu plans", looked,
			 plans);
	else
		snprintf(text, size,
			 "%llu plans: all sets of up to %llu destinations, and random ones", plans,
			 looked);
	return text;
}

/* A resource as people write it; @wanted: the one that is asked for. */
static const char *resource_text(struct json_object *wait, bool wanted, char *text, size_t size)
{
	const char *node = wanted ? "wanted-node" : "node";

	if (has(wait, node))
		snprintf(text, size, "%s of node %llu",
			 has(wait, wanted ? "wanted-memory" : "memory") ? "interface's memory" :
			 "consumption channels", get_u64(wait, node));
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
	char *nodes, *text;

	if (!has(wait, "source") || !list)
		return xstrdup("");
	nodes = deadlock_nodes(list, 0);
	text = xasprintf("%llu%s%s", get_u64(wait, "source"), to, nodes);
	free(nodes);
	return text;
}

/* The next worm of the cycle holds another resource, of those that are asked for together. */
static void print_together(struct json_object *wait, struct json_object *next)
{
	char wanted[64], held[64];

	resource_text(wait, true, wanted, sizeof(wanted));
	resource_text(next, false, held, sizeof(held));
	if (strcmp(wanted, held) && !has(wait, "choices"))
		printf("  (one header asks for both, %s and %s)\n", wanted, held);
}

char *verify_wait_text(struct json_object *wait)
{
	char held[64], wanted[64], more[32] = "", *message = message_text(wait, " to "), *text;

	if (has(wait, "choices"))
		snprintf(more, sizeof(more), " or %llu more", get_u64(wait, "choices") - 1);
	text = xasprintf("holds %s, waits for %s%s%s%s",
			 resource_text(wait, false, held, sizeof(held)),
			 resource_text(wait, true, wanted, sizeof(wanted)), more,
			 *message ? ": " : "", message);
	free(message);
	return text;
}

static void print_line(char *text)
{
	printf("  %s\n", text);
	free(text);
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
	if (n == 1)
		printf("  this message deadlocks by itself: cycle, source, destinations\n");
	else
		printf("  these %zu messages deadlock: cycle, source, destinations\n", n);
	for (size_t i = 0; i < n; i++) {
		char *line = witness_line(json_object_array_get_idx(a->messages, i));

		printf("    %s\n", line);
		free(line);
	}
	for (size_t i = 0; i < json_object_array_length(a->blocked); i++)
		print_line(deadlock_wait_text(a->blocked,
					      json_object_array_get_idx(a->blocked, i)));
}

static const char *verdict_text(const char *verdict, const char *scope)
{
	if (!strcmp(verdict, "proved") && !strcmp(scope, "samples"))
		return "proved free of deadlock for no more than what was looked at";
	if (!strcmp(verdict, "proved"))
		return "proved free of deadlock";
	if (!strcmp(verdict, "deadlocks"))
		return "deadlocks";
	return "not decided";
}

static void print_cycle(const struct answer *a)
{
	size_t n = json_object_array_length(a->waits);

	printf("  a cycle of waits:\n");
	for (size_t i = 0; i < n; i++) {
		print_line(verify_wait_text(json_object_array_get_idx(a->waits, i)));
		print_together(json_object_array_get_idx(a->waits, i),
			       json_object_array_get_idx(a->waits, (i + 1) % n));
	}
}

void verify_print_text(const char *name, const char *policy, const struct answer *a)
{
	const char *verdict = get_str(a->verdict, "verdict");
	char scope[160], number[32];

	printf("%s on %s: %s\n", policy, name, verdict_text(verdict, get_str(a->verdict, "scope")));
	printf("  for %s\n", scope_text(a->verdict, scope, sizeof(scope)));
	printf("  %s resources, ", group_digits(number, sizeof(number),
						get_u64(a->verdict, "resources")));
	printf("%s waits", group_digits(number, sizeof(number), get_u64(a->verdict, "edges")));
	if (verify_proved(a))
		printf(", %s", has(a->verdict, "acyclic") ? "no cycle" :
		       "no set of resources that waits for itself");
	putchar('\n');
	if (verify_proved(a))
		return;
	/* messages that deadlock say more than a cycle */
	if (!json_object_array_length(a->messages))
		print_cycle(a);
	print_found(a);
}

void verify_print_json(const char *name, const char *policy, const struct answer *a)
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

static void put_dot(FILE *f, const void *data)
{
	const struct answer *a = data;
	char held[64], wanted[64];

	if (json_object_array_length(a->blocked)) {
		deadlock_put_dot(f, a->blocked);
		return;
	}
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

/** struct witness_text - what put_witness() needs */
struct witness_text {
	const struct answer *answer;
	const struct value *values;
};

static void put_witness(FILE *f, const void *data)
{
	const struct witness_text *text = data;

	witness_put(f, &verify_grammar, text->values, text->answer->messages,
		    text->answer->blocked);
}

enum status verify_write_witness(struct answer *a, const struct value *values)
{
	struct witness_text text = { a, values };

	if (json_object_array_length(a->messages))
		return draw_file_put(&a->witness, put_witness, &text);
	warning("witness: no messages were found that deadlock, %s is not written",
		a->witness.path);
	return STATUS_OK;
}

enum status verify_write_dot(struct answer *a)
{
	return draw_file_put(&a->dot, put_dot, a);
}
