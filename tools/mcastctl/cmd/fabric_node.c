// SPDX-License-Identifier: GPL-2.0
/* fabric node: show nodes with their coordinates, labels and neighbours. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/fabric.h"

static void node_row(struct table *t, struct json_object *node, bool permutes)
{
	struct json_object *coord = get_obj(node, "coord"), *list = get_obj(node, "neighbour");
	struct node_ref ref = { .form = NODE_COORD };
	char text[128], *all = xstrdup(""), *longer;
	u32 word = 0;

	for (size_t i = 0; coord && i < json_object_array_length(coord); i++) {
		ref.coord[ref.ndims++] = json_object_get_int(json_object_array_get_idx(coord, i));
		word = 10 * word + ref.coord[i];
	}
	if (permutes) {
		ref.form = NODE_WORD;
		ref.word = word;
	}
	node_format(text, sizeof(text), &ref);
	table_cell(t, "%s", get_str(node, "node"));
	table_cell(t, "%s", coord ? text : "-");
	if (has(node, "label"))
		table_cell(t, "#%s", get_str(node, "label"));
	else
		table_cell(t, "-");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *n = json_object_array_get_idx(list, i);

		const char *link = get_str(n, "link");

		longer = xasprintf("%s%s%s:%s%s", all, i ? " " : "", get_str(n, "port"),
				   get_str(n, "router"),
				   link && !strcmp(link, "boundary") ? "b" : "");
		free(all);
		all = longer;
	}
	table_cell(t, "%s", all);
	free(all);
}

static enum status take_node(const struct nlmsghdr *nlh, void *data)
{
	json_object_array_add(data, attr_message(nlh));
	return STATUS_OK;
}

static enum status ask_nodes(struct json_object *fabric, const u32 *id, u32 n,
			     struct json_object *out)
{
	const char *name = get_str(fabric, "name");
	enum status status = STATUS_OK;
	struct nl_request rq;
	char word[16];

	for (u32 i = 0; i < n || (!id && !i); i++) {
		nl_request_init(&rq, MCFAB_CMD_NODE_GET, !id);
		nl_put_str(&rq, MCFAB_A_NODE_FABRIC, name, nl_where("fabric", name));
		if (id) {
			snprintf(word, sizeof(word), "%u", id[i]);
			nl_put_u32(&rq, MCFAB_A_NODE_NODE, id[i], nl_where("node", word));
		}
		status = nl_talk(&rq, take_node, out);
		nl_request_free(&rq);
		if (status)
			break;
	}
	return status;
}

static enum status read_list(struct words *w, struct node_list *list)
{
	struct node_error wrong;

	while (words_peek(w)) {
		if (node_list_parse(words_next(w), list, &wrong))
			return usage("node %s: %s", wrong.word, wrong.why);
	}
	return STATUS_OK;
}

enum status fabric_node(struct words *w)
{
	struct json_object *fabric = NULL, *all = json_object_new_array();
	const char *name = words_next(w);
	struct node_list list = { 0 };
	enum status status;
	u32 *ids = NULL;
	struct table t;

	status = read_list(w, &list);
	if (!status)
		status = lookup_fabric(name, &fabric);
	if (!status && list.n) {
		ids = xcalloc(list.n, sizeof(*ids));
		status = lookup_nodes(fabric, "node", list.ref, list.n, ids);
	}
	if (!status)
		status = ask_nodes(fabric, ids, list.n, all);
	if (!status && options.json) {
		json_print(json_object_get(all));
	} else if (!status) {
		table_init(&t, "NODE COORD LABEL <PORT:ROUTER");
		for (size_t i = 0; i < json_object_array_length(all); i++)
			node_row(&t, json_object_array_get_idx(all, i), lookup_permutes(fabric));
		table_print(&t, stdout);
	}
	free(ids);
	node_list_free(&list);
	json_object_put(fabric);
	json_object_put(all);
	return status;
}
