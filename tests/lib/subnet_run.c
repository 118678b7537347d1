// SPDX-License-Identifier: GPL-2.0
/* See lib/subnet_run.h. */
#include <stdlib.h>

#include "fabric/runner.h"
#include "lib/random_case.h"
#include "lib/subnet_run.h"

#include "lib/tap.h"

struct capture run_seen;
struct outcome run_end;

static void set_tables(struct mcfab_fabric *f, const struct traffic *t, u32 mlid)
{
	struct mcfab_err err = { 0 };
	u32 i;

	for (i = 0; i < t->nentries; i++) {
		const struct table_entry *from = &t->entry[i];
		u8 port[ARRAY_SIZE(from->port)];
		struct mcfab_entry entry = { .kind = from->kind, .sw = from->sw, .port = port };

		entry.lid = from->kind == MCFAB_TABLE_KIND_MFT ? mlid : f->subnet->host_lid[from->lid];
		while (entry.nports < ARRAY_SIZE(port) && from->port[entry.nports]) {
			u32 usual = from->port[entry.nports];

			port[entry.nports++] = t->rules.port[0] && usual <= MCFAB_MESH_PORTS ?
				t->rules.port[usual - 1] : usual;
		}
		if (mcfab_table_set(f->subnet, &entry, 1, &err))
			fail_msg("entry %u: %s", i, err.msg);
	}
}

void traffic_run(const struct traffic *t, enum mcfab_advance_mode advance)
{
	struct mcfab_fabric_cfg fc;
	struct mcfab_run_cfg rc;
	struct mcfab_err err = { 0 };
	struct mcfab_msg_list *list = NULL;
	struct mcfab_group *group;
	struct mcfab_fabric *f;
	u32 mlid = 0, i;

	mcfab_fabric_defaults_lid(&fc);
	strcpy(fc.name, "f");
	strcpy(fc.topology, "mesh");
	fc.ndims = 2;
	fc.radix[0] = t->m;
	fc.radix[1] = t->n;
	fc.vcs = t->vcs ?: 1;
	fc.buffer_packets = t->buffer_packets ?: 1;
	if (t->drained) {
		fc.vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
		fc.consume = t->consume;
	}
	if (t->lockstep)
		fc.replication = MCFAB_REPLICATION_MODE_LOCKSTEP;
	fc.rules = t->rules;
	if (t->node_bandwidth)
		fc.node_bandwidth = t->node_bandwidth;
	mcfab_run_defaults(&rc);
	strcpy(rc.policy, t->policy);
	set_params(&rc, t->set);
	rc.flits = t->flits ?: 64;
	rc.mtu = t->mtu;
	rc.advance = advance;
	rc.max_cycles = 1000000;
	f = mcfab_fabric_create(&fc, &err);
	assert_false(IS_ERR(f));

	if (t->nmembers) {
		u32 member[8];

		memcpy(member, t->member, sizeof(member));
		group = mcfab_group_new(f->subnet, "g", member, t->nmembers, 0, &err);
		assert_false(IS_ERR(group));
		assert_int_equal(mcfab_group_assign(f->subnet, group, t->source[0], &err), 0);
		mlid = mcfab_group_lid(group, t->source[0]);
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_BURST;
		rc.workload.source = t->source[0];
		strcpy(rc.workload.group, "g");
		rc.workload.subnet = f->subnet;
	} else {
		list = list_new(t->nmsgs, t->nmsgs);
		for (i = 0; i < t->nmsgs; i++) {
			list->source[i] = t->source[i];
			list->dst[i] = t->dst[i];
			list->first[i + 1] = i + 1;
		}
		rc.workload.kind = MCFAB_WORKLOAD_TYPE_FILE;
		rc.workload.list = list;
	}
	set_tables(f, t, mlid);
	capture_free(&run_seen);
	capture = &run_seen;
	if (mcfab_run_start(f, &rc, &err))
		fail_msg("%s", err.msg);
	mcfab_runner_wait(f);
	capture = NULL;
	run_end.state = f->results.progress.state;
	run_end.hash = f->results.progress.hash;
	run_end.progress = f->results.progress;
	run_end.deadlock = f->results.deadlock;
	run_end.bad = f->results.stats.bad_parts + f->results.stats.bad_messages;
	assert_int_equal(run_end.bad, 0);
	mcfab_fabric_destroy(f);
	if (list)
		list_free(list);
}

void run_both(const struct traffic *t)
{
	struct mcfab_progress flit;
	u32 worms;

	traffic_run(t, MCFAB_ADVANCE_MODE_FLIT);
	flit = run_end.progress;
	worms = run_end.deadlock.worms;
	traffic_run(t, MCFAB_ADVANCE_MODE_WORM);
	assert_int_equal(flit.state, run_end.state);
	assert_int_equal(flit.hash, run_end.hash);
	assert_int_equal(flit.cycle, run_end.progress.cycle);
	assert_int_equal(flit.flit_hops, run_end.progress.flit_hops);
	assert_memory_equal(flit.drops, run_end.progress.drops, sizeof(flit.drops));
	assert_int_equal(worms, run_end.deadlock.worms);
}

void run_dropped(enum mcfab_drop reason, u64 count)
{
	u32 i;

	for (i = 1; i <= MCFAB_DROPS; i++)
		if (run_end.progress.drops[i] != (i == reason ? count : 0))
			fail_msg("%llu copies dropped for reason %u",
				 (unsigned long long)run_end.progress.drops[i], i);
}
