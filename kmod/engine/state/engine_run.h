/* SPDX-License-Identifier: GPL-2.0 */
/* Options and sizes of a run: set when it begins, constant from then on. */
#ifndef MCFAB_ENGINE_STATE_ENGINE_RUN_H
#define MCFAB_ENGINE_STATE_ENGINE_RUN_H

#include "base/config.h"

/**
 * struct mcfab_engine_run - messages, plans and the nodes' delays of a run
 * @flits: flits of a packet, and of the copy that a node gets; of the longest packet, if they
 *	   differ
 * @packets: packets of the longest message
 * @last_flits: flits of the last packet of the longest message
 * @least_flits: no packet has fewer flits
 * @message: flits of the longest message
 * @varied: messages have several lengths
 * @weighed: the loads count flits message by message: messages differ in length, or in class
 * @span: MCFAB_ENG_TAILS: channels from a packet's tail to its header
 * @last_span: likewise: of the last packet of the longest message
 * @lone: multicasts run one after the other, each alone in the network
 * @tables: packets follow tables and may be lost (MCFAB_POLICY_TABLE)
 * @more: a message needs more than its plan: it has several packets or is lone, or there are tables
 *	  or hosts
 * @unicasts: the policy would send a message to one destination as one worm with @unicast_arg
 * @unicast_arg: the policy's word in a worm to one destination that the engine plans itself
 * @recover: a deadlock ends with the abortion of a worm, not with the run
 * @branching: worms branch, see worms_branch()
 * @held: copies may hold worms up, see copies_wait()
 * @lean: pools begin small, see lean.c
 * @prep: cycles of a source's preparation of a message
 * @prep_relay: cycles of a later sender's preparation
 * @startup: cycles of a start-up
 * @rounds: when a sender's next round may begin
 * @busy: when a sender may take up its next task
 * @max_dests: most destinations of a message
 * @max_worms: most worms of a plan
 * @max_dst: most entries of a plan's destination lists
 * @scratch_bytes: working space of the policy, for each shard
 * @block_bytes: plan memory of one message
 * @kept: plans that each shard keeps
 * @kept_bytes: bytes of the arrays of one of them
 * @log_reserve: most deliveries of the next cycle
 * @log_short: the log may never be large enough for all deliveries of the run
 */
struct mcfab_engine_run {
	u32 flits;
	u32 packets;
	u32 last_flits;
	u32 least_flits;
	u32 message;
	u32 span;
	u32 last_span;
	bool varied;
	bool weighed;
	bool lone;
	bool tables;
	bool more;
	bool unicasts;
	u16 unicast_arg;
	bool recover;
	bool branching;
	bool held;
	bool lean;
	u32 prep;
	u32 prep_relay;
	u32 startup;
	enum mcfab_rounds_mode rounds;
	enum mcfab_node_busy_mode busy;
	u32 max_dests;
	u32 max_worms;
	u32 max_dst;
	size_t scratch_bytes;
	size_t block_bytes;
	u32 kept;
	size_t kept_bytes;
	u32 log_reserve;
	bool log_short;
};

#endif
