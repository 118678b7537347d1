// SPDX-License-Identifier: GPL-2.0
/*
 * The file of a workload "file": a message on each line, CYCLE SOURCE LIST, or
 * CYCLE SOURCE group NAME.
 */
#include <ctype.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "lines.h"
#include "lookup.h"
#include "number.h"
#include "table.h"
#include "upload.h"

/* Twice what the longest list takes. */
#define MESSAGES_MAX_FILE	(256u << 20)

static void add_message(struct messages *m, u64 cycle, u32 source, u32 count, u32 group)
{
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->cycle = xrealloc(m->cycle, m->room, sizeof(*m->cycle));
		m->source = xrealloc(m->source, m->room, sizeof(*m->source));
		m->count = xrealloc(m->count, m->room, sizeof(*m->count));
		m->group = xrealloc(m->group, m->room, sizeof(*m->group));
	}
	m->cycle[m->n] = cycle;
	m->source[m->n] = source;
	m->group[m->n] = group;
	m->count[m->n++] = count;
}

/* Before there is no memory left. */
static enum status check_room(const struct messages *m, u32 ndst)
{
	if (m->n == MCFAB_MAX_LIST_MESSAGES)
		return usage("more than %d messages", MCFAB_MAX_LIST_MESSAGES);
	if (ndst > MCFAB_MAX_LIST_DESTINATIONS - m->ndst)
		return usage("more than %d destinations, all messages together",
			     MCFAB_MAX_LIST_DESTINATIONS);
	return STATUS_OK;
}

/* As the kernel has it, which knows of no lines. */
static enum status check_cycle(struct messages *m, u64 cycle, u32 source)
{
	if (cycle < m->last[source])
		return usage("cycle %llu: earlier than %llu, the one before of source %u", cycle,
			     m->last[source], source);
	m->last[source] = cycle;
	return STATUS_OK;
}

static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " \t"), *end = word + strcspn(word, " \t");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* What the kernel would say of the whole list is said of the line. */
static enum status check_nodes(struct messages *m, u32 source, const u32 *dst, u32 n)
{
	m->nlines++;
	if (source >= m->nodes)
		return usage("source %u is not below %u, the nodes", source, m->nodes);
	for (u32 i = 0; i < n; i++) {
		if (dst[i] >= m->nodes)
			return usage("destination %u is not below %u, the nodes", dst[i], m->nodes);
		if (dst[i] == source)
			return usage("source %u is among the destinations", source);
		if (m->seen[dst[i]] == m->nlines)
			return usage("destination %u occurs twice", dst[i]);
		m->seen[dst[i]] = m->nlines;
	}
	return STATUS_OK;
}

/* The number of a group, by which messages name it. */
static enum status find_group(struct messages *m, const char *fabric, const char *name, u32 *id)
{
	enum status status;

	if (!m->groups) {
		status = groups_all(fabric, &m->groups);
		if (status)
			return status;
	}
	for (size_t i = 0; i < json_object_array_length(m->groups); i++) {
		struct json_object *group = json_object_array_get_idx(m->groups, i);

		if (!strcmp(get_str(group, "name"), name)) {
			*id = get_u64(group, "id");
			return STATUS_OK;
		}
	}
	return usage("group \"%s\": fabric %s has no such group", name, fabric);
}

/* "NAME" behind "CYCLE SOURCE group" */
static enum status take_group(char *line, struct json_object *fabric, struct messages *m,
			      u64 cycle, u32 source)
{
	const char *name = next_word(&line);
	enum status status;
	u32 id = 0;

	if (!*name)
		return usage("group: NAME is missing; lines are CYCLE SOURCE group NAME");
	if (line[strspn(line, " \t")])
		return usage("group \"%s\": \"%s\" follows", name, line);
	status = check_nodes(m, source, NULL, 0);
	if (!status)
		status = check_cycle(m, cycle, source);
	if (!status)
		status = check_room(m, 0);
	if (!status)
		status = find_group(m, get_str(fabric, "name"), name, &id);
	if (status)
		return status;
	add_message(m, cycle, source, 0, id);
	m->grouped = true;
	return STATUS_OK;
}

/* One line; @line is written on. */
static enum status take_line(char *line, struct json_object *fabric, struct messages *m)
{
	struct node_list list = { 0 };
	struct node_ref source;
	struct node_error wrong;
	enum status status;
	char *word, *rest;
	u64 cycle;
	u32 id;

	word = next_word(&line);
	if (number_u64(word, 0, UINT64_MAX, &cycle))
		return usage("cycle \"%s\": not a number; lines are CYCLE SOURCE LIST", word);
	word = next_word(&line);
	if (node_parse(word, &source, &wrong))
		return usage("source \"%s\": %s", wrong.word, wrong.why);
	status = lookup_nodes(fabric, "source", &source, 1, &id);
	if (status)
		return status;
	rest = line + strspn(line, " \t");
	if (!strncmp(rest, "group", 5) && strchr(" \t", rest[5]))
		return take_group(rest + 5, fabric, m, cycle, id);
	if (node_list_parse(line, &list, &wrong)) {
		status = usage("destination \"%s\": %s", wrong.word, wrong.why);
		goto out;
	}
	if (!list.n) {
		status = usage("no destinations; lines are CYCLE SOURCE LIST");
		goto out;
	}
	status = check_room(m, list.n);
	if (status)
		goto out;
	while (m->ndst + list.n > m->dst_room) {
		m->dst_room = m->dst_room ? 2 * m->dst_room : 1024;
		m->dst = xrealloc(m->dst, m->dst_room, sizeof(*m->dst));
	}
	status = lookup_nodes(fabric, "destination", list.ref, list.n, m->dst + m->ndst);
	if (!status)
		status = check_nodes(m, id, m->dst + m->ndst, list.n);
	if (!status)
		status = check_cycle(m, cycle, id);
	if (status)
		goto out;
	add_message(m, cycle, id, list.n, 0);
	m->ndst += list.n;
out:
	node_list_free(&list);
	return status;
}

static void strip_comment(char *line)
{
	char *c;

	line[strcspn(line, "\r\n")] = '\0';
	for (c = strchr(line, '#'); c; c = strchr(c + 1, '#')) {
		if (!isdigit((unsigned char)c[1])) {
			*c = '\0';
			return;
		}
	}
}

enum status messages_read(const char *path, struct json_object *fabric, struct messages *m)
{
	enum status status;
	struct lines l;
	bool end;

	status = lines_open(&l, path, MESSAGES_MAX_FILE);
	if (status)
		return status;
	m->nodes = get_u64(fabric, "nodes");
	m->seen = xcalloc(m->nodes, sizeof(*m->seen));
	m->last = xcalloc(m->nodes, sizeof(*m->last));
	while (!status) {
		status = lines_next(&l, false, &end);
		if (status || end)
			break;
		set_location(path, l.number);
		strip_comment(l.text);
		if (l.text[strspn(l.text, " \t")])
			status = take_line(l.text, fabric, m);
		set_location(NULL, 0);
	}
	if (!status && !m->n)
		status = usage("%s: no messages in it", path);
	lines_close(&l);
	return status;
}

void messages_free(struct messages *m)
{
	free(m->cycle);
	free(m->source);
	free(m->count);
	free(m->dst);
	free(m->group);
	free(m->seen);
	free(m->last);
	json_object_put(m->groups);
	memset(m, 0, sizeof(*m));
}
