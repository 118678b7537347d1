// SPDX-License-Identifier: GPL-2.0
/*
 * Messages with one delivery.
 */
#include "stats/derive.h"
#include "stats/stats.h"

/*
 * Count a message of the measured part of a run. Apart from its caller the compiler keeps the
 * addresses of @cls and @one in registers.
 */
static noinline void measure(struct mcfab_class_stats *cls, struct mcfab_singles *one,
			     const struct mcfab_message *msg, const struct mcfab_delivery *d)
{
	u32 i;

	mcfab_moments_add(&one->header, d->header);
	mcfab_moments_add(&one->tail, d->tail);
	mcfab_moments_add(&one->additional, (s64)msg->traffic - 1);
	mcfab_histogram_add(cls->latency, d->tail);
	mcfab_histogram_add(cls->completions, d->tail);
	for (i = 0; i < MCFAB_PARTS; i++)
		cls->part[i] += d->part[i];
}

/**
 * mcfab_single_take() - count a message with one delivery, but leave the hash alone
 * @st: statistics, the window advanced
 * @msg: the message
 * @d: its delivery
 *
 * Context: any; the caller serialises.
 * Return: false if the message is not a plain one: it did not reach all its destinations, was
 * predicted, or its numbers contradict each other. Nothing has been done then.
 */
bool mcfab_single_take(struct mcfab_stats *st, const struct mcfab_message *msg,
		       const struct mcfab_delivery *d)
{
	enum mcfab_class class = mcfab_stats_class(st, msg);
	struct mcfab_singles *one = &st->singles[class];
	u64 sum = 0;
	u32 i;

	for (i = 0; i < MCFAB_PARTS; i++)
		sum += d->part[i];
	if (!msg->complete || msg->ndst != 1 || msg->predicted || !d->tail || sum != d->tail ||
	    d->header > d->tail || d->worm >= st->max_worms)
		return false;

	one->totals.messages++;
	one->totals.flits += msg->flits;
	one->totals.worms += msg->worms;
	one->totals.startups += msg->startups;
	one->totals.traffic += msg->traffic;
	one->totals.channel_cycles += msg->channel_cycles;
	one->totals.queue_cycles += msg->queue_cycles;
	if (st->window.phase == MCFAB_PHASE_PILOT && !st->overtaken)
		mcfab_mser_add(&st->window.mser, msg->gen, d->tail);
	if (st->measured)
		measure(&st->class[class], one, msg, d);
	return true;
}

static void settle_measured(struct mcfab_class_stats *cls, const struct mcfab_singles *one)
{
	mcfab_moments_merge(&cls->header, &one->header, 1);
	mcfab_moments_merge(&cls->tail, &one->tail, 1);
	mcfab_moments_merge(&cls->completion, &one->tail, 1);
	mcfab_moments_merge(&cls->worm, &one->tail, 1);
	mcfab_moments_merge(&cls->mean_destination, &one->tail, MCFAB_MICRO);
	mcfab_moments_merge(&cls->mean_worm, &one->tail, MCFAB_MICRO);
	mcfab_moments_merge(&cls->additional, &one->additional, 1);
	/* a single value does not vary */
	mcfab_moments_merge(&cls->cv_header, &one->header, 0);
	mcfab_moments_merge(&cls->cv_tail, &one->tail, 0);
}

static void settle(struct mcfab_class_stats *cls, struct mcfab_singles *one, bool measured)
{
	struct mcfab_totals *t = &one->totals;

	t->destinations = t->messages;
	t->deliveries = t->messages;
	mcfab_totals_merge(&cls->all, t);
	if (measured) {
		mcfab_totals_merge(&cls->measured, t);
		settle_measured(cls, one);
	}
	memset(one, 0, sizeof(*one));
}

/**
 * mcfab_stats_settle() - add the messages with one delivery to the numbers of their class
 * @st: statistics, the window still as it was for the latest message
 *
 * To be called before anybody reads these numbers.
 *
 * Context: any; the caller serialises.
 */
void mcfab_stats_settle(struct mcfab_stats *st)
{
	u32 i;

	for (i = 0; i < st->classes; i++)
		if (st->singles[i].totals.messages)
			settle(&st->class[i], &st->singles[i], st->measured);
}
