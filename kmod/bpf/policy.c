// SPDX-License-Identifier: GPL-2.0
/*
 * Policies in BPF. Each is wrapped in a struct mcfab_policy_ops and registered like one in C, so
 * that the rest of mcfab knows no difference.
 *
 * A policy may be unloaded while a run uses it. Then the run ends as failed and names the policy,
 * as a scheduler of sched_ext is thrown out: whoever unloads need not wait for a run, and nothing
 * of BPF is called afterwards. So the wrapper lives until its last user is gone, and the programs
 * until they are unloaded: unreg() waits for calls that are under way, and forbids others.
 */
#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/btf.h>
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/slab.h>

#include "bpf/bpf.h"

/**
 * struct wrapper - a policy in BPF as a policy
 * @ops: the policy
 * @refs: one of the registration, one of each user of @ops
 * @calls: read: programs run; write: they are taken away
 * @bpf: the programs, which belong to BPF; NULL: unloaded
 * @vcs: copies of what is in @bpf, for calls that need no program
 * @unicast_arg: likewise
 * @name: likewise
 * @title: likewise
 * @list: all that are registered
 */
struct wrapper {
	struct mcfab_policy_ops ops;
	struct kref refs;
	struct percpu_rw_semaphore calls;
	const struct mcfab_bpf_policy *bpf;
	u32 vcs;
	u16 unicast_arg;
	char name[MCFAB_NAME_LEN];
	char title[MCFAB_BPF_TITLE_LEN];
	struct list_head list;
};

/* private area of a policy in a run or a request for a plan */
struct bpf_priv {
	struct wrapper *wrapper;
	const char *wrong;
};

static DEFINE_MUTEX(wrappers_lock);
static LIST_HEAD(wrappers);

static void wrapper_free(struct kref *refs)
{
	struct wrapper *w = container_of(refs, struct wrapper, refs);

	percpu_free_rwsem(&w->calls);
	kfree(w);
}

static void wrapper_hold(const struct mcfab_policy_ops *ops)
{
	kref_get(&container_of(ops, struct wrapper, ops)->refs);
}

static void wrapper_release(const struct mcfab_policy_ops *ops)
{
	struct wrapper *w = container_of(ops, struct wrapper, ops);

	kref_put(&w->refs, wrapper_free);
}

static int wrapper_init(const struct mcfab_view *view, const u32 *values, void *priv,
			struct mcfab_err *err)
{
	/* a view that a policy is called with is that of its struct mcfab_policy */
	struct mcfab_policy *pol = container_of(view, struct mcfab_policy, view);
	struct wrapper *w = container_of(pol->ops, struct wrapper, ops);
	struct bpf_priv *p = priv;

	p->wrapper = w;
	if (view->updown)
		return mcfab_refuse(err, -EOPNOTSUPP, 0,
				    "policy %s: BPF knows no routing updown", w->name);
	if (view->vcs < w->vcs)
		return mcfab_refuse(err, -EOPNOTSUPP, 0, "%s needs vcs %u, the fabric has %u",
				    w->name, w->vcs, view->vcs);
	return 0;
}

static __always_inline struct mcfab_bpf_view see(const struct mcfab_view *view,
						 const struct wrapper *w)
{
	const struct mcfab_topo *topo = view->topo;

	return (struct mcfab_bpf_view){
		.nodes = topo->nodes,
		.routers = topo->routers,
		.ports = topo->ports,
		.dims = topo->ndims,
		.vcs = view->vcs,
		.serves = topo->ops->serve,
		.inject = view->inject,
		.flags = w->ops.flags,
		.of = view,
	};
}

/* The first error is kept, for wrapper_wrong(). Threads may make errors at once: any will do. */
static noinline void note(const void *priv, const char *wrong)
{
	struct bpf_priv *p = (struct bpf_priv *)priv;

	if (!READ_ONCE(p->wrong))
		WRITE_ONCE(p->wrong, wrong);
}

static const char *wrapper_wrong(const void *priv)
{
	const struct bpf_priv *p = priv;

	return READ_ONCE(p->wrong);
}

static const char unloaded[] = "it has been unloaded";

static void wrapper_prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
			    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	struct wrapper *w = ((const struct bpf_priv *)priv)->wrapper;
	struct mcfab_bpf_req req = {
		.view = see(view, w),
		.source = source,
		.ndst = ndst,
		.dst = dst,
		.plan = plan,
	};

	percpu_down_read(&w->calls);
	if (likely(w->bpf))
		w->bpf->prepare(&req);
	else
		req.view.wrong = unloaded;
	percpu_up_read(&w->calls);
	if (likely(!req.view.wrong))
		return;
	note(priv, req.view.wrong);
	/* no plan, so that the caller asks for the reason */
	plan->nworms = 0;
	plan->ndst = 0;
}

static void wrapper_route(const struct mcfab_view *view, const void *priv,
			  const struct mcfab_header *from, struct mcfab_decision *out)
{
	struct wrapper *w = ((const struct bpf_priv *)priv)->wrapper;
	struct mcfab_bpf_hdr hdr = {
		.view = see(view, w),
		.router = from->router,
		.in_port = from->in_port,
		.in_vc = from->in_vc,
		.sender = from->sender,
		.first_port = from->first_port,
		.arg = from->arg,
		.serial = from->serial,
		.state = from->state,
		.first = from->first,
		.last = from->last,
		.of = from,
		.out = out,
	};

	percpu_down_read(&w->calls);
	if (likely(w->bpf))
		w->bpf->route(&hdr);
	else
		hdr.view.wrong = unloaded;
	percpu_up_read(&w->calls);
	if (likely(!hdr.view.wrong))
		return;
	note(priv, hdr.view.wrong);
	out->nbranches = 0;
}

static u16 wrapper_unicast_arg(const void *priv)
{
	return ((const struct bpf_priv *)priv)->wrapper->unicast_arg;
}

static int policy_reg(void *kdata, struct bpf_link *link)
{
	const struct mcfab_bpf_policy *bpf = kdata;
	struct wrapper *w;
	int err;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	w = kzalloc(sizeof(*w), GFP_KERNEL_ACCOUNT);
	if (!w)
		return -ENOMEM;
	err = percpu_init_rwsem(&w->calls);
	if (err) {
		kfree(w);
		return err;
	}
	kref_init(&w->refs);
	w->bpf = bpf;
	w->vcs = bpf->vcs;
	w->unicast_arg = bpf->unicast_arg;
	strscpy(w->name, bpf->name);
	strscpy(w->title, bpf->title);
	w->ops = (struct mcfab_policy_ops){
		.owner = THIS_MODULE,
		.name = w->name,
		.title = w->title,
		.flags = bpf->flags,
		.prep = bpf->prep,
		.priv_size = sizeof(struct bpf_priv),
		.init = wrapper_init,
		.prepare = wrapper_prepare,
		.route = wrapper_route,
		.unicast_arg = wrapper_unicast_arg,
		.hold = wrapper_hold,
		.release = wrapper_release,
		.wrong = wrapper_wrong,
	};
	mutex_lock(&wrappers_lock);
	err = mcfab_policy_register(&w->ops);
	if (!err)
		list_add(&w->list, &wrappers);
	mutex_unlock(&wrappers_lock);
	if (err)
		kref_put(&w->refs, wrapper_free);
	return err;
}

static void policy_unreg(void *kdata, struct bpf_link *link)
{
	struct wrapper *w, *found = NULL;

	mutex_lock(&wrappers_lock);
	list_for_each_entry(w, &wrappers, list)
		if (w->bpf == kdata)
			found = w;
	if (found)
		list_del(&found->list);
	mutex_unlock(&wrappers_lock);
	if (WARN_ON_ONCE(!found))
		return;
	mcfab_policy_unregister(&found->ops);
	percpu_down_write(&found->calls);
	found->bpf = NULL;
	percpu_up_write(&found->calls);
	kref_put(&found->refs, wrapper_free);
}

/* The name becomes a user's word; the kernel's own copy has to end in a NUL, as the title has. */
static bool text_valid(const char *text, size_t room, bool name)
{
	size_t len = strnlen(text, room), i;

	for (i = 0; i < len; i++)
		if (name ? !isalnum(text[i]) && !strchr("-_", text[i]) : !isprint(text[i]))
			return false;
	return len && len < room;
}

static int policy_init_member(const struct btf_type *t, const struct btf_member *member,
			      void *kdata, const void *udata)
{
	const struct mcfab_bpf_policy *from = udata;
	struct mcfab_bpf_policy *to = kdata;

	switch (__btf_member_bit_offset(t, member) / 8) {
	case offsetof(struct mcfab_bpf_policy, flags):
		if (!(from->flags & MCFAB_BPF_SERVES) || from->flags & ~MCFAB_BPF_FLAGS)
			return -EINVAL;
		to->flags = from->flags;
		return 1;
	case offsetof(struct mcfab_bpf_policy, vcs):
		to->vcs = from->vcs;
		return 1;
	case offsetof(struct mcfab_bpf_policy, prep):
		to->prep = from->prep;
		return 1;
	case offsetof(struct mcfab_bpf_policy, unicast_arg):
		if (from->unicast_arg > U16_MAX)
			return -EINVAL;
		to->unicast_arg = from->unicast_arg;
		return 1;
	case offsetof(struct mcfab_bpf_policy, name):
		if (!text_valid(from->name, sizeof(from->name), true))
			return -EINVAL;
		strscpy(to->name, from->name);
		return 1;
	case offsetof(struct mcfab_bpf_policy, title):
		if (!text_valid(from->title, sizeof(from->title), false))
			return -EINVAL;
		strscpy(to->title, from->title);
		return 1;
	}
	return 0;
}

static int policy_validate(void *kdata)
{
	const struct mcfab_bpf_policy *bpf = kdata;

	return bpf->prepare && bpf->route ? 0 : -EINVAL;
}

/* Headers are many, and are decided on in a short time: only plans may sleep. */
static int policy_check_member(const struct btf_type *t, const struct btf_member *member,
			       const struct bpf_prog *prog)
{
	u32 at = __btf_member_bit_offset(t, member) / 8;

	return prog->sleepable && at != offsetof(struct mcfab_bpf_policy, prepare) ? -EINVAL : 0;
}

static int policy_btf_init(struct btf *btf)
{
	return 0;
}

/*
 * Results may depend on nothing but the arguments: of the helpers there are none with a clock, a
 * random number, the processor's number, or output.
 */
static const struct bpf_func_proto *policy_func_proto(enum bpf_func_id func_id,
						      const struct bpf_prog *prog)
{
	switch (func_id) {
	case BPF_FUNC_map_lookup_elem:
	case BPF_FUNC_loop:
		return bpf_base_func_proto(func_id, prog);
	default:
		return NULL;
	}
}

static bool policy_valid_access(int off, int size, enum bpf_access_type type,
				const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	if (off < 0 || off >= sizeof(u64) * MAX_BPF_FUNC_ARGS || type != BPF_READ || off % size)
		return false;
	return btf_ctx_access(off, size, type, prog, info);
}

static const struct bpf_verifier_ops policy_verifier_ops = {
	.get_func_proto		= policy_func_proto,
	.is_valid_access	= policy_valid_access,
};

static void mcfab_bpf_prepare_stub(struct mcfab_bpf_req *req)
{
}

static void mcfab_bpf_route_stub(struct mcfab_bpf_hdr *hdr)
{
}

static struct mcfab_bpf_policy stubs = {
	.prepare	= mcfab_bpf_prepare_stub,
	.route		= mcfab_bpf_route_stub,
};

static struct bpf_struct_ops policy_struct_ops = {
	.verifier_ops	= &policy_verifier_ops,
	.init		= policy_btf_init,
	.check_member	= policy_check_member,
	.init_member	= policy_init_member,
	.validate	= policy_validate,
	.reg		= policy_reg,
	.unreg		= policy_unreg,
	.cfi_stubs	= &stubs,
	.name		= "mcfab_bpf_policy",
	.owner		= THIS_MODULE,
};

static int __init mcfab_bpf_init(void)
{
	return mcfab_bpf_kfuncs_register() ?:
	       register_bpf_struct_ops(&policy_struct_ops, mcfab_bpf_policy);
}

/* BPF forgets what this module registered when it forgets the module's types. */
static void __exit mcfab_bpf_exit(void)
{
}

module_init(mcfab_bpf_init);
module_exit(mcfab_bpf_exit);
MODULE_DESCRIPTION("mcfab: policies in BPF");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MCFAB);
