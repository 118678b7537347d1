// SPDX-License-Identifier: GPL-2.0
/*
 * plan: what a policy makes of one multicast. A plan may have millions of hops,
 * so worms are printed as they come in and never collected.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "draw/plan.h"
#include "netlink/upload.h"
#include "print/plan_print.h"

enum { POLICY, FROM, TO, GROUP, FLITS, MTU, HEADERS, PREP, PREP_RELAY, SVG, KEYS };

static const struct keyword plan_keys[] = {
	[POLICY] = { .name = "policy", .type = KEY_STRING, .attr = MCFAB_A_PLAN_POLICY,
		     .arg = "POLICY", .required = true,
		     .help = PARAMS_HELP },
	[FROM] = { .name = "from", .type = KEY_NODE, .arg = "NODE", .required = true,
		   .help = "the source" },
	[TO] = { .name = "to", .type = KEY_LIST, .arg = "LIST",
		 .help = "the destinations" },
	[GROUP] = { .name = "group", .type = KEY_STRING, .attr = MCFAB_A_PLAN_GROUP,
		    .arg = "NAME", .help = "a multicast group, in place of destinations" },
	[FLITS] = { .name = "flits", .type = KEY_UINT, .attr = MCFAB_A_PLAN_FLITS, .arg = "N" },
	[MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_PLAN_MTU, .arg = "N" },
	[HEADERS] = { .name = "headers", .type = KEY_ENUM, .attr = MCFAB_A_PLAN_HEADERS,
		      .help = HEADERS_HELP },
	[PREP] = { .name = "prep", .type = KEY_UINT, .attr = MCFAB_A_PLAN_PREP, .arg = "N" },
	[PREP_RELAY] = { .name = "prep-relay", .type = KEY_UINT, .attr = MCFAB_A_PLAN_PREP_RELAY,
			 .arg = "N" },
	[SVG] = { .name = "svg", .type = KEY_FILE, .arg = "FILE",
		  .help = "draw the worms into this file, too; -: print the picture alone" },
};

/** struct picture - where the plan is drawn; without svg FILE nowhere */
struct picture {
	bool wanted;
	struct draw_file file;
	struct layout layout;
	struct drawn_plan plan;
};

static const struct grammar plan_grammar = {
	KEYWORDS(plan_keys),
	.cmd = MCFAB_CMD_PLAN_GET,
	GRAMMAR_PARAMS,
};

static bool only_ids(const struct value *values)
{
	if (values[FROM].node.form != NODE_ID)
		return false;
	for (u32 i = 0; i < values[TO].list.n; i++) {
		if (values[TO].list.ref[i].form != NODE_ID)
			return false;
	}
	return true;
}

/* The members of a group but the source. */
static enum status find_members(const char *name, struct plan_print *p)
{
	const struct group_name asked = { p->fabric, name };
	struct json_object *group = NULL, *members;
	enum status status;

	status = groups_one(&asked, &group);
	if (status)
		return status;
	members = get_obj(group, "members");
	p->dst = xcalloc(json_object_array_length(members), sizeof(*p->dst));
	for (size_t i = 0; i < json_object_array_length(members); i++) {
		u32 id = json_object_get_uint64(json_object_array_get_idx(members, i));

		if (id != p->source)
			p->dst[p->ndst++] = id;
	}
	json_object_put(group);
	return STATUS_OK;
}

/* Coordinates and labels need the fabric, as does text; ids in JSON do not. */
static enum status find_nodes(const struct value *values, struct plan_print *p)
{
	const struct node_list *list = &values[TO].list;
	struct json_object *fabric = NULL;
	enum status status = STATUS_OK;

	if (!options.json || !only_ids(values))
		status = lookup_fabric(p->fabric, &fabric);
	if (!status)
		status = lookup_nodes(fabric, "from", &values[FROM].node, 1, &p->source);
	if (!status && values[GROUP].given) {
		status = find_members(values[GROUP].word, p);
	} else if (!status) {
		p->ndst = list->n;
		p->dst = xcalloc(p->ndst, sizeof(*p->dst));
		status = lookup_nodes(fabric, "to", list->ref, list->n, p->dst);
	}
	if (!status && fabric) {
		p->symbols = lookup_symbols(fabric);
		p->hosts = !strcmp(get_str(fabric, "topology"), "irregular");
	}
	json_object_put(fabric);
	return status;
}

/* What stands in the way of a picture is known before the plan is. */
static enum status picture_begin(struct picture *pic, const struct value *svg, const char *fabric)
{
	struct json_object *obj = NULL;
	enum status status;

	pic->wanted = true;
	if (options.json && !strcmp(svg->word, "-"))
		return usage("svg -: standard output has the JSON; name a file, or leave out -j");
	status = lookup_fabric(fabric, &obj);
	if (!status)
		status = layout_make(obj, "svg", svg->word, &pic->layout);
	if (!status)
		status = draw_file_open(&pic->file, "svg", svg->word);
	json_object_put(obj);
	return status;
}

static enum status picture_end(struct picture *pic)
{
	char *params = params_text();
	struct svg svg = { 0 };
	enum status status;

	drawn_plan_svg(&svg, &pic->plan, &pic->layout, params);
	status = draw_file_write(&pic->file, &svg);
	svg_free(&svg);
	free(params);
	return status;
}

static void picture_free(struct picture *pic)
{
	draw_file_close(&pic->file);
	layout_free(&pic->layout);
	drawn_plan_free(&pic->plan);
}

static enum status ask_plan(const char *name, const struct value *values, struct plan_print *p,
			    struct picture *pic)
{
	struct nl_where to = nl_where("to", values[TO].list.n < 32 ? values[TO].word : NULL);
	bool upload = values[TO].given && p->ndst > NL_MAX_NUMBERS;
	enum status status = STATUS_OK;
	struct nl_request rq;

	if (upload)
		status = upload_destinations(name, p->dst, p->ndst);
	if (status)
		return status;
	nl_request_init(&rq, MCFAB_CMD_PLAN_GET, true);
	nl_put_str(&rq, MCFAB_A_PLAN_FABRIC, name, nl_where("fabric", name));
	keywords_put(&rq, &plan_grammar, values);
	params_put(&rq, MCFAB_A_PLAN_PARAM);
	nl_put_u32(&rq, MCFAB_A_PLAN_SOURCE, p->source,
		   nl_where("from", values[FROM].word));
	if (values[TO].given && !upload)
		nl_put_bin(&rq, MCFAB_A_PLAN_DESTINATIONS, p->dst, p->ndst * sizeof(*p->dst), to);
	pic->plan.print = p;
	if (pic->wanted)
		status = nl_talk(&rq, drawn_plan_message, &pic->plan);
	else
		status = nl_talk(&rq, plan_print_message, p);
	nl_request_free(&rq);
	if (upload)
		upload_discard(name, MCFAB_UPLOAD_TYPE_DESTINATIONS);
	if (status) {
		/* What was begun is no JSON; at least it does not spoil the next line. */
		if (p->begun && !p->silent)
			putchar('\n');
		return status;
	}
	status = plan_print_end(p);
	if (!status && pic->wanted)
		status = picture_end(pic);
	return status;
}

static enum status plan(struct words *w)
{
	struct value values[KEYS] = { 0 };
	struct plan_print print = { .fabric = words_next(w) };
	struct picture pic = { 0 };
	enum status status;

	params_begin();
	status = keywords_parse(w, &plan_grammar, values);
	if (!status && !values[TO].given && !values[GROUP].given)
		status = usage("to LIST is missing, or group NAME");
	if (!status && values[TO].given && values[GROUP].given)
		status = usage("group %s: the destinations are given by \"to\" already",
			       values[GROUP].word);
	if (!status)
		status = nl_open(options.netns);
	if (!status) {
		print.policy = values[POLICY].word;
		status = find_nodes(values, &print);
	}
	if (!status && values[SVG].given) {
		print.silent = !strcmp(values[SVG].word, "-");
		status = picture_begin(&pic, &values[SVG], print.fabric);
	}
	if (!status)
		status = ask_plan(print.fabric, values, &print, &pic);
	picture_free(&pic);
	plan_print_free(&print);
	keywords_free(&plan_grammar, values);
	return status;
}

static const struct command commands[] = {
	{
		.synopsis = "NAME policy P [ PARAM VALUE ]... from NODE to LIST [ KEYWORD N ]...",
		.help = "show the worms that a policy makes of one multicast",
		.more =
		"Nodes are written as ids (17), coordinates ((3,2) or 3.2), permutations ((2314))\n"
		"or labels (#11 or l11); hosts of switches also as h17.\n"
		"\"group NAME\" in place of \"to LIST\" sends to the members of a multicast group.\n"
		"A LIST is made of nodes, ranges (0-99) and files (@FILE), split by commas or\n"
		"blanks. Times count from generation and know no contention.\n",
		.operand = OPERAND_FABRIC, .grammar = &plan_grammar, .run = plan,
	},
};

const struct object object_plan = {
	.name = "plan", .help = "What a policy makes of one multicast.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
