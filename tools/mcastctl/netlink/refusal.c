// SPDX-License-Identifier: GPL-2.0
/*
 * Why the kernel refused a request. It blames an attribute by its offset in the
 * message; the request knows which word each attribute was made from.
 */
#include <errno.h>
#include <linux/mcfab.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "netlink/attrs.h"
#include "netlink/keyword.h"
#include "netlink/refusal.h"
#include "netlink/request.h"

char *(*nl_suggest)(const char *fabric, const char *key, const char *word);
char *(*nl_known)(const char *fabric, const char *key, const char *word);

static void read_bounds(struct refusal *why, const struct nlattr *policy)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, policy) {
		switch (mnl_attr_get_type(attr)) {
		case NL_POLICY_TYPE_ATTR_MIN_LENGTH:
			why->is_length = true;
			fallthrough;
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_S:
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_U:
			why->has_min = true;
			why->min = nl_attr_uint(attr);
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			why->is_length = true;
			fallthrough;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_S:
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
			why->has_max = true;
			why->max = nl_attr_uint(attr);
			break;
		}
	}
}

static void read_attr(struct refusal *why, const struct nlattr *attr)
{
	switch (mnl_attr_get_type(attr)) {
	case NLMSGERR_ATTR_MSG:
		if (!mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			snprintf(why->text, sizeof(why->text), "%s", mnl_attr_get_str(attr));
		break;
	case NLMSGERR_ATTR_OFFS:
		why->offset = nl_attr_uint(attr);
		break;
	case NLMSGERR_ATTR_MISS_TYPE:
		why->missing = nl_attr_uint(attr);
		break;
	case NLMSGERR_ATTR_MISS_NEST:
		why->missing_nest = nl_attr_uint(attr);
		break;
	case NLMSGERR_ATTR_POLICY:
		read_bounds(why, attr);
		break;
	}
}

int refusal_read(struct refusal *why, const struct nlmsghdr *nlh)
{
	size_t len = mnl_nlmsg_get_payload_len(nlh), skip;
	const struct nlattr *attr;
	int err;

	if (nlh->nlmsg_type == NLMSG_ERROR) {
		const struct nlmsgerr *error = mnl_nlmsg_get_payload(nlh);

		if (len < sizeof(*error))
			return -EBADMSG;
		err = error->error;
		skip = sizeof(*error);
		if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
			skip += MNL_ALIGN(error->msg.nlmsg_len) - sizeof(error->msg);
	} else {
		if (len < sizeof(int))
			return 0;
		err = *(const int *)mnl_nlmsg_get_payload(nlh);
		skip = sizeof(int);
	}
	if ((nlh->nlmsg_flags & NLM_F_ACK_TLVS) && skip < len) {
		mnl_attr_for_each(attr, nlh, skip)
			read_attr(why, attr);
	}
	return err < 0 ? err : 0;
}

/* The word that the blamed attribute was made from: the last one at or before it. */
static const struct nl_where *blamed(const struct refusal *why, const struct nl_request *rq)
{
	const struct nl_origin *best = NULL;

	for (u32 i = 0; why->offset && i < rq->norigins; i++) {
		const struct nl_origin *o = &rq->origin[i];

		if (o->offset <= why->offset && o->end > why->offset &&
		    (!best || o->offset >= best->offset))
			best = o;
	}
	return best && best->where.key ? &best->where : NULL;
}

/* The fabric that a request is about, or NULL. */
static const char *fabric_of(const struct nl_request *rq)
{
	for (u32 i = 0; i < rq->norigins; i++) {
		const struct nl_where *where = &rq->origin[i].where;

		if (where->key && !strcmp(where->key, "fabric"))
			return where->word;
	}
	return NULL;
}

/* Is the word a name for what is to be made? What there is does not matter then. */
static bool is_new(const struct nl_where *where, const struct nl_request *rq)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(rq->nlh);

	switch (genl->cmd) {
	case MCFAB_CMD_FABRIC_NEW:
	case MCFAB_CMD_GRAPH_BEGIN:
		return !strcmp(where->key, "fabric");
	case MCFAB_CMD_GROUP_NEW:
		return !strcmp(where->key, "group");
	default:
		return false;
	}
}

static const char *missing_name(const struct refusal *why, const struct nl_request *rq)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(rq->nlh);
	const struct attr_set *set = attr_set_of_request(genl->cmd);
	const char *keyword = keyword_of(rq->grammar, why->missing);
	const struct nlattr *nest;

	if (keyword && !why->missing_nest)
		return keyword;
	if (set && why->missing_nest && why->missing_nest < rq->nlh->nlmsg_len) {
		nest = (const void *)((const char *)rq->nlh + why->missing_nest);
		set = attr_nested(set, mnl_attr_get_type(nest));
	}
	return set ? attr_name(set, why->missing) : NULL;
}

static const char *errno_text(int err)
{
	switch (-err) {
	case EPERM:
	case EACCES:
		return "permission denied: this needs CAP_NET_ADMIN (try as root)";
	case EMSGSIZE:
		return "the request is too long";
	case EOPNOTSUPP:
		return "the kernel module does not know this request; tool and module differ?";
	default:
		return strerror(-err);
	}
}

/* " (1 to 16)", to be freed */
static char *bounds_text(const struct refusal *why, u32 scale)
{
	bool minus = why->min < 0;
	char min[32], max[32];

	number_format(min, sizeof(min), minus ? -why->min : why->min, scale ? scale : 1);
	number_format(max, sizeof(max), why->max, scale ? scale : 1);
	if (why->has_min && why->has_max)
		return xasprintf(" (%s%s to %s)", minus ? "-" : "", min, max);
	if (why->has_min)
		return xasprintf(" (at least %s%s)", minus ? "-" : "", min);
	if (why->has_max)
		return xasprintf(" (at most %s)", max);
	return xstrdup("");
}

/* What is said of a word, without the word where the text begins with it: it stands before. */
static const char *without_word(const char *text, const struct nl_where *where)
{
	size_t key = strlen(where->key), word;
	const char *rest;

	if (!where->word || strncmp(text, where->key, key) || text[key] != ' ')
		return text;
	word = strlen(where->word);
	if (strncmp(text + key + 1, where->word, word))
		return text;
	rest = text + key + 1 + word;
	if (*rest == ' ')
		return rest + 1;
	return strncmp(rest, ": ", 2) ? text : rest + 2;
}

/** refusal_print() - say on stderr what was refused and why */
enum status refusal_print(const struct refusal *why, int err, const struct nl_request *rq)
{
	const struct nl_where *where = blamed(why, rq);
	const char *text = why->text[0] ? why->text : errno_text(err);
	char *bounds = bounds_text(why, where ? where->scale : 0), *hint = NULL, *at = NULL;
	char *known = NULL, *too_long = NULL;

	/* Of the kernel's words for what is a decimal to the user. */
	if (where && where->scale && !strcmp(text, "integer out of range"))
		text = "out of range";
	/* Names: the kernel says no more than that they are not as they should be. */
	if (where && where->word && why->is_length && why->has_max &&
	    strlen(where->word) > why->max) {
		too_long = xasprintf("longer than %llu characters", (unsigned long long)why->max);
		text = too_long;
		*bounds = '\0';
	}
	if (!where && why->missing) {
		const char *name = missing_name(why, rq);

		if (name) {
			free(bounds);
			return refused("%s is missing%s%s", name, why->text[0] ? ": " : "",
				       why->text);
		}
	}
	if (where) {
		text = without_word(text, where);
		at = xasprintf("%s%s%s%s%s%s: ", where->of ? "class " : "",
			       where->of ? where->of : "", where->of ? ": " : "", where->key,
			       where->word ? " " : "", where->word ? where->word : "");
	}
	if (where && where->word && !is_new(where, rq)) {
		if (nl_suggest)
			hint = nl_suggest(fabric_of(rq), where->key, where->word);
		if (nl_known)
			known = nl_known(fabric_of(rq), where->key, where->word);
	}
	refused("%s%s%s%s%s%s%s%s", at ? at : "", text, bounds, hint ? "; did you mean \"" : "",
		hint ? hint : "", hint ? "\"?" : "", !known ? "" : hint ? " " : "; ",
		known ? known : "");
	free(at);
	free(hint);
	free(known);
	free(too_long);
	free(bounds);
	return STATUS_REFUSED;
}
