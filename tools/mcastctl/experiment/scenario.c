// SPDX-License-Identifier: GPL-2.0
/* The points of a scenario, and the commands that run one. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "experiment/scenario.h"

static void free_words(char **word, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free(word[i]);
	free(word);
}

static void free_var(struct scenario_var *var)
{
	for (u32 i = 0; i < var->n; i++) {
		free(var->value[i].label);
		free_words(var->value[i].word, var->value[i].n);
	}
	free(var->value);
	free(var->name);
}

static void free_claim(struct scenario_claim *claim)
{
	for (u32 i = 0; i < claim->n; i++) {
		free(claim->check[i].a.series);
		free(claim->check[i].a.per);
		free(claim->check[i].b.series);
		free(claim->check[i].b.per);
		free(claim->check[i].panel);
	}
	free(claim->check);
	free(claim->where);
	free(claim->text);
}

void scenario_free(struct scenario *s)
{
	if (!s)
		return;
	for (u32 i = 0; i < s->nvars; i++)
		free_var(&s->var[i]);
	for (u32 i = 0; i < s->nbefore; i++)
		free_words(s->before[i].word, s->before[i].n);
	for (u32 i = 0; i < s->nmetrics; i++)
		free(s->metric[i].label);
	for (u32 i = 0; i < s->nfigures; i++) {
		free(s->figure[i].name);
		free(s->figure[i].panel);
	}
	for (u32 i = 0; i < s->npublished; i++)
		free(s->published[i].series);
	for (u32 i = 0; i < s->nclaims; i++)
		free_claim(&s->claim[i]);
	free_words(s->fabric.word, s->fabric.n);
	free_words(s->run.word, s->run.n);
	free_words(s->note, s->nnotes);
	free(s->before);
	free(s->metric);
	free(s->figure);
	free(s->published);
	free(s->claim);
	free(s->x.label);
	free(s->series.label);
	free(s->panel.label);
	free(s->title);
	free(s->source);
	free(s->text);
	free(s->path);
	free(s->name);
	free(s);
}

s32 scenario_find_var(const struct scenario *s, const char *name)
{
	for (u32 i = 0; i < s->nvars; i++) {
		if (!strcmp(s->var[i].name, name))
			return i;
	}
	return -1;
}

/* FNV-1a, by Fowler, Noll and Vo: it tells texts apart that were changed by hand. */
u64 scenario_hash(const struct scenario *s, bool quick)
{
	u64 hash = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i <= s->len; i++) {
		hash ^= i < s->len ? (unsigned char)s->text[i] : quick;
		hash *= 0x100000001b3ULL;
	}
	return hash;
}

/* How many values of a variable count. */
static u32 values(const struct scenario_var *var, bool quick)
{
	u32 n = 0;

	if (!var->swept)
		return 1;
	if (!quick || !var->has_quick)
		return var->n;
	for (u32 i = 0; i < var->n; i++)
		n += var->value[i].quick;
	return n;
}

/* The place in the scenario of the @nr-th value that counts. */
static u32 value_at(const struct scenario_var *var, bool quick, u32 nr)
{
	if (!var->swept)
		return quick && var->has_quick;
	if (!quick || !var->has_quick)
		return nr;
	for (u32 i = 0; i < var->n; i++) {
		if (var->value[i].quick && !nr--)
			return i;
	}
	return 0;
}

static u32 seeds(const struct scenario *s, bool quick)
{
	return quick && s->quick_seeds ? s->quick_seeds : s->seeds;
}

u32 scenario_points(const struct scenario *s, bool quick)
{
	u32 points = seeds(s, quick);

	for (u32 i = 0; i < s->nvars; i++)
		points *= values(&s->var[i], quick);
	return points;
}

struct scenario_point scenario_point(const struct scenario *s, bool quick, u32 nr)
{
	struct scenario_point p = { .seed = nr % seeds(s, quick) + 1 };

	nr /= seeds(s, quick);
	for (u32 i = s->nvars; i-- > 0; ) {
		u32 n = values(&s->var[i], quick);

		p.value[i] = value_at(&s->var[i], quick, nr % n);
		nr /= n;
	}
	return p;
}

static void add_word(struct command_words *c, char *word)
{
	c->word = xrealloc(c->word, c->n + 2, sizeof(*c->word));
	c->word[c->n++] = word;
	c->word[c->n] = NULL;
}

/* "dests", or the second word of "size.2" counted from 1; 0: all words */
static enum status read_name(char *name, u32 *index)
{
	char *dot = strrchr(name, '.');
	u64 number;

	*index = 0;
	if (!dot)
		return STATUS_OK;
	*dot = '\0';
	if (number_u64(dot + 1, 1, 1000, &number))
		return usage("{%s.%s}: a number must follow the dot", name, dot + 1);
	*index = number;
	return STATUS_OK;
}

/* The words that stand for what is in braces. */
static enum status find_words(const struct scenario *s, const struct scenario_point *p,
			      const char *fabric, char *name, char ***word, u32 *n)
{
	const struct scenario_value *value;
	enum status status;
	u32 index;
	s32 nr;

	if (!strcmp(name, "fabric") || !strcmp(name, "seed")) {
		*word = xcalloc(1, sizeof(**word));
		**word = *name == 'f' ? xstrdup(fabric) : xasprintf("%u", p->seed);
		*n = 1;
		return STATUS_OK;
	}
	status = read_name(name, &index);
	if (status)
		return status;
	nr = scenario_find_var(s, name);
	if (nr < 0)
		return usage("{%s}: no such variable", name);
	value = &s->var[nr].value[p->value[nr]];
	if (index > value->n)
		return usage("{%s.%u}: value %s has %u words", name, index, value->label, value->n);
	*n = index ? 1 : value->n;
	*word = xcalloc(*n + 1, sizeof(**word));
	for (u32 i = 0; i < *n; i++)
		(*word)[i] = xstrdup(value->word[index ? index - 1 : i]);
	return STATUS_OK;
}

/* Replace the first braces of a word; a word that is nothing else may become several. */
static enum status replace(const struct scenario *s, const struct scenario_point *p,
			   const char *fabric, struct command_words *out, char **text)
{
	char *open = strchr(*text, '{'), *close = strchr(open, '}'), *name, **word = NULL;
	enum status status;
	u32 n = 0;

	if (!close)
		return usage("%s: a brace is not closed", *text);
	name = xstrdup(open + 1);
	name[close - open - 1] = '\0';
	status = find_words(s, p, fabric, name, &word, &n);
	if (!status && open == *text && !close[1] && n != 1) {
		for (u32 i = 0; i < n; i++)
			add_word(out, xstrdup(word[i]));
		free(*text);
		*text = NULL;
	} else if (!status && n != 1) {
		status = usage("%s: {%s} is %u words; name one of them, as {%s.1}", *text, name, n,
			       name);
	} else if (!status) {
		char *longer = xasprintf("%.*s%s%s", (int)(open - *text), *text, word[0],
					 close + 1);

		free(*text);
		*text = longer;
	}
	free_words(word, n);
	free(name);
	return status;
}

enum status scenario_expand(const struct scenario *s, const struct scenario_point *p,
			    const struct scenario_line *line, const char *fabric,
			    const char *const *head, struct command_words *out)
{
	enum status status = STATUS_OK;

	*out = (struct command_words){ .line = line->line };
	for (; *head; head++)
		add_word(out, xstrdup(*head));
	set_location(s->path, line->line);
	for (u32 i = 0; i < line->n && !status; i++) {
		char *text = xstrdup(line->word[i]);
		u32 depth = 0;

		while (!status && text && strchr(text, '{')) {
			if (++depth > 100)
				status = usage("%s: braces without end", line->word[i]);
			else
				status = replace(s, p, fabric, out, &text);
		}
		if (text)
			add_word(out, text);
	}
	set_location(NULL, 0);
	if (status)
		command_words_free(out);
	return status;
}

void command_words_add(struct command_words *c, const char *word)
{
	add_word(c, xstrdup(word));
}

void command_words_free(struct command_words *c)
{
	free_words(c->word, c->n);
	*c = (struct command_words){ 0 };
}

bool command_words_have(const struct command_words *c, const char *word)
{
	for (u32 i = 0; i < c->n; i++) {
		if (!strcmp(c->word[i], word))
			return true;
	}
	return false;
}
