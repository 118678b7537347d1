// SPDX-License-Identifier: GPL-2.0
/* Which pictures a scenario has, and drawing them into files. */
#include <stdlib.h>
#include <string.h>

#include "experiment/experiment.h"
#include "experiment/plot.h"
#include "experiment/plot_script.h"

static s32 find_panel(const struct curves *c, const char *label)
{
	for (u32 i = 0; label && i < c->npanels; i++) {
		if (!strcmp(curves_panel(c, i), label))
			return i;
	}
	return -1;
}

/* The picture of a metric that no line "figure" is about. */
static char *default_name(const struct scenario *s, const struct scenario_metric *m)
{
	return s->nmetrics == 1 ? xstrdup(s->name) :
				  xasprintf("%s.%s", s->name, m->metric->name);
}

struct plot_picture *plot_pictures(const struct curves *c, u32 *n)
{
	const struct scenario *s = c->r->s;
	struct plot_picture *picture = xcalloc(s->nmetrics + s->nfigures, sizeof(*picture));

	*n = 0;
	for (u32 i = 0; i < s->nmetrics; i++) {
		const struct scenario_metric *m = &s->metric[i];
		bool named = false;

		for (u32 k = 0; k < s->nfigures; k++) {
			s32 panel = find_panel(c, s->figure[k].panel);

			if (s->figure[k].metric != m->metric)
				continue;
			named = true;
			if (panel >= 0 && curves_panel_empty(c, panel))
				continue;
			picture[(*n)++] = (struct plot_picture){
				.name = xstrdup(s->figure[k].name), .metric = m, .panel = panel,
			};
		}
		if (!named)
			picture[(*n)++] = (struct plot_picture){
				.name = default_name(s, m), .metric = m, .panel = -1,
			};
	}
	return picture;
}

void plot_pictures_free(struct plot_picture *picture, u32 n)
{
	for (u32 i = 0; i < n; i++)
		free(picture[i].name);
	free(picture);
}

enum status plot_picture(const struct curves *c, const struct plot_picture *picture,
			 enum picture_format format, const char *folder, char **path)
{
	struct picture drawing;
	enum status status;
	char *script;

	*path = xasprintf("%s/%s.%s", folder, picture->name, picture_suffix[format]);
	script = plot_script(c, picture->metric, picture->panel, &drawing);
	status = script ? gnuplot_draw(&drawing, format, *path) : refused("plot: out of memory");
	free(script);
	return status;
}

static enum status plot(const struct curves *c, const char *folder, void *data)
{
	enum status status = STATUS_OK;
	struct plot_picture *picture;
	u32 n;

	(void)data;
	picture = plot_pictures(c, &n);
	for (u32 i = 0; i < n * PICTURE_FORMATS && !status; i++) {
		char *path;

		status = plot_picture(c, &picture[i / PICTURE_FORMATS], i % PICTURE_FORMATS, folder,
				      &path);
		if (!status)
			printf("%s: %s\n", c->r->s->name, path);
		free(path);
	}
	plot_pictures_free(picture, n);
	return status;
}

enum status experiment_plot(const struct scenario *s, const struct experiment_options *o)
{
	return experiment_look(s, o, plot, NULL);
}
