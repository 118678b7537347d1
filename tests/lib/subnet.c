// SPDX-License-Identifier: GPL-2.0
#include "lib/subnet.h"

#include "lib/tap.h"

void sn_setup(struct fixture *f, u32 m, u32 n)
{
	static const struct mcfab_subnet_rules usual;

	sn_setup_rules(f, m, n, &usual);
}

void sn_setup_rules(struct fixture *f, u32 m, u32 n, const struct mcfab_subnet_rules *rules)
{
	u32 radix[] = { m, n };

	memset(f, 0, sizeof(*f));
	f->rules = *rules;
	net_init(&f->net, 2, radix);
	f->sn = mcfab_subnet_create(&f->net.topo, &f->rules, 4, &f->err);
	assert_false(IS_ERR(f->sn));
	f->net.view.subnet = f->sn;
	f->net.view.switching = MCFAB_SWITCHING_MODE_CUT_THROUGH;
	f->net.view.buffer = f->net.view.flits;
	f->m = m;
	f->n = n;
}

void sn_teardown(struct fixture *f)
{
	mcfab_subnet_destroy(f->sn);
	net_exit(&f->net);
}

u32 sn_at(const struct fixture *f, u32 x, u32 y)
{
	return x + f->m * y;
}

u32 sn_by_lid(const struct fixture *f, u32 lid)
{
	return f->sn->owner[lid];
}

struct mcfab_group *sn_group(struct fixture *f, const char *name, const u32 *member,
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

struct mcfab_mft *sn_mft(struct fixture *f, struct mcfab_group *group, u32 source)
{
	assert_int_equal(mcfab_group_assign(f->sn, group, source, &f->err), 0);
	return mcfab_mft_find(f->sn, mcfab_group_lid(group, source));
}

u64 sn_row(const struct mcfab_mft *mft, u32 sw)
{
	return mft->row[sw].bit[0];
}

u64 sn_ports(const u32 *port)
{
	u64 set = 0;

	for (; *port; port++)
		set |= BIT(*port);
	return set;
}

struct mcfab_findings sn_found;

u32 sn_check(struct fixture *f)
{
	memset(&sn_found, 0, sizeof(sn_found));
	assert_int_equal(mcfab_subnet_check(f->sn, &sn_found), 0);
	return sn_found.total;
}

const char *sn_text(u32 i)
{
	static char buf[MCFAB_FINDING_TEXT];

	assert_true(i < sn_found.count);
	mcfab_finding_text(&sn_found.item[i], buf, sizeof(buf));
	return buf;
}

int sn_set_row(struct fixture *f, u32 lid, u32 sw, u64 set)
{
	u8 port[64];
	struct mcfab_entry entry = { .kind = MCFAB_TABLE_KIND_MFT, .sw = sw, .lid = lid,
				     .port = port };
	u32 i;

	for (i = 0; i < 64; i++)
		if (set & BIT(i))
			port[entry.nports++] = i;
	/* no port at all is given as a table that is empty */
	return mcfab_table_set(f->sn, &entry, 1, &f->err);
}

int sn_set_lft(struct fixture *f, u32 sw, u32 lid, u8 port)
{
	struct mcfab_entry entry = {
		.kind = MCFAB_TABLE_KIND_LFT, .sw = sw, .lid = lid, .nports = 1, .port = &port,
	};

	return mcfab_table_set(f->sn, &entry, 1, &f->err);
}
