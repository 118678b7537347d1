// SPDX-License-Identifier: GPL-2.0
/*
 * Dump the long lists of a run: channels, routers, sources, batches, buckets of histograms.
 *
 * Each dump walks over an index. The number of the run is the dump's sequence number, so the
 * netlink core marks a dump as inconsistent if another run starts meanwhile.
 */
#include <linux/sched.h>

#include "control/nl.h"
#include "stats/report.h"
#include "stats/derive.h"

struct mcfab_nl_series_ctx {
	u32 id;		/* of the fabric */
	u32 index;	/* the next element */
};

/**
 * typedef mcfab_nl_series_fill - write one element
 * @skb: message, after its header
 * @core: fabric
 * @run: its run
 * @page: page of its run
 * @index: the element
 *
 * Return: 1: written, 0: there is nothing to show, -EMSGSIZE, -ENOENT: the end.
 */
typedef int (*mcfab_nl_series_fill)(struct sk_buff *skb, const struct mcfab_fabric *core,
				    const struct mcfab_run_cfg *run,
				    const struct mcfab_page *page, u32 index);

/* fabric-id and run have the same numbers in all these messages. */
static_assert((int)MCFAB_A_NODE_LOAD_RUN == MCFAB_A_LINK_RUN);
static_assert((int)MCFAB_A_BATCH_RUN == MCFAB_A_LINK_RUN);
static_assert((int)MCFAB_A_SOURCE_LOAD_RUN == MCFAB_A_LINK_RUN);
static_assert((int)MCFAB_A_BUCKET_RUN == MCFAB_A_LINK_RUN);

static int mcfab_nl_series_one(struct sk_buff *skb, struct netlink_callback *cb, u32 id,
			       const struct mcfab_fabric *core, const struct mcfab_run_cfg *run,
			       const struct mcfab_page *page, u32 index,
			       mcfab_nl_series_fill fill)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
	int ret;

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_NL_FABRIC_ID, id) ||
	    nla_put_u32(skb, MCFAB_A_LINK_RUN, page->progress.run))
		ret = -EMSGSIZE;
	else
		ret = fill(skb, core, run, page, index);
	if (ret <= 0) {
		genlmsg_cancel(skb, hdr);
		return ret;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* @stats: the dump shows statistics, not channels */
static int mcfab_nl_series(struct sk_buff *skb, struct netlink_callback *cb,
			   mcfab_nl_series_fill fill, bool stats)
{
	struct mcfab_nl_series_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_report *report;
	struct mcfab_page *page;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_series_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->id);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	report = mcfab_report_get(&fabric->core->results);
	page = mcfab_report_page(report, stats);
	if (IS_ERR(page)) {
		ret = PTR_ERR(page);
		goto put_report;
	}
	/* Never 0, which would switch the check off; a reset starts over, too. */
	cb->seq = 1 + 2 * page->progress.run + !page->stats.classes;
	while (page->stats.classes) {
		ret = mcfab_nl_series_one(skb, cb, fabric->id, fabric->core, &report->cfg, page,
					  ctx->index, fill);
		if (ret)
			break;
		ctx->index++;
		cond_resched();
	}
	mcfab_page_free(page);
put_report:
	mcfab_report_put(report);
	mcfab_nl_fabric_put(fabric);
	return ret == -ENOENT ? 0 : ret;
}

static u64 mcfab_nl_ppb(u64 flits, u64 channels, u64 cycles)
{
	return channels && cycles ? mcfab_ratio(flits, channels, cycles, MCFAB_PPB) : 0;
}

static int mcfab_nl_link(struct sk_buff *skb, const struct mcfab_fabric *core,
			 const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			 u32 index)
{
	const struct mcfab_topo *topo = &core->topo;
	u64 flits, wait;
	u32 peer;

	if (index >= topo->routers * topo->ports || !core->results.channel_flits)
		return -ENOENT;
	peer = topo->peer[index];
	if (peer == MCFAB_NONE)
		return 0;
	/* until a run has ended these counts are those of an earlier run */
	flits = page->channel_window ? READ_ONCE(core->results.channel_flits[index]) : 0;
	wait = page->channel_window ? READ_ONCE(core->results.channel_wait[index]) : 0;
	if (nla_put_u32(skb, MCFAB_A_LINK_CHANNEL, index) ||
	    nla_put_u32(skb, MCFAB_A_LINK_FROM, index / topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_LINK_TO, peer / topo->ports) ||
	    nla_put_u32(skb, MCFAB_A_LINK_PORT, index % topo->ports) ||
	    nla_put_uint(skb, MCFAB_A_LINK_FLITS, flits) ||
	    nla_put_uint(skb, MCFAB_A_LINK_UTILISATION_PPB,
			 mcfab_nl_ppb(flits, 1, page->channel_window)) ||
	    (core->results.channel_wait && nla_put_uint(skb, MCFAB_A_LINK_WAIT_CYCLES, wait)))
		return -EMSGSIZE;
	return 1;
}

/* MCFAB_CMD_LINK_GET */
int mcfab_nl_link_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_series(skb, cb, mcfab_nl_link, false);
}

static int mcfab_nl_load(struct sk_buff *skb, const struct mcfab_fabric *core,
			 const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			 u32 index)
{
	const struct mcfab_topo *topo = &core->topo;
	u64 in = 0, out = 0, channels = 0;
	u32 port, channel;

	if (index >= topo->routers || !core->results.channel_flits)
		return -ENOENT;
	for (port = 0; port < topo->ports; port++) {
		channel = mcfab_topo_channel(topo, index, port);
		if (topo->peer[channel] == MCFAB_NONE)
			continue;
		/* Links are pairs, so as many channels lead in as out. */
		channels++;
		if (!page->channel_window)
			continue;
		out += READ_ONCE(core->results.channel_flits[channel]);
		in += READ_ONCE(core->results.channel_flits[topo->peer[channel]]);
	}
	if (nla_put_u32(skb, MCFAB_A_NODE_LOAD_ROUTER, index) ||
	    nla_put_uint(skb, MCFAB_A_NODE_LOAD_FLITS_IN, in) ||
	    nla_put_uint(skb, MCFAB_A_NODE_LOAD_FLITS_OUT, out) ||
	    nla_put_uint(skb, MCFAB_A_NODE_LOAD_IN_PPB,
			 mcfab_nl_ppb(in, channels, page->channel_window)) ||
	    nla_put_uint(skb, MCFAB_A_NODE_LOAD_OUT_PPB,
			 mcfab_nl_ppb(out, channels, page->channel_window)))
		return -EMSGSIZE;
	return 1;
}

/* MCFAB_CMD_NODE_LOAD_GET */
int mcfab_nl_node_load_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_series(skb, cb, mcfab_nl_load, false);
}

static int mcfab_nl_source(struct sk_buff *skb, const struct mcfab_fabric *core,
			   const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			   u32 index)
{
	const struct mcfab_source_load *load;

	/* until a run has ended these are of an earlier run; lone multicasts do not queue */
	if (index >= core->topo.nodes || run->workload.kind == MCFAB_WORKLOAD_TYPE_LONE ||
	    !page->stats.load.end)
		return -ENOENT;
	load = &core->results.sources[index];
	if (nla_put_u32(skb, MCFAB_A_SOURCE_LOAD_NODE, index) ||
	    nla_put_u32(skb, MCFAB_A_SOURCE_LOAD_TAKEN, load->taken) ||
	    nla_put_uint(skb, MCFAB_A_SOURCE_LOAD_TAKEN_PPB,
			 mcfab_nl_ppb(load->taken, 1, page->channel_window)) ||
	    nla_put_u32(skb, MCFAB_A_SOURCE_LOAD_WAITING, load->waiting) ||
	    (load->waiting && nla_put_uint(skb, MCFAB_A_SOURCE_LOAD_OLDEST,
					   page->progress.cycle - load->oldest)))
		return -EMSGSIZE;
	return 1;
}

/* MCFAB_CMD_SOURCE_LOAD_GET */
int mcfab_nl_source_load_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_series(skb, cb, mcfab_nl_source, true);
}

/* Which class of messages: of mixed traffic, or one of the traffic's own classes. */
static bool mcfab_nl_put_which(struct sk_buff *skb, int attr, int name,
			       const struct mcfab_run_cfg *run, u32 class)
{
	return run->counted ? !nla_put_string(skb, name, run->class[class].name) :
			       !nla_put_u32(skb, attr, class + 1);
}

static int mcfab_nl_batch(struct sk_buff *skb, const struct mcfab_fabric *core,
			  const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			  u32 index)
{
	static const struct {
		int attr;
		enum mcfab_metric metric;
	} means[] = {
		{ MCFAB_A_BATCH_COMPLETION_UCYCLES, MCFAB_METRIC_COMPLETION },
		{ MCFAB_A_BATCH_DESTINATION_UCYCLES, MCFAB_METRIC_DESTINATION },
		{ MCFAB_A_BATCH_WORM_UCYCLES, MCFAB_METRIC_WORM },
	};
	const struct mcfab_batches *b = &page->stats.window.batches;
	u32 count = mcfab_batches_groups(b), i;
	struct mcfab_batch batch;
	enum mcfab_class class;
	u64 messages;

	if (!count || index >= count * b->classes || !b->batch[0])
		return -ENOENT;
	class = index / count;
	index %= count;
	mcfab_batches_group(b, class, index, &batch);
	messages = batch.count[MCFAB_COUNT_MESSAGES];
	if (!mcfab_nl_put_which(skb, MCFAB_A_BATCH_CLASS, MCFAB_A_BATCH_TRAFFIC_CLASS, run,
				class) ||
	    nla_put_u32(skb, MCFAB_A_BATCH_INDEX, index) ||
	    nla_put_uint(skb, MCFAB_A_BATCH_START,
			 mcfab_batches_base(b, index * MCFAB_BASE_GROUP)) ||
	    nla_put_uint(skb, MCFAB_A_BATCH_MESSAGES, messages))
		return -EMSGSIZE;
	for (i = 0; messages && i < ARRAY_SIZE(means); i++)
		if (nla_put_uint(skb, means[i].attr, mcfab_batch_mean(&batch, means[i].metric)))
			return -EMSGSIZE;
	return 1;
}

/* MCFAB_CMD_BATCH_GET */
int mcfab_nl_batch_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_series(skb, cb, mcfab_nl_batch, true);
}

static int mcfab_nl_bucket(struct sk_buff *skb, const struct mcfab_fabric *core,
			   const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			   u32 index)
{
	u32 bucket = index % MCFAB_HIST_BUCKETS, which = index / MCFAB_HIST_BUCKETS;
	const struct mcfab_class_stats *cls;
	const struct mcfab_histogram *h;
	u32 class = which / 2;

	if (class >= page->stats.classes)
		return -ENOENT;
	cls = &page->stats.class[class];
	h = which % 2 ? cls->completions : cls->latency;
	if (!h || !h->bucket[bucket])
		return 0;
	if (!mcfab_nl_put_which(skb, MCFAB_A_BUCKET_CLASS, MCFAB_A_BUCKET_TRAFFIC_CLASS, run,
				class) ||
	    nla_put_u32(skb, MCFAB_A_BUCKET_TYPE, which % 2 ? MCFAB_LATENCY_TYPE_COMPLETION :
							      MCFAB_LATENCY_TYPE_TAIL) ||
	    nla_put_u32(skb, MCFAB_A_BUCKET_LOW, mcfab_histogram_low(bucket)) ||
	    nla_put_u32(skb, MCFAB_A_BUCKET_HIGH, mcfab_histogram_high(bucket)) ||
	    nla_put_uint(skb, MCFAB_A_BUCKET_COUNT, h->bucket[bucket]))
		return -EMSGSIZE;
	return 1;
}

/* MCFAB_CMD_HISTOGRAM_GET */
int mcfab_nl_histogram_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return mcfab_nl_series(skb, cb, mcfab_nl_bucket, true);
}
