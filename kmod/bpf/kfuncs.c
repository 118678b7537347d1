// SPDX-License-Identifier: GPL-2.0
/*
 * What programs of a policy may call. The verifier checks that the first argument is the view, the
 * request or the header that the program was called with. All else is checked here: a program that
 * asks for what does not exist, or makes what there is no room for, gets MCFAB_NONE or an error.
 * The first such error is noted, and the plan or the decision has failed, whatever else is in it.
 * Its words are few: a refusal has room for 80 letters, those of policy, worm and node included.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

#include "bpf/kfuncs.h"
#include "routing/routing.h"

/* Steps of an iterator between two points at which other processes get the processor. */
#define BREATH	4096

static noinline u32 fault(struct mcfab_bpf_view *view, const char *what)
{
	if (!view->wrong)
		view->wrong = what;
	return MCFAB_NONE;
}

static const char no_node[] = "no such node asked for";
static const char no_labels[] = "labels asked for, where none are";

__bpf_kfunc_start_defs();

/** mcfab_bpf_label() - label of @node on the Hamiltonian path, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_label(struct mcfab_bpf_view *view, u32 node)
{
	const struct mcfab_topo *topo = view->of->topo;

	if (unlikely(node >= topo->nodes))
		return fault(view, no_node);
	return likely(topo->label) ? topo->label[node] : fault(view, no_labels);
}

/** mcfab_bpf_by_label() - the node that has @label, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_by_label(struct mcfab_bpf_view *view, u32 label)
{
	const struct mcfab_topo *topo = view->of->topo;

	if (unlikely(label >= topo->nodes))
		return fault(view, "no such label asked for");
	return likely(topo->by_label) ? topo->by_label[label] : fault(view, no_labels);
}

/** mcfab_bpf_coord() - coordinate of @node in dimension @dim, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_coord(struct mcfab_bpf_view *view, u32 node, u32 dim)
{
	const struct mcfab_topo *topo = view->of->topo;

	if (unlikely(node >= topo->nodes))
		return fault(view, no_node);
	if (unlikely(dim >= topo->ndims))
		return fault(view, "no such dimension asked for");
	return mcfab_topo_coord(topo, node, dim);
}

/** mcfab_bpf_router() - the router on which @node hangs, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_router(struct mcfab_bpf_view *view, u32 node)
{
	const struct mcfab_topo *topo = view->of->topo;

	return likely(node < topo->nodes) ? topo->router[node] : fault(view, no_node);
}

/** mcfab_bpf_peer() - the router behind @port of @router; MCFAB_NONE: no channel leaves by it */
__bpf_kfunc u32 mcfab_bpf_peer(struct mcfab_bpf_view *view, u32 router, u32 port)
{
	const struct mcfab_topo *topo = view->of->topo;

	if (unlikely(router >= topo->routers || port >= topo->ports))
		return fault(view, "no such port asked for");
	return mcfab_topo_neighbour(topo, router, port);
}

/** mcfab_bpf_dst() - destination @i of @req, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_dst(struct mcfab_bpf_req *req, u32 i)
{
	if (unlikely(i >= req->ndst))
		return fault(&req->view, "no such destination asked for");
	return req->dst[i];
}

/**
 * mcfab_bpf_sort_labels() - sort the destinations of @req by label, ascending
 * @req: the request
 *
 * Return: how many have smaller labels than the source.
 */
__bpf_kfunc u32 mcfab_bpf_sort_labels(struct mcfab_bpf_req *req)
{
	const struct mcfab_topo *topo = req->view.of->topo;

	if (unlikely(!topo->label))
		return fault(&req->view, no_labels);
	return mcfab_split_labels(topo, req->source, req->dst, req->ndst);
}

/**
 * mcfab_bpf_worm() - open a new worm at the end of the plan
 * @req: the request
 * @sender: node that sends it
 * @after: the worm for which the sender waits, or MCFAB_NONE
 * @port: forced first port, or MCFAB_PORT_ANY
 * @arg: the policy's word
 *
 * Return: the worm's number, or MCFAB_NONE.
 */
__bpf_kfunc u32 mcfab_bpf_worm(struct mcfab_bpf_req *req, u32 sender, u32 after, u32 port, u32 arg)
{
	struct mcfab_plan *plan = req->plan;

	if (unlikely(plan->nworms >= plan->max_worms))
		return fault(&req->view, "more worms than destinations");
	if (unlikely(sender >= req->view.of->topo->nodes))
		return fault(&req->view, "a worm of no such node");
	if (unlikely(after != MCFAB_NONE && after >= plan->nworms))
		return fault(&req->view, "a worm waits for a later one");
	if (unlikely(port != MCFAB_PORT_ANY && port >= req->view.of->topo->ports))
		return fault(&req->view, "no such port to be forced");
	if (unlikely(arg > U16_MAX))
		return fault(&req->view, "an arg of more than 16 bits");
	return mcfab_plan_worm(plan, sender, after, port, arg);
}

/**
 * mcfab_bpf_plan_dst() - add a destination to the newest worm
 * @req: the request
 * @dst: the node, with MCFAB_DST_RELAY if it only sends on
 *
 * Return: 0 or -EINVAL.
 */
__bpf_kfunc int mcfab_bpf_plan_dst(struct mcfab_bpf_req *req, u32 dst)
{
	struct mcfab_plan *plan = req->plan;
	const char *what = NULL;

	if (unlikely(!plan->nworms))
		what = "a destination without a worm";
	else if (unlikely(plan->ndst >= plan->max_dst))
		what = "more entries than destinations";
	else if (unlikely(req->view.flags & MCFAB_POLICY_SINGLE &&
			  plan->worm[plan->nworms - 1].count))
		what = "a worm with two destinations";
	if (unlikely(what)) {
		fault(&req->view, what);
		return -EINVAL;
	}
	mcfab_plan_dst(plan, dst);
	return 0;
}

/** mcfab_bpf_hdr_dst() - entry @i of the list of @hdr that is left, or MCFAB_NONE */
__bpf_kfunc u32 mcfab_bpf_hdr_dst(struct mcfab_bpf_hdr *hdr, u32 i)
{
	if (unlikely(i < hdr->of->first || i >= hdr->of->last))
		return fault(&hdr->view, "no such destination asked for");
	return mcfab_header_dst(hdr->of, i) & ~(u32)MCFAB_DST_RELAY;
}

/* the way on of a decision; NULL: it has none yet */
static struct mcfab_branch *network_branch(struct mcfab_decision *out)
{
	struct mcfab_branch *b = out->branch + out->nbranches;

	return out->nbranches && b[-1].node == MCFAB_NONE ? b - 1 : NULL;
}

/**
 * mcfab_bpf_branch_node() - deliver an entry at this router
 * @hdr: the header
 * @i: the entry
 *
 * Return: 0 or -EINVAL.
 */
__bpf_kfunc int mcfab_bpf_branch_node(struct mcfab_bpf_hdr *hdr, u32 i)
{
	struct mcfab_decision *out = hdr->out;
	struct mcfab_branch *b = &out->branch[0];

	if (unlikely(out->nbranches || i < hdr->of->first || i >= hdr->of->last)) {
		fault(&hdr->view, out->nbranches ? "a delivery after a branch" :
						   "no such destination to deliver");
		return -EINVAL;
	}
	b->node = mcfab_header_dst(hdr->of, i) & ~(u32)MCFAB_DST_RELAY;
	b->nports = 0;
	b->first = i;
	b->last = i + 1;
	b->state = 0;
	out->nbranches = 1;
	return 0;
}

static bool way_is_bad(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs)
{
	const struct mcfab_view *view = hdr->view.of;
	const struct mcfab_topo *topo = view->topo;
	const char *what = NULL;

	if (unlikely(port >= topo->ports ||
		     topo->peer[mcfab_topo_channel(topo, hdr->of->router, port)] == MCFAB_NONE))
		what = "a port that leads nowhere";
	else if (unlikely(!vcs || vcs & ~(u32)mcfab_vcs_all(view)))
		what = "no such virtual channels";
	if (unlikely(what))
		fault(&hdr->view, what);
	return what;
}

/**
 * mcfab_bpf_branch_port() - send the entries from @first on by a port
 * @hdr: the header
 * @port: the port
 * @vcs: mask of the virtual channels that it may take
 * @first: first entry
 * @state: word for the next decision
 *
 * Return: 0 or -EINVAL.
 */
__bpf_kfunc int mcfab_bpf_branch_port(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs, u32 first,
				      u32 state)
{
	struct mcfab_decision *out = hdr->out;
	struct mcfab_branch *b;

	if (unlikely(way_is_bad(hdr, port, vcs)))
		return -EINVAL;
	if (unlikely(network_branch(out))) {
		fault(&hdr->view, "two ways for a header");
		return -EINVAL;
	}
	if (unlikely(first < hdr->of->first || first >= hdr->of->last)) {
		fault(&hdr->view, "no such destination to send on");
		return -EINVAL;
	}
	b = &out->branch[out->nbranches++];
	b->node = MCFAB_NONE;
	b->nports = 1;
	b->port[0] = port;
	b->vcs[0] = vcs;
	b->first = first;
	b->last = hdr->of->last;
	b->state = state;
	return 0;
}

/**
 * mcfab_bpf_branch_also() - another port by which the entries of mcfab_bpf_branch_port() may go
 * @hdr: the header
 * @port: the port, greater than those before
 * @vcs: mask of the virtual channels that it may take
 *
 * Return: 0 or -EINVAL.
 */
__bpf_kfunc int mcfab_bpf_branch_also(struct mcfab_bpf_hdr *hdr, u32 port, u32 vcs)
{
	struct mcfab_branch *b = network_branch(hdr->out);

	if (unlikely(way_is_bad(hdr, port, vcs)))
		return -EINVAL;
	if (unlikely(!b || b->nports >= MCFAB_MAX_ALTERNATIVES ||
		     port <= b->port[b->nports - 1])) {
		fault(&hdr->view, "ports out of order, or too many");
		return -EINVAL;
	}
	b->port[b->nports] = port;
	b->vcs[b->nports++] = vcs;
	return 0;
}

/* what is in a struct bpf_iter_mcfab_dst */
struct dst_iter {
	struct mcfab_bpf_req *req;
	u32 at;
	u32 end;
	u32 steps;
	bool down;
} __aligned(8);

/**
 * bpf_iter_mcfab_dst_new() - begin to go over the destinations of a request
 * @it: the iterator
 * @req: the request
 * @from: where to begin
 * @to: where to end: greater than @from, it goes up from @from to @to - 1; smaller, it goes down
 *	from @from - 1 to @to
 *
 * Return: 0 or -EINVAL.
 */
__bpf_kfunc int bpf_iter_mcfab_dst_new(struct bpf_iter_mcfab_dst *it, struct mcfab_bpf_req *req,
				       u32 from, u32 to)
{
	struct dst_iter *iter = (void *)it;

	BUILD_BUG_ON(sizeof(*iter) > sizeof(*it));
	BUILD_BUG_ON(__alignof__(*iter) != __alignof__(*it));
	*iter = (struct dst_iter){ .req = req, .at = from, .end = to, .down = to < from };
	if (likely(max(from, to) <= req->ndst))
		return 0;
	fault(&req->view, "no such destinations asked for");
	iter->end = iter->at;
	iter->down = false;
	return -EINVAL;
}

/** bpf_iter_mcfab_dst_next() - the next destination; NULL: no more, or the plan is not needed */
__bpf_kfunc u32 *bpf_iter_mcfab_dst_next(struct bpf_iter_mcfab_dst *it)
{
	struct dst_iter *iter = (void *)it;
	struct mcfab_bpf_req *req = iter->req;

	if (iter->at == iter->end)
		return NULL;
	if (unlikely(!(++iter->steps % BREATH)) && mcfab_policy_resched(req->view.of))
		return NULL;
	return iter->down ? &req->dst[--iter->at] : &req->dst[iter->at++];
}

/** bpf_iter_mcfab_dst_destroy() - the end of an iterator */
__bpf_kfunc void bpf_iter_mcfab_dst_destroy(struct bpf_iter_mcfab_dst *it)
{
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(mcfab_bpf_kfunc_ids)
BTF_ID_FLAGS(func, mcfab_bpf_label, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_by_label, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_coord, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_router, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_peer, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_dst, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_sort_labels, KF_TRUSTED_ARGS | KF_SLEEPABLE)
BTF_ID_FLAGS(func, mcfab_bpf_worm, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_plan_dst, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_hdr_dst, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_branch_node, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_branch_port, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, mcfab_bpf_branch_also, KF_TRUSTED_ARGS)
BTF_ID_FLAGS(func, bpf_iter_mcfab_dst_new, KF_ITER_NEW | KF_TRUSTED_ARGS | KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_iter_mcfab_dst_next, KF_ITER_NEXT | KF_RET_NULL | KF_SLEEPABLE)
BTF_ID_FLAGS(func, bpf_iter_mcfab_dst_destroy, KF_ITER_DESTROY)
BTF_KFUNCS_END(mcfab_bpf_kfunc_ids)

static const struct btf_kfunc_id_set mcfab_bpf_kfunc_set = {
	.owner	= THIS_MODULE,
	.set	= &mcfab_bpf_kfunc_ids,
};

/**
 * mcfab_bpf_kfuncs_register() - make the kfuncs known to BPF
 *
 * Context: May sleep.
 * Return: 0 or a negative error code.
 */
int mcfab_bpf_kfuncs_register(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_STRUCT_OPS, &mcfab_bpf_kfunc_set);
}
