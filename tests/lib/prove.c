// SPDX-License-Identifier: GPL-2.0
/* The verdict on a fabric and a run of it. */
#include "fabric/replay.h"
#include "lib/capture.h"
#include "lib/prove.h"
#include "subnet/subnet.h"

#include "lib/tap.h"

static void note_messages(const struct mcfab_verify *v, struct proof *out)
{
	u32 i, n, *all = calloc(v->pol->view.topo->nodes, sizeof(*all));

	for (i = 0; i < out->v.length; i++) {
		n = mcfab_verify_set(v, out->v.cycle[i].plan, &out->source[i], all);
		out->ndst[i] = min(n, 64U);
		memcpy(out->dst[i], all, out->ndst[i] * sizeof(*all));
	}
	free(all);
}

void prove(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc, u32 dests,
	   u32 samples, struct proof *out)
{
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f = mcfab_fabric_create(fc, &err);
	struct mcfab_verify_cfg cfg = { .dests = dests, .samples = samples };
	struct mcfab_subnet *fresh = NULL;
	struct mcfab_policy pol;
	struct mcfab_verify v;
	struct mcfab_view view;
	int ret;

	if (IS_ERR(f))
		fail_msg("fabric: %s", err.msg);
	mcfab_verify_fabric(&cfg, &f->cfg, &f->topo);
	view = f->view;
	view.load = true;
	ret = mcfab_fabric_packets(f, rc->policy, rc->flits, rc->mtu,
				   rc->headers ? view.topo->nodes - 1 : 0, &view, &err);
	if (!ret)
		ret = mcfab_fabric_imply(f, rc->policy, &view, &fresh, &err);
	if (!ret)
		ret = mcfab_policy_open(&pol, rc->policy, &view, rc->set, rc->nset, &err);
	if (ret)
		fail_msg("policy %s: %s", rc->policy, err.msg);
	assert_int_equal(mcfab_verify_open(&v, &pol, &cfg), 0);
	while ((ret = mcfab_verify_step(&v)) == 1)
		;
	memset(out, 0, sizeof(*out));
	out->ret = ret;
	if (ret)
		strcpy(out->why, v.e.blame.what ?: "no blame");
	out->v = v.v;
	out->scope = mcfab_verify_scope(&v);
	note_messages(&v, out);
	mcfab_verify_close(&v);
	mcfab_policy_close(&pol);
	mcfab_subnet_destroy(fresh);
	mcfab_fabric_destroy(f);
}

/* a copy, as the search goes on with its own */
static struct mcfab_msg_list *copy_list(const struct mcfab_msg_list *from)
{
	struct mcfab_msg_list *to = list_new(from->nmsgs, from->ndst);

	memcpy(to->cycle, from->cycle, from->nmsgs * sizeof(*to->cycle));
	memcpy(to->source, from->source, from->nmsgs * sizeof(*to->source));
	memcpy(to->first, from->first, (from->nmsgs + 1) * sizeof(*to->first));
	memcpy(to->dst, from->dst, from->ndst * sizeof(*to->dst));
	to->ndst = from->ndst;
	return to;
}

bool find_deadlock(const struct mcfab_fabric_cfg *fc, const struct mcfab_run_cfg *rc,
		   const struct proof *p, u32 crowds, struct mcfab_msg_list **list)
{
	struct mcfab_suspect suspect[MCFAB_WAIT_CYCLE];
	struct mcfab_replay r;
	struct mcfab_err err = { 0 };
	u32 i, n = 0;
	bool found;
	int ret;

	for (i = 0; i < p->v.length; i++)
		if (p->ndst[i])
			suspect[n++] = (struct mcfab_suspect){
				.source = p->source[i], .ndst = p->ndst[i],
				.dst = (u32 *)p->dst[i],
			};
	assert_int_equal(mcfab_replay_open(&r, fc, rc, 10, &err), 0);
	/* of few nodes, no more */
	r.most = min(r.most, r.fabric->topo.nodes - 1);
	r.suspect = suspect;
	r.nsuspects = n;
	r.crowds = crowds;
	while ((ret = mcfab_replay_step(&r, &err)) == 1)
		;
	if (ret) {
		print_config(fc, rc);
		fail_msg("replay: %d: %s", ret, err.msg);
	}
	found = mcfab_replay_found(&r);
	if (found)
		*list = copy_list(&r.list);
	mcfab_replay_close(&r);
	return found;
}
