/* SPDX-License-Identifier: GPL-2.0 */
/* What the points of a scenario gave, in memory and in files. */
#ifndef MCASTCTL_EXPERIMENT_RESULTS_H
#define MCASTCTL_EXPERIMENT_RESULTS_H

#include "experiment/scenario.h"

/** struct result - of one point */
struct result {
	bool there;		/* the point was run */
	char *state;		/* done, saturated, cut, deadlocked, refused, failed */
	char *why;		/* "": nothing to say */
	char *saturation;	/* the verdict: steady, saturated, …; "": there is none */
	char *hash;		/* of the run, 16 hexadecimal digits; "": no run */
	struct metric_value metric[METRICS];
};

/** struct results - of a scenario */
struct results {
	const struct scenario *s;
	bool quick;		/* the quick set alone */
	u32 shard, shards;	/* points NR with NR % shards = shard - 1; 1 of 1: all */
	u32 n;			/* points of the scenario, whatever the shard */
	struct result *point;
	char *version;		/* of the tool */
	char *engine;		/* user or kernel */
	char *kernel;		/* what uname says */
};

void results_init(struct results *r, const struct scenario *s, bool quick, u32 shard, u32 shards);
void results_free(struct results *r);
bool results_mine(const struct results *r, u32 point);	/* it belongs to the shard */
u32 results_there(const struct results *r);		/* points that were run */
u32 results_missing(const struct results *r);		/* points of the shard that were not */

void result_set_refused(struct result *result, const char *why);
/* From the JSON of "run" and of "stats show" (NULL: there is none). */
void result_take(struct result *result, struct json_object *run, struct json_object *stats);

void result_free(struct result *result);

/* A point as JSON and back; @nr alone says which one it is. */
struct json_object *result_json(const struct results *r, u32 nr);
enum status result_read(struct results *r, struct json_object *obj, u32 *nr);

/* Twelve digits: what is read again gives the same text. */
struct json_object *result_number(double value);

/* Files of a scenario in a folder: FOLDER/NAME[.I-of-N].SUFFIX, to be freed. */
char *results_path(const struct results *r, const char *folder, const char *suffix);

/** struct journal - where each point is written as soon as it was run */
struct journal {
	char *path;
	int fd;
};

/* Open or make it, and take its points; another scenario's is refused, or replaced. */
enum status journal_open(struct journal *j, struct results *r, const char *folder, bool replace);
enum status journal_add(struct journal *j, const struct results *r, u32 nr);
/* Take the points of another process's journal, if *@there is one. */
enum status journal_read(struct results *r, const char *path, bool *there);
void journal_close(struct journal *j, bool remove);

/** enum results_of - whose results are taken */
enum results_of {
	RESULTS_OURS,		/* of this version and engine: they may be completed */
	RESULTS_ANY,		/* of any: they are looked at */
};

/* The JSON file. Reading: *@there is false if there is none; another scenario's is refused. */
enum status results_load(struct results *r, const char *path, enum results_of whose, bool *there);
/* The CSV file: a line for each point. */
enum status results_csv(const struct results *r, const char *path);
/* Both into a folder; the user is told where they are. */
enum status results_store(const struct results *r, const char *folder);

/* A file is there as a whole or as it was before. */
enum status write_file(const char *path, const char *text, size_t len);

#endif
