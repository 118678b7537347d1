// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of statistics, for readers. A copy has everything that is shown, and leaves out data that
 * only the run itself needs. Data behind pointers of struct mcfab_stats is copied here if it is
 * shown; all other fields are copied by assignment.
 */
#include "stats/stats.h"

/**
 * mcfab_stats_copy_bytes() - memory that mcfab_stats_copy_open() takes
 * @cfg: configuration of the statistics
 *
 * Context: any.
 * Return: bytes, struct mcfab_stats itself not counted.
 */
u64 mcfab_stats_copy_bytes(const struct mcfab_stats_cfg *cfg)
{
	u32 classes = mcfab_stats_classes(cfg);

	return (cfg->lone ? 0 : mcfab_batches_bytes(classes)) +
	       classes * 2 * sizeof(struct mcfab_histogram);
}

/**
 * mcfab_stats_copy_open() - make room for a copy
 * @copy: the copy to be
 * @st: statistics, opened, or a copy of them
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; mcfab_stats_close() is due in either case.
 */
int mcfab_stats_copy_open(struct mcfab_stats *copy, const struct mcfab_stats *st)
{
	const struct mcfab_batches *b = &st->window.batches;
	u32 i;

	memset(copy, 0, sizeof(*copy));
	copy->classes = st->classes;
	if (b->batch[0] && mcfab_batches_open(&copy->window.batches, b->classes, 1))
		return -ENOMEM;
	for (i = 0; i < st->classes; i++) {
		struct mcfab_class_stats *cls = &copy->class[i];

		cls->latency = kvcalloc(1, sizeof(*cls->latency), MCFAB_GFP);
		cls->completions = kvcalloc(1, sizeof(*cls->completions), MCFAB_GFP);
		if (!cls->latency || !cls->completions)
			return -ENOMEM;
	}
	return 0;
}

/**
 * mcfab_stats_copy() - copy statistics
 * @copy: room for them, from mcfab_stats_copy_open() for these statistics or a copy of them
 * @st: statistics, or a copy
 *
 * Context: any; takes some 20 us. Nothing changes @st meanwhile.
 */
void mcfab_stats_copy(struct mcfab_stats *copy, const struct mcfab_stats *st)
{
	struct mcfab_histogram *latency[MCFAB_CLASSES], *completions[MCFAB_CLASSES];
	struct mcfab_batch *batch[MCFAB_CLASSES];
	u32 i;

	for (i = 0; i < MCFAB_CLASSES; i++) {
		latency[i] = copy->class[i].latency;
		completions[i] = copy->class[i].completions;
		batch[i] = copy->window.batches.batch[i];
	}
	*copy = *st;
	copy->worm_tail = NULL;
	copy->load.cell = NULL;
	copy->load.flits = NULL;
	memset(&copy->window.mser, 0, sizeof(copy->window.mser));
	for (i = 0; i < MCFAB_CLASSES; i++) {
		copy->class[i].latency = latency[i];
		copy->class[i].completions = completions[i];
		copy->window.batches.batch[i] = batch[i];
		if (latency[i])
			*latency[i] = *st->class[i].latency;
		if (completions[i])
			*completions[i] = *st->class[i].completions;
		/* the batch under way comes after the batches that are over */
		if (batch[i])
			memcpy(batch[i], st->window.batches.batch[i],
			       (st->window.batches.count + 1) * sizeof(*batch[i]));
	}
}
