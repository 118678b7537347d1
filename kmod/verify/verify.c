// SPDX-License-Identifier: GPL-2.0
/*
 * Verification of a policy on a fabric, step by step: which plans are looked at, and for which
 * destinations their graph stands.
 *
 * If the policy knows its turns, the graph of all of them comes first. If it has no cycle, nothing
 * can deadlock, whatever the destinations; random plans then test that worms keep to the turns.
 * Otherwise plans are made and their worms explored: of every set of one destination, where that
 * stands for all sets; of all sets of up to so many destinations; of random sets.
 */
#include "base/job.h"
#include "base/memory.h"
#include "plan/walk.h"
#include "subnet/subnet.h"
#include "verify/turns.h"
#include "verify/verify.h"

/* Entries of worms between two steps: some 10 ms */
#define STEP		200000
/* Plans for many destinations, which may be many, that test a policy of single destinations. */
#define SINGLE_SAMPLES	100U

/* Do plans for one destination each have all worms that other plans have? */
static bool is_single(const struct mcfab_policy *pol)
{
	return pol->ops->flags & (MCFAB_POLICY_SINGLE | MCFAB_POLICY_TABLE);
}

static bool is_table(const struct mcfab_verify *v)
{
	return v->pol->ops->flags & MCFAB_POLICY_TABLE;
}

/* Are plans not to be looked at, as they would be evidence and no proof? */
static bool ends_here(const struct mcfab_verify *v)
{
	return v->cfg.any_only && !is_single(v->pol);
}

/* The largest sets that are looked at one by one. */
static u32 most_dests(const struct mcfab_verify *v)
{
	const struct mcfab_topo *topo = v->pol->view.topo;
	u32 most = v->cfg.dests ?: 2, k;

	if (is_single(v->pol))
		return 1;
	for (k = 1; k < most && k < topo->nodes - 1; k++)
		if (mcfab_sets_count(topo, k + 1) > MCFAB_VERIFY_MOST)
			break;
	return k;
}

static void begin_stage(struct mcfab_verify *v, enum mcfab_verify_stage stage, u64 plans)
{
	v->stage = stage;
	v->next = 0;
	v->last = plans;
}

static void begin_sets(struct mcfab_verify *v, u32 count)
{
	v->count = count;
	begin_stage(v, MCFAB_VERIFY_SETS, mcfab_sets_count(v->pol->view.topo, count));
}

static void begin_unicasts(struct mcfab_verify *v)
{
	v->count = 1;
	begin_stage(v, MCFAB_VERIFY_UNICASTS, v->cfg.unicasts ?
		    mcfab_sets_count(v->pol->view.topo, 1) : 0);
}

/* Random sets: evidence, or a test of what the policy declares about its worms. */
static void begin_samples(struct mcfab_verify *v)
{
	u32 samples = v->cfg.samples;

	v->count = v->cfg.dests ?: v->pol->view.topo->nodes - 1;
	v->e.checks = v->turns;
	v->known = v->w.edges.count;
	if (!v->turns && (is_table(v) || (v->cfg.dests && v->most >= v->cfg.dests)))
		samples = 0;
	else if (!v->turns && is_single(v->pol))
		samples = min(samples, SINGLE_SAMPLES);
	begin_stage(v, MCFAB_VERIFY_SAMPLES, samples);
}

/* Plans for many destinations have worms that plans for one do not have. */
static bool is_not_single(const struct mcfab_verify *v)
{
	return v->stage == MCFAB_VERIFY_SAMPLES && !v->turns && is_single(v->pol) &&
	       v->w.edges.count > v->known;
}

/* What comes after a stage. */
static void end_stage(struct mcfab_verify *v)
{
	switch (v->stage) {
	case MCFAB_VERIFY_TURNS:
		begin_unicasts(v);
		return;
	case MCFAB_VERIFY_UNICASTS:
		if (v->turns)
			begin_stage(v, MCFAB_VERIFY_JUDGE, 0);
		else
			begin_sets(v, 1);
		return;
	case MCFAB_VERIFY_SETS:
		v->most = v->count;
		if (v->count < most_dests(v))
			begin_sets(v, v->count + 1);
		else
			begin_stage(v, MCFAB_VERIFY_TREES, is_table(v) ?
				    (u64)MCFAB_MLIDS * v->pol->view.topo->nodes : 0);
		return;
	case MCFAB_VERIFY_TREES:
		begin_samples(v);
		return;
	case MCFAB_VERIFY_SAMPLES:
		begin_stage(v, v->turns ? MCFAB_VERIFY_END : MCFAB_VERIFY_JUDGE, 0);
		return;
	default:
		begin_stage(v, MCFAB_VERIFY_END, 0);
	}
}

/**
 * mcfab_verify_fabric() - what counts of a fabric that policies do not see
 * @cfg: @rules and @seed are set
 * @fabric: the fabric
 * @topo: its network
 *
 * Where packets need room for all of them, a short packet may find room for which an older, longer
 * one waits, if FIFOs hold several packets, or credits come one by one after the last packet: then
 * requests are not served in turn.
 *
 * Context: Any.
 */
void mcfab_verify_fabric(struct mcfab_verify_cfg *cfg, const struct mcfab_fabric_cfg *fabric,
			 const struct mcfab_topo *topo)
{
	bool wormhole = fabric->switching == MCFAB_SWITCHING_MODE_WORMHOLE;
	bool several = fabric->vc_release == MCFAB_VC_RELEASE_MODE_SENT;

	cfg->rules.ports = mcfab_has_ports(topo, fabric);
	cfg->rules.in_turn = fabric->allocator == MCFAB_ALLOCATOR_MODE_OLDEST &&
			     (wormhole || (!several && !fabric->credit_delay));
	cfg->rules.queue = wormhole && several;
	cfg->rules.memory = fabric->ni_memory;
	cfg->seed = fabric->seed;
}

/**
 * mcfab_verify_open() - begin to verify a policy
 * @v: set up
 * @pol: the policy; longer in use than @v
 * @cfg: what to verify
 *
 * Context: May sleep.
 * Return: 0, -ENOMEM; mcfab_verify_close() frees what there is in both cases.
 */
int mcfab_verify_open(struct mcfab_verify *v, const struct mcfab_policy *pol,
		      const struct mcfab_verify_cfg *cfg)
{
	u32 most = pol->view.topo->nodes - 1;
	size_t scratch;
	int ret;

	memset(v, 0, sizeof(*v));
	v->cfg = *cfg;
	v->pol = pol;
	v->plan.group = MCFAB_NONE;
	if (!pol->ops->forward || pol->ops->forward(pol->priv) == MCFAB_FORWARD_HOST)
		v->cfg.rules.memory = false;
	mcfab_waits_open(&v->w, &pol->view, &v->cfg.rules);
	ret = mcfab_explore_open(&v->e, &v->w, pol);
	if (ret)
		return ret;
	mcfab_plan_bounds(pol, max(most, 1U), &v->plan.max_worms, &v->plan.max_dst, &scratch);
	v->plan.worm = mcfab_memory_alloc(v->plan.max_worms, sizeof(*v->plan.worm));
	v->plan.dst = mcfab_memory_alloc(v->plan.max_dst, sizeof(*v->plan.dst));
	v->scratch = mcfab_memory_zalloc(1, scratch);
	v->dst = mcfab_memory_alloc(pol->view.topo->nodes, sizeof(*v->dst));
	if (!v->plan.worm || !v->plan.dst || !v->scratch || !v->dst)
		return -ENOMEM;
	v->turns = !cfg->dests && mcfab_turns_known(&v->w, pol);
	if (v->turns)
		begin_stage(v, MCFAB_VERIFY_TURNS, 1);
	else if (ends_here(v))
		begin_stage(v, MCFAB_VERIFY_END, 0);
	else
		begin_unicasts(v);
	return 0;
}

/**
 * mcfab_verify_close() - free a verification
 * @v: the verification
 *
 * Context: May sleep.
 */
void mcfab_verify_close(struct mcfab_verify *v)
{
	mcfab_memory_free(v->plan.worm);
	mcfab_memory_free(v->plan.dst);
	mcfab_memory_free(v->scratch);
	mcfab_memory_free(v->dst);
	mcfab_explore_close(&v->e);
	mcfab_waits_close(&v->w);
}

/* Packets of tables may choose lanes by their number. */
static int explore(struct mcfab_verify *v, const struct mcfab_plan_worm *worm, const u32 *dst)
{
	const struct mcfab_view *view = &v->pol->view;
	u32 serial, serials = 1;
	int ret = 0;

	if (is_table(v))
		serials = view->subnet->levels.vl ? MCFAB_SLS : view->vcs;
	for (serial = 0; !ret && serial < serials; serial++)
		ret = mcfab_explore_worm(&v->e, worm, dst, serial);
	return ret;
}

static int explore_plan(struct mcfab_verify *v, u32 source, u32 ndst)
{
	int ret = mcfab_plan_prepare(v->pol, source, v->dst, ndst, &v->plan, v->scratch,
				     &v->e.blame);
	u32 i;

	for (i = 0; !ret && i < v->plan.nworms; i++) {
		ret = explore(v, &v->plan.worm[i], v->plan.dst + v->plan.worm[i].first);
		if (ret)
			v->e.blame.worm = i;
	}
	return ret;
}

static int explore_unicast(struct mcfab_verify *v, u32 source, u32 dst)
{
	const struct mcfab_policy_ops *ops = v->pol->ops;
	struct mcfab_plan_worm worm = {
		.sender = source, .after = MCFAB_NONE, .count = 1, .step = 1,
		.port = MCFAB_PORT_ANY,
		.arg = ops->unicast_arg ? ops->unicast_arg(v->pol->priv) : 0,
	};

	return explore(v, &worm, &dst);
}

/* A packet of a multicast LID from a source; where it goes depends on no destination. */
static int explore_tree(struct mcfab_verify *v, u32 mlid, u32 source)
{
	const struct mcfab_subnet *sn = v->pol->view.subnet;
	struct mcfab_plan_worm worm = {
		.sender = source, .after = MCFAB_NONE, .count = 1, .step = 1,
		.port = MCFAB_PORT_ANY, .arg = MCFAB_MULTICAST_LID_MIN + mlid,
	};
	u32 dst = !source;

	if (!sn->mft[mlid] || !mcfab_mft_has_source(sn, sn->mft[mlid], source))
		return 0;
	v->plans++;
	return explore(v, &worm, &dst);
}

static int take_plan(struct mcfab_verify *v)
{
	const struct mcfab_view *view = &v->pol->view;
	u32 source, ndst = v->count, nodes = view->topo->nodes;

	if (v->stage == MCFAB_VERIFY_TREES)
		return explore_tree(v, v->next / nodes, v->next % nodes);
	if (v->stage == MCFAB_VERIFY_SAMPLES)
		ndst = mcfab_set_random(view, v->cfg.seed, v->next, v->count, &source, v->dst);
	else if (!mcfab_set_at(view, v->next, ndst, &source, v->dst))
		ndst = 0;
	if (!ndst)
		return 0;
	v->plans++;
	if (v->stage == MCFAB_VERIFY_UNICASTS)
		return explore_unicast(v, source, v->dst[0]);
	return explore_plan(v, source, ndst);
}

static int take_plans(struct mcfab_verify *v)
{
	u64 end = v->e.work + STEP;
	int ret = 0;

	/* a number that is no set is some work, too */
	for (; !ret && v->next < v->last && v->e.work < end; v->next++, v->e.work++) {
		v->w.plan = mcfab_plan_number(v->stage, v->count, v->next);
		ret = take_plan(v);
	}
	if (!ret && v->next == v->last) {
		if (is_not_single(v))
			return mcfab_blame(&v->e.blame,
					   "worms differ from plans for one destination",
					   MCFAB_NONE, MCFAB_NONE);
		end_stage(v);
	}
	return ret ?: mcfab_job_step(v->next, v->last);
}

/* The turns have a cycle, which may be one that no worms make: look at plans instead. */
static int start_over(struct mcfab_verify *v)
{
	mcfab_waits_close(&v->w);
	mcfab_waits_open(&v->w, &v->pol->view, &v->cfg.rules);
	v->turns = false;
	v->e.checks = false;
	begin_unicasts(v);
	return 1;
}

static int judge(struct mcfab_verify *v)
{
	int ret = mcfab_judge(&v->w, &v->v);

	if (ret)
		return ret;
	if (v->turns && !v->v.free && !ends_here(v))
		return start_over(v);
	if (v->turns && v->v.free)
		begin_samples(v);
	else
		end_stage(v);
	return 0;
}

/**
 * mcfab_verify_step() - go on verifying
 * @v: verification
 *
 * Context: May sleep, with scheduling points. Plans take some 10 ms for each step; all turns, and
 * the verdict, are a step each, whose time is in proportion to the edges of the graph.
 * Return: 1: go on; 0: the verdict is there; -ENOMEM; -EINTR: the process is being killed; other
 * negative errors: the policy's fault, see @v->e.blame.
 */
int mcfab_verify_step(struct mcfab_verify *v)
{
	int ret = 0;

	switch (v->stage) {
	case MCFAB_VERIFY_END:
		return 0;
	case MCFAB_VERIFY_TURNS:
		ret = mcfab_turns_add(&v->w, v->pol);
		if (!ret)
			end_stage(v);
		break;
	case MCFAB_VERIFY_JUDGE:
		ret = judge(v);
		break;
	default:
		ret = take_plans(v);
	}
	return ret < 0 ? ret : v->stage != MCFAB_VERIFY_END;
}

/**
 * mcfab_verify_scope() - for which destinations does the verdict stand?
 * @v: a verification that has ended
 *
 * Context: Any.
 * Return: the scope.
 */
enum mcfab_verify_scope mcfab_verify_scope(const struct mcfab_verify *v)
{
	if (v->turns)
		return MCFAB_VERIFY_SCOPE_TURNS;
	if (is_table(v))
		return MCFAB_VERIFY_SCOPE_TABLES;
	if (is_single(v->pol))
		return MCFAB_VERIFY_SCOPE_SINGLE;
	if (v->cfg.dests && v->most >= v->cfg.dests)
		return MCFAB_VERIFY_SCOPE_SETS;
	return MCFAB_VERIFY_SCOPE_SAMPLES;
}
