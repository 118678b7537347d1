// SPDX-License-Identifier: GPL-2.0
/* Widths and speeds of InfiniBand's links. */
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
