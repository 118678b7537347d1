// SPDX-License-Identifier: GPL-2.0
/* Widths and speeds of InfiniBand's links. */
#include <linux/mcfab.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/speed.h"

/* Mbit/s of a lane that are data: 8 of 10 bits up to QDR, then 64 of 66, or all */
static const struct {
	const char *name;
	u32 mbit;
} kinds[] = {
	{ "SDR", 2000 }, { "DDR", 4000 }, { "QDR", 8000 }, { "FDR10", 10000 }, { "FDR", 13636 },
	{ "EDR", 25000 }, { "HDR", 50000 }, { "NDR", 100000 }, { "XDR", 200000 },
};

/* "4xHDR", and nothing behind it */
static bool parse(const char *word, size_t length, struct speed *speed)
{
	char *end;
	unsigned long lanes = strtoul(word, &end, 10);

	if (end == word || *end != 'x' || lanes < 1 || lanes > 12)
		return false;
	length -= end + 1 - word;
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strlen(kinds[i].name) != length || strncmp(end + 1, kinds[i].name, length))
			continue;
		*speed = (struct speed){ lanes, i };
		return true;
	}
	return false;
}

bool speed_find(const char *text, struct speed *speed)
{
	while ((text = strpbrk(text, " \t"))) {
		size_t length;

		text += strspn(text, " \t");
		length = strcspn(text, " \t\r\n");
		if (*text >= '0' && *text <= '9' && parse(text, length, speed))
			return true;
	}
	return false;
}

u32 speed_mbit(const struct speed *speed)
{
	return speed->lanes * kinds[speed->kind].mbit;
}

const char *speed_name(const struct speed *speed, char buf[16])
{
	snprintf(buf, 16, "%ux%s", speed->lanes, kinds[speed->kind].name);
	return buf;
}

void speed_see(struct speed_rates *r, const struct speed *speed)
{
	if (speed_mbit(speed) > speed_mbit(&r->fastest))
		r->fastest = *speed;
}

u32 speed_cycles(struct speed_rates *r, const struct speed *speed)
{
	u32 fastest = speed_mbit(&r->fastest), mbit = speed_mbit(speed), cycles;

	if (!mbit || mbit == fastest)
		return 0;
	cycles = (fastest + mbit / 2) / mbit;
	if (cycles > MCFAB_MAX_FLIT_CYCLES) {
		cycles = MCFAB_MAX_FLIT_CYCLES;
		if (!r->slowest.lanes)
			r->slowest = *speed;
	} else if (100ull * labs((long)cycles * mbit - (long)fastest) > fastest &&
		   !r->rounded.lanes) {
		r->rounded = *speed;
	}
	return cycles > 1 ? cycles : 0;
}

void speed_warn(const struct speed_rates *r, const char *path)
{
	char fastest[16], other[16];

	speed_name(&r->fastest, fastest);
	set_location(NULL, 0);
	if (r->rounded.lanes)
		warning("%s: %s is not a whole part of %s, but 1/%.2f: it is rounded",
			path, speed_name(&r->rounded, other), fastest,
			(double)speed_mbit(&r->fastest) / speed_mbit(&r->rounded));
	if (r->slowest.lanes)
		warning("%s: %s is less than 1/%d of %s: such links get this rate", path,
			speed_name(&r->slowest, other), MCFAB_MAX_FLIT_CYCLES, fastest);
}

struct speed speed_of_masks(u32 widths, u32 speeds, u32 extended)
{
	/* by bit: 1x, 4x, 8x, 12x, 2x; SDR, DDR, QDR; FDR, EDR, HDR, NDR */
	static const u32 lanes[] = { 1, 4, 8, 12, 2 }, kind[] = { 0, 1, 2, 4, 5, 6, 7 };
	struct speed best = { .lanes = widths ? 0 : 4 };

	for (u32 i = 0; i < ARRAY_SIZE(lanes); i++)
		if (widths >> i & 1 && lanes[i] > best.lanes)
			best.lanes = lanes[i];
	for (u32 i = 0; i < ARRAY_SIZE(kind); i++)
		if ((speeds | extended << 3) >> i & 1)
			best.kind = kind[i];
	return best;
}

const char *speed_slower(u32 cycles)
{
	switch (cycles) {
	case 1:
		return "4xNDR";
	case 2:
		return "4xHDR";
	case 4:
		return "4xEDR";
	case 8:
		return "2xEDR";
	case 16:
		return "1xEDR";
	}
	return NULL;
}
