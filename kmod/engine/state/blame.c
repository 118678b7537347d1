// SPDX-License-Identifier: GPL-2.0
/*
 * A policy broke its promises: the run ends, and names the message, the worm and the node. If
 * this happens several times in one cycle, the first by message, worm and node is named, so the
 * threads have no influence.
 */
#include "engine/state/engine.h"

static int order(const struct mcfab_accused *a, const struct mcfab_accused *b)
{
	if (a->gen != b->gen)
		return a->gen < b->gen ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	if (a->blame.worm != b->blame.worm)
		return a->blame.worm < b->blame.worm ? -1 : 1;
	return a->blame.node < b->blame.node ? -1 : a->blame.node > b->blame.node;
}

/**
 * mcfab_accuse() - note that the policy broke a promise: the run ends with this cycle
 * @e: engine
 * @s: shard that runs this
 * @m: the message
 * @blame: what is wrong
 *
 * Context: any phase.
 */
void mcfab_accuse(struct mcfab_engine *e, struct mcfab_shard *s, const struct mcfab_mcast *m,
		  const struct mcfab_blame *blame)
{
	struct mcfab_accused accused = {
		.blame = *blame,
		.gen = m->gen - (e->run.lone ? e->boundary.base : 0),
		.source = m->source,
		.seq = m->seq,
	};

	s->broken = blame->what;
	if (!s->accused.blame.what || order(&accused, &s->accused) < 0)
		s->accused = accused;
}

/**
 * mcfab_accuse_header() - note that a header got no way on, or a wrong way
 * @e: engine
 * @s: shard that runs this
 * @worm: the worm
 * @first: first destination that the header still has
 * @what: what is wrong, see struct mcfab_blame
 *
 * Context: any phase.
 */
void mcfab_accuse_header(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 first,
			 const char *what)
{
	const struct mcfab_worm *w = &e->worm[worm];
	struct mcfab_blame blame;

	mcfab_blame(&blame, what, w->index, READ_ONCE(w->dst[first]) & ~(u32)MCFAB_DST_RELAY);
	mcfab_accuse(e, s, &e->mcast[w->mcast], &blame);
}

/**
 * mcfab_accuse_no_way() - note that a policy's decision on a header has no branch
 * @e: engine
 * @s: shard that runs this
 * @worm: the worm
 * @first: first destination that the header still has
 *
 * Context: any phase.
 */
void mcfab_accuse_no_way(struct mcfab_engine *e, struct mcfab_shard *s, u32 worm, u32 first)
{
	mcfab_accuse_header(e, s, worm, first, mcfab_policy_wrong(e->pol, "no way leads on to it"));
}

/**
 * mcfab_broken() - has an invariant or a promise of the policy been broken?
 * @e: engine
 * @text: room for a sentence
 * @room: bytes there
 *
 * Context: boundary.
 * Return: a sentence that says what was broken, which may be @text; NULL: nothing.
 */
const char *mcfab_broken(const struct mcfab_engine *e, char *text, size_t room)
{
	const struct mcfab_accused *first = NULL;
	const char *broken = NULL;
	size_t len;
	u32 i;

	for (i = 0; i < e->nshards; i++) {
		const struct mcfab_accused *accused = &e->shard[i].accused;

		broken = broken ?: e->shard[i].broken;
		if (accused->blame.what && (!first || order(accused, first) < 0))
			first = accused;
	}
	if (!first)
		return broken;
	len = scnprintf(text, room, "policy %s, message %u of node %u from cycle %llu: ",
			e->pol->ops->name, first->seq, first->source,
			(unsigned long long)first->gen);
	mcfab_blame_text(text + len, room - len, &first->blame);
	return text;
}
