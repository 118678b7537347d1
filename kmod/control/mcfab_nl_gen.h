/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mcfab.yaml */
/* YNL-GEN kernel header */

#ifndef _LINUX_MCFAB_GEN_H
#define _LINUX_MCFAB_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/mcfab.h>

/* Common nested types */
extern const struct nla_policy mcfab_graph_host_nl_policy[MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK + 1];
extern const struct nla_policy mcfab_graph_link_nl_policy[MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK + 1];
extern const struct nla_policy mcfab_graph_switch_nl_policy[MCFAB_A_GRAPH_SWITCH_NAME + 1];
extern const struct nla_policy mcfab_param_nl_policy[MCFAB_A_PARAM_VALUE + 1];
extern const struct nla_policy mcfab_run_fault_nl_policy[MCFAB_A_RUN_FAULT_STATE + 1];
extern const struct nla_policy mcfab_table_entry_nl_policy[MCFAB_A_TABLE_ENTRY_SLS + 1];
extern const struct nla_policy mcfab_traffic_class_nl_policy[MCFAB_A_RUN_SHARE_PPM + 1];
extern const struct nla_policy mcfab_upload_class_nl_policy[MCFAB_A_UPLOAD_CLASS_NAME + 1];

int mcfab_nl_hold_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info);
int mcfab_nl_upload_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info);
int mcfab_nl_lock_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info);
int mcfab_nl_idle_pre(const struct genl_split_ops *ops, struct sk_buff *skb,
		      struct genl_info *info);
void
mcfab_nl_hold_post(const struct genl_split_ops *ops, struct sk_buff *skb,
		   struct genl_info *info);
void
mcfab_nl_lock_post(const struct genl_split_ops *ops, struct sk_buff *skb,
		   struct genl_info *info);
int mcfab_nl_policy_get_start(struct netlink_callback *cb);
int mcfab_nl_plan_get_start(struct netlink_callback *cb);
int mcfab_nl_verify_start(struct netlink_callback *cb);
int mcfab_nl_table_check_start(struct netlink_callback *cb);
int mcfab_nl_plan_get_done(struct netlink_callback *cb);
int mcfab_nl_verify_done(struct netlink_callback *cb);
int mcfab_nl_table_check_done(struct netlink_callback *cb);

int mcfab_nl_fabric_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_fabric_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int mcfab_nl_fabric_new_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_fabric_del_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_topology_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int mcfab_nl_policy_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_policy_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int mcfab_nl_node_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_node_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_plan_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_verify_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_upload_begin_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_upload_append_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_upload_discard_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_upload_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_run_start_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_run_stop_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_run_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_run_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_deadlock_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_link_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_node_load_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb);
int mcfab_nl_batch_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_histogram_get_dumpit(struct sk_buff *skb,
				  struct netlink_callback *cb);
int mcfab_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_new_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_del_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_join_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_leave_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_assign_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_get_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_group_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_table_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_table_set_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_table_begin_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_table_append_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_table_commit_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_table_abort_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_table_check_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int mcfab_nl_graph_begin_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_graph_append_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_graph_discard_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_graph_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_route_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_fault_set_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_fault_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int mcfab_nl_fabric_set_doit(struct sk_buff *skb, struct genl_info *info);
int mcfab_nl_source_load_get_dumpit(struct sk_buff *skb,
				    struct netlink_callback *cb);
int mcfab_nl_arrival_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int mcfab_nl_port_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

enum {
	MCFAB_NLGRP_MGMT,
};

extern struct genl_family mcfab_nl_family;

#endif /* _LINUX_MCFAB_GEN_H */
