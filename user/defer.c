// SPDX-License-Identifier: GPL-2.0
/* kmod/control/nl_defer.c where nobody else waits: every request is served at once. */
#include "control/nl_job.h"

int mcfab_nl_defer_init(void)
{
	return 0;
}

void mcfab_nl_defer_exit(void)
{
}

int mcfab_nl_defer(struct mcfab_nl_job *job, struct sk_buff *skb)
{
	return mcfab_nl_job_now(job);
}

int mcfab_nl_defer_stop(struct mcfab_nl_fabric *fabric)
{
	return 0;
}

void mcfab_nl_defer_end(struct net *net)
{
}
