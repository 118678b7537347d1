// SPDX-License-Identifier: GPL-2.0
/*
 * Files packed by gzip. They are unpacked a piece at a time, so that a small file that unpacks to a
 * huge one takes no more memory than any other. A file may have several members, one behind the
 * other; nothing else may follow the first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/gunzip.h"

#define PIECE	65536

static const unsigned char magic[] = { 0x1f, 0x8b };

/**
 * struct gunzip - a packed file while it is read
 * @f: the file
 * @z: zlib's state
 * @read: bytes of the file that were read
 * @between: a member is over
 * @ret: what zlib said last
 * @at: next byte of @out
 * @have: bytes in @out
 * @in: what was read
 * @out: what was unpacked
 */
struct gunzip {
	FILE *f;
	z_stream z;
	u64 read;
	bool between;
	int ret;
	size_t at;
	size_t have;
	unsigned char in[PIECE];
	unsigned char out[PIECE];
};

bool gunzip_packed(FILE *f)
{
	int first = getc(f), second;

	if (first != magic[0]) {
		if (first != EOF)
			ungetc(first, f);
		return false;
	}
	second = getc(f);
	if (second == magic[1])
		return true;
	if (second != EOF)
		ungetc(second, f);
	ungetc(first, f);
	return false;
}

struct gunzip *gunzip_open(FILE *f)
{
	struct gunzip *g = xcalloc(1, sizeof(*g));

	g->f = f;
	memcpy(g->in, magic, sizeof(magic));
	g->read = sizeof(magic);
	g->z.next_in = g->in;
	g->z.avail_in = sizeof(magic);
	g->ret = Z_OK;
	/* 15: any window; 16: with the head and the checksum of gzip */
	if (inflateInit2(&g->z, 15 + 16) != Z_OK) {
		free(g);
		return NULL;
	}
	return g;
}

/* the place in the file up to which data were taken */
static unsigned long long place(const struct gunzip *g)
{
	return g->read - g->z.avail_in;
}

static enum status more_input(struct gunzip *g, bool *end)
{
	size_t n;

	*end = false;
	if (g->z.avail_in)
		return STATUS_OK;
	n = fread(g->in, 1, sizeof(g->in), g->f);
	if (!n && ferror(g->f))
		return refused("%s", strerror(errno));
	if (!n && !g->between)
		return usage("cut off: the file ends at byte %llu, within its gzip data", place(g));
	g->read += n;
	g->z.next_in = g->in;
	g->z.avail_in = n;
	*end = !n;
	return STATUS_OK;
}

static enum status check(struct gunzip *g)
{
	switch (g->ret) {
	case Z_OK:
	case Z_BUF_ERROR:	/* it wants more input */
	case Z_STREAM_END:
		return STATUS_OK;
	case Z_MEM_ERROR:
		return refused("out of memory");
	default:
		return usage("damaged gzip data before byte %llu: %s", place(g),
			     g->z.msg ? g->z.msg : "unknown error");
	}
}

/* Unpack until there is something. */
static enum status fill(struct gunzip *g)
{
	enum status status = check(g);
	bool end;

	g->at = 0;
	g->have = 0;
	while (!g->have && !status) {
		status = more_input(g, &end);
		if (status || end)
			return status;
		if (g->between && g->z.next_in[0] != magic[0])
			return usage("byte %llu: what follows is no gzip data", place(g) + 1);
		if (g->between)
			inflateReset(&g->z);
		g->between = false;
		g->z.next_out = g->out;
		g->z.avail_out = sizeof(g->out);
		g->ret = inflate(&g->z, Z_NO_FLUSH);
		g->have = sizeof(g->out) - g->z.avail_out;
		g->between = g->ret == Z_STREAM_END;
		/* what comes before an error is given out before it */
		if (!g->have)
			status = check(g);
	}
	return status;
}

int gunzip_byte(struct gunzip *g, enum status *status)
{
	if (g->at == g->have) {
		*status = fill(g);
		if (*status || !g->have)
			return EOF;
	}
	return g->out[g->at++];
}

void gunzip_close(struct gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}
