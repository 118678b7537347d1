/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the control plane share. Each file nl_*.c serves one kind of
 * object. This layer turns attributes into the core's configurations and the core's refusals into
 * extacks, and owns nothing but the fabrics' names and uploads.
 *
 * Lock order: mcfab_nl_fabric.lock, mcfab_nl_net.lock, mcfab_fabric.stats_lock.
 */
#ifndef MCFAB_CONTROL_NL_H
#define MCFAB_CONTROL_NL_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "control/mcfab_nl_gen.h"
#include "fabric/fabric.h"
#include "base/job.h"
#include "plan/walk.h"

struct mcfab_entry;
struct mcfab_group;
struct mcfab_nl_job;
struct mcfab_subnet;

/**
 * struct mcfab_nl_net - the fabrics of a network namespace
 * @lock: protects all of it
 * @fabrics: by id
 * @last_id: id of the newest fabric; ids are never used twice
 * @generation: counts changes of @fabrics, for consistent dumps
 * @graphs: graphs that wait for their fabrics
 * @ngraphs: how many
 * @nplans: plans that are being made or shown
 * @plan_bytes: memory charged for them
 * @nverifies: policies that are being verified
 * @njobs: requests on which threads work
 * @nwaits: requests that wait for the work of others
 */
struct mcfab_nl_net {
	struct mutex lock;	/* of the fabrics and their counters */
	struct xarray fabrics;
	u32 last_id;
	u32 generation;
	struct list_head graphs;
	u32 ngraphs;
	atomic_t nplans;
	atomic64_t plan_bytes;
	atomic_t nverifies;
	atomic_t njobs;
	atomic_t nwaits;
};

/**
 * struct mcfab_nl_upload - a destination set or message list that is being uploaded
 * @list: its arrays; for a destination set only list.dst is used
 * @max_msgs: messages announced
 * @max_dst: destinations announced
 * @grouped: groups come with the messages, one number for each
 * @sized: lengths come with the messages, one for each
 * @ngroups: entries of list.group so far
 * @nsources: entries of list.source so far
 * @ncycles: entries of list.cycle so far
 * @ncounts: messages of which list.first tells so far
 * @nflits: entries of list.flits so far
 * @nclass: entries of list.class so far
 * @bytes: memory charged
 */
struct mcfab_nl_upload {
	struct mcfab_msg_list list;
	u32 max_msgs;
	u32 max_dst;
	bool grouped;
	bool sized;
	u32 ngroups;
	u32 nsources;
	u32 ncycles;
	u32 ncounts;
	u32 nflits;
	u32 nclass;
	u64 bytes;
};

/**
 * struct mcfab_nl_fabric - a fabric as an object of its namespace
 * @ref: held by the namespace and by users of the fabric
 * @net: its namespace; NULL when the namespace has gone and the run has yet to end
 * @id: its number
 * @name: its name
 * @topology: name of its topology
 * @ndims: number of its dimensions
 * @radix: nodes in each dimension
 * @lock: one change at a time: start, stop, upload, reset, removal
 * @gone: removed from its namespace, under @lock
 * @job: a request on which a thread works, under @lock: the fabric does not change otherwise then
 * @job_nr: number of @job; 0: there is none
 * @jobs: number of such requests so far, under @lock
 * @claimed: if a process that reads a dump keeps the fabric as it is: why; else NULL. Set under
 *	     @lock
 * @work: progress of @job
 * @starting: the request that starts a run, from the time when the run is being prepared
 * @begun_by: number of the request that has started the newest run; 0: no thread worked on it
 * @begun_run: number of that run
 * @run_told: number of the newest run of whose end an event was sent
 * @core: the fabric itself; NULL as long as it is being built
 * @cpus: CPUs of its router threads
 * @upload: the uploads, by enum mcfab_upload_type - 1, under @lock
 * @plan_bytes: memory charged for plans that are being made or shown
 * @freed: frees the fabric when it is not held any more
 */
struct mcfab_nl_fabric {
	struct kref ref;
	struct net *net;
	u32 id;
	char name[MCFAB_NAME_LEN];
	char topology[MCFAB_NAME_LEN];
	u32 ndims;
	u32 radix[MCFAB_MAX_DIMS];
	struct mutex lock;	/* one change at a time */
	bool gone;
	struct mcfab_nl_job *job;
	unsigned long job_nr;
	unsigned long jobs;
	const char *claimed;
	struct mcfab_task work;
	struct mcfab_nl_job *starting;
	unsigned long begun_by;
	u32 begun_run;
	u32 run_told;
	struct mcfab_fabric *core;
	cpumask_var_t cpus;
	struct mcfab_nl_upload upload[2];
	atomic64_t plan_bytes;
	struct work_struct freed;
};

/* Numbers that all messages about a fabric share; asserted in nl_fabric.c. */
#define MCFAB_NL_FABRIC_ID	1
#define MCFAB_NL_FABRIC		2

/* Room for any message about a fabric; deadlock reports are the longest. */
#define MCFAB_NL_EVENT_SIZE	(4 * GENLMSG_DEFAULT_SIZE)

/* Do not begin a list for which there is less room than this. */
#define MCFAB_NL_LEAST_ROOM	128

/* netlink.c */
int mcfab_nl_init(void);
void mcfab_nl_exit(void);
struct mcfab_nl_net *mcfab_nl_net(struct net *net);
int mcfab_nl_say_why(struct netlink_ext_ack *extack, int ret);

/* nl_blame.c */
void mcfab_nl_accuse(const struct genl_info *info, const struct nlattr *attr, const char *name,
		     const struct mcfab_blame *blame);
int mcfab_nl_refuse(const struct genl_info *info, const struct mcfab_err *err, int code);

/* nl_util.c */
struct sk_buff *mcfab_nl_new(size_t size);
void *mcfab_nl_put(struct sk_buff *skb, const struct genl_info *info,
		   struct netlink_callback *cb);
int mcfab_nl_missing(const struct genl_info *info, int attr, const char *what);
const struct nlattr *mcfab_nl_nth(const struct genl_info *info, int attr, u32 index);
void mcfab_nl_set_u32(const struct genl_info *info, int attr, u32 *value);

/** struct mcfab_nl_field - a 32-bit member of a structure, and the attribute that has its value */
struct mcfab_nl_field {
	int attr;
	size_t at;
};

/* a line of a table of such members; enums have 32 bits, too */
#define MCFAB_NL_FIELD(attribute, type, member) {			\
	.attr = (attribute) +						\
		BUILD_BUG_ON_ZERO(sizeof_field(type, member) != sizeof(u32)), \
	.at = offsetof(type, member),					\
}

void mcfab_nl_take_fields(const struct genl_info *info, const struct mcfab_nl_field *field,
			  u32 nfields, void *into);
bool mcfab_nl_put_fields(struct sk_buff *skb, const struct mcfab_nl_field *field, u32 nfields,
			 const void *from);
bool mcfab_nl_put_nonzero(struct sk_buff *skb, int attr, u32 value);

/* nl_fabric_fields.c: options of a fabric that are plain numbers */
extern const struct mcfab_nl_field mcfab_nl_fabric_fields[];
extern const u32 mcfab_nl_fabric_nfields;
int mcfab_nl_name(const struct genl_info *info, int attr, const char *what, char *name);
int mcfab_nl_count(const struct genl_info *info, int attr, size_t size, u32 *count);
void mcfab_nl_copy(const struct genl_info *info, int attr, void *to);

u32 mcfab_nl_room(const struct sk_buff *skb, size_t group, u32 numbers, u32 most);

/* nl_host.c */
int mcfab_nl_host_config(const struct genl_info *info, struct mcfab_fabric_cfg *cfg);
bool mcfab_nl_put_host(struct sk_buff *skb, const struct mcfab_fabric_cfg *cfg);
int mcfab_nl_host_predict(struct mcfab_walk *walk, const struct mcfab_timing *timing, u32 mtu,
			  const struct mcfab_fabric_cfg *cfg, struct mcfab_prediction *out);

/* nl_cpus.c */
bool mcfab_nl_put_cpus(struct sk_buff *skb, int attr, const struct cpumask *cpus);
int mcfab_nl_new_cpus(struct genl_info *info, struct cpumask *cpus);
void mcfab_nl_new_shards(struct mcfab_fabric_cfg *cfg, struct cpumask *cpus, bool asked);

/* nl_claim.c */
void mcfab_nl_claim_wait(struct mcfab_nl_fabric *fabric);
int mcfab_nl_claim_lock(struct mcfab_nl_fabric *fabric);
int mcfab_nl_claim(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
		   const char *why);
void mcfab_nl_unclaim(struct mcfab_nl_fabric *fabric);

/* nl_workload.c */
int mcfab_nl_take_workload(const struct genl_info *info, const struct nlattr *nest,
			   struct mcfab_nl_fabric *fabric, struct mcfab_workload_cfg *cfg);
int mcfab_nl_run_workload(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
			  struct mcfab_run_cfg *cfg);
bool mcfab_nl_put_workload(struct sk_buff *skb, const struct mcfab_workload_cfg *cfg);
void mcfab_nl_run_window(const struct genl_info *info, struct mcfab_run_cfg *cfg);
bool mcfab_nl_put_run_window(struct sk_buff *skb, const struct mcfab_run_cfg *cfg);

/* nl_class.c */
int mcfab_nl_run_classes(const struct genl_info *info, struct mcfab_nl_fabric *fabric,
			 struct mcfab_run_cfg *run);
bool mcfab_nl_put_traffic(struct sk_buff *skb, const struct mcfab_run_cfg *run);

/* nl_fault.c */
struct mcfab_updown *mcfab_nl_updown(struct mcfab_nl_fabric *fabric);
bool mcfab_nl_put_down(struct sk_buff *skb, const struct mcfab_updown *ud);
int mcfab_nl_run_faults(const struct genl_info *info, struct mcfab_run_cfg *cfg);
bool mcfab_nl_put_run_faults(struct sk_buff *skb, const struct mcfab_run_cfg *cfg);

/* nl_fabric.c; nl_fabric_show.c has mcfab_nl_fabric_fill() */
u64 mcfab_nl_fabric_bytes(const struct mcfab_nl_fabric *fabric);
struct mcfab_nl_fabric *mcfab_nl_fabric_find(const struct genl_info *info);
struct mcfab_nl_fabric *mcfab_nl_fabric_lock_it(const struct genl_info *info,
						struct mcfab_nl_fabric *fabric);
struct mcfab_nl_fabric *mcfab_nl_fabric_get(const struct genl_info *info);
struct mcfab_nl_fabric *mcfab_nl_fabric_by_id(struct net *net, u32 id);
struct mcfab_nl_fabric *mcfab_nl_fabric_after(struct net *net, u32 id);
struct mcfab_nl_fabric *mcfab_nl_fabric_dump(struct netlink_callback *cb, u32 *id);
struct mcfab_nl_fabric *mcfab_nl_fabric_lock(const struct genl_info *info, bool idle);
struct mcfab_nl_fabric *mcfab_nl_fabric_look(const struct genl_info *info);
int mcfab_nl_fabric_busy(const struct genl_info *info, const struct mcfab_nl_fabric *fabric);
int mcfab_nl_fabric_idle(const struct genl_info *info, const struct mcfab_nl_fabric *fabric);
bool mcfab_nl_fabric_building(const struct mcfab_nl_fabric *fabric);
struct mcfab_nl_fabric *mcfab_nl_subnet_lock(const struct genl_info *info, bool idle);
struct mcfab_nl_fabric *mcfab_nl_subnet_dump(struct netlink_callback *cb, u32 *id);
int mcfab_nl_get_rules(const struct genl_info *info, struct mcfab_subnet_rules *rules);
int mcfab_nl_put_rules(struct sk_buff *skb, const struct mcfab_subnet *sn);
void mcfab_nl_subnet_changed(struct mcfab_nl_fabric *fabric);
int mcfab_nl_group_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			const struct mcfab_group *group, u32 source,
			const struct genl_info *info);
struct mcfab_group *mcfab_nl_group_find(const struct genl_info *info,
					const struct mcfab_nl_fabric *fabric);
int mcfab_nl_group_source(const struct genl_info *info, const struct mcfab_nl_fabric *fabric,
			  u32 *source);
u64 mcfab_nl_group_steps(const struct mcfab_subnet *sn, u32 nmembers, u32 lids);
u64 mcfab_nl_subnet_steps(const struct mcfab_subnet *sn);
void mcfab_nl_fabric_unlock(struct mcfab_nl_fabric *fabric);
void mcfab_nl_fabric_put(struct mcfab_nl_fabric *fabric);
void mcfab_nl_fabric_destroy(struct mcfab_nl_fabric *fabric);
void mcfab_nl_fabric_unlist(struct mcfab_nl_fabric *fabric);
void mcfab_nl_fabric_end(struct mcfab_nl_fabric *fabric);
int mcfab_nl_fabric_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			 const struct genl_info *info, struct netlink_callback *cb);

struct mcfab_nl_fabric *mcfab_nl_find_name(struct mcfab_nl_net *nlnet, const char *name);

/**
 * struct mcfab_nl_graph_size - size of an irregular network, as far as it is known
 * @switches: its switches
 * @hosts: its hosts
 * @ports: ports of the biggest switch
 * @lids: the highest LID that it may have
 * @bytes: memory of its graph, if that has been uploaded
 */
struct mcfab_nl_graph_size {
	u64 switches;
	u64 hosts;
	u64 ports;
	u64 lids;
	u64 bytes;
};

/* nl_graph.c, nl_graph_take.c; nl_graph.h has the rest */
struct mcfab_nl_graph;
struct mcfab_nl_graph *mcfab_nl_graph_take(const struct genl_info *info,
					   struct mcfab_fabric_cfg *cfg);
void mcfab_nl_graph_size(const struct genl_info *info, const char *name,
			 struct mcfab_nl_graph_size *size);
void mcfab_nl_graph_put(struct net *net, struct mcfab_nl_graph *staged);
void mcfab_nl_graph_free(struct mcfab_nl_graph *staged);
void mcfab_nl_graph_end(struct mcfab_nl_net *nlnet);

/* nl_ports.c */
struct mcfab_ports_ops;
extern const struct mcfab_ports_ops mcfab_nl_ports_ops;
void mcfab_nl_run_ports(const struct genl_info *info, struct mcfab_run_cfg *cfg);
bool mcfab_nl_put_run_ports(struct sk_buff *skb, const struct mcfab_run_cfg *cfg);

/* nl_policy.c */
void mcfab_nl_load_policy(const struct genl_info *info, int attr);

/* nl_run.c */
int mcfab_nl_settings(const struct genl_info *info, int attr, struct mcfab_setting *set,
		      u32 *nset);
int mcfab_nl_run_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
		      const struct genl_info *info, struct netlink_callback *cb);
void mcfab_nl_begun(struct mcfab_fabric *core);

/* nl_table.c */
int mcfab_nl_entries(const struct genl_info *info, const struct mcfab_subnet *sn,
		     struct mcfab_entry **entry, u32 *count);

/* nl_deadlock.c */
bool mcfab_nl_put_wait(struct sk_buff *skb, int attr, const struct mcfab_topo *topo,
		       const struct mcfab_deadlock *d, u32 i, bool holdings);
int mcfab_nl_deadlock_fill(struct sk_buff *skb, struct mcfab_nl_fabric *fabric,
			   const struct genl_info *info, bool holdings);

/* nl_stats_class.c */
bool mcfab_nl_put_class(struct sk_buff *skb, int attr, const struct mcfab_stats *st,
			enum mcfab_class class);
bool mcfab_nl_put_class_traffic(struct sk_buff *skb, const struct mcfab_fabric *core,
				const char *name, const struct mcfab_stats *st, u32 class);

/* nl_stats.c */
u64 mcfab_nl_wall_ns(const struct mcfab_progress *at);
bool mcfab_nl_put_drops(struct sk_buff *skb, int attr, const u64 *drops);

/* nl_upload.c */
const struct mcfab_msg_list *mcfab_nl_upload_messages(struct mcfab_nl_fabric *fabric);
int mcfab_nl_upload_destinations(struct mcfab_nl_fabric *fabric, const u32 **dst, u32 *ndst);
void mcfab_nl_upload_free(struct mcfab_nl_upload *upload);

/* nl_defer.c; libmcfab/defer.c */
void mcfab_nl_defer_kick(void);

/* nl_notify.c */
void mcfab_nl_notify(struct mcfab_nl_fabric *fabric, u8 cmd);
void mcfab_nl_finished(struct mcfab_fabric *core);
void mcfab_nl_orphan(struct mcfab_nl_fabric *fabric);

#endif
