/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scenario: a text that says which networks, policies and loads to run, and what to look at.
 * It is read once and does not change; its points are all combinations of its variables' values.
 */
#ifndef MCASTCTL_EXPERIMENT_SCENARIO_H
#define MCASTCTL_EXPERIMENT_SCENARIO_H

#include "base/util.h"
#include "experiment/metric.h"

#define SCENARIO_SUFFIX		".scenario"
#define SCENARIO_MAX_VARS	8
#define SCENARIO_MAX_POINTS	100000
#define SCENARIO_MAX_FILE	1048576
#define SCENARIO_MAX_SEEDS	1000

/** struct scenario_line - words of a line, and which line it is */
struct scenario_line {
	u32 line;		/* 0: the scenario has no such line */
	u32 n;
	char **word;
};

/** struct scenario_value - one value of a variable */
struct scenario_value {
	char *label;		/* what tables and pictures call it */
	u32 n;
	char **word;		/* what stands for it in commands */
	bool quick;		/* it belongs to the quick set */
};

/** struct scenario_var - a variable: {NAME} in commands */
struct scenario_var {
	char *name;
	u32 line;
	bool swept;		/* by "vary" or "case"; else a single value, by "let" */
	bool has_quick;		/* a line "quick" names values */
	u32 n;
	struct scenario_value *value;
};

/** struct scenario_metric - a metric that is shown and plotted */
struct scenario_metric {
	const struct metric *metric;
	char *label;
	bool log;
	u32 line;
};

/** struct scenario_figure - a picture with a name of its own: a printed figure */
struct scenario_figure {
	char *name;		/* of its file */
	const struct metric *metric;
	char *panel;		/* its label; NULL: all */
	u32 line;
};

/** struct scenario_axis - how points become a picture */
struct scenario_axis {
	s32 var;		/* the variable; -1: none */
	const struct metric *metric;	/* of x alone: instead of a variable */
	char *label;
	bool log;
	u32 line;
};

/** struct scenario_published - a value that a paper prints */
struct scenario_published {
	const struct metric *metric;
	char *series;		/* label */
	double x;
	double value;
	u32 line;
};

/** enum check_kind - what a claim says of curves */
enum check_kind {
	CHECK_BELOW,
	CHECK_RISES,
	CHECK_FALLS,
	CHECK_CROSSES,
	CHECK_NEAR,
	CHECK_FLAT,
	CHECK_WITHIN,
	CHECK_UNDER,
};

/** struct scenario_curve - what a check compares: a curve, or the ratio of two */
struct scenario_curve {
	char *series;		/* label; NULL: the check has no such curve */
	char *per;		/* label of the series that it is divided by; NULL: none */
};

/** struct scenario_check - a claim as something to be computed */
struct scenario_check {
	enum check_kind kind;
	const struct metric *metric;
	struct scenario_curve a;
	struct scenario_curve b;	/* CHECK_BELOW, CHECK_CROSSES, CHECK_NEAR: another one */
	double from, to;	/* only these x */
	char *panel;		/* only this panel; NULL: all */
	double percent;		/* CHECK_NEAR, CHECK_FLAT, CHECK_WITHIN */
	u32 line;
};

/** struct scenario_claim - a sentence of a paper */
struct scenario_claim {
	char *where;
	char *text;
	u32 n;
	struct scenario_check *check;
};

struct scenario {
	char *path;
	char *name;		/* the file's, without folder and suffix */
	char *text;		/* as it was read */
	size_t len;
	char *title;
	char *source;
	u32 nnotes;
	char **note;
	u32 nvars;
	struct scenario_var var[SCENARIO_MAX_VARS];
	struct scenario_line fabric;
	u32 nbefore;
	struct scenario_line *before;
	struct scenario_line run;
	u32 seeds;
	u32 quick_seeds;
	struct scenario_axis x, series, panel;
	u32 nmetrics;
	struct scenario_metric *metric;
	u32 nfigures;
	struct scenario_figure *figure;
	u32 npublished;
	struct scenario_published *published;
	u32 nclaims;
	struct scenario_claim *claim;
};

/* Read a file; what is wrong is said with file, line and word. *@out is to be freed. */
enum status scenario_read(const char *path, struct scenario **out);
/* The same for a text that was read; @path is for messages, and names the scenario. */
enum status scenario_parse(const char *path, const char *text, size_t len, struct scenario **out);
void scenario_free(struct scenario *s);

s32 scenario_find_var(const struct scenario *s, const char *name);	/* -1: there is none */

/* A hash of the scenario's text, and of whether only the quick set counts. */
u64 scenario_hash(const struct scenario *s, bool quick);

/** struct scenario_point - one run: a value for each variable, and a seed */
struct scenario_point {
	u32 value[SCENARIO_MAX_VARS];
	u32 seed;		/* from 1 */
};

/* How many points there are, or those of the quick set alone. */
u32 scenario_points(const struct scenario *s, bool quick);
/* Point number @nr: the seed changes fastest, then the variable defined last. */
struct scenario_point scenario_point(const struct scenario *s, bool quick, u32 nr);

/** struct command_words - a command of the tool, as a list of words */
struct command_words {
	u32 line;		/* of the scenario */
	u32 n;
	char **word;		/* to be freed */
};

/*
 * The words of a line with {NAME}, {NAME.2} and {fabric} replaced, behind the words of @head
 * (NULL-terminated). Refused: a variable that there is not, with file, line and word.
 */
enum status scenario_expand(const struct scenario *s, const struct scenario_point *p,
			    const struct scenario_line *line, const char *fabric,
			    const char *const *head, struct command_words *out);
void command_words_add(struct command_words *c, const char *word);
void command_words_free(struct command_words *c);
bool command_words_have(const struct command_words *c, const char *word);

#endif
