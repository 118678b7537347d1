// SPDX-License-Identifier: GPL-2.0
/* table: the forwarding tables of fabrics with LIDs. */
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/excerpt.h"
#include "base/options.h"
#include "base/table.h"
#include "base/words.h"
#include "cmd/compare.h"
#include "command.h"
#include "tables/findings.h"
#include "tables/show.h"

static const struct attr_word kinds[] = {
	{ "lft", "linear forwarding tables: the output port for each unicast LID" },
	{ "mft", "multicast forwarding tables: the output ports for each multicast LID" },
	{ "sl2vl", "the virtual lane of each service level, by input and output port" },
	{ "path-sl", "the service level of unicast packets, by source and LID" },
};

enum { SWITCH, LID, LANES, SHOW_KEYS };

static const struct keyword show_keys[] = {
	[SWITCH] = { .name = "switch", .type = KEY_ROUTER, .arg = "SWITCH",
		     .help = "only this switch" },
	[LID] = { .name = "lid", .type = KEY_UINT, .attr = MCFAB_A_TABLE_LID, .arg = "L",
		  .help = "only this LID, as 5 or 0xc000" },
	[LANES] = { .name = "lanes", .type = KEY_ENUM, .attr = MCFAB_A_TABLE_LANES },
};

/* Kinds are no keywords, as they come first; who mistypes one is told of them all the same. */
static char *kind_names(void)
{
	char *all = WORD_LIST("", kinds, ARRAY_SIZE(kinds));
	char *text = xasprintf("and before these %s", all);

	free(all);
	return text;
}

static char *kind_closest(const char *word)
{
	const char *closest = WORD_CLOSEST(word, kinds, ARRAY_SIZE(kinds));

	/* one that is spelt well came too late */
	return closest && WORD_EXACT(word, kinds, ARRAY_SIZE(kinds)) < 0 ? xstrdup(closest) : NULL;
}

static const struct grammar show_grammar = {
	KEYWORDS(show_keys), .cmd = MCFAB_CMD_TABLE_GET,
	.other_names = kind_names, .other_closest = kind_closest,
};

/* A kind; 0: the next word is none. */
static u32 read_kind(struct words *w)
{
	int i = words_peek(w) ? WORD_FIND(words_peek(w), kinds, ARRAY_SIZE(kinds)) : WORD_UNKNOWN;

	if (i < 0)
		return 0;
	words_next(w);
	return MCFAB_TABLE_KIND_LFT + i;
}

static enum status show(struct words *w)
{
	struct table_filter filter = { .fabric = words_next(w) };
	struct value values[SHOW_KEYS] = { 0 };
	struct json_object *fabric = NULL;
	struct subnet subnet = { 0 };
	enum status status;

	filter.kind = read_kind(w);
	status = keywords_parse(w, &show_grammar, values);
	if (!status)
		status = lookup_fabric(filter.fabric, &fabric);
	if (!status && values[SWITCH].given)
		status = lookup_nodes(fabric, "switch", &values[SWITCH].node, 1, &filter.sw);
	if (!status)
		status = subnet_read(fabric, &subnet);
	filter.one_switch = values[SWITCH].given;
	filter.sw_where = nl_where("switch", values[SWITCH].word);
	filter.one_lid = values[LID].given;
	filter.lid = values[LID].number;
	filter.lid_where = nl_where("lid", values[LID].word);
	filter.lanes = values[LANES].number;
	filter.lanes_where = nl_where("lanes", values[LANES].word);
	if (!filter.kind)
		filter.kind = filter.lid < MCFAB_MULTICAST_LID_MIN ? MCFAB_TABLE_KIND_LFT :
								     MCFAB_TABLE_KIND_MFT;
	if (!status)
		status = tables_show(&filter, &subnet);
	subnet_free(&subnet);
	json_object_put(fabric);
	return status;
}

#define PORTS_HELP "of a unicast LID the output port, of a multicast LID the output ports" \
	" as 1,3,5; none: no entry"

enum { SET_SWITCH, SET_LID, SET_PORTS, SET_RESTORE, SET_KEYS };

static const struct keyword set_keys[] = {
	[SET_SWITCH] = { .name = "switch", .type = KEY_ROUTER, .arg = "SWITCH", .required = true,
			 .help = "the switch" },
	[SET_LID] = { .name = "lid", .type = KEY_UINT, .attr = MCFAB_A_TABLE_LID, .arg = "L",
		      .required = true, .help = "the unicast or multicast LID" },
	[SET_PORTS] = { .name = "ports", .type = KEY_STRING, .arg = "PORTS",
			.help = PORTS_HELP },
	[SET_RESTORE] = { .name = "restore", .type = KEY_FLAG,
			  .help = "the entry as the fabric builds it, in place of ports" },
};

static const struct grammar set_grammar = { KEYWORDS(set_keys), .cmd = MCFAB_CMD_TABLE_SET };

/* "1,3,5" or "none" */
static enum status read_ports(const char *word, u8 *port, u32 *n)
{
	char *copy, *save = NULL, *at;
	enum status status = STATUS_OK;
	u64 number;

	*n = 0;
	if (!strcmp(word, "none"))
		return STATUS_OK;
	copy = xstrdup(word);
	for (at = strtok_r(copy, ",", &save); at && !status; at = strtok_r(NULL, ",", &save)) {
		int err = number_u64(at, 0, OPENSM_MAX_PORT, &number);

		if (err == -ERANGE)
			status = usage("ports %s: %s is out of range (0 to %d)",
				       excerpt(word, at - copy).text, at, OPENSM_MAX_PORT);
		else if (err)
			status = usage("ports %s: \"%s\" is no number",
				       excerpt(word, at - copy).text, at);
		else if (*n > OPENSM_MAX_PORT)
			status = usage("ports %s: more than %d", excerpt(word, at - copy).text,
				       OPENSM_MAX_PORT);
		else
			port[(*n)++] = number;
	}
	free(copy);
	if (!status && !*n)
		status = usage("ports %s: no number in it", word);
	return status;
}

static enum status send_entry(const char *fabric, const struct value *values, u32 sw,
			      const u8 *port, u32 n)
{
	struct nl_where ports = nl_where("ports", values[SET_PORTS].word);
	bool multicast = values[SET_LID].number >= MCFAB_MULTICAST_LID_MIN;
	const u8 none = MCFAB_NO_PORT;
	struct nl_request rq;
	enum status status;
	size_t nest;

	nl_request_init(&rq, MCFAB_CMD_TABLE_SET, false);
	nl_put_str(&rq, MCFAB_A_TABLE_FABRIC, fabric, nl_where("fabric", fabric));
	nest = nl_nest(&rq, MCFAB_A_TABLE_ENTRY, nl_where("lid", values[SET_LID].word));
	nl_put_u32(&rq, MCFAB_A_TABLE_ENTRY_KIND,
		   multicast ? MCFAB_TABLE_KIND_MFT : MCFAB_TABLE_KIND_LFT,
		   nl_where("lid", values[SET_LID].word));
	nl_put_u32(&rq, MCFAB_A_TABLE_ENTRY_SWITCH, sw,
		   nl_where("switch", values[SET_SWITCH].word));
	nl_put_u32(&rq, MCFAB_A_TABLE_ENTRY_LID, values[SET_LID].number,
		   nl_where("lid", values[SET_LID].word));
	if (values[SET_RESTORE].given)
		nl_put_flag(&rq, MCFAB_A_TABLE_ENTRY_RESTORE, nl_where("restore", NULL));
	else if (!n && !multicast)
		nl_put_bin(&rq, MCFAB_A_TABLE_ENTRY_PORTS, &none, 1, ports);
	else
		nl_put_bin(&rq, MCFAB_A_TABLE_ENTRY_PORTS, port, n, ports);
	nl_nest_end(&rq, nest);
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

static enum status check_set(const struct value *values, u32 n)
{
	if (values[SET_PORTS].given == values[SET_RESTORE].given)
		return usage("either \"ports\" or \"restore\" says what to set");
	if (n > 1 && values[SET_LID].number < MCFAB_MULTICAST_LID_MIN)
		return usage("ports %s: unicast LID %llu has one output port",
			     values[SET_PORTS].word, values[SET_LID].number);
	return STATUS_OK;
}

static enum status set(struct words *w)
{
	struct value values[SET_KEYS] = { 0 };
	const char *name = words_next(w);
	struct json_object *fabric = NULL;
	u8 port[OPENSM_MAX_PORT + 1];
	enum status status;
	u32 sw = 0, n = 0;

	status = keywords_parse(w, &set_grammar, values);
	if (!status && values[SET_PORTS].given)
		status = read_ports(values[SET_PORTS].word, port, &n);
	if (!status)
		status = check_set(values, n);
	if (!status)
		status = lookup_fabric(name, &fabric);
	if (!status)
		status = lookup_nodes(fabric, "switch", &values[SET_SWITCH].node, 1, &sw);
	if (!status)
		status = send_entry(name, values, sw, port, n);
	json_object_put(fabric);
	return status;
}

static enum status load_files(struct words *w)
{
	const char *fabric = words_next(w);
	char **path = w->word + w->at;
	bool force = false;
	u32 n = 0;

	for (; words_peek(w) && strcmp(words_peek(w), "force"); words_next(w))
		n++;
	if (!n)
		return usage("table load: FILE is missing");
	if (words_peek(w)) {
		words_next(w);
		force = true;
	}
	if (command_end(w))
		return STATUS_USAGE;
	return tables_load(fabric, path, n, force);
}

enum { DUMP_FILE, DUMP_KEYS };

static const struct keyword dump_keys[] = {
	[DUMP_FILE] = { .name = "file", .type = KEY_FILE, .arg = "FILE",
			.help = "write there (default: standard output)" },
};

static const struct grammar dump_grammar = {
	KEYWORDS(dump_keys), .other_names = kind_names, .other_closest = kind_closest,
};

static enum status dump_to(const struct table_filter *filter, const struct subnet *s,
			   const char *path)
{
	FILE *f = path ? fopen(path, "w") : stdout;
	enum status status;
	bool failed;

	if (!f)
		return usage("file %s: %s", path, strerror(errno));
	status = tables_dump(filter, s, f);
	failed = fflush(f) || ferror(f);
	if (path && fclose(f))
		failed = true;
	if (!status && failed)
		status = refused("%s: %s", path ? path : "standard output", strerror(errno));
	return status;
}

static enum status dump(struct words *w)
{
	struct value values[DUMP_KEYS] = { 0 };
	struct table_filter filter = { .fabric = words_next(w) };
	struct json_object *fabric = NULL;
	struct subnet subnet = { 0 };
	enum status status;

	filter.kind = read_kind(w);
	status = keywords_parse(w, &dump_grammar, values);
	if (!status)
		status = lookup_fabric(filter.fabric, &fabric);
	if (!status)
		status = subnet_read(fabric, &subnet);
	if (!status)
		status = dump_to(&filter, &subnet, values[DUMP_FILE].word);
	subnet_free(&subnet);
	json_object_put(fabric);
	return status;
}

static enum status check(struct words *w)
{
	const char *name = words_next(w);
	struct json_object *fabric = NULL, *found = NULL;
	struct subnet subnet = { 0 };
	enum status status;

	status = command_end(w);
	if (!status)
		status = lookup_fabric(name, &fabric);
	if (!status)
		status = subnet_read(fabric, &subnet);
	if (!status)
		status = findings_ask(name, false, &found);
	if (!status && options.json) {
		json_print(json_object_get(found));
	} else if (!status) {
		printf("%s found\n", get_u64(found, "findings") ? get_str(found, "findings") :
								  "nothing");
		findings_print(stdout, &subnet, found);
	}
	if (!status && get_u64(found, "findings"))
		status = STATUS_REFUSED;
	subnet_free(&subnet);
	json_object_put(fabric);
	json_object_put(found);
	return status;
}

static const struct command commands[] = {
	{
		.name = "show", .synopsis = "FABRIC [ KIND ] [ KEYWORD VALUE ]...",
		.help = "show forwarding tables, an entry on a line",
		.more =
		"Without a kind: lft, or the kind of the LID. PORT:SWITCH is an output port and\n"
		"what is behind it. Switches are written as s3 or 3, or as their node is: (3,2),\n"
		"#11.\n",
		.operand = OPERAND_FABRIC, .grammar = &show_grammar,
		.words = kinds, .nwords = ARRAY_SIZE(kinds), .run = show,
	}, {
		.name = "set", .synopsis = "FABRIC switch SWITCH lid L { ports PORTS | restore }",
		.help = "set an entry of a table",
		.more =
		"On a mesh port 1 leads east, 2 north, 3 west, 4 south, 5 to the node, unless the\n"
		"fabric was made with port-numbers; port 0 is the switch itself. Switches are\n"
		"written as s3 or 3, or as their node is: (3,2), #11.\n",
		.operand = OPERAND_FABRIC, .grammar = &set_grammar, .run = set,
	}, {
		.name = "load", .synopsis = "FABRIC FILE... [ force ]",
		.help = "replace tables by those in files, all at once",
		.more =
		"Files are what ibroute and OpenSM write (dump_lfts.sh, dump_mfts.sh,\n"
		"opensm-lfts.dump, opensm.fdbs, opensm.mcfdbs, opensm-sl2vl.dump), and service\n"
		"levels of paths as ibdmchk reads them: GUID of the source's port, LID, level.\n"
		"Switches are found by their GUIDs, else by their LIDs. Tables with loops, unreachable members or dead ports\n"
		"are refused, or with \"force\" loaded and reported.\n",
		.operand = OPERAND_FABRIC, .run = load_files,
	}, {
		.name = "dump", .synopsis = "FABRIC [ KIND ] [ file FILE ]",
		.help = "write tables as ibroute or OpenSM do, to be loaded again or by OpenSM",
		.operand = OPERAND_FABRIC, .grammar = &dump_grammar,
		.words = kinds, .nwords = ARRAY_SIZE(kinds), .run = dump,
	}, {
		.name = "check", .synopsis = "FABRIC",
		.help = "look for loops, lost copies, credit loops and more; exit status 1: found",
		.operand = OPERAND_FABRIC, .run = check,
	}, {
		.name = "compare", .synopsis = "FABRIC OTHER workload W ...",
		.help = "send the same messages by the tables of two fabrics, and compare",
		.more =
		"For two routing engines: make two fabrics of one network, and load the tables of\n"
		"each. As \"compare FABRIC policy table, table on OTHER workload W ...\".\n",
		.operand = OPERAND_FABRIC, .run = compare_tables,
	},
};

const struct object object_table = {
	.name = "table", .help = "Forwarding tables of fabrics with LIDs.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
