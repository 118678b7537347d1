/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments of the form KEYWORD VALUE, in any order, described by tables. The
 * same table parses, builds the request and prints the help.
 */
#ifndef MCASTCTL_KEYWORD_H
#define MCASTCTL_KEYWORD_H

#include <stdio.h>

#include "base/nodes.h"
#include "base/number.h"
#include "base/util.h"
#include "netlink/attrs.h"
#include "netlink/netlink.h"

/** struct words - what the user typed, and how far it was read */
struct words {
	char **word;
	int n;
	int at;
};

const char *words_next(struct words *w);	/* NULL: no more */
const char *words_peek(const struct words *w);
bool word_is_help(const char *word);

enum keyword_type {
	KEY_FLAG,		/* no value */
	KEY_STRING,
	KEY_UINT,
	KEY_SINT,
	KEY_AUTO,		/* a number, or the word behind | in arg: nothing is sent */
	KEY_DECIMAL,		/* kept as a count of 1/scale */
	KEY_ENUM,		/* a word of the spec, or an alias */
	KEY_DIMS,
	KEY_NUMBERS,		/* with commas; kept as dims are */
	KEY_SWITCH,		/* of a network: 3 or s3 */
	KEY_ROUTER,		/* the same, or as its node is written: (3,2), #11 */
	KEY_NODE,		/* looked up by the command */
	KEY_LIST,		/* of nodes; takes words as long as they look like nodes */
	KEY_FILE,		/* read by the command */
};

/** struct keyword_alias - another word for one of the spec's */
struct keyword_alias {
	const char *name;
	const char *spec;
	bool quiet;			/* lists have the spec's */
};

struct keyword {
	const char *name;
	enum keyword_type type;
	u16 attr;			/* 0: the command deals with it */
	const char *arg;		/* what the help calls the value */
	const char *help;		/* NULL: what the spec says */
	bool required;
	u32 scale;			/* KEY_DECIMAL */
	const struct keyword_alias *alias;	/* KEY_ENUM: ends with a NULL name */
	const char *more_after;		/* KEY_ENUM: this word is followed by one more */
	const char *more;		/* what the help calls that one */
	const char *stands_for;		/* KEY_FILE: it is as if this KEY_ENUM was given, */
	const char *stands_word;	/* with this word, which takes the file as its "more" */
};

/** struct value - what was given for a keyword */
struct value {
	bool given;
	const char *word;		/* as typed; of lists the first */
	const char *more;		/* the word behind keyword.more_after */
	u64 number;
	u32 dims[NUMBER_MAX_RADICES];
	u32 ndims;
	struct node_ref node;
	struct node_list list;
};

/** struct grammar - the keywords of a command */
struct grammar {
	const struct keyword *key;
	u32 n;
	u8 cmd;				/* its request, for the spec's words */
	const char *until;		/* a word at which they end, or NULL */
	/*
	 * Other words with a value: the parameters of a policy, known once the
	 * policy is. All NULL if there are none.
	 */
	const char *other_after;	/* keyword whose value says what they are */
	void (*other_begin)(const char *value);
	int (*other_find)(const char *word, bool exact);	/* as word_find() */
	bool (*other_allows)(int index, const char *value);	/* it is one of a list */
	enum status (*other_take)(int index, const char *value);
	enum status (*other_check)(void);	/* is that value any good? */
	char *(*other_closest)(const char *word);
	char *(*other_names)(void);		/* all of them, to be freed */
};

#define KEYWORDS(...)	.key = __VA_ARGS__, .n = ARRAY_SIZE(__VA_ARGS__)

enum status keywords_parse(struct words *w, const struct grammar *g, struct value *values);
void keywords_free(const struct grammar *g, struct value *values);
void keywords_put(struct nl_request *rq, const struct grammar *g, const struct value *values);
const char *keyword_of(const struct grammar *g, u32 attr);
enum status keyword_value(const struct grammar *g, const struct keyword *key, const char *word,
			  struct value *value);
/* The words of an enum as "wormhole|vct|saf", to be freed. */
char *keyword_words(const struct grammar *g, const struct keyword *key);
/* The same, with blanks in between where a message would shorten so long a word. */
char *keyword_words_spread(const struct grammar *g, const struct keyword *key);

/* What is allowed of a number, as " (1 to 16)", to be freed. */
char *keyword_range(const struct grammar *g, const struct keyword *key);

#endif
