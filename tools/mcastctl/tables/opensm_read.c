// SPDX-License-Identifier: GPL-2.0
/* Reading forwarding tables from text: lines, heads of tables, and where they end. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/stray.h"
#include "base/text.h"
#include "tables/opensm_levels.h"
#include "tables/opensm_rows.h"

/** struct reader - a text while it is read */
struct reader {
	const char *path;
	char *at;			/* the next line */
	char *end;
	u32 line;
	struct fwd_dump *dump;
	struct open_table open;
	struct open_lanes lanes;
	bool stray_told;
};

static void *add_row(struct fwd_table *t, void *rows, size_t size)
{
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 16;
		rows = xrealloc(rows, t->room, size);
	}
	t->n++;
	return rows;
}

struct lft_row *opensm_add_lft(struct fwd_table *t)
{
	t->lft = add_row(t, t->lft, sizeof(*t->lft));
	return &t->lft[t->n - 1];
}

struct mft_row *opensm_add_mft(struct fwd_table *t)
{
	t->mft = add_row(t, t->mft, sizeof(*t->mft));
	return &t->mft[t->n - 1];
}

struct fwd_table *opensm_add_table(struct fwd_dump *dump)
{
	if (dump->n == dump->room) {
		dump->room = dump->room ? 2 * dump->room : 16;
		dump->table = xrealloc(dump->table, dump->room, sizeof(*dump->table));
	}
	return &dump->table[dump->n++];
}

void opensm_table_free(struct fwd_table *t)
{
	if (t->multicast)
		free(t->mft);
	else
		free(t->lft);
	memset(t, 0, sizeof(*t));
}

void opensm_free(struct fwd_dump *dump)
{
	for (u32 i = 0; i < dump->n; i++)
		opensm_table_free(&dump->table[i]);
	free(dump->table);
	free(dump->vl);
	free(dump->sl);
	free(dump->text);
	memset(dump, 0, sizeof(*dump));
}

/* The next line without its end and the blanks before that; NULL: no more. */
static enum status next_line(struct reader *r, char **out)
{
	char *line = r->at, *end = r->at;

	*out = NULL;
	if (line == r->end)
		return STATUS_OK;
	set_location(r->path, ++r->line);
	for (; end < r->end && *end != '\n'; end++) {
		unsigned char c = *end;

		if (c < ' ' && c != '\t' && !(c == '\r' && end + 1 < r->end && end[1] == '\n'))
			return usage("column %u has the control character 0x%02x: no text",
				     (u32)(end - line) + 1, c);
	}
	if (end == r->end)
		return usage("the file ends within this line: cut off?");
	r->at = end + 1;
	while (end > line && strchr(" \t\r", end[-1]))
		end--;
	*end = '\0';
	*out = line;
	return STATUS_OK;
}

static enum status end_table(struct reader *r)
{
	const struct fwd_table *t = r->open.t;

	if (t && r->open.form == OPENSM_IBROUTE)
		return usage("the table that begins in line %u does not end with \"%s\": cut off?",
			     t->line, t->multicast ? "... mlids dumped" : "... lids dumped");
	r->open.t = NULL;
	r->lanes.open = false;
	return STATUS_OK;
}

static enum status begin_table(struct reader *r, enum opensm_form form, bool multicast)
{
	struct fwd_dump *dump = r->dump;
	enum status status;

	status = end_table(r);
	if (status)
		return status;
	if (dump->n == OPENSM_MAX_TABLES)
		return usage("more than %d tables", OPENSM_MAX_TABLES);
	memset(&r->open, 0, sizeof(r->open));
	r->open.form = form;
	r->open.t = opensm_add_table(dump);
	*r->open.t = (struct fwd_table){
		.line = r->line, .multicast = multicast,
		.first = multicast ? OPENSM_MIN_MLID : 0,
	};
	return STATUS_OK;
}

/* "0x12-" or "18]": *@s is moved behind it. */
static bool head_lid(const char **s, char delimiter, u16 *lid)
{
	bool hex = !strncmp(*s, "0x", 2);
	u64 value;

	*s = hex ? opensm_hex(*s + 2, 4, &value) : opensm_decimal(*s, 5, &value);
	if (!*s || **s != delimiter || value > UINT16_MAX)
		return false;
	*lid = value;
	(*s)++;
	return true;
}

static enum status head_guid(struct reader *r, const char *s, const char **end)
{
	*end = opensm_hex(s, 16, &r->open.t->guid);
	if (!*end || (**end && **end != ' '))
		return usage("the switch's guid \"0x%.24s\" is no number of at most 16 digits", s);
	return STATUS_OK;
}

/* "Unicast lids [0x0-0x12] of switch Lid 9 guid 0x0002c90200404d18 (name):" */
static enum status ibroute_head(struct reader *r, char *line, bool multicast)
{
	const char *s = strchr(line, '[') + 1, *lid, *guid;
	struct fwd_table *t;
	enum status status;
	size_t len;
	u64 value;

	status = begin_table(r, OPENSM_IBROUTE, multicast);
	if (status)
		return status;
	t = r->open.t;
	if (!head_lid(&s, '-', &t->first) || !head_lid(&s, ']', &t->last))
		return usage("the range of lids is not of the form [0x0-0x12]");
	lid = " of switch ";
	if (strncmp(s, lid, strlen(lid)))
		return usage("\" of switch\" does not follow the range of lids");
	s += strlen(lid);
	if (!strncmp(s, "Lid ", 4)) {
		lid = opensm_decimal(s + 4, 5, &value);
		if (!lid || *lid != ' ' || value > OPENSM_MAX_LID)
			return usage("the switch's lid is no number from 0 to %u", OPENSM_MAX_LID);
		t->lid = value;
	}
	/* Within "DR path ..." there is no guid. */
	guid = strstr(s, "guid 0x");
	if (!guid)
		return usage("the switch's guid is missing");
	status = head_guid(r, guid + strlen("guid 0x"), &s);
	if (status)
		return status;
	len = strlen(s);
	if (len < 4 || strncmp(s, " (", 2) || strcmp(s + len - 2, "):"))
		return usage("the switch's name is not of the form (NAME): at the end of the line");
	line[s - line + len - 2] = '\0';
	t->name = s + 2;
	return STATUS_OK;
}

static enum status routes_head(struct reader *r, const char *guid, bool multicast)
{
	const char *end;
	enum status status;

	status = begin_table(r, OPENSM_ROUTES, multicast);
	if (!status)
		status = head_guid(r, guid, &end);
	if (!status && *end)
		status = usage("more than the switch's guid");
	return status;
}

static enum status take_line(struct reader *r, char *line)
{
	static const char unicast[] = "Unicast lids [", multicast[] = "Multicast mlids [",
		routes[] = "dump_ucast_routes: Switch 0x", mroutes[] = "Switch 0x";
	enum status status;
	char *s;

	if (!line[strspn(line, " \t")] || *line == '#' || stray_line(line, &r->stray_told))
		return STATUS_OK;
	if (opensm_is_lanes_head(line)) {
		status = end_table(r);
		return status ? status : opensm_lanes_head(&r->lanes, line, r->line);
	}
	if (!strncmp(line, unicast, strlen(unicast)))
		return ibroute_head(r, line, false);
	if (!strncmp(line, multicast, strlen(multicast)))
		return ibroute_head(r, line, true);
	if (!strncmp(line, mroutes, strlen(mroutes)))
		return routes_head(r, line + strlen(mroutes), true);
	s = strstr(line, routes);
	if (s)
		return routes_head(r, s + strlen(routes), false);
	if (r->lanes.open && isdigit((unsigned char)*line) && !opensm_is_path(line))
		return opensm_lanes_row(&r->lanes, r->dump, line, r->line);
	if (!r->open.t && opensm_is_path(line))
		return opensm_path(r->dump, line, r->line);
	if (!r->open.t)
		return usage("no forwarding table begins so; \"%s\", \"%s\" or \"%s\" would",
			     unicast, multicast, mroutes);
	if (!strncmp(line, "0x", 2))
		return opensm_row(&r->open, line, r->line);
	if (!opensm_is_count(line) || r->open.form != OPENSM_IBROUTE)
		return opensm_caption(&r->open, line);
	status = opensm_count(&r->open, line);
	r->open.t = NULL;
	return status;
}

enum status opensm_parse(const char *path, char *text, size_t len, struct fwd_dump *dump)
{
	struct reader r = { .path = path, .at = text, .end = text + len, .dump = dump };
	enum status status;
	char *line;

	memset(dump, 0, sizeof(*dump));
	dump->text = text;
	do {
		status = next_line(&r, &line);
		if (!status && line)
			status = take_line(&r, line);
	} while (!status && line);
	if (!status)
		status = end_table(&r);
	set_location(NULL, 0);
	free(r.lanes.seen);
	if (!status && !dump->n && !dump->nvl && !dump->nsl && !dump->host_lanes)
		status = usage("%s: no forwarding tables in it", path);
	if (status)
		opensm_free(dump);
	return status;
}

enum status opensm_read(const char *path, struct fwd_dump *dump)
{
	char *text = NULL;
	size_t len;
	int err;

	err = text_read(path, OPENSM_MAX_FILE, &text, &len);
	if (err)
		return text_refuse(path, OPENSM_MAX_FILE, err);
	return opensm_parse(path, text, len, dump);
}
