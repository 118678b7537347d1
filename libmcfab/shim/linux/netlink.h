/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink: refusals and dumps. */
#ifndef SHIM_LINUX_NETLINK_H
#define SHIM_LINUX_NETLINK_H

#include_next <linux/netlink.h>
#include <linux/build_bug.h>
#include <linux/skbuff.h>
#include <stdio.h>

struct module;
struct nla_policy;

#define NETLINK_MAX_FMTMSG_LEN	80

struct netlink_ext_ack {
	const char *_msg;
	const struct nlattr *bad_attr;
	const struct nla_policy *policy;
	const struct nlattr *miss_nest;
	u16 miss_type;
	char _msg_buf[NETLINK_MAX_FMTMSG_LEN];
};

#define NL_SET_BAD_ATTR_POLICY(extack, attr, pol)			\
do {									\
	struct netlink_ext_ack *_ack = (extack);			\
									\
	if (_ack) {							\
		_ack->bad_attr = (attr);				\
		_ack->policy = (pol);					\
	}								\
} while (0)

#define NL_SET_BAD_ATTR(extack, attr)	NL_SET_BAD_ATTR_POLICY(extack, attr, NULL)

#define NL_SET_ERR_MSG(extack, msg)					\
do {									\
	struct netlink_ext_ack *_msg_ack = (extack);			\
									\
	if (_msg_ack)							\
		_msg_ack->_msg = (msg);					\
} while (0)

#define NL_SET_ERR_MSG_FMT(extack, ...)					\
do {									\
	struct netlink_ext_ack *_fmt_ack = (extack);			\
									\
	if (_fmt_ack) {							\
		snprintf(_fmt_ack->_msg_buf, sizeof(_fmt_ack->_msg_buf), __VA_ARGS__); \
		_fmt_ack->_msg = _fmt_ack->_msg_buf;			\
	}								\
} while (0)

#define NL_SET_ERR_MSG_ATTR_POL(extack, attr, pol, msg)			\
do {									\
	NL_SET_ERR_MSG(extack, msg);					\
	NL_SET_BAD_ATTR_POLICY(extack, attr, pol);			\
} while (0)

#define NL_SET_ERR_MSG_ATTR(extack, attr, msg)				\
	NL_SET_ERR_MSG_ATTR_POL(extack, attr, NULL, msg)

#define NL_SET_ERR_MSG_ATTR_FMT(extack, attr, ...)			\
do {									\
	NL_SET_ERR_MSG_FMT(extack, __VA_ARGS__);			\
	NL_SET_BAD_ATTR(extack, attr);					\
} while (0)

#define NL_SET_ERR_ATTR_MISS(extack, nest, type)			\
do {									\
	struct netlink_ext_ack *_miss_ack = (extack);			\
									\
	if (_miss_ack) {						\
		_miss_ack->miss_nest = (nest);				\
		_miss_ack->miss_type = (type);				\
	}								\
} while (0)

struct netlink_callback {
	const struct nlmsghdr *nlh;
	void *data;
	struct netlink_ext_ack *extack;
	u32 min_dump_alloc;
	unsigned int prev_seq, seq;
	u8 ctx[48] __attribute__((aligned(8)));
};

#define NL_ASSERT_DUMP_CTX_FITS(type)					\
	BUILD_BUG_ON(sizeof(type) > sizeof(((struct netlink_callback *)0)->ctx))

/* As much as fits into a page beside what the kernel keeps of a message. */
#define SHIM_SKB_OVERHEAD	320
#define NLMSG_GOODSIZE		(4096 - SHIM_SKB_OVERHEAD)
#define NLMSG_DEFAULT_SIZE	(NLMSG_GOODSIZE - NLMSG_HDRLEN)

#endif
