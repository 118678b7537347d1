/* SPDX-License-Identifier: GPL-2.0 */
/* Inside of the library: requests are made of words, and answers read, by the table of the spec. */
#ifndef LIBMCFAB_API_INTERNAL_H
#define LIBMCFAB_API_INTERNAL_H

#include <net/netlink.h>

#include "attrs_gen.h"
#include "mcfab.h"

struct mcfab_fabric;

/**
 * struct mcf_fabric - a fabric of the library
 * @name: its name
 * @core: the fabric itself, held
 * @net: its network that is stepped, or NULL
 */
struct mcf_fabric {
	char name[24];
	struct mcfab_fabric *core;
	struct mcf_net *net;
};

/**
 * struct origin - the words that an attribute was made of
 * @offset: of the attribute in the message
 * @end: offset behind it
 * @key: the option
 * @value: its value, or NULL
 */
struct origin {
	u32 offset;
	u32 end;
	const char *key;
	const char *value;
};

/**
 * struct request - a request that is being made
 * @skb: the message
 * @nlh: its header
 * @set: attributes that it may have
 * @named: number of the attribute that has the name of the fabric
 * @words: copy of the options, cut into words
 * @origin: [@norigins] of what the attributes were made
 * @norigins: entries of @origin
 * @room: entries that there may be
 */
struct request {
	struct sk_buff *skb;
	struct nlmsghdr *nlh;
	const struct attr_set *set;
	u32 named;
	char *words;
	struct origin *origin;
	u32 norigins;
	u32 room;
};

/**
 * struct answer - what was answered
 * @data: messages, one behind the other
 * @len: bytes of @data
 * @room: bytes that may be there
 * @lost: there was no memory for all
 * @err: 0, or the negative error of a refusal
 * @refusal: copy of the message of a refusal
 */
struct answer {
	char *data;
	size_t len;
	size_t room;
	bool lost;
	int err;
	char refusal[1024];
};

/* error.c */
int lib_refuse(const char *fmt, ...) __printf(1, 2);
int lib_refused(const struct request *rq, const struct answer *a);

/* names.c */
const struct attr_set *lib_set_of(const char *op, u8 *cmd);
const struct attr_desc *lib_find(const struct attr_set *set, const char *name, size_t len,
				 u32 *scale);
u32 lib_type(const struct attr_set *set, const char *name);
int lib_take_value(struct request *rq, const struct attr_desc *desc, u32 scale, const char *key,
		   char *value);

/* request.c */
int lib_request(struct request *rq, const char *op, bool dump, const char *fabric,
		const char *options);
int lib_request_room(struct request *rq, size_t len);
int lib_request_note(struct request *rq, u32 offset, const char *key, const char *value);
int lib_request_put(struct request *rq, const char *name, const void *data, size_t len);
void lib_request_free(struct request *rq);
int lib_ask(struct request *rq, struct answer *a);
int lib_send(struct request *rq);
int lib_ask_words(const char *op, bool dump, const char *fabric, const char *options,
		  struct answer *a);
void lib_answer_free(struct answer *a);

/* read.c */
const struct nlmsghdr *lib_next(const struct answer *a, const struct nlmsghdr *nlh);
const struct nlattr *lib_attr(const struct nlmsghdr *nlh, const struct attr_set *set,
			      const char *name, const struct attr_desc **desc, u32 *scale);
double lib_double(const struct nlattr *attr, const struct attr_desc *desc, u32 scale);

/* faults.c */
int lib_put_faults(struct request *rq, const char *list);

/* graph.c */
int lib_graph_send(const char *fabric, const struct mcf_graph *g);
void lib_graph_discard(const char *fabric);

/* net.c */
void lib_net_end(struct mcf_fabric *f);

#endif
