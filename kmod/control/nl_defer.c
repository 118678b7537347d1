// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that are answered later. Threads work on some of them: a thread belongs to the process
 * that has made the request, is in the same cgroups, has the same credentials, and its memory is
 * charged to the same cgroup. Other requests wait for work that is done elsewhere, and need no
 * thread. All of them are given up when the requester closes the socket, as no process waits for an
 * answer then.
 *
 * The handler returns -EINTR, on which netlink sends no acknowledgment, as for a dump. A work item
 * sends it, behind the answer. The work item also takes the locks: a thread whose cgroup has no CPU
 * budget left never holds a lock that others wait for.
 */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/netlink.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "control/nl_job.h"
#include "base/thread.h"

/* Most threads of a namespace: with so many at work, further requests are refused. */
#define MCFAB_NL_JOBS	16
/* Most requests of a namespace that wait for work done elsewhere. */
#define MCFAB_NL_WAITS	64

/* So many milliseconds a handler waits itself. */
#define MCFAB_NL_WAIT	10

/**
 * struct mcfab_nl_deferred - all that is needed to serve a request later
 * @list: in the list of all of them
 * @job: the request
 * @thread: the thread that works on it, if it is not @waits
 * @work: progress of that thread if the request is about no fabric
 * @waits: it waits until @job is ready, without a thread
 * @due: it does not wait any more: @reap is queued; under the list's lock
 * @ret: its result
 * @stop: it is to give up
 * @closed: no process waits for an answer: another socket may have the number of the requester's
 * @skb: the request's message, held; its sender's socket is held, too
 * @info: a copy of the handler's argument
 * @extack: message of a refusal
 * @cred: the requester's
 * @memcg: the requester's, or NULL
 * @reap: finishes the request, answers, and frees all of this
 */
struct mcfab_nl_deferred {
	struct list_head list;
	struct mcfab_nl_job *job;
	struct task_struct *thread;
	struct mcfab_task work;
	bool waits;
	bool due;
	int ret;
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
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(&d->info));

	list_del(&d->list);
	atomic_dec(d->waits ? &nlnet->nwaits : &nlnet->njobs);
}

/* The request does not wait any more; under the list's lock. */
static void mcfab_nl_deferred_due(struct mcfab_nl_deferred *d, int ret)
{
	if (d->due)
		return;
	d->due = true;
	d->ret = ret;
	queue_work(mcfab_nl_reaper, &d->reap);
}

/**
 * mcfab_nl_defer_kick() - note that something has ended for which requests may wait
 *
 * Context: May sleep.
 */
void mcfab_nl_defer_kick(void)
{
	struct mcfab_nl_deferred *d;

	mutex_lock(&mcfab_nl_deferred_lock);
	list_for_each_entry(d, &mcfab_nl_deferred_list, list)
		if (d->waits && d->job->ops->ready(d->job))
			mcfab_nl_deferred_due(d, 0);
	mutex_unlock(&mcfab_nl_deferred_lock);
	wake_up_all(&mcfab_nl_deferred_wake);
}

/* Under the list's lock, or the fabric's if a thread works on it: then the thread exists. */
static void mcfab_nl_deferred_stop(struct mcfab_nl_deferred *d)
{
	WRITE_ONCE(d->stop, true);
	if (d->thread)
		mcfab_job_stop(d->thread);
	else if (d->waits)
		mcfab_nl_deferred_due(d, -EINTR);
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

/* Takes the result over, and answers. */
static int mcfab_nl_deferred_finish(struct mcfab_nl_deferred *d)
{
	struct mem_cgroup *memcg = set_active_memcg(d->memcg);
	struct mcfab_nl_job *job = d->job;
	struct mcfab_nl_fabric *fabric = job->fabric;
	int ret;

	if (fabric)
		mutex_lock(&fabric->lock);
	if (job->nr)
		WRITE_ONCE(fabric->job, NULL);
	ret = job->ops->finish(job, d->ret);
	if (job->nr && ret && !fabric->gone)
		mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	if (!ret && job->msg && !READ_ONCE(d->closed))
		ret = mcfab_nl_job_reply(job);
	if (job->nr)
		/* pairs with mcfab_nl_defer_ended() */
		smp_store_release(&fabric->job_nr, 0);
	if (fabric)
		mutex_unlock(&fabric->lock);
	set_active_memcg(memcg);
	return ret;
}

static void mcfab_nl_reap(struct work_struct *work)
{
	struct mcfab_nl_deferred *d = container_of(work, struct mcfab_nl_deferred, reap);

	mcfab_nl_acknowledge(d, mcfab_nl_deferred_finish(d));
	mcfab_nl_defer_kick();
	mutex_lock(&mcfab_nl_deferred_lock);
	mcfab_nl_deferred_del(d);
	mutex_unlock(&mcfab_nl_deferred_lock);
	/* The thread has returned, and its code is not in use any more, when this returns. */
	if (d->thread)
		mcfab_thread_stop(d->thread);
	mcfab_nl_job_free(d->job);
	/* Last: the socket keeps the namespace. */
	mcfab_nl_deferred_free(d);
	wake_up_all(&mcfab_nl_deferred_wake);
}

static void mcfab_nl_deferred_work(struct mcfab_nl_deferred *d)
{
	const struct cred *cred = override_creds(d->cred);
	struct mem_cgroup *memcg = set_active_memcg(d->memcg);

	/* A signal may have come too early to be noticed. */
	d->ret = READ_ONCE(d->stop) ? -EINTR : d->job->ops->work(d->job);
	set_active_memcg(memcg);
	revert_creds(cred);
	queue_work(mcfab_nl_reaper, &d->reap);
}

/* Threads begin here, with a fabric or without. */
static void mcfab_nl_deferred_run(struct mcfab_task *work)
{
	mcfab_nl_deferred_work(container_of(work, struct mcfab_nl_fabric, work)->job->later);
}

static void mcfab_nl_deferred_run_alone(struct mcfab_task *work)
{
	mcfab_nl_deferred_work(container_of(work, struct mcfab_nl_deferred, work));
}

/* The message with the attributes' values is held; the table of attributes has to be copied. */
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

/*
 * Adds a request to the list, unless there are enough; it may be over and freed right afterwards.
 */
static int mcfab_nl_deferred_add(struct mcfab_nl_deferred *d, const struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	atomic_t *count = d->waits ? &nlnet->nwaits : &nlnet->njobs;
	int ret = 0;

	mutex_lock(&mcfab_nl_deferred_lock);
	if (atomic_read(count) < (d->waits ? MCFAB_NL_WAITS : MCFAB_NL_JOBS)) {
		list_add_tail(&d->list, &mcfab_nl_deferred_list);
		atomic_inc(count);
	} else if (d->waits) {
		NL_SET_ERR_MSG_FMT(info->extack, "%u requests wait for others already",
				   MCFAB_NL_WAITS);
		ret = -EBUSY;
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
	struct mcfab_task *work = fabric ? &fabric->work : &d->work;
	struct task_struct *thread;
	struct mcfab_err err = {};

	work->run = fabric ? mcfab_nl_deferred_run : mcfab_nl_deferred_run_alone;
	thread = mcfab_job_create(work, &err);
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

/* Starts the request's thread; the request may be over and freed when this returns. */
static void mcfab_nl_deferred_start(struct mcfab_nl_deferred *d)
{
	struct mcfab_nl_job *job = d->job;
	struct mcfab_nl_fabric *fabric = job->fabric;

	job->info = &d->info;
	job->deferred = true;
	job->later = d;
	if (fabric) {
		job->nr = ++fabric->jobs;
		WRITE_ONCE(fabric->job_nr, job->nr);
		WRITE_ONCE(fabric->job, job);
		mcfab_nl_notify(fabric, fabric->core ? MCFAB_CMD_FABRIC_CHANGE_NTF :
						       MCFAB_CMD_FABRIC_ADD_NTF);
	}
	/* so that the thread is not given back meanwhile */
	mutex_lock(&mcfab_nl_deferred_lock);
	mcfab_thread_start(d->thread);
	mutex_unlock(&mcfab_nl_deferred_lock);
}

/**
 * mcfab_nl_defer() - have a thread do a request's work
 * @job: the request, taken over; its fabric, if any, is locked, and unlocked in the end
 * @skb: the handler's argument
 *
 * Context: May sleep; a handler's.
 * Return: -EINTR if a thread will answer, or the return value for the handler.
 */
int mcfab_nl_defer(struct mcfab_nl_job *job, struct sk_buff *skb)
{
	struct mcfab_nl_deferred *d = mcfab_nl_deferred_alloc(job, skb);
	struct mcfab_nl_fabric *fabric = job->fabric;
	int ret = -ENOMEM;

	if (!d) {
		NL_SET_ERR_MSG(job->info->extack, "out of memory");
		return mcfab_nl_job_refuse(job, ret);
	}
	ret = mcfab_nl_deferred_add(d, job->info);
	if (!ret)
		ret = mcfab_nl_deferred_thread(d, job->info);
	if (ret) {
		mcfab_nl_deferred_free(d);
		return mcfab_nl_job_refuse(job, ret);
	}
	/* the request's hold may end before the lock is given back */
	if (fabric)
		kref_get(&fabric->ref);
	mcfab_nl_deferred_start(d);
	if (fabric)
		mcfab_nl_fabric_unlock(fabric);
	return -EINTR;
}

/* Lets a request wait that is not ready; its fabric is locked, and unlocked in the end. */
static int mcfab_nl_defer_later(struct mcfab_nl_job *job, struct sk_buff *skb)
{
	struct mcfab_nl_deferred *d = mcfab_nl_deferred_alloc(job, skb);
	struct mcfab_nl_fabric *fabric = job->fabric;
	struct genl_info *info = job->info;
	int ret;

	if (!d) {
		NL_SET_ERR_MSG(info->extack, "out of memory");
		return mcfab_nl_job_refuse(job, -ENOMEM);
	}
	d->waits = true;
	job->info = &d->info;
	job->later = d;
	kref_get(&fabric->ref);
	ret = mcfab_nl_deferred_add(d, info);
	if (ret) {
		job->info = info;
		mcfab_nl_deferred_free(d);
		ret = mcfab_nl_job_refuse(job, ret);
		mcfab_nl_fabric_put(fabric);
		return ret;
	}
	mcfab_nl_fabric_unlock(fabric);
	/* the work may have ended just before the request was in the list */
	mcfab_nl_defer_kick();
	return -EINTR;
}

/**
 * mcfab_nl_defer_wait() - let a request wait for work done elsewhere
 * @job: the request, whose ready() says when it is done; taken over
 * @fabric: its fabric, held and locked; hold and lock are taken over
 * @skb: the handler's argument
 *
 * That work may take long, as a thread may have no CPU budget left. So after some milliseconds the
 * handler gives back all locks, and the request is answered later.
 *
 * Context: May sleep; a handler's.
 * Return: the return value for the handler.
 */
int mcfab_nl_defer_wait(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
			struct sk_buff *skb)
{
	long left;

	job->fabric = fabric;
	if (job->ops->ready(job))
		return mcfab_nl_job_now(job);
	mutex_unlock(&fabric->lock);
	left = wait_event_killable_timeout(mcfab_nl_deferred_wake, job->ops->ready(job),
					   msecs_to_jiffies(MCFAB_NL_WAIT));
	if (left < 0 || mutex_lock_killable(&fabric->lock)) {
		mcfab_nl_job_free(job);
		return -EINTR;
	}
	return left ? mcfab_nl_job_now(job) : mcfab_nl_defer_later(job, skb);
}

/**
 * mcfab_nl_defer_stop() - tell the thread that works on a request about a fabric to give up
 * @fabric: the fabric, locked; nothing happens if there is no such thread
 *
 * Context: Any that may sleep.
 * Return: number of the request, for mcfab_nl_defer_ended(); 0: there is none.
 */
unsigned long mcfab_nl_defer_stop(struct mcfab_nl_fabric *fabric)
{
	if (!fabric->job)
		return 0;
	mcfab_nl_deferred_stop(fabric->job->later);
	return fabric->job->nr;
}

/**
 * mcfab_nl_defer_end() - give up all requests that are to be answered later
 *
 * No such requests are made any more. Those of a namespace keep it until they have ended.
 *
 * Context: May sleep.
 */
void mcfab_nl_defer_end(void)
{
	struct mcfab_nl_deferred *d;

	mutex_lock(&mcfab_nl_deferred_lock);
	list_for_each_entry(d, &mcfab_nl_deferred_list, list)
		mcfab_nl_deferred_stop(d);
	mutex_unlock(&mcfab_nl_deferred_lock);
	wait_event(mcfab_nl_deferred_wake, list_empty_careful(&mcfab_nl_deferred_list));
	/* Requests that were taken out of the list may still hold a fabric. */
	flush_workqueue(mcfab_nl_reaper);
}

/* A socket is closed: no process waits for answers on it. */
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
 * mcfab_nl_defer_init() - prepare for requests that are answered later
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
