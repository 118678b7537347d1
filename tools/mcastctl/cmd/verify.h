/* SPDX-License-Identifier: GPL-2.0 */
/* verify: asking, printing, and asking again with less hardware. */
#ifndef MCASTCTL_CMD_VERIFY_H
#define MCASTCTL_CMD_VERIFY_H

#include <json-c/json.h>

#include "draw/svg.h"
#include "netlink/keyword.h"

/** enum verify_key - keywords */
enum verify_key {
	VERIFY_POLICY,
	VERIFY_FLITS,
	VERIFY_MTU,
	VERIFY_HEADERS,
	VERIFY_BUFFER,
	VERIFY_CONSUME,
	VERIFY_VCS,
	VERIFY_DESTS,
	VERIFY_SAMPLES,
	VERIFY_CROWDS,
	VERIFY_WITH,
	VERIFY_PHASES,
	VERIFY_WITNESS,
	VERIFY_SVG,
	VERIFY_DOT,
	VERIFY_KEYS,
};

/** struct answer - what came */
struct answer {
	struct json_object *verdict;
	struct json_object *waits;
	struct json_object *messages;	/* that deadlock */
	struct json_object *blocked;	/* their worms */
	bool progress;			/* a line with it is on the screen */
	struct draw_file witness;
	struct draw_file dot;
	struct draw_file svg;
	struct layout layout;
};

extern const struct grammar verify_grammar;

/* The request, without an answer yet; to be freed. */
void verify_request(const char *name, const struct value *values, struct nl_request *rq);
/* The parts of an answer, into a struct answer. */
enum status verify_take(const struct nlmsghdr *nlh, void *data);
void verify_answer_begin(struct answer *a);
void verify_answer_end(struct answer *a);	/* the line with progress, too */
bool verify_proved(const struct answer *a);

/* verify_print.c */
void verify_print_text(const char *name, const char *policy, const struct answer *a);
void verify_print_json(const char *name, const char *policy, const struct answer *a);
enum status verify_write_dot(struct answer *a);
enum status verify_write_witness(struct answer *a, const struct value *values);

/* A wait of the graph, as people write it; to be freed. */
char *verify_wait_text(struct json_object *wait);

/* verify_draw.c: what stands in the way of a picture is known before there is an answer */
enum status verify_draw_begin(struct answer *a, const char *name, const char *path);
enum status verify_draw(struct answer *a, const char *name, const char *policy);

/* verify_phases.c: the least hardware with which a policy is free of deadlock */
enum status verify_phases(const char *name, const struct value *values);

#endif
