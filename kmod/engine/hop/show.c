// SPDX-License-Identifier: GPL-2.0
/*
 * Mode hop: the records that modes of single flits have, for a look of the boundary at the
 * whole network. A packet with a grant that has not crossed gets the record of its old buffer; its
 * own one is that of the channel that it was granted. Each FIFO gets its list: packets that have
 * come, packets on the link, the packet that has the VC.
 */
#include "engine/hop/hop.h"
#include "engine/state/rec.h"

/* the shard that grants a VC */
static struct mcfab_shard *granter(struct mcfab_engine *e, u32 vc)
{
	return &e->shard[mcfab_alone(e) ? 0 : e->shard_of_router[mcfab_vc_from(e, vc)]];
}

/* ... and the one that reads its buffer */
static struct mcfab_shard *reader(struct mcfab_engine *e, u32 vc)
{
	return &e->shard[mcfab_alone(e) ? 0 : e->shard_of_router[mcfab_vc_to(e, vc)]];
}

/* the record of the packet @nr in the buffer of @vc, which it has not left */
static u32 stay_of(struct mcfab_engine *e, u32 nr, u32 vc)
{
	struct mcfab_shard *s = granter(e, vc);
	struct mcfab_rec *r;
	u32 stay;

	if (s != reader(e, vc))
		return e->rec[nr].parent;
	stay = mcfab_rec_take(e, s, s->nr);
	r = &e->rec[stay];
	*r = e->rec[nr];
	e->head[stay] = e->head[nr];
	r->vc = vc;
	r->sent = 1;
	r->waiting = 0;
	r->older = MCFAB_NONE;
	r->parent = MCFAB_NO_REC;
	e->head[stay].hops--;
	e->rec[nr].parent = stay;
	return stay;
}

/* one more packet at the end of a FIFO's list */
static void append(struct mcfab_engine *e, u32 vc, u32 nr)
{
	struct mcfab_fifo *fifo = &e->fifo[vc];

	if (fifo->newest == MCFAB_NO_REC)
		fifo->oldest = nr;
	else
		e->rec[fifo->newest].behind = nr;
	fifo->newest = nr;
}

/* packets that have come to a FIFO; the one at the front may have a grant */
static void show_fifo(struct mcfab_engine *e, u32 vc)
{
	struct mcfab_fifo *fifo = &e->fifo[vc];
	u32 nr = fifo->front, left = fifo->waiting + 1, next;

	fifo->oldest = MCFAB_NO_REC;
	fifo->newest = MCFAB_NO_REC;
	for (; nr != MCFAB_NO_REC && left; left--, nr = next) {
		next = e->rec[nr].behind;
		append(e, vc, e->rec[nr].sent ? nr : stay_of(e, nr, vc));
	}
}

/* packets whose headers have just crossed: these are events from one shard to another */
static void show_links(struct mcfab_engine *e, const struct mcfab_outbox *outbox)
{
	u32 i, nr;

	for (i = 0; i < outbox->count[MCFAB_EVENT_HEADER]; i++) {
		nr = outbox->event[MCFAB_EVENT_HEADER][i];
		append(e, e->rec[nr].vc, nr);
		mcfab_breathe(i + 1);
	}
}

/**
 * mcfab_hops_show() - make the records that modes of single flits have
 * @e: engine with MCFAB_ENG_HOPS
 *
 * The caller calls mcfab_hops_hide() before the next cycle.
 *
 * Context: boundary.
 */
void mcfab_hops_show(struct mcfab_engine *e)
{
	u32 i, k, nr, vc;

	for (vc = 0; vc < e->hw.nvcs; vc++) {
		mcfab_breathe(vc + 1);
		show_fifo(e, vc);
	}
	/* those that have crossed first come first */
	for (i = 0; i < e->nshards; i++)
		for (nr = e->shard[i].flying->head; nr != MCFAB_NONE; nr = e->head[nr].next_header)
			append(e, e->rec[nr].vc, nr);
	for (i = 0; i < e->nshards; i++)
		for (k = 0; k < e->nshards; k++)
			show_links(e, &e->shard[i].outbox[k]);
	for (nr = mcfab_first_rec(e); nr != MCFAB_NO_REC; nr = mcfab_next_rec(e, nr)) {
		struct mcfab_rec *r = &e->rec[nr];

		mcfab_breathe(nr);
		if (r->flags & MCFAB_REC_INJECT)
			continue;
		r->entry = r->sent ? MCFAB_ENTRY_KNOWN : MCFAB_ENTRY_COUNTED;
		if (!r->sent)
			append(e, r->vc, nr);
	}
}

/**
 * mcfab_hops_hide() - give back the records that mcfab_hops_show() made
 * @e: engine with MCFAB_ENG_HOPS, mcfab_hops_show() was called
 *
 * Context: boundary.
 */
void mcfab_hops_hide(struct mcfab_engine *e)
{
	u32 vc, nr, stay;

	for (vc = 0; vc < e->hw.nvcs; vc++) {
		struct mcfab_shard *s = granter(e, vc);

		mcfab_breathe(vc + 1);
		nr = e->fifo[vc].front;
		if (nr == MCFAB_NO_REC || e->rec[nr].sent)
			continue;
		stay = e->rec[nr].parent;
		e->rec[nr].behind = e->rec[stay].behind;
		if (s != reader(e, vc))
			continue;
		e->rec[nr].parent = MCFAB_NO_REC;
		mcfab_rec_clear(&e->rec[stay], s->nr);
		mcfab_rec_give(e, s, stay);
	}
}
