/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests that may take long. The handler of a request holds a lock of generic netlink that others
 * may have to wait for. So work that takes longer than about 10 ms is handed to a thread, and the
 * handler returns without an answer. The thread answers when it is done, in the same words as the
 * handler.
 */
#ifndef MCFAB_CONTROL_NL_JOB_H
#define MCFAB_CONTROL_NL_JOB_H

#include "control/nl.h"

struct mcfab_nl_job;

/**
 * struct mcfab_nl_job_ops - a kind of request that may take long
 * @busy: reason why other requests have to wait, for people
 * @work: does the work, by the request alone; changes nothing that other requests see. They see the
 *	  fabric in state building, and do not change it
 * @ready: true if the work for which the request waits is done; called over and over, under no lock
 *	   of the fabric. NULL: it never waits
 * @finish: takes over the result, given the return value of @work, and fills in the answer; under
 *	    the fabric's lock
 * @free: frees the rest, under no lock; may be NULL
 *
 * @starts: @work starts a run
 *
 * @work and @finish return 0 or a negative error with the extack set. A request that waits
 * has no @work.
 */
struct mcfab_nl_job_ops {
	const char *busy;
	int (*work)(struct mcfab_nl_job *job);
	bool (*ready)(struct mcfab_nl_job *job);
	int (*finish)(struct mcfab_nl_job *job, int ret);
	void (*free)(struct mcfab_nl_job *job);
	bool starts;
};

/**
 * struct mcfab_nl_job - a request that may take long
 * @ops: its kind
 * @fabric: its fabric, held; or NULL
 * @info: the request
 * @msg: the answer, sent if all went well, unless mcfab_nl_job_silent() was called
 * @deferred: a thread does the work
 * @nr: its number among the requests about its fabric that threads work on; 0: it is none of them
 * @unwanted: the run that it starts has to be stopped; under the fabric's lock
 * @later: data of nl_defer.c for serving it later
 */
struct mcfab_nl_job {
	const struct mcfab_nl_job_ops *ops;
	struct mcfab_nl_fabric *fabric;
	struct genl_info *info;
	struct sk_buff *msg;
	bool deferred;
	unsigned long nr;
	bool unwanted;
	struct mcfab_nl_deferred *later;
};

/**
 * MCFAB_NL_STEPS - steps, of some nanoseconds each, that a handler takes itself: about 10 ms at
 * most. Making a thread takes as long.
 */
#define MCFAB_NL_STEPS		500000ULL

/** MCFAB_NL_THREAD_STEPS - steps of making a thread, or moving one, in an idle machine */
#define MCFAB_NL_THREAD_STEPS	(MCFAB_NL_STEPS / 4)

/** mcfab_nl_free_steps() - steps of freeing memory: some for each page */
static inline u64 mcfab_nl_free_steps(u64 bytes)
{
	return bytes >> 10;
}

/** mcfab_nl_copy_steps() - steps of allocating memory and copying into it */
static inline u64 mcfab_nl_copy_steps(u64 bytes)
{
	return bytes >> 6;
}

/* nl_job.c */
void *mcfab_nl_job_alloc(size_t size, const struct mcfab_nl_job_ops *ops,
			 struct genl_info *info);
void mcfab_nl_job_free(struct mcfab_nl_job *job);
int mcfab_nl_job_now(struct mcfab_nl_job *job);
int mcfab_nl_job_end(struct mcfab_nl_job *job, int ret);
int mcfab_nl_job_refuse(struct mcfab_nl_job *job, int ret);
int mcfab_nl_job_go(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
		    struct sk_buff *skb, u64 work);
int mcfab_nl_job_reply(struct mcfab_nl_job *job);
void mcfab_nl_job_silent(struct mcfab_nl_job *job);

/* nl_free.c */
void mcfab_nl_free(struct mcfab_nl_fabric *fabric, u64 bytes);
void mcfab_nl_free_upload(struct mcfab_nl_upload *upload);
bool mcfab_nl_freeing(void);
void mcfab_nl_free_wait(const struct mcfab_nl_job *job);
int mcfab_nl_free_init(void);
void mcfab_nl_free_exit(void);

/* nl_steps.c */
u64 mcfab_nl_new_steps(const struct genl_info *info, const struct mcfab_fabric_cfg *cfg);
u64 mcfab_nl_fault_steps(const struct mcfab_fabric *core);
u64 mcfab_nl_start_steps(const struct mcfab_fabric *core, const struct mcfab_run_cfg *cfg);

/* nl_defer.c; libmcfab/defer.c */
int mcfab_nl_defer_init(void);
void mcfab_nl_defer_exit(void);
int mcfab_nl_defer(struct mcfab_nl_job *job, struct sk_buff *skb);
int mcfab_nl_defer_wait(struct mcfab_nl_job *job, struct mcfab_nl_fabric *fabric,
			struct sk_buff *skb);
unsigned long mcfab_nl_defer_stop(struct mcfab_nl_fabric *fabric);
void mcfab_nl_defer_end(void);

/* nl_end.c; libmcfab/defer.c */
int mcfab_nl_end_init(void);
void mcfab_nl_end_exit(void);
void mcfab_nl_end_later(struct mcfab_nl_fabric *fabric);

/**
 * mcfab_nl_defer_ended() - is a request over on which a thread has worked?
 * @fabric: its fabric, held
 * @nr: its number, from mcfab_nl_defer_stop(); 0: there was none
 *
 * Context: Any.
 * Return: true if so; its effects are visible then.
 */
static inline bool mcfab_nl_defer_ended(const struct mcfab_nl_fabric *fabric, unsigned long nr)
{
	/* pairs with the end of the request */
	return !nr || smp_load_acquire(&fabric->job_nr) != nr;
}

#endif
