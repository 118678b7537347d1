/* SPDX-License-Identifier: GPL-2.0 */
/* Network namespaces: there is one, and only one user of it. */
#ifndef SHIM_NET_NET_NAMESPACE_H
#define SHIM_NET_NET_NAMESPACE_H

#include <linux/compiler.h>
#include <linux/types.h>

struct net {
	struct {
		unsigned int inum;
	} ns;
	void *gen;	/* what the user keeps of it */
};

struct pernet_operations {
	int (*init)(struct net *net);
	void (*exit)(struct net *net);
	unsigned int *id;
	size_t size;
};

#define __net_init
#define __net_exit

extern struct net init_net;

int register_pernet_subsys(struct pernet_operations *ops);
void unregister_pernet_subsys(struct pernet_operations *ops);

#endif
