/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Everything that the engine hands to the statistics during a run. Programs that
 * use it are linked with --wrap=mcfab_stats_message.
 */
#ifndef TESTS_CAPTURE_H
#define TESTS_CAPTURE_H

#include "fabric/fabric.h"
#include "lib/slow.h"

/** struct capture - what came out of an engine's run; zero it, and capture = it */
struct capture {
	struct mcfab_delivery *dlv;
	u32 ndlv;
	u32 dlv_room;
	struct mcfab_message *msg;
	u32 nmsg;
	u32 msg_room;
	u32 foretold;	/* messages for which there was a prediction */
	u32 earlier;	/* that were complete before it */
	u32 exact;	/* that were complete then */
};

extern struct capture *capture;

void capture_free(struct capture *c);

/** struct outcome - how a run ended */
struct outcome {
	enum mcfab_run_status state;
	u64 hash;
	u64 cycle;
	struct mcfab_progress progress;
	struct mcfab_deadlock deadlock;
	u64 bad;
	u32 rules;	/* MCFAB_ENG_* */
	bool flights;	/* headers flew ahead */
	bool paths;	/* flits went by the rules of paths.c */
	u32 policy;	/* MCFAB_POLICY_* */
	u64 channels;	/* hash of what channels carried and how long headers waited for them */
};

/* a run from creating the fabric to its end; everything asserts */
void run_engine(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc, bool paranoid,
		struct outcome *out);
/* the same by the slow simulator; the messages must be a list */
void run_slow(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc,
	      struct slow_result *out);

/* a configuration on one line, in the words of simulate.c */
void print_config(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc);

/* parameters, as "name=value name=value" */
void set_params(struct mcfab_run_cfg *rc, const char *set);
/* a policy of trees, which needs buffers of a packet or allow-deadlock=on */
bool is_tree_policy(const char *policy);

/* a list of messages in one piece of memory */
struct mcfab_msg_list *list_new(u32 nmsgs, u32 ndst);
void list_free(struct mcfab_msg_list *list);
/* the random list of a test: @spread cycles, up to @most destinations each */
struct mcfab_msg_list *list_random(u64 *state, u32 nodes, u32 nmsgs, u32 most, u32 spread);
/* in half of the cases messages have lengths of their own, in place of those of the run */
void list_take_lengths(u64 state, struct mcfab_msg_list *list, struct mcfab_run_cfg *rc);

#endif
