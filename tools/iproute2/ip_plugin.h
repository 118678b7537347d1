/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What plug-ins of ip(8) are made of. iproute2 installs no headers for them: this is what stands in
 * its ip_common.h, libnetlink.h and json_print.h since version 4.19. ip itself has the functions.
 */
#ifndef IP_PLUGIN_H
#define IP_PLUGIN_H

#include <linux/rtnetlink.h>
#include <stdio.h>

struct link_util {
	struct link_util *next;
	const char *id;
	int maxattr;
	int (*parse_opt)(struct link_util *lu, int argc, char **argv, struct nlmsghdr *n);
	void (*print_opt)(struct link_util *lu, FILE *f, struct rtattr *tb[]);
	void (*print_xstats)(struct link_util *lu, FILE *f, struct rtattr *xstats);
	void (*print_help)(struct link_util *lu, int argc, char **argv, FILE *f);
	int (*parse_ifla_xstats)(struct link_util *lu, int argc, char **argv);
	int (*print_ifla_xstats)(struct nlmsghdr *n, void *arg);
};

enum { PRINT_ANY = 4 };		/* text or JSON, as the user wants it */
enum { COLOR_NONE = 6 };

int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data, int alen);
int print_color_string(int type, int color, const char *key, const char *fmt, const char *value);
int print_color_uint(int type, int color, const char *key, const char *fmt, unsigned int value);

#endif
