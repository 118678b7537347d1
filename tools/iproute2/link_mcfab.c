// SPDX-License-Identifier: GPL-2.0
/*
 * Plug-in of ip(8) for links of kind mcfab: "ip link add NAME type mcfab fabric F node N", and
 * their part of "ip -d link show". ip loads it from its library folder, as link_mcfab.so.
 */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "ip_plugin.h"

#define ROOM	1024	/* bytes of a request, as in iplink.c */

static const char usage[] =
	"Usage: ... mcfab fabric NAME node N [ flood { on | off } ]\n"
	"\n"
	"  fabric  name of the fabric, in the network namespace of the caller\n"
	"  node    number of the node on which the port is\n"
	"  flood   the port gets all multicasts, whoever has joined what\n";

static void help(struct link_util *lu, int argc, char **argv, FILE *f)
{
	(void)lu;
	(void)argc;
	(void)argv;
	fputs(usage, f);
}

static int wrong(const char *what, const char *word)
{
	fprintf(stderr, "mcfab: %s: %s\n\n%s", word, what, usage);
	return -1;
}

static int put_node(struct nlmsghdr *n, const char *word)
{
	unsigned long node;
	char *end;
	__u32 value;

	node = strtoul(word, &end, 10);
	value = node;
	if (*word < '0' || *word > '9' || *end || value != node)
		return wrong("node is a number", word);
	return addattr_l(n, ROOM, IFLA_MCFAB_NODE, &value, sizeof(value));
}

static int put_flood(struct nlmsghdr *n, const char *word)
{
	__u32 on = !strcmp(word, "on");

	if (!on && strcmp(word, "off"))
		return wrong("flood is on or off", word);
	return addattr_l(n, ROOM, IFLA_MCFAB_FLOOD, &on, sizeof(on));
}

static int parse(struct link_util *lu, int argc, char **argv, struct nlmsghdr *n)
{
	int ret;

	(void)lu;
	for (; argc > 0; argc -= 2, argv += 2) {
		if (!strcmp(argv[0], "help")) {
			fputs(usage, stderr);
			return -1;
		}
		if (argc == 1)
			return wrong("what follows is missing", argv[0]);
		if (!strcmp(argv[0], "fabric"))
			ret = addattr_l(n, ROOM, IFLA_MCFAB_FABRIC, argv[1], strlen(argv[1]) + 1);
		else if (!strcmp(argv[0], "node"))
			ret = put_node(n, argv[1]);
		else if (!strcmp(argv[0], "flood"))
			ret = put_flood(n, argv[1]);
		else
			return wrong("unknown", argv[0]);
		if (ret)
			return -1;
	}
	return 0;
}

static __u32 number(const struct rtattr *attr)
{
	__u32 value;

	memcpy(&value, RTA_DATA(attr), sizeof(value));
	return value;
}

static void print(struct link_util *lu, FILE *f, struct rtattr *tb[])
{
	(void)lu;
	(void)f;
	if (!tb)
		return;
	if (tb[IFLA_MCFAB_FABRIC])
		print_color_string(PRINT_ANY, COLOR_NONE, "fabric", "fabric %s ",
				   RTA_DATA(tb[IFLA_MCFAB_FABRIC]));
	if (tb[IFLA_MCFAB_NODE])
		print_color_uint(PRINT_ANY, COLOR_NONE, "node", "node %u ",
				 number(tb[IFLA_MCFAB_NODE]));
	if (tb[IFLA_MCFAB_FLOOD])
		print_color_string(PRINT_ANY, COLOR_NONE, "flood", "flood %s ",
				   number(tb[IFLA_MCFAB_FLOOD]) ? "on" : "off");
}

struct link_util mcfab_link_util = {
	.id = "mcfab",
	.maxattr = IFLA_MCFAB_MAX,
	.parse_opt = parse,
	.print_opt = print,
	.print_help = help,
};
