// SPDX-License-Identifier: GPL-2.0
/* Worms in the modes of single flits read the grants of the last grant phase. */
#include "engine/flit/advance.h"
#include "engine/flit/cruise.h"
#include "engine/flit/rows.h"
#include "engine/state/row_bits.h"

/* put a record in front of the list of its worm's records */
static void link(struct mcfab_engine *e, struct mcfab_worm *w, u32 rec)
{
	struct mcfab_rec *r = &e->rec[rec];
	u32 i;

	r->older = w->newest;
	for (i = MCFAB_WORM_BEHIND - 1; i; i--)
		w->behind[i] = w->behind[i - 1];
	w->behind[0] = w->newest;
	w->newest = rec;
	if (e->flags & MCFAB_ENG_FAR)
		mcfab_trail(e, r->worm)[atomic_read(&w->traffic) % MCFAB_TRAIL] = rec;
}

/* mode row: prefetch what a grant or a copy will need; both are events about a record */
static void look_ahead(const struct mcfab_engine *e, u32 rec)
{
	u32 worm = e->rec[rec].worm;

	prefetchw(&e->head[rec]);
	prefetchw(&e->worm[worm]);
	prefetchw(mcfab_row(e, worm));
}

static void on_grant(struct mcfab_engine *e, struct mcfab_shard *s, u32 rec)
{
	u32 worm = e->rec[rec].worm;
	struct mcfab_worm *w = &e->worm[worm];

	if (e->flags & MCFAB_ENG_ROWS)
		mcfab_row_granted(e, w, rec);
	else
		link(e, w, rec);
	atomic_set(&w->traffic, atomic_read(&w->traffic) + 1);
	/* the move phase also writes the other fields of this line */
	e->head[rec].granted = e->cycle;
	mcfab_worm_hold(w, -e->cycle);
	if (mcfab_cruises(e, worm))
		mcfab_cruise_granted(e, s, rec);
	else
		mcfab_worm_activate(e, s, worm);
}

/**
 * mcfab_flits_read() - read the grants of one shard to the worms of another
 * @e: engine
 * @s: the shard of the worms
 * @box: the grants
 *
 * Context: beginning of the move phase.
 */
void mcfab_flits_read(struct mcfab_engine *e, struct mcfab_shard *s, struct mcfab_grants *box)
{
	u32 i;

	for (i = 0; i < box->count; i++) {
		u32 nr = mcfab_event_payload(box->event[i]);

		mcfab_breathe(i + 1);
		if (i + 4 < box->count && e->flags & MCFAB_ENG_FAR && e->flags & MCFAB_ENG_ROWS)
			look_ahead(e, mcfab_event_payload(box->event[i + 4]));
		switch (box->event[i] >> MCFAB_EVENT_SHIFT) {
		case MCFAB_EVENT_GRANT:
			on_grant(e, s, nr);
			break;
		case MCFAB_EVENT_COPY:
			if (e->flags & MCFAB_ENG_ROWS)
				mcfab_row_copied(e, s, nr);
			else if (mcfab_cruises(e, e->rec[nr].worm))
				mcfab_cruise_copied(e, nr);
			else
				mcfab_worm_activate(e, s, e->rec[nr].worm);
			break;
		case MCFAB_EVENT_WAKE:
			mcfab_worm_activate(e, s, nr);
			break;
		}
	}
	box->count = 0;
}
