// SPDX-License-Identifier: GPL-2.0
/* What the boundary asks of a mode, whichever it is. */
#include "engine/state/engine.h"

/**
 * mcfab_mode_show() - have the records say how many flits are where
 * @e: engine
 *
 * mcfab_mode_hide() is due before the next cycle.
 *
 * Context: boundary.
 */
void mcfab_mode_show(struct mcfab_engine *e)
{
	if (e->mode->records)
		e->mode->records(e);
	if (e->mode->show)
		e->mode->show(e);
}

/**
 * mcfab_mode_hide() - the records are not looked at any more
 * @e: engine
 *
 * Context: boundary.
 */
void mcfab_mode_hide(struct mcfab_engine *e)
{
	if (e->mode->hide)
		e->mode->hide(e);
}

/**
 * mcfab_mode_rest() - when flits come to rest, as nothing more is granted
 * @e: engine; no event is left
 *
 * Context: boundary.
 * Return: the first cycle without a movement if it is still to come, U64_MAX if not.
 */
u64 mcfab_mode_rest(struct mcfab_engine *e)
{
	u64 rest;

	if (!e->mode->rest)
		return U64_MAX;
	if (e->mode->records)
		e->mode->records(e);
	rest = e->mode->rest(e);
	mcfab_mode_hide(e);
	return rest;
}

/**
 * mcfab_mode_leave() - go on in the mode that has records and requests
 * @e: engine
 *
 * Nothing happens in a mode that cannot be left.
 *
 * Context: boundary.
 */
void mcfab_mode_leave(struct mcfab_engine *e)
{
	const struct mcfab_mode *from = e->mode;

	if (!from->leave)
		return;
	from->leave(e);
	e->flags = (e->flags & ~from->flags) | from->then->flags;
	e->mode = from->then;
}
