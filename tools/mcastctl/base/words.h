/* SPDX-License-Identifier: GPL-2.0 */
/* Finding a word in a table: whole, abbreviated, or mistyped. */
#ifndef MCASTCTL_WORDS_H
#define MCASTCTL_WORDS_H

#include "base/util.h"

#define WORD_UNKNOWN	(-1)
#define WORD_AMBIGUOUS	(-2)

/*
 * The tables are arrays of any structure whose first member is the name, a
 * const char *. @stride is the size of an element.
 */
int word_find(const char *word, const void *table, size_t stride, size_t n);
int word_exact(const char *word, const void *table, size_t stride, size_t n);
const char *word_closest(const char *word, const void *table, size_t stride, size_t n);
/* "fabric, plan": the names that begin with @word (all: empty), to be freed. */
char *word_list(const char *word, const void *table, size_t stride, size_t n);

#define WORD_FIND(word, table, n)	word_find(word, table, sizeof((table)[0]), n)
#define WORD_EXACT(word, table, n)	word_exact(word, table, sizeof((table)[0]), n)
#define WORD_CLOSEST(word, table, n)	word_closest(word, table, sizeof((table)[0]), n)
#define WORD_LIST(word, table, n)	word_list(word, table, sizeof((table)[0]), n)

u32 word_distance(const char *a, const char *b);

#endif
