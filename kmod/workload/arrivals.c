// SPDX-License-Identifier: GPL-2.0
/* A log of the messages that came from outside. Its memory is taken when the run begins. */
#include "base/memory.h"
#include "workload/arrivals.h"
#include "workload/outside.h"

/**
 * mcfab_arrivals_new() - make an empty log
 * @msgs: room for messages, at least 1
 * @dsts: room for their destinations in all, at least 1
 *
 * Context: may sleep.
 * Return: the log, or NULL.
 */
struct mcfab_arrivals *mcfab_arrivals_new(u32 msgs, u32 dsts)
{
	struct mcfab_arrivals *log = mcfab_memory_zalloc(1, sizeof(*log));

	if (!log)
		return NULL;
	kref_init(&log->ref);
	log->most_msgs = msgs;
	log->most_dst = dsts;
	log->list.cycle = mcfab_memory_alloc(msgs, sizeof(*log->list.cycle));
	log->list.source = mcfab_memory_alloc(msgs, sizeof(*log->list.source));
	log->list.flits = mcfab_memory_alloc(msgs, sizeof(*log->list.flits));
	log->list.first = mcfab_memory_alloc(msgs + 1ULL, sizeof(*log->list.first));
	log->list.dst = mcfab_memory_alloc(dsts, sizeof(*log->list.dst));
	if (log->list.cycle && log->list.source && log->list.flits && log->list.first &&
	    log->list.dst) {
		log->list.first[0] = 0;
		return log;
	}
	mcfab_arrivals_put(log);
	return NULL;
}

static void release(struct kref *ref)
{
	struct mcfab_arrivals *log = container_of(ref, struct mcfab_arrivals, ref);

	mcfab_memory_free(log->list.cycle);
	mcfab_memory_free(log->list.source);
	mcfab_memory_free(log->list.flits);
	mcfab_memory_free(log->list.first);
	mcfab_memory_free(log->list.dst);
	mcfab_memory_free(log);
}

/**
 * mcfab_arrivals_put() - let go of a log
 * @log: the log, or NULL
 *
 * Context: may sleep.
 */
void mcfab_arrivals_put(struct mcfab_arrivals *log)
{
	if (log)
		kref_put(&log->ref, release);
}

/**
 * mcfab_arrivals_add() - write a message into a log
 * @log: the log
 * @source: source of the message
 * @offer: the message, accepted
 *
 * After the first message for which there is no room none is written: the log is the run up to
 * there.
 *
 * Context: boundary.
 */
void mcfab_arrivals_add(struct mcfab_arrivals *log, u32 source, const struct mcfab_offer *offer)
{
	struct mcfab_msg_list *list = &log->list;
	u32 nr = list->nmsgs;

	if (log->missed || nr == log->most_msgs || offer->ndst > log->most_dst - list->ndst) {
		log->missed++;
		return;
	}
	list->cycle[nr] = offer->cycle;
	list->source[nr] = source;
	list->flits[nr] = offer->flits;
	mcfab_offer_dests(offer, source, list->dst + list->ndst);
	list->ndst += offer->ndst;
	list->first[nr + 1] = list->ndst;
	mcfab_list_note_flits(list, offer->flits);
	/* pairs with mcfab_arrivals_count() */
	smp_store_release(&list->nmsgs, nr + 1);
}
