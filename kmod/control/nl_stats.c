// SPDX-License-Identifier: GPL-2.0
/*
 * Show the statistics of a run: one message with all single numbers. Long lists (channels, batches,
 * buckets) are dumped by nl_series.c.
 */
#include <linux/timekeeping.h>
#include "control/nl.h"
#include "netdev/ports.h"
#include "base/memory.h"
#include "stats/report.h"
#include "stats/derive.h"

/* Classes of messages at 3 kB, and all numbers that are not by class. */
#define MCFAB_NL_STATS_SIZE	(MCFAB_CLASSES * 3072 + 4096)

static bool mcfab_nl_put_load(struct sk_buff *skb, const struct mcfab_loads *l)
{
	struct nlattr *nest = nla_nest_start(skb, MCFAB_A_STATS_LOAD);

	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_LOAD_START, l->start) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_END, l->end) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_GENERATED_MESSAGES, l->sum.generated) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_GENERATED_FLITS, l->flits.generated) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ASKED_COPIES, l->sum.destinations) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ASKED_FLITS, l->flits.destinations) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ACCEPTED_MESSAGES, l->sum.accepted) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_ACCEPTED_FLITS, l->flits.accepted) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_DELIVERED_COPIES, l->sum.delivered) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_DELIVERED_FLITS, l->flits.delivered) ||
	    nla_put_uint(skb, MCFAB_A_LOAD_COMPLETED_MESSAGES, l->sum.completed))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_window(struct sk_buff *skb, const struct mcfab_stats *st)
{
	u64 start = mcfab_stats_window_start(st), end = mcfab_stats_window_end(st);

	/* a window whose start is not known, or behind the end of the run, is no window */
	if (st->cfg.lone || start == U64_MAX || (st->load.end && start >= st->load.end))
		return true;
	return !(nla_put_uint(skb, MCFAB_A_STATS_WINDOW_START, start) ||
		 (end != U64_MAX && end > start &&
		  nla_put_uint(skb, MCFAB_A_STATS_WINDOW_END, end)));
}

/* Loads exist only for a run that has ended. */
static bool mcfab_nl_put_loads(struct sk_buff *skb, const struct mcfab_stats *st)
{
	u32 nodes = st->cfg.nodes;
	struct mcfab_loads l = st->loads;
	u64 cycles;

	if (!l.end)
		return true;
	cycles = l.end - l.start;
	return mcfab_nl_put_load(skb, &l) &&
	       !(nla_put_uint(skb, MCFAB_A_STATS_OFFERED_PPB,
			      mcfab_ratio(l.flits.generated, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_EFFECTIVE_PPB,
			      mcfab_ratio(l.flits.destinations, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_ACCEPTED_PPB,
			      mcfab_ratio(l.flits.accepted, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_DELIVERED_PPB,
			      mcfab_ratio(l.flits.delivered, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_THROUGHPUT_PPB,
			      mcfab_ratio(l.sum.delivered, nodes, cycles, MCFAB_PPB)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_MEAN_MICRO,
			      mcfab_ratio(l.queue_cycles + l.inject_cycles, nodes, cycles,
					  MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_STARTUP_MICRO,
			      mcfab_ratio(l.queue_cycles, nodes, cycles, MCFAB_MICRO)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_QUEUE_INJECTION_MICRO,
			      mcfab_ratio(l.inject_cycles, nodes, cycles, MCFAB_MICRO)));
}

/* does the run measure the network, or only its state when the run was cut? */
static bool mcfab_nl_put_saturation(struct sk_buff *skb, enum mcfab_run_status state,
				    const struct mcfab_stats *st)
{
	const struct mcfab_saturation *sat = &st->saturation;
	struct nlattr *nest;
	u32 parts;

	if ((state == MCFAB_RUN_STATUS_CUT || state == MCFAB_RUN_STATUS_SATURATED) &&
	    nla_put_flag(skb, MCFAB_A_STATS_LOWER_BOUND))
		return false;
	if (st->window.exhausted &&
	    nla_put_uint(skb, MCFAB_A_STATS_EXHAUSTED, st->window.limit))
		return false;
	if (st->cfg.lone || !st->load.end)
		return true;
	parts = sat->growth.count;
	nest = nla_nest_start(skb, MCFAB_A_STATS_SATURATION);
	if (!nest || nla_put_u32(skb, MCFAB_A_SATURATION_VERDICT, sat->verdict) ||
	    (parts &&
	     (nla_put_u32(skb, MCFAB_A_SATURATION_PARTS, parts) ||
	      nla_put_uint(skb, MCFAB_A_SATURATION_GENERATED_MICRO,
			   mcfab_ratio(sat->generated, parts, 1, MCFAB_MICRO)) ||
	      nla_put_sint(skb, MCFAB_A_SATURATION_GROWTH_MICRO,
			   mcfab_mean(&sat->growth, MCFAB_MICRO)) ||
	      nla_put_uint(skb, MCFAB_A_SATURATION_THRESHOLD_MICRO, sat->threshold) ||
	      nla_put_sint(skb, MCFAB_A_SATURATION_LATE_GROWTH_MICRO,
			   sat->late * (MCFAB_MICRO * 2 / (s32)parts)))))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

static bool mcfab_nl_put_batches(struct sk_buff *skb, const struct mcfab_stats *st)
{
	if (!st->window.batches.batch[0])
		return true;
	return !((st->window.unsettled && nla_put_flag(skb, MCFAB_A_STATS_UNSETTLED)) ||
		 nla_put_u32(skb, MCFAB_A_STATS_BATCHES,
			     mcfab_batches_groups(&st->window.batches)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BATCH_CYCLES,
			      mcfab_batches_length(&st->window.batches)));
}

static bool mcfab_nl_put_balance(struct sk_buff *skb, const struct mcfab_page *page)
{
	const struct mcfab_balance *b = &page->balance;
	struct nlattr *nest;

	if (!page->channel_window)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_STATS_BALANCE);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_CYCLES, page->channel_window) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CHANNELS, b->channels) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_USED, b->used) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_FLITS, b->flits) ||
	    (b->busiest != MCFAB_NONE &&
	     nla_put_u32(skb, MCFAB_A_BALANCE_BUSIEST, b->busiest)) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_BUSIEST_FLITS, b->max) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MEAN_PPB, b->mean_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_PPB, b->max_util) ||
	    nla_put_uint(skb, MCFAB_A_BALANCE_MAXIMUM_TO_MEAN_MICRO, b->max_to_mean) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_CV_PPM, b->cv) ||
	    nla_put_u32(skb, MCFAB_A_BALANCE_JAIN_PPM, b->jain))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/**
 * mcfab_nl_put_drops() - put the copies that reached no destination
 * @skb: message
 * @attr: number of the nest
 * @drops: counts by enum mcfab_drop
 *
 * Context: Any.
 * Return: false if there is no room.
 */
bool mcfab_nl_put_drops(struct sk_buff *skb, int attr, const u64 *drops)
{
	static const struct {
		enum mcfab_drop drop;
		int attr;
	} reasons[] = {
		{ MCFAB_DROP_NO_ENTRY, MCFAB_A_DROPPED_NO_ENTRY },
		{ MCFAB_DROP_DEAD_PORT, MCFAB_A_DROPPED_DEAD_PORT },
		{ MCFAB_DROP_LOOP, MCFAB_A_DROPPED_LOOP },
		{ MCFAB_DROP_STRAY, MCFAB_A_DROPPED_STRAY },
		{ MCFAB_DROP_DUPLICATE, MCFAB_A_DROPPED_DUPLICATE },
		{ MCFAB_DROP_LINK, MCFAB_A_DROPPED_LINK },
		{ MCFAB_DROP_UNREACHABLE, MCFAB_A_DROPPED_UNREACHABLE },
		{ MCFAB_DROP_ABORTED, MCFAB_A_DROPPED_ABORTED },
		{ MCFAB_DROP_DEADLOCK, MCFAB_A_DROPPED_DEADLOCK },
		{ MCFAB_DROP_RECOVERED, MCFAB_A_DROPPED_RECOVERED },
	};
	struct nlattr *nest = NULL;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		if (!drops[reasons[i].drop])
			continue;
		nest = nest ?: nla_nest_start(skb, attr);
		if (!nest || nla_put_uint(skb, reasons[i].attr, drops[reasons[i].drop]))
			return false;
	}
	if (nest)
		nla_nest_end(skb, nest);
	return true;
}

/**
 * mcfab_nl_wall_ns() - wall-clock time of a run so far
 * @at: progress of the run
 *
 * Context: Any; the caller keeps @at as it is.
 * Return: nanoseconds since it began, up to its end if that has come.
 */
u64 mcfab_nl_wall_ns(const struct mcfab_progress *at)
{
	return at->state == MCFAB_RUN_STATUS_RUNNING ? ktime_get_ns() - at->started_ns :
	       at->wall_ns;
}

static bool mcfab_nl_put_progress(struct sk_buff *skb, const struct mcfab_run_cfg *run,
				  const struct mcfab_page *page)
{
	const struct mcfab_progress *at = &page->progress;

	return !(nla_put_string(skb, MCFAB_A_STATS_POLICY, run->policy) ||
		 nla_put_uint(skb, MCFAB_A_STATS_CYCLE, at->cycle) ||
		 nla_put_uint(skb, MCFAB_A_STATS_MESSAGES, at->messages) ||
		 nla_put_uint(skb, MCFAB_A_STATS_DELIVERIES, at->deliveries) ||
		 nla_put_uint(skb, MCFAB_A_STATS_FLIT_HOPS, at->flit_hops) ||
		 nla_put_uint(skb, MCFAB_A_STATS_STALLS, at->stalls) ||
		 !mcfab_nl_put_drops(skb, MCFAB_A_STATS_DROPPED, at->drops) ||
		 nla_put_string(skb, MCFAB_A_STATS_MODE, at->chosen.mode) ||
		 (at->chosen.why[0] &&
		  nla_put_string(skb, MCFAB_A_STATS_MODE_WHY, at->chosen.why)) ||
		 (at->has_hash && nla_put_uint(skb, MCFAB_A_STATS_HASH, at->hash)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_WALL_NS, mcfab_nl_wall_ns(at)) ||
		 (page->queue_max != MCFAB_NONE &&
		  nla_put_u32(skb, MCFAB_A_STATS_QUEUE_MAXIMUM, page->queue_max)) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_PARTS, page->stats.bad_parts) ||
		 nla_put_uint(skb, MCFAB_A_STATS_BAD_MESSAGES, page->stats.bad_messages));
}

static bool mcfab_nl_put_ni(struct sk_buff *skb, const struct mcfab_ni_use *ni)
{
	struct nlattr *nest;

	if (!ni->packets)
		return true;
	nest = nla_nest_start(skb, MCFAB_A_STATS_NI);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_NI_PACKETS, ni->packets) ||
	    nla_put_u32(skb, MCFAB_A_NI_PEAK, ni->peak) ||
	    nla_put_uint(skb, MCFAB_A_NI_RESIDENCE_MICRO,
			 mcfab_ratio(ni->residence, ni->packets, 1, MCFAB_MICRO)) ||
	    nla_put_uint(skb, MCFAB_A_NI_RESIDENCE_MAXIMUM, ni->residence_max))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* How far deliveries to ports came behind the pace of the run. */
static bool mcfab_nl_put_slip(struct sk_buff *skb, struct mcfab_fabric *core,
			      const struct mcfab_run_cfg *run)
{
	struct mcfab_slip slip;
	struct nlattr *nest;

	if (!run->pace_ppm || !mcfab_ports_slip(core, &slip))
		return true;
	nest = nla_nest_start(skb, MCFAB_A_STATS_SLIP);
	if (!nest ||
	    nla_put_uint(skb, MCFAB_A_SLIP_DELIVERIES, slip.deliveries) ||
	    nla_put_uint(skb, MCFAB_A_SLIP_LATE, slip.late) ||
	    nla_put_uint(skb, MCFAB_A_SLIP_MEAN_NS,
			 slip.deliveries ? div64_u64(slip.sum, slip.deliveries) : 0) ||
	    nla_put_uint(skb, MCFAB_A_SLIP_MAXIMUM_NS, slip.most) ||
	    nla_put(skb, MCFAB_A_SLIP_HISTOGRAM, sizeof(slip.bucket), slip.bucket) ||
	    nla_put_uint(skb, MCFAB_A_SLIP_LIMIT_NS, slip.limit))
		return false;
	nla_nest_end(skb, nest);
	return true;
}

/* What is by class: of the messages of mixed traffic, or of the traffic's own classes. */
static bool mcfab_nl_put_classes(struct sk_buff *skb, const struct mcfab_fabric *core,
				 const struct mcfab_run_cfg *run, const struct mcfab_stats *st)
{
	u32 i;

	for (i = 0; i < st->cfg.classes; i++)
		if (!mcfab_nl_put_class_traffic(skb, core, run->class[i].name, st, i))
			return false;
	if (st->cfg.classes)
		return true;
	return mcfab_nl_put_class(skb, MCFAB_A_STATS_MULTICAST, st, MCFAB_CLASS_MULTICAST) &&
	       mcfab_nl_put_class(skb, MCFAB_A_STATS_UNICAST, st, MCFAB_CLASS_UNICAST);
}

static int mcfab_nl_stats_fill(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			       const struct mcfab_run_cfg *run, const struct mcfab_page *page,
			       const struct genl_info *info)
{
	const struct mcfab_fabric *core = fabric->core;
	const struct mcfab_stats *st = &page->stats;
	void *hdr = mcfab_nl_put(skb, info, NULL);

	if (!hdr)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MCFAB_A_STATS_FABRIC_ID, fabric->id) ||
	    nla_put_string(skb, MCFAB_A_STATS_FABRIC, core->cfg.name) ||
	    nla_put_u32(skb, MCFAB_A_STATS_RUN, page->progress.run) ||
	    nla_put_u32(skb, MCFAB_A_STATS_STATE, page->progress.state) ||
	    nla_put_u32(skb, MCFAB_A_STATS_CYCLE_PS, core->cfg.cycle_ps))
		goto too_long;
	/* Without classes there was no run, or its statistics were reset. */
	if (st->classes &&
	    (!mcfab_nl_put_progress(skb, run, page) ||
	     !mcfab_nl_put_window(skb, st) ||
	     !mcfab_nl_put_loads(skb, st) ||
	     !mcfab_nl_put_saturation(skb, page->progress.state, st) ||
	     !mcfab_nl_put_batches(skb, st) ||
	     !mcfab_nl_put_balance(skb, page) ||
	     !mcfab_nl_put_ni(skb, &page->progress.ni) ||
	     !mcfab_nl_put_slip(skb, fabric->core, run) ||
	     !mcfab_nl_put_classes(skb, core, run, st)))
		goto too_long;
	genlmsg_end(skb, hdr);
	return 0;

too_long:
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/* Put the newest page of a fabric's run. */
static int mcfab_nl_stats_put(struct sk_buff *skb, const struct mcfab_nl_fabric *fabric,
			      const struct genl_info *info)
{
	struct mcfab_report *report = mcfab_report_get(&fabric->core->results);
	struct mcfab_page *page = mcfab_report_page(report, true);
	int ret = PTR_ERR_OR_ZERO(page);

	if (!ret) {
		ret = mcfab_nl_stats_fill(skb, fabric, &report->cfg, page, info);
		mcfab_page_free(page);
	}
	mcfab_report_put(report);
	return ret;
}

/* MCFAB_CMD_STATS_GET */
int mcfab_nl_stats_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct sk_buff *msg = mcfab_nl_new(MCFAB_NL_STATS_SIZE);
	int ret;

	if (!msg)
		return -ENOMEM;
	ret = mcfab_nl_stats_put(msg, info->user_ptr[0], info);
	if (!ret)
		return genlmsg_reply(msg, info);
	nlmsg_free(msg);
	return ret;
}

/* MCFAB_CMD_STATS_RESET */
int mcfab_nl_stats_reset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mcfab_nl_fabric *fabric = info->user_ptr[0];
	struct mcfab_fabric *core = fabric->core;
	struct mcfab_report *report;
	u32 run;
	u64 bytes;

	report = mcfab_report_new(NULL);
	if (!report) {
		NL_SET_ERR_MSG(info->extack, "no memory for statistics, see max_memory_mb");
		return -ENOMEM;
	}
	if (mutex_lock_killable(&core->results.lock)) {
		mcfab_report_put(report);
		return -EINTR;
	}
	mcfab_stats_close(&core->results.stats);
	memset(&core->results.stats, 0, sizeof(core->results.stats));
	memset(&core->results.deadlock, 0, sizeof(core->results.deadlock));
	/* without a window readers see no counts of channels, of which there may be millions */
	core->results.channel_window = 0;
	core->results.queue_max = 0;
	/* The next run gets the next number all the same. */
	run = core->results.progress.run;
	bytes = core->results.progress.bytes - core->stats_bytes;
	mcfab_memory_uncharge(core->stats_bytes);
	core->stats_bytes = 0;
	memset(&core->results.progress, 0, sizeof(core->results.progress));
	core->results.progress.run = run;
	core->results.progress.bytes = bytes;
	core->results.progress.state = MCFAB_RUN_STATUS_IDLE;
	mcfab_report_set(&core->results, report);
	mutex_unlock(&core->results.lock);
	mcfab_nl_notify(fabric, MCFAB_CMD_FABRIC_CHANGE_NTF);
	return 0;
}
