/* SPDX-License-Identifier: GPL-2.0 */
/* Can the worms of a policy wait for each other for ever? In steps that can be interrupted. */
#ifndef MCFAB_VERIFY_VERIFY_H
#define MCFAB_VERIFY_VERIFY_H

#include "verify/explore.h"
#include "verify/verdict.h"

/** MCFAB_VERIFY_MOST - most plans that are looked at one by one without being asked for */
#define MCFAB_VERIFY_MOST	20000000ULL

/**
 * struct mcfab_verify_cfg - what is to be verified
 * @dests: sets of up to so many destinations; 0: any
 * @samples: plans of random sets
 * @unicasts: background unicasts, too
 * @any_only: only a proof for any destinations counts: no plans are looked at as evidence
 * @rules: rules of the fabric
 * @seed: of the random sets
 */
struct mcfab_verify_cfg {
	u32 dests;
	u32 samples;
	bool unicasts;
	bool any_only;
	struct mcfab_wait_rules rules;
	u64 seed;
};

/**
 * enum mcfab_verify_stage - a part of the work
 * @MCFAB_VERIFY_TURNS: all turns that the policy allows
 * @MCFAB_VERIFY_UNICASTS: background unicasts
 * @MCFAB_VERIFY_SETS: every set of up to so many destinations
 * @MCFAB_VERIFY_TREES: every multicast LID from every source
 * @MCFAB_VERIFY_SAMPLES: random sets
 * @MCFAB_VERIFY_JUDGE: the verdict
 * @MCFAB_VERIFY_END: there is nothing left to do
 */
enum mcfab_verify_stage {
	MCFAB_VERIFY_TURNS,
	MCFAB_VERIFY_UNICASTS,
	MCFAB_VERIFY_SETS,
	MCFAB_VERIFY_TREES,
	MCFAB_VERIFY_SAMPLES,
	MCFAB_VERIFY_JUDGE,
	MCFAB_VERIFY_END,
};

/**
 * struct mcfab_verify - a policy being verified
 * @cfg: what is asked for
 * @pol: the policy
 * @w: what waits for what
 * @e: room to explore worms in
 * @v: the verdict, when @stage is END
 * @plan: the plan under way
 * @scratch: of the policy's prepare()
 * @dst: [nodes] its destinations
 * @stage: what comes next
 * @count: destinations of the sets of stage SETS
 * @next: next plan of the stage
 * @last: one past the last
 * @plans: plans looked at so far
 * @most: sets of up to so many destinations were looked at, all of them; 0: none
 * @known: edges of the graph before random sets were looked at
 * @turns: the graph has all turns that the policy allows: it stands for any destinations
 */
struct mcfab_verify {
	struct mcfab_verify_cfg cfg;
	const struct mcfab_policy *pol;
	struct mcfab_waits w;
	struct mcfab_explore e;
	struct mcfab_judgement v;
	struct mcfab_plan plan;
	void *scratch;
	u32 *dst;
	enum mcfab_verify_stage stage;
	u32 count;
	u64 next;
	u64 last;
	u64 plans;
	u32 most;
	u32 known;
	bool turns;
};

/** mcfab_plan_number() - number of a plan: its stage, the size of its sets, its place there */
static inline u64 mcfab_plan_number(enum mcfab_verify_stage stage, u32 size, u64 place)
{
	/* sizes up to the most nodes; places of big sets are random, and few */
	return (u64)stage << 60 | (u64)size << 39 | place;
}

/** mcfab_plan_stage() - stage of a plan */
static inline enum mcfab_verify_stage mcfab_plan_stage(u64 plan)
{
	return plan >> 60;
}

/** mcfab_plan_size() - size of a plan's set, of a random one the most */
static inline u32 mcfab_plan_size(u64 plan)
{
	return plan >> 39 & (BIT(21) - 1);
}

/** mcfab_plan_place() - place of a plan in its stage */
static inline u64 mcfab_plan_place(u64 plan)
{
	return plan & (BIT_ULL(39) - 1);
}

int mcfab_verify_open(struct mcfab_verify *v, const struct mcfab_policy *pol,
		      const struct mcfab_verify_cfg *cfg);
void mcfab_verify_close(struct mcfab_verify *v);
int mcfab_verify_step(struct mcfab_verify *v);
enum mcfab_verify_scope mcfab_verify_scope(const struct mcfab_verify *v);

void mcfab_verify_fabric(struct mcfab_verify_cfg *cfg, const struct mcfab_fabric_cfg *fabric,
			 const struct mcfab_topo *topo);

/* sets.c */
u64 mcfab_sets_count(const struct mcfab_topo *topo, u32 ndst);
bool mcfab_set_at(const struct mcfab_view *view, u64 number, u32 ndst, u32 *source, u32 *dst);
u32 mcfab_set_random(const struct mcfab_view *view, u64 seed, u64 number, u32 most, u32 *source,
		     u32 *dst);
u32 mcfab_verify_set(const struct mcfab_verify *v, u64 plan, u32 *source, u32 *dst);

#endif
