// SPDX-License-Identifier: GPL-2.0
/* Functions that requests share, for reading attributes; nl_blame.c has those for refusals. */
#include "control/nl.h"

/**
 * mcfab_nl_new() - a message to answer with
 * @size: bytes of attributes
 *
 * Context: May sleep.
 * Return: the message or NULL.
 */
struct sk_buff *mcfab_nl_new(size_t size)
{
	return genlmsg_new(size, GFP_KERNEL_ACCOUNT);
}

/**
 * mcfab_nl_put() - begin an answer
 * @skb: message
 * @info: the request, or its substitute in an event
 * @cb: the dump this belongs to, or NULL
 *
 * Unlike genlmsg_iput() this marks the parts of a dump as such, without which
 * libnl stops reading after the first buffer.
 *
 * Context: Any.
 * Return: the header to end or cancel with, NULL if it does not fit.
 */
void *mcfab_nl_put(struct sk_buff *skb, const struct genl_info *info,
		   struct netlink_callback *cb)
{
	void *hdr = genlmsg_put(skb, info->snd_portid, info->snd_seq, info->family,
				cb ? NLM_F_MULTI : 0, info->genlhdr->cmd);

	if (hdr && cb)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

/**
 * mcfab_nl_missing() - refuse a request that lacks an attribute
 * @info: the request
 * @attr: number of the attribute
 * @what: its name
 *
 * Context: Any.
 * Return: -EINVAL.
 */
int mcfab_nl_missing(const struct genl_info *info, int attr, const char *what)
{
	NL_SET_ERR_MSG_FMT(info->extack, "%s is missing", what);
	NL_SET_ERR_ATTR_MISS(info->extack, NULL, attr);
	return -EINVAL;
}

/**
 * mcfab_nl_nth() - an occurrence of an attribute that may occur several times
 * @info: the request
 * @attr: number of the attribute
 * @index: its number, from 0
 *
 * Context: Any.
 * Return: the attribute or NULL.
 */
const struct nlattr *mcfab_nl_nth(const struct genl_info *info, int attr, u32 index)
{
	const struct nlattr *pos;
	int rem;

	nlmsg_for_each_attr_type(pos, attr, info->nlhdr, GENL_HDRLEN, rem)
		if (!index--)
			return pos;
	return NULL;
}

/**
 * mcfab_nl_set_u32() - take a number if it is there
 * @info: the request
 * @attr: number of the attribute
 * @value: set to the number
 *
 * Context: Any.
 */
void mcfab_nl_set_u32(const struct genl_info *info, int attr, u32 *value)
{
	if (info->attrs[attr])
		*value = nla_get_u32(info->attrs[attr]);
}

/**
 * mcfab_nl_take_fields() - take the numbers that are there
 * @info: the request
 * @field: [@nfields] members and their attributes
 * @nfields: how many
 * @into: the structure that has them; a member without its attribute stays as it is
 *
 * Context: Any.
 */
void mcfab_nl_take_fields(const struct genl_info *info, const struct mcfab_nl_field *field,
			  u32 nfields, void *into)
{
	u32 i;

	for (i = 0; i < nfields; i++)
		mcfab_nl_set_u32(info, field[i].attr, into + field[i].at);
}

/**
 * mcfab_nl_put_fields() - put members of a structure into a reply
 * @skb: the reply
 * @field: [@nfields] members and their attributes
 * @nfields: how many
 * @from: the structure that has them
 *
 * Context: Any.
 * Return: false if there is no room.
 */
bool mcfab_nl_put_fields(struct sk_buff *skb, const struct mcfab_nl_field *field, u32 nfields,
			 const void *from)
{
	u32 i;

	for (i = 0; i < nfields; i++)
		if (nla_put_u32(skb, field[i].attr, *(const u32 *)(from + field[i].at)))
			return false;
	return true;
}

/**
 * mcfab_nl_put_nonzero() - put a number into a reply if it says anything
 * @skb: the reply
 * @attr: number of the attribute
 * @value: the number; there is no attribute if it is 0
 *
 * Context: Any.
 * Return: false if there is no room.
 */
bool mcfab_nl_put_nonzero(struct sk_buff *skb, int attr, u32 value)
{
	return !value || !nla_put_u32(skb, attr, value);
}

/**
 * mcfab_nl_name() - take a name that has to be there
 * @info: the request
 * @attr: number of the attribute
 * @what: kind of the named object, for the message
 * @name: MCFAB_NAME_LEN bytes
 *
 * Names go into command lines, file names and thread names, so they are
 * printable ASCII without space and slash.
 *
 * Context: Any.
 * Return: 0 or -EINVAL.
 */
int mcfab_nl_name(const struct genl_info *info, int attr, const char *what, char *name)
{
	const struct nlattr *nla = info->attrs[attr];
	const char *c;

	if (!nla)
		return mcfab_nl_missing(info, attr, what);
	nla_strscpy(name, nla, MCFAB_NAME_LEN);
	if (!name[0]) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla, "%s is empty", what);
		return -EINVAL;
	}
	for (c = name; *c; c++) {
		if (*c > ' ' && *c < 0x7f && *c != '/')
			continue;
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla,
					"%s may have visible ASCII characters only, and no /",
					what);
		return -EINVAL;
	}
	return 0;
}

/**
 * mcfab_nl_count() - how many numbers a list in one or more attributes has
 * @info: the request
 * @attr: number of the attribute
 * @size: bytes of a number
 * @count: set to how many there are, 0 if there is none
 *
 * Context: Any.
 * Return: 0, or -EINVAL for an attribute that holds no whole numbers or too many.
 */
int mcfab_nl_count(const struct genl_info *info, int attr, size_t size, u32 *count)
{
	const struct nlattr *pos;
	int rem;

	*count = 0;
	nlmsg_for_each_attr_type(pos, attr, info->nlhdr, GENL_HDRLEN, rem) {
		u32 len = nla_len(pos);

		if (!len || len % size) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos,
						"the list is not made of numbers of %zu bytes",
						size);
			return -EINVAL;
		}
		if (len / size > MCFAB_LIST_MAX) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos,
						"more than %u numbers: split the list",
						MCFAB_LIST_MAX);
			return -EINVAL;
		}
		/* A message is far shorter than 4 GB. */
		*count += len / size;
	}
	return 0;
}

/**
 * mcfab_nl_copy() - take the numbers that mcfab_nl_count() counted
 * @info: the request
 * @attr: number of the attribute
 * @to: room for all of them
 *
 * Context: Any.
 */
void mcfab_nl_copy(const struct genl_info *info, int attr, void *to)
{
	const struct nlattr *pos;
	int rem;

	nlmsg_for_each_attr_type(pos, attr, info->nlhdr, GENL_HDRLEN, rem) {
		memcpy(to, nla_data(pos), nla_len(pos));
		to += nla_len(pos);
	}
}

/**
 * mcfab_nl_room() - how much of a list fits into an attribute of a message
 * @skb: the message
 * @group: bytes of an element
 * @numbers: numbers of an element
 * @most: elements that are left
 *
 * Context: Any.
 * Return: how many elements, 0 if there is too little room to begin a list.
 */
u32 mcfab_nl_room(const struct sk_buff *skb, size_t group, u32 numbers, u32 most)
{
	int room = skb_tailroom(skb) - MCFAB_NL_LEAST_ROOM;

	if (room <= 0)
		return 0;
	return min3((u32)(room / group), (u32)MCFAB_LIST_MAX / numbers, most);
}
