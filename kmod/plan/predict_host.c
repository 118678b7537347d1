// SPDX-License-Identifier: GPL-2.0
/*
 * The prediction of a plan for nodes with hosts, I/O buses and network interfaces. A node that
 * sends a message on has received it before, and with a single message it has nothing else to do.
 * So the prediction goes sender by sender, in the order of the plan. It computes when each packet
 * is with each server of the sender, and then when the packet comes to the receivers.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "plan/predict_host.h"

/* After so many packets at nodes other processes get the processor. */
#define BREATH		16384

/**
 * struct host_clock - a prediction under way
 * @walk: the walk over the plan
 * @plan: the plan
 * @timing: delays of the network, and of the sending hosts
 * @host: delays of the nodes
 * @out: the prediction
 * @start: [worms * packets] when each packet of each worm was injected
 * @channel: of the sender: when each injection channel is free
 * @front: of the sender: when the buffer behind each injection channel is empty
 * @ni: of the sender or receiver: when its network interface is free
 * @entry: entry of the last later sender: the entry of the next one is often behind it
 * @work: packets at nodes so far
 */
struct host_clock {
	struct mcfab_walk *walk;
	const struct mcfab_plan *plan;
	const struct mcfab_timing *timing;
	const struct mcfab_host_timing *host;
	struct mcfab_prediction *out;
	u64 *start;
	u64 channel[MCFAB_MAX_CHANNELS];
	u64 front[MCFAB_MAX_CHANNELS];
	u64 ni;
	u32 entry;
	u64 work;
};

/**
 * mcfab_host_predict_bytes() - working space of mcfab_host_predict()
 * @nworms: most worms of the plan
 * @packets: packets of a message
 *
 * Context: Any.
 * Return: bytes.
 */
u64 mcfab_host_predict_bytes(u32 nworms, u32 packets)
{
	return (u64)nworms * packets * sizeof(u64);
}

/**
 * mcfab_host_timing_init() - the times of a fabric's nodes
 * @host: filled in
 * @cfg: the fabric's configuration
 * @pol: the policy
 * @flits: message length
 * @mtu: longest packet, or 0
 *
 * Context: Any.
 */
void mcfab_host_timing_init(struct mcfab_host_timing *host, const struct mcfab_fabric_cfg *cfg,
			    const struct mcfab_policy *pol, u32 flits, u32 mtu)
{
	host->packet = mcfab_packet_flits(flits, mtu);
	host->packets = DIV_ROUND_UP(flits, host->packet);
	host->last = flits - (host->packets - 1) * host->packet;
	host->receive = cfg->host_receive;
	host->ni_send = cfg->ni_send;
	host->ni_receive = cfg->ni_receive;
	host->bus = mcfab_bus_cycles(cfg, host->packet);
	host->bus_last = mcfab_bus_cycles(cfg, host->last);
	host->inject = cfg->inject;
	host->per_packet = cfg->host_overhead == MCFAB_HOST_OVERHEAD_MODE_PACKET;
	host->forward = pol->ops->forward ? pol->ops->forward(pol->priv) : MCFAB_FORWARD_HOST;
}

static bool is_last(const struct host_clock *c, u32 packet)
{
	return packet + 1 == c->host->packets;
}

static u32 bus_time(const struct host_clock *c, u32 packet)
{
	return is_last(c, packet) ? c->host->bus_last : c->host->bus;
}

static u32 packet_flits(const struct host_clock *c, u32 worm, u32 packet)
{
	u32 flits = is_last(c, packet) ? c->host->last : c->host->packet;
	const struct mcfab_plan_worm *w = &c->plan->worm[worm];

	if (c->timing->headers)
		flits += mcfab_header_more(c->walk->pol, c->plan->dst, w->first,
					   w->first + w->count);
	return flits;
}

static u64 *start_of(const struct host_clock *c, u32 worm, u32 packet)
{
	return &c->start[(u64)worm * c->host->packets + packet];
}

/* when a packet of a worm comes to an entry of the prediction */
static u64 arrival(const struct host_clock *c, u32 worm, u32 packet, u32 entry)
{
	return mcfab_walk_tail(c->walk, c->timing, *start_of(c, worm, packet),
			       c->out->hops[entry], c->out->links[entry],
			       packet_flits(c, worm, packet));
}

/* the network interface makes a copy of a packet: the copy waits for a free channel */
static void send_copy(struct host_clock *c, u32 worm, u32 packet)
{
	u32 best = 0, i;
	u64 start;

	c->ni += c->host->ni_send;
	for (i = 1; i < c->host->inject; i++)
		if (c->channel[i] < c->channel[best])
			best = i;
	start = max(c->ni, c->channel[best]);
	if (c->timing->ports) {
		/*
		 * the header waits for the front, as long as if its packet had left its host later
		 */
		c->channel[best] = start + packet_flits(c, worm, packet);
		start = max(start, c->front[best]);
		c->front[best] = start + c->timing->route_delay + packet_flits(c, worm, packet);
	} else {
		c->channel[best] = start + c->timing->inject_delay + c->timing->route_delay +
				   packet_flits(c, worm, packet);
	}
	*start_of(c, worm, packet) = start;
	c->work++;
}

/* copies of worms @first .. @end - 1 that are made when a packet is there; @all: all of them */
static void send_copies(struct host_clock *c, u32 first, u32 end, u32 packet, bool all)
{
	u32 w, p;

	if (c->host->forward != MCFAB_FORWARD_FCFS) {
		for (w = first; w < end; w++)
			send_copy(c, w, packet);
		return;
	}
	if (first == end)
		return;
	send_copy(c, first, packet);
	for (w = first + 1; all && w < end; w++)
		for (p = 0; p < c->host->packets; p++)
			send_copy(c, w, p);
}

/* a host has worms to send at @cpu */
static void send_worms(struct host_clock *c, u32 first, u32 end, u64 cpu)
{
	bool each = c->host->forward == MCFAB_FORWARD_HOST;
	u64 bus = 0;
	u32 w, next, p;

	c->ni = 0;
	for (w = first; w < end; w = next) {
		next = each ? w + 1 : end;
		for (p = 0; p < c->host->packets; p++) {
			if (!p || c->host->per_packet)
				cpu += c->timing->startup;
			bus = max(bus, cpu) + bus_time(c, p);
			c->ni = max(c->ni, bus);
			send_copies(c, w, next, p, is_last(c, p));
		}
	}
}

/*
 * An entry receives a worm, and the network interface sends worms @first .. @end - 1 on:
 * returns when the host has the message.
 */
static u64 receive(struct host_clock *c, u32 entry, u32 worm, u32 first, u32 end)
{
	u64 bus = 0, cpu = 0;
	u32 p;

	c->ni = 0;
	/* a shorter last packet does not overtake the others */
	for (p = 0; p < c->host->packets; p++) {
		c->ni = max(c->ni, arrival(c, worm, p, entry)) + c->host->ni_receive;
		bus = max(bus, c->ni) + bus_time(c, p);
		if (c->host->per_packet || is_last(c, p))
			cpu = max(cpu, bus) + c->host->receive;
		send_copies(c, first, end, p, is_last(c, p));
	}
	c->work += c->host->packets;
	return cpu;
}

/* the entry with which a later sender has got the message */
static int find_sender(struct host_clock *c, const struct mcfab_plan_worm *worm)
{
	const struct mcfab_plan_worm *after = &c->plan->worm[worm->after];
	u32 last = after->first + after->count, i;

	if (c->entry < after->first || c->entry >= last)
		c->entry = after->first;
	for (i = 0; i < after->count; i++) {
		if ((c->out->node[c->entry] & ~(u32)MCFAB_DST_RELAY) == worm->sender)
			return 0;
		if (++c->entry == last)
			c->entry = after->first;
	}
	return -EINVAL;
}

/* computes when worms @first .. @end - 1, all of one sender, leave it */
static int set_starts(struct host_clock *c, u32 first, u32 end)
{
	const struct mcfab_plan_worm *worm = &c->plan->worm[first];
	int ret;

	memset(c->channel, 0, sizeof(c->channel));
	memset(c->front, 0, sizeof(c->front));
	if (worm->after == MCFAB_NONE) {
		send_worms(c, first, end, c->timing->prep);
		return 0;
	}
	ret = find_sender(c, worm);
	if (ret)
		return ret;
	if (c->host->forward == MCFAB_FORWARD_HOST)
		send_worms(c, first, end, c->out->arrival[c->entry] + c->timing->prep_relay);
	else	/* its network interface also sends copies on: the arrival is computed again */
		c->out->arrival[c->entry] = receive(c, c->entry, worm->after, first, end);
	return 0;
}

/* destinations that tables do not reach keep U64_MAX */
static int set_arrivals(struct host_clock *c, u32 worm)
{
	u32 first = c->plan->worm[worm].first, end = first + c->plan->worm[worm].count, i;

	for (i = first; i < end; i++) {
		if (c->out->arrival[i] != U64_MAX)
			c->out->arrival[i] = receive(c, i, worm, 0, 0);
		if (c->work < BREATH)
			continue;
		c->work = 0;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return 0;
}

static void add_up(const struct mcfab_plan *plan, struct mcfab_prediction *out)
{
	u32 i, k;
	u64 last;

	out->completion = 0;
	out->sum_destination = 0;
	out->sum_worm = 0;
	for (i = 0; i < plan->nworms; i++) {
		last = 0;
		for (k = plan->worm[i].first; k < plan->worm[i].first + plan->worm[i].count; k++) {
			if (out->arrival[k] == U64_MAX)
				continue;
			last = max(last, out->arrival[k]);
			if (out->node[k] & MCFAB_DST_RELAY)
				continue;
			out->sum_destination += out->arrival[k];
			out->completion = max(out->completion, out->arrival[k]);
		}
		out->sum_worm += last;
	}
}

/**
 * mcfab_host_predict() - mcfab_walk_predict() for nodes with hosts
 * @walk: a walk that was set up for the plan; left at the end of it
 * @timing: delays; @timing->flits and @timing->rounds mean nothing
 * @host: delays of the nodes
 * @out: filled in; its arrays, @out->hops and @out->links too, are the caller's
 * @mem: mcfab_host_predict_bytes() bytes
 *
 * There is no contention in the network and for consumption channels; the servers of a node and its
 * injection channels do one job after the other. The packets of a worm come in their order. A node
 * that a plan reaches twice is taken for two.
 *
 * Context: May sleep. Takes time in proportion to the plan's hops and to packets times
 * entries.
 * Return: 0 or a negative error as of mcfab_walk_predict().
 */
int mcfab_host_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing,
		       const struct mcfab_host_timing *host, struct mcfab_prediction *out,
		       u64 *mem)
{
	const struct mcfab_plan *plan = walk->plan;
	struct host_clock c = {
		.walk = walk,
		.plan = plan,
		.timing = timing,
		.host = host,
		.out = out,
		.start = mem,
	};
	struct mcfab_timing network = *timing;
	u32 first, end;
	int ret;

	/* the receivers, the channels to them, and the cost of that */
	network.flits = host->packet;
	network.rounds = MCFAB_ROUNDS_MODE_INJECTED;
	ret = mcfab_walk_predict(walk, &network, out);
	/* packets would wait for each other on slow links: the rates of links are left out */
	for (first = 0; !ret && first < plan->ndst; first++)
		out->links[first].lag = 0;
	for (first = 0; !ret && first < plan->nworms; first = end) {
		const struct mcfab_plan_worm *worm = &plan->worm[first];

		for (end = first + 1; end < plan->nworms; end++)
			if (plan->worm[end].sender != worm->sender ||
			    plan->worm[end].after != worm->after)
				break;
		ret = set_starts(&c, first, end);
		for (; !ret && first < end; first++)
			ret = set_arrivals(&c, first);
	}
	if (!ret)
		add_up(plan, out);
	return ret;
}
