// SPDX-License-Identifier: GPL-2.0
/*
 * Channel load on a terminal: a network of one or two dimensions as a grid of routers with a
 * digit for each channel, of others the busiest channels. Colours are for terminals alone.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/table.h"
#include "draw/heat.h"

#define CELL		5	/* columns from one router to the next */
#define WIDEST		240	/* of what goes into a file or a pager */
#define BUSIEST		20
#define BAR		24

/** struct grid - a network as rows and columns */
struct grid {
	const struct heat *h;
	u32 columns;
	u32 rows;
	u32 ports;
	bool wraps;
	bool colour;
	u64 *ppb;		/* [routers * ports] */
};

static bool wants_colour(void)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(none && *none) && term && strcmp(term, "dumb");
}

static u32 width_of_terminal(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return WIDEST;
	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* A digit, on a ground that is the darker the more goes there. */
static void put_class(u32 class, bool colour)
{
	static const u8 ground[HEAT_TEXT_CLASSES + 1] = {
		0, 230, 229, 222, 215, 208, 202, 166, 130, 88,
	};
	char digit = class ? '0' + class : '.';

	if (colour && class)
		printf("\033[38;5;%u;48;5;%um%c\033[0m", class > 5 ? 231u : 16u, ground[class],
		       digit);
	else
		putchar(digit);
}

static void put_channel(const struct grid *g, u32 router, u32 port)
{
	put_class(heat_class(g->h, g->ppb[router * g->ports + port], HEAT_TEXT_CLASSES),
		  g->colour);
}

/* Both channels of a link, and blanks between it and the next one. */
static void put_pair(const struct grid *g, u32 a, u32 port_a, u32 b, u32 port_b)
{
	put_channel(g, a, port_a);
	put_channel(g, b, port_b);
}

static void put_row(const struct grid *g, u32 y)
{
	for (u32 x = 0; x < g->columns; x++) {
		u32 i = y * g->columns + x, next = x + 1 < g->columns ? i + 1 : y * g->columns;

		putchar('o');
		if (x + 1 == g->columns && !g->wraps)
			break;
		putchar(' ');
		put_pair(g, i, 0, next, 1);
		if (x + 1 < g->columns)
			putchar(' ');
	}
	putchar('\n');
}

/* The links from row @y upwards. */
static void put_links(const struct grid *g, u32 y)
{
	u32 above = y + 1 < g->rows ? y + 1 : 0;

	for (u32 x = 0; x < g->columns; x++) {
		put_pair(g, y * g->columns + x, 2, above * g->columns + x, 3);
		if (x + 1 < g->columns)
			printf("%*s", CELL - 2, "");
	}
	putchar('\n');
}

static void put_scale(const struct grid *g)
{
	double part = g->h->max_ppb / 1e7 / HEAT_TEXT_CLASSES;

	puts("scale, at most so many percent:");
	put_class(0, g->colour);
	fputs(" 0", stdout);
	for (u32 class = 1; class <= HEAT_TEXT_CLASSES; class++) {
		fputs("  ", stdout);
		put_class(class, g->colour);
		printf(" %.3g", class * part);
	}
	putchar('\n');
}

static void print_grid(const struct grid *g)
{
	if (g->wraps && g->rows > 1)
		put_links(g, g->rows - 1);
	for (u32 y = g->rows; y--; ) {
		put_row(g, y);
		if (y)
			put_links(g, y - 1);
	}
	put_scale(g);
	printf("o: a router, the first one at the %sleft; between two of them the channel\n"
	       "to the right, then to the left%s%s\n", g->rows > 1 ? "lower " : "",
	       g->rows > 1 ? "; upwards, then downwards" : "",
	       g->wraps ? "; at the border the links to the other side" : "");
}

/* Is there a grid of this network? */
static bool grid_of(const struct heat *h, struct grid *g)
{
	const char *topology = get_str(h->fabric, "topology");
	struct json_object *dims = get_obj(h->fabric, "dims");
	size_t n = dims ? json_object_array_length(dims) : 0;

	g->h = h;
	g->wraps = !strcmp(topology, "torus") || !strcmp(topology, "ring");
	if (!n || n > 2 || (!g->wraps && strcmp(topology, "mesh")))
		return false;
	g->columns = json_object_get_int(json_object_array_get_idx(dims, 0));
	g->rows = n > 1 ? json_object_get_int(json_object_array_get_idx(dims, 1)) : 1;
	g->ports = get_u64(h->fabric, "ports");
	g->colour = wants_colour();
	return true;
}

static const struct heat *sorted;

static int by_load(const void *a, const void *b)
{
	const struct heat_channel *ca = &sorted->channel[*(const u32 *)a];
	const struct heat_channel *cb = &sorted->channel[*(const u32 *)b];

	if (ca->flits != cb->flits)
		return ca->flits < cb->flits ? 1 : -1;
	return ca->nr < cb->nr ? -1 : ca->nr > cb->nr;
}

static void print_busiest(const struct heat *h)
{
	u32 *order = xcalloc(h->channels, sizeof(*order));
	char bar[BAR + 1], from[16], to[16];
	struct table t;

	for (u32 i = 0; i < h->channels; i++)
		order[i] = i;
	sorted = h;
	qsort(order, h->channels, sizeof(*order), by_load);
	table_init(&t, "CHANNEL FROM TO PORT FLITS PERCENT <LOAD");
	for (u32 i = 0; i < h->channels && i < BUSIEST; i++) {
		const struct heat_channel *c = &h->channel[order[i]];
		u32 length = heat_class(h, c->ppb, BAR);

		memset(bar, '#', length);
		bar[length] = '\0';
		table_cell(&t, "%u", c->nr);
		table_cell(&t, "%s", heat_router(h, c->from, from, sizeof(from)));
		table_cell(&t, "%s", heat_router(h, c->to, to, sizeof(to)));
		table_cell(&t, "%s", heat_port(h, c->port));
		table_cell(&t, "%llu", c->flits);
		table_cell(&t, "%.3f", c->ppb / 1e7);
		table_cell(&t, "%s", bar);
	}
	table_print(&t, stdout);
	if (h->channels > BUSIEST)
		printf("and %u channels with less; \"stats show NAME channels\" has all\n",
		       h->channels - BUSIEST);
	free(order);
}

void heat_text(const struct heat *h)
{
	struct json_object *balance = get_obj(h->stats, "balance");
	const struct heat_channel *busiest = &h->channel[h->busiest];
	u32 width, terminal = width_of_terminal();
	struct grid g = { 0 };
	char from[16], to[16];

	printf("run %s on %s: load of channels in percent of %llu measured cycles\n",
	       get_str(h->stats, "run"), get_str(h->fabric, "name"), get_u64(balance, "cycles"));
	if (!h->max_ppb) {
		puts("no channel carried a flit");
		return;
	}
	printf("mean %.3f, busiest %.3f: channel %u, from %s to %s\n",
	       get_u64(balance, "mean-ppb") / 1e7, h->max_ppb / 1e7, busiest->nr,
	       heat_router(h, busiest->from, from, sizeof(from)),
	       heat_router(h, busiest->to, to, sizeof(to)));
	if (!grid_of(h, &g)) {
		print_busiest(h);
		return;
	}
	width = (g.columns - 1) * CELL + (g.wraps ? CELL - 1 : 2);
	if (width > terminal) {
		printf("a grid of %u columns does not fit into %u: the busiest channels instead\n",
		       width, terminal);
		print_busiest(h);
		return;
	}
	g.ppb = xcalloc(get_u64(h->fabric, "routers") * g.ports, sizeof(*g.ppb));
	for (u32 i = 0; i < h->channels; i++)
		g.ppb[h->channel[i].from * g.ports + h->channel[i].port] = h->channel[i].ppb;
	print_grid(&g);
	free(g.ppb);
}
