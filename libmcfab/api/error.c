// SPDX-License-Identifier: GPL-2.0
/* Why a call failed: a line for each thread, as mcastctl(8) would print it. */
#include <stdarg.h>
#include <stdio.h>

#include "api/internal.h"

static __thread char text[512];

const char *mcf_error(void)
{
	return text;
}

const char *mcf_version(void)
{
	return "0.1";
}

/**
 * lib_refuse() - say why a call fails
 * @fmt: format of the line, and its values
 *
 * Return: -1.
 */
int lib_refuse(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return -1;
}

/* the attribute that is blamed, or the innermost one around it */
static const struct origin *blamed(const struct request *rq, u32 offset)
{
	const struct origin *best = NULL;
	u32 i;

	for (i = 0; offset && i < rq->norigins; i++)
		if (rq->origin[i].offset <= offset && rq->origin[i].end > offset)
			best = &rq->origin[i];
	return best;
}

/* " delay", where an element of a list is blamed for a value that it has under this name */
static void part(const struct request *rq, const struct origin *o, u32 offset, char *out,
		 size_t size)
{
	const struct nlattr *whole, *blamed = (const void *)(rq->skb->data + offset);
	const struct attr_desc *desc;

	*out = '\0';
	if (offset == o->offset)
		return;
	whole = (const void *)(rq->skb->data + o->offset);
	desc = &rq->set->attr[nla_type(whole)];
	if (desc->nested && !strcmp(desc->name, o->key) && nla_type(blamed) < desc->nested->n)
		snprintf(out, size, " %s", desc->nested->attr[nla_type(blamed)].name);
}

/* " (1 to 16)" */
static void bounds(const struct nlattr *policy, char *out, size_t size)
{
	const struct nlattr *min, *max;

	*out = '\0';
	if (!policy)
		return;
	min = nla_find_nested(policy, NL_POLICY_TYPE_ATTR_MIN_VALUE_U) ?:
	      nla_find_nested(policy, NL_POLICY_TYPE_ATTR_MIN_VALUE_S);
	max = nla_find_nested(policy, NL_POLICY_TYPE_ATTR_MAX_VALUE_U) ?:
	      nla_find_nested(policy, NL_POLICY_TYPE_ATTR_MAX_VALUE_S);
	if (min && max)
		snprintf(out, size, " (%lld to %llu)", (s64)nla_get_uint(min), nla_get_uint(max));
	max = nla_find_nested(policy, NL_POLICY_TYPE_ATTR_MAX_LENGTH);
	if (max)
		snprintf(out, size, " (at most %u characters)", nla_get_u32(max));
}

/* what an answer says of a refusal: @why NULL, @offset and @missing 0 where it does not */
struct refusal {
	const char *why;
	u32 offset;
	u32 missing;
	const struct nlattr *policy;
};

static void read_refusal(const struct answer *a, struct refusal *r)
{
	const struct nlmsghdr *nlh = (const void *)a->refusal;
	int skip = nlh->nlmsg_type == NLMSG_ERROR ? sizeof(struct nlmsgerr) : sizeof(int), rem;
	const struct nlattr *attr;

	memset(r, 0, sizeof(*r));
	if (!nlh->nlmsg_len || !(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	nla_for_each_attr(attr, nlmsg_attrdata(nlh, skip), nlmsg_attrlen(nlh, skip), rem) {
		if (nla_type(attr) == NLMSGERR_ATTR_MSG)
			r->why = nla_data(attr);
		else if (nla_type(attr) == NLMSGERR_ATTR_OFFS)
			r->offset = nla_get_u32(attr);
		else if (nla_type(attr) == NLMSGERR_ATTR_MISS_TYPE)
			r->missing = nla_get_u32(attr);
		else if (nla_type(attr) == NLMSGERR_ATTR_POLICY)
			r->policy = attr;
	}
}

/**
 * lib_refused() - say why a request was refused
 * @rq: the request
 * @a: its answer
 *
 * Return: -1.
 */
int lib_refused(const struct request *rq, const struct answer *a)
{
	const struct origin *o;
	char range[64], inner[64];
	struct refusal r;
	const char *why;

	read_refusal(a, &r);
	o = blamed(rq, r.offset);
	if (!o && r.missing && r.missing < rq->set->n)
		return lib_refuse("%s is missing", rq->set->attr[r.missing].name);
	bounds(r.policy, range, sizeof(range));
	why = r.why ?: strerror(-a->err);
	if (!o)
		return lib_refuse("%s%s", why, range);
	part(rq, o, r.offset, inner, sizeof(inner));
	return lib_refuse("%s%s%s%s: %s%s", o->key, o->value ? " " : "", o->value ?: "", inner, why,
			  range);
}
