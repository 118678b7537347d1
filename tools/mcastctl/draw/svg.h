/* SPDX-License-Identifier: GPL-2.0 */
/* Pictures as SVG: written into memory, then into a file as a whole. */
#ifndef MCASTCTL_DRAW_SVG_H
#define MCASTCTL_DRAW_SVG_H

#include <stdio.h>

#include "draw/layout.h"

#define SVG_TEXT	"#222222"
#define SVG_GREY	"#6b6b6b"
#define SVG_LINE	"#dcdfe2"	/* what is there and has nothing to say */

/* Colours of M. Okabe and K. Ito, which the colour-blind can tell apart. */
#define SVG_COLOURS	7
extern const char *const svg_colour[SVG_COLOURS];
/* The dashes that go with them where there is no colour; "": none. */
#define SVG_DASHES	6
extern const char *const svg_dash[SVG_DASHES];

struct svg {
	FILE *f;
	char *text;
	size_t len;
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/** struct svg_style - how a text looks */
struct svg_style {
	double size;
	enum svg_anchor anchor;
	const char *fill;
	bool bold;
	const char *halo;	/* NULL, or the colour behind the letters */
};

void svg_begin(struct svg *s, double width, double height, const char *title);
void svg_end(struct svg *s);
void svg_free(struct svg *s);
/* Text of a user, escaped. */
void svg_put(struct svg *s, const char *text);
void svg_text(struct svg *s, double x, double y, const struct svg_style *style, const char *fmt,
	      ...) __printf(5, 6);
/* About how wide a text is. */
double svg_width(const char *text, double size);

/** struct svg_path - commands of a path, collected */
struct svg_path {
	FILE *f;
	char *text;
	size_t len;
};

void svg_path_begin(struct svg_path *p);
void svg_path_move(struct svg_path *p, struct draw_point to);
void svg_path_line(struct svg_path *p, struct draw_point to);
void svg_path_curve(struct svg_path *p, struct draw_point by1, struct draw_point by2,
		    struct draw_point to);
const char *svg_path_end(struct svg_path *p);	/* until it is freed */
void svg_path_free(struct svg_path *p);

/* The head of an arrow whose tip is @tip, seen from @from. */
void svg_arrow(struct svg *s, struct draw_point from, struct draw_point tip, double size,
	       const char *colour);

/** struct svg_legend - entries behind each other, in rows as wide as the picture */
struct svg_legend {
	double left;
	double right;
	double x;
	double y;
	double row;		/* height of a row */
};

#define SVG_ICON	34.0	/* room for the picture of an entry */

/* Where the icon of the next entry begins; the text behind it is written. */
struct draw_point svg_legend_entry(struct svg *s, struct svg_legend *legend, const char *text);

/* Lines of a text that is at most so wide; returns how many, and writes them if @s is there. */
u32 svg_paragraph(struct svg *s, double x, double y, double width, const struct svg_style *style,
		  const char *text);

/** struct draw_file - where a picture goes: it is there as a whole, or as it was before */
struct draw_file {
	const char *key;	/* for messages, as the user wrote them */
	const char *path;
	char *target;		/* @path without symbolic links; NULL: standard output */
	bool exists;
	bool replace;		/* by a file beside it; else, as a device, it is written as it is */
	u32 mode;		/* rights of what exists */
};

/* Say what stands in the way before there is a picture; nothing is made or written yet. */
enum status draw_file_open(struct draw_file *d, const char *key, const char *path);
enum status draw_file_write(struct draw_file *d, const struct svg *s);
/* The same for a text that @put writes about @data. */
enum status draw_file_put(struct draw_file *d, void (*put)(FILE *f, const void *data),
			  const void *data);
void draw_file_close(struct draw_file *d);

#endif
