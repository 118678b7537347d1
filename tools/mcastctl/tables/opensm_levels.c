// SPDX-License-Identifier: GPL-2.0
/* Virtual lanes and service levels as text: opensm-sl2vl.dump, and ibdmchk's levels of paths. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tables/opensm_levels.h"
#include "tables/opensm_rows.h"

static const char lid_text[] = ", base LID ";

/* What follows the kind of node in a head, or NULL. */
static const char *head_guid(const char *line)
{
	static const char *const kinds[] = { "Switch 0x", "Channel Adapter 0x", "Router 0x" };

	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(line, kinds[i], strlen(kinds[i])))
			return line + strlen(kinds[i]);
	}
	return NULL;
}

bool opensm_is_lanes_head(const char *line)
{
	return head_guid(line) && strstr(line, lid_text);
}

enum status opensm_lanes_head(struct open_lanes *lanes, const char *line, u32 number)
{
	const char *s = opensm_hex(head_guid(line), 16, &lanes->guid);
	u64 lid = 0;

	if (!s || strncmp(s, lid_text, strlen(lid_text)))
		return usage("the node's guid is no number of at most 16 digits");
	s = opensm_decimal(s + strlen(lid_text), 5, &lid);
	if (!s || *s != ',' || lid > OPENSM_MAX_LID)
		return usage("the node's base LID is no number from 0 to %u", OPENSM_MAX_LID);
	if (!lanes->seen)
		lanes->seen = xcalloc(OPENSM_PORTS * OPENSM_PORTS, sizeof(*lanes->seen));
	lanes->open = true;
	lanes->is_switch = *line == 'S';
	lanes->lid = lid;
	lanes->line = number;
	return STATUS_OK;
}

/* A number up to @max and the blanks behind it; what follows them, or NULL. */
static const char *number_before(const char *s, char end, u32 max, const char *what, u8 *out)
{
	const char *next;
	u64 value;

	s += strspn(s, " \t");
	next = opensm_decimal(s, 5, &value);
	if (!next || (*next && *next != end && !strchr(" \t", *next))) {
		if (*s)
			usage("%s: \"%.*s\" is no number", what, (int)strcspn(s, " \t"), s);
		else
			usage("%s is missing", what);
		return NULL;
	}
	if (value > max) {
		usage("%s: %llu is out of range (0 to %u)", what, value, max);
		return NULL;
	}
	*out = value;
	return next;
}

static enum status read_lanes(const char *s, struct vl_row *row)
{
	char what[32];

	s = number_before(s, ' ', OPENSM_MAX_PORT, "input port", &row->in);
	if (s)
		s = number_before(s, ':', OPENSM_MAX_PORT, "output port", &row->out);
	if (!s)
		return STATUS_USAGE;
	s += strspn(s, " \t");
	if (*s++ != ':')
		return usage("a colon must follow output port %u", row->out);
	for (u32 sl = 0; sl < OPENSM_SLS && s; sl++) {
		snprintf(what, sizeof(what), "lane of service level %u", sl);
		s = number_before(s, ' ', OPENSM_SLS - 1, what, &row->vl[sl]);
	}
	if (!s)
		return STATUS_USAGE;
	if (s[strspn(s, " \t")])
		return usage("more than %u lanes", OPENSM_SLS);
	return STATUS_OK;
}

enum status opensm_lanes_row(struct open_lanes *lanes, struct fwd_dump *dump, const char *line,
			     u32 number)
{
	struct vl_row row = { .guid = lanes->guid, .lid = lanes->lid, .line = number,
			      .head = lanes->line };
	enum status status = read_lanes(line, &row);
	u32 *seen;

	if (status)
		return status;
	seen = &lanes->seen[row.in * OPENSM_PORTS + row.out];
	if (*seen == lanes->line)
		return usage("input port %u and output port %u occur twice", row.in, row.out);
	*seen = lanes->line;
	if (!lanes->is_switch) {
		dump->host_lanes++;
		return STATUS_OK;
	}
	if (dump->nvl == dump->vl_room) {
		dump->vl_room = dump->vl_room ? 2 * dump->vl_room : 256;
		dump->vl = xrealloc(dump->vl, dump->vl_room, sizeof(*dump->vl));
	}
	dump->vl[dump->nvl++] = row;
	return STATUS_OK;
}

/* The three numbers of a line; false: it has others. */
static bool path_numbers(const char *line, u64 *guid, u64 *lid, u64 *sl)
{
	const char *s = strncmp(line, "0x", 2) ? NULL : opensm_hex(line + 2, 16, guid);

	if (!s || !strchr(" \t", *s))
		return false;
	s = opensm_decimal(s + strspn(s, " \t"), 8, lid);
	if (!s || !*s || !strchr(" \t", *s))
		return false;
	s = opensm_decimal(s + strspn(s, " \t"), 8, sl);
	return s && !*s;
}

bool opensm_is_path(const char *line)
{
	u64 guid, lid, sl;

	return path_numbers(line, &guid, &lid, &sl);
}

enum status opensm_path(struct fwd_dump *dump, const char *line, u32 number)
{
	struct sl_row *row;
	u64 guid, lid, sl;

	path_numbers(line, &guid, &lid, &sl);
	if (!lid || lid > OPENSM_MAX_LID)
		return usage("lid %llu is no unicast one: those go from 1 to %u", lid,
			     OPENSM_MAX_LID);
	if (sl >= OPENSM_SLS)
		return usage("service level %llu is out of range (0 to %u)", sl, OPENSM_SLS - 1);
	if (dump->nsl == dump->sl_room) {
		dump->sl_room = dump->sl_room ? 2 * dump->sl_room : 256;
		dump->sl = xrealloc(dump->sl, dump->sl_room, sizeof(*dump->sl));
	}
	row = &dump->sl[dump->nsl++];
	*row = (struct sl_row){ .guid = guid, .line = number, .lid = lid, .sl = sl };
	return STATUS_OK;
}
