/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Networks as files describe them: switches, hosts and links. Two formats are read and
 * written, our own and that of ibnetdiscover; those of ibsim and of BookSim2 (anynet) are read
 * only, Graphviz DOT is written only.
 */
#ifndef MCASTCTL_GRAPH_H
#define MCASTCTL_GRAPH_H

#include <stdio.h>

#include "base/util.h"

/* Longer files are no topology of a network that fits. */
#define GRAPH_FILE_MAX	(256u << 20)
#define GRAPH_LID_MAX	0xBFFF
#define GRAPH_NONE	UINT32_MAX

/** struct graph_switch - a switch; its ports are 0 .. @ports - 1, 0: not described yet */
struct graph_switch {
	u64 guid;
	u32 ports;
	u32 lid;
	u32 line;
	char *name;		/* NULL: none */
};

/** struct graph_way - one direction of a link */
struct graph_way {
	u32 delay;		/* cycles of a flit; 0: the fabric's link-delay */
	u32 cycles;		/* from one flit to the next: a rate of 1/cycles; 0: 1 */
};

/** struct graph_host - a host, that is a port of a channel adapter */
struct graph_host {
	u64 guid;
	u64 node_guid;		/* of the channel adapter */
	u32 at;			/* its switch */
	u32 port;		/* and the port there */
	u32 lid;
	u32 node_port;		/* port of the channel adapter, 0: not said */
	u32 lmc;		/* 2^lmc LIDs, from @lid on */
	bool aggregation;	/* takes part in no traffic by default; such hosts come last */
	u32 line;		/* 0: not described yet */
	char *name;
	struct graph_way way;	/* to the switch; hosts' links have no delays of their own */
	struct graph_way back;	/* from the switch */
};

/** struct graph_link - a link between two switches */
struct graph_link {
	u32 a;
	u32 port_a;
	u32 b;
	u32 port_b;
	u32 line;
	struct graph_way way;	/* from a to b */
	struct graph_way back;	/* from b to a */
};

struct graph {
	struct graph_switch *sw;
	struct graph_host *host;
	struct graph_link *link;
	u32 switches;
	u32 hosts;
	u32 links;
	u32 sw_room;
	u32 host_room;
	u32 link_room;
	u32 root;		/* GRAPH_NONE: not said */
	u32 root_line;
};

#define GRAPH_LMC_MAX	7

enum graph_format {
	GRAPH_AUTO,		/* as the file looks */
	GRAPH_NATIVE,
	GRAPH_IBNETDISCOVER,
	GRAPH_IBSIM,
	GRAPH_ANYNET,
	GRAPH_DOT,
};

/* graph.c */
void graph_init(struct graph *g);
void graph_free(struct graph *g);
struct graph_switch *graph_switch(struct graph *g, u32 nr);	/* room up to @nr */
struct graph_host *graph_host(struct graph *g, u32 nr);
struct graph_link *graph_link(struct graph *g);			/* one more */
/* The same, refused if there are too many. */
enum status graph_add_link(struct graph *g, const struct graph_link *link);
/* Put links in order; say what cannot be a network, by its line in @path. */
enum status graph_check(struct graph *g, const char *path);
enum status graph_read(const char *path, enum graph_format format, struct graph *g);
enum status graph_parse(char *text, const char *path, enum graph_format format, struct graph *g);
/* Take each line of @text, which is written on, until one is refused. */
enum status graph_lines(char *text, const char *path,
			enum status (*take)(void *data, char *line, u32 number), void *data);
/* A name that may stand between quotes, at most as long as the kernel takes? */
enum status graph_name(const char *name);

/* native.c, ibnetdiscover.c, ibsim.c, anynet.c: @text is written on; not yet checked */
enum status graph_parse_native(char *text, const char *path, struct graph *g);
enum status graph_parse_ibnetdiscover(char *text, const char *path, struct graph *g);
enum status graph_parse_ibsim(char *text, const char *path, struct graph *g);
enum status graph_parse_anynet(char *text, const char *path, struct graph *g);

/* print.c */
/* GUIDs as they are printed: of what has none, made up from its number. */
u64 graph_switch_guid(const struct graph *g, u32 i);
u64 graph_host_guid(const struct graph *g, u32 i);
void graph_print_native(FILE *f, const struct graph *g);
enum status graph_print_ibnetdiscover(FILE *f, const struct graph *g);

/* Do widths and speeds of links tell all rates of @g's links? Else they leave the rates out. */
bool graph_has_speeds(const struct graph *g);
void graph_print_dot(FILE *f, const struct graph *g, const char *name);

/* mesh.c */
enum { MESH_EAST, MESH_NORTH, MESH_WEST, MESH_SOUTH, MESH_HOST, MESH_PORTS };

/*
 * What a mesh of @x times @y with addressing lid looks like to a subnet; @port: the numbers
 * of a switch's ports.
 */
void graph_mesh(struct graph *g, u32 x, u32 y, const u32 port[MESH_PORTS]);

/* netlink.c */
struct json_object;
enum status graph_upload(const char *fabric, const struct graph *g);
enum status graph_discard(const char *fabric);
/* The graph of a fabric, whose object lookup_fabric() gave. */
enum status graph_fetch(struct json_object *fabric, struct graph *g);

#endif
