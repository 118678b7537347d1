// SPDX-License-Identifier: GPL-2.0
/* The worms of a plan as its messages come in. */
#include <linux/mcfab.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plan.h"
#include "netlink/attrs.h"

static struct drawn_worm *worm_of(struct drawn_plan *p, u32 id)
{
	if (id < p->worms)
		return &p->worm[id];
	if (id >= p->worm_room) {
		u32 room = 2 * id + 64;

		p->worm = xrealloc(p->worm, room, sizeof(*p->worm));
		memset(p->worm + p->worm_room, 0, (room - p->worm_room) * sizeof(*p->worm));
		p->worm_room = room;
	}
	p->worms = id + 1;
	p->worm[id].first = p->hops;
	return &p->worm[id];
}

static void add_hops(struct drawn_plan *p, struct drawn_worm *worm, const struct nlattr *attr)
{
	u32 n = mnl_attr_get_payload_len(attr) / (4 * sizeof(u32));
	const u32 *hop = mnl_attr_get_payload(attr);

	if (p->hops + n > p->hop_room) {
		p->hop_room = 2 * (p->hops + n) + 256;
		p->hop = xrealloc(p->hop, p->hop_room, sizeof(*p->hop));
	}
	for (u32 i = 0; i < n; i++, hop += 4)
		p->hop[p->hops++] = (struct drawn_hop){ hop[0], hop[1], hop[3] };
	worm->hops += n;
}

static void take_worm(struct drawn_plan *p, const struct nlattr *nest)
{
	const struct nlattr *attr[MCFAB_A_PLAN_WORM_HOPS + 1];
	struct drawn_worm *worm;

	attr_index_nest(nest, attr, ARRAY_SIZE(attr));
	if (!attr[MCFAB_A_PLAN_WORM_ID])
		return;
	worm = worm_of(p, nl_attr_uint(attr[MCFAB_A_PLAN_WORM_ID]));
	if (attr[MCFAB_A_PLAN_WORM_STEP])
		worm->step = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_STEP]);
	if (attr[MCFAB_A_PLAN_WORM_SOURCE])
		worm->source = nl_attr_uint(attr[MCFAB_A_PLAN_WORM_SOURCE]);
	if (attr[MCFAB_A_PLAN_WORM_HOPS])
		add_hops(p, worm, attr[MCFAB_A_PLAN_WORM_HOPS]);
}

enum status drawn_plan_message(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr[MCFAB_A_PLAN_MAX + 1];
	struct drawn_plan *p = data;

	attr_index(nlh, attr, ARRAY_SIZE(attr));
	if (attr[MCFAB_A_PLAN_WORM])
		take_worm(p, attr[MCFAB_A_PLAN_WORM]);
	return plan_print_message(nlh, p->print);
}

void drawn_plan_free(struct drawn_plan *p)
{
	free(p->worm);
	free(p->hop);
	memset(p, 0, sizeof(*p));
}
