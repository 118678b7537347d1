/* SPDX-License-Identifier: GPL-2.0 */
/* Generic netlink with one family, without sockets. See libmcfab/genetlink.c. */
#ifndef SHIM_NET_GENETLINK_H
#define SHIM_NET_GENETLINK_H

#include <linux/genetlink.h>
#include <linux/module.h>
#include <net/net_namespace.h>
#include <net/netlink.h>

#define GENLMSG_DEFAULT_SIZE	(NLMSG_DEFAULT_SIZE - GENL_HDRLEN)

#define MODULE_ALIAS_GENL_FAMILY(name)	_Static_assert(1, "")

struct genl_info;

struct genl_multicast_group {
	char name[GENL_NAMSIZ];
};

struct genl_split_ops {
	int (*pre_doit)(const struct genl_split_ops *ops, struct sk_buff *skb,
			struct genl_info *info);
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	void (*post_doit)(const struct genl_split_ops *ops, struct sk_buff *skb,
			  struct genl_info *info);
	int (*start)(struct netlink_callback *cb);
	int (*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
	int (*done)(struct netlink_callback *cb);
	const struct nla_policy *policy;
	unsigned int maxattr;
	u8 cmd;
	u8 flags;
};

struct genl_family {
	int id;
	char name[GENL_NAMSIZ];
	unsigned int version;
	bool netnsok;
	bool parallel_ops;
	struct module *module;
	const struct genl_split_ops *split_ops;
	u8 n_split_ops;
	const struct genl_multicast_group *mcgrps;
	u8 n_mcgrps;
};

struct genl_info {
	u32 snd_seq;
	u32 snd_portid;
	const struct genl_family *family;
	const struct nlmsghdr *nlhdr;
	struct genlmsghdr *genlhdr;
	struct nlattr **attrs;
	void *user_ptr[2];
	struct netlink_ext_ack *extack;
	/* notifications have none of what is above but the family */
	struct genlmsghdr hdr;
};

static inline struct net *genl_info_net(const struct genl_info *info)
{
	(void)info;
	return &init_net;
}

static inline const struct genl_info *genl_info_dump(struct netlink_callback *cb)
{
	return cb->data;
}

static inline void genl_info_init_ntf(struct genl_info *info, const struct genl_family *family,
				      u8 cmd)
{
	memset(info, 0, sizeof(*info));
	info->family = family;
	info->hdr.cmd = cmd;
	info->genlhdr = &info->hdr;
}

static inline struct sk_buff *genlmsg_new(size_t payload, gfp_t gfp)
{
	return nlmsg_new(GENL_HDRLEN + payload, gfp);
}

void *genlmsg_put(struct sk_buff *skb, u32 portid, u32 seq, const struct genl_family *family,
		  int flags, u8 cmd);

static inline struct nlmsghdr *shim_genl_nlmsghdr(void *hdr)
{
	return (struct nlmsghdr *)((char *)hdr - GENL_HDRLEN - NLMSG_HDRLEN);
}

static inline void genlmsg_end(struct sk_buff *skb, void *hdr)
{
	nlmsg_end(skb, shim_genl_nlmsghdr(hdr));
}

static inline void genlmsg_cancel(struct sk_buff *skb, void *hdr)
{
	if (hdr)
		nlmsg_trim(skb, shim_genl_nlmsghdr(hdr));
}

static inline void genl_dump_check_consistent(struct netlink_callback *cb, void *hdr)
{
	nl_dump_check_consistent(cb, shim_genl_nlmsghdr(hdr));
}

int genl_register_family(struct genl_family *family);
int genl_unregister_family(const struct genl_family *family);
int genlmsg_reply(struct sk_buff *skb, struct genl_info *info);
int genl_has_listeners(const struct genl_family *family, struct net *net, unsigned int group);
int genlmsg_multicast_netns(const struct genl_family *family, struct net *net,
			    struct sk_buff *skb, u32 portid, unsigned int group, gfp_t gfp);

#endif
