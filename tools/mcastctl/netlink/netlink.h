/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Talking to the kernel: requests that remember which of the user's words each
 * attribute was made from, so that a refusal can name the word; replies; events.
 */
#ifndef MCASTCTL_NETLINK_H
#define MCASTCTL_NETLINK_H

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "base/util.h"

/* Most numbers in one attribute, whose length has 16 bits. */
#define NL_MAX_NUMBERS	8000

struct nl_origin;

/* Where the attributes that are put next come from, as the user wrote it. */
struct nl_where {
	const char *key;		/* "vcs" */
	const char *word;		/* "17x", NULL: nothing to show */
	u32 scale;			/* of decimals: the attribute counts 1/scale, else 0 */
	const char *of;			/* set from nl_request.of */
};

static inline struct nl_where nl_where(const char *key, const char *word)
{
	return (struct nl_where){ .key = key, .word = word };
}

struct grammar;

struct nl_request {
	struct nlmsghdr *nlh;
	const struct grammar *grammar;	/* names what is missing; may be NULL */
	const char *of;			/* the class that further attributes are of, or NULL */
	size_t room;
	struct nl_origin *origin;	/* where the attributes come from */
	u32 norigins;
	u32 origin_room;
};

void nl_request_init(struct nl_request *rq, u8 cmd, bool dump);
void nl_request_free(struct nl_request *rq);
void nl_put_flag(struct nl_request *rq, u16 attr, struct nl_where where);
void nl_put_u32(struct nl_request *rq, u16 attr, u32 value, struct nl_where where);
void nl_put_u64(struct nl_request *rq, u16 attr, u64 value, struct nl_where where);
void nl_put_uint(struct nl_request *rq, u16 attr, u64 value, struct nl_where where);
void nl_put_str(struct nl_request *rq, u16 attr, const char *value, struct nl_where where);
void nl_put_bin(struct nl_request *rq, u16 attr, const void *data, size_t len,
		struct nl_where where);
/* Nests are remembered by offset: the message may move while they are open. */
size_t nl_nest(struct nl_request *rq, u16 attr, struct nl_where where);
void nl_nest_end(struct nl_request *rq, size_t nest);

/* Called for every message of an answer; anything but STATUS_OK ends the talk. */
typedef enum status (*nl_reply)(const struct nlmsghdr *nlh, void *data);

enum status nl_open(const char *netns);
bool nl_is_open(void);
void nl_close(void);
u64 nl_memory(void);
/* Send and take the whole answer; a refusal is printed. */
enum status nl_talk(struct nl_request *rq, nl_reply reply, void *data);
/* The same, but a refusal is only returned as a negative errno, -EINTR: dump torn. */
int nl_try(struct nl_request *rq, nl_reply reply, void *data, enum status *status);

/* Events: one more socket, joined to a group of our family. */
enum status nl_events_open(const char *group);
int nl_events_fd(void);
/* Take what is there; STATUS_REFUSED after an error, which is printed. */
enum status nl_events_read(nl_reply event, void *data);
void nl_events_close(void);

u64 nl_attr_uint(const struct nlattr *attr);

/* Offer a better word for what the kernel does not know; set by the commands. */
extern char *(*nl_suggest)(const char *fabric, const char *key, const char *word);
/* What there is for an argument when @word is none of it, to be freed, or NULL. */
extern char *(*nl_known)(const char *fabric, const char *key, const char *word);

#endif
