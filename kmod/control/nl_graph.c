// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs of irregular networks. A graph goes up in parts before its fabric is made,
 * under the name that the fabric will have: announced, so that room is made once,
 * then appended to. It stays with the namespace until its fabric takes it, it is
 * replaced or discarded, or the namespace goes.
 */
#include "control/nl.h"
#include "base/memory.h"
#include "topology/generate.h"
#include "topology/graph.h"

static_assert(MCFAB_A_GRAPH_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_GRAPH_FABRIC == MCFAB_NL_FABRIC);
static_assert(MCFAB_GRAPH_SWITCHES == MCFAB_GRAPH_SWITCHES_MAX);
static_assert(MCFAB_GRAPH_LINKS == MCFAB_GRAPH_LINKS_MAX);
static_assert(MCFAB_GRAPH_PORTS == MCFAB_GRAPH_PORTS_MAX);
static_assert(MCFAB_GRAPH_NAME_MAX + 1 == MCFAB_GRAPH_NAME);
static_assert(MCFAB_GRAPH_LID == MCFAB_UNICAST_LID_MAX);

/* Graphs of a namespace that wait for their fabrics: who leaves some behind may not go on. */
#define MCFAB_NL_GRAPHS	16

/* Switches and hosts that are looked at one by one to find out how big a network is. */
#define MCFAB_NL_GRAPH_LOOK	4096

/**
 * struct mcfab_nl_graph - a graph on its way up
 * @list: in mcfab_nl_net.graphs
 * @name: that its fabric will have
 * @graph: room for all that was announced
 * @switches: switches so far
 * @hosts: hosts so far
 * @links: links so far
 * @bytes: memory charged
 * @made: it was generated and does not outlive the request
 */
struct mcfab_nl_graph {
	struct list_head list;
	char name[MCFAB_NAME_LEN];
	struct mcfab_graph *graph;
	u32 switches;
	u32 hosts;
	u32 links;
	u64 bytes;
	bool made;
};

/**
 * mcfab_nl_graph_free() - forget a graph
 * @staged: the graph, in no list, or NULL
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_free(struct mcfab_nl_graph *staged)
{
	if (!staged)
		return;
	kvfree(staged->graph);
	mcfab_memory_uncharge(staged->bytes);
	kfree(staged);
}

/**
 * mcfab_nl_graph_end() - forget all graphs of a namespace
 * @nlnet: the namespace's part; nobody else uses it
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_end(struct mcfab_nl_net *nlnet)
{
	struct mcfab_nl_graph *staged, *next;

	list_for_each_entry_safe(staged, next, &nlnet->graphs, list)
		mcfab_nl_graph_free(staged);
}

static struct mcfab_nl_graph *mcfab_nl_graph_find(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_graph *staged;

	list_for_each_entry(staged, &nlnet->graphs, list)
		if (!strcmp(staged->name, name))
			return staged;
	return NULL;
}

/* Of a graph that has come up so far. */
static void mcfab_nl_graph_measure(const struct mcfab_nl_graph *staged,
				   struct mcfab_nl_graph_size *size)
{
	const struct mcfab_graph *graph = staged->graph;
	u32 i;

	size->switches = graph->switches;
	size->hosts = graph->hosts;
	size->lids = graph->switches + graph->hosts;
	/* to look at all of so many takes long, and so does all else */
	if (size->lids > MCFAB_NL_GRAPH_LOOK) {
		size->ports = MCFAB_GRAPH_PORTS;
		size->lids = MCFAB_GRAPH_LID;
		return;
	}
	for (i = 0; i < staged->switches; i++) {
		size->ports = max_t(u64, size->ports, graph->sw[i].ports);
		size->lids = max_t(u64, size->lids, graph->sw[i].lid);
	}
	for (i = 0; i < staged->hosts; i++)
		size->lids = max_t(u64, size->lids, graph->host[i].lid);
}

/**
 * mcfab_nl_graph_size() - how big the network of a new irregular fabric is
 * @info: request for a fabric
 * @name: the fabric's name
 * @size: filled in; all 0: there is no such network, or its size is not good
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_size(const struct genl_info *info, const char *name,
			 struct mcfab_nl_graph_size *size)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	const struct mcfab_nl_graph *staged;

	memset(size, 0, sizeof(*size));
	if (info->attrs[MCFAB_A_FABRIC_SWITCHES]) {
		size->switches = nla_get_u32(info->attrs[MCFAB_A_FABRIC_SWITCHES]);
		size->ports = MCFAB_GRAPH_PORTS;
		if (info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS])
			size->ports = nla_get_u32(info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS]);
		if (info->attrs[MCFAB_A_FABRIC_HOSTS])
			size->hosts = nla_get_u32(info->attrs[MCFAB_A_FABRIC_HOSTS]);
		size->lids = size->switches + size->hosts;
		return;
	}
	mutex_lock(&nlnet->lock);
	staged = mcfab_nl_graph_find(nlnet, name);
	if (staged)
		mcfab_nl_graph_measure(staged, size);
	mutex_unlock(&nlnet->lock);
}

/* Take a graph out of the namespace; NULL: there is none of that name. */
static struct mcfab_nl_graph *mcfab_nl_graph_detach(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_graph *staged = mcfab_nl_graph_find(nlnet, name);

	if (staged) {
		list_del(&staged->list);
		nlnet->ngraphs--;
	}
	return staged;
}

static void mcfab_nl_graph_attach(struct mcfab_nl_net *nlnet, struct mcfab_nl_graph *staged)
{
	list_add_tail(&staged->list, &nlnet->graphs);
	nlnet->ngraphs++;
}

static struct mcfab_nl_graph *mcfab_nl_graph_alloc(const char *name, u32 switches, u32 hosts,
						   u32 links)
{
	struct mcfab_nl_graph *staged = kzalloc(sizeof(*staged), GFP_KERNEL_ACCOUNT);
	u64 bytes = mcfab_graph_bytes(switches, hosts, links);
	void *mem;

	if (!staged)
		return NULL;
	if (!mcfab_memory_charge(bytes)) {
		kfree(staged);
		return NULL;
	}
	staged->bytes = bytes;
	strscpy(staged->name, name, sizeof(staged->name));
	mem = kvzalloc(bytes, MCFAB_GFP);
	if (!mem) {
		mcfab_nl_graph_free(staged);
		return NULL;
	}
	staged->graph = mcfab_graph_place(mem, switches, hosts, links);
	return staged;
}

/* MCFAB_CMD_GRAPH_BEGIN */
int mcfab_nl_graph_begin_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	const struct nlattr *links = info->attrs[MCFAB_A_GRAPH_LINKS];
	const struct nlattr *root = info->attrs[MCFAB_A_GRAPH_ROOT];
	struct mcfab_nl_graph *fresh, *old = NULL;
	char name[MCFAB_NAME_LEN];
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_GRAPH_FABRIC, "name of the fabric", name);
	if (ret)
		return ret;
	if (!info->attrs[MCFAB_A_GRAPH_SWITCHES])
		return mcfab_nl_missing(info, MCFAB_A_GRAPH_SWITCHES, "switches");
	if (!info->attrs[MCFAB_A_GRAPH_HOSTS])
		return mcfab_nl_missing(info, MCFAB_A_GRAPH_HOSTS, "hosts");
	fresh = mcfab_nl_graph_alloc(name, nla_get_u32(info->attrs[MCFAB_A_GRAPH_SWITCHES]),
				     nla_get_u32(info->attrs[MCFAB_A_GRAPH_HOSTS]),
				     links ? nla_get_u32(links) : 0);
	if (!fresh) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_GRAPH_HOSTS],
				    "there is no memory for such a graph, see max_memory_mb");
		return -ENOMEM;
	}
	if (root)
		fresh->graph->root = nla_get_u32(root);

	mutex_lock(&nlnet->lock);
	if (mcfab_nl_find_name(nlnet, name)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_GRAPH_FABRIC],
				    "a fabric of this name exists");
		ret = -EEXIST;
	} else {
		old = mcfab_nl_graph_detach(nlnet, name);
		if (nlnet->ngraphs >= MCFAB_NL_GRAPHS) {
			NL_SET_ERR_MSG_FMT(info->extack,
					   "%u graphs wait for their fabrics: discard one first",
					   MCFAB_NL_GRAPHS);
			ret = -ENOSPC;
		} else {
			mcfab_nl_graph_attach(nlnet, fresh);
		}
	}
	mutex_unlock(&nlnet->lock);
	mcfab_nl_graph_free(old);
	if (ret)
		mcfab_nl_graph_free(fresh);
	return ret;
}

/* What is common to switches and hosts: guid, lid, name; 0 or empty if absent. */
static void mcfab_nl_graph_identity(const struct nlattr *guid, const struct nlattr *lid,
				    const struct nlattr *name, u64 *to_guid, u16 *to_lid,
				    char *to_name)
{
	*to_guid = guid ? nla_get_uint(guid) : 0;
	*to_lid = lid ? nla_get_u32(lid) : 0;
	to_name[0] = '\0';
	if (name)
		nla_strscpy(to_name, name, MCFAB_GRAPH_NAME);
}

static int mcfab_nl_graph_switch(const struct genl_info *info, const struct nlattr *nest,
				 void *to)
{
	struct nlattr *tb[MCFAB_A_GRAPH_SWITCH_MAX + 1];
	struct mcfab_graph_switch *sw = to;
	int ret;

	ret = nla_parse_nested(tb, MCFAB_A_GRAPH_SWITCH_MAX, nest, mcfab_graph_switch_nl_policy,
			       info->extack);
	if (ret)
		return ret;
	if (!tb[MCFAB_A_GRAPH_SWITCH_PORTS]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "a switch has ports");
		return -EINVAL;
	}
	sw->ports = nla_get_u32(tb[MCFAB_A_GRAPH_SWITCH_PORTS]);
	mcfab_nl_graph_identity(tb[MCFAB_A_GRAPH_SWITCH_GUID], tb[MCFAB_A_GRAPH_SWITCH_LID],
				tb[MCFAB_A_GRAPH_SWITCH_NAME], &sw->guid, &sw->lid, sw->name);
	return 0;
}

static int mcfab_nl_graph_host(const struct genl_info *info, const struct nlattr *nest, void *to)
{
	struct nlattr *tb[MCFAB_A_GRAPH_HOST_MAX + 1];
	struct mcfab_graph_host *host = to;
	int ret;

	ret = nla_parse_nested(tb, MCFAB_A_GRAPH_HOST_MAX, nest, mcfab_graph_host_nl_policy,
			       info->extack);
	if (ret)
		return ret;
	if (!tb[MCFAB_A_GRAPH_HOST_SWITCH] || !tb[MCFAB_A_GRAPH_HOST_PORT]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest, "a host has a switch and a port of it");
		return -EINVAL;
	}
	host->at = nla_get_u32(tb[MCFAB_A_GRAPH_HOST_SWITCH]);
	host->port = nla_get_u32(tb[MCFAB_A_GRAPH_HOST_PORT]);
	mcfab_nl_graph_identity(tb[MCFAB_A_GRAPH_HOST_GUID], tb[MCFAB_A_GRAPH_HOST_LID],
				tb[MCFAB_A_GRAPH_HOST_NAME], &host->guid, &host->lid, host->name);
	host->node_guid = 0;
	host->node_port = 0;
	if (tb[MCFAB_A_GRAPH_HOST_NODE_GUID])
		host->node_guid = nla_get_uint(tb[MCFAB_A_GRAPH_HOST_NODE_GUID]);
	if (tb[MCFAB_A_GRAPH_HOST_NODE_PORT])
		host->node_port = nla_get_u32(tb[MCFAB_A_GRAPH_HOST_NODE_PORT]);
	return 0;
}

static int mcfab_nl_graph_link(const struct genl_info *info, const struct nlattr *nest, void *to)
{
	struct nlattr *tb[MCFAB_A_GRAPH_LINK_MAX + 1];
	struct mcfab_graph_link *link = to;
	int ret;

	ret = nla_parse_nested(tb, MCFAB_A_GRAPH_LINK_MAX, nest, mcfab_graph_link_nl_policy,
			       info->extack);
	if (ret)
		return ret;
	if (!tb[MCFAB_A_GRAPH_LINK_SWITCH] || !tb[MCFAB_A_GRAPH_LINK_PORT] ||
	    !tb[MCFAB_A_GRAPH_LINK_PEER_SWITCH] || !tb[MCFAB_A_GRAPH_LINK_PEER_PORT]) {
		NL_SET_ERR_MSG_ATTR(info->extack, nest,
				    "a link has a switch and a port at both ends");
		return -EINVAL;
	}
	link->a = nla_get_u32(tb[MCFAB_A_GRAPH_LINK_SWITCH]);
	link->port_a = nla_get_u32(tb[MCFAB_A_GRAPH_LINK_PORT]);
	link->b = nla_get_u32(tb[MCFAB_A_GRAPH_LINK_PEER_SWITCH]);
	link->port_b = nla_get_u32(tb[MCFAB_A_GRAPH_LINK_PEER_PORT]);
	return 0;
}

/**
 * struct mcfab_nl_graph_part - one kind of elements that are appended
 * @attr: number of the attribute
 * @take: fill in one element
 * @to: array of all of them
 * @size: bytes of one
 * @have: how many there are
 * @most: how many were announced
 */
struct mcfab_nl_graph_part {
	int attr;
	int (*take)(const struct genl_info *info, const struct nlattr *nest, void *to);
	void *to;
	size_t size;
	u32 *have;
	u32 most;
};

/* Behind what counts as being there; @now: how many there will be. */
static int mcfab_nl_graph_part(const struct genl_info *info,
			       const struct mcfab_nl_graph_part *part, u32 *now)
{
	const struct nlattr *pos;
	int rem, ret;

	*now = *part->have;
	nlmsg_for_each_attr_type(pos, part->attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (*now == part->most) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than the %u announced",
						part->most);
			return -EINVAL;
		}
		ret = part->take(info, pos, part->to + (size_t)*now * part->size);
		if (ret)
			return ret;
		++*now;
	}
	return 0;
}

static int mcfab_nl_graph_append(const struct genl_info *info, struct mcfab_nl_graph *staged)
{
	struct mcfab_graph *graph = staged->graph;
	const struct mcfab_nl_graph_part part[] = {
		{ MCFAB_A_GRAPH_SWITCH, mcfab_nl_graph_switch, graph->sw, sizeof(*graph->sw),
		  &staged->switches, graph->switches },
		{ MCFAB_A_GRAPH_HOST, mcfab_nl_graph_host, graph->host, sizeof(*graph->host),
		  &staged->hosts, graph->hosts },
		{ MCFAB_A_GRAPH_LINK, mcfab_nl_graph_link, graph->link, sizeof(*graph->link),
		  &staged->links, graph->links },
	};
	u32 now[ARRAY_SIZE(part)], i;
	bool more = false;
	int ret;

	for (i = 0; i < ARRAY_SIZE(part); i++) {
		ret = mcfab_nl_graph_part(info, &part[i], &now[i]);
		if (ret)
			return ret;
		more |= now[i] != *part[i].have;
	}
	if (!more)
		return mcfab_nl_missing(info, MCFAB_A_GRAPH_SWITCH, "switch, host or link");
	/* Nothing can fail from here on. */
	for (i = 0; i < ARRAY_SIZE(part); i++)
		*part[i].have = now[i];
	return 0;
}

/* MCFAB_CMD_GRAPH_APPEND */
int mcfab_nl_graph_append_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_graph *staged;
	char name[MCFAB_NAME_LEN];
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_GRAPH_FABRIC, "name of the fabric", name);
	if (ret)
		return ret;
	mutex_lock(&nlnet->lock);
	staged = mcfab_nl_graph_find(nlnet, name);
	if (staged) {
		ret = mcfab_nl_graph_append(info, staged);
	} else {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_GRAPH_FABRIC],
				    "no graph was announced under this name");
		ret = -ENOENT;
	}
	mutex_unlock(&nlnet->lock);
	return ret;
}

/* MCFAB_CMD_GRAPH_DISCARD */
int mcfab_nl_graph_discard_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_graph *staged;
	char name[MCFAB_NAME_LEN];
	int ret;

	ret = mcfab_nl_name(info, MCFAB_A_GRAPH_FABRIC, "name of the fabric", name);
	if (ret)
		return ret;
	mutex_lock(&nlnet->lock);
	staged = mcfab_nl_graph_detach(nlnet, name);
	mutex_unlock(&nlnet->lock);
	if (!staged) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_GRAPH_FABRIC],
				    "no graph was announced under this name");
		return -ENOENT;
	}
	mcfab_nl_graph_free(staged);
	return 0;
}

/* What only a network to be generated is asked for by. */
static const struct nlattr *mcfab_nl_graph_wanted(const struct genl_info *info)
{
	static const u16 attr[] = {
		MCFAB_A_FABRIC_SWITCHES, MCFAB_A_FABRIC_SWITCH_PORTS, MCFAB_A_FABRIC_HOSTS,
		MCFAB_A_FABRIC_CONNECTIVITY, MCFAB_A_FABRIC_TOPOLOGY_SEED,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(attr); i++)
		if (info->attrs[attr[i]])
			return info->attrs[attr[i]];
	return NULL;
}

static struct mcfab_nl_graph *mcfab_nl_graph_generate(const struct genl_info *info,
						      const char *name,
						      const struct mcfab_generate *gen)
{
	struct mcfab_nl_graph *made;
	struct mcfab_err err = {};
	u32 links = 0;
	int ret;

	ret = mcfab_generate_links(gen, &links, &err);
	/* with the default connectivity, hosts leave too few ports, or there are too many */
	if (err.attr == MCFAB_A_FABRIC_CONNECTIVITY && !info->attrs[MCFAB_A_FABRIC_CONNECTIVITY])
		err.attr = links > MCFAB_GRAPH_LINKS ? MCFAB_A_FABRIC_SWITCHES :
						       MCFAB_A_FABRIC_HOSTS;
	if (ret)
		return ERR_PTR(mcfab_nl_refuse(info, &err, ret));
	made = mcfab_nl_graph_alloc(name, gen->switches, gen->hosts, links);
	if (!made) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_FABRIC_HOSTS],
				    "there is no memory for such a graph, see max_memory_mb");
		return ERR_PTR(-ENOMEM);
	}
	made->made = true;
	ret = mcfab_generate_fill(gen, made->graph, &err);
	if (!ret)
		return made;
	mcfab_nl_graph_free(made);
	return ERR_PTR(mcfab_nl_refuse(info, &err, ret));
}

/* Generate the graph of a new fabric, as @wanted and other attributes ask for. */
static struct mcfab_nl_graph *mcfab_nl_graph_make(const struct genl_info *info,
						  struct mcfab_fabric_cfg *cfg,
						  const struct nlattr *wanted)
{
	struct mcfab_generate gen = { .connectivity = MCFAB_CONNECTIVITY, .seed = 1 };
	const struct nlattr *seed = info->attrs[MCFAB_A_FABRIC_TOPOLOGY_SEED];
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	struct mcfab_nl_graph *made;
	bool announced;

	if (!info->attrs[MCFAB_A_FABRIC_SWITCHES])
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_A_FABRIC_SWITCHES, "switches"));
	if (!info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS])
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_A_FABRIC_SWITCH_PORTS,
						"switch-ports"));
	if (!info->attrs[MCFAB_A_FABRIC_HOSTS])
		return ERR_PTR(mcfab_nl_missing(info, MCFAB_A_FABRIC_HOSTS, "hosts"));
	mutex_lock(&nlnet->lock);
	announced = mcfab_nl_graph_find(nlnet, cfg->name);
	mutex_unlock(&nlnet->lock);
	if (announced) {
		NL_SET_ERR_MSG_ATTR(info->extack, wanted,
				    "a graph was announced for this name: discard it first");
		return ERR_PTR(-EEXIST);
	}
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_SWITCHES, &gen.switches);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_SWITCH_PORTS, &gen.ports);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_HOSTS, &gen.hosts);
	mcfab_nl_set_u32(info, MCFAB_A_FABRIC_CONNECTIVITY, &gen.connectivity);
	if (seed)
		gen.seed = nla_get_uint(seed);
	gen.first = cfg->addressing == MCFAB_ADDRESS_LID;
	made = mcfab_nl_graph_generate(info, cfg->name, &gen);
	if (!IS_ERR(made))
		cfg->graph = made->graph;
	return made;
}

/**
 * mcfab_nl_graph_take() - the graph that a new fabric is to be made of, or a new one
 * @info: request for the fabric
 * @cfg: what was asked for; its @graph is set
 *
 * It is out of the namespace, so that it stays as it is. When the fabric has its copy,
 * mcfab_nl_graph_free() is due, else mcfab_nl_graph_put().
 *
 * Context: May sleep.
 * Return: the graph, NULL if the topology needs none, or an ERR_PTR with the extack
 *	   set.
 */
struct mcfab_nl_graph *mcfab_nl_graph_take(const struct genl_info *info,
					   struct mcfab_fabric_cfg *cfg)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(genl_info_net(info));
	const struct nlattr *nla = info->attrs[MCFAB_A_FABRIC_TOPOLOGY];
	const struct nlattr *wanted = mcfab_nl_graph_wanted(info);
	struct mcfab_nl_graph *staged;
	int ret = 0;

	if (strcmp(cfg->topology, mcfab_irregular_ops.name)) {
		if (!wanted)
			return NULL;
		NL_SET_ERR_MSG_ATTR(info->extack, wanted,
				    "only networks of topology irregular are generated");
		return ERR_PTR(-EINVAL);
	}
	if (wanted)
		return mcfab_nl_graph_make(info, cfg, wanted);
	mutex_lock(&nlnet->lock);
	staged = mcfab_nl_graph_find(nlnet, cfg->name);
	if (!staged) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla,
				    "irregular needs a graph: none was announced for this name");
		ret = -ENOENT;
	} else if (staged->switches != staged->graph->switches ||
		   staged->hosts != staged->graph->hosts ||
		   staged->links != staged->graph->links) {
		NL_SET_ERR_MSG_ATTR_FMT(info->extack, nla,
					"the graph lacks %u switches, %u hosts, %u links",
					staged->graph->switches - staged->switches,
					staged->graph->hosts - staged->hosts,
					staged->graph->links - staged->links);
		ret = -EINVAL;
	} else {
		mcfab_nl_graph_detach(nlnet, cfg->name);
		cfg->graph = staged->graph;
	}
	mutex_unlock(&nlnet->lock);
	return ret ? ERR_PTR(ret) : staged;
}

/**
 * mcfab_nl_graph_put() - the fabric could not be made: its graph waits on
 * @net: the namespace
 * @staged: from mcfab_nl_graph_take(), or NULL
 *
 * It is forgotten if there is another one of its name by now, or if it was generated.
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_put(struct net *net, struct mcfab_nl_graph *staged)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);

	if (!staged)
		return;
	mutex_lock(&nlnet->lock);
	if (!staged->made && !mcfab_nl_graph_find(nlnet, staged->name)) {
		mcfab_nl_graph_attach(nlnet, staged);
		staged = NULL;
	}
	mutex_unlock(&nlnet->lock);
	mcfab_nl_graph_free(staged);
}
