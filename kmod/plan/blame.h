/* SPDX-License-Identifier: GPL-2.0 */
/* What a policy did wrong with one message: the worm, the node and the error. */
#ifndef MCFAB_PLAN_BLAME_H
#define MCFAB_PLAN_BLAME_H

#include "base/types.h"

/**
 * struct mcfab_blame - the error in a plan or a header decision
 * @what: one line about the node or the worm, as "it is delivered twice"; NULL: no error
 * @worm: index of the worm in the plan, or MCFAB_NONE: the error is in no worm of the plan
 * @node: the node, or MCFAB_NONE: the error is about the worm or the whole plan
 */
struct mcfab_blame {
	const char *what;
	u32 worm;
	u32 node;
};

/**
 * mcfab_blame() - note an error
 * @blame: filled in
 * @what: see struct mcfab_blame; not copied
 * @worm: likewise
 * @node: likewise
 *
 * Context: any.
 * Return: -EINVAL, so that it can be returned at once.
 */
static inline int mcfab_blame(struct mcfab_blame *blame, const char *what, u32 worm, u32 node)
{
	blame->what = what;
	blame->worm = worm;
	blame->node = node;
	return -EINVAL;
}

/**
 * mcfab_blame_text() - print an error, as "worm 3, node 13: it is delivered twice"
 * @text: where to print it
 * @room: bytes there
 * @blame: the error
 *
 * Context: any.
 */
static inline void mcfab_blame_text(char *text, size_t room, const struct mcfab_blame *blame)
{
	size_t len = 0;

	if (blame->worm != MCFAB_NONE)
		len += scnprintf(text, room, "worm %u", blame->worm);
	if (blame->node != MCFAB_NONE)
		len += scnprintf(text + len, room - len, "%snode %u", len ? ", " : "",
				 blame->node);
	scnprintf(text + len, room - len, "%s%s", len ? ": " : "", blame->what);
}

#endif
