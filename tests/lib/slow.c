// SPDX-License-Identifier: GPL-2.0
/* The slow simulator as a whole. See lib/slow_model.h. */
#include "lib/slow_model.h"
#include "topology/graph.h"
#include "workload/workload.h"

void *slow_get(size_t bytes)
{
	void *mem = calloc(1, bytes);

	must(mem);
	return mem;
}

/* memory of tasks and rounds: until the end of the run */
void *slow_keep(struct sim *s, size_t bytes)
{
	struct kept *k = slow_get(sizeof(*k) + bytes);

	k->next = s->kept;
	s->kept = k;
	return k + 1;
}

static void sweep(struct sim *s)
{
	struct worm **at = &s->worms;

	while (*at) {
		struct worm *w = *at;
		struct stay *st, *next;

		if (!w->ended) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		for (st = w->stays; st; st = next) {
			next = st->next;
			free(st);
		}
		free(w);
	}
}

static int compare_msgs(const void *pa, const void *pb)
{
	return slow_before(pa, pb) ? -1 : 1;
}

static void read_list(struct sim *s)
{
	const struct mcfab_msg_list *list = s->rc->workload.list;
	u32 *seq = slow_get(s->topo->nodes * sizeof(u32)), i;
	bool varied = s->rc->workload.nlengths;
	struct mcfab_workload work;
	struct mcfab_err err;

	if (varied)
		must(!mcfab_workload_open(&work, &s->rc->workload, s->fc->seed, s->topo->nodes,
					  &err));
	s->nmsgs = list->nmsgs;
	s->msg = slow_get(s->nmsgs * sizeof(*s->msg));
	for (i = 0; i < s->nmsgs; i++) {
		s->msg[i].gen = list->cycle[i];
		s->msg[i].source = list->source[i];
		s->msg[i].seq = seq[list->source[i]]++;
		s->msg[i].flits = list->flits && list->flits[i] ? list->flits[i] : s->rc->flits;
		if (varied)
			s->msg[i].flits = mcfab_workload_length(&work, s->msg[i].source,
								s->msg[i].seq);
		s->msg[i].packets = s->rc->mtu ? DIV_ROUND_UP(s->msg[i].flits, s->rc->mtu) : 1;
		s->msg[i].list = i;
	}
	free(seq);
	if (varied)
		mcfab_workload_close(&work);
	qsort(s->msg, s->nmsgs, sizeof(*s->msg), compare_msgs);
	for (i = 0; i < s->nmsgs; i++) {
		struct task *t = slow_keep(s, sizeof(*t));

		t->entry = s->msg[i].gen;
		t->msg = &s->msg[i];
		t->own = true;
		slow_enter_queue(&s->node[s->msg[i].source], t);
	}
}

static bool work_left(const struct sim *s)
{
	u32 i;

	if (s->worms)
		return true;
	for (i = 0; i < s->topo->nodes; i++)
		if (s->node[i].queue || s->node[i].task || (s->host && slow_host_busy(s, i)) ||
		    s->node[i].inject_head < s->node[i].inject_tail)
			return true;
	return false;
}

static int compare_deliveries(const void *pa, const void *pb)
{
	const struct slow_delivery *a = pa, *b = pb;

	if (a->gen != b->gen)
		return a->gen < b->gen ? -1 : 1;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->seq != b->seq)
		return a->seq < b->seq ? -1 : 1;
	return a->dst < b->dst ? -1 : a->dst > b->dst;
}

void slow_sort(struct slow_delivery *dlv, u32 ndlv)
{
	if (ndlv)
		qsort(dlv, ndlv, sizeof(*dlv), compare_deliveries);
}

static void report(struct sim *s)
{
	struct slow_result *out = s->out;
	u32 i, kept = 0;

	/* headers whose tail never came are no deliveries */
	for (i = 0; i < out->ndlv; i++)
		if (out->dlv[i].tail != NEVER)
			out->dlv[kept++] = out->dlv[i];
	out->ndlv = kept;
	slow_sort(out->dlv, kept);
	out->msg = slow_get((s->nmsgs + 1) * sizeof(*out->msg));
	for (i = 0; i < s->nmsgs; i++) {
		struct msg *m = &s->msg[i];

		if (!m->begun)
			continue;
		m->cost.gen = m->gen;
		m->cost.source = m->source;
		m->cost.seq = m->seq;
		m->cost.complete = s->host ? m->here == m->plan.ndst :
				   m->ended == m->plan.nworms * m->packets;
		out->msg[out->nmsg++] = m->cost;
	}
}

static void clean_up(struct sim *s)
{
	u32 i, vcs = s->topo->routers * s->topo->ports * s->fc->vcs;
	struct worm *w;

	for (w = s->worms; w; w = w->next)
		w->ended = true;
	sweep(s);
	for (i = 0; i < vcs; i++) {
		struct flit *f, *fn;
		struct credit *c, *cn;

		for (f = s->vc[i].flit; f; f = fn) {
			fn = f->next;
			free(f);
		}
		for (c = s->vc[i].credit; c; c = cn) {
			cn = c->next;
			free(c);
		}
	}
	for (i = 0; i < s->nmsgs; i++) {
		free(s->msg[i].plan.worm);
		free(s->msg[i].plan.dst);
		free(s->msg[i].came);
		free(s->msg[i].stored);
		free(s->msg[i].taken);
	}
	for (i = 0; i < s->topo->nodes; i++) {
		free(s->node[i].channel);
		free(s->node[i].host);
		free(s->node[i].tap);
	}
	while (s->kept) {
		struct kept *k = s->kept;

		s->kept = k->next;
		free(k);
	}
	free(s->msg);
	free(s->vc);
	free(s->chan);
	free(s->in);
	free(s->node);
	slow_hosts_exit(s);
	free(s->req);
	free(s->dst);
	free(s->scratch);
}

/* links with delays and rates of their own; returns the longest delay and time of a flit of all */
static u32 set_links(struct sim *s, const struct mcfab_graph *graph)
{
	u32 i, longest = s->fc->link_delay, ports = s->topo->ports;

	for (i = 0; i < graph->links; i++) {
		const struct mcfab_graph_link *l = &graph->link[i];

		if (l->delay)
			s->chan[l->a * ports + l->port_a].delay = l->delay;
		if (l->delay_back)
			s->chan[l->b * ports + l->port_b].delay = l->delay_back;
		if (l->pace)
			s->chan[l->a * ports + l->port_a].pace = l->pace;
		if (l->pace_back)
			s->chan[l->b * ports + l->port_b].pace = l->pace_back;
		longest = max3(longest, (u32)l->delay, (u32)l->delay_back);
		longest = max3(longest, (u32)l->pace, (u32)l->pace_back);
	}
	return longest;
}

/* rates of a host's link, both ways; returns the time of a flit */
static u32 set_host_link(struct sim *s, u32 nr)
{
	const struct mcfab_graph *graph = s->fc->graph;
	u32 in = graph ? max(graph->host[nr].pace, (u8)1) : 1, i;
	u32 out = graph ? max(graph->host[nr].pace_back, (u8)1) : 1;

	for (i = 0; i < s->fc->inject; i++)
		s->node[nr].host[i].pace = in;
	for (i = 0; i < s->fc->consume; i++)
		s->node[nr].tap[i].pace = out;
	return max(in, out);
}

/**
 * slow_run() - simulate a run of a list of messages
 * @fc: the fabric, defaults filled in
 * @topo: its network
 * @pol: the policy, opened for the run
 * @rc: the run; @rc->rounds not left to the default
 * @out: what came out; slow_free() is due
 */
void slow_run(const struct mcfab_fabric_cfg *fc, const struct mcfab_topo *topo,
	      const struct mcfab_policy *pol, const struct mcfab_run_cfg *rc,
	      struct slow_result *out)
{
	struct sim s = { .fc = fc, .rc = rc, .topo = topo, .pol = pol, .out = out };
	u32 chans = topo->routers * topo->ports, i, v;
	u64 latest = 0, patience, longest;
	size_t scratch;

	memset(out, 0, sizeof(*out));
	s.prep = rc->prep == MCFAB_NONE ? pol->ops->prep : rc->prep;
	s.vc = slow_get(chans * fc->vcs * sizeof(*s.vc));
	s.chan = slow_get(chans * sizeof(*s.chan));
	s.in = slow_get(chans * sizeof(*s.in));
	s.node = slow_get(topo->nodes * sizeof(*s.node));
	s.dst = slow_get(topo->nodes * sizeof(u32));
	for (i = 0; i < chans; i++) {
		s.chan[i].lock = -1;
		s.chan[i].delay = fc->link_delay;
		s.chan[i].pace = 1;
		s.chan[i].last = topo->ports;
		s.in[i].lock = -1;
		s.in[i].last = topo->ports;
		for (v = 0; v < fc->vcs; v++) {
			s.vc[i * fc->vcs + v].chan = i;
			s.vc[i * fc->vcs + v].nr = v;
		}
	}
	longest = fc->graph ? set_links(&s, fc->graph) : fc->link_delay;
	for (i = 0; i < topo->nodes; i++) {
		s.node[i].port.last = topo->ports;
		s.node[i].channel = slow_get(fc->inject);
		s.node[i].host = slow_get(fc->inject * sizeof(*s.node[i].host));
		s.node[i].tap = slow_get(fc->consume * sizeof(*s.node[i].tap));
		longest = max(longest, (u64)set_host_link(&s, i));
	}
	mcfab_plan_bounds(pol, topo->nodes - 1, &s.max_worms, &s.max_dst, &scratch);
	s.scratch = slow_get(scratch + 1);
	read_list(&s);
	slow_hosts_init(&s);
	for (i = 0; i < s.nmsgs; i++)
		latest = max(latest, s.msg[i].gen);
	patience = 16 + s.prep + rc->prep_relay + fc->startup + fc->inject_delay + fc->route_delay +
		   2 * longest + fc->consume_delay + fc->credit_delay + slow_host_patience(&s);
	if (slow_shared(&s))
		patience += mcfab_run_longest(rc) + 2 * topo->nodes;

	for (s.now = 1; work_left(&s); s.now++) {
		slow_see_credits(&s);
		if (s.host)
			slow_step_hosts(&s);
		else
			slow_step_nodes(&s);
		if (slow_ports(&s))
			slow_cross_ports(&s);
		slow_ask_all(&s);
		slow_grant_all(&s);
		if (slow_islip(&s))
			slow_match(&s);
		else
			slow_choose_all(&s, chans);
		if (slow_shared(&s))
			slow_choose_consumption(&s);
		if (slow_separable(&s))
			slow_pass_turns(&s);
		slow_move_all(&s);
		if (slow_ports(&s))
			slow_cross_ports(&s);
		sweep(&s);
		if (s.now > latest && s.now - s.active > patience) {
			out->stuck = true;
			break;
		}
	}
	out->cycle = s.active;
	report(&s);
	clean_up(&s);
}

void slow_free(struct slow_result *out)
{
	free(out->dlv);
	free(out->msg);
}
