// SPDX-License-Identifier: GPL-2.0
/* fabric: make, remove and show fabrics. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "cmd/fabric.h"
#include "command.h"
#include "graph/graph.h"

static const struct keyword_alias switching_alias[] = {
	{ .name = "vct", .spec = "cut-through" },
	{ .name = "saf", .spec = "store-and-forward" },
	{ .name = NULL },
};

#define ROUTING_HELP "how packets find their way: as each policy has it (policy), by up*-down*" \
	" routing (updown), or by tables of least hops that are built at once (minhop, topology" \
	" irregular with addressing lid); default updown on irregular topologies with addressing" \
	" nodes, else policy"

#define SWITCHING_HELP "when a header may have its next channel: when a virtual channel is" \
	" free (wormhole, default); when there is also room for the whole packet (vct, virtual" \
	" cut-through); when also the whole packet has arrived (saf, store-and-forward)"

#define ADDRESSING_HELP "how headers name their destinations: by node ids (nodes, default), or" \
	" by InfiniBand's local identifiers, which switches look up in tables (lid; on meshes" \
	" of two dimensions and irregular topologies)"

#define ROUTER_HELP "options of the router under a name: what they default to (ideal," \
	" default), or the router of BookSim2 (booksim); an option that is given besides goes" \
	" before"

#define VC_RELEASE_HELP "when a virtual channel is free again: when the tail has left its" \
	" buffer (drained, default), or when the tail has crossed the channel (sent)"

#define ARBITRATION_HELP "how virtual channels share their link: flit by flit (default), or" \
	" packet by packet"

#define REPLICATION_HELP "how the branches of a tree worm move: each on its own (async," \
	" default), or in step (lockstep)"

#define ALLOCATOR_HELP "how headers get virtual channels, and flits the crossbar; default" \
	" oldest"

#define PIPELINE_HELP "who spends route-delay in a router: a header, from when it is at the" \
	" front of its buffer (header, default), or every flit from its arrival on (flit)"

#define NODE_BANDWIDTH_HELP "flits per cycle between a node and its router: one on each" \
	" injection and consumption channel (channel, default), or one on all of them in either" \
	" direction (shared)"

#define NODE_MODEL_HELP "what a node is: one queue of send tasks (queue), or a host, its I/O" \
	" bus and its network interface (host); default host on irregular topologies with" \
	" addressing nodes, else queue"

#define BUFFER_PACKETS_HELP "packets per virtual channel, in place of buffer: the buffers of a" \
	" run have room for so many of its longest packets; default 0, buffer counts"

#define ROOT_HELP "switch at which the tree of routing updown starts, as s3 or 3; default the" \
	" root in the file, or else the switch whose distance to the farthest one is least"

static const struct keyword add_keys[] = {
	{ .name = "topology", .type = KEY_STRING, .attr = MCFAB_A_FABRIC_TOPOLOGY,
	  .arg = "TOPOLOGY", .help = "see \"mcastctl topology show\"", .required = true },
	{ .name = "dims", .type = KEY_DIMS, .attr = MCFAB_A_FABRIC_DIMS, .arg = "16x16" },
	{ .name = "file", .type = KEY_FILE, .arg = "FILE",
	  .help = "file of topology irregular: switches, hosts and links; -: standard input" },
	{ .name = "format", .type = KEY_STRING, .arg = "FORMAT",
	  .help = "its format: native, ibnetdiscover, ibsim or anynet; default, as it looks" },
	{ .name = "switches", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_SWITCHES, .arg = "N",
	  .help = "switches of a random network, of topology irregular, in place of a file" },
	{ .name = "ports", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_SWITCH_PORTS, .arg = "N",
	  .help = "ports of each switch of a random network" },
	{ .name = "hosts", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_HOSTS, .arg = "N",
	  .help = "hosts of a random network, at random ports" },
	{ .name = "connectivity", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_CONNECTIVITY,
	  .arg = "PERCENT" },
	{ .name = "topology-seed", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_TOPOLOGY_SEED,
	  .arg = "N" },
	{ .name = "routing", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_ROUTING,
	  .help = ROUTING_HELP },
	{ .name = "root", .type = KEY_SWITCH, .attr = MCFAB_A_FABRIC_ROOT, .arg = "SWITCH",
	  .help = ROOT_HELP },
	{ .name = "vcs", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_VCS, .arg = "N" },
	{ .name = "buffer", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_BUFFER, .arg = "N" },
	{ .name = "buffer-packets", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_BUFFER_PACKETS,
	  .arg = "N", .help = BUFFER_PACKETS_HELP },
	{ .name = "switching", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_SWITCHING,
	  .alias = switching_alias, .help = SWITCHING_HELP },
	{ .name = "addressing", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_ADDRESSING,
	  .help = ADDRESSING_HELP },
	{ .name = "ingress", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_INGRESS },
	{ .name = "port-numbers", .type = KEY_NUMBERS, .attr = MCFAB_A_FABRIC_PORT_NUMBERS,
	  .arg = "E,N,W,S,HOST" },
	{ .name = "inject", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_INJECT, .arg = "N" },
	{ .name = "consume", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_CONSUME, .arg = "N" },
	{ .name = "startup", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_STARTUP, .arg = "N" },
	{ .name = "cycle-ps", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_CYCLE_PS, .arg = "N",
	  .help = "picoseconds per cycle, for people, io-bus and ports; default 1000" },
	{ .name = "cpus", .type = KEY_STRING, .attr = MCFAB_A_FABRIC_CPUS, .arg = "LIST" },
	{ .name = "seed", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_SEED, .arg = "N" },
	{ .name = "router", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_ROUTER,
	  .help = ROUTER_HELP },
	{ .name = "inject-delay", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_INJECT_DELAY,
	  .arg = "N",
	  .help = "delay of a flit between its node and the router, in cycles, default 0" },
	{ .name = "route-delay", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_ROUTE_DELAY, .arg = "N",
	  .help = "delay of a header's decision in a router, in cycles, default 0" },
	{ .name = "link-delay", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_LINK_DELAY, .arg = "N",
	  .help = "delay of a flit on a link, in cycles, default 1" },
	{ .name = "consume-delay", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_CONSUME_DELAY,
	  .arg = "N",
	  .help = "delay of a flit between router and node, in cycles, default 1" },
	{ .name = "credit-delay", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_CREDIT_DELAY,
	  .arg = "N" },
	{ .name = "vc-release", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_VC_RELEASE,
	  .help = VC_RELEASE_HELP },
	{ .name = "link-arbitration", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_LINK_ARBITRATION,
	  .help = ARBITRATION_HELP },
	{ .name = "replication", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_REPLICATION,
	  .help = REPLICATION_HELP },
	{ .name = "input-speedup", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_INPUT_SPEEDUP,
	  .arg = "N" },
	{ .name = "allocator", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_ALLOCATOR,
	  .help = ALLOCATOR_HELP },
	{ .name = "pipeline", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_PIPELINE,
	  .help = PIPELINE_HELP },
	{ .name = "node-bandwidth", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_NODE_BANDWIDTH,
	  .help = NODE_BANDWIDTH_HELP },
	{ .name = "stall-limit", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_STALL_LIMIT, .arg = "N" },
	{ .name = "node-model", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_NODE_MODEL,
	  .help = NODE_MODEL_HELP },
	{ .name = "host-receive", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_HOST_RECEIVE,
	  .arg = "N" },
	{ .name = "ni-send", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_NI_SEND, .arg = "N" },
	{ .name = "ni-receive", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_NI_RECEIVE, .arg = "N" },
	{ .name = "ni-ratio", .type = KEY_DECIMAL, .scale = 1000000,
	  .attr = MCFAB_A_FABRIC_NI_RATIO, .arg = "R",
	  .help = "ratio of startup to ni-send, default 1; not together with ni-send" },
	{ .name = "io-bus", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_IO_BUS, .arg = "MB/s" },
	{ .name = "ni-memory", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_NI_MEMORY, .arg = "N" },
	{ .name = "flit-bytes", .type = KEY_UINT, .attr = MCFAB_A_FABRIC_FLIT_BYTES, .arg = "N" },
	{ .name = "host-overhead", .type = KEY_ENUM, .attr = MCFAB_A_FABRIC_HOST_OVERHEAD,
	  .help = "what startup and host-receive are charged for, default message" },
	{ .name = "nice", .type = KEY_SINT, .attr = MCFAB_A_FABRIC_NICE, .arg = "N" },
};

/* Places in add_keys that the command looks at itself. */
enum { TOPOLOGY, DIMS, SOURCE, FORMAT, SWITCHES, PORTS, HOSTS, CONNECTIVITY, TOPOLOGY_SEED };

static const struct grammar add_grammar = {
	KEYWORDS(add_keys),
	.cmd = MCFAB_CMD_FABRIC_NEW,
};

/* The graph of an irregular topology goes up first, under the name of the fabric. */
static enum status add_graph(const char *name, const struct value *values)
{
	const char *format = values[FORMAT].given ? values[FORMAT].word : NULL;
	enum graph_format kind = GRAPH_AUTO;
	enum status status;
	struct graph g;

	if (format && !strcmp(format, "native"))
		kind = GRAPH_NATIVE;
	else if (format && !strcmp(format, "ibnetdiscover"))
		kind = GRAPH_IBNETDISCOVER;
	else if (format && !strcmp(format, "ibsim"))
		kind = GRAPH_IBSIM;
	else if (format && !strcmp(format, "anynet"))
		kind = GRAPH_ANYNET;
	else if (format)
		return usage("format %s: it is native, ibnetdiscover, ibsim or anynet", format);
	graph_init(&g);
	status = graph_read(values[SOURCE].word, kind, &g);
	if (!status)
		status = nl_open(options.netns);
	if (!status)
		status = graph_upload(name, &g);
	graph_free(&g);
	return status;
}

static enum status check_shape(const struct value *values)
{
	bool irregular = !strcmp(values[TOPOLOGY].word, "irregular");
	u32 random = 0;

	for (u32 i = SWITCHES; i <= TOPOLOGY_SEED && !random; i++)
		random = values[i].given ? i : 0;
	if (random && !irregular)
		return usage("%s: only topology irregular has it, not %s", add_keys[random].name,
			     values[TOPOLOGY].word);
	if (random && values[SOURCE].given)
		return usage("%s: the file says what the network is", add_keys[random].name);
	for (u32 i = SWITCHES; random && i <= HOSTS; i++)
		if (!values[i].given)
			return usage("%s N is missing: a random network needs it",
				     add_keys[i].name);
	if (irregular && !random && !values[SOURCE].given)
		return usage("file FILE is missing, or switches, ports and hosts");
	if (!irregular && values[SOURCE].given)
		return usage("file %s: only topology irregular is made of a file, not %s",
			     values[SOURCE].word, values[TOPOLOGY].word);
	if (!irregular && !values[DIMS].given)
		return usage("dims 16x16 is missing");
	if (values[FORMAT].given && !values[SOURCE].given)
		return usage("format %s: there is no file", values[FORMAT].word);
	return STATUS_OK;
}

static enum status add(struct words *w)
{
	struct value values[ARRAY_SIZE(add_keys)] = { 0 };
	const char *name = words_next(w);
	struct json_object *made = NULL;
	struct nl_request rq;
	enum status status;

	if (strlen(name) > MCFAB_NAME_MAX)
		return usage("fabric %s: name is longer than %d characters", name, MCFAB_NAME_MAX);
	status = keywords_parse(w, &add_grammar, values);
	if (!status)
		status = check_shape(values);
	if (!status)
		status = values[SOURCE].given ? add_graph(name, values) : nl_open(options.netns);
	if (status)
		goto out;
	nl_request_init(&rq, MCFAB_CMD_FABRIC_NEW, false);
	nl_put_str(&rq, MCFAB_A_FABRIC_NAME, name, nl_where("fabric", name));
	keywords_put(&rq, &add_grammar, values);
	status = ask(&rq, &made);
	nl_request_free(&rq);
	if (status && values[SOURCE].given)
		graph_discard(name);
	if (!status && options.json)
		json_print(json_object_get(made));
	json_object_put(made);
out:
	keywords_free(&add_grammar, values);
	return status;
}

static const struct keyword set_keys[] = {
	{ .name = "cpus", .type = KEY_STRING, .attr = MCFAB_A_FABRIC_CPUS, .arg = "LIST",
	  .help = "those of the router threads, a run's that is under way included",
	  .required = true },
};

static const struct grammar set_grammar = {
	KEYWORDS(set_keys),
	.cmd = MCFAB_CMD_FABRIC_SET,
};

/* what a fabric is made with and keeps */
static bool stays(const char *word)
{
	for (size_t i = 0; word && i < ARRAY_SIZE(add_keys); i++)
		if (!strcmp(add_keys[i].name, word))
			return strcmp(word, set_keys[0].name);
	return false;
}

static enum status set(struct words *w)
{
	struct value values[ARRAY_SIZE(set_keys)] = { 0 };
	const char *name = words_next(w);
	struct nl_request rq;
	enum status status;

	if (stays(words_peek(w)))
		return usage("%s: a fabric keeps it: only cpus can be changed", words_peek(w));
	status = keywords_parse(w, &set_grammar, values);
	if (!status)
		status = nl_open(options.netns);
	if (!status) {
		nl_request_init(&rq, MCFAB_CMD_FABRIC_SET, false);
		nl_put_str(&rq, MCFAB_A_FABRIC_NAME, name, nl_where("fabric", name));
		keywords_put(&rq, &set_grammar, values);
		status = nl_talk(&rq, NULL, NULL);
		nl_request_free(&rq);
	}
	keywords_free(&set_grammar, values);
	return status;
}

static enum status del(struct words *w)
{
	const char *name = words_next(w);
	struct nl_request rq;
	enum status status;

	status = command_end(w);
	if (!status)
		status = nl_open(options.netns);
	if (status)
		return status;
	nl_request_init(&rq, MCFAB_CMD_FABRIC_DEL, false);
	nl_put_str(&rq, MCFAB_A_FABRIC_NAME, name, nl_where("fabric", name));
	status = nl_talk(&rq, NULL, NULL);
	nl_request_free(&rq);
	return status;
}

/* "16x16", to be freed */
static char *dims_text(struct json_object *fabric)
{
	struct json_object *dims = get_obj(fabric, "dims");
	char *text = xstrdup(""), *longer;

	for (size_t i = 0; dims && i < json_object_array_length(dims); i++) {
		longer = xasprintf("%s%s%s", text, i ? "x" : "",
				   json_object_get_string(json_object_array_get_idx(dims, i)));
		free(text);
		text = longer;
	}
	return text;
}

/* "building, 45 %", to be freed */
static char *state_text(struct json_object *f)
{
	u64 total = get_u64(f, "build-total");

	if (!total)
		return xstrdup(get_str(f, "state"));
	return xasprintf("%s, %.0f %%", get_str(f, "state"),
			 100.0 * get_u64(f, "build-done") / total);
}

static const char columns[] =
	"<NAME <TOPOLOGY <DIMS NODES VCS BUFFER <SWITCHING STARTUP <CPUS MEMORY RUNS <STATE";

static void show_all(struct json_object *all)
{
	struct table t;

	if (!json_object_array_length(all))
		return;
	table_init(&t, columns);
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *f = json_object_array_get_idx(all, i);
		char bytes[32], *dims = dims_text(f), *state = state_text(f);

		table_cell(&t, "%s", get_str(f, "name"));
		table_cell(&t, "%s", get_str(f, "topology"));
		table_cell(&t, "%s", dims);
		table_cell(&t, "%s", get_str(f, "nodes"));
		table_cell(&t, "%s", get_str(f, "vcs"));
		if (has(f, "buffer-packets"))
			table_cell(&t, "%s pkt", get_str(f, "buffer-packets"));
		else
			table_cell(&t, "%s", get_str(f, "buffer"));
		table_cell(&t, "%s", get_str(f, "switching"));
		table_cell(&t, "%s", get_str(f, "startup"));
		table_cell(&t, "%s", get_str(f, "cpus"));
		table_cell(&t, "%s", human_bytes(bytes, sizeof(bytes), get_u64(f, "bytes")));
		table_cell(&t, "%s", get_str(f, "run"));
		table_cell(&t, "%s", state);
		free(dims);
		free(state);
	}
	table_print(&t, stdout);
}

/* the one that does not count where buffers are counted in packets */
static bool superseded(struct json_object *f, const char *name)
{
	return has(f, "buffer-packets") && !strcmp(name, "buffer");
}

/* what the switches of a subnet do otherwise than by default */
static void show_rules(struct json_object *f)
{
	struct json_object *ports = get_obj(f, "port-numbers");
	bool moved = false;

	if (has(f, "ingress") && !strcmp(get_str(f, "ingress"), "allow"))
		printf(" ingress allow");
	for (size_t i = 0; ports && i < json_object_array_length(ports); i++)
		moved |= json_object_get_int(json_object_array_get_idx(ports, i)) != (int)i + 1;
	for (size_t i = 0; moved && i < json_object_array_length(ports); i++)
		printf("%s%s", i ? "," : " port-numbers ",
		       json_object_get_string(json_object_array_get_idx(ports, i)));
}

static void show_one(struct json_object *f)
{
	static const char *const lines[][7] = {
		{ "vcs", "buffer", "buffer-packets", "switching", "replication", "addressing" },
		{ "vc-release", "link-arbitration", "input-speedup", "allocator" },
		{ "inject", "consume", "node-bandwidth", "startup", "stall-limit" },
		{ "inject-delay", "route-delay", "link-delay", "consume-delay", "credit-delay",
		  "pipeline" },
		{ "node-model", "host-overhead", "host-receive", "ni-send", "ni-receive",
		  "io-bus", "ni-memory" },
		{ "seed", "cycle-ps", "flit-bytes", "cpus", "shards", "nice" },
		{ "routing" },
	};
	u64 links = get_u64(f, "links-down"), switches = get_u64(f, "switches-down");
	char bytes[32], text[64], *dims = dims_text(f), *state = state_text(f);

	if (!has(f, "nodes")) {
		printf("%s: %s%s%s, %s\n", get_str(f, "name"), get_str(f, "topology"),
		       *dims ? " " : "", dims, state);
		goto out;
	}
	printf("%s: %s%s%s, %s nodes, %s channels, %s, %s", get_str(f, "name"),
	       get_str(f, "topology"), *dims ? " " : "", dims, get_str(f, "nodes"),
	       get_str(f, "channels"),
	       human_bytes(bytes, sizeof(bytes), get_u64(f, "bytes")), state);
	if (get_u64(f, "run"))
		printf(", %s runs", get_str(f, "run"));
	putchar('\n');
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		printf("   ");
		for (size_t k = 0; k < ARRAY_SIZE(lines[i]) && lines[i][k]; k++)
			if (has(f, lines[i][k]) && !superseded(f, lines[i][k]))
				printf(" %s %s", lines[i][k], get_str(f, lines[i][k]));
		if (!i)
			show_rules(f);
		if (!strcmp(lines[i][0], "routing") && has(f, "root"))
			printf(" root s%s", get_str(f, "root"));
		putchar('\n');
	}
	if (links || switches)
		printf("    %s\n", down_text(text, sizeof(text), links, switches));
out:
	free(dims);
	free(state);
}

static enum status show(struct words *w)
{
	const char *name = words_next(w);
	struct json_object *obj = NULL;
	enum status status;

	status = command_end(w);
	if (!status)
		status = name ? lookup_fabric(name, &obj) : ask_all(MCFAB_CMD_FABRIC_GET, &obj);
	if (status)
		return status;
	if (options.json)
		json_print(json_object_get(obj));
	else if (name)
		show_one(obj);
	else
		show_all(obj);
	json_object_put(obj);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "add", .synopsis = "NAME topology TOPOLOGY dims 16x16 [ KEYWORD VALUE ]...",
		.help = "make a fabric",
		.more =
		"Irregular topologies have other defaults: buffer 640, vc-release sent (one FIFO\n"
		"for each input), inject 1, consume 1, inject-delay 1, route-delay 2, startup 1000,\n"
		"cycle-ps 5000. So has addressing lid, on irregular topologies, too: buffer-packets\n"
		"1, switching vct, vc-release sent, link-arbitration packet, inject 1, consume 1,\n"
		"startup 0, cycle-ps 4000.\n",
		.operand = OPERAND_NEW,
		.grammar = &add_grammar, .run = add,
	}, {
		.name = "del", .synopsis = "NAME", .help = "remove a fabric that runs nothing",
		.operand = OPERAND_FABRIC, .run = del,
	}, {
		.name = "show", .synopsis = "[ NAME ]", .help = "show a fabric, or all",
		.operand = OPERAND_FABRIC_OPTIONAL, .run = show,
	}, {
		.name = "node", .synopsis = "NAME [ LIST ]",
		.help = "show nodes with their coordinates, labels and neighbours",
		.operand = OPERAND_FABRIC, .run = fabric_node,
	}, {
		.name = "set", .synopsis = "NAME cpus LIST",
		.help = "move the threads of a fabric to other CPUs",
		.operand = OPERAND_FABRIC,
		.grammar = &set_grammar, .run = set,
	},
};

const struct object object_fabric = {
	.name = "fabric", .help = "Virtual networks.",
	.command = commands, .n = ARRAY_SIZE(commands), .standard = &commands[2],
};
