// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a scenario: a line is a key and its words. Documentation/scenarios.md describes the keys.
 * A name must be defined above the line that uses it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/split.h"
#include "base/text.h"
#include "base/words.h"
#include "experiment/scenario_reader.h"

static char **copy_words(char **word, u32 n)
{
	char **copy = xcalloc(n + 1, sizeof(*copy));

	for (u32 i = 0; i < n; i++)
		copy[i] = xstrdup(word[i]);
	return copy;
}

char *scenario_join(const struct reader *r, u32 at)
{
	char *text = xstrdup(at < r->n ? r->word[at] : ""), *longer;

	for (u32 i = at + 1; i < r->n; i++) {
		longer = xasprintf("%s %s", text, r->word[i]);
		free(text);
		text = longer;
	}
	return text;
}

static enum status read_text(struct reader *r, const char *key, char **to)
{
	if (*to)
		return usage("%s: given twice", key);
	*to = scenario_join(r, 0);
	return STATUS_OK;
}

static enum status read_title(struct reader *r)
{
	return read_text(r, "title", &r->s->title);
}

static enum status read_source(struct reader *r)
{
	return read_text(r, "source", &r->s->source);
}

static enum status read_note(struct reader *r)
{
	char *text = scenario_join(r, 0);

	*GROW(r->s->note, r->s->nnotes) = text;
	return STATUS_OK;
}

static enum status check_name(const char *name)
{
	static const char *const taken[] = { "fabric", "seed", "seeds" };

	for (u32 i = 0; i < ARRAY_SIZE(taken); i++) {
		if (!strcmp(name, taken[i]))
			return usage("variable %s: this name is taken", name);
	}
	if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return usage("variable %s: small letters, digits and \"-\" alone", name);
	return STATUS_OK;
}

static enum status new_var(struct reader *r, const char *name, bool swept,
			   struct scenario_var **out)
{
	struct scenario *s = r->s;
	enum status status = check_name(name);

	if (status)
		return status;
	if (scenario_find_var(s, name) >= 0)
		return usage("variable %s: defined in line %u", name,
			     s->var[scenario_find_var(s, name)].line);
	if (s->nvars == SCENARIO_MAX_VARS)
		return usage("variable %s: more than %d variables", name, SCENARIO_MAX_VARS);
	*out = &s->var[s->nvars++];
	(*out)->name = xstrdup(name);
	(*out)->line = r->line;
	(*out)->swept = swept;
	return STATUS_OK;
}

static enum status add_value(struct scenario_var *var, const char *label, char **word, u32 n)
{
	struct scenario_value *value;

	for (u32 i = 0; i < var->n; i++) {
		if (!strcmp(var->value[i].label, label))
			return usage("%s: value %s is there twice", var->name, label);
	}
	value = GROW(var->value, var->n);
	value->label = xstrdup(label);
	value->word = copy_words(word, n);
	value->n = n;
	return STATUS_OK;
}

/* let NAME WORD... */
static enum status read_let(struct reader *r)
{
	struct scenario_var *var;
	enum status status = new_var(r, r->word[0], false, &var);

	return status ? status : add_value(var, "all", r->word + 1, r->n - 1);
}

/* vary NAME VALUE... */
static enum status read_vary(struct reader *r)
{
	struct scenario_var *var;
	enum status status = new_var(r, r->word[0], true, &var);

	for (u32 i = 1; i < r->n && !status; i++)
		status = add_value(var, r->word[i], r->word + i, 1);
	return status;
}

/* case NAME LABEL WORD... */
static enum status read_case(struct reader *r)
{
	s32 nr = scenario_find_var(r->s, r->word[0]);
	struct scenario_var *var = NULL;
	enum status status = STATUS_OK;

	if (nr < 0)
		status = new_var(r, r->word[0], true, &var);
	else
		var = &r->s->var[nr];
	if (status)
		return status;
	if (!var->swept)
		return usage("case %s: \"let\" gave it a single value in line %u", var->name,
			     var->line);
	return add_value(var, r->word[1], r->word + 2, r->n - 2);
}

static enum status take_number(const char *key, const char *word, u32 most, u32 *out)
{
	u64 number;

	if (number_u64(word, 1, most, &number))
		return usage("%s %s: a number from 1 to %u", key, word, most);
	*out = number;
	return STATUS_OK;
}

/* quick NAME VALUE...: labels of a swept variable, or other words of a single value */
static enum status read_quick(struct reader *r)
{
	s32 nr = scenario_find_var(r->s, r->word[0]);
	struct scenario_var *var;

	if (!strcmp(r->word[0], "seeds"))
		return take_number("quick seeds", r->word[1], SCENARIO_MAX_SEEDS,
				   &r->s->quick_seeds);
	if (nr < 0)
		return usage("quick %s: no such variable above this line", r->word[0]);
	var = &r->s->var[nr];
	if (var->has_quick)
		return usage("quick %s: given twice", var->name);
	var->has_quick = true;
	if (!var->swept)
		return add_value(var, "quick", r->word + 1, r->n - 1);
	for (u32 i = 1, k; i < r->n; i++) {
		for (k = 0; k < var->n && strcmp(var->value[k].label, r->word[i]); k++)
			;
		if (k == var->n)
			return usage("quick %s %s: no such value above this line", var->name,
				     r->word[i]);
		var->value[k].quick = true;
	}
	return STATUS_OK;
}

static void keep_line(struct reader *r, struct scenario_line *line)
{
	line->line = r->line;
	line->n = r->n;
	line->word = copy_words(r->word, r->n);
}

static enum status read_once(struct reader *r, const char *key, struct scenario_line *line)
{
	if (line->line)
		return usage("%s: given in line %u", key, line->line);
	keep_line(r, line);
	return STATUS_OK;
}

static enum status read_fabric(struct reader *r)
{
	return read_once(r, "fabric", &r->s->fabric);
}

static enum status read_run(struct reader *r)
{
	return read_once(r, "run", &r->s->run);
}

static enum status read_before(struct reader *r)
{
	keep_line(r, GROW(r->s->before, r->s->nbefore));
	return STATUS_OK;
}

static enum status read_seeds(struct reader *r)
{
	return take_number("seeds", r->word[0], SCENARIO_MAX_SEEDS, &r->s->seeds);
}

static const struct {
	const char *name;
	u32 least;		/* words that must follow */
	u32 most;
	const char *words;	/* what they are, for messages */
	enum status (*read)(struct reader *r);
} keys[] = {
	{ "title", 1, ~0U, "TEXT", read_title },
	{ "source", 1, ~0U, "TEXT", read_source },
	{ "note", 1, ~0U, "TEXT", read_note },
	{ "let", 2, ~0U, "NAME WORD...", read_let },
	{ "vary", 2, ~0U, "NAME VALUE...", read_vary },
	{ "case", 2, ~0U, "NAME LABEL [WORD...]", read_case },
	{ "quick", 2, ~0U, "NAME VALUE...", read_quick },
	{ "seeds", 1, 1, "N", read_seeds },
	{ "fabric", 1, ~0U, "WORD...", read_fabric },
	{ "before", 1, ~0U, "WORD...", read_before },
	{ "run", 1, ~0U, "WORD...", read_run },
	{ "x", 1, ~0U, "NAME [log] [LABEL]", scenario_read_x },
	{ "series", 1, ~0U, "NAME [LABEL]", scenario_read_series },
	{ "panel", 1, ~0U, "NAME [LABEL]", scenario_read_panel },
	{ "metric", 1, ~0U, "NAME [log] [LABEL]", scenario_read_metric },
	{ "figure", 2, 3, "FILE METRIC [PANEL]", scenario_read_figure },
	{ "published", 4, 4, "METRIC SERIES X VALUE", scenario_read_published },
	{ "claim", 2, ~0U, "WHERE TEXT", scenario_read_claim },
	{ "check", 2, ~0U, "KIND METRIC...", scenario_read_check },
};

static enum status read_key(struct reader *r, const char *key)
{
	int i = WORD_EXACT(key, keys, ARRAY_SIZE(keys));
	const char *closest;

	if (i < 0) {
		closest = WORD_CLOSEST(key, keys, ARRAY_SIZE(keys));
		return usage("unknown key \"%s\"%s%s%s", key, closest ? "; did you mean \"" : "",
			     closest ? closest : "", closest ? "\"?" : "");
	}
	if (r->n < keys[i].least || r->n > keys[i].most)
		return usage("%s: %s must follow", key, keys[i].words);
	return keys[i].read(r);
}

/* One line, with the lines that continue it; *@text is moved behind it. */
static char *next_line(char **text, u32 *lines)
{
	char *line = *text, *end;

	*lines = 1;
	for (;;) {
		end = *text + strcspn(*text, "\n");
		*text = *end ? end + 1 : end;
		if (end == line || end[-1] != '\\' || !*end)
			break;
		end[-1] = ' ';
		*end = ' ';
		++*lines;
	}
	*end = '\0';
	return line;
}

/* "title", "source", "note": what follows is text as it stands, or in a pair of quotes. */
static bool take_text(char *line, char **text)
{
	static const char *const texts[] = { "title", "source", "note" };
	size_t key, len;

	line += strspn(line, " \t");
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		key = strlen(texts[i]);
		if (strncmp(line, texts[i], key) || !strchr(" \t", line[key]) || !line[key])
			continue;
		line[key] = '\0';
		*text = line + key + 1 + strspn(line + key + 1, " \t");
		len = strlen(*text);
		while (len && strchr(" \t\r", (*text)[len - 1]))
			(*text)[--len] = '\0';
		if (len > 1 && **text == '"' && (*text)[len - 1] == '"') {
			(*text)[len - 1] = '\0';
			++*text;
		}
		return **text;
	}
	return false;
}

static enum status read_line(struct reader *r, char *line)
{
	enum status status = STATUS_OK;
	char **words = NULL, *text;
	int n;

	if (take_text(line, &text)) {
		r->word = &text;
		r->n = 1;
		return read_key(r, line + strspn(line, " \t"));
	}
	n = batch_split(line, &words);
	if (n < 0)
		return usage("a quote is not closed");
	if (n) {
		r->word = words + 1;
		r->n = n - 1;
		status = read_key(r, words[0]);
	}
	free(words);
	return status;
}

/* Each swept variable must have its place in pictures, or they would show a part of the points. */
static enum status check_shown(const struct scenario *s)
{
	bool along = s->x.metric;

	for (u32 i = 0; i < s->nvars; i++) {
		if (!s->var[i].swept || (s32)i == s->x.var || (s32)i == s->series.var ||
		    (s32)i == s->panel.var)
			continue;
		if (!along)
			return usage("variable %s of line %u is no \"x\", \"series\" or \"panel\"",
				     s->var[i].name, s->var[i].line);
		along = false;
	}
	return STATUS_OK;
}

/* What only the whole text can tell. */
static enum status finish(struct scenario *s)
{
	u64 points = s->seeds;

	if (!s->fabric.line)
		return usage("there is no line \"fabric\"");
	if (!s->run.line)
		return usage("there is no line \"run\"");
	if (!s->nmetrics)
		return usage("there is no line \"metric\"");
	if (s->seeds < s->quick_seeds)
		return usage("quick seeds %u: there are %u seeds", s->quick_seeds, s->seeds);
	for (u32 i = 0; i < s->nvars; i++) {
		points *= s->var[i].swept ? s->var[i].n : 1;
		if (points > SCENARIO_MAX_POINTS)
			return usage("more than %d points", SCENARIO_MAX_POINTS);
	}
	return check_shown(s) ?: scenario_check_figures(s);
}

static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = xstrdup(slash ? slash + 1 : path);
	size_t len = strlen(name), suffix = strlen(SCENARIO_SUFFIX);

	if (len > suffix && !strcmp(name + len - suffix, SCENARIO_SUFFIX))
		name[len - suffix] = '\0';
	return name;
}

enum status scenario_parse(const char *path, const char *text, size_t len, struct scenario **out)
{
	struct scenario *s = xcalloc(1, sizeof(*s));
	struct reader r = { .s = s };
	char *copy = xstrdup(text), *rest = copy;
	enum status status = STATUS_OK;
	u32 lines;

	s->path = xstrdup(path);
	s->name = name_of(path);
	s->text = xstrdup(text);
	s->len = len;
	s->seeds = 1;
	s->x.var = -1;
	s->series.var = -1;
	s->panel.var = -1;
	r.line = 1;
	while (*rest && !status) {
		char *line = next_line(&rest, &lines);

		set_location(path, r.line);
		status = read_line(&r, line);
		r.line += lines;
	}
	set_location(path, r.line > 1 ? r.line - 1 : 1);
	if (!status)
		status = finish(s);
	set_location(NULL, 0);
	free(copy);
	if (status)
		scenario_free(s);
	else
		*out = s;
	return status;
}

enum status scenario_read(const char *path, struct scenario **out)
{
	enum status status;
	char *text;
	size_t len;
	int err;

	err = text_read(path, SCENARIO_MAX_FILE, &text, &len);
	if (err)
		return text_refuse(path, SCENARIO_MAX_FILE, err);
	if (strlen(text) != len)
		status = usage("%s: a zero byte: this is no text", path);
	else
		status = scenario_parse(path, text, len, out);
	free(text);
	return status;
}
