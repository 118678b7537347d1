/* SPDX-License-Identifier: GPL-2.0 */
/* Widths and speeds of InfiniBand's links, as ibnetdiscover prints them: "4xHDR". */
#ifndef MCASTCTL_GRAPH_SPEED_H
#define MCASTCTL_GRAPH_SPEED_H

#include "util.h"

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

/* The word for a link that carries 1/@cycles of "4xNDR", or NULL. */
const char *speed_slower(u32 cycles);

#endif
