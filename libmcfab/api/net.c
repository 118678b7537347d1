// SPDX-License-Identifier: GPL-2.0
/*
 * Networks that are stepped: the outside (workload/outside.h) of a run that the caller's thread
 * computes, a cycle at a time.
 */
#include <stdlib.h>

#include "api/internal.h"
#include "base/memory.h"
#include "fabric/fabric.h"
#include "outside.h"

/**
 * struct message - a message that was handed in
 * @cookie: the caller's
 * @dst: its destinations
 * @room: entries that @dst may have
 * @source: its source
 * @next: the next one that is not in use
 */
struct message {
	u64 cookie;
	u32 *dst;
	u32 room;
	u32 source;
	u32 next;
};

/**
 * struct delivered - a delivery that was not popped
 * @d: what the caller gets
 * @next: the next one of the node, or the next one that is not in use
 * @older: of all nodes, the one before this
 * @newer: likewise the one behind
 */
struct delivered {
	struct mcf_delivery d;
	u32 next;
	u32 older;
	u32 newer;
};

/**
 * struct queue - what a node has
 * @first: its first delivery
 * @last: its last one
 * @n: how many there are
 */
struct queue {
	u32 first;
	u32 last;
	u32 n;
};

/**
 * struct mcf_net - a network that is stepped
 * @ports: its outside
 * @f: its fabric
 * @nodes: nodes
 * @flits: of the longest message
 * @hold: deliveries of a full node; 0: none is
 * @cycle: the last cycle that is over
 * @target: cycle that is to be over
 * @until: end at the next delivery
 * @came: a delivery has come
 * @closing: all nodes take what comes
 * @ended: the run has ended
 * @busy: messages under way
 * @msg: messages, @nmsgs of them; they grow
 * @nmsgs: entries of @msg
 * @free_msg: first one that is not in use
 * @del: deliveries, likewise
 * @ndel: entries of @del
 * @free_del: first one that is not in use
 * @oldest: delivery of any node that came first
 * @newest: likewise last
 * @lost: there was no memory for a delivery
 * @queue: [@nodes] what each has
 * @seen: [@nodes] the last push that named the node
 * @pushes: how many there were
 */
struct mcf_net {
	struct mcfab_ports ports;
	struct mcf_fabric *f;
	u32 nodes;
	u32 flits;
	u32 hold;
	u64 cycle;
	u64 target;
	bool until;
	bool came;
	bool closing;
	bool ended;
	bool lost;
	u64 busy;
	struct message *msg;
	u32 nmsgs;
	u32 free_msg;
	struct delivered *del;
	u32 ndel;
	u32 free_del;
	u32 oldest;
	u32 newest;
	struct queue *queue;
	u64 *seen;
	u64 pushes;
};

static struct mcf_net *net_of(struct mcfab_outside *o)
{
	return container_of(container_of(o, struct mcfab_ports, o), struct mcf_net, ports);
}

static u64 net_wait(struct mcfab_outside *o, u64 cycle, u64 next, bool idle, u32 ms)
{
	struct mcf_net *net = net_of(o);
	u64 past;

	if (net->closing)
		return next == U64_MAX ? cycle : next - 1;
	if (net->until && net->came)
		net->target = max(net->cycle, cycle);
	/* messages are accepted when this returns, and may be all that happens before @next */
	past = llist_empty(&o->ready) ? clamp(net->target, cycle, next - 1) : cycle;
	net->cycle = max(net->cycle, past);
	return past;
}

static void net_kick(struct mcfab_outside *o)
{
}

static void net_links(struct mcfab_outside *o, const unsigned long *cut)
{
}

static void net_run_end(struct mcfab_outside *o)
{
	net_of(o)->ended = true;
}

/* twice as many, the new ones on the list of those not in use; false: no memory */
static bool more_deliveries(struct mcf_net *net)
{
	u32 n = 2 * net->ndel + 64, i;
	struct delivered *del = realloc(net->del, n * sizeof(*del));

	if (!del)
		return false;
	for (i = net->ndel; i < n; i++)
		del[i].next = i + 1 < n ? i + 1 : MCFAB_NONE;
	net->free_del = net->ndel;
	net->del = del;
	net->ndel = n;
	return true;
}

static bool net_deliver(struct mcfab_outside *o, u64 cookie, u32 node, u64 gen, u64 cycle)
{
	struct mcf_net *net = net_of(o);
	struct queue *q = &net->queue[node];
	struct delivered *del;
	u32 nr;

	if (net->free_del == MCFAB_NONE && !more_deliveries(net)) {
		net->lost = true;
		return true;
	}
	nr = net->free_del;
	del = &net->del[nr];
	net->free_del = del->next;
	*del = (struct delivered){
		.d = {
			.cookie = net->msg[cookie].cookie, .cycle = cycle, .generated = gen,
			.source = net->msg[cookie].source, .node = node,
		},
		.next = MCFAB_NONE, .older = net->newest, .newer = MCFAB_NONE,
	};
	if (net->newest != MCFAB_NONE)
		net->del[net->newest].newer = nr;
	else
		net->oldest = nr;
	net->newest = nr;
	if (q->n++)
		net->del[q->last].next = nr;
	else
		q->first = nr;
	q->last = nr;
	net->came = true;
	return !net->hold || q->n < net->hold;
}

static bool net_takes(struct mcfab_outside *o, u32 node)
{
	struct mcf_net *net = net_of(o);

	return net->closing || net->queue[node].n < net->hold;
}

static void net_sent(struct mcfab_outside *o, u64 cookie, u64 gen)
{
}

static void net_over(struct mcfab_outside *o, u64 cookie)
{
	struct mcf_net *net = net_of(o);

	net->msg[cookie].next = net->free_msg;
	net->free_msg = cookie;
	net->busy--;
}

static const struct mcfab_outside_ops net_ops = {
	.wait = net_wait,
	.kick = net_kick,
	.links = net_links,
	.end = net_run_end,
	.deliver = net_deliver,
	.takes = net_takes,
	.sent = net_sent,
	.over = net_over,
};

static void free_net(struct mcf_net *net)
{
	u32 i;

	if (net->ports.o.inbox)
		mcfab_outside_close(&net->ports.o, net->nodes);
	for (i = 0; i < net->nmsgs; i++)
		free(net->msg[i].dst);
	free(net->msg);
	free(net->del);
	free(net->queue);
	free(net->seen);
	free(net);
}

static struct mcf_net *new_net(struct mcf_fabric *f, u32 hold)
{
	struct mcf_net *net = calloc(1, sizeof(*net));

	if (!net)
		return NULL;
	net->f = f;
	net->nodes = f->core->topo.nodes;
	net->hold = hold;
	net->free_msg = MCFAB_NONE;
	net->free_del = MCFAB_NONE;
	net->oldest = MCFAB_NONE;
	net->newest = MCFAB_NONE;
	net->queue = calloc(net->nodes, sizeof(*net->queue));
	net->seen = calloc(net->nodes, sizeof(*net->seen));
	if (net->queue && net->seen && !mcfab_outside_open(&net->ports.o, &net_ops, net->nodes)) {
		net->ports.o.holds = hold;
		return net;
	}
	free_net(net);
	return NULL;
}

static int begin_run(struct mcf_fabric *f, const char *options)
{
	char *all = malloc(strlen(options) + sizeof(" workload ports"));
	struct answer a;
	int ret;

	if (!all)
		return lib_refuse("out of memory");
	sprintf(all, "%s workload ports", options);
	ret = lib_ask_words("run-start", false, f->name, all, &a);
	lib_answer_free(&a);
	free(all);
	return ret;
}

struct mcf_net *mcf_net_open(struct mcf_fabric *f, const char *options, u32 hold)
{
	struct mcf_net *net;

	if (f->net) {
		lib_refuse("the fabric has a network that is stepped");
		return NULL;
	}
	net = new_net(f, hold);
	if (!net) {
		lib_refuse("out of memory");
		return NULL;
	}
	f->core->ports = &net->ports;
	if (begin_run(f, options)) {
		f->core->ports = NULL;
		free_net(net);
		return NULL;
	}
	net->flits = f->core->results.run.flits;
	f->net = net;
	return net;
}

static struct mcfab_inbox *inbox_of(struct mcf_net *net, u32 node)
{
	struct mcfab_inbox **in = &net->ports.o.inbox[node];

	if (!*in)
		*in = mcfab_inbox_new(node, MCF_INBOX);
	return *in;
}

/* a message that is not in use, with room for @n destinations; MCFAB_NONE: no memory */
static u32 new_message(struct mcf_net *net, u32 n)
{
	u32 size = 2 * net->nmsgs + 64, i, *dst;
	struct message *m;

	if (net->free_msg == MCFAB_NONE) {
		m = realloc(net->msg, size * sizeof(*m));
		if (!m)
			return MCFAB_NONE;
		for (i = net->nmsgs; i < size; i++)
			m[i] = (struct message){ .next = i + 1 < size ? i + 1 : MCFAB_NONE };
		net->free_msg = net->nmsgs;
		net->msg = m;
		net->nmsgs = size;
	}
	m = &net->msg[net->free_msg];
	if (m->room < n) {
		dst = realloc(m->dst, n * sizeof(*dst));
		if (!dst)
			return MCFAB_NONE;
		m->dst = dst;
		m->room = n;
	}
	return net->free_msg;
}

static int check(struct mcf_net *net, u32 source, const u32 *dests, u32 n, u32 length)
{
	u32 i;

	if (net->ended)
		return lib_refuse("the run has ended");
	if (source >= net->nodes)
		return lib_refuse("source %u: out of range (0 to %u)", source, net->nodes - 1);
	if (!n || n >= net->nodes)
		return lib_refuse("n %u: out of range (1 to %u)", n, net->nodes - 1);
	if (!length || length > net->flits)
		return lib_refuse("length %u: out of range (1 to %u)", length, net->flits);
	net->pushes++;
	for (i = 0; i < n; i++) {
		if (dests[i] >= net->nodes)
			return lib_refuse("dests[%u] %u: out of range (0 to %u)", i, dests[i],
					  net->nodes - 1);
		if (dests[i] == source)
			return lib_refuse("dests[%u] %u: it is the source", i, source);
		if (net->seen[dests[i]] == net->pushes)
			return lib_refuse("dests[%u] %u: it is given twice", i, dests[i]);
		net->seen[dests[i]] = net->pushes;
	}
	return 0;
}

int mcf_push(struct mcf_net *net, u32 source, const u32 *dests, u32 n,
	     u32 length, uint64_t cookie)
{
	struct mcfab_inbox *in;
	struct message *m;
	u32 nr;

	if (check(net, source, dests, n, length))
		return -1;
	in = inbox_of(net, source);
	if (in && !mcfab_inbox_room(in))
		return 1;
	nr = in ? new_message(net, n) : MCFAB_NONE;
	if (nr == MCFAB_NONE)
		return lib_refuse("out of memory");
	m = &net->msg[nr];
	net->free_msg = m->next;
	m->cookie = cookie;
	m->source = source;
	memcpy(m->dst, dests, n * sizeof(*dests));
	mcfab_inbox_put(&net->ports.o, in, &(struct mcfab_offer){
		.cycle = net->cycle + 1, .cookie = nr, .dst = m->dst, .listed = n, .ndst = n,
		.flits = length,
	});
	net->busy++;
	return 0;
}

u32 mcf_room(const struct mcf_net *net, u32 source)
{
	const struct mcfab_inbox *in;

	if (source >= net->nodes || net->ended)
		return 0;
	in = net->ports.o.inbox[source];
	return in ? mcfab_inbox_room(in) : MCF_INBOX;
}

static int step(struct mcf_net *net, u64 cycles, bool until)
{
	net->target = cycles > U64_MAX - 1 - net->cycle ? U64_MAX - 1 : net->cycle + cycles;
	net->until = until;
	net->came = false;
	while (net->cycle < net->target && !net->ended)
		if (!mcfab_runner_step(net->f->core))
			net->ended = true;
	if (net->lost)
		return lib_refuse("no memory for deliveries");
	if (net->ended)
		return lib_refuse("the run has ended: %s", net->f->core->results.progress.why);
	return 0;
}

int mcf_step(struct mcf_net *net, uint64_t cycles)
{
	return step(net, cycles, false);
}

int mcf_step_until(struct mcf_net *net, uint64_t cycles)
{
	return step(net, cycles, true);
}

uint64_t mcf_cycle(const struct mcf_net *net)
{
	return net->cycle;
}

uint64_t mcf_busy(const struct mcf_net *net)
{
	return net->busy;
}

int mcf_pop(struct mcf_net *net, u32 node, struct mcf_delivery *d)
{
	struct delivered *del;
	struct queue *q;
	u32 nr;

	if (node == MCF_ANY && net->oldest != MCFAB_NONE)
		node = net->del[net->oldest].d.node;
	if (node >= net->nodes || !net->queue[node].n)
		return 0;
	q = &net->queue[node];
	nr = q->first;
	del = &net->del[nr];
	*d = del->d;
	q->first = del->next;
	q->n--;
	if (del->older == MCFAB_NONE)
		net->oldest = del->newer;
	else
		net->del[del->older].newer = del->newer;
	if (del->newer == MCFAB_NONE)
		net->newest = del->older;
	else
		net->del[del->newer].older = del->older;
	del->next = net->free_del;
	net->free_del = nr;
	return 1;
}

/**
 * lib_net_end() - end the network of a fabric
 * @f: the fabric; it may have none
 */
void lib_net_end(struct mcf_fabric *f)
{
	struct mcf_net *net = f->net;

	if (!net)
		return;
	net->closing = true;
	mcfab_run_stop(f->core);
	f->core->ports = NULL;
	f->net = NULL;
	free_net(net);
}

void mcf_net_close(struct mcf_net *net)
{
	if (net)
		lib_net_end(net->f);
}
