// SPDX-License-Identifier: GPL-2.0
/* Putting shards together: the files are the same as if one process had run all points. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/experiment.h"

/* Into how many shards the results in a folder are split; 0: there is no first shard. */
static enum status count_shards(const struct scenario *s, const char *folder, u32 *shards)
{
	char *head = xasprintf("%s.1-of-", s->name), end;
	enum status status = STATUS_OK;
	struct dirent *entry;
	DIR *dir = opendir(folder);
	u32 n;

	*shards = 0;
	if (!dir)
		status = refused("out %s: %s", folder, strerror(errno));
	while (!status && (entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (strncmp(name, head, strlen(head)) ||
		    sscanf(name + strlen(head), "%u.jso%c", &n, &end) != 2 ||
		    name[strlen(name) - 1] != 'n')
			continue;
		if (*shards)
			status = refused("%s/%s: there are shards of %u, too; move one kind away",
					 folder, name, *shards);
		*shards = n;
	}
	if (!status && !*shards)
		status = refused("%s/%sN.json: there is no first shard", folder, head);
	if (dir)
		closedir(dir);
	free(head);
	return status;
}

static enum status same(const char *path, const char *what, const char *here, const char *first)
{
	if (!strcmp(here, first))
		return STATUS_OK;
	return refused("%s: %s is %s, not %s", path, what, here, first);
}

/* Machines may differ: all of their kernels are named. */
static void add_kernel(struct results *r, const char *kernel)
{
	char *longer;

	if (strstr(r->kernel, kernel))
		return;
	longer = xasprintf("%s; %s", r->kernel, kernel);
	free(r->kernel);
	r->kernel = longer;
}

static enum status take_shard(struct results *r, struct results *part, const char *path)
{
	enum status status = STATUS_OK;

	if (part->shard == 1) {
		free(r->version);
		free(r->engine);
		free(r->kernel);
		r->version = xstrdup(part->version);
		r->engine = xstrdup(part->engine);
		r->kernel = xstrdup(part->kernel);
	}
	status = same(path, "the version", part->version, r->version);
	if (!status)
		status = same(path, "the engine", part->engine, r->engine);
	if (status)
		return status;
	add_kernel(r, part->kernel);
	for (u32 i = 0; i < r->n; i++) {
		if (!results_mine(part, i))
			continue;
		r->point[i] = part->point[i];
		part->point[i] = (struct result){ 0 };
	}
	return STATUS_OK;
}

static enum status read_shard(struct results *r, const char *folder, u32 shard, u32 shards)
{
	struct results part;
	enum status status;
	bool there;
	char *path;

	results_init(&part, r->s, r->quick, shard, shards);
	path = results_path(&part, folder, "json");
	status = results_load(&part, path, RESULTS_ANY, &there);
	if (!status && (!there || results_missing(&part)))
		status = refused("%s: shard %u of %u is %s", path, shard, shards,
				 there ? "not complete" : "missing");
	if (!status)
		status = take_shard(r, &part, path);
	free(path);
	results_free(&part);
	return status;
}

/* Results that are there are replaced only by results of the same scenario. */
static enum status check_free(const struct results *r, const char *folder)
{
	char *path = results_path(r, folder, "json");
	struct results old;
	enum status status;
	bool there;

	results_init(&old, r->s, r->quick, 1, 1);
	status = results_load(&old, path, RESULTS_ANY, &there);
	if (!status && there)
		status = same(path, "the version", old.version, r->version);
	results_free(&old);
	free(path);
	return status;
}

enum status experiment_merge(const struct scenario *s, const struct experiment_options *o)
{
	enum status status;
	struct results r;
	u32 shards;

	status = count_shards(s, o->out, &shards);
	if (status)
		return status;
	results_init(&r, s, o->quick, 1, 1);
	for (u32 i = 1; i <= shards && !status; i++)
		status = read_shard(&r, o->out, i, shards);
	if (!status && !o->replace)
		status = check_free(&r, o->out);
	if (!status)
		status = results_store(&r, o->out);
	results_free(&r);
	return status;
}
