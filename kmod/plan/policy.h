/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A multicast policy. This header, plan/plan.h, topology/topology.h and routing/routing.h are all
 * that a policy may include: it knows nothing of netlink, threads, or time beyond the preparation
 * times that it declares.
 */
#ifndef MCFAB_PLAN_POLICY_H
#define MCFAB_PLAN_POLICY_H

#include <linux/device/driver.h>	/* module_driver() */

#include "plan/blame.h"
#include "plan/plan.h"
#include "base/config.h"
#include "topology/topology.h"

struct mcfab_policy_ops;
struct mcfab_subnet;
struct mcfab_updown;

/**
 * struct mcfab_view - the fabric as a policy sees it; all but @updown is constant during a run
 * @topo: the network
 * @vcs: virtual channels per physical channel
 * @buffer: flits per virtual channel
 * @inject: injection channels per node
 * @consume: consumption channels per node
 * @flits: length of the longest packet in flits (0: not known, as in a plan of any
 *	   length)
 * @packets: packets of a message (0: not known)
 * @switching: switching technique
 * @replication: replication mode
 * @vc_release: when a virtual channel is free again
 * @load: several multicasts may be under way at once
 * @subnet: LIDs, forwarding tables and multicast groups; NULL: the fabric has none
 * @updown: up*-down* routing in force; NULL: the fabric has none, and the policy has its own
 *	    routing. When links have failed or been mended during a run, another routing takes its
 *	    place at a boundary, when no packet is under way and no call of the policy, and the old
 *	    routing may be freed. So a policy looks at @updown in every call, and keeps no pointer
 *	    to it nor to anything in it. The routing has strings if init() called
 *	    mcfab_updown_strings(); a policy may change nothing else in it. It stays until exit()
 *	    has returned
 * @stop: for mcfab_policy_resched()
 */
struct mcfab_view {
	const struct mcfab_topo *topo;
	u32 vcs;
	u32 buffer;
	u32 inject;
	u32 consume;
	u32 flits;
	u32 packets;
	enum mcfab_switching_mode switching;
	enum mcfab_replication_mode replication;
	enum mcfab_vc_release_mode vc_release;
	bool load;
	const struct mcfab_subnet *subnet;
	struct mcfab_updown *updown;
	const bool *stop;
};

/**
 * struct mcfab_param - a parameter of a policy
 * @name: as the user writes it
 * @help: one line for people, with the unit
 * @type: how the user writes it
 * @min: least value (U32, DECIMAL)
 * @max: greatest value (U32, DECIMAL)
 * @def: default
 * @choices: NULL-terminated words (CHOICE)
 */
struct mcfab_param {
	const char *name;
	const char *help;
	enum mcfab_param_kind type;
	u32 min;
	u32 max;
	u32 def;
	const char *const *choices;
};

/** MCFAB_MAX_BRANCHES - most outputs of one header decision: every port of a switch */
#define MCFAB_MAX_BRANCHES	MCFAB_GRAPH_PORTS_MAX
/** MCFAB_MAX_ALTERNATIVES - most output ports one branch may choose from */
#define MCFAB_MAX_ALTERNATIVES	4

/**
 * struct mcfab_header - a header at the front of a router's input
 * @router: the router
 * @in_port: network port by which it came in; MCFAB_PORT_ANY: injected here
 * @in_vc: virtual channel by which it came in
 * @sender: node that sent the worm
 * @first_port: forced first output port of the worm, or MCFAB_PORT_ANY
 * @arg: mcfab_plan_worm.arg
 * @serial: packets that its sender injected before this one
 * @state: word set by the decision before this one (0 at the sender)
 * @dst: destinations of the worm; entries @first .. @last - 1 remain. Entries
 *	 may carry MCFAB_DST_RELAY. A tree policy may reorder its own remaining
 *	 entries, so that every branch's subset is one range: mcfab_header_move()
 * @first: first remaining destination
 * @last: one past the last
 */
struct mcfab_header {
	u32 router;
	u16 in_port;
	u16 in_vc;
	u32 sender;
	u16 first_port;
	u16 arg;
	u32 serial;
	u32 state;
	u32 *dst;
	u32 first;
	u32 last;
};

/**
 * mcfab_header_dst() - an entry of a header's list
 * @hdr: the header
 * @i: the entry's place, @hdr->first .. @hdr->last - 1
 *
 * For tree policies that reorder. All packets of a message share one list, so another packet, in a
 * later switch and on another CPU, may be moving entries of one branch at this moment. The caller
 * can be sure to which branch an entry belongs. It cannot be sure which destination of that branch
 * it gets, nor that it finds a certain one.
 *
 * Context: grant phase, mcfab_policy_ops.route().
 * Return: the entry.
 */
static inline u32 mcfab_header_dst(const struct mcfab_header *hdr, u32 i)
{
	return READ_ONCE(hdr->dst[i]);
}

/**
 * mcfab_header_move() - bring an entry of a header's list to another place
 * @hdr: the header
 * @from: the entry's place
 * @to: its new place; the entry there goes to @from
 *
 * All packets of a message have to be split in the same way, by moves in the same order. Then
 * packets after the first find every entry in its place, and write nothing.
 *
 * Context: grant phase, mcfab_policy_ops.route().
 */
static inline void mcfab_header_move(const struct mcfab_header *hdr, u32 from, u32 to)
{
	u32 dst = mcfab_header_dst(hdr, to);

	if (from == to)
		return;
	WRITE_ONCE(hdr->dst[to], mcfab_header_dst(hdr, from));
	WRITE_ONCE(hdr->dst[from], dst);
}

/**
 * struct mcfab_branch - one output of a header decision
 * @node: node that receives a copy over a consumption channel of this router;
 *	  MCFAB_NONE: a network branch
 * @nports: alternatives of a network branch
 * @port: the output ports it may take
 * @vcs: bit mask of the virtual channels that it may take on each port
 * @first: first destination of this branch (network branches)
 * @last: one past the last; for a consumption branch, @first is the entry of dst[] that is
 *	  delivered; MCFAB_NONE: the node is not in dst[] (MCFAB_POLICY_TABLE)
 * @state: word for the next decision
 */
struct mcfab_branch {
	u32 node;
	u32 nports;
	u16 port[MCFAB_MAX_ALTERNATIVES];
	u16 vcs[MCFAB_MAX_ALTERNATIVES];
	u32 first;
	u32 last;
	u32 state;
};

/** enum mcfab_drop - why a copy of a packet ends before a destination, or beside one */
enum mcfab_drop {
	MCFAB_DROP_NO_ENTRY = 1,	/* no entry for the packet's LID, or no lane */
	MCFAB_DROP_DEAD_PORT,		/* the entry names ports that lead nowhere, or back */
	MCFAB_DROP_LOOP,		/* it has crossed as many channels as there are switches */
	MCFAB_DROP_STRAY,		/* the packet came to a node that is no destination */
	MCFAB_DROP_DUPLICATE,		/* the packet came to a destination a second time */
	MCFAB_DROP_LINK,		/* a link on the way is dead; for each destination */
	MCFAB_DROP_UNREACHABLE,		/* not a copy: a destination that was left out */
	MCFAB_DROP_ABORTED,		/* not a copy: a worm that lost copies by dead links */
	MCFAB_DROP_DEADLOCK,		/* its worm was aborted; for each destination */
	MCFAB_DROP_RECOVERED,		/* not a copy: a worm, aborted to end a deadlock */
	MCFAB_DROPS = MCFAB_DROP_RECOVERED,
};

/**
 * struct mcfab_decision - all outputs of a header decision
 * @nbranches: how many; 0 drops the packet (MCFAB_POLICY_TABLE, or links are dead)
 * @drop: why it is dropped
 * @straight: at so many routers after this one the decision on the only network branch is the same:
 *	      the port of the same number, the same virtual channels, destinations and state, and no
 *	      copy. Cleared before the call; where a policy leaves it 0, the engine calls route() at
 *	      these routers
 * @ends: at the router after these the header is at its only destination, and the decision delivers
 *	  it there. Cleared before the call, and optional, too
 * @branch: the branches
 */
struct mcfab_decision {
	u32 nbranches;
	enum mcfab_drop drop;
	u32 straight;
	bool ends;
	struct mcfab_branch branch[MCFAB_MAX_BRANCHES];
};

/* of mcfab_policy_ops.flags, beside those of the topologies it serves (topology.h) */
/**
 * MCFAB_POLICY_TABLE - packets follow tables that users may change: a header may be
 * dropped, a copy may come to a node that is no destination, or come twice
 */
#define MCFAB_POLICY_TABLE	BIT(29)
/**
 * MCFAB_POLICY_COPIES - a header decision may have several consumption branches beside a
 * network branch: worms of one path that drop copies at several hosts of a switch
 */
#define MCFAB_POLICY_COPIES	BIT(28)
/**
 * MCFAB_POLICY_OBLIVIOUS - unless the fabric has up*-down* routing, a header decision depends on
 * the header alone, and is a node, or a port to go on by, or both
 */
#define MCFAB_POLICY_OBLIVIOUS	BIT(27)
/**
 * MCFAB_POLICY_SINGLE - every worm has one destination. If the policy also has a @unicast_arg, a
 * message to one destination is sent like a background unicast, without a call of prepare()
 */
#define MCFAB_POLICY_SINGLE	BIT(30)
/** MCFAB_POLICY_TREE - a header decision may have several network branches */
#define MCFAB_POLICY_TREE	BIT(31)

/**
 * struct mcfab_turn - a header goes on from one channel to the next
 * @router: where
 * @in_port: network port by which it came in
 * @in_vc: virtual channel by which it came in
 * @out_port: network port by which it goes on
 * @out_vc: virtual channel by which it goes on
 */
struct mcfab_turn {
	u32 router;
	u16 in_port;
	u16 in_vc;
	u16 out_port;
	u16 out_vc;
};

/** enum mcfab_forward - who sends a message on at a later sender (node model host) */
enum mcfab_forward {
	MCFAB_FORWARD_HOST,	/* its host, when the whole message is there */
	MCFAB_FORWARD_FPFS,	/* its network interface: each packet to all children as it comes */
	MCFAB_FORWARD_FCFS,	/* its network interface: the first child is served first */
};

/**
 * struct mcfab_policy_ops - a multicast policy
 * @owner: THIS_MODULE
 * @name: its name, as in "policy dp"; its module has the alias mcfab-policy-NAME
 * @title: one line for people: full name and where it was published
 * @flags: MCFAB_POLICY_*: the topologies it serves
 * @prep: default preparation time at the source in cycles
 * @params: its parameters
 * @nparams: how many
 * @priv_size: bytes of private area per run; the core allocates and zeroes it
 * @init: optional: check and take the parameter values (in the order of
 *	  @params) and precompute into @priv. May sleep. Refuses with mcfab_refuse()
 *	  what the fabric cannot give (-EOPNOTSUPP) or a bad value (-EINVAL; set
 *	  @err->index to the parameter's index).
 * @exit: optional: undo @init. @view is as the run left it, @updown included. May sleep.
 * @max_plan: optional: most worms and dst entries that @prepare makes of @ndst
 *	  destinations (default: @ndst of each, as every worm delivers at least one).
 *	  Any context
 * @scratch: optional: bytes of working space @prepare needs for @ndst destinations.
 *	  Any context
 * @prepare: group @dst[0 .. @ndst) (distinct, without @source; the array may be reordered) into
 *	     worms, O(k log k) where that is possible: for chains nothing better than the square of
 *	     their switches is known. Called once per multicast by a router thread or by a plan
 *	     request. It must not sleep, allocate, print, or use any clock or shared state. Where it
 *	     computes for more than 5 ms, it calls mcfab_policy_resched() in between.
 * @route: the decision of one header; called once per header and router, takes 1 ms at most. Same
 *	   restrictions as @prepare; it must not divide by variables more than needed.
 * @unicast_arg: optional: the @arg with which a worm to one destination follows the
 *	  policy's base routing (background unicasts; default: 0). Same restrictions as
 *	  @prepare
 * @forward: optional: who sends on at later senders of a network with hosts and network
 *	  interfaces (default: MCFAB_FORWARD_HOST). Any context
 * @header_flits: optional: flits of a header (one is 8 bits) that still names @dst[@first .. @last
 *		  - 1], where headers have a length of their own (default: a flit for each
 *		  destination). At least 1, and fewer destinations never give more flits. With @dst
 *		  NULL the longest header that so many destinations may have; @priv may be NULL
 *		  then. Any context
 * @turn: optional: may a header of any worm, of any message, make this turn between two channels
 *	  that exist? For verify: if turns that are allowed make no cycle, nothing can deadlock,
 *	  whatever the destinations. It may allow turns that no header makes. Any context
 * @turns: optional: does @turn know the turns with these parameters, on this fabric? (default:
 *	   yes). Any context
 * @hold: optional: there is one more user of this structure, which does not live as long as its
 *	  module. Called under RCU, while the policy is registered
 * @release: optional: the user is gone; the structure may be freed. May sleep
 * @wrong: optional: why a call of @prepare or @route made nothing of use, as "it divides by zero";
 *	   NULL: no reason in particular. Asked when a plan or a decision has failed. Any context
 * @list: for the registry
 *
 * Mandatory: @owner (NULL when built in), @name, @title, @flags, @prepare, @route.
 */
struct mcfab_policy_ops {
	struct module *owner;
	const char *name;
	const char *title;
	u32 flags;
	u32 prep;
	const struct mcfab_param *params;
	u32 nparams;
	size_t priv_size;
	int (*init)(const struct mcfab_view *view, const u32 *values, void *priv,
		    struct mcfab_err *err);
	void (*exit)(const struct mcfab_view *view, void *priv);
	void (*max_plan)(const struct mcfab_view *view, const void *priv, u32 ndst,
			 u32 *worms, u32 *dsts);
	size_t (*scratch)(const struct mcfab_view *view, const void *priv, u32 ndst);
	void (*prepare)(const struct mcfab_view *view, const void *priv, u32 source,
			u32 *dst, u32 ndst, struct mcfab_plan *plan, void *scratch);
	void (*route)(const struct mcfab_view *view, const void *priv,
		      const struct mcfab_header *hdr, struct mcfab_decision *out);
	u16 (*unicast_arg)(const void *priv);
	enum mcfab_forward (*forward)(const void *priv);
	u32 (*header_flits)(const struct mcfab_view *view, const void *priv, const u32 *dst,
			    u32 first, u32 last);
	bool (*turn)(const struct mcfab_view *view, const void *priv,
		     const struct mcfab_turn *turn);
	bool (*turns)(const struct mcfab_view *view, const void *priv);
	void (*hold)(const struct mcfab_policy_ops *ops);
	void (*release)(const struct mcfab_policy_ops *ops);
	const char *(*wrong)(const void *priv);
	struct list_head list;
};

int mcfab_policy_register(struct mcfab_policy_ops *ops);
void mcfab_policy_unregister(struct mcfab_policy_ops *ops);

#define MODULE_ALIAS_MCFAB_POLICY(name)	MODULE_ALIAS("mcfab-policy-" name)

/**
 * module_mcfab_policy() - a module that is one policy
 * @ops: its struct mcfab_policy_ops
 */
#define module_mcfab_policy(ops) \
	module_driver(ops, mcfab_policy_register, mcfab_policy_unregister)

/**
 * struct mcfab_policy - a policy with its parameters, bound to a fabric's view
 * @ops: the policy; its module is held
 * @view: the fabric
 * @values: value of every parameter
 * @priv: the policy's private area
 */
struct mcfab_policy {
	const struct mcfab_policy_ops *ops;
	struct mcfab_view view;
	u32 values[MCFAB_MAX_PARAMS];
	void *priv;
};

/**
 * mcfab_header_more() - flits of a header beyond the first
 * @pol: the policy
 * @dst: destination list of the plan; NULL: any, the most there may be
 * @first: first remaining entry
 * @last: one past the last
 *
 * Context: Any.
 * Return: the flits.
 */
static inline u32 mcfab_header_more(const struct mcfab_policy *pol, const u32 *dst, u32 first,
				    u32 last)
{
	u32 flits = last - first;

	if (pol->ops->header_flits)
		flits = pol->ops->header_flits(&pol->view, pol->priv, dst, first, last);
	return flits - 1;
}

/**
 * mcfab_policy_wrong() - what to say of a plan or a decision that is of no use
 * @pol: the policy
 * @what: what the core sees, as "no way leads on to it"
 *
 * Context: Any.
 * Return: the policy's own reason, or @what.
 */
static inline const char *mcfab_policy_wrong(const struct mcfab_policy *pol, const char *what)
{
	const char *why = pol->ops->wrong ? pol->ops->wrong(pol->priv) : NULL;

	return why ?: what;
}

/* plan/policy.c */
int mcfab_policy_open(struct mcfab_policy *pol, const char *name, const struct mcfab_view *view,
		      const struct mcfab_setting *set, u32 nset, struct mcfab_err *err);
void mcfab_policy_close(struct mcfab_policy *pol);
bool mcfab_policy_wants_load(const char *name);
void mcfab_policy_load(const char *name);
const struct mcfab_policy_ops *mcfab_policy_get(const char *name);
const struct mcfab_policy_ops *mcfab_policy_next(const char *after);
void mcfab_policy_put(const struct mcfab_policy_ops *ops);
bool mcfab_policy_resched(const struct mcfab_view *view);

/* plan/plan.c */
void mcfab_plan_bounds(const struct mcfab_policy *pol, u32 ndst, u32 *worms, u32 *dsts,
		       size_t *scratch);
int mcfab_plan_prepare(const struct mcfab_policy *pol, u32 source, u32 *dst, u32 ndst,
		       struct mcfab_plan *plan, void *scratch, struct mcfab_blame *blame);
int mcfab_plan_check(const struct mcfab_topo *topo, u32 source, const u32 *dst, u32 ndst,
		     const struct mcfab_plan *plan, unsigned long *seen,
		     struct mcfab_blame *blame);

#endif
