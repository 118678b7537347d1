// SPDX-License-Identifier: GPL-2.0
/* Running gnuplot: it reads its script from a pipe, and writes beside the file asked for. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiment/gnuplot.h"

#define PANEL_WIDTH	640		/* of a panel, in pixels of an SVG */
#define PANEL_HEIGHT	440
#define PNG_SCALE	2		/* for print */

const char *const picture_suffix[PICTURE_FORMATS] = {
	[PICTURE_SVG] = "svg",
	[PICTURE_PNG] = "png",
};

void gnuplot_put_text(FILE *f, const char *text)
{
	fputc('\'', f);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', f);
		fputc(*text == '\n' ? ' ' : *text, f);
	}
	fputc('\'', f);
}

static void put_terminal(FILE *f, const struct picture *p, enum picture_format format,
			 const char *path)
{
	u32 width = PANEL_WIDTH * p->columns, height = PANEL_HEIGHT * p->rows;

	if (format == PICTURE_SVG) {
		fprintf(f, "set terminal svg size %u,%u dynamic ", width, height);
		fputs("noenhanced font 'sans-serif,12' background '#ffffff'\n", f);
	} else {
		fprintf(f, "set terminal pngcairo size %u,%u ", width * PNG_SCALE,
			height * PNG_SCALE);
		fputs("noenhanced font 'sans-serif,12' ", f);
		fprintf(f, "fontscale %g linewidth %d pointscale %d\n", 0.8 * PNG_SCALE,
			PNG_SCALE, PNG_SCALE);
	}
	fputs("set output ", f);
	gnuplot_put_text(f, path);
	fputc('\n', f);
}

static char *whole_script(const struct picture *p, enum picture_format format, const char *path)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	put_terminal(f, p, format, path);
	fputs(p->script, f);
	fputs("unset output\n", f);
	fclose(f);
	return text;
}

/* The process of gnuplot; *@in is where its script goes. */
static enum status start(pid_t *pid, int *in)
{
	char name[] = "gnuplot", *const argv[] = { name, NULL };
	posix_spawn_file_actions_t actions;
	int pipes[2], err;

	if (pipe(pipes))
		return refused("pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipes[0], STDIN_FILENO);
	posix_spawn_file_actions_addclose(&actions, pipes[1]);
	err = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipes[0]);
	*in = pipes[1];
	if (!err)
		return STATUS_OK;
	close(pipes[1]);
	if (err == ENOENT)
		return refused("gnuplot is not installed (Debian's package gnuplot-nox)");
	return refused("gnuplot: %s", strerror(err));
}

/* Whether it ended well; what is wrong, gnuplot has said. */
static enum status feed(const char *script)
{
	size_t len = strlen(script), done = 0;
	enum status status;
	pid_t pid;
	int in = -1, how = 0;

	status = start(&pid, &in);
	if (status)
		return status;
	signal(SIGPIPE, SIG_IGN);
	while (done < len) {
		ssize_t n = write(in, script + done, len - done);

		if (n <= 0 && errno != EINTR)
			break;
		done += n > 0 ? n : 0;
	}
	signal(SIGPIPE, SIG_DFL);
	close(in);
	while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
		;
	return how || done < len ? refused("gnuplot has failed") : STATUS_OK;
}

/* A full disk does not make gnuplot fail: the end of the file must be there. */
static bool is_whole(const char *path, enum picture_format format)
{
	static const char *const last[PICTURE_FORMATS] = {
		[PICTURE_SVG] = "</svg>",
		[PICTURE_PNG] = "IEND",
	};
	size_t len, n = strlen(last[format]);
	bool whole = false;
	char *text;
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	text = xcalloc(64, 1);
	if (!fseek(f, -32, SEEK_END)) {
		len = fread(text, 1, 32, f);
		whole = memmem(text, len, last[format], n);
	}
	free(text);
	fclose(f);
	return whole;
}

enum status gnuplot_draw(const struct picture *p, enum picture_format format, const char *path)
{
	char *beside = xasprintf("%s.new", path);
	char *script = whole_script(p, format, beside);
	enum status status = script ? feed(script) : refused("%s: out of memory", path);

	if (!status && !is_whole(beside, format))
		status = refused("%s: gnuplot has written a part; is the disk full?", path);
	if (!status && rename(beside, path))
		status = refused("%s: %s", path, strerror(errno));
	if (status)
		unlink(beside);
	free(beside);
	free(script);
	return status;
}
