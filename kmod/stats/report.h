/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages for readers of a run: copies of its progress and its statistics, which the run itself makes
 * now and then. So a reader waits for no router thread, and no router thread waits for a reader.
 */
#ifndef MCFAB_STATS_REPORT_H
#define MCFAB_STATS_REPORT_H

#include <linux/kref.h>
#include "stats/results.h"

/**
 * struct mcfab_page - a run at some time
 * @progress: its progress
 * @stats: its statistics, without data that is not shown
 * @queue_max: longest source queue seen, in messages; MCFAB_NONE: none has been looked at
 * @channel_window: cycles of the channel counts; 0: there are no counts yet
 * @balance: how evenly channels were used in these cycles
 */
struct mcfab_page {
	struct mcfab_progress progress;
	struct mcfab_stats stats;
	u32 queue_max;
	u64 channel_window;
	struct mcfab_balance balance;
};

/**
 * struct mcfab_report - the pages of the current or last run of a fabric
 * @ref: held by the fabric and by readers
 * @version: counts pages that were written; the newest is @page[@version % 2]
 * @due: when the next page is due, in jiffies
 * @cfg: configuration of the run
 * @deadlock: the deadlock, if a page says that the run ended deadlocked
 * @draft: statistics of a page that is being written; not those of the page, whose pointers readers
 *	   follow
 * @page: the newest page, and one that may just be written
 */
struct mcfab_report {
	struct kref ref;
	u32 version;
	unsigned long due;
	struct mcfab_run_cfg cfg;
	struct mcfab_deadlock deadlock;
	struct mcfab_stats draft;
	struct mcfab_page page[2];
};

/* for the thread that computes, and the owner */
struct mcfab_report *mcfab_report_new(const struct mcfab_stats *st);
void mcfab_report_set(struct mcfab_results *results, struct mcfab_report *report);
void mcfab_report_publish(struct mcfab_results *results);
bool mcfab_report_due(const struct mcfab_results *results);

/* for readers */
u64 mcfab_report_bytes(struct mcfab_results *results);
struct mcfab_report *mcfab_report_get(struct mcfab_results *results);
void mcfab_report_put(struct mcfab_report *report);
int mcfab_report_progress(const struct mcfab_report *report, struct mcfab_progress *out);
struct mcfab_page *mcfab_report_page(const struct mcfab_report *report, bool stats);
void mcfab_page_free(struct mcfab_page *page);

#endif
