// SPDX-License-Identifier: GPL-2.0
/* The phases of a cycle where headers fly ahead: one shard, one thread. */
#include "engine/flight/flight.h"
#include "engine/node/node.h"

/* worms whose end was no event: if it was long ago, their numbers would be back by now */
static void bury(struct mcfab_engine *e, struct mcfab_shard *s)
{
	u64 last = e->cycle - 1;
	u32 nr, done = 0;

	while ((nr = s->over.head) != MCFAB_NONE && e->worm[nr].end <= last) {
		s->over.head = e->worm[nr].link;
		mcfab_breathe(++done);
		mcfab_flight_over(e, s, nr);
		mcfab_node_worm_end(e, s, nr);
		if (e->worm[nr].end < last)
			mcfab_shard_give_back(e, s);
	}
}

/* the only events that flights send each other */
static void read_mail(struct mcfab_engine *e, struct mcfab_shard *s)
{
	struct mcfab_mail *mail = s->mail;
	u32 i, node;

	for (i = 0; i < mail->count[MCFAB_LETTER_CONSUMED]; i++) {
		mcfab_breathe(i + 1);
		node = mail->letter[MCFAB_LETTER_CONSUMED][i];
		e->node[node].consume++;
		mcfab_flight_touch(e, s, node);
	}
	mail->count[MCFAB_LETTER_CONSUMED] = 0;
	for (i = 0; i < mail->count[MCFAB_LETTER_RELAY]; i++) {
		mcfab_breathe(i + 1);
		mcfab_node_await(e, s, mail->letter[MCFAB_LETTER_RELAY][i]);
	}
	mail->count[MCFAB_LETTER_RELAY] = 0;
}

/**
 * mcfab_flights_grant() - the grant phase of a shard, where headers fly ahead
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: grant phase.
 */
void mcfab_flights_grant(struct mcfab_engine *e, struct mcfab_shard *s)
{
	const struct mcfab_day *day = mcfab_calendar_open(&s->events, e->cycle);
	u32 nr, done = 0;

	if (mcfab_flights_mail(s))
		read_mail(e, s);
	if (s->over.head != MCFAB_NONE)
		bury(e, s);
	if ((s->ended.head & s->relays.head) != MCFAB_NONE)
		mcfab_nodes_wake(e, s);
	if (day->first[MCFAB_EVENT_WAKE] != MCFAB_NONE)
		mcfab_flights_free(e, s);
	while ((nr = mcfab_agenda_take(&s->agenda, e->cycle)) != MCFAB_NONE) {
		mcfab_breathe(++done);
		mcfab_flights_step(e, s, nr);
	}
	if (day->first[MCFAB_EVENT_ASK] != MCFAB_NONE)
		mcfab_flights_ask(e, s);
	if (s->ntouched)
		mcfab_flights_consume(e, s);
}

/**
 * mcfab_flights_next() - earliest cycle with anything to do
 * @e: engine with MCFAB_ENG_FLIGHTS
 * @s: the shard
 *
 * Context: end of the move phase.
 * Return: the cycle, U64_MAX: none.
 */
u64 mcfab_flights_next(const struct mcfab_engine *e, const struct mcfab_shard *s)
{
	if (mcfab_calendar_soon(&s->events, e->cycle) || mcfab_flights_mail(s))
		return e->cycle + 1;
	return mcfab_next_delivery(e, s, min(s->agenda.next,
					     mcfab_calendar_next(&s->events, e->cycle)));
}
