/* SPDX-License-Identifier: GPL-2.0 */
/* Attributes: reading, writing, and policies that check them. See libmcfab/nlattr.c. */
#ifndef SHIM_NET_NETLINK_H
#define SHIM_NET_NETLINK_H

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/slab.h>
#include <linux/string.h>

/* What the policies of the family are made of; the kernel has more. */
enum {
	NLA_UNSPEC,
	NLA_U32,
	NLA_S32,
	NLA_UINT,
	NLA_FLAG,
	NLA_NUL_STRING,
	NLA_BINARY,
	NLA_NESTED,
};

enum nla_policy_validation {
	NLA_VALIDATE_NONE,
	NLA_VALIDATE_RANGE,
	NLA_VALIDATE_MIN,
	NLA_VALIDATE_MAX,
	NLA_VALIDATE_RANGE_PTR,
};

struct netlink_range_validation {
	u64 min, max;
};

struct nla_policy {
	u8 type;
	u8 validation_type;
	u16 len;
	union {
		const struct nla_policy *nested_policy;
		const struct netlink_range_validation *range;
		struct {
			s16 min, max;
		};
	};
};

#define NLA_POLICY_NESTED(policy) \
	{ .type = NLA_NESTED, .nested_policy = (policy), .len = ARRAY_SIZE(policy) - 1 }
#define NLA_POLICY_RANGE(tp, _min, _max) \
	{ .type = (tp), .validation_type = NLA_VALIDATE_RANGE, .min = (_min), .max = (_max) }
#define NLA_POLICY_FULL_RANGE(tp, _range) \
	{ .type = (tp), .validation_type = NLA_VALIDATE_RANGE_PTR, .range = (_range) }
#define NLA_POLICY_MIN(tp, _min) \
	{ .type = (tp), .validation_type = NLA_VALIDATE_MIN, .min = (_min) }
#define NLA_POLICY_MAX(tp, _max) \
	{ .type = (tp), .validation_type = NLA_VALIDATE_MAX, .max = (_max) }

static inline int nla_attr_size(int payload)
{
	return NLA_HDRLEN + payload;
}

static inline int nla_total_size(int payload)
{
	return NLA_ALIGN(nla_attr_size(payload));
}

static inline int nla_type(const struct nlattr *nla)
{
	return nla->nla_type & NLA_TYPE_MASK;
}

static inline void *nla_data(const struct nlattr *nla)
{
	return (char *)nla + NLA_HDRLEN;
}

static inline int nla_len(const struct nlattr *nla)
{
	return nla->nla_len - NLA_HDRLEN;
}

static inline bool nla_ok(const struct nlattr *nla, int rem)
{
	return rem >= (int)sizeof(*nla) && nla->nla_len >= sizeof(*nla) && nla->nla_len <= rem;
}

static inline struct nlattr *nla_next(const struct nlattr *nla, int *rem)
{
	*rem -= NLA_ALIGN(nla->nla_len);
	return (struct nlattr *)((char *)nla + NLA_ALIGN(nla->nla_len));
}

#define nla_for_each_attr(pos, head, len, rem)				\
	for ((pos) = (head), (rem) = (len); nla_ok(pos, rem);		\
	     (pos) = nla_next(pos, &(rem)))

#define nla_for_each_attr_type(pos, type, head, len, rem)		\
	nla_for_each_attr(pos, head, len, rem)				\
		if (nla_type(pos) == type)

#define nlmsg_for_each_attr_type(pos, type, nlh, hdrlen, rem)		\
	nla_for_each_attr(pos, nlmsg_attrdata(nlh, hdrlen),		\
			  nlmsg_attrlen(nlh, hdrlen), rem)		\
		if (nla_type(pos) == (type))

static inline struct nlattr *nla_find_nested(const struct nlattr *nla, int type)
{
	struct nlattr *pos;
	int rem;

	nla_for_each_attr(pos, nla_data(nla), nla_len(nla), rem)
		if (nla_type(pos) == type)
			return pos;
	return NULL;
}

static inline u32 nla_get_u32(const struct nlattr *nla)
{
	return *(u32 *)nla_data(nla);
}

static inline s32 nla_get_s32(const struct nlattr *nla)
{
	return *(s32 *)nla_data(nla);
}

static inline u64 nla_get_uint(const struct nlattr *nla)
{
	u64 value;

	if (nla_len(nla) == sizeof(u32))
		return nla_get_u32(nla);
	/* attributes are aligned to 4 bytes */
	memcpy(&value, nla_data(nla), sizeof(value));
	return value;
}

static inline bool nla_get_flag(const struct nlattr *nla)
{
	return nla;
}

struct nlattr *nla_reserve(struct sk_buff *skb, int attrtype, int attrlen);
int nla_put(struct sk_buff *skb, int attrtype, int attrlen, const void *data);
ssize_t nla_strscpy(char *dst, const struct nlattr *nla, size_t size);
char *nla_strdup(const struct nlattr *nla, gfp_t gfp);

static inline int nla_put_u32(struct sk_buff *skb, int attrtype, u32 value)
{
	return nla_put(skb, attrtype, sizeof(value), &value);
}

static inline int nla_put_s32(struct sk_buff *skb, int attrtype, s32 value)
{
	return nla_put(skb, attrtype, sizeof(value), &value);
}

static inline int nla_put_uint(struct sk_buff *skb, int attrtype, u64 value)
{
	if (value == (u32)value)
		return nla_put_u32(skb, attrtype, value);
	return nla_put(skb, attrtype, sizeof(value), &value);
}

static inline int nla_put_sint(struct sk_buff *skb, int attrtype, s64 value)
{
	if (value == (s32)value)
		return nla_put_s32(skb, attrtype, value);
	return nla_put(skb, attrtype, sizeof(value), &value);
}

static inline int nla_put_flag(struct sk_buff *skb, int attrtype)
{
	return nla_put(skb, attrtype, 0, NULL);
}

static inline int nla_put_string(struct sk_buff *skb, int attrtype, const char *str)
{
	return nla_put(skb, attrtype, strlen(str) + 1, str);
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int attrtype)
{
	return nla_reserve(skb, attrtype | NLA_F_NESTED, 0);
}

static inline int nla_nest_end(struct sk_buff *skb, struct nlattr *start)
{
	start->nla_len = skb->data + skb->len - (unsigned char *)start;
	return skb->len;
}

/* Take back all from @mark on. */
static inline void nlmsg_trim(struct sk_buff *skb, const void *mark)
{
	if (mark)
		skb->len = (const unsigned char *)mark - skb->data;
}

static inline void nla_nest_cancel(struct sk_buff *skb, struct nlattr *start)
{
	nlmsg_trim(skb, start);
}

int shim_nla_parse(struct nlattr **tb, int maxtype, const struct nlattr *head, int len,
		   const struct nla_policy *policy, struct netlink_ext_ack *extack);
int shim_nla_put_policy(struct sk_buff *skb, int attrtype, const struct nla_policy *policy);

static inline int nla_parse_nested(struct nlattr **tb, int maxtype, const struct nlattr *nla,
				   const struct nla_policy *policy,
				   struct netlink_ext_ack *extack)
{
	if (!(nla->nla_type & NLA_F_NESTED)) {
		NL_SET_ERR_MSG_ATTR(extack, nla, "NLA_F_NESTED is missing");
		return -EINVAL;
	}
	return shim_nla_parse(tb, maxtype, nla_data(nla), nla_len(nla), policy, extack);
}

static inline void *nlmsg_data(const struct nlmsghdr *nlh)
{
	return (char *)nlh + NLMSG_HDRLEN;
}

static inline int nlmsg_total_size(int payload)
{
	return NLMSG_ALIGN(NLMSG_HDRLEN + payload);
}

static inline struct nlattr *nlmsg_attrdata(const struct nlmsghdr *nlh, int hdrlen)
{
	return (struct nlattr *)((char *)nlmsg_data(nlh) + NLMSG_ALIGN(hdrlen));
}

static inline int nlmsg_attrlen(const struct nlmsghdr *nlh, int hdrlen)
{
	return nlh->nlmsg_len - NLMSG_HDRLEN - NLMSG_ALIGN(hdrlen);
}

struct nlmsghdr *nlmsg_put(struct sk_buff *skb, u32 portid, u32 seq, int type, int payload,
			   int flags);

static inline void nlmsg_end(struct sk_buff *skb, struct nlmsghdr *nlh)
{
	nlh->nlmsg_len = skb->data + skb->len - (unsigned char *)nlh;
}

static inline struct sk_buff *nlmsg_new(size_t payload, gfp_t gfp)
{
	(void)gfp;
	return shim_skb_new(nlmsg_total_size(payload), false);
}

static inline void nlmsg_free(struct sk_buff *skb)
{
	kfree(skb);
}

/* The parts of a dump tell whether anything changed since the first. */
static inline void nl_dump_check_consistent(struct netlink_callback *cb, struct nlmsghdr *nlh)
{
	if (cb->prev_seq && cb->seq != cb->prev_seq)
		nlh->nlmsg_flags |= NLM_F_DUMP_INTR;
	cb->prev_seq = cb->seq;
}

#endif
