// SPDX-License-Identifier: GPL-2.0
/*
 * The generic-netlink family "mcfab": its registration, and its part of each namespace.
 * Documentation/netlink/specs/mcfab.yaml is its description.
 */
#include <linux/module.h>
#include <net/netns/generic.h>

#include "control/nl_job.h"

static unsigned int mcfab_nl_net_id;

/**
 * mcfab_nl_net() - the fabrics of a namespace
 * @net: the namespace
 *
 * Context: Any.
 * Return: the fabrics.
 */
struct mcfab_nl_net *mcfab_nl_net(struct net *net)
{
	return net_generic(net, mcfab_nl_net_id);
}

static int __net_init mcfab_nl_net_init(struct net *net)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);

	mutex_init(&nlnet->lock);
	xa_init_flags(&nlnet->fabrics, XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&nlnet->graphs);
	/* A dump's sequence number is never 0. */
	nlnet->generation = 1;
	return 0;
}

/*
 * No requests are made in the namespace any more, and a thread that works on a request keeps the
 * namespace. So fabrics are held only by the list and by their own router threads.
 */
static void __net_exit mcfab_nl_net_exit(struct net *net)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);
	struct mcfab_nl_fabric *fabric;
	unsigned long id;

	xa_for_each(&nlnet->fabrics, id, fabric)
		mcfab_nl_fabric_end(fabric);
	xa_destroy(&nlnet->fabrics);
	mcfab_nl_graph_end(nlnet);
}

static struct pernet_operations mcfab_nl_net_ops = {
	.init	= mcfab_nl_net_init,
	.exit	= mcfab_nl_net_exit,
	.id	= &mcfab_nl_net_id,
	.size	= sizeof(struct mcfab_nl_net),
};

/*
 * Every refusal says why. Handlers do it where they know the reason; for errors that may happen
 * anywhere it is done here. The family is registered with handlers that call those of the
 * specification and look at their results.
 */
static const struct genl_split_ops *mcfab_nl_plain_ops __ro_after_init;
static struct genl_split_ops mcfab_nl_told_ops[128] __ro_after_init;

static const struct genl_split_ops *mcfab_nl_plain(const struct genl_info *info, u8 kind)
{
	u32 i;

	for (i = 0; i < mcfab_nl_family.n_split_ops; i++)
		if (mcfab_nl_plain_ops[i].cmd == info->genlhdr->cmd &&
		    mcfab_nl_plain_ops[i].flags & kind)
			break;
	/* genetlink calls only commands of the specification */
	return &mcfab_nl_plain_ops[i];
}

/**
 * mcfab_nl_say_why() - make sure that a refusal says why
 * @extack: its message so far, or NULL
 * @ret: the error; 0: none
 *
 * Context: Any.
 * Return: @ret.
 */
int mcfab_nl_say_why(struct netlink_ext_ack *extack, int ret)
{
	if (!extack || extack->_msg)
		return ret;
	switch (ret) {
	case -ENOMEM:
	case -ENOBUFS:
		NL_SET_ERR_MSG(extack, "not enough memory");
		break;
	case -EINTR:
		NL_SET_ERR_MSG(extack, "interrupted");
		break;
	case -EMSGSIZE:
		NL_SET_ERR_MSG(extack, "the answer does not fit into a message");
		break;
	}
	return ret;
}

static int mcfab_nl_pre_doit(const struct genl_split_ops *ops, struct sk_buff *skb,
			     struct genl_info *info)
{
	const struct genl_split_ops *plain = mcfab_nl_plain(info, GENL_CMD_CAP_DO);

	return mcfab_nl_say_why(info->extack, plain->pre_doit(ops, skb, info));
}

static int mcfab_nl_doit(struct sk_buff *skb, struct genl_info *info)
{
	return mcfab_nl_say_why(info->extack,
				mcfab_nl_plain(info, GENL_CMD_CAP_DO)->doit(skb, info));
}

static int mcfab_nl_start(struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);

	return mcfab_nl_say_why(info->extack, mcfab_nl_plain(info, GENL_CMD_CAP_DUMP)->start(cb));
}

static int mcfab_nl_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genl_info *info = genl_info_dump(cb);
	int ret = mcfab_nl_plain(info, GENL_CMD_CAP_DUMP)->dumpit(skb, cb);

	/* the rest of a dump comes in the next message when this one is full */
	if (ret == -EMSGSIZE && skb->len)
		return ret;
	return mcfab_nl_say_why(cb->extack, ret);
}

static int __init mcfab_nl_wrap(void)
{
	struct genl_split_ops *ops = mcfab_nl_told_ops;
	u32 i, n = mcfab_nl_family.n_split_ops;

	if (mcfab_nl_plain_ops)
		return 0;
	if (WARN_ON(n > ARRAY_SIZE(mcfab_nl_told_ops)))
		return -E2BIG;
	memcpy(ops, mcfab_nl_family.split_ops, n * sizeof(*ops));
	for (i = 0; i < n; i++) {
		/* the handlers of a dump have the same places as those of a request */
		if (ops[i].flags & GENL_CMD_CAP_DO) {
			if (ops[i].pre_doit)
				ops[i].pre_doit = mcfab_nl_pre_doit;
			ops[i].doit = mcfab_nl_doit;
			continue;
		}
		if (ops[i].start)
			ops[i].start = mcfab_nl_start;
		ops[i].dumpit = mcfab_nl_dumpit;
	}
	mcfab_nl_plain_ops = mcfab_nl_family.split_ops;
	mcfab_nl_family.split_ops = ops;
	return 0;
}

/**
 * mcfab_nl_init() - register the family
 *
 * Context: Module initialisation, after everything that requests may use.
 * Return: 0 or a negative error.
 */
int __init mcfab_nl_init(void)
{
	int ret = mcfab_nl_wrap();

	if (ret)
		return ret;
	ret = mcfab_nl_free_init();
	if (ret)
		return ret;
	ret = mcfab_nl_defer_init();
	if (ret)
		goto no_free;
	ret = mcfab_nl_end_init();
	if (ret)
		goto no_defer;
	ret = register_pernet_subsys(&mcfab_nl_net_ops);
	if (ret)
		goto no_end;
	ret = genl_register_family(&mcfab_nl_family);
	if (!ret)
		return 0;
	unregister_pernet_subsys(&mcfab_nl_net_ops);
no_end:
	mcfab_nl_end_exit();
no_defer:
	mcfab_nl_defer_exit();
no_free:
	mcfab_nl_free_exit();
	return ret;
}

/**
 * mcfab_nl_exit() - unregister the family, then stop and remove all fabrics
 *
 * Context: Module exit. A dump holds the module, so no dump is under way.
 */
void mcfab_nl_exit(void)
{
	genl_unregister_family(&mcfab_nl_family);
	/* before namespaces end, for which others may wait */
	mcfab_nl_defer_end();
	unregister_pernet_subsys(&mcfab_nl_net_ops);
	mcfab_nl_end_exit();
	/* requests that threads worked on may hold fabrics to the last */
	mcfab_nl_defer_exit();
	mcfab_nl_free_exit();
}

MODULE_ALIAS_GENL_FAMILY(MCFAB_FAMILY_NAME);
