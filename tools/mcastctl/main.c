// SPDX-License-Identifier: GPL-2.0
/* Options, then one command or a batch of them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/lookup.h"
#include "base/options.h"
#include "base/words.h"
#include "batch.h"
#include "command.h"
#include "mcfab_user.h"
#include "netlink/netlink.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static const char *batch, *policy_path;

static const struct {
	const char *name;
	bool user;
} engines[] = {
	{ "kernel", false },
	{ "user", true },
};

static enum status take_engine(const char *value)
{
	int i = WORD_FIND(value, engines, ARRAY_SIZE(engines));

	if (i < 0)
		return usage("option --engine %s: not one of: kernel, user", value);
	options.user = engines[i].user;
	return STATUS_OK;
}

static enum status take(enum option_id id, const char *value)
{
	switch (id) {
	case OPT_JSON:
		options.json = true;
		break;
	case OPT_PRETTY:
		options.pretty = true;
		break;
	case OPT_BATCH:
		batch = value;
		break;
	case OPT_FORCE:
		options.force = true;
		break;
	case OPT_NETNS:
		options.netns = value;
		break;
	case OPT_ENGINE:
		return take_engine(value);
	case OPT_POLICY_PATH:
		policy_path = value;
		break;
	case OPT_VERSION:
	case OPT_VERSION_TOO:
		puts("mcastctl " VERSION);
		exit(STATUS_OK);
	case OPT_HELP:
		command_usage(stdout);
		exit(STATUS_OK);
	}
	return STATUS_OK;
}

/* "-jp", "-b FILE", "-bFILE": letters, the last of which may have a value */
static int by_letters(const char *arg, const char *next, bool *used)
{
	for (const char *c = arg + 1; *c; c++) {
		size_t i = 0;

		while (i < OPT_COUNT && option_table[i].letter != *c)
			i++;
		if (i == OPT_COUNT)
			return -1;
		if (!option_table[i].value) {
			take(i, NULL);
			continue;
		}
		*used = !c[1];
		if (*used && !next)
			return usage("option %s: a value is missing", arg);
		return take(i, *used ? next : c + 1);
	}
	return STATUS_OK;
}

/* "--json", and as iproute2 has it "-json" */
static enum status take_option(const char *arg, const char *next, bool *used)
{
	const char *name = arg + 1 + (arg[1] == '-'), *closest;
	int i;

	*used = false;
	i = WORD_FIND(name, option_table, OPT_COUNT);
	if (strlen(name) > 1 && i >= 0) {
		*used = option_table[i].value;
		if (option_table[i].value && !next)
			return usage("option %s: a value is missing", arg);
		return take(i, option_table[i].value ? next : NULL);
	}
	if (arg[1] != '-' && arg[1]) {
		i = by_letters(arg, next, used);
		if (i >= 0)
			return i;
	}
	closest = WORD_CLOSEST(name, option_table, OPT_COUNT);
	if (strlen(name) > 1 && closest)
		return usage("unknown option \"%s\"; did you mean \"--%s\"?", arg, closest);
	return usage("unknown option \"%s\"; see mcastctl help", arg);
}

/* Options are read before anything is done, so that -jV and -Vj are the same. */
static enum status read_options(int argc, char **argv, int *first)
{
	enum status status = STATUS_OK;
	bool used;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-' && !status; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		status = take_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used);
		i += used;
	}
	*first = i;
	return status;
}

int main(int argc, char **argv)
{
	enum status status;
	struct words words;
	int first;

	/* A reader that has seen enough ends us quietly, as it does others. */
	signal(SIGPIPE, SIG_DFL);
	lookup_suggest();
	status = read_options(argc, argv, &first);
	if (status)
		return status;
	if (policy_path && !options.user)
		return usage("option --policy-path %s: the kernel finds modules by itself",
			     policy_path);
	mcfab_user_policy_path(policy_path ? policy_path : getenv("MCFAB_POLICY_PATH"));
	words = (struct words){ .word = argv + first, .n = argc - first };
	if (batch && words.n)
		status = usage("unexpected \"%s\": a batch and a command", words.word[0]);
	else if (batch)
		status = batch_run(batch);
	else if (words.n && !strcmp(words.word[0], "complete"))
		status = command_complete(&words);
	else
		status = command_run(&words);
	nl_close();
	if (fflush(stdout) || ferror(stdout)) {
		perror("Error: standard output");
		return status ? status : STATUS_REFUSED;
	}
	return status;
}
