// SPDX-License-Identifier: GPL-2.0
/* Asking the kernel what there is: fabrics, policies, nodes by label. */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"

/* Above this many labels, all of a fabric's are read at once. */
#define FEW_LABELS	8
#define TRIES		5

static enum status take_object(const struct nlmsghdr *nlh, void *data)
{
	struct json_object **out = data;

	json_object_put(*out);
	*out = attr_message(nlh);
	return STATUS_OK;
}

static enum status add_object(const struct nlmsghdr *nlh, void *data)
{
	json_object_array_add(data, attr_message(nlh));
	return STATUS_OK;
}

enum status ask(struct nl_request *rq, struct json_object **out)
{
	enum status status;

	*out = NULL;
	status = nl_talk(rq, take_object, out);
	if (!status && !*out)
		status = refused("the kernel did not answer");
	if (status) {
		json_object_put(*out);
		*out = NULL;
	}
	return status;
}

enum status ask_one(u8 cmd, u16 attr, const char *key, const char *name, struct json_object **out)
{
	struct nl_where where = nl_where(key, name);
	struct nl_request rq;
	enum status status;

	status = nl_open(options.netns);
	if (status)
		return status;
	nl_request_init(&rq, cmd, false);
	if (attr)
		nl_put_str(&rq, attr, name, where);
	status = ask(&rq, out);
	nl_request_free(&rq);
	return status;
}

struct json_object *ask_quietly(u8 cmd, u16 attr, const char *name)
{
	struct nl_where where = { 0 };
	enum status status = STATUS_OK;
	struct json_object *out = NULL;
	struct nl_request rq;

	nl_request_init(&rq, cmd, false);
	if (attr)
		nl_put_str(&rq, attr, name, where);
	if (nl_try(&rq, take_object, &out, &status)) {
		json_object_put(out);
		out = NULL;
	}
	nl_request_free(&rq);
	return out;
}

static int dump_once(const struct dump_request *dump, bool last, enum status *status)
{
	struct nl_request rq;
	int err = 0;

	dump->reset(dump->data);
	nl_request_init(&rq, dump->cmd, true);
	if (dump->put)
		dump->put(&rq, dump->what);
	if (last)
		*status = nl_talk(&rq, dump->reply, dump->data);
	else
		err = nl_try(&rq, dump->reply, dump->data, status);
	nl_request_free(&rq);
	return err;
}

enum status ask_dump(const struct dump_request *dump)
{
	enum status status = nl_open(options.netns);
	int err = -EINTR;

	/* A dump that others have torn is read again; the last time, this is said. */
	for (int try = 1; !status && err && try < TRIES; try++) {
		err = dump_once(dump, false, &status);
		if (err && err != -EINTR)
			break;
	}
	/* Once more, for what the kernel has to say about it. */
	if (!status && err)
		dump_once(dump, true, &status);
	return status;
}

static void empty_list(void *data)
{
	struct json_object **out = data;

	json_object_put(*out);
	*out = json_object_new_array();
}

static enum status add_to_list(const struct nlmsghdr *nlh, void *data)
{
	json_object_array_add(*(struct json_object **)data, attr_message(nlh));
	return STATUS_OK;
}

enum status ask_list(u8 cmd, void (*put)(struct nl_request *rq, const void *what),
		     const void *what, struct json_object **out)
{
	const struct dump_request dump = {
		.cmd = cmd, .put = put, .what = what,
		.reply = add_to_list, .reset = empty_list, .data = out,
	};
	enum status status;

	*out = NULL;
	status = ask_dump(&dump);
	if (status) {
		json_object_put(*out);
		*out = NULL;
	}
	return status;
}

/** struct by_name - what ask_all_of() asks for */
struct by_name {
	u16 attr;
	const char *fabric;
};

static void put_name(struct nl_request *rq, const void *what)
{
	const struct by_name *by = what;

	nl_put_str(rq, by->attr, by->fabric, nl_where("fabric", by->fabric));
}

enum status ask_all_of(u8 cmd, u16 attr, const char *fabric, struct json_object **out)
{
	struct by_name by = { attr, fabric };

	return ask_list(cmd, attr ? put_name : NULL, &by, out);
}

enum status ask_all(u8 cmd, struct json_object **out)
{
	return ask_all_of(cmd, 0, NULL, out);
}

enum status lookup_fabric(const char *name, struct json_object **out)
{
	return ask_one(MCFAB_CMD_FABRIC_GET, MCFAB_A_FABRIC_NAME, "fabric", name, out);
}

bool lookup_permutes(struct json_object *fabric)
{
	const char *topology = get_str(fabric, "topology");

	return topology && !strcmp(topology, "star");
}

static u32 dim_of(struct json_object *fabric, size_t dim)
{
	return json_object_get_uint64(json_object_array_get_idx(get_obj(fabric, "dims"), dim));
}

/* Mixed radix, dimension 0 fastest. */
static enum status by_coords(struct json_object *fabric, const char *key,
			     const struct node_ref *ref, u32 *id)
{
	bool cube = !strcmp(get_str(fabric, "topology"), "hypercube");
	u32 given = ref->form == NODE_WORD ? 1 : ref->ndims;
	char name[128];
	u64 node = 0;
	size_t n;

	node_format(name, sizeof(name), ref);
	if (!has(fabric, "dims"))
		return refused("%s %s: topology %s has no coordinates; write h3 or 3", key, name,
			       get_str(fabric, "topology"));
	n = cube ? dim_of(fabric, 0) : json_object_array_length(get_obj(fabric, "dims"));
	if (n != given)
		return refused("%s %s: %u coordinate%s, but fabric %s has %zu dimension%s", key,
			       name, given, given == 1 ? "" : "s", get_str(fabric, "name"), n,
			       n == 1 ? "" : "s");
	while (n--) {
		u64 radix = cube ? 2 : dim_of(fabric, n);
		u32 coord = ref->form == NODE_WORD ? ref->word : ref->coord[n];

		if (coord >= radix)
			return refused("%s %s: coordinate %zu of fabric %s goes from 0 to %u", key,
				       name, n, get_str(fabric, "name"), (u32)radix - 1);
		node = node * radix + coord;
	}
	*id = node;
	return STATUS_OK;
}

u32 lookup_symbols(struct json_object *fabric)
{
	return lookup_permutes(fabric) ? dim_of(fabric, 0) : 0;
}

/* The permutations of 1 ... n in lexicographic order. */
static enum status by_permutation(struct json_object *fabric, const char *key,
				  const struct node_ref *ref, u32 *id)
{
	u32 symbols = dim_of(fabric, 0), n = ref->ndims, rank = 0, seen = 0;
	u16 symbol[NODE_MAX_DIMS];
	char name[128];

	node_format(name, sizeof(name), ref);
	if (ref->form == NODE_WORD) {
		u32 rest = ref->word;

		for (n = 0; rest; rest /= 10)
			n++;
		rest = ref->word;
		for (u32 i = n; i--; rest /= 10)
			symbol[i] = rest % 10;
	} else {
		memcpy(symbol, ref->coord, n * sizeof(*symbol));
	}
	if (n != symbols)
		return refused("%s %s: %u symbol%s, but nodes of fabric %s are permutations of %u",
			       key, name, n, n == 1 ? "" : "s", get_str(fabric, "name"), symbols);
	for (u32 i = 0; i < n; i++) {
		if (!symbol[i] || symbol[i] > symbols)
			return refused("%s %s: symbols of fabric %s go from 1 to %u", key, name,
				       get_str(fabric, "name"), symbols);
		if (seen & 1u << symbol[i])
			return refused("%s %s: no permutation, %u occurs twice", key, name,
				       symbol[i]);
		seen |= 1u << symbol[i];
	}
	for (u32 i = 0; i < n; i++) {
		u32 smaller = 0;

		for (u32 j = i + 1; j < n; j++)
			smaller += symbol[j] < symbol[i];
		rank = rank * (n - i) + smaller;
	}
	*id = rank;
	return STATUS_OK;
}

static enum status by_label(struct json_object *fabric, const char *key,
			    const struct node_ref *ref, u32 *id)
{
	struct json_object *node = NULL;
	struct nl_request rq;
	enum status status;
	char name[64];

	node_format(name, sizeof(name), ref);
	nl_request_init(&rq, MCFAB_CMD_NODE_GET, false);
	nl_put_str(&rq, MCFAB_A_NODE_FABRIC, get_str(fabric, "name"),
		   nl_where("fabric", get_str(fabric, "name")));
	nl_put_u32(&rq, MCFAB_A_NODE_LABEL, ref->label, nl_where(key, name));
	status = ask(&rq, &node);
	nl_request_free(&rq);
	if (!status)
		*id = get_u64(node, "node");
	json_object_put(node);
	return status;
}

/* All labels of a fabric. */
struct labels {
	u32 *node;
	u32 n;
};

static enum status take_label(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr[MCFAB_A_NODE_LABEL + 1];
	struct labels *labels = data;
	u32 label;

	attr_index(nlh, attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_NODE_NODE] || !attr[MCFAB_A_NODE_LABEL])
		return STATUS_OK;
	label = nl_attr_uint(attr[MCFAB_A_NODE_LABEL]);
	if (label < labels->n)
		labels->node[label] = nl_attr_uint(attr[MCFAB_A_NODE_NODE]);
	return STATUS_OK;
}

static enum status read_labels(struct json_object *fabric, struct labels *labels)
{
	struct nl_request rq;
	enum status status;

	labels->n = get_u64(fabric, "nodes");
	labels->node = xcalloc(labels->n, sizeof(*labels->node));
	nl_request_init(&rq, MCFAB_CMD_NODE_GET, true);
	nl_put_str(&rq, MCFAB_A_NODE_FABRIC, get_str(fabric, "name"),
		   nl_where("fabric", get_str(fabric, "name")));
	status = nl_talk(&rq, take_label, labels);
	nl_request_free(&rq);
	return status;
}

/**
 * lookup_nodes() - ids of nodes as the user wrote them
 * @fabric: what lookup_fabric() gave
 * @key: argument they belong to, for messages
 * @ref: [@n] the nodes
 * @n: how many
 * @ids: [@n] their ids; those given as ids are for the kernel to check
 */
enum status lookup_nodes(struct json_object *fabric, const char *key, const struct node_ref *ref,
			 u32 n, u32 *ids)
{
	struct labels labels = { NULL, 0 };
	enum status status = STATUS_OK;
	u32 nlabels = 0;

	for (u32 i = 0; i < n; i++)
		nlabels += ref[i].form == NODE_LABEL;
	if (nlabels > FEW_LABELS)
		status = read_labels(fabric, &labels);
	for (u32 i = 0; i < n && !status; i++) {
		if (ref[i].form == NODE_ID)
			ids[i] = ref[i].id;
		else if (ref[i].form == NODE_LABEL && ref[i].label < labels.n)
			ids[i] = labels.node[ref[i].label];
		else if (ref[i].form == NODE_LABEL)
			status = by_label(fabric, key, &ref[i], &ids[i]);
		else if (lookup_permutes(fabric))
			status = by_permutation(fabric, key, &ref[i], &ids[i]);
		else
			status = by_coords(fabric, key, &ref[i], &ids[i]);
	}
	free(labels.node);
	return status;
}

/* Names of what the kernel has, or of what a fabric has. */
static struct json_object *names_of(u8 cmd, u16 attr, const char *fabric)
{
	struct json_object *all = json_object_new_array(), *names = json_object_new_array();
	struct nl_where nowhere = { 0 };
	enum status status = STATUS_OK;
	struct nl_request rq;

	nl_request_init(&rq, cmd, true);
	if (fabric)
		nl_put_str(&rq, attr, fabric, nowhere);
	if (!nl_try(&rq, add_object, all, &status)) {
		for (size_t i = 0; i < json_object_array_length(all); i++) {
			struct json_object *one = json_object_array_get_idx(all, i);

			json_object_array_add(names, json_object_get(get_obj(one, "name")));
		}
	}
	nl_request_free(&rq);
	json_object_put(all);
	return names;
}

static struct json_object *policy_names(void)
{
	struct json_object *list = installed_policies();

	if (json_object_array_length(list))
		return list;
	json_object_put(list);
	return names_of(MCFAB_CMD_POLICY_GET, 0, NULL);
}

/* What the words of a keyword may be; NULL: any. */
static struct json_object *names_for(const char *fabric, const char *key)
{
	/* or "policy 2", of several */
	if (!strncmp(key, "policy", 6) && (!key[6] || key[6] == ' '))
		return policy_names();
	if (!strcmp(key, "topology"))
		return names_of(MCFAB_CMD_TOPOLOGY_GET, 0, NULL);
	if (!strcmp(key, "fabric"))
		return names_of(MCFAB_CMD_FABRIC_GET, 0, NULL);
	if (!strcmp(key, "group") && fabric)
		return names_of(MCFAB_CMD_GROUP_GET, MCFAB_A_GROUP_FABRIC, fabric);
	return NULL;
}

/* The one of a list of names, which is put, that is meant by @word; to be freed. */
static char *closest_of(struct json_object *list, const char *word)
{
	size_t n = json_object_array_length(list);
	const char *best, **names = xcalloc(n, sizeof(*names));
	char *copy;

	for (size_t i = 0; i < n; i++)
		names[i] = json_object_get_string(json_object_array_get_idx(list, i));
	best = WORD_CLOSEST(word, names, n);
	copy = best && strcmp(best, word) ? xstrdup(best) : NULL;
	free(names);
	json_object_put(list);
	return copy;
}

static char *suggest(const char *fabric, const char *key, const char *word)
{
	struct json_object *list = names_for(fabric, key);

	return list ? closest_of(list, word) : NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "there are: a, b": what there is when @word is none of it, to be freed. */
static char *known(const char *fabric, const char *key, const char *word)
{
	struct json_object *list = names_for(fabric, key);
	size_t n = list ? json_object_array_length(list) : 0;
	const char **names = xcalloc(n, sizeof(*names));
	char *all = NULL, *text = NULL;

	for (size_t i = 0; i < n; i++)
		names[i] = json_object_get_string(json_object_array_get_idx(list, i));
	qsort(names, n, sizeof(*names), by_name);
	if (list && WORD_EXACT(word, names, n) < 0) {
		all = WORD_LIST("", names, n);
		if (n)
			text = xasprintf("there are: %s", all);
		else if (!strcmp(key, "fabric") && options.user)
			text = xstrdup("in --engine user a fabric lives as long as its batch");
		else
			text = xstrdup("there are none");
	}
	free(all);
	free(names);
	json_object_put(list);
	return text;
}

void lookup_suggest(void)
{
	nl_suggest = suggest;
	nl_known = known;
}
