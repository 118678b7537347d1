// SPDX-License-Identifier: GPL-2.0
/* Random tables of a subnet: whatever they say, runs end, and everything is accounted for. */
#include <stdio.h>
#include <stdlib.h>
#include "lib/random_case.h"
#include "lib/subnet_run.h"

#include "lib/tap.h"

/* random tables: whatever they say the run ends, and everything is accounted for */
static void test_garbage(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 100 : 2000, done = 0, deadlocked = 0, i, k;
	u64 rnd = 17, drops = 0;

	for (i = 0; i < rounds; i++) {
		struct table_entry entry[8];
		struct traffic t = {
			.m = pick(&rnd, 2, 4), .n = pick(&rnd, 2, 4), .vcs = pick(&rnd, 1, 2),
			.buffer_packets = pick(&rnd, 1, 3), .flits = pick(&rnd, 1, 24),
			.policy = "table", .set = one_in(&rnd, 2) ? "copies=source" : "",
			.entry = entry, .nentries = 8,
		};
		u32 nodes = t.m * t.n;

		if (t.vcs == 1 && one_in(&rnd, 2)) {
			t.drained = true;
			t.consume = pick(&rnd, 0, 1);
			t.lockstep = one_in(&rnd, 2);
		}
		if (one_in(&rnd, 3))
			t.mtu = t.flits / 3;
		/* whole packets are of one length, others move by heads and tails */
		if (t.mtu && !t.drained)
			t.flits -= t.flits % t.mtu;
		for (k = 0; k < 8; k++) {
			entry[k] = (struct table_entry){ MCFAB_TABLE_KIND_LFT, pick(&rnd, 0, nodes - 1),
						   pick(&rnd, 0, nodes - 1) };
			/* a port that is there, or none */
			do {
				u32 x = entry[k].sw % t.m, y = entry[k].sw / t.m;
				u32 port = pick(&rnd, 1, 6);

				if ((port == MCFAB_TO_EAST && x + 1 == t.m) || (port == MCFAB_TO_WEST && !x) ||
				    (port == MCFAB_TO_NORTH && y + 1 == t.n) || (port == MCFAB_TO_SOUTH && !y))
					continue;
				entry[k].port[0] = port == 6 ? 255 : port;
			} while (!entry[k].port[0]);
		}
		for (t.nmsgs = 0; t.nmsgs < ARRAY_SIZE(t.source); t.nmsgs++) {
			t.source[t.nmsgs] = pick(&rnd, 0, nodes - 1);
			t.dst[t.nmsgs] = (t.source[t.nmsgs] + pick(&rnd, 1, nodes - 1)) % nodes;
		}
		if (one_in(&rnd, 2))
			t.rules.ingress = MCFAB_INGRESS_MODE_ALLOW;
		run_both(&t);
		assert_true(run_end.state == MCFAB_RUN_STATUS_DONE || run_end.state == MCFAB_RUN_STATUS_DEADLOCKED);
		if (one_in(&rnd, 2)) {
			struct outcome usual = run_end;

			/* other numbers of the ports, the same traffic */
			for (k = 0; k < MCFAB_MESH_PORTS; k++)
				t.rules.port[k] = k + 1;
			for (k = MCFAB_MESH_PORTS - 1; k; k--) {
				u32 other = pick(&rnd, 0, k);

				swap(t.rules.port[k], t.rules.port[other]);
			}
			run_both(&t);
			assert_int_equal(usual.hash, run_end.hash);
			assert_memory_equal(usual.progress.drops, run_end.progress.drops,
					    sizeof(usual.progress.drops));
		}
		done += run_end.state == MCFAB_RUN_STATUS_DONE;
		deadlocked += run_end.state == MCFAB_RUN_STATUS_DEADLOCKED;
		for (k = 1; k <= MCFAB_DROPS; k++)
			drops += run_end.progress.drops[k];
	}
	printf("# %u runs done, %u deadlocked, %llu copies dropped\n", done, deadlocked,
	       (unsigned long long)drops);
	assert_true(done && drops);
}

/* the same of what is sent to a group: copies come in circles, or twice to one switch */
static void test_garbage_group(void **state)
{
	const char *groups = getenv("MCFAB_GROUPS");
	u32 rounds = groups ? atoi(groups) / 100 : 2000, done = 0, deadlocked = 0, i, k, p;
	u64 rnd = 18, drops = 0, deliveries = 0;

	for (i = 0; i < rounds; i++) {
		struct table_entry entry[16];
		struct traffic t = {
			.m = pick(&rnd, 2, 4), .n = pick(&rnd, 2, 4), .vcs = 1,
			.drained = true, .consume = pick(&rnd, 0, 1),
			.lockstep = one_in(&rnd, 2), .flits = pick(&rnd, 1, 24),
			.policy = "table", .set = "", .entry = entry, .nmembers = 3,
		};
		u32 nodes = t.m * t.n;

		if (one_in(&rnd, 2))
			t.mtu = pick(&rnd, 1, t.flits);
		t.source[0] = pick(&rnd, 0, nodes - 1);
		for (k = 0; k < t.nmembers; k++)
			t.member[k] = (t.source[0] + 1 + k) % nodes;
		for (k = 0; k < nodes; k++) {
			u32 x = k % t.m, y = k / t.m, n = 0;

			entry[k] = (struct table_entry){ MCFAB_TABLE_KIND_MFT, k, 0 };
			for (p = 1; p <= 5 && n < 4; p++) {
				if ((p == MCFAB_TO_EAST && x + 1 == t.m) || (p == MCFAB_TO_WEST && !x) ||
				    (p == MCFAB_TO_NORTH && y + 1 == t.n) || (p == MCFAB_TO_SOUTH && !y))
					continue;
				if (one_in(&rnd, p == 5 ? 2 : 3))
					entry[k].port[n++] = p;
			}
			t.nentries++;
		}
		if (one_in(&rnd, 4))
			t.rules.ingress = MCFAB_INGRESS_MODE_ALLOW;
		run_both(&t);
		deliveries += run_seen.ndlv;
		done += run_end.state == MCFAB_RUN_STATUS_DONE;
		deadlocked += run_end.state == MCFAB_RUN_STATUS_DEADLOCKED;
		for (k = 1; k <= MCFAB_DROPS; k++)
			drops += run_end.progress.drops[k];
	}
	printf("# %u runs to groups done, %u deadlocked, %llu deliveries, %llu copies dropped\n", done,
	       deadlocked, (unsigned long long)deliveries, (unsigned long long)drops);
	assert_true(done && drops);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_garbage_group),
	};

	return run_tap(tests);
}
