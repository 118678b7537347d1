// SPDX-License-Identifier: GPL-2.0
/* The lines within one forwarding table: captions, rows, the count at the end. */
#include <ctype.h>
#include <string.h>

#include "base/excerpt.h"
#include "tables/opensm_rows.h"

static const char *blanks(const char *s)
{
	return s + strspn(s, " \t");
}

const char *opensm_hex(const char *s, u32 max, u64 *out)
{
	u64 value = 0;
	u32 n;

	for (n = 0; isxdigit((unsigned char)s[n]); n++) {
		char c = tolower((unsigned char)s[n]);

		if (n == max)
			return NULL;
		value = value << 4 | (u64)(isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10);
	}
	*out = value;
	return n ? s + n : NULL;
}

const char *opensm_decimal(const char *s, u32 max, u64 *out)
{
	u64 value = 0;
	u32 n;

	for (n = 0; isdigit((unsigned char)s[n]); n++) {
		if (n == max)
			return NULL;
		value = 10 * value + (u64)(s[n] - '0');
	}
	*out = value;
	return n ? s + n : NULL;
}

/* As much of a word as a message can bear. */
static int shown(const char *word)
{
	size_t len = strcspn(word, " \t");

	return len < 24 ? (int)len : 24;
}

static enum status no_number(const char *what, const char *word)
{
	if (!*word)
		return usage("%s is missing", what);
	return usage("%s \"%.*s\" is no number", what, shown(word), word);
}

static enum status bad_port(const char *word)
{
	return usage("port \"%.*s\" is out of range: ports go from 0 to %d, %d is none",
		     shown(word), word, OPENSM_MAX_PORT, OPENSM_NO_PORT);
}

/* "0x0012" at the beginning of a row; @s is what follows it. */
static enum status row_lid(struct open_table *open, const char *line, const char **s, u16 *lid)
{
	const struct fwd_table *t = open->t;
	u32 min = t->multicast ? OPENSM_MIN_MLID : 1;
	u32 max = t->multicast ? OPENSM_MAX_MLID : OPENSM_MAX_LID;
	u64 value;

	*s = opensm_hex(line + 2, 8, &value);
	if (!*s || (**s && !strchr(" \t:", **s)))
		return no_number("lid", line);
	if (value < min || value > max)
		return usage("lid 0x%04llx is no %s one: those go from 0x%04x to 0x%04x", value,
			     t->multicast ? "multicast" : "unicast", min, max);
	if (t->last && (value < t->first || value > t->last))
		return usage("lid 0x%04llx is not among 0x%x to 0x%x, as the table's head says",
			     value, t->first, t->last);
	if (value == open->last)
		return usage("lid 0x%04llx occurs twice", value);
	if (value < open->last)
		return usage("lid 0x%04llx comes after 0x%04x: lids must ascend", value,
			     open->last);
	open->last = value;
	open->rows++;
	*lid = value;
	return STATUS_OK;
}

/* What a row of an LFT says about the LID's owner: "portguid 0x...", "illegal port", ... */
static enum status owner(const char *s, struct lft_row *row)
{
	const char *guid = strstr(s, "portguid 0x"), *end;

	row->info = *s ? s : NULL;
	if (!guid)
		return STATUS_OK;
	guid += strlen("portguid 0x");
	end = opensm_hex(guid, 16, &row->guid);
	if (!end || (*end && !strchr(" :)", *end)))
		return no_number("portguid", guid - 2);
	return STATUS_OK;
}

/* ": (Channel Adapter ...)" of ibroute, "# Channel Adapter ..." of OpenSM, or nothing */
static enum status comment(char *s, struct lft_row *row)
{
	size_t len = strlen(s);

	if (*s == '#')
		return owner(blanks(s + 1), row);
	if (!*s)
		return STATUS_OK;
	if (*s != ':')
		return usage("\"%.*s\" follows the port; \": (...)\" or \"# ...\" may", shown(s),
			     s);
	s = (char *)blanks(s + 1);
	len = strlen(s);
	if (*s != '(' || s[len - 1] != ')')
		return usage("what follows the colon is not in brackets: cut off?");
	s[len - 1] = '\0';
	return owner(s + 1, row);
}

/* "001 : ..." or "001  : 02   : yes" of OpenSM's routes */
static enum status lft_row(struct open_table *open, char *s, u16 lid)
{
	struct lft_row row = { .lid = lid };
	enum status status = STATUS_OK;
	const char *end;
	u64 port;

	if (open->form == OPENSM_ROUTES) {
		if (*s != ':')
			return usage("a colon must follow lid 0x%04x", lid);
		s = (char *)blanks(s + 1);
		if (!strcmp(s, "UNREACHABLE"))
			return STATUS_OK;
	}
	end = opensm_decimal(s, 8, &port);
	if (!end || (*end && !strchr(" \t", *end)))
		return no_number("port", s);
	if (port > OPENSM_NO_PORT)
		return bad_port(s);
	end = blanks(end);
	if (open->form == OPENSM_ROUTES && *end != ':')
		return usage("a colon must follow port %llu", port);
	if (open->form == OPENSM_IBROUTE)
		status = comment(s + (end - s), &row);
	if (status)
		return status;
	/* With -a ibroute lists what leads nowhere, too. */
	if (port == OPENSM_NO_PORT || (row.info && strstr(row.info, "illegal port")))
		return STATUS_OK;
	row.port = port;
	*opensm_add_lft(open->t) = row;
	return STATUS_OK;
}

/* "0x001  0x004" */
static enum status port_list(const char *s, struct mft_row *row)
{
	u64 port;

	if (*s != ':')
		return usage("a colon must follow lid 0x%04x", row->lid);
	for (s = blanks(s + 1); *s; s = blanks(s)) {
		const char *end = strncmp(s, "0x", 2) ? NULL : opensm_hex(s + 2, 8, &port);

		if (!end || (*end && !strchr(" \t", *end)))
			return no_number("port", s);
		if (port > OPENSM_MAX_PORT)
			return bad_port(s);
		mft_set(row, port);
		s = end;
	}
	return STATUS_OK;
}

/* "0016": 16 ports in four digits, the lowest ports first */
static enum status port_masks(const char *s, struct mft_row *row)
{
	const char *at = s, *end;
	u32 base = 0;
	u64 mask = 0;

	if (!*s)
		return usage("the ports of lid 0x%04x are missing", row->lid);
	for (; *at; at = end, base += 16) {
		char four[5];

		snprintf(four, sizeof(four), "%s", at);
		end = at + 4;
		if (strlen(four) != 4 || opensm_hex(four, 4, &mask) != four + 4)
			return usage("mask \"%s\" has not 4 hexadecimal digits for 16 ports each",
				     excerpt(s, at - s).text);
		if (base > 240 || (base == 240 && mask >> 15))
			return usage("mask \"%s\" has a port above %d", excerpt(s, at - s).text,
				     OPENSM_MAX_PORT);
		row->ports[base / 64] |= mask << base % 64;
	}
	return STATUS_OK;
}

/* An x below each port */
static enum status port_marks(const struct open_table *open, const char *line, const char *s,
			      struct mft_row *row)
{
	if (!open->column)
		return usage("no line \"Ports: 0 1 2 ...\" tells the ports' columns");
	for (; *s; s++) {
		u32 column = s - line, port = (column - open->column) / 2;

		if (*s == ' ')
			continue;
		if (*s != 'x')
			return usage("column %u is neither blank nor an x", column + 1);
		if (column < open->column || (column - open->column) % 2)
			return usage("the x in column %u is below no port", column + 1);
		if (port > open->t->ports)
			return usage("the x in column %u is beyond port %u, the last one",
				     column + 1, open->t->ports);
		mft_set(row, port);
	}
	return STATUS_OK;
}

static enum status mft_row(struct open_table *open, const char *line, const char *s, u16 lid)
{
	struct mft_row row = { .lid = lid };
	enum status status;

	if (open->form == OPENSM_ROUTES)
		status = port_list(blanks(s), &row);
	else if (open->masks)
		status = port_masks(blanks(s), &row);
	else
		status = port_marks(open, line, s, &row);
	if (!status && !mft_is_empty(&row))
		*opensm_add_mft(open->t) = row;
	return status;
}

enum status opensm_row(struct open_table *open, char *line, u32 number)
{
	struct fwd_table *t = open->t;
	enum status status;
	u32 before = t->n;
	const char *s;
	u16 lid = 0;

	status = row_lid(open, line, &s, &lid);
	if (status)
		return status;
	if (t->multicast)
		status = mft_row(open, line, s, lid);
	else
		status = lft_row(open, line + (blanks(s) - line), lid);
	if (!status && t->n > before) {
		if (t->multicast)
			t->mft[before].line = number;
		else
			t->lft[before].line = number;
	}
	return status;
}

/* "Ports: 0 1 2 ... 9 0 1": the last digits of the ports, each two columns wide */
static enum status ruler(struct open_table *open, const char *line)
{
	const char *s = strchr(line, ':') + 1;
	u32 port;

	s = blanks(s);
	open->column = s - line;
	for (port = 0; *s; port++) {
		if (port > OPENSM_MAX_PORT)
			return usage("more than %d ports", OPENSM_MAX_PORT);
		if (*s != (char)('0' + port % 10) || (s[1] && s[1] != ' '))
			return usage("column %u is not the last digit of port %u",
				     (u32)(s - line) + 1, port);
		s += s[1] ? 2 : 1;
	}
	if (!port)
		return usage("no ports");
	open->t->ports = port - 1;
	return STATUS_OK;
}

enum status opensm_caption(struct open_table *open, const char *line)
{
	const char *s = blanks(line);

	if (open->form == OPENSM_ROUTES) {
		if (!strncmp(s, "LID ", 4) && strchr(s, ':'))
			return STATUS_OK;
	} else if (open->t->multicast) {
		if (!strncmp(s, "Ports:", 6))
			return ruler(open, line);
		if (!strncmp(s, "MLid", 4)) {
			open->masks = strstr(s, "Port Mask");
			return STATUS_OK;
		}
		/* The tens of the ports; ibroute counts on behind 9. */
		if (!s[strspn(s, " 0123456789:;<=>?@ABCDEFGHI")])
			return STATUS_OK;
	} else if (!strncmp(s, "Lid ", 4) || !strncmp(s, "Port ", 5)) {
		return STATUS_OK;
	}
	return usage("\"%.*s\" begins neither a row nor a table", shown(s), s);
}

bool opensm_is_count(const char *line)
{
	size_t len = strlen(line), tail = strlen("lids dumped");

	return isdigit((unsigned char)*line) && len > tail &&
	       !strcmp(line + len - tail, "lids dumped");
}

enum status opensm_count(struct open_table *open, const char *line)
{
	struct fwd_table *t = open->t;
	const char *end, *what = t->multicast ? "mlids dumped" : "lids dumped";
	u64 count = 0;
	bool valid;

	end = opensm_decimal(line, 8, &count);
	if (!end || *end != ' ')
		return no_number("count", line);
	end = blanks(end);
	valid = !strncmp(end, "valid ", 6);
	if (strcmp(valid ? end + 6 : end, what))
		return usage("\"%s\" is not \"%s%s\", the end of this table", end,
			     valid ? "valid " : "", what);
	/* OpenSM counts up to the last LID, whatever it prints of them. */
	if (count != open->rows && (valid || t->multicast || count != t->last))
		return usage("%llu rows are counted, but the table has %u: lines are missing?",
			     count, open->rows);
	return STATUS_OK;
}
