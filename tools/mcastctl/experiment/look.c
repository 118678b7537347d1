// SPDX-License-Identifier: GPL-2.0
/* Results that are there, as curves. */
#include <stdlib.h>

#include "experiment/experiment.h"

static enum status load(struct results *r, const struct scenario *s,
			const struct experiment_options *o)
{
	char *json, *part;
	enum status status;
	bool there;

	results_init(r, s, o->quick, 1, 1);
	json = results_path(r, o->out, "json");
	part = results_path(r, o->out, "part");
	status = results_load(r, json, RESULTS_ANY, &there);
	if (!status && !there)
		status = journal_read(r, part, &there);
	if (!status && !there)
		status = refused("%s: there are no results; \"experiment run %s\" makes them", json,
				 s->path);
	if (status)
		results_free(r);
	free(json);
	free(part);
	return status;
}

enum status experiment_look(const struct scenario *s, const struct experiment_options *o,
			    enum status (*what)(const struct curves *c, const char *folder,
						void *data), void *data)
{
	struct results r;
	struct curves c;
	enum status status = load(&r, s, o);

	if (status)
		return status;
	curves_make(&c, &r);
	status = what(&c, o->out, data);
	curves_free(&c);
	results_free(&r);
	return status;
}
