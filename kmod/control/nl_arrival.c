// SPDX-License-Identifier: GPL-2.0
/* Dump the messages that came from ports. */
#include "control/nl.h"
#include "netdev/ports.h"
#include "stats/report.h"
#include "workload/arrivals.h"

struct mcfab_nl_arrival_ctx {
	u32 id;		/* of the fabric */
	u32 index;	/* the next message */
};

static_assert(MCFAB_A_ARRIVAL_FABRIC_ID == MCFAB_NL_FABRIC_ID);
static_assert(MCFAB_A_ARRIVAL_FABRIC == MCFAB_NL_FABRIC);

static bool mcfab_nl_put_arrival(struct sk_buff *skb, const struct mcfab_msg_list *list, u32 i)
{
	return !(nla_put_uint(skb, MCFAB_A_ARRIVAL_CYCLE, list->cycle[i]) ||
		 nla_put_u32(skb, MCFAB_A_ARRIVAL_SOURCE, list->source[i]) ||
		 nla_put_u32(skb, MCFAB_A_ARRIVAL_FLITS, list->flits[i]) ||
		 nla_put(skb, MCFAB_A_ARRIVAL_DESTINATIONS,
			 (list->first[i + 1] - list->first[i]) * sizeof(*list->dst),
			 list->dst + list->first[i]));
}

/* One message of the log, or behind the last one the number of those that are not there. */
static int mcfab_nl_arrival_one(struct sk_buff *skb, struct netlink_callback *cb, u32 id, u32 run,
				const struct mcfab_arrivals *log, u32 count, u32 index)
{
	void *hdr = mcfab_nl_put(skb, genl_info_dump(cb), cb);
	bool fits;

	if (!hdr)
		return -EMSGSIZE;
	fits = !nla_put_u32(skb, MCFAB_A_ARRIVAL_FABRIC_ID, id) &&
	       !nla_put_u32(skb, MCFAB_A_ARRIVAL_RUN, run);
	if (fits && index < count)
		fits = mcfab_nl_put_arrival(skb, &log->list, index);
	else if (fits)
		fits = !nla_put_uint(skb, MCFAB_A_ARRIVAL_MISSED, READ_ONCE(log->missed));
	if (fits) {
		genlmsg_end(skb, hdr);
		return 0;
	}
	genlmsg_cancel(skb, hdr);
	return -EMSGSIZE;
}

/* MCFAB_CMD_ARRIVAL_GET */
int mcfab_nl_arrival_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct mcfab_nl_arrival_ctx *ctx = (void *)cb->ctx;
	struct mcfab_nl_fabric *fabric;
	struct mcfab_arrivals *log;
	u32 run, count, last;
	int ret = 0;

	NL_ASSERT_DUMP_CTX_FITS(struct mcfab_nl_arrival_ctx);
	fabric = mcfab_nl_fabric_dump(cb, &ctx->id);
	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	log = mcfab_ports_log(fabric->core);
	if (!log)
		goto put_fabric;
	run = READ_ONCE(fabric->core->results.progress.run);
	/* Never 0, which would switch the check off: another run has another log. */
	cb->seq = 1 + run;
	count = mcfab_arrivals_count(log);
	last = count + !!READ_ONCE(log->missed);
	for (; ctx->index < last && !ret; ctx->index += !ret) {
		ret = mcfab_nl_arrival_one(skb, cb, fabric->id, run, log, count, ctx->index);
		cond_resched();
	}
	mcfab_arrivals_put(log);
put_fabric:
	mcfab_nl_fabric_put(fabric);
	return ret;
}
