// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink without a kernel: a request goes straight to its handler, and
 * what it answers to whoever asked. There is one family, one network namespace
 * and one client, who may do everything.
 *
 * Dumps are cut into datagrams, and refusals told, as the kernel does it.
 */
#include <net/genetlink.h>
#include <linux/mutex.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mcfab_user.h"

/* any number will do, as long as no other type has it */
#define FAMILY_ID	(GENL_MIN_ID + 16)
/* what the kernel gives to a dump whose reader has a big buffer */
#define DUMP_SIZE	(32768 - SHIM_SKB_OVERHEAD)
/* an acknowledgment with everything there is to say */
#define ACK_SIZE	1024

/* the family, who is being answered, and who hears of events */
static const struct genl_family *registered;
static __thread mcfab_user_take_t taker;
static __thread void *taker_arg;
static DEFINE_MUTEX(listener_lock);
static int listener[2] = { -1, -1 };	/* the end to read, the end to write */

struct net init_net;

/* messages until one that does not fit, see mcfab_user_fail_fill() */
static long fail_fill;

/* datagrams with bytes that nobody wrote, see mcfab_user_stale() */
static unsigned long stale;

static void look_for_stale(const struct sk_buff *skb)
{
	if (!shim_skb_stale(skb))
		return;
	stale++;
	fprintf(stderr, "runtime error: an answer has bytes that nobody wrote\n");
}

/**
 * mcfab_user_stale() - how many answers and events had bytes that nobody wrote
 *
 * In the kernel these would be what its memory held before.
 *
 * Return: datagrams; without sanitizers always 0.
 */
unsigned long mcfab_user_stale(void)
{
	return stale;
}

/**
 * register_pernet_subsys() - make the one namespace's part of a subsystem
 * @ops: the subsystem
 *
 * Return: 0 or a negative error.
 */
int register_pernet_subsys(struct pernet_operations *ops)
{
	int ret;

	init_net.gen = kzalloc(ops->size, GFP_KERNEL);
	if (!init_net.gen)
		return -ENOMEM;
	ret = ops->init(&init_net);
	if (ret) {
		kfree(init_net.gen);
		return ret;
	}
	return 0;
}

/**
 * unregister_pernet_subsys() - undo register_pernet_subsys()
 * @ops: the subsystem
 */
void unregister_pernet_subsys(struct pernet_operations *ops)
{
	ops->exit(&init_net);
	kfree(init_net.gen);
	init_net.gen = NULL;
}

/**
 * genl_register_family() - have requests served
 * @family: whose
 *
 * Return: 0.
 */
int genl_register_family(struct genl_family *family)
{
	family->id = FAMILY_ID;
	registered = family;
	return 0;
}

/**
 * genl_unregister_family() - serve no more requests
 * @family: whose
 *
 * Return: 0.
 */
int genl_unregister_family(const struct genl_family *family)
{
	(void)family;
	registered = NULL;
	return 0;
}

/**
 * genlmsg_put() - begin a message of the family
 * @skb: where
 * @portid: whom it is for
 * @seq: what it answers
 * @family: the family
 * @flags: NLM_F_*
 * @cmd: what it is about
 *
 * Return: its header, or NULL if there is no room.
 */
void *genlmsg_put(struct sk_buff *skb, u32 portid, u32 seq, const struct genl_family *family,
		  int flags, u8 cmd)
{
	struct genlmsghdr *hdr;
	struct nlmsghdr *nlh;

	if (fail_fill && !--fail_fill)
		return NULL;
	nlh = nlmsg_put(skb, portid, seq, family->id, GENL_HDRLEN, flags);
	if (!nlh)
		return NULL;
	hdr = nlmsg_data(nlh);
	hdr->cmd = cmd;
	hdr->version = family->version;
	return (char *)hdr + GENL_HDRLEN;
}

/**
 * mcfab_user_fail_fill() - let a message of the module not fit
 * @nth: which, from 1 for the next one; 0: none
 */
void mcfab_user_fail_fill(long nth)
{
	fail_fill = nth;
}

static void deliver(struct sk_buff *skb)
{
	look_for_stale(skb);
	if (skb->len)
		taker(skb->data, skb->len, taker_arg);
	nlmsg_free(skb);
}

/**
 * genlmsg_reply() - answer a request
 * @skb: the answer; is freed
 * @info: the request
 *
 * Return: 0.
 */
int genlmsg_reply(struct sk_buff *skb, struct genl_info *info)
{
	(void)info;
	deliver(skb);
	return 0;
}

/**
 * genl_has_listeners() - does anybody hear of events?
 * @family: ignored
 * @net: ignored
 * @group: ignored: there is one
 *
 * Return: whether.
 */
int genl_has_listeners(const struct genl_family *family, struct net *net, unsigned int group)
{
	bool has;

	mutex_lock(&listener_lock);
	has = listener[1] >= 0;
	mutex_unlock(&listener_lock);
	return has;
}

/**
 * genlmsg_multicast_netns() - tell of an event
 * @family: ignored
 * @net: ignored
 * @skb: the event; is freed
 * @portid: ignored
 * @group: ignored: there is one
 * @gfp: ignored
 *
 * Whoever is too slow to read them loses events, as on a socket.
 *
 * Return: 0.
 */
int genlmsg_multicast_netns(const struct genl_family *family, struct net *net,
			    struct sk_buff *skb, u32 portid, unsigned int group, gfp_t gfp)
{
	mutex_lock(&listener_lock);
	look_for_stale(skb);
	if (listener[1] >= 0)
		send(listener[1], skb->data, skb->len, MSG_DONTWAIT | MSG_NOSIGNAL);
	mutex_unlock(&listener_lock);
	nlmsg_free(skb);
	return 0;
}

/**
 * mcfab_user_listen() - hear of events
 *
 * Return: a descriptor from which each recv() takes an event, which may be polled;
 * or a negative error. It is closed by mcfab_user_unlisten().
 */
int mcfab_user_listen(void)
{
	int ret;

	mutex_lock(&listener_lock);
	ret = listener[0] >= 0 ? -EBUSY : 0;
	if (!ret && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, listener)) {
		ret = -errno;
		listener[0] = -1;
		listener[1] = -1;
	}
	if (!ret)
		ret = listener[0];
	mutex_unlock(&listener_lock);
	return ret;
}

/**
 * mcfab_user_unlisten() - hear of events no more
 */
void mcfab_user_unlisten(void)
{
	u32 i;

	mutex_lock(&listener_lock);
	for (i = 0; i < ARRAY_SIZE(listener); i++) {
		if (listener[i] >= 0)
			close(listener[i]);
		listener[i] = -1;
	}
	mutex_unlock(&listener_lock);
}

static void put_refusal(struct sk_buff *skb, const struct nlmsghdr *request, int err,
			const struct netlink_ext_ack *extack)
{
	const char *base = (const char *)request;

	if (extack->_msg)
		nla_put_string(skb, NLMSGERR_ATTR_MSG, extack->_msg);
	if (!err)
		return;
	if (extack->bad_attr)
		nla_put_u32(skb, NLMSGERR_ATTR_OFFS, (const char *)extack->bad_attr - base);
	if (extack->policy)
		shim_nla_put_policy(skb, NLMSGERR_ATTR_POLICY, extack->policy);
	if (extack->miss_type)
		nla_put_u32(skb, NLMSGERR_ATTR_MISS_TYPE, extack->miss_type);
	if (extack->miss_nest)
		nla_put_u32(skb, NLMSGERR_ATTR_MISS_NEST, (const char *)extack->miss_nest - base);
}

static bool says_something(const struct netlink_ext_ack *extack, int err)
{
	return extack->_msg ||
	       (err && (extack->bad_attr || extack->miss_type || extack->miss_nest));
}

/* What the kernel's own part allocates is not what tests let fail. */
static struct sk_buff *core_skb(size_t size)
{
	long fail = shim_fail_alloc;
	struct sk_buff *skb;

	shim_fail_alloc = 0;
	skb = shim_skb_new(size, true);
	shim_fail_alloc = fail;
	return skb;
}

/* the end of an answer that is no dump: acknowledgment, warning or refusal */
static int acknowledge(const struct nlmsghdr *request, int err,
		       const struct netlink_ext_ack *extack)
{
	struct sk_buff *skb = core_skb(ACK_SIZE);
	struct nlmsgerr *error;
	struct nlmsghdr *nlh;

	if (!skb)
		return -ENOMEM;
	nlh = nlmsg_put(skb, request->nlmsg_pid, request->nlmsg_seq, NLMSG_ERROR, sizeof(*error),
			NLM_F_CAPPED | (says_something(extack, err) ? NLM_F_ACK_TLVS : 0));
	error = nlmsg_data(nlh);
	error->error = err;
	error->msg = *request;
	put_refusal(skb, request, err, extack);
	nlmsg_end(skb, nlh);
	deliver(skb);
	return 0;
}

/* the last message of a dump */
static void put_done(struct sk_buff *skb, struct netlink_callback *cb, int err,
		     const struct netlink_ext_ack *extack)
{
	struct nlmsghdr *nlh = nlmsg_put(skb, cb->nlh->nlmsg_pid, cb->nlh->nlmsg_seq, NLMSG_DONE,
					 sizeof(err), NLM_F_MULTI);

	nl_dump_check_consistent(cb, nlh);
	memcpy(nlmsg_data(nlh), &err, sizeof(err));
	if (says_something(extack, err)) {
		nlh->nlmsg_flags |= NLM_F_ACK_TLVS;
		put_refusal(skb, cb->nlh, err, extack);
		nlmsg_end(skb, nlh);
	}
}

/* Datagram by datagram, until it is told whole. */
static int dump_rest(const struct genl_split_ops *op, struct netlink_callback *cb,
		     struct genl_info *info)
{
	size_t size = max_t(size_t, cb->min_dump_alloc, DUMP_SIZE);
	struct netlink_ext_ack extack;
	int left = INT_MAX;
	struct sk_buff *skb;

	for (;;) {
		skb = core_skb(size);
		if (!skb)
			return -ENOMEM;
		if (left > 0) {
			memset(&extack, 0, sizeof(extack));
			cb->extack = &extack;
			info->extack = &extack;
			left = op->dumpit(skb, cb);
			/* what is left did not fit behind what is there */
			if (left == -EMSGSIZE && skb->len)
				left = skb->len;
		}
		if (left <= 0 && skb_tailroom(skb) >= nlmsg_total_size(sizeof(left)) + ACK_SIZE)
			break;
		deliver(skb);
	}
	put_done(skb, cb, left, &extack);
	deliver(skb);
	return 0;
}

static int dump(const struct genl_split_ops *op, struct genl_info *info)
{
	struct netlink_callback cb = {
		.nlh = info->nlhdr,
		.data = info,
		.extack = info->extack,
	};
	int ret = op->start ? op->start(&cb) : 0;

	if (ret)
		return ret;
	ret = dump_rest(op, &cb, info);
	if (op->done)
		op->done(&cb);
	/* the end of a dump is its acknowledgment */
	return ret ?: -EINTR;
}

static const struct genl_split_ops *find_op(u8 cmd, u8 kind)
{
	u32 i;

	for (i = 0; i < registered->n_split_ops; i++)
		if (registered->split_ops[i].cmd == cmd && registered->split_ops[i].flags & kind)
			return &registered->split_ops[i];
	return NULL;
}

static int do_it(const struct genl_split_ops *op, struct genl_info *info)
{
	int ret = op->pre_doit ? op->pre_doit(op, NULL, info) : 0;

	if (ret)
		return ret;
	ret = op->doit(NULL, info);
	if (op->post_doit)
		op->post_doit(op, NULL, info);
	return ret;
}

static int serve(const struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	bool is_dump = (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	struct genl_info info = {
		.snd_seq = nlh->nlmsg_seq,
		.snd_portid = nlh->nlmsg_pid,
		.family = registered,
		.nlhdr = nlh,
		.genlhdr = nlmsg_data(nlh),
		.extack = extack,
	};
	const struct genl_split_ops *op;
	int ret;

	if (nlh->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return -EINVAL;
	op = find_op(info.genlhdr->cmd, is_dump ? GENL_CMD_CAP_DUMP : GENL_CMD_CAP_DO);
	if (!op)
		return -EOPNOTSUPP;
	if (op->maxattr) {
		info.attrs = calloc(op->maxattr + 1, sizeof(*info.attrs));
		if (!info.attrs)
			return -ENOMEM;
		ret = shim_nla_parse(info.attrs, op->maxattr, nlmsg_attrdata(nlh, GENL_HDRLEN),
				     nlmsg_attrlen(nlh, GENL_HDRLEN), op->policy, extack);
		if (ret)
			goto out;
	}
	ret = is_dump ? dump(op, &info) : do_it(op, &info);
out:
	free(info.attrs);
	return ret;
}

/**
 * mcfab_user_request() - make a request
 * @nlh: the request, of any type
 * @take: is called for each datagram of the answer
 * @arg: is handed to @take
 *
 * @take may make requests of its own: between two parts of a dump this is as if somebody
 * else made them.
 *
 * Return: 0 when it was answered, even by a refusal; or a negative error.
 */
int mcfab_user_request(const struct nlmsghdr *nlh, mcfab_user_take_t take, void *arg)
{
	mcfab_user_take_t outer = taker;
	void *outer_arg = taker_arg;
	struct netlink_ext_ack extack = {};
	int err;

	if (!registered)
		return -ENOTCONN;
	taker = take;
	taker_arg = arg;
	err = serve(nlh, &extack);
	if (err == -EINTR)
		err = 0;
	else if (err || nlh->nlmsg_flags & NLM_F_ACK)
		err = acknowledge(nlh, err, &extack);
	taker = outer;
	taker_arg = outer_arg;
	return err;
}
