/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The dry walk: where the worms of a plan go and when they arrive if nothing is
 * in their way. It asks the policy's route() header by header, exactly as the
 * engine does, with the lowest virtual channel of the first alternative.
 */
#ifndef MCFAB_PLAN_WALK_H
#define MCFAB_PLAN_WALK_H

#include "base/config.h"
#include "plan/policy.h"

/** enum mcfab_walk_kind - what happens in a walk */
enum mcfab_walk_kind {
	MCFAB_WALK_HOP = 1,
	MCFAB_WALK_DELIVER,
	MCFAB_WALK_STRAY,	/* a copy to a node that is no destination (MCFAB_POLICY_TABLE) */
	MCFAB_WALK_DROP,	/* a switch drops the packet (MCFAB_POLICY_TABLE) */
	MCFAB_WALK_INJECT,	/* from a host to its switch; only mcfab_walk_listed() */
};

/**
 * struct mcfab_walk_event - a hop, a delivery, a stray copy or a drop
 * @kind: which
 * @from: router; INJECT: the node that sends
 * @to: HOP: router at the other end; DELIVER: the node, with MCFAB_DST_RELAY if
 *	it is a relay; STRAY: the node; INJECT: its router
 * @entry: DELIVER: place of the node among the worm's destinations
 * @drop: DROP: why
 * @port: HOP: output port
 * @vc: HOP: virtual channel
 * @hops: channels crossed since the sender, this one included
 * @links: the links of these channels
 */
struct mcfab_walk_event {
	enum mcfab_walk_kind kind;
	u32 from;
	u32 to;
	u32 entry;
	enum mcfab_drop drop;
	u16 port;
	u16 vc;
	u32 hops;
	struct mcfab_links links;
};

/**
 * struct mcfab_walk_front - a header that has not been routed yet
 * @router: the router
 * @hops: channels crossed
 * @links: of these channels
 * @first: its first destination
 * @last: one past the last
 * @state: the policy's word
 * @in_port: port by which it came in
 * @in_vc: virtual channel by which it came in
 * @straight: promise of the decision before it, see struct mcfab_decision
 * @ends: likewise
 * @port: that decision's output port
 * @vcs: its mask of virtual channels
 */
struct mcfab_walk_front {
	u32 router;
	u32 hops;
	struct mcfab_links links;
	u32 first;
	u32 last;
	u32 state;
	u16 in_port;
	u16 in_vc;
	u32 straight;
	bool ends;
	u16 port;
	u16 vcs;
};

/**
 * struct mcfab_walk - a walk over the worms of a plan, one worm at a time
 * @pol: the policy
 * @plan: the plan; not changed
 * @worm: worm under way
 * @hop: its hops so far
 * @listed: its events that mcfab_walk_listed() has returned
 * @most: more hops than any sane worm takes
 * @hdr: header whose decision is being read
 * @hops: channels it has crossed
 * @links: of these channels
 * @timing: lengths and delays for @links; NULL: rates of links do not count
 * @out: the decision
 * @straight: routers after this one whose decisions are promised
 * @ends: the decision at the router after these is promised, too
 * @branch: next branch of @out to read
 * @dst: [most destinations of a worm] the worm's own copy: route() may reorder it
 * @front: ring of headers to be routed, breadth first
 * @room: entries of @front
 * @head: first of them in use
 * @nfronts: how many are in use
 * @table: packets follow tables: they may be dropped, come twice, go astray
 * @came: [most destinations of a worm] bit map for the walk's user
 * @blame: what is wrong where a function returns an error; its @what is NULL otherwise
 */
struct mcfab_walk {
	const struct mcfab_policy *pol;
	const struct mcfab_plan *plan;
	u32 worm;
	u32 hop;
	u32 listed;
	u32 most;
	struct mcfab_header hdr;
	u32 hops;
	struct mcfab_links links;
	const struct mcfab_timing *timing;
	struct mcfab_decision *out;
	u32 straight;
	bool ends;
	u32 branch;
	u32 *dst;
	struct mcfab_walk_front *front;
	u32 room;
	u32 head;
	u32 nfronts;
	bool table;
	unsigned long *came;
	struct mcfab_blame blame;
};

size_t mcfab_walk_bytes(const struct mcfab_policy *pol, const struct mcfab_plan *plan);
void mcfab_walk_init(struct mcfab_walk *walk, const struct mcfab_policy *pol,
		     const struct mcfab_plan *plan, void *mem);
void mcfab_walk_start(struct mcfab_walk *walk, u32 worm);
int mcfab_walk_next(struct mcfab_walk *walk, struct mcfab_walk_event *event);
int mcfab_walk_listed(struct mcfab_walk *walk, struct mcfab_walk_event *event);
int mcfab_walk_seek(struct mcfab_walk *walk, u32 worm, u32 nr);

/**
 * struct mcfab_timing - the delays for a prediction
 * @flits: message length L
 * @headers: see struct mcfab_run_cfg
 * @prep: preparation at the source
 * @prep_relay: preparation at later senders
 * @startup: start-up latency T_s
 * @inject_delay: see struct mcfab_fabric_cfg
 * @route_delay: see struct mcfab_fabric_cfg
 * @catch_up: what of @route_delay is the header's alone: flits behind it catch up
 * @link_delay: see struct mcfab_fabric_cfg
 * @consume_delay: see struct mcfab_fabric_cfg
 * @ports: hosts' links end in buffers, see mcfab_has_ports()
 * @rounds: when the next round begins
 */
struct mcfab_timing {
	u32 flits;
	bool headers;
	u32 prep;
	u32 prep_relay;
	u32 startup;
	u32 inject_delay;
	u32 route_delay;
	u32 catch_up;
	u32 link_delay;
	u32 consume_delay;
	bool ports;
	enum mcfab_rounds_mode rounds;
};

/**
 * struct mcfab_prediction - a plan's cost without contention
 * @node: [plan->ndst] the receivers, in the plan's order of worms and each worm's order of
 *	  delivery; the caller's array
 * @arrival: [plan->ndst] arrival at each receiver, counted from generation; the caller's array
 * @hops: [plan->ndst] channels crossed from the sender; the caller's array, or
 *	  NULL
 * @links: [plan->ndst] the links of these channels; the caller's array, or NULL
 * @ndst: destinations, relays not counted
 * @nworms: worms
 * @steps: most steps of the message to a destination
 * @longest: most channels that a header crosses, of all worms
 * @path: channels of the longest worm of each step, steps added: the "network latency" of papers
 * @traffic: channels crossed by all worms
 * @completion: last arrival
 * @sum_destination: sum of the arrivals at destinations
 * @sum_worm: sum over the worms of each one's last arrival
 * @lost: destinations that tables do not reach: their @arrival is U64_MAX
 * @drops: copies that switches drop
 * @strays: copies to nodes that are no destinations
 * @duplicates: second copies to destinations
 */
struct mcfab_prediction {
	u32 *node;
	u64 *arrival;
	u32 *hops;
	struct mcfab_links *links;
	u32 ndst;
	u32 nworms;
	u32 steps;
	u32 longest;
	u32 path;
	u64 traffic;
	u64 completion;
	u64 sum_destination;
	u64 sum_worm;
	u32 lost;
	u32 drops;
	u32 strays;
	u32 duplicates;
};

int mcfab_walk_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing,
		       struct mcfab_prediction *out);

/**
 * mcfab_has_ports() - do hosts' links end in input buffers that hold several packets?
 * @topo: the network
 * @cfg: its configuration
 *
 * True on irregular networks, as every input of a switch has such a buffer. Store-and-forward
 * switches take a host's memory for the first store.
 *
 * Context: Any.
 * Return: true if they do.
 */
static inline bool mcfab_has_ports(const struct mcfab_topo *topo,
				   const struct mcfab_fabric_cfg *cfg)
{
	return topo->graph && cfg->vc_release == MCFAB_VC_RELEASE_MODE_SENT &&
	       cfg->switching != MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
}

/**
 * mcfab_walk_tail() - when the tail of a packet alone in the network arrives
 * @walk: a walk, for the policy's view of the fabric
 * @timing: delays
 * @start: when the packet leaves
 * @hops: channels that the packet crosses
 * @links: their links
 * @flits: its length
 *
 * A slow link behind the receiver may hold up a packet that goes on: then it arrives later.
 *
 * Context: Any.
 * Return: the cycle.
 */
static inline u64 mcfab_walk_tail(const struct mcfab_walk *walk, const struct mcfab_timing *timing,
				  u64 start, u32 hops, struct mcfab_links links, u32 flits)
{
	bool store = walk->pol->view.switching == MCFAB_SWITCHING_MODE_STORE_AND_FORWARD;
	u64 cycle = start + timing->inject_delay + (hops + 1ull) * timing->route_delay +
		    (u64)hops * timing->link_delay + timing->consume_delay + flits - 1 +
		    mcfab_links_longer(links);

	/* the whole message is collected at every router, and routed meanwhile */
	if (store && flits - 1 > timing->route_delay)
		cycle += (u64)hops * (flits - 1 - timing->route_delay);
	return cycle;
}

#endif
