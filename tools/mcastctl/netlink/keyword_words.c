// SPDX-License-Identifier: GPL-2.0
/* The words that a keyword takes, as messages and help tell them. */
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "netlink/keyword.h"

char *keyword_words(const struct grammar *g, const struct keyword *key)
{
	const struct attr_enum *words = attr_desc(attr_set_of_request(g->cmd), key->attr)->words;
	const struct keyword_alias *alias;
	char *all = NULL, *longer;

	for (u32 i = 0; i < words->n; i++) {
		const char *name = words->word[i].name;

		for (alias = key->alias; alias && alias->name; alias++) {
			if (!alias->quiet && !strcmp(alias->spec, name)) {
				name = alias->name;
				break;
			}
		}
		longer = all ? xasprintf("%s|%s", all, name) : xstrdup(name);
		free(all);
		all = longer;
	}
	return all;
}

char *keyword_words_spread(const struct grammar *g, const struct keyword *key)
{
	char *all = keyword_words(g, key), *spread = xstrdup(""), *longer, *word;

	if (strlen(all) <= EXCERPT_MAX) {
		free(spread);
		return all;
	}
	for (word = strtok(all, "|"); word; word = strtok(NULL, "|")) {
		longer = xasprintf("%s%s%s", spread, *spread ? ", " : "", word);
		free(spread);
		spread = longer;
	}
	free(all);
	return spread;
}
