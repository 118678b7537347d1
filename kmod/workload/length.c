// SPDX-License-Identifier: GPL-2.0
/*
 * Lengths of messages. A message draws its length from a list, by the weights of the lengths and a
 * random word of its own. So it has the same length whatever carries it, and whatever else is drawn
 * for it. In an uploaded list messages may have lengths of their own.
 */
#include "workload/kinds.h"

/**
 * mcfab_lengths_check() - check the lengths of messages that were asked for
 * @cfg: the traffic
 * @err: why it is refused
 *
 * Context: any.
 * Return: 0 or a negative error code.
 */
int mcfab_lengths_check(const struct mcfab_workload_cfg *cfg, struct mcfab_err *err)
{
	u32 i;

	if (cfg->nlengths > MCFAB_MAX_LENGTHS)
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_LENGTHS,
				    "more than %u lengths", MCFAB_MAX_LENGTHS);
	if (cfg->nlengths && mcfab_workload_has_flits(cfg))
		return mcfab_refuse(err, -EINVAL, MCFAB_OPTION_RUN_LENGTHS,
				    "messages of the list have lengths: leave lengths out");
	for (i = 0; i < cfg->nlengths; i++) {
		if (!cfg->length[i] || cfg->length[i] > MCFAB_MAX_FLITS)
			return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_LENGTHS,
					    "length %u is not in 1 to %u", cfg->length[i],
					    MCFAB_MAX_FLITS);
		if (!cfg->weight[i] || cfg->weight[i] > MCFAB_MAX_WEIGHT)
			return mcfab_refuse(err, -ERANGE, MCFAB_OPTION_RUN_WEIGHTS,
					    "weight %u is not in 1 to %u", cfg->weight[i],
					    MCFAB_MAX_WEIGHT);
	}
	return 0;
}

/**
 * mcfab_lengths_open() - prepare the draw of lengths
 * @w: workload, whose lengths were checked
 *
 * Context: any.
 */
void mcfab_lengths_open(struct mcfab_workload *w)
{
	u32 i;

	for (i = 0; i < w->cfg.nlengths; i++)
		w->weights += w->cfg.weight[i];
}

/**
 * mcfab_workload_length() - length of a message
 * @w: workload whose messages differ in length
 * @node: its source
 * @index: its sequence number
 *
 * Context: any, without locks.
 * Return: flits.
 */
u32 mcfab_workload_length(const struct mcfab_workload *w, u32 node, u32 index)
{
	u32 of, i = 0, at;

	w = mcfab_workload_own(w, &index);
	if (!w->cfg.nlengths)
		return w->ops->length(w, node, index) ?: w->flits;
	of = w->cfg.kind == MCFAB_WORKLOAD_TYPE_LONE ? MCFAB_NONE : node;
	at = mcfab_below(mcfab_workload_word(w, of, MCFAB_STREAM_LENGTH, index, 0), w->weights);
	while (at >= w->cfg.weight[i])
		at -= w->cfg.weight[i++];
	return w->cfg.length[i];
}
