// SPDX-License-Identifier: GPL-2.0
/* Failures as words, for mcastctl and for the library. */
#include <ctype.h>
#include <linux/kernel.h>
#include <string.h>

#include "fault_word.h"

/* the number at @at, which moves behind it */
static bool take_number(const char **at, const char *end, u64 most, u64 *number)
{
	const char *first = *at;

	for (*number = 0; *at < end && isdigit((unsigned char)**at); (*at)++) {
		unsigned int digit = **at - '0';

		if (*number > (most - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return *at > first;
}

/* is @at at a colon? It moves behind it */
static bool colon(const char **at, const char *end)
{
	if (*at == end || **at != ':')
		return false;
	(*at)++;
	return true;
}

static bool is(const char *at, const char *end, const char *word)
{
	return (size_t)(end - at) == strlen(word) && !memcmp(at, word, end - at);
}

bool fault_word_parse(const char *word, size_t len, struct fault_word *fault)
{
	const char *at = word, *end = word + len;
	u64 sw, port = 0;

	memset(fault, 0, sizeof(*fault));
	if (!take_number(&at, end, U64_MAX, &fault->at) || !colon(&at, end))
		return false;
	if (at < end && *at == 's')
		at++;
	if (!take_number(&at, end, U32_MAX, &sw))
		return false;
	fault->sw = sw;
	if (at == end)
		return true;
	if (!colon(&at, end))
		return false;
	if (take_number(&at, end, U32_MAX, &port)) {
		fault->port = port;
		fault->has_port = true;
		if (at == end)
			return true;
		if (!colon(&at, end))
			return false;
	}
	fault->up = is(at, end, "up");
	return fault->up || is(at, end, "down");
}
