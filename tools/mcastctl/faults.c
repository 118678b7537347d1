// SPDX-License-Identifier: GPL-2.0
/* The failures of a run, as words and as attributes. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "excerpt.h"
#include "faults.h"
#include "number.h"

/* the part of @at before the next colon, which becomes the end of it; NULL: none is left */
static char *part(char **at)
{
	return *at ? strsep(at, ":") : NULL;
}

/* CYCLE:SWITCH[:PORT][:up|:down]; false: it is not of that form */
static bool parse_one(struct fault *fault, char *text)
{
	char *cycle = part(&text), *sw = part(&text), *more = part(&text);

	if (!sw || number_u64(cycle, 0, UINT64_MAX, &fault->at) ||
	    number_u64(sw + (*sw == 's' && sw[1]), 0, UINT32_MAX, &fault->sw))
		return false;
	if (more && !number_u64(more, 0, UINT32_MAX, &fault->port)) {
		fault->has_port = true;
		more = part(&text);
	}
	if (!more)
		return true;
	fault->up = !strcmp(more, "up");
	return !text && (fault->up || !strcmp(more, "down"));
}

enum status faults_parse(struct faults *faults, const char *list)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	enum status status = STATUS_OK;

	while (!status && (word = strsep(&rest, ","))) {
		struct fault *fault;
		char *text;

		if (!(faults->n & (faults->n - 1)))
			faults->fault = xrealloc(faults->fault, 2 * faults->n + 1,
						 sizeof(*faults->fault));
		fault = &faults->fault[faults->n++];
		memset(fault, 0, sizeof(*fault));
		fault->word = xstrdup(word);
		text = xstrdup(word);
		if (!*word)
			status = usage("fail %s: entry %u is empty, not CYCLE:SWITCH[:PORT][:up]",
				       excerpt(list, word - copy).text, faults->n);
		else if (!parse_one(fault, text))
			status = usage("fail %s: not of the form CYCLE:SWITCH[:PORT][:up]",
				       word);
		free(text);
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

		nl_put_uint(rq, MCFAB_A_RUN_FAULT_AT, fault->at, where);
		nl_put_u32(rq, MCFAB_A_RUN_FAULT_SWITCH, fault->sw, where);
		if (fault->has_port)
			nl_put_u32(rq, MCFAB_A_RUN_FAULT_PORT, fault->port, where);
		nl_put_u32(rq, MCFAB_A_RUN_FAULT_STATE,
			   fault->up ? MCFAB_LINK_STATUS_UP : MCFAB_LINK_STATUS_DOWN, where);
		nl_nest_end(rq, nest);
	}
}
