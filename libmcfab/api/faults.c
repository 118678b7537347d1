// SPDX-License-Identifier: GPL-2.0
/* The failures of a run: "fail 5000:s3:2,9000:s3:2:up,7000:s5". */
#include <string.h>

#include "api/internal.h"
#include "fault_word.h"
#include <linux/mcfab.h>

static void put(struct request *rq, const struct fault_word *fault)
{
	u32 type = lib_type(rq->set, "fault");
	const struct attr_set *part = rq->set->attr[type].nested;
	struct nlattr *nest = nla_nest_start(rq->skb, type);

	nla_put_uint(rq->skb, lib_type(part, "at"), fault->at);
	nla_put_u32(rq->skb, lib_type(part, "switch"), fault->sw);
	if (fault->has_port)
		nla_put_u32(rq->skb, lib_type(part, "port"), fault->port);
	nla_put_u32(rq->skb, lib_type(part, "state"),
		    fault->up ? MCFAB_LINK_STATUS_UP : MCFAB_LINK_STATUS_DOWN);
	nla_nest_end(rq->skb, nest);
}

/**
 * lib_put_faults() - add the failures of a run to its request
 * @rq: the request, of a kind that has them
 * @list: failures, as mcastctl(8) takes them, with commas
 *
 * Return: 0 or -1.
 */
int lib_put_faults(struct request *rq, const char *list)
{
	struct fault_word fault;
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!fault_word_parse(list, len, &fault))
			return lib_refuse("fail %.*s: not of the form CYCLE:SWITCH[:PORT][:up]",
					  (int)min_t(size_t, len, 100), list);
		put(rq, &fault);
		if (!list[len])
			return 0;
	}
}
