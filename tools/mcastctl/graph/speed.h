/* SPDX-License-Identifier: GPL-2.0 */
/* Widths and speeds of InfiniBand's links, as ibnetdiscover prints them: "4xHDR". */
#ifndef MCASTCTL_GRAPH_SPEED_H
#define MCASTCTL_GRAPH_SPEED_H

#include "base/util.h"

/** struct speed - a link's width and speed; @lanes 0: they are not known */
struct speed {
	u32 lanes;
	u32 kind;
};

/* Find such a word behind a blank of @text. False: there is none. */
bool speed_find(const char *text, struct speed *speed);

/* What the link carries in Mbit/s, without its coding; 0: not known. */
u32 speed_mbit(const struct speed *speed);

/* The word, in @buf. */
const char *speed_name(const struct speed *speed, char buf[16]);

/** struct speed_rates - rates of links, going by the fastest link */
struct speed_rates {
	struct speed fastest;	/* which takes a flit in every cycle */
	struct speed rounded;	/* a speed that is no whole part of it, the first one */
	struct speed slowest;	/* a speed below the least rate, likewise */
};

/* Each of a file's links is shown to speed_see() before the first is asked for its rate. */
void speed_see(struct speed_rates *r, const struct speed *speed);
/* Cycles from one flit to the next on a link; 0: the link takes one in every cycle. */
u32 speed_cycles(struct speed_rates *r, const struct speed *speed);
/* Warn of rates that are not those of the links of @path. */
void speed_warn(const struct speed_rates *r, const char *path);

/* The fastest that ibsim's bit masks of enabled widths and speeds allow; 0: as without the mask. */
struct speed speed_of_masks(u32 widths, u32 speeds, u32 extended);

/* The word for a link that carries 1/@cycles of "4xNDR", or NULL. */
const char *speed_slower(u32 cycles);

#endif
