/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The engine's calls of tracepoints. In the kernel these are the tracepoints of
 * trace/mcfab_trace.h. The user-space build has none, and neither has a module
 * built with KCFLAGS=-DMCFAB_NO_TRACE, which shows that tracepoints cost nothing
 * when they are off.
 */
#ifndef MCFAB_TRACE_H
#define MCFAB_TRACE_H

#if defined(__KERNEL__) && !defined(MCFAB_NO_TRACE)

#include "trace/mcfab_trace.h"

/* is a tracepoint of headers or channels on? */
static inline bool mcfab_trace_headers(void)
{
	return trace_mcfab_inject_enabled() || trace_mcfab_header_enabled() ||
	       trace_mcfab_grant_enabled() || trace_mcfab_block_enabled() ||
	       trace_mcfab_absorb_enabled() || trace_mcfab_deliver_enabled() ||
	       trace_mcfab_release_enabled();
}

#else

#include "engine/state/engine.h"

static inline bool mcfab_trace_headers(void)
{
	return false;
}

static inline void trace_mcfab_run_start(const struct mcfab_engine *e)
{
}

static inline void trace_mcfab_run_end(const struct mcfab_engine *e)
{
}

static inline void trace_mcfab_generate(const struct mcfab_engine *e, const struct mcfab_mcast *m)
{
}

static inline void trace_mcfab_startup(const struct mcfab_engine *e,
				       const struct mcfab_node *n, u64 begin)
{
}

static inline void trace_mcfab_inject(const struct mcfab_engine *e, u32 rec)
{
}

static inline void trace_mcfab_header(const struct mcfab_engine *e, u32 rec)
{
}

static inline void trace_mcfab_grant(const struct mcfab_engine *e, u32 rec, u64 waited)
{
}

static inline bool trace_mcfab_block_enabled(void)
{
	return false;
}

static inline void mcfab_trace_block(const struct mcfab_engine *e,
				     const struct mcfab_request *req, u32 router)
{
}

static inline void trace_mcfab_replicate(const struct mcfab_engine *e, u32 rec, u32 branches)
{
}

static inline void trace_mcfab_absorb(const struct mcfab_engine *e, u32 rec, u32 dst)
{
}

static inline void trace_mcfab_deliver(const struct mcfab_engine *e,
				       const struct mcfab_arrival *arrival,
				       const struct mcfab_delivery *d, bool relay)
{
}

static inline void trace_mcfab_drop(const struct mcfab_engine *e,
				    const struct mcfab_arrival *arrival, u32 reason)
{
}

static inline void trace_mcfab_release(const struct mcfab_engine *e, u32 rec)
{
}

static inline void mcfab_trace_deadlock(const struct mcfab_engine *e,
					const struct mcfab_deadlock *d)
{
}

#endif

#endif
