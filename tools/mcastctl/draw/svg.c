// SPDX-License-Identifier: GPL-2.0
/* A small writer of SVG. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "draw/svg.h"

const char *const svg_colour[SVG_COLOURS] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9",
};

const char *const svg_dash[SVG_DASHES] = {
	"", "9 4", "2.5 3", "11 3 2.5 3", "5 3", "14 4 5 4",
};

static const char *const anchors[] = { "start", "middle", "end" };

static FILE *open_memory(char **text, size_t *len)
{
	FILE *f = open_memstream(text, len);

	if (!f)
		exit(refused("out of memory"));
	return f;
}

void svg_begin(struct svg *s, double width, double height, const char *title)
{
	s->f = open_memory(&s->text, &s->len);
	fprintf(s->f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\"\n"
		"  viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Helvetica, sans-serif\"\n"
		"  stroke-linejoin=\"round\" fill=\"none\">\n", width, height, width, height);
	fputs("<title>", s->f);
	svg_put(s, title);
	fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", s->f);
}

void svg_end(struct svg *s)
{
	fputs("</svg>\n", s->f);
	fclose(s->f);
	s->f = NULL;
}

void svg_free(struct svg *s)
{
	if (s->f)
		fclose(s->f);
	free(s->text);
	memset(s, 0, sizeof(*s));
}

void svg_put(struct svg *s, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", s->f);
			break;
		case '>':
			fputs("&gt;", s->f);
			break;
		case '&':
			fputs("&amp;", s->f);
			break;
		case '"':
			fputs("&quot;", s->f);
			break;
		default:
			/* XML has no way to write control characters */
			fputc((unsigned char)*text < ' ' ? ' ' : *text, s->f);
		}
	}
}

void svg_text(struct svg *s, double x, double y, const struct svg_style *style, const char *fmt,
	      ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		exit(refused("out of memory"));
	fprintf(s->f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\"", x, y, style->size);
	fprintf(s->f, " text-anchor=\"%s\" fill=\"%s\"", anchors[style->anchor], style->fill);
	if (style->bold)
		fputs(" font-weight=\"bold\"", s->f);
	if (style->halo)
		fprintf(s->f, " stroke=\"%s\" stroke-width=\"3\" paint-order=\"stroke\"",
			style->halo);
	fputc('>', s->f);
	svg_put(s, text);
	fputs("</text>\n", s->f);
	free(text);
}

double svg_width(const char *text, double size)
{
	double n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return 0.57 * size * n;
}

void svg_path_begin(struct svg_path *p)
{
	p->f = open_memory(&p->text, &p->len);
}

void svg_path_move(struct svg_path *p, struct draw_point to)
{
	fprintf(p->f, "M%.1f %.1f", to.x, to.y);
}

void svg_path_line(struct svg_path *p, struct draw_point to)
{
	fprintf(p->f, "L%.1f %.1f", to.x, to.y);
}

void svg_path_curve(struct svg_path *p, struct draw_point by1, struct draw_point by2,
		    struct draw_point to)
{
	fprintf(p->f, "C%.1f %.1f %.1f %.1f %.1f %.1f", by1.x, by1.y, by2.x, by2.y, to.x, to.y);
}

const char *svg_path_end(struct svg_path *p)
{
	fclose(p->f);
	p->f = NULL;
	return p->text;
}

void svg_path_free(struct svg_path *p)
{
	if (p->f)
		fclose(p->f);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

void svg_arrow(struct svg *s, struct draw_point from, struct draw_point tip, double size,
	       const char *colour)
{
	struct draw_point back = draw_towards(tip, from, size);
	double x = 0.45 * (back.y - tip.y), y = -0.45 * (back.x - tip.x);

	fprintf(s->f, "<path class=\"arrow\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"%s\"/>\n",
		tip.x, tip.y, back.x + x, back.y + y, back.x - x, back.y - y, colour);
}

struct draw_point svg_legend_entry(struct svg *s, struct svg_legend *legend, const char *text)
{
	const struct svg_style style = { .size = 11, .fill = SVG_TEXT };
	double width = SVG_ICON + svg_width(text, style.size) + 14;
	struct draw_point at;

	if (legend->x > legend->left && legend->x + width > legend->right) {
		legend->x = legend->left;
		legend->y += legend->row;
	}
	at = draw_point(legend->x, legend->y);
	if (s)
		svg_text(s, at.x + SVG_ICON, at.y + 4, &style, "%s", text);
	legend->x += width;
	return at;
}

u32 svg_paragraph(struct svg *s, double x, double y, double width, const struct svg_style *style,
		  const char *text)
{
	char *line = xstrdup("");
	u32 lines = 0;

	while (*text) {
		int len = strcspn(text, " ");
		char *longer = xasprintf("%s%s%.*s", line, *line ? " " : "", len, text);

		if (*line && svg_width(longer, style->size) > width) {
			if (s)
				svg_text(s, x, y + lines * 1.4 * style->size, style, "%s", line);
			lines++;
			free(line);
			line = xasprintf("%.*s", len, text);
			free(longer);
		} else {
			free(line);
			line = longer;
		}
		text += len;
		text += strspn(text, " ");
	}
	if (*line && s)
		svg_text(s, x, y + lines * 1.4 * style->size, style, "%s", line);
	lines += *line != '\0';
	free(line);
	return lines;
}
