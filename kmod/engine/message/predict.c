// SPDX-License-Identifier: GPL-2.0
/*
 * The latency of a lone multicast if its worms did not contend: papers compute this figure by
 * equations; statistics show it beside the latency in the network.
 */
#include "engine/message/message.h"
#include "plan/predict_host.h"

/* most working space for packets of hosts; if more is needed, nothing is predicted */
#define MOST_BYTES	(64ULL << 20)

static u64 host_bytes(const struct mcfab_engine *e)
{
	if (!(e->flags & MCFAB_ENG_HOST))
		return 0;
	return mcfab_host_predict_bytes(e->run.max_worms, e->run.packets) +
	       e->run.max_dst * (sizeof(u32) + sizeof(struct mcfab_links));
}

/**
 * mcfab_predict_bytes() - working space of mcfab_predict()
 * @e: engine; its policy may still be missing
 *
 * Context: any.
 * Return: bytes.
 */
size_t mcfab_predict_bytes(const struct mcfab_engine *e)
{
	u32 max_dst = e->run.max_dst;
	/* no plan needs more than a plan of one worm with all destinations */
	struct mcfab_plan_worm worm = { .count = max_dst };
	struct mcfab_plan plan = { .nworms = 1, .ndst = max_dst, .worm = &worm };

	if (!e->pol || host_bytes(e) > MOST_BYTES)
		return 0;
	return mcfab_walk_bytes(e->pol, &plan) + max_dst * (sizeof(u64) + sizeof(u32)) +
	       sizeof(u64) + host_bytes(e);
}

static int predict_host(struct mcfab_engine *e, const struct mcfab_mcast *m,
			struct mcfab_walk *walk, const struct mcfab_timing *timing, u64 *mem)
{
	struct mcfab_host_timing host = {
		.packets = m->packets,
		.packet = e->run.flits,
		.last = mcfab_last_flits(e, m),
		.receive = e->hosts.times.receive,
		.ni_send = e->hosts.times.ni_send,
		.ni_receive = e->hosts.times.ni_receive,
		.bus = e->hosts.times.bus,
		.bus_last = mcfab_host_bus_last(e, m),
		.inject = e->cfg->inject,
		.per_packet = e->hosts.times.per_packet,
		.forward = e->hosts.times.forward,
	};

	return mcfab_host_predict(walk, timing, &host, &e->boundary.predicted, mem);
}

/**
 * mcfab_predict() - predict a lone multicast without contention
 * @e: engine
 * @m: the multicast
 * @plan: its plan
 * @blame: what is wrong with it
 *
 * Context: grant phase of a run with one thread; may sleep. The result is in the
 *	    boundary's @predicted if @predicts is set then.
 * Return: 0 or a negative error: the policy's fault.
 */
int mcfab_predict(struct mcfab_engine *e, const struct mcfab_mcast *m,
		  const struct mcfab_plan *plan, struct mcfab_blame *blame)
{
	struct mcfab_prediction *out = &e->boundary.predicted;
	struct mcfab_timing timing = {
		/* packets follow each other without a gap */
		.flits = m->flits,
		.headers = e->flags & MCFAB_ENG_HEADERS,
		.prep = e->run.prep,
		.prep_relay = e->run.prep_relay,
		.startup = e->run.startup,
		.inject_delay = e->hw.inject_delay,
		.route_delay = e->hw.route_delay,
		.catch_up = e->hw.route_delay,
		.link_delay = e->hw.link_delay,
		.consume_delay = e->hw.consume_delay,
		.ports = e->flags & MCFAB_ENG_PORTS,
		.rounds = e->run.rounds,
	};
	bool hosts = e->flags & MCFAB_ENG_HOST;
	u64 *starts = e->boundary.predict_space;
	struct mcfab_walk walk;
	int ret;

	if (host_bytes(e) > MOST_BYTES || (hosts && (e->topo->pace || e->flags & MCFAB_ENG_MEMORY)))
		return 0;
	e->boundary.predicts = true;
	out->arrival = starts + (hosts ? (u64)e->run.max_worms * e->run.packets : 0);
	out->node = (u32 *)(out->arrival + e->run.max_dst);
	out->hops = hosts ? out->node + e->run.max_dst : NULL;
	out->links = hosts ? (struct mcfab_links *)(out->hops + e->run.max_dst) : NULL;
	mcfab_walk_init(&walk, e->pol, plan,
			PTR_ALIGN(out->node + (hosts ? 4 : 1) * e->run.max_dst, sizeof(u64)));
	ret = hosts ? predict_host(e, m, &walk, &timing, starts) :
		      mcfab_walk_predict(&walk, &timing, out);
	/* the policy's way has dead links: nothing can be predicted */
	if (ret == -EHOSTUNREACH) {
		e->boundary.predicts = false;
		ret = 0;
	}
	if (ret && !walk.blame.what)
		mcfab_blame(&walk.blame, "the plan leads nowhere", MCFAB_NONE, MCFAB_NONE);
	*blame = walk.blame;
	return ret;
}
