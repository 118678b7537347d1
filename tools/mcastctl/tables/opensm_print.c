// SPDX-License-Identifier: GPL-2.0
/* Writing forwarding tables as ibroute does, but for blanks at the ends of lines. */
#include "tables/opensm.h"

static void print_head(FILE *f, const struct fwd_table *t, u32 last)
{
	fprintf(f, "%s [0x%x-0x%x] of switch ", t->multicast ? "Multicast mlids" : "Unicast lids",
		t->first, last);
	if (t->lid)
		fprintf(f, "Lid %u ", t->lid);
	fprintf(f, "guid 0x%016llx (%s):\n", t->guid, t->name ? t->name : "");
}

static void print_lft(FILE *f, const struct fwd_table *t)
{
	u32 last = t->n ? t->lft[t->n - 1].lid : t->first;

	print_head(f, t, t->last ? t->last : last);
	fputs("  Lid  Out   Destination\n       Port     Info\n", f);
	for (u32 i = 0; i < t->n; i++) {
		const struct lft_row *row = &t->lft[i];

		fprintf(f, "0x%04x %03u", row->lid, row->port);
		if (row->info)
			fprintf(f, " : (%s)", row->info);
		fputc('\n', f);
	}
	fprintf(f, "%u valid lids dumped\n", t->n);
}

/* The greatest port of a row, or @least. */
static u32 row_end(const struct mft_row *row, u32 least)
{
	u32 end = OPENSM_MAX_PORT;

	while (end > least && !mft_has(row, end))
		end--;
	return end;
}

static void print_ruler(FILE *f, u32 ports)
{
	if (ports > 9) {
		fputs("           ", f);
		for (u32 tens = 0; tens <= ports / 10; tens++)
			fprintf(f, "%*s%c", tens ? 19 : 1, "", (char)('0' + tens));
		fputc('\n', f);
	}
	fputs("     Ports:", f);
	for (u32 p = 0; p <= ports; p++)
		fprintf(f, " %u", p % 10);
	fputs("\n MLid\n", f);
}

static void print_mft(FILE *f, const struct fwd_table *t)
{
	u32 last = t->n ? t->mft[t->n - 1].lid : t->first, ports = t->ports;

	for (u32 i = 0; i < t->n; i++)
		ports = row_end(&t->mft[i], ports);
	print_head(f, t, t->last ? t->last : last);
	print_ruler(f, ports);
	for (u32 i = 0; i < t->n; i++) {
		const struct mft_row *row = &t->mft[i];

		fprintf(f, "0x%04x     ", row->lid);
		for (u32 p = 0; p <= row_end(row, 0); p++)
			fputs(mft_has(row, p) ? " x" : "  ", f);
		fputc('\n', f);
	}
	fprintf(f, "%u valid mlids dumped\n", t->n);
}

void opensm_print(FILE *f, const struct fwd_table *t)
{
	if (t->multicast)
		print_mft(f, t);
	else
		print_lft(f, t);
}
