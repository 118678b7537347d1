/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small things every file of the tool uses: integer types, messages to the
 * user, exit statuses.
 */
#ifndef MCASTCTL_UTIL_H
#define MCASTCTL_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int32_t s32;
typedef long long s64;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define fallthrough	__attribute__((__fallthrough__))

/** enum status - what the tool exits with */
enum status {
	STATUS_OK = 0,
	STATUS_REFUSED = 1,	/* by the kernel, or the system is out of something */
	STATUS_USAGE = 2,	/* the command line is wrong */
	STATUS_DEADLOCKS = 3,	/* verify: it deadlocks */
	STATUS_UNDECIDED = 4,	/* verify: it may */
};

/*
 * Where the words come from, for messages: a line of a batch, NULL for the command line;
 * the first line there of a file that stands in the batch; and a line of a file that the command
 * reads, NULL for none.
 */
void set_batch_location(const char *file, unsigned int line);
void set_batch_document(const char *file, unsigned int line);
void set_location(const char *file, unsigned int line);

enum status refused(const char *fmt, ...) __printf(1, 2);
enum status usage(const char *fmt, ...) __printf(1, 2);
void warning(const char *fmt, ...) __printf(1, 2);

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
/* A file in memory: the text is there when it is closed, and is to be freed. */
FILE *text_file(char **text, size_t *len);
char *xasprintf(const char *fmt, ...) __printf(1, 2);

double seconds_now(void);	/* since some moment */

#endif
