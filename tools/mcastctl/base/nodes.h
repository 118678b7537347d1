/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Nodes as a user writes them:
 *
 *	17 or h17	id: of a network with switches, the number of a host
 *	(3,2) or 3.2	coordinates, x first; on a star graph the symbols
 *	(2314)		the symbols of a permutation, or one coordinate
 *	#11 or l11	label
 *	0-99, #0-#99	ranges of ids or labels (lists only)
 *	@FILE		more of the same from a file (lists only), @- from stdin
 *
 * The forms without brackets and hash need no quotes in a shell.
 */
#ifndef MCASTCTL_NODES_H
#define MCASTCTL_NODES_H

#include "base/util.h"

#define NODE_MAX_DIMS	16
/* A permutation of at most eight symbols, as a decimal number. */
#define NODE_MAX_WORD	99999999
/* More than any fabric has nodes; keeps a wrong file from eating the memory. */
#define NODE_MAX_LIST	1048576
/* bytes of a file of nodes */
#define NODE_MAX_FILE	(16u * NODE_MAX_LIST)

enum node_form {
	NODE_ID,
	NODE_COORD,
	NODE_WORD,
	NODE_LABEL,
};

/** struct node_ref - a node as written; not yet looked up in any fabric */
struct node_ref {
	u8 form;
	u8 ndims;			/* NODE_COORD */
	union {
		u32 id;
		u32 word;		/* what stands alone between brackets */
		u32 label;
		u16 coord[NODE_MAX_DIMS];
	};
};

struct node_list {
	struct node_ref *ref;
	u32 n;
	u32 room;
};

/** struct node_error - what is wrong with a node or list */
struct node_error {
	char word[48];			/* the piece that is wrong */
	char why[64];
};

bool node_begins(const char *word);
int node_parse(const char *s, struct node_ref *ref, struct node_error *err);
int node_list_parse(const char *s, struct node_list *list, struct node_error *err);
int node_list_file(const char *path, struct node_list *list, struct node_error *err);
void node_list_free(struct node_list *list);
void node_format(char *buf, size_t len, const struct node_ref *ref);
/* The permutation of @symbols symbols that has this rank, as (2314); 0 symbols: the id. */
const char *node_permutation(char *buf, size_t len, u32 id, u32 symbols);

#endif
