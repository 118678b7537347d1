// SPDX-License-Identifier: GPL-2.0
/* The failures of a run, as words and as attributes. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "print/faults.h"

enum status faults_parse(struct faults *faults, const char *list)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	enum status status = STATUS_OK;

	while (!status && (word = strsep(&rest, ","))) {
		struct fault *fault;

		if (!(faults->n & (faults->n - 1)))
			faults->fault = xrealloc(faults->fault, 2 * faults->n + 1,
						 sizeof(*faults->fault));
		fault = &faults->fault[faults->n++];
		memset(fault, 0, sizeof(*fault));
		fault->word = xstrdup(word);
		if (!*word)
			status = usage("fail %s: entry %u is empty, not CYCLE:SWITCH[:PORT][:up]",
				       excerpt(list, word - copy).text, faults->n);
		else if (!fault_word_parse(word, strlen(word), &fault->is))
			status = usage("fail %s: not of the form CYCLE:SWITCH[:PORT][:up]",
				       word);
	}
	free(copy);
	return status;
}

void faults_free(struct faults *faults)
{
	for (u32 i = 0; i < faults->n; i++)
		free(faults->fault[i].word);
	free(faults->fault);
}

void faults_put(struct nl_request *rq, const struct faults *faults)
{
	for (u32 i = 0; i < faults->n; i++) {
		const struct fault *fault = &faults->fault[i];
		struct nl_where where = nl_where("fail", fault->word);
		size_t nest = nl_nest(rq, MCFAB_A_RUN_FAULT, where);

		nl_put_uint(rq, MCFAB_A_RUN_FAULT_AT, fault->is.at, where);
		nl_put_u32(rq, MCFAB_A_RUN_FAULT_SWITCH, fault->is.sw, where);
		if (fault->is.has_port)
			nl_put_u32(rq, MCFAB_A_RUN_FAULT_PORT, fault->is.port, where);
		nl_put_u32(rq, MCFAB_A_RUN_FAULT_STATE,
			   fault->is.up ? MCFAB_LINK_STATUS_UP : MCFAB_LINK_STATUS_DOWN, where);
		nl_nest_end(rq, nest);
	}
}
