// SPDX-License-Identifier: GPL-2.0
/*
 * The network that an irregular fabric is made of: a graph that waits for it, in one piece,
 * or one that is generated. How big it is tells whether a handler makes the fabric.
 */
#include <linux/sched.h>

#include "control/nl_graph.h"
#include "base/memory.h"
#include "topology/generate.h"

/* Switches and hosts that are looked at one by one to find out how big a network is. */
#define MCFAB_NL_GRAPH_LOOK	4096

/* Of a graph that has come up so far. */
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
	/* to look at all of so many takes long, and so does all else */
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
		size->lids = max_t(u64, size->lids, host->lid);
	}
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
		size->ports = MCFAB_GRAPH_PORTS_MAX;
		if (info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS])
			size->ports = nla_get_u32(info->attrs[MCFAB_A_FABRIC_SWITCH_PORTS]);
		if (info->attrs[MCFAB_A_FABRIC_HOSTS])
			size->hosts = nla_get_u32(info->attrs[MCFAB_A_FABRIC_HOSTS]);
		size->lids = size->switches + size->hosts;
		return;
	}
	/* Who is being killed is not kept: a thread finds out. */
	size->bytes = U64_MAX >> 1;
	if (mutex_lock_killable(&nlnet->lock))
		return;
	size->bytes = 0;
	staged = mcfab_nl_graph_find(nlnet, name);
	if (staged)
		mcfab_nl_graph_measure(staged, size);
	mutex_unlock(&nlnet->lock);
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
	/* with the default connectivity, hosts leave too few ports, or there are too many */
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
	/* whose holders do not wait; and nothing else lets go of the graph */
	mutex_lock(&nlnet->lock);
	if (!staged->made && !mcfab_nl_graph_find(nlnet, staged->name)) {
		mcfab_nl_graph_attach(nlnet, staged);
		staged = NULL;
	}
	mutex_unlock(&nlnet->lock);
	mcfab_nl_graph_free(staged);
}

/* Is all there that was announced? */
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

/* Put a graph that is complete into one piece; every element of it is written. */
static bool mcfab_nl_graph_join(struct mcfab_nl_graph *staged)
{
	const struct mcfab_nl_graph_list *list = staged->list;
	struct mcfab_graph *graph;
	void *mem;

	/* it has waited on after a fabric could not be made */
	if (staged->graph)
		return true;
	/* the pieces stay until all has its place */
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
