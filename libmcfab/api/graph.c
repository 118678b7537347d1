// SPDX-License-Identifier: GPL-2.0
/* Graphs of irregular networks, on their way into the module's part. */
#include "api/internal.h"

/* elements in one request, and bytes that one takes of it at most */
#define PER_REQUEST	200
#define ELEMENT_BYTES	128

/* a part of a graph: @put adds the attributes of its element @i to a request, by their set */
struct part {
	const char *name;
	u32 n;
	void (*put)(struct sk_buff *skb, const struct attr_set *set, const struct mcf_graph *g,
		    u32 i);
};

static void put(struct sk_buff *skb, const struct attr_set *set, const char *name, u32 value)
{
	nla_put_u32(skb, lib_type(set, name), value);
}

/* 0 stands for what holds for all links, and is left out */
static void put_some(struct sk_buff *skb, const struct attr_set *set, const char *name, u32 value)
{
	if (value)
		put(skb, set, name, value);
}

static void put_switch(struct sk_buff *skb, const struct attr_set *set, const struct mcf_graph *g,
		       u32 i)
{
	put(skb, set, "ports", g->ports[i]);
}

static void put_host(struct sk_buff *skb, const struct attr_set *set, const struct mcf_graph *g,
		     u32 i)
{
	const struct mcf_host *host = &g->host[i];

	put(skb, set, "switch", host->sw);
	put(skb, set, "port", host->port);
	put_some(skb, set, "flit-cycles", host->flit_cycles);
	put_some(skb, set, "flit-cycles-back", host->flit_cycles_back);
}

static void put_link(struct sk_buff *skb, const struct attr_set *set, const struct mcf_graph *g,
		     u32 i)
{
	const struct mcf_link *link = &g->link[i];

	put(skb, set, "switch", link->sw);
	put(skb, set, "port", link->port);
	put(skb, set, "peer-switch", link->peer);
	put(skb, set, "peer-port", link->peer_port);
	put_some(skb, set, "delay", link->delay);
	put_some(skb, set, "delay-back", link->delay_back);
	put_some(skb, set, "flit-cycles", link->flit_cycles);
	put_some(skb, set, "flit-cycles-back", link->flit_cycles_back);
}

static int announce(const char *fabric, const struct mcf_graph *g)
{
	struct request rq;
	int ret = lib_request(&rq, "graph-begin", false, fabric, NULL);

	ret = ret ?: lib_request_put(&rq, "switches", &g->switches, sizeof(u32));
	ret = ret ?: lib_request_put(&rq, "hosts", &g->hosts, sizeof(u32));
	ret = ret ?: lib_request_put(&rq, "links", &g->links, sizeof(u32));
	if (g->root != MCF_ANY)
		ret = ret ?: lib_request_put(&rq, "root", &g->root, sizeof(u32));
	if (!ret)
		return lib_send(&rq);
	lib_request_free(&rq);
	return ret;
}

static int put_element(struct request *rq, const struct part *part, const struct mcf_graph *g,
		       u32 i, char *number)
{
	u32 type = lib_type(rq->set, part->name), at = rq->skb->len;
	struct nlattr *nest;

	if (lib_request_room(rq, ELEMENT_BYTES))
		return -1;
	nest = nla_nest_start(rq->skb, type);
	part->put(rq->skb, rq->set->attr[type].nested, g, i);
	nla_nest_end(rq->skb, nest);
	sprintf(number, "%u", i);
	return lib_request_note(rq, at, part->name, number);
}

static int send_part(const char *fabric, const struct part *part, const struct mcf_graph *g)
{
	/* for refusals: they name the element */
	char number[PER_REQUEST][12];
	struct request rq;
	int ret = 0;
	u32 at, i;

	for (at = 0; at < part->n && !ret; at += PER_REQUEST) {
		ret = lib_request(&rq, "graph-append", false, fabric, NULL);
		for (i = at; i < part->n && i < at + PER_REQUEST && !ret; i++)
			ret = put_element(&rq, part, g, i, number[i - at]);
		if (ret)
			lib_request_free(&rq);
		else
			ret = lib_send(&rq);
	}
	return ret;
}

/**
 * lib_graph_send() - hand in the graph of a fabric that is to be made
 * @fabric: the name that it will have
 * @g: the graph
 *
 * Return: 0 or -1.
 */
int lib_graph_send(const char *fabric, const struct mcf_graph *g)
{
	const struct part parts[] = {
		{ "switch", g->switches, put_switch },
		{ "host", g->hosts, put_host },
		{ "link", g->links, put_link },
	};
	int ret = announce(fabric, g);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(parts) && !ret; i++)
		ret = send_part(fabric, &parts[i], g);
	return ret;
}

/** lib_graph_discard() - forget a graph that was handed in; why a call failed stays as it was */
void lib_graph_discard(const char *fabric)
{
	char why[512];
	struct request rq;

	snprintf(why, sizeof(why), "%s", mcf_error());
	if (!lib_request(&rq, "graph-discard", false, fabric, NULL))
		lib_send(&rq);
	lib_refuse("%s", why);
}
