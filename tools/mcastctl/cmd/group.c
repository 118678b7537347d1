// SPDX-License-Identifier: GPL-2.0
/* group: multicast groups of fabrics with LIDs. */
#include <arpa/inet.h>
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"

enum { MEMBERS, LID, ADDRESS, ADD_KEYS };
enum { SOURCE, SOURCE_KEYS };

static const struct keyword add_keys[] = {
	[MEMBERS] = { .name = "members", .type = KEY_LIST, .arg = "LIST", .required = true,
		      .help = "nodes" },
	[LID] = { .name = "lid", .type = KEY_UINT, .attr = MCFAB_A_GROUP_LID, .arg = "N",
		  .help = "one multicast LID for all sources, whose tables the user sets;"
			  " default: each source has its own, with tables that are built" },
	[ADDRESS] = { .name = "address", .type = KEY_STRING, .arg = "ADDR",
		      .help = "frames of ports for this address (Ethernet, IPv4, IPv6) go there" },
};

/* The same with members alone. */
static const struct grammar add_grammar = { KEYWORDS(add_keys), .cmd = MCFAB_CMD_GROUP_NEW };
static const struct grammar member_grammar = {
	.key = add_keys, .n = 1, .cmd = MCFAB_CMD_GROUP_JOIN,
};

static const struct keyword source_keys[] = {
	[SOURCE] = { .name = "source", .type = KEY_NODE, .arg = "NODE",
		     .help = "only this source (default: all nodes)" },
};

static const struct grammar source_grammar = {
	KEYWORDS(source_keys), .cmd = MCFAB_CMD_GROUP_ASSIGN,
};

static enum status read_names(struct words *w, const char *verb, struct group_name *asked)
{
	asked->fabric = words_next(w);
	asked->name = words_next(w);
	if (!asked->name)
		return usage("group %s: NAME of the group is missing", verb);
	if (strlen(asked->name) > MCFAB_NAME_MAX)
		return usage("group %s: name is longer than %d characters", asked->name,
			     MCFAB_NAME_MAX);
	return STATUS_OK;
}

static void put_members(struct nl_request *rq, const struct value *value, const u32 *ids)
{
	struct nl_where where = nl_where("members", value->list.n < 32 ? value->word : NULL);

	for (u32 at = 0; at < value->list.n; at += NL_MAX_NUMBERS) {
		u32 part = value->list.n - at;

		if (part > NL_MAX_NUMBERS)
			part = NL_MAX_NUMBERS;
		nl_put_bin(rq, MCFAB_A_GROUP_MEMBERS, ids + at, part * sizeof(*ids), where);
	}
}

/* the Ethernet address of a group, which may be that of an IP address */
static enum status put_address(struct nl_request *rq, const struct value *value)
{
	struct nl_where where = nl_where("address", value->word);
	unsigned char ip[sizeof(struct in6_addr)];
	char mac[sizeof("xx:xx:xx:xx:xx:xx")];

	if (inet_pton(AF_INET, value->word, ip) == 1) {
		if (ip[0] >> 4 != 0xe)
			return usage("address %s: is no multicast address", value->word);
		snprintf(mac, sizeof(mac), "01:00:5e:%02x:%02x:%02x", ip[1] & 0x7f, ip[2], ip[3]);
	} else if (inet_pton(AF_INET6, value->word, ip) == 1) {
		if (ip[0] != 0xff)
			return usage("address %s: is no multicast address", value->word);
		snprintf(mac, sizeof(mac), "33:33:%02x:%02x:%02x:%02x", ip[12], ip[13], ip[14],
			 ip[15]);
	} else if (strlen(value->word) == sizeof(mac) - 1) {
		snprintf(mac, sizeof(mac), "%s", value->word);
	} else {
		return usage("address %s: is neither of Ethernet, nor of IPv4 or IPv6",
			     value->word);
	}
	nl_put_str(rq, MCFAB_A_GROUP_ADDRESS, mac, where);
	return STATUS_OK;
}

static enum status print_answer(struct json_object *group)
{
	if (options.json)
		json_print(json_object_get(group));
	return STATUS_OK;
}

/* add, join, leave */
static enum status change(struct words *w, const char *verb, u8 cmd, const struct grammar *g)
{
	struct value values[ADD_KEYS] = { 0 };
	struct json_object *fabric = NULL, *group = NULL;
	const struct node_list *list = &values[MEMBERS].list;
	struct nl_request rq;
	struct group_name asked;
	enum status status;
	u32 *ids = NULL;

	status = read_names(w, verb, &asked);
	if (!status)
		status = keywords_parse(w, g, values);
	if (!status)
		status = lookup_fabric(asked.fabric, &fabric);
	if (!status) {
		ids = xcalloc(list->n, sizeof(*ids));
		status = lookup_nodes(fabric, "members", list->ref, list->n, ids);
	}
	if (!status) {
		nl_request_init(&rq, cmd, false);
		groups_put(&rq, &asked);
		keywords_put(&rq, g, values);
		put_members(&rq, &values[MEMBERS], ids);
		if (values[ADDRESS].given)
			status = put_address(&rq, &values[ADDRESS]);
		if (!status)
			status = ask(&rq, &group);
		nl_request_free(&rq);
	}
	if (!status)
		status = print_answer(group);
	free(ids);
	json_object_put(group);
	json_object_put(fabric);
	keywords_free(g, values);
	return status;
}

static enum status add(struct words *w)
{
	return change(w, "add", MCFAB_CMD_GROUP_NEW, &add_grammar);
}

static enum status join(struct words *w)
{
	return change(w, "join", MCFAB_CMD_GROUP_JOIN, &member_grammar);
}

static enum status leave(struct words *w)
{
	return change(w, "leave", MCFAB_CMD_GROUP_LEAVE, &member_grammar);
}

static enum status del(struct words *w)
{
	struct nl_request rq;
	struct group_name asked;
	enum status status;

	status = read_names(w, "del", &asked);
	if (!status)
		status = command_end(w);
	if (!status)
		status = nl_open(options.netns);
	if (status)
		return status;
	nl_request_init(&rq, MCFAB_CMD_GROUP_DEL, false);
	groups_put(&rq, &asked);
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

static enum status assign(struct words *w)
{
	struct value values[SOURCE_KEYS] = { 0 };
	struct json_object *fabric = NULL, *group = NULL;
	struct nl_request rq;
	struct group_name asked;
	enum status status;
	u32 source = 0;

	status = read_names(w, "assign", &asked);
	if (!status)
		status = keywords_parse(w, &source_grammar, values);
	if (!status)
		status = lookup_fabric(asked.fabric, &fabric);
	if (!status && values[SOURCE].given)
		status = lookup_nodes(fabric, "source", &values[SOURCE].node, 1, &source);
	if (!status) {
		nl_request_init(&rq, MCFAB_CMD_GROUP_ASSIGN, false);
		groups_put(&rq, &asked);
		if (values[SOURCE].given)
			nl_put_u32(&rq, MCFAB_A_GROUP_SOURCE, source,
				   nl_where("source", values[SOURCE].word));
		status = ask(&rq, &group);
		nl_request_free(&rq);
	}
	if (!status)
		status = print_answer(group);
	json_object_put(group);
	json_object_put(fabric);
	return status;
}

static void show_all(struct json_object *all)
{
	struct table t;

	if (!json_object_array_length(all))
		return;
	table_init(&t, "<NAME MEMBERS LID SOURCES <NODES");
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *group = json_object_array_get_idx(all, i);
		char *nodes = groups_ranges(get_obj(group, "members"));

		table_cell(&t, "%s", get_str(group, "name"));
		table_cell(&t, "%zu", json_object_array_length(get_obj(group, "members")));
		if (get_u64(group, "lid"))
			table_cell(&t, "0x%04llx", get_u64(group, "lid"));
		else
			table_cell(&t, "-");
		table_cell(&t, "%zu", json_object_array_length(get_obj(group, "lids")));
		table_cell(&t, "%s", nodes);
		free(nodes);
	}
	table_print(&t, stdout);
}

static void show_one(struct json_object *group)
{
	struct json_object *lids = get_obj(group, "lids");
	char *nodes = groups_ranges(get_obj(group, "members"));
	struct table t;

	printf("%s: %zu members", get_str(group, "name"),
	       json_object_array_length(get_obj(group, "members")));
	if (get_u64(group, "lid"))
		printf(", multicast LID 0x%04llx for all sources", get_u64(group, "lid"));
	if (get_str(group, "address")[0])
		printf(", address %s", get_str(group, "address"));
	printf("\n    members %s\n", nodes);
	free(nodes);
	if (!json_object_array_length(lids))
		return;
	table_init(&t, "SOURCE LID");
	for (size_t i = 0; i < json_object_array_length(lids); i++) {
		struct json_object *pair = json_object_array_get_idx(lids, i);

		table_cell(&t, "%s", get_str(pair, "source"));
		table_cell(&t, "0x%04llx", get_u64(pair, "lid"));
	}
	table_print(&t, stdout);
}

static enum status show(struct words *w)
{
	struct group_name asked = { .fabric = words_next(w) };
	struct json_object *obj = NULL;
	enum status status;

	asked.name = words_next(w);
	status = command_end(w);
	if (!status)
		status = asked.name ? groups_one(&asked, &obj) : groups_all(asked.fabric, &obj);
	if (status)
		return status;
	if (options.json)
		json_print(json_object_get(obj));
	else if (asked.name)
		show_one(obj);
	else
		show_all(obj);
	json_object_put(obj);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "add", .synopsis = "FABRIC NAME members LIST [ lid N ] [ address ADDR ]",
		.help = "make a multicast group", .operand = OPERAND_GROUP_NEW,
		.grammar = &add_grammar, .run = add,
	}, {
		.name = "del", .synopsis = "FABRIC NAME", .help = "remove a group",
		.operand = OPERAND_GROUP, .run = del,
	}, {
		.name = "join", .synopsis = "FABRIC NAME members LIST",
		.help = "add members to a group", .operand = OPERAND_GROUP,
		.grammar = &member_grammar, .run = join,
	}, {
		.name = "leave", .synopsis = "FABRIC NAME members LIST",
		.help = "take members out of a group", .operand = OPERAND_GROUP,
		.grammar = &member_grammar, .run = leave,
	}, {
		.name = "assign", .synopsis = "FABRIC NAME [ source NODE ]",
		.help = "give sources their multicast LIDs and tables now",
		.more = "Runs and plans do so by themselves, for the sources they need.\n",
		.operand = OPERAND_GROUP, .grammar = &source_grammar, .run = assign,
	}, {
		.name = "show", .synopsis = "FABRIC [ NAME ]",
		.help = "show a group with the multicast LID of each source, or all groups",
		.operand = OPERAND_GROUP, .run = show,
	},
};

const struct object object_group = {
	.name = "group", .help = "Multicast groups of fabrics with LIDs.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
