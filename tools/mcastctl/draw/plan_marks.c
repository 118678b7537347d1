// SPDX-License-Identifier: GPL-2.0
/* Source, destinations and relays of a plan, by shape and by colour. */
#include <stdlib.h>
#include <string.h>

#include "draw/plan.h"

#define RADIUS	11.0

/* Fills are light, so that numbers can be read and that they differ in grey. */
static const struct look {
	u8 mark;
	const char *class;
	const char *fill;
	const char *text;
} looks[] = {
	{ MARK_SOURCE, "source", "#f0e442", "source" },
	{ MARK_RELAY | MARK_DESTINATION, "relay", "#f6c98f", "destination that sends on" },
	{ MARK_RELAY, "relay-only", "#ffffff", "node that sends on" },
	{ MARK_DESTINATION, "destination", "#bfe3f7", "destination" },
};

static const struct look *look_of(u8 mark)
{
	for (size_t i = 0; i < ARRAY_SIZE(looks); i++) {
		if ((mark & looks[i].mark) == looks[i].mark)
			return &looks[i];
	}
	return NULL;
}

void marks_make(struct marks *m, const struct drawn_plan *p, const struct layout *l)
{
	m->nodes = l->hosts ? l->hosts : l->routers;
	m->node = xcalloc(m->nodes, sizeof(*m->node));
	for (u32 i = 0; i < p->worms; i++) {
		u32 sender = p->worm[i].source;

		if (sender < m->nodes && sender != p->print->source)
			m->node[sender] |= MARK_RELAY;
	}
	for (u32 i = 0; i < p->print->ndst; i++) {
		if (p->print->dst[i] < m->nodes)
			m->node[p->print->dst[i]] |= MARK_DESTINATION;
	}
	if (p->print->source < m->nodes)
		m->node[p->print->source] |= MARK_SOURCE;
}

void marks_free(struct marks *m)
{
	free(m->node);
	memset(m, 0, sizeof(*m));
}

static void shape(struct svg *s, const struct look *look, struct draw_point at, double r)
{
	fprintf(s->f, "<g class=\"%s\" fill=\"%s\" stroke=\"#222222\">", look->class, look->fill);
	if (look->mark == MARK_SOURCE) {
		fprintf(s->f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"",
			at.x - r, at.y - r, 2 * r, 2 * r);
		fputs(" stroke-width=\"2.5\"/>", s->f);
	} else if (look->mark & MARK_RELAY) {
		double d = 1.3 * r;

		fprintf(s->f, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fz\"",
			at.x, at.y - d, at.x + d, at.y, at.x, at.y + d, at.x - d, at.y);
		fputs(" stroke-width=\"1.5\"/>", s->f);
	} else {
		fprintf(s->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" stroke-width=\"1.2\"/>",
			at.x, at.y, r);
	}
	fputs("</g>\n", s->f);
}

void marks_shapes(struct svg *s, const struct marks *m, const struct layout *l)
{
	fputs("<g class=\"marks\">\n", s->f);
	for (u32 i = 0; i < m->nodes; i++) {
		const struct look *look = look_of(m->node[i]);

		if (look)
			shape(s, look, layout_place(l, i), l->hosts ? 0.82 * RADIUS : RADIUS);
	}
	fputs("</g>\n", s->f);
}

void marks_names(struct svg *s, const struct marks *m, const struct layout *l)
{
	struct svg_style style = { .anchor = SVG_MIDDLE, .fill = SVG_TEXT, .bold = true };
	const struct svg_style other = { .size = 7.5, .fill = SVG_GREY };
	char text[16];

	for (u32 i = 0; i < m->nodes; i++) {
		const struct look *look = look_of(m->node[i]);
		struct draw_point at = layout_place(l, i);
		size_t len = strlen(layout_short(l, i, text, sizeof(text)));

		if (look) {
			style.size = len > 4 ? 6 : len > 3 ? 7 : len > 2 ? 8.5 : 9.5;
			style.halo = look->fill;
			svg_text(s, at.x, at.y + 0.36 * style.size, &style, "%s", text);
		} else if (!l->hosts) {
			svg_text(s, at.x + 6, at.y + 13, &other, "%s", text);
		}
	}
}

void marks_legend(struct svg *s, const struct marks *m, struct svg_legend *legend)
{
	for (size_t k = 0; k < ARRAY_SIZE(looks); k++) {
		struct draw_point at;
		u32 n = 0;

		for (u32 i = 0; i < m->nodes; i++)
			n += look_of(m->node[i]) == &looks[k];
		if (!n)
			continue;
		at = svg_legend_entry(s, legend, looks[k].text);
		if (!s)
			continue;
		fputs("<g class=\"legend\">", s->f);
		shape(s, &looks[k], draw_point(at.x + 18, at.y), 7);
		fputs("</g>\n", s->f);
	}
}
