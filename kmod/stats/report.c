// SPDX-License-Identifier: GPL-2.0
/*
 * Reports of runs. The last thread at a boundary writes a page, at most every 50 ms and at the
 * start and the end of a run; readers take the newest page. There are two pages: while a thread
 * writes one page, which may take a thread without CPU budget long, readers have the other. A
 * reader begins once more if it took so long that its page may have been written again.
 *
 * The time of a page depends on the time of day, the results of a run do not.
 */
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>

#include "base/memory.h"
#include "stats/report.h"

/* milliseconds between two pages */
#define PAGE_MS		50

/**
 * mcfab_report_new() - make a report that no reader sees yet
 * @st: statistics of the run, opened; NULL: there are none
 *
 * Context: may sleep; memory is charged to the caller's cgroup.
 * Return: the report or NULL.
 */
struct mcfab_report *mcfab_report_new(const struct mcfab_stats *st)
{
	struct mcfab_report *report = mcfab_memory_zalloc(1, sizeof(*report));
	u32 i;

	if (!report)
		return NULL;
	kref_init(&report->ref);
	for (i = 0; st && i < ARRAY_SIZE(report->page); i++) {
		if (!mcfab_stats_copy_open(&report->page[i].stats, st))
			continue;
		mcfab_report_put(report);
		return NULL;
	}
	return report;
}

static void report_free(struct kref *ref)
{
	struct mcfab_report *report = container_of(ref, struct mcfab_report, ref);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(report->page); i++)
		mcfab_stats_close(&report->page[i].stats);
	mcfab_memory_free(report);
}

/**
 * mcfab_report_put() - let go of a report
 * @report: the report, or NULL
 *
 * Context: may sleep.
 */
void mcfab_report_put(struct mcfab_report *report)
{
	if (report)
		kref_put(&report->ref, report_free);
}

/**
 * mcfab_report_get() - get the report of the current or last run
 * @results: the results of a run
 *
 * Context: any; never waits.
 * Return: the report, to be given to mcfab_report_put().
 */
struct mcfab_report *mcfab_report_get(struct mcfab_results *results)
{
	struct mcfab_report *report;

	spin_lock(&results->report_lock);
	report = results->report;
	kref_get(&report->ref);
	spin_unlock(&results->report_lock);
	return report;
}

/**
 * mcfab_report_bytes() - memory that a report takes
 * @results: the results of a run
 *
 * Context: any.
 * Return: bytes, the statistics in it not counted.
 */
u64 mcfab_report_bytes(struct mcfab_results *results)
{
	u64 bytes;

	spin_lock(&results->report_lock);
	bytes = mcfab_memory_size(results->report);
	spin_unlock(&results->report_lock);
	return bytes;
}

/* Writes a page of a report; only one thread at a time does so. */
static void write_page(struct mcfab_report *report, const struct mcfab_results *results)
{
	u32 next = report->version + 1;
	struct mcfab_page *page = &report->page[next % 2];

	/*
	 * pairs with smp_rmb() in read_done(): a reader that sees any of it sees the latest version
	 */
	smp_wmb();
	page->progress = results->progress;
	page->queue_max = results->queue_max;
	page->channel_window = results->channel_window;
	page->balance = results->balance;
	if (results->progress.state == MCFAB_RUN_STATUS_DEADLOCKED)
		report->deadlock = results->deadlock;
	if (results->stats.classes) {
		report->draft = page->stats;
		mcfab_stats_copy(&report->draft, &results->stats);
		page->stats = report->draft;
	}
	/* pairs with smp_load_acquire() in read_begin() */
	smp_store_release(&report->version, next);
}

/**
 * mcfab_report_set() - show readers another report
 * @results: results; its run's configuration, progress and statistics are those of the report
 * @report: the report; from now on it belongs to the fabric
 *
 * Context: may sleep; no run computes meanwhile.
 */
void mcfab_report_set(struct mcfab_results *results, struct mcfab_report *report)
{
	struct mcfab_report *old;

	report->cfg = results->run;
	write_page(report, results);
	spin_lock(&results->report_lock);
	old = results->report;
	results->report = report;
	spin_unlock(&results->report_lock);
	mcfab_report_put(old);
}

/**
 * mcfab_report_publish() - write the present state of a run for readers
 * @results: the results of a run
 *
 * Context: of the thread that computes: start, boundary or end of a run; or of the owner while
 * there is no run. Takes some 20 us.
 */
void mcfab_report_publish(struct mcfab_results *results)
{
	write_page(results->report, results);
	results->report->due = jiffies + msecs_to_jiffies(PAGE_MS);
}

/**
 * mcfab_report_due() - is the page that readers see old?
 * @results: the results of a run
 *
 * Context: as mcfab_report_publish().
 * Return: true if it is time to publish.
 */
bool mcfab_report_due(const struct mcfab_results *results)
{
	return !time_before(jiffies, results->report->due);
}

static u32 read_begin(const struct mcfab_report *report)
{
	/* pairs with smp_store_release() in write_page() */
	return smp_load_acquire(&report->version);
}

/* Returns 1: the reader has one whole page, 0: begin once more, -EINTR */
static int read_done(const struct mcfab_report *report, u32 version)
{
	/* pairs with smp_wmb() in write_page() */
	smp_rmb();
	if (READ_ONCE(report->version) == version)
		return 1;
	cond_resched();
	return fatal_signal_pending(current) ? -EINTR : 0;
}

static int read_progress(struct mcfab_progress *out, const struct mcfab_page *from)
{
	*out = from->progress;
	return 0;
}

static int read_page(struct mcfab_page *page, const struct mcfab_page *from, bool stats)
{
	page->progress = from->progress;
	page->queue_max = from->queue_max;
	page->channel_window = from->channel_window;
	page->balance = from->balance;
	if (stats)
		mcfab_stats_copy(&page->stats, &from->stats);
	else
		page->stats.classes = from->stats.classes;
	return 0;
}

/**
 * mcfab_report_progress() - progress of a run, for a reader
 * @report: its report
 * @out: set to the progress
 *
 * Context: may sleep; waits for no run.
 * Return: 0, or -EINTR if the process is being killed.
 */
int mcfab_report_progress(const struct mcfab_report *report, struct mcfab_progress *out)
{
	u32 version;
	int ret;

	do {
		version = read_begin(report);
		/* read_done() says whether the page was written meanwhile */
		(void)data_race(read_progress(out, &report->page[version % 2]));
		ret = read_done(report, version);
	} while (!ret);
	return min(ret, 0);
}

/**
 * mcfab_report_page() - a copy of the newest page, for a reader
 * @report: its report
 * @stats: with its statistics; else only their classes are counted
 *
 * Context: may sleep; waits for no run. Memory is charged to the caller's cgroup.
 * Return: the page, to be given to mcfab_page_free(), or an error pointer: -ENOMEM, -EINTR.
 */
struct mcfab_page *mcfab_report_page(const struct mcfab_report *report, bool stats)
{
	struct mcfab_page *page = mcfab_memory_zalloc(1, sizeof(*page));
	int ret = -ENOMEM;
	u32 version;

	if (!page)
		return ERR_PTR(-ENOMEM);
	/* the set of arrays does not change */
	stats &= !!report->page[0].stats.class[0].latency;
	/* data_race: the writer of the page does not change its arrays */
	if (stats && data_race(mcfab_stats_copy_open(&page->stats, &report->page[0].stats)))
		goto fail;
	do {
		version = read_begin(report);
		/* read_done() says whether the page was written meanwhile */
		(void)data_race(read_page(page, &report->page[version % 2], stats));
		ret = read_done(report, version);
	} while (!ret);
	if (ret > 0)
		return page;
fail:
	mcfab_page_free(page);
	return ERR_PTR(ret);
}

/**
 * mcfab_page_free() - free a page
 * @page: from mcfab_report_page()
 *
 * Context: may sleep.
 */
void mcfab_page_free(struct mcfab_page *page)
{
	mcfab_stats_close(&page->stats);
	mcfab_memory_free(page);
}
