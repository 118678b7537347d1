// SPDX-License-Identifier: GPL-2.0
/*
 * The network of a new irregular fabric: a graph that waits for it, in one piece, or a generated
 * graph. Its size decides whether a handler makes the fabric.
 */
#include <linux/sched.h>

#include "control/nl_graph.h"
#include "base/memory.h"
#include "topology/generate.h"

/* Switches and hosts that are counted one by one to find the size of a network. */
#define MCFAB_NL_GRAPH_LOOK	4096

/* Size of a graph, as far as it has been uploaded. */
static void mcfab_nl_graph_measure(const struct mcfab_nl_graph *staged,
				   struct mcfab_nl_graph_size *size)
{
	const struct mcfab_nl_graph_list *sws = &staged->list[MCFAB_NL_GRAPH_SWITCHES];
	const struct mcfab_nl_graph_list *hosts = &staged->list[MCFAB_NL_GRAPH_HOSTS];
	const struct mcfab_graph *graph = staged->graph;
	const struct mcfab_graph_switch *sw;
	const struct mcfab_graph_host *host;
	u32 i;

	size->switches = sws->most;
	size->hosts = hosts->most;
	size->lids = size->switches + size->hosts;
	size->bytes = staged->bytes;
	/* looking at so many elements takes long, and so does all other work on them */
	if (size->lids > MCFAB_NL_GRAPH_LOOK) {
		size->ports = MCFAB_GRAPH_PORTS_MAX;
		size->lids = MCFAB_UNICAST_LID_MAX;
		return;
	}
	for (i = 0; i < sws->have; i++) {
		sw = graph ? &graph->sw[i] : mcfab_nl_graph_at(sws, i);
		size->ports = max_t(u64, size->ports, sw->ports);
		size->lids = max_t(u64, size->lids, sw->lid);
	}
	for (i = 0; i < hosts->have; i++) {
		host = graph ? &graph->host[i] : mcfab_nl_graph_at(hosts, i);
		size->lids = max_t(u64, size->lids,
				   host->lid + mcfab_graph_host_lids(host) - 1);
	}
}

/**
 * mcfab_nl_graph_size() - size of the network of a new irregular fabric
 * @info: request for a fabric
 * @name: the fabric's name
 * @size: filled in; all 0: there is no such network, or its size is not valid
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
		size->ports = MCFAB_GRAPH_PORTS_MAX;
		if (info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS])
			size->ports = nla_get_u32(info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS]);
		if (info->attrs[MCFAB_A_FABRIC_HOSTS])
			size->hosts = nla_get_u32(info->attrs[MCFAB_A_FABRIC_HOSTS]);
		size->lids = size->switches + size->hosts;
		return;
	}
	/*
	 * If the process is being killed the size is taken as huge: a thread gets the request, and
	 * notices.
	 */
	size->bytes = U64_MAX >> 1;
	if (mutex_lock_killable(&nlnet->lock))
		return;
	size->bytes = 0;
	staged = mcfab_nl_graph_find(nlnet, name);
	if (staged)
		mcfab_nl_graph_measure(staged, size);
	mutex_unlock(&nlnet->lock);
}

/* An attribute that only a network to be generated has. */
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

static int mcfab_nl_graph_no_room(const struct genl_info *info, int attr)
{
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr],
			    "there is no memory for such a graph, see max_memory_mb");
	return -ENOMEM;
}

static struct mcfab_nl_graph *mcfab_nl_graph_generate(const struct genl_info *info,
						      const char *name,
						      const struct mcfab_generate *gen)
{
	struct mcfab_nl_graph *made;
	struct mcfab_err err = {};
	u32 links = 0;
	void *mem;
	int ret;

	ret = mcfab_generate_links(gen, &links, &err);
	/* with the default connectivity, hosts leave too few ports, or there are too many hosts */
	if (err.what == MCFAB_OPTION_FABRIC_CONNECTIVITY &&
	    !info->attrs[MCFAB_A_FABRIC_CONNECTIVITY])
		err.what = links > MCFAB_GRAPH_LINKS_MAX ? MCFAB_OPTION_FABRIC_SWITCHES :
							   MCFAB_OPTION_FABRIC_HOSTS;
	if (ret)
		return ERR_PTR(mcfab_nl_refuse(info, &err, ret));
	made = mcfab_nl_graph_alloc(name, gen->switches, gen->hosts, links);
	if (!made)
		return ERR_PTR(mcfab_nl_graph_no_room(info, MCFAB_A_FABRIC_HOSTS));
	made->made = true;
	mem = kvzalloc(made->bytes, MCFAB_GFP);
	if (!mem) {
		mcfab_nl_graph_free(made);
		return ERR_PTR(mcfab_nl_graph_no_room(info, MCFAB_A_FABRIC_HOSTS));
	}
	made->graph = mcfab_graph_place(mem, gen->switches, gen->hosts, links);
	ret = mcfab_generate_fill(gen, made->graph, &err);
	if (!ret)
		return made;
	mcfab_nl_graph_free(made);
	return ERR_PTR(mcfab_nl_refuse(info, &err, ret));
}

/* Generates the graph of a new fabric, by @wanted and other attributes. */
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
	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
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
	gen.first = cfg->addressing == MCFAB_ADDRESSING_MODE_LID;
	made = mcfab_nl_graph_generate(info, cfg->name, &gen);
	if (!IS_ERR(made))
		cfg->graph = made->graph;
	return made;
}

/**
 * mcfab_nl_graph_put() - give a graph back: its fabric could not be made
 * @net: the namespace
 * @staged: from mcfab_nl_graph_take(), or NULL
 *
 * The graph is forgotten if there is another graph of its name by now, or if it was generated.
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_put(struct net *net, struct mcfab_nl_graph *staged)
{
	struct mcfab_nl_net *nlnet = mcfab_nl_net(net);

	if (!staged)
		return;
	/* its holders do not wait; and no other code lets go of the graph */
	mutex_lock(&nlnet->lock);
	if (!staged->made && !mcfab_nl_graph_find(nlnet, staged->name)) {
		mcfab_nl_graph_attach(nlnet, staged);
		staged = NULL;
	}
	mutex_unlock(&nlnet->lock);
	mcfab_nl_graph_free(staged);
}

/* Have all announced elements come? */
static int mcfab_nl_graph_lacks(const struct genl_info *info, const struct mcfab_nl_graph *staged)
{
	const struct mcfab_nl_graph_list *list = staged->list;
	u32 lack[MCFAB_NL_GRAPH_LISTS], i, all = 0;

	for (i = 0; i < ARRAY_SIZE(lack); i++) {
		lack[i] = list[i].most - list[i].have;
		all |= lack[i];
	}
	if (!all)
		return 0;
	NL_SET_ERR_MSG_ATTR_FMT(info->extack, info->attrs[MCFAB_A_FABRIC_TOPOLOGY],
				"the graph lacks %u switches, %u hosts, %u links",
				lack[MCFAB_NL_GRAPH_SWITCHES], lack[MCFAB_NL_GRAPH_HOSTS],
				lack[MCFAB_NL_GRAPH_LINKS]);
	return -EINVAL;
}

static void mcfab_nl_graph_gather(const struct mcfab_nl_graph_list *list, void *to)
{
	u32 i, n;

	for (i = 0; i < list->most; i += n) {
		n = min(list->most - i, MCFAB_NL_GRAPH_PIECE);
		memcpy(to + i * list->size, mcfab_nl_graph_at(list, i), n * list->size);
		cond_resched();
	}
}

/* Puts a complete graph into one piece; every element of it is written. */
static bool mcfab_nl_graph_join(struct mcfab_nl_graph *staged)
{
	const struct mcfab_nl_graph_list *list = staged->list;
	struct mcfab_graph *graph;
	void *mem;

	/* an earlier attempt to make the fabric has done this already */
	if (staged->graph)
		return true;
	/* the pieces stay until all elements are in their place */
	if (!mcfab_memory_charge(staged->bytes))
		return false;
	mem = kvmalloc(staged->bytes, MCFAB_GFP);
	if (mem) {
		graph = mcfab_graph_place(mem, list[MCFAB_NL_GRAPH_SWITCHES].most,
					  list[MCFAB_NL_GRAPH_HOSTS].most,
					  list[MCFAB_NL_GRAPH_LINKS].most);
		graph->root = staged->root;
		mcfab_nl_graph_gather(&list[MCFAB_NL_GRAPH_SWITCHES], graph->sw);
		mcfab_nl_graph_gather(&list[MCFAB_NL_GRAPH_HOSTS], graph->host);
		mcfab_nl_graph_gather(&list[MCFAB_NL_GRAPH_LINKS], graph->link);
		mcfab_nl_graph_drop(staged);
		staged->graph = graph;
	}
	mcfab_memory_uncharge(staged->bytes);
	return mem;
}

/**
 * mcfab_nl_graph_take() - take the graph of a new fabric, or generate one
 * @info: request for the fabric
 * @cfg: the fabric's configuration; its @graph is set
 *
 * The graph is taken out of the namespace, so that it does not change. When the fabric has its
 * copy, mcfab_nl_graph_free() is due, else mcfab_nl_graph_put().
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
	if (mutex_lock_killable(&nlnet->lock))
		return ERR_PTR(-EINTR);
	staged = mcfab_nl_graph_find(nlnet, cfg->name);
	if (staged)
		ret = mcfab_nl_graph_lacks(info, staged);
	if (staged && !ret)
		mcfab_nl_graph_detach(nlnet, cfg->name);
	mutex_unlock(&nlnet->lock);
	if (!staged) {
		NL_SET_ERR_MSG_ATTR(info->extack, nla,
				    "irregular needs a graph: none was announced for this name");
		return ERR_PTR(-ENOENT);
	}
	if (ret)
		return ERR_PTR(ret);
	if (!mcfab_nl_graph_join(staged)) {
		mcfab_nl_graph_put(genl_info_net(info), staged);
		return ERR_PTR(mcfab_nl_graph_no_room(info, MCFAB_A_FABRIC_TOPOLOGY));
	}
	cfg->graph = staged->graph;
	return staged;
}
