/* SPDX-License-Identifier: GPL-2.0 */
/* A client on libnl-3: requests, and answers whose every attribute is looked at. */
#ifndef NLCLIENT_CLIENT_H
#define NLCLIENT_CLIENT_H

#include <stdbool.h>

#include <linux/mcfab.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "kselftest.h"
#include "spec.h"

/* The attributes of one answer, and what was wrong with any. */
struct answer {
	const struct set *set;
	int messages;
	int wrong;
	int not_multi;		/* parts of a dump that do not say so */
	bool interrupted;	/* NLM_F_DUMP_INTR */
	bool over;		/* nothing more comes */
	bool events;		/* each event brings its own set */
	__u8 cmd;
	struct nlattr *last[128];	/* of the last message; into @copy */
	unsigned char copy[65536];
	void (*each)(struct nlattr **tb);
	/* of a refusal */
	int error;
	char text[128];
	long offset;		/* -1: none */
	long missing;		/* 0: none */
};

extern struct answer got;

/* a socket of the family; false: there is no such family */
bool client_open(void);
void client_close(void);

struct nl_msg *request(__u8 cmd, int flags);
/* Send and read to the ack, error or end; returns the error number, 0 for none. */
int talk(struct nl_msg *msg, const struct set *set, void (*each)(struct nlattr **tb));
void expect(const struct set *set, void (*each)(struct nlattr **tb));
int on_message(struct nl_msg *msg, void *arg);
__u64 number(const struct nlattr *nla);

struct nl_msg *fabric_new(const char *name, __u32 x, __u32 y);
int fabric_del(const char *name);
int about(__u8 cmd, int flags, const char *name, const struct set *set,
	  void (*each)(struct nlattr **tb));

#endif
