// SPDX-License-Identifier: GPL-2.0
/*
 * Files with pictures. One is written beside the file and takes its place when it is
 * complete: a full disk costs no older picture. What is no file, a device or a pipe,
 * is written as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draw/svg.h"

static enum status failed(const struct draw_file *d, int err)
{
	return refused("%s %s: %s", d->key, d->path, strerror(err));
}

/* May a file be made beside the target? */
static int check_beside(const char *target)
{
	const char *slash = strrchr(target, '/');
	char *folder = slash ? strndup(target, slash - target + 1) : strdup(".");
	int err = folder && access(folder, W_OK | X_OK) ? errno : 0;

	free(folder);
	return err;
}

enum status draw_file_open(struct draw_file *d, const char *key, const char *path)
{
	struct stat st;
	int err = 0;

	*d = (struct draw_file){ .key = key, .path = path };
	if (!*path)
		return usage("%s: the name of the file is empty", key);
	if (!strcmp(path, "-"))
		return STATUS_OK;
	d->exists = !stat(path, &st);
	if (!d->exists && errno != ENOENT)
		return failed(d, errno);
	if (d->exists && S_ISDIR(st.st_mode))
		return failed(d, EISDIR);
	d->target = d->exists ? realpath(path, NULL) : xstrdup(path);
	if (!d->target)
		return failed(d, errno);
	d->replace = !d->exists || S_ISREG(st.st_mode);
	d->mode = d->exists ? st.st_mode & 0777 : 0;
	if (d->exists && access(d->target, W_OK))
		err = errno;
	if (!err && d->replace)
		err = check_beside(d->target);
	return err ? failed(d, err) : STATUS_OK;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		text += n;
		len -= n;
	}
	return 0;
}

static int write_and_close(int fd, const struct svg *s, bool sync)
{
	int err = write_all(fd, s->text, s->len);

	if (!err && sync && fsync(fd))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	return err;
}

/* A file with the same rights beside the target, then in its place. */
static int replace(const struct draw_file *d, const struct svg *s)
{
	char *temp = xasprintf("%s.XXXXXX", d->target);
	mode_t mask = umask(0);
	int fd, err;

	umask(mask);
	fd = mkstemp(temp);
	err = fd < 0 ? errno : 0;
	if (!err) {
		if (fchmod(fd, d->exists ? d->mode : 0666 & ~mask))
			err = errno;
		if (err)
			close(fd);
		else
			err = write_and_close(fd, s, true);
		if (!err && rename(temp, d->target))
			err = errno;
		if (err)
			unlink(temp);
	}
	free(temp);
	return err;
}

enum status draw_file_write(struct draw_file *d, const struct svg *s)
{
	int err, fd;

	if (!d->target) {
		fflush(stdout);
		err = write_all(STDOUT_FILENO, s->text, s->len);
	} else if (d->replace) {
		err = replace(d, s);
	} else {
		fd = open(d->target, O_WRONLY | O_CLOEXEC);
		err = fd < 0 ? errno : write_and_close(fd, s, false);
	}
	return err ? failed(d, err) : STATUS_OK;
}

enum status draw_file_put(struct draw_file *d, void (*put)(FILE *f, const void *data),
			  const void *data)
{
	struct svg s = { 0 };
	enum status status;

	s.f = text_file(&s.text, &s.len);
	put(s.f, data);
	fclose(s.f);
	s.f = NULL;
	status = draw_file_write(d, &s);
	svg_free(&s);
	return status;
}

void draw_file_close(struct draw_file *d)
{
	free(d->target);
	d->target = NULL;
}
