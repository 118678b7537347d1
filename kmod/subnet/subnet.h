/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An InfiniBand subnet laid over a network: local identifiers (LIDs) of hosts and switches, linear
 * forwarding tables (LFT), multicast forwarding tables (MFT), multicast groups and their multicast
 * LIDs.
 *
 * Port numbers here are those of the switches, as users know them: on a mesh 1 east (+x), 2 north
 * (+y), 3 west (-x), 4 south (-y), 5 the host, or as the user numbers them; on an irregular
 * topology the numbers of its file. Port 0 is the switch itself.
 *
 * A subnet changes only while no run reads it, under a lock of the caller's. The exception is
 * mcfab_group_assign(), which adds tables for a multicast LID that no packet has yet.
 */
#ifndef MCFAB_SUBNET_H
#define MCFAB_SUBNET_H

#include <linux/bitmap.h>

#include <asm/barrier.h>

#include "base/config.h"
#include "plan/policy.h"
#include "topology/graph.h"

/** MCFAB_MLIDS - how many multicast LIDs there are */
#define MCFAB_MLIDS		(MCFAB_MULTICAST_LID_MAX - MCFAB_MULTICAST_LID_MIN + 1)
/** MCFAB_SLS - service levels */
#define MCFAB_SLS		16

/** enum mcfab_direction - direction of a port of a mesh */
enum mcfab_direction {
	MCFAB_TO_EAST = 1,
	MCFAB_TO_NORTH,
	MCFAB_TO_WEST,
	MCFAB_TO_SOUTH,
	MCFAB_DIRECTIONS = MCFAB_TO_SOUTH,
};

/*
 * The far end of a port, mcfab_subnet.end[]: the output port of the topology, or one of these, or
 * MCFAB_END_HOST with the node's number.
 */
/** MCFAB_END_NONE - nothing is plugged in */
#define MCFAB_END_NONE		U32_MAX
/** MCFAB_END_SELF - port 0, the switch itself */
#define MCFAB_END_SELF		(U32_MAX - 1)
/** MCFAB_END_HOST - a host; the other bits are its number */
#define MCFAB_END_HOST		BIT(31)

/** struct mcfab_port_set - a set of ports of a switch */
struct mcfab_port_set {
	unsigned long bit[BITS_TO_LONGS(MCFAB_GRAPH_PORTS_MAX)];
};

/**
 * struct mcfab_mft - rows of all switches for one multicast LID
 * @group: number of its group; 0: none, it was only loaded
 * @source: the source of its packets; MCFAB_NONE: all sources
 * @bytes: memory charged
 * @user: [switches] bit map of rows that were set by the user and are not built
 * @row: [switches] output ports
 */
struct mcfab_mft {
	u32 group;
	u32 source;
	u64 bytes;
	unsigned long *user;
	struct mcfab_port_set row[];
};

/**
 * struct mcfab_renewal - tables of multicast LIDs that are made anew
 * @set: bit map of their multicast LIDs, from MCFAB_MULTICAST_LID_MIN
 * @lids: how many
 * @mft: by multicast LID as well: the new tables; after a swap the old tables, which may be NULL
 */
struct mcfab_renewal {
	DECLARE_BITMAP(set, MCFAB_MLIDS);
	u32 lids;
	struct mcfab_mft *mft[MCFAB_MLIDS];
};

/**
 * struct mcfab_group - a multicast group
 * @id: its number, from 1, never used twice
 * @name: unique
 * @nmembers: entries of @member
 * @member: nodes, ascending
 * @lid: multicast LID of all sources; 0: each source has its own
 * @nlids: sources that have a multicast LID
 * @lids: [nodes] the multicast LID of each source, 0: none; NULL with @lid
 * @addr: Ethernet address of frames for it as a number, 0: none
 * @bytes: memory charged
 */
struct mcfab_group {
	u32 id;
	char name[MCFAB_NAME_LEN];
	u32 nmembers;
	u32 *member;
	u16 lid;
	u32 nlids;
	u16 *lids;
	u64 addr;
	u64 bytes;
};

/** MCFAB_FINDING_SWITCHES - most switches of a loop or credit loop that are named */
#define MCFAB_FINDING_SWITCHES	64
/** MCFAB_FINDINGS - most findings that are kept */
#define MCFAB_FINDINGS		256
/** MCFAB_FINDING_TEXT - longest text of a finding, with its NUL */
#define MCFAB_FINDING_TEXT	256

/**
 * struct mcfab_finding - an error in tables; MCFAB_NONE in fields that do not apply
 * @type: type of finding
 * @kind: kind of table; 0: all together
 * @lid: LID of the packets concerned
 * @sw: switch where it is
 * @switch_lid: LID by which an unknown switch was named, or 0
 * @port: the wrong port
 * @node: host that is not reached, or gets a wrong copy
 * @source: host that sends
 * @nswitches: entries of @switches
 * @switches: switches of a loop or credit loop
 * @lids: credit loop: a LID whose packets come to the next switch of @switches from each, and go on
 *	  to the one after that
 * @vls: credit loop by SL-to-VL tables: the lane on the way to the next switch of @switches;
 *	 else MCFAB_LANE_NONE
 */
struct mcfab_finding {
	enum mcfab_finding_type type;
	enum mcfab_table_kind kind;
	u32 lid;
	u32 sw;
	u32 switch_lid;
	u32 port;
	u32 node;
	u32 source;
	u32 nswitches;
	u32 switches[MCFAB_FINDING_SWITCHES];
	u32 lids[MCFAB_FINDING_SWITCHES];
	u8 vls[MCFAB_FINDING_SWITCHES];
};

/**
 * struct mcfab_findings - findings of a check
 * @total: number of findings
 * @count: entries of @item: the first ones
 * @item: the first findings
 */
struct mcfab_findings {
	u32 total;
	u32 count;
	struct mcfab_finding item[MCFAB_FINDINGS];
};

/**
 * struct mcfab_levels - service levels and lanes that were loaded, see levels.h
 * @vl: [switches * ports * ports] by switch, input and output port: lanes of all service levels,
 *	4 bits each; NULL: no SL-to-VL tables were loaded
 * @path: [nodes * lids] service levels by source and LID; NULL: none were loaded
 */
struct mcfab_levels {
	u64 *vl;
	u8 *path;
};

/**
 * struct mcfab_stage - tables that are being loaded
 * @entries: entries loaded, LID by LID
 * @lft: as mcfab_subnet.lft; NULL: nothing of the kind was loaded
 * @mft: as mcfab_subnet.mft; NULL: nothing of the kind was loaded
 * @levels: as mcfab_subnet.levels
 * @left_out: entries that were left out
 * @fresh: [MCFAB_MLIDS] bit map of tables that were made for the entries being loaded
 * @bytes: memory charged, but for that of each of @mft and of @levels
 */
struct mcfab_stage {
	u64 entries;
	u8 *lft;
	struct mcfab_mft **mft;
	struct mcfab_levels levels;
	struct mcfab_findings left_out;
	DECLARE_BITMAP(fresh, MCFAB_MLIDS);
	u64 bytes;
};

/**
 * struct mcfab_entry - a part of the table of one switch or source, to set or to load
 * @kind: kind of table
 * @sw: switch; MCFAB_NONE: named by its LID
 * @switch_lid: its LID, or 0
 * @lid: LFT, path-sl: the first LID; MFT: the multicast LID
 * @nports: entries of @port
 * @port: LFT: output ports of @lid and the following LIDs; MFT: all output ports
 * @restore: take back the user's setting instead
 * @in: sl2vl: input port
 * @out: sl2vl: output port
 * @node: path-sl: the source
 * @nlevels: entries of @level
 * @level: sl2vl: lane of each service level; path-sl: service levels of @lid and the following LIDs
 */
struct mcfab_entry {
	enum mcfab_table_kind kind;
	u32 sw;
	u32 switch_lid;
	u32 lid;
	u32 nports;
	const u8 *port;
	bool restore;
	u32 in;
	u32 out;
	u32 node;
	u32 nlevels;
	const u8 *level;
};

/**
 * struct mcfab_subnet - the subnet of a fabric
 * @topo: the network
 * @rules: rules for its switches; no value is left to be a default
 * @vcs: virtual lanes of a channel
 * @switches: its routers
 * @ports: ports of a switch are numbered below this
 * @lids: LIDs are below this
 * @mesh: the network is a mesh of two dimensions, on which XY routing is known
 * @host_lid: [nodes] LIDs
 * @switch_lid: [@switches] LIDs
 * @owner: [@lids] node with a LID, or MCFAB_END_HOST with the number of a switch, or
 *	   MCFAB_NONE
 * @end: [@switches * @ports] far end of each port
 * @number: [@switches * topo->ports] number of each of the topology's ports
 * @xy: [2 * @switches] coordinates on the mesh
 * @toward: [@switches * 4] port towards each direction of the mesh, 0: none
 * @direction: [@switches * @ports] direction of a port on the mesh, 0: it leads to no switch
 * @lft: [@switches * @lids] output port, or MCFAB_NO_PORT
 * @built: [@switches * @lids] the same as it was built, with rules.min_hop; else NULL
 * @mft: [MCFAB_MLIDS] by multicast LID, from MCFAB_MULTICAST_LID_MIN; NULL: not in use
 * @levels: service levels and lanes that were loaded
 * @ngroups: entries of @group
 * @last_group: number of the newest group
 * @group: [MCFAB_MAX_GROUPS] groups, ascending by number
 * @stage: tables that are being loaded, or NULL
 * @edited: tables have been set or loaded
 * @generation: counts changes of groups and tables
 * @fresh: [MCFAB_MLIDS] bit map of multicast LIDs given since mcfab_assign_begin()
 * @before: @generation at mcfab_assign_begin()
 * @bytes: memory charged, but for that of groups, of each of @mft, of @levels and of @stage
 */
struct mcfab_subnet {
	const struct mcfab_topo *topo;
	struct mcfab_subnet_rules rules;
	u32 vcs;
	u32 switches;
	u32 ports;
	u32 lids;
	bool mesh;
	u16 *host_lid;
	u16 *switch_lid;
	u32 *owner;
	u32 *end;
	u8 *number;
	u16 *xy;
	u8 *toward;
	u8 *direction;
	u8 *lft;
	u8 *built;
	struct mcfab_mft **mft;
	struct mcfab_levels levels;
	u32 ngroups;
	u32 last_group;
	struct mcfab_group **group;
	struct mcfab_stage *stage;
	bool edited;
	u32 generation;
	DECLARE_BITMAP(fresh, MCFAB_MLIDS);
	u32 before;
	u64 bytes;
};

/** mcfab_subnet_end() - far end of port @port of switch @sw; @port may be any number */
static inline u32 mcfab_subnet_end(const struct mcfab_subnet *sn, u32 sw, u32 port)
{
	return port < sn->ports ? sn->end[sw * sn->ports + port] : MCFAB_END_NONE;
}

/** mcfab_end_network() - does a port's end, from mcfab_subnet_end(), lead to a switch? */
static inline bool mcfab_end_network(u32 end)
{
	return !(end & MCFAB_END_HOST);
}

/** mcfab_end_host() - the host at a port's end, from mcfab_subnet_end(), or MCFAB_NONE */
static inline u32 mcfab_end_host(u32 end)
{
	return end & MCFAB_END_HOST && end < MCFAB_END_SELF ? end & ~(u32)MCFAB_END_HOST :
		MCFAB_NONE;
}

/** mcfab_host_port() - number of the switch port on which @node hangs */
static inline u32 mcfab_host_port(const struct mcfab_subnet *sn, u32 node)
{
	return sn->topo->host_port ? sn->topo->host_port[node] :
		sn->rules.port[MCFAB_MESH_PORTS - 1];
}

/** mcfab_host_lids() - number of LIDs of @node */
static inline u32 mcfab_host_lids(const struct mcfab_subnet *sn, u32 node)
{
	const struct mcfab_graph *graph = sn->topo->graph;

	return graph ? mcfab_graph_host_lids(&graph->host[node]) : 1;
}

/** mcfab_host_lid() - LID by which @sender names @node: the first; with @spread they take turns */
static inline u32 mcfab_host_lid(const struct mcfab_subnet *sn, u32 node, u32 sender, bool spread)
{
	return sn->host_lid[node] + (spread ? sender & (mcfab_host_lids(sn, node) - 1) : 0);
}

/** mcfab_may_leave() - may a packet that came in by port @in of a switch leave by @port? */
static inline bool mcfab_may_leave(const struct mcfab_subnet *sn, u32 in, u32 port)
{
	return port != in || sn->rules.ingress == MCFAB_INGRESS_MODE_ALLOW;
}

/** mcfab_lft_port() - output port of a unicast LID at a switch, or MCFAB_NO_PORT */
static inline u32 mcfab_lft_port(const struct mcfab_subnet *sn, u32 sw, u32 lid)
{
	return lid < sn->lids ? sn->lft[(size_t)sw * sn->lids + lid] : MCFAB_NO_PORT;
}

/** mcfab_mft_find() - tables of a multicast LID, or NULL */
static inline struct mcfab_mft *mcfab_mft_find(const struct mcfab_subnet *sn, u32 lid)
{
	if (lid < MCFAB_MULTICAST_LID_MIN || lid > MCFAB_MULTICAST_LID_MAX)
		return NULL;
	/* Pairs with the smp_store_release() in mft.c: rows are filled before. */
	return smp_load_acquire(&sn->mft[lid - MCFAB_MULTICAST_LID_MIN]);
}

/* subnet.c: life of a subnet */
struct mcfab_subnet *mcfab_subnet_create(const struct mcfab_topo *topo,
					 const struct mcfab_subnet_rules *rules, u32 vcs,
					 struct mcfab_err *err);
void mcfab_subnet_destroy(struct mcfab_subnet *sn);
u64 mcfab_subnet_bytes(const struct mcfab_subnet *sn);

/* lids.c: LIDs and ports */
int mcfab_port_numbers(const struct mcfab_topo *topo, const struct mcfab_subnet_rules *rules,
		       u32 *port, struct mcfab_err *err);
int mcfab_lids_count(const struct mcfab_topo *topo, u32 *lids, struct mcfab_err *err);
void mcfab_lids_fill(struct mcfab_subnet *sn);
void mcfab_ports_fill(struct mcfab_subnet *sn);
u32 mcfab_switch_by_lid(const struct mcfab_subnet *sn, u32 lid);

/* mesh.c */
int mcfab_directions_fill(struct mcfab_subnet *sn);

/* lft.c */
int mcfab_lft_build(const struct mcfab_subnet *sn, u8 *lft, struct mcfab_err *err);
u8 mcfab_lft_built(const struct mcfab_subnet *sn, u32 sw, u32 lid);

/* minhop.c */
int mcfab_minhop_lft(const struct mcfab_subnet *sn, u8 *lft, struct mcfab_err *err);
int mcfab_minhop_mft(const struct mcfab_subnet *sn, struct mcfab_mft *mft,
		     const struct mcfab_group *group);

/* mft.c */
struct mcfab_mft *mcfab_mft_alloc(const struct mcfab_subnet *sn);
void mcfab_mft_free(struct mcfab_mft *mft);
void mcfab_mft_publish(struct mcfab_subnet *sn, u32 lid, struct mcfab_mft *mft);
void mcfab_mft_drop(struct mcfab_subnet *sn, u32 lid);
int mcfab_mft_build(const struct mcfab_subnet *sn, struct mcfab_mft *mft,
		    const struct mcfab_group *group, u32 done, u32 total);
bool mcfab_mft_has_source(const struct mcfab_subnet *sn, const struct mcfab_mft *mft, u32 node);
u32 mcfab_mft_last(const struct mcfab_subnet *sn);
u32 mcfab_mft_unused(const struct mcfab_subnet *sn);

/* renew.c: tables that are made anew */
struct mcfab_renewal *mcfab_renew_begin(void);
int mcfab_renew_add(const struct mcfab_subnet *sn, struct mcfab_renewal *r, u32 lid,
		    const struct mcfab_mft *like, bool keep);
int mcfab_renew_build(const struct mcfab_subnet *sn, struct mcfab_renewal *r);
void mcfab_renew_swap(struct mcfab_subnet *sn, struct mcfab_renewal *r);
void mcfab_renew_end(struct mcfab_renewal *r);
int mcfab_renew_refuse(struct mcfab_err *err, int ret);

/* groups.c */
struct mcfab_group *mcfab_group_find(const struct mcfab_subnet *sn, const char *name);
u32 mcfab_group_from(const struct mcfab_subnet *sn, u32 id);
u32 mcfab_group_place(const struct mcfab_subnet *sn, u32 id);
struct mcfab_group *mcfab_group_new(struct mcfab_subnet *sn, const char *name, u32 *member,
				    u32 nmembers, u32 lid, struct mcfab_err *err);
int mcfab_group_bind(struct mcfab_subnet *sn, struct mcfab_group *group, u64 addr,
		     struct mcfab_err *err);
void mcfab_group_del(struct mcfab_subnet *sn, struct mcfab_group *group);
int mcfab_group_join(struct mcfab_subnet *sn, struct mcfab_group *group, u32 *member,
		     u32 nmembers, struct mcfab_err *err);
int mcfab_group_leave(struct mcfab_subnet *sn, struct mcfab_group *group, u32 *member,
		      u32 nmembers, struct mcfab_err *err);
u32 mcfab_group_lid(const struct mcfab_group *group, u32 source);
u32 mcfab_group_dests(const struct mcfab_group *group, u32 source, u32 *dst);
bool mcfab_group_has(const struct mcfab_group *group, u32 node);

/* assign.c: multicast LIDs of sources */
void mcfab_assign_begin(struct mcfab_subnet *sn);
void mcfab_assign_undo(struct mcfab_subnet *sn);
int mcfab_group_assign(struct mcfab_subnet *sn, struct mcfab_group *group, u32 source,
		       struct mcfab_err *err);

/* set.c: entries that the user sets */
u32 mcfab_entry_switch(const struct mcfab_subnet *sn, const struct mcfab_entry *entry);
int mcfab_entry_check(const struct mcfab_subnet *sn, const struct mcfab_entry *entry,
		      struct mcfab_err *err);
void mcfab_mft_set(struct mcfab_mft *mft, u32 sw, const struct mcfab_entry *entry);
int mcfab_table_set(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		    struct mcfab_err *err);

/* load.c: tables that the user loads */
int mcfab_stage_begin(struct mcfab_subnet *sn, struct mcfab_err *err);
int mcfab_stage_append(struct mcfab_subnet *sn, const struct mcfab_entry *entry, u32 count,
		       struct mcfab_err *err);
int mcfab_stage_check(struct mcfab_subnet *sn, struct mcfab_findings *found,
		      struct mcfab_err *err);
int mcfab_stage_commit(struct mcfab_subnet *sn, bool force, struct mcfab_findings *found,
		       struct mcfab_err *err);
void mcfab_stage_abort(struct mcfab_subnet *sn);
u64 mcfab_stage_bytes(const struct mcfab_subnet *sn);

/* check_lft.c, check_mft.c, check_credit.c, findings.c */
struct mcfab_finding *mcfab_found(struct mcfab_findings *found, enum mcfab_finding_type type,
				  enum mcfab_table_kind kind, u32 lid);
void mcfab_finding_text(const struct mcfab_finding *finding, char *buf, size_t len);
int mcfab_subnet_check(const struct mcfab_subnet *sn, struct mcfab_findings *found);
int mcfab_check_lft(const struct mcfab_subnet *sn, struct mcfab_findings *found);
int mcfab_check_mft(const struct mcfab_subnet *sn, struct mcfab_findings *found);
int mcfab_check_credits(const struct mcfab_subnet *sn, struct mcfab_findings *found);

#endif
