// SPDX-License-Identifier: GPL-2.0
/*
 * The mode in which a run is computed, and what stands against the faster ones: every line of the
 * tables in Documentation/modes.md is a fabric and a run, which are made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/runner.h"
#include "lib/words.h"

#include "lib/tap.h"

#define PAGE		"../../Documentation/modes.md"
#define MOST_WORDS	64
#define LEAST_LINES	30

/* the cells of a line of a table: "| `words` | `words` | mode | reason |" */
#define CELLS		4

static char *trimmed(char *text)
{
	char *end;

	text += strspn(text, " `");
	for (end = text + strlen(text); end > text && strchr(" `", end[-1]); end--)
		;
	*end = 0;
	return text;
}

static bool cut(char *line, char **cell)
{
	u32 n;

	if (strncmp(line, "| `", 3))
		return false;
	strtok(line, "|");
	cell[0] = line + 1;
	for (n = 1; n < CELLS; n++) {
		cell[n] = strtok(NULL, "|");
		if (!cell[n])
			return false;
	}
	for (n = 0; n < CELLS; n++)
		cell[n] = trimmed(cell[n]);
	return !strncmp(cell[0], "topology ", 9);
}

static u32 split(char *text, char **word, u32 n)
{
	for (text = strtok(text, " "); text; text = strtok(NULL, " ")) {
		assert_true(n < MOST_WORDS);
		word[n++] = text;
	}
	return n;
}

/* is a reason among those of a run? "" stands for none at all */
static bool told(const char *why, const char *reason)
{
	return *reason ? !!strstr(why, reason) : !*why;
}

/* is a line what the engine does? */
static bool holds(u32 nr, char **cell)
{
	char fabric[256], run[256], *word[MOST_WORDS];
	const struct mcfab_chosen *chosen;
	struct mcfab_err err = { 0 };
	struct mcfab_fabric *f;
	bool ok;
	u32 n;

	snprintf(fabric, sizeof(fabric), "%s", cell[0]);
	snprintf(run, sizeof(run), "%s", cell[1]);
	n = split(fabric, word, 0);
	n = split(run, word, n);
	words_take(n, word);
	f = words_open(&err);
	if (!f) {
		print_error("line %u: %s\n", nr, err.msg);
		return false;
	}
	chosen = &f->results.progress.chosen;
	ok = !strcmp(chosen->mode, cell[2]) && told(chosen->why, cell[3]);
	if (!ok)
		print_error("line %u: mode %s (%s)\n", nr, chosen->mode, chosen->why);
	mcfab_run_stop(f);
	mcfab_fabric_destroy(f);
	return ok;
}

static void test_page(void **state)
{
	FILE *page = fopen(PAGE, "r");
	char line[1024], *cell[CELLS];
	u32 nr = 0, checked = 0, wrong = 0;

	assert_non_null(page);
	while (fgets(line, sizeof(line), page)) {
		nr++;
		line[strcspn(line, "\n")] = 0;
		if (!cut(line, cell))
			continue;
		wrong += !holds(nr, cell);
		checked++;
	}
	fclose(page);
	printf("# %u lines\n", checked);
	assert_int_equal(wrong, 0);
	assert_true(checked >= LEAST_LINES);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
	};

	return run_tap(tests);
}
