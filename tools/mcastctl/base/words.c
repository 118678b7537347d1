// SPDX-License-Identifier: GPL-2.0
/* Finding a word in a table: whole, abbreviated, or mistyped. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/words.h"

#define LONGEST	32

static const char *name_at(const void *table, size_t stride, size_t i)
{
	return *(const char *const *)((const char *)table + i * stride);
}

/** word_exact() - index of the element that is called @word, or WORD_UNKNOWN */
int word_exact(const char *word, const void *table, size_t stride, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(word, name_at(table, stride, i)))
			return i;
	}
	return WORD_UNKNOWN;
}

/* Index of the element called @word or, if there is none, of the only one that begins with it. */
int word_find(const char *word, const void *table, size_t stride, size_t n)
{
	int found = word_exact(word, table, stride, n);
	size_t len = strlen(word);

	if (found >= 0 || !len)
		return found;
	for (size_t i = 0; i < n; i++) {
		if (strncmp(word, name_at(table, stride, i), len))
			continue;
		if (found >= 0)
			return WORD_AMBIGUOUS;
		found = i;
	}
	return found;
}

static u32 min3(u32 a, u32 b, u32 c)
{
	u32 m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Letters to add, drop, change or swap to get from @a to @b. Words longer than any
 * of ours are far from everything.
 */
u32 word_distance(const char *a, const char *b)
{
	u32 row[3][LONGEST + 1], *before = row[0], *last = row[1], *now = row[2], *t;
	size_t la = strlen(a), lb = strlen(b);

	if (la > LONGEST || lb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= lb; j++)
		last[j] = j;
	for (size_t i = 1; i <= la; i++) {
		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			u32 change = last[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, change);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		t = before;
		before = last;
		last = now;
		now = t;
	}
	return last[lb];
}

/** word_closest() - what the user may have meant by @word, or NULL */
const char *word_closest(const char *word, const void *table, size_t stride, size_t n)
{
	u32 limit = strlen(word) < 5 ? 1 : strlen(word) < 8 ? 2 : 3;
	const char *best = NULL;
	u32 nearest = limit + 1;

	for (size_t i = 0; i < n; i++) {
		const char *name = name_at(table, stride, i);
		u32 d = strcasecmp(word, name) ? word_distance(word, name) : 0;

		/* A different word as a whole is no typing mistake. */
		if (d < nearest && d < strlen(name)) {
			nearest = d;
			best = name;
		}
	}
	return best;
}

char *word_list(const char *word, const void *table, size_t stride, size_t n)
{
	char *list = NULL;

	for (size_t i = 0; i < n; i++) {
		const char *name = name_at(table, stride, i);
		char *longer;

		if (strncmp(word, name, strlen(word)))
			continue;
		longer = list ? xasprintf("%s, %s", list, name) : xstrdup(name);
		if (list)
			free(list);
		list = longer;
	}
	return list ? list : xstrdup("");
}
