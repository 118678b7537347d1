// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "lib/net.h"

#include "lib/tap.h"

void net_init(struct net *net, u32 ndims, const u32 *radix)
{
	net_init_as(net, "mesh", ndims, radix);
}

void net_init_as(struct net *net, const char *topology, u32 ndims, const u32 *radix)
{
	struct mcfab_err err = { 0 };
	u32 i;

	memset(net, 0, sizeof(*net));
	net->topo.ops = mcfab_topo_find(topology);
	assert_non_null(net->topo.ops);
	net->topo.ndims = ndims;
	for (i = 0; i < ndims; i++)
		net->topo.radix[i] = radix[i];
	assert_int_equal(net->topo.ops->init(&net->topo, &err), 0);
	assert_int_equal(mcfab_topo_alloc(&net->topo), 0);
	net->view.topo = &net->topo;
	net->view.vcs = 1;
	net->view.buffer = 1;
	net->view.inject = net->topo.degree;
	net->view.consume = net->topo.degree;
	net->view.flits = 32;
	net->view.switching = MCFAB_SWITCHING_MODE_WORMHOLE;
	net->view.replication = MCFAB_REPLICATION_MODE_ASYNC;
	net->view.vc_release = MCFAB_VC_RELEASE_MODE_DRAINED;
}

void net_init_vcs(struct net *net, const char *topology, u32 ndims, const u32 *radix, u32 vcs)
{
	net_init_as(net, topology, ndims, radix);
	net->view.vcs = vcs;
	net->view.consume = net->topo.degree * vcs;
}

void net_exit(struct net *net)
{
	mcfab_topo_free(&net->topo);
}

u32 net_node(const struct net *net, const u32 *coord)
{
	u32 i, node = 0;

	for (i = net->topo.ndims; i-- > 0;)
		node = node * net->topo.radix[i] + coord[i];
	return node;
}

u32 net_star_node(const struct net *net, const char *symbols)
{
	u32 node, i;

	for (node = 0; node < net->topo.nodes; node++) {
		for (i = 0; i < net->topo.ndims; i++)
			if (mcfab_topo_coord(&net->topo, node, i) != symbols[i] - '0')
				break;
		if (i == net->topo.ndims)
			return node;
	}
	fail_msg("no node %s", symbols);
	return 0;
}

int net_policy(struct net *net, struct mcfab_policy *pol, const char *name, const char *set,
	       struct mcfab_err *err)
{
	struct mcfab_setting settings[MCFAB_MAX_PARAMS + 1];
	char copy[256], *word, *rest = copy;
	u32 nset = 0;

	memset(err, 0, sizeof(*err));
	strscpy(copy, set ? set : "", sizeof(copy));
	while ((word = strtok_r(rest, " ", &rest))) {
		char *value = strchr(word, '=');

		assert_non_null(value);
		*value++ = '\0';
		assert_true(nset < ARRAY_SIZE(settings));
		strscpy(settings[nset].name, word, sizeof(settings[nset].name));
		strscpy(settings[nset].value, value, sizeof(settings[nset].value));
		nset++;
	}
	return mcfab_policy_open(pol, name, &net->view, settings, nset, err);
}

void multicast_init(struct multicast *mc, struct net *net, const char *policy, const char *set,
		    u32 room)
{
	struct mcfab_err err;
	size_t scratch;

	memset(mc, 0, sizeof(*mc));
	if (net_policy(net, &mc->pol, policy, set, &err))
		fail_msg("%s %s: %s", policy, set, err.msg);
	mc->room = room;
	mc->plan.group = MCFAB_NONE;
	mcfab_plan_bounds(&mc->pol, room, &mc->plan.max_worms, &mc->plan.max_dst, &scratch);
	mc->plan.worm = kvcalloc(mc->plan.max_worms, sizeof(*mc->plan.worm), GFP_KERNEL);
	mc->plan.dst = kvcalloc(mc->plan.max_dst, sizeof(u32), GFP_KERNEL);
	mc->dst = kvcalloc(room, sizeof(u32), GFP_KERNEL);
	mc->scratch = kvzalloc(scratch, GFP_KERNEL);
	mc->seen = kvcalloc(BITS_TO_LONGS(net->topo.nodes), sizeof(long), GFP_KERNEL);
	assert_true(mc->plan.worm && mc->plan.dst && mc->dst && mc->scratch && mc->seen);
}

void multicast_exit(struct multicast *mc)
{
	mcfab_policy_close(&mc->pol);
	kvfree(mc->plan.worm);
	kvfree(mc->plan.dst);
	kvfree(mc->dst);
	kvfree(mc->scratch);
	kvfree(mc->walk_mem);
	kvfree(mc->seen);
}

void multicast_plan(struct multicast *mc, u32 source, const u32 *dst, u32 ndst)
{
	struct mcfab_blame blame;
	size_t bytes, scratch;

	assert_true(ndst && ndst <= mc->room);
	/* Exact bounds, so that an overrun is one. */
	mcfab_plan_bounds(&mc->pol, ndst, &mc->plan.max_worms, &mc->plan.max_dst, &scratch);
	memcpy(mc->dst, dst, ndst * sizeof(u32));
	assert_int_equal(mcfab_plan_prepare(&mc->pol, source, mc->dst, ndst, &mc->plan,
					    mc->scratch, &blame), 0);
	if (mcfab_plan_check(mc->pol.view.topo, source, dst, ndst, &mc->plan, mc->seen, &blame))
		fail_msg("%s from %u: worm %u, node %u: %s", mc->pol.ops->name, source, blame.worm,
			 blame.node, blame.what);
	bytes = mcfab_walk_bytes(&mc->pol, &mc->plan);
	if (bytes > mc->walk_room) {
		kvfree(mc->walk_mem);
		mc->walk_room = bytes + bytes / 2;
		mc->walk_mem = kvmalloc(mc->walk_room, GFP_KERNEL);
		assert_non_null(mc->walk_mem);
	}
	mcfab_walk_init(&mc->walk, &mc->pol, &mc->plan, mc->walk_mem);
}

u64 rng(u64 *state)
{
	u64 z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

u32 rng_below(u64 *state, u32 limit)
{
	return (u32)(rng(state) % limit);
}

void random_set(u64 *state, u32 nodes, u32 source, u32 *dst, u32 ndst, u32 *mark)
{
	static u32 round;
	u32 i = 0;

	round++;
	mark[source] = round;
	while (i < ndst) {
		u32 node = rng_below(state, nodes);

		if (mark[node] == round)
			continue;
		mark[node] = round;
		dst[i++] = node;
	}
}

u32 random_size(u64 *state, u32 nodes)
{
	u32 most = nodes - 1;

	switch (rng_below(state, 16)) {
	case 0:
		return 1;
	case 1:		/* all of a small network */
		return most <= 1024 ? most : 1 + rng_below(state, 1024);
	case 2:
	case 3:
		return 1 + rng_below(state, min(most, 120u));
	default:
		return 1 + rng_below(state, min(most, 24u));
	}
}

u64 env_number(const char *name, u64 fallback)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : fallback;
}

bool env_thorough(void)
{
	return env_number("MCFAB_GROUPS", 200000) >= 200000;
}
