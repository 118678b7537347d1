// SPDX-License-Identifier: GPL-2.0
/*
 * InfiniBand subnets: LIDs, forwarding tables against paths, groups, what users set and
 * load, what checks find; the union paper's worked example and its argument against unions
 * of other routings.
 */
#include "lib/net.h"
#include "subnet/subnet.h"
#include "subnet/table.h"

#include "lib/tap.h"

#define EAST	MCFAB_EAST
#define NORTH	MCFAB_NORTH
#define WEST	MCFAB_WEST
#define SOUTH	MCFAB_SOUTH
#define HOST	5

struct fixture {
	struct net net;
	struct mcfab_subnet *sn;
	struct mcfab_err err;
	u32 m;
	u32 n;
};

static void setup(struct fixture *f, u32 m, u32 n)
{
	u32 radix[] = { m, n };

	memset(f, 0, sizeof(*f));
	net_init(&f->net, 2, radix);
	f->sn = mcfab_subnet_create(&f->net.topo, &f->err);
	assert_false(IS_ERR(f->sn));
	f->net.view.subnet = f->sn;
	f->net.view.switching = MCFAB_CUT_THROUGH;
	f->net.view.buffer = f->net.view.flits;
	f->m = m;
	f->n = n;
}

static void teardown(struct fixture *f)
{
	mcfab_subnet_destroy(f->sn);
	net_exit(&f->net);
}

static u32 at(const struct fixture *f, u32 x, u32 y)
{
	return x + f->m * y;
}

static u32 by_lid(const struct fixture *f, u32 lid)
{
	return f->sn->owner[lid];
}

static struct mcfab_group *new_group(struct fixture *f, const char *name, const u32 *member,
				     u32 nmembers)
{
	u32 copy[1024];
	struct mcfab_group *group;

	memcpy(copy, member, nmembers * sizeof(u32));
	group = mcfab_group_new(f->sn, name, copy, nmembers, 0, &f->err);
	if (IS_ERR(group))
		fail_msg("%s", f->err.msg);
	return group;
}

static struct mcfab_mft *mft_of(struct fixture *f, struct mcfab_group *group, u32 source)
{
	assert_int_equal(mcfab_group_assign(f->sn, group, source, &f->err), 0);
	return mcfab_mft_find(f->sn, mcfab_group_lid(group, source));
}

static u64 row(const struct mcfab_mft *mft, u32 sw)
{
	return mft->row[sw].bit[0];
}

#define PORTS(...)	ports((const u32[]){ __VA_ARGS__, 0 })

static u64 ports(const u32 *port)
{
	u64 set = 0;

	for (; *port; port++)
		set |= BIT(*port);
	return set;
}

static void test_lids(void **state)
{
	static const u32 shape[][2] = { { 5, 5 }, { 3, 2 }, { 2, 3 }, { 1, 7 }, { 7, 1 }, { 16, 4 } };
	u32 i, node, lid;

	for (i = 0; i < ARRAY_SIZE(shape); i++) {
		u32 m = shape[i][0], n = shape[i][1], owners = 0;
		struct fixture f;

		setup(&f, m, n);
		assert_int_equal(f.sn->lids, 2 * m * n + 1);
		for (node = 0; node < m * n; node++) {
			u32 x = node % m, y = node / m;

			assert_int_equal(f.sn->host_lid[node], x * n + y + 1);
			assert_int_equal(f.sn->switch_lid[node], m * n + x * n + y + 1);
			assert_int_equal(by_lid(&f, f.sn->host_lid[node]), node);
			assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->switch_lid[node]), node);
			assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->host_lid[node]), MCFAB_NONE);
		}
		for (lid = 0; lid < f.sn->lids; lid++)
			owners += f.sn->owner[lid] != MCFAB_NONE;
		assert_int_equal(owners, 2 * m * n);
		assert_int_equal(mcfab_switch_by_lid(f.sn, f.sn->lids), MCFAB_NONE);
		teardown(&f);
	}
}

static void test_refused(void **state)
{
	static const u32 cube[] = { 3, 3, 3 }, big[] = { 200, 200 };
	struct mcfab_err err;
	struct net net;

	net_init(&net, 3, cube);
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&net.topo, &err)), -EOPNOTSUPP);
	assert_string_equal(err.msg,
			    "LIDs are for meshes of two dimensions and irregular topologies");
	net_exit(&net);
	net_init(&net, 2, big);
	assert_int_equal(PTR_ERR(mcfab_subnet_create(&net.topo, &err)), -EOPNOTSUPP);
	assert_string_equal(err.msg,
			    "80000 hosts and switches are more than the 49151 unicast LIDs");
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

static void test_lft(void **state)
{
	struct fixture f;
	u32 sw, node, hops;

	setup(&f, 4, 3);
	for (sw = 0; sw < 12; sw++)
		for (node = 0; node < 12; node++) {
			assert_int_equal(follow(&f, sw, f.sn->host_lid[node], &hops), node);
			assert_int_equal(hops, mcfab_distance(&f.net.topo, sw, node));
			assert_int_equal(follow(&f, sw, f.sn->switch_lid[node], &hops),
					 node | MCFAB_END_HOST);
		}
	/* x first */
	assert_int_equal(mcfab_lft_port(f.sn, at(&f, 0, 0), f.sn->host_lid[at(&f, 2, 2)]), EAST);
	assert_int_equal(mcfab_lft_port(f.sn, at(&f, 2, 0), f.sn->host_lid[at(&f, 2, 2)]), NORTH);
	assert_int_equal(mcfab_lft_port(f.sn, at(&f, 3, 2), f.sn->host_lid[at(&f, 2, 0)]), WEST);
	assert_int_equal(mcfab_lft_port(f.sn, at(&f, 2, 2), f.sn->host_lid[at(&f, 2, 0)]), SOUTH);
	teardown(&f);
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

	setup(&f, 5, 5);
	for (i = 0; i < 5; i++)
		member[i] = by_lid(&f, lid[i]);
	assert_int_equal(member[0], at(&f, 0, 3));
	assert_int_equal(member[3], at(&f, 4, 0));
	group = new_group(&f, "g", member, 5);
	assert_int_equal(f.sn->host_lid[at(&f, 2, 2)], 13);
	mft = mft_of(&f, group, at(&f, 2, 2));
	assert_int_equal(mcfab_group_lid(group, at(&f, 2, 2)), 0xc000);
	expect[at(&f, 2, 2)] = PORTS(EAST, WEST);
	expect[at(&f, 1, 2)] = PORTS(WEST);
	expect[at(&f, 0, 2)] = PORTS(NORTH);
	expect[at(&f, 0, 3)] = PORTS(NORTH, HOST);
	expect[at(&f, 3, 2)] = PORTS(EAST, NORTH);
	expect[at(&f, 4, 2)] = PORTS(SOUTH, HOST);
	expect[at(&f, 4, 1)] = PORTS(SOUTH);
	/* and where the last members are */
	expect[at(&f, 0, 4)] = PORTS(HOST);
	expect[at(&f, 3, 3)] = PORTS(HOST);
	expect[at(&f, 4, 0)] = PORTS(HOST);
	for (i = 0; i < 25; i++)
		assert_int_equal(row(mft, i), expect[i]);
	teardown(&f);
}

/* copies that hosts get of a packet of @source that switches treat by @mft */
static void send(struct fixture *f, const struct mcfab_mft *mft, u32 sw, u32 in, u32 *copies,
		 u64 *used, u32 depth)
{
	u32 port;

	assert_true(depth <= f->m + f->n);
	for (port = 1; port <= HOST; port++) {
		u32 end = mcfab_subnet_end(f->sn, sw, port), peer;

		if (!(row(mft, sw) & BIT(port)) || port == in)
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
		used[at(f, x, y)] |= BIT(x < tx ? EAST : WEST);
		x += x < tx ? 1 : -1;
	}
	while (y != ty) {
		used[at(f, x, y)] |= BIT(y < ty ? NORTH : SOUTH);
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

	setup(&f, m, n);
	multicast_init(&mc, &f.net, "xy-union", NULL, nodes);
	for (mask = 1; mask < 1u << nodes; mask++) {
		struct mcfab_group *group;

		for (i = 0, count = 0; i < nodes; i++)
			if (mask & BIT(i))
				member[count++] = i;
		group = new_group(&f, "g", member, count);
		for (source = 0; source < nodes; source++) {
			struct mcfab_mft *mft = mft_of(&f, group, source);
			u32 copies[9] = { 0 }, once = 0;
			u64 used[9] = { 0 }, expect[9] = { 0 };

			ndst = mcfab_group_dests(group, source, dst);
			for (i = 0; i < ndst; i++)
				xy_union(&f, source, dst[i], expect);
			send(&f, mft, source, HOST, copies, used, 0);
			for (i = 0; i < nodes; i++) {
				assert_int_equal(copies[i], i != source && mask & BIT(i) ? 1 : 0);
				assert_int_equal(used[i], expect[i]);
				assert_int_equal(row(mft, i), expect[i]);
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
	teardown(&f);
}

static void test_every_group(void **state)
{
	every_group(3, 3);
	every_group(2, 3);
	every_group(3, 2);
}

static struct mcfab_findings found;

static u32 check(struct fixture *f)
{
	memset(&found, 0, sizeof(found));
	assert_int_equal(mcfab_subnet_check(f->sn, &found), 0);
	return found.total;
}

static const char *text(u32 i)
{
	static char buf[MCFAB_FINDING_TEXT];

	assert_true(i < found.count);
	mcfab_finding_text(&found.item[i], buf, sizeof(buf));
	return buf;
}

static int set_row(struct fixture *f, u32 lid, u32 sw, u64 set)
{
	u8 port[64];
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_MFT, .sw = sw, .lid = lid, .port = port };
	u32 i;

	for (i = 0; i < 64; i++)
		if (set & BIT(i))
			port[entry.nports++] = i;
	/* no port at all is given as a table that is empty */
	return mcfab_table_set(f->sn, &entry, 1, &f->err);
}

static int set_lft(struct fixture *f, u32 sw, u32 lid, u8 port)
{
	struct mcfab_entry entry = {
		.kind = MCFAB_TABLE_LFT, .sw = sw, .lid = lid, .nports = 1, .port = &port,
	};

	return mcfab_table_set(f->sn, &entry, 1, &f->err);
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

	setup(&f, 4, 4);
	member[0] = at(&f, 2, 2);
	member[1] = at(&f, 3, 2);
	member[2] = at(&f, 3, 3);
	group = new_group(&f, "g", member, 3);
	mft_of(&f, group, at(&f, 1, 1));
	lid = mcfab_group_lid(group, at(&f, 1, 1));
	assert_int_equal(check(&f), 0);

	/* (1,1) > (1,2) > (2,2); (1,1) > (1,2) > (2,2) > (3,2) > (3,3) */
	assert_int_equal(set_row(&f, lid, at(&f, 1, 1), PORTS(NORTH, EAST)), 0);
	assert_int_equal(set_row(&f, lid, at(&f, 1, 2), PORTS(EAST)), 0);
	assert_int_equal(set_row(&f, lid, at(&f, 2, 2), PORTS(HOST, EAST)), 0);
	assert_int_equal(set_row(&f, lid, at(&f, 3, 2), PORTS(HOST, NORTH)), 0);
	assert_int_equal(set_row(&f, lid, at(&f, 3, 3), PORTS(HOST)), 0);
	/* (1,1) > (2,1) > (3,1) > (3,2) */
	assert_int_equal(set_row(&f, lid, at(&f, 2, 1), PORTS(EAST)), 0);
	assert_int_equal(set_row(&f, lid, at(&f, 3, 1), PORTS(NORTH)), 0);

	assert_int_equal(check(&f), 2);
	assert_int_equal(found.item[0].type, MCFAB_FIND_DUPLICATE);
	assert_int_equal(found.item[0].node + found.item[1].node, at(&f, 3, 2) + at(&f, 3, 3));
	multicast_init(&mc, &f.net, "table", NULL, 3);
	mc.plan.group = 0;
	memcpy(dst, member, sizeof(dst));
	multicast_plan(&mc, at(&f, 1, 1), dst, 3);
	cost = (struct mcfab_prediction){ .node = node, .arrival = arrival };
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.ndst, 3);
	assert_int_equal(cost.duplicates, 2);
	assert_int_equal(cost.traffic, 8);
	multicast_exit(&mc);
	teardown(&f);
}

static void test_exhaustion(void **state)
{
	struct mcfab_group *group;
	struct fixture f;
	u32 member[] = { 3 }, i;
	u64 bytes;
	char name[8];

	setup(&f, 16, 16);
	for (i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "g%u", i);
		group = new_group(&f, name, member, 1);
		assert_int_equal(mcfab_group_assign(f.sn, group, MCFAB_NONE, &f.err), 0);
	}
	group = new_group(&f, "last", member, 1);
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
	teardown(&f);
}

static void test_groups(void **state)
{
	u32 member[] = { 7, 2, 4 }, twice[] = { 1, 1 }, beyond[] = { 9 }, more[] = { 5, 0 };
	struct mcfab_group *group, *shared;
	struct fixture f;
	u32 dst[9];

	setup(&f, 3, 3);
	group = new_group(&f, "a", member, 3);
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

	mft_of(&f, group, 8);
	assert_int_equal(mcfab_group_lid(group, 8), 0xc000);
	assert_int_equal(PTR_ERR(mcfab_group_new(f.sn, "s", member, 3, 0xc000, &f.err)), -EEXIST);
	assert_string_equal(f.err.msg, "multicast LID 0xc000 belongs to group a");
	shared = mcfab_group_new(f.sn, "s", member, 3, 0xc001, &f.err);
	assert_false(IS_ERR(shared));
	assert_int_equal(mcfab_group_lid(shared, 0), 0xc001);
	assert_int_equal(mcfab_group_assign(f.sn, shared, MCFAB_NONE, &f.err), 0);
	/* the next one of its own is the next free one */
	mft_of(&f, group, 0);
	assert_int_equal(mcfab_group_lid(group, 0), 0xc002);
	mcfab_group_del(f.sn, group);
	assert_null(mcfab_mft_find(f.sn, 0xc000));
	assert_non_null(mcfab_mft_find(f.sn, 0xc001));
	assert_int_equal(mcfab_group_place(f.sn, 1), MCFAB_NONE);
	assert_int_equal(mcfab_group_place(f.sn, shared->id), 0);
	teardown(&f);
}

/* what the user sets survives new tables, until the group changes */
static void test_overrides(void **state)
{
	struct mcfab_entry restore = { .kind = MCFAB_TABLE_MFT, .sw = 0, .restore = true };
	u32 member[] = { 2, 8 }, four[] = { 4 };
	struct mcfab_group *group;
	struct mcfab_mft *mft;
	struct fixture f;

	setup(&f, 3, 3);
	group = new_group(&f, "g", member, 2);
	mft = mft_of(&f, group, 0);
	restore.lid = mcfab_group_lid(group, 0);
	assert_int_equal(row(mft, 0), PORTS(EAST));
	assert_int_equal(set_row(&f, restore.lid, 0, PORTS(NORTH)), 0);
	assert_int_equal(set_row(&f, restore.lid, 1, 0), 0);
	assert_int_equal(row(mft, 0), PORTS(NORTH));
	assert_int_equal(row(mft, 1), 0);
	/* N(2,0) sends the one to 8 west instead of north: the tables of the rest follow */
	assert_int_equal(set_lft(&f, 2, f.sn->host_lid[8], HOST), 0);
	assert_int_equal(row(mft, 0), PORTS(NORTH));
	assert_int_equal(row(mft, 2), PORTS(HOST));
	assert_int_equal(row(mft, 5), 0);
	assert_int_equal(mcfab_table_set(f.sn, &restore, 1, &f.err), 0);
	assert_int_equal(row(mft, 0), PORTS(EAST));
	assert_int_equal(row(mft, 1), 0);
	assert_int_equal(mcfab_group_join(f.sn, group, four, 1, &f.err), 0);
	assert_int_equal(row(mft, 1), PORTS(EAST, NORTH));
	restore.kind = MCFAB_TABLE_LFT;
	restore.sw = 2;
	restore.lid = f.sn->host_lid[8];
	assert_int_equal(mcfab_table_set(f.sn, &restore, 1, &f.err), 0);
	assert_int_equal(row(mft, 2), PORTS(HOST, NORTH));
	assert_int_equal(check(&f), 0);
	teardown(&f);
}

static void test_bad_entries(void **state)
{
	u8 port[] = { 1, 6, 255 };
	struct fixture f;
	const struct {
		struct mcfab_entry entry;
		const char *msg;
	} bad[] = {
		{ { MCFAB_TABLE_LFT, 9, 0, 1, 1, port }, "switch 9 is not below 9" },
		{ { MCFAB_TABLE_LFT, MCFAB_NONE, 3, 1, 1, port }, "no switch has the LID 3" },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 2, port },
		  "LID 2: port 6 is not in 0 to 5 of switch 0" },
		{ { MCFAB_TABLE_LFT, 0, 0, 0, 1, port },
		  "LID 0 is no unicast LID, they are 1 to 49151" },
		{ { MCFAB_TABLE_LFT, 0, 0, 49151, 2, port },
		  "LID 49152 is no unicast LID, they are 1 to 49151" },
		{ { MCFAB_TABLE_LFT, 0, 0, 19, 1, port }, "nobody has the LID 19" },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 0, port }, "LID 1: ports are missing" },
		{ { MCFAB_TABLE_LFT, 0, 0, 1, 1, port, true }, "LID 1: restore goes without ports" },
		{ { MCFAB_TABLE_MFT, 0, 0, 1, 1, port },
		  "LID 1 is no multicast LID, they are 0xc000 to 0xfffe" },
		{ { MCFAB_TABLE_MFT, 0, 0, 0xc000, 1, port },
		  "multicast LID 0xc000 belongs to no group" },
		{ { MCFAB_TABLE_MFT, 0, 0, 0xc000, 1, port + 2 },
		  "LID 49152: port 255 is not in 0 to 5 of switch 0" },
		{ { MCFAB_TABLE_SL2VL, 0, 0, 1, 1, port },
		  "SL-to-VL tables follow from vcs and the policy's lanes" },
	};
	u32 i;

	setup(&f, 3, 3);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct mcfab_entry two[] = { { MCFAB_TABLE_LFT, 0, 0, 1, 1, port }, bad[i].entry };

		assert_int_equal(mcfab_table_set(f.sn, two, 2, &f.err), -EINVAL);
		assert_string_equal(f.err.msg, bad[i].msg);
		assert_int_equal(f.err.index, 1);
		/* all or none */
		assert_int_equal(mcfab_lft_port(f.sn, 0, 1), HOST);
	}
	assert_int_equal(check(&f), 0);
	teardown(&f);
}

static void test_findings(void **state)
{
	u32 lid, member[] = { 5, 8 };
	struct mcfab_group *group;
	struct fixture f;

	setup(&f, 3, 3);
	lid = f.sn->host_lid[8];
	assert_int_equal(lid, 9);
	/* 0 > 1 > 4 > 3 > 0 */
	assert_int_equal(set_lft(&f, 0, lid, EAST), 0);
	assert_int_equal(set_lft(&f, 1, lid, NORTH), 0);
	assert_int_equal(set_lft(&f, 4, lid, WEST), 0);
	assert_int_equal(set_lft(&f, 3, lid, SOUTH), 0);
	assert_int_equal(check(&f), 2);
	assert_string_equal(text(0), "LID 9: loop of switches 0 > 1 > 4 > 3 > 0");
	assert_string_equal(text(1), "LID 9: node 8 is not reached from switch 0");
	/* a dead port at the border, the wrong host, no entry */
	assert_int_equal(set_lft(&f, 0, lid, SOUTH), 0);
	assert_int_equal(set_lft(&f, 2, lid, HOST), 0);
	assert_int_equal(set_lft(&f, 6, lid, 255), 0);
	assert_int_equal(check(&f), 3);
	assert_string_equal(text(0), "LID 9: port 4 of switch 0 leads nowhere");
	assert_string_equal(text(1),
			    "LID 9: switch 2 delivers to node 2, which is no destination");
	assert_string_equal(text(2), "LID 9: node 8 is not reached from switch 0");

	/* multicast: a loop, members without a copy, a stray, port 0 does not count */
	mcfab_lft_build(f.sn, f.sn->lft);
	group = new_group(&f, "g", member, 2);
	mft_of(&f, group, 0);
	lid = mcfab_group_lid(group, 0);
	assert_int_equal(set_row(&f, lid, 0, PORTS(EAST, NORTH)), 0);
	assert_int_equal(set_row(&f, lid, 1, PORTS(NORTH, WEST) | 1), 0);
	assert_int_equal(set_row(&f, lid, 4, PORTS(WEST, HOST)), 0);
	assert_int_equal(set_row(&f, lid, 3, PORTS(SOUTH)), 0);
	assert_int_equal(check(&f), 4);
	assert_string_equal(text(0), "LID 0xc000: loop of switches 1 > 4 > 3 > 0 > 1");
	assert_string_equal(text(1),
			    "LID 0xc000: switch 4 delivers to node 4, which is no destination");
	assert_string_equal(text(2), "LID 0xc000: member 5 is not reached from node 0");
	assert_string_equal(text(3), "LID 0xc000: member 8 is not reached from node 0");
	teardown(&f);
}

static int load(struct fixture *f, u32 sw, u32 lid, const u8 *port, u32 nports)
{
	struct mcfab_entry entry = {
		.kind = lid < 0xc000 ? MCFAB_TABLE_LFT : MCFAB_TABLE_MFT, .sw = sw, .lid = lid,
		.nports = nports, .port = port,
	};

	return mcfab_stage_append(f->sn, &entry, 1, &f->err);
}

static void load_all(struct fixture *f)
{
	u32 sw;

	assert_int_equal(mcfab_stage_begin(f->sn, &f->err), 0);
	for (sw = 0; sw < f->sn->switches; sw++)
		assert_int_equal(load(f, sw, 1, f->sn->lft + sw * f->sn->lids + 1,
				      f->sn->lids - 1), 0);
}

static void test_load(void **state)
{
	static const u8 east = EAST, north = NORTH, six = 6, tree[] = { HOST, EAST, WEST };
	u32 lid, member[] = { 5, 8 }, generation;
	struct mcfab_group *group;
	struct fixture f;
	long before;

	setup(&f, 3, 3);
	before = shim_allocated;
	group = new_group(&f, "g", member, 2);
	mft_of(&f, group, 0);
	generation = f.sn->generation;
	lid = f.sn->host_lid[8];

	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &found, &f.err), -ENODATA);
	assert_string_equal(f.err.msg, "nothing was loaded");
	/* the same again */
	load_all(&f);
	assert_int_equal(f.sn->stage->entries, 9 * 18);
	assert_int_equal(load(&f, 0, 1, &six, 1), -EINVAL);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &found, &f.err), 0);
	assert_null(f.sn->stage);
	assert_int_equal(f.sn->generation, generation + 1);
	assert_int_equal(check(&f), 0);

	/* a loop: refused, nothing changed; what was loaded can be looked at */
	load_all(&f);
	assert_int_equal(load(&f, 1, lid, &north, 1), 0);
	assert_int_equal(load(&f, 4, lid, &(u8){ SOUTH }, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "3 findings: LID 9: loop of switches 1 > 4 > 1");
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), EAST);
	assert_int_equal(check(&f), 0);
	memset(&found, 0, sizeof(found));
	assert_int_equal(mcfab_stage_check(f.sn, &found, &f.err), 0);
	assert_int_equal(found.total, 3);
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), EAST);
	assert_int_equal(mcfab_stage_commit(f.sn, true, &found, &f.err), 0);
	assert_int_equal(found.total, 3);
	assert_int_equal(mcfab_lft_port(f.sn, 1, lid), NORTH);
	assert_int_equal(check(&f), 3);

	/* what is not there is left out and reported */
	mcfab_lft_build(f.sn, f.sn->lft);
	load_all(&f);
	assert_int_equal(load(&f, 0, 4711, &east, 1), 0);
	assert_int_equal(load(&f, 77, 1, &east, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "2 findings: LID 4711: nobody has it, switch 0 has an entry");
	assert_int_equal(found.total, 2);
	assert_string_equal(text(1), "there is no switch 77");
	assert_int_equal(mcfab_stage_commit(f.sn, true, &found, &f.err), 0);
	assert_int_equal(check(&f), 0);

	/* multicast tables: of the group's LID, and of one that a group takes later */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(load(&f, 0, 0xc000, &north, 1), 0);
	assert_int_equal(load(&f, 3, 0xc00a, tree, 2), 0);
	assert_int_equal(load(&f, 4, 0xc00a, tree, 3), 0);
	assert_int_equal(load(&f, 5, 0xc00a, (const u8[]){ HOST, WEST }, 2), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, false, &found, &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "2 findings: LID 0xc000: member 5 is not reached from node 0");
	assert_int_equal(row(mcfab_mft_find(f.sn, 0xc000), 0), PORTS(EAST));
	assert_null(mcfab_mft_find(f.sn, 0xc00a));
	assert_int_equal(mcfab_stage_commit(f.sn, true, &found, &f.err), 0);
	assert_int_equal(row(mcfab_mft_find(f.sn, 0xc000), 0), PORTS(NORTH));
	assert_int_equal(row(mcfab_mft_find(f.sn, 0xc000), 5), 0);
	assert_int_equal(row(mcfab_mft_find(f.sn, 0xc00a), 4), PORTS(HOST, EAST, WEST));
	mcfab_group_del(f.sn, group);
	/* a tree that three hosts share: each reaches the others */
	assert_int_equal(check(&f), 0);
	group = mcfab_group_new(f.sn, "s", (u32[]){ 3, 4, 5 }, 3, 0xc00a, &f.err);
	assert_false(IS_ERR(group));
	assert_int_equal(check(&f), 0);
	assert_int_equal(mcfab_group_join(f.sn, group, (u32[]){ 0 }, 1, &f.err), 0);
	assert_int_equal(check(&f), 6);
	assert_string_equal(text(0), "LID 0xc00a: member 3 is not reached from node 0");
	/* loaded anew without it: the group keeps its LID, without any port */
	assert_int_equal(mcfab_stage_begin(f.sn, &f.err), 0);
	assert_int_equal(load(&f, 0, 0xc00b, &north, 1), 0);
	assert_int_equal(mcfab_stage_commit(f.sn, true, &found, &f.err), 0);
	assert_int_equal(row(mcfab_mft_find(f.sn, 0xc00a), 4), 0);
	mcfab_group_del(f.sn, group);
	assert_null(mcfab_mft_find(f.sn, 0xc00a));
	assert_non_null(mcfab_mft_find(f.sn, 0xc00b));
	mcfab_stage_begin(f.sn, &f.err);
	load(&f, 0, 0xc00c, &north, 1);
	mcfab_stage_abort(f.sn);
	assert_int_equal(shim_allocated, before + 1);	/* 0xc00b */
	teardown(&f);
}

/* what a switch does with one packet */
static u32 route(struct fixture *f, struct mcfab_policy *pol, u32 router, u32 in, u16 arg,
		 u32 *dst, u32 ndst, struct mcfab_decision *out)
{
	struct mcfab_header hdr = {
		.router = router, .in_port = in, .sender = 0, .first_port = MCFAB_PORT_ANY,
		.arg = arg, .serial = 5, .dst = dst, .last = ndst,
	};

	out->nbranches = 99;
	out->drop = 0;
	pol->ops->route(&pol->view, pol->priv, &hdr, out);
	return out->nbranches;
}

static void test_route(void **state)
{
	static struct mcfab_decision out;
	u32 member[] = { 1, 2, 3, 5 }, dst[] = { 1, 2, 3, 5 };
	struct mcfab_group *group;
	struct mcfab_policy pol;
	struct fixture f;
	u32 lid;

	setup(&f, 3, 3);
	f.net.view.vcs = 4;
	assert_int_equal(net_policy(&f.net, &pol, "table", NULL, &f.err), 0);
	group = new_group(&f, "g", member, 4);
	mft_of(&f, group, 0);
	lid = mcfab_group_lid(group, 0);
	/* at the source: east and north, the lane is that of the service level */
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, lid, dst, 4, &out), 2);
	assert_true(out.branch[0].node == MCFAB_NONE && out.branch[1].node == MCFAB_NONE);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(out.branch[1].port[0], 2);
	assert_int_equal(out.branch[0].vcs[0], BIT(1));
	assert_true(out.branch[1].first == 0 && out.branch[1].last == 4);
	/* at 1, from the west: on to the east, and the host */
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 4, &out), 2);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(out.branch[1].node, 1);
	assert_int_equal(out.branch[1].first, 0);
	/* never back: what came from the east does not leave there; a host that is no member */
	assert_int_equal(set_row(&f, lid, 4, PORTS(EAST, HOST)), 0);
	assert_int_equal(route(&f, &pol, 4, 0, lid, dst, 4, &out), 1);
	assert_int_equal(out.branch[0].node, 4);
	assert_int_equal(out.branch[0].first, MCFAB_NONE);
	/* nor to the host it came from */
	assert_int_equal(set_row(&f, lid, 0, PORTS(HOST)), 0);
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, lid, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_DEAD_PORT);
	assert_int_equal(route(&f, &pol, 8, 1, lid, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);
	assert_int_equal(route(&f, &pol, 8, 1, 0xc123, dst, 4, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);

	/* no group: each destination by its own LID, those of a port in one range */
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, 0, dst, 4, &out), 2);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_true(out.branch[0].first == 0 && out.branch[0].last == 3);
	assert_true(dst[0] + dst[1] + dst[2] == 1 + 2 + 5);
	assert_int_equal(out.branch[1].port[0], 2);
	assert_true(out.branch[1].first == 3 && out.branch[1].last == 4 && dst[3] == 3);
	assert_int_equal(set_lft(&f, 0, f.sn->host_lid[3], SOUTH), 0);
	assert_int_equal(route(&f, &pol, 0, MCFAB_PORT_ANY, 0, dst, 4, &out), 1);

	/* unicast: on, at home, at the wrong host, dropped */
	dst[0] = 2;
	lid = f.sn->host_lid[2];
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 1);
	assert_int_equal(out.branch[0].port[0], 0);
	assert_int_equal(route(&f, &pol, 2, 1, lid, dst, 1, &out), 1);
	assert_true(out.branch[0].node == 2 && out.branch[0].first == 0);
	assert_int_equal(set_lft(&f, 1, lid, HOST), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 1);
	assert_true(out.branch[0].node == 1 && out.branch[0].first == MCFAB_NONE);
	assert_int_equal(set_lft(&f, 1, lid, WEST), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_DEAD_PORT);
	assert_int_equal(set_lft(&f, 1, lid, 255), 0);
	assert_int_equal(route(&f, &pol, 1, 1, lid, dst, 1, &out), 0);
	assert_int_equal(out.drop, MCFAB_DROP_NO_ENTRY);
	mcfab_policy_close(&pol);
	teardown(&f);
}

static void test_lanes(void **state)
{
	static const u32 two[] = { 0, 0, 1, 1 }, four[] = { 0, 1, 2, 3 };
	struct mcfab_policy pol;
	struct fixture f;
	u32 sl, d;

	setup(&f, 3, 3);
	for (sl = 0; sl < MCFAB_SLS; sl++)
		for (d = 0; d < 4; d++) {
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANES_SHARED, 4, d + 1, sl),
					 sl % 4);
			assert_int_equal(mcfab_lane_vl(f.sn, 2, MCFAB_LANES_DEDICATED, 4, d + 1,
						       sl), two[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 4, MCFAB_LANES_DEDICATED, 4, d + 1,
						       sl), four[d]);
			assert_int_equal(mcfab_lane_vl(f.sn, 1, MCFAB_LANES_DEDICATED, 4, d + 1,
						       sl), 0);
		}
	f.net.view.vcs = 3;
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated", &f.err),
			 -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "lanes dedicated needs vcs 1, 2 or 4, the fabric has 3");
	f.net.view.vcs = 4;
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated lane-select=free",
				    &f.err), -EINVAL);
	assert_string_equal(f.err.msg, "lane-select free means nothing to lanes dedicated");
	assert_int_equal(f.err.index, 1);
	assert_int_equal(net_policy(&f.net, &pol, "xy-union", "lanes=dedicated", &f.err), 0);
	mcfab_policy_close(&pol);
	f.net.view.switching = MCFAB_WORMHOLE;
	assert_int_equal(net_policy(&f.net, &pol, "xy-unicast", NULL, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "switches buffer whole packets: set switching vct or saf");
	f.net.view.subnet = NULL;
	assert_int_equal(net_policy(&f.net, &pol, "table", NULL, &f.err), -EOPNOTSUPP);
	assert_string_equal(f.err.msg, "forwarding tables need a fabric with addressing lid");
	teardown(&f);
}

static void test_unicast(void **state)
{
	struct mcfab_timing timing = { .flits = 8, .link_delay = 1, .consume_delay = 1 };
	static const u32 sorted[] = { 1, 4, 8 };
	u32 dst[] = { 8, 1, 4 }, node[3], i;
	struct mcfab_prediction cost = { .node = node };
	u64 arrival[3];
	struct multicast mc;
	struct fixture f;

	setup(&f, 3, 3);
	f.net.view.inject = 1;
	multicast_init(&mc, &f.net, "xy-unicast", NULL, 3);
	multicast_plan(&mc, 0, dst, 3);
	assert_int_equal(mc.plan.nworms, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(mc.plan.dst[i], sorted[i]);
		assert_int_equal(mc.plan.worm[i].arg, f.sn->host_lid[mc.plan.dst[i]]);
		assert_int_equal(mc.plan.worm[i].round, i);
	}
	cost.arrival = arrival;
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.traffic, 1 + 2 + 4);
	/* one in circles, one without an entry: the walk ends and says so */
	assert_int_equal(set_lft(&f, 1, f.sn->host_lid[8], NORTH), 0);
	assert_int_equal(set_lft(&f, 4, f.sn->host_lid[8], WEST), 0);
	assert_int_equal(set_lft(&f, 3, f.sn->host_lid[8], SOUTH), 0);
	assert_int_equal(set_lft(&f, 1, f.sn->host_lid[4], 255), 0);
	assert_int_equal(mcfab_walk_predict(&mc.walk, &timing, &cost), 0);
	assert_int_equal(cost.ndst, 1);
	assert_int_equal(cost.lost, 2);
	assert_int_equal(cost.drops, 2);
	assert_int_equal(node[1], 4);
	assert_int_equal(arrival[1], U64_MAX);
	multicast_exit(&mc);
	teardown(&f);
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
		sn = mcfab_subnet_create(&net.topo, &err);
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
		cmocka_unit_test(test_lft),
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_every_group),
		cmocka_unit_test(test_negative_first),
		cmocka_unit_test(test_exhaustion),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_bad_entries),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_route),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_unicast),
		cmocka_unit_test(test_memory),
	};

	return run_tap(tests);
}
