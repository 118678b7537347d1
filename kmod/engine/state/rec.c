// SPDX-License-Identifier: GPL-2.0
/* How shards share the records, and where new records come from; see rec.h. */
#include "engine/state/rec.h"

/* with several shards, records that a stack gets at once: whole lines in all arrays of records */
#define CHUNK	16U

/**
 * mcfab_rec_count() - how many numbers of records there are
 * @e: engine; places and shards are set
 *
 * One for each place where a packet may stay, and one for MCFAB_NO_REC. With several shards there
 * are more, as each shard's part is whole chunks, see mcfab_rec_share().
 *
 * Context: any.
 * Return: the count.
 */
u32 mcfab_rec_count(const struct mcfab_engine *e)
{
	return e->hw.places + (mcfab_alone(e) ? 1 : (2 * e->nshards + 1) * CHUNK);
}

/**
 * mcfab_rec_share() - give each shard its part of the records
 * @e: engine
 *
 * A part has a record for each slot and each source of the shard.
 *
 * Context: start of a run.
 */
void mcfab_rec_share(struct mcfab_engine *e)
{
	u32 chunk = mcfab_alone(e) ? 1 : CHUNK, slots = e->hw.ports * e->hw.vcs * e->hw.slots;
	u32 first = chunk, i;

	for (i = 0; i < e->topo->nodes; i++)
		e->shard[e->shard_of_router[e->topo->router[i]]].end_rec +=
			e->hw.inject * e->hw.source_slots;
	for (i = 0; i < e->nshards; i++) {
		struct mcfab_shard *s = &e->shard[i];
		u32 places = (mcfab_shard_end(e, s) - s->router) * slots + s->end_rec;

		s->first_rec = first;
		s->new_rec = first;
		/* with all but one chunk taken from there are enough */
		first += round_up(places + chunk - 1, chunk);
		s->end_rec = first;
	}
}

/**
 * mcfab_rec_fill() - fill an empty stack with a chunk, and take a record
 * @e: engine with several shards
 * @s: shard that takes the record
 * @mover: the stack is for records whose flits this shard moves
 *
 * Context: grant phase of the shard.
 * Return: the record's number. If no chunk is left, it is from another stack.
 */
u32 mcfab_rec_fill(const struct mcfab_engine *e, struct mcfab_shard *s, u32 mover)
{
	u32 nr, i;

	if (s->new_rec < s->end_rec) {
		for (i = CHUNK - 1; i > 0; i--) {
			nr = s->new_rec + i;
			e->rec[nr].next_free = s->free_rec[mover];
			s->free_rec[mover] = nr;
		}
		nr = s->new_rec;
		s->new_rec += CHUNK;
		return nr;
	}
	/* some stack has a record: the shard has more records than can be in use */
	for (i = 0; s->free_rec[i] == MCFAB_NO_REC; i++)
		;
	nr = s->free_rec[i];
	s->free_rec[i] = e->rec[nr].next_free;
	return nr;
}
