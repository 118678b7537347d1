// SPDX-License-Identifier: GPL-2.0
/*
 * Requests: options become attributes, in the order in which they are given, and are checked where
 * mcastctl's are.
 */
#include <pthread.h>
#include <stdlib.h>

#include "api/internal.h"
#include "mcfab_user.h"
#include <linux/genetlink.h>
#include <linux/mcfab.h>

/* what a message has beside its options */
#define HEAD_ROOM	1024
/* a byte of options takes so many of the message at most: "2x2x2" is a number for two bytes */
#define BYTES_PER_BYTE	16

/* bytes of options */
#define MOST_OPTIONS	1048576

/* one thread makes requests at a time */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/**
 * lib_request_note() - say what the attributes since an offset were made of
 * @rq: the request
 * @offset: length of the message before
 * @key: name of the argument
 * @value: its value, or NULL
 *
 * Return: 0 or -1.
 */
int lib_request_note(struct request *rq, u32 offset, const char *key, const char *value)
{
	if (rq->norigins == rq->room) {
		u32 room = 2 * rq->room + 16;
		struct origin *more = realloc(rq->origin, room * sizeof(*more));

		if (!more)
			return lib_refuse("out of memory");
		rq->origin = more;
		rq->room = room;
	}
	rq->origin[rq->norigins++] = (struct origin){
		.offset = offset, .end = rq->skb->len, .key = key, .value = value,
	};
	return 0;
}

/* a parameter of the policy: the policy says whether there is one of that name */
static int put_param(struct request *rq, const char *key, const char *value)
{
	u32 type = lib_type(rq->set, "param");
	const struct attr_set *part = rq->set->attr[type].nested;
	struct nlattr *nest = nla_nest_start(rq->skb, type);

	nla_put_string(rq->skb, lib_type(part, "name"), key);
	nla_put_string(rq->skb, lib_type(part, "value"), value);
	nla_nest_end(rq->skb, nest);
	return 0;
}

/* an option that is a list of failures: "fail", where the request may have some */
static bool is_faults(const struct request *rq, const char *key)
{
	return !strcmp(key, "fail") && lib_type(rq->set, "fault");
}

static int put_option(struct request *rq, const char *key, char **save, bool *policy)
{
	const struct attr_desc *desc;
	u32 scale, at = rq->skb->len;
	char *value;
	int ret;

	desc = lib_find(rq->set, key, strlen(key), &scale);
	/* the fabric is an argument of its own */
	if (desc && desc - rq->set->attr == rq->named)
		return lib_refuse("unknown argument \"%s\"", key);
	if (desc && desc->type == ATTR_FLAG) {
		nla_put_flag(rq->skb, desc - rq->set->attr);
		return lib_request_note(rq, at, key, NULL);
	}
	if (!desc && !*policy && !is_faults(rq, key))
		return lib_refuse("unknown argument \"%s\"", key);
	value = strtok_r(NULL, " \t\n", save);
	if (!value)
		return lib_refuse("%s: a value is missing", key);
	/* mcastctl has the word, too */
	if (desc && !strcmp(key, "warmup") && !strcmp(value, "auto"))
		return 0;
	if (is_faults(rq, key))
		ret = lib_put_faults(rq, value);
	else
		ret = desc ? lib_take_value(rq, desc, scale, key, value) :
			     put_param(rq, key, value);
	*policy |= desc && !strcmp(key, "policy");
	return ret ?: lib_request_note(rq, at, key, value);
}

static int put_options(struct request *rq, const char *options)
{
	bool policy = false;
	char *key, *save;
	u32 i;

	rq->words = strdup(options);
	if (!rq->words)
		return lib_refuse("out of memory");
	for (key = strtok_r(rq->words, " \t\n", &save); key; key = strtok_r(NULL, " \t\n", &save)) {
		for (i = 0; i < rq->norigins; i++)
			if (!strcmp(rq->origin[i].key, key))
				return lib_refuse("%s is given twice", key);
		if (put_option(rq, key, &save, &policy))
			return -1;
	}
	return 0;
}

/**
 * lib_request() - begin a request
 * @rq: set up; to be freed by lib_request_free(), even if this fails
 * @op: its name in the specification
 * @dump: it is answered by a list
 * @fabric: name of the fabric that it is about
 * @options: options, or NULL
 *
 * Return: 0 or -1.
 */
int lib_request(struct request *rq, const char *op, bool dump, const char *fabric,
		const char *options)
{
	size_t len = options ? strlen(options) : 0;
	struct genlmsghdr *genl;
	u8 cmd = 0;

	memset(rq, 0, sizeof(*rq));
	rq->set = lib_set_of(op, &cmd);
	if (!rq->set)
		return lib_refuse("%s: there is no such request", op);
	rq->skb = len > MOST_OPTIONS ? NULL : shim_skb_new(HEAD_ROOM + BYTES_PER_BYTE * len, true);
	if (!rq->skb)
		return lib_refuse("options of %zu bytes: too long, or out of memory", len);
	rq->nlh = nlmsg_put(rq->skb, 0, 0, GENL_MIN_ID, GENL_HDRLEN,
			    NLM_F_REQUEST | (dump ? NLM_F_DUMP : NLM_F_ACK));
	genl = nlmsg_data(rq->nlh);
	genl->cmd = cmd;
	genl->version = MCFAB_FAMILY_VERSION;
	rq->named = lib_type(rq->set, "fabric") ?: lib_type(rq->set, "name");
	nla_put_string(rq->skb, rq->named, fabric);
	return options ? put_options(rq, options) : 0;
}

/**
 * lib_request_room() - let there be room for more
 * @rq: the request
 * @len: bytes of attributes, with their headers
 *
 * Return: 0 or -1.
 */
int lib_request_room(struct request *rq, size_t len)
{
	struct sk_buff *skb;

	if (skb_tailroom(rq->skb) >= len)
		return 0;
	skb = shim_skb_new(rq->skb->len + HEAD_ROOM + len, true);
	if (!skb)
		return lib_refuse("out of memory");
	memcpy(skb->data, rq->skb->data, rq->skb->len);
	skb->len = rq->skb->len;
	nlmsg_free(rq->skb);
	rq->skb = skb;
	rq->nlh = (struct nlmsghdr *)skb->data;
	return 0;
}

/**
 * lib_request_put() - add an attribute that is not a word
 * @rq: the request
 * @name: its name, also that of the argument
 * @data: [@len] what it holds
 * @len: bytes
 *
 * Return: 0 or -1.
 */
int lib_request_put(struct request *rq, const char *name, const void *data, size_t len)
{
	u32 at = rq->skb->len;

	if (lib_request_room(rq, nla_total_size(len)))
		return -1;
	nla_put(rq->skb, lib_type(rq->set, name), len, data);
	return lib_request_note(rq, at, name, NULL);
}

/** lib_request_free() - let go of a request */
void lib_request_free(struct request *rq)
{
	if (rq->skb)
		nlmsg_free(rq->skb);
	free(rq->words);
	free(rq->origin);
}

static void add(struct answer *a, const struct nlmsghdr *nlh)
{
	size_t len = NLMSG_ALIGN(nlh->nlmsg_len);
	char *more;

	if (a->len + len > a->room) {
		a->room = 2 * a->room + len;
		more = realloc(a->data, a->room);
		if (!more) {
			a->lost = true;
			return;
		}
		a->data = more;
	}
	memcpy(a->data + a->len, nlh, nlh->nlmsg_len);
	a->len += len;
}

static void refuse(struct answer *a, const struct nlmsghdr *nlh)
{
	a->err = *(const int *)nlmsg_data(nlh);
	memcpy(a->refusal, nlh, min_t(size_t, nlh->nlmsg_len, sizeof(a->refusal)));
}

static void take(const void *data, size_t len, void *arg)
{
	const struct nlmsghdr *nlh = data;
	struct answer *a = arg;

	for (; NLMSG_OK(nlh, len) && !a->lost; nlh = NLMSG_NEXT(nlh, len)) {
		if (nlh->nlmsg_type >= NLMSG_MIN_TYPE)
			add(a, nlh);
		else if (!a->err)
			refuse(a, nlh);
	}
}

/**
 * lib_ask() - make a request
 * @rq: the request; is freed
 * @a: its answer, to be freed by lib_answer_free(), even if this fails
 *
 * Return: 0 or -1.
 */
int lib_ask(struct request *rq, struct answer *a)
{
	int ret;

	memset(a, 0, sizeof(*a));
	nlmsg_end(rq->skb, rq->nlh);
	pthread_mutex_lock(&lock);
	ret = mcfab_user_request(rq->nlh, take, a);
	pthread_mutex_unlock(&lock);
	if (ret)
		a->err = ret;
	if (a->lost)
		ret = lib_refuse("no memory for the answer");
	else if (a->err)
		ret = lib_refused(rq, a);
	lib_request_free(rq);
	return ret ? -1 : 0;
}

/**
 * lib_send() - make a request of which only the success matters
 * @rq: the request; is freed
 *
 * Return: 0 or -1.
 */
int lib_send(struct request *rq)
{
	struct answer a;
	int ret = lib_ask(rq, &a);

	lib_answer_free(&a);
	return ret;
}

/**
 * lib_ask_words() - make a request of words alone
 * @op: its name in the specification
 * @dump: it is answered by a list
 * @fabric: name of the fabric that it is about
 * @options: options, or NULL
 * @a: its answer, to be freed by lib_answer_free(), even if this fails
 *
 * Return: 0 or -1.
 */
int lib_ask_words(const char *op, bool dump, const char *fabric, const char *options,
		  struct answer *a)
{
	struct request rq;

	memset(a, 0, sizeof(*a));
	if (!lib_request(&rq, op, dump, fabric, options))
		return lib_ask(&rq, a);
	lib_request_free(&rq);
	return -1;
}

/** lib_answer_free() - let go of an answer */
void lib_answer_free(struct answer *a)
{
	free(a->data);
}
