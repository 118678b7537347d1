// SPDX-License-Identifier: GPL-2.0
/* Runs from start to end, of options or of lists of messages. */
#include <stdlib.h>

#include "api/internal.h"
#include "fabric/runner.h"
#include <linux/mcfab.h>

/* start what @options ask for, with @more options, and wait */
static int run_words(struct mcf_fabric *f, const char *options, const char *more)
{
	char *all = malloc(strlen(options) + strlen(more) + 2);
	struct answer a;
	int ret;

	if (!all)
		return lib_refuse("out of memory");
	sprintf(all, "%s %s", options, more);
	ret = lib_ask_words("run-start", false, f->name, all, &a);
	lib_answer_free(&a);
	free(all);
	if (!ret)
		mcfab_runner_wait(f->core);
	return ret;
}

int mcf_run(struct mcf_fabric *f, const char *options)
{
	return run_words(f, options, "");
}

static int begin_upload(struct request *rq, const char *op, const char *fabric)
{
	u32 type = MCFAB_UPLOAD_TYPE_MESSAGES;

	if (lib_request(rq, op, false, fabric, NULL))
		return -1;
	return lib_request_put(rq, "type", &type, sizeof(type));
}

static int announce(const char *fabric, u32 msgs, u32 dests, bool sized)
{
	struct request rq;
	int ret = begin_upload(&rq, "upload-begin", fabric);

	ret = ret ?: lib_request_put(&rq, "messages-total", &msgs, sizeof(msgs));
	ret = ret ?: lib_request_put(&rq, "destinations-total", &dests, sizeof(dests));
	if (sized)
		ret = ret ?: lib_request_put(&rq, "sized", NULL, 0);
	if (!ret)
		return lib_send(&rq);
	lib_request_free(&rq);
	return ret;
}

static int send_part(const char *fabric, const char *name, const void *data, size_t width, u64 n)
{
	struct request rq;
	int ret = 0;
	u64 at, part;

	for (at = 0; at < n && !ret; at += part) {
		part = min_t(u64, n - at, MCFAB_LIST_MAX);
		ret = begin_upload(&rq, "upload-append", fabric);
		ret = ret ?: lib_request_put(&rq, name, (const char *)data + at * width,
					     part * width);
		if (ret)
			lib_request_free(&rq);
		else
			ret = lib_send(&rq);
	}
	return ret;
}

int mcf_run_list(struct mcf_fabric *f, const char *options, u32 n, const uint64_t *cycles,
		 const u32 *sources, const u32 *counts, const u32 *dests,
		 const u32 *flits)
{
	u64 ndests = 0;
	int ret;
	u32 i;

	for (i = 0; i < n; i++)
		ndests += counts[i];
	if (ndests > U32_MAX)
		return lib_refuse("counts: more than %u destinations", U32_MAX);
	ret = announce(f->name, n, ndests, flits);
	ret = ret ?: send_part(f->name, "cycles", cycles, sizeof(*cycles), n);
	ret = ret ?: send_part(f->name, "sources", sources, sizeof(*sources), n);
	ret = ret ?: send_part(f->name, "counts", counts, sizeof(*counts), n);
	if (flits)
		ret = ret ?: send_part(f->name, "flits", flits, sizeof(*flits), n);
	ret = ret ?: send_part(f->name, "destinations", dests, sizeof(*dests), ndests);
	return ret ?: run_words(f, options, "workload file");
}
