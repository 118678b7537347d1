// SPDX-License-Identifier: GPL-2.0
/* See lib/compare.h. */
#include <stdio.h>
#include "lib/compare.h"

/* of nodes without hosts the slow simulator knows none */
static bool parts_differ(const struct slow_delivery *a, const struct mcfab_delivery *b)
{
	u32 sum = 0, i;

	for (i = 0; i < MCFAB_PARTS; i++)
		sum += a->part[i];
	return sum && memcmp(a->part, b->part, sizeof(a->part));
}

static void show_parts(const u32 *part)
{
	u32 i;

	printf("#   queue, preparation, start-up, routing, transfer, NI, blocking:");
	for (i = 0; i < MCFAB_PARTS; i++)
		printf(" %u", part[i]);
	printf("\n");
}

static bool show(const struct slow_delivery *a, const struct mcfab_delivery *b)
{
	if (a->gen == b->gen && a->source == b->source && a->seq == b->seq && a->dst == b->dst &&
	    a->header == b->gen + b->header && a->tail == b->gen + b->tail &&
	    a->worm == b->worm && a->hops == b->hops && !parts_differ(a, b))
		return false;
	printf("# model:  message %u/%u of cycle %llu to %u: worm %u hops %u header %llu tail %llu\n",
	       a->source, a->seq, (unsigned long long)a->gen, a->dst, a->worm, a->hops,
	       (unsigned long long)a->header, (unsigned long long)a->tail);
	show_parts(a->part);
	printf("# engine: message %u/%u of cycle %llu to %u: worm %u hops %u header %llu tail %llu\n",
	       b->source, b->seq, (unsigned long long)b->gen, b->dst, b->worm, b->hops,
	       (unsigned long long)b->gen + b->header, (unsigned long long)b->gen + b->tail);
	show_parts(b->part);
	return true;
}

static const char *compare_messages(const struct slow_result *a, const struct capture *b)
{
	u32 i = 0, j = 0;

	for (;;) {
		const struct slow_message *ma;
		const struct mcfab_message *mb;

		/* how many were begun and not ended when worms got stuck means nothing */
		while (i < a->nmsg && !a->msg[i].complete)
			i++;
		while (j < b->nmsg && !b->msg[j].complete)
			j++;
		if (i == a->nmsg || j == b->nmsg)
			break;
		ma = &a->msg[i++];
		mb = &b->msg[j++];
		if (ma->gen != mb->gen || ma->source != mb->source || ma->seq != mb->seq)
			return "other messages are complete";
		if (ma->startups != mb->startups)
			return "start-ups differ";
		if (ma->traffic != mb->traffic)
			return "traffic differs";
		if (ma->channel_cycles != mb->channel_cycles)
			return "channel-cycles differ";
		if (ma->queue_cycles != mb->queue_cycles)
			return "times in source queues differ";
	}
	if (i < a->nmsg || j < b->nmsg)
		return "other messages are complete";
	return NULL;
}

const char *compare_runs(const struct slow_result *a, const struct capture *b,
			 const struct outcome *end)
{
	enum mcfab_run_status want = a->stuck ? MCFAB_RUN_STATUS_DEADLOCKED : MCFAB_RUN_STATUS_DONE;
	u32 i;

	for (i = 0; i < a->ndlv && i < b->ndlv; i++)
		if (show(&a->dlv[i], &b->dlv[i]))
			return "a delivery differs";
	if (end->state != want)
		return end->progress.why[0] ? end->progress.why : "the run ended otherwise";
	if (a->ndlv != b->ndlv)
		return "other deliveries were made";
	if (end->bad)
		return "the statistics found a contradiction";
	return compare_messages(a, b);
}
