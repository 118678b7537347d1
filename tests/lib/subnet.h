/* SPDX-License-Identifier: GPL-2.0 */
/* Subnets on meshes for tests: everything asserts. */
#ifndef TESTS_SUBNET_H
#define TESTS_SUBNET_H

#include "lib/net.h"
#include "subnet/subnet.h"
#include "subnet/table.h"

#define EAST	MCFAB_TO_EAST
#define NORTH	MCFAB_TO_NORTH
#define WEST	MCFAB_TO_WEST
#define SOUTH	MCFAB_TO_SOUTH
#define HOST	5

struct fixture {
	struct net net;
	struct mcfab_subnet_rules rules;
	struct mcfab_subnet *sn;
	struct mcfab_err err;
	u32 m;
	u32 n;
};

#define PORTS(...)	sn_ports((const u32[]){ __VA_ARGS__, 0 })

/* what sn_check() found */
extern struct mcfab_findings sn_found;

void sn_setup(struct fixture *f, u32 m, u32 n);
void sn_setup_rules(struct fixture *f, u32 m, u32 n, const struct mcfab_subnet_rules *rules);
void sn_teardown(struct fixture *f);
u32 sn_at(const struct fixture *f, u32 x, u32 y);
u32 sn_by_lid(const struct fixture *f, u32 lid);
struct mcfab_group *sn_group(struct fixture *f, const char *name, const u32 *member, u32 nmembers);
struct mcfab_mft *sn_mft(struct fixture *f, struct mcfab_group *group, u32 source);
u64 sn_row(const struct mcfab_mft *mft, u32 sw);
u64 sn_ports(const u32 *port);
u32 sn_check(struct fixture *f);
const char *sn_text(u32 i);
int sn_set_row(struct fixture *f, u32 lid, u32 sw, u64 set);
int sn_set_lft(struct fixture *f, u32 sw, u32 lid, u8 port);

#endif
