// SPDX-License-Identifier: GPL-2.0
/*
 * The file of a workload "file": a message on each line, CYCLE SOURCE LIST, or CYCLE SOURCE group
 * NAME; before the list or the group there may be flits=N and class=NAME. The file may be packed by
 * gzip.
 */
#include <ctype.h>
#include <limits.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/groups.h"
#include "ask/lookup.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/table.h"
#include "netlink/upload.h"

/* Of text. How many messages there may be depends on the memory for them. */
#define MESSAGES_MAX_FILE	(64ULL << 30)

/* Messages between two lines of progress. */
#define MESSAGES_SHOWN		1000000

static void add_message(struct messages *m, u64 cycle, u32 source, u32 count, u32 group)
{
	if (m->n == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		m->cycle = xrealloc(m->cycle, m->room, sizeof(*m->cycle));
		m->source = xrealloc(m->source, m->room, sizeof(*m->source));
		m->count = xrealloc(m->count, m->room, sizeof(*m->count));
		if (m->group)
			m->group = xrealloc(m->group, m->room, sizeof(*m->group));
		if (m->flits)
			m->flits = xrealloc(m->flits, m->room, sizeof(*m->flits));
		if (m->nclasses)
			m->class = xrealloc(m->class, m->room, sizeof(*m->class));
	}
	/* most lists have neither: the messages before have none */
	if (group && !m->group)
		m->group = xcalloc(m->room, sizeof(*m->group));
	if (m->length && !m->flits)
		m->flits = xcalloc(m->room, sizeof(*m->flits));
	m->cycle[m->n] = cycle;
	m->source[m->n] = source;
	if (m->group)
		m->group[m->n] = group;
	if (m->flits)
		m->flits[m->n] = m->length;
	if (m->nclasses)
		m->class[m->n] = m->in_class;
	m->count[m->n++] = count;
}

/* what the list takes in the module, with one more message */
static u64 list_bytes(const struct messages *m, u32 ndst)
{
	u64 each = sizeof(*m->cycle) + sizeof(*m->source) + sizeof(*m->count) +
		   (m->group ? sizeof(*m->group) : 0) + (m->flits ? sizeof(*m->flits) : 0) +
		   (m->nclasses ? sizeof(*m->class) : 0);

	return (m->n + 1) * each + ((u64)m->ndst + ndst) * sizeof(*m->dst);
}

/* Before there is no memory left. */
static enum status check_room(const struct messages *m, u32 ndst)
{
	if (list_bytes(m, ndst) > m->memory)
		return usage("%u messages, and no memory for more: %llu MiB, see max_memory_mb",
			     m->n, m->memory >> 20);
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
	return STATUS_OK;
}

/* "flits=N" in front of what is for whom, which is optional */
static enum status take_flits(char **line, struct messages *m)
{
	char *rest = *line + strspn(*line, " \t"), *word;
	u64 flits;

	m->length = 0;
	if (strncmp(rest, "flits=", strlen("flits=")))
		return STATUS_OK;
	word = next_word(line);
	if (number_u64(word + strlen("flits="), 1, MCFAB_MAX_FLITS, &flits))
		return usage("%s: not a length of 1 to %u flits", word, MCFAB_MAX_FLITS);
	m->length = flits;
	return STATUS_OK;
}

/* "class=NAME" behind that; all messages of a list have it, or none */
static enum status take_class(char **line, struct messages *m)
{
	char *rest = *line + strspn(*line, " \t"), *name;
	bool first = !m->nclasses;

	if (strncmp(rest, "class=", strlen("class=")))
		return first ? STATUS_OK :
			       usage("class=NAME is missing, which other messages have");
	name = next_word(line) + strlen("class=");
	if (!*name)
		return usage("class=: NAME is missing");
	if (first && m->n)
		return usage("class=%s: the messages before have no class", name);
	for (m->in_class = 0; m->in_class < m->nclasses; m->in_class++) {
		if (!strcmp(m->name[m->in_class], name))
			return STATUS_OK;
	}
	if (m->nclasses == MCFAB_MAX_TRAFFIC_CLASSES)
		return usage("class=%s: more than %u classes", name, MCFAB_MAX_TRAFFIC_CLASSES);
	m->name[m->nclasses++] = xstrdup(name);
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
	status = take_flits(&line, m);
	if (!status)
		status = take_class(&line, m);
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

static void progress(const struct messages *m)
{
	char n[32];

	if (m->n % MESSAGES_SHOWN || !m->n || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%s messages read\033[K", group_digits(n, sizeof(n), m->n));
	fflush(stderr);
}

enum status messages_read(const char *path, struct json_object *fabric, struct messages *m)
{
	enum status status;
	struct lines l;
	bool end;

	status = lines_open(&l, path, MESSAGES_MAX_FILE);
	if (status)
		return status;
	status = lines_unpack(&l);
	m->memory = nl_memory();
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
		if (!status && l.number == UINT_MAX)
			status = usage("the file goes on behind this line, the last one allowed");
		set_location(NULL, 0);
		progress(m);
	}
	if (m->n >= MESSAGES_SHOWN && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
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
	free(m->flits);
	free(m->class);
	for (u32 i = 0; i < m->nclasses; i++)
		free(m->name[i]);
	free(m->seen);
	free(m->last);
	json_object_put(m->groups);
	memset(m, 0, sizeof(*m));
}
