// SPDX-License-Identifier: GPL-2.0
/*
 * The timers of the nodes' events, against an array that is searched: the same next cycle after
 * every change, and every event taken in its cycle, wherever it was moved from and to.
 */
#include "engine/lib/timers.h"
#include "base/random.h"

#include "lib/check.h"
#include "lib/tap.h"

#define NODES	300

static u64 when[NODES];

static u64 word(u64 index)
{
	return mcfab_random(5, 0, MCFAB_STREAM_DEST, index);
}

static u64 first_of_all(void)
{
	u64 first = U64_MAX;
	u32 i;

	for (i = 0; i < NODES; i++)
		first = min(first, when[i]);
	return first;
}

/* @bits: most of a distance */
static void try_timers(u64 seed, u64 now, u32 bits)
{
	struct mcfab_timer event[NODES] = { 0 };
	u32 lists[MCFAB_TIMERS_LISTS];
	struct mcfab_timers timers = { .timer = event, .first = lists }, *a = &timers;
	u64 n, x, taken = 0;
	u32 i, node, k;

	for (i = 0; i < NODES; i++)
		when[i] = U64_MAX;
	mcfab_timers_init(a);
	check(a->next == U64_MAX, "empty");
	for (n = 0; n < 20000; n++) {
		for (k = 0; k < word(seed + 8 * n) % 3; k++) {
			x = word(seed + 8 * n + 1 + k);
			i = x % NODES;
			x >>= 16;
			when[i] = x % 13 ? now + (x & (BIT_ULL(x % bits) - 1)) : U64_MAX;
			mcfab_timers_set(a, i, when[i]);
			check(a->next == first_of_all(), "the next one");
		}
		x = word(seed + 8 * n + 6);
		/* the cycle after this one, or that of the next event */
		now = x % 2 && a->next != U64_MAX ? max(now, a->next) : now + (a->next > now);
		while ((node = mcfab_timers_take(a, now)) != MCFAB_NONE) {
			check(node < NODES && when[node] == now, "in its cycle");
			when[node] = U64_MAX;
			taken++;
			/* most have another one, now and then in the same cycle */
			x = word(seed + taken);
			if (x % 8)
				when[node] = now + (x >> 8 & (BIT_ULL(x % bits) - 1));
			mcfab_timers_set(a, node, when[node]);
			check(a->next == first_of_all(), "the next one, after one was taken");
		}
		check(first_of_all() > now, "nothing is left");
	}
	check(taken > 3000, "something was taken");
}

static void test_timers(void **state)
{
	try_timers(1000000, 1, 4);
	try_timers(2000000, 1, 8);
	try_timers(3000000, 4000, 12);
	try_timers(4000000, (1ULL << 36) - 100, 20);
	try_timers(5000000, 77, 46);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers),
	};

	return run_tap(tests);
}
