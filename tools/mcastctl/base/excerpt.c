// SPDX-License-Identifier: GPL-2.0
/* What a message echoes of a user's words, which may be as long as a file. */
#include <string.h>

#include "base/excerpt.h"

static const char dots[] = "...";

#define DOTS	(sizeof(dots) - 1)

/* Not within a character of several bytes. */
static size_t whole(const char *s, size_t at)
{
	while (at && (s[at] & 0xc0) == 0x80)
		at--;
	return at;
}

struct excerpt excerpt(const char *word, size_t at)
{
	const size_t room = EXCERPT_MAX - 2 * DOTS, before = room / 2;
	size_t len = strlen(word), from, to;
	struct excerpt e;
	char *out = e.text;

	if (len <= EXCERPT_MAX) {
		memcpy(e.text, word, len + 1);
		return e;
	}
	if (at > len)
		at = len;
	from = at > before ? at - before : 0;
	if (from > len - room)
		from = len - room;
	from = whole(word, from);
	to = from + room < len ? whole(word, from + room) : len;
	if (from) {
		memcpy(out, dots, DOTS);
		out += DOTS;
	}
	/* A character that @from was moved down for. */
	if (to - from > room)
		to = whole(word, from + room);
	memcpy(out, word + from, to - from);
	out += to - from;
	if (to < len) {
		memcpy(out, dots, DOTS);
		out += DOTS;
	}
	*out = '\0';
	return e;
}

/* Copy @len bytes down to @out, of which at most @max stay: returns what follows them. */
static char *shorten(char *out, const char *s, size_t len, size_t max)
{
	size_t head, tail;

	if (len <= max) {
		memmove(out, s, len);
		return out + len;
	}
	head = whole(s, (max - DOTS) * 2 / 3);
	tail = len - (max - DOTS - head);
	while (tail < len && (s[tail] & 0xc0) == 0x80)
		tail++;
	memmove(out, s, head);
	memcpy(out + head, dots, DOTS);
	memmove(out + head + DOTS, s + tail, len - tail);
	return out + head + DOTS + len - tail;
}

void excerpt_message(char *text)
{
	char *out = text, *s;
	size_t len;

	for (s = text; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
	}
	for (s = text; *s; s += len) {
		len = strcspn(s, " ");
		out = shorten(out, s, len, EXCERPT_WORD);
		for (; s[len] == ' '; len++)
			*out++ = ' ';
	}
	*out = '\0';
	out = shorten(text, text, out - text, EXCERPT_TEXT);
	*out = '\0';
}
