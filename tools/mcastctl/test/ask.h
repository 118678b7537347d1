/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to the module in user space, and answers: what the tests share that talk to it
 * without the tool.
 */
#ifndef MCASTCTL_ASK_H
#define MCASTCTL_ASK_H

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/mcfab.h>

#include "base/util.h"
#include "mcfab_user.h"

/**
 * struct answer - to a request
 * @error: 0, or what was refused
 * @done: the last message has come
 * @text: a refusal says why
 * @torn: it is marked so: what a dump shows has changed between two parts
 * @why: the text
 * @parts: datagrams
 * @messages: but for the last one
 * @part: called behind each datagram, with @arg
 * @message: called for each message but the last one, with @arg
 * @arg: theirs
 */
struct answer {
	int error;
	bool done;
	bool text;
	bool torn;
	char why[128];
	u32 parts;
	u32 messages;
	mcfab_user_take_t part;
	void (*message)(const struct nlmsghdr *nlh, void *arg);
	void *arg;
};

bool open_module(const char *mb);

/* In a buffer of the thread's, which the next one is written to as well; or in another. */
struct nlmsghdr *request(u8 cmd, u16 flags, u16 name_attr, const char *name);
struct nlmsghdr *request_in(char *buf, u8 cmd, u16 flags, u16 name_attr, const char *name);

struct answer ask(const struct nlmsghdr *nlh);
/* @answer has what is called for parts and messages. */
void ask_by(const struct nlmsghdr *nlh, struct answer *answer);

/* Requests that more than one test makes. */
struct nlmsghdr *new_fabric(const char *name, const char *topology);
struct nlmsghdr *new_mesh(const char *name, u32 side, bool lids);
struct nlmsghdr *about_group(u8 cmd, const char *fabric, const char *group);
struct nlmsghdr *new_run(const char *fabric, const char *policy, u32 workload);
struct nlmsghdr *new_upload(const char *fabric, u32 messages, u32 destinations);
struct answer stop_run(const char *fabric);

/* @count numbers from @first on */
void put_range(struct nlmsghdr *nlh, u16 attr, u32 first, u32 count);
/* an entry of the tables of switch 0 */
void put_entry(struct nlmsghdr *nlh, u32 kind, u32 lid, u8 port);

/* processor time of this thread */
u64 cpu_us(void);

#endif
