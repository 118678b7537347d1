// SPDX-License-Identifier: GPL-2.0
/*
 * Files of results. While a scenario runs, each point goes into a journal, a JSON object on a
 * line, behind a line that says whose it is. When all points are there, they go into a JSON file
 * and a CSV file, and the journal is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/table.h"
#include "base/text.h"
#include "experiment/results.h"

#define FORMAT		"mcfab-experiment-1"
#define MAX_FILE	1073741824
#define PLAIN		(JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)

char *results_path(const struct results *r, const char *folder, const char *suffix)
{
	if (r->shards > 1)
		return xasprintf("%s/%s.%u-of-%u.%s", folder, r->s->name, r->shard, r->shards,
				 suffix);
	return xasprintf("%s/%s.%s", folder, r->s->name, suffix);
}

static void add_text(struct json_object *obj, const char *name, const char *text)
{
	json_object_object_add(obj, name, json_object_new_string(text));
}

/* Whose results they are. */
static struct json_object *header(const struct results *r)
{
	struct json_object *obj = json_object_new_object();
	char hash[32];

	snprintf(hash, sizeof(hash), "%016llx", scenario_hash(r->s, r->quick));
	add_text(obj, "format", FORMAT);
	add_text(obj, "scenario", r->s->name);
	add_text(obj, "scenario-hash", hash);
	json_object_object_add(obj, "quick", json_object_new_boolean(r->quick));
	if (r->shards > 1) {
		json_object_object_add(obj, "shard", json_object_new_int64(r->shard));
		json_object_object_add(obj, "shards", json_object_new_int64(r->shards));
	}
	add_text(obj, "version", r->version);
	add_text(obj, "engine", r->engine);
	add_text(obj, "kernel", r->kernel);
	return obj;
}

static enum status differs(const char *path, enum results_of whose, const char *what,
			   const char *theirs, const char *ours)
{
	/* only what runs a scenario would put others in their place */
	return refused("%s: results of %s %s, not of %s%s", path, what, theirs, ours,
		       whose == RESULTS_OURS ? "; move it away, or say \"replace\"" : "");
}

static enum status check_header(const struct results *r, const char *path, enum results_of whose,
				struct json_object *obj)
{
	struct json_object *mine = header(r);
	enum status status = STATUS_OK;

	if (strcmp(get_str(obj, "format"), FORMAT))
		status = refused("%s: no results of an experiment", path);
	else if (strcmp(get_str(obj, "scenario"), r->s->name))
		status = differs(path, whose, "scenario", get_str(obj, "scenario"), r->s->name);
	else if (json_object_get_boolean(get_obj(obj, "quick")) != r->quick)
		status = differs(path, whose, "the", r->quick ? "full set" : "quick set",
				 r->quick ? "the quick set" : "the full set");
	else if (strcmp(get_str(obj, "scenario-hash"), get_str(mine, "scenario-hash")))
		status = differs(path, whose, "another text of scenario", r->s->name, "this text");
	else if (whose == RESULTS_OURS && strcmp(get_str(obj, "version"), r->version))
		status = differs(path, whose, "version", get_str(obj, "version"), r->version);
	else if (whose == RESULTS_OURS && strcmp(get_str(obj, "engine"), r->engine))
		status = differs(path, whose, "engine", get_str(obj, "engine"), r->engine);
	else if (get_u64(obj, "shards") != (r->shards > 1 ? r->shards : 0))
		status = refused("%s: results of another number of shards", path);
	json_object_put(mine);
	return status;
}

static enum status failed(const char *what, const char *path)
{
	return refused("%s: %s: %s", path, what, strerror(errno));
}

enum status write_file(const char *path, const char *text, size_t len)
{
	char *beside = xasprintf("%s.new", path);
	FILE *f = fopen(beside, "w");
	enum status status = STATUS_OK;

	if (!f)
		status = failed("cannot be written", beside);
	else if (fwrite(text, 1, len, f) != len || fflush(f) || fsync(fileno(f)))
		status = failed("cannot be written", beside);
	if (f && fclose(f) && !status)
		status = failed("cannot be written", beside);
	if (!status && rename(beside, path))
		status = failed("cannot be replaced", path);
	if (status && f)
		unlink(beside);
	free(beside);
	return status;
}

static enum status append(const struct journal *j, struct json_object *obj)
{
	char *line = xasprintf("%s\n", json_object_to_json_string_ext(obj, PLAIN));
	size_t len = strlen(line), done = 0;
	enum status status = STATUS_OK;
	off_t end = lseek(j->fd, 0, SEEK_END);

	while (done < len && !status) {
		ssize_t n = write(j->fd, line + done, len - done);

		if (n > 0)
			done += n;
		else if (n < 0 && errno != EINTR)
			status = failed("cannot be written", j->path);
	}
	/* half a line would hide those behind it */
	if (status && ftruncate(j->fd, end))
		failed("cannot be shortened", j->path);
	free(line);
	json_object_put(obj);
	return status;
}

/* A line of the journal; the last one may have been cut off by a kill. */
static enum status take_line(struct results *r, const char *path, enum results_of whose, u32 line,
			     const char *text, bool last)
{
	struct json_object *obj = json_tokener_parse(text);
	enum status status;
	u32 nr;

	if (!obj && last)
		return STATUS_OK;
	if (obj && line == 1) {
		status = check_header(r, path, whose, obj);
		json_object_put(obj);
		return status;
	}
	set_location(path, line);
	if (!obj)
		status = refused("this is no JSON; move the file away, or say \"replace\"");
	else
		status = result_read(r, obj, &nr);
	set_location(NULL, 0);
	json_object_put(obj);
	return status;
}

/* *@whole: how many bytes of it are whole lines. */
static enum status read_lines(struct results *r, const char *path, enum results_of whose,
			      off_t *whole)
{
	enum status status = STATUS_OK;
	char *text, *line, *end;
	u32 number = 0;
	size_t len;
	int err;

	*whole = 0;
	err = text_read(path, MAX_FILE, &text, &len);
	if (err)
		return text_refuse(path, MAX_FILE, err);
	for (line = text; *line && !status; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			break;
		*end = '\0';
		status = take_line(r, path, whose, ++number, line, !end[1]);
		*whole = end + 1 - text;
	}
	free(text);
	return status;
}

enum status journal_read(struct results *r, const char *path, bool *there)
{
	off_t whole;

	*there = !access(path, F_OK);
	return *there ? read_lines(r, path, RESULTS_ANY, &whole) : STATUS_OK;
}

/* Forget what is in a journal that does not begin as ours does. */
static enum status forget_others(struct journal *j, const struct results *r)
{
	struct json_object *obj = header(r);
	const char *mine = json_object_to_json_string_ext(obj, PLAIN);
	size_t len = strlen(mine);
	char *first = xcalloc(len + 1, 1);
	enum status status = STATUS_OK;

	if (pread(j->fd, first, len, 0) != (ssize_t)len || strcmp(first, mine)) {
		if (ftruncate(j->fd, 0))
			status = failed("cannot be shortened", j->path);
	}
	free(first);
	json_object_put(obj);
	return status;
}

enum status journal_open(struct journal *j, struct results *r, const char *folder, bool replace)
{
	enum status status;
	off_t whole = 0;

	j->path = results_path(r, folder, "part");
	j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (j->fd < 0) {
		status = failed("cannot be opened", j->path);
		free(j->path);
		return status;
	}
	if (flock(j->fd, LOCK_EX | LOCK_NB))
		status = errno == EWOULDBLOCK ? refused("%s: another process runs this scenario",
							j->path) : failed("flock", j->path);
	else
		status = replace ? forget_others(j, r) : STATUS_OK;
	if (!status)
		status = read_lines(r, j->path, RESULTS_OURS, &whole);
	if (!status && ftruncate(j->fd, whole))
		status = failed("cannot be shortened", j->path);
	if (!status && !whole)
		status = append(j, header(r));
	if (status)
		journal_close(j, false);
	return status;
}

enum status journal_add(struct journal *j, const struct results *r, u32 nr)
{
	return append(j, result_json(r, nr));
}

void journal_close(struct journal *j, bool remove)
{
	if (remove)
		unlink(j->path);
	close(j->fd);
	free(j->path);
}

static enum status read_points(struct results *r, struct json_object *points)
{
	enum status status = STATUS_OK;
	u32 nr;

	if (!json_object_is_type(points, json_type_array))
		return usage("there are no points");
	for (size_t i = 0; i < json_object_array_length(points) && !status; i++)
		status = result_read(r, json_object_array_get_idx(points, i), &nr);
	return status;
}

/* What results were made with stays theirs. */
static void take_text(char **to, struct json_object *obj, const char *name)
{
	free(*to);
	*to = xstrdup(get_str(obj, name));
}

enum status results_load(struct results *r, const char *path, enum results_of whose, bool *there)
{
	struct json_object *obj;
	enum status status;

	*there = !access(path, F_OK);
	if (!*there)
		return STATUS_OK;
	obj = json_object_from_file(path);
	if (!obj)
		return refused("%s: no results of an experiment", path);
	status = check_header(r, path, whose, obj);
	set_location(path, 1);
	if (!status)
		status = read_points(r, get_obj(obj, "points"));
	set_location(NULL, 0);
	if (!status) {
		take_text(&r->version, obj, "version");
		take_text(&r->engine, obj, "engine");
		take_text(&r->kernel, obj, "kernel");
	}
	json_object_put(obj);
	return status;
}

static enum status store_json(const struct results *r, const char *path)
{
	struct json_object *obj = header(r), *points = json_object_new_array();
	enum status status;
	const char *text;
	size_t len;

	add_text(obj, "title", r->s->title ? r->s->title : r->s->name);
	add_text(obj, "text", r->s->text);
	for (u32 i = 0; i < r->n; i++) {
		if (r->point[i].there)
			json_object_array_add(points, result_json(r, i));
	}
	json_object_object_add(obj, "points", points);
	text = json_object_to_json_string_length(obj, JSON_C_TO_STRING_PRETTY |
						 JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	status = write_file(path, text, len);
	json_object_put(obj);
	return status;
}

enum status results_store(const struct results *r, const char *folder)
{
	char *json = results_path(r, folder, "json"), *csv = results_path(r, folder, "csv");
	enum status status;

	/* the JSON file last: who finds it finds the other one, too */
	status = results_csv(r, csv);
	if (!status)
		status = store_json(r, json);
	if (!status)
		printf("%s: %s, %s\n", r->s->name, json, csv);
	free(json);
	free(csv);
	return status;
}
