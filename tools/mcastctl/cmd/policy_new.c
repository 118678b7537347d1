// SPDX-License-Identifier: GPL-2.0
/* policy new: a folder with a policy of one's own, to begin with. */
#include <ctype.h>
#include <errno.h>
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/policy.h"
#include "command.h"

#ifndef DATADIR
#define DATADIR "/usr/local/share/mcfab"
#endif

/* Where templates and policy.mk are: beside this program in mcfab's source, else installed. */
static char *data_folder(void)
{
	char self[4096], *folder;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (len > 0) {
		self[len] = '\0';
		slash = strrchr(self, '/');
		folder = xasprintf("%.*s/../policy", (int)(slash - self), self);
		slash = realpath(folder, NULL);
		free(folder);
		if (slash) {
			folder = xasprintf("%s/policy.mk", slash);
			len = access(folder, R_OK);
			free(folder);
			if (!len)
				return slash;
			free(slash);
		}
	}
	return xstrdup(DATADIR);
}

/* A word of the templates, whose policy is called my-policy, and what takes its place. */
struct blank {
	const char *word;
	const char *value;
};

static void fill_in(FILE *to, const char *line, const struct blank *blanks, u32 n)
{
	while (*line) {
		u32 i = 0;

		while (i < n && strncmp(line, blanks[i].word, strlen(blanks[i].word)))
			i++;
		if (i == n) {
			fputc(*line++, to);
			continue;
		}
		fputs(blanks[i].value, to);
		line += strlen(blanks[i].word);
	}
}

static enum status copy(const char *from, const char *to, const struct blank *blanks, u32 n)
{
	enum status status = STATUS_OK;
	FILE *in = fopen(from, "r"), *out;
	char *line = NULL;
	size_t room = 0;

	if (!in)
		return refused("%s: %s: is mcfab installed?", from, strerror(errno));
	out = fopen(to, "wx");
	if (!out) {
		status = refused("%s: %s", to, strerror(errno));
		fclose(in);
		return status;
	}
	while (getline(&line, &room, in) >= 0)
		fill_in(out, line, blanks, n);
	if (ferror(in) || ferror(out))
		status = refused("%s: %s", to, strerror(errno));
	free(line);
	fclose(in);
	if (fclose(out) && !status)
		status = refused("%s: %s", to, strerror(errno));
	return status;
}

/* It is the name of a module, of files, and with _ for - of functions in C. */
static enum status check_name(const char *name)
{
	if (!name)
		return usage("policy new: NAME is missing");
	if (strlen(name) > MCFAB_NAME_MAX)
		return usage("policy new %s: longer than %d characters", name, MCFAB_NAME_MAX);
	for (const char *c = name; *c; c++) {
		if (islower((unsigned char)*c) ||
		    (c != name && (isdigit((unsigned char)*c) || *c == '-')))
			continue;
		return usage("policy new %s: a name is a small letter, then such, digits, -", name);
	}
	return STATUS_OK;
}

static void remove_file(const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);

	unlink(path);
	free(path);
}

/* A file of the folder, from its template. */
static enum status make_file(const char *folder, const char *file, const char *data,
			     const char *template, const struct blank *blanks, u32 n)
{
	char *from = xasprintf("%s/template/%s", data, template);
	char *to = xasprintf("%s/%s", folder, file);
	enum status status = copy(from, to, blanks, n);

	free(from);
	free(to);
	return status;
}

enum status policy_new(struct words *w)
{
	const char *name = words_next(w);
	enum status status = command_end(w);
	char *id, *data, *source;

	if (!status)
		status = check_name(name);
	if (status)
		return status;
	if (mkdir(name, 0777))
		return refused("policy new %s: %s", name, strerror(errno));
	data = data_folder();
	source = xasprintf("%s.c", name);
	id = xstrdup(name);
	for (char *c = id; *c; c++)
		if (*c == '-')
			*c = '_';
	struct blank blanks[] = { { "my-policy", name }, { "my_policy", id }, { "@MCFAB@", data } };

	status = make_file(name, "Makefile", data, "Makefile", blanks, ARRAY_SIZE(blanks));
	if (!status)
		status = make_file(name, source, data, "policy.c", blanks, ARRAY_SIZE(blanks));
	if (status) {
		remove_file(name, "Makefile");
		remove_file(name, source);
		rmdir(name);
	} else {
		printf("%s/%s is a policy that works; now: cd %s && make check\n", name, source,
		       name);
	}
	free(source);
	free(id);
	free(data);
	return status;
}
