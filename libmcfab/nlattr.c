// SPDX-License-Identifier: GPL-2.0
/*
 * Messages and attributes in user space, with the kernel's words and error codes:
 * what it says of a bad attribute, mcastctl shows and tests compare. A policy is
 * always applied strictly, as the kernel applies that of a new family.
 */
#include <net/netlink.h>

/* Dumps, tests and tools see the sizes that the kernel's allocator makes. */
static size_t rounded(size_t size)
{
	size_t bucket = 512;

	/* slab caches of powers of two, then whole pages of powers of two */
	while (bucket < size)
		bucket *= 2;
	return bucket;
}

/*
 * In the kernel the memory of a message holds what it held before. With sanitizers it holds
 * a pattern here, so that bytes of an answer that nobody wrote are seen.
 */
#ifdef __SANITIZE_ADDRESS__
#define POISON		0xa5
#define POISON_RUN	4

static void shim_skb_poison(struct sk_buff *skb)
{
	memset(skb->data, POISON, skb->size);
}

/**
 * shim_skb_stale() - are there bytes in a message that nobody wrote?
 * @skb: the message
 *
 * Return: whether; without sanitizers always false.
 */
bool shim_skb_stale(const struct sk_buff *skb)
{
	unsigned int i, run = 0;

	for (i = 0; i < skb->len && run < POISON_RUN; i++)
		run = skb->data[i] == POISON ? run + 1 : 0;
	return run == POISON_RUN;
}
#else
static void shim_skb_poison(struct sk_buff *skb)
{
}

bool shim_skb_stale(const struct sk_buff *skb)
{
	return false;
}
#endif

/**
 * shim_skb_new() - an empty message
 * @size: bytes it has to hold
 * @exact: it holds no more than that; else as many as the kernel would give it
 *
 * The kernel uses all of what it allocated, less what it keeps there for itself.
 * How many elements of a list fit into an answer depends on it.
 *
 * Return: the message, to be freed by nlmsg_free(), or NULL.
 */
struct sk_buff *shim_skb_new(size_t size, bool exact)
{
	struct sk_buff *skb;

	if (!exact)
		size = rounded(ALIGN(size, 64) + SHIM_SKB_OVERHEAD) - SHIM_SKB_OVERHEAD;
	skb = kmalloc(sizeof(*skb) + size, GFP_KERNEL);
	if (!skb)
		return NULL;
	skb->data = (unsigned char *)(skb + 1);
	skb->len = 0;
	skb->size = size;
	shim_skb_poison(skb);
	return skb;
}

/**
 * nlmsg_put() - begin a message
 * @skb: where
 * @portid: whom it is for
 * @seq: what it answers
 * @type: its type
 * @payload: bytes of the family's header
 * @flags: NLM_F_*
 *
 * Return: its header, or NULL if there is no room.
 */
struct nlmsghdr *nlmsg_put(struct sk_buff *skb, u32 portid, u32 seq, int type, int payload,
			   int flags)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(skb->data + skb->len);

	if (skb_tailroom(skb) < nlmsg_total_size(payload))
		return NULL;
	memset(nlh, 0, nlmsg_total_size(payload));
	nlh->nlmsg_len = NLMSG_HDRLEN + payload;
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = seq;
	nlh->nlmsg_pid = portid;
	skb->len += nlmsg_total_size(payload);
	return nlh;
}

/**
 * nla_reserve() - add an attribute to be filled in
 * @skb: the message
 * @attrtype: its number
 * @attrlen: its length
 *
 * Return: the attribute, or NULL if there is no room.
 */
struct nlattr *nla_reserve(struct sk_buff *skb, int attrtype, int attrlen)
{
	struct nlattr *nla = (struct nlattr *)(skb->data + skb->len);

	if (skb_tailroom(skb) < nla_total_size(attrlen))
		return NULL;
	nla->nla_type = attrtype;
	nla->nla_len = nla_attr_size(attrlen);
	memset((char *)nla + nla->nla_len, 0, nla_total_size(attrlen) - nla->nla_len);
	skb->len += nla_total_size(attrlen);
	return nla;
}

/**
 * nla_put() - add an attribute
 * @skb: the message
 * @attrtype: its number
 * @attrlen: its length
 * @data: [@attrlen] what it holds
 *
 * Return: 0 or -EMSGSIZE.
 */
int nla_put(struct sk_buff *skb, int attrtype, int attrlen, const void *data)
{
	struct nlattr *nla = nla_reserve(skb, attrtype, attrlen);

	if (!nla)
		return -EMSGSIZE;
	if (attrlen)
		memcpy(nla_data(nla), data, attrlen);
	return 0;
}

static size_t string_length(const struct nlattr *nla)
{
	return strnlen(nla_data(nla), nla_len(nla));
}

/**
 * nla_strscpy() - take a string
 * @dst: where to; its rest is cleared
 * @nla: the attribute
 * @size: room at @dst, with the NUL
 *
 * Return: its length, or -E2BIG if it was cut.
 */
ssize_t nla_strscpy(char *dst, const struct nlattr *nla, size_t size)
{
	size_t len = string_length(nla), taken = min(len, size - 1);

	memcpy(dst, nla_data(nla), taken);
	memset(dst + taken, 0, size - taken);
	return taken < len ? -E2BIG : (ssize_t)taken;
}

/**
 * nla_strdup() - a copy of a string
 * @nla: the attribute
 * @gfp: ignored
 *
 * Return: the string, to be freed by kfree(), or NULL.
 */
char *nla_strdup(const struct nlattr *nla, gfp_t gfp)
{
	size_t len = string_length(nla);
	char *copy = kmalloc(len + 1, gfp);

	if (!copy)
		return NULL;
	memcpy(copy, nla_data(nla), len);
	copy[len] = '\0';
	return copy;
}

static struct netlink_range_validation range_unsigned(const struct nla_policy *policy)
{
	struct netlink_range_validation range = {
		.max = policy->type == NLA_UINT ? U64_MAX : U32_MAX,
	};

	if (policy->validation_type == NLA_VALIDATE_RANGE_PTR)
		return *policy->range;
	if (policy->validation_type == NLA_VALIDATE_RANGE ||
	    policy->validation_type == NLA_VALIDATE_MIN)
		range.min = policy->min;
	if (policy->validation_type == NLA_VALIDATE_RANGE ||
	    policy->validation_type == NLA_VALIDATE_MAX)
		range.max = policy->max;
	return range;
}

/* As the family uses them: signed numbers have both bounds. */
static bool in_range(const struct nlattr *nla, const struct nla_policy *policy)
{
	struct netlink_range_validation range;
	u64 value;

	if (policy->validation_type == NLA_VALIDATE_NONE)
		return true;
	if (policy->type == NLA_S32)
		return nla_get_s32(nla) >= policy->min && nla_get_s32(nla) <= policy->max;
	value = nla_get_uint(nla);
	range = range_unsigned(policy);
	return value >= range.min && value <= range.max;
}

/* 0, or the error of a string that is too long or does not end */
static int check_string(const struct nlattr *nla, const struct nla_policy *policy)
{
	const char *text = nla_data(nla);
	int len = nla_len(nla);
	int look = policy->len ? min(len, policy->len + 1) : len;

	if (!look || !memchr(text, '\0', look))
		return -EINVAL;
	if (text[len - 1] == '\0')
		len--;
	return policy->len && len > policy->len ? -ERANGE : 0;
}

static int check(const struct nlattr *nla, const struct nla_policy *policy,
		 struct netlink_ext_ack *extack)
{
	int len = nla_len(nla), err = 0;

	if (policy->type == NLA_UNSPEC) {
		NL_SET_ERR_MSG_ATTR(extack, nla, "Unsupported attribute");
		return -EINVAL;
	}
	if (((policy->type == NLA_U32 || policy->type == NLA_S32) && len != sizeof(u32)) ||
	    (policy->type == NLA_UINT && len != sizeof(u32) && len != sizeof(u64))) {
		NL_SET_ERR_MSG_ATTR_POL(extack, nla, policy, "invalid attribute length");
		return -EINVAL;
	}
	if (policy->type == NLA_NESTED && !(nla->nla_type & NLA_F_NESTED)) {
		NL_SET_ERR_MSG_ATTR_POL(extack, nla, policy, "NLA_F_NESTED is missing");
		return -EINVAL;
	}
	if (policy->type != NLA_NESTED && nla->nla_type & NLA_F_NESTED) {
		NL_SET_ERR_MSG_ATTR_POL(extack, nla, policy, "NLA_F_NESTED not expected");
		return -EINVAL;
	}

	switch (policy->type) {
	case NLA_FLAG:
		err = len ? -ERANGE : 0;
		break;
	case NLA_NUL_STRING:
		err = check_string(nla, policy);
		break;
	case NLA_BINARY:
		err = policy->len && len > policy->len ? -ERANGE : 0;
		break;
	case NLA_NESTED:
		if (!len)
			return 0;
		if (len >= NLA_HDRLEN)
			return shim_nla_parse(NULL, policy->len, nla_data(nla), len,
					      policy->nested_policy, extack);
		err = -ERANGE;
		break;
	default:
		if (in_range(nla, policy))
			return 0;
		NL_SET_ERR_MSG_ATTR_POL(extack, nla, policy, "integer out of range");
		return -ERANGE;
	}
	if (err)
		NL_SET_ERR_MSG_ATTR_POL(extack, nla, policy,
					"Attribute failed policy validation");
	return err;
}

/**
 * shim_nla_parse() - take attributes apart and check them
 * @tb: [@maxtype + 1] set to the last attribute of each number, or NULL
 * @maxtype: highest number there may be
 * @head: the attributes
 * @len: bytes of them
 * @policy: [@maxtype + 1] what they must be like, or NULL
 * @extack: what to say of a bad one
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int shim_nla_parse(struct nlattr **tb, int maxtype, const struct nlattr *head, int len,
		   const struct nla_policy *policy, struct netlink_ext_ack *extack)
{
	const struct nlattr *nla;
	int rem, err;

	if (tb)
		memset(tb, 0, (maxtype + 1) * sizeof(*tb));
	nla_for_each_attr(nla, head, len, rem) {
		if (!nla_type(nla) || nla_type(nla) > maxtype) {
			NL_SET_ERR_MSG_ATTR(extack, nla, "Unknown attribute type");
			return -EINVAL;
		}
		err = policy ? check(nla, &policy[nla_type(nla)], extack) : 0;
		if (err)
			return err;
		if (tb)
			tb[nla_type(nla)] = (struct nlattr *)nla;
	}
	if (rem > 0) {
		NL_SET_ERR_MSG(extack, "bytes leftover after parsing attributes");
		return -EINVAL;
	}
	return 0;
}

static int put_u64(struct sk_buff *skb, int attrtype, u64 value)
{
	return nla_put(skb, attrtype, sizeof(value), &value);
}

/**
 * shim_nla_put_policy() - tell what an attribute must be like
 * @skb: the message
 * @attrtype: number of the nest
 * @policy: what to tell
 *
 * Return: 0 or -EMSGSIZE.
 */
int shim_nla_put_policy(struct sk_buff *skb, int attrtype, const struct nla_policy *policy)
{
	static const u32 type[] = {
		[NLA_U32] = NL_ATTR_TYPE_U32,
		[NLA_S32] = NL_ATTR_TYPE_S32,
		[NLA_UINT] = NL_ATTR_TYPE_U64,
		[NLA_FLAG] = NL_ATTR_TYPE_FLAG,
		[NLA_NUL_STRING] = NL_ATTR_TYPE_NUL_STRING,
		[NLA_BINARY] = NL_ATTR_TYPE_BINARY,
		[NLA_NESTED] = NL_ATTR_TYPE_NESTED,
	};
	struct nlattr *nest = nla_nest_start(skb, attrtype);
	struct netlink_range_validation range;
	int ret = 0;

	if (!nest)
		return -EMSGSIZE;
	switch (policy->type) {
	case NLA_U32:
	case NLA_UINT:
		range = range_unsigned(policy);
		ret = put_u64(skb, NL_POLICY_TYPE_ATTR_MIN_VALUE_U, range.min);
		ret = ret ?: put_u64(skb, NL_POLICY_TYPE_ATTR_MAX_VALUE_U, range.max);
		break;
	case NLA_S32:
		ret = put_u64(skb, NL_POLICY_TYPE_ATTR_MIN_VALUE_S, (s64)policy->min);
		ret = ret ?: put_u64(skb, NL_POLICY_TYPE_ATTR_MAX_VALUE_S, (s64)policy->max);
		break;
	case NLA_NUL_STRING:
	case NLA_BINARY:
		if (policy->len)
			ret = nla_put_u32(skb, NL_POLICY_TYPE_ATTR_MAX_LENGTH, policy->len);
		break;
	}
	ret = ret ?: nla_put_u32(skb, NL_POLICY_TYPE_ATTR_TYPE, type[policy->type]);
	nla_nest_end(skb, nest);
	return ret;
}
