// SPDX-License-Identifier: GPL-2.0
/*
 * InfiniBand subnets: LIDs, forwarding tables against paths, groups, what users set; the
 * union paper's worked example and its argument against unions of other routings.
 */

#include "lib/subnet.h"

#include "lib/tap.h"

static void test_lids(void **state)
{
	static const u32 shape[][2] = { { 5, 5 }, { 3, 2 }, { 2, 3 }, { 1, 7 }, { 7, 1 }, { 16, 4 } };
	u32 i, node, lid;

	for (i = 0; i < ARRAY_SIZE(shape); i++) {
		u32 m = shape[i][0], n = shape[i][1], owners = 0;
		struct fixture f;

		sn_setup(&f, m, n);
		assert_int_equal(f.sn->lids, 2 * m * n + 1);
		for (node = 0; node < m * n; node++) {
			u32 x = node % m, y = node / m;

			assert_int_equal(f.sn->host_lid[node], x * n + y + 1);
			assert_int_equal(f.sn->switch_lid[node], m * n + x * n + y + 1);
			assert_int_equal(sn_by_lid(&f, f.sn->host_lid[node]), node);
			assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->switch_lid[node]), node);
			assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->host_lid[node]), MCFAB_NONE);
		}
		for (lid = 0; lid < f.sn->lids; lid++)
			owners += f.sn->owner[lid] != MCFAB_NONE;
		assert_int_equal(owners, 2 * m * n);
		assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->lids), MCFAB_NONE);
		sn_teardown(&f);
	}
}

static const struct mcfab_subnet_rules plain;

static void test_refused(void **state)
{
	static const u32 cube[] = { 3, 3, 3 }, big[] = { 200, 200 };
	struct mcfab_err err;
	struct net net;

	net_init(&net, 3, cube);
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&net.topo, &plain, 4, &err)), -EOPNOTSUPP);
	assert_string_equal(err.msg,
			    "LIDs are for meshes of two dimensions and irregular topologies");
	net_exit(&net);
	net_init(&net, 2, big);
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&net.topo, &plain, 4, &err)), -EOPNOTSUPP);
	assert_string_equal(err.msg,
			    "hosts and switches have 80000 LIDs, more than the 49151 unicast LIDs");
	net_exit(&net);
}

/* follow the LFT of one LID; returns the host it ends at, counts switches */
static u32 follow(struct fixture *f, u32 sw, u32 lid, u32 *hops)
{
	u32 end;

	for (*hops = 0;; ++*hops) {
		assert_true(*hops <= f->m + f->n);
		end = mcfab_subnet_end(f->sn, sw, mcfab_lft_port(f->sn, sw, lid));
		if (end == MCFAB_END_SELF)
			return sw | MCFAB_END_HOST;
		if (!mcfab_end_network(end))
			return mcfab_end_host(end);
		sw = mcfab_topo_neighbour(&f->net.topo, sw, end);
	}
}

/* numbers of ports that the user wants: the same ways, the same lanes, other numbers */
static void test_port_numbers(void **state)
{
	static const struct mcfab_subnet_rules rules = { .port = { 3, 5, 1, 2, 4 } };
	static const struct {
		u32 port[MCFAB_MESH_PORTS];
		const char *why;
	} bad[] = {
		{ { 1, 2, 3, 4, 4 }, "port 4 is given twice" },
		{ { 2, 2, 3, 4, 5 }, "port 2 is given twice" },
		{ { 1, 2, 6, 4, 5 }, "port 6 is not in 1 to 5" },
		{ { 1, 2, 3, 0, 5 }, "port 0 is not in 1 to 5" },
		{ { 1, U32_MAX, 3, 4, 5 }, "port 4294967295 is not in 1 to 5" },
	};
	static const u32 radix[] = { 3, 3 };
	struct mcfab_subnet_rules wrong = {};
	struct fixture f, usual;
	u32 sw, lid, port, hops, node, i;
	struct mcfab_err err;
	struct net net;

	sn_setup_rules(&f, 4, 3, &rules);
	sn_setup(&usual, 4, 3);
	assert_int_equal(f.sn->ports, 6);
	for (sw = 0; sw < 12; sw++) {
		assert_int_equal(mcfab_host_port(f.sn, sw), 4);
		assert_int_equal(mcfab_subnet_end(f.sn, sw, 0), MCFAB_END_SELF);
		for (i = 0; i < MCFAB_MESH_PORTS; i++) {
			port = rules.port[i];
			assert_int_equal(mcfab_subnet_end(f.sn, sw, port),
					 mcfab_subnet_end(usual.sn, sw, i + 1));
			assert_int_equal(f.sn->direction[6 * sw + port],
					 usual.sn->direction[6 * sw + i + 1]);
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANE_MODE_DEDICATED, sw, port,
						       9),
					 mcfab_lane_vl(usual.sn, 4, MCFAB_LANE_MODE_DEDICATED, sw,
						       i + 1, 9));
		}
		for (lid = 1; lid < f.sn->lids; lid++) {
			port = mcfab_lft_port(usual.sn, sw, lid);
			assert_int_equal(mcfab_lft_port(f.sn, sw, lid),
					 port ? rules.port[port - 1] : 0);
		}
		for (node = 0; node < 12; node++)
			assert_int_equal(follow(&f, sw, f.sn->host_lid[node], &hops), node);
	}
	assert_int_equal(sn_check(&f), 0);
	sn_teardown(&usual);
	sn_teardown(&f);

	net_init(&net, 2, radix);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		memcpy(wrong.port, bad[i].port, sizeof(wrong.port));
		assert_int_equal(PTR_ERR(mcfab_subnet_create(&net.topo, &wrong, 4, &err)), -EINVAL);
		assert_string_equal(err.msg, bad[i].why);
		assert_int_equal(err.what, MCFAB_OPTION_FABRIC_PORT_NUMBERS);
	}
	net_exit(&net);
}

static void test_lft(void **state)
{
	struct fixture f;
	u32 sw, node, hops;

	sn_setup(&f, 4, 3);
	for (sw = 0; sw < 12; sw++)
		for (node = 0; node < 12; node++) {
			assert_int_equal(follow(&f, sw, f.sn->host_lid[node], &hops), node);
			assert_int_equal(hops, mcfab_distance(&f.net.topo, sw, node));
			assert_int_equal(follow(&f, sw, f.sn->switch_lid[node], &hops),
					 node | MCFAB_END_HOST);
		}
	/* x first */
	assert_int_equal(mcfab_lft_port(f.sn, sn_at(&f, 0, 0), f.sn->host_lid[sn_at(&f, 2, 2)]), EAST);
	assert_int_equal(mcfab_lft_port(f.sn, sn_at(&f, 2, 0), f.sn->host_lid[sn_at(&f, 2, 2)]), NORTH);
	assert_int_equal(mcfab_lft_port(f.sn, sn_at(&f, 3, 2), f.sn->host_lid[sn_at(&f, 2, 0)]), WEST);
	assert_int_equal(mcfab_lft_port(f.sn, sn_at(&f, 2, 2), f.sn->host_lid[sn_at(&f, 2, 0)]), SOUTH);
	sn_teardown(&f);
}

/* the union paper's example: source N(2,2), members by LID */
static void test_worked_example(void **state)
{
	static const u32 lid[] = { 4, 5, 19, 21, 23 };
	struct mcfab_group *group;
	struct mcfab_mft *mft;
	struct fixture f;
	u64 expect[25] = { 0 };
	u32 member[5], i;

	sn_setup(&f, 5, 5);
	for (i = 0; i < 5; i++)
		member[i] = sn_by_lid(&f, lid[i]);
	assert_int_equal(member[0], sn_at(&f, 0, 3));
	assert_int_equal(member[3], sn_at(&f, 4, 0));
	group = sn_group(&f, "g", member, 5);
	assert_int_equal(f.sn->host_lid[sn_at(&f, 2, 2)], 13);
	mft = sn_mft(&f, group, sn_at(&f, 2, 2));
	assert_int_equal(mcfab_group_lid(group, sn_at(&f, 2, 2)), 0xc000);
	expect[sn_at(&f, 2, 2)] = PORTS(EAST, WEST);
	expect[sn_at(&f, 1, 2)] = PORTS(WEST);
	expect[sn_at(&f, 0, 2)] = PORTS(NORTH);
	expect[sn_at(&f, 0, 3)] = PORTS(NORTH, HOST);
	expect[sn_at(&f, 3, 2)] = PORTS(EAST, NORTH);
	expect[sn_at(&f, 4, 2)] = PORTS(SOUTH, HOST);
	expect[sn_at(&f, 4, 1)] = PORTS(SOUTH);
	/* and where the last members are */
	expect[sn_at(&f, 0, 4)] = PORTS(HOST);
	expect[sn_at(&f, 3, 3)] = PORTS(HOST);
	expect[sn_at(&f, 4, 0)] = PORTS(HOST);
	for (i = 0; i < 25; i++)
		assert_int_equal(sn_row(mft, i), expect[i]);
	sn_teardown(&f);
}

/* copies that hosts get of a packet of @source that switches treat by @mft */
static void send(struct fixture *f, const struct mcfab_mft *mft, u32 sw, u32 in, u32 *copies,
		 u64 *used, u32 depth)
{
	u32 port;

	assert_true(depth <= f->m + f->n);
	for (port = 1; port <= HOST; port++) {
		u32 end = mcfab_subnet_end(f->sn, sw, port), peer;

		if (!(sn_row(mft, sw) & BIT(port)) || port == in)
			continue;
		used[sw] |= BIT(port);
		if (!mcfab_end_network(end)) {
			copies[mcfab_end_host(end)]++;
			continue;
		}
		peer = f->net.topo.peer[mcfab_topo_channel(&f->net.topo, sw, end)];
		send(f, mft, peer / f->net.topo.ports, f->sn->number[peer], copies, used, depth + 1);
	}
}

static void xy_union(struct fixture *f, u32 source, u32 member, u64 *used)
{
	u32 x = source % f->m, y = source / f->m;
	u32 tx = member % f->m, ty = member / f->m;

	while (x != tx) {
		used[sn_at(f, x, y)] |= BIT(x < tx ? EAST : WEST);
		x += x < tx ? 1 : -1;
	}
	while (y != ty) {
		used[sn_at(f, x, y)] |= BIT(y < ty ? NORTH : SOUTH);
		y += y < ty ? 1 : -1;
	}
	used[member] |= BIT(HOST);
}

/* every (source, group): tables against paths, and the policy's walk over them */
static void every_group(u32 m, u32 n)
{
	u32 nodes = m * n, mask, source, i, ndst, count;
	struct mcfab_prediction cost;
	struct mcfab_timing timing = { .flits = 32, .link_delay = 1, .consume_delay = 1 };
	u32 member[9], dst[9], node[9];
	u64 arrival[9];
	struct multicast mc;
	struct fixture f;

	sn_setup(&f, m, n);
	multicast_init(&mc, &f.net, "xy-union", NULL, nodes);
	for (mask = 1; mask < 1u << nodes; mask++) {
		struct mcfab_group *group;

		for (i = 0, count = 0; i < nodes; i++)
			if (mask & BIT(i))
				member[count++] = i;
		group = sn_group(&f, "g", member, count);
		for (source = 0; source < nodes; source++) {
			struct mcfab_mft *mft = sn_mft(&f, group, source);
			u32 copies[9] = { 0 }, once = 0;
			u64 used[9] = { 0 }, expect[9] = { 0 };

			ndst = mcfab_group_dests(group, source, dst);
			for (i = 0; i < ndst; i++)
				xy_union(&f, source, dst[i], expect);
			send(&f, mft, source, HOST, copies, used, 0);
			for (i = 0; i < nodes; i++) {
				assert_int_equal(copies[i], i != source && mask & BIT(i) ? 1 : 0);
				assert_int_equal(used[i], expect[i]);
				assert_int_equal(sn_row(mft, i), expect[i]);
			}
			if (!ndst)
				continue;
			mc.plan.group = mcfab_group_place(f.sn, group->id);
			multicast_plan(&mc, source, dst, ndst);
			assert_int_equal(mc.plan.nworms, 1);
			assert_int_equal(mc.plan.worm[0].arg, mcfab_group_lid(group, source));
			cost = (struct mcfab_prediction){ .node = node, .arrival = arrival };
			assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
			assert_int_equal(cost.ndst, ndst);
			assert_int_equal(cost.lost + cost.drops + cost.strays + cost.duplicates, 0);
			for (i = 0; i < ndst; i++) {
				once |= BIT(node[i]);
				assert_int_equal(arrival[i], 32 +
						 mcfab_distance(&f.net.topo, source, node[i]));
			}
			assert_int_equal(once, mask & ~BIT(source));
			/* without a group, by the union of unicast LIDs: the same */
			mc.plan.group = MCFAB_NONE;
			multicast_plan(&mc, source, dst, ndst);
			assert_int_equal(mc.plan.worm[0].arg, 0);
			count = cost.traffic;
			assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
			assert_int_equal(cost.traffic, count);
			assert_int_equal(cost.ndst, ndst);
		}
		mcfab_group_del(f.sn, group);
	}
	multicast_exit(&mc);
	sn_teardown(&f);
}

static void test_every_group(void **state)
{
	every_group(3, 3);
	every_group(2, 3);
	every_group(3, 2);
}

/*
 * Why XY: the union of negative-first paths from N(1,1), one by (1,2), one by (2,1), meets
 * at N(3,2), which gets two copies. The union of XY paths is a tree.
 */
static void test_negative_first(void **state)
{
	struct mcfab_timing timing = { .flits = 32, .link_delay = 1, .consume_delay = 1 };
	struct mcfab_prediction cost;
	struct mcfab_group *group;
	u32 member[3], dst[3], node[3], lid;
	u64 arrival[3];
	struct multicast mc;
	struct fixture f;

	sn_setup(&f, 4, 4);
	member[0] = sn_at(&f, 2, 2);
	member[1] = sn_at(&f, 3, 2);
	member[2] = sn_at(&f, 3, 3);
	group = sn_group(&f, "g", member, 3);
	sn_mft(&f, group, sn_at(&f, 1, 1));
	lid = mcfab_group_lid(group, sn_at(&f, 1, 1));
	assert_int_equal(sn_check(&f), 0);

	/* (1,1) > (1,2) > (2,2); (1,1) > (1,2) > (2,2) > (3,2) > (3,3) */
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 1, 1), PORTS(NORTH, EAST)), 0);
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 1, 2), PORTS(EAST)), 0);
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 2, 2), PORTS(HOST, EAST)), 0);
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 3, 2), PORTS(HOST, NORTH)), 0);
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 3, 3), PORTS(HOST)), 0);
	/* (1,1) > (2,1) > (3,1) > (3,2) */
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 2, 1), PORTS(EAST)), 0);
	assert_int_equal(sn_set_row(&f, lid, sn_at(&f, 3, 1), PORTS(NORTH)), 0);

	assert_int_equal(sn_check(&f), 2);
	assert_int_equal(sn_found.item[0].type, MCFAB_FINDING_TYPE_DUPLICATE);
	assert_int_equal(sn_found.item[0].node + sn_found.item[1].node, sn_at(&f, 3, 2) + sn_at(&f, 3, 3));
	assert_string_equal(sn_text(0), "LID 0xc000: member 11 gets several copies from node 5");
	assert_string_equal(sn_text(1), "LID 0xc000: member 15 gets several copies from node 5");
	multicast_init(&mc, &f.net, "table", NULL, 3);
	mc.plan.group = 0;
	memcpy(dst, member, sizeof(dst));
	multicast_plan(&mc, sn_at(&f, 1, 1), dst, 3);
	cost = (struct mcfab_prediction){ .node = node, .arrival = arrival };
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.ndst, 3);
	assert_int_equal(cost.duplicates, 2);
	assert_int_equal(cost.traffic, 8);
	multicast_exit(&mc);
	sn_teardown(&f);
}

static void test_exhaustion(void **state)
{
	struct mcfab_group *group;
	struct fixture f;
	u32 member[] = { 3 }, i;
	u64 bytes;
	char name[8];

	sn_setup(&f, 16, 16);
	for (i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "g%u", i);
		group = sn_group(&f, name, member, 1);
		assert_int_equal(mcfab_group_assign(f.sn, group, MCFAB_NONE, &f.err), 0);
	}
	group = sn_group(&f, "last", member, 1);
	bytes = mcfab_subnet_bytes(f.sn);
	assert_int_equal(mcfab_group_assign(f.sn, group, MCFAB_NONE, &f.err), -ENOSPC);
	assert_string_equal(f.err.msg, "256 sources need multicast LIDs, 255 are left to 0xfffe");
	assert_int_equal(mcfab_subnet_bytes(f.sn), bytes);
	for (i = 0; i < 255; i++)
		assert_int_equal(mcfab_group_assign(f.sn, group, i, &f.err), 0);
	assert_int_equal(mcfab_group_lid(group, 254), 0xfffe);
	assert_int_equal(mcfab_group_assign(f.sn, group, 255, &f.err), -ENOSPC);
	assert_int_equal(mcfab_group_lid(group, 255), 0);
	/* what a group gives back is taken again */
	mcfab_group_del(f.sn, mcfab_group_find(f.sn, "g3"));
	assert_int_equal(mcfab_group_assign(f.sn, group, 255, &f.err), 0);
	assert_int_equal(mcfab_group_lid(group, 255), 0xc000 + 3 * 256);
	sn_teardown(&f);
}

static void test_groups(void **state)
{
	u32 member[] = { 7, 2, 4 }, twice[] = { 1, 1 }, beyond[] = { 9 }, more[] = { 5, 0 };
	struct mcfab_group *group, *shared;
	struct fixture f;
	u32 dst[9];

	sn_setup(&f, 3, 3);
	group = sn_group(&f, "a", member, 3);
	assert_int_equal(group->id, 1);
	assert_int_equal(group->member[0], 2);
	assert_true(mcfab_group_has(group, 7) && !mcfab_group_has(group, 3));
	assert_int_equal(PTR_ERR(mcfab_group_new(f.sn, "a", member, 3, 0, &f.err)), -EEXIST);
	assert_string_equal(f.err.msg, "a group a exists");
	assert_int_equal(PTR_ERR(mcfab_group_new(f.sn, "b", twice, 2, 0, &f.err)), -EINVAL);
	assert_string_equal(f.err.msg, "node 1 is given twice");
	assert_int_equal(PTR_ERR(mcfab_group_new(f.sn, "b", beyond, 1, 0, &f.err)), -EINVAL);
	assert_string_equal(f.err.msg, "node 9 is not below 9");
	assert_int_equal(f.sn->ngroups, 1);

	assert_int_equal(mcfab_group_join(f.sn, group, member, 1, &f.err), -EEXIST);
	assert_string_equal(f.err.msg, "node 7 is a member of group a");
	assert_int_equal(mcfab_group_join(f.sn, group, more, 2, &f.err), 0);
	assert_int_equal(group->nmembers, 5);
	assert_int_equal(mcfab_group_dests(group, 4, dst), 4);
	assert_int_equal(mcfab_group_dests(group, 8, dst), 5);
	assert_int_equal(mcfab_group_leave(f.sn, group, member, 3, &f.err), 0);
	assert_int_equal(mcfab_group_leave(f.sn, group, member, 1, &f.err), -ENOENT);
	assert_string_equal(f.err.msg, "node 2 is no member of group a");
	assert_int_equal(group->nmembers, 2);
	assert_true(group->member[0] == 0 && group->member[1] == 5);

	sn_mft(&f, group, 8);
	assert_int_equal(mcfab_group_lid(group, 8), 0xc000);
	assert_int_equal(PTR_ERR(mcfab_group_new(f.sn, "s", member, 3, 0xc000, &f.err)), -EEXIST);
	assert_string_equal(f.err.msg, "multicast LID 0xc000 belongs to group a");
	shared = mcfab_group_new(f.sn, "s", member, 3, 0xc001, &f.err);
	assert_false(IS_ERR(shared));
	assert_int_equal(mcfab_group_lid(shared, 0), 0xc001);
	assert_int_equal(mcfab_group_assign(f.sn, shared, MCFAB_NONE, &f.err), 0);
	assert_int_equal(mcfab_group_bind(f.sn, shared, 0x01005e010203, &f.err), 0);
	assert_int_equal(mcfab_group_bind(f.sn, group, 0x01005e010203, &f.err), -EEXIST);
	assert_string_equal(f.err.msg, "address belongs to group s");
	assert_int_equal(mcfab_group_bind(f.sn, group, 0x02005e010203, &f.err), -EINVAL);
	assert_int_equal(group->addr, 0);
	/* the next one of its own is the next free one */
	sn_mft(&f, group, 0);
	assert_int_equal(mcfab_group_lid(group, 0), 0xc002);
	mcfab_group_del(f.sn, group);
	assert_null(mcfab_mft_find(f.sn, 0xc000));
	assert_non_null(mcfab_mft_find(f.sn, 0xc001));
	assert_int_equal(mcfab_group_place(f.sn, 1), MCFAB_NONE);
	assert_int_equal(mcfab_group_place(f.sn, shared->id), 0);
	sn_teardown(&f);
}

static void test_memory(void **state)
{
	u32 member[] = { 1, 2 }, i;
	struct mcfab_err err;
	long before = shim_allocated;
	struct mcfab_subnet *sn = ERR_PTR(-ENOMEM);
	struct mcfab_group *group = ERR_PTR(-ENOMEM);
	u32 radix[] = { 3, 3 };
	struct net net;

	net_init(&net, 2, radix);
	before = shim_allocated;
	for (i = 1; IS_ERR(sn); i++) {
		shim_fail_alloc = i;
		sn = mcfab_subnet_create(&net.topo, &plain, 4, &err);
		if (IS_ERR(sn))
			assert_int_equal(shim_allocated, before);
	}
	assert_true(i > 10);
	before = shim_allocated;
	for (i = 1; IS_ERR(group); i++) {
		shim_fail_alloc = i;
		group = mcfab_group_new(sn, "g", member, 2, 0, &err);
		if (IS_ERR(group))
			assert_int_equal(shim_allocated, before);
	}
	before = shim_allocated;
	for (i = 1;; i++) {
		shim_fail_alloc = i;
		if (!mcfab_group_assign(sn, group, MCFAB_NONE, &err))
			break;
		assert_int_equal(shim_allocated, before);
		assert_int_equal(group->nlids, 0);
	}
	assert_int_equal(group->nlids, 9);
	shim_fail_alloc = 0;
	mcfab_subnet_destroy(sn);
	net_exit(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lids),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_port_numbers),
		cmocka_unit_test(test_lft),
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_every_group),
		cmocka_unit_test(test_negative_first),
		cmocka_unit_test(test_exhaustion),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_memory),
	};

	return run_tap(tests);
}
