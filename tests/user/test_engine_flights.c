// SPDX-License-Identifier: GPL-2.0
/*
 * Headers that fly ahead, where things are not as they should be: policies that say they are
 * oblivious and are not, or promise too much. Runs end as failed, and nothing is written
 * elsewhere. That flights are what the same headers do cycle by cycle is for test_engine_worm.
 */
#include <stdio.h>
#include <string.h>
#include "fabric/runner.h"
#include "engine/engine.h"
#include "lib/capture.h"
#include "routing/dimension.h"
#include "routing/routing.h"

#include "lib/tap.h"

/* what is wrong with the policy */
enum fault {
	NONE,
	NO_WAY,		/* it has no output for a header */
	TWO_PORTS,	/* it chooses between two */
	TWO_BRANCHES,	/* it splits */
	NO_PORT,	/* a port that no router has */
	EDGE,		/* one that this router does not have */
	TOO_FAR,	/* its run goes on off the edge of the mesh */
};

static enum fault fault;
static u32 asked;

static void prepare(const struct mcfab_view *view, const void *priv, u32 source, u32 *dst,
		    u32 ndst, struct mcfab_plan *plan, void *scratch)
{
	u32 i;

	for (i = 0; i < ndst; i++) {
		mcfab_plan_worm(plan, source, MCFAB_NONE, MCFAB_PORT_ANY, 0);
		mcfab_plan_dst(plan, dst[i]);
	}
}

static void route(const struct mcfab_view *view, const void *priv, const struct mcfab_header *hdr,
		  struct mcfab_decision *out)
{
	struct mcfab_branch *b = out->branch;

	mcfab_route_dimension(view, hdr, out);
	/* the plan's dry walk is content, and most messages are well under way */
	if (++asked < 4000 || b->node != MCFAB_NONE)
		return;
	switch (fault) {
	case NONE:
		break;
	case NO_WAY:
		out->nbranches = 0;
		break;
	case TWO_PORTS:
		b->nports = 2;
		b->port[1] = b->port[0] ^ 1;
		b->vcs[1] = 1;
		break;
	case TWO_BRANCHES:
		out->nbranches = 2;
		b[1] = b[0];
		b[1].port[0] ^= 1;
		break;
	case NO_PORT:
		b->port[0] = 40;
		break;
	case EDGE:
		if (hdr->router % 8 == 7)
			b->port[0] = 0;
		break;
	case TOO_FAR:
		out->straight += 8;
		out->ends = false;
		break;
	}
}

static struct mcfab_policy_ops crooked = {
	.name		= "test-crooked",
	.title		= "dimension order for a while",
	.flags		= MCFAB_POLICY_MESH | MCFAB_POLICY_SINGLE | MCFAB_POLICY_OBLIVIOUS,
	.prepare	= prepare,
	.route		= route,
};

static void test_crooked(void **state)
{
	/* what follows the message and the worm, which are the first to come to the fault */
	static const char *const why[] = {
		[NO_WAY] = "no way leads on to it",
		[TWO_PORTS] = "an oblivious policy has one way to it",
		[TWO_BRANCHES] = "it is delivered twice",
		[NO_PORT] = "the way to it has no channel",
		[EDGE] = "the way to it has no channel",
		[TOO_FAR] = "the way to it has no channel",
	};
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct outcome out;

	mcfab_policy_register(&crooked);
	for (fault = NONE; fault < ARRAY_SIZE(why); fault++) {
		mcfab_fabric_defaults(&fc);
		strcpy(fc.name, "f");
		strcpy(fc.topology, "mesh");
		fc.ndims = 2;
		fc.radix[0] = 8;
		fc.radix[1] = 8;
		mcfab_run_defaults(&rc);
		strcpy(rc.policy, "test-crooked");
		rc.flits = 16;
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_POISSON;
		rc.workload.rate = 2000000;
		rc.workload.dests = 1;
		rc.warmup = 0;
		rc.batch_cycles = 1000;
		rc.max_cycles = 100000;
		asked = 0;
		run_engine(&fc, &rc, false, &out);
		assert_true(out.flights);
		if (fault == NONE) {
			assert_int_not_equal(out.state, MCFAB_RUN_STATUS_FAILED);
			continue;
		}
		if (out.state != MCFAB_RUN_STATUS_FAILED || !strstr(out.progress.why, why[fault]))
			fail_msg("fault %u: state %u, %s", fault, out.state, out.progress.why);
	}
	mcfab_policy_unregister(&crooked);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crooked),
	};

	return run_tap(tests);
}
