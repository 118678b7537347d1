/* SPDX-License-Identifier: GPL-2.0 */
/* A network as the ground of a picture: links, routers, title. */
#ifndef MCASTCTL_DRAW_NET_H
#define MCASTCTL_DRAW_NET_H

#include "draw/svg.h"

void net_links(struct svg *s, const struct layout *l);
void net_host_links(struct svg *s, const struct layout *l);
void net_routers(struct svg *s, const struct layout *l);
void net_switch_names(struct svg *s, const struct layout *l);
/* Numbers at what leaves the picture. */
void net_stub_names(struct svg *s, const struct layout *l);
/*
 * A line along a link from the end @from to the other, @beside the middle, into a path that
 * begins with it (@moved) or goes on. It leaves @cut_start and @cut_end free at its ends.
 */
void net_along(struct svg_path *path, const struct draw_link *link, u32 from, double beside,
	       bool moved, double cut_start, double cut_end);
/* Where a line ends beside @node that goes on to @way: neither before nor behind the node. */
struct draw_point net_square(struct draw_point node, struct draw_point at, struct draw_point way);
struct draw_point net_aside(const struct draw_link *link, u32 end, double beside);
struct draw_point net_bow(const struct draw_link *link, u32 end, double beside);
/* Channels are to the right of the way from the first end to the second one, not as in plans. */
void net_set_right(struct draw_link *link);
/* The title and what is below it; returns the height of both. */
double net_title(struct svg *s, double width, const char *title, const char *below);
/* No narrower than title and legend need. */
double net_width(const struct layout *l);

#endif
