// SPDX-License-Identifier: GPL-2.0
/*
 * A poor man's fuzzer for where libFuzzer is not: mutations of a corpus, the same
 * ones on every run. Usage: stress FILE [ROUNDS]; a case on each line, in which \n
 * is the end of one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MAX_CASES	1024
#define MAX_LEN		1024

static uint64_t state = 1;

static uint32_t draw(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % limit;
}

static size_t mutate(uint8_t *s, size_t len, char *const *cases, int n)
{
	static const char tricky[] = "0123456789xX-.,()#@ \t'\"\\%ekMGl;\n\xff";
	const char *other;
	size_t at, add;

	at = draw(len + 1);
	switch (draw(5)) {
	case 0:		/* change */
		if (at < len)
			s[at] = tricky[draw(sizeof(tricky) - 1)];
		return len;
	case 1:		/* drop */
		if (at < len)
			memmove(s + at, s + at + 1, len-- - at - 1);
		return len;
	case 2:		/* insert */
		if (len < MAX_LEN - 1) {
			memmove(s + at + 1, s + at, len++ - at);
			s[at] = tricky[draw(sizeof(tricky) - 1)];
		}
		return len;
	case 3:		/* cut off */
		return at;
	default:	/* go on as another case does */
		other = cases[draw(n)];
		add = strlen(other);
		if (at + add >= MAX_LEN)
			return len;
		memcpy(s + at, other, add);
		return at + add;
	}
}

static char *unescape(char *s)
{
	char *at = s;

	while ((at = strstr(at, "\\n"))) {
		*at++ = '\n';
		memmove(at, at + 1, strlen(at));
	}
	return s;
}

int main(int argc, char **argv)
{
	int n = 0, rounds = argc > 2 ? atoi(argv[2]) : 40000;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	char line[MAX_LEN], *cases[MAX_CASES];
	uint8_t buf[MAX_LEN];

	if (!f) {
		fprintf(stderr, "usage: stress FILE [ROUNDS]\n");
		return 2;
	}
	while (n < MAX_CASES && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		cases[n++] = strdup(unescape(line));
	}
	fclose(f);
	if (!n || !freopen("/dev/null", "w", stderr))
		return 2;
	puts("TAP version 13\n1..1");
	fflush(stdout);
	for (int i = 0; i < rounds; i++) {
		const char *from = cases[draw(n)];
		size_t len = strlen(from);

		memcpy(buf, from, len);
		for (uint32_t k = draw(6); k; k--)
			len = mutate(buf, len, cases, n);
		fuzz_one(buf, len);
	}
	printf("ok 1 %d mutations of %d cases\n", rounds, n);
	for (int i = 0; i < n; i++)
		free(cases[i]);
	return 0;
}
