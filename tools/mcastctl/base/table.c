// SPDX-License-Identifier: GPL-2.0
/* Text for people: tables whose columns fit, and numbers they can read. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/table.h"

void table_init(struct table *t, const char *head)
{
	char *copy = xstrdup(head), *save = NULL, *word;

	memset(t, 0, sizeof(*t));
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		t->left[t->columns] = *word == '<';
		t->cell = xrealloc(t->cell, t->columns + 1, sizeof(*t->cell));
		t->cell[t->columns] = xstrdup(word + (*word == '<'));
		t->columns++;
	}
	t->n = t->columns;
	t->room = t->columns;
	free(copy);
}

void table_cell(struct table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (t->n == t->room) {
		t->room = 2 * t->room + 8;
		t->cell = xrealloc(t->cell, t->room, sizeof(*t->cell));
	}
	t->cell[t->n++] = len < 0 ? xstrdup("?") : text;
}

/* Columns on the screen: characters that continue one in UTF-8 take none. */
static int width_of(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void table_print(struct table *t, FILE *f)
{
	int width[TABLE_MAX_COLUMNS] = { 0 };

	for (u32 i = 0; i < t->n; i++) {
		int w = width_of(t->cell[i]);

		if (w > width[i % t->columns])
			width[i % t->columns] = w;
	}
	for (u32 i = 0; i < t->n; i++) {
		u32 c = i % t->columns;
		int pad = width[c] - width_of(t->cell[i]);
		bool last = c == t->columns - 1 || i == t->n - 1;

		if (!t->left[c])
			fprintf(f, "%*s", pad, "");
		fputs(t->cell[i], f);
		if (last)
			fputc('\n', f);
		else
			fprintf(f, "%*s", (t->left[c] ? pad : 0) + 2, "");
	}
	table_free(t);
}

void table_free(struct table *t)
{
	for (u32 i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

struct json_object *get_obj(struct json_object *obj, const char *name)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(obj, name, &value);
	return value;
}

u64 get_u64(struct json_object *obj, const char *name)
{
	return json_object_get_uint64(get_obj(obj, name));
}

const char *get_str(struct json_object *obj, const char *name)
{
	const char *s = json_object_get_string(get_obj(obj, name));

	return s ? s : "";
}

bool has(struct json_object *obj, const char *name)
{
	return json_object_object_get_ex(obj, name, NULL);
}

int json_flags(void)
{
	return options.pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
				JSON_C_TO_STRING_NOSLASHESCAPE :
				JSON_C_TO_STRING_NOSLASHESCAPE;
}

void json_print(struct json_object *obj)
{
	puts(json_object_to_json_string_ext(obj, json_flags()));
	json_object_put(obj);
}

const char *group_digits(char *buf, size_t len, u64 value)
{
	char plain[24];
	size_t n, o = 0;

	n = snprintf(plain, sizeof(plain), "%llu", value);
	for (size_t i = 0; i < n && o + 2 < len; i++) {
		if (i && !((n - i) % 3))
			buf[o++] = ' ';
		buf[o++] = plain[i];
	}
	buf[o] = '\0';
	return buf;
}

const char *human_bytes(char *buf, size_t len, u64 bytes)
{
	if (bytes < 10000)
		snprintf(buf, len, "%llu B", bytes);
	else if (bytes < 10000000)
		snprintf(buf, len, "%.1f kB", bytes / 1e3);
	else if (bytes < 10000000000)
		snprintf(buf, len, "%.1f MB", bytes / 1e6);
	else
		snprintf(buf, len, "%.1f GB", bytes / 1e9);
	return buf;
}

const char *human_duration(char *buf, size_t len, double seconds)
{
	if (seconds < 100)
		snprintf(buf, len, "%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(buf, len, "%.0f min", seconds / 60);
	else
		snprintf(buf, len, "%.1f h", seconds / 3600);
	return buf;
}

const char *down_text(char *buf, size_t len, u64 links, u64 switches)
{
	snprintf(buf, len, "down: %llu link%s, %llu switch%s", links, links == 1 ? "" : "s",
		 switches, switches == 1 ? "" : "es");
	return buf;
}
