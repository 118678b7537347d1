// SPDX-License-Identifier: GPL-2.0
/* The page as HTML or Markdown. Both have the same parts in the same order. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "experiment/claims.h"
#include "experiment/plot.h"
#include "experiment/report.h"

#define MAX_PICTURE	(64u << 20)

/** struct page - a page while it is written */
struct page {
	FILE *f;
	enum report_format format;
};

static const char style[] =
	"body{font:16px/1.5 sans-serif;color:#222;max-width:60rem;margin:2rem auto;padding:0 1rem}\n"
	"h2{margin-top:3rem;border-top:1px solid #dcdfe2;padding-top:1rem}\n"
	"table{border-collapse:collapse;margin:1rem 0}\n"
	"td,th{border:1px solid #dcdfe2;padding:.2rem .6rem;text-align:left;vertical-align:top}\n"
	"td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"img{max-width:100%;display:block;margin:1rem 0}\n"
	".small,pre{font-size:13px;color:#555}\n"
	"pre{overflow-x:auto;background:#f6f7f8;padding:.6rem}\n";

static const char explanation[] = "Bands are 95 % intervals, over the seeds where there are\n"
	"several. A cross is a saturated network: at the upper edge where the metric has no value\n"
	"there. Diamonds are values that a paper prints. A claim holds where the interval of the\n"
	"difference excludes zero.";

/* A text of a user: no part of it is taken for markup. */
static void put(const struct page *p, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", p->f);
		else if (*text == '<')
			fputs("&lt;", p->f);
		else if (*text == '>')
			fputs("&gt;", p->f);
		else if (*text == '"' && p->format == REPORT_HTML)
			fputs("&quot;", p->f);
		else if (p->format == REPORT_MARKDOWN && strchr("*_|`[]#\\", *text))
			fprintf(p->f, "\\%c", *text);
		else
			fputc(*text, p->f);
	}
}

static void put_heading(const struct page *p, u32 level, const char *text)
{
	if (p->format == REPORT_HTML)
		fprintf(p->f, "<h%u>", level);
	else
		fprintf(p->f, "%.*s ", (int)level, "####");
	put(p, text);
	fprintf(p->f, p->format == REPORT_HTML ? "</h%u>\n" : "\n\n", level);
}

static void put_paragraph(const struct page *p, const char *text)
{
	fputs(p->format == REPORT_HTML ? "<p>" : "", p->f);
	put(p, text);
	fputs(p->format == REPORT_HTML ? "</p>\n" : "\n\n", p->f);
}

/* Rows of a table; cells are put one by one. */
static void begin_row(const struct page *p)
{
	fputs(p->format == REPORT_HTML ? "<tr>" : "|", p->f);
}

static void put_cell(const struct page *p, bool number, const char *text)
{
	if (p->format == REPORT_HTML)
		fputs(number ? "<td class=n>" : "<td>", p->f);
	else
		fputc(' ', p->f);
	put(p, text);
	fputs(p->format == REPORT_HTML ? "</td>" : " |", p->f);
}

static void end_row(const struct page *p)
{
	fputs(p->format == REPORT_HTML ? "</tr>\n" : "\n", p->f);
}

static void begin_table(const struct page *p, const char *const *head, u32 n)
{
	if (p->format == REPORT_HTML)
		fputs("<table>\n", p->f);
	begin_row(p);
	for (u32 i = 0; i < n; i++)
		put_cell(p, false, head[i]);
	end_row(p);
	for (u32 i = 0; i < n && p->format == REPORT_MARKDOWN; i++)
		fputs(i + 1 < n ? "|---" : "|---|\n", p->f);
}

static void end_table(const struct page *p)
{
	fputs(p->format == REPORT_HTML ? "</table>\n" : "\n", p->f);
}

static void put_base64(FILE *f, const unsigned char *data, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		u32 three = data[i] << 16;

		three |= i + 1 < len ? data[i + 1] << 8 : 0;
		three |= i + 2 < len ? data[i + 2] : 0;
		fputc(digits[three >> 18], f);
		fputc(digits[three >> 12 & 63], f);
		fputc(i + 1 < len ? digits[three >> 6 & 63] : '=', f);
		fputc(i + 2 < len ? digits[three & 63] : '=', f);
	}
}

/* A picture whose names of parts are its own: several on a page do not get mixed up. */
static enum status put_image(const struct page *p, const char *path, const char *label)
{
	size_t len;
	char *text;
	int err;

	err = text_read(path, MAX_PICTURE, &text, &len);
	if (err)
		return text_refuse(path, MAX_PICTURE, err);
	fputs("<img alt=\"", p->f);
	put(p, label);
	fputs("\" src=\"data:image/svg+xml;base64,", p->f);
	put_base64(p->f, (unsigned char *)text, len);
	fputs("\">\n", p->f);
	free(text);
	return STATUS_OK;
}

static enum status put_picture(const struct page *p, const struct curves *c, const char *folder,
			       const struct plot_picture *picture)
{
	char *metric = curves_metric_label(picture->metric), *label, *path;
	enum status status = plot_picture(c, picture, PICTURE_SVG, folder, &path);

	label = xasprintf("%s: %s", picture->name, metric);
	if (!status && p->format == REPORT_HTML)
		status = put_image(p, path, label);
	else if (!status)
		fprintf(p->f, "![%s](%s)\n\n", label, strrchr(path, '/') + 1);
	free(path);
	free(metric);
	free(label);
	return status;
}

static enum status put_pictures(const struct page *p, const struct curves *c, const char *folder)
{
	enum status status = STATUS_OK;
	struct plot_picture *picture;
	u32 n;

	picture = plot_pictures(c, &n);
	for (u32 i = 0; i < n && !status; i++)
		status = put_picture(p, c, folder, &picture[i]);
	plot_pictures_free(picture, n);
	return status;
}

static void put_published(const struct page *p, const struct curves *c)
{
	static const char *const head[] = { "metric", "series", "x", "published", "ours",
					    "difference" };
	const struct scenario *s = c->r->s;

	if (!s->npublished)
		return;
	put_heading(p, 3, "Published values");
	begin_table(p, head, ARRAY_SIZE(head));
	for (u32 i = 0; i < s->npublished; i++) {
		const struct scenario_published *pub = &s->published[i];
		struct published_result ours = claims_published(c, pub);
		char text[4][64];

		snprintf(text[0], sizeof(text[0]), "%g", pub->x);
		snprintf(text[1], sizeof(text[1]), "%g", pub->value);
		snprintf(text[2], sizeof(text[2]), ours.half >= 0 ? "%.5g ± %.2g" : "%.5g",
			 ours.ours, ours.half);
		snprintf(text[3], sizeof(text[3]), "%+.1f %%", ours.percent);
		begin_row(p);
		put_cell(p, false, pub->metric->name);
		put_cell(p, false, pub->series);
		for (u32 k = 0; k < 4; k++)
			put_cell(p, true, k < 2 || ours.there ? text[k] : "–");
		end_row(p);
	}
	end_table(p);
}

static void put_claims(const struct page *p, const struct curves *c)
{
	static const char *const head[] = { "verdict", "claim", "check" };
	const struct scenario *s = c->r->s;

	if (!s->nclaims)
		return;
	put_heading(p, 3, "What the text says");
	begin_table(p, head, ARRAY_SIZE(head));
	for (u32 i = 0; i < s->nclaims; i++) {
		const struct scenario_claim *claim = &s->claim[i];
		char *text = xasprintf("%s: \"%s\"", claim->where, claim->text), *longer;

		begin_row(p);
		put_cell(p, false, claim_verdict_text[claims_verdict(c, claim)]);
		put_cell(p, false, text);
		free(text);
		text = xstrdup("");
		for (u32 k = 0; k < claim->n; k++) {
			struct check_result r = claims_check(c, &claim->check[k]);
			char *what = claims_check_text(&claim->check[k]);

			longer = xasprintf("%s%s%s: %s", text, k ? "; " : "", what, r.text);
			free(text);
			free(what);
			free(r.text);
			text = longer;
		}
		put_cell(p, false, text);
		free(text);
		end_row(p);
	}
	end_table(p);
}

static void put_origin(const struct page *p, const struct curves *c)
{
	const struct results *r = c->r;
	char *text;

	text = xasprintf("%u points%s, engine %s, mcastctl %s, %s; data: %s.csv, %s.json",
			 r->n - results_missing(r), r->quick ? " of the quick set" : "", r->engine,
			 r->version, r->kernel, r->s->name, r->s->name);
	put_paragraph(p, text);
	free(text);
	if (p->format == REPORT_MARKDOWN)
		return;
	fputs("<details><summary class=small>scenario</summary><pre>", p->f);
	put(p, r->s->text);
	fputs("</pre></details>\n", p->f);
}

static enum status put_scenario(const struct curves *c, const char *folder, void *data)
{
	const struct page *p = data;
	const struct scenario *s = c->r->s;
	enum status status;

	put_heading(p, 2, s->title ? s->title : s->name);
	if (s->source)
		put_paragraph(p, s->source);
	for (u32 i = 0; i < s->nnotes; i++)
		put_paragraph(p, s->note[i]);
	status = put_pictures(p, c, folder);
	put_published(p, c);
	put_claims(p, c);
	put_origin(p, c);
	return status;
}

static void put_head(const struct page *p)
{
	if (p->format == REPORT_MARKDOWN)
		return;
	fprintf(p->f, "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n"
		"<meta name=viewport content=\"width=device-width\">\n<title>mcfab experiments</title>\n"
		"<style>\n%s</style>\n<h1>mcfab experiments</h1>\n", style);
}

static void put_explanation(const struct page *p)
{
	put_paragraph(p, explanation);
}

enum status report_write(struct scenario *const *scenario, u32 n, enum report_format format,
			 const struct experiment_options *o)
{
	struct page p = { .format = format };
	enum status status = STATUS_OK;
	char *text = NULL, *path;
	size_t len = 0;

	p.f = open_memstream(&text, &len);
	if (!p.f)
		return refused("report: out of memory");
	put_head(&p);
	put_explanation(&p);
	for (u32 i = 0; i < n && !status; i++)
		status = experiment_look(scenario[i], o, put_scenario, &p);
	fclose(p.f);
	path = xasprintf("%s/report.%s", o->out, format == REPORT_HTML ? "html" : "md");
	if (!status)
		status = write_file(path, text, len);
	if (!status)
		printf("%s\n", path);
	free(path);
	free(text);
	return status;
}
