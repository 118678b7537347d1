/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands: an object, then a verb. Each object is a file cmd/OBJECT.c with
 * a table; help, abbreviations and completion are made from the tables.
 */
#ifndef MCASTCTL_COMMAND_H
#define MCASTCTL_COMMAND_H

#include "netlink/keyword.h"

enum option_id {
	OPT_JSON, OPT_PRETTY, OPT_BATCH, OPT_FORCE, OPT_NETNS, OPT_ENGINE, OPT_POLICY_PATH,
	OPT_VERSION, OPT_VERSION_TOO, OPT_HELP,
};

#define OPT_COUNT	(OPT_HELP + 1)

struct option_desc {
	const char *name;
	char letter;			/* 0: none */
	const char *value;		/* what the help calls it; NULL: it has none */
	const char *help;		/* NULL: another spelling, which the help leaves out */
};

extern const struct option_desc option_table[OPT_COUNT];

/** enum operand - what the first word after object and verb is */
enum operand {
	OPERAND_NONE,
	OPERAND_FABRIC,			/* the name of a fabric */
	OPERAND_FABRIC_OPTIONAL,
	OPERAND_NEW,			/* a new name */
	OPERAND_POLICY_OPTIONAL,
	OPERAND_GROUP,			/* a fabric and one of its groups */
	OPERAND_GROUP_NEW,		/* a fabric and a new name */
};

struct command {
	const char *name;		/* verb; NULL: the object has only this command */
	const char *synopsis;		/* what follows, for people */
	const char *help;		/* one line */
	const char *more;		/* NULL, or further lines, each ending in a newline */
	enum operand operand;
	const struct grammar *grammar;
	const struct attr_word *words;	/* NULL, or plain words it takes */
	u32 nwords;
	const char *const *grammar_after;	/* NULL, or the words that keywords belong to */
	enum status (*run)(struct words *w);
};

struct object {
	const char *name;
	const char *help;
	const struct command *command;
	u32 n;
	const struct command *standard;	/* without a verb; NULL: help */
};

extern const struct object object_fabric;
extern const struct object object_topology;
extern const struct object object_policy;
extern const struct object object_group;
extern const struct object object_table;
extern const struct object object_route;
extern const struct object object_link;
extern const struct object object_port;
extern const struct object object_plan;
extern const struct object object_verify;
extern const struct object object_run;
extern const struct object object_compare;
extern const struct object object_stop;
extern const struct object object_stats;
extern const struct object object_monitor;
extern const struct object object_save;
extern const struct object object_restore;
extern const struct object object_experiment;
extern const struct object object_demo;

enum status command_run(struct words *w);
void help_all(void);
void command_usage(FILE *f);
void command_help(FILE *f, const struct object *object, const struct command *command);
int command_complete(struct words *w);
const struct object *command_object(u32 index);		/* NULL: no more */
const struct object *command_find_object(const char *word);

/* No more words may follow. */
enum status command_end(struct words *w);

#endif
