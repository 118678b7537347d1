// SPDX-License-Identifier: GPL-2.0
/* Calls of the boundary to the run's mode. */
#include "engine/state/engine.h"

/**
 * mcfab_mode_show() - make records, and write into them how many flits are in which buffer
 * @e: engine
 *
 * The caller calls mcfab_mode_hide() before the next cycle.
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
 * mcfab_mode_hide() - forget the records that mcfab_mode_show() made
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
 * mcfab_mode_rest() - when flits come to rest, if nothing more is granted
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
 * mcfab_mode_leave() - go on in a mode that has records and requests
 * @e: engine; if its mode cannot be left, nothing happens
 *
 * Context: boundary.
 */
void mcfab_mode_leave(struct mcfab_engine *e)
{
	const struct mcfab_mode *from = e->mode, *to = from->then;
	const char *why;

	if (!from->leave)
		return;
	while (!to->exact(e, &why))
		to++;
	from->leave(e);
	e->flags = (e->flags & ~from->flags) | to->flags;
	e->mode = to;
}
