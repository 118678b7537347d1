// SPDX-License-Identifier: GPL-2.0
/* Nodes and lists of nodes as a user writes them; see nodes.h for the forms. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nodes.h"
#include "base/text.h"

static const char separators[] = ", \t\r\n;";
static const char no_node[] = "not a node; write an id, (3,2), 3.2, #11 or l11";

static int bad(struct node_error *err, const char *s, const char *why)
{
	size_t len = strcspn(s, *s == '(' ? ")\n" : separators);

	if (*s == '(' && s[len] == ')')
		len++;
	if (len >= sizeof(err->word))
		len = sizeof(err->word) - 1;
	memcpy(err->word, s, len);
	err->word[len] = '\0';
	snprintf(err->why, sizeof(err->why), "%s", why);
	return -EINVAL;
}

/** node_begins() - could @word be (part of) a node or list, or is it a keyword? */
bool node_begins(const char *word)
{
	if (!*word)
		return false;
	if (isdigit((unsigned char)*word) || strchr("(#@,)", *word))
		return true;
	return strchr("lLhH", *word) && isdigit((unsigned char)word[1]);
}

/* Read a number below @limit; NULL: there is none or it is too great. */
static const char *number(const char *s, u32 limit, u32 *out)
{
	u64 value = 0;

	if (!isdigit((unsigned char)*s))
		return NULL;
	for (; isdigit((unsigned char)*s); s++) {
		value = value * 10 + (*s - '0');
		if (value >= limit)
			return NULL;
	}
	*out = value;
	return s;
}

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

/* "3,2)" or "2314)" behind the bracket or ".2.1" behind the first number */
static const char *coords(const char *s, bool bracket, struct node_ref *ref)
{
	const char *end;
	u32 value;

	if (bracket) {
		end = number(blanks(s), NODE_MAX_WORD + 1, &value);
		end = end ? blanks(end) : NULL;
		if (end && *end == ')') {
			ref->form = NODE_WORD;
			ref->word = value;
			return end + 1;
		}
	}
	ref->form = NODE_COORD;
	for (;;) {
		if (ref->ndims == NODE_MAX_DIMS)
			return NULL;
		s = number(bracket ? blanks(s) : s, UINT16_MAX + 1, &value);
		if (!s)
			return NULL;
		ref->coord[ref->ndims++] = value;
		if (bracket)
			s = blanks(s);
		if (*s != (bracket ? ',' : '.'))
			break;
		s++;
	}
	if (!bracket)
		return s;
	return *s == ')' ? s + 1 : NULL;
}

/* One node; returns what follows it, or NULL with @err filled in. */
static const char *one(const char *s, struct node_ref *ref, struct node_error *err)
{
	const char *end;
	u32 value;

	memset(ref, 0, sizeof(*ref));
	if (*s == '(') {
		end = coords(s + 1, true, ref);
		if (!end)
			bad(err, s, "not coordinates; write (3,2) or 3.2, or (2314)");
	} else if (*s == '#' || *s == 'l' || *s == 'L') {
		ref->form = NODE_LABEL;
		end = number(s + 1, UINT32_MAX, &ref->label);
		if (!end)
			bad(err, s, "not a label; write #11 or l11");
	} else if (*s == 'h' || *s == 'H') {
		end = number(s + 1, UINT32_MAX, &ref->id);
		if (!end)
			bad(err, s, "not a host; write h17 or 17");
	} else {
		end = number(s, UINT32_MAX, &value);
		if (end && *end == '.') {
			end = coords(s, false, ref);
			if (!end)
				bad(err, s, "not coordinates; write (3,2) or 3.2");
		} else if (end) {
			ref->id = value;
		} else {
			bad(err, s, no_node);
		}
	}
	return end;
}

/** node_parse() - read exactly one node */
int node_parse(const char *s, struct node_ref *ref, struct node_error *err)
{
	const char *end = one(s, ref, err);

	if (!end)
		return -EINVAL;
	if (*end == ',' && ref->form == NODE_ID)
		return bad(err, s, "one node expected; write coordinates as (3,2) or 3.2");
	if (*end)
		return bad(err, s, *end == '-' || strchr(separators, *end) ? "one node expected" :
									     no_node);
	return 0;
}

static int add(struct node_list *list, const struct node_ref *ref)
{
	if (list->n == NODE_MAX_LIST)
		return -E2BIG;
	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 16;
		list->ref = xrealloc(list->ref, list->room, sizeof(*list->ref));
	}
	list->ref[list->n++] = *ref;
	return 0;
}

/* "-99" behind the first node of a range */
static const char *take_range(const char *s, const char *word, struct node_ref *ref,
			      struct node_list *list, struct node_error *err)
{
	struct node_ref last;
	const char *end;

	end = one(s, &last, err);
	if (!end) {
		bad(err, word, "a range is 3-9 or #3-#9");
		return NULL;
	}
	/* #0-9 means #0-#9 */
	if (ref->form == NODE_LABEL && last.form == NODE_ID)
		last.form = NODE_LABEL;
	if ((ref->form != NODE_ID && ref->form != NODE_LABEL) || last.form != ref->form) {
		bad(err, word, "ranges go from id to id or from label to label");
		return NULL;
	}
	if (last.id < ref->id) {
		bad(err, word, "range goes downwards");
		return NULL;
	}
	for (u64 id = ref->id; id <= last.id; id++) {
		ref->id = id;
		if (add(list, ref)) {
			bad(err, word, "list is too long");
			return NULL;
		}
	}
	return end;
}

/* All items of a text; a hash that no digit follows begins a comment. */
static int items(const char *s, bool comments, struct node_list *list, struct node_error *err)
{
	struct node_ref ref;
	const char *word;

	for (;;) {
		s += strspn(s, separators);
		if (!*s)
			return 0;
		if (comments && *s == '#' && !isdigit((unsigned char)s[1])) {
			s += strcspn(s, "\n");
			continue;
		}
		word = s;
		if (*s == '@')
			return bad(err, word, "a file of nodes cannot name another file");
		s = one(s, &ref, err);
		if (!s)
			return -EINVAL;
		if (*s == '-') {
			s = take_range(s + 1, word, &ref, list, err);
			if (!s)
				return -EINVAL;
		} else if (add(list, &ref)) {
			return bad(err, word, "list is too long");
		}
		if (*s && !strchr(separators, *s))
			return bad(err, word, no_node);
	}
}

/** node_list_file() - read a list from a file; "-" is standard input */
int node_list_file(const char *path, struct node_list *list, struct node_error *err)
{
	char *text = NULL;
	size_t len;
	int ret;

	/* A list that long is refused by its length in nodes anyway. */
	ret = text_read(path, NODE_MAX_FILE, &text, &len);
	if (!ret && strlen(text) != len)
		ret = -EILSEQ;
	if (ret) {
		snprintf(err->word, sizeof(err->word), "%s", path);
		if (ret == -EFBIG)
			snprintf(err->why, sizeof(err->why), "longer than %u bytes, the limit",
				 NODE_MAX_FILE);
		else
			snprintf(err->why, sizeof(err->why), "%s",
				 ret == -EILSEQ ? "not a text file" : strerror(-ret));
		free(text);
		return ret;
	}
	ret = items(text, true, list, err);
	free(text);
	return ret;
}

/**
 * node_list_parse() - read a list: nodes, ranges and files, split by commas
 * or blanks
 * @s: the list
 * @list: the nodes are added here; to be freed, also after an error
 * @err: filled in if the list is wrong
 */
int node_list_parse(const char *s, struct node_list *list, struct node_error *err)
{
	const char *at;
	char *piece;
	size_t len;
	int ret;

	while (*s) {
		s += strspn(s, separators);
		if (*s == '@') {
			len = strcspn(s, separators);
			piece = strndup(s + 1, len - 1);
			ret = piece ? node_list_file(piece, list, err) : -ENOMEM;
		} else {
			/* A file name begins at an @ that follows a separator. */
			for (at = s; *at && *at != '@'; at++)
				;
			if (*at && at > s && !strchr(separators, at[-1])) {
				while (at > s && !strchr(separators, at[-1]))
					at--;
				return bad(err, at, no_node);
			}
			len = at - s;
			piece = strndup(s, len);
			ret = piece ? items(piece, false, list, err) : -ENOMEM;
		}
		free(piece);
		if (ret)
			return ret;
		s += len;
	}
	return 0;
}

void node_list_free(struct node_list *list)
{
	free(list->ref);
	memset(list, 0, sizeof(*list));
}

/** node_format() - write a node the way a user would */
void node_format(char *buf, size_t len, const struct node_ref *ref)
{
	size_t n = 0;

	if (ref->form == NODE_ID) {
		snprintf(buf, len, "%u", ref->id);
	} else if (ref->form == NODE_LABEL) {
		snprintf(buf, len, "#%u", ref->label);
	} else if (ref->form == NODE_WORD) {
		snprintf(buf, len, "(%u)", ref->word);
	} else {
		for (u32 i = 0; i < ref->ndims && n < len; i++)
			n += snprintf(buf + n, len - n, "%c%u", i ? ',' : '(', ref->coord[i]);
		if (n < len)
			snprintf(buf + n, len - n, ")");
	}
}

const char *node_permutation(char *buf, size_t len, u32 id, u32 symbols)
{
	char left[] = "123456789";
	u32 others = 1, n = symbols, at = 0;

	if (!n || n >= sizeof(left) || len < n + 3) {
		snprintf(buf, len, "%u", id);
		return buf;
	}
	for (u32 i = 2; i < n; i++)
		others *= i;
	buf[at++] = '(';
	for (u32 rest = n; rest; rest--) {
		u32 nth = id / others;

		buf[at++] = left[nth];
		memmove(left + nth, left + nth + 1, sizeof(left) - nth - 1);
		id %= others;
		if (rest > 1)
			others /= rest - 1;
	}
	buf[at++] = ')';
	buf[at] = '\0';
	return buf;
}
