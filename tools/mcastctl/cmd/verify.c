// SPDX-License-Identifier: GPL-2.0
/*
 * verify: can the worms of a policy wait for each other for ever? The kernel works while we read,
 * and says how far it has come.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/verify.h"
#include "command.h"

static const struct keyword verify_keys[] = {
	[VERIFY_POLICY] = { .name = "policy", .type = KEY_STRING, .attr = MCFAB_A_VERIFY_POLICY,
			    .arg = "POLICY", .required = true, .help = PARAMS_HELP },
	[VERIFY_FLITS] = { .name = "flits", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_FLITS,
			   .arg = "N" },
	[VERIFY_MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_MTU, .arg = "N" },
	[VERIFY_HEADERS] = { .name = "headers", .type = KEY_ENUM,
			     .attr = MCFAB_A_VERIFY_HEADERS,
			     .help = HEADERS_HELP },
	[VERIFY_BUFFER] = { .name = "buffer", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_BUFFER,
			    .arg = "N" },
	[VERIFY_CONSUME] = { .name = "consume", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_CONSUME,
			     .arg = "N" },
	[VERIFY_VCS] = { .name = "vcs", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_VCS, .arg = "N" },
	[VERIFY_DESTS] = { .name = "dests", .type = KEY_AUTO, .attr = MCFAB_A_VERIFY_DESTS,
			   .arg = "N|any" },
	[VERIFY_SAMPLES] = { .name = "samples", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_SAMPLES,
			     .arg = "N" },
	[VERIFY_CROWDS] = { .name = "crowds", .type = KEY_UINT, .attr = MCFAB_A_VERIFY_CROWDS,
			    .arg = "N", .help = "crowds of messages to try, default 60" },
	[VERIFY_WITH] = { .name = "with", .type = KEY_STRING, .arg = "unicast",
			  .help = "background unicasts share the network" },
	[VERIFY_PHASES] = { .name = "phases", .type = KEY_FLAG,
			    .help = "find the least buffer, consume and vcs that are proved" },
	[VERIFY_WITNESS] = { .name = "witness", .type = KEY_FILE, .arg = "FILE",
			     .help = "write messages that deadlock into this workload file" },
	[VERIFY_SVG] = { .name = "svg", .type = KEY_FILE, .arg = "FILE",
			 .help = "draw the deadlock, or the cycle, into this file" },
	[VERIFY_DOT] = { .name = "dot", .type = KEY_FILE, .arg = "FILE",
			 .help = "write the cycle into this file, for Graphviz" },
};

const struct grammar verify_grammar = {
	KEYWORDS(verify_keys),
	.cmd = MCFAB_CMD_VERIFY,
	GRAMMAR_PARAMS,
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

enum status verify_take(const struct nlmsghdr *nlh, void *data)
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

void verify_request(const char *name, const struct value *values, struct nl_request *rq)
{
	nl_request_init(rq, MCFAB_CMD_VERIFY, true);
	nl_put_str(rq, MCFAB_A_VERIFY_FABRIC, name, nl_where("fabric", name));
	keywords_put(rq, &verify_grammar, values);
	params_put(rq, MCFAB_A_VERIFY_PARAM);
	if (values[VERIFY_WITH].given)
		nl_put_flag(rq, MCFAB_A_VERIFY_UNICASTS,
			    nl_where("with", values[VERIFY_WITH].word));
}

void verify_answer_begin(struct answer *a)
{
	a->verdict = NULL;
	a->waits = json_object_new_array();
	a->messages = json_object_new_array();
	a->blocked = json_object_new_array();
}

void verify_answer_end(struct answer *a)
{
	end_progress(a);
	json_object_put(a->verdict);
	json_object_put(a->waits);
	json_object_put(a->messages);
	json_object_put(a->blocked);
}

bool verify_proved(const struct answer *a)
{
	return a->verdict && !strcmp(get_str(a->verdict, "verdict"), "proved");
}

static enum status ask_verdict(const char *name, const struct value *values, struct answer *a)
{
	struct nl_request rq;
	enum status status;

	verify_request(name, values, &rq);
	status = nl_talk(&rq, verify_take, a);
	nl_request_free(&rq);
	end_progress(a);
	if (!status && !a->verdict)
		return refused("the kernel gave no verdict");
	return status;
}

static enum status print_answer(const char *name, const struct value *values, struct answer *a)
{
	enum status status = STATUS_OK;

	if (options.json)
		verify_print_json(name, values[VERIFY_POLICY].word, a);
	else
		verify_print_text(name, values[VERIFY_POLICY].word, a);
	if (values[VERIFY_WITNESS].given)
		status = verify_write_witness(a, values);
	if (!status && values[VERIFY_SVG].given)
		status = verify_draw(a, name, values[VERIFY_POLICY].word);
	if (!status && values[VERIFY_DOT].given)
		status = verify_write_dot(a);
	if (status)
		return status;
	if (verify_proved(a))
		return STATUS_OK;
	return json_object_array_length(a->messages) ? STATUS_DEADLOCKS : STATUS_UNDECIDED;
}

static enum status verify(struct words *w)
{
	const char *name = words_next(w);
	struct value values[VERIFY_KEYS] = { 0 };
	struct answer answer = { 0 };
	enum status status;

	params_begin();
	verify_answer_begin(&answer);
	status = keywords_parse(w, &verify_grammar, values);
	if (!status && values[VERIFY_WITH].given && strcmp(values[VERIFY_WITH].word, "unicast"))
		status = usage("with %s: only \"with unicast\"", values[VERIFY_WITH].word);
	if (!status)
		status = nl_open(options.netns);
	/* what stands in the way of a file is known before the work is done */
	if (!status && values[VERIFY_SVG].given)
		status = verify_draw_begin(&answer, name, values[VERIFY_SVG].word);
	if (!status && values[VERIFY_WITNESS].given)
		status = draw_file_open(&answer.witness, "witness", values[VERIFY_WITNESS].word);
	if (!status && values[VERIFY_DOT].given)
		status = draw_file_open(&answer.dot, "dot", values[VERIFY_DOT].word);
	if (!status && values[VERIFY_PHASES].given) {
		status = verify_phases(name, values);
	} else if (!status) {
		status = ask_verdict(name, values, &answer);
		if (!status)
			status = print_answer(name, values, &answer);
	}
	verify_answer_end(&answer);
	draw_file_close(&answer.witness);
	draw_file_close(&answer.dot);
	draw_file_close(&answer.svg);
	layout_free(&answer.layout);
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
