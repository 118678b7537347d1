// SPDX-License-Identifier: GPL-2.0
/* Lines in the output of a program that it wrote to its standard error. */
#include <string.h>

#include "base/stray.h"
#include "base/text.h"

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* "src/query_smp.c:227; umad (DR path ...": a place in a C file */
static bool names_source(const char *line)
{
	size_t word = strcspn(line, " \t");
	const char *dot = memmem(line, word, ".c:", 3);

	if (!dot)
		return false;
	dot += 3;
	return strspn(dot, "0123456789") && dot[strspn(dot, "0123456789")] == ';';
}

bool stray_line(const char *line, bool *told)
{
	static const char *const signs[] = { "ibwarn: [", "ibpanic: [", "ibdebug: [" };
	const char *colon = strchr(line, ':');
	bool stray = names_source(line) || (colon && begins(colon, ": iberror: "));

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		stray |= begins(line, signs[i]);
	if (stray && !*told)
		warning("\"%.40s\" is from the program's standard error: such lines are skipped",
			line);
	*told |= stray;
	return stray;
}
