// SPDX-License-Identifier: GPL-2.0
/*
 * Graphs of irregular networks. A graph goes up in parts before its fabric is made, under the name
 * that the fabric will have: it is announced, then appended to. It stays with the namespace until
 * its fabric takes it (nl_graph_take.c), until it is replaced or discarded, or until the namespace
 * goes.
 *
 * All its memory is charged when it is announced, and taken in pieces as its parts arrive: taking
 * all at once would take a handler too long.
 */
#include "control/nl_graph.h"
#include "base/memory.h"

/*
 * Most graphs of a namespace that wait for their fabrics, so that forgotten graphs cannot pile up.
 */
#define MCFAB_NL_GRAPHS	16

/* Pieces that hold a list of @most. */
static u32 mcfab_nl_graph_pieces(u32 most)
{
	return DIV_ROUND_UP(most, MCFAB_NL_GRAPH_PIECE);
}

/**
 * mcfab_nl_graph_drop() - forget the pieces of a graph
 * @staged: the graph
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_drop(struct mcfab_nl_graph *staged)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(staged->list); i++) {
		struct mcfab_nl_graph_list *list = &staged->list[i];

		for (k = 0; list->piece && k < mcfab_nl_graph_pieces(list->most); k++)
			kvfree(list->piece[k]);
		kvfree(list->piece);
		list->piece = NULL;
	}
}

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
	mcfab_nl_graph_drop(staged);
	kvfree(staged->graph);
	mcfab_memory_uncharge(staged->bytes);
	kfree(staged);
}

/**
 * mcfab_nl_graph_end() - forget all graphs of a namespace
 * @nlnet: the namespace's part, not used otherwise any more
 *
 * Context: May sleep.
 */
void mcfab_nl_graph_end(struct mcfab_nl_net *nlnet)
{
	struct mcfab_nl_graph *staged, *next;

	list_for_each_entry_safe(staged, next, &nlnet->graphs, waits)
		mcfab_nl_graph_free(staged);
}

/**
 * mcfab_nl_graph_find() - a graph by its name
 * @nlnet: the namespace's part
 * @name: name of its fabric
 *
 * Context: Under the namespace's lock.
 * Return: the graph, or NULL if there is none of that name.
 */
struct mcfab_nl_graph *mcfab_nl_graph_find(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_graph *staged;

	list_for_each_entry(staged, &nlnet->graphs, waits)
		if (!strcmp(staged->name, name))
			return staged;
	return NULL;
}

/**
 * mcfab_nl_graph_detach() - take a graph out of its namespace
 * @nlnet: the namespace's part
 * @name: name of its fabric
 *
 * Context: Under the namespace's lock.
 * Return: the graph, or NULL if there is none of that name.
 */
struct mcfab_nl_graph *mcfab_nl_graph_detach(struct mcfab_nl_net *nlnet, const char *name)
{
	struct mcfab_nl_graph *staged = mcfab_nl_graph_find(nlnet, name);

	if (staged) {
		list_del(&staged->waits);
		nlnet->ngraphs--;
	}
	return staged;
}

/**
 * mcfab_nl_graph_attach() - let a graph wait for its fabric
 * @nlnet: the namespace's part
 * @staged: the graph; there is no other graph of its name
 *
 * Context: Under the namespace's lock.
 */
void mcfab_nl_graph_attach(struct mcfab_nl_net *nlnet, struct mcfab_nl_graph *staged)
{
	list_add_tail(&staged->waits, &nlnet->graphs);
	nlnet->ngraphs++;
}

/**
 * mcfab_nl_graph_alloc() - a graph whose memory is charged
 * @name: name of its fabric
 * @switches: its switches
 * @hosts: its hosts
 * @links: its links
 *
 * Context: May sleep.
 * Return: the graph, in no list and without memory for its elements, or NULL.
 */
struct mcfab_nl_graph *mcfab_nl_graph_alloc(const char *name, u32 switches, u32 hosts, u32 links)
{
	struct mcfab_nl_graph *staged = kzalloc(sizeof(*staged), GFP_KERNEL_ACCOUNT);
	u64 bytes = mcfab_graph_bytes(switches, hosts, links);

	if (!staged)
		return NULL;
	if (!mcfab_memory_charge(bytes)) {
		kfree(staged);
		return NULL;
	}
	staged->bytes = bytes;
	staged->root = MCFAB_NONE;
	strscpy(staged->name, name, sizeof(staged->name));
	return staged;
}

/* The lists that pieces hang from are small. */
static bool mcfab_nl_graph_lists(struct mcfab_nl_graph *staged, const u32 *most)
{
	static const size_t size[MCFAB_NL_GRAPH_LISTS] = {
		[MCFAB_NL_GRAPH_SWITCHES] = sizeof(struct mcfab_graph_switch),
		[MCFAB_NL_GRAPH_HOSTS] = sizeof(struct mcfab_graph_host),
		[MCFAB_NL_GRAPH_LINKS] = sizeof(struct mcfab_graph_link),
	};
	u32 i;

	for (i = 0; i < MCFAB_NL_GRAPH_LISTS; i++) {
		struct mcfab_nl_graph_list *list = &staged->list[i];

		list->most = most[i];
		list->size = size[i];
		list->piece = kvcalloc(mcfab_nl_graph_pieces(most[i]), sizeof(*list->piece),
				       MCFAB_GFP);
		if (most[i] && !list->piece)
			return false;
	}
	return true;
}

static struct mcfab_nl_graph *mcfab_nl_graph_announce(const char *name, u32 switches, u32 hosts,
						      u32 links)
{
	const u32 most[MCFAB_NL_GRAPH_LISTS] = {
		[MCFAB_NL_GRAPH_SWITCHES] = switches,
		[MCFAB_NL_GRAPH_HOSTS] = hosts,
		[MCFAB_NL_GRAPH_LINKS] = links,
	};
	struct mcfab_nl_graph *staged = mcfab_nl_graph_alloc(name, switches, hosts, links);

	if (staged && !mcfab_nl_graph_lists(staged, most)) {
		mcfab_nl_graph_free(staged);
		return NULL;
	}
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
	fresh = mcfab_nl_graph_announce(name, nla_get_u32(info->attrs[MCFAB_A_GRAPH_SWITCHES]),
					nla_get_u32(info->attrs[MCFAB_A_GRAPH_HOSTS]),
					links ? nla_get_u32(links) : 0);
	if (!fresh) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MCFAB_A_GRAPH_HOSTS],
				    "there is no memory for such a graph, see max_memory_mb");
		return -ENOMEM;
	}
	if (root)
		fresh->root = nla_get_u32(root);

	if (mutex_lock_killable(&nlnet->lock)) {
		mcfab_nl_graph_free(fresh);
		return -EINTR;
	}
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

/* Attributes that switches and hosts share: guid, lid, name; 0 or empty if absent. */
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

/* 0: what holds for all links */
static u8 mcfab_nl_graph_own(const struct nlattr *nla)
{
	return nla ? nla_get_u32(nla) : 0;
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
	host->lmc = 0;
	if (tb[MCFAB_A_GRAPH_HOST_LMC])
		host->lmc = nla_get_u32(tb[MCFAB_A_GRAPH_HOST_LMC]);
	host->aggregation = tb[MCFAB_A_GRAPH_HOST_AGGREGATION];
	host->pace = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_HOST_FLIT_CYCLES]);
	host->pace_back = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_HOST_FLIT_CYCLES_BACK]);
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
	link->delay = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_LINK_DELAY]);
	link->delay_back = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_LINK_DELAY_BACK]);
	link->pace = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_LINK_FLIT_CYCLES]);
	link->pace_back = mcfab_nl_graph_own(tb[MCFAB_A_GRAPH_LINK_FLIT_CYCLES_BACK]);
	return 0;
}

/* Place for the next element, at @at; it is not cleared. */
static void *mcfab_nl_graph_room(struct mcfab_nl_graph_list *list, u32 at)
{
	void **piece = &list->piece[at / MCFAB_NL_GRAPH_PIECE];

	if (!*piece)
		*piece = kvmalloc(list->size * min(list->most - at, MCFAB_NL_GRAPH_PIECE),
				  MCFAB_GFP);
	return *piece ? mcfab_nl_graph_at(list, at) : NULL;
}

/**
 * struct mcfab_nl_graph_part - one kind of elements in a request to append
 * @attr: number of the attribute
 * @take: fills in one element, all of it
 */
struct mcfab_nl_graph_part {
	int attr;
	int (*take)(const struct genl_info *info, const struct nlattr *nest, void *to);
};

/* Writes behind the elements that count as present; @now: how many there will be. */
static int mcfab_nl_graph_part(const struct genl_info *info, struct mcfab_nl_graph_list *list,
			       const struct mcfab_nl_graph_part *part, u32 *now)
{
	const struct nlattr *pos;
	int rem, ret;
	void *to;

	*now = list->have;
	nlmsg_for_each_attr_type(pos, part->attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (*now == list->most) {
			NL_SET_ERR_MSG_ATTR_FMT(info->extack, pos, "more than the %u announced",
						list->most);
			return -EINVAL;
		}
		to = mcfab_nl_graph_room(list, *now);
		if (!to)
			return -ENOMEM;
		ret = part->take(info, pos, to);
		if (ret)
			return ret;
		++*now;
	}
	return 0;
}

static int mcfab_nl_graph_append(const struct genl_info *info, struct mcfab_nl_graph *staged)
{
	static const struct mcfab_nl_graph_part part[MCFAB_NL_GRAPH_LISTS] = {
		[MCFAB_NL_GRAPH_SWITCHES] = { MCFAB_A_GRAPH_SWITCH, mcfab_nl_graph_switch },
		[MCFAB_NL_GRAPH_HOSTS] = { MCFAB_A_GRAPH_HOST, mcfab_nl_graph_host },
		[MCFAB_NL_GRAPH_LINKS] = { MCFAB_A_GRAPH_LINK, mcfab_nl_graph_link },
	};
	u32 now[ARRAY_SIZE(part)], i;
	bool more = false;
	int ret;

	for (i = 0; i < ARRAY_SIZE(part); i++) {
		ret = mcfab_nl_graph_part(info, &staged->list[i], &part[i], &now[i]);
		if (ret)
			return ret;
		more |= now[i] != staged->list[i].have;
	}
	if (!more)
		return mcfab_nl_missing(info, MCFAB_A_GRAPH_SWITCH, "switch, host or link");
	/* Nothing can fail from here on. */
	for (i = 0; i < ARRAY_SIZE(part); i++)
		staged->list[i].have = now[i];
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
	if (mutex_lock_killable(&nlnet->lock))
		return -EINTR;
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
	if (mutex_lock_killable(&nlnet->lock))
		return -EINTR;
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
