// SPDX-License-Identifier: GPL-2.0
/* port: network devices on nodes. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/table.h"
#include "command.h"
#include "netlink/rtnl.h"

enum { FABRIC, NODE, MTU, FLOOD, KEYS };

static const struct keyword add_keys[] = {
	[FABRIC] = { .name = "fabric", .type = KEY_STRING, .arg = "FABRIC", .required = true,
		     .help = "the fabric" },
	[NODE] = { .name = "node", .type = KEY_NODE, .arg = "NODE", .required = true,
		   .help = "its node" },
	[MTU] = { .name = "mtu", .type = KEY_UINT, .attr = MCFAB_A_PORT_MTU, .arg = "BYTES" },
	[FLOOD] = { .name = "flood", .type = KEY_FLAG,
		    .help = "the port gets all multicasts, whoever has joined what" },
};

static const struct grammar add_grammar = { KEYWORDS(add_keys), .cmd = MCFAB_CMD_PORT_GET };

static enum status no_ports_here(void)
{
	return options.user ? refused("ports are network devices: they need the kernel module") :
			      STATUS_OK;
}

static enum status add(struct words *w)
{
	struct rtnl_port port = { .name = words_next(w), .flood = -1 };
	struct value values[KEYS] = { 0 };
	struct json_object *fabric = NULL;
	enum status status;

	status = keywords_parse(w, &add_grammar, values);
	if (!status)
		status = no_ports_here();
	port.fabric = values[FABRIC].word;
	if (!status)
		status = lookup_fabric(port.fabric, &fabric);
	if (!status)
		status = lookup_nodes(fabric, "node", &values[NODE].node, 1, &port.node);
	json_object_put(fabric);
	if (values[MTU].given)
		port.mtu = values[MTU].number;
	if (values[FLOOD].given)
		port.flood = 1;
	return status ?: rtnl_port_add(&port);
}

/* Is there a port of this name in the namespace of the caller, on any fabric? */
static enum status is_port(const char *name, bool *port)
{
	struct json_object *fabrics = NULL, *all = NULL, *one;
	enum status status = ask_all(MCFAB_CMD_FABRIC_GET, &fabrics);

	*port = false;
	for (size_t i = 0; !status && i < json_object_array_length(fabrics); i++) {
		one = json_object_array_get_idx(fabrics, i);
		status = ask_all_of(MCFAB_CMD_PORT_GET, MCFAB_A_PORT_FABRIC, get_str(one, "name"),
				    &all);
		for (size_t k = 0; !status && k < json_object_array_length(all); k++) {
			one = json_object_array_get_idx(all, k);
			*port |= has(one, "name") && !strcmp(get_str(one, "name"), name);
		}
		json_object_put(all);
		all = NULL;
	}
	json_object_put(fabrics);
	return status;
}

static enum status del(struct words *w)
{
	const char *name = words_next(w);
	enum status status = command_end(w);
	bool port;

	if (!status)
		status = no_ports_here();
	if (!status)
		status = is_port(name, &port);
	if (!status && !port)
		status = refused("%s: there is no such port here", name);
	return status ?: rtnl_port_del(name);
}

static const char *some(struct json_object *port, const char *key)
{
	return has(port, key) ? get_str(port, key) : "-";
}

static enum status show(struct words *w)
{
	const char *fabric = words_next(w);
	struct json_object *all = NULL;
	enum status status;
	struct table t;

	status = command_end(w);
	if (!status)
		status = ask_all_of(MCFAB_CMD_PORT_GET, MCFAB_A_PORT_FABRIC, fabric, &all);
	if (status)
		return status;
	if (options.json) {
		json_print(all);
		return STATUS_OK;
	}
	if (!json_object_array_length(all))
		puts("no ports");
	table_init(&t, "NODE <PORT NETNS MTU <CARRIER TX RX TX-LOST RX-LOST");
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *port = json_object_array_get_idx(all, i);

		table_cell(&t, "%s", get_str(port, "node"));
		table_cell(&t, "%s", some(port, "name"));
		table_cell(&t, "%s", some(port, "netns-id"));
		table_cell(&t, "%s", get_str(port, "mtu"));
		table_cell(&t, "%s", has(port, "carrier") ? "yes" : "no");
		table_cell(&t, "%s", get_str(port, "tx-frames"));
		table_cell(&t, "%s", get_str(port, "rx-frames"));
		table_cell(&t, "%llu", (unsigned long long)(get_u64(port, "tx-no-run") +
							    get_u64(port, "tx-copies-lost") +
							    get_u64(port, "tx-no-memory")));
		table_cell(&t, "%llu", (unsigned long long)(get_u64(port, "rx-overruns") +
							    get_u64(port, "rx-too-long")));
	}
	if (json_object_array_length(all))
		table_print(&t, stdout);
	else
		table_free(&t);
	json_object_put(all);
	return STATUS_OK;
}

static const struct command commands[] = {
	{
		.name = "add", .synopsis = "NAME fabric FABRIC node NODE [ mtu BYTES ] [ flood ]",
		.help = "make a network device on a node",
		.more =
		"The same as \"ip link add NAME type mcfab fabric FABRIC node N\"; what else there is\n"
		"to say about a device, ip says: addresses, namespaces, up and down. Frames go while\n"
		"a run of workload ports is under way.\n",
		.operand = OPERAND_NEW, .grammar = &add_grammar, .run = add,
	}, {
		.name = "del", .synopsis = "NAME", .help = "remove a network device of a node",
		.operand = OPERAND_NEW, .run = del,
	}, {
		.name = "show", .synopsis = "FABRIC",
		.help = "the network devices on a fabric, wherever they are",
		.more =
		"PORT is - where a device is in another network namespace; NETNS is that\n"
		"namespace's id here, if it has one. TX-LOST is tx-no-run, tx-copies-lost and\n"
		"tx-no-memory together, RX-LOST rx-overruns and rx-too-long; -j shows each.\n",
		.operand = OPERAND_FABRIC, .run = show,
	},
};

const struct object object_port = {
	.name = "port", .help = "Network devices on nodes.",
	.command = commands, .n = ARRAY_SIZE(commands),
};
