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

/* A file with the same rights beside the target. */
static int open_beside(struct draw_file *d, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	d->temp = xasprintf("%s.XXXXXX", d->target);
	d->fd = mkstemp(d->temp);
	if (d->fd < 0) {
		free(d->temp);
		d->temp = NULL;
		return errno;
	}
	/* without these rights it is a picture all the same */
	if (fchmod(d->fd, old ? old->st_mode & 0777 : 0666 & ~mask))
		return errno;
	return 0;
}

enum status draw_file_open(struct draw_file *d, const char *key, const char *path)
{
	struct stat st;
	bool exists;
	int err = 0;

	*d = (struct draw_file){ .key = key, .path = path, .fd = -1 };
	if (!*path)
		return usage("%s: the name of the file is empty", key);
	if (!strcmp(path, "-")) {
		d->fd = STDOUT_FILENO;
		return STATUS_OK;
	}
	exists = !stat(path, &st);
	if (exists && S_ISDIR(st.st_mode))
		return failed(d, EISDIR);
	d->target = exists ? realpath(path, NULL) : xstrdup(path);
	if (!d->target)
		return failed(d, errno);
	if (exists && access(d->target, W_OK))
		return failed(d, errno);
	if (!exists || S_ISREG(st.st_mode))
		err = open_beside(d, exists ? &st : NULL);
	else
		d->fd = open(d->target, O_WRONLY | O_CLOEXEC);
	if (d->fd < 0 && !err)
		err = errno;
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

enum status draw_file_write(struct draw_file *d, const struct svg *s)
{
	int err, fd = d->fd;

	if (!d->target)
		fflush(stdout);
	err = write_all(fd, s->text, s->len);
	if (!err && d->temp && fsync(fd))
		err = errno;
	if (d->target) {
		d->fd = -1;
		if (close(fd) && !err)
			err = errno;
	}
	if (!err && d->temp && rename(d->temp, d->target))
		err = errno;
	if (err)
		return failed(d, err);
	free(d->temp);
	d->temp = NULL;
	return STATUS_OK;
}

void draw_file_close(struct draw_file *d)
{
	if (d->target && d->fd >= 0)
		close(d->fd);
	if (d->temp)
		unlink(d->temp);
	free(d->temp);
	free(d->target);
	d->temp = NULL;
	d->target = NULL;
	d->fd = -1;
}
