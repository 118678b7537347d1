// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that threads work on. A thread belongs to whoever has made the request: it is in
 * the same cgroups, has the same credentials, and its memory is charged to the same cgroup.
 * It is stopped when the requester closes the socket, as nobody waits for an answer then.
 *
 * The handler returns -EINTR, on which netlink sends no acknowledgment, as for a dump; the
 * thread sends it, behind the answer.
 */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/netlink.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "control/nl_job.h"
#include "core/thread.h"

/* Threads of a namespace: who has so many at work may not ask for more. */
#define MCFAB_NL_JOBS	16

/**
 * struct mcfab_nl_deferred - what a thread needs to serve a request
 * @list: in the list of all of them
 * @job: the request
 * @thread: who works on it
 * @stop: it is to give up
 * @closed: nobody waits for an answer: another socket may have the number of the one that did
 * @skb: the request's message, held; its sender's socket is held, too
 * @info: a copy of what the handler was given
 * @extack: why it is refused
 * @cred: the requester's
 * @memcg: the requester's, or NULL
 * @reap: frees all this
 */
struct mcfab_nl_deferred {
	struct list_head list;
	struct mcfab_nl_job *job;
	struct task_struct *thread;
	bool stop;
	bool closed;
	struct sk_buff *skb;
	struct genl_info info;
	struct netlink_ext_ack extack;
	const struct cred *cred;
	struct mem_cgroup *memcg;
	struct work_struct reap;
};

static LIST_HEAD(mcfab_nl_deferred_list);
static DEFINE_MUTEX(mcfab_nl_deferred_lock);
static DECLARE_WAIT_QUEUE_HEAD(mcfab_nl_deferred_wake);
static struct workqueue_struct *mcfab_nl_reaper;

static void mcfab_nl_deferred_free(struct mcfab_nl_deferred *d)
{
	if (d->memcg)
		mem_cgroup_put(d->memcg);
	put_cred(d->cred);
	sock_put(NETLINK_CB(d->skb).sk);
	kfree_skb(d->skb);
	kfree(d->info.attrs);
	kfree(d);
}

/* Under the list's lock. */
static void mcfab_nl_deferred_del(struct mcfab_nl_deferred *d)
{
	list_del(&d->list);
	atomic_dec(&mcfab_nl_net(genl_info_net(&d->info))->njobs);
}

static void mcfab_nl_reap(struct work_struct *work)
{
	struct mcfab_nl_deferred *d = container_of(work, struct mcfab_nl_deferred, reap);

	mutex_lock(&mcfab_nl_deferred_lock);
	mcfab_nl_deferred_del(d);
	mutex_unlock(&mcfab_nl_deferred_lock);
	/* Its code is not in use any more when this returns. */
	mcfab_thread_stop(d->thread);
	mcfab_nl_job_free(d->job);
	/* Last: the socket keeps the namespace. */
	mcfab_nl_deferred_free(d);
	wake_up_all(&mcfab_nl_deferred_wake);
}

/* Under the list's lock or the fabric's, so that the thread is there, or not there yet. */
static void mcfab_nl_deferred_stop(struct mcfab_nl_deferred *d)
{
	WRITE_ONCE(d->stop, true);
	if (d->thread)
		mcfab_job_stop(d->thread);
}

static void mcfab_nl_acknowledge(struct mcfab_nl_deferred *d, int ret)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)d->info.nlhdr;

	if (READ_ONCE(d->closed))
		return;
	if (ret == -EINTR || (ret && READ_ONCE(d->stop))) {
		ret = -ECANCELED;
		NL_SET_ERR_MSG(&d->extack, "stopped before it was done");
	}
	mcfab_nl_say_why(&d->extack, ret);
	if (ret || nlh->nlmsg_flags & NLM_F_ACK)
		netlink_ack(d->skb, nlh, ret, &d->extack);
}

static int mcfab_nl_deferred_work(struct mcfab_nl_deferred *d)
{
	const struct cred *cred = override_creds(d->cred);
	struct mem_cgroup *memcg = set_active_memcg(d->memcg);
	int ret;

	/* A signal may have come too early to be noticed. */
	ret = READ_ONCE(d->stop) ? -EINTR : d->job->ops->work(d->job);
	set_active_memcg(memcg);
	revert_creds(cred);
	return ret;
}

static void mcfab_nl_deferred_run(struct mcfab_task *work)
{
	struct mcfab_nl_fabric *fabric = container_of(work, struct mcfab_nl_fabric, work);
	struct mcfab_nl_job *job = fabric->job;
	struct mcfab_nl_deferred *d = job->later;
	int ret;

	ret = mcfab_nl_deferred_work(d);
	/* what is left to do is to say so */
	flush_signals(current);
	mutex_lock(&fabric->lock);
	WRITE_ONCE(fabric->job, NULL);
	ret = job->ops->finish(job, ret);
	if (ret && !fabric->gone)
		mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	if (!ret && job->msg && !READ_ONCE(d->closed))
		ret = mcfab_nl_job_reply(job);
	mutex_unlock(&fabric->lock);
	mcfab_nl_acknowledge(d, ret);
	wake_up_all(&mcfab_nl_deferred_wake);
	queue_work(mcfab_nl_reaper, &d->reap);
}

/* What the message says has its place in the message; what was found there has not. */
static struct nlattr **mcfab_nl_copy_attrs(const struct genl_info *info)
{
	const struct genl_split_ops *op;
	u32 i;

	for (i = 0; i < info->family->n_split_ops; i++) {
		op = &info->family->split_ops[i];
		if (op->cmd == info->genlhdr->cmd && op->flags & GENL_CMD_CAP_DO)
			return kmemdup(info->attrs, (op->maxattr + 1) * sizeof(*info->attrs),
				       GFP_KERNEL_ACCOUNT);
	}
	return NULL;
}

static struct mcfab_nl_deferred *mcfab_nl_deferred_alloc(struct mcfab_nl_job *job,
							 struct sk_buff *skb)
{
	struct mcfab_nl_deferred *d = kzalloc(sizeof(*d), GFP_KERNEL_ACCOUNT);

	if (!d)
		return NULL;
	d->info = *job->info;
	d->info.attrs = mcfab_nl_copy_attrs(job->info);
	if (!d->info.attrs) {
		kfree(d);
		return NULL;
	}
	d->info.extack = &d->extack;
	d->job = job;
	d->skb = skb_get(skb);
	sock_hold(NETLINK_CB(skb).sk);
	d->cred = get_current_cred();
	if (current->mm)
		d->memcg = get_mem_cgroup_from_mm(current->mm);
	INIT_WORK(&d->reap, mcfab_nl_reap);
	return d;
}

/* Into the list, unless there are enough of them. */
static int mcfab_nl_deferred_add(struct mcfab_nl_deferred *d, const struct genl_info *info)
{
	atomic_t *njobs = &mcfab_nl_net(genl_info_net(info))->njobs;
	int ret = 0;

	mutex_lock(&mcfab_nl_deferred_lock);
	if (atomic_read(njobs) < MCFAB_NL_JOBS) {
		list_add_tail(&d->list, &mcfab_nl_deferred_list);
		atomic_inc(njobs);
	} else {
		NL_SET_ERR_MSG_FMT(info->extack, "%u requests that take long are under way already",
				   MCFAB_NL_JOBS);
		ret = -EBUSY;
	}
	mutex_unlock(&mcfab_nl_deferred_lock);
	return ret;
}

static int mcfab_nl_deferred_thread(struct mcfab_nl_deferred *d, const struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = d->job->fabric;
	struct task_struct *thread;
	struct mcfab_err err = {};

	fabric->work.run = mcfab_nl_deferred_run;
	thread = mcfab_job_create(&fabric->work, &err);
	mutex_lock(&mcfab_nl_deferred_lock);
	if (IS_ERR(thread))
		mcfab_nl_deferred_del(d);
	else
		d->thread = thread;
	mutex_unlock(&mcfab_nl_deferred_lock);
	if (!IS_ERR(thread))
		return 0;
	wake_up_all(&mcfab_nl_deferred_wake);
	return mcfab_nl_refuse(info, &err, PTR_ERR(thread));
}

/**
 * mcfab_nl_defer() - have a thread do what was requested
 * @job: the request; its fabric is locked, and unlocked in the end; is taken over
 * @skb: what the handler was given
 *
 * Context: May sleep; a handler's.
 * Return: -EINTR if a thread will answer, or what the handler is to return.
 */
int mcfab_nl_defer(struct mcfab_nl_job *job, struct sk_buff *skb)
{
	struct mcfab_nl_deferred *d = mcfab_nl_deferred_alloc(job, skb);
	struct mcfab_nl_fabric *fabric = job->fabric;
	struct genl_info *info = job->info;
	int ret = -ENOMEM;

	if (!d) {
		NL_SET_ERR_MSG(info->extack, "out of memory");
		goto refuse;
	}
	ret = mcfab_nl_deferred_add(d, info);
	if (!ret)
		ret = mcfab_nl_deferred_thread(d, info);
	if (ret)
		goto free;
	job->info = &d->info;
	job->deferred = true;
	job->later = d;
	WRITE_ONCE(fabric->job, job);
	mcfab_nl_notify(fabric, fabric->core ? MCFAB_CMD_FABRIC_CHANGE_NTF :
					       MCFAB_CMD_FABRIC_ADD_NTF);
	mcfab_thread_start(d->thread);
	mutex_unlock(&fabric->lock);
	return -EINTR;

free:
	mcfab_nl_deferred_free(d);
refuse:
	ret = job->ops->finish(job, ret);
	mutex_unlock(&fabric->lock);
	mcfab_nl_job_free(job);
	return ret;
}

/**
 * mcfab_nl_defer_stop() - stop the thread that works on a request about a fabric
 * @fabric: the fabric, locked; unlocked meanwhile; nothing happens if there is no such thread
 *
 * Context: May sleep, until the thread has noticed: about 10 ms.
 * Return: 0, or -EINTR if the process is being killed.
 */
int mcfab_nl_defer_stop(struct mcfab_nl_fabric *fabric)
{
	int ret = 0;

	while (!ret && fabric->job) {
		mcfab_nl_deferred_stop(fabric->job->later);
		mutex_unlock(&fabric->lock);
		if (wait_event_killable(mcfab_nl_deferred_wake, !READ_ONCE(fabric->job)))
			ret = -EINTR;
		mutex_lock(&fabric->lock);
	}
	return ret;
}

/**
 * mcfab_nl_defer_end() - stop all threads that work on requests of a namespace
 * @net: the namespace, in which no requests are made any more
 *
 * Context: May sleep.
 */
void mcfab_nl_defer_end(struct net *net)
{
	struct mcfab_nl_deferred *d;

	mutex_lock(&mcfab_nl_deferred_lock);
	list_for_each_entry(d, &mcfab_nl_deferred_list, list)
		if (genl_info_net(&d->info) == net)
			mcfab_nl_deferred_stop(d);
	mutex_unlock(&mcfab_nl_deferred_lock);
	wait_event(mcfab_nl_deferred_wake, !atomic_read(&mcfab_nl_net(net)->njobs));
	/* What was taken out of the list may still hold a fabric. */
	flush_workqueue(mcfab_nl_reaper);
}

/* A socket is closed: nobody waits for what was asked through it. */
static int mcfab_nl_closed(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct netlink_notify *n = data;
	struct mcfab_nl_deferred *d;

	if (event != NETLINK_URELEASE || n->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	mutex_lock(&mcfab_nl_deferred_lock);
	list_for_each_entry(d, &mcfab_nl_deferred_list, list)
		if (genl_info_net(&d->info) == n->net && d->info.snd_portid == n->portid) {
			WRITE_ONCE(d->closed, true);
			mcfab_nl_deferred_stop(d);
		}
	mutex_unlock(&mcfab_nl_deferred_lock);
	return NOTIFY_DONE;
}

static struct notifier_block mcfab_nl_notifier = {
	.notifier_call = mcfab_nl_closed,
};

/**
 * mcfab_nl_defer_init() - be ready for requests that take long
 *
 * Context: Module initialisation.
 * Return: 0 or a negative error.
 */
int __init mcfab_nl_defer_init(void)
{
	int ret;

	mcfab_nl_reaper = alloc_workqueue("mcfab", WQ_UNBOUND, 0);
	if (!mcfab_nl_reaper)
		return -ENOMEM;
	ret = netlink_register_notifier(&mcfab_nl_notifier);
	if (ret)
		destroy_workqueue(mcfab_nl_reaper);
	return ret;
}

/**
 * mcfab_nl_defer_exit() - undo mcfab_nl_defer_init(); no namespace has such requests any more
 *
 * Context: Module exit, or initialisation that failed.
 */
void mcfab_nl_defer_exit(void)
{
	netlink_unregister_notifier(&mcfab_nl_notifier);
	destroy_workqueue(mcfab_nl_reaper);
}
